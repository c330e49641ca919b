"""Questions over series: the invented data, the gold answers, a scripted model, recipes without a model."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from click.testing import CliRunner
from conftest import ROOT
from orris import TBOX
from series_gold import gold
from series_model import KNOWN, SeriesModel

from tieout import main
from tieout.agent.expert.workbench import Workbench
from tieout.agent.ledger.ledger import Entry, FromFrame, Ledger, Words
from tieout.agent.memory.follow import follow, told
from tieout.agent.memory.recipes import find_recipe
from tieout.agent.tools.values import Values
from tieout.agent.workspace import Settings
from tieout.eval.series.invent import write
from tieout.eval.series.questions import SeriesQuestion, is_right, read_questions
from tieout.eval.series.run import LAYERS, run_series
from tieout.ontology.model import Ontology

DATA = ROOT / "data" / "series"
MEMORY = DATA / "memory"
QUESTIONS = read_questions(ROOT / "eval" / "series.json").questions


def run(layers, folder, make=SeriesModel, questions=QUESTIONS):
    return list(
        run_series(questions, [DATA], make, layers, folder, Ontology.parse(TBOX), Settings(), MEMORY, seconds=60)
    )


def test_the_series_are_those_that_the_script_writes(tmp_path):
    write(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in DATA.iterdir() if path.is_file())
    assert all((tmp_path / name).read_bytes() == (DATA / name).read_bytes() for name in names)


def test_every_gold_answer_is_what_pandas_calculates():
    answers = gold(DATA)
    assert len(QUESTIONS) == 30 == len({question.id for question in QUESTIONS})
    assert set(answers) == {question.id for question in QUESTIONS} == set(KNOWN)
    for question in QUESTIONS:
        value = answers[question.id]
        assert question.gold == (f"{value:.6f}" if isinstance(value, float) else str(value)), question.id


def test_a_model_that_knows_how_answers_all_thirty_through_the_tools(tmp_path):
    results = run(LAYERS[1:2], tmp_path / "run")
    assert {each.question.id: (each.given, each.question.gold) for each in results if not each.right} == {}
    assert len(results) == 30


def test_layers_tell_queries_scripts_tries_and_memory_apart(tmp_path):
    some = QUESTIONS[::5]
    results = run(LAYERS, tmp_path / "run", lambda: SeriesModel(slips=True), some)
    right = {layer.name: sum(each.right for each in results if each.layer == layer.name) for layer in LAYERS}
    plain = sum(not KNOWN[question.id][1] for question in some)
    assert 0 < plain < len(some)
    assert right == {"data": plain, "scripts": plain, "retries": len(some), "memory": len(some)}


def test_the_recipe_for_recessions_answers_eleven_questions_without_a_model():
    questions = {question.question: question for question in QUESTIONS if question.id.startswith("recession")}
    desk = Workbench([DATA], seconds=60)
    try:
        recipe = find_recipe(MEMORY, "Recession Calculation")
        values = Values(Ledger(), {}, ("",), frames=desk)
        follow(recipe, desk, values, MEMORY, {})
        entries = told(recipe, values)
    finally:
        desk.close()
    served = {a.question.replace("{years}", "30"): entries[a.name] for a in recipe.answers}
    right = [text for text, question in questions.items() if is_right(question, served[text])]
    assert len(right) == len(questions) == 11


def test_the_offline_backend_answers_what_a_recipe_fits_and_nothing_else(tmp_path):
    arguments = ["eval", "run", str(ROOT / "eval" / "series.json"), "--data", str(DATA), "--memory", str(MEMORY)]
    done = CliRunner().invoke(main, [*arguments, "--runs", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    (layer,) = json.loads(done.stdout)["layers"]
    assert layer["wrong"] == 0
    assert layer["right"] >= 9
    assert layer["right"] + layer["asked back"] == 30


def test_a_run_of_series_needs_its_data():
    done = CliRunner().invoke(main, ["eval", "run", str(ROOT / "eval" / "series.json")])
    assert done.exit_code == 1
    assert done.stderr == "tieout: questions over series need their data: give --data\n"


@pytest.mark.parametrize(
    ("kind", "gold", "value", "right"),
    [
        ("number", "3.141590", Decimal("3.1449"), True),
        ("number", "3.141590", Decimal("3.15"), False),
        ("count", "4", Decimal(4), True),
        ("count", "4", Decimal("4.001"), False),
        ("date", "2020-07-01", Words(form="date", text="2020-07-01"), True),
        ("date", "2020-07-01", Words(form="date", text="2020-07-02"), False),
        ("number", "3.141590", Words(form="text", text="3.14"), False),
        ("number", "1", True, False),
        ("number", "1", Decimal("1e999"), False),
    ],
)
def test_numbers_agree_to_two_decimals_counts_and_dates_exactly(kind, gold, value, right):
    question = SeriesQuestion(id="x", kind=kind, question="?", gold=gold)
    entry = Entry(name="a", value=value, source=FromFrame(frame="a", rows_hash="0"))
    assert is_right(question, entry) is right
