"""Charts of figures, by matplotlib, as SVG or PNG: the same to the byte for the same figures, each a link where wanted.

draw(Chart("Net sales", ("2023", "2024"), (Series("Net sales", (Decimal(3029), Decimal(3282))),), "$ million"), "svg")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from typing import Any, Literal

MOST_LABELLED = 12  # bars or points that carry their figure; of more they would cover each other
LONGEST = 120  # characters of a text in a chart
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)


class ChartError(RuntimeError):
    """A chart cannot be drawn: a package is missing, or there is nothing to draw."""


@dataclass(frozen=True, slots=True)
class Series:
    """Figures of one name, one for each category, None where there is none. shown: as they read; links: to where each
    is printed, `#t5r5c1`; both of the length of values, or empty."""

    name: str
    values: tuple[Decimal | None, ...]
    shown: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """categories: what stands below: years, segments. unit: of all figures, beside the axis."""

    title: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str = ""
    kind: Literal["bars", "lines"] = "bars"


def can_draw() -> bool:
    """Whether what draws is installed."""
    return find_spec("matplotlib") is not None


def draw(chart: Chart, form: Literal["svg", "png"]) -> bytes:
    """The chart as a file. Raises ChartError without matplotlib, and for a chart without a figure."""
    if not can_draw():
        raise ChartError("a chart needs matplotlib: pip install 'tieout[report]'")
    if not any(value is not None for each in chart.series for value in each.values):
        raise ChartError("there is no figure to draw")
    with drawing(sha256(repr(chart).encode()).hexdigest()) as (figure, axes):
        _bars(axes, chart) if chart.kind == "bars" else _lines(axes, chart)
        axes.set_xticks(range(len(chart.categories)), [_plain(each) for each in chart.categories])
        axes.set_title(_plain(chart.title), wrap=True)
        axes.set_ylabel(_plain(chart.unit))
        axes.axhline(0, color="#555555", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        if len(chart.series) > 1:
            axes.legend()
        return saved(figure, form)


@contextmanager
def drawing(salt: str) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes, to be drawn on and saved inside. salt: what is drawn, for the names in an SVG."""
    import matplotlib

    settings: Any = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "figure.figsize": (8, 4.5),
        "savefig.dpi": 150,
    }
    with matplotlib.rc_context(settings):
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        yield figure, figure.subplots()


def saved(figure: Any, form: Literal["svg", "png"]) -> bytes:  # noqa: ANN401 - matplotlib's
    """A figure as a file that tells neither when nor by what it was drawn."""
    out = BytesIO()
    figure.savefig(out, format=form, metadata={"Date": None} if form == "svg" else {"Software": None})
    return out.getvalue()


def inline_svg(chart: Chart) -> str:
    """The chart as an element of a page."""
    return _HEAD.sub("", draw(chart, "svg").decode(), count=1)


def _bars(axes: Any, chart: Chart) -> None:  # noqa: ANN401 - matplotlib's
    width = 0.8 / len(chart.series)
    for number, series in enumerate(chart.series):
        places = [at - 0.4 + (number + 0.5) * width for at in range(len(series.values))]
        drawn = axes.bar(places, [_height(value) for value in series.values], width, label=_plain(series.name))
        if series.shown and len(chart.categories) * len(chart.series) <= MOST_LABELLED:
            axes.bar_label(drawn, [_plain(each) for each in series.shown], padding=2, fontsize=8)
        for bar, link in zip(drawn, series.links, strict=False):
            bar.set_url(link or None)


def _lines(axes: Any, chart: Chart) -> None:  # noqa: ANN401 - matplotlib's
    for series in chart.series:
        points = [(at, float(value)) for at, value in enumerate(series.values) if value is not None]
        axes.plot([at for at, _ in points], [value for _, value in points], marker="o", label=_plain(series.name))
        if series.shown and len(points) * len(chart.series) <= MOST_LABELLED:
            for at, value in points:
                axes.annotate(_plain(series.shown[at]), (at, value), xytext=(0, 6), textcoords="offset points",
                              ha="center", fontsize=8)  # fmt: skip


def _height(value: Decimal | None) -> float:
    return 0.0 if value is None else float(value)


def _plain(text: str) -> str:
    """Text as it can be drawn: `$` would begin a formula."""
    return text.replace("$", r"\$")[:LONGEST]
