"""How well the figures of an option fit the question: words they leave, words they add, their units and places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.option import Option
from tieout.agent.question.question import Question
from tieout.data.printed.amount import Unit
from tieout.kg.fact import Fact
from tieout.ontology.asked.words import content

MOST_LEFT = 4  # words that the figures do not have: more of them tell no more
RECENT = 2  # questions before whose words may be meant too


def fit_features(option: Option, ask: Question, goal: Aim, manner: str) -> Features:
    """The features of all figures under an option, those under earlier answers too; none for an answer in words."""
    facts = _facts(option)
    if not facts or option.kind == "words":
        return {}
    found: Features = {}
    if ask.core:
        for name, value in _left(ask.core, facts).items():
            found |= {name: value, f"{name}, {goal.gate}": value, f"{name}, {manner}": value}
        added = _added(facts, ask, goal)
        found |= {"words added": added, f"words added, {goal.gate}": added}
    if option.operation == "lookup":
        unit = f"{ask.sort} asked, {_unit(facts[0])} said"
        found |= {unit: 1.0, f"{unit}, {manner}": 1.0}
    if len(facts) > 1:
        found |= _together(facts, option.step, goal.gate)
    return found


def _facts(option: Option) -> list[Fact]:
    if option.whole is not None:
        return option.whole.facts
    operands = option.ranked.candidate.operands if option.ranked is not None else ()
    facts = [operand.view.fact for operand in operands if operand.view is not None]
    return facts + [fact for operand in operands if operand.past is not None for fact in operand.past.facts]


def _left(core: Sequence[str], facts: Sequence[Fact]) -> Features:
    """How many words of a question none of the figures has, and how many each has on average."""
    known = [
        _words_of(fact.label, fact.header, fact.section, fact.caption, fact.heading, fact.context) for fact in facts
    ]
    left = sum(all(each not in words for words in known) for each in core)
    had = sum(each in words for words in known for each in core)
    return {
        "words left": left / len(core),
        "words left, counted": min(left, MOST_LEFT) / MOST_LEFT,
        "words of each": had / len(core) / len(facts),
    }


@lru_cache(maxsize=4096)
def _words_of(*texts: str) -> frozenset[str]:
    return frozenset(each for text in texts for each in content(text))


def _added(facts: Sequence[Fact], ask: Question, goal: Aim) -> float:
    """The share of the words of their labels that the question and those right before it do not have."""
    asked = {*ask.stems, *(each for past in goal.context.past[:RECENT] for each in content(past.asked.text))}
    labels = frozenset[str]().union(*(_words_of(fact.label) for fact in facts))
    return sum(each not in asked for each in labels) / max(len(labels), 1)


def _unit(fact: Fact) -> str:
    unit = fact.unit
    return "no unit" if unit is None else unit if isinstance(unit, Unit) else "money"


def _together(facts: Sequence[Fact], step: str, gate: str) -> Features:
    """Whether several figures are of one kind, unit, scale, row and column."""
    lines = {(fact.table, fact.row if fact.table is not None else fact.sentence) for fact in facts}
    columns = {(fact.table, fact.column) for fact in facts}
    return {
        f"{'text and table' if len({fact.kind for fact in facts}) > 1 else 'of one kind'}, {gate}": 1.0,
        f"{'units' if len({fact.unit for fact in facts}) > 1 else 'one unit'}, {step}": 1.0,
        f"{'scales' if len({fact.scale for fact in facts}) > 1 else 'one scale'}, {step}": 1.0,
        f"{'lines' if len(lines) > 1 else 'one line'}, {'columns' if len(columns) > 1 else 'one column'}, {step}": 1.0,
    }
