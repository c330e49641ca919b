"""The fixed terms of the graph, declared once: a misspelt one fails at import."""

# ruff: noqa: N815  RDF properties are written in mixed case.

from __future__ import annotations

from urllib.parse import quote

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace

PROV = Namespace("http://www.w3.org/ns/prov#")
ONTOLOGY_GRAPH = URIRef("urn:tieout:ontology")

# What every query of ours and every query written by hand may use without declaring it.
PREFIXES = {
    "kg": "urn:tieout:kg#",
    "prov": "http://www.w3.org/ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "unit": "http://qudt.org/vocab/unit/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
}


class KG(DefinedNamespace):
    """Terms that tieout itself defines."""

    _fail = True
    _NS = Namespace("urn:tieout:kg#")

    # classes
    Document: URIRef
    Entity: URIRef  # what tables describe; the root of the derived classes
    LineItem: URIRef  # the class of instances for which no derived class fits
    Fact: URIRef  # one printed amount
    TableFact: URIRef
    TextFact: URIRef
    StatedFact: URIRef  # one that the file states without a page: a hidden tag, XBRL JSON
    Numeral: URIRef  # a fact that measures nothing: a printed year, a part of a date, the number in `note 12`
    Cell: URIRef
    Sentence: URIRef
    Table: URIRef
    Section: URIRef  # a heading of the report with what stands under it
    Statement: URIRef  # what a StatedFact is derived from
    Footnote: URIRef  # a note below a table on a mark in it
    Dimension: URIRef  # an axis with its member, as a tag names them
    Period: URIRef
    Unit: URIRef

    # of a fact
    instance: URIRef
    property: URIRef
    value: URIRef
    unit: URIRef
    unitFrom: URIRef  # cell, row label, column header, corner, sentence; absent where the unit is not stated
    scale: URIRef
    scaleFrom: URIRef
    measuresValue: URIRef  # of a negative amount in a row that says loss or expense: the positive one that it measures
    measuresBy: URIRef  # the word of the label that says so
    unknown: URIRef  # `unit` or `scale`: what is not printed; a scale of 1 is then only what is reckoned with
    period: URIRef
    raw: URIRef  # the printed text, character for character
    periodFrom: (
        URIRef  # column header, row label, section, next balance, corner, introduction, sentence, sentence before
    )
    measures: URIRef  # what the fact measures, as printed: the label of its line, or the phrase of its sentence
    candidate: URIRef  # a property that fits as well as the chosen one
    matchScore: URIRef  # 0 to 100: how well the printed label fits the property
    matchedBy: URIRef  # exact, alternative, fuzzy, minted

    concept: URIRef  # of the tag on it, such as `us-gaap:NetIncomeLoss`; of a section, that of its tagged text
    exact: URIRef  # what the tag says: signed, in full units
    decimals: URIRef
    mark: URIRef  # a footnote mark at it, at its row or at its column, as printed: `(1)`
    footnote: URIRef  # from a table to the note below it on a mark
    dimension: URIRef
    part: URIRef  # of the company, that print says it is about: a segment, a product line, a place; in printed words
    axis: URIRef
    member: URIRef
    readUnit: URIRef  # what print says, where that is something else than the tag
    readScale: URIRef
    readPeriod: URIRef

    # of documents
    company: URIRef
    form: URIRef  # 10-K, 20-F
    currency: URIRef  # that it says its figures are in, by its ISO 4217 code
    ended: URIRef  # the last day of the period that it is about
    entityType: URIRef  # the class of its instances
    evidence: URIRef  # what speaks for a class, or for the property of a line

    # of cells, sentences, tables
    orientation: URIRef
    corner: URIRef
    caption: URIRef  # the sentence that introduces the table
    within: URIRef  # the section that a table, a sentence or another section stands in
    place: URIRef  # where a person finds it: `page 34`
    path: URIRef  # of a section, its title behind those it stands in
    level: URIRef
    table: URIRef
    row: URIRef
    column: URIRef
    rowLabel: URIRef
    columnLabel: URIRef
    section: URIRef
    paragraph: URIRef
    sentence: URIRef
    spanStart: URIRef
    spanEnd: URIRef
    text: URIRef

    # of periods and of the TBox
    periodKind: URIRef
    periodKey: URIRef
    year: URIRef
    start: URIRef  # first day
    end: URIRef  # last day
    support: URIRef  # in how many training documents a class or property was seen
    unitSeen: URIRef


# QUDT has units for these and one for each currency of ISO 4217 (`unit:CCY_USD`); all others are our own.
QUDT_UNITS = {
    "percent": "PERCENT",
    "years": "YR",
    "months": "MO",
    "days": "DAY",
    "ratio": "UNITLESS",
    "count": "NUM",
}


def unit_iri(unit: str) -> str:
    """The IRI of a unit as `tieout.data.printed.amount` names it: `percent`, `USD`, `USD/share`, `basis points`."""
    if unit in QUDT_UNITS:
        return PREFIXES["unit"] + QUDT_UNITS[unit]
    if len(unit) == 3 and unit.isascii() and unit.isupper() and unit.isalpha():
        return PREFIXES["unit"] + "CCY_" + unit
    return PREFIXES["kg"] + "unit_" + quote(unit.replace(" ", "_").replace("/", "_per_"), safe="")


def document_graph(document_id: str) -> URIRef:
    """The named graph of a document: `urn:tieout:doc:` and its id, percent-encoded."""
    return URIRef("urn:tieout:doc:" + quote(document_id, safe="", errors="surrogatepass"))


def run_graph(run: str) -> URIRef:
    """The named graph of a run: `urn:tieout:run:` and its name, percent-encoded."""
    return URIRef("urn:tieout:run:" + quote(run, safe=""))
