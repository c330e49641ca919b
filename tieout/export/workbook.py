"""A conversation as a workbook: printed figures with their places in cells, live formulas over them, and charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from tieout.agent.answers.result import doubt, readings
from tieout.agent.ledger.display import display
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation, Ledger, Step, Words
from tieout.agent.log.turn import Turn
from tieout.agent.view.reports import Reports
from tieout.data.arithmetic.units import shifted
from tieout.data.output.workbook import Book, Sheet, Value, WorkbookError
from tieout.data.printed.unit import Unit
from tieout.eval.show.nodes import source_words
from tieout.export.formulas import formula, number_format
from tieout.kg.store.graph import Graph

ExportError = WorkbookError

STEPS = "Tie-out"
ANSWERS = (("Question", 60), ("Answer", 32), ("What", 36), ("Period", 14), ("Value", 18), ("Unit", 14), ("Scale", 12),
           ("Probability", 12), ("What is odd", 60))  # fmt: skip
HEAD = (("Step", 22), ("Value", 18), ("Unit", 14), ("Scale", 12), ("Period", 16), ("What", 40), ("From", 60),
        ("As printed", 18), ("Figure", 14), ("Report", 24), ("Reads", 22))  # fmt: skip
FEWEST = 2  # figures of a chart
TALL = 15  # rows that a chart covers


class _Place(NamedTuple):
    """Where a step stands, and what its cell holds."""

    cell: str
    value: Value


Places = dict[tuple[int, str], _Place]


def workbook(turns: Sequence[Turn], source: Graph | Reports | None = None) -> bytes:
    """The bytes of an XLSX file: a sheet of answers, and one of all steps, each formula with its value.

    source: what the conversation is about, to name the report of each figure. Raises ExportError without XlsxWriter.
    """
    book = Book()
    answers, steps = book.sheet("Answers", ANSWERS), book.sheet(STEPS, HEAD)
    places = _write_steps(steps, turns, source)
    _write_answers(book, answers, turns, places)
    return book.content()


# Answers


def _write_answers(book: Book, sheet: Sheet, turns: Sequence[Turn], places: Places) -> None:
    row = 1
    charted: list[tuple[str, int, int]] = []
    for turn in turns:
        first = row
        shown = turn.text or (turn.clarification.question if turn.clarification else turn.message)
        if read := readings(turn):
            shown = f"{doubt(turn)}: {'; '.join(read)}"
        sheet.write(row, 0, turn.question)
        sheet.write(row, 1, shown)
        sheet.write(row, 7, None if turn.probability is None else Decimal(repr(turn.probability)), "0%")
        sheet.write(row, 8, "; ".join(f"{flag.rule}: {flag.message}" for flag in turn.flags))
        for words, entry in _said(turn):
            if row > first:
                sheet.write(row, 1, words)
            if entry is not None:
                _write_figure(
                    sheet, row, entry, turn.format if entry == turn.answer else None, places[turn.index, entry.name]
                )
            row += 1
        row = max(row, first + 1)
        figures = [entry for _, entry in _said(turn) if entry is not None]
        if turn.answer is None and _one_measure(figures):
            charted.append((turn.question, first, row - 1))
    sheet.filter(row - 1)
    for number, (title, first, last) in enumerate(charted):
        _chart(book, sheet, title, first, last, row + 1 + number * (TALL + 1))


def _said(turn: Turn) -> Iterator[tuple[str, Entry | None]]:
    """What an answer says, line by line, with the figure of each line where it has one."""
    if turn.answer is not None:
        yield "", turn.answer
    for item in turn.items:
        yield item.text, None if item.entry is None else turn.ledger[item.entry]


def _write_figure(sheet: Sheet, row: int, entry: Entry, form: str | None, place: _Place) -> None:
    sheet.write(row, 2, entry.about)
    sheet.write(row, 3, entry.period)
    if isinstance(place.value, date):  # whose formula would hold a number, and no day
        sheet.write(row, 4, place.value)
    else:
        sheet.formula(row, 4, f"='{STEPS}'!{place.cell}", place.value, number_format(entry, form))
    sheet.write(row, 5, entry.unit)
    if isinstance(entry.value, Decimal):
        sheet.write(row, 6, entry.scale if entry.scale_known else "not stated")


def _one_measure(figures: Sequence[Entry]) -> bool:
    measures = {(entry.unit, entry.scale) for entry in figures if isinstance(entry.value, Decimal)}
    return len(figures) >= FEWEST and len(measures) == 1


def _chart(book: Book, sheet: Sheet, title: str, first: int, last: int, at: int) -> None:
    """The figures of a list or table as columns, beneath the answers."""
    chart = book.chart("column")
    names = 3 if first != last else 2
    series = {"categories": ["Answers", first, names, last, names], "values": ["Answers", first, 4, last, 4]}
    chart.add_series(series)
    chart.set_title({"name": title[:200], "name_font": {"size": 11}})
    chart.set_legend({"none": True})
    sheet.inside.insert_chart(at, 0, chart)


# Steps


def _write_steps(sheet: Sheet, turns: Sequence[Turn], source: Graph | Reports | None) -> Places:
    """Writes each step once, operands first; gives the place of its value by turn and name."""
    places: Places = {}
    printed: dict[tuple[str, str], _Place] = {}  # a figure that several answers rest on stands in one cell
    row = 1
    for turn in turns:
        for step in turn.ledger.way_to(*turn.roots):
            key = step.turn, step.entry.name
            if key in places:
                continue
            told = step.entry.source
            figure = (told.fact, str(step.entry.value)) if isinstance(told, FromFact) else None
            if figure in printed:
                places[key] = printed[figure]
                continue
            places[key] = _write_step(sheet, row, turn.ledger, step, places)
            if isinstance(told, FromFact):
                sheet.write(row, 9, _report(told.fact, source))
            if figure is not None:
                printed[figure] = places[key]
            row += 1
    sheet.filter(row - 1)
    return places


def _write_step(sheet: Sheet, row: int, ledger: Ledger, step: Step, places: Places) -> _Place:
    entry, source, operands = step.entry, step.entry.source, ledger.operands(step)
    cells = [places[each.turn, each.entry.name].cell for each in operands]
    live = None
    if isinstance(source, FromOperation):
        live = formula(source.operation, cells, [each.entry for each in operands], entry)
    elif operands:
        live = f"={cells[0]}"
    value = held(entry)
    if live is not None:
        sheet.formula(row, 1, live, value, number_format(entry))
    else:
        sheet.write(row, 1, value, number_format(entry))
    words = source_words(step) + ("" if live is not None or not operands else " (no formula: the value as calculated)")
    raw, fact = (source.raw, source.fact) if isinstance(source, FromFact) else ("", "")
    scale = (entry.scale if entry.scale_known else "not stated") if isinstance(entry.value, Decimal) else None
    sheet.write(row, 0, f"{step.turn + 1}: {entry.name}")
    for column, each in enumerate((entry.unit, scale, entry.period, entry.about, words, raw, fact), start=2):
        sheet.write(row, column, each)
    sheet.write(row, 10, display(entry))
    return _Place(f"B{row + 1}", value)


def held(entry: Entry) -> Value:
    """What a cell holds for an entry: a percentage as its decimal, a day as one, the value as it is else."""
    value = entry.value
    if isinstance(value, Words):
        return _day(value.text) if value.form == "date" else value.text
    return shifted(value, -2) if isinstance(value, Decimal) and entry.unit == Unit.PERCENT else value


def _day(text: str) -> Value:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def _report(fact: str, source: Graph | Reports | None) -> str | None:
    """The report that a figure is printed in: its company where that is known, else its name."""
    alias, _, _ = fact.rpartition(":")
    if isinstance(source, Reports):
        entry = source.open[alias].entry
        return entry.company or entry.id
    return None if source is None else source.document_id
