"""What a house adds: the package of docs/plugin is installed and used, measures are read from a file, faults named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from email.message import EmailMessage
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE

import tieout
from tieout.data import plugins
from tieout.ontology.metrics import line_item, metric
from tieout.ontology.metrics.house import lines_mark

REPORT = SAMPLE / "report.htm"
RATIO = "what was the reinvestment rate in 2024?"
OURS = """[reinvestment_rate]
labels = ["reinvestment rate"]
formula = "(magnitude([capital_expenditures]) + [research_and_development]) / [revenue]"
unit = "percent"
source = "ours"
"""
NAMES = """[revenue]
labels = ["gross offtake"]
"""
LINE = """[kiln_relinings]
labels = ["kiln relinings"]
concepts = ["x:KilnRelinings"]
statement = "note"
is_instant = true
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment of a Python in which the package of docs/plugin is installed beside tieout."""
    folder = tmp_path_factory.mktemp("house")
    source = shutil.copytree(ROOT / "docs" / "plugin", folder / "source")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder / "site"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(source)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return os.environ | {"PYTHONPATH": str(folder / "site")}


def test_what_a_package_adds_is_listed_and_used(installed, tmp_path):
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "tieout", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=installed, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("plugins").split("\n")[:2] == [
        "readers    mht          tieout-house 1.0",
        "measures   house        tieout-house 1.0",
    ]
    page = EmailMessage()
    page.set_content(REPORT.read_text(encoding="utf-8"), subtype="html")
    page.make_related()
    content = page.as_bytes()
    assert content.startswith(b"MIME-Version:")
    (tmp_path / "saved.mht").write_bytes(content)
    told = run("ask", "saved.mht", RATIO, "--backend", "noted:offline", "--save", "answers.csv")
    assert told.startswith("11.5%") and "$229 million" in told and "$3.282 billion" in told
    assert (tmp_path / "questions.txt").read_text() == f"{RATIO}\n"
    header, row = (tmp_path / "answers.csv").read_text().splitlines()
    assert header == "question,answer,probability" and row.startswith(f"{RATIO},11.5%")
    run("index", ".", "--jobs", "2", "--store", "kept")
    assert run("index", "--list", "--store", "kept").count("saved") >= 1


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Runs a command with a file of measures."""

    def run(content: str, *arguments: str):
        (tmp_path / "ratios.toml").write_text(content, encoding="utf-8")
        monkeypatch.setenv("TIEOUT_MEASURES", str(tmp_path / "ratios.toml"))
        clear()
        return CliRunner().invoke(tieout.main, arguments)

    def clear() -> None:
        for module in (metric, line_item):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()

    yield run
    monkeypatch.undo()
    clear()


def test_a_measure_of_a_file_is_listed_and_calculated(house, tmp_path):
    listed = house(OURS, "measures", "--json")
    formula = "(magnitude([capital_expenditures]) + [research_and_development]) / [revenue]"
    assert formula in listed.output
    assert formula not in house("", "measures", "--json").output
    answer = house(OURS, "ask", str(REPORT), RATIO, "--store", str(tmp_path / "store")).output
    assert answer.startswith("11.5%") and "t8r14c1" in answer


def test_a_measure_of_the_house_replaces_ours_of_the_same_name(house):
    ours = OURS.replace("reinvestment_rate", "free_cash_flow").replace("reinvestment rate", "free cash flow")
    house(ours, "measures")
    assert metric.find_metric("free cash flow").source == "ours"


def test_a_house_has_names_of_its_own_for_a_line_and_lines_of_its_own(house, tmp_path):
    before = lines_mark()
    assert house(f"{NAMES}\n{LINE}", "measures", "--parts", "offtake").exit_code == 0
    found = line_item.find_line_item("gross offtake"), line_item.find_line_item("kiln relinings")
    assert [each.name for each in found] == ["revenue", "kiln_relinings"]
    assert found[1].statement == "note" and found[1].is_instant and line_item.find_line_item("net sales") == found[0]
    assert before == "" != lines_mark()  # what was read without them is read again


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (NAMES.replace("revenue", "revenues"), "no line item has this name (did you mean revenue?)"),
        (LINE.replace("note", "appendix"), "the statement is one of income, balance, cash flow, equity, note"),
        (LINE.replace("kiln_relinings", "revenue"), "is a line item already, to which labels alone can be added"),
        (f"{LINE}colour = 'red'", "a line item has to have concepts, labels, statement, may have"),
        (LINE.replace('["x:KilnRelinings"]', '"x:KilnRelinings"'), "concepts are a list of names of a taxonomy"),
    ],
)
def test_a_fault_in_a_line_of_the_house_is_one_line(house, content, says):
    done = house(content, "measures")
    assert (done.exit_code, done.output.count("\n")) == (1, 1) and says in done.output


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("= [", "= "), "are no TOML"),
        (("[revenue]", "[revenues]"), "nothing is called revenues (did you mean revenue?); `tieout measures"),
        (("[revenue]", "[total_inventory]"), "nothing is called total_inventory (did you mean inventory?)"),
        (('"percent"', '"bananas"'), "the unit is one of ratio, percent, money, days, per share"),
        (("magnitude(", "import_it("), "has no place in a formula"),
        (('source = "ours"', ""), "has to have formula, labels, source, unit"),
        (('["reinvestment rate"]', '"reinvestment rate"'), "labels are a list"),
    ],
)
def test_a_fault_in_a_file_of_measures_is_one_line(house, change, says):
    done = house(OURS.replace(*change), "measures")
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert says in done.output and "ratios.toml" in done.output


@pytest.fixture
def points(monkeypatch):
    """Puts entry points in place of those that are installed."""

    def put(*found: tuple[str, str]) -> None:
        made = [EntryPoint(name, value, "tieout.backends") for name, value in found]
        monkeypatch.setattr(plugins, "_installed", lambda: EntryPoints(made))

    plugins.plugins.cache_clear()
    yield put
    plugins.plugins.cache_clear()


def test_two_packages_with_one_name_are_refused(points):
    points(("mine", "json:loads"), ("mine", "json:dumps"))
    done = CliRunner().invoke(tieout.main, ["ask", str(REPORT), "?", "--backend", "mine:x"])
    assert "both have 'mine': remove one of them" in done.output and done.exit_code == 1


def test_a_plugin_that_cannot_be_imported_is_named(points):
    points(("mine", "no_such_module:thing"))
    done = CliRunner().invoke(tieout.main, ["ask", str(REPORT), "?", "--backend", "mine:x"])
    assert "'mine' of the package no_such_module:thing cannot be loaded: No module named" in done.output
    done = CliRunner().invoke(tieout.main, ["ask", str(REPORT), "?", "--backend", "other:x"])
    assert "there is no backend 'other:x': offline, replay:" in done.output and "mine:" in done.output


def test_a_reader_that_is_none_is_named(monkeypatch, tmp_path):
    thing = ModuleType("thing")
    monkeypatch.setitem(sys.modules, "thing", thing)
    thing.thing = object()
    found = [EntryPoint("mht", "thing:thing", "tieout.readers")]
    monkeypatch.setattr(plugins, "_installed", lambda: EntryPoints(found))
    plugins.plugins.cache_clear()
    done = CliRunner().invoke(tieout.main, ["kg", "show", str(REPORT)])
    plugins.plugins.cache_clear()
    assert done.exit_code == 1 and "readers: 'mht' is no Kind of that name" in done.output


FAULTS = {
    "readers raise": ("raise KeyError('gone')", "gone"),
    "readers end": ("import sys; sys.exit(3)", "cannot be loaded: 3"),
    "readers are no Python": ("def (", "cannot be loaded: invalid syntax"),
    "backends raise": ("def thing(rest): return {}[rest]", "'backends'"),
    "exporters raise": ("def thing(turns, source): return turns[99]", "list index out of range"),
    "exporters give nothing": ("def thing(turns, source): return None", "a bytes-like object is required"),
}


@pytest.mark.parametrize(("group", "code", "says"), [(name.split()[0], *FAULTS[name]) for name in FAULTS])
def test_a_plugin_that_fails_is_one_line_that_names_its_package(tmp_path, monkeypatch, group, code, says):
    (tmp_path / "hostile_house.py").write_text(f"print('printed at load')\n{code}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "hostile_house", raising=False)
    made = [EntryPoint("mine", "hostile_house:thing", f"tieout.{group}")]
    monkeypatch.setattr(plugins, "_installed", lambda: EntryPoints(made))
    plugins.plugins.cache_clear()
    ask = ["ask", str(REPORT), "what was revenue in 2024?", "--store", str(tmp_path / "store")]
    options = {"readers": [], "backends": ["--backend", "mine:backends"]}
    done = CliRunner().invoke(tieout.main, [*ask, *options.get(group, ["--save", str(tmp_path / "a.mine")])])
    plugins.plugins.cache_clear()
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit), done.output
    (line,) = [each for each in done.stderr.splitlines() if each.startswith("tieout: ")]
    assert f"{group}: 'mine' of the package hostile_house:thing" in line and says in line
    assert "printed at load" not in done.stdout and not (tmp_path / "a.mine").exists()
