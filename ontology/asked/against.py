"""How a question holds companies against each other: which stand on either side, and what is made of the two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.ontology.asked.spoken import spoken

COMPANY = "@"  # what stands for the name of one


@dataclass(frozen=True, slots=True)
class Sides:
    """one, other: the companies of either side, or the times, whose amounts are added up. way: what is made of them, as
    said. by: how many times as much the one has to be."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    way: str
    by: Decimal = Decimal(1)


def masked(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """A text with other words in some places, each as (start, end, what is said there)."""
    for start, end, said in sorted(spans, reverse=True):
        text = f"{text[:start]}{said}{text[end:]}"
    return " ".join(text.split())


def sides_in(text: str, mentions: Sequence[tuple[str, int, int]], *, is_boolean: bool) -> Sides | None:
    """The sides of a question that asks how many times, what share or how many percent more one company has than
    another, or sets companies against what several have together; None for any other. mentions: of companies, or of
    the times of one, each as (its key, start, end)."""
    said = masked(text, [(start, end, COMPANY) for _, start, end in mentions]).lower()
    sides = _apart(said, [key for key, _, _ in mentions])
    if sides is None:
        return None
    factor = spoken().held["times"].search(said)
    asked: tuple[str, ...] = () if is_boolean else ("share", "ratio", "percent")
    way: str | None = next((name for name in asked if spoken().held[name].search(said)), None)
    if is_boolean and factor:
        number = factor["number"]
        by = spoken().factors[factor["word"]] if number is None else spoken().factors.get(number) or Decimal(number)
        return Sides(*sides, "times", by)
    if way is None and max(map(len, sides)) > 1 and spoken().held["together"].search(said):
        way = "greater" if is_boolean else "difference"
    return None if way is None else Sides(*sides, way)


def _apart(said: str, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The companies that are measured, and those that they are measured by: `what @ has as a share of @` the other way
    round than `what share of @ has @`."""
    for way in ("forth", "back"):
        for found in spoken().held[way].finditer(said):
            before = said.count(COMPANY, 0, found.start())
            left, right = (tuple(dict.fromkeys(each)) for each in (names[:before], names[before:]))
            if left and right:
                return (left, right) if way == "forth" else (right, left)
    return None
