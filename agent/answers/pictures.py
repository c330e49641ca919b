"""The pictures that a turn drew: where they are, what they show, and as what a page can hold without any other file."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tieout.agent.log.events import ToolCalled
from tieout.agent.log.turn import Turn

MOST_BYTES = 8 * 1024 * 1024  # of a picture in a page
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot. about: what it shows, in words, for whoever cannot see it."""

    about: str
    png: Path
    svg: Path

    def embedded(self) -> str | None:
        """The PNG as a `data:` URI; None where the file is not there any more, or is none."""
        try:
            with self.png.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError:
            return None
        if not data.startswith(PNG) or len(data) > MOST_BYTES:
            return None
        return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def pictures(turn: Turn) -> Iterator[Picture]:
    """Those of a turn, in the order in which they were drawn."""
    for event in turn.events:
        if isinstance(event, ToolCalled) and event.tool == "plot" and not event.error:
            png, svg = map(Path, json.loads(event.output)["plots"])
            given = event.input
            over = f"{', '.join(map(str, given.get('y', ())))} over {given.get('x', '')}"
            yield Picture(": ".join(part for part in (str(given.get("title", "")), over) if part), png, svg)
