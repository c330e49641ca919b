"""Which figures of a list of years ahead a question asks for: of its years, of all later ones, of all together with the
interest in them and what is left without it.

Such a list is a column or a row of a table, or a sentence, each of whose figures is headed by a year. Which of the
others is the total, and which the interest, is told by what they add up to, as notes have many words for them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import chain, pairwise
from typing import NamedTuple

from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, is_instant, not_among, report_of, table_of, words_of
from tieout.ontology.asked.schedules import Part, Scheduled, asked_schedule, without_bare

TOTAL = "total"
EARLY = 3  # the month up to which a fiscal year may be called by the year before
MANY = 2  # figures from which years make a list
_HEADED = re.compile(  # no day
    r"(?:(?:^|(?<![a-z] \d)(?<![a-z] \d\d), )(?:(?:the )?(?:rest|remainder|balance|remaining[a-z ]*) (?:of|in|for) )?"
    r"(?:(?:fiscal|calendar|fy) ?)?(?:years? )?|\b(?:years?|months) end(?:ing|ed) (?:in )?(?:[a-z]+ \d{1,2} ?, )?)"
    r"(?P<year>20\d\d)(?: ?\([^()]*\)){0,2}$",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(?:^|, |\b(?P<first>20\d\d) and )(?:(?:five )?years (?:and )?)?"
    r"(?:thereafter|beyond|later(?: years)?|after 20\d\d)$",
    re.IGNORECASE,
)
_THEREAFTER = re.compile(r"(?P<first>(?!))?\bthereafter\W*$")  # at the end of what a sentence says of an amount
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
_REST = re.compile(r"\b(?:remain\w+|rest|balance of|excluding)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Line:
    """One list of years ahead. years: its figures by year; later: what is behind them, and since: from which year on;
    others: the figures that stand with them in one column, row or sentence."""

    years: dict[int, Fact] = field(default_factory=dict)
    later: Fact | None = None
    since: int = 0
    others: list[Fact] = field(default_factory=list)

    def all(self) -> list[Fact]:
        return [*self.years.values(), *filter(None, (self.later,))]

    @property
    def is_of_rest(self) -> bool:
        """Whether it begins with what is left of a year: `2024 (excluding the first half)`."""
        first = self.years[min(self.years)]
        return _REST.search(f"{first.label} {first.header}") is not None

    def takes(self, fact: Fact) -> bool:
        """Whether a figure goes on with this list, and is no year of another one; it is added if so."""
        headed = _headed(fact)
        if isinstance(headed, int) and (headed in self.years or self.later is not None):
            return False
        if isinstance(headed, int):
            self.years[headed] = fact
        elif headed is not None and self.years and self.later is None:
            self.later, self.since = fact, int(headed["first"] or max(self.years) + 1)
        else:
            self.others.append(fact)
        return True

    def sums(self) -> tuple[Fact | None, Fact | None, Fact | None]:
        """The total, the interest that is in it, and what it comes to without that; None for each that is not there."""
        whole, near = sum(map(_signed, self.all()), Decimal(0)), len(self.all()) * self.all()[0].scale
        found = [at for at, fact in enumerate(self.others) if abs(amount_of(fact) - abs(whole)) <= near]
        if not found:
            return None, None, None
        total, behind = self.others[found[0]], self.others[found[0] + 1 :]
        for less, left in pairwise(behind):
            if abs(amount_of(total) - amount_of(less) - amount_of(left)) <= near:
                return total, less, left
        return total, None, None

    def of(self, part: Part) -> list[Fact]:
        """The figures that make up what is asked for; none where it is not there."""
        total, less, left = self.sums()
        if part.kind == "total":
            return [total] if total is not None else self.all() if self.later is not None else []
        if part.kind in ("interest", "present"):
            return [*filter(None, (less if part.kind == "interest" else left,))]
        if part.kind == "each":
            return self.all()
        if part.kind in ("year", "span"):
            years = range(part.year, max(part.last, part.year) + 1)
            return [self.years[year] for year in years] if self.years.keys() >= {*years} else []
        if part.year and part.year + 1 not in self.years and self.since != part.year + 1:
            return [self.later] if self.later is not None and self.since == part.year else []  # `2029 and thereafter`
        behind = [fact for year, fact in self.years.items() if part.year and year > part.year]
        return [*behind, self.later] if self.later is not None else []


class Found(NamedTuple):
    """What of a list is asked for. heads: what each is called; figures: those that each is the sum of; total: of all,
    where a share of it is asked for; is_one: no other may be meant."""

    wish: Scheduled
    heads: list[str]
    figures: list[list[Fact]]
    total: list[Fact]
    is_one: bool


def figures_of_schedule(text: str, open_: frozenset[str], facts: Sequence[Fact]) -> Found | None:
    """What a question asks for of what falls due in the years ahead of the reports; None where no list has all of it.
    text: the question, in lower case; open_: its words that must stand at or above the figures."""
    latest = _latest([fact for fact in facts if fact.kind is FactKind.TABLE])
    day = max(latest.values(), default=date.min)
    done = day.year - (day.month <= EARLY)
    wish = asked_schedule(text, done) if latest else None
    words = words_of(wish.words) if wish is not None else frozenset[str]()
    if wish is None or not words:
        return None
    own = [fact for fact in facts if latest.get(report_of(fact), day) == day and is_currency(fact.unit)]
    lines = [line for line in _lines(own) if min(line.years) >= done + (not line.is_of_rest)]
    found = [each for line in lines if (each := _fit(line, wish, words, frozenset() if wish.is_sum else open_))]
    found.sort(key=lambda each: each.order)
    if not found:
        return None
    first, parts = found[0], [*wish.parts, *[Part("total")] * bool(wish.shares)]
    alike = [each for each in found if len(each.missing) == len(first.missing) and each.amounts != first.amounts]
    in_table = [each for each in alike if each.apart == first.apart and table_of(each.fact) == table_of(first.fact)]
    chosen = [first]
    if any(first.others or not each.others for each in in_table):
        chosen = [each for each in (first, *in_table) if each.others == first.others]
        if not wish.is_sum or not all(each.own & words for each in chosen):
            return None
    missing = frozenset.intersection(*(each.missing for each in chosen))
    if missing & open_:
        return None
    figures = [[*chain.from_iterable(each.line.of(part) for each in chosen)] for part in parts]
    if wish.parts == (Part("each"),):
        figures = [[fact] for fact in figures[0]]
    elif wish.is_sum and not wish.shares and all(part.kind == "year" for part in parts):
        figures = [[*chain.from_iterable(figures)]]
    named = words_of(without_bare(_bare(first.fact.label).removesuffix(first.fact.caption).lower()))
    is_other = bool(named) and not_among(named, words) == named  # than what stands over it, as far as its label says
    is_one = all(table_of(each.fact) == table_of(first.fact) for each in alike) and not (is_other or missing)
    marked = any(fact.marks for fact in chain.from_iterable(figures))
    total = figures.pop() if wish.shares else []
    return Found(wish, _heads(first.line, figures), figures, total, is_one and not marked)


def _heads(line: _Line, figures: Sequence[Sequence[Fact]]) -> list[str]:
    """What each of the figures is called, as it is printed; "" for the sum of several."""
    years = {fact.name: str(year) for year, fact in line.years.items()}
    later = {line.later.name: _called(line.later, _LATER)} if line.later is not None else {}
    called = years | later | {fact.name: fact.header or fact.label for fact in line.others}
    return [called[each[0].name] if len(each) == 1 else "" for each in figures]


def _called(fact: Fact, pattern: re.Pattern[str]) -> str:
    return next((match[0].strip(" ,") for text in (fact.header, fact.label) if (match := pattern.search(text))), "")


def _lines(facts: Iterable[Fact]) -> Iterator[_Line]:
    """All lists of years: in the columns and rows of tables, and in sentences."""
    groups = defaultdict[tuple[object, ...], list[Fact]](list)
    for fact in facts:
        if fact.kind is FactKind.TABLE:
            groups[table_of(fact), "column", fact.column].append(fact)
            groups[table_of(fact), "row", fact.row].append(fact)
        elif fact.kind is FactKind.TEXT:
            groups[report_of(fact), "sentence", fact.sentence].append(fact)
    for group in groups.values():
        if sum(_headed(fact) is not None for fact in group) < MANY:
            continue
        group.sort(key=lambda fact: (fact.row or 0, fact.column or 0, fact.start if fact.sentence is not None else 0))
        lines = [_Line()]
        for fact in group:
            if not lines[-1].takes(fact):
                lines.append(_Line())
                lines[-1].takes(fact)
        yield from (line for line in lines if line.years and len(line.all()) >= MANY)


def _headed(fact: Fact) -> int | re.Match[str] | None:
    """The year by which a figure is headed, or what says that it is of all later ones; None for neither."""
    for text in (fact.header, fact.label):
        if headed := _HEADED.search(text):
            return int(headed["year"])
        if later := _LATER.search(text) or (_THEREAFTER.search(text) if fact.kind is FactKind.TEXT else None):
            return later
    is_listed = fact.kind is FactKind.TEXT and fact.period is not None and fact.period.kind in _YEARS
    return fact.period.year if is_listed and fact.period is not None else None


def _bare(text: str) -> str:
    """A label or header without the year by which it is headed."""
    return _LATER.sub("", _HEADED.sub("", text))


class _Fit(NamedTuple):
    """A list with what it has of a question. missing: words of the question that stand neither at it nor above; others:
    words at it that the question has not; below, apart: words of the question that do not stand above it, and not at
    it. own: the words at it; fact: its first figure; amounts: those that are asked for."""

    missing: frozenset[str]
    others: int
    below: int
    apart: int
    own: frozenset[str]
    line: _Line
    fact: Fact
    amounts: tuple[Decimal, ...]

    @property
    def order(self) -> tuple[int, ...]:
        return len(self.missing), self.others, self.below, self.apart


def _fit(line: _Line, wish: Scheduled, words: frozenset[str], open_: frozenset[str]) -> _Fit | None:
    """A list with what it has of a question; None for one that has not all parts, or too little of the words."""
    figures = [line.of(part) for part in (*wish.parts, *[Part("total")] * bool(wish.shares))]
    if not all(figures):
        return None
    fact = line.all()[0]
    over = f"{fact.caption} {_bare(fact.header)}" if _HEADED.search(fact.header) else fact.caption
    above = words_of(over if fact.sentence is None else fact.context)
    label = _bare(fact.label).removesuffix(fact.caption)  # that of its table where its column has none
    own = words_of(f"{label} {fact.section} {'' if _HEADED.search(fact.header) else fact.header}")
    missing = not_among(words, own | above)
    if missing & open_ or len(missing) * 2 > len(words):
        return None
    others = len(own - words - above) * (TOTAL not in own)
    below, apart = len(not_among(words, above)), len(not_among(words, own))
    amounts = tuple(map(amount_of, chain.from_iterable(figures)))
    return _Fit(missing, others, below, apart, own, line, fact, amounts)


def _signed(fact: Fact) -> Decimal:
    return fact.value * fact.scale


def _latest(facts: Sequence[Fact]) -> dict[str, date]:
    """The last day of each report of which nearly as many balances are as of any, but for those of years ahead."""
    days: dict[str, Counter[date]] = {}
    for fact in facts:
        if fact.period is not None and fact.period.end and is_instant(fact):
            days.setdefault(report_of(fact), Counter())[fact.period.end] += 1 if _headed(fact) is None else 0
    often = {report: max(counted.values()) / 2 for report, counted in days.items()}
    return {report: max(day for day in counted if counted[day] >= often[report]) for report, counted in days.items()}
