"""A list or table of figures as rows and columns by name, for whatever draws one: a page, a workbook, a chart."""

from __future__ import annotations

from dataclasses import dataclass

from tieout.agent.ledger.display import below_one_head, display
from tieout.agent.ledger.ledger import Entry, FromOperation
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Kind
from tieout.agent.tools.answering import told_apart

OF_FIGURES = frozenset({Kind.LIST, Kind.TABLE})


@dataclass(frozen=True, slots=True)
class Grid:
    """rows, columns: their names. cells: by row and column, None where there is no figure. A list has one column."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Entry | None, ...], ...]

    def shown(self, form: str | None = None) -> tuple[str, tuple[tuple[str, ...], ...]]:
        """What the head says of all figures, `$ million`, and the cells as they read below it."""
        headed = below_one_head([each for row in self.cells for each in row if each is not None], form)
        left = iter(headed.figures)
        return headed.head, tuple(tuple("" if each is None else next(left) for each in row) for row in self.cells)


def grid_of(turn: Turn) -> Grid | None:
    """The figures of an answer that is a list or a table; None for other kinds, and where there is but one figure."""
    items = [item for item in turn.items if item.entry is not None and not item.under]
    if turn.kind not in OF_FIGURES or len(items) < 2:
        return None
    entries = [turn.ledger[item.entry] for item in items if item.entry is not None]
    if all(item.row is not None and item.column is not None for item in items):
        rows = tuple(dict.fromkeys(str(item.row) for item in items))
        columns = tuple(dict.fromkeys(str(item.column) for item in items))
        at = {(item.row, item.column): entry for item, entry in zip(items, entries, strict=True)}
        return Grid(rows, columns, tuple(tuple(at.get((row, column)) for column in columns) for row in rows))
    names = [item.text for item in items]
    shown = [display(entry, turn.format) for entry in entries]
    if names == shown:
        told = told_apart(entries)
        ways = [each.source.operation if isinstance(each.source, FromOperation) else "" for each in entries]
        each_one = zip(told, entries, ways, strict=True)
        names = [name or entry.period or way.replace("_", " ") or entry.about for name, entry, way in each_one]
    measured = {entry.about.partition(",")[0] for entry in entries}
    return Grid(tuple(names), (measured.pop() if len(measured) == 1 else "",), tuple((entry,) for entry in entries))
