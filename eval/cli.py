"""The commands `tieout eval`: run, look at the figures, check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tieout.agent.backends.choose import VARIABLE, backend_name
from tieout.agent.options import data_options, settings_options
from tieout.data.cli import report_problem
from tieout.data.console import (
    Failure,
    console,
    files_argument,
    json_option,
    print_json,
    print_table,
    printable,
    working,
)
from tieout.data.readers.read import read_files
from tieout.eval.cli_compare import baseline, battle, compare
from tieout.eval.cli_inspect import export, failures, report, turn
from tieout.eval.cli_tokens import tokens
from tieout.eval.cli_view import view
from tieout.eval.gold.errata import read_errata
from tieout.eval.gold.slices import DIMENSIONS, LAYER
from tieout.eval.options import (
    bad_input,
    errata_option,
    refuse_unrecorded,
    run_options,
    runs_option,
    say_incomplete,
    strategy_option,
)
from tieout.eval.run.manifest import RUNS
from tieout.eval.score.coverage import Coverage, coverage
from tieout.eval.score.load import Run, broken_logs, digest, find_run, graph_statistics, load
from tieout.eval.score.summary import by_conversation, by_slice, changed, summary, turn_rates
from tieout.eval.selfplay.cli import selfplay
from tieout.eval.show.tables import (
    LEGEND,
    conversations_table,
    facts_table,
    named_rates_table,
    not_scored,
    rates_table,
    reliability_table,
    repeats_table,
    slices_table,
)
from tieout.eval.start import Request, keep_run
from tieout.eval.start import run as run_request
from tieout.ontology.model import default_ontology
from tieout.ontology.options import ontology_option, tell_ontology


@click.group()
def evaluate() -> None:
    """Run, score, compare and inspect evaluations."""


for command in (baseline, battle, compare, export, failures, report, selfplay, tokens, turn, view):
    evaluate.add_command(command)


@evaluate.command()
@files_argument
@click.option(
    "--backend",
    metavar="NAME",
    help=f"offline, replay:<folder of a run> (replay:{RUNS}/first), anthropic:<model>, openai:<model>; "
    f"else {VARIABLE}, else offline.",
)
@strategy_option
@click.option("--run", "name", metavar="NAME", help="Name of the run; one that exists is gone on with.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Run every conversation so often, and show how far answers vary.",
)
@settings_options
@run_options
@errata_option
@data_options
@click.option(
    "--layers", is_flag=True, help="With --data: queries alone, with scripts, with further tries, with the memory."
)
@json_option
def run(
    files: tuple[Path, ...],
    backend: str | None,
    strategy: str,
    name: str | None,
    repeat: int,
    errata: Path,
    layers: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of run_options, settings_options and data_options
) -> None:
    """Run the conversations of FILES through a backend, and score them.

    A file of questions over series, such as eval/series.json, is run with --data.
    What is complete is not run again: after Ctrl-C, a limit or a crash the same command with the same --run goes on.
    """
    with bad_input():
        known = read_errata(errata)
        request = Request(files, backend_name(backend), strategy, name, repeat, options | {"layers": layers})
        done = run_request(request, quiet=as_json)
        _show(done, summary(done.results, known), as_json, ("layer",) if layers else ())
        keep_run(request, done)
        refuse_unrecorded(done)


@evaluate.command()
@click.argument("run")
@click.option("--by", "dimensions", multiple=True, type=click.Choice([*DIMENSIONS, "all"]), help="Slices to show.")
@click.option("--conversations", "listed", is_flag=True, help="List the conversations, worst first.")
@errata_option
@runs_option
@json_option
def show(run: str, dimensions: tuple[str, ...], listed: bool, errata: Path, runs: Path, as_json: bool) -> None:
    """What a RUN came to: scores, outcomes, cost; slices and conversations when asked for."""
    with bad_input():
        done = load(find_run(run, runs))
        numbers = summary(done.results, read_errata(errata))
        each = by_conversation(done.results, done.manifest.conversations)
        if as_json:
            graphs = graph_statistics(find_run(run, runs), done.manifest)
            listing = [one | {"status": done.status_of(one["id"]), "graph": graphs[one["id"]]} for one in each]
            _show(done, numbers | {"slices": _slices(done), "by_conversation": listing}, as_json)
            return
    _show(done, numbers, as_json, dimensions)
    if listed:
        console.print()
        print_table(conversations_table(each))


@evaluate.command()
@click.argument("run")
@errata_option
@runs_option
@json_option
def score(run: str, errata: Path, runs: Path, as_json: bool) -> None:
    """Score a RUN again from its logs, without asking any backend."""
    with bad_input():
        done = load(find_run(run, runs))
        numbers = summary(done.results, read_errata(errata))
    if as_json:
        print_json({"run": done.name, **_extent(done), **numbers})
    else:
        _print_rates(numbers)
    say_incomplete(done)


def _print_rates(numbers: dict[str, Any]) -> None:
    if numbers["n"]:
        print_table(rates_table(numbers))
        console.print(LEGEND, style="dim", markup=False)
    else:
        console.print(not_scored(numbers["turns"]))


def _show(run: Run, numbers: dict[str, Any], as_json: bool, dimensions: tuple[str, ...] = ()) -> None:
    known = [*by_slice(run.results)]
    chosen = known if "all" in dimensions else list(dict.fromkeys(dimensions))
    if as_json:
        print_json(_for_machines(run, numbers))
        say_incomplete(run)
        return
    console.print(f"run {run.name}", style="bold", markup=False)
    _print_rates(numbers)
    print_table(facts_table(run, numbers))
    if "repeats" in numbers:
        if numbers["n"]:
            print_table(repeats_table(numbers))
        for conversation, turn in changed(run.results):
            console.print(f"answers differ: {printable(conversation)} turn {turn + 1}", markup=False)
    for dimension in chosen if numbers["n"] else ():
        console.print()
        print_table(slices_table(run.results, dimension))
        if dimension == "confidence":
            console.print()
            print_table(reliability_table(run.results))
    say_incomplete(run)


def _for_machines(run: Run, numbers: dict[str, Any]) -> dict[str, Any]:
    manifest = run.manifest
    return {
        "run": run.name,
        "started": manifest.started,
        "completed": manifest.completed,
        **_extent(run),
        "versions": manifest.versions,
        "ontology_sha256": manifest.ontology_sha256,
        "backend": manifest.backend,
        "history": manifest.history,
        "settings": manifest.settings,
        **_layers(run),
        **numbers,
    }


def _layers(run: Run) -> dict[str, Any]:
    """The rates of each layer, where there are any."""
    layers = by_slice(run.results).get(LAYER, {})
    return {"layers": {name: turn_rates(group) for name, group in layers.items()}} if layers else {}


def _extent(run: Run) -> dict[str, Any]:
    """How much of the run there is."""
    return {"status": run.status, "conversations": run.wanted, "conversations_complete": run.complete}


def _slices(run: Run) -> dict[str, Any]:
    return {
        dimension: {name: turn_rates(group) for name, group in slices.items()}
        for dimension, slices in by_slice(run.results).items()
    }


@evaluate.command()
@click.argument("run")
@runs_option
@json_option
def verify(run: str, runs: Path, as_json: bool) -> None:
    """Check that a RUN and its logs are complete and unaltered. Exit code 1 where one is not."""
    with bad_input():
        folder = find_run(run, runs)
        wrong = broken_logs(folder)
        seal = digest(folder)
    if as_json:
        print_json(
            {"run": folder.name, "ok": not wrong, "digest": seal, "wrong": [[str(path), why] for path, why in wrong]}
        )
    else:
        paths: dict[str, list[Path]] = {}
        for path, why in wrong:
            paths.setdefault(why, []).append(path)
        for why, (first, *others) in paths.items():
            also = f"; so with {len(others)} more (--json lists them)" if others else ""
            console.print(printable(f"{first}: {why}{also}"), style="red", markup=False, soft_wrap=True)
        if not wrong:
            console.print(f"complete and unaltered, digest {seal}", markup=False)
            console.print(PROVES, style="dim", markup=False)
    if wrong:
        raise click.exceptions.Exit(1)


PROVES = (
    "Each line of a log holds the hash of the line before, so a line that was changed, moved, added or left out shows. "
    "Each log begins with the seal of its run, so a conversation that was exchanged or taken out of the list shows. "
    "Who rewrites a whole file can make its hashes fit: only a digest that was noted elsewhere shows that. "
    "Nor does it show that the backend was what its name says."
)


@evaluate.command(name="coverage")
@files_argument
@ontology_option
@click.option("--misses", is_flag=True, help="List the turns that are not reached.")
@json_option
def coverage_command(files: tuple[Path, ...], ontology: Path | None, misses: bool, as_json: bool) -> None:
    """What needs no model: the gold operands that the graph holds, and the gold answers that our tools calculate.

    Gold is what annotators wrote: answers, and programs that come to them from figures of the report, the operands.
    """
    with bad_input(), working("calculating the gold answers"):
        tbox, _ = default_ontology(ontology)
        found = coverage(read_files(files, report_problem), tbox)
        if not found.turns:
            raise Failure("nothing in these files is labelled, so there is nothing to cover")
    if as_json:
        print_json(_coverage_numbers(found))
        return
    tell_ontology(ontology)
    print_table(named_rates_table({"operand recall": found.operand_recall, "oracle": found.oracle}))
    for miss in found.misses if misses else ():
        told = f"{miss.conversation} turn {miss.turn + 1}: {miss.program}: {miss.reason}"
        console.print(printable(told), markup=False)


def _coverage_numbers(found: Coverage) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for name, rate in (("operand_recall", found.operand_recall), ("oracle", found.oracle)):
        low, high = rate.interval or (None, None)
        numbers |= {name: rate.value, f"{name}_n": rate.n, f"{name}_low": low, f"{name}_high": high}
    misses = [
        {
            "id": miss.conversation,
            "turn": miss.turn,
            "program": miss.program,
            "reason": miss.reason,
            "operands": list(miss.operands),
        }
        for miss in found.misses
    ]
    return numbers | {"misses": misses}
