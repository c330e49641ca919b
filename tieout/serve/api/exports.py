"""What of a conversation is given away: the whole as one file, and the pictures of its answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, HTTPException
from fastapi.responses import HTMLResponse, Response

from tieout.data.console import json_text
from tieout.export.one_page import markdown, one_page
from tieout.export.workbook import workbook
from tieout.serve.api import schema
from tieout.serve.api.reply import Json
from tieout.serve.asking.pages import CrowdedError
from tieout.serve.conversations import Conversations
from tieout.serve.guard import SHARED
from tieout.serve.stream import pictures, told

EXPORTS = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


MOST_WAITING = 16  # who waits for a conversation that is shared


def add_shared(router: APIRouter, conversations: Conversations, share: bool) -> None:
    """Adds the path that lets a link show a conversation, and the page behind it, which needs no token.

    share: whether that is switched on for this server.
    """

    @router.post("/api/conversations/{key}/share", response_model=schema.Shared)
    def share_conversation(key: str, on: Annotated[bool, Body(embed=True)]) -> Response:
        """Lets a link show the conversation to whoever has it, to be read and no more; or no longer.

        The link is signed; a later one for the same conversation is another one.
        """
        if on and not share:
            raise HTTPException(403, "conversations are not shared here: start the server with --share")
        conversations.get(key)
        link = conversations.kept.share(key, on)
        return Json({"path": f"{SHARED}{link}" if link else None})

    one = CapacityLimiter(1)  # a thread of its own: who has a link keeps nobody waiting who has the token
    waiting = 0

    @router.get(SHARED + "{link}", response_class=HTMLResponse)
    async def shared_conversation(link: str) -> Response:
        """A conversation as one page, to be read: its answers, beside what they rest on."""
        nonlocal waiting
        if waiting >= MOST_WAITING:
            raise CrowdedError("too many read what is shared: ask again in a moment")
        waiting += 1
        try:
            return await run_sync(show, link, limiter=one)
        finally:
            waiting -= 1

    def show(link: str) -> Response:
        key = conversations.kept.shared(link[:200]) if share else None
        if key is None:
            raise HTTPException(404, "this link shows no conversation, or no longer")
        talk = conversations.get(key)
        return HTMLResponse(one_page(list(talk.turns), talk.source(), talk.title))


def add_exports(router: APIRouter, conversations: Conversations) -> None:
    """Adds the paths."""

    files: dict[str, Any] = {form.partition(";")[0]: {} for form in EXPORTS.values()}

    @router.get("/api/conversations/{key}/export", response_class=Response, responses={200: {"content": files}})
    def export(key: str, form: Literal["html", "xlsx", "md", "json"]) -> Response:
        """The conversation as one HTML file, as a workbook with live formulas, as Markdown, or as its answers in JSON.

        For HTML its reports have to be open: it shows what the answers rest on.
        """
        talk = conversations.get(key)
        turns = list(talk.turns)
        if form == "html":
            content = one_page(turns, talk.source(), talk.title).encode(errors="replace")
        elif form == "md":
            about = " + ".join(each.id for each in talk.members)
            content = markdown(turns, about).encode(errors="replace")
        else:
            content = workbook(turns) if form == "xlsx" else json_text([told(talk, turn) for turn in turns]).encode()
        headers = {"content-disposition": f'attachment; filename="conversation.{form}"'}
        return Response(content, 200, headers, media_type=EXPORTS[form])

    png: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}

    @router.get("/api/conversations/{key}/turns/{number}/pictures/{picture}", response_class=Response, responses=png)
    def picture(key: str, number: int, picture: int) -> Response:
        """A picture that was drawn for an answer, as PNG."""
        turns = conversations.get(key).turns
        drawn = dict(pictures(turns[number])) if 0 <= number < len(turns) else {}
        if picture not in drawn or not drawn[picture].is_file():
            raise HTTPException(404, "there is no such picture")
        return Response(drawn[picture].read_bytes(), media_type="image/png")
