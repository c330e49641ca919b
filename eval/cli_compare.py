"""The commands of `tieout eval` over several runs: compare, battle, baseline."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from tieout.agent.answers.sheet import printable
from tieout.agent.options import settings_options
from tieout.agent.strategies.choose import STRATEGIES
from tieout.data.console import Failure, Limit, console, files_argument, json_option, print_json, print_table
from tieout.eval.gold.errata import read_errata
from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.options import (
    bad_input,
    errata_option,
    refuse_unrecorded,
    rule_option,
    run_options,
    runs_option,
    say_incomplete,
)
from tieout.eval.run.prompts import in_prompt
from tieout.eval.score.compare import comparison, counts, flips, pairs
from tieout.eval.score.load import Run, find_run, load, mark_baseline
from tieout.eval.score.load import baseline as marked
from tieout.eval.score.score import Rule
from tieout.eval.score.summary import cost, rates, summary
from tieout.eval.show.tables import NOT_SCORED, battle_table, comparison_table, costs_table, slices_comparison
from tieout.eval.start import Request, check, keep_run
from tieout.eval.start import run as run_request


@click.command()
@click.argument("first")
@click.argument("second", required=False)
@rule_option
@click.option("--by", "dimensions", multiple=True, type=click.Choice([*DIMENSIONS, "all"]), help="Slices to show.")
@click.option("--flips", "list_flips", is_flag=True, help="List the turns that flipped.")
@click.option(
    "--fail-below",
    type=Limit(-1, 1),
    metavar="D",
    help="Exit code 1 when the difference is below D, e.g. -0.01 for a point.",
)
@runs_option
@json_option
def compare(
    first: str,
    second: str | None,
    rule: Rule,
    dimensions: tuple[str, ...],
    list_flips: bool,
    fail_below: float | None,
    runs: Path,
    as_json: bool,
) -> None:
    """Compare run FIRST with run SECOND over the turns that both have; one name alone is compared with the baseline."""
    with bad_input():
        names = (marked(runs), first) if second is None else (first, second)
        one, other = (load(find_run(name, runs)) for name in names)
        found = pairs(one, other)
    if as_json:
        print_json(comparison(one, other))
    else:
        print_table(comparison_table(one, other, found))
        console.print()
        print_table(
            costs_table({run.name: cost([pair[place] for pair in found]) for place, run in enumerate((one, other))})
        )
        for dimension in [*DIMENSIONS] if "all" in dimensions else dict.fromkeys(dimensions):
            console.print()
            print_table(slices_comparison(found, rule, dimension))
        if list_flips:
            _print_flips(one, other, rule)
    say_incomplete(one, other)
    difference = counts(found, rule).difference
    if fail_below is not None and difference < fail_below:
        raise Failure(
            f"{other.name!r} differs from {one.name!r} by {difference:+.4f} under {rule}, below {fail_below:+g}"
        )


def _print_flips(one: Run, other: Run, rule: Rule) -> None:
    gained, lost = flips(pairs(one, other), rule)
    for title, turns in ((f"only {other.name} is right", gained), (f"only {one.name} is right", lost)):
        console.print()
        console.print(f"{title}: {len(turns)}", style="bold", markup=False)
        for before, after in turns:
            answers = f"{before.text or before.outcome} -> {after.text or after.outcome}"
            console.print(printable(f"  {after.conversation} turn {after.turn + 1}: {answers}"), markup=False)


@click.command()
@files_argument
@click.option(
    "--backends", required=True, metavar="A,B,...", help="Backends, the first is what others are compared with."
)
@click.option("--strategies", default="tools", show_default=True, metavar="S,T,...", help="Each backend under each.")
@click.option(
    "--prompts",
    metavar="P,Q,...",
    help="Files of instructions in place of agent/strategies/prompt.md, `ours` for that: each backend under each.",
)
@click.option(
    "--run", "name", default="battle", show_default=True, metavar="NAME", help="What the runs' names begin with."
)
@settings_options
@run_options
@errata_option
@json_option
def battle(
    files: tuple[Path, ...],
    backends: str,
    strategies: str,
    prompts: str | None,
    name: str,
    errata: Path,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of run_options and settings_options
) -> None:
    """Run several backends over FILES, each under each strategy and prompt (offline has only tools, and is told
    nothing), and compare them all."""
    # A comma in front of `name=` is one between the options of a backend.
    backend_names = re.split(r",(?!\w+=)", backends)
    wanted = strategies.split(",")
    for strategy in wanted:
        if strategy not in STRATEGIES:
            raise click.UsageError(f"there is no strategy {strategy!r}; there are: {', '.join(STRATEGIES)}")
    told = [None if each == "ours" else Path(each) for each in (prompts or "ours").split(",")]
    contenders = [
        (backend, strategy, prompt)
        for backend in backend_names
        for strategy in (["tools"] if backend == "offline" else wanted)
        for prompt in (told[:1] if backend == "offline" else told)
    ]
    requests = [
        Request(files, backend, strategy, f"{name}-{number}", 1, options)
        for number, (backend, strategy, _) in enumerate(contenders, start=1)
    ]
    done: list[Run] = []
    with bad_input():
        known = read_errata(errata)
        for request in requests:
            check(request)
        for request, (*_, prompt) in zip(requests, contenders, strict=True):
            with in_prompt(prompt):
                done.append(run_request(request, quiet=as_json))
            keep_run(request, done[-1])
        numbers = {run.name: summary(run.results, known) for run in done}
    scored = all(each["n"] for each in numbers.values())
    if as_json:
        runs = {
            run.name: {
                "backend": run.manifest.backend,
                "settings": run.manifest.settings,
                "prompt": run.manifest.prompt_sha256,
            }
            for run in done
        }
        found = [comparison(*pair) for pair in combinations(done, 2)] if scored else []
        print_json({"runs": {run: facts | numbers[run] for run, facts in runs.items()}, "pairs": found})
        refuse_unrecorded(*done)
        return
    print_table(battle_table(done))
    if not scored:
        console.print(NOT_SCORED)
    for other in done[1:] if scored else ():
        console.print()
        print_table(comparison_table(done[0], other, pairs(done[0], other)))
    refuse_unrecorded(*done)


@click.command()
@click.argument("run")
@runs_option
@json_option
def baseline(run: str, runs: Path, as_json: bool) -> None:
    """Mark a RUN as the one that `compare` takes when only one is named."""
    with bad_input():
        folder = find_run(run, runs)
        done = load(folder)
        numbers = rates(done.results)
        if not numbers["n"]:
            raise Failure(f"run {folder.name!r} has no labelled turn to compare others with")
        mark_baseline(folder)
    if as_json:
        print_json({"baseline": folder.name, **numbers})
    else:
        console.print(f"{folder.name} is the baseline", markup=False)
    say_incomplete(done)
