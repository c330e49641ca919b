"""Measures how reports are read, against the numbers that their tags state: value, unit, period and concept.

    python -m tieout.eval.reading FILES... [--untagged] [--misses N]

Beside each file `NAME.htm` lies `NAME.facts.jsonl`, one line a number: `concept, start, end, dims, unit, value, shown`.
FILES are pages, or PDFs that a browser has printed of pages without their tags.
--untagged takes every tag out of the page first and keeps its content: then only print says what a number is. Numbers
that are printed with digits count, each distinct value, unit and last day once. Signs count with tags alone: print
shows what is paid in brackets and tags state it as a positive amount. Beside each file is told whose report it is read
to be, and which of the five statements are found in it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

import click

from tieout.data.printed.unit import Unit
from tieout.data.readers.placed.report import read_web_page
from tieout.data.readers.report import read_report
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.ontology.model import default_ontology
from tieout.ontology.tbox.classify import core

STATEMENTS = frozenset(name for name, known in core().items() if name and known.always)
STEPS = ("value", "unit", "period", "concept")
_HEADER = re.compile(rb"<ix:header\b.*?</ix:header>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rb"</?ix:[^>]*>", re.IGNORECASE)
_SHARES = {"shares": Unit.SHARES}
_MONEY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Gold:
    """One number as tags state it. unit: as in the gold file. dims: sorted axes and members."""

    concept: str
    start: date | None
    end: date
    dims: tuple[tuple[str, str], ...]
    unit: str
    value: Decimal
    shown: str


@dataclass(slots=True)
class Score:
    """How many of the numbers are read, up to each of STEPS, and which are not, by the step that fails."""

    total: int = 0
    right: Counter[str] = field(default_factory=Counter)
    missed: dict[str, list[tuple[Gold, str]]] = field(default_factory=dict)

    def add(self, other: Score) -> None:
        self.total += other.total
        self.right.update(other.right)
        for step, lines in other.missed.items():
            self.missed.setdefault(step, []).extend(lines)


def untagged(page: bytes) -> bytes:
    """A page without its tags: the hidden header goes, everything else stays as it is seen."""
    return _TAG.sub(b"", _HEADER.sub(b"", page))


def read_gold(path: Path) -> list[Gold]:
    """The numbers of a gold file that are printed with digits, each distinct value, unit and last day once."""
    found: dict[tuple[Decimal, str, date], Gold] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        each = json.loads(line)
        if not any(map(str.isdigit, each["shown"])) or each["value"] is None:
            continue
        gold = Gold(
            each["concept"],
            date.fromisoformat(each["start"]) if each["start"] else None,
            date.fromisoformat(each["end"]),
            tuple(sorted((axis, member) for axis, member in each["dims"])),
            each["unit"],
            Decimal(each["value"]),
            each["shown"],
        )
        found.setdefault((gold.value, gold.unit, gold.end), gold)
    return list(found.values())


def full_value(fact: Fact) -> Decimal:
    """The amount in full units: that of its tag, else as printed, with its scale."""
    if fact.exact is not None:
        return fact.exact
    if fact.unit is Unit.PERCENT:
        return fact.value / 100
    if fact.unit is Unit.BASIS_POINTS:
        return fact.value / 10000
    return fact.value * (fact.scale or 1)


def same_unit(unit: str | None, gold: str) -> bool:
    """Whether a unit is that of the tag. What is no money and no price is a pure number or a count of something."""
    if gold == "shares":
        return unit is not None and str(unit) in ("shares", "share")
    if gold.endswith("/shares"):
        return unit == f"{gold.removesuffix('/shares')}/share"
    if _MONEY.fullmatch(gold):
        return unit == gold
    return unit is None or not _MONEY.match(str(unit))


def score_report(golds: Iterable[Gold], facts: Iterable[Fact], tagged: bool) -> Score:
    """Looks for each number among the facts of the report."""
    by_value: dict[Decimal, list[Fact]] = {}
    by_digits: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.entity_type == "Numeral":
            continue
        value = full_value(fact)
        by_value.setdefault((value if tagged else value.copy_abs()).normalize(), []).append(fact)
        by_digits.setdefault(_digits(fact.value), []).append(fact)
    score = Score()
    for gold in golds:
        score.total += 1
        value = gold.value if tagged else gold.value.copy_abs()
        here = by_value.get(value.normalize(), [])
        steps: list[list[Fact]] = [here, [fact for fact in here if same_unit(fact.unit, gold.unit)]]
        steps.append([fact for fact in steps[-1] if _same_period(fact, gold, tagged)])
        if tagged:
            steps.append([f for f in steps[-1] if f.concept == gold.concept and f.dimensions == gold.dims])
        for step, found in zip(STEPS, steps, strict=False):
            if found:
                score.right[step] += 1
                continue
            near = by_digits.get(_digits(gold.value), []) if step == "value" else steps[STEPS.index(step) - 1]
            score.missed.setdefault(step, []).append((gold, _why(step, gold, near)))
            break
    return score


def _same_period(fact: Fact, gold: Gold, tagged: bool) -> bool:
    period = fact.period
    if period is None or period.end != gold.end:
        return False
    return not tagged or period.start == (gold.start or gold.end)


def _digits(value: Decimal) -> str:
    return "".join(map(str, value.copy_abs().normalize().as_tuple().digits))


def _why(step: str, gold: Gold, near: list[Fact]) -> str:
    """The class of a miss, from the nearest facts."""
    if not near:
        return "digits are in no fact"
    fact = next((each for each in near if each.table is not None), near[0])
    kind = fact.kind.value
    if step == "value":
        return f"{kind}: read with scale {fact.scale} and unit {fact.unit}"
    if step == "unit":
        return f"{kind}: {fact.unit} from {fact.unit_from} for {gold.unit}"
    if step == "period":
        own = fact.period
        said = "no period" if own is None else f"{own.kind.value} from {fact.period_from}"
        return f"{kind}: {said} for {'a day' if gold.start is None else f'{(gold.end - gold.start).days + 1} days'}"
    return f"{kind}: another concept or other dimensions"


def lines_of(score: Score, misses: int) -> Iterator[str]:
    """What a score says, and examples of what is missed."""
    reached = [f"{step} {score.right[step]} ({100 * score.right[step] / max(1, score.total):.2f}%)" for step in STEPS]
    yield f"{score.total} numbers: " + ", ".join(reached)
    for step, lines in score.missed.items():
        yield f"  not read by {step}: {len(lines)}"
        for why, count in Counter(why for _, why in lines).most_common(12):
            yield f"    {count:5} {why}"
            for gold, _ in [each for each in lines if each[1] == why][:misses]:
                said = f"{gold.shown} = {gold.value} {gold.unit} {gold.start or ''}..{gold.end} {gold.concept}"
                yield f"          {said} {' '.join(member for _, member in gold.dims)}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--untagged", "without", is_flag=True, help="Take every tag out first.")
@click.option("--misses", type=int, default=0, help="Examples of each class of what is missed.")
def main(files: tuple[Path, ...], without: bool, misses: int) -> None:
    """Measure the reading of tagged FILES against their tags."""
    ontology = default_ontology(None)[0]
    whole = Score()
    for path in files:
        gold = path.with_suffix(".facts.jsonl")
        if not gold.exists():
            raise click.UsageError(f"{str(path)!r} has no {gold.name} beside it to be measured against")
        document = read_web_page(untagged(path.read_bytes()), path.stem) if without else read_report(path)
        facts = build(document, ontology).facts()
        is_tagged = bool(document.tags) or any(table.tags for table in document.tables)
        score = score_report(read_gold(gold), facts, is_tagged)
        statements = ", ".join(sorted(STATEMENTS & {fact.entity_type for fact in facts})) or "no statement"
        about = f"{document.company or 'no company'}, {document.form or 'no form'}, {document.ended or 'no last day'}"
        click.echo(f"{path.name}: {next(lines_of(score, 0))}; {about}; {statements}")
        whole.add(score)
    for line in lines_of(whole, misses):
        click.echo(line)


if __name__ == "__main__":
    main()
