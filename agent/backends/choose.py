"""Backends by name: `offline`, `replay:<log or run folder>`, `anthropic:<model>`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from agent.backends.anthropic_options import BackendNameError
from agent.message import Backend

VARIABLE = "TIEOUT_BACKEND"
DEFAULT = "offline"


def backend_name(chosen: str | None = None) -> str:
    """The name chosen, else that in TIEOUT_BACKEND, else `offline`."""
    return chosen or os.environ.get(VARIABLE, "").strip() or DEFAULT


def make_backend(name: str, on_text: Callable[[str], None] | None = None) -> Backend:
    """The backend of that name. on_text: is given what a language model says, piece by piece, where it can.

    Raises BackendNameError for a name that means none, BackendError `no key`, LogError.

    Each is imported only when it is asked for, because the SDK of a language model takes seconds to load.
    """
    kind, _, rest = name.partition(":")
    if name == "offline":
        from agent.offline.backend import OfflineBackend

        return OfflineBackend()
    if kind == "replay" and rest:
        from agent.backends.replay import ReplayBackend

        return ReplayBackend(Path(rest))
    if kind == "anthropic" and rest:
        from agent.backends.anthropic_backend import AnthropicBackend

        return AnthropicBackend.parse(rest, on_text)
    raise BackendNameError(f"there is no backend {name!r}: offline, replay:<log or run folder>, anthropic:<model>")
