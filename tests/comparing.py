"""What has to be equal when a run is repeated or replayed."""

from __future__ import annotations

from typing import Any

from tieout.agent.log.events import Event

TIMES = frozenset({"at", "seconds"})


def comparable(event: Event) -> dict[str, Any]:
    """An event without its times and the name of the backend."""
    return event.model_dump(mode="json", exclude={*TIMES, "backend"})
