"""What terms of the trade mean in numbers: margins, free cash flow, days payable, each by a formula with its source."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import Formula, read_formula
from tieout.ontology.metrics.house import house_measures
from tieout.ontology.metrics.line_item import line_items

METRICS = Path(__file__).with_name("metrics.toml")


@dataclass(frozen=True, slots=True)
class Metric:
    """A term and what it means. unit: `ratio`, `percent`, `money`, `days` or `per share`. source: who says so."""

    name: str
    labels: tuple[str, ...]
    written: str
    formula: Formula
    unit: str
    source: str


@lru_cache(maxsize=1)
def metrics() -> Mapping[str, Metric]:
    """All that are known, by name: those of the house first, which replace ours of the same name, then ours in the
    order of their file. Raises MeasureError for a faulty file of the house."""
    with METRICS.open("rb") as file:
        ours = tomllib.load(file)
    added = house_measures({*ours, *line_items()})
    house = {name: entry["table"] for name, entry in added.items()}
    found = house | {name: each for name, each in ours.items() if name not in house}
    return {
        name: Metric(
            name, tuple(each["labels"]), each["formula"], read_formula(each["formula"]), each["unit"], each["source"]
        )
        for name, each in found.items()
    }


@lru_cache(maxsize=1)
def _by_label() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, metric in metrics().items():
        for label in metric.labels:
            found.setdefault(normalise(label), name)
    return found


def find_metric(words: str) -> Metric | None:
    """The metric that these words name, spelling and number aside; None where none is called so."""
    name = _by_label().get(normalise(words))
    return None if name is None else metrics()[name]
