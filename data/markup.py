"""What a notebook shows of tables: plain HTML, without a script, whose text is escaped and cannot steer anything."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

MOST_ROWS = 20  # of a long table, in a notebook
NO_FORMULAS = 'class="tex2jax_ignore mathjax_ignore"'  # what stands between two `$` is none, as notebooks else take it
MUTED = "opacity:.7"  # the colours are those of the notebook, light or dark


def table_html(
    rows: Sequence[Sequence[str]],
    header: Sequence[str] = (),
    *,
    most: int = MOST_ROWS,
    lit: Collection[tuple[int, int]] = (),
) -> str:
    """A table; of more rows than most the first ones, and how many there are. lit: (row, column) of marked cells."""
    head = f"<thead><tr>{''.join(f'<th>{safe_html(each)}</th>' for each in header)}</tr></thead>" if header else ""
    body = "".join(
        f"<tr>{''.join(_cell(text, (number, column) in lit) for column, text in enumerate(row))}</tr>"
        for number, row in enumerate(rows[:most])
    )
    left = muted_html(f"{most} of {len(rows):,} rows", len(rows) > most)
    return f"<table {NO_FORMULAS}>{head}<tbody>{body}</tbody></table>{left}"


def _cell(text: str, lit: bool) -> str:
    return f"<td><mark>{safe_html(text)}</mark></td>" if lit else f"<td>{safe_html(text)}</td>"


def muted_html(text: str, shown: bool = True) -> str:
    """A line in the background; "" where it is not to be shown."""
    return f'<div {NO_FORMULAS} style="{MUTED}">{safe_html(text)}</div>' if shown and text else ""


def safe_html(text: str) -> str:
    """Text as HTML shows it, letter by letter; what cannot be seen is a space."""
    return escape("".join(letter if letter.isprintable() else " " for letter in text))
