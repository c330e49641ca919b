"""All that is served, as one application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from tieout.agent.log.log import LogError
from tieout.agent.protocol.message import BackendError
from tieout.agent.session import QuestionError
from tieout.data.output.look import look
from tieout.export.workbook import ExportError
from tieout.kg.companies.library import LibraryError as NotKeptError
from tieout.kg.companies.measure import MeasureError
from tieout.kg.companies.output.text import OutputError
from tieout.kg.index.words import WordIndexError
from tieout.kg.store.endpoint import Endpoint as Beyond
from tieout.kg.store.store import StoreError
from tieout.serve.api.reply import Json
from tieout.serve.api.routes import make_api
from tieout.serve.asking.desk import Plan
from tieout.serve.asking.kept import Kept, KeptError
from tieout.serve.asking.pages import CrowdedError, Pages
from tieout.serve.conversations import BusyError, ConversationError, Conversations, NoReportError
from tieout.serve.guard import LOOPBACK, SHARED, Guard
from tieout.serve.library import Library, LibraryError
from tieout.serve.sparql import MOST_WAITING, Endpoint, ProtocolError
from tieout.serve.stream import Askers

ASSETS = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/query": ("query.html", "text/html; charset=utf-8"),
    "/api": ("api.html", "text/html; charset=utf-8"),
    "/api.css": ("api.css", "text/css; charset=utf-8"),
    "/api.js": ("api.js", "text/javascript; charset=utf-8"),
    "/look.css": ("look.css", "text/css; charset=utf-8"),
    "/base.css": ("base.css", "text/css; charset=utf-8"),
    "/query.css": ("query.css", "text/css; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/tools.js": ("tools.js", "text/javascript; charset=utf-8"),
    "/source.js": ("source.js", "text/javascript; charset=utf-8"),
    "/original.js": ("original.js", "text/javascript; charset=utf-8"),
    "/talk.js": ("talk.js", "text/javascript; charset=utf-8"),
    "/answer.js": ("answer.js", "text/javascript; charset=utf-8"),
    "/companies.js": ("companies.js", "text/javascript; charset=utf-8"),
    "/grid.js": ("grid.js", "text/javascript; charset=utf-8"),
    "/kept.js": ("kept.js", "text/javascript; charset=utf-8"),
    "/query.js": ("query.js", "text/javascript; charset=utf-8"),
    "/yasgui/yasgui.min.js": ("vendor/yasgui/yasgui.min.js", "text/javascript; charset=utf-8"),
    "/yasgui/yasgui.min.css": ("vendor/yasgui/yasgui.min.css", "text/css; charset=utf-8"),
}
STATUS: dict[type[Exception], int] = {
    BusyError: 409,
    NoReportError: 400,
    CrowdedError: 503,
    ConversationError: 404,
    LibraryError: 404,
    NotKeptError: 404,
    MeasureError: 400,
    OutputError: 501,
    QuestionError: 400,
    BackendError: 502,
    LogError: 500,
    KeptError: 500,
    StoreError: 500,
    WordIndexError: 500,
    ExportError: 501,
}


@dataclass(frozen=True)
class Serving:
    """What is served and how. told: hears a line for each request.

    plan: how questions are answered, in how many processes beside this one. store, beyond: a store, or an endpoint,
    that /sparql asks in place of the reports that are open. runs: the folder of the runs that are shown. kept: where
    conversations are kept, else in memory. share: whether a link may show a conversation to who has no token.
    """

    library: Library
    token: str
    port: int
    plan: Plan = field(default_factory=Plan)
    store: Path | None = None
    beyond: Beyond | None = None
    processes: int = 0
    kept: Kept | None = None
    share: bool = False
    runs: Path | None = None
    read_only: bool = False
    names: Collection[str] = LOOPBACK
    told: Callable[[str], None] = field(default=lambda line: None)


def make_app(serving: Serving) -> Guard:
    """The application behind its guard. It ends its conversations and its worker when it is shut down."""
    conversations = Conversations(serving.library, serving.plan, serving.processes, serving.kept)
    endpoint = Endpoint(serving.library, serving.store, serving.beyond)
    askers, pages = Askers(), Pages()
    queries = Askers(endpoint.at_once, MOST_WAITING, "queries")

    @asynccontextmanager
    async def open_until_shut_down(app: FastAPI) -> AsyncIterator[None]:
        yield
        for talk in conversations.under_way():
            talk.stop()
        endpoint.stop()
        for each in (askers, queries):
            each.close()
        conversations.close()
        pages.close()
        endpoint.close()

    app = FastAPI(
        title="tieout",
        description="Questions to financial reports, where every number ties out to its cell or sentence.",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=open_until_shut_down,
    )
    parts = (serving.library, conversations, endpoint, askers, queries, pages)
    app.include_router(make_api(*parts, runs=serving.runs, read_only=serving.read_only, share=serving.share))
    _add_assets(app)
    _add_errors(app)
    _describe(app)
    return Guard(app, serving.token, serving.port, serving.names, serving.told, serving.share)


def _describe(app: FastAPI) -> None:
    """Says in OpenAPI how to be let in, which the guard in front of the application sees to."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        found = plain()
        schemes = found.setdefault("components", {}).setdefault("securitySchemes", {})
        schemes["token"] = {"type": "http", "scheme": "bearer", "description": "The token that `tieout serve` prints."}
        found["security"] = [{"token": []}]
        for path, methods in found["paths"].items():
            for status, reply in (told for each in methods.values() for told in each["responses"].items()):
                if status >= "400" and reply.get("content"):  # what is wrong is told alike, whatever else a path gives
                    reply["content"] = {"application/json": next(iter(reply["content"].values()))}
            if path.startswith(SHARED):
                methods["get"]["security"] = []
        return found

    app.openapi = described  # type: ignore[method-assign]


def _add_assets(app: FastAPI) -> None:
    folder = files("tieout.serve") / "assets"
    for path, (name, media_type) in ASSETS.items():
        content = look().encode() if name == "look.css" else (folder / name).read_bytes()

        def asset(content: bytes = content, media_type: str = media_type) -> Response:
            return Response(content, media_type=media_type)

        app.add_api_route(path, _without_parameters(asset), methods=["GET"], include_in_schema=False)


def _without_parameters(asset: Callable[[], Response]) -> Callable[[], Response]:
    """The function with what it closes over hidden: parameters would be read from the request."""
    return lambda: asset()


def _not(sent: str) -> str:
    return f", not {sent[:60]}" if sent else ""


def _add_errors(app: FastAPI) -> None:
    """What is wrong with a request, in one line; nothing of what was sent is sent back but what the line names."""

    async def told(request: Request, error: Exception) -> Response:
        status = next(code for kind, code in STATUS.items() if isinstance(error, kind))
        return Json({"error": str(error)}, status)

    for kind in STATUS:
        app.add_exception_handler(kind, told)

    async def not_as_declared(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != "application/json" and any(each["loc"] == ("body",) for each in error.errors()):
            return Json({"error": f"the body is JSON: send the header Content-Type: application/json{_not(sent)}"}, 422)
        wrong = "; ".join(
            f"{'.'.join(str(part)[:40] for part in each['loc'])}: {each['msg'][:200]}" for each in error.errors()[:5]
        )
        return Json({"error": wrong}, 422)

    async def not_there(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return Json({"error": str(error.detail)}, error.status_code, error.headers)

    async def not_the_protocol(request: Request, error: Exception) -> Response:
        assert isinstance(error, ProtocolError)
        return Response(f"{error}\n".encode(errors="replace"), error.status, media_type="text/plain; charset=utf-8")

    app.add_exception_handler(RequestValidationError, not_as_declared)
    app.add_exception_handler(HTTPException, not_there)
    app.add_exception_handler(ProtocolError, not_the_protocol)
