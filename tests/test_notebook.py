"""`import tieout` in a notebook: what is shown, what an answer says of itself, facts and runs as data frames."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE

import tieout
from tieout.agent.answers.checks.check import is_unsure
from tieout.data.document import Table
from tieout.kg.reports.listing import COLUMNS as FACT_COLUMNS

QUESTION = "what was free cash flow in 2024?"
ONE_TURN = {
    "id": "Single_ONE/2013/page_1.pdf-1",
    "pre_text": ["<b>in millions</b>"],
    "post_text": [],
    "table": [["", "2013", "2012"], ["operating <i>income</i>", "$ 559.5", "$ 631.3"]],
    "annotation": {
        "dialogue_break": ["what was operating income in 2013?"],
        "turn_program": ["559.5"],
        "exe_ans_list": [559.5],
    },
}


class Tags(HTMLParser):
    """Raises AssertionError where elements are not closed in their order, or a script could run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        assert tag in {
            "div",
            "b",
            "span",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "ul",
            "ol",
            "li",
            "mark",
            "pre",
            "br",
        }
        assert all(
            name == "style" or (name, value) == ("class", "tex2jax_ignore mathjax_ignore") for name, value in attrs
        )
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def shown(value) -> str:
    """The text of what a notebook shows of a value."""
    tags = Tags()
    tags.feed(value._repr_html_())
    assert not tags.open
    return tags.text


@pytest.fixture(scope="module")
def report():
    return tieout.read(SAMPLE / "report.htm")


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    with tieout.open(SAMPLE / "report.htm", store=tmp_path_factory.mktemp("kept") / "store") as talk:
        talk.ask(QUESTION)
        yield talk


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of one turn."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "one.json").write_text(json.dumps([ONE_TURN]))
    arguments = ["eval", "run", folder / "one.json", "--run", "one", "--runs", folder / "runs", "--no-store"]
    done = CliRunner().invoke(tieout.main, [*map(str, arguments), "--backend", "offline"])
    assert done.exit_code == 0, done.output
    return tieout.run("one", folder / "runs")


def test_an_answer_is_asked_in_one_line_and_knows_its_tree_and_its_json(talk):
    (answer,) = talk.turns
    assert (answer.value, answer.unit, answer.scale, answer.text) == (Decimal(492), "USD", 10**6, "$492 million")
    assert repr(answer.tree()) == answer.tree() and answer.tree().startswith("$492 million  = subtract(")
    assert [place["fact"] for place in answer.places] == ["t8r12c1", "t8r14c1"]
    assert repr(talk) == "Talk('report', offline, 1 turn)"
    assert isinstance(answer, tieout.Answer)


def test_to_dict_has_the_keys_of_the_command_and_of_its_description(talk):
    (answer,) = talk.turns
    keys = list(answer.to_dict())
    described = re.findall(r"^\| `(\w+)`(?:, `(\w+)`)? \|", (ROOT / "docs" / "json.md").read_text(), re.M)
    assert keys == [name for names in described for name in names if name]
    assert json.loads(answer.to_json())["amount"] == 492_000_000


def test_a_question_that_was_taken_back_was_not_asked(talk):
    answer = talk.ask("what was revenue in 2024?")
    assert talk.undo() == answer and [each.question for each in talk.turns] == [QUESTION]


def test_a_notebook_shows_answers_with_their_trees_and_places(talk):
    said = shown(talk)
    for words in (QUESTION, "$492 million", "probability of being right 97%", "Capital expenditures", "[t8r14c1]"):
        assert words in said
    assert "<b>$492 million</b>" in talk._repr_html_()
    assert "492" in shown(talk.turns[0]) and shown(talk.turns[0].tree()).startswith("$492 million")


def test_a_notebook_shows_no_doubtful_number_in_bold_and_no_markup_of_a_report():
    sure = tieout.chat(ONE_TURN | {"annotation": None}).ask("what was operating income in 2013?")
    assert "operating <i>income</i>" in shown(sure)
    doubtful = tieout.chat(ONE_TURN | {"annotation": None}).ask("what was the total?")
    assert is_unsure(doubtful.probability) and "<b>" not in doubtful._repr_html_()
    back = tieout.chat(ONE_TURN | {"annotation": None}).ask("what was goodwill?")
    assert back.clarification is not None and back.clarification.question in shown(back)
    assert (back.value, back.unit, back.tree()) == (None, None, "")


def test_a_notebook_shows_reports_tables_and_facts(report):
    assert "Brightmoor Instruments, Inc., 10-K, ended 2024-12-31" in shown(report) and "t20" in shown(report)
    assert "Capital expenditures" in shown(report.tables[7])
    assert shown(Table(rows=(("<script>", "1"),))) == "<script>1"
    facts = report.facts()
    assert repr(facts) == f"Facts('report', {len(facts)} facts)" and repr(report) == "Report('report', 20 tables)"
    assert f"20 of {len(facts.to_dicts())} rows" in shown(facts)
    assert "20 tables" in shown(report.document)


def test_facts_are_a_data_frame_and_an_arrow_table(report):
    facts = report.facts()
    frame, table = facts.to_pandas(), facts.to_arrow()
    assert list(frame.columns) == table.column_names == list(FACT_COLUMNS)
    assert len(frame) == table.num_rows == len(facts.to_dicts()) > 300
    spent = {row["fact"]: row["value"] for row in table.to_pylist()}["t8r14c1"]
    assert spent == frame.set_index("fact").value["t8r14c1"] == Decimal(-148)


def test_a_run_is_a_list_of_turns_and_each_has_its_answer(run):
    turns = run.turns()
    assert isinstance(turns, list) and repr(turns) == "RunTurns('one', 1 turn)"
    assert repr(run) == "Run('one', offline, 1 of 1 conversation, 1 turn)"
    assert list(turns.to_pandas().answer) == turns.to_arrow()["answer"].to_pylist() == ["559.5"]
    assert run.answer(ONE_TURN["id"], 1).tree().startswith("$559.5 million")
    assert "main100.0%" in shown(run) and "what was operating income in 2013?" in shown(turns)
    for name, turn in (("Single_NONE", 1), (ONE_TURN["id"], 2)):
        with pytest.raises(tieout.RunError):
            run.answer(name, turn)
    with pytest.raises(tieout.RunError, match="no run 'two'"):
        tieout.run("two", run.folder.parent)


def test_a_conversation_is_saved_in_the_form_that_the_suffix_says(talk, tmp_path):
    for suffix in ("html", "md", "json", "xlsx"):
        talk.save(tmp_path / f"talk.{suffix}")
        assert (tmp_path / f"talk.{suffix}").stat().st_size > 200
    with pytest.raises(tieout.SaveError, match=r"\.html, \.xlsx, \.md, \.json"):
        talk.save(tmp_path / "talk.pdf")


def test_everything_public_is_there_typed_and_described():
    described = (ROOT / "docs" / "python.md").read_text()
    for name in tieout.__all__:
        there = getattr(tieout, name)
        assert inspect.getdoc(there), name
        assert re.search(rf"`(tieout\.)?{name}\b", described), f"docs/python.md does not tell of {name}"
        if inspect.isfunction(there):
            assert "return" in there.__annotations__
    assert set(tieout.__all__) <= set(dir(tieout))
    assert (Path(inspect.getfile(tieout)).parent / "py.typed").exists()
    assert all(importlib.import_module(place.partition(":")[0]) for place in (tieout.TYPES | tieout.ERRORS).values())


PYTHON = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
EXAMPLES = [
    pytest.param(code, id=f"{path.name}-{number}")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
    for number, code in enumerate(PYTHON.findall(path.read_text()), start=1)
    if "tieout" in code and "token" not in code  # what speaks to a server is tested with one
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_python_of_the_documents_runs_and_gives_what_its_comments_say(code, tmp_path, monkeypatch, run):
    shutil.copytree(SAMPLE, tmp_path / "data" / "sample")
    shutil.copytree(run.folder.parent, tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for statement in re.split(r"\n(?=\S)", code):
        told = re.search(r"  # -> (.*)$", statement)
        if told is None:
            exec(statement, names)
        else:
            assert repr(eval(statement[: told.start()], names)) == told[1]
