"""The original of a report: the pages of a PDF as pictures, a web page as it was filed, the sheets of a workbook."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse, Response

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.serve.api import schema
from tieout.serve.api.reply import Json
from tieout.serve.asking.pages import PageError, Pages
from tieout.serve.guard import ORIGINAL
from tieout.serve.library import Held, Library
from tieout.serve.source import stands_after

# Only what a figure stands in is marked; nothing else in the page is ours. The page that shows it lights the marks.
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The report as it was filed</title><style>'
    "html{background:#fff;color:#000;color-scheme:only light}body{margin:1rem;font:14px/1.4 serif}"
    "img{max-width:100%}.tieout-lit{background:#fff0b8!important;outline:2px solid #e0b400}"
    ".tieout-strong{background:#ffd54a!important;outline:3px solid #1c4fa0}</style></head><body>"
)
ADDRESS = later(r"([A-Z]{1,3})([0-9]{1,7})")


def add_originals(router: APIRouter, library: Library, pages: Pages) -> None:
    """Adds the paths."""

    def shown(key: str, form: str) -> Held:
        held = library.get(key)
        if held.source.form != form:
            raise HTTPException(404, f"{held.id!r} cannot be shown so: its original is {held.source.form or 'data'}")
        return held

    @router.get(ORIGINAL, response_class=HTMLResponse)
    def original(key: str) -> Response:
        """A web page as it was filed, without scripts and anything of elsewhere, for a frame.

        `data-cell` says of an element which cell of a table it is: `8.12.1` is `t8r12c1`; `data-span` which characters
        of which paragraph.
        """
        path = library.original(shown(key, "html"))
        if not path.is_file():
            raise HTTPException(404, "the original is not ready, or tieout[serve] is not installed whole")
        return HTMLResponse(f"{HEAD}{path.read_text('utf-8')}</body></html>")

    png: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}

    @router.get("/api/reports/{key}/pages/{number}", response_class=Response, responses=png)
    def page(key: str, number: int, width: Annotated[int, Query(ge=50, le=3000)] = 1200) -> Response:
        """A page of a PDF as it is printed, as PNG, from number 1 on."""
        held = shown(key, "pdf")
        try:
            return Response(pages.draw(library.original(held), number, width), media_type="image/png")
        except PageError as error:
            raise HTTPException(404, str(error)) from None

    @router.get("/api/reports/{key}/pages", response_model=schema.PageSizes)
    def sizes(key: str) -> Response:
        """The width and height of each page of a PDF, in points."""
        return Json({"pages": shown(key, "pdf").read.pages})

    @router.get("/api/reports/{key}/sheets", response_model=schema.Sheets)
    def sheets(key: str) -> Response:
        """The sheets of a workbook with what is shown in their cells."""
        return Json({"sheets": sheets_of(shown(key, "sheets").read)})


def sheets_of(document: Document) -> list[dict[str, object]]:
    """The cells of each sheet by address, from the places of what was read; in the order of the file."""
    found: dict[str, dict[str, str]] = {}
    placed = [((at, 1), each) for at, each in enumerate(zip(document.places, document.paragraphs, strict=False))]
    for table in document.tables:
        before = stands_after(document, table), 0
        for row, places in enumerate(table.places):
            placed += ((before, each) for each in zip(places, table.rows[row], strict=False))
    texts = [each for _, each in sorted(placed, key=lambda each: each[0])]
    for place, text in texts:
        name, _, address = place.rpartition("!")
        if name and text and (first := ADDRESS.match(address)):
            cells = found.setdefault(name, {})
            cells[first[0]] = f"{cells[first[0]]}\n{text}" if first[0] in cells and cells[first[0]] != text else text
    return [
        {"name": name, "rows": max(_at(each)[0] for each in cells), "columns": max(_at(each)[1] for each in cells)}
        | {"cells": cells}
        for name, cells in found.items()
    ]


def _at(address: str) -> tuple[int, int]:
    """Row and column of a cell, both from 1."""
    match = ADDRESS.fullmatch(address)
    assert match is not None, address
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]), column
