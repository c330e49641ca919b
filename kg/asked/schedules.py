"""Which figure of a table of years ahead a question asks for, by the row or column that is headed by the year."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, is_instant, not_among, report_of, table_of, words_of, year_of
from tieout.ontology.asked.schedules import scheduled_words, without_bare

TOTAL = "total"
EARLY = 3  # the month up to which a fiscal year may be called by the year before
_HEADED = re.compile(  # no day
    r"(?<![a-z] \d)(?<![a-z] \d\d)(?:^|, )(?:(?:fiscal|calendar) )?(?:years? )?(?P<year>20\d\d)$", re.IGNORECASE
)
_LATER = re.compile(
    r"(?:^|, )(?P<year>(?:(?:20\d\d|five years) and )?(?:thereafter|beyond|later(?: years)?))$", re.IGNORECASE
)


def figures_of_schedule(lower: str, open_: frozenset[str], facts: Sequence[Fact], year: int) -> tuple[list[Fact], bool]:
    """The figure of a year ahead of the reports, and whether no other may be meant; none where no table has it.
    lower: the question, in lower case; open_: its words that must stand at or above the figure."""
    left, tables = words_of(scheduled_words(lower) or ""), [fact for fact in facts if fact.kind is FactKind.TABLE]
    latest = _latest(tables)
    if not left or not latest or not _is_ahead(tables, year, max(latest.values())):
        return [], False
    of_last = [fact for fact in tables if latest.get(report_of(fact)) == max(latest.values())]
    found = [each for fact in of_last if (each := _of_year(fact, year, left, open_)) is not None]
    if not found:
        return [], False
    found.sort(key=lambda each: each.order)
    first, made = found[0], found[0].fact
    alike = [each for each in found if each.lacking == first.lacking and amount_of(each.fact) != amount_of(made)]
    in_table = [each for each in alike if each.apart == first.apart and table_of(each.fact) == table_of(made)]
    if any(first.others or not each.others for each in in_table):
        return [], False
    named = words_of(without_bare(_HEADED.sub("", made.label).removesuffix(made.caption).lower()))
    is_other = bool(named) and not_among(named, left) == named  # than what stands over it, as far as its label says
    is_one = all(table_of(each.fact) == table_of(made) for each in alike)
    return [made], not first.lacking and not made.marks and not is_other and is_one


def years_of_schedule(lower: str, open_: frozenset[str], facts: Sequence[Fact]) -> tuple[list[Fact], list[str], bool]:
    """The figures of all years ahead in the row or column that a question asks for, with how each is headed, and
    whether no other may be meant; those `thereafter` too, and no total."""
    latest = _latest([fact for fact in facts if fact.kind is FactKind.TABLE])
    for year in (max(latest.values()).year + ahead for ahead in (1, 2)) if latest else ():
        found, is_one = figures_of_schedule(f"{lower} {year}", open_, facts, year)
        if found:
            return *_line_of(found[0], facts), is_one
    return [], [], False


def _line_of(one: Fact, facts: Sequence[Fact]) -> tuple[list[Fact], list[str]]:
    """The figures that stand in one column or row with that of a year, each headed by another year, and how they are
    headed."""
    beside: list[dict[str, Fact]] = [{}, {}]
    for fact in facts:
        headed = next(
            filter(None, (each.search(text) for text in (fact.header, fact.label) for each in (_HEADED, _LATER))), None
        )
        if headed and table_of(fact) == table_of(one) and is_currency(fact.unit):
            for line, is_in in zip(
                beside, (fact.column == one.column and fact.section == one.section, fact.row == one.row), strict=True
            ):
                if is_in:
                    line.setdefault(headed["year"], fact)
    found = max(beside, key=len)
    return [*found.values()], [*found]


class _Found(NamedTuple):
    """A figure of the year. lacking: words of the question that stand neither at it nor above; others: words at it that
    the question has not; below, apart: words of the question that do not stand above it, and not at it."""

    lacking: int
    others: int
    below: int
    apart: int
    fact: Fact

    @property
    def order(self) -> tuple[int, ...]:
        return self[:4]


def _latest(facts: Sequence[Fact]) -> dict[str, date]:
    """The day of which most balances of each report are."""
    days: dict[str, Counter[date]] = {}
    for fact in facts:
        if fact.period is not None and fact.period.end and is_instant(fact):
            days.setdefault(report_of(fact), Counter())[fact.period.end] += 1
    return {report: counted.most_common(1)[0][0] for report, counted in days.items()}


def _is_ahead(facts: Sequence[Fact], year: int, last: date) -> bool:
    """Whether a year is ahead of the company: after its last day, and in no table with the years before."""
    if year <= last.year - (last.month <= EARLY):
        return False
    flows: dict[tuple[str, int], set[int]] = {}
    for fact in facts:
        if is_instant(fact) is False:
            flows.setdefault(table_of(fact), set()).add(year_of(fact) or year)
    return not any(year in years and min(years) <= last.year for years in flows.values())


def _of_year(fact: Fact, year: int, left: frozenset[str], open_: frozenset[str]) -> _Found | None:
    """A figure with what it has of a question; None for one of another year, or that has too little of it."""
    if not is_currency(fact.unit) or year not in (_year(fact.label), _year(fact.header)):
        return None
    above = words_of(fact.caption)
    label = _HEADED.sub("", fact.label).removesuffix(fact.caption)  # that of its table where its column has none
    own = words_of(f"{label} {fact.section} {_HEADED.sub('', fact.header)}")
    missing = not_among(left, own | above)
    if missing & open_ or len(missing) * 2 > len(left):
        return None
    others = len(own - left - above) * (TOTAL not in own)
    return _Found(len(missing), others, len(not_among(left, above)), len(not_among(left, own)), fact)


def _year(text: str) -> int | None:
    """The year that a label or header is or ends in; None where it has none."""
    headed = _HEADED.search(text)
    return int(headed["year"]) if headed else None
