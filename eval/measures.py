"""How measures of companies are read from all their filings, held against the tags of the same filings.

    python -m tieout.eval.measures FILES... --store DIR [--untagged] [--misses]

Beside each file `NAME.htm` lies `NAME.facts.jsonl`, as `tieout.eval.reading` has it; what stands before the first `_`
of NAME is the company. Files that the store does not keep are read into it first, --untagged without their tags. The
measures are those of measures.toml, in every fiscal year, quarter and span to date that a tag states of the whole
company. What the newest filing states counts. An amount within 0.5% is right; one that is not is silent where it has no
flag and a chance of 60% or more.
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

import click

from tieout.eval.companies import NEAR, SURE, made_of
from tieout.eval.reading import untagged
from tieout.eval.score.score import wilson
from tieout.kg.companies.compare import Line, compare
from tieout.kg.companies.library import Library, open_library
from tieout.kg.filings.fiscal import SPANS, length_of
from tieout.kg.options import store_option
from tieout.kg.reports.indexing import FAILED, index_files
from tieout.kg.store.kept import sources_of
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.model import default_ontology

MEASURES = Path(__file__).with_name("measures.toml")
PERIODS = ("FY", "Q1", "Q2", "Q3", "Q4", "H1", "9M")
LEAST = Decimal("0.000001")
_NUMBER = re.compile(r"[\d,]*\.?\d+")
OUTCOMES = ("right", "missing", "wrong", "silent")

Span = tuple[str, date]  # `FY`, `Q`, `H` or `9M`, "" for a balance, and the last day
Golds = dict[tuple[str, Span], tuple[Decimal, ...]]  # what is right, by measure


@dataclass(frozen=True, slots=True)
class Judged:
    """A measure of a company in a span with what came of it: one of OUTCOMES, of which `silent` is wrong too. said: as
    read."""

    company: str
    measure: str
    span: Span
    gold: tuple[Decimal, ...]
    outcome: str
    said: str = ""


def span_of(start: date | None, end: date, within: Collection[date] = ()) -> Span | None:
    """The span from a first to a last day; None for one that no fiscal period is of: twelve months that end `within` a
    fiscal year, beside six or nine of it, are none."""
    if start is None:
        return "", end
    name = next((name for name, lengths in SPANS if length_of(start, end) in lengths), None)
    return None if name is None or (name == "FY" and end in within) else (name, end)


def golds_of(filings: Iterable[Path]) -> Golds:
    """What the tags of a company's filings state of each measure; the newest filing that states one counts."""
    told = tomllib.loads(MEASURES.read_text(encoding="utf-8"))
    golds: Golds = {}
    read = ([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in filings)
    for rows in sorted(read, key=made_of):
        by_concept: dict[str, dict[Span, Decimal]] = defaultdict(dict)
        days = [(row["start"] and date.fromisoformat(row["start"]), date.fromisoformat(row["end"])) for row in rows]
        closing = {end for start, end in days if start}
        within = {span[1] for start, end in days if (span := span_of(start, end)) and span[0] in ("H", "9M")}
        for row, (start, end) in zip(rows, days, strict=True):
            span = span_of(start, end, within)
            if not row["dims"] and row["value"] is not None and span and end in closing:
                by_concept[row["concept"]][span] = Decimal(row["value"])
        stated = dict(_stated(told["stated"], by_concept))
        for key, calculated in _calculated(told["calculated"], stated):
            stated[key] = (*stated.get(key, ()), calculated)
        golds |= stated
    return golds


def _stated(
    measures: Mapping[str, Sequence[str]], by_concept: Mapping[str, Mapping[Span, Decimal]]
) -> Iterator[tuple[tuple[str, Span], tuple[Decimal, ...]]]:
    for measure, preferred in measures.items():
        found: dict[Span, tuple[Decimal, ...]] = {}
        for concepts in reversed(preferred):
            there = [by_concept.get(f"us-gaap:{concept}", {}) for concept in concepts.split("|")]
            if any(there):
                spans = {span for values in there for span in values}
                found = {span: tuple(values[span] for values in there if span in values) for span in spans}
        yield from (((measure, span), values) for span, values in found.items())


def _calculated(measures: Mapping[str, Sequence[str]], stated: Golds) -> Iterator[tuple[tuple[str, Span], Decimal]]:
    for measure, (left, sign, right) in measures.items():
        for (name, span), (value, *_) in tuple(stated.items()):
            other = stated.get((right, span), (Decimal(0),))[0]
            if name == left and other:
                yield (measure, span), value / other if sign == "/" else value - other


def judge(library: Library, company: str, files: Sequence[Path]) -> Iterator[Judged]:
    """Holds what is kept of one company against the tags of its files."""
    golds = golds_of(path.with_suffix(".facts.jsonl") for path in files)
    stems = {path.stem for path in files}
    kept = [each for each in library.companies if any(filing.report in stems for filing in each.filings)]
    measures = list(dict.fromkeys(measure for measure, _ in golds))
    found: dict[tuple[str, Span], Line] = {}
    for line in compare(library, measures, kept, None, PERIODS):
        ended = line.value.end
        spans = (span_of(line.value.start, ended), ("", ended)) if ended else ()
        for span in (each for each in spans if each is not None):
            found.setdefault((line.measure, span), line)
    for (measure, span), gold in sorted(golds.items(), key=lambda each: (each[0][0], each[0][1][1], each[0][1][0])):
        seen = found.get((measure, span))
        if seen is None:
            yield Judged(company, measure, span, gold, "missing")
            continue
        value = seen.value
        is_right = any(abs(abs(value.amount) - abs(one)) <= max(NEAR * abs(one), LEAST) for one in gold)
        is_silent = not value.flags and value.probability >= SURE
        outcome = "right" if is_right else "silent" if is_silent else "wrong"
        place = value.sources[0].observed.place if value.sources else ""
        yield Judged(company, measure, span, gold, outcome, f"{value.amount} {value.program} {place} {value.flags}")


def restated(library: Library, files: Iterable[Path]) -> Iterator[tuple[str, bool, bool]]:
    """The observations whose tag two filings of a company state, or that are marked: what they are, whether the tags
    differ by more than both are rounded, whether they are marked."""
    stated = {path.stem: _by_key(path.with_suffix(".facts.jsonl")) for path in files}
    library.need(line_items())
    for company in library.companies:
        for each in (each for item in line_items() for each in library.observations(company, item)):
            start = each.start.isoformat() if each.start else None
            key = each.stated.concept, start, each.end.isoformat()
            there = [stated[one.report][key] for one in company.filings if key in stated.get(one.report, ())]
            if each.stated.concept and (len(there) > 1 or each.restated):
                differs = any(abs(there[0][0] - old) > (there[0][1] + place) / 2 for old, place in there[1:])
                yield f"{company.name} {each.item} {each.end}", differs, bool(each.restated)


def _by_key(path: Path) -> dict[tuple[str, str | None, str], tuple[Decimal, Decimal]]:
    """What the tags of a filing state of the whole company, and what one more in the last printed digit is worth."""
    found: dict[tuple[str, str | None, str], tuple[Decimal, Decimal]] = {}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if not row["dims"] and row["value"] is not None:
            value, printed = Decimal(row["value"]), _NUMBER.search(row["shown"])
            number = Decimal(printed[0].replace(",", "")) if printed else Decimal(0)
            last = Decimal(1).scaleb(int(number.as_tuple().exponent))
            place = abs(value / number) * last if number else last
            found.setdefault((row["concept"], row["start"], row["end"]), (value, place))
    return found


def read_into(store: Path, files: Iterable[Path], without: bool) -> None:
    """Reads into a store those of the files that it does not keep. Raises UsageError for one that cannot be read."""
    kept = sources_of(store)
    new = [path for path in files if path.stem not in kept]
    with tempfile.TemporaryDirectory() as folder:
        for path in new if without else ():
            (Path(folder) / path.name).write_bytes(untagged(path.read_bytes()))
        pages = [Path(folder) / path.name for path in new] if without else new
        for step in index_files(pages, default_ontology(None)[0], store):
            if step.outcome == FAILED:
                raise click.UsageError(f"{step.path}: {step.why}")


def table_of(judged: Iterable[Judged], by: str) -> Iterator[str]:
    """A line for each company or measure, and one for all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in judged:
        for name in (getattr(each, by), "all"):
            counts[name][each.outcome] += 1
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        count = counts[name]
        total = count.total()
        told = ", ".join(f"{count[outcome]} {outcome}" for outcome in OUTCOMES[1:] if count[outcome])
        low, high = wilson(count["right"], total)
        yield (
            f"{name:45} {count['right']:5} of {total:5} {count['right'] / total:6.1%} ({low:.1%} to {high:.1%}) {told}"
        )


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--untagged", "without", is_flag=True, help="Read without their tags what is not kept yet.")
@click.option("--misses", is_flag=True, help="Each value that is not right.")
@store_option
def main(files: tuple[Path, ...], without: bool, misses: bool, store: Path) -> None:
    """Measure what is read of companies over tagged FILES against their tags."""
    by_company: dict[str, list[Path]] = defaultdict(list)
    for path in files:
        if not path.with_suffix(".facts.jsonl").exists():
            raise click.UsageError(f"{str(path)!r} has no {path.stem}.facts.jsonl beside it to be measured against")
        by_company[path.stem.split("_")[0]].append(path)
    read_into(store, files, without)
    with open_library(store) as library:
        judged = [each for company, own in sorted(by_company.items()) for each in judge(library, company, own)]
        twice = list(restated(library, files))
    if misses:
        for each in judged:
            if each.outcome != "right":
                name, end, gold = *each.span, " or ".join(map(str, each.gold))
                click.echo(f"{each.outcome}: {each.company} {each.measure} {name} {end}: tags {gold}, read {each.said}")
        for what in (what for what, differs, is_marked in twice if differs != is_marked):
            click.echo(f"restated or not: {what}")
    for by in ("measure", "company"):
        for line in table_of(judged, by):
            click.echo(line)
    marked = [is_marked for _, differs, is_marked in twice if differs]
    others = sum(is_marked for _, differs, is_marked in twice if not differs)
    click.echo(f"restated by two filings' tags: {len(marked)}, marked {sum(marked)}; marked without: {others}")


if __name__ == "__main__":
    main()
