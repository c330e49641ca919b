"""Reports from standard input: the argument `-` and the option `--as`, which says what comes."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tieout.data.console import Failure
from tieout.data.readers.kinds import KINDS

NAME = "stdin"  # what a report from standard input is called
_KIND = "tieout.kind"
_CHUNK = 1 << 20


def reports_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument FILES...: report files, folders, patterns, or `-` for standard input, with the option --as."""
    argument = click.argument(
        "files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True), callback=_all_given
    )
    return as_option(argument(command))


def report_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument FILE: one report file, or `-` for standard input, with the option --as."""
    argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True), callback=_given)
    return as_option(argument(command))


def words_argument(metavar: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The argument WORDS...: files and what is said of them, with the option --as; `-` is standard input."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        return as_option(click.argument("words", nargs=-1, metavar=metavar, callback=_words_given)(command))

    return add


def as_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option --as KIND. It is seen before the files are."""
    return click.option(
        "--as",
        "kind",
        type=click.Choice(list(KINDS)),
        metavar="KIND",
        is_eager=True,
        expose_value=False,
        callback=_remember,
        help=f"What standard input (`-`) holds: {', '.join(KINDS)}.",
    )(command)


def _remember(context: click.Context, _: click.Parameter, kind: str | None) -> None:
    context.meta[_KIND] = kind


def _all_given(context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    if paths.count(Path("-")) > 1:
        raise Failure("standard input can be read once: give `-` once")
    return tuple(_given(context, parameter, path) for path in paths)


def _words_given(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    if words.count("-") > 1:
        raise Failure("standard input can be read once: give `-` once")
    return tuple(str(_given(context, parameter, Path(word))) if word == "-" else word for word in words)


def _given(context: click.Context, _: click.Parameter, path: Path) -> Path:
    """The path; for `-` that of a file with what standard input holds, which is gone when the command ends."""
    if str(path) != "-":
        return path
    folder = tempfile.TemporaryDirectory(prefix="tieout-")
    context.call_on_close(folder.cleanup)
    kind = context.meta.get(_KIND)
    target = Path(folder.name) / (f"{NAME}.{KINDS[kind].suffixes[0]}" if kind else NAME)
    try:
        with target.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _CHUNK)
    except OSError as error:
        raise Failure(f"standard input cannot be kept: {error.strerror}") from None
    return target
