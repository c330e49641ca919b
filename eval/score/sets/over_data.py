"""Answers over data beside reports against their gold ones: floats to two decimals, counts and dates exactly."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from tieout.agent.ledger.ledger import Entry, Words
from tieout.data.document import Gold
from tieout.data.readers.questions import OVER_DATA
from tieout.eval.score.score import Rule, correct

HUNDREDTH = Decimal("0.01")


def is_over_data(gold: Gold) -> bool:
    """Whether a gold answer is of a question over data."""
    return gold.kind.startswith(OVER_DATA)


def judged_over_data(entry: Entry | None, gold: Gold) -> dict[Rule, bool]:
    """STRICT: equal to two decimals, counts and dates exactly. MAIN and LENIENT let numbers that are no counts differ
    as those of reports may."""
    strict = _is_equal(entry, gold)
    if not gold.kind.endswith("number") or entry is None or not isinstance(entry.value, Decimal):
        return dict.fromkeys(Rule, strict)
    value = entry.value
    return {rule: strict or (rule is not Rule.STRICT and correct(rule, value, gold.answer)) for rule in Rule}


def _is_equal(entry: Entry | None, gold: Gold) -> bool:
    if entry is None or isinstance(entry.value, bool):
        return False
    if isinstance(gold.answer, str) or isinstance(entry.value, Words):
        return isinstance(entry.value, Words) and entry.value.text == gold.answer
    if gold.kind.endswith("count"):
        return entry.value == gold.answer
    try:
        return entry.value.quantize(HUNDREDTH) == gold.answer.quantize(HUNDREDTH)
    except InvalidOperation:
        return False
