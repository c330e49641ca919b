"""Which answer is given: the options of both readers weighed, those that cannot be it by the sort of amount that they
are left out or put behind, and the chance of being right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.by_measure import ByMeasure
from tieout.agent.offline.ranking.left import answers_all_the_same, opened, unknown_words, years_missing
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.options import NAMED, NOT_LEFT, RATES, is_named, manner_of, options
from tieout.agent.offline.ranking.reader import Found
from tieout.agent.offline.ranking.weigh import Weigher
from tieout.agent.question.question import Question
from tieout.data.arithmetic.chance import log_odds, softmax
from tieout.kg.sense import is_opposite, is_other_sort, makes_no_sense
from tieout.ontology.asked.sort import TOLD

FITTING = ["words left", "words of each", "words added"]
Weighed = tuple[Option, float]
LEAST = 0.01  # the probability of an option that is taken before one of the wrong sort


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer that is given.

    whole: the reading of the whole question, None where the reader of conversations answers by `ranked`, whose first
    is the answer then. chance: of being right. unknown: words of the question that neither the report nor the
    conversation has. open: what else the answer leaves open, in words. others: other readings, in words; margin: by
    how much the best is more probable than the next. against: the label of a line that cannot be meant. knows_named:
    the answer by what the question names is among those that were weighed.
    """

    whole: Reading | None
    ranked: Sequence[Ranked]
    chance: float
    unknown: tuple[str, ...]
    open: tuple[str, ...]
    others: tuple[str, ...]
    margin: float = 0.0
    against: str = ""
    knows_named: bool = False

    @property
    def operation(self) -> str:
        """The operation of the answer, `lookup` for none."""
        return self.whole.operation if self.whole is not None else self.ranked[0].candidate.operation

    @property
    def kind(self) -> str:
        """The kind of answer."""
        if self.whole is not None:
            return self.whole.kind
        return "boolean" if isinstance(self.ranked[0].value, bool) else "number"


def choose(
    found: Found | None, ranked: Sequence[Ranked], goal: Aim, weigher: Weigher, named: ByMeasure | None = None
) -> Choice | None:
    """The most likely of the answers of both readers; None where neither has one. named: the answer by what the
    question names, which speaks for the option that it is."""
    made = options(found, ranked, goal, named)
    if not made:
        return None
    by_words = _as_percent(weigh(made, weigher), goal)
    weighed = sensible(by_words, goal.asked)
    best, probability = weighed[0]
    chance = weigher.chance(signs_of(weighed, found, goal, named))
    unknown: tuple[str, ...] = () if found is None else unknown_words(found.left.unknown, goal.context.past)
    flagged: tuple[str, ...] = ()
    if found is not None and answers_all_the_same(unknown, found, goal.gate, chance):
        flagged = tuple(f"no figure that was found is of {word!r}" for word in unknown)
        unknown = ()
    first = goal.gate == "first" or best.ranked is None
    whole = best.whole if first else None
    if whole is None and best.ranked is not None:
        ranked = [best.ranked, *(each for each in ranked if each is not best.ranked)]
        open_ = tuple(f"no figure of the answer is of {year}" for year in years_missing(best.ranked, goal))
    else:
        open_ = opened(best, is_sure=chance >= CERTAIN)
    others = tuple(each.said for each, _ in weighed[1:3])
    margin = probability - weighed[1][1] if others else 1.0
    against = by_words[0][0].facts[0].label if is_against(by_words[0][0], goal.asked) else ""
    knows = any(is_named(each, named) for each in made)
    return Choice(whole, ranked, chance, unknown, (*flagged, *open_), others, margin, against, knows)


def _as_percent(weighed: list[tuple[Option, float]], goal: Aim) -> list[tuple[Option, float]]:
    """The options, those of a rate of change first where a change is asked for in percent and the best is an amount.

    The change of a rate stays a difference, in percentage points.
    """
    best = weighed[0][0]
    if best.operation != "subtract" or "rate of change" not in goal.asked.cues or best.of_rates:
        return weighed
    rates = [each for each in weighed if each[0].step == "rate"]
    others = [each for each in weighed if each[0].step != "rate"]
    if not rates:
        return weighed
    chances = sorted((chance for _, chance in weighed), reverse=True)
    return [(option, chance) for (option, _), chance in zip([*rates, *others], chances, strict=True)]


def sensible(weighed: Sequence[Weighed], question: Question) -> list[Weighed]:
    """The options without those that mean nothing, those of another sort than is asked for behind others.

    None is made more probable by it: an answer for want of a better one is a doubtful one.
    """
    kept = [each for each in weighed if not makes_no_sense(each[0].operation, each[0].facts)] or list(weighed)
    best = kept[0][0]
    may_be = [each for each in kept if each[1] >= LEAST and _may_be(each[0], best, question)]
    fit = may_be if is_unfit(best, question) else kept[:1]
    fit += [each for each in kept if each not in fit and not is_unfit(each[0], question)] if fit else []
    return [*fit, *(each for each in kept if each not in fit)]


def is_unfit(option: Option, question: Question) -> bool:
    """Whether an option is of another sort than a question asks for: a number where it asks in which month."""
    if option.kind == "number" and question.kinds[0] == "period":
        return True
    return is_against(option, question) or (
        option.kind == "number" and is_other_sort(question.asks_for, option.operation, option.facts)
    )


def is_against(option: Option, question: Question) -> bool:
    """Whether an option looks up what is lost or spent, where revenue is asked for."""
    facts = option.facts
    return option.operation == "lookup" and len(facts) == 1 and is_opposite(question.cues, facts[0].label)


def _may_be(option: Option, best: Option, question: Question) -> bool:
    """Whether an option is of the sort that is asked for, where the best is not.

    A line by itself in another period is no share of anything, and a percentage is the one meant where it is of the
    line that was found.
    """
    if question.kinds[0] == "period" and is_unfit(best, question):
        return option.kind == "period"
    if is_unfit(option, question) or (option.kind != "number" and question.asks_for not in TOLD):
        return False
    if not question.asks_share:
        return True
    labels = {fact.label.lower() for fact in option.facts}
    if option.operation == "lookup":
        said = {fact.label.lower() for fact in best.facts}
        return is_against(best, question) or (option.is_printed_rate and labels <= said)
    return option.operation in RATES and (len(labels) > 1 or len(option.facts) < 2)


def weigh(made: Sequence[Option], weigher: Weigher) -> list[tuple[Option, float]]:
    """The options with their probabilities, most probable first."""
    weighed = zip(made, softmax([weigher.worth(each.features) for each in made]), strict=True)
    return sorted(weighed, key=lambda each: -each[1])


def signs_of(
    weighed: Sequence[tuple[Option, float]], found: Found | None, goal: Aim, named: ByMeasure | None = None
) -> Features:
    """What speaks for and against the best option being right."""
    (best, probability), gate = weighed[0], goal.gate
    odds, left = log_odds(probability), NOT_LEFT if found is None else found.left
    kind = best.kind if best.operation != "lookup" else "lookup"
    manner = manner_of(goal)
    both = best.whole is not None and best.ranked is not None
    unknown: tuple[str, ...] = () if found is None else unknown_words(found.left.unknown, goal.context.past)
    found_signs = {
        "always": 1.0,
        "odds": odds,
        f"odds {gate}": odds,
        f"kind {kind}": 1.0,
        f"kind {kind}, {gate}": 1.0,
        manner: 1.0,
        f"by {best.operation}": 1.0,
        f"{'both' if both else 'whole' if best.ranked is None else 'conversation'}, {gate}": 1.0,
        "next": weighed[1][1] if len(weighed) > 1 else 0.0,
        "unknown words": float(len(unknown)),
        "an unknown word": float(bool(unknown)),
        "words elsewhere": float(len(left.elsewhere)),
        "years open": float(best.features["years open"]),
        **{name: best.features.get(name, 0.0) for name in (*FITTING, NAMED, f"{NAMED}, odds")},
        **_against(best, named),
        "text": float(best.is_text),
        f"no year asked, {gate}": float(not goal.years),
        "percentage asked, amount said": float(found is not None and found.ask.sort == "rate" and best.is_amount),
    }
    return {name: value for name, value in found_signs.items() if value}


def _against(best: Option, named: ByMeasure | None) -> Features:
    """What an answer by what the question names says against another one."""
    if named is None or is_named(best, named):
        return {}
    return {f"other than {NAMED}": 1.0, f"other than {NAMED}, odds": log_odds(named.chance)}
