"""A line that prints no figure for the period that is asked for: a dash stands for nil, and no other year for it."""

from __future__ import annotations

from dataclasses import replace

from tieout.agent.offline.report.asked import Asked, read_asked
from tieout.agent.offline.report.line import Lines, Pick, report_of, year_of
from tieout.agent.tools.spans import read_wanted
from tieout.kg.fact import Fact
from tieout.ontology.metrics.line_item import line_items

LEAST = 1.5  # score of a line that is the one that is meant


def blank_line(lines: Lines, asked: Asked, report: str) -> str | None:
    """What is told of the line that is asked for, where its table has the period and the line no figure in it."""
    year = max(asked.years, default=lines.latest(report))
    named = {each.name for each in asked.named}
    if asked.kind != "value" or len(asked.years) > 1 or len(named) > 1:
        return None
    picks = _any_time(lines, asked, report)
    if not picks or picks[0].score < LEAST or picks[0].missing:
        return None
    return _told(lines, picks[0].fact, year, asked)


def blank_instead(question: str, fact: Fact, facts: tuple[Fact, ...]) -> str | None:
    """As `blank_line`, of the line of a figure that is of another period than a question names."""
    asked = read_asked(question)
    wanted = read_wanted(question)
    if asked.kind != "value" or len(asked.years) != 1 or year_of(fact) in (None, *asked.years):
        return None
    return _told(Lines(facts), fact, asked.years[0], asked if wanted is not None else replace(asked, span=None))


def _any_time(lines: Lines, asked: Asked, report: str) -> list[Pick]:
    """The figures of the line that is asked for, of any time."""
    anytime = replace(asked, span=None, day=None, years=())
    items = [line_items()[each.name] for each in asked.named if each.name in line_items()]
    if items:
        return lines.of_item(items[0], None, report, anytime)
    return [] if asked.named else lines.of_words(asked.words, None, report, anytime)


def _told(lines: Lines, fact: Fact, year: int | None, asked: Asked) -> str | None:
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
