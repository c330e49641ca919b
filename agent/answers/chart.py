"""The chart of an answer that is a list or a table of figures of one measure: bars, or lines over many periods."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from tieout.agent.answers.grid import grid_of
from tieout.agent.arithmetic.units import RATE, RATE_CHANGE, SCALES
from tieout.agent.ledger.display import LARGE, SIGNS, display
from tieout.agent.ledger.ledger import Entry, FromFact
from tieout.agent.log.turn import Turn
from tieout.data.output.chart import Chart, ChartError, Series, draw, form_of
from tieout.data.printed.periods.period import read_period
from tieout.data.printed.unit import Unit

FEWEST, MANY = 2, 6  # figures of a chart; periods from which it is of lines


def chart_of(turn: Turn) -> Chart | None:
    """The chart of an answer; None for one that is no list or table, or of figures of several units."""
    grid = grid_of(turn)
    if grid is None:
        return None
    entries = [entry for row in grid.cells for entry in row if entry is not None]
    if len(entries) < FEWEST or len({entry.unit for entry in entries}) != 1 or not _in_one_scale(entries):
        return None
    factor, unit = _measure(entries)
    rows, columns, cells = grid.rows, grid.columns, grid.cells
    if len(columns) == 1:  # a list: its lines stand beside each other
        rows, columns, cells = (columns[0],), rows, (tuple(row[0] for row in cells),)
    times = [read_period(column) for column in columns]
    years = [each.year for each in times if each is not None and each.year is not None]
    if len(years) == len(columns) and all(later < earlier for earlier, later in pairwise(years)):
        # time runs to the right
        columns, cells = columns[::-1], tuple(row[::-1] for row in cells)
    series = tuple(_series(name, row, factor, turn.format) for name, row in zip(rows, cells, strict=True))
    is_long = len(years) == len(columns) >= MANY
    return Chart(turn.question, tuple(columns), series, unit, "lines" if is_long else "bars")


def draw_last(turns: Sequence[Turn], path: Path) -> bytes:
    """The file of the last answer that can be drawn. Raises ChartError where there is none, or for another suffix."""
    form = form_of(path)
    charts = (chart for turn in reversed(turns) if (chart := chart_of(turn)) is not None)
    chart = next(charts, None)
    if chart is None:
        raise ChartError("no answer is a list or a table of figures of one unit: there is nothing to draw")
    return draw([chart], form)


def _series(name: str, row: Sequence[Entry | None], factor: Decimal, form: str | None) -> Series:
    return Series(
        name,
        tuple(None if each is None else _number(each) * each.scale * factor for each in row),
        tuple("" if each is None else display(each, form) for each in row),
        tuple(f"#{each.source.fact}" if each is not None and isinstance(each.source, FromFact) else "" for each in row),
    )


def _number(entry: Entry) -> Decimal:
    assert isinstance(entry.value, Decimal)
    return entry.value


def _in_one_scale(entries: Sequence[Entry]) -> bool:
    """Whether the scale of all is known, or of none, so that they can be compared."""
    is_number = all(isinstance(entry.value, Decimal) and not isinstance(entry.value, bool) for entry in entries)
    return is_number and len({entry.scale_known for entry in entries}) == 1


def _measure(entries: Sequence[Entry]) -> tuple[Decimal, str]:
    """By what full amounts are multiplied, and what the axis says: `$ million`, `%`."""
    unit = entries[0].unit
    if unit in (Unit.PERCENT, RATE, RATE_CHANGE):
        is_apart = unit == RATE_CHANGE
        return Decimal(1 if unit == Unit.PERCENT else 100), "percentage points" if is_apart else "%"
    most = max(_number(entry).copy_abs() * entry.scale for entry in entries)
    scale = next((each for each in LARGE if most >= each), 1)
    money, _, per = (unit or "").partition("/")
    named = f"{SIGNS.get(money, money)} {SCALES[scale].removesuffix('s') if scale > 1 else ''}".strip()
    return 1 / Decimal(scale), f"{named} per {per}" if per else named
