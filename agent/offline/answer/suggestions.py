"""The labels of a page that may be meant by a question which it cannot answer: those that share something with it."""

from __future__ import annotations

from collections.abc import Collection

from rapidfuzz import fuzz

from tieout.agent.offline.candidates.page import Page
from tieout.agent.question.question import Question
from tieout.agent.question.words import content
from tieout.kg.fact import NUMERAL

MOST = 3
LEAST_ALIKE = 80.0  # of 100: how alike in spelling a word of a label is to one that the report does not have


def near_labels(question: Question, unknown: Collection[str], page: Page) -> list[str]:
    """The labels with most of what a question names, or with a word spelled much like one that nothing has; none that
    share nothing with it. unknown: words of the question that the report does not have."""
    asked = frozenset(question.core)
    weighed: dict[str, float] = {}
    for view in page.views:
        label = view.fact.label
        if view.fact.entity_type == NUMERAL or label in weighed:
            continue
        own = frozenset(content(label.lower()))
        shared = sum(page.weight.get(each, 1.0) for each in asked & own)
        weighed[label] = shared + _spelled(unknown, label)
    ranked = sorted((label for label in weighed if weighed[label] > 0), key=lambda label: -weighed[label])
    return ranked[:MOST]


def _spelled(unknown: Collection[str], label: str) -> float:
    """How many of these words a label has but for their spelling."""
    words = [word for word in label.lower().split() if len(word) > 3]
    return float(sum(any(fuzz.ratio(one.lower(), word) >= LEAST_ALIKE for word in words) for one in unknown))
