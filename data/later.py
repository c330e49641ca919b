"""A group of commands that loads the module of each only when it is called: `--help` must not pay for what they do."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click


class LaterGroup(click.Group):
    """later: by the name of each command its module, its name in it, and in one line what it is for."""

    def __init__(self, *args: Any, later: Mapping[str, tuple[str, str, str]], **more: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **more)
        self.later = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.later)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.later:
            return None
        module, attribute, _ = self.later[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        if ctx.auto_envvar_prefix is not None:
            _name_variables(command, f"{ctx.auto_envvar_prefix}_{cmd_name}")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.later, n=1)
            raise (click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) if near else error) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, _, purpose) in self.later.items()])


def long_name(option: click.Option) -> str:
    """`--output` of `--output`, `-o`."""
    return next(each for each in option.opts if each.startswith("--"))


def _name_variables(command: click.Command, prefix: str) -> None:
    """Gives each option of a command, and of those in it, the variable of its own name: `TIEOUT_ASK_JSON` for `--json`.
    click goes by the name of the parameter, which nobody sees."""
    for option in command.params:
        if isinstance(option, click.Option):
            option.envvar = f"{prefix}_{long_name(option)[2:]}".upper().replace("-", "_")
            option.allow_from_autoenv = False
    if isinstance(command, click.Group) and not isinstance(command, LaterGroup):
        for name, inside in command.commands.items():
            _name_variables(inside, f"{prefix}_{name}")
