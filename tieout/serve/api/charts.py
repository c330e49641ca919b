"""A chart of figures, as SVG in the colours of the page."""

from __future__ import annotations

import threading
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response
from pydantic import BaseModel, Field

from tieout.data.output.chart import COLOURS, Chart, ChartError, Series, page_svg

MOST = 200  # figures of a series
INCH = 96  # pixels
Texts = Annotated[list[Annotated[str, Field(max_length=400)]], Field(max_length=MOST)]
Figures = Annotated[list[Annotated[float, Field(ge=-1e100, le=1e100)] | None], Field(max_length=MOST)]


class SeriesAsked(BaseModel):
    """Figures of one name, one for each category, null for none. shown: as they read; links: where each leads."""

    name: str = Field(max_length=400)
    values: Figures
    shown: Texts = []
    links: Texts = []


class ChartAsked(BaseModel):
    """categories: what stands below. unit: beside the axis. width: in pixels."""

    title: str = Field("", max_length=400)
    unit: str = Field("", max_length=100)
    kind: Literal["bars", "lines"] = "bars"
    width: int = Field(768, ge=240, le=2000)
    categories: Texts
    series: list[SeriesAsked] = Field(min_length=1, max_length=COLOURS)


def add_charts(router: APIRouter) -> None:
    """Adds the path."""
    one_at_a_time = threading.Lock()  # matplotlib has its settings for all threads

    @router.post("/api/chart", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
    def draw_chart(asked: ChartAsked) -> Response:
        """A chart of figures that somebody has, as SVG; its colours are variables of the page that shows it."""
        series = tuple(_series(each, len(asked.categories)) for each in asked.series)
        chart = Chart(asked.title, tuple(asked.categories), series, asked.unit, asked.kind)
        try:
            with one_at_a_time:
                return Response(page_svg(chart, asked.width / INCH), media_type="image/svg+xml")
        except ChartError as error:
            raise HTTPException(501, str(error)) from None


def _series(asked: SeriesAsked, count: int) -> Series:
    """Raises HTTPException where it has not one for each category."""
    if any(len(each) not in (count, 0) for each in (asked.shown, asked.links)) or len(asked.values) != count:
        raise HTTPException(422, f"{asked.name[:60]!r} has not one figure for each of the {count} categories")
    return Series(asked.name, tuple(asked.values), tuple(asked.shown), tuple(asked.links))
