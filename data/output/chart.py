"""Charts of figures, by matplotlib, as SVG or PNG: the same to the byte for the same figures, each a link where wanted.

draw([Chart("Net sales", ("2023", "2024"), (Series("Net sales", (Decimal(3029), Decimal(3282))),), "$ million")], "svg")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from html import escape, unescape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from tieout.data.printed.pattern import later

LABELLED = 1.5  # bars or points by inch of width that carry their figure; of more they would cover each other
NEAR = 0.05  # of the height of a chart: how close two points are whose figures would cover each other
ROOM = 0.1  # of the height of a chart above its highest point, for the figure there
LETTERS = 11  # of what stands below by inch of width; of more they stand askew
WIDE = 8.0  # inches
COLOURS = 8  # of series on a page
LONGEST = 120  # characters of a text in a chart
Form = Literal["svg", "png"]
_HEAD = later(r"^.*?(?=<svg)", re.DOTALL)
_OF_ITS_OWN = later(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)  # which a page has for all
_TAG, _STYLE = re.compile(r"<\w[^<>]*>"), re.compile(r'\bstyle="([^"]*)"')
_LINK = later(r'<a xlink:href="([^"]*)"[^>]*>')
_DULL, _EDGE = "#010101", "#010102"  # colours of texts and lines on a page, of which it has its own


class ChartError(RuntimeError):
    """A chart cannot be drawn: a package is missing, or there is nothing to draw."""


@dataclass(frozen=True, slots=True)
class Series:
    """Figures of one name, one for each category, None where there is none. shown: as they read; links: to where each
    is printed, `#t5r5c1`; both of the length of values, or empty."""

    name: str
    values: tuple[Decimal | float | None, ...]
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


def _need() -> None:
    if not can_draw():
        raise ChartError("a chart needs matplotlib: pip install 'tieout[report]'")


def form_of(path: Path) -> Form:
    """The form of a picture by the suffix of its file. Raises ChartError for another than .svg and .png."""
    form = path.suffix.lower().removeprefix(".")
    if form not in ("svg", "png"):
        raise ChartError(f"a chart is drawn as .svg or .png, not as {path.suffix!r}")
    return "svg" if form == "svg" else "png"


def draw(charts: Sequence[Chart], form: Form, width: float = WIDE, **settings: Any) -> bytes:  # noqa: ANN401 - matplotlib's
    """Charts below each other, as a file, so many inches wide. Raises ChartError without matplotlib, and where there is
    no figure."""
    _need()
    if not any(value is not None for chart in charts for each in chart.series for value in each.values):
        raise ChartError("there is no figure to draw")
    salt = sha256(repr(tuple(charts)).encode()).hexdigest()
    with drawing(salt, len(charts), width, **settings) as (figure, places):
        for chart, axes in zip(charts, places, strict=True):
            _bars(axes, chart, width) if chart.kind == "bars" else _lines(axes, chart, width)
            names = [plain(each) for each in chart.categories]
            askew = {"rotation": 30, "ha": "right"} if sum(map(len, names)) > LETTERS * width else {}
            axes.set_xticks(range(len(names)), names, **askew)
            axes.set_title(plain(chart.title), wrap=True)
            axes.set_ylabel(plain(chart.unit))
            axes.yaxis.set_major_formatter("{x:,.12g}")
            axes.axhline(0, color=settings.get("axes.edgecolor", "#555555"), linewidth=0.8)
            axes.spines[["top", "right"]].set_visible(False)
            if len(chart.series) > 1:
                axes.legend()
        return saved(figure, form)


@contextmanager
def drawing(salt: str, count: int = 1, width: float = WIDE, **more: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    """A figure and so many axes below each other, to be drawn on and saved inside. salt: what is drawn, for the names
    in an SVG. more: further settings of matplotlib."""
    import matplotlib

    settings: Any = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "figure.figsize": (width, max(3.0, 0.5625 * width) * count),
        "savefig.dpi": 150,
        **more,
    }
    with matplotlib.rc_context(settings):
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        yield figure, figure.subplots(count, squeeze=False)[:, 0]


def saved(figure: Any, form: Form) -> bytes:  # noqa: ANN401 - matplotlib's
    """A figure as a file that tells neither when nor by what it was drawn."""
    out = BytesIO()
    figure.savefig(out, format=form, metadata={"Date": None} if form == "svg" else {"Software": None})
    return out.getvalue()


def inline_svg(charts: Sequence[Chart]) -> str:
    """The charts as an element of a page."""
    return _HEAD.sub("", draw(charts, "svg").decode(), count=1)


def page_svg(chart: Chart, width: float) -> str:
    """A chart as an element of a page of ours, in whose colours it is: `--muted`, `--edge`, and `--line-0` to
    `--line-7` of its series. width: in inches. Raises ChartError."""
    _need()
    from matplotlib.rcsetup import cycler

    of_series = [f"#0101{number:02x}" for number in range(16, 16 + COLOURS)]
    settings: dict[str, Any] = {
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), _DULL),
        "axes.edgecolor": _EDGE,
        "axes.prop_cycle": cycler("color", of_series),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
        "legend.frameon": False,
    }
    drawn = _OF_ITS_OWN.sub("", _HEAD.sub("", draw([chart], "svg", width, **settings).decode(), count=1))
    own = {_DULL: "--muted", _EDGE: "--edge", **{each: f"--line-{at}" for at, each in enumerate(of_series)}}
    for colour, name in own.items():
        drawn = drawn.replace(colour, f"var({name})")
    drawn = _TAG.sub(lambda tag: _STYLE.sub(_attributes, tag[0]), drawn.replace("'DejaVu Sans'", "inherit"))
    return _named(drawn, chart)


def _attributes(style: re.Match[str]) -> str:
    """What a style says, as attributes of SVG: a page may refuse styles."""
    said = (each.split(":", 1) for each in style[1].split(";") if each.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in said)


def _named(drawn: str, chart: Chart) -> str:
    """A chart in which each link says what it is of, to a pointer and to who does not see it; the keys lead to the
    figures beside it."""
    said = {
        link: f"{', '.join(filter(None, (series.name, category)))}: {shown}"
        for series in chart.series
        for category, shown, link in zip(chart.categories, series.shown, series.links, strict=False)
    }

    def link(found: re.Match[str]) -> str:
        name = escape(said.get(unescape(found[1]), ""))
        return f'<a xlink:href="{found[1]}" tabindex="-1" aria-label="{name}"><title>{name}</title>'

    return _LINK.sub(link, drawn)


def _bars(axes: Any, chart: Chart, wide: float) -> None:  # noqa: ANN401 - matplotlib's
    width = 0.8 / len(chart.series)
    for number, series in enumerate(chart.series):
        places = [at - 0.4 + (number + 0.5) * width for at in range(len(series.values))]
        drawn = axes.bar(places, [_height(value) for value in series.values], width, label=plain(series.name))
        if series.shown and len(chart.categories) * len(chart.series) <= LABELLED * wide:
            axes.bar_label(drawn, [plain(each) for each in series.shown], padding=2, fontsize=8)
        for bar, link in zip(drawn, series.links, strict=False):
            bar.set_url(link or None)


def _lines(axes: Any, chart: Chart, wide: float) -> None:  # noqa: ANN401 - matplotlib's
    columns = zip(*(each.values for each in chart.series), strict=True)
    at_once = [[float(value) for value in column if value is not None] for column in columns]
    every = [0.0, *(value for column in at_once for value in column)]
    near = NEAR * (max(every) - min(every))
    for series in chart.series:
        points = [(at, float(value)) for at, value in enumerate(series.values) if value is not None]
        places, values = [at for at, _ in points], [value for _, value in points]
        (line,) = axes.plot(places, values, label=plain(series.name))
        dots = axes.scatter(places, values, color=line.get_color(), zorder=3)
        if series.links:
            dots.set_urls([series.links[at] or None for at in places])
        if series.shown and len(points) * len(chart.series) <= LABELLED * wide:
            for at, value in points:
                is_below = any(0 < other - value < near for other in at_once[at])
                axes.margins(y=ROOM)
                axes.annotate(plain(series.shown[at]), (at, value), xytext=(0, -13 if is_below else 6),
                              textcoords="offset points", ha="center", fontsize=8)  # fmt: skip


def _height(value: Decimal | float | None) -> float:
    return 0.0 if value is None else float(value)


def plain(text: str) -> str:
    """Text as it can be drawn: `$` would begin a formula."""
    return text.replace("$", r"\$")[:LONGEST]
