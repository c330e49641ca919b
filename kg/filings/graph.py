"""Companies, their filings and observations as RDF: one named graph for each company, made anew as filings come and go.

`?o kg:observes concept:revenue ; kg:of ?company ; kg:fiscalYear 2023 ; kg:fiscalPeriod "FY" ; kg:amount ?amount` finds
what the newest filing states; `kg:reported` leads to what each filing states, and that to the printed fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol
from urllib.parse import quote

from tieout.kg.filings.company import Company, companies_of
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.observation import Observation, Source, observations_of
from tieout.kg.filings.rows import Named
from tieout.kg.names import decimal_text, text_literal, typed_literal
from tieout.ontology.metrics.scheme import concept_iri
from tieout.ontology.vocabulary import KG, PREFIXES, PROV, document_graph, unit_iri

_TYPE = f"<{PREFIXES['rdf']}type>"
_SKOS = PREFIXES["skos"]


class Rows(Protocol):
    """Filings and what they state, as the index has them."""

    def filings(self) -> Sequence[Filing]: ...

    def observed(self, items: None, reports: Sequence[str]) -> Iterable[tuple[str, Named]]: ...


def company_graphs(rows: Rows, reports: Iterable[str]) -> list[tuple[str, bytes]]:
    """The graphs of the companies of some reports, as IRIs and N-Quads."""
    changed = set(reports)
    companies = [each for each in companies_of(rows.filings()) if any(own.report in changed for own in each.filings)]
    return [(each.iri, company_quads(each, rows)) for each in companies]


def company_quads(company: Company, rows: Rows) -> bytes:
    """The graph of a company as N-Quads."""
    tail = f" <{company.iri}> .\n"
    stated = list(rows.observed(None, [filing.report for filing in company.filings]))
    lines = [*_company(company)]
    for found in observations_of(company, stated).values():
        lines += _observation(company, found)
    return "".join(f"{line}{tail}" for line in lines).encode()


def _company(company: Company) -> Iterator[str]:
    node = f"<{company.iri}>"
    yield f"{node} {_TYPE} <{KG.Company}>"
    for number, name in enumerate(company.names):
        yield f"{node} <{_SKOS}{'altLabel' if number else 'prefLabel'}> {text_literal(name)}"
    if company.key.startswith(("CIK ", "LEI ")):
        yield f"{node} <{PREFIXES['dcterms']}identifier> {text_literal(company.key)}"
    if company.ticker:
        yield f"{node} <{KG.ticker}> {text_literal(company.ticker)}"
    for newer, filing in zip((None, *company.filings), company.filings, strict=False):
        document = f"<{document_graph(filing.report)}>"
        yield f"{document} {_TYPE} <{KG.Filing}>"
        yield f"{document} <{KG.of}> {node}"
        if filing.form:
            yield f"{document} <{KG.form}> {text_literal(filing.form)}"
        if filing.ended:
            yield f"{document} <{KG.ended}> {typed_literal(filing.ended.isoformat(), 'date')}"
        if filing.fiscal_year and filing.fiscal_period:
            yield f"{document} <{KG.fiscalYear}> {typed_literal(str(filing.fiscal_year), 'integer')}"
            yield f"{document} <{KG.fiscalPeriod}> {text_literal(filing.fiscal_period)}"
        if newer:
            yield f"<{document_graph(newer.report)}> <{KG.newerThan}> {document}"


def _observation(company: Company, found: Observation) -> Iterator[str]:
    name = f"{company.iri}:{quote(found.item)}:{found.fiscal_year}-{found.fiscal_period}"
    node = f"<{name}>"
    yield f"{node} {_TYPE} <{KG.Observation}>"
    yield f"{node} <{KG.of}> <{company.iri}>"
    yield f"{node} <{KG.observes}> <{concept_iri(found.item)}>"
    yield f"{node} <{KG.fiscalYear}> {typed_literal(str(found.fiscal_year), 'integer')}"
    yield f"{node} <{KG.fiscalPeriod}> {text_literal(found.fiscal_period)}"
    yield f"{node} <{KG.end}> {typed_literal(found.end.isoformat(), 'date')}"
    if found.start:
        yield f"{node} <{KG.start}> {typed_literal(found.start.isoformat(), 'date')}"
    yield f"{node} <{KG.amount}> {typed_literal(decimal_text(found.stated.amount), 'decimal')}"
    if found.stated.unit:
        yield f"{node} <{KG.unit}> <{unit_iri(found.stated.unit)}>"
    for source in found.sources:
        yield from _reported(node, name, source)
    for older in found.restated:
        yield f"<{name}:{_slug(found.sources[0])}> <{PROV.wasRevisionOf}> <{name}:{_slug(older)}>"


def _reported(node: str, name: str, source: Source) -> Iterator[str]:
    stated, document = source.observed, document_graph(source.filing.report)
    mine = f"<{name}:{_slug(source)}>"
    yield f"{node} <{KG.reported}> {mine}"
    yield f"{mine} {_TYPE} <{KG.Reported}>"
    yield f"{mine} <{KG.filing}> <{document}>"
    yield f"{mine} <{KG.amount}> {typed_literal(decimal_text(stated.amount), 'decimal')}"
    yield f"{mine} <{PROV.wasDerivedFrom}> <{document}#{stated.fact}>"
    yield f"{mine} <{KG.foundBy}> {text_literal(stated.found)}"
    yield f"{mine} <{KG.probability}> {typed_literal(str(stated.probability), 'decimal')}"
    if stated.concept:
        yield f"{mine} <{KG.concept}> {text_literal(stated.concept)}"


def _slug(source: Source) -> str:
    return quote(source.filing.report, safe="")
