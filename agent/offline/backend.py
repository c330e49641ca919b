"""The offline backend: reads the question, weighs its readings, makes the calls that a language model would make."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.offline.choice.choose import Choice, choose
from tieout.agent.offline.compose import Operand
from tieout.agent.offline.fit.near import near_labels
from tieout.agent.offline.fit.same_line import SURE, same_line
from tieout.agent.offline.fit.sort import is_change_of_rate, is_opposite, is_other_sort
from tieout.agent.offline.ground import Aim, aim
from tieout.agent.offline.model import Model, Ranked, load_model
from tieout.agent.offline.page import Page
from tieout.agent.offline.question import read_question
from tieout.agent.offline.reference import recall
from tieout.agent.offline.report.answer import answer_from_view, answer_on_page
from tieout.agent.offline.report.moves import mean_of_range, move
from tieout.agent.offline.report.told import blank_instead, of_part_of_year
from tieout.agent.offline.said import said_of
from tieout.agent.offline.whole.derived import of_other_months, reckoned
from tieout.agent.offline.whole.reader import Call, Found, WholeReader, calls_of, in_words
from tieout.agent.offline.whole.reading import Reading
from tieout.agent.offline.whole.weigh import Weigher, load_weigher
from tieout.agent.offline.words import stem
from tieout.agent.protocol.message import Card, Reply, Request, ToolCall
from tieout.kg.fact import Fact

MOST_READINGS = 3
MOST_OPERANDS = 60
NOTHING = {"question": "The report has no figure to answer this from. What should be looked at?"}
ASIDE = "The likeliest reading has no answer that can be given"
MOST_QUOTED = 300  # characters of what a tool says
MOST_WORDS, LONGEST_WORD = 8, 40  # of a question that are quoted back
GUESS = 0.55  # the most that is believed of what the readers of pages make of a view of whole reports


class OfflineBackend:
    """Answers without any model of language: the same request always gets the same reply, in milliseconds.

    Two readers look at a question: one of conversations, which knows what was said before, and one of whole questions.
    Their answers are weighed against each other. It asks back where the report has nothing to answer
    from, or where a word of the question stands nowhere in it; below `CERTAIN` it answers, and says what else the
    question may mean.

    model, weigher: the weights of the two; those that come with tieout unless given.
    """

    name = "offline"

    def __init__(self, model: Model | None = None, weigher: Weigher | None = None) -> None:
        self._model = model or load_model()
        self._weigher = weigher or load_weigher()
        self._prepared: tuple[Card, Page, WholeReader] | None = None

    def reply(self, request: Request) -> Reply:
        """One reply with all calls of the turn."""
        if (refused := _refused(request)) is not None:
            return refused
        reply = answer_from_view(request) if request.view is not None else answer_on_page(request)
        return reply or self.weighed(request)

    def weighed(self, request: Request) -> Reply:
        """The reply of the two readers of pages; of a view of whole reports it is a guess."""
        page, reader = self._page(request.shown)
        kept = same_line(request.question, request.history, request.card.facts) if request.view is None else None
        if kept is not None:
            told = tuple(of_part_of_year(request.question, [kept[1]]))
            return _reply(kept[0], confidence=SURE, unaccounted=told)
        goal = aim(read_question(request.question), recall(request.history, page.facts, page.known), page)
        readings = self._model.readings(goal, page)
        found = reader.read(request.question)
        chosen = self._choose(found, readings, goal)
        unknown = () if chosen is None else chosen.unknown
        facts = tuple(page.facts.values())
        if (made := reckoned(request.question, found, facts, unknown, len(request.history) + 1)) is not None:
            return _reply(made[0], confidence=made[1])
        if chosen is None or (asked := _unaccounted(chosen, goal, page) or _lacking(goal, page, chosen)):
            back = NOTHING if chosen is None else asked
            if request.view is None and (known := answer_on_page(request, whatever=True)) is not None:
                return known
            return _reply([("clarify", back or NOTHING)], confidence=0)
        return _answered(request, chosen, goal, facts)

    def _choose(self, found: Found | None, readings: Sequence[Ranked], goal: Aim) -> Choice | None:
        return choose(found, readings, goal, self._weigher)

    def _page(self, card: Card) -> tuple[Page, WholeReader]:
        """The page behind a card, prepared once for all turns of a conversation."""
        if self._prepared is None or self._prepared[0] is not card:
            page = Page(card.facts)
            self._prepared = (card, page, WholeReader(page, card.sentences, self._weigher))
        return self._prepared[1], self._prepared[2]


def _refused(request: Request) -> Reply | None:
    """The question back where a tool has refused the answer of this turn: the same calls would be refused again."""
    results = request.exchanges[-1].results if request.exchanges else ()
    refusal = next((result for result in reversed(results) if result.error), None)
    if refusal is None:
        return None
    return _reply([("clarify", {"question": f"{ASIDE}: {_why(refusal.content)}. What is meant?"})], confidence=0)


def _why(told: str) -> str:
    """What a tool says of an error: one line, or an object with it."""
    try:
        return str(json.loads(told)["error"])[:MOST_QUOTED]
    except (ValueError, KeyError, TypeError):
        return told[:MOST_QUOTED]


def _answered(request: Request, chosen: Choice, goal: Aim, facts: tuple[Fact, ...]) -> Reply:
    """The reply of the reading that was chosen, or what is said in its place: a dash, a move, an average. facts: of the
    page."""
    turn, most = len(request.history) + 1, 1.0 if request.view is None else GUESS
    looked_up, used = _looked_up(chosen), _used(chosen)
    if len(looked_up) == 1 and not request.history:
        blank = blank_instead(request.question, looked_up[0], facts)
        if blank is not None:
            return _reply([("clarify", {"question": f"{blank} What is meant?"})], confidence=0)
    moved = move(request.question, chosen.operation, used, facts, chosen.chance, turn)
    moved = moved or mean_of_range(request.question, used, facts, chosen.chance, turn)
    if moved is not None:
        return _reply(moved.calls, confidence=min(moved.chance, most), unaccounted=moved.told)
    is_other = chosen.kind == "number" and is_other_sort(request.question, chosen.operation, used)
    of_time = tuple(of_other_months(request.question, looked_up))
    chance = min(chosen.chance, GUESS if is_other or of_time else most)
    return _reply(
        _calls(chosen, goal, turn),
        confidence=chance,
        alternative=chosen.others[0] if chance < CERTAIN and chosen.others else "",
        unaccounted=(
            *chosen.open,
            *of_time,
            *of_part_of_year(request.question, used),
        ),
    )


def _reply(
    calls: Iterable[Call], *, confidence: float, alternative: str = "", unaccounted: tuple[str, ...] = ()
) -> Reply:
    """One reply with these calls, numbered."""
    return Reply(
        calls=tuple(
            ToolCall(id=f"call{number}", tool=tool, arguments=arguments)
            for number, (tool, arguments) in enumerate(calls, start=1)
        ),
        model=OfflineBackend.name,
        confidence=confidence,
        alternative=alternative,
        unaccounted=unaccounted,
    )


def _looked_up(chosen: Choice) -> list[Fact]:
    """The printed figures that are the answer themselves."""
    return _used(chosen) if chosen.operation == "lookup" else []


def _used(chosen: Choice) -> list[Fact]:
    """The printed figures that the answer rests on."""
    if chosen.whole is not None:
        return [point.fact for point in chosen.whole.points]
    return [operand.view.fact for operand in chosen.ranked[0].candidate.operands if operand.view is not None]


def _what_is_meant(why: str, options: list[str]) -> dict[str, Any]:
    """The question back with the labels that may be meant; without any it says how to see what there is."""
    if options:
        return {"question": f"{why} What is meant?", "options": options}
    return {"question": f"{why} What is meant? `tieout kg outline FILE` shows what there is."}


def _unaccounted(chosen: Choice, goal: Aim, page: Page) -> dict[str, Any] | None:
    """The question back where a word of the question stands nowhere in the report; None where all are accounted for."""
    if not chosen.unknown:
        return None
    words = " or ".join(map(repr, chosen.unknown[:MOST_WORDS]))
    return _what_is_meant(f"The report has nothing about {words}.", near_labels(goal.asked.text, chosen.unknown, page))


def _lacking(goal: Aim, page: Page, chosen: Choice) -> dict[str, Any] | None:
    """The question back where the report has no word or no year of the question, with what it has instead; None
    where it may answer.

    A calculation may name a year that only the conversation knows, so years count for a first question and a look-up.
    """
    first = not goal.context.past
    if chosen.whole is None and first and goal.asked.named and not goal.own:
        words = _unknown(goal)
        lacking = f"No figure of the report goes with {' or '.join(map(repr, words))}."
        return _what_is_meant(lacking, near_labels(goal.asked.text, words, page))
    if chosen.against and first:
        lacking = f"No line of the report is what is asked for, and {chosen.against!r} is of what is lost or spent."
        near = [each for each in near_labels(goal.asked.text, (), page) if not is_opposite(goal.asked.text, each)]
        return _what_is_meant(lacking, near)
    looks_up = chosen.operation == "lookup"
    if goal.asked.years and page.years.isdisjoint(goal.asked.years) and (first or looks_up):
        lacking = f"The report has no figure of {' or '.join(map(str, goal.asked.years[:MOST_WORDS]))}."
        latest = sorted({view.year for view in page.views if view.year is not None}, reverse=True)
        return {
            "question": f"{lacking} Which year is meant?",
            "options": [str(year) for year in latest[:MOST_READINGS]],
        }
    return None


def _unknown(goal: Aim) -> list[str]:
    """The words of the question that name something, as they were typed; of many the first, of long ones the head."""
    named = [word for word in dict.fromkeys(goal.asked.words) if stem(word) in goal.asked.named]
    return [word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}…" for word in named[:MOST_WORDS]]


def _calls(chosen: Choice, goal: Aim, turn: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if chosen.whole is not None:
        yield "understand", _of_whole(chosen, chosen.whole)
        yield from calls_of(chosen.whole, turn)
        return
    readings, confidence = chosen.ranked, chosen.chance
    best = readings[0].candidate
    yield "understand", _understanding(readings, goal, confidence)
    for fact in dict.fromkeys(operand.view.fact.name for operand in best.operands if operand.view is not None):
        yield "query_kg", {"fact": fact}
    values = [_named(operand) for operand in best.operands]
    if best.operation == "lookup":
        yield "answer", {"value": values[0]}
        return
    name = f"turn{turn}"
    operands = values[:1] if best.operation.startswith("in_") else values
    points = turn == 1 and is_change_of_rate(best.operation, _used(chosen))  # later steps go on with decimals
    operation = "percentage_points" if points else best.operation
    yield "calculate", {"operation": operation, "values": operands, "name": name}
    yield "answer", {"value": name}


def _of_whole(chosen: Choice, reading: Reading) -> dict[str, Any]:
    """What a reading of a whole question says that was asked."""
    facts = [point.fact for point in reading.points]
    next_ = f" Next: {'; then '.join(chosen.others)}; margin {chosen.margin:.2f}." if chosen.others else ""
    understanding: dict[str, Any] = {
        "description": in_words(reading)[:400],
        "requires_calculation": reading.kind == "number" and reading.operation != "lookup",
        "reasoning": f"Read as a whole question, for a {reading.kind}. Probability {chosen.chance:.2f}.{next_}"[:2000],
    }
    understanding |= _measured(facts)
    if understanding["requires_calculation"]:
        understanding["operation"] = reading.operation
        understanding["operands"] = [fact.name for fact in facts][:MOST_OPERANDS]
    return understanding


def _measured(facts: Sequence[Fact]) -> dict[str, Any]:
    """What is measured and when, by the figures that were chosen."""
    if not facts:
        return {}
    found: dict[str, Any] = {"entity_type": facts[0].entity_type, "property": facts[0].property}
    periods = dict.fromkeys(fact.period.label for fact in facts if fact.period is not None)
    return found | ({"filters": {"period": ", ".join(periods)[:400]}} if periods else {})


def _named(operand: Operand) -> str:
    """How a call refers to an operand: a fact by its name, an earlier answer by its distance, a number as it is."""
    if operand.view is not None:
        return operand.view.fact.name
    if operand.past is not None:
        return f"prev_{operand.past.age}"
    return f"{operand.value:f}"


def _understanding(readings: Sequence[Ranked], goal: Aim, confidence: float) -> dict[str, Any]:
    best = readings[0].candidate
    facts = [operand.view.fact for operand in best.operands if operand.view is not None]
    understanding: dict[str, Any] = {
        "description": said_of(best)[:400],
        "requires_calculation": best.operation != "lookup",
        "reasoning": _reasoning(readings, goal, confidence)[:2000],
    }
    understanding |= _measured(facts)
    if best.operation != "lookup":
        understanding["operation"] = best.operation
        understanding["operands"] = [_named(operand) for operand in best.operands]
    return understanding


def _reasoning(readings: Sequence[Ranked], goal: Aim, confidence: float) -> str:
    """Why this reading: how likely it is, what came next, and by how much."""
    known = ", ".join(goal.own) or "none that the report knows"
    parts = [f"Words of the report in the question: {known}. Probability {confidence:.2f}."]
    others = [f"{said_of(reading.candidate)} ({reading.probability:.2f})" for reading in readings[1:MOST_READINGS]]
    if others:
        margin = readings[0].probability - readings[1].probability
        parts.append(f"Next: {'; then '.join(others)}; margin {margin:.2f}.")
    return " ".join(parts)
