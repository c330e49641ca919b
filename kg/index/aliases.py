"""Short names of the reports of a conversation, `ko24`, and the words by which their companies are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from string import ascii_lowercase

from tieout.data.printed.pattern import later
from tieout.kg.index.passage import ReportEntry

MOST_NAMES = 16_384  # of companies that are read once


def aliases(reports: Sequence[ReportEntry], given: Sequence[str] = ()) -> list[str]:
    """A short name for each report: the first word of its company and its year; nothing for an only one.

    given: the names of other reports of the conversation, which these are not to have.
    """
    if len(reports) == 1 and not given:
        return [""]
    taken: dict[str, None] = dict.fromkeys(given)
    for entry in reports:
        word = _first_word(entry.company or entry.id)
        alias = f"{word}{entry.ended.year % 100:02d}" if entry.ended else word
        taken[next(each for each in _numbered(alias) if each not in taken)] = None
    return list(taken)[len(given) :]


def _numbered(alias: str) -> Iterator[str]:
    """An alias, and what others of the same name get: `ko24`, `ko24b`, `ko24c`, ..., `ko24z`, `ko24z2`, ..."""
    yield alias
    yield from (f"{alias}{letter}" for letter in ascii_lowercase[1:])
    yield from (f"{alias}z{number}" for number in count(2))


_LEGAL = later(r"\b(?:the|inc|corp(?:oration)?|co(?:mpany)?|plc|ltd|llc|lp|holdings?|group|and|sa|ag|nv)\b")


@lru_cache(maxsize=MOST_NAMES)
def _plain_company(name: str) -> str:
    return _LEGAL.sub(" ", name.lower().replace("_", " ")).strip() or name.lower()


@lru_cache(maxsize=MOST_NAMES)
def _first_word(name: str) -> str:
    found = re.search(r"[a-z0-9]+", _plain_company(name))
    return found[0][:8] if found else "report"


@lru_cache(maxsize=MOST_NAMES)
def company_words(name: str) -> frozenset[str]:
    """The words of the name of a company that tell it from others, in small letters."""
    words = re.findall(r"[a-z0-9]+", _plain_company(name))
    return frozenset(word for word in words if len(word) > 2 and not word.isdigit())
