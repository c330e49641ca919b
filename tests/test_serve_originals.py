"""The original of a report: the marks in a filing, the boxes of a PDF and the cells of a workbook hold their words."""

from __future__ import annotations

import os
import re
import signal

import jsonschema
import pytest
from conftest import SAMPLE
from lxml import html
from pdf_pages import PdfPage, make_pdf

from tieout.ontology.model import default_ontology

pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
pytest.importorskip("pypdfium2", reason="NO PYPDFIUM2: pages of a PDF were not looked at")
pytest.importorskip("nh3", reason="NO NH3: filings were not shown; pip install 'tieout[serve]'")
from serving import TOKEN, as_declared
from starlette.testclient import TestClient

from tieout.data.limits import Budget
from tieout.data.readers.html.original import CELL, SPAN, read_original
from tieout.data.readers.html.report import read_html
from tieout.serve.app import Serving, make_app
from tieout.serve.asking import pages as drawn_pages
from tieout.serve.asking.pages import CrowdedError
from tieout.serve.library import Library
from tieout.serve.source import place

KEY = {"Authorization": f"Bearer {TOKEN}"}
ROWS = (("Net sales", "4,391", "4,000"), ("Cost of sales", "(3,000)", "(2,900)"), ("Gross profit", "1,391", "1,100"))
SAID = "In 2013 we spent $ 12.5 million on a new plant in Ohio, and $ 7.25 million on one in Texas."


def pdf() -> bytes:
    first, second = PdfPage(), PdfPage()
    for y, cells in enumerate((("In millions", "2013", "2012"), *ROWS)):
        first.write(60, 100 + 16 * y, cells[0])
        for x, text in zip((400, 500), cells[1:], strict=True):
            first.write_right(x, 100 + 16 * y, text)
    second.write(60, 300, SAID[:60])
    second.write(60, 313, SAID[60:])
    return make_pdf([first, second])


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    (folder / "annual.pdf").write_bytes(pdf())
    openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: no workbook was made")
    book = openpyxl.Workbook()
    book.active.title = "P & L"
    for row in (("In millions", 2013, 2012), ("Net sales", 4391, 4000), ("Cost of sales", 3000, 2900)):
        book.active.append(row)
    book.save(folder / "book.xlsx")
    with Library(default_ontology(None)[0]) as opened:
        for path in (SAMPLE / "report.htm", folder / "annual.pdf", folder / "book.xlsx", SAMPLE / "ask.json"):
            opened.add(path)[1].result()
        yield opened


@pytest.fixture(scope="module")
def client(library):
    app = make_app(Serving(library=library, token=TOKEN, port=80))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as opened:
        opened.event_hooks["response"].append(as_declared(app))
        yield opened


def held(library, name: str):
    return next(each for each in library.ready() if each.id == name)


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def marks_of(page) -> list[tuple[object, str]]:
    """The marks of paragraphs, each with its element."""
    return [(each, at) for each in page.iter() for at in (each.get(SPAN) or "").split()]


def test_every_figure_of_a_filing_is_marked_where_it_is_printed(client, library):
    report = held(library, "report")
    shown = client.get(f"/api/reports/{report.key}/original")
    assert shown.status_code == 200 and "sandbox" in shown.headers["content-security-policy"]
    page = html.fromstring(shown.text)
    cells = {at: each for each in page.iter() for at in (each.get(CELL) or "").split()}
    spans = [(each, *map(int, at.split("."))) for each, at in marks_of(page) if at.count(".") == 2]
    assert len(report.facts) > 300
    for fact in report.facts.values():
        if fact.table is not None:
            mark = cells[f"{fact.table}.{fact.row}.{fact.column}"]
            assert digits(fact.raw) in digits(mark.text_content()), fact.name
        else:
            over = [
                each for each, at, start, end in spans if at == fact.paragraph and start < fact.end and fact.start < end
            ]
            assert any(digits(fact.raw)[:1] in each.text_content() for each in over) or not digits(fact.raw), fact.name


EVIL = b"""<html><head><style>td{}</style><meta http-equiv="refresh" content="0;url=http://evil.example"><base href="http://e/">
</head><body onload="alert(1)"><script>alert(2)</script><p data-span="0.0.9" style="color:red;background:url(http://evil.example/a)">
Sales were $ 5 million.</p><table><tr><td data-cell="1.0.1">net sales</td><td onclick="x()">2013</td><td>2012</td></tr>
<tr><td>a</td><td>12</td><td>13</td></tr></table><iframe src="http://evil.example"></iframe><img src="http://evil.example/i.png">
<img src="data:image/svg+xml;base64,AAAA"><a href="javascript:alert(3)">a</a><a href="http://evil.example">b</a>
<a href="#here">c</a><form action="http://evil.example"><input name="q"></form><svg><script>alert(4)</script></svg>
<object data="x"></object><link rel="stylesheet" href="http://evil.example"><math><mi>x</mi></math></body></html>"""


def test_what_is_shown_of_a_filing_runs_nothing_and_asks_nobody():
    document = read_html(EVIL, "evil")
    shown = read_original(EVIL, document)
    assert not re.search(
        r"evil\.example|javascript|alert|onload|onclick|<(script|iframe|form|input|svg|object|link|meta|base|style)",
        shown,
    )
    page = html.fromstring(shown)
    assert [each.get("href") for each in page.iter("a")] == [None, None, "#here"]
    marks = [each.get(CELL) for each in page.iter() if each.get(CELL)]
    assert marks == ["1.0.1", "1.0.2", "1.1.1", "1.1.2"]  # ours, and not that of the page
    assert [(each.text_content().strip(), at) for each, at in marks_of(page)] == [
        ("Sales were $", "0.0.12.1"),
        ("5", "0.13.14"),
        ("million.", "0.15.23.1"),
        ("a", "1.0.1.1"),
        ("b", "1.1.2.1"),
        ("c", "1.3.4.1"),
    ]


def test_the_boxes_of_a_pdf_hold_the_words_of_its_figures(client, library):
    import pypdfium2 as pdfium

    report = held(library, "annual")
    path = library.shelf.original(report.source)
    assert len(report.facts) >= 8
    with pdfium.PdfDocument(path) as document:
        for fact in report.facts.values():
            boxes = place(report, fact)["boxes"]
            assert boxes, fact.name
            inside = ""
            for number, left, top, right, bottom in boxes:
                page = document[number - 1]
                high = page.get_height()
                inside += page.get_textpage().get_text_bounded(left - 3, high - bottom - 1, right + 3, high - top + 1)
            assert digits(fact.raw) in digits(inside), (fact.name, inside)


def test_a_page_is_drawn_as_it_is_printed_in_a_process_that_may_end(client, library):
    report = held(library, "annual")
    about = client.get(f"/api/reports/{report.key}").json()
    assert (about["original"], about["pages"], about["done"]) == ("pdf", 2, [2, 2])
    assert client.get(f"/api/reports/{report.key}/pages").json()["pages"] == [[612, 792], [612, 792]]
    drawn = client.get(f"/api/reports/{report.key}/pages/1", params={"width": 306})
    assert drawn.content.startswith(b"\x89PNG") and int.from_bytes(drawn.content[16:20], "big") == 306
    for path in ("pages/0", "pages/3", "pages/1?width=9999", "original", "sheets"):
        assert client.get(f"/api/reports/{report.key}/{path}").status_code in (404, 422)
    pages = drawn_pages.Pages()
    where = library.shelf.original(report.source)
    first = pages.draw(where, 1, 100)
    os.kill(pages._process[1].pid, signal.SIGKILL)
    pages._process[1].join()
    with pytest.raises(drawn_pages.PageError):
        pages.draw(where, 2, 100)
    assert pages.draw(where, 1, 100) == first and pages.draw(where, 2, 100) != first
    pages.close()


def test_a_page_that_takes_too_much_is_told_once_and_keeps_few_waiting(tmp_path, monkeypatch):
    drawing = [PdfPage() for _ in range(2)]
    drawing[1].write(30, 30, "5")
    path = tmp_path / "two.pdf"
    path.write_bytes(make_pdf(drawing))
    pages = drawn_pages.Pages()
    with monkeypatch.context() as patched, pytest.raises(drawn_pages.PageError, match="page 1 takes too much"):
        patched.setattr(drawn_pages, "BUDGET", Budget(seconds=0.0))
        pages.draw(path, 1, 100)
    with pytest.raises(drawn_pages.PageError, match="page 1 takes too much"):  # and is not drawn again
        pages.draw(path, 1, 100)
    assert pages.draw(path, 2, 100).startswith(b"\x89PNG")
    for _ in range(drawn_pages.MOST_WAITING):
        assert pages._places.acquire(blocking=False)
    with pytest.raises(CrowdedError):
        pages.draw(path, 2, 100)
    pages.close()


def test_a_sheet_has_its_cells_at_their_addresses(client, library):
    report = held(library, "book")
    (sheet,) = client.get(f"/api/reports/{report.key}/sheets").json()["sheets"]
    assert (sheet["name"], sheet["rows"], sheet["columns"]) == ("P & L", 3, 3)
    assert sheet["cells"]["B2"] == "4391" and sheet["cells"]["A3"] == "Cost of sales"
    for fact in report.facts.values():
        name, _, address = place(report, fact)["cell"].rpartition("!")
        assert name == sheet["name"] and sheet["cells"][address] == fact.raw


def test_a_report_without_an_original_says_so(client, library):
    page = next(each for each in library.ready() if each.is_page and each.id.startswith("Single"))
    assert client.get(f"/api/reports/{page.key}").json()["original"] == ""
    assert client.get(f"/api/reports/{page.key}/original").status_code == 404


# What a person who has the document would fill in; behind a path, what its parts in braces are.
WORDS = {
    "company": "Brightmoor", "measure": "revenue", "conditions": "revenue > 1", "words": "sales", "form": "md",
    "name": "more.csv", "query": "ASK {}", "question": "what was operating income in 2024?", "on": True,
    "categories": ["2023", "2024"], "series": [{"name": "sales", "values": [1, 2]}], "title": "Sales",
    "report": "report",
}  # fmt: skip
NOT_THERE = {"/api/runs/{name}", "/api/runs/{name}/turns", "/api/conversations/{key}/turns/{number}/pictures/{picture}"}


class Stranger:
    """A client that knows of an API what its description says."""

    def __init__(self, client) -> None:
        self.client, self.api = client, client.get("/api/openapi.json").json()
        self.called: set[tuple[str, str]] = set()
        (scheme,) = self.api["components"]["securitySchemes"].values()
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")

    def call(self, path: str, method: str, **known):
        """Calls as is described, and looks at whether the reply is as described. known: what the path is about."""
        self.called.add((path, method))
        described, known = self.api["paths"][path][method], WORDS | known
        wanted = [each for each in described.get("parameters", ()) if each.get("required")]
        query = {each["name"]: known[each["name"]] for each in wanted if each["in"] == "query"}
        body = described.get("requestBody", {}).get("content", {})
        sent = {}
        if "application/json" in body:
            schema = self._whole(body["application/json"]["schema"])
            fields = schema.get("required") or schema["properties"]
            sent = {"json": {name: known[name] for name in fields if name in known}}
            jsonschema.validate(sent["json"], schema)
        elif body:
            kind = next(iter(body))
            content = {"application/x-www-form-urlencoded": b"query=ASK+%7B%7D"}.get(
                kind, b"In millions,2013\nSales,7\n"
            )
            sent = {"content": content, "headers": {"content-type": kind}}
        reply = self.client.request(method, path.format(**known), params=query, **sent)
        told = described["responses"].get(str(reply.status_code))
        kind = reply.headers["content-type"].partition(";")[0]
        assert told is not None and kind in told["content"], (path, method, reply.status_code, kind, reply.text[:200])
        if kind == "application/json" and "schema" in told["content"][kind]:
            jsonschema.validate(reply.json(), self._whole(told["content"][kind]["schema"]))
        assert reply.is_success != (path in NOT_THERE), (path, method, reply.text[:200])
        return reply

    def _whole(self, schema: dict) -> dict:
        """A schema with what it refers to."""
        named = schema.get("$ref", "").rpartition("/")[2]
        own = self.api["components"]["schemas"][named] if named else schema
        return {**own, "components": self.api["components"]}


def test_every_path_is_reached_by_who_knows_its_description_and_replies_as_it_says(library):
    app = make_app(Serving(library=library, token=TOKEN, port=8737, share=True))
    with TestClient(app, base_url="http://127.0.0.1:8737", headers=KEY) as client:
        stranger = Stranger(client)
        keys = {each["original"]: each["key"] for each in stranger.call("/api/reports", "get").json()["reports"]}
        begun = stranger.call("/api/conversations", "post", reports=[keys["html"]]).json()["conversation"]
        stranger.call("/api/conversations/{key}/ask", "post", key=begun)
        link = stranger.call("/api/conversations/{key}/share", "post", key=begun).json()["path"].rpartition("/")[2]
        fact = stranger.call("/api/reports/{key}/facts", "get", key=keys["html"]).json()["facts"][0]["name"]
        own = {"/api/reports/{key}/pages": keys["pdf"], "/api/reports/{key}/sheets": keys["sheets"]}
        later = ("delete",)
        calls = [(path, method) for path, methods in stranger.api["paths"].items() for method in methods]
        for path, method in sorted(calls, key=lambda call: (call[1] in later, call[0].endswith("undo"))):
            if (path, method) in stranger.called:
                continue
            key = begun if "conversations" in path else next((own[each] for each in own if path.startswith(each)), None)
            about = {"name": fact} if path.endswith("facts/{name}") else {}
            about |= {"number": 1, "picture": 0, "link": link, "reports": [keys["html"]]}
            if path == "/api/reports" and method == "post":
                added = stranger.call(path, method).json()["key"]
                continue
            key = added if (path, method) == ("/api/reports/{key}", "delete") else key
            stranger.call(path, method, key=key or keys["html"], **about)
        assert len(calls) > 35
