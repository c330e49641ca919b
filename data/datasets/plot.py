"""Pictures of frames, by matplotlib, as PNG and SVG: the same to the byte for the same rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tieout.data.datasets.engine import need
from tieout.data.datasets.frames import Frame, FrameError
from tieout.data.files import write_whole
from tieout.data.output.chart import drawing, plain, saved

FOLDER = Path(".tieout/plots")
MOST_POINTS = 20_000


def draw(frame: Frame, x: str, y: Sequence[str], kind: str, title: str, folder: Path | None) -> tuple[Path, Path]:
    """Draws columns of a frame and gives the paths of PNG and SVG, named by the rows. folder: FOLDER unless given.

    Raises FrameError for columns that are not there or are no numbers, WriteError, ExpertMissing.
    """
    need("matplotlib")
    across = frame.column(x)
    columns = {name: frame.column(name) for name in y}
    if frame.rows > MOST_POINTS:
        raise FrameError(f"{frame.rows} points are too many to see: resample, {MOST_POINTS} at most")
    for name in y:
        if frame.kind(name) not in ("integer", "float", "decimal"):
            raise FrameError(f"column {name!r} is {frame.kind(name)}, not numbers")
    with drawing(frame.hash) as (figure, (axes,)):
        for name, cells in columns.items():
            points = [(a, b) for a, b in zip(across, cells, strict=True) if a is not None and b is not None]
            left: list[Any] = [a for a, _ in points]
            right = [float(b) for _, b in points]  # type: ignore[arg-type]
            match kind:
                case "bar":
                    axes.bar(left, right, label=plain(name))
                case "scatter":
                    axes.scatter(left, right, s=8, label=plain(name))
                case _:
                    axes.plot(left, right, label=plain(name))
        axes.set_xlabel(plain(x))
        axes.set_title(plain(title))
        axes.legend()
        stem = re.sub(r"\W+", "-", f"{frame.name}-{'-'.join(y)}")[:60].strip("-")
        target = (folder or FOLDER) / f"{stem}-{frame.hash[:8]}"
        drawn = saved(figure, "png"), saved(figure, "svg")
    png, svg = target.with_name(f"{target.name}.png"), target.with_name(f"{target.name}.svg")
    write_whole(png, drawn[0])
    write_whole(svg, drawn[1])
    return png, svg
