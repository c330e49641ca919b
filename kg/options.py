"""The options that commands of several folders share, apart from all that carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from tieout.kg.store.store import DEFAULT_STORE

store_option = click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=DEFAULT_STORE,
    show_default=True,
    help="Folder of the store.",
)

endpoint_option = click.option(
    "--endpoint",
    metavar="URL",
    help="A SPARQL 1.1 endpoint that holds the graphs in place of the store; see docs/serving.md.",
)


def one_form(context: click.Context) -> None:
    """Raises click.UsageError where --json and another --format are given: one would be dropped in silence."""
    given = context.get_parameter_source("form") is ParameterSource.COMMANDLINE
    if context.params["as_json"] and given and context.params["form"] != "json":
        raise click.UsageError("give either --json or --format")
