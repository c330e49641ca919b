"""Which sort of amount a question asks for, and which figures cannot be the answer: dollars are no share, a loss is no
revenue."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.agent.question.question import Question
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact
from tieout.kg.sense import is_amount, is_no_count
from tieout.ontology.asked.language import language

KEEPS_SORT = frozenset(("lookup", "add", "sum", "subtract", "average", "magnitude", "median"))


def is_other_sort(question: Question, operation: str, used: Sequence[Fact]) -> bool:
    """Whether an answer is of another sort than the question asks for; `agent.answers.checks.sanity` tells of it.

    operation: by which it is made of the figures. A line that is itself called a ratio, margin or rate may be one.
    """
    if question.asks_count and used and operation in KEEPS_SORT:
        return any(map(is_no_count, used))
    if not used or operation not in KEEPS_SORT or not all(map(is_amount, used)):
        return False
    if question.sort == "shares":
        return any(is_currency(fact.unit) for fact in used)
    if question.asks_share:
        return True
    return bool(question.rate) and not any(question.rate in fact.label.lower() for fact in used)


def is_opposite(question: Question, label: str) -> bool:
    """Whether a line is of what is spent or lost, where a question asks for revenue and for nothing of that sort."""
    return "earned" in question.cues and "spent" not in question.cues and is_of_loss(label)


def is_of_loss(label: str) -> bool:
    """Whether a line is of what is spent or lost, and not of what is earned."""
    is_spent = language().cues["spent"].search(label.lower()) is not None
    return is_spent and not re.search(r"\brevenues?\b|\bsales,|\bnet sales\b", label, re.I)
