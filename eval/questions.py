"""Questions with known answers, made from the tags of filings: `python -m tieout.eval.questions FACTS.jsonl... -o OUT`.

FACTS: one fact a line, `{concept, start, end, dims, unit, value, shown}`, as Inline XBRL states it (values in full
units). A question asks for a concept without dimensions, of the whole report, in a fiscal year that the report prints:
`what was {label} in fiscal {year}?`. The label is one that people say (`tieout.ontology.metrics`), else the words of
the concept's own name. Which concepts and years are asked follows from the file alone, in its order of names.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import click

from tieout.data.console import one_line
from tieout.kg.filings.direction import asked_way, own_way
from tieout.kg.filings.fiscal import likely_offset
from tieout.ontology.asked.language import language
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric

YEAR = range(350, 381)  # days of a fiscal year of 52 or 53 weeks
MOST_YEARS = 2
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_FOCUS = re.compile(rb'name="dei:DocumentFiscalYearFocus"[^>]*>(?:<[^>]*>)*([0-9]{4})')
_QUARTER = re.compile(rb'name="dei:DocumentFiscalPeriodFocus"[^>]*>(?:<[^>]*>)*Q[1-4]')
LONGEST_NAME = 8  # words of a concept's own name that somebody would say


class FactsError(ValueError):
    """A file that does not hold facts as the module says."""


def make_questions(doc: str, facts: Iterable[Mapping[str, Any]], offset: int = 0) -> Iterator[dict[str, Any]]:
    """The questions about one filing, each `{id, doc, question, gold, gold_number, percent, concept, end}`. offset: as
    `year_offset` tells it."""
    by_concept: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    ambiguous: set[tuple[str, str]] = set()
    for fact in facts:
        concept, end = str(fact["concept"]), str(fact["end"])
        if fact["dims"] or not _is_asked(fact):
            continue
        known = by_concept[concept].setdefault(end, fact)
        if Decimal(str(known["value"])) != Decimal(str(fact["value"])):
            ambiguous.add((concept, end))
    ends = _ends_of_most(by_concept.values())
    for concept in sorted(by_concept):
        years = [end for end in ends if end in by_concept[concept] and (concept, end) not in ambiguous]
        for end in years[:MOST_YEARS]:
            for label in labels_of(concept):
                yield _question(doc, label, by_concept[concept][end], offset)


def _is_asked(fact: Mapping[str, Any]) -> bool:
    """Whether a fact is of a whole year or of a day, stated by an accountant, and printed in digits."""
    if str(fact["concept"]).startswith("dei:") or not _DIGIT.search(str(fact["shown"])):
        return False
    return fact["start"] is None or _days(fact) in YEAR


def _days(fact: Mapping[str, Any]) -> int:
    return (date.fromisoformat(fact["end"]) - date.fromisoformat(fact["start"])).days


def fiscal_ends(facts: Iterable[Mapping[str, Any]]) -> list[str]:
    """The last days of the fiscal years that most concepts of a filing have, the latest first."""
    by_concept: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for fact in facts:
        if not fact["dims"] and _is_asked(fact):
            by_concept[str(fact["concept"])].setdefault(str(fact["end"]), fact)
    return _ends_of_most(by_concept.values())


def _ends_of_most(concepts: Iterable[Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """The last days of the fiscal years that most concepts of a whole year have, the latest first."""
    counted: dict[str, int] = defaultdict(int)
    for of_end in concepts:
        for end, fact in of_end.items():
            counted[end] += fact["start"] is not None
    most = max(counted.values(), default=0)
    return sorted((end for end, count in counted.items() if count * 3 >= most > 0), reverse=True)


def labels_of(concept: str) -> Sequence[str]:
    """What people call a concept: the first and the shortest label of its line item that name no other one, as a
    question reads them, nor another metric (`debt`), and count as it does, a loss as a loss, else the words of its own
    name."""
    item = _items().get(concept)
    if item is not None:
        asked = {label: find_line_item(language().written_out(label)) for label in item.labels}
        named = [label for label, of in asked.items() if of == item] or [*item.labels]
        others = [label for label in named if (metric := find_metric(label)) is not None and metric.name != item.name]
        named = [label for label in named if label not in others] or named
        own = [label for label in named if asked_way(label, item) == own_way(item)] or named
        return tuple(dict.fromkeys((own[0], min(own, key=len))))
    if not concept.startswith("us-gaap:"):
        return ()
    words = [word.lower() for word in _WORD.findall(concept.partition(":")[2])]
    return (" ".join(words),) if len(words) <= LONGEST_NAME else ()


@lru_cache(maxsize=1)
def _items() -> Mapping[str, LineItem]:
    found: dict[str, LineItem] = {}
    for item in line_items().values():
        for concept in item.concepts[:1]:
            found.setdefault(concept, item)
    return found


def _question(doc: str, label: str, fact: Mapping[str, Any], offset: int) -> dict[str, Any]:
    year = date.fromisoformat(fact["end"]).year + offset
    when = f"at the end of fiscal {year}" if fact["start"] is None else f"in fiscal {year}"
    item, value = _items().get(fact["concept"]), Decimal(str(fact["value"]))
    is_turned = item is not None and fact["concept"] in item.turned and value  # payments, where what flows in is meant
    return {
        "id": f"{doc}/{fact['concept']}/{fact['end']}/{label}",
        "doc": doc,
        "question": f"What was {label} {when}?",
        "gold": fact["shown"],
        "gold_number": str(value.copy_negate() if is_turned else fact["value"]),
        "percent": False,
        "concept": fact["concept"],
        "end": fact["end"],
    }


def year_offset(path: Path, facts: Iterable[Mapping[str, Any]]) -> int:
    """What is added to the calendar year in which a fiscal year ends to name it as the company does: by the tags of the
    filing beside its facts, of which those of a quarter name the year after its last whole one; 0 where it is not
    there, says nothing, or what cannot be: some files keep the year of an earlier report. Raises OSError."""
    filing = path.with_name(f"{path.name.removesuffix('.facts.jsonl')}.htm")
    page = filing.read_bytes() if filing.is_file() else b""
    said, ends = _FOCUS.search(page), fiscal_ends(facts)
    if not said or not ends:
        return 0
    closing = date.fromisoformat(ends[0])
    return likely_offset(closing.month, int(said[1]) - (_QUARTER.search(page) is not None) - closing.year)


def read_facts(path: Path) -> Iterator[dict[str, Any]]:
    """The facts of a file. Raises FactsError naming the line that is none, OSError."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                fact = json.loads(line, parse_float=Decimal)
            except ValueError as error:
                raise FactsError(f"{str(path)!r}, line {number}: {error}") from error
            if not isinstance(fact, dict) or not {"concept", "start", "end", "dims", "value", "shown"} <= fact.keys():
                raise FactsError(
                    f"{str(path)!r}, line {number}: no fact with concept, start, end, dims, value and shown"
                )
            yield fact


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="JSON Lines, a question each.")
def main(files: tuple[Path, ...], output: Path) -> None:
    """Write questions with known answers, made from the tags of filings."""
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
