"""The commands `tieout recipe`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
from rich.table import Table

from tieout.agent.analysis.workbench import Workbench
from tieout.agent.answers.sheet import frame_words
from tieout.agent.ledger.display import exact
from tieout.agent.ledger.ledger import Entry, FromFrame, Ledger
from tieout.agent.log.log import LogError, log_path, read_events
from tieout.agent.log.turn import Turn, read_turns
from tieout.agent.memory.find import find_recipes
from tieout.agent.memory.follow import follow, told
from tieout.agent.memory.generalise import checked, draft
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.recipes import (
    Recipe,
    as_toml,
    difference,
    find_recipe,
    read_recipe,
    read_recipes,
    recipe_path,
    remove_recipe,
    save_recipe,
)
from tieout.agent.options import data_option
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.values import Values
from tieout.cli_ask import tell_notes
from tieout.cli_term import memory_option, replace_option
from tieout.data.console import Failure, console, json_option, one_line, print_json, print_table, printable
from tieout.data.datasets.engine import ExpertMissing
from tieout.data.datasets.naming import DataFileError
from tieout.data.files import WriteError

BAD = (KeepError, ToolError, DataFileError, ExpertMissing, LogError, WriteError)
Lines = Sequence[str]


RUNS = Path("runs")  # where `tieout eval run` puts them


@click.group()
def recipe() -> None:
    """Keep ways of working over data, and run them without any model."""


@recipe.command(name="list")
@memory_option
@click.option("--for", "question", help="Only those that may answer this question, the nearest first.")
@json_option
def list_recipes(memory: Path, question: str | None, as_json: bool) -> None:
    """List the recipes."""
    with one_line(*BAD):
        found = read_recipes(memory)
        if question:
            found = tuple(match.recipe for match in find_recipes(question, found))
    if as_json:
        print_json([each.model_dump(mode="json") for each in found])
        return
    table = Table("heading", "variables", "answers", "description", box=None, pad_edge=False)
    for each in found:
        named = ", ".join(variable.name for variable in each.variables)
        table.add_row(*map(printable, (each.heading, named, ", ".join(a.name for a in each.answers), each.description)))
    print_table(table)


@recipe.command()
@click.argument("heading")
@memory_option
def show(heading: str, memory: Path) -> None:
    """Show the file of the recipe HEADING."""
    with one_line(*BAD):
        found = find_recipe(memory, heading)
    console.print(_printable(as_toml(found)), markup=False, soft_wrap=True)


@recipe.command()
@click.argument("heading")
@memory_option
def edit(heading: str, memory: Path) -> None:
    """Edit the recipe HEADING in the editor of your choice (EDITOR). What is no recipe is not kept."""
    with one_line(*BAD):
        found = find_recipe(memory, heading)
        path = recipe_path(memory, found.heading)
        text = click.edit(path.read_text(encoding="utf-8"), extension=".toml")
        if text is None:
            console.print("nothing was changed")
            return
        draft_path = path.with_name(f".{path.name}.draft")
        draft_path.write_text(text, encoding="utf-8")
        try:
            changed = read_recipe(draft_path)
        finally:
            draft_path.unlink()
        save_recipe(memory, changed, replace=True)
        if recipe_path(memory, changed.heading) != path:
            path.unlink()
    console.print(f"kept {printable(changed.heading)}", markup=False)


@recipe.command()
@click.argument("heading")
@memory_option
def remove(heading: str, memory: Path) -> None:
    """Take the recipe HEADING out."""
    with one_line(*BAD):
        gone = remove_recipe(memory, heading)
    console.print(f"removed {printable(gone.heading)}", markup=False)


@recipe.command()
@click.argument("run", metavar="RUN")
@click.argument("turn")
@click.option("--as", "heading", required=True, help="What it is called from now on.")
@click.option("--description", default="", help="What it works out.")
@click.option("--applies", default="", help="When it is to be used.")
@data_option
@click.option("--unchecked", is_flag=True, help="Keep it without running it on the data.")
@click.option("--yes", is_flag=True, help="Keep it without asking.")
@replace_option
@memory_option
def save(
    run: str,
    turn: str,
    heading: str,
    description: str,
    applies: str,
    data: tuple[Path, ...],
    unchecked: bool,
    yes: bool,
    replace: bool,
    memory: Path,
) -> None:
    """Keep a turn of a RUN as a recipe: its steps, with specifics as variables.

    RUN is a log (--log) or a run of `eval run`, TURN a number from 1, in a run of several conversations
    CONVERSATION or CONVERSATION:NUMBER. It is run on --data first, and kept only if it gives the answer of the turn.
    """
    with one_line(*BAD):
        turns = recorded_turns(run, turn)
        if not data and not unchecked:
            raise Failure("the steps are run before they are kept: give --data, or --unchecked")
        made = draft(turns[-1], turns[:-1], heading, description, applies)
        if data:
            with _desk(data) as desk:
                checked(made, desk, memory)
        console.print(_printable(as_toml(made.recipe)), markup=False, soft_wrap=True)
        if not yes and not click.confirm("keep it?", default=True):
            console.print("not kept")
            return
        known = save_recipe(memory, made.recipe, replace=replace)
    if known is not None:
        console.print(_printable(difference(known, made.recipe)), markup=False, soft_wrap=True)
        raise Failure(
            f"{printable(known.heading)!r} is there already: --replace takes the new one, another --as keeps both"
        )
    console.print(f"kept {printable(heading)}", markup=False)


@recipe.command()
@click.argument("heading")
@data_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A variable; may be given again.")
@click.option("--answer", "wanted", help="Only the answer of this name.")
@memory_option
@json_option
def run(heading: str, data: tuple[Path, ...], settings: Lines, wanted: str | None, memory: Path, as_json: bool) -> None:
    """Run the recipe HEADING over data: the same numbers every time, without any model."""
    with one_line(*BAD), _desk(data) as desk:
        found = find_recipe(memory, heading)
        if wanted is not None:
            found.answer(wanted)
        answers = _run(found, desk, memory, _settings(settings))
    chosen = {name: entry for name, entry in answers.items() if wanted in (None, name)}
    if as_json:
        print_json({name: _as_json(entry) for name, entry in chosen.items()})
        return
    for name, entry in chosen.items():
        console.print(f"{name}: {_shown(entry)}", markup=False, soft_wrap=True)
        if entry is not None and isinstance(entry.source, FromFrame):
            console.print(f"  {_printable(frame_words(entry.source))}", style="dim", markup=False, soft_wrap=True)


@recipe.command()
@click.argument("headings", nargs=-1)
@data_option
@memory_option
def test(headings: Lines, data: tuple[Path, ...], memory: Path) -> None:
    """Run recipes with the values they were kept with, and compare with what they gave then. Exit code 1 where one
    gives something else."""
    wrong = 0
    with one_line(*BAD), _desk(data) as desk:
        for each in [find_recipe(memory, name) for name in headings] or read_recipes(memory):
            try:
                answers = _run(each, desk, memory, {})
            except ToolError as error:
                console.print(f"{printable(each.heading)}: {_printable(str(error))}", markup=False, soft_wrap=True)
                wrong += 1
                continue
            for answer in each.answers:
                got = _shown(answers[answer.name])
                same = not answer.expected or got == answer.expected
                wrong += not same
                said = "ok" if same else f"gives {got}, kept with {answer.expected}"
                console.print(f"{printable(each.heading)}, {answer.name}: {printable(said)}", markup=False)
    if wrong:
        raise click.exceptions.Exit(1)


@contextmanager
def _desk(data: tuple[Path, ...]) -> Iterator[Workbench]:
    if not data:
        raise Failure("a recipe works on data: give --data")
    desk = Workbench(data)
    tell_notes(desk.notes)
    try:
        yield desk
    finally:
        desk.close()


def _run(found: Recipe, desk: Workbench, memory: Path, settings: dict[str, str]) -> dict[str, Entry | None]:
    values = Values(Ledger(), {}, ("",), frames=desk)
    follow(found, desk, values, memory, settings)
    return told(found, values)


def _settings(given: Lines) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not equals:
            raise Failure(f"--set takes NAME=VALUE, not {name!r}")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _shown(entry: Entry | None) -> str:
    return "none" if entry is None else exact(entry)


def _as_json(entry: Entry | None) -> Any:  # noqa: ANN401 - JSON
    if entry is None:
        return None
    source = entry.source.model_dump(mode="json")
    return {"value": exact(entry), "source": source}


def _printable(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))


def recorded_turns(run: str, turn: str) -> tuple[Turn, ...]:
    """The turns up to one. run: a log, or a folder of logs, or its name in RUNS. turn: a number from 1; in a folder of
    several logs the id of a conversation, with `:2` for its second turn.

    Raises LogError where there is no such thing."""
    path = Path(run) if Path(run).exists() else RUNS / run
    conversation, _, number = turn.rpartition(":") if turn.rpartition(":")[2].isdecimal() else (turn, "", "1")
    log = _log_in(path, conversation) if path.is_dir() else path
    if not path.is_dir() and conversation:
        raise LogError(f"{str(path)!r} is one conversation: its turns are numbers from 1, not {turn!r}")
    if not log.exists():
        raise LogError(f"there is no log {run!r}, and no run of that name in {str(RUNS)!r}")
    turns = tuple(read_turns(read_events(log)))
    if not 1 <= int(number) <= len(turns):
        raise LogError(f"{str(log)!r} has {len(turns)} turns, not {number}")
    return turns[: int(number)]


def _log_in(folder: Path, conversation: str) -> Path:
    logs = sorted(folder.glob("*.jsonl"))
    if not conversation and len(logs) == 1:
        return logs[0]
    log = log_path(folder, conversation)
    if log in logs:
        return log
    names = [unquote(path.stem) for path in logs]
    near = difflib.get_close_matches(conversation, names, n=5, cutoff=0.3) or names[:5]
    raise LogError(f"run {folder.name!r} has no conversation {conversation!r}; there are: {', '.join(near) or 'none'}")
