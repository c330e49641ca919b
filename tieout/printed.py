"""What answers rest on, as it is printed: the tables and sentences with the figures in them, read from the graphs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tieout.agent.log.turn import Turn
from tieout.agent.view.reports import FACT, Reports
from tieout.data.printed.pattern import later
from tieout.kg.as_text import CELLS
from tieout.kg.drafts.outline import JOIN
from tieout.kg.fact import Fact
from tieout.kg.reports.part import PartError, find_part
from tieout.kg.store.graph import Graph
from tieout.kg.store.pick import facts_named
from tieout.kg.store.quoted import sentences_of

SENTENCE = "SELECT ?text WHERE {{ ?place kg:sentence {sentence} ; kg:text ?text }} LIMIT 1"
# What heads a column: a year, or words.
_HEAD = later(r"(?:FY\s?)?(?:19|20)\d\d\W?E?|.*[A-Za-z]{3}.*", re.DOTALL)
_SENTENCE = later(r"s([0-9]{1,9})(?:a[0-9]+[a-z]*)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A table, or a sentence (one row of one cell). lit: the figures by row and column; spans: in a sentence."""

    report: str
    title: str
    rows: tuple[tuple[str, ...], ...]
    lit: dict[tuple[int, int], tuple[str, ...]]
    spans: tuple[tuple[int, int, str], ...] = ()

    @property
    def is_sentence(self) -> bool:
        """Whether it is one text, and no rows and columns."""
        return len(self.rows) == 1 and len(self.rows[0]) == 1

    def cells(self, number: int) -> Iterator[tuple[int, int, str]]:
        """The cells of a row: the column, how many columns it stands over, its text. A header over several columns is
        one cell: what reading a table repeats in each of them."""
        row, column = self.rows[number], 0
        is_head = all(_HEAD.fullmatch(text.strip()) for above in self.rows[: number + 1] for text in above[1:] if text)
        while column < len(row):
            end = column + 1
            while is_head and row[column] and end < len(row) and row[end] == row[column]:
                end += 1
            yield column, end - column, row[column]
            column = end


def printed_under(turns: Sequence[Turn], source: Graph | Reports) -> tuple[Printed, ...]:
    """The tables and sentences under the answers of a conversation, in the order in which they are first used."""
    names = list(dict.fromkeys(name for turn in turns for name in turn.facts_under()))
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
    parts = [*filter(None, first.heading.split(JOIN)), first.caption, first.place]
    title = JOIN.join(part for at, part in enumerate(parts) if part and part not in parts[max(0, at - 1) : at])
    if first.table is None:
        spans = sorted((f.start - f.context_start, f.end - f.context_start, name) for name, _, f in inside)
        return Printed(graph.document_id, title, ((first.context,),), {}, tuple(spans))
    lit: dict[tuple[int, int], tuple[str, ...]] = {}
    for name, _, fact in inside:
        place = fact.row or 0, fact.column or 0
        lit[place] = (*lit.get(place, ()), name)
    return Printed(graph.document_id, title or f"table {first.table}", _rows(graph, first.table), lit)


def _rows(graph: Graph, table: int) -> tuple[tuple[str, ...], ...]:
    """The rows of a table as they are printed, all of one length."""
    cells = graph.select(CELLS.format(table=table))
    height = 1 + max(int(str(cell["row"])) for cell in cells)
    width = 1 + max(int(str(cell["column"])) for cell in cells)
    rows = [[""] * width for _ in range(height)]
    for cell in cells:
        rows[int(str(cell["row"]))][int(str(cell["column"]))] = str(cell["text"])
    return tuple(map(tuple, rows))


def printed_part(name: str, turns: Sequence[Turn], source: Graph | Reports) -> tuple[Printed, ...]:
    """A part of a report by its name, with an alias in front where there are several: the tables and sentences in it,
    and in them the figures that the turns rest on, or the one that is named. Raises PartError."""
    graph, prefix, local = _report_of(name, source)
    used = {each.removeprefix(prefix) for turn in turns for each in turn.facts_under() if each.startswith(prefix)}
    found = facts_named(graph, sorted({*used, *((local,) if FACT.fullmatch(local) else ())}))
    lit = [(f"{prefix}{fact.name}", graph, fact) for fact in found]
    if match := _SENTENCE.fullmatch(local):
        return (_sentence(graph, int(match[1]), lit),)
    part = find_part(graph, local)
    tables = [_table(graph, part.title, number, lit) for number in sorted(part.tables)]
    numbers = dict.fromkeys(fact.sentence for fact in part.text if fact.sentence is not None)
    return (*tables, *(_sentence(graph, number, lit) for number in numbers))


def _table(graph: Graph, title: str, number: int, lit: Sequence[tuple[str, Graph, Fact]]) -> Printed:
    inside = [each for each in lit if each[2].table == number]
    if inside:
        return _block(inside)
    named = title if title.startswith(f"table {number}") else f"{title}, table {number}"
    return Printed(graph.document_id, named, _rows(graph, number), {})


def _sentence(graph: Graph, number: int, lit: Sequence[tuple[str, Graph, Fact]]) -> Printed:
    """Raises PartError where there is none of this number."""
    inside = [each for each in lit if each[2].sentence == number]
    if inside:
        return _block(inside)
    texts = graph.select(SENTENCE.format(sentence=number))
    if not texts:
        raise PartError(f"the report has no sentence {number}")
    return Printed(graph.document_id, f"sentence {number}", ((str(texts[0]["text"]),),), {})


def _report_of(name: str, source: Graph | Reports) -> tuple[Graph, str, str]:
    """The report that a name is of, what stands in front of the names of its figures, and the rest of the name."""
    if not isinstance(source, Reports):
        return source, "", name
    alias, colon, local = name.partition(":")
    if colon and alias in source.open:
        return source.open[alias].graph, f"{alias}:", local.strip()
    if len(source.open) > 1:
        raise PartError(f"say of which report: {', '.join(f'{each}:{name}' for each in source.open)}")
    return source.open[""].graph, "", name
