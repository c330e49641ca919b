"""A percentage, a ratio or an amount per share is asked for, and an amount of money is given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.agent.question.question import Question
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact

CALLED = ("ratio", "margin")
_PER_SHARE = re.compile(r"\b(?:per (?:\w+ ){0,2}?share|eps)\b", re.IGNORECASE)
_RATE = re.compile(r"\b(?:percentage|percent|proportion|share) of\b|%", re.IGNORECASE)


def other_measure(question: Question, unit: str | None, used: Sequence[Fact]) -> str | None:
    """What a question asks for that an amount of money does not answer, in words; None where it may.

    unit: of the answer. used: the figures that it rests on; what their own labels call a share or a margin is one.
    """
    if unit is None or not (is_currency(unit) or unit.endswith("/share")):
        return None
    labels = " ".join(fact.label for fact in used)
    if question.asks_share or "in percent" in question.cues:
        return None if _RATE.search(labels) else f"the question asks for a percentage, and the answer is in {unit}"
    if question.rate in CALLED and question.rate not in labels.lower() and "called" not in question.cues:
        return f"the question asks for a {question.rate}, and the answer is in {unit}"
    asks_per_share = "per share" in question.cues and "beside" not in question.cues
    if asks_per_share and is_currency(unit) and not any(_is_per_share(fact) for fact in used):
        return f"the question asks for an amount per share, and the answer is in {unit}"
    return None


def _is_per_share(fact: Fact) -> bool:
    return str(fact.unit or "").endswith("/share") or _PER_SHARE.search(fact.label) is not None
