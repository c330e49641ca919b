"""What a terminal shows of the source: tables and sentences as they are printed, the figures of an answer lit."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from tieout.agent.log.turn import Turn
from tieout.agent.view.reports import Reports
from tieout.data.console import console, print_fitted, printable
from tieout.kg.reports.part import PartError as PartError
from tieout.kg.store.graph import Graph
from tieout.printed import Printed, printed_part, printed_under

LIT = "bold reverse"


def show_part(name: str, turns: Sequence[Turn], source: Graph | Reports) -> None:
    """A part by its name, or what the last answer rests on where the name is "". Raises PartError."""
    last = turns[-1:]
    blocks = printed_part(name, last, source) if name else printed_under(last, source)
    if not blocks:
        raise PartError("the last answer rests on no printed figure" if last else "nothing was asked yet: name a part")
    for block in blocks:
        console.print(Text(printable(block.title), style="bold"), soft_wrap=True)
        if block.is_sentence:
            console.print(_sentence(block))
        else:
            print_fitted(_table(block))


def _sentence(block: Printed) -> Text:
    text = Text(printable(block.rows[0][0]))
    for start, end, _ in block.spans:
        text.stylize(LIT, start, end)
    return text


def _table(block: Printed) -> Table:
    """The rows from 0, as places count them; columns in which nothing is printed are left out."""
    width = max(map(len, block.rows), default=0)
    used = [column for column in range(width) if any(row[column] for row in block.rows)]
    table = Table(box=SIMPLE, show_header=False, pad_edge=False)
    table.add_column(style="dim", justify="right")
    for column in used:
        table.add_column(justify="right" if column else "left", overflow="fold")
    for number, row in enumerate(block.rows):
        cells = [Text(printable(row[column]), LIT if (number, column) in block.lit else "") for column in used]
        table.add_row(str(number), *cells)
    return table


def show_sources(places: Sequence[dict[str, object]]) -> None:
    """The printed figures that an answer rests on, one line each."""
    if not places:
        console.print("The last answer rests on no printed figure.")
        return
    table = Table("figure", "printed", "what it is", "period", "place", box=SIMPLE, pad_edge=False)
    for each in places:
        names = ("fact", "raw", "about", "period", "place")
        table.add_row(*(Text(printable(str(each[name] or ""))) for name in names))
    print_fitted(table)
