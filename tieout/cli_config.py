"""The command `tieout config`: what holds for a command, and from where."""

from __future__ import annotations

import os
from typing import Any

import click
from click.core import ParameterSource
from rich.table import Table
from rich.text import Text

from tieout import settings
from tieout.data.console import Failure, console, json_option, print_json, print_table
from tieout.data.later import long_name

SECRET = ("AUTHORIZATION", "KEY", "TOKEN")  # in names of variables whose values are not shown


@click.command("config")
@click.argument("command", nargs=-1)
@json_option
@click.pass_context
def config(context: click.Context, command: tuple[str, ...], as_json: bool) -> None:
    """Show what holds where the command line says nothing, and from where.

    For a COMMAND (`tieout config eval run`) each of its options, else the files and variables that are looked at.
    """
    rows = _options(context, command) if command else _places()
    if as_json:
        print_json(rows)
        return
    table = Table(*rows[0], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row.values()))
    print_table(table)
    if not command:
        console.print(f"ontology: {_ontology()}", markup=False, soft_wrap=True)


def _places() -> list[dict[str, Any]]:
    rows = [{"place": str(path), "says": "there" if path.exists() else "not there"} for path in settings.files()]
    for name in sorted(os.environ):
        if name.startswith(f"{settings.PREFIX}_"):
            hidden = any(word in name for word in SECRET)
            says = f"{os.environ[name]} (by {settings.SET_BY[name]})" if name in settings.SET_BY else os.environ[name]
            rows.append({"place": name, "says": "*** (set)" if hidden else says})
    return rows


def _ontology() -> str:
    from tieout.ontology.model import default_ontology

    return default_ontology(None)[1]


def _options(context: click.Context, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each option of a command with its value and the place that it is from."""
    root = context.find_root()
    here: click.Command = root.command
    inside = root
    for name in names:
        found = here.get_command(inside, name) if isinstance(here, click.Group) else None
        if found is None:
            raise Failure(f"there is no command {' '.join(names)!r}: `tieout --help` lists them")
        here = found
        inside = here.make_context(name, [], parent=inside, resilient_parsing=True)
    if isinstance(here, click.Group):
        raise Failure(f"{' '.join(names)!r} has commands: name one of {', '.join(here.list_commands(inside))}")
    held = settings.settings_of(here, names, settings.read())
    return [_row(inside, option, held) for option in here.params if isinstance(option, click.Option) and option.name]


def _row(context: click.Context, option: click.Option, held: dict[str, Any]) -> dict[str, Any]:
    name = str(option.name)
    value, source = context.params.get(name), context.get_parameter_source(name)
    if source is ParameterSource.ENVIRONMENT:
        place = option.envvar
    elif source is ParameterSource.DEFAULT_MAP:
        place = held[name].source
    else:
        place = "default"
    shown = ", ".join(map(str, value)) if isinstance(value, tuple | list) else value
    return {"option": long_name(option), "value": "" if shown is None else str(shown), "from": place}
