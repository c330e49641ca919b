"""The chart of an answer that is a list or a table of figures of one measure: bars, or lines over many periods."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from tieout.agent.answers.grid import grid_of
from tieout.agent.ledger.display import SIGNS, below_one_head
from tieout.agent.ledger.ledger import Entry, FromFact
from tieout.agent.log.turn import Turn
from tieout.data.arithmetic.units import RATE, RATE_CHANGE
from tieout.data.output.chart import Chart, Series
from tieout.data.printed.periods.period import read_period
from tieout.data.printed.unit import Unit

FEWEST, MANY = 2, 6  # figures of a chart; periods from which it is of lines


def chart_of(turn: Turn) -> Chart | None:
    """The chart of an answer; None for one that is no list or table, or of figures of several units."""
    grid = grid_of(turn)
    if grid is None:
        return None
    entries = [entry for row in grid.cells for entry in row if entry is not None]
    if len(entries) < FEWEST or not are_alike(entries):
        return None
    factor, unit = measure(entries, turn.format)
    _, shown = grid.shown(turn.format)
    rows, columns = grid.rows, grid.columns
    cells = tuple(tuple(zip(*each, strict=True)) for each in zip(grid.cells, shown, strict=True))
    if len(columns) == 1:  # a list: its lines stand beside each other
        rows, columns, cells = (columns[0],), rows, (tuple(row[0] for row in cells),)
    times = [read_period(column) for column in columns]
    years = [each.year for each in times if each is not None and each.year is not None]
    if len(years) == len(columns) and all(later < earlier for earlier, later in pairwise(years)):
        # time runs to the right
        columns, cells = columns[::-1], tuple(row[::-1] for row in cells)
    series = tuple(_series(name, row, factor) for name, row in zip(rows, cells, strict=True))
    is_long = len(years) == len(columns) >= MANY
    return Chart(turn.question, tuple(columns), series, unit, "lines" if is_long else "bars")


def _series(name: str, row: Sequence[tuple[Entry | None, str]], factor: Decimal) -> Series:
    """row: figures, and how each reads below the unit of all."""
    entries = [entry for entry, _ in row]
    return Series(
        name,
        tuple(None if each is None else _number(each) * each.scale * factor for each in entries),
        tuple(said for _, said in row),
        tuple(f"#{each.source.fact}" if each and isinstance(each.source, FromFact) else "" for each in entries),
    )


def _number(entry: Entry) -> Decimal:
    assert isinstance(entry.value, Decimal)
    return entry.value


def are_alike(entries: Sequence[Entry]) -> bool:
    """Whether figures can be compared: all are of one unit, and the scale of all is known, or of none."""
    is_number = all(isinstance(entry.value, Decimal) and not isinstance(entry.value, bool) for entry in entries)
    return is_number and len({entry.unit for entry in entries}) == len({entry.scale_known for entry in entries}) == 1


def measure(entries: Sequence[Entry], form: str | None) -> tuple[Decimal, str]:
    """By what full amounts are multiplied, and what the axis says: `$ million`, `%`."""
    unit = entries[0].unit
    if unit in (Unit.PERCENT, RATE, RATE_CHANGE):
        is_apart = unit == RATE_CHANGE
        return Decimal(1 if unit == Unit.PERCENT else 100), "percentage points" if is_apart else "%"
    if (headed := below_one_head(entries, form)).head:
        return 1 / Decimal(headed.scale), headed.head
    money, _, per = (unit or "").partition("/")
    named = SIGNS.get(money, money)
    return Decimal(1), f"{named} per {per}" if per else named
