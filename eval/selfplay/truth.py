"""What the tags of a filing say, of which questions and their answers are made: amounts by concept and fiscal year, and
the words that the filing prints them by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path

from tieout.data.document import Document, Tag
from tieout.data.readers.read import DataError
from tieout.data.readers.report import read_report
from tieout.eval.analyst import Stated, stated_by
from tieout.eval.questions import YEAR, fiscal_ends
from tieout.kg.filings.fiscal import likely_offset
from tieout.kg.filings.naming import short
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import line_items

_NOTE = re.compile(r"\s*(?:\((?:\d{1,2}|[a-z]|see note.*?|note.*?)\)|\[[a-z0-9]+\])", re.IGNORECASE)
NEAR, LEAST = Decimal("0.005"), Decimal("0.000001")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Row:
    """A tagged number. start, end: days; start is None for a balance. label: of its row, "" for one in a sentence."""

    concept: str
    value: Decimal
    start: date | None
    end: date
    unit: str
    dimensions: tuple[tuple[str, str], ...]
    label: str

    @property
    def is_year(self) -> bool:
        """Whether it is of a fiscal year, or of a day."""
        return self.start is None or (self.end - self.start).days in YEAR


@dataclass(frozen=True)
class Truth:
    """A filing by its tags. named: how much its calendar year is ahead of the fiscal year that ends in it."""

    path: Path
    company: str
    ticker: str
    rows: tuple[Row, ...]
    stated: Stated
    ends: Mapping[int, date]
    named: int

    @property
    def doc(self) -> str:
        """The name of the filing."""
        return self.path.stem

    @cached_property
    def called(self) -> str:
        """The company as people say it."""
        return short(self.company)

    @cached_property
    def whole(self) -> Mapping[str, Mapping[date, Decimal]]:
        """What is stated of the whole company in years and at their ends, by concept and last day. An amount that is
        stated twice otherwise, beyond rounding, is left out."""
        found: dict[str, dict[date, Decimal | None]] = {}
        for row in self.rows:
            if not row.dimensions and row.is_year:
                by_end = found.setdefault(row.concept, {})
                known = by_end.setdefault(row.end, row.value)
                if known is not None and not is_near(row.value, known):
                    by_end[row.end] = None
        return {
            concept: {end: value for end, value in by_end.items() if value is not None}
            for concept, by_end in found.items()
        }

    @cached_property
    def printed(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of the rows of the whole company's amounts, by concept."""
        found: dict[str, dict[str, None]] = {}
        for row in self.rows:
            if row.label and not row.dimensions:
                found.setdefault(row.concept, {})[row.label] = None
        return {concept: tuple(labels) for concept, labels in found.items()}

    def amount(self, concept: str, year: int) -> Decimal | None:
        """What a concept is in a fiscal year."""
        return self.whole.get(concept, {}).get(self.ends[year])

    def when(self, year: int, is_instant: bool) -> str:
        """A fiscal year as the company counts it. year: in which it ends."""
        return f"at the end of fiscal {year - self.named}" if is_instant else f"in fiscal {year - self.named}"


def read_truth(path: Path) -> Truth:
    """Reads the tags of a filing. Raises DataError for a file without them, or without a fiscal year, OSError."""
    document = read_report(path)
    rows = tuple(_rows(document))
    facts = [_fact(row) for row in rows]
    stated = stated_by(facts)
    if not stated.years:
        raise DataError(f"{str(path)!r}: no tag states an amount of a whole fiscal year, so nothing is asked of it")
    ends = {end.year: end for end in map(date.fromisoformat, fiscal_ends(facts))}
    about = dict(document.about)
    focus = about.get("DocumentFiscalYearFocus", "")
    last = stated.years[0]
    named = -likely_offset(ends[last].month, int(focus) - last) if focus.isdecimal() and last in ends else 0
    return Truth(path, document.company or path.stem, about.get("TradingSymbol", ""), rows, stated, ends, named)


def _rows(document: Document) -> Iterator[Row]:
    for table in document.tables:
        for cell in table.tags:
            text = table.rows[cell.row][cell.column]
            if _is_number(cell.tag, text):
                yield _row(cell.tag, label_of(table.rows[cell.row]))
    for paragraph in document.tags:
        if _is_number(paragraph.tag, document.paragraphs[paragraph.paragraph]):
            yield _row(paragraph.tag, "")


def _is_number(tag: Tag, text: str) -> bool:
    is_printed = tag.printed is not None and _DIGIT.search(text[slice(*tag.printed)]) is not None
    return is_printed and tag.value is not None and tag.end is not None and not tag.concept.startswith("dei:")


def _row(tag: Tag, label: str) -> Row:
    assert tag.value is not None and tag.end is not None
    return Row(tag.concept, tag.value, tag.start, tag.end, tag.unit or "", tag.dimensions, label)


def _fact(row: Row) -> Mapping[str, object]:
    """A row as the files of facts hold it."""
    start = row.start.isoformat() if row.start else None
    return {
        "concept": row.concept,
        "start": start,
        "end": row.end.isoformat(),
        "dims": row.dimensions,
        "value": row.value,
        "shown": str(row.value),
    }


def is_near(value: Decimal, other: Decimal) -> bool:
    """Whether two amounts are the same but for rounding: within 0.5%."""
    return abs(value - other) <= max(NEAR * abs(other), LEAST)


def label_of(cells: Sequence[str]) -> str:
    """The label of a row, without the marks of its notes."""
    return " ".join(_NOTE.sub("", cells[0]).strip(" :*†").split()) if cells else ""


@lru_cache(maxsize=1)
def item_of_concept() -> Mapping[str, str]:
    """The line items by their concepts."""
    found: dict[str, str] = {}
    for item in line_items().values():
        for concept in item.concepts:
            found.setdefault(concept, item.name)
    return found


def plain(label: str) -> str:
    """A label as labels are compared."""
    return normalise(label)
