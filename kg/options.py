"""The options that commands of several folders share, apart from all that carries them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tieout.data.console import one_line
from tieout.kg.store.store import DEFAULT_STORE, StoreError


class StorePlace(click.Path):
    """A folder, or the URL of a lake in a bucket: its present state where it is read, itself where it is written."""

    def __init__(self, writes: bool = False) -> None:
        super().__init__(path_type=Path)
        self._writes = writes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """As click has it."""
        if "://" not in str(value):
            return super().convert(value, param, ctx)
        from tieout.kg.store.lake import place_of, read_store

        with one_line(StoreError):
            return place_of(str(value)) if self._writes else read_store(str(value))


store_option, lake_option = (
    click.option(
        "--store",
        type=StorePlace(writes),
        default=DEFAULT_STORE,
        show_default=True,
        help="Folder of the store, or s3://BUCKET/PREFIX.",
    )
    for writes in (False, True)
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
