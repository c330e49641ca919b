"""What in a table tells that its rows, columns or blocks are parts of a company: words over it, and what adds up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit
from tieout.data.tables.sums import parts_of
from tieout.data.tables.table import Line
from tieout.kg.drafts.draft import TableDraft
from tieout.kg.drafts.parts.places import PLACES, REST, bare_name, is_item

_SEGMENTS = later(
    r"\b(?:segments?|geograph\w+|disaggregat\w+|lines? of business|divisions?|business units?)\b"
    r"|\bby (?:[a-z]+ ){0,3}(?:region|regions|country|countries|areas?|territor\w+|business(?:es)?)\b",
    re.IGNORECASE,
)
_PRODUCTS = later(
    r"\b(?:revenues?|sales|turnover)\b.*\bby (?:[a-z]+ ){0,3}(?:products?|services?|sources?|categor\w+|markets?|"
    r"channels?|brands?|customers?|types?|lines?|streams?)\b",
    re.IGNORECASE,
)
_REVENUE = later(r"\b(?:revenues?|sales|turnover|premiums)\b")
_PROFIT = later(r"\b(?:operating|segment|pre-?tax|before) ?(?:income|profit|loss|earnings|result|tax|interest)")
_OF_RESULTS = later(r"\b(?:revenues?|sales|costs? of|gross|profit|margin|income|earnings)\b", re.IGNORECASE)
_ALL_REVENUE = later(r"\b(?:net|operating) (?:sales|revenues?)(?: and revenues?)?$")
_TOTAL = later(r"\b(?:totals?|consolidated|worldwide|company as a whole)\b")
TAX = later(r"\btax(?:es|ation|able)?\b|\bpensions?\b|\bretirement\b", re.IGNORECASE)
# Columns that add up and are no parts: steps of a reconciliation, kinds of equity, levels, times.
_NO_PARTS = later(
    r"\badjust|reported|pro forma|restat|histor|gaap\b|effect|before|after|change|level [123]|stock|paid-in|retained|"
    r"accumulated|comprehensive|treasury|noncontrolling|shares|equity|warrant|year|quarter|month|due|past|current|"
    r"balance|amount|cost|fair value|gross|unrealized|number|average|percent|%|carrying|plan|hedg|level|thereafter",
)
MOST_WORDS = 7  # of the name of a part
_INTRODUCTION = 300  # letters in front of a table that say what it is by
FEWEST = 2  # parts that stand beside one another


class TableParts:
    """One table with what tells its parts: words over it, and what adds up."""

    def __init__(self, draft: TableDraft, title: str, section: str) -> None:
        self.draft, self.title, self.section = draft, title, section
        layout = draft.layout
        self.rows = list(layout.rows)
        self.columns = [line for line in layout.columns if line.name]

    @cached_property
    def words(self) -> str:
        """What is said over the table."""
        said = (self.title, self.draft.caption, self.section, self.draft.layout.corner)
        return " . ".join((*said, self.draft.introduction[-_INTRODUCTION:]))

    @cached_property
    def is_by_segment(self) -> bool:
        return bool(_SEGMENTS.search(self.words))

    @cached_property
    def is_by_part(self) -> bool:
        return self.is_by_segment or any(_PRODUCTS.search(text) for text in self.words.split(" . "))

    @cached_property
    def amounts(self) -> dict[tuple[int, int], Decimal]:
        """The amounts of its cells that can add up."""
        return {
            (cell.row, cell.column): cell.amounts[0].value
            for cell in self.draft.layout.cells
            if len(cell.amounts) == 1 and cell.amounts[0].unit not in (Unit.PERCENT, Unit.CALENDAR_YEAR)
        }

    @cached_property
    def blocks(self) -> dict[int, list[int]]:
        """The rows that are totals and those in front of them that add up to them, as places in `rows`."""
        columns = [line.index for line in self.draft.layout.columns]
        if not any(is_total(row) for row in self.rows):
            return {}
        lines = [[self.amounts.get((row.index, column)) for column in columns] for row in self.rows]
        return parts_of(lines, [is_total(row) or bool(_ALL_REVENUE.search(row.name)) for row in self.rows])

    @cached_property
    def column_blocks(self) -> dict[int, list[int]]:
        """As blocks, of the columns, as places in `columns`."""
        if len(self.columns) <= FEWEST or not any(is_total(line) for line in self.columns):
            return {}
        lines = [[self.amounts.get((row.index, line.index)) for row in self.rows] for line in self.columns]
        return parts_of(lines, [is_total(line) for line in self.columns])

    def summed_rows(self) -> Iterator[list[Line]]:
        """The groups of rows that are parts: they add up to a total, and words or places say that they are."""
        if not self.is_by_part and not any(row.name in PLACES for row in self.rows):
            return
        for places in self.blocks.values():
            lines = [self.rows[at] for at in places if at not in self.blocks and not is_total(self.rows[at])]
            names = [bare_name(line.name) for line in lines]
            told = [name for name in names if not REST.fullmatch(name)]
            if not told or any(is_item(name) or name.count(" ") >= MOST_WORDS for name in told):
                continue
            placed = sum(name in PLACES for name in told)
            if self.is_by_part or (placed * 2 > len(told) and placed >= FEWEST and not TAX.search(self.words)):
                yield lines

    def summed_columns(self) -> list[Line]:
        """The columns that are parts, with totals of some of them: they add up over the lines of a result."""
        if any(_NO_PARTS.search(line.name) for line in self.columns) or not self.column_blocks:
            return []
        names = [row.name for row in self.rows]
        has_result = any(map(_REVENUE.search, names)) and any(map(_PROFIT.search, names))
        placed = sum(line.name in PLACES for line in self.columns)
        if not (self.is_by_segment or has_result or placed >= FEWEST) or TAX.search(self.title):
            return []
        return [self.columns[at] for places in self.column_blocks.values() for at in places]

    def repeated_rows(self) -> Iterator[list[str]]:
        """The names of rows that stand under two sub-headings of a statement and add up under one of them."""
        under: dict[str, list[str]] = {}
        for row in self.rows:
            if row.section and not row.is_total and _OF_RESULTS.search(row.section):
                under.setdefault(row.section, []).append(bare_name(row.name))
        seen = [set(names) for names in under.values()]
        for at, names in enumerate(seen):
            for other in seen[at + 1 :]:
                both = {name for name in names & other if not is_item(name)}
                if len({name for name in both if not REST.fullmatch(name)}) >= FEWEST and self._adds_up(both):
                    yield sorted(both)

    def blocks_of_parts(self) -> list[str]:
        """The sub-headings over the same lines of a result, block by block, that are parts: those of a total are their
        sums, or words say that the table is by segment."""
        under: dict[str, dict[str, int]] = {}
        for row in self.rows:
            if row.section:
                under.setdefault(row.section, {}).setdefault(row.name, row.index)
        own = {heading: rows for heading, rows in under.items() if not _TOTAL.search(heading.lower())}
        if len(own) < FEWEST or any(is_item(bare_heading(heading)) for heading in own):
            return []
        shared = set.intersection(*(set(rows) for rows in own.values()))
        if len(shared) < FEWEST or not any(map(_REVENUE.search, shared)):
            return []
        totals = [rows for heading, rows in under.items() if heading not in own]
        summed = any(self._are_summed(name, own.values(), rows) for rows in totals for name in shared & set(rows))
        return [bare_heading(heading) for heading in own] if summed or self.is_by_segment else []

    def _are_summed(self, name: str, blocks: Iterable[Mapping[str, int]], total: Mapping[str, int]) -> bool:
        columns = [line.index for line in self.draft.layout.columns]
        rows = [*(block[name] for block in blocks), total[name]]
        lines = [[self.amounts.get((row, column)) for column in columns] for row in rows]
        return bool(parts_of(lines, [row == rows[-1] for row in rows]))

    def _adds_up(self, names: set[str]) -> bool:
        return any(names <= {bare_name(self.rows[at].name) for at in places} for places in self.blocks.values())


def bare_heading(heading: str) -> str:
    return bare_name(heading.lower().strip(" :"))


def is_total(line: Line) -> bool:
    return line.is_total or bool(_TOTAL.search(line.name))
