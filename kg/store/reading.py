"""What the tools read from the graph of a report, by SPARQL, with the text of every query kept for the log."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

import pyoxigraph as ox

from tieout.kg.fact import Fact
from tieout.kg.store.facts import Value
from tieout.kg.store.graph import Graph
from tieout.kg.store.pick import BY_NAME
from tieout.kg.store.quoted import SENTENCES, TEXTS, cell_is_dash, sentences_of, stands_in, texts_of
from tieout.ontology.vocabulary import PREFIXES

LABELS = """SELECT ?property ?label WHERE {
  { SELECT DISTINCT ?property { ?fact kg:property ?property } }
  VALUES ?names { rdfs:label skos:altLabel }
  ?property ?names ?label .
}"""

BY_MEANING = """SELECT ?fact ?value WHERE {{
  ?fact kg:property {property} ;{period} kg:instance ?instance ; kg:value ?value .
  ?instance a {type} .
}}"""


class Reader:
    """Reads from the graph of one document, for one conversation. What every look-up needs is read at once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._queries: list[str] = []
        self._properties: dict[str, str] = {}
        self._is_by_meaning = False
        self._texts: tuple[str, ...] | None = None
        self._sentences: dict[str, str] | None = None
        labels: dict[str, set[str]] = defaultdict(set)
        for row in graph.select(LABELS):
            iri = str(row["property"])
            self._properties[_local(iri)] = iri
            labels[_local(iri)].add(str(row["label"]))
        self._labels = {name: tuple(sorted(given)) for name, given in sorted(labels.items())}

    def labels(self) -> dict[str, tuple[str, ...]]:
        """The labels of each property that the document uses, alternative ones included, by local name."""
        self.read_by(LABELS)
        self._is_by_meaning = True
        return self._labels

    def value(self, fact: Fact) -> Decimal:
        """The value of a fact, asked for by class, property and period once labels were asked for, else by its name.

        Raises KeyError when the graph does not hold the fact, which no graph that facts were read from can do.
        """
        iri = f"{self._graph.iri}#{fact.name}"
        if self._is_by_meaning and fact.property in self._properties:
            period = f" kg:period/kg:periodKey {ox.Literal(fact.period.key)} ;" if fact.period else ""
            property_ = _short(self._properties[fact.property])
            query = BY_MEANING.format(
                type=_short(f"{PREFIXES['kg']}{fact.entity_type}"), property=property_, period=period
            )
        else:
            query = BY_NAME.format(fact=ox.NamedNode(iri))
        value = {row["fact"]: row["value"] for row in self._select(query)}[iri]
        if not isinstance(value, Decimal):
            raise KeyError(f"{iri!r} has no decimal value but {value!r}")
        return value

    def prints(self, words: str) -> bool:
        """Whether a cell, a title or a sentence of the document has these words, letter by letter but for spaces."""
        if self._texts is None:
            self.read_by(TEXTS)
            self._texts = texts_of(self._graph)
        return stands_in(words, self._texts)

    def is_dash(self, name: str) -> bool:
        """Whether the cell of this name is printed as a dash."""
        return cell_is_dash(self._graph, name)

    def sentence(self, name: str) -> str | None:
        """What the sentence of this name says; None where there is none."""
        return self._said().get(name)

    def sentence_with(self, words: str) -> str | None:
        """The name of the first sentence that has these words, letter by letter but for spaces."""
        wanted = " ".join(words.split())
        return next((name for name, text in self._said().items() if wanted in text), None)

    def _said(self) -> dict[str, str]:
        if self._sentences is None:
            self.read_by(SENTENCES)
            self._sentences = sentences_of(self._graph)
        return self._sentences

    def take_queries(self) -> tuple[str, ...]:
        """The queries made since this was last asked."""
        taken, self._queries = tuple(self._queries), []
        return taken

    def read_by(self, query: str) -> None:
        """Notes a query whose rows are at hand already."""
        self._queries.append(query.strip())

    def _select(self, query: str) -> list[dict[str, Value]]:
        self._queries.append(query)
        return self._graph.select(query)


def _local(iri: str) -> str:
    return iri.rpartition("#")[2]


def _short(iri: str) -> str:
    """An IRI in a query: by its prefix where a plain local name follows it, else in full."""
    local = iri.removeprefix(PREFIXES["kg"])
    return f"kg:{local}" if local.isascii() and local.isalnum() else str(ox.NamedNode(iri))
