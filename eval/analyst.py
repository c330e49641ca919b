"""Questions as analysts ask them, with answers from tags: `python -m tieout.eval.analyst FACTS.jsonl... -o OUT`.

FACTS: those of filings, as `tieout.eval.questions` reads them. Each filing is asked for figures under their names, for
changes, growth and averages over years, for metrics and calculations of several, for yes or no, with slips of the
keyboard, and for what no filing states. What a measure comes to is calculated from the tags alone, by the formulas of
metrics. What is asked of a filing follows from its facts: the same file gives the same questions.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from tieout.data.console import one_line
from tieout.eval.questions import YEAR, FactsError, fiscal_ends, read_facts, year_offset
from tieout.ontology.metrics.formula import Formula, Operand, before, evaluate, read_formula
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

EACH = 3  # measures that each way of asking gets, of a filing
LEAST_RATE = Decimal("0.0005")  # a rate below it is not asked for
NOTHING = ("revenue from moon landings", "number of lighthouses", "deferred circus income", "zeppelin depreciation")
# Calculations that no metric is called by: how they are said, and their formula.
COMPOSED = (
    ("operating income plus depreciation and amortization", "[operating_income] + [depreciation_amortization]"),
    ("capital expenditures / operating cash flow", "magnitude([capital_expenditures]) / [operating_cash_flow]"),
    ("net income divided by total assets", "[net_income] / [total_assets]"),
    ("research and development expense / gross profit", "[research_and_development] / [gross_profit]"),
    ("total liabilities minus cash and cash equivalents", "[total_liabilities] - [cash]"),
    ("inventories / total current assets", "[inventory] / [current_assets]"),
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What the tags of a filing state of one fiscal year and those before it: amounts by line item and year."""

    amounts: Mapping[tuple[str, int], Decimal]
    years: Sequence[int]

    def value(self, formula: Formula, year: int) -> Decimal | None:
        """What a formula comes to in a year; None where the tags do not state all of it."""
        return evaluate(formula, _In(self, year))


@dataclass(frozen=True, slots=True)
class _In:
    stated: Stated
    year: int

    def constant(self, value: Decimal) -> Decimal:
        return value

    def named(self, name: str, back: int) -> Decimal | None:
        known = self.stated.amounts.get((name, self.year + back))
        if known is not None or name not in metrics() or (self.year + back) not in self.stated.years:
            return known
        return self.stated.value(metrics()[name].formula, self.year + back)

    def optional(self, part: Formula) -> Decimal | None:
        return evaluate(part, self)

    def together(self, operation: str, values: tuple[Decimal, ...]) -> Decimal | None:
        match operation:
            case "add":
                return sum(values, Decimal(0))
            case "subtract":
                return values[0] - values[1]
            case "multiply":
                return values[0] * values[1]
            case "divide":
                return values[0] / values[1] if values[1] else None
            case "average":
                return sum(values, Decimal(0)) / len(values)
            case "magnitude":
                return abs(values[0])
        raise AssertionError(operation)


def stated_by(facts: Iterable[Mapping[str, Any]], offset: int = 0) -> Stated:
    """What the facts of a filing state of its fiscal years, without dimensions, by the concept that is preferred.
    offset: as `tieout.eval.questions.year_offset` tells it."""
    kept = [fact for fact in facts if not fact["dims"] and str(fact["shown"]).strip("—–- ")]
    by_concept: dict[str, dict[tuple[str, bool], Decimal]] = {}
    for fact in kept:
        start, end = fact["start"], fact["end"]
        is_year = start is not None and (date.fromisoformat(end) - date.fromisoformat(start)).days in YEAR
        if start is None or is_year:
            by_concept.setdefault(str(fact["concept"]), {}).setdefault(
                (end, start is None), Decimal(str(fact["value"]))
            )
    ends = fiscal_ends(kept)
    amounts: dict[tuple[str, int], Decimal] = {}
    for item in line_items().values():
        for concept in reversed(item.concepts):
            for end in ends:
                value = by_concept.get(concept, {}).get((end, item.is_instant))
                if value is not None:
                    amounts[item.name, date.fromisoformat(end).year + offset] = abs(value) if item.sign else value
    return Stated(amounts, [date.fromisoformat(end).year + offset for end in ends])


def make_questions(doc: str, facts: Iterable[Mapping[str, Any]], offset: int = 0) -> Iterator[dict[str, Any]]:
    """The questions about one filing: `{doc, kind, question, gold}`. gold: a number in full units, a rate as a decimal,
    `yes`, `no`, or None for what the filing does not state. offset: as for `stated_by`."""
    stated = stated_by(facts, offset)
    if not stated.years:
        return
    for kind, question, gold in _asked(doc, stated):
        yield {"doc": doc, "kind": kind, "question": question, "gold": None if gold is None else str(gold)}


def _asked(doc: str, stated: Stated) -> Iterator[tuple[str, str, Decimal | str | None]]:
    year = stated.years[0]
    items = [item for item in line_items().values() if (item.name, year) in stated.amounts and is_plain(item)]
    flows = [item for item in items if not item.is_instant and not item.unit and stated.amounts[item.name, year] > 0]
    for item in some(items, doc, "look-up", 3 * EACH):
        yield "look-up", f"What was {called(item, doc)} {_when(item, year)}?", stated.amounts[item.name, year]
    for item in some(items, doc, "slip", EACH):
        said = slip(item.labels[0])
        if said is not None:
            yield "slip", f"what was {said} {_when(item, year)}", stated.amounts[item.name, year]
    yield from _over_years(doc, stated, flows, year)
    measures = [metric for metric in metrics().values() if metric.name not in line_items()]
    known = [(metric, value) for metric in measures if (value := stated.value(metric.formula, year)) is not None]
    for metric, value in some([each for each in known if abs(each[1]) > LEAST_RATE], doc, "metric", 2 * EACH):
        label = next(label for label in metric.labels if find_metric(label) == metric)
        yield "metric", f"What was the {label} in fiscal {year}?", value
    for said, formula in COMPOSED:
        value = stated.value(read_formula(formula), year)
        if value is not None and abs(value) > LEAST_RATE:
            yield "composed", f"What was {said} in fiscal {year}?", value
    for said in some(NOTHING, doc, "nothing", 1):
        yield "nothing", f"What was the {said} in fiscal {year}?", None


def _over_years(
    doc: str, stated: Stated, flows: Sequence[LineItem], year: int
) -> Iterator[tuple[str, str, Decimal | str | None]]:
    """Changes, growth, averages and comparisons of what is stated for several years."""

    def of(item: LineItem, back: int) -> Decimal | None:
        value = stated.value(before(Operand(item.name), back), year)
        return value if value is not None and value > 0 else None

    pairs = [(item, last, first) for item in flows if (last := of(item, 0)) and (first := of(item, 1))]
    for item, last, first in some(pairs, doc, "change", EACH):
        yield (
            "change",
            f"What was the change in {item.labels[0]} from fiscal {year - 1} to fiscal {year}?",
            last - first,
        )
    for item, last, first in some(pairs, doc, "growth", EACH):
        yield "growth", f"By what percentage did {item.labels[0]} change in fiscal {year}?", last / first - 1
    for item, last, first in some(pairs, doc, "yes or no", EACH):
        yield "yes or no", f"Did {item.labels[0]} increase in fiscal {year}?", "yes" if last > first else "no"
    threes = [(item, values) for item in flows if len(values := [v for back in range(3) if (v := of(item, back))]) == 3]
    for item, values in some(threes, doc, "average", EACH):
        yield "average", f"What was average {item.labels[0]} over the last three years?", sum(values, Decimal(0)) / 3
    for item, values in some(threes, doc, "sum", 1):
        yield (
            "sum",
            f"What was total {item.labels[0]} from fiscal {year - 2} to fiscal {year}?",
            sum(values, Decimal(0)),
        )
    for item, values in some(threes, doc, "yearly growth", EACH):
        yearly = (values[0] / values[2]).sqrt() - 1
        asked = f"What was the compound annual growth rate of {item.labels[0]} from fiscal {year - 2} to fiscal {year}?"
        yield "yearly growth", asked, yearly
    ratios = [("capital expenditures", "capital_expenditures"), ("net income", "net_income")]
    for said, name in ratios:
        parts = [
            (stated.amounts.get((name, year - back)), stated.amounts.get(("revenue", year - back))) for back in range(3)
        ]
        if all(part and whole for part, whole in parts):
            value = sum((part / whole for part, whole in parts if part and whole), Decimal(0)) / 3
            yield "average of a ratio", f"What was the average of {said} / revenue over the last three years?", value


def is_plain(item: LineItem) -> bool:
    """Whether people ask for a line by its name: not for what is left over, nor for the change of a change."""
    return not item.labels[0].startswith(("change", "other", "increase", "total other"))


def called(item: LineItem, doc: str) -> str:
    """One of the names of a line item that name no other, as people vary them."""
    own = [label for label in item.labels if find_line_item(label) == item and find_metric(label) is None]
    return (own or item.labels)[checksum(doc, item.name) % max(len(own), 1)]


def _when(item: LineItem, year: int) -> str:
    return f"at the end of fiscal {year}" if item.is_instant else f"in fiscal {year}"


def slip(words: str) -> str | None:
    """Words with two neighbouring letters of the longest one turned; None where none is long enough."""
    longest = max(words.split(), key=len)
    if len(longest) < 6 or not longest.isalpha():
        return None
    at = len(longest) // 2
    turned = longest[: at - 1] + longest[at] + longest[at - 1] + longest[at + 1 :]
    return words.replace(longest, turned, 1) if turned != longest else None


def some(of: Sequence[Any], doc: str, kind: str, most: int) -> list[Any]:
    """So many of them, told apart by a checksum of filing and kind: neither the first nor at random."""
    order = sorted(range(len(of)), key=lambda at: checksum(doc, f"{kind} {at}"))
    return [of[at] for at in sorted(order[:most])]


def checksum(doc: str, what: str) -> int:
    return zlib.crc32(f"{doc} {what}".encode())


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="JSON Lines, a question each.")
def main(files: tuple[Path, ...], output: Path) -> None:
    """Write questions as analysts ask them, with answers from the tags of filings."""
    with one_line(FactsError, OSError):
        lines = [
            json.dumps(question, ensure_ascii=False)
            for path in files
            for facts in [list(read_facts(path))]
            for question in make_questions(path.name.removesuffix(".facts.jsonl"), facts, year_offset(path, facts))
        ]
        output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    click.echo(f"{output}: {len(lines)} questions from {len(files)} files")


if __name__ == "__main__":
    main()
