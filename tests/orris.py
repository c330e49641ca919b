"""A small invented report, its graph, and conversations about it with a scripted backend."""

from __future__ import annotations

from typing import Any

from scripted import ScriptedBackend

from tieout.agent.log.log import Log
from tieout.agent.protocol.message import Reply
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology

TBOX = """
@prefix kg: <urn:tieout:kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
kg:StockOption a owl:Class ; rdfs:label "stock option" ; rdfs:subClassOf kg:Entity .
kg:exercisePrice a owl:DatatypeProperty ; rdfs:label "exercise price" ; skos:altLabel "strike price" ;
  rdfs:domain kg:StockOption ; rdfs:range xsd:decimal .
"""

REPORT = Document(
    id="Single_ORRIS/2007/page_61.pdf-1",
    paragraphs=(
        "the weighted average assumptions for stock options granted are as follows :",
        "compensation cost was $ 2.2 billion in 2007 and $ 325 million in 2006 .",
        "about 12.5% ( 12.5 % ) of the options vest each year .",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("", "2007", "2006"),
                ("exercise price", "$ 60.94", "$ 25.14"),
                ("expected volatility", "27% ( 27 % )", "26% ( 26 % )"),
                ("options granted ( in thousands )", "1540", "2014"),
                ("options exercised ( in thousands )", "-310 ( 310 )", "-280 ( 280 )"),
            )
        ),
    ),
)


def report_graph() -> Graph:
    """The graph of a small invented report."""
    return build(REPORT, Ontology.parse(TBOX))


def session(*replies: Reply | Exception, log: Log | None = None, **settings: Any) -> Session:
    """A conversation about the small report with a scripted backend."""
    return Session(report_graph(), ScriptedBackend(replies), Settings(**settings), log)
