"""Keys out of what an endpoint sends back: neither log nor message nor terminal may show one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

INSTEAD = "***"
SHORTEST = 8  # characters: what local endpoints take for a key (`local`, `k`) is no secret, and may stand in an answer
SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(value: Any) -> Any:  # noqa: ANN401 - JSON
    """The same JSON value with U+FFFD for every lone surrogate: JSON can escape one, but no encoding can carry it, not
    that of a log, nor that of the next request."""
    return _mapped(value, lambda text: SURROGATE.sub("\ufffd", text))


class Redaction:
    """Puts *** in place of keys. keys: those that are sent; those too short to be a secret stay."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = sorted({key for key in keys if len(key) >= SHORTEST}, key=len, reverse=True)

    def clean(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """The same JSON value without keys, in a form that can be encoded."""
        return _mapped(encodable(value), self._without)

    def in_pieces(self, show: Callable[[str], None]) -> Pieces:
        """The same for a text that comes piece by piece."""
        return Pieces(self, show)

    def _without(self, text: str) -> str:
        for key in self.keys:
            text = text.replace(key, INSTEAD)
        return text


class Pieces:
    """Shows a text as it comes, but holds back what may be the beginning of a key until it is known."""

    def __init__(self, redaction: Redaction, show: Callable[[str], None]) -> None:
        self._redaction, self._show = redaction, show
        self._held = ""

    def add(self, piece: str) -> None:
        """One more piece."""
        text = self._redaction.clean(self._held + piece)
        longest = max((len(key) - 1 for key in self._redaction.keys), default=0)
        lengths = range(min(longest, len(text)), 0, -1)
        tail = next((n for n in lengths if any(key.startswith(text[-n:]) for key in self._redaction.keys)), 0)
        self._held = text[len(text) - tail :]
        self._tell(text[: len(text) - tail])

    def end(self) -> None:
        """There are no more."""
        self._tell(self._held)
        self._held = ""

    def _tell(self, text: str) -> None:
        if text:
            self._show(text)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _mapped(item, change) for key, item in value.items()}
    return [_mapped(item, change) for item in value] if isinstance(value, list) else value
