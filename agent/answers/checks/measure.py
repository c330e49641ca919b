"""A percentage, a ratio or an amount per share is asked for, and an amount of money is given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact

_RATE = r"(?:percentage|percent|per cent|pct|proportion|fraction|share)"
_OF_RATES = (
    re.compile(
        rf"\b(?:what|which)\s+(?:is|was|were)?\s*(?:the\s+)?{_RATE}\s+of\b(?!\s+(?:profits?|loss|losses|income|earnings)\b)",
        re.IGNORECASE,
    ),
    re.compile(rf"\bas\s+(?:a|the)?\s*(?:{_RATE}|%)\s+(?:of|to)\b", re.IGNORECASE),
    re.compile(r"\bwhat\s+(?:percentage|percent|per cent|proportion|fraction)\b", re.IGNORECASE),
    re.compile(r"\bin (?:percent|per cent|percentage terms|%)(?:\s+terms)?\s*\?*\s*$", re.IGNORECASE),
)
_CALLED = re.compile(
    r"^\s*(?:and\s+)?(?:what|how (?:high|low|large|big))\b.*?\b(?P<called>ratio|margin)\b", re.IGNORECASE
)
_CALLED_MORE = re.compile(
    r"\b(?:less|minus|plus|times|difference|change\w*|dollars?|amount|value|much)\b", re.IGNORECASE
)
_PER_SHARE = re.compile(r"\b(?:per (?:\w+ ){0,2}?share|eps)\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"\b(?:shares|at (?:an?|the) (?:average )?price|total|value|cost|amount|paid|proceeds|cash)\b", re.IGNORECASE
)

_BESIDE_RATE = re.compile(r"\b(?:percentage|percent|proportion|share) of\b|%", re.IGNORECASE)


def other_measure(question: str, unit: str | None, used: Sequence[Fact]) -> str | None:
    """What a question asks for that an amount of money does not answer, in words; None where it may.

    unit: of the answer. used: the figures that it rests on; what their own labels call a share or a margin is one.
    """
    if unit is None or not (is_currency(unit) or unit.endswith("/share")):
        return None
    labels = " ".join(fact.label for fact in used)
    if any(each.search(question) for each in _OF_RATES):
        return (
            None if _BESIDE_RATE.search(labels) else f"the question asks for a percentage, and the answer is in {unit}"
        )
    called = _CALLED.search(question)
    if called is not None and called["called"].lower() not in labels.lower() and not _CALLED_MORE.search(question):
        return f"the question asks for a {called['called'].lower()}, and the answer is in {unit}"
    asks_per_share = _PER_SHARE.search(question) is not None and not _BESIDE.search(question)
    if asks_per_share and is_currency(unit) and not any(_is_per_share(fact) for fact in used):
        return f"the question asks for an amount per share, and the answer is in {unit}"
    return None


def _is_per_share(fact: Fact) -> bool:
    return str(fact.unit or "").endswith("/share") or _PER_SHARE.search(fact.label) is not None
