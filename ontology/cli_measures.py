"""The command `tieout measures`: what is calculated, by which formula, after whom."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from tieout.data.console import Failure, json_option, print_json, print_table
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics


@click.command()
@click.argument("words", nargs=-1)
@click.option("--parts", is_flag=True, help="List the line items that formulas may name instead.")
@json_option
def measures(words: tuple[str, ...], parts: bool, as_json: bool) -> None:
    """List the measures and ratios that are calculated from figures of a report, each with its formula and source.

    With WORDS, only those that have all of them in what is told of them: `tieout measures debt`. A house adds its own
    in a file written as these are, named in TIEOUT_MEASURES.
    """
    rows = [row for row in (_items() if parts else _measures()) if _has(row, words)]
    if not rows:
        what, other = ("line item", "measure") if parts else ("measure", "line item")
        others = any(_has(row, words) for row in (_measures() if parts else _items()))
        there = f"a {other} has ({'without' if parts else 'with'} --parts)"
        raise Failure(f"no {what} has {' '.join(words)!r}; {there if others else 'without words, all are listed'}")
    if as_json:
        print_json(rows)
        return
    table = Table(*rows[0], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(value if isinstance(value, str) else ", ".join(value)) for value in row.values()))
    print_table(table)


def _has(row: dict[str, str | tuple[str, ...]], words: tuple[str, ...]) -> bool:
    """Whether what is told of a measure has all words, with or without hyphens, in the singular or the plural."""
    told = " ".join(value if isinstance(value, str) else " ".join(value) for value in row.values())
    return all(word.lower() in told.lower() or f" {normalise(word)} " in f" {normalise(told)} " for word in words)


def _measures() -> list[dict[str, str | tuple[str, ...]]]:
    return [
        {"name": each.name, "unit": each.unit, "formula": each.written, "asked as": each.labels, "source": each.source}
        for each in metrics().values()
    ]


def _items() -> list[dict[str, str | tuple[str, ...]]]:
    return [
        {"name": each.name, "statement": each.statement, "asked as": each.labels, "concepts": each.concepts}
        for each in line_items().values()
    ]
