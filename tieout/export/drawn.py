"""The last answer of a conversation as a picture in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tieout.agent.answers.chart import chart_of
from tieout.agent.log.turn import Turn
from tieout.data.output.chart import ChartError, draw, form_of


def draw_last(turns: Sequence[Turn], path: Path) -> bytes:
    """The file of the last answer that can be drawn. Raises ChartError where there is none, or for another suffix."""
    form = form_of(path)
    charts = (chart for turn in reversed(turns) if (chart := chart_of(turn)) is not None)
    chart = next(charts, None)
    if chart is None:
        raise ChartError("no answer is a list or a table of figures of one unit: there is nothing to draw")
    return draw([chart], form)
