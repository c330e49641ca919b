"""Operand recall and the oracle: on a small report, on the sample, and on real reports."""

from __future__ import annotations

from decimal import Decimal

import orris
import pytest
from conftest import SAMPLE

from tieout.data.document import Conversation, Gold, Question
from tieout.data.readers.read import read_conversations, read_files
from tieout.eval.gold.executed import execute
from tieout.eval.gold.program import equivalent, parse
from tieout.eval.score.coverage import Coverage, cover, coverage, run_through_tools
from tieout.eval.score.score import scores
from tieout.kg.build import build
from tieout.ontology.model import Ontology, default_ontology

TBOX = Ontology.parse(orris.TBOX)
FACTS = build(orris.REPORT, TBOX).facts()


def asked(*labels: tuple[str, str]) -> Conversation:
    questions = tuple(Question(text=f"question {number}") for number, _ in enumerate(labels))
    gold = tuple(Gold(program=program, answer=Decimal(answer)) for program, answer in labels)
    return Conversation(document=orris.REPORT, questions=questions, gold=gold)


def covered(*labels: tuple[str, str]) -> Coverage:
    total = Coverage()
    cover(asked(*labels), FACTS, total)
    return total


def test_operands_are_found_in_table_and_text_by_absolute_value_and_constants_do_not_count():
    found = covered(("subtract(60.94, const_100)", "-39.06"), ("2.2", "2.2"), ("12.5%", "0.125"), ("-325", "-325"))
    assert (found.found, found.operands) == (4, 4)
    assert (found.reached, found.turns) == (4, 4)
    assert found.misses == []


def test_an_operand_that_no_fact_holds_is_listed():
    found = covered(("subtract(60.94, 4711)", "-4650.06"), ("4711", "4711"), ("60.94", "60.94"))
    assert (found.found, found.operands) == (2, 4)
    assert (found.reached, found.turns) == (1, 3)
    assert [(miss.turn, miss.operands) for miss in found.misses] == [(0, ("4711",)), (1, ("4711",))]


def test_a_gold_answer_that_the_program_does_not_give_is_no_hit_of_the_oracle():
    found = covered(("60.94", "60.95"))
    assert found.operand_recall.value == 1
    assert found.oracle.value == 0
    assert "the tools give 60.94, the gold answer is 60.95" in found.misses[0].reason


def test_a_program_that_cannot_be_read_is_a_miss_with_its_reason():
    found = covered(("subtract(60.94", "1"))
    assert (found.turns, found.reached, found.operands) == (1, 0, 0)
    assert "is no program" in found.misses[0].reason


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("multiply(2.2, const_1000), add(#0, 325)", "2525"),  # a conversion of billions to millions
        ("divide(12.5, const_100)", "0.125"),  # a percentage without its sign
        ("divide(12.5%, 2.2)", "0.05682"),
        ("multiply(12.5, 60.94)", "761.75"),
    ],
)
def test_the_tools_reach_what_a_program_means(program, answer):
    assert run_through_tools(parse(program), Decimal(answer), FACTS, "?") is None


def test_every_answer_of_the_sample_is_reached():
    found = coverage(read_files([SAMPLE / "train.json", SAMPLE / "ask.json"]), default_ontology(None)[0])
    assert found.turns >= 90
    assert found.operand_recall.value == 1, found.misses
    assert found.oracle.value >= 0.98, found.misses


@pytest.mark.parametrize("name", [pytest.param("dev_open", marks=pytest.mark.thorough), "train_100"])
def test_real_reports_lose_no_operand_and_the_oracle_reaches_their_answers(shared, name):
    found = coverage(read_conversations(shared / f"{name}.json"), default_ontology(None)[0])
    assert found.operand_recall.value >= 0.995, found.misses
    assert found.oracle.value >= 0.985, found.misses


@pytest.mark.parametrize("name", ["dev_open", "dev_open_cleaned", "train_100"])
def test_gold_programs_replayed_as_answers_score_everything_under_every_rule(shared, name):
    turns = 0
    for conversation in read_conversations(shared / f"{name}.json"):
        for gold in conversation.gold:
            result = execute(gold.program)
            answer = result == "yes" if isinstance(result, str) else result
            assert all(scores(answer, gold.answer).values()), (conversation.id, gold)
            assert equivalent(gold.program, gold.program)
            turns += 1
    assert turns in (811, 355)
