"""Awards of stock, single debts, what falls due in the years ahead, how many there are, all parts of an amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tieout.agent.offline.answer.company import names_in
from tieout.agent.offline.answer.reply import Call, reply_of, worked_out
from tieout.agent.offline.answer.sentence import looks_ahead
from tieout.agent.offline.answer.stated_days import in_latest_part
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.asked.awards import Time, figures_of_awards
from tieout.kg.asked.counts import figures_counted
from tieout.kg.asked.debts import figures_of_debts, is_day
from tieout.kg.asked.made_of import rows_made_of
from tieout.kg.asked.outlook import figures_expected
from tieout.kg.asked.schedules import figures_of_schedule
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, figure, of_whole_years, report_of, table_of, year_of
from tieout.kg.reports.outline import listed_in
from tieout.kg.split import parts_asked
from tieout.ontology.asked.awards import asked_award
from tieout.ontology.asked.counts import counts_asked, things_counted
from tieout.ontology.asked.debts import asked_debt
from tieout.ontology.asked.language import language
from tieout.ontology.asked.members import Split
from tieout.ontology.metrics.line_item import line_items

# Chance that what the row of a table has where it is asked for is meant, and where another row may be.
IN_ROW, IN_A_ROW = 0.93, 0.7
# That parts are those that are asked for, where what they are is said at them, and where it is not.
SPLIT, MAY_BE_SPLIT = 0.87, 0.6
MOST_WHOLES = 3  # amounts that what is asked for may be
MADE_OF = 0.6  # that rows which make up what is asked for are the ones that it asks for


def in_one_row(request: Request, asked: Question, lines: Lines) -> Reply | None:
    """The reply by the row of a table, or of an outlook, that tells what is asked for; None where none does."""
    if asked.calculation != "value" or asked.kinds[0] == "boolean":
        return None
    lower, when, facts = asked.lower, asked.when, request.shown.facts
    found, is_one = list[Fact](), False
    if (debt := asked_debt(lower)) is not None:
        found, is_one = figures_of_debts(debt, facts, when.years)
    if (award := asked_award(lower)) is not None:
        time = Time(when.years, when.day, is_first=when.moment == "opening")
        found, is_one = figures_of_awards(award, _of_part(asked, lines, facts), asked.open, time)
    if not found and looks_ahead(asked):
        found, is_one = figures_expected(lower, asked.named, asked.open, facts, when.years)
    days = [fact for fact in found if debt is not None and is_day(fact)]
    return _told(request.turn, found, days, IN_ROW if is_one else IN_A_ROW) if found else None


def in_schedule(request: Request, asked: Question) -> Reply | None:
    """The reply to a question for what falls due in the years ahead, in some of them or in all; None for any other."""
    found = None
    if asked.kinds[0] != "boolean" and not listed_in(request.card.text):
        found = figures_of_schedule(request.question.lower(), asked.open, request.shown.facts)
    if found is None:
        return None
    chance = IN_ROW if found.is_one else IN_A_ROW
    if not found.total and all(len(each) == 1 for each in found.figures):
        figures = [each[0] for each in found.figures]
        return _told(request.turn, figures, [], chance, found.heads if len(figures) > 1 and all(found.heads) else ())
    stem, steps, names = f"turn{request.turn}_", list[tuple[str, list[str]]](), list[str]()
    for each in (*found.figures, found.total):
        own = [fact.name for fact in each]
        steps += [("sum", own)] if len(own) > 1 else []
        names += [f"#{len(steps)}"] if len(own) > 1 else own
    if found.total:
        steps.append(("percentage", [*names]))
        names[1:] = [f"#{len(steps)}"]
    names = names[-1:] if found.wish.shares == "alone" else names
    facts = dict.fromkeys(fact.name for each in (*found.figures, found.total) for fact in each)
    calls = [*worked_out(facts, steps, stem)][:-1]
    values = [f"{stem}{each[1:]}" if each[0] == "#" else each for each in names]
    answer: dict[str, Any] = {"values": values, "kind": "list"} if len(values) > 1 else {"value": values[0]}
    if len(values) == len(found.heads) > 1 and all(found.heads):
        answer |= {"words": found.heads, "kind": "table"}
    return reply_of([*calls, ("answer", answer)], chance)


def in_count(request: Request, asked: Question) -> Reply | None:
    """The reply to a question for how many there are of something, or of it in each of several places; None where no
    figure counts it."""
    is_told = asked.told and not language().told[asked.told].is_count
    if listed_in(request.card.text) or asked.calculation != "value" or asked.named or is_told:
        return None
    texts, found, is_one = counts_asked(asked.text), list[Fact](), True
    aside = (read_question(asked.text).open - asked.open) | names_in(request, asked.text)
    for own in map(read_question, texts) if things_counted(texts[0].lower()) and not asked.several else ():
        years = own.years or asked.years
        figures, is_sure = figures_counted(own.text.lower(), own.open - aside, request.shown.facts, years)
        if not figures or figures[0] in found:
            return None
        found, is_one = [*found, *figures], is_one and is_sure
    return _told(request.turn, found, [], IN_ROW if is_one else IN_A_ROW) if found else None


def _of_part(asked: Question, lines: Lines, facts: Sequence[Fact]) -> Sequence[Fact]:
    """The figures of the part of a year that a question asks for."""
    if not (asked.part_of_year and facts):
        return facts
    report = report_of(facts[0])
    return (*lines.of_time(report, in_latest_part(asked, lines, report)),)


def _told(
    turn: int,
    found: Sequence[Fact],
    days: Sequence[Fact],
    chance: float,
    heads: Sequence[str] = (),
    kind: str = "table",
) -> Reply:
    """A reply with figures, and with the days that are among them in the words of the report, or what heads each."""
    names, is_turned = [fact.name for fact in found if fact not in days], len(found) == 1 and found[0].value < 0
    told = {"description": "; ".join(map(figure, found))[:400], "requires_calculation": is_turned}
    understood = told | {"reasoning": f"Named: a row of a table. Probability {chance:.2f}."}
    calls: list[Call] = [("understand", understood)]
    calls += [("query_kg", {"fact": name}) for name in names]
    if is_turned:
        calls.append(("calculate", {"operation": "magnitude", "values": names, "name": f"turn{turn}"}))
        names = [f"turn{turn}"]
    answer: dict[str, Any] = {"values": names, "kind": "list"} if len(names) > 1 else {"value": "".join(names)}
    if heads:
        answer = {"words": [*heads], "values": names, "kind": kind}
    if days:
        own = {"values": names, "kind": "name with value"} if names else {"kind": "prose"}
        answer = {"words": [fact.context for fact in days]} | own
    return reply_of([*calls, ("answer", answer)], chance)


def made_of(request: Request, asked: Question) -> Reply | None:
    """Which rows of a page a first question asks for by what they make up, or how many; None where no rows do."""
    found = language().forms["what it is made of"].fullmatch(asked.lower)
    if found is None or request.shown.first is not None or request.history or asked.bound is not None:
        return None
    facts = rows_made_of(found["early"] or found["of"] or "", request.shown.facts)
    names = [fact.name for fact in facts]
    calls: list[Call] = [("query_kg", {"fact": name}) for name in names]
    calls.append(("answer", {"words": [fact.label for fact in facts], "values": names, "kind": "list"}))
    if found["many"]:
        calls[-1] = ("calculate", {"operation": "count", "values": names, "name": f"turn{request.turn}"})
        calls.append(("answer", {"value": f"turn{request.turn}", "kind": "count"}))
    return reply_of(calls, MADE_OF) if facts else None


def split_up(asked: Question, split: Split, lines: Lines, report: str, turn: int) -> Reply | None:
    """The reply with all parts of what a question asks for, the largest first; None where no parts are known."""
    years = filter(None, map(year_of, lines.of_report(report)))
    latest, item = lines.latest(report) or max(years, default=None), line_items().get(split.measure)
    year = asked.years[0] if asked.years else latest
    of_any = replace(asked, is_part=True)  # figures of any sort
    facts = [fact for fact in lines.of_time(report, of_any) if asked.years or year_of(fact) in (latest, None)]
    picks = lines.of_item(item, year, report, asked) if item is not None else []
    stated = {table for table, guess in lines.statements.items() if guess.statement}
    wholes = [amount_of(pick.fact) for pick in picks if table_of(pick.fact) in stated][:MOST_WHOLES]
    facts = facts if asked.part_of_year or not asked.years else [*of_whole_years(facts)]
    found = parts_asked(facts, split, asked.open, frozenset(wholes), "percent" in asked.cues)
    if found is None:
        return None
    parts, left = found
    order = sorted(range(len(parts.names)), key=lambda at: -parts.figures[at].value)
    figures, names = [parts.figures[at] for at in order], [parts.names[at] for at in order]
    reply = _told(turn, figures, [], MAY_BE_SPLIT if left else SPLIT, names, "list")
    return reply.model_copy(update={"unaccounted": left})
