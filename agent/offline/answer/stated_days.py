"""Which days a part of a year has that a question names by its length, number or month, of those that a report states.

`the first nine months`, `Q2`, `the June quarter`, `quarter end`; and what balances changed by between two days.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tieout.agent.offline.calculation.solve import NotThereError, Solver
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.protocol.message import Request
from tieout.agent.question.question import Question
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import (
    NEAR,
    QUARTER,
    YEAR,
    Span,
    is_near,
    months_of,
    months_on,
    name_offset,
    span_of,
)
from tieout.kg.days import PrintedDays, called_years
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import report_of, words_of, year_of
from tieout.ontology.asked.days import with_years
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, items_of
from tieout.ontology.asked.tree import is_percent
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.qualifier import qualifiers_of

LONGEST_NAME = 3  # words of the name of a line that has a year in it


def in_latest_part(asked: Question, lines: Lines, report: str) -> Question:
    """A question for a part of a year with the days that the report has for it: of the year that it names, else the
    latest. As it is where it says the days itself, or the quarter of a year, or no statement is of such a part.
    """
    wanted, months, is_to_date = asked.when.wanted, _months(asked), "to date" in asked.cues
    has_days = asked.span is not None or asked.when.by_days
    is_numbered = wanted is not None and wanted.quarter is not None and bool(asked.years)
    if not (months or is_to_date) or has_days or is_numbered or asked.when.last > 1 or len(asked.years) > 1:
        return asked
    known = list(lines.spans(report))
    if is_to_date:
        months = max((length for each in known if (length := months_of(each)) < YEAR), default=0)
    number = wanted.quarter if wanted is not None and months == QUARTER else None
    found = [each for each in known if months_of(each) == months and number in (None, _number(each, known))]
    if asked.when.months:
        ended = {each: {_last(each).month, (_last(each) - NEAR).month} for each in found}  # 13 weeks to July 1 end June
        found = [each for each in found if not asked.when.months.isdisjoint(ended[each])]
    if asked.years:
        found = [each for each in found if _last(each).year == asked.years[0]]
    if not found:
        return asked
    days = max(found, key=lambda each: each.until)
    made = _within(asked, _before(asked, days))
    return replace(made, when=replace(made.when, day=None), open=asked.open - language().words["of parts"])


def in_fiscal_quarter(asked: Question, lines: Lines) -> Question:
    """A question for a quarter of a fiscal year by the days that the quarter has in the report, whose years may begin
    in any month: they begin where its longest spans begin, in a report of a first quarter where that one begins."""
    wanted = asked.when.wanted
    if wanted is None:
        return asked
    if asked.years and wanted.quarter is not None:  # of two years the later, the other goes by it
        wanted = replace(wanted, year=max(asked.years))
    spans = [days for fact in lines.facts if (days := span_of(fact.period)) is not None]
    if wanted.days is not None:
        days = next(wanted.spans(spans))
        behind = Span(months_on(days.start, YEAR), months_on(days.until, YEAR))
        if asked.on_base and (later := next((each for each in spans if is_near(each, behind)), None)) is not None:
            return _within(replace(asked, cues=asked.cues - {"base year"}, when=replace(asked.when, years=())), later)
        return asked if days == wanted.days and (asked.span or asked.when.by_days) else _within(asked, days)
    if wanted.quarter is None or asked.when.by_days or len(asked.when.quarters) > 1:
        return asked
    known = [each for each in spans if wanted.tells_start(each)]
    if not known and wanted.quarter == 1:
        known = [Span(each.start, months_on(each.start, YEAR)) for each in spans if months_of(each) == wanted.months]
    if not known and wanted.months > QUARTER and wanted.year is not None:
        known = [Span(date(wanted.year, 1, 1), date(wanted.year + 1, 1, 1))]
    if not known:
        return asked
    is_known = asked.span is not None or wanted.months == QUARTER
    if is_known and all(each.start.month in (1, 12) and abs(each.start.day - 1) <= NEAR.days for each in known):
        return asked  # a year that is the calendar's
    days = next(wanted.spans([*known, *spans], name_offset(fact.period for fact in lines.facts)), None)
    return asked if days is None else _within(asked, days)


def timely(asked: Question, lines: Lines, *, is_first: bool) -> Callable[[Sequence[Fact]], bool]:
    """Whether figures of tables are of the part of a year that a question asks for, or of that length where they are
    compared; one for one value of no time has to be of the latest of its line. is_first: no other was asked before."""
    timed = in_fiscal_quarter(in_latest_part(asked, lines, next(map(report_of, lines.facts), "")), lines)
    when, is_one = asked.when, asked.calculation == "value" and len(asked.years) < 2
    is_trailing = "trailing" in qualifiers_of(asked.lower)  # of twelve months, which seldom are those of a column
    if not is_first or is_trailing or timed.span is None or not asked.part_of_year:
        is_timed = bool(asked.years or when.taken or when.back or is_trailing) or "year before" in asked.cues
        is_of_none = is_first and is_one and not is_timed and asked.kinds[0] == "number" and asked.form == "figure"
        return lambda facts: not is_of_none or len(facts) != 1 or facts[0].name not in lines.older
    wanted = Span(timed.span[0], timed.span[1] + timedelta(days=1))

    def is_of_it(facts: Sequence[Fact]) -> bool:  # two quarters may be added up
        found = (span_of(each.period) for each in facts if each.kind is FactKind.TABLE)
        days = () if is_one and len(facts) > 1 else filter(None, found)
        return all(is_near(each, wanted) or (not is_one and months_of(each) == months_of(wanted)) for each in days)

    return is_of_it


def in_latest_quarter(asked: Question, lines: Lines, report: str) -> Question:
    """A question for what flows, and for no time, as one for the shortest of the latest spans of a report that has none
    of a year; as it is where its time is said, or is no other."""
    is_timed = bool(asked.years or asked.part_of_year or asked.when.last or asked.cues & {"to date", "whole year"})
    is_other = is_timed or not asked.named or not all(map(_flows, asked.named))
    if is_other or any(months_of(each) >= YEAR for each in lines.spans(report)):  # as one of the first mostly is
        return asked
    spans = sorted(lines.spans(report), key=lambda each: (months_of(each), -each.until.toordinal()))
    is_one = not spans or months_of(spans[0]) == months_of(spans[-1])
    return asked if is_one else _within(asked, _before(asked, spans[0]))


def _before(asked: Question, days: Span) -> Span:
    """The days of the year before that a question is for, where it is: `the same quarter last year`."""
    if not asked.when.back or asked.calculation not in ("value", "share") or asked.years:
        return days
    return Span(months_on(days.start, -YEAR * asked.when.back), months_on(days.until, -YEAR * asked.when.back))


def _flows(named: Named) -> bool:
    items = [line_items().get(each) for each in items_of(named)]
    return all(item is not None and not item.is_instant for item in items)


def _within(asked: Question, days: Span) -> Question:
    """A question for these days, and for those of the other years that it names."""
    last = _last(days)
    later = max(asked.years, default=last.year) - last.year
    years = tuple(each - later for each in asked.years) or (last.year,)
    when = replace(asked.when, span=(days.start, last), by_days=True, years=years, expanded=years, named_later=later)
    return replace(asked, when=when)


def _months(asked: Question) -> int:
    """How many months the part has that a question names, 0 where it names none."""
    said = language().forms["months of a part"].search(asked.lower) if asked.part_of_year else None
    return 0 if said is None else next(int(name[1:]) for name, text in said.groupdict().items() if text)


def _number(quarter: Span, known: Collection[Span]) -> int:
    """Which quarter of its year it is, by the longest span up to its last day."""
    return max(months_of(each) for each in known if abs(each.until - quarter.until) < timedelta(days=3)) // QUARTER


def _last(days: Span) -> date:
    return days.until - timedelta(days=1)


def on_two_days(solver: Solver, asked: Question) -> tuple[str, str] | None:
    """The names of what a balance was on the two days between which it is asked to have changed, the earlier first;
    None where no two days are meant."""
    items = [line_items()[name] for name in asked.items]
    if asked.calculation not in ("change", "growth") or not items or not all(each.is_instant for each in items):
        return None
    days = _two_days(solver, asked)
    if days is None or asked.tree is None:
        return None
    names = []
    for day in days:
        when = replace(asked.when, day=None, span=(day, day), by_days=True, years=(day.year,), back=0)
        of_day = replace(asked, cues=asked.cues | {"part of year"}, when=when)
        names.append(Solver(solver.lines, of_day, solver.report, solver.plan).compared(None))
    return names[0], names[1]


def between_days(solver: Solver, asked: Question) -> str | None:
    """The name of what a balance changed by between two days, or over a part of a year; None where another thing is
    asked, or another time. Raises NotThereError where one of the two is not there."""
    names = on_two_days(solver, asked)
    if names is None or asked.tree is None:
        return None
    first, last = names
    calculate, falls = solver.plan.calculate, asked.moved == "fell"
    in_order = [first, last] if falls else [last, first]
    if asked.calculation == "growth" and not is_percent(asked.tree):
        return calculate("percentage", [calculate("subtract", in_order), first])
    return calculate("percentage_points" if is_percent(asked.tree) else "subtract", in_order)


def _two_days(solver: Solver, asked: Question) -> tuple[date, date] | None:
    """The two days between which a balance is asked to have changed."""
    named, newest = sorted(set(asked.when.days)), solver.lines.newest(solver.report)
    closings = [day for day in solver.lines.closings(solver.report) if newest is not None and day < newest]
    if len(named) == 2:
        return named[0], named[1]
    if asked.span is not None:
        return asked.span[0] - timedelta(days=1), asked.span[1]
    if len(named) == 1 and "year before" in asked.cues:
        return months_on(named[0], -YEAR), named[0]
    if newest is None or "since" not in asked.cues:
        return None
    if len(named) == 1 and named[0] < newest:
        return named[0], newest
    said = language().forms["since the year end"].search(asked.lower)
    if said is not None and said["december"] and all(day.month != 12 for day in closings):
        raise NotThereError("the balance of December")  # which is another day than the end of the year
    return (max(closings), newest) if said is not None and closings else None


def in_fiscal_years(asked: Question, facts: Sequence[Fact]) -> Question:
    """A question for the days on which fiscal years end, as one for these as the report calls them; for the beginning
    of a year as one for the end of the year before, where that is printed as `balance at January 1, 2024`. A year that
    is part of a name is no time: `the 2018 peer group from 2016 to 2017`."""
    when, called = asked.when, called_years(asked.when.periods, facts)
    moment, left = when.moment, frozenset[str]()
    if moment == "opening":
        days = (fact.period for fact in facts if fact.period is not None and fact.period.kind is PeriodKind.DATE)
        full = ((day.year, day.label) for day in days if day.year and not day.label.isdecimal())
        opened = {year + 1: year for year, label in full if str(year + 1) in label}
        if when.years and all(year in opened for year in when.years):  # it is of the end of a year, then
            called, moment = opened, ""
            left = words_of(" ".join(language().cues["opening"].findall(asked.lower)))
    named = _years_in_names(asked, facts) if len(when.years) > 1 else frozenset[int]()
    if not (called or named):
        return asked
    known = (tuple(called.get(one, one) for one in each if one not in named) for each in (when.years, when.expanded))
    years, expanded = known
    when = replace(when, years=years, expanded=expanded, moment=moment)
    return replace(asked, when=when, open=asked.open - left) if years else asked


def _years_in_names(asked: Question, facts: Iterable[Fact]) -> frozenset[int]:
    """The years of a question with which the name of a line of other years begins that it says: `2018 peer group`."""
    lines = ((year, fact.label.lower()) for fact in facts for year in asked.years if year_of(fact) != year)
    said = {(year, " ".join(label.split()[:LONGEST_NAME])) for year, label in lines if label.startswith(f"{year} ")}
    return frozenset(year for year, name in said if len(name.split()) > 1 and name in asked.lower)


def in_printed_days(request: Request, days: PrintedDays) -> Request:
    """A request whose question names days without their year as one for the latest of these that the report prints."""
    full, text = request.in_full, with_years(request.question, days.ends, days.year_end)
    full = full if full is None else replace(full, text=with_years(full.text, days.ends, days.year_end))
    if text == request.question and full == request.in_full:
        return request
    return request.model_copy(update={"question": text, "in_full": full})
