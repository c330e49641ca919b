"""The commands of `tieout eval`, as they are typed."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import SAMPLE
from eval_runs import Student, not_over, shortened

from tieout import main
from tieout.agent.strategies.prompt import PROMPT
from tieout.eval.cli import evaluate
from tieout.eval.run.prompts import prompt_hash
from tieout.kg.store.store import open_store

ASK = str(SAMPLE / "ask.json")
RATES = ("strict", "main", "lenient")


def tieout(*words: str) -> Result:
    return CliRunner().invoke(evaluate, [str(word) for word in words])


def well(*words: str) -> Result:
    done = tieout(*words)
    assert done.exit_code == 0, done.output
    return done


def numbers(*words: str) -> Any:
    return json.loads(well(*words, "--json").stdout)


@pytest.fixture(autouse=True)
def student(monkeypatch):
    made = Student(Path(ASK))
    monkeypatch.setattr("tieout.eval.run.work.make_backend", lambda name: made)
    monkeypatch.setenv("COLUMNS", "120")
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with the run `first` of six conversations, and the store it is in."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(Path(ASK)))
        patch.chdir(folder)
        well("run", ASK, "--run", "first", "--limit", "6", "--backend", "offline")
    return folder


@pytest.fixture
def here(made, tmp_path, monkeypatch) -> Path:
    """A copy of it to work in."""
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def unlabelled(here) -> str:
    """The id of the only report of `unlabelled.json`, which has questions and no answers."""
    record = json.loads(Path(ASK).read_text())[0] | {"annotation": {"dialogue_break": ["what was it?", "and then?"]}}
    (here / "unlabelled.json").write_text(json.dumps([record]))
    return str(record["id"])


@pytest.fixture
def short(here) -> str:
    """The sample with the first question of each report alone."""
    return shortened(Path(ASK), here / "short.json", 1).name


def test_a_run_prints_its_scores_and_how_it_was_made(here):
    done = well("run", ASK, "--run", "first", "--limit", "6", "--backend", "offline")
    for part in (
        "run first",
        "strict",
        "95% interval",
        "n",
        "6 of 6 complete",
        "derived from the sample",
        "own history",
    ):
        assert part in done.output
    assert (here / "runs" / "first" / "run.json").exists()


def test_rates_are_numbers_from_0_to_1_under_plain_names(here):
    shown, scored = numbers("show", "first"), numbers("score", "first")
    for found in (shown, scored):
        for rule in RATES:
            assert 0 < found[rule] < 1 and found[f"{rule}_n"] == found["n"] == found["turns"]
            assert found[f"{rule}_low"] < found[rule] < found[f"{rule}_high"]
            assert 0 <= found[f"{rule}_conversations"] < 1 and found[f"{rule}_conversations_n"] == 6
        assert found["without_errata"]["strict"] == found["strict"]
    assert sum(each["n"] for each in shown["slices"]["turn"].values()) == shown["n"]
    assert shown["history"] == "own" and shown["conversations_complete"] == 6


def test_slices_are_shown_when_asked_for(here):
    assert "which turn of the conversation" not in well("show", "first").output
    assert "which turn of the conversation" in well("show", "first", "--by", "turn").output
    everything = well("show", "first", "--by", "all").output
    assert "company" in everything and "look-up" in everything


def test_conversations_are_listed_worst_first(here):
    each = numbers("show", "first")["by_conversation"]
    assert [len(one["wrong_turns"]) for one in each] == sorted((len(one["wrong_turns"]) for one in each), reverse=True)
    assert sum(one["strict"] for one in each) == round(
        numbers("score", "first")["strict"] * sum(o["turns"] for o in each)
    )
    listed = well("show", "first", "--conversations").output
    assert all(one["id"] in listed for one in each)


def test_coverage_prints_recall_and_oracle_with_their_counts(here):
    found = numbers("coverage", ASK)
    assert found["operand_recall"] == 1 and found["operand_recall_n"] > 100
    assert 0.9 < found["oracle"] <= 1 and found["oracle_n"] == 112
    done = well("coverage", ASK, "--misses")
    assert "operand recall" in done.output and "112" in done.output
    assert len([line for line in done.output.splitlines() if " turn " in line]) == len(found["misses"])


def test_failures_are_listed_with_the_command_that_shows_each(here):
    done = well("failures", "first")
    command = next(line.strip() for line in done.output.splitlines() if "tieout eval turn" in line)
    shown = well(*command.split()[2:])
    for part in ("gold", "answer"):
        assert part in shown.output
    found = numbers("failures", "first")
    assert found["wrong"] == sum(each["count"] for each in found["reasons"]) > 0
    assert [each["count"] for each in found["reasons"]] == sorted((e["count"] for e in found["reasons"]), reverse=True)
    only = numbers("failures", "first", "--reason", "no answer")
    assert [each["reason"] for each in only["reasons"]] == ["no answer"]


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (".", ("first",)),
        ("runs", ("first", "--runs", ".")),
        ("runs", ("./first",)),
        ("runs/first", ("./",)),
        (".ontology", ("../runs/first",)),
    ],
)
def test_the_command_that_shows_a_turn_works_where_it_is_printed(here, monkeypatch, inside, words):
    (here / inside).mkdir(exist_ok=True)
    monkeypatch.chdir(here / inside)
    printed = next(line for line in well("failures", *words).output.splitlines() if "tieout eval turn" in line)
    assert "gold" in well(*shlex.split(printed)[2:]).output


def test_one_turn_is_shown_with_its_sheet_and_calls(here):
    first = next(line for line in well("export", "first").output.splitlines() if '"subtract' in line)
    record = json.loads(first)
    done = well("turn", "first", record["id"], str(record["turn"] + 1))
    assert "subtract(" in done.output and "calculate(" in done.output and "table 1" in done.output
    shown = numbers("turn", "first", record["id"], str(record["turn"] + 1))
    assert shown["gold"]["program"] and shown["program"] == record["program"]
    assert tieout("turn", "first", "nowhere", "1").exit_code == 1
    assert "has" in tieout("turn", "first", record["id"], "99").output


def test_logs_are_verified(here):
    done = well("verify", "first")
    assert "complete and unaltered" in done.output and "rewrites a whole file" in done.output.replace("\n", " ")
    assert numbers("verify", "first")["ok"] is True
    log = next((here / "runs" / "first").glob("*.jsonl"))
    log.write_text(log.read_text().replace("answer", "Answer", 1))
    broken = tieout("verify", "first")
    assert broken.exit_code == 1 and log.name in broken.output.replace("\n", "")
    for path in list((here / "runs" / "first").glob("*.jsonl"))[1:4]:
        path.unlink()
    told = tieout("verify", "first").output.replace("\n", " ")
    assert told.count("there is no log") == 1 and "so with 2 more" in told


def test_two_runs_are_compared_and_a_regression_fails(here, student):
    student.programs = {key: program if "(" in program else "1" for key, program in student.programs.items()}
    well("run", ASK, "--run", "worse", "--limit", "6", "--backend", "offline")
    found = numbers("compare", "first", "worse")
    assert (
        found["strict"]["difference"] < 0 and found["strict"]["lost"] and found["n"] == numbers("score", "first")["n"]
    )
    assert found["strict"]["slices"]["kind"]["program"]["difference"] == 0
    done = well("compare", "first", "worse", "--flips", "--by", "kind")
    assert "only first is right" in done.output and "look-up" in done.output
    failed = tieout("compare", "first", "worse", "--fail-below", "-0.01")
    assert failed.exit_code == 1 and "below -0.01" in failed.output
    well("compare", "worse", "first", "--fail-below", "0")


def test_one_name_is_compared_with_the_baseline(here):
    unmarked = tieout("compare", "first")
    assert unmarked.exit_code == 1 and "tieout eval baseline" in unmarked.output
    assert numbers("baseline", "first")["baseline"] == "first"
    found = numbers("compare", "first")
    assert (found["first"], found["second"]) == ("first", "first")


@pytest.fixture
def begun(here) -> str:
    """The name of a run with gold answers of which no turn is over yet."""
    shutil.copytree(here / "runs" / "first", here / "runs" / "begun")
    for log in (here / "runs" / "begun").glob("*.jsonl"):
        log.unlink()
    not_over(here / "runs" / "begun")
    return "begun"


def test_a_run_that_cannot_be_scored_does_not_become_the_baseline(here, begun, unlabelled):
    well("run", "unlabelled.json", "--run", "plain", "--backend", "offline", "--no-store")
    well("baseline", "first")
    shutil.copytree(here / "runs" / "first", here / "runs" / "broken")
    log = next((here / "runs" / "broken").glob("*.jsonl"))
    log.write_text("{\n" + log.read_text())
    for name, said in ((begun, "no labelled turn"), ("plain", "no labelled turn"), ("broken", log.name)):
        done = tieout("baseline", name)
        assert done.exit_code == 1 and said in done.stderr and done.stderr.count("\n") == 1
        assert numbers("compare", "first")["first"] == "first"


def test_a_run_of_which_no_turn_is_over_is_not_called_unlabelled(begun):
    for command in ("show", "score", "failures"):
        said = well(command, begun).output
        assert "no turn is over yet: not scored" in said and "no gold answers" not in said
    header, *turns = well("export", begun, "--format", "csv").stdout.splitlines()
    assert header == well("export", "first", "--format", "csv").stdout.splitlines()[0] and not turns


@pytest.mark.parametrize(
    ("mark", "said"),
    [("a file", "'unlabelled.json' is no folder of runs"), ("a folder", "cannot be read"), (b"\xff", "is damaged")],
)
def test_a_mark_of_the_baseline_that_cannot_be_read_is_one_line(here, unlabelled, mark, said):
    if mark == "a folder":
        (here / "runs" / "baseline").mkdir()
    elif isinstance(mark, bytes):
        (here / "runs" / "baseline").write_bytes(mark)
    done = tieout("compare", "first", "--runs", "unlabelled.json" if mark == "a file" else "runs")
    assert done.exit_code == 1 and said in done.stderr and done.stderr.count("\n") == 1


def test_versions_of_the_prompt_are_held_against_each_other(here):
    (here / "short.md").write_text(PROMPT.read_text().replace("You answer questions", "You answer all questions"))
    words = ("battle", ASK, "--backends", "anthropic:m,effort=low,timeout=9", "--limit", "1", "--no-store")
    found = numbers(*words, "--prompts", "ours,short.md")["runs"]
    assert found["battle-1"]["prompt"] == prompt_hash() != found["battle-2"]["prompt"]
    assert all("strict" in run for run in found.values())
    (here / "bad.md").write_text("# Task\nAnswer.\n")
    done = tieout(*words, "--prompts", "bad.md", "--run", "other")
    assert done.exit_code == 1 and "has no section '# Card'" in done.stderr and "Traceback" not in done.stderr


def test_a_battle_runs_and_compares_several(here):
    words = ("battle", ASK, "--backends", "offline,anthropic:m,effort=low,timeout=9", "--limit", "3", "--no-store")
    words += ("--strategies", "tools,plan")
    found = numbers(*words)
    assert {name: (run["backend"], run["settings"]["strategy"]) for name, run in found["runs"].items()} == {
        "battle-1": ("offline", "tools"),
        "battle-2": ("anthropic:m,effort=low,timeout=9", "tools"),
        "battle-3": ("anthropic:m,effort=low,timeout=9", "plan"),
    }
    assert all(0 < found["runs"][name]["strict"] <= 1 for name in ("battle-1", "battle-2"))
    assert len({run["prompt"] for run in found["runs"].values()}) == 1
    assert found["pairs"][0]["strict"]["difference"] == 0
    done = well(*words)
    assert "battle-2" in done.output and "difference" in done.output


def test_exports_go_to_files_and_to_standard_output(here):
    assert len(well("export", "first").output.splitlines()) == numbers("score", "first")["n"]
    for form, name in (
        ("csv", "turns.csv"),
        ("parquet", "turns.parquet"),
        ("leaderboard", "l.json"),
        ("otel", "o.jsonl"),
    ):
        well("export", "first", "--format", form, "-o", name)
        assert (here / name).stat().st_size > 100
    assert tieout("export", "first", "--format", "parquet").exit_code == 2


def test_a_report_is_written(here):
    assert "wrote out.html" in well("report", "first", "-o", "out.html", "--against", "first").output
    assert "</html>" in (here / "out.html").read_text()


@pytest.mark.parametrize(
    ("options", "count"), [(("--phase", "smoke"), 5), (("--sample", "7", "--seed", "2"), 7), ((), 19)]
)
def test_a_part_of_the_conversations_can_be_run(short, options, count):
    found = numbers("run", short, "--run", "part", "--backend", "offline", "--no-store", *options)
    assert found["conversations"] == found["turns"] == count


USELESS = {
    "--max-usd": ("run", ASK, "--max-usd", "nan"),
    "inf": ("run", ASK, "--max-usd", "inf"),
    "--max-seconds": ("run", ASK, "--max-seconds", "nan"),
    "'1e999' is not": ("run", ASK, "--max-seconds", "1e999"),
    "'--fail-below': 'NaN'": ("compare", "first", "first", "--fail-below", "NaN"),
    "'--fail-below': -inf": ("compare", "first", "first", "--fail-below", "-inf"),
    "-5.0 is not in the range": ("compare", "first", "first", "--fail-below", "-5"),
    "--seed is for what is drawn": ("run", ASK, "--seed", "4"),
    "give --sample": ("run", ASK, "--seed", "0", "--phase", "full"),
    "--phase smoke": ("battle", ASK, "--backends", "offline", "--seed", "4"),
}


@pytest.mark.parametrize("said", USELESS)
def test_an_option_that_would_have_no_effect_is_refused(here, said):
    done = tieout(*USELESS[said])
    assert done.exit_code == 2
    assert said in done.stderr and done.stderr.count("Error: ") == 1
    assert [each.name for each in (here / "runs").iterdir()] == ["first"]


def test_a_seed_goes_with_a_phase_that_draws(short):
    run = ("run", short, "--backend", "offline", "--no-store", "--phase", "smoke", "--run")
    drawn = [
        {each["id"] for each in numbers(*run, name, *seed) and numbers("show", name)["by_conversation"]}
        for name, seed in (("a", ()), ("b", ("--seed", "0")), ("c", ("--seed", "4")))
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_backend_that_the_help_names_replays_a_run(here, monkeypatch):
    from tieout.agent.backends.choose import make_backend

    monkeypatch.setattr("tieout.eval.run.work.make_backend", make_backend)
    named = re.search(r"replay:[\w/]+first", well("run", "--help").output)
    assert named
    replayed = numbers("run", ASK, "--run", "again", "--limit", "6", "--no-store", "--backend", named[0])
    assert replayed["strict"] == numbers("show", "first")["strict"]


def test_repeats_print_mean_and_spread(here):
    arguments = ("run", ASK, "--run", "twice", "--limit", "2", "--repeat", "2", "--backend", "offline", "--no-store")
    assert "2 repeats" in well(*arguments).output
    found = numbers(*arguments)
    assert found["strict_spread"] == 0 and found["strict_mean"] == found["strict"] and found["changed"] == []


def test_a_run_without_a_name_gets_one(here):
    assert numbers("run", ASK, "--limit", "1", "--backend", "offline", "--no-store")["run"] == "offline-1"
    assert numbers("run", ASK, "--limit", "1", "--backend", "offline", "--no-store")["run"] == "offline-2"


def test_the_store_holds_the_run_its_reports_and_its_scores(here):
    prefixes = "PREFIX kg: <urn:tieout:kg#> PREFIX prov: <http://www.w3.org/ns/prov#> "
    scored = "SELECT ?turn WHERE { GRAPH <urn:tieout:run:first> { ?turn a kg:Turn ; kg:strict %s } }"
    way = """SELECT DISTINCT ?raw WHERE { GRAPH <urn:tieout:run:first> { ?turn kg:answer/prov:wasDerivedFrom+ ?fact }
                                          GRAPH ?document { ?fact kg:raw ?raw } }"""
    with open_store(here / ".tieout" / "store", must_exist=True) as store:
        counts = [len(list(store.query(prefixes + scored % right))) for right in ("true", "false")]
        printed = list(store.query(prefixes + way))
        graphs = {graph.value for graph in store.named_graphs()}
    known = numbers("score", "first")
    assert counts == [round(known["strict"] * known["n"]), known["n"] - round(known["strict"] * known["n"])]
    assert len([graph for graph in graphs if graph.startswith("urn:tieout:doc:")]) == 6
    assert "urn:tieout:ontology" in graphs and len(printed) > 10


BAD = {
    "no such file: 'nowhere.json'": ("run", "nowhere.json"),
    "the file is empty": ("run", "empty.json"),
    "not valid JSON": ("run", "broken.json"),
    "there is no run 'nothing'": ("show", "nothing"),
    "there is no run 'none'": ("export", "none"),
    "there is no backend 'genie'": ("run", ASK, "--backend", "genie"),
    "there is no log": ("run", ASK, "--backend", "replay:nowhere"),
    "no such file: 'nowhere.ttl'": ("run", ASK, "--ontology", "nowhere.ttl"),
    "cannot be the name of a run": ("run", ASK, "--run", "../x"),
    "the file that marks the baseline has it": ("run", ASK, "--run", "baseline"),
    "no conversation 'x' in the files": ("run", ASK, "--ids", "ids.txt"),
    "no conversation 'x' in the files; 1 of": ("run", ASK, "--ids", "ids.txt", "--limit", "1"),
    "nested too deeply": ("show", "first", "--errata", "deep.toml"),
    "nothing in these files is labelled": ("coverage", "unlabelled.json"),
    "needs gold answers": ("run", "unlabelled.json", "--history", "gold"),
    "cannot be written": ("report", "first", "-o", "empty.json/report.html"),
}


@pytest.mark.parametrize("named", BAD)
def test_bad_input_is_one_line(here, unlabelled, named, monkeypatch):
    from tieout.agent.backends.choose import make_backend

    monkeypatch.setattr("tieout.eval.run.work.make_backend", make_backend)
    (here / "empty.json").write_text("")
    (here / "broken.json").write_text('[{"id": ')
    (here / "ids.txt").write_text("x\n")
    (here / "deep.toml").write_text(f"a = {'[' * 3000}")
    done = tieout(*BAD[named])
    assert done.exit_code in (1, 2)
    assert named.strip() in done.output
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("run ", "derived"))]
    assert len([line for line in lines if line.startswith("tieout: ")]) == 1, done.output
    assert "Traceback" not in done.output


REFUSED = {
    "is a file, not a store": ("run", ASK, "--run", "new", "--store", "unlabelled.json"),
    "no API key": ("run", ASK, "--run", "new", "--backend", "anthropic:claude-sonnet-5-5", "--workers", "2"),
    "no price for": ("run", ASK, "--run", "new", "--backend", "anthropic:none", "--max-usd", "1"),
    "--batch is for the backend": ("run", ASK, "--run", "new", "--batch"),
    "there is no backend 'genie'": ("battle", ASK, "--run", "new", "--backends", "offline,genie"),
    "by the strategy 'tools' alone": ("run", ASK, "--run", "new", "--backend", "offline", "--strategy", "plan"),
    "leave out --verify and": ("run", ASK, "--run", "new", "--backend", "offline", "--two-phase"),
    "a baseline and is not verified": ("run", ASK, "--run", "new", "--strategy", "plain", "--verify"),
    "there is no log": ("battle", ASK, "--run", "new", "--backends", "offline,replay:nowhere"),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_cannot_be_run_is_refused_before_anything_is_written(here, unlabelled, said, monkeypatch):
    from tieout.agent.backends.choose import make_backend

    monkeypatch.setattr("tieout.eval.run.work.make_backend", make_backend)
    if "price" in said:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    done = tieout(*REFUSED[said])
    assert done.exit_code == 1
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert [each.name for each in (here / "runs").iterdir()] == ["first"]


def test_a_store_that_is_in_use_is_noticed_before_the_run(here, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.store.PATIENCE", 0.2)
    with open_store(Path(".tieout/store")):
        done = tieout("run", ASK, "--run", "new", "--backend", "offline")
    assert done.exit_code == 1 and "in use by another process" in done.stderr
    assert not (here / "runs" / "new").exists()


def test_a_run_without_gold_answers_is_not_scored(here, unlabelled):
    run = ("run", "unlabelled.json", "--run", "plain", "--backend", "offline", "--no-store")
    battle = ("battle", "unlabelled.json", "--backends", "offline,offline", "--no-store")
    shown = ("show", "plain", "--by", "all"), ("score", "plain"), ("failures", "plain")
    for words in (run, *shown, ("turn", "plain", unlabelled, "1"), battle):
        assert "no gold answers: not scored" in well(*words).output
    assert "95% interval" not in well("show", "plain", "--by", "all").output
    assert numbers("show", "plain")["strict"] is None
    assert numbers(*battle)["pairs"] == []
    assert "no labelled turn in common" in tieout("compare", "plain", "first").stderr


def test_the_reliability_table_stands_with_the_slices_of_confidence(here):
    bands = numbers("show", "first")["calibration"]
    assert sum(band["n"] for band in bands) == numbers("show", "first")["calibration_n"]
    assert all(band["low"] <= band["mean"] <= band["high"] for band in bands)
    lines = well("show", "first", "--by", "confidence").output.splitlines()
    rows = lines[next(at for at, line in enumerate(lines) if "as sure as it is right" in line) + 2 :]
    for band, row in zip(bands, rows, strict=True):
        cells = row.split()
        assert cells[:3] == [f"{100 * band['low']:.0f}", "to", f"{band['high']:.0%}"]
        assert (cells[3], cells[4], int(cells[-1])) == (f"{band['mean']:.1%}", f"{band['right']:.1%}", band["n"])


def test_every_conversation_says_whether_it_is_complete_and_how_much_is_right(here):
    logs = sorted((here / "runs" / "first").glob("*.jsonl"))
    logs[0].unlink()
    logs[1].write_bytes(logs[1].read_bytes()[:-400])
    not_over(here / "runs" / "first")
    shown = numbers("show", "first")
    assert shown["main_conversations_n"] == shown["without_errata"]["main_conversations_n"] == 4
    each = shown["by_conversation"]
    assert sorted(one["status"] for one in each) == ["complete"] * 4 + ["incomplete"] * 2
    assert all(one["accuracy"] == (one["strict"] / one["turns"] if one["turns"] else None) for one in each)
    assert "2 conversations are left" in well("show", "first", "--conversations").stderr


@pytest.mark.parametrize("width", ["60", "80"])
def test_no_line_of_a_turn_is_cut_where_nobody_looks_at_a_terminal(here, width, monkeypatch):
    identifier = next(iter(json.loads((here / "runs" / "first" / "run.json").read_text())["conversations"]))
    whole = well("turn", "first", identifier, "4").output
    monkeypatch.setattr("tieout.data.console.console._width", int(width))
    assert [line.rstrip() for line in well("turn", "first", identifier, "4").output.splitlines()] == [
        line.rstrip() for line in whole.splitlines()
    ]
    assert "[t1r" in whole


@pytest.mark.parametrize(
    "words", [("report", "first"), ("export", "first"), ("export", "first", "--format", "parquet")]
)
@pytest.mark.parametrize(
    ("target", "said"), [("runs", "is a folder"), ("note/deep/x", "a part of 'note/deep' is a file")]
)
def test_a_target_that_cannot_be_written_leaves_nothing_behind(here, words, target, said):
    (here / "note").write_text("")
    before = sorted(here.rglob("*"))
    done = tieout(*words, "-o", target)
    assert done.exit_code == 1
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert sorted(here.rglob("*")) == before


def test_a_full_disk_leaves_the_file_that_was_there(here, monkeypatch):
    def full(file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (here / "out.csv").write_text("old")
    before = sorted(here.rglob("*"))
    monkeypatch.setattr("tieout.data.files.os.fsync", full)
    done = tieout("export", "first", "--format", "csv", "-o", "out.csv")
    assert done.exit_code == 1 and "'out.csv' cannot be written: No space left" in done.stderr
    assert sorted(here.rglob("*")) == before and (here / "out.csv").read_text() == "old"


@pytest.mark.parametrize("words", [("show", "first"), ("coverage", ASK), ("run", ASK, "--backend", "offline")])
def test_ctrl_c_ends_a_command_with_130(here, words, monkeypatch):
    def stop(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("tieout.eval.cli.load", stop)
    monkeypatch.setattr("tieout.eval.cli.coverage", stop)
    monkeypatch.setattr("tieout.eval.start.plan", stop)
    assert CliRunner().invoke(main, ["eval", *words]).exit_code == 130


def test_every_command_says_what_it_is_for():
    for name, command in evaluate.commands.items():
        assert command.help, name
        assert well(name, "--help").output
