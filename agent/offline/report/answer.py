"""The calls that answer a question from the view of reports: figures looked up, metrics calculated from their parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tieout.agent.offline.fit.sort import KEEPS_SORT, is_other_sort
from tieout.agent.offline.report.asked import Asked, after_question_back, read_asked, read_conversation
from tieout.agent.offline.report.compare import compare
from tieout.agent.offline.report.figure import report_of
from tieout.agent.offline.report.forms import FORMS, in_form
from tieout.agent.offline.report.instructions import asked_part, defines
from tieout.agent.offline.report.line import Lines
from tieout.agent.offline.report.solve import NotThereError, Plan, Solver, in_words, is_rate, solve
from tieout.agent.offline.report.told import blank_line, of_part_of_year
from tieout.agent.offline.report.why import CHANCE, why
from tieout.agent.offline.said import figure
from tieout.agent.offline.whole.derived import reckoned_from
from tieout.agent.protocol.message import Reply, Request, ToolCall
from tieout.agent.tools.spans import read_wanted
from tieout.agent.view.outline import companies_in, tables_in
from tieout.kg.fact import FactKind
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

_WORD = re.compile(r"[^\W\d_]+")
_SAID = re.compile(r"[^\W_]+(?:&[^\W_]+)?")
_POSSESSIVE = re.compile(r"['’]s\b")
OWN_TERM = 0.55  # where a question says itself what its term means, which is not looked at
MOST_OPTIONS = 4
SURE_OF_PAGE = 0.8  # chance from which a page is answered by this reader
OF_A_PAGE = ("yes or no", "list", "year")


def answer_from_view(request: Request) -> Reply | None:
    """The reply to a question about whole reports; None where this way of answering does not fit it."""
    if request.view is None:
        return None
    if not _SAID.search(request.question):
        return no_question(request.question)
    earlier = [asked_part(_POSSESSIVE.sub("", turn.question)) for turn in request.history]
    asked = read_conversation(asked_part(_POSSESSIVE.sub("", request.question)), earlier)
    if request.history and request.history[-1].answer is None:
        asked = after_question_back(asked_part(_POSSESSIVE.sub("", request.question)), earlier) or asked
    asked = _without_company(asked, request)
    lines = Lines(request.view.facts, request.view.statements)
    reports = list(dict.fromkeys(report_of(fact) for fact in lines.facts))
    if not request.view.facts and (asked.words or asked.named):
        return _ask_for(asked, request.card.text)
    if len(reports) > 1 and not asked.part_of_year:
        return compare(request, asked, lines, reports)
    if len(reports) != 1 or asked.compares or (asked.part_of_year and asked.span is None):
        return None
    if asked.form == "why":
        if (said := why(asked, request.view.text)) is not None:
            return _reply([("answer", said)], CHANCE)
        return _asked_back("No sentence that was found says why.", lines, asked, reports[0])
    plan = Plan(len(request.history) + 1)
    solver = Solver(lines, asked, reports[0], plan)
    try:
        answer = in_form(solver, asked) if asked.form in FORMS else _figure(solver, asked)
    except NotThereError as missing:
        if (made := _reckoned(request, asked, lines, reports[0])) is not None:
            return made
        if (blank := blank_line(lines, asked, reports[0])) is not None:
            return _asked_back(blank, lines, replace(asked, words=frozenset()), reports[0])
        what = in_order(str(missing), request.question)
        return _asked_back(f"The report has no figure for {what}{_when(asked)}.", lines, asked, reports[0])
    if answer is None:
        return None
    if defines(request.question):
        plan.chance *= OWN_TERM
    if left := _words_missing(asked, plan, lines):
        unknown = ", ".join(map(repr, in_order(" ".join(sorted(left)), request.question).split()))
        return _asked_back(f"Nothing that was found accounts for {unknown}.", lines, asked, reports[0])
    calls = [("understand", _understood(plan, asked)), *plan.calls, ("answer", answer)]
    part = () if asked.part_of_year else tuple(of_part_of_year(request.question, plan.facts, asked.years))
    _doubt_other_sort(request.question, plan)
    return _reply(calls, round(plan.chance, 4), plan.alternative if plan.chance < 0.6 else "", part)


def answer_on_page(request: Request, *, whatever: bool = False) -> Reply | None:
    """The reply to a question about a page that only this reader can answer: a rate that is made of printed figures, a
    list by year, whether something rose or fell, or is more than a number that is named, by how much it grew in a part
    of a year. None where it asks for something else, or where that is not sure.

    whatever: any question is one that it may answer, as the page has not the words for it: `EPS`; so it is where there
    is no page, but facts alone that have concepts.
    """
    if not _SAID.search(request.question):
        return no_question(request.question)
    asked = read_asked(request.question)
    whatever = whatever or all(fact.kind is FactKind.STATED for fact in request.card.facts)
    if asked.form == "figure" and (inside := _inside_label(asked, request)) is not None:
        return inside
    shares = asked.whole is not None and not request.history
    if (len({each.name for each in asked.named}) != 1 and not shares) or (asked.part_of_year and asked.span is None):
        return None
    if (
        not whatever
        and not shares
        and asked.form not in OF_A_PAGE
        and (asked.form != "figure" or not _is_made(asked, request))
    ):
        return None
    asked = read_conversation(request.question, [turn.question for turn in request.history])
    lines, plan = Lines(request.card.facts), Plan(len(request.history) + 1)
    solver = Solver(lines, asked, "", plan)
    try:
        answer = in_form(solver, asked) if asked.form in OF_A_PAGE else _figure(solver, asked)
    except NotThereError:
        return None
    if answer is None or plan.chance < SURE_OF_PAGE or _words_missing(asked, plan, lines):
        return None
    calls = [("understand", _understood(plan, asked)), *plan.calls, ("answer", answer)]
    _doubt_other_sort(request.question, plan)
    return _reply(calls, round(plan.chance, 4), "", tuple(of_part_of_year(request.question, plan.facts, asked.years)))


def _doubt_other_sort(question: str, plan: Plan) -> None:
    """An amount that is planned as the answer to a question for a share or a rate is a doubtful one."""
    done = [arguments["operation"] for tool, arguments in plan.calls if tool == "calculate"]
    keeps = all(operation in KEEPS_SORT for operation in done)
    if keeps and is_other_sort(question, done[-1] if done else "lookup", plan.facts):
        plan.chance = min(plan.chance, OWN_TERM)


def _inside_label(asked: Asked, request: Request) -> Reply | None:
    """The reply for an amount inside a label, as of the allowance that receivables are net of; None where none fits."""
    lines, plan = Lines(request.card.facts), Plan(len(request.history) + 1)
    words = asked.words.union(*(normalise(each.said).split() for each in asked.named))
    if not lines.in_labels or not asked.words or asked.kind != "value":
        return None
    year = max(asked.years, default=lines.latest(""))
    whole = [pick for pick in lines.of_words(words, None, "", asked) if not pick.missing]
    picks = [] if whole else lines.inside_labels(words, year, "", asked)
    if not picks:
        return None
    value = plan.take(picks, " ".join(sorted(words)))
    calls = [("understand", _understood(plan, asked)), *plan.calls, ("answer", {"value": value})]
    return _reply(calls, round(plan.chance, 4), plan.alternative)


def _is_made(asked: Asked, request: Request) -> bool:
    """Whether a metric is asked for that is a rate and that the page does not print, or growth in a part of a year."""
    if asked.kind == "growth" and asked.part_of_year:
        return True
    metric = metrics().get(asked.named[0].name)
    if metric is None or metric.unit not in ("percent", "ratio"):
        return False
    return not any(normalise(fact.label) in metric.labels for fact in request.card.facts)


def no_question(text: str) -> Reply:
    """The question back to what has no word in it."""
    call = ToolCall(id="call1", tool="clarify", arguments={"question": f"{text[:40]!r} has no word. What is asked?"})
    return Reply(calls=(call,), model="offline", confidence=0)


def _figure(solver: Solver, asked: Asked) -> dict[str, Any] | None:
    """The arguments of `answer` for a question whose answer is one figure."""
    value = solve(solver, asked)
    if value is None:
        return None
    calculated = any(tool == "calculate" for tool, _ in solver.plan.calls)
    return {"value": value, **({"format": "percent"} if calculated and is_rate(asked) else {})}


def _reckoned(request: Request, asked: Asked, lines: Lines, report: str) -> Reply | None:
    """The reply for a part of a year that is not printed: its line reckoned from that of other periods."""
    wanted = read_wanted(request.question)
    items = [line_items()[each.name] for each in asked.named if each.name in line_items()]
    if asked.span is None or wanted is None or len(items) != 1 or asked.kind != "value":
        return None
    picks = lines.of_item(items[0], None, report, replace(asked, span=None))
    if not picks:
        return None
    plan = Plan(len(request.history) + 1)
    plan.take(picks[:1], items[0].name)
    made = reckoned_from(picks[0].fact, lines.facts, wanted, plan.turn, plan.chance)
    return None if made is None else _reply(made[0], made[1])


def _reply(
    calls: Iterable[tuple[str, dict[str, Any]]],
    confidence: float,
    alternative: str = "",
    unaccounted: tuple[str, ...] = (),
) -> Reply:
    """One reply with these calls, numbered."""
    numbered = (
        ToolCall(id=f"call{number}", tool=tool, arguments=arguments)
        for number, (tool, arguments) in enumerate(calls, start=1)
    )
    return Reply(
        calls=tuple(numbered), model="offline", confidence=confidence, alternative=alternative, unaccounted=unaccounted
    )


def _without_company(asked: Asked, request: Request) -> Asked:
    """The question without the names of the companies whose reports are open: the view has been chosen by them."""
    names = (*companies_in(request.card.text).values(), *_WORD.findall(request.card.document_id.lower()))
    named = {word for name in names for word in normalise(name).split()}
    return replace(asked, words=asked.words - named)


def _ask_for(asked: Asked, outline: str) -> Reply:
    """The question back where nothing at all was found: with what was looked for, and with what there is."""
    wanted = ", ".join([*(in_words(each.name) for each in asked.named), *map(repr, sorted(asked.words))])
    why = f"Nothing was found of {wanted}{_lacks(outline)}. What is meant?"
    call = ToolCall(id="call1", tool="clarify", arguments={"question": why[:1000], "options": _some(outline)})
    return Reply(calls=(call,), model="offline", confidence=0)


def _lacks(outline: str) -> str:
    """Which statements the reports do not have, in words."""
    lacking = [kind for kind in ("income", "balance", "cash flow") if f"({kind} statement)" not in outline]
    if not lacking:
        return ""
    names = {"income": "an income statement", "balance": "a balance sheet", "cash flow": "a statement of cash flows"}
    return f": no table of the report is {' or '.join(names[kind] for kind in lacking)}"


def _some(outline: str) -> list[str]:
    """The titles of some tables, spread over the reports."""
    titles = [title for title in dict.fromkeys(tables_in(outline)) if not any(map(str.isdigit, title))]
    return [title[:120] for title in titles[:: max(1, len(titles) // MOST_OPTIONS)][:MOST_OPTIONS]]


def _words_missing(asked: Asked, plan: Plan, lines: Lines) -> frozenset[str]:
    """The words of a question that no figure of the answer has around it."""
    words = asked.words if asked.whole is None else asked.words | asked.whole.words
    return words - frozenset(word for fact in plan.facts for word in lines.around(fact))


def _asked_back(why: str, lines: Lines, asked: Asked, report: str) -> Reply:
    near = lines.of_words(asked.words, None, report, asked) if asked.words else []
    options = list(dict.fromkeys(pick.fact.label[:120] for pick in near))[:MOST_OPTIONS]
    arguments: dict[str, Any] = {"question": f"{why} What is meant?"}
    if options:
        arguments["options"] = options
    return Reply(calls=(ToolCall(id="call1", tool="clarify", arguments=arguments),), model="offline", confidence=0)


def in_order(words: str, question: str) -> str:
    """Words in the order in which a question says them, as it spells them; as they are where it has not all of them."""
    wanted = set(words.split())
    said = {singular(match[0].lower()): match[0] for match in reversed(list(_SAID.finditer(question)))}
    if not wanted <= said.keys():
        return words
    return " ".join(said[word] for word in reversed(said) if word in wanted)


def _when(asked: Asked) -> str:
    if asked.span is not None:
        return f" from {asked.span[0]} to {asked.span[1]}"
    return f" in {' or '.join(map(str, asked.years))}" if asked.years else ""


def _understood(plan: Plan, asked: Asked) -> dict[str, Any]:
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
