"""What a question sets side by side: part and whole of a share, the sides of a difference, lists."""

from __future__ import annotations

from dataclasses import dataclass

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import core_of

_LIST = later(r"\b(?:of|in|for|from|the|are|is|between)\b")
_MEMBER = later(r",|;|\band\b|\bor\b|\bplus\b|&")


@dataclass(frozen=True, slots=True)
class Share:
    """part: the words of what is taken, which may say nothing of their own; whole: of what it is a share.

    is_sure: no amount can be meant, as it can by `our share of profit`.
    """

    part: str
    whole: str
    is_sure: bool = True


def read_share(lower: str) -> Share | None:
    """The part and the whole that a question for a share names; None where it asks for something else.

    `raw materials as a percentage of inventories`, `in 2009, what share of net sales came from europe`, `as a share of
    revenue?`
    """
    known = language()
    lower = known.forms["time before the question"].sub("", lower, count=1)
    for number, pattern in enumerate(known.shares):
        if (found := pattern.match(lower)) is not None:
            part = known.tail.sub(" ", found["part"]).strip(" ,")
            return Share(part, found["whole"].strip(" ,"), number < len(known.shares) - known.unsure)
    return None


def read_sides(lower: str, share: Share | None) -> tuple[str, str]:
    """The two sides of what is compared, of a share the part first; both "" where no word connects two."""
    if share is not None and share.is_sure:
        return share.part, share.whole
    known = language()
    if found := known.ratios[0].search(lower):
        return found[1].strip(), found[2].strip()
    for pattern in known.splits:
        found = pattern.search(lower)
        if found and lower[: found.start()].strip() and lower[found.end() :].strip():
            return lower[: found.start()].strip(), lower[found.end() :].strip()
    return "", ""


def read_apart(lower: str, cues: frozenset[str]) -> tuple[str, str]:
    """The two things that a question without a connecting word may set side by side: `the change between A and B`."""
    known = language()
    for pattern in known.ratios[1:]:
        if found := pattern.search(lower):
            return found[1].strip(), found[2].strip()
    if cues & {"change", "sum", "ratio"} and (found := known.between.search(lower)):
        return found[1].strip(), found[2].strip()
    return "", ""


def read_parts(lower: str) -> tuple[tuple[str, ...], ...]:
    """The members of an enumeration: `A, B and C` as three lists of stems."""
    tail = _LIST.split(lower, maxsplit=1)[-1]
    found = (core_of(piece) for piece in _MEMBER.split(tail))
    return tuple(piece for piece in found if piece)
