"""A document into its graph: in this process, or within a budget of its own where it prints more than a report does."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from tieout.data.document import Document
from tieout.data.limits import Budget, SizeError
from tieout.data.printed.pattern import later
from tieout.data.readers.apart import is_apart, run
from tieout.data.readers.records import DataError
from tieout.kg.fact import Fact, PrintedTables
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology

MANY = 15_000  # numbers: a 10-K prints some 8,000, which are 2 seconds
_NUMBER = later(r"\d+")


def build_bounded(document: Document, ontology: Ontology) -> Graph:
    """As `build`. Raises DataError for a document that takes more than its budget."""
    from tieout.kg.build import build

    if is_apart():
        return build(document, ontology)
    texts = chain(document.paragraphs, (cell for table in document.tables for row in table.rows for cell in row))
    numbers = size = 0
    for text in texts:
        numbers, size = numbers + len(_NUMBER.findall(text)), size + len(text)
    if numbers <= MANY:
        return build(document, ontology)
    try:
        quads, terms, facts, printed = run(_parts, document, ontology.turtle(), budget=Budget.of(size))
    except SizeError as error:
        raise DataError(f"{document.id}: {error}") from None
    return Graph(document.id, quads=quads, terms=terms, facts=lambda: facts, printed=printed)


def _parts(document: Document, turtle: str) -> tuple[bytes, bytes, tuple[Fact, ...], PrintedTables]:
    """The graph in parts that can be sent."""
    from tieout.kg.build import build

    graph = build(document, parsed(turtle))
    facts, printed = graph.contents()
    return graph.quads, graph.terms, facts, printed


@lru_cache(maxsize=1)
def parsed(turtle: str) -> Ontology:
    """The TBox of a process that reads, parsed once for all of its files."""
    return Ontology.parse(turtle)
