"""The solutions of the query FACTS in one pass over the triples of a graph: each further fact costs the same.

As a query it takes far more than twice as long for twice the facts: an OPTIONAL is joined anew for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pyoxigraph as ox

from tieout.ontology.vocabulary import PREFIXES

Value = str | int | Decimal | bool | None
Node = dict[str, Value]  # what a graph says of one subject, by the local name of the property

# The variables of FACTS, by the local name of the property that binds them, for each kind of node.
_FACT = {name: name for name in ("value", "raw", "unitFrom", "scaleFrom", "matchScore")}
_FACT |= {"spanStart": "start", "spanEnd": "end"}
_MEASURED = {name: name for name in ("scale", "instance", "property", "matchedBy")} | {"measures": "label"}
_PERIOD = {"periodKey": "periodKey", "periodKind": "periodKind", "label": "periodLabel", "year": "year"}
_PERIOD |= {"start": "periodStart", "end": "periodEnd"}
_SENTENCE = {"sentence": "sentence", "paragraph": "paragraph", "spanStart": "textStart"}
_CELL = {name: name for name in ("row", "column", "table", "rowLabel", "columnLabel", "section")}
_TABLE = {"orientation": "orientation", "caption": "caption"}
_OTHERS = ("unit", "type", "period", "periodFrom", "text")
_UNBOUND: Node = dict.fromkeys(
    [*_OTHERS, *(name for names in (_FACT, _MEASURED, _PERIOD, _SENTENCE, _CELL, _TABLE) for name in names.values())]
)
MOST_CONTEXT = 1_000  # characters that are kept of a longer cell for each of its facts
_INTEGER, _DECIMAL, _BOOLEAN = (PREFIXES["xsd"] + name for name in ("integer", "decimal", "boolean"))


def read_term(term: Any) -> Value:  # noqa: ANN401 - any term of any query
    """An IRI or a literal as text, int, Decimal or bool; None where a variable is not bound."""
    if term is None:
        return None
    if isinstance(term, ox.Literal):
        kind = term.datatype.value
        if kind == _INTEGER:
            return int(term.value)
        if kind == _DECIMAL:
            return Decimal(term.value)
        return term.value == "true" if kind == _BOOLEAN else term.value
    return str(term.value)


def fact_rows(triples: bytes) -> Iterator[Node]:
    """One row for each fact of a document's graph, in no order. A text in which several facts stand is there once.

    triples: the graph as N-Triples, as `tieout.kg.build` writes it.
    """
    nodes: dict[str, Node] = {}
    for triple in ox.parse(triples, format=ox.RdfFormat.N_TRIPLES, lenient=True):
        subject: Any = triple.subject
        name = triple.predicate.value
        nodes.setdefault(subject.value, {})[name[name.rfind("#") + 1 :]] = read_term(triple.object)
    tables = {node["table"]: node for node in nodes.values() if "orientation" in node}
    for iri, node in nodes.items():
        if "wasDerivedFrom" in node:
            yield _row(iri, node, nodes, tables)


def _row(iri: str, fact: Node, nodes: Mapping[str, Node], tables: Mapping[Value, Node]) -> Node:
    row: Node = {"fact": iri, **_UNBOUND}
    place = nodes[str(fact["wasDerivedFrom"])]
    _take(row, _FACT, fact)
    row["text"] = place["text"]
    if "unit" in fact:
        row["unit"] = nodes[str(fact["unit"])]["label"]
    if "instance" in fact:
        _take(row, _MEASURED, fact)
        row["type"] = nodes[str(fact["instance"])]["type"]
    if "period" in fact:
        row["period"], row["periodFrom"] = fact["period"], fact["periodFrom"]
        _take(row, _PERIOD, nodes[str(fact["period"])])
    if "sentence" in place:
        _take(row, _SENTENCE, place)
    else:
        _take(row, _CELL, place)
        _shorten(row)
        _take(row, _TABLE, tables[place["table"]])
    return row


def _shorten(row: Node) -> None:
    """Of a cell that holds more than any sentence does, the part around the amount."""
    text, start, end = str(row["text"]), row["start"], row["end"]
    if len(text) > MOST_CONTEXT and isinstance(start, int) and isinstance(end, int):
        row["textStart"] = first = max(0, start - MOST_CONTEXT // 2)
        row["text"] = text[first : max(end, first + MOST_CONTEXT)]


def _take(row: Node, names: Mapping[str, str], node: Node) -> None:
    for name, variable in names.items():
        if name in node:
            row[variable] = node[name]
