"""What holds where the command line says nothing: variables `TIEOUT_*`, `tieout.toml` of the folder, that of the user.

backend = "anthropic:MODEL"   # for every command that has the option
store = "kept"

[eval.run]                    # for one command
workers = 8
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from tieout.data.files import read_toml, unreadable

PREFIX = "TIEOUT"
NAME = "tieout.toml"
ELSEWHERE = f"{PREFIX}_CONFIG"  # names a file in place of that of the user
# Options that mean the same for every command that has them, and settings that are no options but variables.
COMMON = ("backend", "budget", "data", "endpoint", "jobs", "memory", "ontology", "runs", "store", "strategy", "workers")
VARIABLES = {"measures": "TIEOUT_MEASURES", "prices": "TIEOUT_PRICES"}
# What is written where, and which machines read, is said by who runs a command: a folder that somebody sent must not
# choose it.
GIVEN = ("--output", "--html", "--xlsx", "--markdown", "--save", "--log", "--plots", "--to", "--engine")
# Nor who is let in, what goes elsewhere (with what TIEOUT_ENDPOINT_AUTHORIZATION holds) and what is replaced; a file of
# one's own may say that.
OWN = (
    *("--endpoint", "--host", "--http", "--name", "--read-only", "--share", "--private", "--show-rows"),
    *("--forget", "--replace", "--unchecked", "--yes"),
)


class SettingsError(ValueError):
    """A file of settings that cannot be used: which, and what in it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value, and where it is from: the path of a file, or the name of a variable."""

    value: Any
    source: str


def files() -> list[Path]:
    """The files that settings are read from where they are there, the one that counts more first."""
    own = os.environ.get(ELSEWHERE) or Path(click.get_app_dir("tieout")) / NAME
    return [Path(NAME), Path(own)]


def read() -> list[tuple[str, dict[str, Any]]]:
    """The settings of the files that are there, each with its path. Raises SettingsError."""
    found = []
    for path in files():
        try:
            found.append((str(path), read_toml(path)))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SettingsError(f"settings: {unreadable(path, error)}") from error
        except ValueError as error:
            raise SettingsError(f"{path} is no TOML: {error}") from error
    return found


def apply(group: click.Group, context: click.Context, commands: Mapping[str, object]) -> None:
    """Makes the settings the defaults of the commands of a group, and sets variables that are not set. commands: the
    names of all. Raises SettingsError."""
    layers = read()
    for path, table in layers:
        for key in table:
            if key not in commands and key not in COMMON and key not in VARIABLES:
                raise SettingsError(
                    f"{path}: {key[:60]!r} is no setting{_meant(key, [*commands, *COMMON, *VARIABLES])}"
                )
        for key, variable in VARIABLES.items():
            if key in table:
                value = _text(table[key], key, path)
                for each in value.split(os.pathsep):
                    _check_inside(each, key, path)
                _set(variable, value, path)
    if layers or _general():
        context.default_map = _Later(group, context, layers)


SET_BY: dict[str, str] = {}  # variables that a file has set, with its path


def _set(variable: str, value: str, path: str) -> None:
    if variable not in os.environ:
        os.environ[variable] = value
        SET_BY[variable] = path


class _Later(dict[str, Any]):
    """The defaults of each command of a group, worked out when click asks for those of one: a command is imported when
    it is called."""

    def __init__(self, group: click.Group, context: click.Context, layers: list[tuple[str, dict[str, Any]]]) -> None:
        super().__init__()
        self._group, self._context, self._layers = group, context, layers

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401 - as dict has it
        command = self._group.get_command(self._context, key)
        return default if command is None else _values(settings_of(command, (key,), self._layers))


def settings_of(
    command: click.Command, path: tuple[str, ...], layers: list[tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """What holds for the options of a command, a Setting by the name of each parameter; of a group, such a dict by the
    name of each command. path: how the command is called. Raises SettingsError."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        found = {}
        for name in command.list_commands(context):
            inside = command.get_command(context, name)
            assert inside is not None
            found[name] = settings_of(inside, (*path, name), layers)
        _check_group(found, path, layers)
        return found
    options = {key: option for option in command.params for key in _keys(option)}
    settings: dict[str, Any] = {}
    for source, table in reversed(layers):
        common = {key: value for key, value in table.items() if key in COMMON}
        for key, value in common.items():
            if key in options:
                settings[str(options[key].name)] = _setting(options[key], key, value, source)
        for key, value in _section(table, path, source).items():
            option = options.get(key.replace("_", "-"))
            if option is None:
                raise SettingsError(
                    f"{source}: [{'.'.join(path)}] has no option {key[:60]!r}{_meant(key, list(options))}"
                )
            if any(each in GIVEN for each in option.opts):
                raise SettingsError(f"{source}: {key!r} is given on the command line alone")
            settings[str(option.name)] = _setting(option, key, value, source)
    return settings | _from_variables(options)


def _setting(option: click.Parameter, key: str, value: object, source: str) -> Setting:
    """A value of a file, as text of the command line. Raises SettingsError for one that an option cannot have, and for
    one that the folder does not choose."""
    if source == NAME and any(each in OWN for each in option.opts):
        raise SettingsError(f"{source}: {key!r} is not for a folder to say: give it on the command line{_ELSEWHERE}")
    several = option.multiple if isinstance(option, click.Option) else option.nargs != 1
    texts = [_text(each, key, source) for each in (value if several and isinstance(value, list) else [value])]
    if isinstance(option.type, click.Path):
        for each in texts:
            _check_inside(each, key, source)
    return Setting(texts if several else texts[0], source)


_ELSEWHERE = f", in a variable {PREFIX}_*, or in the {NAME} of your own"


def _text(value: object, key: str, source: str) -> str:
    """A value as it would be given. Raises SettingsError for what is no text, number or true and false."""
    if not isinstance(value, str | int | float) or "\0" in str(value):
        raise SettingsError(f"{source}: {key!r} is a text, a number, true or false")
    return str(value)


def _check_inside(path: str, key: str, source: str) -> None:
    """Raises SettingsError where the file of a folder names a place that is not in it."""
    here = Path.cwd().resolve()
    if source == NAME and not (here / path).resolve().is_relative_to(here):
        raise SettingsError(f"{source}: {key!r} is outside this folder: give it on the command line{_ELSEWHERE}")


def _from_variables(options: Mapping[str, click.Parameter]) -> dict[str, Setting]:
    """What variables say for all commands; those for one command are click's own, `TIEOUT_EVAL_RUN_WORKERS`."""
    found = {}
    for key in COMMON:
        option, text = options.get(key), _general().get(key)
        if option is not None and text:
            several = option.nargs != 1 or getattr(option, "multiple", False)
            value = option.type.split_envvar_value(text) if several else text
            found[str(option.name)] = Setting(value, f"{PREFIX}_{key.upper()}")
    return found


def _general() -> dict[str, str]:
    return {key: os.environ[name] for key in COMMON if os.environ.get(name := f"{PREFIX}_{key.upper()}", "").strip()}


def _values(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: each.value if isinstance(each, Setting) else _values(each) for key, each in settings.items()}


def _keys(option: click.Parameter) -> Iterator[str]:
    for each in (*option.opts, *option.secondary_opts):
        if each.startswith("--"):
            yield each[2:]


def _section(table: Mapping[str, Any], path: tuple[str, ...], source: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = table
    for name in path:
        inside = found.get(name, {})
        if found is table and name in VARIABLES and isinstance(inside, str):
            return {}  # a file of measures, and no section of `tieout measures`
        if not isinstance(inside, dict):
            raise SettingsError(f"{source}: {name!r} is a command: write its settings under [{'.'.join(path)}]")
        found = inside
    return found


def _check_group(names: Mapping[str, Any], path: tuple[str, ...], layers: list[tuple[str, dict[str, Any]]]) -> None:
    for source, table in layers:
        for key in _section(table, path, source):
            if key not in names:
                raise SettingsError(
                    f"{source}: [{'.'.join(path)}] has no command {key[:60]!r}{_meant(key, list(names))}"
                )


def _meant(key: str, there: list[str]) -> str:
    near = get_close_matches(key.replace("_", "-"), there, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(sorted(there))}"
