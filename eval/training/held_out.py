"""What both readers say of labelled questions that they were not fitted to, asked as a user would: in conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.by_measure import ByMeasure
from tieout.agent.offline.ranking.choose import Choice
from tieout.agent.offline.ranking.model import Model, Ranked
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.options import options
from tieout.agent.offline.ranking.reader import Found
from tieout.agent.offline.ranking.weigh import Weigher
from tieout.agent.session import Session
from tieout.data.document import Gold
from tieout.eval.score.result import Result, results
from tieout.eval.score.score import Rule, correct
from tieout.eval.score.sets.tatqa import NAMES, judged
from tieout.eval.training.__main__ import Report, owner
from tieout.kg.fact import Fact

KEPT = 6  # readings of a question
OF_SCALE = frozenset({"lookup", "subtract", "add", "sum", "average", "median"})  # whose results have their scale


Seen = tuple[Found | None, Sequence[Ranked], Aim, ByMeasure | None]


class Watched(OfflineBackend):
    """The offline backend, with what it had to choose from for the whole of the question that it was last asked: for
    its parts it is no choice that answers the question."""

    def __init__(self, model: Model, weigher: Weigher) -> None:
        super().__init__(model, weigher)
        self.question = ""
        self.seen: Seen | None = None

    def watch(self, question: str) -> None:
        """The question that is asked next."""
        self.question, self.seen = question, None

    def choose(
        self, found: Found | None, readings: Sequence[Ranked], goal: Aim, named: ByMeasure | None
    ) -> Choice | None:
        """What is chosen, and seen."""
        if self.seen is None or goal.asked.text == self.question:
            kept = None if found is None else replace(found, ranked=found.ranked[:KEPT])
            self.seen = kept, readings[:KEPT], goal, named
        return super().choose(found, readings, goal, named)


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A labelled question as it was asked and answered. right: of each option, whether it comes to the gold answer.

    goal: None where neither reader was asked, as the page answers it by rule. named: the answer by what it names.
    """

    part: int
    independent: bool
    turn: Turn
    result: Result
    options: tuple[Option, ...]
    right: tuple[bool, ...]
    found: Found | None
    goal: Aim | None
    named: ByMeasure | None = None


def ask_all(
    reports: Sequence[Report], part: dict[str, int], models: Sequence[Model], weighers: Sequence[Weigher]
) -> Iterator[Asked]:
    """Every labelled question, answered by weights that were fitted without its page or company, own history."""
    for conversation, graph in reports:
        number = part[owner(conversation)]
        backend = Watched(models[number], weighers[number])
        session = Session(graph, backend, independent=conversation.independent)
        turns: list[Turn] = []
        seen: list[Seen | None] = []
        for question in conversation.questions:
            backend.watch(question.text)
            turns.append(session.ask(question.text))
            seen.append(backend.seen)
        known = zip(turns, results(conversation, turns), conversation.gold, seen, strict=True)
        for turn, result, gold, each in known:
            if turn.outcome == "error":
                raise RuntimeError(f"{conversation.id}, turn {turn.index}: {turn.message}")
            if each is None:
                yield Asked(number, conversation.independent, turn, result, (), (), None, None)
                continue
            found, ranked, goal, named = each
            made = tuple(options(found, ranked, goal, named))
            right = tuple(option_right(option, gold) for option in made)
            yield Asked(number, conversation.independent, turn, result, made, right, found, goal, named)


def option_right(option: Option, gold: Gold) -> bool:
    """Whether an option comes to the gold answer, by the rule main."""
    if option.ranked is not None:
        used = [operand.view.fact for operand in option.ranked.candidate.operands if operand.view is not None]
        return value_right(option.ranked.value, used, option.ranked.candidate.operation, gold)
    return option.whole is not None and reading_right(option.whole, gold)


def reading_right(reading: Reading, gold: Gold) -> bool:
    """Whether a reading of a whole question comes to the gold answer, by the rule main."""
    value = reading.value()
    if isinstance(value, tuple):
        return bool(gold.spans) and judged((value, ""), gold)[Rule.MAIN]
    return value is not None and value_right(value, [point.fact for point in reading.points], reading.operation, gold)


def value_right(value: Decimal | bool, facts: Sequence[Fact], operation: str, gold: Gold) -> bool:
    """Whether a value is the gold answer, by the rule main. facts: that it was made of, by operation."""
    if not gold.spans:
        return correct(Rule.MAIN, value, gold.answer)
    if isinstance(value, bool):
        return False
    scale = min((fact.scale for fact in facts), default=1) if operation in OF_SCALE else 1
    return judged(((f"{value:f}",), NAMES.get(scale, "")), gold)[Rule.MAIN]
