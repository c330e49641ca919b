"""The amount that the running text tells of what is asked: its passage by the rare words, in it the figure by its own.

A matter is told in several sentences, and what is asked of it in one of them: a passage has the words of all that is
asked, the label of its figure and what stands near it those of the one thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from tieout.agent.protocol.message import Amount
from tieout.agent.question.question import Question
from tieout.agent.view.sought import telling_words
from tieout.data.printed.unit import NAMES, NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import Fact
from tieout.kg.figure import PER_SHARE, is_per_share
from tieout.kg.index.telling import Wanted
from tieout.kg.index.words import Index
from tieout.kg.sense import RATE_UNITS, is_of_sort
from tieout.ontology.asked.similarity import REACH
from tieout.ontology.asked.sort import OF_RATES
from tieout.ontology.asked.words import distances, stem, stems

MOST = 40  # sentences that are looked at
ABOUT = 0.4  # what a word counts that is said of another of the things that are asked for
AT_LABEL, AT_FIGURE = 0.25, 0.3  # what it counts that the words stand in the label of a figure, and near it
OF_YEAR, YEAR_BEFORE = 0.1, 0.2  # that it is of the year that is asked for, and that this stands right before it
NO_MONEY = 0.5  # taken off what is no amount of money, where nothing says of which sort it shall be
BEHIND = 2  # words behind a count of which one says what is counted
_YEAR_BEFORE = re.compile(r"\b(20\d\d)\W{0,4}$")
_IN_NAME = re.compile(r"\b[A-Za-z]*[A-Z][\w.]*[ -]{1,2}$")  # `iPhone 16`, `Auction 107`
_LENGTHS = frozenset((Unit.YEARS, Unit.MONTHS, Unit.DAYS))
Weights = Mapping[frozenset[str], float]  # of words, each by its stems


def amount_told(
    index: Index, question: Question, whole: Question, report: str, companies: Collection[str]
) -> Amount | None:
    """The figure of a sentence of a report that tells what a question asks for; None where none is of its sort.
    whole: the question that it is a part of, or the same; companies: words of their names."""
    own = telling_words(question, companies)
    weights = index.rarity(own, report)
    lost = {form for word, weight in zip(own, weights, strict=True) if not weight for form in word.forms}
    if not lost.isdisjoint({*NAMES, *(f"{each}s" for each in NAMES)}):
        return None  # `in euros`: no other word says that
    # What is called otherwise in the report is no sign against its sentences; a name that it has not is one.
    own = [word for word, weight in zip(own, weights, strict=True) if weight or question.writes_as_name(word.forms[0])]
    said = {stem(form) for word in own for form in word.forms}
    others = [word for word in telling_words(whole, companies) if said.isdisjoint(map(stem, word.forms))]
    about = [replace(word, weight=ABOUT * word.weight, is_name=False) for word in others if word.weight >= 1]
    hits = {hit.number: hit for hit in index.telling((*own, *about), question.years, report, MOST)}
    telling = _by_stems(own, index.rarity(own, report))
    facts = [fact for fact in index.figures_of_sentences(report, [*hits]) if _may_be(fact, question, telling)]
    fits = {fact: hits[fact.sentence or 0].score + _fit(fact, question, telling) for fact in facts}
    if not fits:
        return None
    best = max(fits, key=lambda fact: fits[fact])
    others_fit = [fits[fact] for fact in fits if (fact.value, fact.scale) != (best.value, best.scale)]
    share = hits[best.sentence or 0].score
    return Amount(best, min(share, 1.0), fits[best] - max(others_fit, default=0.0), telling)


def _by_stems(words: Collection[Wanted], weights: Collection[float]) -> dict[frozenset[str], float]:
    return {frozenset(map(stem, (*w.forms, *w.near))): weight for w, weight in zip(words, weights, strict=True)}


def _may_be(fact: Fact, question: Question, telling: Weights) -> bool:
    """Whether a figure of a sentence is of the sort that is asked for, and no number that the question says itself."""
    sort = question.asks_for
    is_said = fact.value in question.counts or fact.value.copy_abs() in map(abs, question.literals)
    if fact.unit in NOT_MEASURES or not fact.value or is_said or not is_of_sort(fact, sort):
        return False
    before, behind = fact.context[: fact.start - fact.context_start], fact.context[fact.end - fact.context_start :]
    if sort in ("", "money") and (is_per_share(fact) or PER_SHARE.match(behind.lstrip())):
        return "per" in question.words
    if sort not in ("count", "shares"):  # whose unit is always printed beside it
        is_rate = sort not in OF_RATES or fact.unit in RATE_UNITS
        return fact.unit is not None and is_rate and (sort != "money" or is_currency(fact.unit))
    if fact.unit is None and _IN_NAME.search(before):
        return False
    counted = {*stems(str(fact.unit or "")), *stems(behind)[:BEHIND]}
    return fact.unit not in _LENGTHS and any(not counted.isdisjoint(each) for each in telling)


def _fit(fact: Fact, question: Question, telling: Weights) -> float:
    """How well a figure fits a question, beside its sentence: by its label, what stands near it, its year and sort."""
    at, end = fact.start - fact.context_start, fact.end - fact.context_start
    near, label = distances(fact.context[:at], fact.context[end:]), frozenset(stems(fact.label))
    whole = sum(telling.values()) or 1.0
    fit = 0.0
    for word, weight in telling.items():
        nearest = max((1 / (1 + near[each] / REACH) for each in word & near.keys()), default=0.0)
        fit += (AT_LABEL * (not label.isdisjoint(word)) + AT_FIGURE * nearest) * weight / whole
    before = _YEAR_BEFORE.search(fact.context[:at])
    year = int(before[1]) if before else fact.period.year if fact.period is not None else None
    if question.years and year is not None:
        fit += (YEAR_BEFORE if before else OF_YEAR) * (1 if year in question.years else -1)
    return fit - NO_MONEY * (not question.asks_for and not is_currency(fact.unit))
