"""What is quoted of a report where it tells in words what is asked, by the patterns that a language has for that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tieout.ontology.asked.language import Told

BETWEEN = " | "
LONGEST = 600  # characters of what is quoted
MOST_ALL = 20  # quotations where all count


def joined(parts: Iterable[str]) -> str:
    """Lines or cells as one text, in which patterns look for what is told."""
    plain = (" ".join(each.split()) for each in parts)
    return BETWEEN.join(each for each in plain if each)


def first_quoted(wanted: Told, texts: Sequence[str]) -> tuple[str, ...]:
    """What the first pattern quotes that anything is printed by."""
    for pattern in map(re.compile, wanted.said):
        found = (match for text in texts for match in pattern.finditer(text))
        quoted = [tuple(_quoted(match)) for match in found]
        quoted = [each for each in dict.fromkeys(quoted) if each and all(len(part) <= LONGEST for part in each)]
        if quoted:
            return tuple(part for each in quoted[:MOST_ALL] for part in each) if wanted.is_all else quoted[0]
    return ()


def _quoted(match: re.Match[str]) -> Iterator[str]:
    """The lines and cells that the groups of a match have."""
    for said in match.groups():
        yield from (part.strip() for part in (said or "").split(BETWEEN) if len(part.strip()) > 1)
