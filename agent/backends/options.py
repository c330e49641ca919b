"""What can be said of a model behind the name of an endpoint, in one line, so that option and environment say it
alike: `openai:MODEL,effort=low,retries=0`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class BackendNameError(ValueError):
    """A backend that cannot be: a name or an option that does not exist."""


@dataclass(frozen=True, slots=True)
class Common:
    """What every endpoint has.

    timeout: seconds without a byte from the server. total: seconds for a whole reply, with all retries. retries: of the
    SDK, on errors that may pass. forced: ask for tools with `tool_choice`, which models that always think refuse.
    """

    model: str
    timeout: float = 60.0
    total: float = 900.0
    retries: int = 2
    forced: bool = False


def read_settings(kind: str, text: str, readers: Mapping[str, Callable[[str], Any]]) -> tuple[str, dict[str, Any]]:
    """The model and the options of `MODEL[,name=value]...`. kind: the endpoint's name. Raises BackendNameError."""
    model, *settings = (part.strip() for part in text.split(","))
    if not model:
        raise BackendNameError(f"the backend `{kind}:` needs the name of a model: {kind}:MODEL")
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if name not in readers or not equals:
            raise BackendNameError(f"{setting!r} is no option of the backend; there are: {', '.join(readers)}")
        try:
            values[name] = readers[name](value)
        except ValueError as error:
            raise BackendNameError(f"{setting!r}: {error}") from None
    return model, values


def one_of(what: str, *words: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{what} is one of {', '.join(words)}")
        return text

    return read


def positive(text: str) -> int:
    """Reads a whole number above 0."""
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
    return one_of("it", "yes", "no")(text) == "yes"


COMMON: dict[str, Callable[[str], Any]] = {"timeout": _seconds, "total": _seconds, "retries": _retries, "forced": _yes}
