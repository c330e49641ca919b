"""Reports: opened, listed, shown as printed, searched."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response

from tieout.serve.api.reply import Json
from tieout.serve.guard import MOST_UPLOAD
from tieout.serve.library import Held, Library
from tieout.serve.source import found, outline, part


def add_reports(router: APIRouter, library: Library, read_only: bool) -> None:
    @router.get("/api/reports")
    def list_reports() -> Response:
        """The reports that are open, with how far the reading of each is.

        `page`: whether it is short enough (under 300 figures) to be shown whole to whoever answers; of others, parts
        are chosen for each question. `company`, `form`, `ended`: as the cover of the file or its tags say, else empty.
        """
        return Json({"reports": [_about(held, library) for held in library.all()], "read_only": read_only})

    @router.post("/api/reports", status_code=202)
    async def add_report(request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
        """Opens the file that is the body of the request; `name` is what it is called. It is read in the background.

        What is told is of before the reading, however soon that ends: `key` stays, `id` is the name of the file so far.
        """
        if read_only:
            raise HTTPException(403, "this server was started with --read-only: no report can be added")
        path = await _received(request, Path(name.replace("\\", "/")).name or "report")
        try:
            held = library.new(path.name)
            told = _about(held, library)
            library.begin(held, path, path.name, lambda: _forget(path))
        except BaseException:
            _forget(path)
            raise
        return Json(told, 202)

    @router.get("/api/reports/{key}")
    def one_report(key: str) -> Response:
        """One report."""
        return Json(_about(library.get(key), library))

    @router.get("/api/reports/{key}/outline")
    def report_outline(key: str) -> Response:
        """Its parts and its tables."""
        return Json(outline(library.get(key), library))

    @router.get("/api/reports/{key}/parts/{number}")
    def report_part(key: str, number: int) -> Response:
        """A part as printed: paragraphs and tables, with the figures in them."""
        try:
            return Json(part(library.get(key), number))
        except IndexError:
            raise HTTPException(404, f"there is no part {number}") from None

    @router.get("/api/reports/{key}/search")
    def search_report(key: str, words: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
        """The lines and sentences that have these words."""
        return Json(found(library.get(key), words.split()[:12], library))


async def _received(request: Request, name: str) -> Path:
    """The body in a file of its own, in a folder of its own. Raises HTTPException 413."""
    folder = Path(tempfile.mkdtemp(prefix="tieout-upload-"))
    path = folder / "".join(letter if letter.isprintable() else "_" for letter in name)[:100].lstrip(".")
    size = 0
    try:
        with path.open("wb") as file:
            async for chunk in request.stream():
                size += len(chunk)
                if size > MOST_UPLOAD:
                    raise HTTPException(413, f"a report has {MOST_UPLOAD >> 20} MB at most")
                file.write(chunk)
        if not size:
            raise HTTPException(400, "the request has no body: it is the file")
    except BaseException:
        _forget(path)
        raise
    return path


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.rmdir()


def _about(held: Held, library: Library) -> dict[str, Any]:
    entry = library.entry(held) if held.state == "ready" else None
    return {
        "key": held.key,
        "id": held.id,
        "state": held.state,
        "message": held.message,
        "page": held.is_page,
        "figures": entry.facts if entry else 0,
        "company": entry.company if entry else "",
        "form": entry.form if entry else "",
        "ended": entry.ended.isoformat() if entry and entry.ended else None,
    }
