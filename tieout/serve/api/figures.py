"""The figures of a report: listed, and one with all that is known of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import Response
from pydantic_core import to_jsonable_python

from tieout.serve.api import schema
from tieout.serve.api.reply import Json
from tieout.serve.conversations import Conversations
from tieout.serve.library import Library
from tieout.serve.source import fact

MOST_FACTS = 1000


def add_figures(router: APIRouter, library: Library, conversations: Conversations) -> None:
    """Adds the paths. conversations: whose answers may rest on a figure."""

    @router.get("/api/reports/{key}/facts", response_model=schema.Facts)
    def list_facts(
        key: str,
        table: int | None = None,
        first: Annotated[int, Query(ge=0)] = 0,
        most: Annotated[int, Query(ge=1, le=MOST_FACTS)] = 100,
    ) -> Response:
        """The figures of a report in the order of print, or those of one table, `most` from number `first` on."""
        held = library.get(key)
        facts = list(held.facts.values()) if table is None else held.by_table.get(table, [])
        shown = to_jsonable_python(facts[first : first + most])
        return Json({"id": held.id, "count": len(facts), "facts": shown})

    @router.get("/api/reports/{key}/facts/{name}", response_model=schema.Figure)
    def one_fact(key: str, name: str) -> Response:
        """One figure: what was understood of it, its place, its SPARQL, and the answers that rest on it."""
        held = library.get(key)
        if name not in held.facts:
            raise HTTPException(404, f"there is no figure {name[:60]!r}")
        using = []
        for talk in conversations.under_way():
            own = [alias for alias, of in talk.aliases().items() if of.key == key]
            names = {f"{alias}:{name}" if alias else name for alias in own}
            using += [(talk.key, turn) for turn in talk.turns if names & set(turn.facts_under())]
        return Json(fact(held, name, using))
