"""Reports: opened, listed, shown as printed, searched."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from tieout.kg.index.passage import ReportEntry
from tieout.serve.api import schema
from tieout.serve.api.reply import Json
from tieout.serve.guard import BODY_SECONDS, MOST_UPLOAD
from tieout.serve.library import Held, Library, has
from tieout.serve.source import found, outline, part

BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
MOST_NAME = 100  # bytes of a name, without its suffix
MOST_LISTED = 100


class Wanted(BaseModel):
    """The id of a report that the store keeps."""

    model_config = ConfigDict(extra="forbid")
    report: Annotated[str, Field(min_length=1, max_length=400)]


def add_reports(router: APIRouter, library: Library, read_only: bool) -> None:
    """Adds the paths. read_only: reports cannot be added or taken out."""
    _add_opened(router, library, read_only)
    _add_shown(router, library)


def _add_opened(router: APIRouter, library: Library, read_only: bool) -> None:
    @router.get("/api/reports", response_model=schema.Reports)
    def list_reports() -> Response:
        """The reports that are open, with how far the reading of each is.

        `page`: whether it is short enough (under 300 figures) to be shown whole to whoever answers; of others, parts
        are chosen for each question. `company`, `form`, `ended`: as the cover of the file or its tags say, else empty.
        """
        return Json({"reports": [_about(held, library) for held in library.all()], "read_only": read_only})

    @router.post("/api/reports", status_code=202, response_model=schema.Report, openapi_extra=BODY)
    async def add_report(request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
        """Opens the file that is the body of the request; `name` is what it is called. It is read in the background.

        What is told is of before the reading, however soon that ends: `key` stays, `id` is the name of the file so far.
        """
        if read_only:
            raise HTTPException(403, "this server was started with --read-only: no report can be added")
        called = clean_name(name)
        path = await _received(request, library.shelf.folder, called)
        try:
            held = library.new(called)
            told = _about(held, library)
            library.begin(held, path, called, lambda: _forget(path))
        except BaseException:
            _forget(path)
            raise
        return Json(told, 202)

    @router.get("/api/library", response_model=schema.Known)
    def list_known(words: Annotated[str, Query(max_length=200)] = "") -> Response:
        """The reports that can be asked, and behind them those that the store keeps and that are not open, which have
        no key; the first hundred. words: all stand in the id, the company, the form or the last day."""
        sought = words.split()[:12]
        known = [(held.key, entry) for held in library.ready() if (entry := library.entry(held)) and has(entry, sought)]
        found = [*known, *((None, each.entry) for each in library.kept(sought))]
        return Json({"count": len(found), "reports": [_known(*each) for each in found[:MOST_LISTED]]})

    @router.post("/api/library", status_code=201, response_model=schema.Report)
    def open_kept(wanted: Wanted) -> Response:
        """Opens a report that the store keeps, by its id: it is not read again, and can be asked at once."""
        return Json(_about(library.open_kept(wanted.report), library), 201)

    @router.delete("/api/reports/{key}", response_model=schema.Removed)
    def remove_report(key: str) -> Response:
        """Takes a report out. Conversations about it stay to be read; they cannot be asked on."""
        if read_only:
            raise HTTPException(403, "this server was started with --read-only: no report can be taken out")
        library.remove(key)
        return Json({"removed": key})


def _add_shown(router: APIRouter, library: Library) -> None:
    @router.get("/api/reports/{key}", response_model=schema.Report)
    def one_report(key: str) -> Response:
        """One report."""
        return Json(_about(library.get(key), library))

    @router.get("/api/reports/{key}/outline", response_model=schema.Outline)
    def report_outline(key: str) -> Response:
        """Its parts and its tables."""
        return Json(outline(library.get(key), library))

    @router.get("/api/reports/{key}/parts/{number}", response_model=schema.PrintedPart)
    def report_part(key: str, number: int) -> Response:
        """A part as printed: paragraphs and tables, with the figures in them."""
        try:
            return Json(part(library.get(key), number))
        except IndexError:
            raise HTTPException(404, f"there is no part {number}") from None

    @router.get("/api/reports/{key}/search", response_model=schema.Found)
    def search_report(key: str, words: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
        """The lines and sentences that have these words."""
        return Json(found(library.get(key), words.split()[:12], library))


def clean_name(name: str) -> str:
    """What a file that is sent is called, here and on disk: the last part of its path, in one line and not too long;
    "report" where nothing is left. It is no path: neither hidden, nor a folder."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    shown = "".join(letter if letter.isprintable() else "_" for letter in last).strip(" .")
    stem, dot, suffix = shown.rpartition(".") if len(shown.rpartition(".")[2]) < 10 else (shown, "", "")
    return f"{_cut(stem, MOST_NAME)}{dot}{suffix}".strip(" .") or "report"


def _cut(text: str, size: int) -> str:
    return text.encode(errors="replace")[:size].decode(errors="ignore")


async def _received(request: Request, folder: Path, name: str) -> Path:
    """The body in a file in a folder of its own inside `folder`. Raises HTTPException 400, 408, 413."""
    path = Path(tempfile.mkdtemp(prefix="sent-", dir=folder)) / name
    size = 0
    try:
        with path.open("wb") as file:
            stream = request.stream()
            while (chunk := await _next(stream)) is not None:
                size += len(chunk)
                if size > MOST_UPLOAD:
                    raise HTTPException(413, f"a report has {MOST_UPLOAD >> 20} MB at most")
                file.write(chunk)
        if not size:
            raise HTTPException(400, "the file is empty: it is sent as the body")
    except BaseException:
        _forget(path)
        raise
    return path


async def _next(stream: AsyncGenerator[bytes]) -> bytes | None:
    """The next piece of a body; None at its end. Raises HTTPException 408 where it does not come."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await anext(stream, None)
    except TimeoutError:
        raise HTTPException(408, "the rest of the file did not come") from None


def _forget(path: Path) -> None:
    shutil.rmtree(path.parent, ignore_errors=True)


def _known(key: str | None, entry: ReportEntry) -> dict[str, Any]:
    ended = entry.ended.isoformat() if entry.ended else None
    return {"key": key, "id": entry.id, "company": entry.company, "form": entry.form, "ended": ended}


def _about(held: Held, library: Library) -> dict[str, Any]:
    entry = library.entry(held) if held.state == "ready" else None
    return {
        "key": held.key,
        "id": held.id,
        "state": held.state,
        "message": held.message,
        "done": held.done,
        "page": held.is_page,
        "figures": entry.facts if entry else 0,
        "company": entry.company if entry else "",
        "form": entry.form if entry else "",
        "ended": entry.ended.isoformat() if entry and entry.ended else None,
        "original": held.source.form if entry else "",
        "pages": held.source.pages if entry else 0,
    }
