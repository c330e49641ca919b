"""The line items and metrics that come with tieout as SKOS concepts: one named graph, the same in every store."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

from tieout.ontology.metrics.line_item import LineItem, line_items
from tieout.ontology.metrics.metric import Metric, our_metrics
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, KG, PREFIXES

TAXONOMIES = {
    "us-gaap": "http://fasb.org/us-gaap#",
    "dei": "http://xbrl.sec.gov/dei#",
    "ifrs-full": "https://xbrl.ifrs.org/taxonomy/ifrs-full#",
}
_SKOS, _RDF = PREFIXES["skos"], PREFIXES["rdf"]


def concept_iri(name: str) -> str:
    """`urn:tieout:concept:revenue`."""
    return PREFIXES["concept"] + quote(name, safe="_")


@lru_cache(maxsize=1)
def scheme_quads() -> bytes:
    """All concepts as N-Quads: labels, the taxonomies' concepts that are close, statement, sign, formula, source."""
    names = dict.fromkeys((*line_items(), *our_metrics()))
    lines = [line for name in names for line in _concept(name, line_items().get(name), our_metrics().get(name))]
    lines.append(f"<{CONCEPTS_GRAPH}> <{_RDF}type> <{_SKOS}ConceptScheme>")
    return "".join(f"{line} <{CONCEPTS_GRAPH}> .\n" for line in lines).encode()


def _concept(name: str, item: LineItem | None, metric: Metric | None) -> Iterator[str]:
    node = f"<{concept_iri(name)}>"
    yield f"{node} <{_RDF}type> <{_SKOS}Concept>"
    yield f"{node} <{_SKOS}inScheme> <{CONCEPTS_GRAPH}>"
    labels = dict.fromkeys((*(item.labels if item else ()), *(metric.labels if metric else ())))
    for number, label in enumerate(labels):
        yield f"{node} <{_SKOS}{'altLabel' if number else 'prefLabel'}> {_text(label)}@en"
    if item:
        yield f"{node} <{KG.printedIn}> {_text(item.statement)}"
        yield f"{node} <{KG.isOf}> {_text('day' if item.is_instant else 'span')}"
        if item.sign:
            yield f"{node} <{KG.sign}> {_text(item.sign)}"
        for qualifier in sorted(item.qualifiers):
            yield f"{node} <{KG.qualifier}> {_text(qualifier)}"
        for concept in item.concepts:
            prefix, _, local = concept.partition(":")
            yield f"{node} <{_SKOS}closeMatch> <{TAXONOMIES[prefix]}{quote(local)}>"
    if metric:
        yield f"{node} <{KG.formula}> {_text(metric.written)}"
        yield f"{node} <{PREFIXES['dcterms']}source> {_text(metric.source)}"


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
