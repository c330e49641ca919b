"""What every command line of tieout shares: one clear line for bad input, JSON for machines, one console."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from threading import Timer
from typing import IO, Any, TypeVar

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.tree import Tree

from tieout.data.files import WriteError, check_folder
from tieout.data.fit import fitted

Each = TypeVar("Each")


class PlainConsole(Console):
    """A console on which text of reports, ids and models cannot steer the terminal, whoever prints it: what is not
    printable is a space. The codes for colours are rich's own, and stay."""

    def on_broken_pipe(self) -> None:
        """Leaves it to the front door, as for all else that writes, that nobody reads what is printed."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """The segments of anything that is printed."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control is None and not text.isprintable():
                yield Segment("\n".join(map(printable, text.split("\n"))), style)
            else:
                yield segment


console = PlainConsole(highlight=False)
errors = PlainConsole(stderr=True, highlight=False)
WHOLE = 10_000  # characters of a line: more than any has


class Failure(click.ClickException):
    """Bad input: one line on standard error and exit code 1."""

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"tieout: {printable(self.format_message())}", err=True)


@contextmanager
def one_line(*kinds: type[Exception]) -> Iterator[None]:
    """Turns the named errors, which say what is wrong with the input, into one line for the user. Others stay as
    they are."""
    try:
        yield
    except BrokenPipeError:  # whoever reads what is printed has seen enough: no input is bad
        raise
    except kinds as error:
        raise Failure(printable(" ".join(str(error).split()))) from error


@contextmanager
def working(what: str) -> Iterator[None]:
    """Says what is done where somebody looks on and it takes more than a second; gone when it is done."""
    if not errors.is_terminal:
        yield
        return
    status = errors.status(printable(what), spinner="line")
    shown = Timer(1.0, status.start)
    shown.daemon = True
    shown.start()
    try:
        yield
    finally:
        shown.cancel()
        shown.join()
        status.stop()


def waited(each: Iterable[Each], what: str) -> Iterator[Each]:
    """What an iterable gives; whoever waits for the next of it is told as `working` does."""
    iterator = iter(each)
    while True:
        with working(what):
            try:
                found = next(iterator)
            except StopIteration:
                return
        yield found


def print_table(table: Table | Tree) -> None:
    """Writes a table or a tree as wide as the terminal is. In a file or a pipe every line stays whole; a table keeps to
    COLUMNS, though, where that is set."""
    if console.is_terminal or ("COLUMNS" in os.environ and isinstance(table, Table)):
        print_fitted(table)
        return
    unbounded = console.options.update_width(WHOLE)
    width = max(console.width, console.measure(table, options=unbounded).maximum)
    PlainConsole(file=console.file, width=width, highlight=False, color_system=None).print(table)


def print_fitted(table: Table | Tree, fixed: int = 1, told: bool = False) -> None:
    """Writes a table or a tree in lines of the console's width. What of a table is wider goes below it, in a table of
    its own, behind the first columns, of which fixed say what a line is of. told: in how many is said first."""
    if isinstance(table, Tree):
        console.print(table)
        return
    parts = list(fitted(table, console, console.width, fixed))
    if told and len(parts) > 1:
        here, all_of_it = len(parts[0].columns), len(table.columns)
        left = f"{all_of_it - here} of {all_of_it - fixed} columns do not fit beside the others and follow below"
        console.print(left, style="dim", soft_wrap=True)
    for number, part in enumerate(parts):
        if number:
            console.print()
        console.print(part)


def printable(text: str, instead: str = " ") -> str:
    """Text of a report as it can go to a terminal without steering it: instead of control and other unseen characters
    stands instead."""
    return "".join(letter if letter.isprintable() else instead for letter in text)


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        number = float(value)
        return number if math.isfinite(number) else str(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{value!r} has no JSON form")


def print_json(value: object) -> None:
    """Writes value as indented JSON to standard output. Decimals become numbers; amounts that must stay exact are
    given as text. A lone surrogate, which no encoding can carry, is escaped, as JSON allows."""
    click.echo(json_text(value, indent=2))


def json_text(value: object, indent: int | None = None) -> str:
    """The same text, in one line unless it is to be indented."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_plain)
    return text.encode(errors="backslashreplace").decode()


class Limit(click.FloatRange):
    """A number within a range. `nan`, which no comparison holds against, would switch a limit off, so would `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's own signature
        """The number. Raises click.BadParameter for text that is none, lies outside the range, or is not finite."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def files_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument FILES...: one or more report files."""
    return click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))(command)


def output_option(*, text: str, **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # noqa: ANN401 - click's own options
    """The option -o FILE. A folder, and a file in none, is refused before anything is worked out.

    text: its help.
    """
    kind = click.Path(path_type=Path)
    return click.option("--output", "-o", type=kind, callback=lambda _, __, path: _writable(path), help=text, **more)


def _writable(path: Path | None) -> Path | None:
    if path is not None and path.is_dir():
        raise Failure(f"{str(path)!r} is a folder: name a file to write")
    if path is not None:
        with one_line(WriteError):
            check_folder(path)
    return path


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")(command)
