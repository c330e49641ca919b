"""Options that cannot be the answer, by the sort of amount that they are: left out, or put behind those that can."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.offline.operands.quantity import is_opposite, is_other_sort, makes_no_sense
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.options import RATES
from tieout.agent.question.question import Question

Weighed = tuple[Option, float]
LEAST = 0.01  # the probability of an option that is taken before one of the wrong sort


def sensible(weighed: Sequence[Weighed], question: Question) -> list[Weighed]:
    """The options without those that mean nothing, those of another sort than is asked for behind others.

    None is made more probable by it: an answer for want of a better one is a doubtful one.
    """
    kept = [each for each in weighed if not makes_no_sense(each[0].operation, each[0].facts)] or list(weighed)
    if not is_unfit(kept[0][0], question):
        return kept
    fit = [each for each in kept if each[1] >= LEAST and _may_be(each[0], kept[0][0], question)]
    return [*fit, *(each for each in kept if each not in fit)]


def is_unfit(option: Option, question: Question) -> bool:
    """Whether an option is of another sort than a question asks for."""
    return is_against(option, question) or (
        option.kind == "number" and is_other_sort(question, option.operation, option.facts)
    )


def is_against(option: Option, question: Question) -> bool:
    """Whether an option looks up what is lost or spent, where revenue is asked for."""
    facts = option.facts
    return option.operation == "lookup" and len(facts) == 1 and is_opposite(question, facts[0].label)


def _may_be(option: Option, best: Option, question: Question) -> bool:
    """Whether an option is of the sort that is asked for, where the best is not.

    A line by itself in another period is no share of anything, and a percentage is the one meant where it is of the
    line that was found.
    """
    if option.kind != "number" or is_unfit(option, question):
        return False
    labels = {fact.label.lower() for fact in option.facts}
    if option.operation == "lookup":
        said = {fact.label.lower() for fact in best.facts}
        return is_against(best, question) or (option.is_printed_rate and labels <= said)
    return option.operation in RATES and (len(labels) > 1 or len(option.facts) < 2)


__all__ = ["is_against", "is_unfit", "sensible"]
