"""What is quoted of a report where it tells in words what is asked, by the patterns that a language has for that."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from tieout.ontology.asked.language import Told, language
from tieout.ontology.asked.words import MONTHS, stems

BETWEEN = " | "
LONGEST = 600  # characters of what is quoted
MOST_ALL = 20  # quotations where all count
YES_OR_NO = ("yes", "no")  # groups of patterns of what says so
_TIME = re.compile(rf"\b(?:(?i:({'|'.join(MONTHS)})) (?:\d{{1,2}}, )?)?(20\d\d)\b")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
WHAT = "<what>"  # in a pattern, of what it is asked


def joined(parts: Iterable[str]) -> str:
    """Lines or cells as one text, in which patterns look for what is told."""
    plain = (" ".join(each.split()) for each in parts)
    return BETWEEN.join(each for each in plain if each)


def told_of(name: str, asked: str) -> Told | None:
    """What a question, in lower case, is for by the name of what is told, with patterns that are of what it asks it of:
    `GreatCall` in `what was paid for GreatCall?`. None where nothing is told by this name."""
    wanted = language().told.get(name)
    found = wanted and wanted.asked.search(asked)
    what = next(filter(None, found.groups()), "") if found else ""
    if wanted is None or not what:
        return wanted
    pattern = rf"(?i:\b{re.escape(what)}s?\b)"
    return replace(wanted, said=tuple(each.replace(WHAT, pattern) for each in wanted.said), what=what)


def first_quoted(wanted: Told, texts: Sequence[str]) -> tuple[str, ...]:
    """What the first pattern quotes that anything is printed by."""
    texts = [text for text in texts if wanted.what in text.lower()]
    for pattern in map(re.compile, wanted.said):
        found = (match for text in texts for match in pattern.finditer(text))
        quoted = [tuple(_quoted(match)) for match in found]
        quoted = [each for each in dict.fromkeys(quoted) if each and all(len(part) <= LONGEST for part in each)]
        if quoted:
            first = max(quoted, key=_time) if wanted.is_latest else quoted[0]
            return tuple(part for each in quoted[:MOST_ALL] for part in each) if wanted.is_all else first
    return ()


def _time(quoted: Sequence[str]) -> tuple[int, int]:
    """The latest year that is quoted, with the month that stands before it; zeros for none."""
    found = _TIME.findall(" ".join(quoted))
    return max(((int(year), MONTHS.index(month.lower()) if month else -1) for month, year in found), default=(0, 0))


def years_told(quoted: Sequence[str]) -> frozenset[int]:
    """The years that are quoted, and those before a January or February, in which the fiscal year may end."""
    found = [(month.lower(), int(year)) for month, year in _TIME.findall(" ".join(quoted))]
    return frozenset(year for _, year in found) | {year - 1 for month, year in found if month in MONTHS[:2]}


def says_year(quoted: Sequence[str]) -> bool:
    """Whether what is quoted names a year, of whatever century."""
    return any(map(_YEAR.search, quoted))


def other_part(name: str, asked: str, left: Collection[str], quoted: Sequence[str]) -> str:
    """The part that a question, in lower case, asks of, and of which what is quoted says nothing (`in Dallas`); ""
    where there is none. name: of what is told; left: its words that nothing else accounts for."""
    said, of_part = {*stems(" ".join(quoted))}, told_of(name, asked)
    of_whole = language().told.get(of_part.otherwise) if of_part and of_part.what else None
    if of_part and of_whole and said.isdisjoint(stems(of_part.what)) and first_quoted(of_whole, quoted):
        return of_part.what
    for each in language().forms["where it is asked of"].finditer(asked):
        words = stems(each["part"])
        if words and words[0] not in said and (" " in each["part"] or words[0] in left):
            return each["part"]
    return ""


def _quoted(match: re.Match[str]) -> Iterator[str]:
    """The lines and cells that the groups of a match have, behind the yes or no that a group is called."""
    if match.lastgroup in YES_OR_NO:
        yield match.lastgroup
    for said in match.groups():
        yield from (part.strip() for part in (said or "").split(BETWEEN) if len(part.strip()) > 1)
