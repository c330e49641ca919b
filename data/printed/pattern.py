"""A regular expression that is compiled when it is first used: those of hundreds of words take milliseconds each, and a
first answer needs few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


def later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, not compiled yet. Raises re.error when it is first used, where it is none."""
    if TYPE_CHECKING:
        return re.compile(pattern, flags)
    return _Later(pattern, flags)


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self._written = (pattern, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a re.Pattern has
        found = getattr(re.compile(*self._written), name)
        setattr(self, name, found)  # not to be looked for again
        return found
