"""Answers about whole reports beside their gold numbers: scale and percent are known, gold is rounded as printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tieout.agent.ledger.ledger import Entry
from tieout.agent.log.turn import Turn
from tieout.data.document import Gold
from tieout.data.printed.amount import Unit
from tieout.eval.score.score import RULES, Rule

_SHARES = {Rule.STRICT: Decimal(0), Rule.MAIN: Decimal("0.005"), Rule.LENIENT: Decimal("0.01")}
_SCALES = {"thousand": Decimal(10) ** 3, "million": Decimal(10) ** 6, "billion": Decimal(10) ** 9}
_IN = re.compile(
    r"\bin (?:(?:units? of|us|u\.s\.|usd|eur|gbp|dollars?|\$|€|£)\s*)*(thousand|million|billion)s?\b", re.IGNORECASE
)


def scores_of_report(turn: Turn, gold: Gold) -> dict[Rule, bool]:
    """Whether an answer is right: every gold number is among its figures.

    STRICT: equal once rounded as gold is printed (8.738 billion for 8.70). MAIN: that, or within 0.5%. LENIENT: within
    1%, sign ignored. A gold that is a percentage is met by 30.8% and by 0.308, and by 30.8 of no unit; another one is
    never taken a hundredfold. Where the question names a scale (`in USD millions`) gold counts in it; where it names
    none, gold is an amount as printed or in full units.
    """
    figures = _figures(turn)
    return {
        rule: bool(figures) and all(_one_of(figures, each, gold, turn.question, rule) for each in gold.spans)
        for rule in RULES
    }


def _one_of(figures: Sequence[Entry], wanted: str, gold: Gold, question: str, rule: Rule) -> bool:
    one = gold.model_copy(update={"spans": (wanted,)})
    return any(
        is_right(each.value, each.unit, each.scale if each.scale_known else None, one, question, rule)
        for each in figures
        if isinstance(each.value, Decimal)
    )


def is_right(value: Decimal, unit: str | None, scale: int | None, gold: Gold, question: str, rule: Rule) -> bool:
    """Whether a figure is the one number of a gold label. scale: None where it is not known."""
    return any(_near(*pair, rule) for pair in _pairs(value, unit, scale, gold, question))


def _figures(turn: Turn) -> list[Entry]:
    """The figures that an answer says: its own number, or those of its items."""
    if turn.answer is not None:
        return [turn.answer] if isinstance(turn.answer.value, Decimal) else []
    entries = [turn.ledger[item.entry] for item in turn.items if item.entry is not None]
    return [entry for entry in entries if isinstance(entry.value, Decimal)]


def _pairs(
    value: Decimal, unit: str | None, scale: int | None, label: Gold, question: str
) -> Iterator[tuple[Decimal, Decimal, Decimal]]:
    """What may be compared: a value, its target, and what one of gold is worth in them."""
    gold, one, hundredth = Decimal(label.spans[0]), Decimal(1), Decimal("0.01")
    asked = _IN.search(question)
    if label.scale == "percent":
        in_percent = unit in (Unit.PERCENT, Unit.PERCENTAGE_POINTS)
        yield (value * hundredth if in_percent else value), gold * hundredth, hundredth
        if unit is None:
            yield value, gold, one
    elif unit == Unit.PERCENT:
        yield value * hundredth, gold, one
    elif asked is None:
        yield value * (scale or 1), gold, one
        yield value, gold, one
    elif scale is None:
        yield value, gold, one
    else:
        factor = _SCALES[asked[1].lower()]
        yield value * scale, gold * factor, factor


def _near(value: Decimal, target: Decimal, unit: Decimal, rule: Rule) -> bool:
    """Within half of gold's last digit, or a share of it. unit: what one of gold is worth."""
    exponent = (target / unit).normalize().as_tuple().exponent
    places = min(exponent, 0) if isinstance(exponent, int) else 0
    if rule is Rule.LENIENT:
        value, target = value.copy_abs(), target.copy_abs()
    most = max(unit.scaleb(places) / 2, _SHARES[rule] * target.copy_abs())
    return abs(value - target) <= most
