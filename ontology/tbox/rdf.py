"""The TBox as Turtle and back. Written by hand, term by term in the order of names, so that the bytes never vary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph

from tieout.ontology.tbox.term import OntologyClass, OntologyError, Property
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, PREFIXES

K, OWL, RDF, RDFS, SKOS = (PREFIXES[name] for name in ("kg", "owl", "rdf", "rdfs", "skos"))
_ROOTS = (
    ("Entity", None, "entity", "What the tables of reports describe."),
    ("LineItem", "Entity", "line item", "What no derived class fits."),
)
# What is printed of the line items. Of rdfs:Class, as no domain of a derived property can be one of them.
_FACTS = (("Fact", "qb:Observation"), ("Numeral", "kg:Fact"), ("TableFact", "kg:Fact"), ("TextFact", "kg:Fact"))
_ANNOTATIONS = (
    ("support", "support", "training documents that print the term"),
    ("unitSeen", "unit seen", "a unit of its amounts"),
    ("facet", "facet", "a quality it is printed with that makes no other line item of it"),
)
_USED = ("kg", "owl", "qb", "rdf", "rdfs", "skos", "xsd")


def write_turtle(classes: Iterable[OntologyClass], properties: Iterable[Property]) -> str:
    """The Turtle of a TBox: the fixed upper layer, then classes, then properties."""
    blocks = ["\n".join(f"@prefix {name}: <{PREFIXES[name]}> ." for name in _USED)]
    blocks.append(
        _block(f"<{ONTOLOGY_GRAPH}>", "owl:Ontology", [f"rdfs:label {_text('line items of financial reports')}"])
    )
    for name, label, comment in _ANNOTATIONS:
        blocks.append(
            _block(
                f"kg:{name}", "owl:AnnotationProperty", [f"rdfs:label {_text(label)}", f"rdfs:comment {_text(comment)}"]
            )
        )
    blocks += [_block(f"skos:{name}", "owl:AnnotationProperty", []) for name in ("altLabel", "closeMatch")]
    for name, parent, label, comment in _ROOTS:
        lines = [f"rdfs:label {_text(label)}", f"rdfs:comment {_text(comment)}"]
        blocks.append(_block(f"kg:{name}", "owl:Class", ([f"rdfs:subClassOf kg:{parent}"] if parent else []) + lines))
    for name, parent in _FACTS:
        blocks.append(_block(f"kg:{name}", "rdfs:Class", [f"rdfs:subClassOf {parent}"]))
    blocks += [_class(item) for item in sorted(classes, key=lambda item: item.name)]
    blocks += [_property(item) for item in sorted(properties, key=lambda item: item.name)]
    return "\n\n".join(blocks) + "\n"


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"'


def _block(subject: str, kind: str, lines: list[str]) -> str:
    return " ;\n    ".join([f"{subject} a {kind}", *lines]) + " ."


def _labels(label: str, alternatives: Iterable[str], close_match: str | None, support: int) -> list[str]:
    lines = [f"rdfs:label {_text(label)}"]
    lines += [f"skos:altLabel {_text(text)}" for text in sorted(alternatives)]
    if close_match:
        lines.append(f"skos:closeMatch <{close_match}>")
    return [*lines, f"kg:support {support}"]


def _class(item: OntologyClass) -> str:
    lines = [f"rdfs:subClassOf kg:{item.parent or 'Entity'}"]
    return _block(
        f"kg:{item.name}", "owl:Class", lines + _labels(item.label, item.alternatives, item.close_match, item.support)
    )


def _property(item: Property) -> str:
    names = [f"kg:{name}" for name in sorted(item.domains)] or ["kg:LineItem"]
    domain = names[0] if len(names) == 1 else f"[ a owl:Class ; owl:unionOf ( {' '.join(names)} ) ]"
    lines = [f"rdfs:domain {domain}", "rdfs:range xsd:decimal"]
    lines += _labels(item.label, item.alternatives, item.close_match, item.support)
    lines += [f"kg:unitSeen {_text(unit)}" for unit in sorted(item.units)]
    lines += [f"kg:facet {_text(facet)}" for facet in sorted(item.facets)]
    return _block(f"kg:{item.name}", "owl:DatatypeProperty", lines)


def read_turtle(text: str, source: str) -> tuple[list[OntologyClass], list[Property]]:
    """The classes and properties of a TBox that `write_turtle` wrote. Raises OntologyError, which names source."""
    try:
        triples = list(pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.TURTLE))
    except (SyntaxError, ValueError) as error:
        raise OntologyError(f"{source}: not Turtle ({error})") from None
    graph = _Graph(triples)
    fixed = {K + name for name, *_ in _ROOTS}
    classes = [graph.class_of(iri) for iri in graph.of_type("Class") if iri not in fixed and iri.startswith(K)]
    properties = [graph.property_of(iri) for iri in graph.of_type("DatatypeProperty")]
    if not properties:
        raise OntologyError(f"{source}: holds no property; is it a TBox that `tieout ontology build` wrote?")
    return classes, properties


class _Graph:
    """The triples by subject and predicate."""

    def __init__(self, triples: Iterable[pyoxigraph.Quad]) -> None:
        self.values: dict[str, dict[str, list[str]]] = {}
        for triple in triples:
            terms = self.values.setdefault(_plain(triple.subject), {})
            terms.setdefault(_plain(triple.predicate), []).append(_plain(triple.object))

    def of_type(self, name: str) -> Iterator[str]:
        return (
            iri for iri, terms in self.values.items() if OWL + name in terms.get(RDF + "type", ()) and iri.startswith(K)
        )

    def all(self, iri: str, term: str) -> tuple[str, ...]:
        return tuple(sorted(self.values.get(iri, {}).get(term, ())))

    def one(self, iri: str, term: str) -> str | None:
        return next(iter(self.all(iri, term)), None)

    def support(self, iri: str) -> int:
        text = self.one(iri, K + "support") or "0"
        return int(text) if text.isdecimal() and len(text) < 19 else 0

    def class_of(self, iri: str) -> OntologyClass:
        parent = self.one(iri, RDFS + "subClassOf")
        return OntologyClass(
            name=iri.removeprefix(K),
            label=self.one(iri, RDFS + "label") or iri.removeprefix(K),
            alternatives=self.all(iri, SKOS + "altLabel"),
            parent=parent.removeprefix(K) if parent else None,
            close_match=self.one(iri, SKOS + "closeMatch"),
            support=self.support(iri),
        )

    def property_of(self, iri: str) -> Property:
        return Property(
            name=iri.removeprefix(K),
            label=self.one(iri, RDFS + "label") or iri.removeprefix(K),
            alternatives=self.all(iri, SKOS + "altLabel"),
            domains=tuple(sorted(self._members(self.one(iri, RDFS + "domain")))),
            units=self.all(iri, K + "unitSeen"),
            facets=self.all(iri, K + "facet"),
            close_match=self.one(iri, SKOS + "closeMatch"),
            support=self.support(iri),
        )

    def _members(self, domain: str | None) -> Iterator[str]:
        if domain is None or domain == K + "LineItem":
            return
        if domain.startswith(K):
            yield domain.removeprefix(K)
            return
        rest = self.one(domain, OWL + "unionOf")
        while rest and rest != RDF + "nil":
            first = self.one(rest, RDF + "first")
            if first:
                yield first.removeprefix(K)
            rest = self.one(rest, RDF + "rest")


def _plain(term: object) -> str:
    """IRI and literal by their value; a blank node by its name, which no IRI can have."""
    if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.Literal):
        return term.value
    return str(term)
