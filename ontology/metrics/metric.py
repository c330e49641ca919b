"""What terms of the trade mean in numbers: margins, free cash flow, days payable, each by a formula with its source."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import Formula, read_formula

METRICS = Path(__file__).with_name("metrics.toml")


@dataclass(frozen=True, slots=True)
class Metric:
    """A term and what it means. unit: `ratio`, `percent`, `money`, `days` or `per share`. source: who says so.

    rather: formulas that are taken before `formula` where all of their parts are printed.
    """

    name: str
    labels: tuple[str, ...]
    written: str
    formula: Formula
    unit: str
    source: str
    rather: tuple[Formula, ...] = ()


@lru_cache(maxsize=1)
def metrics() -> Mapping[str, Metric]:
    """All that are known, by name, in the order of their file. Raises FormulaError for a faulty formula of the file."""
    with METRICS.open("rb") as file:
        found = tomllib.load(file)
    return {
        name: Metric(
            name,
            tuple(each["labels"]),
            each["formula"],
            read_formula(each["formula"]),
            each["unit"],
            each["source"],
            tuple(map(read_formula, each.get("rather", ()))),
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
