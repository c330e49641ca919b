"""Whether a figure is printed as it is asked for: all words of a question stand at it, and at no other of its time."""

from __future__ import annotations

from datetime import date

from tieout.agent.offline.answer.by_name import DONE_BY
from tieout.agent.offline.answer.stated_days import in_fiscal_quarter, in_latest_part
from tieout.agent.offline.operands.linking import OF_NO_PART, Lines
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, is_of_odd_length, report_of, without_inside, words_of
from tieout.kg.sense import is_other_sort
from tieout.ontology.asked.words import leaves_out
from tieout.ontology.metrics.line_item import find_line_item, line_items


def is_as_asked(fact: Fact, asked: Question, lines: Lines) -> bool:
    """Whether all words of a question for one figure stand at this one, and at no other of its time that is as near."""
    is_plain = asked.calculation == "value" and asked.form == "figure" and asked.kinds[0] == "number"
    is_more = bool(asked.doing & DONE_BY.keys() or asked.halves) or asked.compares
    is_other = leaves_out(fact.label, asked.lower) or is_other_sort(asked.asks_for, "lookup", [fact])
    if not is_plain or is_more or is_other or fact.kind is not FactKind.TABLE:
        return False
    timed = in_fiscal_quarter(in_latest_part(asked, lines, report_of(fact)), lines)
    of_time = lines.of_time(report_of(fact), timed)
    is_timed = fact in of_time and (timed.span is not None if asked.part_of_year else not is_of_odd_length(fact))
    known = (asked.open - OF_NO_PART).union(*(words_of(each.said) for each in asked.named))
    if (near := _nearness(fact, asked, lines, known)) is None or not (near[1] and is_timed):
        return False
    if near[1] < len(known) and near[1] + near[2] < 0:  # most of its label is of something else, and it lacks a word
        return False
    least = near[1] if near[0] else 0  # words of its label, without which none is as near
    alike = (each for each in of_time if len(words_of(without_inside(each.label)) & known) >= least)
    others = (each for each in alike if each.unit == fact.unit and amount_of(each) != amount_of(fact))
    return not any((other := _nearness(each, asked, lines, known)) is not None and other >= near for each in others)


def _nearness(fact: Fact, asked: Question, lines: Lines, known: frozenset[str]) -> tuple[bool, int, int, date] | None:
    """Whether all words of a question stand at the figure itself, how many in its label, how few others that has, and
    its last day; None where some stand nowhere around it. known: all that the question says."""
    words, label = asked.open - OF_NO_PART, words_of(without_inside(fact.label))
    at, around = label | words_of(f"{fact.section} {fact.header}"), lines.about(fact)
    names = [_ways(each.name, each.said, fact) for each in asked.named]
    if words - around or not all(any(said <= around for said in each) for each in names):
        return None
    is_at = words <= at and all(any(said <= at for said in each) for each in names)
    end = fact.period and fact.period.end
    return is_at, len(label & known), -len(label - known), end or date.min


def _ways(name: str, said: str, fact: Fact) -> list[frozenset[str]]:
    """The words by each of which what is named may be said of a figure: none where its line is known as that."""
    item = line_items().get(name)
    if item is not None and find_line_item(fact.label) == item:
        return [frozenset(), words_of(fact.label)]
    return [words_of(each) - OF_NO_PART for each in (said, *(item.labels if item is not None else ()))]
