"""What can be said of a model behind `openai:`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tieout.agent.backends.options import COMMON, Common, one_of, positive, read_settings


@dataclass(frozen=True, slots=True)
class Options(Common):
    """What can be said behind `openai:`, as in `openai:gpt-5,api=responses,effort=low`.

    api: chat (Chat Completions, which most endpoints speak) or responses. effort: of reasoning, None for the model's
    own. max_tokens, max_completion_tokens: of one reply, under the name that the endpoint has for it; None for its own.
    """

    api: str = "chat"
    effort: str | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None

    @classmethod
    def parse(cls, text: str) -> Options:
        """Reads `MODEL[,name=value]...`. Raises BackendNameError."""
        model, values = read_settings("openai", text, READ_OPTION)
        return cls(model, **values)


READ_OPTION: dict[str, Callable[[str], Any]] = {
    "api": one_of("api", "chat", "responses"),
    "effort": one_of("effort", "none", "minimal", "low", "medium", "high", "xhigh"),
    "max_tokens": positive,
    "max_completion_tokens": positive,
    **COMMON,
}
