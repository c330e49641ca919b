"""Fitting the offline backend: sound practice conversations, a fit that learns and repeats, honest tables."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from itertools import islice

import numpy as np
import pytest
from conftest import SAMPLE

from tieout.agent.offline.ranking.model import Model, load_model
from tieout.agent.offline.ranking.weigh import Weigher, load_weigher
from tieout.agent.session import Session
from tieout.data.document import Document, Table
from tieout.data.readers.read import read_conversations
from tieout.eval.gold.executed import execute
from tieout.eval.score.coverage import coverage
from tieout.eval.score.score import Rule, correct
from tieout.eval.training.__main__ import LABELS, PRACTICE, labelled, parts_of
from tieout.eval.training.choice import fit_chance, fit_choice
from tieout.eval.training.fit import Figures, fit
from tieout.eval.training.held_out import Watched, ask_all
from tieout.eval.training.samples import company, samples
from tieout.eval.training.summary import reliability
from tieout.kg.build import build
from tieout.ontology.model import default_ontology


@pytest.fixture(scope="module")
def practice():
    return list(read_conversations(PRACTICE[0]))


def test_every_practice_answer_is_that_of_its_program(practice):
    turns = [(each.id, gold) for each in practice for gold in each.gold]
    assert len(turns) > 500
    assert [each for each, gold in turns if not _agree(execute(gold.program), gold.answer)] == []


def test_our_labels_are_programs_that_come_to_an_answer():
    programs = [each for turns in json.loads(LABELS.read_text(encoding="utf-8")).values() for each in turns]
    assert len(programs) > 1000
    assert [each for each in programs if not isinstance(execute(each), Decimal | str)] == []


def test_a_conversation_is_labelled_as_far_as_there_are_programs(practice):
    known = practice[0]
    made = labelled(known.model_copy(update={"gold": ()}), ["subtract(7, 5)"])
    assert [each.answer for each in made.gold] == [Decimal(2)] and made.questions == known.questions[:1]


def test_our_labels_are_of_operands_that_are_printed(shared):
    ours = json.loads(LABELS.read_text(encoding="utf-8"))
    read = [each for each in read_conversations(shared / "test_inputs.json") if each.id in ours]
    found = coverage(islice((labelled(each, ours[each.id]) for each in read), 0, None, 6), default_ontology(None)[0])
    assert len(read) == len(ours) and found.operand_recall.value > 0.98


def _agree(result, answer):
    return result == answer if isinstance(result, str) else correct(Rule.STRICT, result, answer)


def test_every_practice_operand_is_printed(practice):
    """Of an eighth; `tieout eval coverage` reads all."""
    found = coverage(islice(practice, 0, None, 8), default_ontology(None)[0])
    assert found.operand_recall.value == 1 and found.operand_recall.n > 125


def test_practice_is_about_no_company_of_the_real_reports(practice, shared):
    real = {
        company(each.id)
        for name in ("train_100.json", "dev_open.json", "test_inputs.json")
        for each in read_conversations(shared / name)
    }
    assert real.isdisjoint(company(each.id) for each in practice)


RUN = 9  # words in a row that two texts about different things hardly ever have in common


def _runs(conversations):
    """Every run of so many words in the texts of reports."""
    for sentence in {sentence for each in conversations for sentence in each.document.paragraphs}:
        words = re.findall(r"[a-z]+|\d[\d.,]*", sentence.lower())
        yield from (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def test_practice_and_sample_share_no_sentence_with_the_real_reports(practice, shared):
    names = ("train_100.json", "dev_open.json", "test_inputs.json")
    real = set(_runs(each for name in names for each in read_conversations(shared / name)))
    assert len(real) > 100_000
    ours = [*practice, *read_conversations(SAMPLE / "train.json"), *read_conversations(SAMPLE / "ask.json")]
    assert [run for run in _runs(ours) if run in real] == []


@pytest.fixture(scope="module")
def some(practice):
    """The first questions about each of a few reports, with their graphs."""
    ontology = default_ontology(None)[0]
    begun = [each.model_copy(update={"questions": each.questions[:3], "gold": each.gold[:3]}) for each in practice[:6]]
    return [(each, build(each.document, ontology)) for each in begun]


def _fitted(reports):
    turns = [sample for conversation, graph in reports for sample in samples(conversation, graph.facts())]
    calculations, ground = fit(Figures(turns), np.arange(len(turns)) % 2)
    return calculations.named(ground, calculations.weights(np.ones(len(turns), bool)))


def _asked(reports, weights, choice):
    part = dict.fromkeys((company(conversation.id) for conversation, _ in reports), 0)
    return list(ask_all(reports, part, [Model.of(weights)], [Weigher({}, choice, {})]))


@pytest.fixture(scope="module")
def weights(some):
    return _fitted(some)


def test_a_fit_learns_its_turns_and_comes_out_the_same_again(some, weights):
    assert json.dumps(weights, sort_keys=True) == json.dumps(_fitted(some), sort_keys=True)

    def right(weights):
        return [each.result.right[Rule.STRICT] for each in _asked(some, weights, {"conversation": 1.0})]

    knows_nothing = {name: {key: {} for key in part} for name, part in weights.items()} | {"ground": {}}
    assert sum(right(weights)) > sum(right(knows_nothing))


def test_the_choice_learns_which_reader_to_believe_and_how_much(some, weights):
    asked = _asked(some, weights, {"whole": 1.0, "conversation": 1.0})
    choice = fit_choice(asked)
    assert choice["conversation"] > choice["whole"]  # the other reader has no weights here
    chance = fit_chance(asked, choice)
    assert (choice, chance) == (fit_choice(asked), fit_chance(asked, choice))
    chosen = _asked(some, weights, choice)
    assert sum(each.result.right[Rule.MAIN] for each in chosen) >= sum(each.result.right[Rule.MAIN] for each in asked)


@pytest.mark.parametrize(
    "question", ["Mooring fees and the tug hire together in 2024?", "tug hire or mooring fees in 2024"]
)
def test_the_choice_is_learned_from_what_there_was_for_the_whole_question_and_not_for_its_parts(question):
    rows = (("(in millions)", "2024", "2023"), ("Tug hire", "61", "57"), ("Mooring fees", "44", "41"))
    page = Document(id="quay", paragraphs=(), before=0, tables=(Table(rows=rows),))
    backend = Watched(load_model(), load_weigher())
    backend.watch(question)
    Session(build(page, default_ontology(None)[0]), backend).ask(question)
    assert backend.seen is not None and backend.seen[2].asked.text == question


def test_all_turns_of_a_company_are_in_one_part_and_parts_are_of_like_size(some):
    part = parts_of(some, 3)
    assert set(part) == {company(conversation.id) for conversation, _ in some}
    sizes = [sum(len(each.questions) for each, _ in some if part[company(each.id)] == number) for number in range(3)]
    assert max(sizes) <= 2 * min(sizes)


def test_the_calibration_error_is_the_weighted_gap_of_the_bands():
    error, rows = reliability([(True, 0.95), (False, 0.95), (False, 0.15), (False, 0.15)])
    assert [row[0] for row in rows] == [2, 2]
    assert math.isclose(error, 0.5 * 0.15 + 0.5 * 0.45)
