"""The strategy `plan`: what is checked before anything runs, what is carried out, and the one repair."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from orris import report_graph, session
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.log.events import ToolCalled
from tieout.agent.session import Session
from tieout.agent.strategies.plan import PLAN
from tieout.agent.workspace import Settings
from tieout.data.arithmetic.operations import catalogue

LOOK = {"action": "extract_value", "fact": "t1r1c1"}
PRIOR = {"action": "extract_value", "fact": "t1r1c2"}


def planned(*steps, **more):
    return says(("plan", {"thought": "prices", "steps": list(steps), **more}))


def together(*plans):
    """One reply with several plans."""
    return says(*(("plan", {"thought": "prices", "steps": list(steps)}) for steps in plans))


def compute(operation, *operands):
    return {"action": "compute", "operation": operation, "operands": list(operands)}


def step(number):
    return {"step": number}


def literal(text):
    return {"literal": text}


GOOD = planned(LOOK, PRIOR, compute("subtract", step(1), step(2)))


def asked(*replies, **settings):
    """The turn that comes of these replies, and the backend that gave them."""
    conversation = session(*replies, strategy="plan", **settings)
    return conversation.ask("by how much did the exercise price change?"), conversation.backend


def test_a_plan_is_carried_out_in_one_call_of_the_backend():
    turn, backend = asked(GOOD)
    assert (turn.number, turn.model_calls, turn.program) == (Decimal("35.80"), 1, "subtract(60.94, 25.14)")
    calls = [event.tool for event in turn.events if isinstance(event, ToolCalled)]
    assert calls == ["plan", "understand", "query_kg", "query_kg", "calculate", "answer"]
    assert turn.understanding is not None and turn.understanding.operation == "subtract"
    assert [tool.name for tool in backend.requests[0].tools] == ["plan", "clarify"]


def test_steps_may_stand_in_any_order_as_long_as_none_waits_for_itself():
    turn, _ = asked(planned(compute("subtract", step(2), step(3)), LOOK, PRIOR, answer=1))
    assert turn.number == Decimal("35.80")


def test_an_earlier_answer_is_a_negative_reference_and_can_be_the_answer_itself():
    conversation = session(
        GOOD, planned(PRIOR, compute("divide", step(-1), step(1))), planned(answer=-2), strategy="plan"
    )
    first, second, third = (
        conversation.ask(question) for question in ("change?", "and in percent?", "the change again?")
    )
    assert round(second.number, 5) == Decimal("1.42403")
    assert third.number == first.number == Decimal("35.80")


def test_a_constant_is_a_literal_and_the_format_is_taken_over():
    turn, _ = asked(planned(LOOK, compute("divide", step(1), literal("100")), format="percent"))
    assert (turn.number, turn.format) == (Decimal("0.6094"), "percent")


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ({"row": "exercise price", "column": "2006"}, "25.14"),
        ({"row": "Exercise Price", "column": "december 31 , 2006"}, "25.14"),
        ({"row": "strike price", "column": "2007"}, "60.94"),
        ({"row": "expected volatility", "column": "2007", "unit": "percent"}, "0.27"),
        ({"source": "text", "keywords": ["compensation", "cost"], "year": "2006"}, "325"),
        ({"source": "text", "keywords": ["options", "vest"]}, "0.125"),
    ],
)
def test_a_figure_can_be_described_instead_of_named(where, number):
    turn, _ = asked(planned({"action": "extract_value", **where}))
    assert (turn.outcome, turn.message) == ("answer", "")
    assert turn.number == Decimal(number)


@pytest.mark.parametrize(
    ("steps", "more", "says_so"),
    [
        ([], {}, "no step that is the answer"),
        ([LOOK], {"answer": 2}, "there is no step 2"),
        ([LOOK, compute("divide", step(1), step(7))], {}, "there is no step 7"),
        ([LOOK, compute("divide", step(1), step(0))], {}, "there is no step 0"),
        ([LOOK, compute("divide", step(1), step(-1))], {}, "there is no earlier turn"),
        ([compute("sum", step(2)), compute("sum", step(1))], {}, "in a circle"),
        ([compute("sum", step(1))], {}, "in a circle"),
        ([LOOK, compute("subtract", step(1))], {}, "takes 2 values"),
        ([LOOK, compute("frobnicate", step(1))], {}, "no operation 'frobnicate'"),
        ([LOOK, compute("divide", step(1), literal("a dozen"))], {}, "'a dozen' is no number"),
        ([LOOK, PRIOR, compute("greater", step(1), step(2)), compute("sum", step(3))], {}, "yes or no"),
        ([{"action": "extract_value", "fact": "t9r9c9"}], {}, "no fact 't9r9c9'"),
        ([{"action": "extract_value"}], {}, "name the `fact`"),
        ([{"action": "extract_value", "row": "dividends", "column": "2007"}], {}, "dividends"),
        ([{"action": "extract_value", "row": "exercise price"}], {}, "different figures"),
        ([{"action": "extract_value", "source": "text", "keywords": ["compensation"]}], {}, "beside these words"),
        ([{"action": "extract_value", "source": "text", "keywords": ["goodwill"]}], {}, "no sentence"),
        ([{"action": "guess"}], {}, "guess"),
        ([LOOK | {"value": 60.94}], {}, "value"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_goes_back_with_what_is_wrong(steps, more, says_so):
    turn, backend = asked(planned(*steps, **more), GOOD)
    assert (turn.outcome, turn.model_calls) == ("answer", 2)
    (result,) = backend.requests[1].exchanges[0].results
    assert result.error and says_so in result.content
    made = [event for event in turn.events if isinstance(event, ToolCalled)]
    assert [event.tool for event in made[:2]] == ["plan", "plan"], "nothing runs before a plan is found good"


def test_all_that_is_wrong_is_said_at_once():
    turn, backend = asked(
        planned({"action": "extract_value", "fact": "t9r9c9"}, compute("divide", step(1), step(5))), GOOD
    )
    lines = backend.requests[1].exchanges[0].results[0].content.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["step 1", "step 2"]
    assert turn.outcome == "answer"


def test_what_fails_only_when_it_is_carried_out_is_repaired_once_too():
    zero = planned(LOOK, compute("subtract", step(1), step(1)), compute("divide", step(1), step(2)))
    turn, backend = asked(zero, GOOD)
    assert (turn.number, turn.model_calls) == (Decimal("35.80"), 2)
    assert "division by zero" in backend.requests[1].exchanges[0].results[0].content


def test_there_is_one_repair_and_no_second():
    bad = planned({"action": "extract_value", "fact": "t9r9c9"})
    turn, backend = asked(bad, bad, GOOD)
    assert (turn.outcome, turn.model_calls) == ("invalid plan", 2)
    assert "t9r9c9" in turn.message and len(backend.replies) == 1


def test_a_second_plan_of_a_reply_is_carried_out_where_the_first_failed_on_the_way():
    zero = (LOOK, compute("subtract", step(1), step(1)), compute("divide", step(1), step(2)))
    turn, _ = asked(together(zero, (PRIOR, LOOK, compute("subtract", step(2), step(1)))))
    assert (turn.outcome, turn.number, turn.model_calls) == ("answer", Decimal("35.80"), 1)


def test_behind_the_plan_that_answers_nothing_more_is_carried_out():
    turn, _ = asked(together((LOOK,), (PRIOR, LOOK, compute("subtract", step(2), step(1)))))
    assert turn.number == Decimal("60.94")
    assert [event.tool for event in turn.events if isinstance(event, ToolCalled)].count("plan") == 1
    assert turn.understanding is not None and turn.understanding.operation is None


def test_a_reply_without_a_plan_counts_as_a_failed_one():
    turn, backend = asked(says(text="the price went up"), GOOD)
    assert (turn.outcome, turn.model_calls) == ("answer", 2)
    assert backend.requests[1].exchanges[0].feedback == "Call `plan`."


def test_strict_grounding_refuses_a_literal_that_nothing_accounts_for():
    typed = planned(LOOK, compute("divide", step(1), literal("61.5")))
    loose, _ = asked(typed)
    strict, _ = asked(typed, typed, strict_grounding=True)
    assert [flag.rule for flag in loose.flags] == ["ungrounded"]
    assert strict.outcome == "invalid plan"


def test_a_correction_by_the_user_goes_into_the_second_plan():
    said = iter(["I mean the price of 2006", None])
    backend = ScriptedBackend([GOOD, planned(PRIOR)])
    talk = Session(report_graph(), backend, Settings(strategy="plan"), confirm=lambda understanding: next(said))
    assert talk.ask("what was it?").number == Decimal("25.14")
    assert "I mean the price of 2006" in backend.requests[1].exchanges[0].results[0].content


def test_a_plan_can_give_way_to_a_question_back():
    turn, _ = asked(says(("clarify", {"question": "which plan?", "options": ["a", "b"]})))
    assert (turn.outcome, turn.model_calls) == ("clarify", 1)


def test_a_figure_found_by_a_near_name_is_flagged():
    near = planned({"action": "extract_value", "row": "exercise prices", "column": "2007"})
    turn, _ = asked(near)
    assert turn.number == Decimal("60.94")
    assert [flag.rule for flag in turn.flags] == ["matched fuzzily"]


def test_a_plan_names_its_operations_and_how_many_operands_each_takes():
    schema = json.dumps(PLAN.spec.parameters)
    assert json.dumps(catalogue())[1:-1] in schema
    assert "Of two (a, b):" in catalogue() and "percentage_change" in catalogue()


@pytest.mark.parametrize("strategy", ["tools", "plan"])
def test_an_earlier_answer_is_given_again_in_another_format(strategy):
    first = {
        "tools": says(calculates("share", "percentage", "t1r1c2", "t1r1c1"), answers("share")),
        "plan": planned(PRIOR, LOOK, compute("percentage", step(1), step(2))),
    }[strategy]
    again = {
        "tools": says(("answer", {"value": "prev_1", "format": "percent"})),
        "plan": planned(answer=-1, format="percent"),
    }[strategy]
    talk = session(first, again, strategy=strategy)
    one, other = talk.ask("what is the price of 2006 over that of 2007?"), talk.ask("and in percent?")
    assert one.number == other.number
    assert other.text == "41.3%"
