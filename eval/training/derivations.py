"""Labelled questions of TAT-QA as turns to fit figures to: which printed figures a derivation names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from tieout.agent.ledger.program import execute
from tieout.agent.offline.ground import aim
from tieout.agent.offline.page import Page
from tieout.agent.offline.question import read_question
from tieout.agent.offline.reference import recall
from tieout.data.document import Conversation, Gold
from tieout.eval.score.tatqa import number_of
from tieout.eval.training.samples import Sample, printing
from tieout.kg.fact import Fact

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
MOST_LEAVES = 8
COUNTS = frozenset(map(Decimal, (1, 2, 3, 4, 5, 100)))  # how many were averaged, and the base of percent


def derived_samples(conversation: Conversation, facts: Sequence[Fact], weight: float) -> Iterator[Sample]:
    """The questions of a page that are answered by printed figures, each with those that are needed."""
    page = Page(facts)
    nothing = recall((), page.facts, page.known)
    for question, gold in zip(conversation.questions, conversation.gold, strict=True):
        named = list(dict.fromkeys(operands(gold)))
        needed = tuple(indices for each in named if (indices := printing(page, each)))
        if needed and len(needed) == len(named):
            goal = aim(read_question(question.text), nothing, page)
            yield Sample(conversation.id, conversation.id, page, goal, "lookup", _value(named[0]), needed, weight)


def operands(gold: Gold) -> list[str]:
    """The printed figures under a gold answer as numbers of FinQA's language; [] where they cannot be told.

    >>> operands(Gold(answer="", spans=("24.41",), kind="arithmetic", derivation="($1,496.5 - 1,202.9) / 1,202.9"))
    ['1496.5', '1202.9', '1202.9']
    """
    if gold.kind == "arithmetic":
        plain = re.sub(r"[\s$€£,]", "", gold.derivation.replace("[", "(").replace("]", ")"))
        try:
            ast.parse(plain.replace("%", ""), mode="eval")
        except SyntaxError:
            return []
        found = [match[0] for match in NUMBER.finditer(plain)]
        kept = [each for each in found if Decimal(each) not in COUNTS]
        return kept if len(kept) <= MOST_LEAVES else []
    if gold.kind != "span" or len(gold.spans) != 1 or number_of(gold.spans[0]) is None:
        return []
    digits = NUMBER.search(gold.spans[0])
    return [] if digits is None else [digits[0].replace(",", "")]


def _value(number: str) -> Decimal:
    try:
        value = execute(number)
    except (ValueError, InvalidOperation):
        return Decimal(0)
    assert isinstance(value, Decimal)
    return value
