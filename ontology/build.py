"""Training reports into a TBox: line items into properties, tables into classes, whatever the order of the reports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tieout.data.document import Document
from tieout.data.printed.unit import NOT_MEASURES
from tieout.ontology.labels.concept import concepts, key, strong
from tieout.ontology.learn.advice import Advise, Call, advised
from tieout.ontology.learn.cluster import Cluster, clusters
from tieout.ontology.learn.survey import PrintedTable, survey
from tieout.ontology.learn.update import updated
from tieout.ontology.tbox.classify import Classifier, core, votes
from tieout.ontology.tbox.match import Matcher
from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import OntologyClass, Property
from tieout.ontology.vocabulary import KG

__all__ = ["build"]

LEAST_PHRASE = 2  # documents whose sentences have a phrase before it is an alternative label of a class
LEAST_SHARE = 0.15  # of the tables that print a line item, for a class to be in its domain
LEAST_FACETS = 2  # that a line item is printed with before they count as combining freely with it
_RESERVED = frozenset(name.lower() for name in KG.__annotations__)


def build(
    documents: Iterable[Document],
    *,
    old: Ontology | None = None,
    advise: Advise | None = None,
    log: Callable[[Call], None] | None = None,
) -> Ontology:
    """The TBox of what the documents print. Deterministic, whatever their order.

    old: a TBox to extend; everything in it stays and keeps its name. advise: asked how to call line items and which of
    them are the same, as a language model may be; every call of it is given to `log`.
    """
    reports = list(survey(documents))
    tables = [table for report in reports for table in report.tables]
    found = clusters(reports, tables)
    if advise:
        found = advised(found, tables, advise, log)
    first = [votes(table.labels, table.text) for table in tables]
    of_table = [seen[0].name if seen else None for seen in first]
    properties = _properties(found, of_table)
    of_table = _by_line_items(tables, of_table, properties)
    properties = _with_facets(_properties(found, of_table), tables)
    classes = _classes(tables, of_table)
    return updated(old, classes, properties, local_name) if old else Ontology(classes, properties)


def _by_line_items(
    tables: Sequence[PrintedTable], of_table: Sequence[str | None], properties: Sequence[Property]
) -> list[str | None]:
    """Gives tables of which no word tells the class that of the tables whose line items they share."""
    classifier = Classifier(_classes(tables, of_table), properties, Matcher(properties))
    return [
        name or next((match.name for match in classifier.match(table.labels, table.text)), None)
        for table, name in zip(tables, of_table, strict=True)
    ]


def _classes(tables: Sequence[PrintedTable], of_table: Sequence[str | None]) -> list[OntologyClass]:
    documents: dict[str, set[str]] = defaultdict(set)
    phrases: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for table, own in zip(tables, of_table, strict=True):
        for vote in votes(table.labels, table.text):
            if vote.name == own:
                for phrase in vote.phrases:
                    phrases[own][phrase].add(table.document)
        name: str | None = own
        while name is not None and name in core():
            documents[name].add(table.document)
            name = core()[name].parent
    for always in (item.name for item in core().values() if item.always):
        name = always
        while name in core() and name not in documents:  # told by its lines, without training
            documents[name] = set()
            name = core()[name].parent
    return [
        OntologyClass(
            name,
            core()[name].label,
            tuple(sorted(text for text, seen in phrases[name].items() if len(seen) >= LEAST_PHRASE)),
            core()[name].parent,
            core()[name].close,
            len(seen),
        )
        for name, seen in sorted(documents.items())
    ]


def _properties(found: Sequence[Cluster], of_table: Sequence[str | None]) -> list[Property]:
    taken: set[str] = set()
    made = []
    for cluster in sorted(found, key=lambda item: (-len(item.documents), item.key)):
        label = cluster.readable()
        domains = Counter(name for index in cluster.tables if (name := of_table[index]))
        made.append(
            Property(
                name=local_name(label, taken),
                label=label,
                alternatives=tuple(sorted(set(cluster.labels) - {label})),
                domains=_domains(domains),
                units=tuple(sorted(cluster.units - NOT_MEASURES)),
                close_match=cluster.close_match,
                support=len(cluster.documents),
            )
        )
    return made


def _domains(tables: Counter[str]) -> tuple[str, ...]:
    """The classes of the tables that print a line item, without those that print it by the way."""
    least = max(2, LEAST_SHARE * tables.total())
    most = max(tables.values(), default=0)
    return tuple(sorted(name for name, count in tables.items() if count == most or count >= least))


def _with_facets(properties: Sequence[Property], tables: Sequence[PrintedTable]) -> list[Property]:
    """Takes out what is another line item with a quality such as a region, where that item is printed with several of
    them, and notes the qualities with the item."""
    matcher = Matcher(properties)
    facets: dict[str, set[str]] = defaultdict(set)
    split: dict[str, str] = {}
    for label in {line.label for table in tables for line in table.lines}:
        qualified = matcher.qualified(label)
        if qualified and qualified.facet:
            facets[qualified.item.name].add(qualified.facet)
            for match in matcher.match(label)[:1]:
                split[match.name] = qualified.item.name
    free = {name for name, seen in facets.items() if len(seen) >= LEAST_FACETS}
    kept = [item for item in properties if split.get(item.name) not in free or strong(key(item.label)) in concepts()]
    return [replace(item, facets=tuple(sorted(facets[item.name]))) if item.name in free else item for item in kept]


def local_name(label: str, taken: set[str]) -> str:
    """A camelCase name for a label that is none of `taken`, to which it is added in lower case."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in label).split()
    name = "".join([*plain[:1], *(word.capitalize() for word in plain[1:])]) or "item"
    name = name[0].lower() + name[1:] if name[0].isalpha() else f"n{name}"
    while name.lower() in taken or name.lower() in _RESERVED:
        name += "Item"
    taken.add(name.lower())
    return name
