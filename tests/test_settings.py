"""What holds where the command line says nothing: variables, tieout.toml of the folder and of the user, in order."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner
from conftest import SAMPLE

import tieout
from tieout.settings import COMMON, GIVEN, OWN


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of its own, and a file of the user in another."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("TIEOUT_CONFIG", str(tmp_path / "own.toml"))
    return tmp_path


def run(*arguments: str):
    return CliRunner().invoke(tieout.main, arguments)


def held(*command: str) -> dict[str, tuple[str, str]]:
    """What `tieout config COMMAND` says of each option: its value and where it is from."""
    done = run("config", *command, "--json")
    assert done.exit_code == 0, done.output
    return {row["option"]: (row["value"], row["from"]) for row in json.loads(done.output)}


def test_each_place_counts_more_than_the_next(here, monkeypatch):
    own, folder = here / "own.toml", here / "work" / "tieout.toml"
    assert held("eval", "run")["--workers"] == ("1", "default")
    own.write_text("workers = 2")
    assert held("eval", "run")["--workers"] == ("2", str(own))
    own.write_text("[eval.run]\nworkers = 3")
    assert held("eval", "run")["--workers"] == ("3", str(own))
    folder.write_text("workers = 4")
    assert held("eval", "run")["--workers"] == ("4", "tieout.toml")
    folder.write_text("workers = 4\n[eval.run]\nworkers = 5")
    assert held("eval", "run")["--workers"] == ("5", "tieout.toml")
    monkeypatch.setenv("TIEOUT_WORKERS", "6")
    assert held("eval", "run")["--workers"] == ("6", "TIEOUT_WORKERS")
    monkeypatch.setenv("TIEOUT_EVAL_RUN_WORKERS", "7")
    assert held("eval", "run")["--workers"] == ("7", "TIEOUT_EVAL_RUN_WORKERS")
    assert held("ask")["--max-calls"] == ("8", "default")


def test_a_command_does_as_the_settings_say_and_the_command_line_counts_most(here):
    (here / "work" / "tieout.toml").write_text('store = "kept"\n[ask]\njson = true\n')
    report, question = str(SAMPLE / "report.htm"), "what was revenue in 2024?"
    assert json.loads(run("ask", report, question).output)["answer"] == "$3.282 billion"
    assert (here / "work" / "kept").is_dir()
    assert run("ask", report, question, "--store", "other").exit_code == 0
    assert (here / "work" / "other").is_dir()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("bakcend = 1", "'bakcend' is no setting; did you mean 'backend'?"),
        ("[ask]\nverfy = true", "[ask] has no option 'verfy'; did you mean 'verify'?"),
        ("ask = 3", "'ask' is a command: write its settings under [ask]"),
        ("[ask", "tieout.toml is no TOML"),
        ('[ask]\nretries = "many"', "Invalid value for '--retries': 'many'"),
    ],
)
def test_a_setting_that_is_none_is_told(here, content, says):
    (here / "work" / "tieout.toml").write_text(content)
    done = run("ask", str(SAMPLE / "report.htm"), "what was revenue in 2024?")
    assert done.exit_code != 0 and says in done.output and not (here / "work" / ".tieout").exists()


def test_a_misspelt_command_of_a_group_is_told(here):
    (here / "work" / "tieout.toml").write_text("[eval.rum]\nworkers = 2")
    assert "[eval] has no command 'rum'; did you mean 'run'?" in run("eval", "list").output


@pytest.mark.parametrize("option", ["log", "html", "save"])
def test_a_folder_does_not_choose_what_is_written(here, option):
    (here / "work" / "tieout.toml").write_text(f'[ask]\n{option} = "own.txt"')
    done = run("ask", str(SAMPLE / "report.htm"), "what was revenue in 2024?")
    assert f"{option!r} is given on the command line alone" in done.output
    assert not (here / "work" / "own.txt").exists()


def test_a_folder_does_not_choose_which_machines_read(here):
    (here / "work" / "tieout.toml").write_text('[index]\nengine = "dask://elsewhere:8786"')
    assert "'engine' is given on the command line alone" in run("index", str(SAMPLE / "report.htm")).output


ASKED = ("ask", str(SAMPLE / "report.htm"), "what was revenue in 2024?")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('endpoint = "http://127.0.0.1:1/"', "'endpoint' is not for a folder to say"),
        ("[ask]\nprivate = false", "'private' is not for a folder to say"),
        ('store = "../elsewhere"', "'store' is outside this folder"),
        ('data = ["/"]', "'data' is outside this folder"),
        ('measures = "/dev/zero"', "'measures' is outside this folder"),
        ('store = "link"', "'store' is outside this folder"),
        ("store = [1]", "'store' is a text, a number, true or false"),
        ('store = "a\\u0000b"', "'store' is a text, a number, true or false"),
        ("[ask]\njson = [true]", "'json' is a text, a number, true or false"),
        (f"jobs = {'9' * 5000}", "is no TOML"),
        (f"jobs = {'[' * 5000}", "nested too deeply"),
        ("#" * (5 << 20), "more than 4 MB"),
    ],
    ids=range(12),
)
def test_a_folder_that_somebody_sent_reaches_nothing_and_is_told_in_one_line(here, monkeypatch, content, says):
    """The endpoint would be sent what TIEOUT_ENDPOINT_AUTHORIZATION holds: no connection is made."""
    monkeypatch.setenv("TIEOUT_ENDPOINT_AUTHORIZATION", "Bearer secret")
    (here / "elsewhere").mkdir()
    (here / "work" / "link").symlink_to(here / "elsewhere")
    (here / "work" / "tieout.toml").write_text(content)
    done = run(*ASKED)
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit) and says in done.stderr
    assert len(done.stderr.splitlines()) == 1 and done.stdout == ""
    assert [each.name for each in (here / "work").iterdir() if each.name.startswith(".")] == []
    assert list((here / "elsewhere").iterdir()) == []


def test_what_is_not_for_a_folder_is_for_a_file_of_ones_own(here):
    (here / "own.toml").write_text(f'store = "{here / "mine"}"\n[ask]\nprivate = true\n[serve]\nhost = "::1"')
    assert held("ask")["--private"] == ("True", str(here / "own.toml"))
    assert held("serve")["--host"][0] == "::1"
    assert run(*ASKED).exit_code == 0 and (here / "mine").is_dir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NO FIFO HERE: that none is waited for was not tested")
@pytest.mark.parametrize("name", ["tieout.toml", "ontology.ttl"])
def test_a_file_of_the_folder_that_never_ends_is_not_waited_for(here, name):
    os.mkfifo(here / "work" / name)
    done = run("kg", "show", str(SAMPLE / "report.htm"))
    assert done.exit_code == 1 and "it is a FIFO" in done.stderr and len(done.stderr.splitlines()) == 1


def commands(group, path=()):
    """Every command with its options."""
    import click

    context = click.Context(group)
    for name in group.list_commands(context):
        inside = group.get_command(context, name)
        if isinstance(inside, click.Group):
            yield from commands(inside, (*path, name))
        else:
            yield (*path, name), {each for option in inside.params for each in option.opts if each.startswith("--")}


def test_every_option_of_every_command_has_a_variable_of_its_name(here, monkeypatch):
    found = dict(commands(tieout.main))
    assert sum(map(len, found.values())) > 250
    for path, options in found.items():
        variables = {each: "_".join(["tieout", *path, each[2:]]).upper().replace("-", "_") for each in options}
        with monkeypatch.context() as patch:
            for variable in variables.values():
                patch.setenv(variable, "1")
            assert {option: place for option, (_, place) in held(*path).items()} == variables, path


def test_a_variable_does_what_its_option_does(here, monkeypatch):
    monkeypatch.setenv("TIEOUT_ASK_JSON", "1")
    monkeypatch.setenv("TIEOUT_KG_OUTLINE_JSON", "yes")
    report = str(SAMPLE / "report.htm")
    assert json.loads(run("ask", report, "what was revenue in 2024?").output)["answer"] == "$3.282 billion"
    assert json.loads(run("kg", "outline", report).output)


def test_what_is_set_for_all_commands_is_an_option_of_several_and_what_is_written_of_none():
    found = dict(commands(tieout.main))
    for key in COMMON:
        assert sum(f"--{key}" in options for options in found.values()) >= 2, key
    assert {option for options in found.values() for option in options} >= {*GIVEN, *OWN}


def test_config_shows_the_places_and_hides_what_is_secret(here, monkeypatch):
    monkeypatch.setenv("TIEOUT_ENDPOINT_AUTHORIZATION", "Bearer secret")
    told = run("config").output
    assert "secret" not in told and "*** (set)" in told and "not there" in told
    assert "ontology: derived from the sample reports" in told
    assert "there is no command 'nothing'" in run("config", "nothing").output


def test_a_file_sets_a_variable_that_is_not_set(here, monkeypatch):
    monkeypatch.setenv("TIEOUT_PRICES", "mine.toml")
    monkeypatch.setenv("TIEOUT_MEASURES", "")  # so that it is as before when the test is over
    monkeypatch.delenv("TIEOUT_MEASURES")
    (here / "work" / "tieout.toml").write_text('measures = "ratios.toml"\nprices = "theirs.toml"')
    (here / "work" / "ratios.toml").write_text("")
    assert "gross_margin" in run("measures", "gross margin").output
    told = run("config").output
    assert "ratios.toml (by tieout.toml)" in told and "mine.toml" in told and "theirs.toml" not in told


def test_the_ontology_of_the_folder_is_told_and_that_of_the_sample_is_not(here):
    page = ("kg", "show", str(SAMPLE / "report.htm"), "balance sheets")
    assert "ontology" not in run(*page).output
    built = run("ontology", "build", str(SAMPLE / "train.json"), "-o", "ontology.ttl")
    assert built.exit_code == 0
    assert "ontology: ontology.ttl of this folder" in run(*page).output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_a_completion(shell):
    done = CliRunner().invoke(tieout.main, [], prog_name="tieout", env={"_TIEOUT_COMPLETE": f"{shell}_source"})
    assert "_TIEOUT_COMPLETE" in done.output


@pytest.mark.parametrize(
    ("typed", "offered"), [("eval ru", "run"), ("ask --max-c", "--max-calls"), ("kg facts --format xl", "xlsx")]
)
def test_commands_options_and_choices_are_completed(here, typed, offered):
    known = {"COMP_WORDS": f"tieout {typed}", "COMP_CWORD": str(len(typed.split()))}
    done = CliRunner().invoke(tieout.main, [], prog_name="tieout", env=known | {"_TIEOUT_COMPLETE": "bash_complete"})
    assert done.output.split() == [f"plain,{offered}"]


def test_what_takes_long_is_told_where_somebody_looks_on_and_gone_when_it_is_done(monkeypatch):
    import io
    import time

    from tieout.data import console

    shown = console.PlainConsole(file=io.StringIO(), force_terminal=True, width=60)
    monkeypatch.setattr(console, "errors", shown)
    with console.working("reading\x1b[2J 10k.htm"):
        deadline = time.monotonic() + 60
        while "reading" not in shown.file.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)
    said = shown.file.getvalue()
    assert "reading" in said and "\x1b[2J" not in said and said.endswith("\x1b[2K")
    with console.working("nothing"):
        pass
    assert "nothing" not in shown.file.getvalue()


def test_what_is_waited_for_is_told_for_each_and_what_is_told_last_of_an_index_stands_alone(here, monkeypatch):
    import io

    from tieout.data import console
    from tieout.kg.commands import index

    shown = console.PlainConsole(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    for module in (console, index):
        monkeypatch.setattr(module, "errors", shown)
    assert list(console.waited(iter("abc"), "reading")) == ["a", "b", "c"]
    (here / "work" / "a.txt").write_text("Revenue was $5 million in 2024.")
    assert run("index", ".").output == "1 file in .tieout/store: 1 read\n"
    assert shown.file.getvalue().endswith("\r\x1b[2K") and "1 a.txt: read" in shown.file.getvalue()
