"""Some facts of a graph, by their names: read without any other."""

from __future__ import annotations

from collections.abc import Iterable

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.store.facts import Nodes, fact_rows
from tieout.kg.store.graph import Graph, read_facts

BY_NAME = """SELECT ?fact ?value WHERE {{
  VALUES ?fact {{ {fact} }}
  ?fact kg:value ?value .
}}"""
_NAME = later(r"[A-Za-z0-9_]+")
_LINKS = ("wasDerivedFrom", "unit", "instance", "period", "dimension")  # from a fact to what tells more of it


def facts_named(graph: Graph, names: Iterable[str]) -> tuple[Fact, ...]:
    """The facts of these short names (`t1r2c3`) that the graph has."""
    return _read(graph, {f"{graph.iri}#{name}" for name in names if _NAME.fullmatch(name)})


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
