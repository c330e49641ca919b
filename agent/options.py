"""The options of `tieout ask` and `tieout chat`, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tieout.agent.backends.choose import VARIABLE, backend_name, view_budget
from tieout.agent.memory.keep import FOLDER
from tieout.agent.strategies.choose import STRATEGIES
from tieout.agent.view.reports import BUDGET, BUDGET_OF_MODEL
from tieout.agent.wiring import Beside
from tieout.agent.workspace import Settings
from tieout.data.datasets.engine import SECONDS
from tieout.data.output import style
from tieout.kg.options import endpoint_option, store_option
from tieout.kg.store.store import DEFAULT_STORE
from tieout.ontology.options import ontology_option

Command = Callable[..., Any]
DATA = ("data", "memory", "private", "show_rows", "plots", "query_seconds")  # of Beside, by the names of options

data_option = click.option(
    "--data",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A data file (CSV, Parquet, XLSX, SQLite) or a folder of them; may be given again.",
)


@dataclass(frozen=True, slots=True)
class Options:
    """How questions are answered, and from where. budget: tokens of a view. endpoint: holds the graphs in place of the
    store. log: the file that every event goes to."""

    backend: str
    settings: Settings
    beside: Beside
    ontology: Path | None = None
    store: Path = DEFAULT_STORE
    endpoint: str | None = None
    budget: int = BUDGET
    log: Path | None = None

    @classmethod
    def of(
        cls,
        *,
        backend: str | None,
        budget: int | None,
        log_file: Path | None,
        ontology: Path | None,
        store: Path,
        endpoint: str | None,
        may_keep: bool = False,
        **more: Any,  # noqa: ANN401 - those of Settings, and of Beside
    ) -> Options:
        """What the options below come to. Raises BackendNameError."""
        beside = Beside(**{name: more.pop(name) for name in DATA}, may_keep=may_keep)
        name = backend_name(backend)
        return cls(name, Settings(**more), beside, ontology, store, endpoint, budget or view_budget(name), log_file)


def session_options(command: Command) -> Command:
    """Adds the options that say how questions are answered."""
    options = (
        click.option(
            "--backend",
            metavar="NAME",
            help=f"offline, replay:<log>, anthropic:<model>, openai:<model>; else {VARIABLE}, else offline.",
        ),
        ontology_option,
        click.option(
            "--strategy",
            type=click.Choice(list(STRATEGIES)),
            default="tools",
            show_default=True,
            help="How a language model is asked: by tools, for a plan, or plainly.",
        ),
        settings_options,
        _count(
            "--budget",
            500,
            200_000,
            f"Tokens of a whole report shown for a question; else {BUDGET}, of a model {BUDGET_OF_MODEL}.",
        ),
        store_option,
        endpoint_option,
        click.option("--log", "log_file", type=click.Path(path_type=Path), help="Append every event to this file."),
    )
    return data_options(style_options(_with(command, *options)))


def settings_options(command: Command) -> Command:
    """Adds the options that say how a backend is asked."""
    return _with(
        command,
        _count("--max-calls", 1, 100, "The most replies of the backend in a turn.", 8),
        click.option("--strict-grounding", is_flag=True, help="Refuse numbers that nothing accounts for."),
        click.option("--two-phase", is_flag=True, help="Ask for the understanding in a call of its own."),
        click.option("--verify", is_flag=True, help="Ask twice where it is doubtful."),
        _count("--retries", 0, 10, "With --verify: how often to try again where two solves differ.", 2),
    )


def data_options(command: Command) -> Command:
    """Adds the options that say what data there is, and what of it is told."""
    return _with(
        command,
        data_option,
        click.option(
            "--memory",
            type=click.Path(path_type=Path),
            help=f"Folder of terms and recipes; else {FOLDER}, where there is one.",
        ),
        click.option("--private", is_flag=True, help="Tell a model no row and no text of the data."),
        _count("--show-rows", 0, 1000, "Rows of a result that a model is shown.", 0),
        _count("--query-seconds", 1, 3600, "How long a query over the data may take.", round(SECONDS)),
        click.option("--plots", type=click.Path(path_type=Path), help="Folder for pictures."),
    )


def style_options(command: Command) -> Command:
    """Adds the options that say how figures are written; what the command shows is shown so."""
    return _with(
        command,
        click.option(
            "--style",
            metavar="SETTINGS",
            expose_value=False,
            is_eager=True,
            callback=_style,
            help=f'How figures are written, "negative=brackets currency=code digits=3"; else {style.VARIABLE}.',
        ),
        click.option(
            "--exact", is_flag=True, expose_value=False, callback=_exact, help="Show all digits of what is calculated."
        ),
    )


def _count(name: str, low: int, high: int, told: str, usual: int | None = None) -> Callable[[Command], Command]:
    """An option that is a whole number."""
    return click.option(name, type=click.IntRange(low, high), default=usual, show_default=usual is not None, help=told)


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    """A command with options in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def _style(context: click.Context, option: click.Parameter, said: str | None) -> None:
    try:
        context.with_resource(style.in_style(style.house_style() if said is None else style.read_style(said)))
    except style.StyleError as error:
        raise click.BadParameter(str(error), context, option) from error


def _exact(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.with_resource(style.in_style(replace(style.house_style(), rounded="no")))
