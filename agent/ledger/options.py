"""The options that say how figures are written: `--exact`, `--style`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from tieout.agent.ledger.style import VARIABLE, StyleError, house_style, in_style, read_style


def style_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options; what the command shows is shown so."""
    exact = click.option(
        "--exact", is_flag=True, expose_value=False, callback=_exact, help="Show all digits of what is calculated."
    )
    style = click.option(
        "--style",
        metavar="SETTINGS",
        expose_value=False,
        is_eager=True,
        callback=_style,
        help=f'How figures are written, "negative=brackets currency=code digits=3"; else {VARIABLE}.',
    )
    return style(exact(command))


def _style(context: click.Context, option: click.Parameter, said: str | None) -> None:
    try:
        context.with_resource(in_style(house_style() if said is None else read_style(said)))
    except StyleError as error:
        raise click.BadParameter(str(error), context, option) from error


def _exact(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.with_resource(in_style(replace(house_style(), rounded="no")))
