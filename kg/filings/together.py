"""What was found of a report, held against each other: what is not current against its total, what the owners have
against what they have together with others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

from tieout.kg.filings.labelled import NET, SURE
from tieout.kg.filings.observed import Best

_Span = tuple[date | None, date]
# A total, what of it is current, and what is not.
_DIVIDED = (
    ("total_assets", "current_assets", "noncurrent_assets"),
    ("total_liabilities", "current_liabilities", "noncurrent_liabilities"),
)
# What the owners of a company have, what they have with others, and what those have of it.
_SHARED = (
    ("net_income", "net_income_with_noncontrolling", "net_income_noncontrolling"),
    (
        *("comprehensive_income", "comprehensive_income_with_noncontrolling"),
        "comprehensive_income_noncontrolling",
    ),
    ("equity", "equity_with_noncontrolling", "noncontrolling_interests"),
)
ROUNDED = 2  # units of the last digit that a sum of rounded lines may be off


def hold_together(known: dict[str, Best]) -> None:
    """Takes out what is called not current and is a part of that alone, `Other noncurrent assets` beside property; and
    doubts what is the owners' where it is the very line of what they have with others, and others have some of it."""
    for total, current, rest in _DIVIDED:
        for span in tuple(known.get(rest, ())):
            left = _less(_total(known, total, span), _amount(known, current, span))
            each = known[rest][span]
            if left is None or abs(left - each.amount) <= ROUNDED * each.scale:
                continue
            outside = _amount(known, "long_term_debt", span)
            is_part = total in known and span in known[total]
            if is_part or (outside is not None and abs(left - each.amount - outside) <= ROUNDED * each.scale):
                del known[rest][span]
            else:
                known[rest][span] = replace(each, probability=min(each.probability, NET))
    for own, together, others in _SHARED:
        for span, each in known.get(own, {}).items():
            both = known.get(together, {}).get(span)
            if both is not None and both.fact == each.fact and _amount(known, others, span):
                known[own][span] = replace(each, probability=min(each.probability, NET))


def _amount(known: Mapping[str, Best], name: str, span: _Span) -> Decimal | None:
    found = known.get(name, {}).get(span)
    return found.amount if found is not None and found.probability >= SURE else None


def _total(known: Mapping[str, Best], name: str, span: _Span) -> Decimal | None:
    """A total; of liabilities that are not printed what is left of both sides without equity."""
    stated = _amount(known, name, span)
    if stated is not None or name != "total_liabilities":
        return stated
    equity = _amount(known, "equity_with_noncontrolling", span)
    if equity is None and (own := _amount(known, "equity", span)) is not None:
        equity = own + (_amount(known, "noncontrolling_interests", span) or 0)
    between = _amount(known, "redeemable_noncontrolling_interest", span) or Decimal(0)
    sides = (_amount(known, each, span) for each in ("liabilities_and_equity", "total_assets"))
    return _less(_less(next((each for each in sides if each is not None), None), equity), between)


def _less(whole: Decimal | None, part: Decimal | None) -> Decimal | None:
    return None if whole is None or part is None else whole - part
