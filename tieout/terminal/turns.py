"""What a terminal shows of a turn: the answer first, or its readings where it is doubtful; then what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.table import Table
from rich.text import Text

from tieout.agent.answers.grid import grid_of
from tieout.agent.answers.result import doubt, readings
from tieout.agent.answers.sheet import plain_text, printable, tree
from tieout.agent.log.turn import Turn
from tieout.data.console import console, errors

OUTLINE = "`tieout kg outline FILE` shows what there is."


def show_turn(turn: Turn) -> None:
    """What became of a question: the answer with its sheet, a question back, or why there is none."""
    if turn.clarification is not None:
        _say(Text(printable(turn.clarification.question), style="bold"))
        _show_numbered(turn.clarification.options)
        if not turn.clarification.options:
            _say(Text(OUTLINE, style="dim"))
        show_flags(turn)
        return
    if turn.text is None:
        errors.print(f"no answer ({turn.outcome}): {printable(turn.message)}", markup=False, soft_wrap=True)
        return
    if read := readings(turn):
        _say(Text(doubt(turn), "yellow"))
        _show_numbered(read)
    else:
        _say(Text(turn.text, style="bold green"))
        show_table(turn)
    show_sheet(turn)
    _say(Text(certainty(turn), style="dim"))
    show_flags(turn)


def show_table(turn: Turn) -> None:
    """A table of figures with rows and columns by name; nothing of other answers, whose text says all."""
    grid = grid_of(turn)
    if grid is None or len(grid.columns) < 2:
        return
    unit, read = grid.shown(turn.format)
    table = Table()
    table.add_column(Text(unit))
    for name in grid.columns:
        table.add_column(Text(printable(name)), justify="right")
    for name, row in zip(grid.rows, read, strict=True):
        table.add_row(Text(printable(name)), *map(Text, row))
    console.print(table)


def show_why(turn: Turn) -> None:
    """How a question was understood, what its answer rests on, and what else it may mean."""
    for line in _understood(turn):
        _say(Text(printable(line)))
    if turn.text is not None:
        show_sheet(turn)
        _say(Text(certainty(turn), style="dim"))
    show_flags(turn, every=True)


def _understood(turn: Turn) -> Iterator[str]:
    if turn.understanding is not None:
        yield f"understood: {turn.understanding.description}"
        if turn.understanding.reasoning:
            yield f"because: {turn.understanding.reasoning}"
    if turn.clarification is not None:
        yield f"asked back: {turn.clarification.question}"
    elif turn.text is None:
        yield f"no answer ({turn.outcome}): {turn.message}"


def show_flags(turn: Turn, every: bool = False) -> None:
    """What the checks found odd. every: also the doubt that an answer begins with."""
    for flag in [flag for flag in turn.flags if every or flag.rule != "unsure"]:
        _say(Text(f"! {flag.rule}: {printable(flag.message)}", style="yellow"))


def certainty(turn: Turn) -> str:
    """How sure the backend is, where it says that, and what the checks made of the answer."""
    rules = ", ".join(dict.fromkeys(flag.rule for flag in turn.flags))
    checks = f"checks took {100 - (turn.check_score or 0)} of 100 points off: {rules}"
    sure = "" if turn.probability is None else f"probability of being right {turn.probability:.0%}; "
    return sure + (checks if rules else "no check found anything odd")


def show_sheet(turn: Turn) -> None:
    """In the width of a terminal, where there is one; in a file or a pipe every line stays whole."""
    if console.is_terminal:
        console.print(tree(turn))
    else:
        click.echo(plain_text(turn))


def _show_numbered(options: tuple[str, ...]) -> None:
    for number, option in enumerate(options, start=1):
        _say(Text(printable(option)), f"  {number}. ")


def _say(text: Text, before: str = "") -> None:
    """A line, broken between words at the width of a terminal; in a file or a pipe it stays whole. before: what stands
    in front of its first line; the others begin below its text."""
    if not console.is_terminal:
        console.print(Text(before) + text, soft_wrap=True)
        return
    lines = text.wrap(console, max(1, console.width - len(before)))
    for number, line in enumerate(lines):
        console.print(Text(" " * len(before) if number else before) + line, soft_wrap=True)
