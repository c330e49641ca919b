"""A question for a period that is not printed: its line as the reader finds it, reckoned from other periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tieout.agent.offline.answer.reply import Call, worked_out
from tieout.agent.offline.ranking.reader import Found
from tieout.agent.protocol.tool import ToolError
from tieout.agent.question.question import Question
from tieout.agent.tools.derived import derive
from tieout.agent.tools.lookup import plain
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import HALF, Wanted, is_of_other_month, span_of
from tieout.kg.days import is_of_none
from tieout.kg.derived import Derivation, with_days
from tieout.kg.fact import Fact

LEAST = 0.25  # probability of a line below which nothing is reckoned from it
CERTAIN = 0.95  # that what is reckoned from the right line is what was asked for


def reckoned(
    question: Question, found: Found | None, facts: Sequence[Fact], unknown: Sequence[str], turn: int
) -> tuple[list[Call], float] | None:
    """The calls that reckon what is asked for, with the probability of its line; None where a printed figure may be
    meant, or where nothing follows.

    unknown: words of the question that the report does not have. A line whose figures do not flow is asked back.
    """
    wanted = question.when.wanted
    if wanted is None or found is None or found.best.kind != "number" or found.best.operation != "lookup":
        return None
    said = plain(wanted.text).split()
    if any(plain(word) not in said for word in unknown):
        return None
    best = found.best.points[0].fact
    label = plain(best.label)
    alike = (each for each in found.ranked if any(plain(p.fact.label) == label for p in each.reading.points[:1]))
    chance = sum(each.probability for each in alike)
    if chance < LEAST:
        return None
    return reckoned_from(best, facts, wanted, turn, chance)


def reckoned_from(
    best: Fact, facts: Sequence[Fact], wanted: Wanted, turn: int, chance: float
) -> tuple[list[Call], float] | None:
    """As reckoned, from the line of a figure that is known. chance: that it is the line that is meant."""
    facts = with_days(facts)
    try:
        made = next((made for line in _lines(best, facts) if (made := derive(line, wanted)) is not None), None)
    except ToolError as error:
        key = f"{wanted.year}-{'H' if wanted.months == HALF else 'Q'}{wanted.quarter}"  # of that very quarter or half
        periods = (fact.period for line in _lines(best, facts) for fact in line)
        if wanted.quarter is not None and any(each is not None and each.key.endswith(key) for each in periods):
            return None
        return [("clarify", {"question": f"{str(error)[:300]}. Which printed figure is meant?"})], 0.0
    if made is None or len(made.facts) == 1:
        return None
    return list(_calls(made, wanted, turn)), round(CERTAIN * min(chance, 1.0), 2)


def _lines(best: Fact, facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """The figures of the line of a figure: of its own place, then of any of the same label."""
    label = [fact for fact in facts if plain(fact.label) == plain(best.label)]
    yield [fact for fact in label if _place(fact) == _place(best)]
    yield label


def _place(fact: Fact) -> tuple[str, str]:
    return fact.section, fact.name.partition("r")[0]


def of_other_months(question: Question, facts: Sequence[Fact]) -> Iterator[str]:
    """What is told of figures that are looked up where the question names a quarter, months or days of others."""
    wanted = question.when.wanted
    if wanted is None:
        yield from of_other_month(question, facts)
        return
    for fact, period in ((fact, fact.period) for fact in facts if fact.period):
        days, is_year = span_of(period), period.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
        if not wanted.may_be(days) if days is not None else is_year:
            yield f"{fact.name} is of {period.told}, and not of {wanted.text!r}"


def of_other_month(question: Question, facts: Sequence[Fact]) -> Iterator[str]:
    """What is told of figures of another time than the one month that a question names, or the day on which a span of
    it ends, and of each of several months and days that none of them is of."""
    named = [each for each in question.when.periods if each.kind in (PeriodKind.MONTH, PeriodKind.DATE)]
    for month in named if facts and len(named) > 1 else ():
        if all(each.period is not None and is_of_other_month(each.period, month) for each in facts):
            yield f"no figure of the answer is of {month.label}"
    for day in question.when.days if question.when.by_days and len(question.when.days) == 1 else ():
        if is_of_none(facts, day):
            yield f"no figure of the answer is of what ends on {day.isoformat()}"
    is_one = len(named) == 1 and named[0].kind is PeriodKind.MONTH and not question.when.days
    for fact in facts if is_one and "ended" not in question.cues else ():
        if fact.period and is_of_other_month(fact.period, named[0]):
            yield f"{fact.name} is of {fact.period.told}, and not of {named[0].label}"


def _calls(made: Derivation, wanted: Wanted, turn: int) -> Iterator[Call]:
    steps = list(made.steps())
    yield (
        "understand",
        {
            "description": f"{made.facts[0].label[:200]}, {wanted.text}",
            "requires_calculation": True,
            "operation": steps[-1][0],
            "operands": [fact.name for fact in made.facts],
            "reasoning": f"{wanted.text} is not printed. {made.told()}"[:2000],
        },
    )
    yield from worked_out((fact.name for fact in made.facts), steps, f"turn{turn}_")
