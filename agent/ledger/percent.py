"""Whether an answer reads as a percentage: by how it was made, or because the question asks for one."""

from __future__ import annotations

import re
from decimal import Decimal

from tieout.agent.arithmetic.operations import OPERATIONS
from tieout.agent.ledger.ledger import Entry, FromConstant, FromOperation, Ledger, Step
from tieout.data.printed.amount import Unit

ASKED = re.compile(r"%|\bper ?cent(?:age)?s?\b", re.IGNORECASE)
KEEPS = frozenset({"magnitude", "subtract", "add", "sum", "average", "median", "min", "max", "range"})
DEEPEST = 12  # steps that are followed


def is_percentage(ledger: Ledger, entry: Entry, question: str) -> bool:
    """Whether a ratio is told as a percentage: a rate, what was made of rates alone, and a quotient where the question
    asks for percent."""
    if not isinstance(entry.value, Decimal) or entry.unit not in (Unit.RATIO, None) or entry.scale != 1:
        return False
    is_quotient = isinstance(entry.source, FromOperation) and entry.source.operation == "divide"
    if is_quotient and entry.unit == Unit.RATIO and ASKED.search(question):
        return True
    return _is_rate(ledger, Step(ledger.turn, entry), DEEPEST)


def _is_rate(ledger: Ledger, step: Step, deep: int) -> bool:
    source, below = step.entry.source, ledger.operands(step)
    if isinstance(source, FromOperation):
        if OPERATIONS[source.operation].percent:
            return True
        if source.operation == "multiply":  # by one or minus one: the sign is turned
            turned = [each for each in below if _is_sign(each.entry)]
            below = tuple(each for each in below if each not in turned) if turned else ()
        elif source.operation not in KEEPS:
            return False
    return bool(below) and deep > 0 and all(_is_rate(ledger, each, deep - 1) for each in below)


def _is_sign(entry: Entry) -> bool:
    return isinstance(entry.source, FromConstant) and entry.value in (1, -1)
