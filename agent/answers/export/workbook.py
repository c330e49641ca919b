"""A conversation as a workbook: printed figures with their places in cells, and live formulas over them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tieout.agent.answers.export.formulas import formula
from tieout.agent.answers.nodes import source_words
from tieout.agent.arithmetic.operations import OPERATIONS
from tieout.agent.ledger.ledger import FromFact, FromOperation, Ledger, Step
from tieout.agent.log.turn import Turn
from tieout.data.printed.unit import Unit

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

HEAD = ("Step", "Value", "Unit", "Scale", "Period", "What", "From", "As printed", "Figure")
WIDTHS = (22, 18, 14, 12, 16, 40, 60, 18, 14)
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a ZIP archive can name: the same answers give the same bytes
_TIME = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


class ExportError(ValueError):
    """What cannot be written: a package is missing."""


def workbook(turns: Sequence[Turn]) -> bytes:
    """The bytes of an XLSX file: a sheet of answers, and one of all steps. Raises ExportError without openpyxl."""
    if find_spec("openpyxl") is None:
        raise ExportError("an XLSX file needs openpyxl: pip install 'tieout[xlsx]'")
    from openpyxl import Workbook

    book = Workbook()
    answers: Any = book.active
    answers.title = "Answers"
    steps: Any = book.create_sheet("Tie-out")
    places = _write_steps(steps, turns)
    _write_answers(answers, turns, places)
    out = io.BytesIO()
    book.save(out)
    return _timeless(out.getvalue())


def _write_answers(sheet: Worksheet, turns: Sequence[Turn], places: dict[tuple[int, str], str]) -> None:
    _head(sheet, ("Question", "Answer", "Value", "Probability", "What is odd"), (60, 28, 18, 12, 60))
    for row, turn in enumerate(turns, start=2):
        shown = turn.text or (turn.clarification.question if turn.clarification else turn.message)
        _text(sheet, row, 1, turn.question)
        _text(sheet, row, 2, shown)
        if turn.answer is not None:
            sheet.cell(row, 3).value = f"='Tie-out'!{places[turn.index, turn.answer.name]}"
            _format(sheet.cell(row, 3), Step(turn.index, turn.answer))
        if turn.probability is not None:
            sheet.cell(row, 4).value = turn.probability
        _text(sheet, row, 5, "; ".join(f"{flag.rule}: {flag.message}" for flag in turn.flags))


def _write_steps(sheet: Worksheet, turns: Sequence[Turn]) -> dict[tuple[int, str], str]:
    """Writes each step once, operands first; gives the address of its value by turn and name."""
    _head(sheet, HEAD, WIDTHS)
    places: dict[tuple[int, str], str] = {}
    printed: dict[tuple[str, str], str] = {}  # a figure that several answers rest on stands in one cell
    row = 2
    for turn in turns:
        for step in turn.ledger.way_to(turn.answer.name) if turn.answer else ():
            if (step.turn, step.entry.name) in places:
                continue
            source = step.entry.source
            figure = (source.fact, str(step.entry.value)) if isinstance(source, FromFact) else None
            if figure in printed:
                places[step.turn, step.entry.name] = printed[figure]
                continue
            _write_step(sheet, row, turn.ledger, step, places)
            places[step.turn, step.entry.name] = f"B{row}"
            if figure is not None:
                printed[figure] = f"B{row}"
            row += 1
    return places


def _write_step(sheet: Worksheet, row: int, ledger: Ledger, step: Step, places: dict[tuple[int, str], str]) -> None:
    entry, source = step.entry, step.entry.source
    cell = sheet.cell(row, 2)
    operands = ledger.operands(step)
    cells = [places[each.turn, each.entry.name] for each in operands]
    live = None
    if isinstance(source, FromOperation):
        live = formula(source.operation, cells, [each.entry for each in operands], entry)
    elif operands:
        live = f"={cells[0]}"
    if live is not None:
        cell.value = live
    elif isinstance(entry.value, bool | Decimal):
        cell.value = entry.value
    else:
        _text(sheet, row, 2, str(entry.value))
    _format(cell, step)
    words = source_words(step) + ("" if live is not None or not operands else " (no formula: the value as calculated)")
    printed = (source.raw, source.fact) if isinstance(source, FromFact) else ("", "")
    _text(sheet, row, 1, f"{step.turn + 1}: {entry.name}")
    sheet.cell(row, 4).value = entry.scale
    for column, text in ((3, entry.unit), (5, entry.period), (6, entry.about), (7, words), (8, printed[0])):
        _text(sheet, row, column, str(text or ""))
    _text(sheet, row, 9, printed[1])


def _format(cell: Any, step: Step) -> None:  # noqa: ANN401 - a cell, or one of a merged range
    source = step.entry.source
    is_share = isinstance(source, FromOperation) and OPERATIONS[source.operation].percent
    if is_share and step.entry.scale == 1:
        cell.number_format = "0.00%"
    elif step.entry.unit != Unit.CALENDAR_YEAR:
        cell.number_format = "#,##0.#####"


def _head(sheet: Worksheet, names: Sequence[str], widths: Sequence[int]) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    for column, (name, width) in enumerate(zip(names, widths, strict=True), start=1):
        sheet.cell(1, column).value = name
        sheet.cell(1, column).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.freeze_panes = "A2"


def _text(sheet: Worksheet, row: int, column: int, text: str) -> None:
    """Puts text into a cell as text: what a report prints is never a formula."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    cell: Any = sheet.cell(row, column)
    cell.value = ILLEGAL_CHARACTERS_RE.sub(" ", text)[:32_000].encode(errors="replace").decode()
    if text:
        cell.data_type = "s"


def _timeless(content: bytes) -> bytes:
    """The same workbook without the time at which it was written."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = _TIME.sub(rb"\g<1>1980-01-01T00:00:00Z", data)
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, data)
    return out.getvalue()
