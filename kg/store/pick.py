"""Some facts of a graph: those of tables, of sentences, or by name, each by queries that read no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tieout.kg.fact import Fact
from tieout.kg.store.facts import Nodes, fact_rows
from tieout.kg.store.graph import Graph, read_facts

BY_NAME = """SELECT ?fact ?value WHERE {{
  VALUES ?fact {{ {fact} }}
  ?fact kg:value ?value .
}}"""
OF_TABLES = """SELECT ?fact WHERE {{
  VALUES ?table {{ {numbers} }}
  ?place kg:table ?table . ?fact prov:wasDerivedFrom ?place .
}}"""
OF_SENTENCES = """SELECT ?fact WHERE {{
  VALUES ?sentence {{ {numbers} }}
  ?place kg:sentence ?sentence . ?fact prov:wasDerivedFrom ?place .
}}"""
_NAME = re.compile(r"[A-Za-z0-9_]+")
_LINKS = ("wasDerivedFrom", "unit", "instance", "period", "dimension")  # from a fact to what tells more of it


def facts_of_tables(graph: Graph, tables: Iterable[int], note: Callable[[str], None] | None = None) -> tuple[Fact, ...]:
    """The facts printed in these tables, counted from 1, in the order of print. note: told the query that chose."""
    return _picked(graph, OF_TABLES, tables, note)


def facts_of_sentences(
    graph: Graph, sentences: Iterable[int], note: Callable[[str], None] | None = None
) -> tuple[Fact, ...]:
    """The facts printed in these sentences, counted from 0."""
    return _picked(graph, OF_SENTENCES, sentences, note)


def facts_named(graph: Graph, names: Iterable[str]) -> tuple[Fact, ...]:
    """The facts of these short names (`t1r2c3`) that the graph has."""
    return _read(graph, {f"{graph.iri}#{name}" for name in names if _NAME.fullmatch(name)})


def _picked(graph: Graph, query: str, numbers: Iterable[int], note: Callable[[str], None] | None) -> tuple[Fact, ...]:
    wanted = " ".join(str(int(number)) for number in numbers)
    if not wanted:
        return ()
    asked = query.format(numbers=wanted)
    if note is not None:
        note(asked)
    return _read(graph, {str(row["fact"]) for row in graph.select(asked)})


def _read(graph: Graph, facts: set[str]) -> tuple[Fact, ...]:
    """What the graph says of these facts, and of all that they point to."""
    nodes = Nodes()
    _describe(graph, nodes, facts)
    told = [nodes.by_iri[iri] for iri in facts & nodes.by_iri.keys()]
    linked = {str(node[link]) for node in told for link in _LINKS if link in node}
    linked |= {each for several in nodes.dimensions.values() for each in several}
    _describe(graph, nodes, linked)
    tables = {node["table"] for node in nodes.by_iri.values() if "table" in node}
    _describe(graph, nodes, {f"{graph.iri}#t{number}" for number in tables})
    _describe(graph, nodes, {str(node["within"]) for node in nodes.by_iri.values() if "within" in node})
    return read_facts(fact_rows(nodes))


def _describe(graph: Graph, nodes: Nodes, iris: Iterable[str]) -> None:
    for iri, says, value in graph.describe_all(sorted(set(iris) - nodes.by_iri.keys())):
        nodes.say(iri, says, value)
