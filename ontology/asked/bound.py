"""The numbers that a question names, and the one that it holds figures against: `which years were above $5 million?`"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import YEAR

_NUMBER = later(r"(?<![\w./,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/]|-[a-z]|,?\d)")
_BOUND = later(
    r"(?<![a-z\d])(?P<minus>[-−–]|\((?=[\d,.]+\)))?(?P<mark>[$€£¥]|(?:usd|eur|gbp) )?\s?"
    r"(?P<digits>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>%|percent|[a-z]+)?"
)
_OF_MONEY = later(r"[$€£¥]|\b(?:usd|eur|gbp|dollars?)\b")


@dataclass(frozen=True, slots=True)
class Bound:
    """A number that figures are held against. value: as written; scale: 1 where none is said, None for a percentage;
    above: more than it is asked for. said: where in the question it stands."""

    value: Decimal
    scale: int | None
    above: bool
    said: str

    @property
    def sort(self) -> str:
        """What it is a number of, as `sort.py` has it: "" where it may be money or a count."""
        if self.scale is None:
            return "percent"
        return "money" if _OF_MONEY.search(self.said) else "count" if self.scale == 1 and self.value else ""

    def holds(self, amount: Decimal) -> bool:
        """Whether an amount in full units, of a percentage its decimal, is beyond it, or is it: `at least 10%`."""
        bound = self.value / 100 if self.scale is None else self.value * self.scale
        is_it = amount == bound and self.said.startswith(("at least", "at most"))
        return is_it or (amount > bound if self.above else amount < bound)


def numbers_in(lower: str) -> tuple[tuple[Decimal, int, int], ...]:
    found = (match for match in _NUMBER.finditer(lower) if not YEAR.fullmatch(match[0]))
    return tuple((Decimal(match[0].replace(",", "")), *match.span()) for match in found)


def bound_in(lower: str) -> Bound | None:
    """The number that figures are held against, zero where their sign is asked for; a year alone is none."""
    scales = language().scales
    for name in ("above", "below"):
        start = language().cues[name].search(lower)
        for match in _BOUND.finditer(lower, start.end()) if start else ():
            said, digits = (match["scale"] or "").rstrip("s"), match["digits"].rstrip(".,")
            is_rate = said in ("%", "percent")
            if YEAR.fullmatch(digits) and not (match["mark"] or is_rate or said in scales):
                continue
            value = Decimal(f"{'-' if match['minus'] else ''}{digits.replace(',', '')}")
            text = match[0] if is_rate or said in scales else match[0][: match.end("digits") - match.start()]
            return Bound(
                value,
                None if is_rate else scales.get(said, 1),
                name == "above",
                f"{start[0]}{lower[start.end() : match.start()]}{text}" if start else text,
            )
    if (word := language().forms["more than a word"].search(lower)) is not None:
        is_above = bool(word["above"] or word["more"])
        if word["times"]:
            return Bound(Decimal(str(language().multiples[word["times"]])), None, is_above, word[0])
        return Bound(Decimal(language().numbers[word["count"]]), 1, is_above, word[0])
    signs = ((name, language().cues[name].search(lower)) for name in ("positive", "negative"))
    return next((Bound(Decimal(0), 1, name == "positive", sign[0]) for name, sign in signs if sign is not None), None)


def without_bound(bound: Bound, asking: str) -> str:
    """A question without the number that figures are held against, of which the digits may be those of a year."""
    at = asking.lower().find(bound.said)
    return asking if at < 0 else asking[:at] + " " * len(bound.said) + asking[at + len(bound.said) :]
