"""The paths of the HTTP API. Each calls what the command line calls."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from tieout.agent.answers.export.one_page import markdown, one_page
from tieout.agent.answers.export.workbook import workbook
from tieout.agent.session import QuestionError, fault
from tieout.data.console import json_text
from tieout.ontology.vocabulary import PREFIXES
from tieout.serve.about import about
from tieout.serve.asking.conversations import Conversations, Talk
from tieout.serve.asking.stream import Askers, answer_stream, pictures, told
from tieout.serve.guard import MOST_UPLOAD
from tieout.serve.library import Held, Library
from tieout.serve.source import fact, found, outline, part
from tieout.serve.sparql import MOST_ROWS, Endpoint, read_operation

MOST_FACTS = 1000
STREAM = "text/event-stream"
EXPORTS = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Key = Annotated[str, Field(min_length=1, max_length=400)]


class Begin(BaseModel):
    """reports: keys or ids of those that the conversation is about; none where it is about data alone."""

    model_config = ConfigDict(extra="forbid")
    reports: Annotated[list[Key], Field(max_length=50)]


class Question(BaseModel):
    """One question of a conversation."""

    model_config = ConfigDict(extra="forbid")
    question: Text


class Asked(Begin, Question):
    """A question that begins a conversation of its own."""


class Json(Response):
    """JSON as the command line prints it: exact amounts as text, other Decimals as numbers."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:  # noqa: ANN401 - any JSON value
        """The bytes of a value."""
        return json_text(content).encode()


def make_api(
    library: Library, conversations: Conversations, endpoint: Endpoint, askers: Askers, read_only: bool
) -> APIRouter:
    """The routes over what is open. read_only: reports cannot be added."""
    router = APIRouter(default_response_class=Json)

    @router.get("/api/about")
    def all_about() -> Response:
        """Who answers, the data beside the reports, the terms and recipes of the house, and what may be changed."""
        return Json({**about(conversations.plan), "read_only": read_only})

    _reports(router, library, conversations, read_only)
    _conversations(router, conversations, askers)
    _sparql(router, endpoint, askers)
    return router


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


def _reports(router: APIRouter, library: Library, conversations: Conversations, read_only: bool) -> None:
    @router.get("/api/reports")
    def list_reports() -> Response:
        """The reports that are open, with how far the reading of each is."""
        return Json({"reports": [_about(held, library) for held in library.all()], "read_only": read_only})

    @router.post("/api/reports", status_code=202)
    async def add_report(request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
        """Opens the file that is the body of the request; `name` is what it is called. It is read in the background."""
        if read_only:
            raise HTTPException(403, "this server was started with --read-only: no report can be added")
        path = await _received(request, Path(name.replace("\\", "/")).name or "report")
        try:
            held, _ = library.add(path, path.name, lambda: _forget(path))
        except BaseException:
            _forget(path)
            raise
        return Json(_about(held, library), 202)

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

    @router.get("/api/reports/{key}/facts")
    def list_facts(
        key: str,
        table: int | None = None,
        first: Annotated[int, Query(ge=0)] = 0,
        most: Annotated[int, Query(ge=1, le=MOST_FACTS)] = 100,
    ) -> Response:
        """The figures of a report in the order of print, or those of one table, `most` from number `first` on."""
        held = library.get(key)
        facts = list(held.facts.values()) if table is None else held.by_table.get(table, [])
        shown = [each.model_dump(mode="json") for each in facts[first : first + most]]
        return Json({"id": held.id, "count": len(facts), "facts": shown})

    @router.get("/api/reports/{key}/facts/{name}")
    def one_fact(key: str, name: str) -> Response:
        """One figure: what was understood of it, its place, its SPARQL, and the answers that rest on it."""
        held = library.get(key)
        if name not in held.facts:
            raise HTTPException(404, f"there is no figure {name[:60]!r}")
        using = []
        for talk in conversations.all():
            own = [alias for alias, of in talk.aliases().items() if of.key == key]
            names = {f"{alias}:{name}" if alias else name for alias in own}
            using += [(talk.key, turn) for turn in talk.turns if names & set(turn.facts_under())]
        return Json(fact(held, name, using))


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


def _talk(talk: Talk) -> dict[str, Any]:
    return {
        "conversation": talk.key,
        "reports": [{"key": held.key, "id": held.id} for held in talk.held],
        "aliases": {alias: held.key for alias, held in talk.aliases().items()},
        "turns": len(talk.turns),
    }


def _conversations(router: APIRouter, conversations: Conversations, askers: Askers) -> None:
    async def answered(request: Request, talk: Talk, question: str) -> Response:
        if why := fault(question):
            raise QuestionError(f"the question {why}")
        if STREAM in request.headers.get("accept", ""):
            events: AsyncIterator[bytes] = answer_stream(talk, question, askers)
            return StreamingResponse(events, media_type=STREAM)
        turn = await askers.run(lambda: talk.ask(question))
        return Json(told(talk, turn))

    @router.post("/api/ask")
    async def ask(request: Request, asked: Asked) -> Response:
        """Asks a question in a conversation of its own, whose name is in the answer.

        With `Accept: text/event-stream` the answer is told as it comes: events `step`, `said`, then `answer`.
        """
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return await answered(request, talk, asked.question)

    @router.get("/api/conversations")
    def list_conversations() -> Response:
        """The conversations, the longest unused first."""
        return Json({"conversations": [_talk(talk) for talk in conversations.all()]})

    @router.post("/api/conversations", status_code=201)
    async def begin(asked: Begin) -> Response:
        """Begins a conversation about reports."""
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return Json(_talk(talk), 201)

    @router.get("/api/conversations/{key}")
    def one_conversation(key: str) -> Response:
        """A conversation with all its turns."""
        talk = conversations.get(key)
        return Json({**_talk(talk), "turns": [told(talk, turn) for turn in talk.turns]})

    @router.post("/api/conversations/{key}/ask")
    async def ask_on(request: Request, key: str, asked: Question) -> Response:
        """Asks the next question; streams as `/api/ask` does."""
        return await answered(request, conversations.get(key), asked.question)

    @router.post("/api/conversations/{key}/stop")
    def stop(key: str) -> Response:
        """Stops the question that is being answered, before the next call of the backend."""
        conversations.get(key).stop()
        return Json({"stopped": True})

    @router.get("/api/conversations/{key}/export")
    def export(key: str, form: Literal["html", "xlsx", "md"]) -> Response:
        """The conversation as one HTML file, as a workbook with live formulas, or as Markdown."""
        talk = conversations.get(key)
        turns, graph = list(talk.turns), conversations.library.session_graph(talk.held)
        if form == "xlsx":
            content = workbook(turns)
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

    @router.post("/api/conversations/{key}/undo")
    def undo(key: str) -> Response:
        """Takes the last turn back."""
        talk = conversations.get(key)
        taken = talk.undo()
        return Json({"undone": taken.question if taken else None, "turns": len(talk.turns)})


def _sparql(router: APIRouter, endpoint: Endpoint, askers: Askers) -> None:
    async def sparql(request: Request) -> Response:
        """SPARQL 1.1 Protocol, queries only. A header `tieout-rows` asks for fewer rows than are given at most."""
        operation = read_operation(
            request.method,
            request.url.query,
            request.headers.get("content-type", ""),
            await request.body(),
        )
        rows, accept = request.headers.get("tieout-rows", ""), request.headers.get("accept", "")
        most = min(MOST_ROWS, int(rows)) if rows.isascii() and rows.isdecimal() and len(rows) < 9 else MOST_ROWS
        reply = await askers.run(lambda: endpoint.answer(operation, accept, most))
        headers = {"tieout-truncated": "true"} if reply.truncated else {}
        content = reply.body.encode(errors="replace")
        return Response(content, reply.status, headers, media_type=reply.media_type)

    @router.get("/api/prefixes")
    def prefixes() -> Response:
        """The prefixes that a query need not declare, with their IRIs."""
        return Json(PREFIXES)

    router.add_api_route("/sparql", sparql, methods=["GET"], operation_id="sparql_get")
    router.add_api_route("/sparql", sparql, methods=["POST"], operation_id="sparql_post")
