"""The loop: an answer that ties out, or a named outcome; nothing that a backend does ends the run."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from orris import REPORT, report_graph, session
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.backends.prices import PriceError, Prices
from tieout.agent.log.events import Failed, ModelCalled, ModelFailed, ToolCalled, TurnStarted, Understood
from tieout.agent.log.log import Log, LogError, read_events, verify
from tieout.agent.log.turn import Turn, read_turns
from tieout.agent.protocol.message import BackendError, Usage
from tieout.agent.session import QuestionError, Session
from tieout.agent.tools.toolbox import TOOLS
from tieout.agent.workspace import Settings
from tieout.eval.run.logs import cut_back

D = Decimal
PRICE_2007 = ("query_kg", {"property": "exercise price", "filters": {"year": "2007"}, "name": "new"})
PRICE_2006 = ("query_kg", {"property": "strike price", "filters": {"year": "2006"}, "name": "old"})
UNDERSTOOD = ("understand", {"description": "change of the exercise price", "requires_calculation": True})


def errors(turn: Turn) -> list[str]:
    return [event.output for event in turn.events if isinstance(event, ToolCalled) and event.error]


def test_two_figures_their_difference_and_the_answer_take_one_reply() -> None:
    talk = session(
        says(UNDERSTOOD, PRICE_2007, PRICE_2006, calculates("change", "subtract", "new", "old"), answers("change"))
    )
    turn = talk.ask("how much did the exercise price rise?")
    assert (turn.outcome, turn.number, turn.text) == ("answer", D("35.8"), "$35.80 per share")
    assert turn.program == "subtract(60.94, 25.14)"
    assert turn.model_calls == 1
    assert turn.tool_calls == 5
    assert turn.understanding is not None
    assert turn.understanding.requires_calculation
    assert [entry.name for entry in turn.ledger] == ["new", "old", "change"]


def test_every_figure_comes_with_the_query_that_read_it() -> None:
    graph = report_graph()
    turn = Session(graph, ScriptedBackend([says(PRICE_2007, answers("new"))])).ask("?")
    (looked_up,) = (event for event in turn.events if isinstance(event, ToolCalled) and event.tool == "query_kg")
    assert "kg:exercisePrice" in looked_up.sparql[-1]
    assert D("60.94") in [row["value"] for row in graph.select(looked_up.sparql[-1])]
    told = json.loads(looked_up.output)
    assert (told["value"], told["raw"], told["period"], told["source"]) == ("60.94", "$ 60.94", "2007", "t1r1c1")
    assert told["matched"]["by"] == "exact"


def test_a_percentage_is_answered_as_printed_and_scored_as_a_decimal() -> None:
    turn = session(says(answers("t1r2c1"))).ask("what was the volatility?")
    assert (turn.text, turn.number, turn.program) == ("27%", D("0.27"), "27%")


def test_a_comparison_is_answered_with_yes_or_no() -> None:
    turn = session(says(calculates("more", "greater", "t1r1c1", "t1r1c2"), answers("more"))).ask("is it more?")
    assert (turn.text, turn.number, turn.program) == ("yes", True, "greater(60.94, 25.14)")


def test_a_later_turn_uses_the_answer_before_it() -> None:
    talk = session(
        says(calculates("change", "subtract", "t1r1c1", "t1r1c2"), answers("change")),
        says(calculates("rate", "percentage", "prev_1", "t1r1c2"), answers("rate")),
    )
    talk.ask("what was the change?")
    turn = talk.ask("and in percent?")
    assert turn.program == "subtract(60.94, 25.14), divide(#0, 25.14)"
    assert turn.text == "142.4%"


def test_the_backend_is_told_of_earlier_turns() -> None:
    talk = session(says(answers("t1r1c1")), says(answers("prev_1")))
    talk.ask("what was the price in 2007?")
    talk.ask("again?")
    (prior,) = talk.backend.requests[1].history  # type: ignore[attr-defined]
    assert (prior.question, prior.value, prior.facts) == ("what was the price in 2007?", D("60.94"), ("t1r1c1",))
    assert (prior.operation, prior.period, prior.given) == ("lookup", "2007", False)
    assert [call.tool for call in prior.calls] == ["answer"]


def test_a_given_answer_stands_in_for_a_wrong_one_by_its_value_alone() -> None:
    talk = session(says(answers("t1r1c2")), says(answers("prev_1")))
    talk.ask("what was the price in 2007?", given_answer=D("60.94"))
    turn = talk.ask("again?")
    (prior,) = talk.backend.requests[1].history  # type: ignore[attr-defined]
    assert (prior.answer, prior.value, prior.given) == ("60.94", D("60.94"), True)
    assert (prior.facts, prior.operation, prior.calls, prior.entry) == ((), None, (), None)
    assert (turn.number, turn.program) == (D("60.94"), "60.94")


def test_a_given_answer_that_agrees_keeps_our_way_to_it() -> None:
    talk = session(says(calculates("x", "divide", "t1r1c1", "t1r1c2"), answers("x")), says(answers("prev_1")))
    talk.ask("what was the ratio?", given_answer=D("2.42403"))
    turn = talk.ask("again?")
    assert turn.program == "divide(60.94, 25.14)"
    assert talk.turns[0].agrees
    (prior,) = talk.backend.requests[1].history  # type: ignore[attr-defined]
    assert (prior.given, prior.facts, prior.calls) == (True, ("t1r1c1", "t1r1c2"), ())


def test_a_given_answer_helps_where_ours_is_missing() -> None:
    talk = session(says(), says(), says(answers("prev_1")))
    assert talk.ask("what?", given_answer="yes").outcome == "no answer"
    assert talk.ask("again?").number is True


def test_wrong_calls_get_their_message_and_another_chance() -> None:
    talk = session(
        says(("guess", {}), ("calculate", {"values": ["t1r1c1"], "times": 2}), ("query_kg", {"property": "goodwill"})),
        says(answers("t1r1c1")),
    )
    turn = talk.ask("what?")
    unknown, arguments, miss = errors(turn)
    assert unknown == f"there is no tool 'guess'; there are: {', '.join(TOOLS)}"
    assert "plan" not in TOOLS and "answer_plainly" not in TOOLS
    assert arguments.splitlines() == [
        "calculate: operation: Field required",
        "calculate: times: Extra inputs are not permitted (got '2')",
    ]
    assert json.loads(miss)["candidates"]
    assert turn.outcome == "answer"
    results = talk.backend.requests[1].exchanges[0].results  # type: ignore[attr-defined]
    assert [result.content for result in results] == [unknown, arguments, miss]


def test_an_answer_that_names_nothing_is_no_answer() -> None:
    talk = session(says(answers("sixty")), says(answers("t1r1c1")))
    assert talk.ask("what?").text == "$60.94 per share"


def test_a_typed_number_is_answered_recorded_and_flagged() -> None:
    turn = session(says(answers("61.5"))).ask("what?")
    assert turn.outcome == "answer"
    assert [entry.name for entry in turn.ledger.ungrounded()] == ["typed_61_5"]
    assert "ungrounded" in [flag.rule for flag in turn.flags]


def test_a_typed_number_is_refused_under_strict_grounding() -> None:
    talk = session(says(answers("61.5")), says(answers("t1r1c1")), strict_grounding=True)
    turn = talk.ask("what?")
    assert "nothing accounts for it" in errors(turn)[0]
    assert turn.number == D("60.94")
    assert not turn.ledger.ungrounded()


def test_two_different_answers_are_both_refused() -> None:
    talk = session(says(answers("t1r1c1"), answers("t1r1c2")), says(answers("t1r1c2")))
    turn = talk.ask("what?")
    assert turn.number == D("25.14")
    refused = talk.backend.requests[1].exchanges[0].results  # type: ignore[attr-defined]
    assert all(result.error and "two different answers" in result.content for result in refused)


def test_the_same_answer_twice_is_one_answer() -> None:
    turn = session(says(answers("t1r1c1"), answers("t1r1c1"))).ask("what?")
    assert turn.number == D("60.94")


def test_a_reply_without_a_call_is_asked_again_and_then_given_up() -> None:
    talk = session(says(text="I think it is 61."), says(text="Really."))
    turn = talk.ask("what?")
    assert turn.outcome == "no answer"
    assert "Call tools" in talk.backend.requests[1].exchanges[0].feedback  # type: ignore[attr-defined]


def test_the_same_call_again_and_again_is_given_up() -> None:
    again = ("query_kg", {"property": "goodwill"})
    turn = session(says(again), says(again), says(again)).ask("what?")
    assert turn.outcome == "repeated call"
    assert turn.tool_calls == 1


@pytest.mark.parametrize("question", [None, 5, b"what was it?", ["what", "was"], "", " \n"])
def test_what_is_no_question_is_refused_before_anything_is_logged(question: Any) -> None:
    talk = session()
    with pytest.raises(QuestionError, match="the question is"):
        talk.ask(question)
    assert talk.turns == []


@pytest.mark.parametrize("answer", ["abc", "NaN", "1e"])
def test_an_answer_that_is_none_cannot_be_given(answer: str) -> None:
    talk = session(says(answers("t1r1c1")), says(answers("t1r1c2")))
    with pytest.raises(QuestionError, match="no number"):
        talk.ask("what?", answer)
    assert talk.ask("what?", "5").given == "5" and talk.ask("and then?").outcome == "answer"


def test_answers_that_differ_again_and_again_are_none() -> None:
    both = (answers("t1r1c1"), answers("t1r1c2"))
    turn = session(says(*both), says(*both)).ask("what?")
    assert turn.outcome == "no answer" and "two different answers" in (turn.message or "")


def test_a_call_that_failed_may_succeed_once_what_it_names_is_there() -> None:
    talk = session(
        says(calculates("x", "minus", "t1r1c1", "t1r1c2"), answers("x")),
        says(calculates("x", "subtract", "t1r1c1", "t1r1c2"), answers("x")),
    )
    assert talk.ask("what?").number == D("35.8")


def test_a_backend_that_never_answers_comes_to_the_limit() -> None:
    calls = [says(("search_text", {"keywords": [f"word{number}"]})) for number in range(9)]
    turn = session(*calls, max_calls=3).ask("what?")
    assert (turn.outcome, turn.model_calls) == ("limit", 3)


def test_a_stop_from_outside_comes_before_the_next_call() -> None:
    talk = Session(report_graph(), ScriptedBackend([]), stop=lambda: "the money is spent")
    turn = talk.ask("what?")
    assert (turn.outcome, turn.message, turn.model_calls) == ("limit", "the money is spent", 0)


@pytest.mark.parametrize(("stop", "outcome"), [("refusal", "refusal"), ("length", "truncated")])
def test_a_refusal_and_a_cut_off_reply_end_the_turn_by_name(stop: str, outcome: str) -> None:
    turn = session(says(answers("t1r1c1"), stop=stop)).ask("what?")  # type: ignore[arg-type]
    assert (turn.outcome, turn.answer) == (outcome, None)


def test_a_backend_that_fails_ends_the_turn_with_its_own_outcome() -> None:
    talk = session(BackendError("overloaded", "529", {"retry": 3}), says(answers("t1r1c1")))
    turn = talk.ask("what?")
    assert (turn.outcome, turn.message) == ("overloaded", "529")
    assert [event.detail for event in turn.events if isinstance(event, ModelFailed)] == [{"retry": 3}]
    assert talk.ask("again?").outcome == "answer"


def test_a_fault_of_ours_ends_the_turn_as_error_and_is_logged_with_its_traceback() -> None:
    talk = session(RuntimeError("boom"), says(answers("t1r1c1")))
    turn = talk.ask("what?")
    assert (turn.outcome, turn.message) == ("error", "RuntimeError: boom")
    (failed,) = (event for event in turn.events if isinstance(event, Failed))
    assert "Traceback" in failed.detail
    assert talk.ask("again?").outcome == "answer"


def test_a_question_back_is_an_outcome_of_its_own() -> None:
    turn = session(says(("clarify", {"question": "Which year?", "options": ["2006", "2007"]}))).ask("what?")
    assert (turn.outcome, turn.answer) == ("clarify", None)
    assert turn.clarification is not None
    assert turn.clarification.options == ("2006", "2007")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("what \udcff?", "is not valid text"),
        ("what? " * 20_000, "has 120,000 characters, more than the 65,536 that are read"),
    ],
)
def test_a_question_that_is_empty_no_text_or_without_end_is_refused(question: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        session().ask(question)
    with pytest.raises(ValueError, match=message):
        session().request(question)


def test_a_correction_by_the_user_goes_back_to_the_backend() -> None:
    backend = ScriptedBackend([says(UNDERSTOOD, answers("t1r1c1")), says(answers("t1r1c2"))])
    said = iter(["no, the price of 2006"])
    turn = Session(report_graph(), backend, confirm=lambda understanding: next(said)).ask("what?")
    exchange = backend.requests[1].exchanges[0]
    assert "no, the price of 2006" in exchange.feedback
    assert [result.error for result in exchange.results] == [False, True]
    assert turn.number == D("25.14")


def test_in_two_phases_the_understanding_is_asked_for_alone() -> None:
    talk = session(says(UNDERSTOOD), says(answers("t1r1c1")), two_phase=True)
    turn = talk.ask("what?")
    assert [request.must_call for request in talk.backend.requests] == ["understand", None]  # type: ignore[attr-defined]
    assert [type(event) for event in turn.events if isinstance(event, Understood | ModelCalled)] == [
        ModelCalled,
        Understood,
        ModelCalled,
    ]


def test_a_reply_of_very_many_calls_is_cut() -> None:
    many = [("search_text", {"keywords": [f"word{number}"]}) for number in range(70)]
    assert session(says(*many), says(answers("t1r1c1"))).ask("what?").tool_calls == 65


def test_the_request_can_be_seen_without_being_sent() -> None:
    talk = session()
    request = talk.request("what was it?")
    assert request.question == "what was it?"
    assert request.card.document_id == REPORT.id
    assert talk.turns == []


def test_the_parts_that_can_be_cached_are_the_same_to_the_byte_in_every_turn() -> None:
    talk = session(says(answers("t1r1c1")), says(answers("prev_1")), says(answers("prev_2")))
    for question in ("one?", "two?", "three?"):
        talk.ask(question)
    requests = talk.backend.requests  # type: ignore[attr-defined]
    heads = {request.model_dump_json(include={"instructions", "tools", "card"}) for request in requests}
    assert len(heads) == 1
    assert requests[2].history[:1] == requests[1].history


def test_the_log_alone_tells_the_whole_conversation(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path) as log:
        talk = session(
            says(UNDERSTOOD, calculates("c", "subtract", "t1r1c1", "t1r1c2"), answers("c")),
            BackendError("timeout", "60 s"),
            says(calculates("d", "multiply", "prev_2", "t1r2c1"), answers("d")),
            log=log,
        )
        asked = [talk.ask("change?"), talk.ask("what?", given_answer="0.5"), talk.ask("27% of it?")]
        talk.close()
    assert verify(path) is None
    told = read_turns(read_events(path))
    for ours, logged in zip(asked, told, strict=True):
        assert list(logged.ledger) == list(ours.ledger)
        for field in ("question", "outcome", "message", "answer", "text", "program", "given", "flags", "understanding"):
            assert getattr(logged, field) == getattr(ours, field)
        assert logged.prior_turn() == ours.prior_turn()


def test_a_log_that_cannot_be_written_is_no_outcome_but_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Log(tmp_path / "log.jsonl") as log:
        talk = session(says(answers("t1r1c1")), log=log)
        monkeypatch.setattr("tieout.agent.log.log.os.write", lambda file, line: 0)
        with pytest.raises(LogError, match="no space for"):
            talk.ask("what?")


def test_a_conversation_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    replies = [
        says(answers("t1r1c1")),
        says(answers("prev_1")),
        says(calculates("x", "add", "prev_1", "prev_2"), answers("x")),
    ]
    path = tmp_path / "log.jsonl"
    with Log(path) as log:
        talk = session(*replies[:2], log=log)
        talk.ask("one?")
        talk.ask("two?")
        log.append(TurnStarted(turn=2, question="three?"))
    resumed = read_turns(cut_back(path))
    with Log(path) as log:
        again = Session(report_graph(), ScriptedBackend(replies[2:]), Settings(), log, resumed=resumed)
        turn = again.ask("three?")
        again.close()
    assert turn.number == D("121.88")
    assert verify(path) is None
    assert [each.question for each in read_turns(read_events(path))] == ["one?", "two?", "three?"]


def test_a_disk_that_fills_up_during_a_turn_leaves_the_turn_to_be_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, written = tmp_path / "log.jsonl", os.write, []

    def write(file: int, line: bytes) -> int:
        written.append(line)
        return 0 if len(written) == 2 else real(file, line)  # full for the first call of the model, then free again

    with Log(path) as log:
        talk = session(says(answers("t1r1c1")), log=log)
        monkeypatch.setattr("tieout.agent.log.log.os.write", write)
        with pytest.raises(LogError, match="no space for"):
            talk.ask("what?")
    monkeypatch.undo()
    assert read_turns(cut_back(path)) == ()


@pytest.mark.parametrize(
    ("strategy", "tool"), [("tools", "answer_plainly"), ("plan", "calculate"), ("plain", "answer")]
)
def test_a_tool_that_the_strategy_does_not_offer_is_not_there(strategy: str, tool: str) -> None:
    arguments = {
        "answer_plainly": {"value": "424242"},
        "calculate": {"operation": "add", "values": ["t1r1c1", "1"]},
        "answer": {"value": "t1r1c1"},
    }
    reply = says((tool, arguments[tool]))
    settings = Settings(strategy=strategy, strict_grounding=True)
    turn = Session(report_graph(), ScriptedBackend([reply] * 4), settings, document=REPORT).ask("what?")
    assert turn.answer is None
    assert errors(turn)[0].startswith(f"there is no tool {tool!r}; there are: ")
    assert tool not in errors(turn)[0].partition("there are: ")[2].split(", ")


def test_a_broken_table_of_prices_is_found_before_anything_is_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prices.toml").write_text("[models")
    monkeypatch.setenv("TIEOUT_PRICES", str(tmp_path / "prices.toml"))
    with pytest.raises(PriceError, match="are no TOML"):
        session(says(answers("t1r1c1")))


def test_a_reply_under_another_name_costs_what_the_model_asked_for_costs() -> None:
    usage = Usage(input=1_000_000)
    reply = says(answers("t1r1c1"), usage=usage, model="gateway/alias", asked="claude-sonnet-5-5")
    turn = session(reply).ask("what?")
    assert turn.usd is not None and turn.usd == Prices.load().cost("claude-sonnet-5-5", usage) != 0
    assert session(says(answers("t1r1c1"), usage=usage, model="gateway/alias")).ask("what?").usd is None
