"""What can be found in a report: its tables, their lines, its sentences, each by the words that tell what it is."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from tieout.data.document import Document
from tieout.data.notation import language_of_document
from tieout.data.printed.languages.language import reading_in
from tieout.kg.fact import Fact, FactKind, PrintedTables, class_of
from tieout.kg.index.figures import cells_text, figures_text
from tieout.kg.index.outline import outline_json

if TYPE_CHECKING:
    from tieout.kg.filings.rows import FilingEntry

NO_PAGE = 0  # the number under which the facts of a file without any page are found


class _Sent:
    """What goes to another process by the thousand: as its fields in their order, which is quicker than how dataclasses
    that are never changed are sent."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type[_Sent], tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One report. form, company: "" where not known. ended: the last day of its period. facts: how many it has."""

    id: str
    company: str
    form: str
    ended: date | None
    facts: int


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One table, by its number from 1. statement: as in `tieout.kg.index.statement`, with how sure that is.

    heading: the headings it stands under. periods: keys, the most frequent first. figures: how many it has.
    """

    number: int
    title: str
    heading: str
    place: str
    statement: str
    certainty: float
    periods: tuple[str, ...]
    figures: int


@dataclass(frozen=True, slots=True)
class LineEntry(_Sent):
    """One row of a table (or column, where properties run across). item: the line item it names, "" for none.

    words: what else tells what it is: sub-heading, title, headers, concepts. facts: its figures, as text.
    """

    table: int
    row: int
    label: str
    item: str
    words: str
    facts: str


@dataclass(frozen=True, slots=True)
class SentenceEntry(_Sent):
    """One sentence, by its number in the document from 0. figures: how many it has; facts: these as text."""

    number: int
    heading: str
    text: str
    figures: int
    facts: str


@dataclass(frozen=True, slots=True)
class Contents:
    """All that can be found in one report. printed: by number what the corner of a table says, and its cells as text.

    outline: as `tieout.kg.index.outline` has it, as JSON. filing: whose report it is, and its standard concepts.

    Figures and cells are as `tieout.kg.index.figures` writes them: what is sent between processes and kept is plain.
    """

    report: ReportEntry
    tables: tuple[TableEntry, ...]
    lines: tuple[LineEntry, ...]
    sentences: tuple[SentenceEntry, ...]
    printed: Mapping[int, tuple[str, str]]
    outline: str
    filing: FilingEntry


def read_contents(document: Document, facts: Sequence[Fact], printed: PrintedTables) -> Contents:
    """What can be found in a report. facts, printed: those of its graph, as `Graph.contents` gives them."""
    with reading_in(language_of_document(document)):
        return _read_contents(document, facts, printed)


def _read_contents(document: Document, facts: Sequence[Fact], printed: PrintedTables) -> Contents:
    from tieout.kg.filings.entry import read_entry  # what takes reports in is not needed to ask them

    by_table: dict[int, list[Fact]] = defaultdict(list)
    by_sentence: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.table is not None:
            by_table[fact.table].append(fact)
        elif fact.sentence is not None:
            by_sentence[fact.sentence].append(fact)
    tables = tuple(_table(document, number, by_table[number]) for number in sorted(by_table))
    lines = tuple(line for entry in tables for line in _lines(entry, by_table[entry.number]))
    if not by_table and (stated := [fact for fact in facts if fact.kind is FactKind.STATED]):
        periods = tuple(sorted({fact.period.key for fact in stated if fact.period is not None}))
        tables = (TableEntry(NO_PAGE, "Facts without a page", "", "", "", 0.0, periods, len(stated)),)
        lines = tuple(_stated_lines(stated))
    report = ReportEntry(document.id, document.company, document.form, document.ended, len(facts))
    shown = {number: (corner, cells_text(cells)) for number, (corner, cells) in printed.items()}
    outline = json.dumps(outline_json(document, facts), ensure_ascii=False)
    filing = read_entry(document, facts, tables)
    return Contents(report, tables, lines, tuple(_sentences(document, by_sentence)), shown, outline, filing)


def _stated_lines(facts: Sequence[Fact]) -> Iterator[LineEntry]:
    """What a file states without any page: a line for each concept, each period of it as it was stated last."""
    concepts: dict[str, dict[tuple[object, ...], Fact]] = defaultdict(dict)
    for fact in facts:
        when = fact.period.key if fact.period is not None else ""
        concepts[fact.concept][fact.unit, when, fact.dimensions] = fact
    for row, (concept, inside) in enumerate(concepts.items(), 1):
        last = tuple(inside.values())
        label = last[0].label
        yield LineEntry(NO_PAGE, row, label, item_of_concept(concept, label), _apart(concept), figures_text(last))


def item_of_concept(concept: str, label: str) -> str:
    """The line item that a tag stands for, else that which its label names; "" for none."""
    from tieout.ontology.metrics.line_item import find_line_item

    found = _items_of_concepts().get(concept)
    if found is None and (named := find_line_item(label)) is not None:
        found = named.name
    return found or ""


@lru_cache(maxsize=1)
def _items_of_concepts() -> Mapping[str, str]:
    """Of line items that share a concept, the one that has it nearer to the front."""
    from tieout.ontology.metrics.line_item import line_items

    found: dict[str, tuple[int, str]] = {}
    for name, item in line_items().items():
        for rank, concept in enumerate(item.concepts):
            found[concept] = min(found.get(concept, (rank, name)), (rank, name), key=lambda each: each[0])
    return {concept: name for concept, (_, name) in found.items()}


def _table(document: Document, number: int, facts: Sequence[Fact]) -> TableEntry:
    from tieout.kg.index.statement import read_statement  # what takes reports in is not needed to ask them

    printed = document.tables[number - 1]
    title = printed.title or facts[0].caption
    heading = next((fact.heading for fact in facts if fact.heading), "")
    labels = list(dict.fromkeys(fact.label for fact in facts))
    guess = read_statement(title, heading, labels, len(facts), class_of(facts))
    counted: dict[str, int] = defaultdict(int)
    for fact in facts:
        if fact.period is not None:
            counted[fact.period.key] += 1
    periods = tuple(sorted(counted, key=lambda key: (-counted[key], key)))
    return TableEntry(number, title, heading, printed.place, guess.statement, guess.score, periods, len(facts))


def _lines(table: TableEntry, facts: Sequence[Fact]) -> Iterator[LineEntry]:
    from tieout.ontology.metrics.line_item import find_line_item

    rows: dict[tuple[int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        rows[fact.row or 0, fact.label].append(fact)
    for (row, label), inside in rows.items():
        found = find_line_item(label)
        words = dict.fromkeys(
            part
            for fact in inside
            for part in (fact.section, fact.header, fact.caption, fact.entity_type, _apart(fact.concept))
            if part
        )
        around = " ".join((table.title, table.heading, *words))
        yield LineEntry(table.number, row, label, found.name if found else "", around, figures_text(inside))


def _sentences(document: Document, facts: Mapping[int, Sequence[Fact]]) -> Iterator[SentenceEntry]:
    from tieout.kg.drafts.sentences.text import split_sentences

    starts = [section.paragraph for section in document.sections]
    at = -1
    for index, paragraph, text in split_sentences(document.paragraphs):
        while at + 1 < len(starts) and starts[at + 1] <= paragraph:
            at += 1
        heading = document.sections[at].title if at >= 0 else ""
        if text.strip():
            inside = facts.get(index, ())
            yield SentenceEntry(index, heading, text, len(inside), figures_text(inside))


@lru_cache(maxsize=4096)
def _apart(concept: str) -> str:
    """`us-gaap:NetIncomeLoss` as words."""
    name = concept.partition(":")[2]
    return "".join(f" {char.lower()}" if char.isupper() else char for char in name).strip()
