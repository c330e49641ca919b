"""A regular expression that is compiled when it is first used: those of hundreds of words take milliseconds each, and a
first answer needs few of them. What it is compiled to is kept."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Sequence
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from tieout.data.system.compile_cache import cached

_ANEW = _compiler.compile
_REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)


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
    is_text = isinstance(pattern, str | bytes) and not flags & re.DEBUG  # which prints what is made
    compiled: re.Pattern[Any] = _compiled(pattern, int(flags)) if is_of_module and is_text else _ANEW(pattern, flags)
    return compiled


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self._written = (pattern, int(flags))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a re.Pattern has
        found = getattr(_compiled(*self._written), name)
        setattr(self, name, found)  # not to be looked for again
        return found


def _compiled(pattern: str | bytes, flags: int) -> re.Pattern[str]:
    """As `re.compile`, from the code that it makes of a pattern, which is checked when it is taken."""
    of_all, code, groups, names = cached(f"pattern {flags} {pattern!r}", lambda: _code_of(pattern, flags))
    places: list[str | None] = [None] * (groups + 1)
    for name, place in names.items():
        places[place] = name
    made: re.Pattern[str] = _compiler._sre.compile(
        pattern, of_all, array("I", code).tolist(), groups, names, tuple(places)
    )
    return made


def _code_of(pattern: str | bytes, flags: int) -> tuple[int, bytes, int, dict[str, int]]:
    """What the parts of `re` make of a pattern: flags, code, the number of its groups, and their names."""
    parsed = _parser.parse(pattern, flags)
    code = array("I", _compiler._code(parsed, flags))
    return flags | parsed.state.flags, code.tobytes(), parsed.state.groups - 1, dict(parsed.state.groupdict)


class Sieve:
    """Tells which of many patterns may find anything in a text, by letters that stand in whatever each finds: they are
    found sooner than a pattern is."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._signs = cached(f"signs {patterns}", lambda: [_signs(_parser.parse(each)) for each in patterns])
        self._by_sign: dict[str, list[int]] = {}
        for number, signs in enumerate(self._signs):
            for sign in signs[0] if signs else ("",):
                self._by_sign.setdefault(sign, []).append(number)

    def left_of(self, text: str) -> list[int]:
        """The numbers of those patterns, in order."""
        folded = text.casefold()
        left = {number for sign, numbers in self._by_sign.items() if sign in folded for number in numbers}
        return sorted(number for number in left if all(_is_in(folded, each) for each in self._signs[number][1:]))


def _is_in(text: str, signs: Iterable[str]) -> bool:
    return any(map(text.__contains__, signs))


def _signs(parsed: Any) -> list[tuple[str, ...]]:  # noqa: ANN401 - what the parser of `re` makes
    """Texts without capitals, the most telling first, of each of which one has to be there: letters in a row are one,
    branches one of each."""
    found, row = list[tuple[str, ...]](), ""
    for op, of in (*parsed, (_parser.ANY, None)):
        if op is _parser.LITERAL:
            row += chr(of).casefold()
            continue
        if op in (_parser.AT, _parser.ASSERT, _parser.ASSERT_NOT):
            continue  # it takes no letter, so that what follows is next to what was before
        found += [(row,)] if row else []
        row = ""
        if op is _parser.BRANCH and all(branches := [_signs(each) for each in of[1]]):
            found.append(tuple(dict.fromkeys(sign for each in branches for sign in each[0])))
        elif op is _parser.IN and all(each is _parser.LITERAL for each, _ in of):
            found.append(tuple(chr(letter).casefold() for _, letter in of))
        elif op in (_parser.SUBPATTERN, _parser.ATOMIC_GROUP) or (op in _REPEATS and of[0]):
            found += _signs(of if op is _parser.ATOMIC_GROUP else of[-1])
    return sorted(found, key=lambda signs: (-min(map(len, signs)), len(signs)))
