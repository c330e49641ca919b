"""What of a conversation is given away: the whole as one file, and the pictures of its answers."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from tieout.agent.answers.export.one_page import markdown, one_page
from tieout.agent.answers.export.workbook import workbook
from tieout.serve.asking.conversations import Conversations
from tieout.serve.asking.stream import pictures

EXPORTS = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def add_exports(router: APIRouter, conversations: Conversations) -> None:
    """Adds the paths."""

    @router.get("/api/conversations/{key}/export")
    def export(key: str, form: Literal["html", "xlsx", "md"]) -> Response:
        """The conversation as one HTML file, as a workbook with live formulas, or as Markdown."""
        talk = conversations.get(key)
        turns, graph = list(talk.turns), conversations.library.session_graph(talk.held)
        if form == "xlsx":
            content = workbook(turns, graph)
        else:
            text = one_page(turns, graph) if form == "html" else markdown(turns, graph.document_id)
            content = text.encode(errors="replace")
        headers = {"content-disposition": f'attachment; filename="conversation.{form}"'}
        return Response(content, 200, headers, media_type=EXPORTS[form])

    @router.get("/api/conversations/{key}/turns/{number}/pictures/{picture}")
    def picture(key: str, number: int, picture: int) -> Response:
        """A picture that was drawn for an answer, as PNG."""
        turns = conversations.get(key).turns
        drawn = dict(pictures(turns[number])) if 0 <= number < len(turns) else {}
        if picture not in drawn or not drawn[picture].is_file():
            raise HTTPException(404, "there is no such picture")
        return Response(drawn[picture].read_bytes(), media_type="image/png")
