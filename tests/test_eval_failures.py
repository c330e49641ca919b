"""Why turns are wrong: one small conversation for every class."""

from __future__ import annotations

from decimal import Decimal

import orris
import pytest
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.protocol.message import BackendError
from tieout.agent.session import Session
from tieout.data.document import Conversation, Gold, Question
from tieout.eval.score.failures import EXPLAINED, Failure, Reason, failures
from tieout.eval.score.result import results
from tieout.eval.score.score import Rule
from tieout.kg.build import build
from tieout.ontology.model import Ontology

GRAPH = build(orris.REPORT, Ontology.parse(orris.TBOX))
PRICE_2007, PRICE_2006, COST_2007, COST_2006, VESTING = (
    next(fact.name for fact in GRAPH.facts() if str(fact.value) == value)
    for value in ("60.94", "25.14", "2.2", "325", "12.5")
)


def wrong(labels, replies, errata=None, rule=Rule.STRICT) -> dict[int, Failure]:
    """The failures by turn of a conversation with these gold programs and answers, answered by these replies."""
    questions = tuple(Question(text=f"question {number}?") for number, _ in enumerate(labels))
    gold = tuple(
        Gold(program=program, answer=answer if answer in ("yes", "no") else Decimal(answer))
        for program, answer in labels
    )
    conversation = Conversation(document=orris.REPORT, questions=questions, gold=gold)
    session = Session(GRAPH, ScriptedBackend(replies))
    turns = [session.ask(question.text) for question in questions]
    found = failures(conversation, turns, list(results(conversation, turns)), GRAPH.facts(), errata or {}, rule)
    return {failure.result.turn: failure for failure in found}


def the_one(label, reply, **more) -> Failure:
    return wrong([label], [reply], **more)[0]


def test_a_right_turn_is_no_failure():
    assert wrong([("60.94", "60.94")], [says(answers(PRICE_2007))]) == {}


def test_a_suspect_gold_comes_first():
    key = (orris.REPORT.id, 0)
    failure = the_one(("4711", "4711"), says(answers(PRICE_2007)), errata={key: "nobody printed it"})
    assert (failure.reason, failure.detail) == (Reason.SUSPECT, "nobody printed it")


def test_an_operand_that_is_not_in_the_graph():
    failure = the_one(("4711", "4711"), says(answers(PRICE_2007)))
    assert (failure.reason, failure.detail) == (Reason.NOT_IN_GRAPH, "no fact holds 4711")


def test_another_figure_was_chosen():
    failure = the_one(("60.94", "60.94"), says(answers(PRICE_2006)))
    assert failure.reason is Reason.NOT_CHOSEN
    assert "chosen: 25.14" in failure.detail and "60.94" in failure.detail


@pytest.mark.parametrize("label", [("12.5", "12.5"), ("12.5%", "12.5")])
def test_a_percent_that_should_not_be_a_decimal(label):
    assert the_one(label, says(answers(VESTING))).reason is Reason.SCALE


def test_a_scale_that_was_not_converted():
    assert the_one(("multiply(2.2, const_1000)", "2200"), says(answers(COST_2007))).reason is Reason.SCALE


def test_a_sign_that_is_turned_and_operands_that_are_exchanged():
    label = ("subtract(60.94, 25.14)", "35.8")
    assert (
        the_one(label, says(calculates("d", "subtract", PRICE_2006, PRICE_2007), answers("d"))).reason is Reason.ORDER
    )
    label = ("divide(60.94, 25.14)", "2.42403")
    assert the_one(label, says(calculates("d", "divide", PRICE_2006, PRICE_2007), answers("d"))).reason is Reason.ORDER
    label = ("subtract(60.94, 25.14), divide(#0, 25.14)", "1.42403")
    new, old = PRICE_2007, PRICE_2006
    reply = says(calculates("d", "subtract", new, old), calculates("e", "divide", "d", new), answers("e"))
    assert the_one(label, reply).reason is Reason.ORDER


def test_the_right_figures_and_another_operation():
    label = ("subtract(60.94, 25.14)", "35.8")
    failure = the_one(label, says(calculates("s", "add", PRICE_2007, PRICE_2006), answers("s")))
    assert failure.reason is Reason.OPERATION
    assert "add(60.94, 25.14) in place of subtract(60.94, 25.14)" in failure.detail


def test_a_turn_that_continues_a_wrong_answer_follows_from_it():
    labels = [("60.94", "60.94"), ("subtract(60.94, 12.5)", "48.44")]
    found = wrong(
        labels, [says(answers(PRICE_2006)), says(calculates("d", "subtract", "prev_1", VESTING), answers("d"))]
    )
    assert [found[turn].reason for turn in (0, 1)] == [Reason.NOT_CHOSEN, Reason.EARLIER]
    assert found[1].detail == "made from the answer of turn 1"


def test_a_turn_that_continues_another_turn_than_the_gold_program():
    labels = [
        ("subtract(60.94, 25.14)", "35.8"),
        ("25.14", "25.14"),
        ("subtract(60.94, 25.14), divide(#0, 25.14)", "1.42403"),
    ]
    replies = [
        says(calculates("d", "subtract", PRICE_2007, PRICE_2006), answers("d")),
        says(answers(PRICE_2006)),
        says(calculates("e", "divide", "prev_1", VESTING), answers("e")),
    ]
    found = wrong(labels, replies)
    assert list(found) == [2]
    assert (found[2].reason, found[2].detail) == (Reason.REFERENCE, "rests on turn 2, not on turn 1")


def test_turns_without_an_answer():
    asked_back = says(("clarify", {"question": "which?", "options": ["a"]}))
    overloaded = BackendError("overloaded", "too much to do")
    idle = [says(text="hm"), says(text="hm")]
    found = wrong([("60.94", "60.94")] * 3, [asked_back, overloaded, *idle])
    assert [found[turn].reason for turn in range(3)] == [Reason.NO_ANSWER] * 3
    assert found[1].detail == "too much to do"


def test_a_limit_is_a_class_of_its_own():
    busy = [
        says(("search_text", {"keywords": [word]}))
        for word in ["stock", "options", "cost", "price", "the", "of", "in", "and"]
    ]
    failure = wrong([("60.94", "60.94")], busy)[0]
    assert (failure.reason, failure.result.outcome) == (Reason.LIMIT, "limit")


def test_every_class_is_explained():
    assert set(EXPLAINED) == set(Reason)
