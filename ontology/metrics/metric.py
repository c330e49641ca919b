"""What terms of the trade mean in numbers: margins, free cash flow, days payable, each by a formula with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.system.compile_cache import read_toml
from tieout.ontology.labels.label import kept, normalise
from tieout.ontology.metrics.formula import Apply, Formula, Operand, read_formula
from tieout.ontology.metrics.house import house_measures
from tieout.ontology.metrics.line_item import LineItem, line_items

METRICS = Path(__file__).with_name("metrics.toml")


@dataclass(frozen=True, slots=True)
class Metric:
    """A term and what it means. unit: `ratio`, `percent`, `money`, `days` or `per share`. source: who says so.

    rather: formulas that are taken before `formula` where all of their parts are printed. doubt: what is told where
    `formula` alone can be had, "" for nothing. better: `lower` where the less of it, the better.
    """

    name: str
    labels: tuple[str, ...]
    written: str
    formula: Formula
    unit: str
    source: str
    rather: tuple[Formula, ...] = ()
    doubt: str = ""
    better: str = ""


@lru_cache(maxsize=1)
def metrics() -> Mapping[str, Metric]:
    """All that are known, by name: those of the house first, which replace ours of the same name, then ours in the
    order of their file. Raises MeasureError for a faulty file of the house."""
    added = house_measures({*our_metrics(), *line_items()})
    house = {name: _metric(name, entry["table"]) for name, entry in added.items()}
    return house | {name: each for name, each in our_metrics().items() if name not in house}


@lru_cache(maxsize=1)
def our_metrics() -> Mapping[str, Metric]:
    """Those that come with tieout, by name, in the order of their file. Raises FormulaError for a faulty formula."""
    return {name: _metric(name, each) for name, each in read_toml(METRICS).items()}


def _metric(name: str, written: Mapping[str, Any]) -> Metric:
    """One of a file. written: its table, as `metrics.toml` says."""
    return Metric(
        name,
        tuple(written["labels"]),
        written["formula"],
        read_formula(written["formula"]),
        written["unit"],
        written["source"],
        tuple(map(read_formula, written.get("rather", ()))),
        written.get("doubt", ""),
        written.get("better", ""),
    )


@lru_cache(maxsize=1)
def _by_label() -> Mapping[str, str]:
    called = [(name, metric.labels) for name, metric in metrics().items()]
    both = ((label, name) for name, labels in reversed(called) for label in reversed(labels))  # the first counts
    found: dict[str, str] = kept(f"metrics {called}", lambda: {normalise(label): name for label, name in both})
    return found


def find_metric(words: str) -> Metric | None:
    """The metric that these words name, spelling and number aside; None where none is called so."""
    name = _by_label().get(normalise(words))
    return None if name is None else metrics()[name]


def has_optional(name: str) -> bool:
    """Whether a metric, or one that it is made of, has a part that not every report has: a note may print it."""
    return name in metrics() and _has_optional(metrics()[name].formula)


def _has_optional(formula: Formula) -> bool:
    if isinstance(formula, Operand):
        return formula.name not in line_items() and has_optional(formula.name)
    if not isinstance(formula, Apply):
        return False
    return formula.operation == "optional" or any(map(_has_optional, formula.operands))


def quotient_of(name: str) -> tuple[LineItem, LineItem] | None:
    """The line items of which a rate is made: of an operating margin two; None for no rate, or what is no metric."""
    known = metrics().get(name)
    tree = None if known is None else known.formula
    if not isinstance(tree, Apply) or tree.operation != "divide":
        return None
    over = [line_items().get(each.name) for each in tree.operands if isinstance(each, Operand) and not each.back]
    return (over[0], over[1]) if len(over) == 2 and over[0] is not None and over[1] is not None else None
