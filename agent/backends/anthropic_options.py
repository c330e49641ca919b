"""What can be said of a model behind `anthropic:`, read from one line so that option and environment say it alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class BackendNameError(ValueError):
    """A backend that cannot be: a name or an option that does not exist."""


@dataclass(frozen=True, slots=True)
class Options:
    """What can be said behind `anthropic:`, as in `anthropic:claude-sonnet-5-5,effort=low,thinking=between_tools`.

    effort: low, medium, high, xhigh, max, or None for the model's own. thinking: adaptive, between_tools, disabled, a
    budget in tokens, or None for the model's own. max_tokens: of one reply, thinking included. timeout: seconds without
    a byte from the server. total: seconds for a whole reply, with all retries. retries: of the SDK, on errors that may
    pass. forced: ask for tools with `tool_choice`, which models that always think refuse.
    """

    model: str
    effort: str | None = None
    thinking: str | None = None
    max_tokens: int = 16_000
    timeout: float = 60.0
    total: float = 900.0
    retries: int = 2
    forced: bool = False

    @classmethod
    def parse(cls, text: str) -> Options:
        """Reads `MODEL[,name=value]...`. Raises BackendNameError."""
        model, *settings = (part.strip() for part in text.split(","))
        if not model:
            raise BackendNameError("the backend `anthropic:` needs the name of a model: anthropic:MODEL")
        values: dict[str, Any] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if name not in READ_OPTION or not equals:
                raise BackendNameError(f"{setting!r} is no option of the backend; there are: {', '.join(READ_OPTION)}")
            try:
                values[name] = READ_OPTION[name](value)
            except ValueError as error:
                raise BackendNameError(f"{setting!r}: {error}") from None
        return cls(model, **values)


def _effort(text: str) -> str:
    efforts = ("low", "medium", "high", "xhigh", "max")
    if text not in efforts:
        raise ValueError(f"effort is one of {', '.join(efforts)}")
    return text


def _thinking(text: str) -> str:
    kinds = ("adaptive", "between_tools", "disabled")
    if text not in kinds and not text.isdecimal():
        raise ValueError(f"thinking is one of {', '.join(kinds)}, or a number of tokens")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ValueError("a whole number above 0 is needed")
    return int(text)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 3600:
        raise ValueError("seconds are above 0 and at most 3600")
    return seconds


def _retries(text: str) -> int:
    if not text.isdecimal() or int(text) > 10:
        raise ValueError("retries are 0 to 10")
    return int(text)


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError("yes or no is needed")
    return text == "yes"


READ_OPTION: dict[str, Callable[[str], Any]] = {
    "effort": _effort,
    "thinking": _thinking,
    "max_tokens": _positive,
    "timeout": _seconds,
    "total": _seconds,
    "retries": _retries,
    "forced": _yes,
}
