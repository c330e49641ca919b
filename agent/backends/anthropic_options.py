"""What can be said of a model behind `anthropic:`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tieout.agent.backends.options import COMMON, Common, one_of, positive, read_settings


@dataclass(frozen=True, slots=True)
class Options(Common):
    """What can be said behind `anthropic:`, as in `anthropic:claude-sonnet-5-5,effort=low,thinking=between_tools`.

    effort: low, medium, high, xhigh, max, or None for the model's own. thinking: adaptive, between_tools, disabled, a
    budget in tokens, or None for the model's own. max_tokens: of one reply, thinking included.
    """

    effort: str | None = None
    thinking: str | None = None
    max_tokens: int = 16_000

    @classmethod
    def parse(cls, text: str) -> Options:
        """Reads `MODEL[,name=value]...`. Raises BackendNameError."""
        model, values = read_settings("anthropic", text, READ_OPTION)
        return cls(model, **values)


def _thinking(text: str) -> str:
    kinds = ("adaptive", "between_tools", "disabled")
    if text not in kinds and not text.isdecimal():
        raise ValueError(f"thinking is one of {', '.join(kinds)}, or a number of tokens")
    return text


READ_OPTION: dict[str, Callable[[str], Any]] = {
    "effort": one_of("effort", "low", "medium", "high", "xhigh", "max"),
    "thinking": _thinking,
    "max_tokens": positive,
    **COMMON,
}
