"""Backends by name: `offline`, `replay:<log or run folder>`, `anthropic:<model>`, `openai:<model>`, and those of
packages (entry points `tieout.backends`)."""

from __future__ import annotations

import os

from tieout.agent.backends.options import BackendNameError
from tieout.agent.protocol.message import Backend
from tieout.agent.view.reports import BUDGET, BUDGET_OF_MODEL
from tieout.data.plugins import PluginError, blamed, load, plugins

VARIABLE = "TIEOUT_BACKEND"
DEFAULT = "offline"
KINDS = ("offline", "replay:<log or run folder>", "anthropic:<model>", "openai:<model>")


def backend_name(chosen: str | None = None) -> str:
    """The name chosen, else that in TIEOUT_BACKEND, else `offline`."""
    return chosen or os.environ.get(VARIABLE, "").strip() or DEFAULT


def view_budget(name: str) -> int:
    """The tokens of a view that a backend of this name is shown where nobody says how many."""
    return BUDGET_OF_MODEL if name.partition(":")[0] in ("anthropic", "openai") else BUDGET


def make_backend(name: str, *, asked: bool = True) -> Backend:
    """The backend of that name. asked: False for one that will not be asked anything, which needs no key.

    Raises BackendNameError for a name that means none, BackendError `no key`, LogError.

    Each is imported only when it is asked for, because the SDK of a language model takes seconds to load.
    """
    kind, _, rest = name.partition(":")
    if name == "offline":
        from tieout.agent.offline.backend import OfflineBackend

        return OfflineBackend()
    if kind == "replay" and rest:
        from tieout.agent.backends.replay import ReplayBackend, replayed

        path, by_question = replayed(rest)
        return ReplayBackend(path, by_question=by_question)
    if kind == "anthropic" and rest:
        from tieout.agent.backends.anthropic_backend import AnthropicBackend

        return AnthropicBackend.parse(rest, asked=asked)
    if kind == "openai" and rest:
        from tieout.agent.backends.openai.backend import OpenAIBackend

        return OpenAIBackend.parse(rest, asked=asked)
    return _from_package(name, kind, rest)


def _from_package(name: str, kind: str, rest: str) -> Backend:
    """A backend that a package adds: its entry point is called with what stands behind the colon."""
    try:
        found = plugins("backends")
        if kind not in found:
            raise BackendNameError(f"there is no backend {name!r}: {', '.join((*KINDS, *(f'{n}:' for n in found)))}")
        maker = load("backends", kind)
        with blamed("backends", kind):
            made: Backend = maker(rest)
    except PluginError as error:
        raise BackendNameError(str(error)) from error
    return made
