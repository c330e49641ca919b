"""A run from the command line: planned, executed under a progress bar, put into the store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tieout.agent.backends.replay import replayed
from tieout.agent.strategies.choose import StrategyError, check_strategy
from tieout.agent.workspace import Settings
from tieout.data.cli import report_problem
from tieout.data.console import Failure, errors, one_line
from tieout.data.datasets.engine import need
from tieout.eval.options import selection
from tieout.eval.run.layers import beside
from tieout.eval.run.logs import check_logs
from tieout.eval.run.manifest import MANIFEST, Beside, History, Manifest
from tieout.eval.run.run import execute, new_name, plan
from tieout.eval.run.work import Limits, Stopped, ready_backend
from tieout.eval.score.load import Run, load
from tieout.eval.show.load_store import keep
from tieout.kg.store.store import check_store
from tieout.ontology.model import Ontology, default_ontology
from tieout.ontology.options import tell_ontology


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line. options: those of `run_options` and `settings_options` by name."""

    files: tuple[Path, ...]
    backend: str
    strategy: str
    name: str | None
    repeat: int
    options: dict[str, Any]

    @property
    def runs(self) -> Path:
        return Path(self.options["runs"])

    @property
    def settings(self) -> Settings:
        return Settings(strategy=self.strategy, **{key: self.options[key] for key in SETTINGS})


SETTINGS = ("max_calls", "strict_grounding", "two_phase", "verify", "retries")
BESIDE = ("data", "memory", "layers", "private", "show_rows", "query_seconds", "plots")
SELECTION = ("limit", "phase", "sample", "seed", "ids")


def check(request: Request) -> None:
    """Looks whether backend and store are there, and whether a run that is to be replayed is whole, before anything is
    written.

    Raises Failure, StoreError, RunError, LogError, and what `ready_backend` raises.
    """
    options = request.options
    if options["batch"] and request.repeat > 1:
        raise Failure("--batch is for one run of each conversation: leave --repeat out")
    if options["batch"] and not request.backend.startswith("anthropic:"):
        raise Failure(f"--batch is for the backend anthropic:<model>, not {request.backend!r}")
    with one_line(StrategyError):
        check_strategy(request.settings, request.backend)
    if options.get("data") and request.strategy != "tools":
        raise Failure(f"data is used by tools alone: leave out --data, or --strategy {request.strategy}")
    if options.get("layers") and not options.get("data"):
        raise Failure("--layers is for questions over data: give --data")
    if options.get("data") and options["batch"]:
        raise Failure("--batch is for questions about reports alone: leave it out, or --data")
    if not options["no_store"]:
        check_store(options["store"])
    ready_backend(request.backend, Limits(usd=options["max_usd"]))
    kind, _, rest = request.backend.partition(":")
    recorded, _ = replayed(rest)
    if kind == "replay" and (recorded / MANIFEST).exists():
        check_logs(recorded)


def run(request: Request, quiet: bool) -> Run:
    """Runs what is left, and gives the whole run, scored. quiet: print nothing but what goes wrong.

    Raises Failure where a limit or the endpoint stops it, click.exceptions.Exit(130) on Ctrl-C; after both the run can
    be gone on with. Also raises what `check` raises, RunError, DataError, OntologyError, LogError.
    """
    check(request)
    options = request.options
    ontology, source = default_ontology(options["ontology"])
    name = request.name or new_name(request.runs, request.backend)
    history: History = options["history"]
    wanted = plan(
        name,
        request.files,
        ontology,
        source,
        request.backend,
        request.settings,
        history,
        request.repeat,
        selection(**{key: options[key] for key in SELECTION}),
        report_problem,
        options["reports"],
        _beside(options),
    )
    if not quiet:
        tell_ontology(options["ontology"])
    _execute(request, wanted, ontology, quiet)
    return load(request.runs / name)


def _beside(options: dict[str, Any]) -> Beside | None:
    """What a run is asked over beside reports: what is named, never a memory that happens to lie about."""
    if not options.get("data") and not options.get("memory"):
        return None
    if options["data"]:
        need("duckdb")
    return beside(**{key: options[key] for key in BESIDE})


def keep_run(request: Request, run: Run) -> None:
    """Loads a run into the store, unless --no-store says not to. Raises StoreError, OSError."""
    if not request.options["no_store"]:
        keep(request.runs / run.name, request.options["store"])


def _execute(request: Request, wanted: Manifest, ontology: Ontology, quiet: bool) -> None:
    options = request.options
    done, turns = 0, wanted.turns
    limits = options["workers"], options["max_seconds"], options["max_usd"], options["batch"]
    store = None if options["no_store"] else options["store"]
    if options["batch"] and not quiet:
        errors.print("waiting for the batch of first turns, which can take hours", style="dim", markup=False)
    try:
        with _bar(quiet) as bar:
            task = bar.add_task("turns", total=turns)
            for progress in execute(request.runs, wanted, ontology, *limits, store, options["engine"]):
                done += progress.turns
                bar.update(task, completed=done)
    except Stopped as stop:
        raise Failure(
            f"{stop}: {done} of {turns} turns are done; "
            f"put that right, and `--run {wanted.run}` with the same options goes on"
        ) from stop
    except KeyboardInterrupt:
        errors.print(f"stopped; `--run {wanted.run}` with the same options goes on", markup=False)
        raise click.exceptions.Exit(130) from None


def _bar(quiet: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal)
