"""Lines as a workbook: on its first sheet formulas, over a second sheet of the figures as they are printed."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from tieout.kg.companies.compare import Line
from tieout.kg.companies.output.grid import grids, notes
from tieout.kg.companies.output.text import OutputError
from tieout.kg.filings.observation import Source

FIGURES = "printed"
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_FUNCTIONS = {"average": "AVERAGE", "magnitude": "ABS"}
_HEAD = ("figure", "amount", "printed", "scale", "unit", "label", "report", "first day", "last day", "place", "concept")


def write_xlsx(lines: Sequence[Line], target: Path, by: str = "measure") -> None:
    """Writes the workbook. Raises OutputError without openpyxl, OSError."""
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Font
    except ModuleNotFoundError as error:
        raise OutputError(f"XLSX needs {error.name}: pip install 'tieout[xlsx]'") from error
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "measures" if by == "measure" else "statement"
    cells = _cells(lines)
    at = 1
    for grid in grids(lines, by):
        sheet.cell(at, 1, _safe(grid.title)).font = Font(bold=True)
        for column, name in enumerate(grid.head[1:], 2):
            sheet.cell(at, column, name).font = Font(bold=True)
        for label, row in zip(grid.rows, grid.values, strict=True):
            at += 1
            sheet.cell(at, 1, _safe(label[0]))
            for column, line in enumerate(row, 2):
                if line is not None:
                    cell = sheet.cell(at, column, f"={formula(line.value.program, cells)}")
                    cell.number_format = (
                        "0.0%" if line.value.unit == "percent" else "#,##0.00" if _is_small(line) else "#,##0"
                    )
        at += 2
    for note in notes(lines):
        sheet.cell(at, 1, _safe(note))
        at += 1
    sheet.column_dimensions["A"].width = 44
    figures = book.create_sheet(FIGURES)
    figures.append(list(_HEAD))
    for source in _sources(lines):
        stated, report = source.observed, source.filing.report
        first = (
            f"{report}:{stated.fact}",
            stated.amount,
            stated.value,
            stated.scale,
            stated.unit,
            stated.label,
            report,
        )
        figures.append([_safe(each) for each in (*first, stated.start, stated.end, stated.place, stated.concept)])
    book.save(target)


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
    names = {f"figure{number}": cell for number, cell in enumerate(cells.values())}
    known = {name: f"figure{number}" for number, name in enumerate(cells)}
    text = program
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, known[name])
    return _written(ast.parse(text, mode="eval").body, names)


def _written(node: ast.expr, names: Mapping[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Constant(value=number):
            return str(number)
        case ast.UnaryOp(operand=operand):
            return f"-{_written(operand, names)}"
        case ast.Call(func=ast.Name(id=operation), args=parts) if operation in _SIGNS:
            return f"({_SIGNS[operation].join(_written(each, names) for each in parts)})"
        case ast.Call(func=ast.Name(id=operation), args=parts):
            return f"{_FUNCTIONS[operation]}({','.join(_written(each, names) for each in parts)})"
    raise AssertionError(ast.dump(node))


def _safe(value: object) -> object:
    if isinstance(value, Decimal):
        return value
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value
