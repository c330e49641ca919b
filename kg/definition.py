"""What a term of the trade means in numbers, with the figures of its parts in a report that does not print it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tieout.kg.fact import Fact
from tieout.ontology.metrics.formula import operands
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import Metric, find_metric, metrics

MOST_FACTS = 6  # of one part


def definition(term: str, facts: Sequence[Fact]) -> dict[str, Any] | None:
    """The formula of a term, its unit and source, and of each part the figures that are called so; None for a term
    that has no definition.

    A part that is itself defined and not printed is told by its own formula. `@-1` is the period before.
    """
    metric = find_metric(term)
    if metric is None:
        return None
    parts = {name: _called(name, facts) for name in _parts(metric, facts)}
    formulas = {name: metrics()[name].written for name in parts if not parts[name] and name in metrics()}
    told: dict[str, Any] = {"formula": metric.written, "unit": metric.unit, "source": metric.source, "parts": parts}
    return told | ({"where": formulas} if formulas else {})


def _parts(metric: Metric, facts: Sequence[Fact]) -> Iterator[str]:
    """The names in a formula, and those in the formulas of parts that are not printed."""
    waiting, done = [metric.name], set[str]()
    while waiting:
        for part in operands(metrics()[waiting.pop(0)].formula):
            if part.name not in done:
                done.add(part.name)
                yield part.name
                if part.name in metrics() and not _called(part.name, facts):
                    waiting.append(part.name)


def _called(name: str, facts: Sequence[Fact]) -> list[str]:
    """The figures whose label names a part, the best label first: short name, label and period."""
    item = line_items().get(name)
    if item is None:
        return []
    ranked = [(rank, index) for index, fact in enumerate(facts) if (rank := item.rank(fact.label)) is not None]
    best = [facts[index] for _, index in sorted(ranked)[:MOST_FACTS]]
    return [f"{fact.name}: {fact.label} ({fact.period.label if fact.period else fact.header})" for fact in best]
