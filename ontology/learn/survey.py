"""What training reports print: every table with the labels of its line items, and the words of their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from tieout.data.currency import dollar_of, stated_currency
from tieout.data.document import Document, Table
from tieout.data.notation import notation_of
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import dollars_of
from tieout.data.tables.table import Layout, Line, Orientation, read_table
from tieout.ontology.labels.lexicon import singular

BEFORE = 3  # paragraphs in front of a table that speak of it
LONGEST = 400  # characters of one of them
GAAP_PREFIX = "us-gaap"
_WORD = later(r"[a-z0-9&]+")


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A row, or a column where the table runs down, that holds amounts.

    label: as printed, without period and notes. section: the sub-heading it stands under. headers: what stands over its
    amounts besides a period, each once. units: of its amounts, each once. concept: the one of US-GAAP (without prefix)
    that the tags on its amounts state of the whole company, "" where they state none or several.
    """

    label: str
    section: str
    headers: tuple[str, ...]
    units: tuple[str, ...]
    concept: str = ""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """One table. labels: of all its rows and columns, and the corner. text: the sentences in front of it."""

    document: str
    lines: tuple[PrintedLine, ...]
    labels: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """One document. company: whose it is, as its id says. text: its sentences, as words in the singular."""

    id: str
    company: str
    tables: tuple[PrintedTable, ...]
    text: str


def company_of(document_id: str) -> str:
    """Whose report it is. ConvFinQA ids say it before the first slash; any other document stands for itself."""
    owner, slash, _ = document_id.partition("/")
    return owner.rpartition("_")[2] if slash else document_id


def text_before(document: Document) -> str:
    """The sentences in front of the tables, as far as they say what is in them."""
    return " ".join(document.paragraphs[max(0, document.before - BEFORE) : document.before])


def name_of(line: Line | None) -> str:
    """What a line is called: its label without period and notes, or with them where nothing else is in it."""
    return (line.name or line.label) if line else ""


def printed_tables(document: Document) -> tuple[PrintedTable, ...]:
    """The tables of a document as the ontology looks at them."""
    found = []
    dollar = dollar_of(document, stated_currency(document))
    with dollars_of(dollar), notation_of(document):
        for table in document.tables:
            text = text_before(document) if table.after is None else _introduction(document, table)
            found.append(_printed(document.id, table, read_table(table, text, coded=document.coded), text))
    return tuple(found)


def _introduction(document: Document, table: Table) -> str:
    """The title of a table of a report and the last words in front of it."""
    after = table.after or 0
    before = (text[-LONGEST:] for text in document.paragraphs[max(0, after - BEFORE) : after])
    return " . ".join(part for part in (*before, table.title) if part)


def _concepts(table: Table, across: bool) -> dict[int, str]:
    """The concept of US-GAAP of each line that has one alone."""
    said: dict[int, set[str]] = {}
    for each in table.tags:
        prefix, _, name = each.tag.concept.partition(":")
        if not each.tag.dimensions:
            said.setdefault(each.row if across else each.column, set()).add(name if prefix == GAAP_PREFIX else "")
    return {line: next(iter(names)) for line, names in said.items() if len(names) == 1}


def _printed(document: str, table: Table, layout: Layout, text: str) -> PrintedTable:
    across = layout.orientation is Orientation.INSTANCES_ACROSS
    concepts = _concepts(table, across)
    units: dict[int, set[str]] = {}
    headers: dict[int, set[str]] = {}
    for cell in layout.cells:
        index = cell.row if across else cell.column
        crossing = layout.column(cell.column) if across else layout.row(cell.row)
        for amount in cell.amounts:
            unit = layout.meaning(cell, amount).unit
            units.setdefault(index, set()).update({str(unit)} if unit else ())
            headers.setdefault(index, set()).add(crossing.name if crossing else "")
    lines = tuple(
        PrintedLine(
            name_of(line),
            line.section,
            tuple(sorted(headers[line.index])),
            tuple(sorted(units[line.index])),
            concepts.get(line.index, ""),
        )
        for line in (layout.rows if across else layout.columns)
        if line.index in units
    )
    labels = (layout.corner, *(line.label for line in (*layout.rows, *layout.columns)))
    return PrintedTable(document, lines, tuple(filter(None, labels)), text)


def survey(documents: Iterable[Document]) -> Iterator[Report]:
    """The documents as the ontology looks at them. A page that comes again under another id is left out."""
    seen = set()
    for document in documents:
        content = blake2b(document.model_copy(update={"id": ""}).model_dump_json().encode()).digest()
        if content in seen:
            continue
        seen.add(content)
        text = " ".join(singular(word) for paragraph in document.paragraphs for word in _WORD.findall(paragraph))
        yield Report(document.id, company_of(document.id), printed_tables(document), f" {text} ")
