"""What is told where the period that is asked for has no figure: a dash in its line, or parts of the year alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tieout.agent.answers.checks.follows import is_part_of_year
from tieout.agent.offline.candidates.figure import report_of, year_of
from tieout.agent.offline.operands.linking import Lines, Pick
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.ontology.metrics.line_item import line_items

LEAST = 1.5  # score of a line that is the one that is meant


def blank_line(lines: Lines, asked: Question, report: str) -> str | None:
    """What is told of the line that is asked for, where its table has the period and the line no figure in it."""
    year = max(asked.years, default=lines.latest(report))
    named = {each.name for each in asked.named}
    if asked.calculation != "value" or len(asked.years) > 1 or len(named) > 1:
        return None
    picks = any_time(lines, asked, report)
    if not picks or picks[0].score < LEAST or picks[0].missing:
        return None
    return _told(lines, picks[0].fact, year, asked)


def blank_instead(asked: Question, fact: Fact, facts: tuple[Fact, ...]) -> str | None:
    """As `blank_line`, of the line of a figure that is of another period than a question names."""
    if asked.calculation != "value" or len(asked.years) != 1 or year_of(fact) in (None, *asked.years):
        return None
    return _told(Lines(facts), fact, asked.years[0], asked if asked.when.wanted is not None else _without_span(asked))


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
    when = beside.period.label or beside.period.key
    return (
        f"{fact.label!r} has no figure for {when} in table {table}: a dash or nothing is printed there, "
        "which as a rule stands for nil."
    )


def of_part_of_year(asked: Question, facts: Iterable[Fact]) -> Iterator[str]:
    """What is told of figures of a part of a year that a question means which names a year and no part of it."""
    years = set(asked.years)
    if not years or asked.cues & {"part of year", "shorter than a year"} or asked.when.months:
        return
    told: set[str] = set()
    for fact in facts:
        period = fact.period
        if period is None or period.end is None or not is_part_of_year(period):
            continue
        year = period.year if period.year is not None else period.end.year
        label = period.label or period.key
        if year in years and label not in told:
            told.add(label)
            yield f"{fact.name} is of {label}, and not of the year {year}"


def _without_span(asked: Question) -> Question:
    return replace(asked, when=replace(asked.when, span=None))
