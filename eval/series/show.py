"""What a run over series came to, as a table and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from tieout.data.console import printable
from tieout.eval.series.run import SeriesResult


def rates(results: Sequence[SeriesResult]) -> list[dict[str, Any]]:
    """By layer: how many questions, answered, right, asked back, without answer, and right of all."""
    layers = list(dict.fromkeys(each.layer for each in results))
    found = []
    for layer in layers:
        own = [each for each in results if each.layer == layer]
        right, answered = sum(each.right for each in own), sum(each.outcome == "answer" for each in own)
        asked = sum(each.outcome == "clarify" for each in own)
        counts = {"n": len(own), "right": right, "wrong": answered - right, "asked back": asked}
        found.append({"layer": layer, **counts, "none": len(own) - answered - asked, "accuracy": right / len(own)})
    return found


def rates_table(results: Sequence[SeriesResult]) -> Table:
    """The rates for reading."""
    table = Table("layer", "n", "right", "wrong", "asked back", "none", "accuracy", box=None, pad_edge=False)
    for each in rates(results):
        *counts, accuracy = each.values()
        table.add_row(*map(str, counts), f"{accuracy:.1%}")
    return table


def wrong_table(results: Sequence[SeriesResult]) -> Table:
    """The questions that were answered wrong, or not at all, in the last layer."""
    table = Table("question", "outcome", "given", "gold", box=None, pad_edge=False)
    last = results[-1].layer if results else ""
    for each in results:
        if each.layer == last and not each.right:
            table.add_row(*map(printable, (each.question.id, each.outcome, each.given or "-", each.question.gold)))
    return table
