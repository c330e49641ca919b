"""SPARQL over what is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from tieout.ontology.vocabulary import PREFIXES
from tieout.serve.api.reply import Json
from tieout.serve.sparql import FORM, GRAPHS, MOST_ROWS, QUERY, SOLUTIONS, Endpoint, read_operation
from tieout.serve.stream import Askers, LeftError, until_left

PIECE = 64 * 1024  # characters


async def _pieces(text: str) -> AsyncIterator[bytes]:
    """The text in pieces, each made when the one before is on its way: a reply is not in memory twice."""
    for at in range(0, len(text), PIECE):
        yield text[at : at + PIECE].encode(errors="replace")


def add_sparql(router: APIRouter, endpoint: Endpoint, askers: Askers) -> None:
    """Adds the paths. askers: threads of queries alone, so that no question waits for one."""

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
        leaving = until_left(request.receive)
        try:
            reply = await askers.run(
                lambda: endpoint.answer(operation, accept, most), leaving, lambda: endpoint.stop(operation)
            )
        except LeftError:
            return Response(status_code=499)  # as nginx has it: nobody is there to read it
        headers = {"tieout-truncated": "true"} if reply.truncated else {}
        return StreamingResponse(_pieces(reply.body), reply.status, headers, media_type=reply.media_type)

    @router.get("/api/prefixes", response_model=dict[str, str])
    def prefixes() -> Response:
        """The prefixes that a query need not declare, with their IRIs."""
        return Json(PREFIXES)

    forms = {"200": {"description": "The result", "content": {form: {} for form in (*SOLUTIONS, *GRAPHS)}}}
    query = {"name": "query", "in": "query", "required": True, "schema": {"type": "string"}}
    body = {"required": True, "content": {FORM: {"schema": {"type": "object"}}, QUERY: {"schema": {"type": "string"}}}}
    for method, extra in (("GET", {"parameters": [query]}), ("POST", {"requestBody": body})):
        told: dict[str, Any] = {
            "operation_id": f"sparql_{method.lower()}",
            "openapi_extra": extra | {"responses": forms},
        }
        router.add_api_route("/sparql", sparql, methods=[method], response_class=Response, **told)
