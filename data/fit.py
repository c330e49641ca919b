"""Tables in the width there is: what is too wide goes below, in further tables, so that no word or number is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table


def fitted(table: Table, console: Console, width: int, fixed: int = 1) -> Iterator[Table]:
    """The table, or several with some of its columns each, in which every word stands whole; only a word that is longer
    than all the room is broken.

    width: characters of a line. fixed: how many columns at the left stand in every table, to say what a line is of.
    """
    wanted = [_wanted(table, column, console, width) for column in table.columns]
    edge, between = _extra(table)
    groups: list[list[int]] = [[]]
    names = list(range(min(fixed, len(wanted))))
    room = width - edge - sum(wanted[place].minimum + between for place in names)
    left = room
    for place in range(len(names), len(wanted)):
        needed = wanted[place].minimum + between
        if groups[-1] and needed > left:
            groups.append([])
            left = room
        groups[-1].append(place)
        left -= needed
    for number, group in enumerate(groups):
        chosen = [*names, *group]
        widths = _widths([wanted[place] for place in chosen], width - edge - between * len(chosen))
        yield _part(table, chosen, widths, number == 0)


def _wanted(table: Table, column: Column, console: Console, width: int) -> Measurement:
    """From the longest word of a column to its longest line."""
    header = (column.header,) if table.show_header else ()
    cells = [Measurement.get(console, console.options, cell) for cell in (*header, *column.cells)]
    longest = max((cell.maximum for cell in cells), default=1)
    least = longest if column.no_wrap else max((cell.minimum for cell in cells), default=1)
    return Measurement(min(least, width), longest)


def _extra(table: Table) -> tuple[int, int]:
    """The characters of a line that hold no text: once, and for every column."""
    _, right, _, left = table.padding
    lines = 0 if table.box is None else 1
    edge = lines if table.show_edge else -lines
    return edge - (0 if table.pad_edge else left + right), left + right + lines


def _widths(wanted: Sequence[Measurement], room: int) -> list[int]:
    """The longest words have their place; what is left goes to those that need least to be in one line."""
    widths = [each.minimum for each in wanted]
    while sum(widths) > max(room, len(widths)):  # the longest words of all have to be broken
        widths[widths.index(max(widths))] -= 1
    left = max(0, room - sum(widths))
    order = sorted(range(len(wanted)), key=lambda place: wanted[place].maximum - widths[place])
    for count, place in enumerate(order):
        more = max(0, min(wanted[place].maximum - widths[place], left // (len(order) - count)))
        widths[place] += more
        left -= more
    return widths


def _part(table: Table, chosen: Sequence[int], widths: Sequence[int], first: bool) -> Table:
    part = copy(table)
    part.columns = [
        replace(table.columns[place], _index=index, width=width, ratio=None, max_width=None, overflow="fold")
        for index, (place, width) in enumerate(zip(chosen, widths, strict=True))
    ]
    part.title = table.title if first else None
    return part
