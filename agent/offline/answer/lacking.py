"""What is missing where a page cannot answer a question, and the labels of the page that may be meant instead."""

from __future__ import annotations

from tieout.agent.offline.answer.by_name import Missing
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.choose import Choice
from tieout.agent.question.question import Question
from tieout.kg.fact import NUMERAL
from tieout.kg.page import Page
from tieout.kg.sense import is_opposite
from tieout.ontology.asked.words import content

MOST = 3  # labels, or years
MOST_WORDS = 8  # of a question that are quoted back


def near_labels(question: Question, page: Page) -> list[str]:
    """The labels with most of what a question names; none that share nothing with it."""
    asked = frozenset(question.core)
    weighed: dict[str, float] = {}
    for view in page.views:
        label = view.fact.label
        if view.fact.entity_type == NUMERAL or label in weighed:
            continue
        own = frozenset(content(label.lower()))
        weighed[label] = sum(page.weight.get(each, 1.0) for each in asked & own)
    ranked = sorted((label for label in weighed if weighed[label] > 0), key=lambda label: -weighed[label])
    return ranked[:MOST]


def unaccounted(chosen: Choice, goal: Aim, page: Page) -> Missing | None:
    """What is missing where a word of the question stands nowhere in the report; None where all are accounted for."""
    if not chosen.unknown:
        return None
    words = " or ".join(map(repr, chosen.unknown[:MOST_WORDS]))
    return Missing(f"The report has nothing about {words}.", tuple(near_labels(goal.asked, page)), is_bound=True)


def lacking(chosen: Choice, goal: Aim, page: Page) -> Missing | None:
    """What is missing where the report has no word or no year of the question, with what it has instead; None where it
    may answer.

    A calculation may name a year that only the conversation knows, so years count for a first question and a look-up.
    """
    first = not goal.context.past
    if chosen.against and first:
        told = f"No line of the report is what is asked for, and {chosen.against!r} is of what is lost or spent."
        near = [each for each in near_labels(goal.asked, page) if not is_opposite(goal.asked.cues, each)]
        return Missing(told, tuple(near))
    looks_up = chosen.operation == "lookup"
    if goal.asked.years and (first or looks_up) and not page.tells_of(goal.asked.years):
        told = f"The report has no figure of {' or '.join(map(str, goal.asked.years[:MOST_WORDS]))}."
        latest = sorted(filter(None, {view.year for view in page.views}), reverse=True)
        return Missing(told, tuple(map(str, latest[:MOST])))
    return None
