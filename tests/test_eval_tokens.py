"""How long requests are: the card against the page, and what a later turn adds."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from messages_server import message, serving, use
from scripted import answers, says

from tieout.agent.workspace import Settings
from tieout.data.readers.read import read_conversations
from tieout.eval.cli_tokens import tokens
from tieout.eval.score.tokens import Measured, measure, summary
from tieout.ontology.model import Ontology, default_ontology


class Talker:
    """Answers every question with the sum of the first eight figures: a long record for the history."""

    name = "talker"

    def reply(self, request):
        names = [fact.name for fact in request.card.facts if fact.unit != "calendar year"][:8]
        if request.exchanges:
            return says(answers(names[0]))
        return says(("calculate", {"operation": "sum", "values": names, "name": "total"}), answers("total"))


def measured(path, ontology, every=1):
    chosen = islice(read_conversations(path), 0, None, every)
    return [measure(each, ontology, Talker(), Settings(strategy="tools")) for each in chosen]


def test_the_sample_keeps_to_the_lengths_promised():
    found = summary(measured(SAMPLE / "ask.json", Ontology((), ())))
    assert found["conversations"] == 19 and found["later_turns"] == 93
    assert found["median_ratio"] <= 1.3
    assert found["max_turn"] <= 2000


def test_real_reports_keep_to_the_lengths_promised(shared):
    """A sixth of them; `tieout eval tokens` measures all."""
    found = summary(measured(shared / "dev_open.json", default_ontology(None)[0], every=6))
    assert found["conversations"] == 39 and found["later_turns"] > 75
    assert found["median_ratio"] <= 1.3
    assert found["median_turn"] <= 2000


def test_a_later_turn_adds_the_question_before_its_answer_and_the_question():
    conversation = next(read_conversations(SAMPLE / "ask.json"))
    (one,) = [measure(conversation, Ontology((), ()), Talker(), Settings())]
    questions = [len(question.text) for question in conversation.questions]
    assert len(one.turns) == len(questions) - 1
    for added, before, now in zip(one.turns, questions, questions[1:], strict=False):
        assert before + now < added < before + now + 400


def test_medians_are_taken_over_conversations_and_turns():
    each = [Measured(10, 10, (5, 7), 3, 4), Measured(30, 20, (), 3, 4), Measured(24, 20, (9,), 3, 4)]
    found = summary(each)
    assert found["median_ratio"] == 1.2 and found["max_ratio"] == 1.5
    assert (found["later_turns"], found["median_turn"], found["max_turn"]) == (3, 7, 9)
    assert (found["tools"], found["instructions"]) == (3, 4)
    with pytest.raises(ValueError, match="no conversation"):
        summary([])


@pytest.fixture
def command(monkeypatch):
    """Runs the command with a model that answers every question with the same figure."""

    def run(*arguments):
        with serving(message(use("answer", {"value": "t1r1c1"}))) as server:
            monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("TIEOUT_BACKEND", "anthropic:test-model,retries=0")
            return CliRunner().invoke(tokens, arguments)

    return run


@pytest.fixture
def few(tmp_path):
    """A file of a few conversations of the sample."""
    (tmp_path / "few.json").write_text(json.dumps(json.loads((SAMPLE / "ask.json").read_text())[:4]))
    return str(tmp_path / "few.json")


@pytest.mark.parametrize("words", [["nowhere.json"], [str(SAMPLE / "ask.json"), "--backend", "replay:nowhere"]])
def test_the_command_says_what_is_wrong_in_one_line(command, words):
    done = command(*words)
    assert done.exit_code == 1 and "nowhere" in done.stderr and done.stderr.count("\n") == 1


def test_a_fault_of_ours_is_not_taken_for_bad_input(command, monkeypatch):
    def fault(*given):
        raise ValueError("ours")

    monkeypatch.setattr("tieout.eval.cli_tokens.measure", fault)
    assert str(command(str(SAMPLE / "ask.json")).exception) == "ours"


def test_the_command_prints_json_with_plain_names(command, few):
    done = command(few, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["conversations"] == 4 and found["later_turns"] > 10
    assert 1 < found["median_ratio"] <= 1.3 and 0 < found["median_turn"] <= 2000
    assert found["tools"] > 1000 and found["instructions"] > 1000


def test_the_command_prints_a_line_for_every_figure(command, few):
    lines = command(few).output.splitlines()
    assert len(lines) == 10 and any(line.startswith("card / page, median ") for line in lines)
