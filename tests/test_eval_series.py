"""Questions over series: the invented data, the gold answers, a scripted model, recipes without a model."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from decimal import Decimal

import pytest
from click.testing import CliRunner
from conftest import ROOT
from series_model import KNOWN, SeriesModel

from tieout import main
from tieout.agent.analysis.workbench import Workbench
from tieout.agent.ledger.ledger import Entry, FromFrame, Ledger, Words
from tieout.agent.memory.follow import follow, told
from tieout.agent.memory.recipes import find_recipe
from tieout.agent.tools.values import Values
from tieout.data.document import Gold
from tieout.data.readers.questions import OVER_DATA
from tieout.data.readers.read import read_conversations
from tieout.eval.run.layers import LAYERS
from tieout.eval.run.logs import log_files
from tieout.eval.score.load import load
from tieout.eval.score.score import Rule
from tieout.eval.score.sets.over_data import judged_over_data
from tieout.eval.series.invent import write

DATA = ROOT / "data" / "series"
MEMORY = DATA / "memory"
FILE = ROOT / "eval" / "series.json"


@dataclass
class Asked:
    id: str
    question: str
    kind: str
    gold: str


QUESTIONS = [Asked(**each) for each in json.loads(FILE.read_text())["questions"]]
SOME = QUESTIONS[::5]


def evaluates(monkeypatch, runs, model, *more, name="series"):
    """`tieout eval run eval/series.json` with a scripted model in place of a real one, and the scored run."""
    monkeypatch.setattr("tieout.eval.run.work.make_backend", lambda name: model)
    command = ["eval", "run", str(FILE), "--data", str(DATA), "--memory", str(MEMORY), "--run", name, "--no-store"]
    done = CliRunner().invoke(main, [*command, "--runs", str(runs), "--json", *map(str, more)])
    assert done.exit_code == 0, done.output
    return load(runs / name), json.loads(done.stdout)


@pytest.fixture(scope="module", autouse=True)
def runs_share_processes(warm_desks):
    """A run starts a process for each layer: here those of several runs are the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.layers.Workbench", warm_desks)
        yield


@pytest.fixture(scope="module")
def layered(tmp_path_factory, runs_share_processes):
    """Six questions in four layers, by a model that makes a slip in its first script."""
    runs = tmp_path_factory.mktemp("runs")
    (runs / "ids").write_text("".join(f"{question.id}\n" for question in SOME))
    with pytest.MonkeyPatch.context() as patch:
        run, told = evaluates(patch, runs, SeriesModel(slips=True), "--layers", "--ids", runs / "ids")
    return runs, run, told


def test_the_series_are_those_that_the_script_writes(tmp_path):
    write(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in DATA.iterdir() if path.is_file())
    assert all((tmp_path / name).read_bytes() == (DATA / name).read_bytes() for name in names)


def test_every_gold_answer_is_what_pandas_calculates():
    from series_gold import gold  # pandas takes long to load

    answers = gold(DATA)
    assert len(QUESTIONS) == 30 == len({question.id for question in QUESTIONS})
    assert set(answers) == {question.id for question in QUESTIONS} == set(KNOWN)
    for question in QUESTIONS:
        value = answers[question.id]
        assert question.gold == (f"{value:.6f}" if isinstance(value, float) else str(value)), question.id


def test_a_model_that_knows_how_answers_all_thirty_through_the_tools(tmp_path, monkeypatch):
    run, told = evaluates(monkeypatch, tmp_path, SeriesModel())
    assert {each.question: each.text for each in run.results if not each.right[Rule.STRICT]} == {}
    assert (told["n"], told["strict"], told["wrong_and_unflagged"]) == (30, 1.0, 0.0)


def test_layers_tell_queries_scripts_tries_and_memory_apart(layered):
    _, run, told = layered
    plain = sum(not KNOWN[question.id][1] for question in SOME)
    assert 0 < plain < len(SOME)
    right = {name: round(each["strict"] * each["n"]) for name, each in told["layers"].items()}
    assert right == {"data": plain, "scripts": plain, "retries": len(SOME), "memory": len(SOME)}
    assert list(right) == [layer.name for layer in LAYERS]
    assert run.manifest.beside.layers == tuple(right)


def test_a_run_over_data_is_shown_scored_reported_and_verified_as_any_other(layered, tmp_path):
    runs, _, told = layered

    def evaluation(*words):
        return CliRunner().invoke(main, ["eval", *map(str, words), "--runs", str(runs)])

    shown = json.loads(evaluation("show", "series", "--json").stdout)
    assert {key: shown[key] for key in ("strict", "layers", "status")} == {
        "strict": told["strict"], "layers": told["layers"], "status": "complete"}  # fmt: skip
    assert "retries" in evaluation("show", "series", "--by", "layer").stdout
    assert json.loads(evaluation("score", "series", "--json").stdout)["n"] == 24
    assert evaluation("verify", "series").stdout.startswith("complete and unaltered")
    assert evaluation("report", "series", "-o", tmp_path / "report.html").exit_code == 0
    page = (tmp_path / "report.html").read_text()
    assert "memory/cpi-200" in page and "layer" in page
    assert "In what year did the CPI" in evaluation("turn", "series", "memory/cpi-200", "1").stdout
    assert evaluation("export", "series", "-o", tmp_path / "turns.csv").exit_code == 0


def test_a_run_over_data_that_was_killed_goes_on_where_it_was(layered, tmp_path, monkeypatch):
    runs, run, _ = layered
    shutil.copytree(runs, tmp_path / "runs")
    folder = tmp_path / "runs" / "series"
    gone = ["data/cpi-200", "memory/recession-start"]
    files = {each.conversation: each.path for each in log_files(folder, run.manifest)}
    whole = {name: path.read_bytes() for name, path in files.items()}
    assert set(gone) <= set(files)
    files[gone[0]].unlink()
    files[gone[1]].write_bytes(whole[gone[1]][: len(whole[gone[1]]) // 2])
    manifest = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(manifest | {"completed": None}))
    model = SeriesModel(slips=True)
    asked = []
    monkeypatch.setattr(model, "reply", lambda request: (asked.append(request.card.document_id),
                                                         SeriesModel.reply(model, request))[1])  # fmt: skip
    again, _ = evaluates(monkeypatch, tmp_path / "runs", model, "--layers", "--ids", runs / "ids")
    assert set(asked) == set(gone)
    assert [(each.conversation, each.text) for each in again.results] == [
        (each.conversation, each.text) for each in run.results]  # fmt: skip
    assert {name: path.read_bytes() for name, path in files.items() if name not in gone} == {
        name: text for name, text in whole.items() if name not in gone}  # fmt: skip


def test_a_run_over_data_is_refused_where_data_or_log_is_not_what_it_was(layered, tmp_path):
    runs, run, _ = layered
    shutil.copytree(runs, tmp_path / "runs")
    shutil.copytree(DATA, tmp_path / "data")
    with (tmp_path / "data" / "prices.csv").open("a") as file:
        file.write("2024-01-01,CPI food,1.0\n")
    command = ["eval", "run", FILE, "--memory", MEMORY, "--run", "series", "--no-store", "--layers",
               "--ids", runs / "ids", "--runs", tmp_path / "runs"]  # fmt: skip
    other = CliRunner().invoke(main, [*map(str, command), "--data", str(tmp_path / "data")])
    assert (other.exit_code, "the data files of run 'series' have changed" in other.stderr) == (1, True)
    without = CliRunner().invoke(main, [*(str(word) for word in command if word != "--layers"), "--data", str(DATA)])
    assert (without.exit_code, "was started with layers" in without.stderr) == (1, True)
    path = next(each.path for each in log_files(tmp_path / "runs" / "series", run.manifest))
    path.write_bytes(path.read_bytes().replace(b"answer", b"Answer", 1))
    assert CliRunner().invoke(main, ["eval", "score", "series", "--runs", str(tmp_path / "runs")]).exit_code == 1


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
    golds = {each.questions[0].text: each.gold[0] for each in read_conversations(FILE)}
    right = [text for text in questions if judged_over_data(served[text], golds[text])[Rule.STRICT]]
    assert len(right) == len(questions) == 11


def test_the_offline_backend_answers_what_a_recipe_fits_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr("tieout.eval.run.layers.Workbench", Workbench)  # in a process of its own, as for users
    arguments = ["eval", "run", str(ROOT / "eval" / "series.json"), "--data", str(DATA), "--memory", str(MEMORY)]
    done = CliRunner().invoke(main, [*arguments, "--runs", str(tmp_path), "--json", "--no-store"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["correct"]["strict"] >= 9
    assert told["outcomes"] == {"answer": told["correct"]["strict"], "clarify": 30 - told["correct"]["strict"]}


def test_a_run_of_series_needs_its_data(tmp_path):
    arguments = ["eval", "run", str(ROOT / "eval" / "series.json"), "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert done.stderr == "tieout: questions over data need their data: give --data\n"


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
    label = Gold(answer=gold if kind == "date" else Decimal(gold), program="", kind=f"{OVER_DATA}{kind}")
    entry = Entry(name="a", value=value, source=FromFrame(frame="a", rows_hash="0"))
    assert judged_over_data(entry, label)[Rule.STRICT] is right


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "colour"}, "questions[1].kind: one of number, count, date expected"),
        ({"gold": "soon"}, "questions[1].gold: 'soon' is no count"),
        ({"id": "first"}, "questions[1].id: has to be a name of its own"),
        ({"question": None}, "questions[1].question"),
    ],
)
def test_a_question_that_is_wrong_is_told_and_left_out(changed, said, tmp_path):
    good = {"id": "first", "kind": "count", "question": "how many?", "gold": "3"}
    file = tmp_path / "q.json"
    file.write_text(json.dumps({"data": "x", "questions": [good, {**good, "id": "second", **changed}]}))
    problems = []
    assert [each.id for each in read_conversations(file, problems.append)] == ["first"]
    assert said in str(problems[0])
