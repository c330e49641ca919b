"""The solutions of the query FACTS in one pass over the triples of a graph: each further fact costs the same.

As a query it takes far more than twice as long for twice the facts: an OPTIONAL is joined anew for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pyoxigraph as ox

from tieout.data.printed.pattern import later
from tieout.kg.fact import Cell, PrintedTables
from tieout.ontology.vocabulary import PREFIXES, PROV

Value = str | int | Decimal | bool | None
Node = dict[str, Value]  # what a graph says of one subject, by the local name of the property
Row = dict[str, Any]  # a solution of FACTS, and `dimensions`, its (axis, member) pairs, `parts`, `marks`, `doubts`

# The variables of FACTS, by the local name of the property that binds them, for each kind of node.
_FACT = {name: name for name in ("value", "raw", "unitFrom", "scaleFrom", "matchScore")} | {"spanStart": "start"}
_TAG = {name: name for name in ("concept", "exact", "readUnit", "readScale", "readPeriod", "recognised")}
_MEASURED = {name: name for name in ("scale", "instance", "property", "matchedBy")} | {"measures": "label"}
_PERIOD = {"periodKey": "periodKey", "periodKind": "periodKind", "label": "periodLabel", "year": "year"}
_PERIOD |= {"start": "periodStart", "end": "periodEnd"}
_SENTENCE = {"sentence": "sentence", "paragraph": "paragraph", "spanStart": "textStart"}
_CELL = {name: name for name in ("row", "column", "table", "rowLabel", "columnLabel", "section")}
_TABLE = {"orientation": "orientation", "caption": "caption"}
_OTHERS = ("end", "unit", "type", "period", "periodFrom", "text", "path", "found")
_NAMES = (_FACT, _TAG, _MEASURED, _PERIOD, _SENTENCE, _CELL, _TABLE)
_UNBOUND: Row = dict.fromkeys([*_OTHERS, *(name for names in _NAMES for name in names.values())])
_LINKS = ("wasDerivedFrom", "unit", "instance", "period", "periodFrom", "text", "place", "path", "within", "dimension")
_SEVERAL = frozenset(("dimension", "part", "mark", "doubt"))
_TERMS = {
    f"{PREFIXES['kg']}{name}": name
    for name in (
        *_LINKS,
        "part",
        "mark",
        "doubt",
        "axis",
        "member",
        "corner",
        *(each for names in _NAMES for each in names),
    )
}
_TERMS |= {f"{PREFIXES['rdf']}type": "type", f"{PREFIXES['rdfs']}label": "label"}
_TERMS |= {PROV.wasDerivedFrom: "wasDerivedFrom"}
MOST_CONTEXT = 1_000  # characters that are kept of a longer cell for each of its facts
LINE_END = " .\n"
_ESCAPE = later(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_INTEGER, _DECIMAL, _BOOLEAN = (PREFIXES["xsd"] + name for name in ("integer", "decimal", "boolean"))


_INTEGER_END, _DECIMAL_END, _BOOLEAN_END = (f"{kind}>" for kind in (_INTEGER, _DECIMAL, _BOOLEAN))


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


class Nodes:
    """What a graph says of its subjects. dimensions: those of each fact, which may have several, by their IRIs; parts,
    marks, doubts: those of each fact, in words."""

    def __init__(self) -> None:
        self.by_iri: dict[str, Node] = {}
        self.dimensions: dict[str, list[str]] = {}
        self.parts: dict[str, list[str]] = {}
        self.marks: dict[str, list[str]] = {}
        self.doubts: dict[str, list[str]] = {}

    def say(self, subject: str, predicate: str, value: Value) -> None:
        """Takes one triple in. predicate: its IRI; one that the document or the TBox has minted may have any name."""
        name = _TERMS.get(predicate)
        if name is None:
            return
        self.by_iri.setdefault(subject, {})[name] = value
        if name in _SEVERAL:
            self.several(name).setdefault(subject, []).append(str(value))

    def several(self, name: str) -> dict[str, list[str]]:
        """What a fact may have several of."""
        return {"dimension": self.dimensions, "part": self.parts, "mark": self.marks, "doubt": self.doubts}[name]


def parse_nodes(triples: bytes) -> Nodes:
    """A document's graph as `tieout.kg.build` writes it, as N-Triples: one triple a line, no line end in a literal."""
    nodes = Nodes()
    by_iri = nodes.by_iri
    for line in triples.decode().split(LINE_END):
        subject, _, rest = line.partition("> <")
        predicate, _, said = rest.partition("> ")
        name = _TERMS.get(predicate)
        if name is None:
            continue
        iri, value = subject[1:], _read_object(said)
        node = by_iri.get(iri)
        if node is None:
            node = by_iri[iri] = {}
        node[name] = value
        if name in _SEVERAL:
            nodes.several(name).setdefault(iri, []).append(str(value))
    return nodes


def _read_object(said: str) -> Value:
    """An IRI or a literal of N-Triples as read_term gives it."""
    if said[0] == "<":
        return said[1:-1]
    if said[-1] == '"':
        return _unescaped(said[1:-1])
    text, _, kind = said[1:].rpartition('"^^<')
    if kind == _INTEGER_END:
        return int(text)
    if kind == _DECIMAL_END:
        return Decimal(text)
    return text == "true" if kind == _BOOLEAN_END else _unescaped(text)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    return _ESCAPED.get(code) or chr(int(code[1:], 16))


def fact_rows(nodes: Nodes) -> Iterator[Row]:
    """One row for each fact, in no order. A text in which several facts stand is there once."""
    tables = {node["table"]: node for node in nodes.by_iri.values() if "orientation" in node}
    for iri, node in nodes.by_iri.items():
        if "wasDerivedFrom" in node:
            yield _row(iri, node, nodes, tables)


def printed_tables(nodes: Nodes) -> PrintedTables:
    """Of each table, by its number, what its corner says and its cells in reading order."""
    corners: dict[int, str] = {}
    cells: dict[int, list[Cell]] = {}
    for node in nodes.by_iri.values():
        number: Any = node.get("table")
        if number is None:
            continue
        if "orientation" in node:
            corners[number] = str(node.get("corner") or "")
        elif "column" in node:
            cells.setdefault(number, []).append(_cell(node))
    return {number: (corners[number], tuple(sorted(cells.get(number, ())))) for number in sorted(corners)}


def _cell(node: Mapping[str, Any]) -> Cell:
    return Cell(node["row"], node["column"], node["text"], node.get("rowLabel") or "", node.get("columnLabel") or "")


def _row(iri: str, fact: Node, nodes: Nodes, tables: Mapping[Value, Node]) -> Row:
    row: Row = {"fact": iri, **_UNBOUND}
    place = nodes.by_iri[str(fact["wasDerivedFrom"])]
    row["dimensions"] = tuple(sorted(_dimension(nodes.by_iri[each]) for each in nodes.dimensions.get(iri, ())))
    row["parts"] = tuple(sorted(nodes.parts.get(iri, ())))
    row["marks"] = tuple(sorted(nodes.marks.get(iri, ())))
    row["doubts"] = tuple(sorted(nodes.doubts.get(iri, ())))
    _take(row, _FACT, fact)
    row["end"] = row["start"] + len(row["raw"])
    row["text"] = place["text"]
    if "unit" in fact:
        row["unit"] = nodes.by_iri[str(fact["unit"])]["label"]
    if "instance" in fact:
        _take(row, _MEASURED, fact)
        _take(row, _TAG, fact)
        row["type"] = nodes.by_iri[str(fact["instance"])]["type"]
    if "period" in fact:
        row["period"], row["periodFrom"] = fact["period"], fact["periodFrom"]
        _take(row, _PERIOD, nodes.by_iri[str(fact["period"])])
    if "sentence" in place:
        _take(row, _SENTENCE, place)
        _find(row, place, nodes)
    elif "table" in place:
        _take(row, _CELL, place)
        row["text"], row["textStart"] = short_context(place["text"], row["start"], row["end"])
        table = tables[place["table"]]
        _take(row, _TABLE, table)
        _find(row, table, nodes)
        row["found"] = place.get("place") or row["found"]
    else:
        row["found"] = place.get("place")
    return row


def short_context(text: Any, start: int, end: int) -> tuple[str, int]:  # noqa: ANN401 - a value of a graph
    """Of a cell that holds more than any sentence does, the part around an amount, and where it begins."""
    if len(text) <= MOST_CONTEXT:
        return text, 0
    first = max(0, start - MOST_CONTEXT // 2)
    return text[first : max(end, first + MOST_CONTEXT)], first


def _dimension(node: Node) -> tuple[str, str]:
    return str(node["axis"]), str(node["member"])


def _find(row: Row, node: Node, nodes: Nodes) -> None:
    """Where in the report a sentence or table stands."""
    row["found"] = node.get("place")
    if "within" in node:
        row["path"] = nodes.by_iri[str(node["within"])].get("path")


def _take(row: Row, names: Mapping[str, str], node: Node) -> None:
    for name, variable in names.items():
        if name in node:
            row[variable] = node[name]
