"""Lines as a workbook: on its first sheet formulas, over a second sheet of the figures as they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from tieout.data.files import write_whole
from tieout.data.output.workbook import Book, WorkbookError
from tieout.kg.companies.compare import Line
from tieout.kg.companies.output.grid import grids, notes
from tieout.kg.companies.output.text import OutputError
from tieout.kg.companies.program import Program, read_program
from tieout.kg.filings.observation import Source

FIGURES = "printed"
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_FUNCTIONS = {"average": "AVERAGE", "magnitude": "ABS"}
_HEAD = (
    *(("figure", 24), ("amount", 18), ("printed", 14), ("scale", 12), ("unit", 8), ("label", 44), ("report", 20)),
    *(("first day", 12), ("last day", 12), ("place", 44), ("concept", 36)),
)


def write_xlsx(lines: Sequence[Line], target: Path, by: str = "measure") -> None:
    """Writes the workbook. Raises OutputError without XlsxWriter, WriteError."""
    write_whole(target, workbook(lines, by))


def workbook(lines: Sequence[Line], by: str = "measure") -> bytes:
    """The content of the workbook. Raises OutputError without XlsxWriter."""
    try:
        book = Book()
    except WorkbookError as error:
        raise OutputError(str(error)) from error
    cells, width = _cells(lines), max(len(each.head) for each in grids(lines, by))
    name = "measures" if by == "measure" else "statement"
    sheet = book.sheet(name, ((f"formulas over the sheet {FIGURES!r}", 44), *(("", 16),) * (width - 1)))
    at = 2
    for grid in grids(lines, by):
        for column, title in enumerate((grid.title, *grid.head[1:])):
            sheet.heading(at, column, title)
        for label, row in zip(grid.rows, grid.values, strict=True):
            at += 1
            sheet.write(at, 0, label[0])
            for column, line in enumerate(row, 1):
                if line is not None:
                    written = f"={formula(line.value.program, cells)}"
                    sheet.formula(at, column, written, line.value.amount, _number_format(line))
        at += 2
    for number, note in enumerate(notes(lines)):
        sheet.write(at + number, 0, note)
    _write_figures(book, lines)
    return book.content()


def _write_figures(book: Book, lines: Sequence[Line]) -> None:
    figures = book.sheet(FIGURES, _HEAD)
    for at, source in enumerate(_sources(lines), 1):
        stated, report = source.observed, source.filing.report
        row = (f"{report}:{stated.fact}", stated.amount, stated.value, stated.scale, stated.unit, stated.label, report)
        for column, value in enumerate((*row, stated.start, stated.end, stated.place, stated.concept)):
            figures.write(at, column, value)


def _number_format(line: Line) -> str:
    return "0.0%" if line.value.unit == "percent" else "#,##0.00" if _is_small(line) else "#,##0"


def _is_small(line: Line) -> bool:
    return "/" in line.value.unit or line.value.unit in ("ratio", "days")


def _sources(lines: Sequence[Line]) -> tuple[Source, ...]:
    found = {f"{each.filing.report}:{each.observed.fact}": each for line in lines for each in line.value.sources}
    return tuple(found.values())


def _cells(lines: Sequence[Line]) -> Mapping[str, str]:
    """The cell of every figure on the sheet of figures."""
    return {
        f"{each.filing.report}:{each.observed.fact}": f"{FIGURES}!$B${row}"
        for row, each in enumerate(_sources(lines), 2)
    }


def formula(program: str, cells: Mapping[str, str]) -> str:
    """A program as the formula of a spreadsheet. cells: of the figures, by report and short name.

    >>> formula("divide(subtract(a:t1r2c3, a:t1r3c3), 2)", {"a:t1r2c3": "printed!$B$2", "a:t1r3c3": "printed!$B$3"})
    '((printed!$B$2-printed!$B$3)/2)'
    """
    return _written(read_program(program, cells), cells)


def _written(program: Program, cells: Mapping[str, str]) -> str:
    if isinstance(program, Decimal):
        return f"{program:f}"
    if isinstance(program, str):
        return cells[program]
    parts = [_written(each, cells) for each in program.parts]
    if program.operation in _SIGNS:
        return f"({_SIGNS[program.operation].join(parts)})"
    return f"{_FUNCTIONS[program.operation]}({','.join(parts)})"
