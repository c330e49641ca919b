"""What the conversation so far has to offer: figures, results, and the measure that a short question inherits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tieout.agent.protocol.message import PriorTurn
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.fact import Fact

LAST_STEP = {"percentage_change": "divide", "percentage": "divide", "average": "divide", "sum": "add"}


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier turn.

    facts: the printed figures under its answer, in the order of the operands. age: 1 for the turn just before.
    """

    asked: Question
    age: int
    operation: str
    facts: tuple[Fact, ...]
    value: Decimal | bool | None
    entry: str | None

    @property
    def scale(self) -> int | None:
        """The scale of the figures under it, where one is stated; a quotient has none."""
        if not self.facts or self.operation not in ("lookup", "add", "subtract", "sum", "average"):
            return None
        fact = self.facts[-1]
        return fact.scale if fact.unit is not None or fact.scale != 1 else None

    @property
    def calculated(self) -> bool:
        """Whether its answer was calculated, not looked up."""
        return self.operation not in ("lookup", "")


@dataclass(frozen=True, slots=True)
class Context:
    """The conversation before a question.

    past: latest first. topic: stems of the measure last named. years: those last named. used: names of facts.
    """

    past: tuple[Past, ...]
    topic: tuple[str, ...]
    years: tuple[int, ...]
    last_facts: tuple[Fact, ...]
    used: frozenset[str]


def recall(history: Sequence[PriorTurn], facts: Mapping[str, Fact], known: frozenset[str]) -> Context:
    """The context from the history of a request.

    facts: those of the document by name. known: the stems in the document, so that a topic is one it can hold.
    """
    past: list[Past] = []
    topic: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    for index, turn in enumerate(history):
        asked = placed(read_question(turn.question), years)
        under = tuple(dict.fromkeys(facts[name] for name in turn.facts if name in facts))
        done = turn.operation or ""  # its last step, in the language of FinQA, in which the weights know them
        done = "multiply" if done.startswith("in_") else LAST_STEP.get(done, done)
        past.insert(0, Past(asked, len(history) - index, done, under, turn.value, turn.entry))
        topic = tuple(stem for stem in asked.topic if stem in known) or topic
        years = asked.years or years
    last_facts = next((turn.facts for turn in past if turn.facts), ())
    used = frozenset(fact.name for turn in past for fact in turn.facts)
    return Context(tuple(past), topic, years, last_facts, used)


def placed(asked: Question, years: tuple[int, ...]) -> Question:
    """The question with the year that `the year before` or `the next year` means, where it names none.

    years: those that the conversation named last.
    """
    if asked.years or not years:
        return asked
    if "year before" in asked.cues:
        meant = min(years) if len(years) > 1 else years[0] - 1
    elif "year after" in asked.cues:
        meant = max(years) if len(years) > 1 else years[0] + 1
    else:
        return asked
    return replace(asked, when=replace(asked.when, years=(meant,), expanded=(meant,), back=0))
