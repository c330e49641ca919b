"""SPARQL over what is open."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from tieout.ontology.vocabulary import PREFIXES
from tieout.serve.api.reply import Json
from tieout.serve.asking.stream import Askers
from tieout.serve.sparql import MOST_ROWS, Endpoint, read_operation


def add_sparql(router: APIRouter, endpoint: Endpoint, askers: Askers) -> None:
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
