"""A small quarterly report of an invented company, as one page and as a whole report of a conversation."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from filed import ontology

from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.document import Document
from tieout.data.readers.read import read_files
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index, Origin
from tieout.kg.store.graph import Graph

HEAD = "<html><head><title>Fernhill Bakers, Inc.</title></head><body><h1>Fernhill Bakers, Inc.</h1>"
STATEMENTS = """
<p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM 10-Q</p>
<p>For the quarterly period ended March 31, 2025</p>
<p>As of April 30, 2025, there were 20,114,500 shares of common stock outstanding.</p>
<h2>Condensed Consolidated Statements of Operations</h2><p>(In thousands, except per share data)</p>
{income}
<h2>Condensed Consolidated Balance Sheets</h2><p>(In thousands)</p>
{balance}
"""
NOTES = """
<h2>Note 4. Segments</h2><p>Sales and operating income by segment were as follows (in thousands):</p>
{segments}
<h2>Note 5. Adjusted EBITDA</h2><p>(In thousands)</p>
{ebitda}
<h2>Note 6. Debt</h2><p>Debt consisted of the following (in thousands):</p>
{debt}
<p>The effective interest rate was 5.5% at March 31, 2025. At March 31, 2025 we had 640 employees.</p>
"""
QUARTERS = ("", "Three Months Ended March 31, 2025", "Three Months Ended March 31, 2024")
DAYS = ("", "March 31, 2025", "December 31, 2024")
INCOME = (
    ("Net sales", "$ 90,400", "$ 84,100"),
    ("Cost of goods sold", "61,300", "58,200"),
    ("Gross profit", "29,100", "25,900"),
    ("Selling, general and administrative", "17,900", "17,200"),
    ("Restructuring charges", "900", "—"),
    ("Operating income", "10,300", "8,700"),
    ("Net income", "$ 6,800", "$ 5,600"),
)
BALANCE = (
    ("Cash and cash equivalents", "$ 12,500", "$ 14,300"),
    ("Accounts receivable, net of allowance of $410 and $395", "31,200", "29,800"),
    ("Inventories", "22,700", "21,900"),
    ("Total assets", "$ 180,600", "$ 176,400"),
    ("Current portion of long-term debt", "2,000", "2,000"),
    ("Long-term debt, net", "57,500", "58,000"),
    ("Total liabilities", "98,300", "100,900"),
    ("Total stockholders’ equity", "82,300", "75,500"),
)
SEGMENTS = (
    ("Net sales:", "", ""),
    ("Bread", "$ 60,100", "$ 57,000"),
    ("Pastry", "30,300", "27,100"),
    ("Total net sales", "$ 90,400", "$ 84,100"),
    ("Segment operating income (loss):", "", ""),
    ("Bread", "$ 11,000", "$ 8,000"),
    ("Pastry", "(700)", "700"),
    ("Operating income", "$ 10,300", "$ 8,700"),
)
EBITDA = (
    ("Net income", "$ 6,800", "$ 5,600"),
    ("Depreciation and amortization", "3,100", "2,900"),
    ("EBITDA", "13,600", "12,000"),
    ("Restructuring charges", "900", "—"),
    ("Adjusted EBITDA", "$ 14,500", "$ 12,000"),
)
DEBT = (
    ("Term loan", "$ 60,500", "$ 61,100"),
    ("Total debt", "60,500", "61,100"),
    ("Less: issuance costs", "(1,000)", "(1,100)"),
)


def table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    """Rows under a head as a table of a web page."""
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in (head, *rows))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


@lru_cache(maxsize=2)
def read(whole: bool = True) -> tuple[Document, Graph]:
    """The report, or its statements alone, and its graph."""
    text = HEAD + STATEMENTS.format(income=table(QUARTERS, INCOME), balance=table(DAYS, BALANCE))
    if whole:
        made = {"segments": table(QUARTERS, SEGMENTS), "ebitda": table(QUARTERS, EBITDA), "debt": table(DAYS, DEBT)}
        text += NOTES.format(**made)
    with TemporaryDirectory() as folder:
        path = Path(folder, "fernhill.htm")
        path.write_text(text + "</body></html>", encoding="utf-8")
        (found,) = read_files([path])
    return found.document, build(found.document, ontology())


def ask_report(*questions: str, backend: Backend | None = None) -> list[Turn]:
    """The turns of a conversation about the whole report."""
    document, graph = read()
    index = Index()
    index.keep(read_contents(document, *graph.contents()), Origin("fernhill", "/fernhill.htm"))
    session = Session(Reports([graph], index), backend or OfflineBackend())
    return [session.ask(question) for question in questions]


def ask_page(*questions: str, backend: Backend | None = None) -> list[Turn]:
    """The turns of a conversation about its statements as one page."""
    document, graph = read(whole=False)
    session = Session(graph, backend or OfflineBackend(), document=document)
    return [session.ask(question) for question in questions]
