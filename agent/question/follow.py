"""A question that was asked after others: what it leaves out is that of the question before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tieout.agent.question.language import language
from tieout.agent.question.measures import find_measures
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.question.tree import go_on, is_percent
from tieout.ontology.metrics.formula import Operand

SHORT = 6  # words of a question that asks on
_OF_TIME = frozenset(("part of year", "ended"))


def read_in_conversation(question: str, earlier: Sequence[str]) -> Question:
    """What a question wants that was asked after others.

    `and in 2023?` asks for the same of another year, `and revenue?` for another thing of the same year, `how did it
    change?` for the change of the same, `and the year before?` for the year before that which was asked.
    """
    known: Question | None = None
    for each in earlier:
        known = read_after(known, read_question(each))
    return read_after(known, read_question(question))


def read_next(question: str, earlier: Sequence[str], *, is_answered: bool) -> Question:
    """As `read_in_conversation`; where the question before was asked back, `is_answered` is False, a reply to that."""
    asked = read_in_conversation(question, earlier)
    return asked if is_answered or not earlier else _after_question_back(question, earlier) or asked


def _after_question_back(reply: str, earlier: Sequence[str]) -> Question | None:
    """What is wanted by a reply to a question back: that what was asked before it, of what the reply names.

    The words of the question that was not understood are the reply's. None where the reply is a question of its own.
    """
    own = read_question(reply)
    if own.calculation != "value" or own.years or not (own.named or own.open) or len(own.words) > SHORT or "?" in reply:
        return None
    known = read_in_conversation(earlier[-1], earlier[:-1])
    return None if known.told and own.named else replace(known, named=own.named, tree=own.tree, open=own.open)


def read_after(known: Question | None, own: Question) -> Question:
    """A question with what it leaves out, that of the one before it; None for no question before."""
    if known is None:
        return own
    if own.calculation == "share" and own.whole is not None and not (own.named or own.open):
        return _share_of(known, own)
    if known.calculation == own.calculation == "value" and (made := go_on(known.tree, *own.joins)) is not None:
        when = own.when if own.years or own.part_of_year else known.when
        named, search = (*known.named, *own.named), (*known.search, *own.search)
        return replace(own, named=named, tree=made, open=known.open, when=when, search=search)
    own = _qualified(known, own)
    years = own.years
    goes_on = "asks on" in own.cues or not (own.named or own.open)
    if own.when.back and known.years:
        own = _of_years(own, tuple(year - own.when.back for year in known.years))
    elif goes_on and not own.years and not own.when.last:
        own = replace(own, when=replace(own.when, years=known.years, back=own.when.back + known.when.back))
        if not own.part_of_year:
            own = _of_time(own, known)
    if goes_on and own.calculation == "value" and len(own.words) <= SHORT:
        in_percent = known.calculation == "change" and own.cues & {"growth", "percent"}
        calculation = "growth" if in_percent else known.calculation
        is_own = calculation == "growth" and is_percent(own.tree)  # a margin is asked for itself, not for its growth
        own, years = replace(own, calculation="value" if is_own else calculation, whole=known.whole), own.years
        if own.form == "figure" and known.form == "yes or no":
            own = replace(own, form=known.form, less=known.less)
    if own.named or own.open:
        return own
    if own.calculation in ("change", "growth") and (between := _years_of_change(years, known, own)):
        own = _of_years(own, between)
    own = replace(
        own,
        named=known.named,
        tree=known.tree,
        open=known.open,
        compares=own.compares or known.compares,
        before=known.years,
        cues=own.cues | (known.cues & {"of a day"}),
    )
    return own if own.span else _of_time(own, known)


def _qualified(known: Question, own: Question) -> Question:
    """A question that says no more than what qualifies the measure before, `diluted?`, as one for that measure."""
    words = language().words
    said = [word for word in own.words if word not in words["function"] | words["asking"] and not word.isdigit()]
    if not said or not words["qualifiers"].issuperset(said) or len(known.named) != 1:
        return own
    rest = [word for word in known.named[0].said.split() if word not in words["qualifiers"]]
    named = find_measures(" ".join((*said, *rest)))
    if not rest or len(named) != 1:
        return own
    return replace(own, named=named, tree=Operand(named[0].name), open=frozenset(), cues=own.cues | {"asks on"})


def _of_years(question: Question, years: tuple[int, ...]) -> Question:
    return replace(question, when=replace(question.when, years=years, expanded=tuple(sorted(years)), back=0))


def _of_time(own: Question, known: Question) -> Question:
    """A question about the part of a year that another one is about."""
    when = replace(
        own.when, span=known.when.span, by_days=known.when.by_days, wanted=own.when.wanted or known.when.wanted
    )
    return replace(own, when=when, cues=own.cues | (known.cues & _OF_TIME))


def _share_of(known: Question, own: Question) -> Question:
    """The share of another that what was asked for before is: `as a percentage of revenue?`, of the same time."""
    if known.calculation not in ("value", "share"):
        return replace(own, calculation="value", whole=None)
    when = own.when if own.years else replace(own.when, years=known.years, back=known.when.back)
    return replace(known, calculation="share", whole=own.whole, when=when, form="figure")


def _years_of_change(years: tuple[int, ...], known: Question, own: Question) -> tuple[int, ...]:
    """The years of a change that is asked for after others: of `the change` those two for which figures were asked."""
    if not years:
        return tuple(dict.fromkeys((*known.before, *known.years)))
    if len(years) == 1 and "since" in own.cues:
        return tuple(dict.fromkeys((*known.years, *years)))
    return years
