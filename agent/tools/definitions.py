"""What a term of the trade means in numbers, as a model is told that looks it up where the report does not print it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import Found, find
from tieout.kg.fact import Fact
from tieout.ontology.metrics.formula import operands
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import Metric, find_metric, metrics
from tieout.ontology.model import MatchedBy

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


def find_or_define(
    facts: Sequence[Fact],
    entity_type: str | None,
    property: str | None,
    filters: Mapping[str, str],
    labels: Mapping[str, Iterable[str]],
) -> Found:
    """As `find`; for a term that is not printed under its own name, the error says what it is made of.

    A figure of a name that is only near, as `adjusted EBITDA` is to `EBITDA`, is another one: it is told beside.
    """
    try:
        found = find(facts, entity_type, property, filters, labels)
    except ToolError as error:
        meant = definition(property, facts) if property else None
        if meant is None:
            raise
        raise _not_printed(property or "", meant, error.detail) from error
    if property and found.by is MatchedBy.FUZZY and (meant := definition(property, facts)):
        raise _not_printed(property, meant, {"near": f"{found.fact.name}: {found.fact.label}"})
    return found


def _not_printed(term: str, meant: dict[str, Any], detail: Mapping[str, object]) -> ToolError:
    kept = {key: value for key, value in detail.items() if key != "suggestion"}
    return ToolError(
        f"{term!r} is not printed under this name",
        definition=meant,
        **kept,
        suggestion="calculate it from its parts by the formula, or use the short name of a fact",
    )


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
