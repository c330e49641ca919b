"""Lines as charts: one for each measure, a curve over the periods for each company; bars where there is one period."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tieout.data.output.chart import Chart, Series
from tieout.kg.companies.compare import Line
from tieout.kg.companies.output.grid import Grid, grids

MOST_CURVES = 8


def charts_of(lines: Sequence[Line]) -> list[Chart]:
    """The charts, to be drawn below each other."""
    return [_chart(grid) for grid in grids(lines)]


def _chart(grid: Grid) -> Chart:
    names = [cells[0] for cells in grid.rows][:MOST_CURVES]
    left_out = len(grid.rows) - len(names)
    title = grid.title + (f" (the first {len(names)} of {len(grid.rows)})" if left_out else "")
    periods = grid.head[1:]
    drawn = list(zip(names, grid.values, grid.rows, strict=False))
    if len(periods) == 1:  # companies stand beside each other
        amounts = tuple(_number(row[0], grid) for _, row, _ in drawn)
        return Chart(title, tuple(names), (Series(periods[0], amounts, tuple(cells[1] for _, _, cells in drawn)),))
    series = tuple(Series(name, tuple(_number(line, grid) for line in row), cells[1:]) for name, row, cells in drawn)
    return Chart(title, periods, series, kind="lines")


def _number(line: Line | None, grid: Grid) -> Decimal | None:
    return None if line is None else number(line, grid)


def number(line: Line, grid: Grid) -> Decimal:
    """What is drawn of a line: the number that its cell shows."""
    return line.value.amount * 100 if line.value.unit == "percent" else line.value.amount / grid.scale
