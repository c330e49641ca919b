"""The calls that answer a question by what it names: figures looked up, metrics calculated from their parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.offline.answer.change import went_otherwise
from tieout.agent.offline.answer.derived import of_other_month, reckoned_from
from tieout.agent.offline.answer.forms import FORMS, in_form
from tieout.agent.offline.answer.parts import of_parts
from tieout.agent.offline.answer.reply import Missing, reply_of
from tieout.agent.offline.answer.row import split_up
from tieout.agent.offline.answer.stated_days import between_days, in_fiscal_quarter, in_latest_part, in_latest_quarter
from tieout.agent.offline.answer.unprinted import any_time, blank_line, is_at_opening, of_part_of_year
from tieout.agent.offline.calculation.solve import NotThereError, Plan, Solver, in_words, is_rate, solve
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.question import ENDS, Question
from tieout.agent.question.read import read_question
from tieout.data.printed.periods.spans import YEAR, months_of, span_of
from tieout.kg.figure import OTHER_MEASURE, figure, not_among, report_of, words_of, year_of
from tieout.kg.reports.outline import tables_in
from tieout.ontology.asked.answered import cause_in
from tieout.ontology.asked.language import language
from tieout.ontology.asked.members import split_in
from tieout.ontology.asked.tree import is_percent
from tieout.ontology.asked.words import SAID, in_order
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, line_items

_STATED = [f"({kind} statement)" for kind in MAIN_STATEMENTS]  # what an outline says of a table
OWN_TERM = 0.55  # where a question says itself what its term means, which is not looked at
WITHOUT = 0.6  # where what is named is told without words of the question that no line has
CHANCE_OF_CAUSE = 0.5  # that the sentence says why that is so: it is shown as one reading
MOST_OPTIONS = 4
MOST_LOOKED_AT = 40  # figures of a line in other years
BINDING = OTHER_MEASURE | language().words["qualifiers"]
OTHER_KINDS = frozenset(("count", "period", "name", "names"))  # of answers, which this way does not give
# The operations by which a calculation is made that these words ask for.
DONE_BY = {
    "sum": {"sum", "add"},
    "plus": {"sum", "add"},
    "average": {"average", "cagr"},
    "median": {"median"},
    "product": {"multiply"},
    "times": {"multiply", "divide"},
    "highest": {"max"},
    "lowest": {"min"},
}


def answer_by_measure(request: Request, asked: Question, lines: Lines) -> Reply | Missing | None:
    """The reply to a question that names what it wants; what of it is missing; None where this way does not fit it.

    lines: those that are shown, of a page or of a view alike: what else a file holds has no part in it.
    """
    report = next(map(report_of, lines.facts), "")
    of_quarter = in_latest_quarter(asked, lines, report)
    if of_quarter is not asked and isinstance(made := answer_by_measure(request, of_quarter, lines), Reply):
        return made
    asked = _at_opening(in_fiscal_quarter(in_latest_part(asked, lines, report), lines))
    asked, as_latest = _latest_for_last(_of_whole_year(asked, lines, report), request, lines, report)
    if (of_its_parts := _by_parts(request, asked, lines, report)) is not None:
        return of_its_parts
    if asked.kinds[0] in OTHER_KINDS and asked.form not in (*FORMS, "why"):
        return None
    if not (asked.named or asked.open or asked.whole):
        return None
    if (asked.compares and asked.form != "measure") or (asked.part_of_year and asked.span is None):
        return None
    is_told = asked.kinds[0] == "words" and asked.form == "figure"
    is_told = is_told and (not asked.named or asked.lower.startswith("when "))  # words answer better than a figure
    if is_told or (request.history and "points at" in asked.cues):
        return None
    if asked.form == "why":
        said = cause_in([each.said for each in asked.named], asked.open, asked.years, request.shown.text)
        if not said:
            return Missing("No sentence that was found says why.", is_bound=True)
        return reply_of([("answer", {"words": [said], "kind": "prose"})], CHANCE_OF_CAUSE)
    plan = Plan(request.turn)
    solver = Solver(lines, asked, report, plan)
    try:
        answer = in_form(solver, asked) if asked.form in FORMS else _figure(solver, asked)
    except NotThereError as missing:
        outline = request.card.text if request.view and request.view.text else ""
        return _reckoned(request, asked, lines, report) or _missing(str(missing), asked, lines, report, outline)
    if answer is None or _leaves_undone(asked, plan):
        return None
    if asked.defines:
        plan.chance *= OWN_TERM
    calls = [("understand", _understood(plan, asked)), *plan.calls, ("answer", answer)]
    part = () if asked.part_of_year or asked.span else tuple(of_part_of_year(asked, plan.facts))
    part = (*part, *as_latest, *went_otherwise(asked, plan.facts), *of_other_month(asked, plan.facts))
    if left := _words_missing(asked, plan, lines):
        telling = asked.open - language().words["of any amount"]
        if telling != asked.open and len(telling) > 1 and not asked.named:
            return answer_by_measure(request, replace(asked, open=telling), lines)
        is_bound, near, there = bool(asked.named) and not left.isdisjoint(BINDING), None, _near(lines, asked, report)
        told = _unaccounted(left, there, asked)
        if asked.named and not is_bound and _are_aside(left, asked) and lines.has_none_of(left):
            near = reply_of(calls, round(plan.chance * WITHOUT, 4), unaccounted=(*part, told))
        return Missing(told, there, is_bound=is_bound, nearest=near)
    return reply_of(calls, round(plan.chance, 4), plan.alternative if plan.chance < CERTAIN else "", part)


def _by_parts(request: Request, asked: Question, lines: Lines, report: str) -> Reply | Missing | None:
    """What is answered of the parts of an amount, all of them or which is the most, by the surer of two ways to find
    them; None where a question asks for none."""
    split = split_in(asked.lower) if asked.bound is None and asked.calculation == "value" else None
    none = Missing(f"No table that was found has {split.of} by {split.kind}.", is_bound=True) if split else None
    if request.history:
        return none
    whole = split_up(asked, split, lines, report, request.turn) if split else None
    made = None if whole is not None and not whole.unaccounted else of_parts(asked, lines, report)
    if made is None:
        return whole or none
    calls, chance, left = made
    if not calls:
        return whole or Missing("None of those that were found is what is asked for.", is_bound=True)
    aside = (f"nothing says that this is by {split.kind}",) if split and chance < CERTAIN else ()
    reply = reply_of(calls, chance, unaccounted=(*left, *aside))
    is_surer = whole is None or (chance > whole.chance and reply.looked_up != whole.looked_up)
    return reply if is_surer else whole


def _unaccounted(left: frozenset[str], offered: Sequence[str], asked: Question) -> str:
    """What is said of words that nothing accounts for: of those alone that no label which is offered has, if any."""
    apart = not_among(left, words_of(" ".join(offered)))
    unknown = ", ".join(map(repr, in_order(" ".join(sorted(apart or left)), asked.text).split()))
    return f"{'Nothing that was found accounts for' if apart else 'What is asked for was not found of'} {unknown}."


def answer_each(asked: Question, lines: Lines) -> Reply | None:
    """The reply to a question for each of several things that it names, where one line of a table has them all."""
    made = of_parts(asked, lines, next(map(report_of, lines.facts), ""), is_each=True)
    return None if made is None else reply_of(made[0], made[1], unaccounted=made[2])


def _are_aside(words: frozenset[str], asked: Question) -> bool:
    """Whether words do not say of what something is measured: as a name, right beside what is named, or behind `of`."""
    beside = [[*asked.lower[: each.start].split()[-1:], *asked.lower[each.end :].split()[:1]] for each in asked.named]
    of_what = words_of(" ".join([*chain.from_iterable(beside), *language().forms["of what"].findall(asked.lower)]))
    return words.isdisjoint(of_what) and not any(map(asked.writes_as_name, words))


def _of_whole_year(asked: Question, lines: Lines, report: str) -> Question:
    """A question for `the full year` as one for the latest whole one: a release prints a quarter first."""
    if "whole year" not in asked.cues or asked.years or asked.when.back or asked.when.last:
        return asked
    spans = (fact for fact in lines.facts if (days := span_of(fact.period)) is not None and months_of(days) == YEAR)
    newest = lines.latest(report) or 0  # what falls due is of later years
    latest = max((year for each in spans if (year := year_of(each) or 0) <= newest), default=0)
    if not latest:
        return asked
    return replace(asked, when=replace(asked.when, years=(latest,), expanded=(latest,)))


def _latest_for_last(asked: Question, request: Request, lines: Lines, report: str) -> tuple[Question, tuple[str, ...]]:
    """A first question for `last year` as one for the latest year of the report, with what is told of that; one that
    holds two years against each other is for the year before, as one behind another question is."""
    said = language().cues["last year"].search(asked.lower)
    if said is None or request.history or asked.years or asked.when.back != 1:
        return asked, ()
    is_move = asked.calculation in ("change", "growth") and "since" not in asked.cues  # `sales growth last year`
    is_one = is_move or (asked.calculation in ("value", "share") and not asked.doing & ENDS)
    if not is_one or (latest := lines.latest(report)) is None:
        return asked, ()
    told = f"{said[0]!r} is taken as {latest}, the latest year of the report"
    is_plain = "fiscal" in said[0] or asked.form == "yes or no"
    return replace(asked, when=replace(asked.when, back=0)), () if is_plain else (told,)


def _at_opening(asked: Question) -> Question:
    """A question for balances at the beginning of a year as one for those at the end of the year before."""
    if not is_at_opening(asked) or len(asked.years) > 1:
        return asked
    said = language().cues["opening"].findall(asked.lower)
    years = tuple(year - 1 for year in asked.years)
    when = replace(asked.when, years=years, expanded=years, back=asked.when.back + (not years), day=None)
    return replace(asked, when=when, open=asked.open - {word for each in said for word in words_of(each)})


def _leaves_undone(asked: Question, plan: Plan) -> bool:
    """Whether a question asks for a calculation, beside what it names, that is neither planned nor printed as such."""
    if asked.form in FORMS or asked.whole is not None:
        return False
    if _leaves_a_number(asked, plan):
        return True
    done = {arguments["operation"] for tool, arguments in plan.calls if tool == "calculate"}
    labels = " ".join(f"{fact.label} {fact.header}" for fact in plan.facts).lower()
    is_moved = asked.calculation in ("change", "growth", "multiple")  # how much higher: by how much
    wanted = asked.doing - ENDS if is_moved else asked.doing
    return any(
        done.isdisjoint(operations) and not language().cues[cue].search(labels)
        for cue, operations in DONE_BY.items()
        if cue in wanted
    )


def _leaves_a_number(asked: Question, plan: Plan) -> bool:
    """Whether a question names a number that is no part of a period, nor printed around a figure of
    the plan, nor a part of its calculations as it is or as the rate that it is."""
    taken = [*asked.when.taken, *((each.start, each.end) for each in asked.named)]
    used = {each for tool, arguments in plan.calls if tool == "calculate" for each in arguments["values"]}
    around = " ".join(f"{fact.label} {fact.section} {fact.header} {fact.context}" for fact in plan.facts)
    return any(
        not any(first <= start < last for first, last in taken)
        and asked.lower[start:end] not in around
        and used.isdisjoint((f"{value:f}", f"{value / 100:f}"))
        for value, start, end in asked.numbers
    )


def asks_nothing(text: str, *, is_first: bool) -> bool:
    """Whether a text has no word or number, and as a first question none that says what is to be found."""
    asked = read_question(text)
    says = asked.core or asked.open or asked.named or asked.cues if is_first else SAID.search(text)
    return not says


def no_question(text: str) -> Reply:
    """The question back to a text that asks for nothing."""
    told = f"{text[:40]!r} has no word that says what is to be found. What is asked?"
    return reply_of([("clarify", {"question": told})], 0)


def nothing_found(asked: Question, outline: str) -> Reply:
    """The question back where nothing at all was found: with what was looked for, and with what there is."""
    wanted = ", ".join([*(in_words(each.name) for each in asked.named), *map(repr, sorted(asked.open))])
    told = f"Nothing was found of {wanted}{_lacks(outline)}. What is meant?"[:1000]
    return reply_of([("clarify", {"question": told, "options": _some(outline)})], 0)


def _missing(what: str, asked: Question, lines: Lines, report: str, outline: str) -> Missing:
    lacks = _lacks(outline) if outline and not any(each in outline for each in _STATED) else ""
    picks = any_time(lines, asked, report)
    if (blank := blank_line(lines, asked, report, picks)) is not None:
        return Missing(blank, is_bound=True, of_time=True)
    years = {year_of(pick.fact) for pick in picks[:MOST_LOOKED_AT]} - {None, *asked.years}
    said = next((each.said for each in asked.named if in_words(each.name) == what), "")
    if asked.years and years and asked.span is None:
        near = tuple(map(str, sorted((year for year in years if year is not None), reverse=True)[:MOST_OPTIONS]))
        why = f"The report has no figure for {said or in_order(what, asked.text)!r}{_when(asked)}."
        return Missing(why, near, is_bound="due after" in asked.cues)
    is_bound = (asked.span is not None and bool(years)) or "due after" in asked.cues  # of other times there is a figure
    wanted = next((each.said for each in asked.named if each.is_metric and not said), "")
    named = repr(said or in_order(what, asked.text))
    for_what = f", which {wanted!r} is made of" if wanted and wanted != what else ""
    return Missing(
        f"The report has no figure for {named}{_when(asked)}{for_what}{lacks}.",
        _near(lines, asked, report),
        is_bound=is_bound,
        of_time=is_bound,
    )


def _near(lines: Lines, asked: Question, report: str) -> tuple[str, ...]:
    near = lines.of_words(asked.open, None, report, asked) if asked.open else []
    return tuple(dict.fromkeys(pick.fact.label[:120] for pick in near))[:MOST_OPTIONS]


def _figure(solver: Solver, asked: Question) -> dict[str, Any] | None:
    """The arguments of `answer` for a question whose answer is one figure."""
    held = replace(asked, calculation="change") if asked.is_held_against else asked
    value = between_days(solver, held) or solve(solver, held)
    if value is None:
        return None
    made = solver.plan.calls[-1][1]
    if held is not asked and made.get("name") == value and made["operation"] in ("subtract", "percentage_points"):
        solver.plan.calls.pop()  # which is told behind both
        return {"values": made["values"], "kind": "list"} | ({"format": "percent"} if is_percent(asked.tree) else {})
    return {"value": value, **({"format": "percent"} if is_rate(asked) else {})}


def _reckoned(request: Request, asked: Question, lines: Lines, report: str) -> Reply | None:
    """The reply for a part of a year that is not printed: its line reckoned from that of other periods."""
    wanted = asked.when.wanted
    items = [line_items()[each.name] for each in asked.named if each.name in line_items()]
    if asked.span is None or wanted is None or len(items) != 1 or asked.calculation != "value":
        return None
    picks = lines.of_item(items[0], None, report, replace(asked, when=replace(asked.when, span=None)))
    if not picks:
        return None
    plan = Plan(request.turn)
    plan.take(picks[:1], items[0].name)
    made = reckoned_from(picks[0].fact, lines.facts, wanted, plan.turn, plan.chance)
    return None if made is None else reply_of(made[0], made[1])


def _lacks(outline: str) -> str:
    """Which statements the reports do not have, in words."""
    names = {"income": "an income statement", "balance": "a balance sheet", "cash flow": "a statement of cash flows"}
    lacking = [names[kind] for kind, said in zip(MAIN_STATEMENTS, _STATED, strict=True) if said not in outline]
    return f": no table of the report is {' or '.join(lacking)}" if lacking else ""


def _some(outline: str) -> list[str]:
    """The titles of some tables, spread over the reports."""
    titles = [title for title in dict.fromkeys(tables_in(outline)) if not any(map(str.isdigit, title))]
    return [title[:120] for title in titles[:: max(1, len(titles) // MOST_OPTIONS)][:MOST_OPTIONS]]


def _words_missing(asked: Question, plan: Plan, lines: Lines) -> frozenset[str]:
    """The words of a question that no figure of the answer has around it; of a metric, that one of its parts has not,
    which would be of the whole company beside one of a segment."""
    words = asked.open if asked.whole is None else asked.open | asked.whole.open
    around = [frozenset(lines.around(fact)) for fact in plan.facts]
    is_of_parts = asked.whole is None and any(each.is_metric for each in asked.named)
    there = frozenset.intersection(*around) if around and is_of_parts else frozenset().union(*around)
    return not_among(words, there)


def _when(asked: Question) -> str:
    if asked.span is not None:
        return f" from {asked.span[0]} to {asked.span[1]}"
    if asked.when.day is not None:
        return f" at {asked.when.day}"
    return f" in {' or '.join(map(str, asked.years))}" if asked.years else ""


def _understood(plan: Plan, asked: Question) -> dict[str, Any]:
    calculated = [arguments for tool, arguments in plan.calls if tool == "calculate"]
    described = "; ".join(figure(fact) for fact in plan.facts)
    understood: dict[str, Any] = {"description": described[:400] or "?", "requires_calculation": bool(calculated)}
    if plan.facts:
        understood |= {"entity_type": plan.facts[0].entity_type, "property": plan.facts[0].property}
    if calculated:
        understood |= {"operation": calculated[-1]["operation"], "operands": calculated[-1]["values"]}
    names = ", ".join(dict.fromkeys(each.name for each in asked.named))
    understood["reasoning"] = f"Named: {names or 'no term of the trade'}. Probability {plan.chance:.2f}."
    return understood
