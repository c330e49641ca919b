"""Options and errors that the commands of `tieout eval` share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click

from tieout.agent.backends.options import BackendNameError
from tieout.agent.backends.prices import PriceError
from tieout.agent.log.log import LogError
from tieout.agent.protocol.message import BackendError
from tieout.agent.strategies.choose import STRATEGIES
from tieout.agent.strategies.prompt import PromptError
from tieout.agent.wiring import BAD_DATA
from tieout.data.console import Failure, Limit, errors, one_line
from tieout.data.readers.read import DataError
from tieout.data.system.engine import EngineError, engine_option
from tieout.eval.gold.errata import SHIPPED, ErrataError
from tieout.eval.gold.report_questions import QuestionsError
from tieout.eval.run.manifest import RUNS, RunError
from tieout.eval.run.sample import PHASES, Selection, read_ids
from tieout.eval.score.load import Run
from tieout.eval.score.score import Rule
from tieout.kg.index.words import WordIndexError
from tieout.kg.store.store import DEFAULT_STORE, StoreError
from tieout.ontology.model import OntologyError
from tieout.ontology.options import ontology_option

Command = Callable[..., Any]


def bad_input() -> AbstractContextManager[None]:
    """Turns whatever can be wrong with files, runs and backends into one line for the user."""
    return one_line(
        *BAD_DATA,
        BackendError,
        BackendNameError,
        DataError,
        EngineError,
        ErrataError,
        LogError,
        OntologyError,
        PriceError,
        PromptError,
        QuestionsError,
        RunError,
        StoreError,
        WordIndexError,
        OSError,
    )


def say_incomplete(*runs: Run) -> None:
    """Tells on standard error of each run that is not over: its figures are those of the turns that are."""
    for run in runs:
        if run.complete < run.wanted:
            left = run.wanted - run.complete
            said = f"the run {run.name} is not complete: {left} conversations are left"
            errors.print(said, style="yellow", markup=False, soft_wrap=True)


def refuse_unrecorded(*runs: Run) -> None:
    """Raises Failure where turns of a run that replays another have no reply there: that is no answer of a backend."""
    for run in runs:
        missing = sum(result.outcome == "not recorded" for result in run.results)
        if missing:
            raise Failure(f"{missing} of {len(run.results)} turns of run {run.name!r} have no reply in what it replays")


def _path(*flags: str, text: str, **more: Any) -> Callable[[Command], Command]:  # noqa: ANN401 - click's own options
    return click.option(*flags, type=click.Path(path_type=Path), help=text, **more)


runs_option = _path(
    "--runs", text="Folder of the runs; a run makes it, with the folders on the way.", default=RUNS, show_default=True
)
errata_option = _path("--errata", text="Suspect gold labels; else those that ship with tieout.", default=SHIPPED)
rule_option = click.option(
    "--rule",
    type=click.Choice([str(rule) for rule in Rule]),
    default=str(Rule.STRICT),
    show_default=True,
    callback=lambda context, parameter, value: Rule(value),
    help="What counts as right.",
)


def _all(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def run_options(command: Command) -> Command:
    """What is run, and within which limits."""
    return _all(
        command,
        (
            ontology_option,
            click.option(
                "--history",
                type=click.Choice(["own", "gold"]),
                default="own",
                show_default=True,
                help="Which answers to earlier questions a later one sees: the run's own, or the gold ones.",
            ),
            click.option("--limit", type=click.IntRange(1), help="Only the first so many conversations."),
            click.option(
                "--phase",
                type=click.Choice([*PHASES]),
                help="How many conversations: smoke 5, select 12, full all. The 5 and 12 are drawn as by --sample.",
            ),
            click.option(
                "--sample",
                type=click.IntRange(1),
                help="Only so many conversations, drawn so that each difficulty and place of evidence keeps its share.",
            ),
            click.option(
                "--seed", type=int, help="What --sample or --phase draws: the same seed draws the same; 0 unless given."
            ),
            _path("--ids", text="A file of ids, one a line: only these."),
            click.option(
                "--workers",
                type=click.IntRange(1, 64),
                default=1,
                show_default=True,
                help="Conversations at a time: threads where a language model is asked, else processes.",
            ),
            engine_option,
            click.option("--max-seconds", type=Limit(0), help="Stop the run after so many seconds."),
            click.option("--max-usd", type=Limit(0), help="Stop the run when it has cost so many dollars."),
            click.option("--batch", is_flag=True, help="First turns by the Message Batches API, at half the price."),
            click.option(
                "--reports",
                type=click.Path(exists=True, file_okay=False, path_type=Path),
                help="The folder of the whole reports that questions are about.",
            ),
            _path("--store", text="Load the run into this store.", default=DEFAULT_STORE, show_default=True),
            click.option("--no-store", is_flag=True, help="Do not load the run into a store."),
            runs_option,
        ),
    )


strategy_option = click.option("--strategy", type=click.Choice([*STRATEGIES]), default="tools", show_default=True)


def selection(
    limit: int | None, phase: str | None, sample: int | None, seed: int | None, ids: Path | None
) -> Selection:
    """The conversations that these options choose.

    Raises click.UsageError where two of them exclude each other, or one has no effect; RunError for a bad file of ids.
    """
    if phase is not None and sample is not None:
        raise click.UsageError("give either --phase or --sample")
    size = PHASES[phase] if phase is not None else sample
    if seed is not None and size is None:
        raise click.UsageError("--seed is for what is drawn: give --sample, --phase smoke or --phase select with it")
    return Selection(limit=limit, size=size, seed=seed or 0, ids=None if ids is None else read_ids(ids))
