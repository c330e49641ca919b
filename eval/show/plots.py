"""The plots of the report as inline SVG: the same figures give the same bytes, colours follow the page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tieout.eval.score.compare import Pair
from tieout.eval.score.compare import by_slice as pairs_by_slice
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Rule
from tieout.eval.score.summary import by_slice, calibration, calibration_error, turn_rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Stand-ins that become CSS variables, so that a plot is readable on a light page and on a dark one.
INK, MUTED, GRID, ACCENT, SECOND, THIRD = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    ACCENT: "--accent",
    SECOND: "--second",
    THIRD: "--third",
}
RULE_COLOURS = {Rule.STRICT: ACCENT, Rule.MAIN: SECOND, Rule.LENIENT: THIRD}
BARS = ("kind", "steps", "operation", "evidence", "percent", "source", "earlier turns")
STYLE: Any = {  # matplotlib types every key of its own
    "svg.hashsalt": "tieout",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "legend.frameon": False,
    "text.parse_math": False,
}


@contextmanager
def _figure(title: str, out: list[str], size: tuple[float, float] = (4.6, 2.9)) -> Iterator[Axes]:
    """An empty plot that is appended to out as SVG when it is drawn."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        yield figure.add_subplot()
        ConstrainedLayoutEngine().execute(figure)  # a figure that has it draws itself twice, once only for its layout
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    out.append(_inline(text.getvalue(), title))


def _inline(svg: str, title: str) -> str:
    """SVG that can stand in a page: ids of its own, fonts and colours of the page, a name for screen readers."""
    svg = svg[svg.index("<svg") :].strip()
    prefix = re.sub(r"\W+", "-", title.lower())
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', rf'<svg \1 role="img" aria-label="{title}">', svg, count=1)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r" font-family: [^;]*;|<style.*?</style>", "", svg, flags=re.S)
    for stand_in, variable in VARIABLES.items():
        svg = svg.replace(stand_in, f"var({variable})")
    return svg


def _percent_axis(set_ticks: Callable[..., Any], set_limit: Callable[..., Any]) -> None:
    set_limit(0, 1)
    set_ticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])


def by_turn(results: Sequence[Result]) -> list[str]:
    """Accuracy by turn index under the three rules, with the interval of the main one."""
    out: list[str] = []
    groups = by_slice(results)["turn"]
    if not groups:
        return out
    with _figure("Accuracy by turn of the conversation", out) as axes:
        places = range(len(groups))
        for rule in RULES:
            rates = [turn_rate(group, rule) for group in groups.values()]
            values = [rate.value or 0.0 for rate in rates]
            axes.plot(places, values, color=RULE_COLOURS[rule], marker="o", markersize=4, label=str(rule))
            if rule is Rule.MAIN:
                lows, highs = zip(*(rate.interval or (0.0, 0.0) for rate in rates), strict=True)
                axes.fill_between(places, lows, highs, color=RULE_COLOURS[rule], alpha=0.15, linewidth=0)
        axes.set_xticks(places, [f"{name}\nn={len(group)}" for name, group in groups.items()])
        axes.set_xlabel("turn")
        _percent_axis(axes.set_yticks, axes.set_ylim)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0)
    return out


def by_kind(results: Sequence[Result], rule: Rule) -> list[str]:
    """Accuracy by slice under one rule, with intervals."""
    groups = by_slice(results)
    rows = [(dimension, name, group) for dimension in BARS for name, group in groups[dimension].items()]
    out: list[str] = []
    if not rows:
        return out
    with _figure(f"Accuracy by slice, rule {rule}", out, (4.6, 0.19 * len(rows) + 0.8)) as axes:
        for place, (dimension, _, group) in enumerate(rows):
            rate = turn_rate(group, rule)
            low, high = rate.interval or (0.0, 0.0)
            axes.barh(place, rate.value or 0.0, color=ACCENT, alpha=0.55, height=0.72)
            axes.plot([low, high], [place, place], color=INK, linewidth=1)
            if place and rows[place - 1][0] != dimension:
                axes.axhline(place - 0.5, color=GRID, linewidth=0.8)
        labels = [f"{_label(dimension, name)}  n={len(group)}" for dimension, name, group in rows]
        axes.set_yticks(range(len(rows)), labels)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        _percent_axis(axes.set_xticks, axes.set_xlim)
    return out


def _label(dimension: str, name: str) -> str:
    return {
        "steps": f"{name} steps",
        "operation": f"op {name}",
        "evidence": f"in {name}",
        "earlier turns": f"earlier {name}",
    }.get(dimension, name)


def reliability(results: Sequence[Result]) -> list[str]:
    """What the run said of the probability of its answers against how many are right."""
    bands = calibration(results)
    out: list[str] = []
    if not bands:
        return out
    with _figure("Calibration, rule main", out) as axes:
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        most = max(band.right.n for band in bands)
        for band in bands:
            said, right = band.mean, band.right
            low, high = right.interval or (0.0, 0.0)
            axes.plot([said, said], [low, high], color=ACCENT, linewidth=1)
            axes.scatter([said], [right.value or 0.0], s=20 + 100 * right.n / most, color=ACCENT, linewidths=0)
            axes.annotate(f"{right.n}", (said, right.value or 0.0), (6, -9), textcoords="offset points", fontsize=7)
        axes.set_title(f"expected calibration error {calibration_error(bands) or 0.0:.3f}", fontsize=9, loc="left")
        axes.set_xlabel("confidence of the run")
        axes.set_ylabel("right")
        _percent_axis(axes.set_xticks, axes.set_xlim)
        _percent_axis(axes.set_yticks, axes.set_ylim)
        axes.set_xlim(-0.03, 1.05)
        axes.set_ylim(-0.03, 1.05)
    return out


def _histogram(title: str, values: Sequence[float], label: str, unit: float = 1.0) -> list[str]:
    out: list[str] = []
    with _figure(title, out) as axes:
        ordered = sorted(value * unit for value in values)
        middle, high = ordered[len(ordered) // 2], ordered[int(0.95 * (len(ordered) - 1))]
        edge = max(high * 1.5, 1e-9)
        axes.hist([min(value, edge) for value in ordered], bins=30, range=(0, edge), color=ACCENT, alpha=0.6)
        for value, name in ((middle, "median"), (high, "95%")):
            axes.axvline(value, color=INK, linewidth=1, linestyle=(0, (4, 3)))
            axes.annotate(
                f" {name} {value:.3g}", (value, 0.93 if name == "median" else 0.83), xycoords=("data", "axes fraction")
            )
        axes.set_xlabel(f"{label}; the last bar holds all above")
        axes.set_ylabel("turns")
        axes.set_xlim(0, edge)
    return out


def latency(results: Sequence[Result]) -> list[str]:
    """How long turns took."""
    seconds = [result.seconds for result in results]
    if not seconds:
        return []
    small = sorted(seconds)[len(seconds) // 2] < 0.5
    return _histogram(
        "Latency", seconds, "milliseconds per turn" if small else "seconds per turn", 1000 if small else 1
    )


def spending(results: Sequence[Result]) -> list[str]:
    """What turns cost in dollars, or in tokens where no price is known; nothing for a backend that needs neither."""
    dollars = [float(result.usd) for result in results if result.usd is not None]
    if any(dollars) and len(dollars) == len(results):
        return _histogram("Cost", dollars, "US cents per turn", 100)
    tokens = [float(sum(result.usage.model_dump().values())) for result in results]
    return _histogram("Tokens", tokens, "tokens per turn") if any(tokens) else []


def differences(found: Sequence[Pair], rule: Rule) -> list[str]:
    """The difference of two runs by slice."""
    slices = pairs_by_slice(found, rule)
    rows = [(dimension, name, each) for dimension in BARS for name, each in slices[dimension].items()]
    out: list[str] = []
    title = f"Difference by slice, rule {rule}"
    with _figure(title, out, (4.6, 0.19 * len(rows) + 0.8)) as axes:
        for place, (_, _, each) in enumerate(rows):
            axes.barh(place, each.difference, color=SECOND if each.difference >= 0 else THIRD, alpha=0.7, height=0.72)
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks(range(len(rows)), [f"{_label(dimension, name)}  n={each.n}" for dimension, name, each in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}%")
    return out
