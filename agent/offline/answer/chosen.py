"""The calls of the reading that was chosen, or what is said in its place: a move, an average, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.offline.answer.change import mean_of_range, move, went_otherwise
from tieout.agent.offline.answer.derived import of_other_months
from tieout.agent.offline.answer.reply import GUESS, Missing, reply_of
from tieout.agent.offline.answer.unprinted import of_other_day, of_part_of_year
from tieout.agent.offline.calculation.compose import Operand, said_of
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.choose import Choice
from tieout.agent.offline.ranking.reader import calls_of, in_words
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.kg.filings.direction import is_turned, turned
from tieout.kg.page import Page
from tieout.kg.sense import is_change_of_rate, is_opposite
from tieout.ontology.metrics.line_item import line_items

MOST_READINGS = 3
MOST_OPERANDS = 60


def answered(request: Request, chosen: Choice, goal: Aim, page: Page) -> Reply | Missing:
    """The reply of the reading that was chosen, or a move or an average in its place; else what is missing."""
    missing = nothing_about(chosen.unknown, goal.asked, page) if chosen.unknown else _lacking(chosen, goal, page)
    if missing is not None:
        return missing
    turn, question, facts = request.turn, goal.asked, tuple(page.facts.values())
    used = used_by(chosen)
    looked_up = used if chosen.operation == "lookup" else []  # printed figures that are the answer themselves
    moved = move(question, chosen.operation, used, facts, chosen.chance, turn)
    moved = moved or mean_of_range(question, used, facts, chosen.chance, turn)
    if moved is not None:
        return reply_of(moved.calls, confidence=moved.chance, unaccounted=moved.told)
    of_time = (*of_other_months(question, looked_up), *of_other_day(question, looked_up))
    chance = min(chosen.chance, GUESS if of_time else 1.0)
    calls = list(_calls(chosen, goal, turn))
    if len(looked_up) == 1 and _is_turned(question, looked_up[0], facts):
        operation, values = turned(looked_up[0], looked_up[0].name)
        made = {"operation": operation, "values": values, "name": f"turn{turn}"}
        calls[-1:] = [("calculate", made), ("answer", {"value": made["name"]})]
    return reply_of(
        calls,
        confidence=chance,
        alternative=chosen.others[0] if chance < CERTAIN and chosen.others else "",
        unaccounted=(*chosen.open, *of_time, *of_part_of_year(question, used), *went_otherwise(question, used)),
    )


def _is_turned(question: Question, fact: Fact, facts: tuple[Fact, ...]) -> bool:
    """Whether the figure that is the answer counts the other way than what a question names."""
    if "size" in question.cues:
        return fact.value < 0
    is_of_one = len(question.named) == 1 and question.calculation == "value"
    item = line_items().get(question.named[0].name) if is_of_one else None
    return item is not None and is_turned(item, question.named[0].said, fact, "", facts)


def used_by(chosen: Choice) -> list[Fact]:
    """The printed figures that the answer rests on."""
    if chosen.whole is not None:
        return chosen.whole.facts
    return chosen.ranked[0].candidate.facts


def _calls(chosen: Choice, goal: Aim, turn: int) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "understand", _understood(chosen, goal)
    if chosen.whole is not None:
        yield from calls_of(chosen.whole, turn)
        return
    best = chosen.ranked[0].candidate
    for fact in dict.fromkeys(each.name for each in best.facts):
        yield "query_kg", {"fact": fact}
    values = [_named(operand) for operand in best.operands]
    if best.operation == "lookup":
        yield "answer", {"value": values[0]}
        return
    name = f"turn{turn}"
    operands = values[:1] if best.operation.startswith("in_") else values
    points = turn == 1 and is_change_of_rate(best.operation, used_by(chosen))  # later steps go on with decimals
    operation = "percentage_points" if points else best.operation
    yield "calculate", {"operation": operation, "values": operands, "name": name}
    yield "answer", {"value": name}


def _named(operand: Operand) -> str:
    """How a call refers to an operand: a fact by its name, an earlier answer by its distance, a number as it is."""
    if operand.view is not None:
        return operand.view.fact.name
    if operand.past is not None:
        return f"prev_{operand.past.age}"
    return f"{operand.value:f}"


def _understood(chosen: Choice, goal: Aim) -> dict[str, Any]:
    """What was asked, by the reading that was chosen: what is measured and when, and why this reading, with how likely
    it is, what came next, and by how much."""
    facts, others, margin, is_number = used_by(chosen), list(chosen.others), chosen.margin, True
    if chosen.whole is not None:
        described, is_number = in_words(chosen.whole), chosen.kind == "number"
        operands = [fact.name for fact in facts][:MOST_OPERANDS]
        why = f"Read as a whole question, for a {chosen.kind}."
    else:
        best, *after = chosen.ranked
        described = said_of(best.candidate)
        operands = [_named(operand) for operand in best.candidate.operands]
        others = [f"{said_of(each.candidate)} ({each.probability:.2f})" for each in after[: MOST_READINGS - 1]]
        margin = best.probability - after[0].probability if after else 0.0
        why = f"Words of the report in the question: {', '.join(goal.own) or 'none that the report knows'}."
    then = f" Next: {'; then '.join(others)}; margin {margin:.2f}." if others else ""
    understood: dict[str, Any] = {
        "description": described[:400],
        "requires_calculation": is_number and chosen.operation != "lookup",
        "reasoning": f"{why} Probability {chosen.chance:.2f}.{then}"[:2000],
    }
    if facts:
        understood |= {"entity_type": facts[0].entity_type, "property": facts[0].property}
    if periods := dict.fromkeys(fact.period.label for fact in facts if fact.period is not None):
        understood["filters"] = {"period": ", ".join(periods)[:400]}
    if understood["requires_calculation"]:
        understood |= {"operation": chosen.operation, "operands": operands}
    return understood


MOST_MEANT = 3  # labels, or years
MOST_WORDS = 8  # of a question that are quoted back


def nothing_about(unknown: Sequence[str], question: Question, page: Page) -> Missing:
    """What is missing where words of a question stand nowhere in the report."""
    words, near = " or ".join(map(repr, unknown[:MOST_WORDS])), page.labels_with(question.core)
    return Missing(f"No figure that was found is of {words}.", tuple(near[:MOST_MEANT]), is_bound=True)


def _lacking(chosen: Choice, goal: Aim, page: Page) -> Missing | None:
    """What is missing where the report has no word or no year of the question, with what it has instead; None where it
    may answer.

    A calculation may name a year that only the conversation knows, so years count for a first question and a look-up.
    """
    first = not goal.context.past
    if chosen.against and first:
        told = f"No line of the report is what is asked for, and {chosen.against!r} is of what is lost or spent."
        labels = page.labels_with(goal.asked.core)[:MOST_MEANT]
        near = [each for each in labels if not is_opposite(goal.asked.cues, each)]
        return Missing(told, tuple(near))
    looks_up = chosen.operation == "lookup"
    if goal.asked.years and (first or looks_up) and not page.tells_of(goal.asked.years):
        told = f"The report has no figure of {' or '.join(map(str, goal.asked.years[:MOST_WORDS]))}."
        latest = sorted(filter(None, {view.year for view in page.views}), reverse=True)
        return Missing(told, tuple(map(str, latest[:MOST_MEANT])))
    return None
