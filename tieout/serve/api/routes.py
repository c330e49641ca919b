"""All paths of the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from fastapi.routing import APIRoute

from tieout.data.system import version
from tieout.serve.about import about
from tieout.serve.api import schema
from tieout.serve.api.charts import add_charts
from tieout.serve.api.companies import add_companies
from tieout.serve.api.conversations import add_conversations
from tieout.serve.api.exports import add_exports, add_shared
from tieout.serve.api.figures import add_figures
from tieout.serve.api.originals import add_originals
from tieout.serve.api.query import add_sparql
from tieout.serve.api.reply import Json
from tieout.serve.api.reports import add_reports
from tieout.serve.api.runs import add_runs
from tieout.serve.asking.pages import Pages
from tieout.serve.conversations import Conversations
from tieout.serve.library import Library
from tieout.serve.sparql import Endpoint
from tieout.serve.stream import Askers

FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": schema.Fault, "description": what}
    for status, what in (
        (400, "What is asked is wrong"),
        (404, "There is no such thing, or it is not ready"),
        (409, "The last question is still being answered"),
        (422, "The request is not as it is declared"),
        (503, "Too much at once: ask again in a moment"),
    )
}


def make_api(
    library: Library,
    conversations: Conversations,
    endpoint: Endpoint,
    askers: Askers,
    queries: Askers,
    pages: Pages,
    *,
    runs: Path | None,
    read_only: bool,
    share: bool,
) -> APIRouter:
    """The routes over what is open.

    askers, queries: threads of questions, and of SPARQL. pages: draws those of a PDF. runs: the folder of those that
    are shown. read_only: reports cannot be added or taken out. share: a link may show a conversation.
    """
    router = APIRouter(default_response_class=Json, responses=FAULTS)

    @router.get("/api/about", response_model=schema.About)
    def all_about() -> Response:
        """Who answers, the data beside the reports, the terms and recipes of the house, and what may be changed."""
        told = about(conversations.plan)
        told |= {"read_only": read_only, "share": share, "kept": len(library.kept())}
        return Json({"version": version.OWN, **told})

    add_reports(router, library, read_only)
    add_originals(router, library, pages)
    add_figures(router, library, conversations)
    add_companies(router, library)
    add_charts(router)
    add_conversations(router, conversations, askers)
    add_exports(router, conversations)
    add_shared(router, conversations, share)
    add_runs(router, runs)
    add_sparql(router, endpoint, queries)
    for route in router.routes:
        if isinstance(route, APIRoute):  # told in a sentence, and not by the name of a function
            route.summary = " ".join(route.description.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".:")
    return router
