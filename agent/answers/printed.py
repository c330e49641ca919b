"""What answers rest on, as it is printed: the tables and sentences with the figures in them, read from the graphs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tieout.agent.log.turn import Turn
from tieout.agent.view.card import CELLS
from tieout.agent.view.quoted import sentences_of
from tieout.agent.view.reports import Reports
from tieout.kg.fact import Fact
from tieout.kg.store.graph import Graph
from tieout.kg.store.pick import facts_named


@dataclass(frozen=True, slots=True)
class Printed:
    """A table, or a sentence (one row of one cell). lit: the figures by row and column; spans: in a sentence."""

    report: str
    title: str
    rows: tuple[tuple[str, ...], ...]
    lit: dict[tuple[int, int], tuple[str, ...]]
    spans: tuple[tuple[int, int, str], ...] = ()


def printed_under(turns: Sequence[Turn], source: Graph | Reports) -> tuple[Printed, ...]:
    """The tables and sentences under the answers of a conversation, in the order in which they are first used."""
    names = list(dict.fromkeys(name for turn in turns for name in turn.facts_used()))
    found = [(name, graph, fact) for name in names for graph, fact in _facts(name, source)]
    blocks: dict[tuple[str, int | None, int | None], list[tuple[str, Graph, Fact]]] = {}
    for name, graph, fact in found:
        key = graph.iri, fact.table, None if fact.table is not None else fact.sentence
        blocks.setdefault(key, []).append((name, graph, fact))
    figures = tuple(_block(each) for each in blocks.values())
    return (*figures, *_cited(turns, source, {fact.sentence for _, _, fact in found if fact.table is None}))


def _cited(turns: Sequence[Turn], source: Graph | Reports, shown: Container[int | None]) -> Iterator[Printed]:
    """The sentences that answers quote or cite and that are not shown for a figure in them."""
    for name in dict.fromkeys(name for turn in turns for name in turn.sentences_under()):
        alias, _, local = name.rpartition(":")
        graph = source.open[alias].graph if isinstance(source, Reports) else source
        text = sentences_of(graph)[local]
        if alias or int(local[1:]) not in shown:
            yield Printed(graph.document_id, "", ((text,),), {}, ((0, len(text), name),))


def _facts(name: str, source: Graph | Reports) -> Iterable[tuple[Graph, Fact]]:
    alias, _, local = name.rpartition(":")
    graph = source.open[alias].graph if isinstance(source, Reports) else source
    return ((graph, fact) for fact in facts_named(graph, (local,)))


def _block(inside: Sequence[tuple[str, Graph, Fact]]) -> Printed:
    _, graph, first = inside[0]
    title = " > ".join(part for part in (first.heading, first.caption, first.place) if part)
    if first.table is None:
        spans = sorted((f.start - f.context_start, f.end - f.context_start, name) for name, _, f in inside)
        return Printed(graph.document_id, title, ((first.context,),), {}, tuple(spans))
    cells = graph.select(CELLS.format(table=first.table))
    height = 1 + max(int(str(cell["row"])) for cell in cells)
    width = 1 + max(int(str(cell["column"])) for cell in cells)
    rows = [[""] * width for _ in range(height)]
    for cell in cells:
        rows[int(str(cell["row"]))][int(str(cell["column"]))] = str(cell["text"])
    lit: dict[tuple[int, int], tuple[str, ...]] = {}
    for name, _, fact in inside:
        place = fact.row or 0, fact.column or 0
        lit[place] = (*lit.get(place, ()), name)
    return Printed(graph.document_id, title or f"table {first.table}", tuple(map(tuple, rows)), lit)
