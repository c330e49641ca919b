"""A regular expression that is compiled when it is first used: those of hundreds of words take milliseconds each, and a
first answer needs few of them. What it is compiled to is kept."""

from __future__ import annotations

import re
import sys
from array import array
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from tieout.data.system.compile_cache import cached

_ANEW = _compiler.compile


def later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, not compiled yet. Raises re.error when it is first used, where it is none."""
    if TYPE_CHECKING:
        return re.compile(pattern, flags)
    return _Later(pattern, flags)


def keep_patterns() -> None:
    """From here on what `re.compile` makes as modules load is kept too: for a process that is this program's own."""
    _compiler.compile = _kept


def _kept(pattern: Any, flags: int = 0) -> re.Pattern[Any]:  # noqa: ANN401 - a text, bytes, or parsed
    is_of_module = sys._getframe(3).f_code.co_name == "<module>"  # others differ by question, without end
    is_text = isinstance(pattern, str) and not flags & re.DEBUG  # which prints what is made
    compiled: re.Pattern[Any] = _compiled(pattern, int(flags)) if is_of_module and is_text else _ANEW(pattern, flags)
    return compiled


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self._written = (pattern, int(flags))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a re.Pattern has
        found = getattr(_compiled(*self._written), name)
        setattr(self, name, found)  # not to be looked for again
        return found


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    """As `re.compile`, from the code that it makes of a pattern, which is checked when it is taken."""
    of_all, code, groups, names = cached(f"pattern {flags} {pattern}", lambda: _code_of(pattern, flags))
    places: list[str | None] = [None] * (groups + 1)
    for name, place in names.items():
        places[place] = name
    made: re.Pattern[str] = _compiler._sre.compile(
        pattern, of_all, array("I", code).tolist(), groups, names, tuple(places)
    )
    return made


def _code_of(pattern: str, flags: int) -> tuple[int, bytes, int, dict[str, int]]:
    """What the parts of `re` make of a pattern: flags, code, the number of its groups, and their names."""
    parsed = _parser.parse(pattern, flags)
    code = array("I", _compiler._code(parsed, flags))
    return flags | parsed.state.flags, code.tobytes(), parsed.state.groups - 1, dict(parsed.state.groupdict)
