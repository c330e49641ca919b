"""Small reports and a small TBox, for the tests of the graph."""

from __future__ import annotations

from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology, OntologyClass, Property

TBOX = Ontology(
    [OntologyClass("Entity", "entity"), OntologyClass("StockOption", "stock option", ("stock options",), "Entity")],
    [
        Property("exercisePrice", "exercise price", ("weighted average exercise price per share",), ("StockOption",)),
        Property("netIncome", "net income"),
    ],
)

OPTIONS = Document(
    id="Single_NAME/2007/page_1.pdf-1",
    paragraphs=(
        "stock options outstanding were as follows ( in millions , except per share ) :",
        "the expense was $ 80 million , $ 83 million and $ 111 million in 2007 , 2006 and 2005 , respectively .",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("", "2007", "2006"),
                ("weighted average exercise price per share", "$ 60.94", "$ 37.84"),
                ("expected volatility", "27% ( 27 % )", "2014"),
                ("granted", "12", "not meaningful"),
                ("granted", "15", "16"),
            )
        ),
    ),
)


def document(
    *rows: tuple[str, ...], text: tuple[str, ...] = (), introduction: str = "", name: str = "report"
) -> Document:
    """A report of one table and some sentences."""
    return Document(id=name, paragraphs=(introduction, *text), before=1, tables=(Table(rows=rows),) if rows else ())


def facts_of(*rows, **keywords):
    """The facts of a report of one table, by name."""
    return {fact.name: fact for fact in graph_of(document(*rows, **keywords)).facts()}


def graph_of(report: Document) -> Graph:
    return build(report, TBOX)


def sentence_facts(sentence: str):
    """The facts of one sentence that measure something."""
    return [fact for fact in graph_of(document(text=(sentence,))).facts() if fact.entity_type != "Numeral"]
