"""The commands of `tieout eval` that look into one run: failures, turn, export, report."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from tieout.agent.answers.result import result as turn_result
from tieout.agent.answers.sheet import printable, tree
from tieout.agent.log.turn import Turn
from tieout.data.console import Failure, console, errors, json_option, output_option, print_json, print_table
from tieout.data.document import Conversation, Gold
from tieout.data.files import write_whole
from tieout.eval.gold.errata import Errata, read_errata
from tieout.eval.options import bad_input, errata_option, rule_option, runs_option, say_incomplete
from tieout.eval.run.logs import log_files
from tieout.eval.run.manifest import RUNS, read_manifest
from tieout.eval.score.failures import EXPLAINED, Reason
from tieout.eval.score.failures import Failure as Wrong
from tieout.eval.score.failures import failures as find_failures
from tieout.eval.score.load import Run, conversations, find_run, load, ontology_of
from tieout.eval.score.result import results
from tieout.eval.score.score import Rule
from tieout.eval.show.export import FORMATS, as_csv, as_parquet, leaderboard, otel, predictions
from tieout.eval.show.tables import NOT_SCORED, not_scored
from tieout.kg.build import build


@click.command()
@click.argument("run")
@rule_option
@click.option("--reason", type=click.Choice([str(reason) for reason in Reason]), help="Only this class.")
@click.option("--most", type=click.IntRange(0), default=3, show_default=True, help="Turns listed per class.")
@errata_option
@runs_option
@json_option
def failures(run: str, rule: Rule, reason: Reason | None, most: int, errata: Path, runs: Path, as_json: bool) -> None:
    """Why turns of a RUN are wrong: classes, worst first, and the command that shows each turn."""
    with bad_input():
        folder = find_run(run, runs)
        every = list(all_failures(folder, rule, read_errata(errata)))
        found = [each for each in every if reason in (None, each.reason)]
        done = load(folder)
        turns = [each for each in done.results if each.repeat == 1]
        labelled = sum(each.gold is not None for each in turns)
    say_incomplete(done)
    counted = Counter(each.reason for each in found).most_common()
    if as_json:
        print_json(_for_machines(folder.name, rule, labelled, found))
        return
    if not labelled:
        console.print(not_scored(len(turns)))
        return
    of_reason = f", {len(found)} of them for the reason {str(reason)!r}" if reason else ""
    console.print(f"{len(every)} of {labelled} turns are wrong by the rule {rule}{of_reason}", markup=False)
    for name, count in counted:
        console.print()
        console.print(f"{count:4}  {count / labelled:5.1%}  {name}", style="bold", markup=False)
        console.print(f"      {EXPLAINED[name]}", style="dim", markup=False)
        for each in [each for each in found if each.reason is name][:most]:
            _print_line(f"      {each.detail}")
            _print_line(f"      {command(folder, each)}", "cyan")


def command(folder: Path, wrong: Wrong) -> str:
    """The one command that shows a turn, from the folder one is in."""
    # Without a slash a name is looked for in `runs`, and str(Path("./a")) has none.
    path = str(folder) if "/" in str(folder) else f"./{folder}"
    name = folder.name if folder.parent == RUNS else path
    return f"tieout eval turn {shlex.quote(name)} {shlex.quote(wrong.result.conversation)} {wrong.result.turn + 1}"


def all_failures(folder: Path, rule: Rule, errata: Errata) -> Iterator[Wrong]:
    """The wrong turns of the first repeat of a run. Raises RunError, OntologyError, LogError, DataError."""
    ontology = ontology_of(folder)
    for conversation, repeat, turns in conversations(folder, read_manifest(folder)):
        if conversation.gold and repeat == 1:
            scored = list(results(conversation, turns))
            facts = build(conversation.document, ontology).facts()
            yield from find_failures(conversation, turns, scored, facts, errata, rule)


def _for_machines(run: str, rule: Rule, labelled: int, found: Iterable[Wrong]) -> dict[str, object]:
    groups: dict[str, list[dict[str, object]]] = {}
    for each in found:
        turn = {"id": each.result.conversation, "turn": each.result.turn, "detail": each.detail}
        groups.setdefault(each.reason, []).append(turn)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    wrong = sum(len(turns) for _, turns in ordered)
    return {
        "run": run,
        "rule": rule,
        "n": labelled,
        "wrong": wrong,
        "reasons": [{"reason": name, "count": len(turns), "turns": turns} for name, turns in ordered],
    }


@click.command()
@click.argument("run")
@click.argument("identifier", metavar="ID")
@click.argument("number", metavar="TURN", type=click.IntRange(1))
@runs_option
@json_option
def turn(run: str, identifier: str, number: int, runs: Path, as_json: bool) -> None:
    """One turn of a RUN from its log: question, gold, answer with its sheet, every call. TURN counts from 1."""
    with bad_input():
        folder = find_run(run, runs)
        conversation, asked = _turn(folder, identifier, number - 1)
    gold = conversation.gold[asked.index] if conversation.gold else None
    if as_json:
        labels = None if gold is None else {"answer": str(gold.answer), "program": gold.program}
        print_json({"id": identifier, "turn": asked.index, "gold": labels, **turn_result(asked)})
        return
    for earlier in conversation.questions[: asked.index]:
        _print_line(earlier.text, "dim")
    _print_line(asked.question, "bold")
    _print_line(NOT_SCORED if gold is None else _gold_line(gold))
    answer = asked.text if asked.text is not None else f"none ({asked.outcome}: {asked.message})"
    _print_line(f"answer  {answer} = {asked.program or 'no program'}")
    if (drawn := tree(asked)) is not None:
        print_table(drawn)
    _print_calls(asked)


def _gold_line(gold: Gold) -> str:
    """The gold answer: with its program, else as its annotator wrote it."""
    if gold.program:
        return f"gold    {gold.answer} = {gold.program}"
    return f"gold    {gold.answer}{f' ({gold.printed})' if gold.printed else ''}"


def _print_line(text: str, style: str | None = None) -> None:
    """A line that stays whole also where the terminal is narrower."""
    console.print(printable(text), style=style, markup=False, soft_wrap=True)


def _turn(folder: Path, identifier: str, index: int) -> tuple[Conversation, Turn]:
    for conversation, repeat, turns in conversations(folder, read_manifest(folder)):
        if conversation.id == identifier and repeat == 1:
            if index >= len(turns):
                raise Failure(f"{identifier!r} has {len(turns)} turns in run {folder.name!r}, not {index + 1}")
            return conversation, turns[index]
    raise Failure(f"run {folder.name!r} has no conversation {identifier!r}")


def _print_calls(asked: Turn) -> None:
    from tieout.agent.log.events import ToolCalled

    for event in asked.events:
        if isinstance(event, ToolCalled):
            arguments = ", ".join(f"{name}={value!r}" for name, value in event.input.items())
            _print_line(f"{event.tool}({arguments})")
            _print_line(f"  -> {event.output}", "red" if event.error else "dim")


@click.command()
@click.argument("run")
@click.option("--format", "form", type=click.Choice(FORMATS), default="predictions", show_default=True)
@output_option(text="File to write; else standard output.")
@runs_option
def export(run: str, form: str, output: Path | None, runs: Path) -> None:
    """Write a RUN for others: predictions, its turns, or its events."""
    with bad_input():
        folder = find_run(run, runs)
        done = load(folder)  # checks every log, also for a format that is made of events
        if form == "parquet":
            if output is None:
                raise click.UsageError("a Parquet file needs -o FILE")
            write_whole(output, as_parquet(done.results))
        elif output is not None:
            write_whole(output, _exported(folder, done, form))
        else:
            click.echo(_exported(folder, done, form), nl=False)
    if output is not None:
        errors.print(f"wrote {output}", style="dim", markup=False)
    say_incomplete(done)


def _exported(folder: Path, run: Run, form: str) -> str:
    if form == "otel":
        logs = [(each.conversation, each.path) for each in log_files(folder, run.manifest) if each.path.exists()]
        return "".join(f"{line}\n" for line in otel(run.manifest, logs))
    if form == "csv":
        return as_csv(run.results)
    first = [each for each in run.results if each.repeat == 1]
    if form == "leaderboard":
        return leaderboard(first) + "\n"
    return "".join(f"{line}\n" for line in predictions(first))


@click.command()
@click.argument("run")
@click.option("--against", metavar="RUN2", help="A run to compare with.")
@output_option(default=Path("report.html"), show_default=True, text="The HTML file to write.")
@rule_option
@errata_option
@runs_option
def report(run: str, against: str | None, output: Path, rule: Rule, errata: Path, runs: Path) -> None:
    """Write a RUN as one HTML file that needs no network: figures, plots, and every turn with all that led to it."""
    from tieout.eval.show.report import write_report

    with bad_input():
        other = find_run(against, runs) if against else None
        shown = write_report(find_run(run, runs), other, output, rule, read_errata(errata))
    console.print(f"wrote {output}", markup=False)
    say_incomplete(*shown)
