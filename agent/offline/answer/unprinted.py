"""What is told where the period that is asked for has no figure: a dash in its line, or parts of the year alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tieout.agent.offline.operands.linking import Lines, Pick
from tieout.agent.question.question import Question
from tieout.data.printed.periods.spans import is_part_of_year
from tieout.kg.fact import Fact
from tieout.kg.figure import NEAR_DAYS, is_at_time, is_instant, report_of, table_of, year_of
from tieout.ontology.asked.language import language
from tieout.ontology.metrics.line_item import LineItem, line_items

LEAST = 1.5  # score of a line that is the one that is meant


def blank_line(lines: Lines, asked: Question, report: str, picks: Sequence[Pick]) -> str | None:
    """What is told where a table has the period that is asked for, and its line that is meant has no figure of it.
    picks: the figures of any time that are meant, the best first."""
    year = max(asked.years, default=lines.latest(report))
    named = {each.name for each in asked.named}
    if asked.calculation != "value" or len(asked.years) > 1 or len(named) > 1:
        return None
    if not picks or picks[0].score < LEAST or picks[0].missing:
        return None
    return _told(lines, picks[0].fact, year, asked)


def any_time(lines: Lines, asked: Question, report: str) -> list[Pick]:
    """The figures of the line that is asked for, of any time."""
    anytime = replace(asked, when=replace(asked.when, span=None, day=None, years=()))
    items = [line_items()[each.name] for each in asked.named if each.name in line_items()]
    if items:
        return lines.of_item(items[0], None, report, anytime)
    return [] if asked.named else lines.of_words(asked.open, None, report, anytime)


def _told(lines: Lines, fact: Fact, year: int | None, asked: Question) -> str | None:
    beside = lines.blank(fact, year, asked)
    if beside is None or beside.period is None:
        return None
    report = report_of(fact)
    table = f"{report}:t{fact.table}" if report else f"t{fact.table}"
    return (
        f"{fact.label!r} has no figure for {beside.period.told} in table {table}: a dash or nothing is printed there, "
        "which as a rule stands for nil."
    )


def is_at_opening(asked: Question) -> bool:
    """Whether balances alone are asked for, as they were at the beginning of a year: on its first day, or so called."""
    day, named = asked.when.day, [line_items().get(each.name) for each in asked.named]
    is_first = asked.when.moment == "opening" or (day is not None and (day.month, day.day) == (1, 1))
    return is_first and bool(named) and all(item is not None and item.is_instant for item in named)


def is_other_balance(asked: Question, item: LineItem, fact: Fact, lines: Lines) -> bool:
    """Whether a figure is no balance of the day that is asked for: by how much the line changed over a time, as
    statements of cash flows print it, or the balance of another day; or a balance, where what flows is asked for."""
    table = lines.statements.get(table_of(fact))  # None of a figure in a sentence
    statement = "" if table is None else table.statement
    if fact.concept in item.concepts:
        return False
    if not item.is_instant:
        return statement == "balance"
    said = f"{fact.label} {fact.section} {fact.header}".lower()
    if is_at_opening(asked) and year_of(fact) in asked.years and not language().cues["opening"].search(said):
        return True
    is_change = is_instant(fact) is False and statement == "cash flow"
    return (is_change and not is_at_time(fact)) or any(of_other_day(asked, [fact]))


def of_other_day(asked: Question, facts: Iterable[Fact]) -> Iterator[str]:
    """What is told of balances of another day than the one that a question names: of the end of a year where June 30 is
    asked for, or of the end of a year that begins with the day."""
    day = asked.when.day
    for fact in facts if day is not None else ():
        end = fact.period.end if fact.period is not None and is_instant(fact) else None
        if day is not None and end is not None and abs((end - day).days) > NEAR_DAYS:
            yield f"{fact.name} is of {end.isoformat()}, and not of {day.isoformat()}"


def of_part_of_year(asked: Question, facts: Iterable[Fact]) -> Iterator[str]:
    """What is told of figures of a part of a year where a question names a year, or a whole one, and no part of it."""
    years, is_whole = set(asked.years), "whole year" in asked.cues
    if not (years or is_whole) or asked.cues & {"part of year", "shorter than a year"} or asked.when.months:
        return
    told: set[str] = set()
    for fact in facts:
        period = fact.period
        if period is None or period.end is None or not is_part_of_year(period):
            continue
        year = period.year if period.year is not None else period.end.year
        if (year in years or not years) and period.told not in told:
            told.add(period.told)
            yield f"{fact.name} is of {period.told}, and not of the year {year}"
