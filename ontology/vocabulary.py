"""The fixed terms of the graph, declared once: a misspelt one fails at import."""

# ruff: noqa: N815  RDF properties are written in mixed case.

from __future__ import annotations

from urllib.parse import quote

ONTOLOGY_GRAPH = "urn:tieout:ontology"
CONCEPTS_GRAPH = "urn:tieout:concepts"  # the standard concepts

# What every query of ours and every query written by hand may use without declaring it.
PREFIXES = {
    "kg": "urn:tieout:kg#",
    "concept": "urn:tieout:concept:",
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


class _Vocabulary:
    """IRIs by their local names. prefix: as in PREFIXES."""

    def __init_subclass__(cls, prefix: str) -> None:
        for name in cls.__annotations__:
            setattr(cls, name, PREFIXES[prefix] + name)


class PROV(_Vocabulary, prefix="prov"):
    """Terms of PROV-O."""

    wasDerivedFrom: str
    wasRevisionOf: str  # from what a newer filing states to what it revises


class KG(_Vocabulary, prefix="kg"):
    """Terms that tieout itself defines."""

    # classes
    Document: str
    Entity: str  # what tables describe; the root of the derived classes
    LineItem: str  # the class of instances for which no derived class fits
    Fact: str  # one printed amount
    TableFact: str
    TextFact: str
    StatedFact: str  # one that the file states without a page: a hidden tag, XBRL JSON
    Numeral: str  # a fact that measures nothing: a printed year, a part of a date, the number in `note 12`
    Cell: str
    Sentence: str
    Table: str
    Section: str  # a heading of the report with what stands under it
    Statement: str  # what a StatedFact is derived from
    Footnote: str  # a note below a table on a mark in it
    Dimension: str  # an axis with its member, as a tag names them
    Period: str
    Unit: str
    Company: str
    Filing: str  # a document of a company
    Observation: str  # one standard concept of a company in one period, whatever filings state it
    Reported: str  # what one filing states of an observation

    # of a fact
    instance: str
    property: str
    value: str
    unit: str
    unitFrom: str  # cell, row label, column header, corner, sentence; absent where the unit is not stated
    scale: str
    scaleFrom: str
    measuresValue: str  # of a negative amount in a row that says loss or expense: the positive one that it measures
    measuresBy: str  # the word of the label that says so
    unknown: str  # `unit`, `scale` or `currency`: what is not printed; a scale of 1 is then only what is reckoned with
    period: str
    raw: str  # the printed text, character for character
    # column header, row label, section, next balance, corner, introduction, sentence, sentence before
    periodFrom: str
    measures: str  # what the fact measures, as printed: the label of its line, or the phrase of its sentence
    candidate: str  # a property that fits as well as the chosen one
    matchScore: str  # 0 to 100: how well the printed label fits the property
    matchedBy: str  # exact, alternative, fuzzy, minted

    concept: str  # of the tag on it, such as `us-gaap:NetIncomeLoss`; of a section, that of its tagged text
    exact: str  # what the tag says: signed, in full units
    decimals: str
    mark: str  # a footnote mark at it, at its row or at its column, as printed: `(1)`
    doubt: str  # why a person may read something else there, in words
    recognised: str  # of a figure read off a picture: how sure the recognition is, from 0 to 1
    footnote: str  # from a table to the note below it on a mark
    dimension: str
    part: str  # of the company, that print says it is about: a segment, a product line, a place; in printed words
    axis: str
    member: str
    readUnit: str  # what print says, where that is something else than the tag
    readScale: str
    readPeriod: str

    # of documents
    company: str
    form: str  # 10-K, 20-F
    currency: str  # that it says its figures are in, by its ISO 4217 code
    ended: str  # the last day of the period that it is about
    entityType: str  # the class of its instances
    evidence: str  # what speaks for a class, or for the property of a line

    # of cells, sentences, tables
    orientation: str
    corner: str
    caption: str  # the sentence that introduces the table
    within: str  # the section that a table, a sentence or another section stands in
    place: str  # where a person finds it: `page 34`
    path: str  # of a section, its title behind those it stands in
    level: str
    table: str
    row: str
    column: str
    rowLabel: str
    columnLabel: str
    section: str
    paragraph: str
    sentence: str
    spanStart: str  # where it begins; it is as long as its text, or what is printed of it, is
    text: str

    # of companies, filings and observations
    of: str  # the company
    ticker: str
    newerThan: str  # from a filing to the one before it
    fiscalYear: str  # as the company counts it
    fiscalPeriod: str  # FY, Q1 to Q4, H1, 9M
    observes: str  # the standard concept
    amount: str  # in full units, signed as the concept is meant; that of the newest filing
    reported: str
    filing: str
    foundBy: str  # tag or label: how the fact was found to be the concept
    probability: str  # that it is

    # of standard concepts
    printedIn: str  # the statement
    isOf: str  # day or span
    sign: str
    qualifier: str
    formula: str

    # of periods and of the TBox
    periodKind: str
    periodKey: str
    year: str
    start: str  # first day
    end: str  # last day
    support: str  # in how many training documents a class or property was seen
    unitSeen: str


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


def document_graph(document_id: str) -> str:
    """The named graph of a document: `urn:tieout:doc:` and its id, percent-encoded."""
    return "urn:tieout:doc:" + quote(document_id, safe="", errors="surrogatepass")


def run_graph(run: str) -> str:
    """The named graph of a run: `urn:tieout:run:` and its name, percent-encoded."""
    return "urn:tieout:run:" + quote(run, safe="")
