"""SPARQL over what is open."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from tieout.ontology.vocabulary import PREFIXES
from tieout.serve.api.reply import Json
from tieout.serve.asking.stream import Askers, LeftError, until_left
from tieout.serve.sparql import MOST_ROWS, Endpoint, read_operation

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
            reply = await askers.run(lambda: endpoint.answer(operation, accept, most), leaving, endpoint.stop)
        except LeftError:
            return Response(status_code=499)  # as nginx has it: nobody is there to read it
        headers = {"tieout-truncated": "true"} if reply.truncated else {}
        return StreamingResponse(_pieces(reply.body), reply.status, headers, media_type=reply.media_type)

    @router.get("/api/prefixes", response_model=dict[str, str])
    def prefixes() -> Response:
        """The prefixes that a query need not declare, with their IRIs."""
        return Json(PREFIXES)

    router.add_api_route("/sparql", sparql, methods=["GET"], operation_id="sparql_get")
    router.add_api_route("/sparql", sparql, methods=["POST"], operation_id="sparql_post")
