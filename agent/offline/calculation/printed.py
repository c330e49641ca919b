"""A metric that a report prints itself, in a line that is labelled as the metric is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tieout.agent.offline.candidates.figure import table_of, words_around
from tieout.agent.offline.operands.linking import Lines, Pick
from tieout.agent.question.question import Question
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.fact import Fact
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.metric import Metric

OWN_LABEL = 1.0  # added to the score of a line that is labelled with the very words
_OF_CHANGE = re.compile(r"change|increase|decrease|variance|growth|% of|percent of", re.IGNORECASE)


def printed_lines(
    lines: Lines, metric: Metric, said: str, year: int | None, report: str, asked: Question
) -> list[Pick]:
    """The figures of the lines that are labelled as a metric is called, the best first: what the report prints under
    that name is meant, however it defines it.

    said: the words that name it, "" for a part of a formula, for which any of its labels stands.
    """
    picks: dict[str, Pick] = {}
    for label in {normalise(said)} if said else {normalise(each) for each in metric.labels}:
        for pick in lines.of_words(frozenset(label.split()), year, report, asked):
            if normalise(pick.fact.label) == label and is_of_unit(lines, pick.fact, metric.unit):
                missing = asked.open - words_around(pick.fact)
                picks.setdefault(pick.fact.name, replace(pick, score=pick.score + OWN_LABEL, missing=missing))
    return sorted(picks.values(), key=lambda pick: -pick.score)


def is_of_unit(lines: Lines, fact: Fact, unit: str) -> bool:
    """Whether a figure may be of a metric, by its unit; a rate stands in a row of rates, and not beside amounts."""
    if _OF_CHANGE.search(fact.header) or _OF_CHANGE.search(fact.section):
        return False
    if unit == "money":
        return is_currency(fact.unit) or fact.unit is None
    if unit == "percent":
        return fact.unit == Unit.PERCENT and all(each.unit == Unit.PERCENT for each in _row(lines, fact))
    if unit == "per share":
        return str(fact.unit or "").endswith("/share")
    return not is_currency(fact.unit) and fact.unit != Unit.PERCENT


def _row(lines: Lines, fact: Fact) -> Iterator[Fact]:
    return (each for each in lines.facts if table_of(each) == table_of(fact) and each.row == fact.row)
