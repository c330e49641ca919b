"""Whether a TBox is sane: terms labelled and placed, no cycle, no two properties alike, consistent under OWL 2 RL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from tieout.ontology.labels.label import normalise
from tieout.ontology.tbox.term import OntologyError
from tieout.ontology.vocabulary import KG, PREFIXES


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. term: the local name of a class or property, "" for the whole."""

    term: str
    message: str

    def __str__(self) -> str:
        return f"{self.term}: {self.message}" if self.term else self.message


def check(turtle: str) -> list[Finding]:
    """What is wrong with the TBox in a Turtle text, empty where nothing is.

    Raises OntologyError when the text is not Turtle, or when owlrl, which looks for contradictions, is not installed.
    """
    graph = Graph()
    try:
        graph.parse(data=turtle, format="turtle")
    except Exception as error:  # noqa: BLE001 - rdflib raises errors of many kinds for bad Turtle
        raise OntologyError(f"not Turtle ({' '.join(str(error).split())[:200]})") from None
    classes = {term for term in graph.subjects(RDF.type, OWL.Class) if isinstance(term, URIRef)}
    findings = [
        *_unlabelled(graph, classes),
        *_cycles(graph, classes),
        *_properties(graph, classes),
        *_look_alikes(graph),
        *_inconsistent(graph),
    ]
    return sorted(findings, key=lambda finding: (finding.term, finding.message))


def _name(term: object) -> str:
    return str(term).removeprefix(PREFIXES["kg"])


def _unlabelled(graph: Graph, classes: set[URIRef]) -> Iterator[Finding]:
    for term in classes | set(graph.subjects(RDF.type, OWL.DatatypeProperty)):
        if not any(str(label).strip() for label in graph.objects(term, RDFS.label)):
            yield Finding(_name(term), "has no label")


def _cycles(graph: Graph, classes: set[URIRef]) -> Iterator[Finding]:
    for term in classes:
        parents = set(graph.objects(term, RDFS.subClassOf))
        for parent in parents - classes:
            yield Finding(_name(term), f"stands below {_name(parent)}, which is no class of the TBox")
        if any(term in graph.transitive_objects(parent, RDFS.subClassOf) for parent in parents):
            yield Finding(_name(term), "stands below itself")
        if not parents and str(term) != KG.Entity:
            yield Finding(_name(term), "stands below no class")


def _domains(graph: Graph, term: Node) -> set[Node]:
    found: set[Node] = set()
    for domain in graph.objects(term, RDFS.domain):
        union = graph.value(domain, OWL.unionOf) if isinstance(domain, BNode) else None
        found |= set(Collection(graph, union)) if union is not None else {domain}
    return found


def _properties(graph: Graph, classes: set[URIRef]) -> Iterator[Finding]:
    for term in graph.subjects(RDF.type, OWL.DatatypeProperty):
        domains = _domains(graph, term)
        if not domains:
            yield Finding(_name(term), "has no domain")
        for domain in domains - classes:
            yield Finding(_name(term), f"has the domain {_name(domain)}, which is no class of the TBox")
        if (term, RDFS.range, None) not in graph:
            yield Finding(_name(term), "has no range")


def _look_alikes(graph: Graph) -> Iterator[Finding]:
    seen: dict[tuple[Node, str], set[str]] = defaultdict(set)
    for term in graph.subjects(RDF.type, OWL.DatatypeProperty):
        for label in graph.objects(term, RDFS.label):
            for domain in _domains(graph, term):
                seen[domain, normalise(str(label))].add(_name(term))
    for (domain, text), names in seen.items():
        if len(names) > 1:
            yield Finding(_name(domain), f"has several properties called {text!r}: {', '.join(sorted(names))}")


def _plain_annotations(graph: Graph) -> set[Node]:
    """The annotation properties without axioms: from a text that one of them gives nothing follows."""
    annotations = {RDFS.label, RDFS.comment, *graph.subjects(RDF.type, OWL.AnnotationProperty)}
    said = (RDFS.domain, RDFS.range, RDFS.subPropertyOf, OWL.equivalentProperty)
    return {
        each
        for each in annotations
        if not any((each, axiom, None) in graph or (None, axiom, each) in graph for axiom in said)
        and set(graph.objects(each, RDF.type)) <= {OWL.AnnotationProperty}
    }


def _inconsistent(graph: Graph) -> Iterator[Finding]:
    try:
        import owlrl
    except ImportError:
        raise OntologyError("the check needs owlrl; `pip install 'tieout[check]'` installs it") from None
    plain = _plain_annotations(graph)
    closed = Graph()
    for subject, predicate, value in graph:
        if predicate not in plain or not isinstance(value, Literal) or value.datatype not in (None, XSD.string):
            closed.add((subject, predicate, value))
    closure = owlrl.OWLRL_Semantics(closed, False, False, False)
    closure.closure()
    for message in closure.error_messages:
        yield Finding("", f"inconsistent under OWL 2 RL: {message}")
    for term in closed.subjects(RDFS.subClassOf, OWL.Nothing):
        if isinstance(term, URIRef) and term != OWL.Nothing and str(term).startswith(PREFIXES["kg"]):
            yield Finding(_name(term), "can have no instance")
