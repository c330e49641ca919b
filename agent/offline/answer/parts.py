"""Which of the parts of an amount was the most, the least, or grew faster: `which segment had the highest revenue?`

The parts are figures that stand side by side, in a column or a row of a table, and add up to the amount of the whole
company, or of a part of it: neither totals nor other lines are one. Of a rate a table has both amounts of each part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Any

from tieout.agent.offline.operands.linking import Lines
from tieout.agent.question.question import Question
from tieout.data.printed.periods.spans import QUARTER, months_of, span_of
from tieout.data.printed.unit import Unit
from tieout.kg.addends import addends_beside
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, is_of_same_time, words_of
from tieout.kg.moves import year_before
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, find_measures
from tieout.ontology.metrics.formula import Apply, Operand
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import metrics

MOST_WHOLES = 5  # amounts that what is asked for may be
CHANCE, OTHER = 0.9, 0.6  # that the parts are those that are meant: under words of the question, and any others
APART = 4  # words that count less for figures among others, which may add up by chance
_MOST = ("highest", "lowest", "change", "pace")  # what says which of the parts it is, and nothing of what is measured
MOST_TOLD = 4  # parts that are named
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Figures that add up to a whole, with their names. said: how far words of the question stand over them; below: of
    rates and shares what each is over."""

    figures: Sequence[Fact]
    names: Sequence[str]
    said: int = 0
    below: Sequence[Fact] = ()

    def only(self, kept: Sequence[int]) -> Parts:
        """Some of them."""
        below = [self.below[at] for at in kept] if self.below else ()
        return Parts([self.figures[at] for at in kept], [self.names[at] for at in kept], self.said, below)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a question asks of parts. asked: without the words by which it asks for them; asks: these. place: which in
    their order; is_ranked: all of them, in their order; is_change: by how they grew; is_lost: which made a loss;
    is_bare: it does not say what is measured; is_split: of what an amount is made, whatever it is."""

    asked: Question
    asks: str
    place: int
    is_ranked: bool
    is_change: bool
    is_lost: bool
    is_bare: bool
    is_split: bool

    @property
    def is_down(self) -> bool:
        """Whether the least comes first."""
        is_less = self.asked.less or bool(self.asked.cues & {"fewer", "slower"})
        return not self.is_ranked and (self.is_lost or is_less)

    @property
    def is_fall(self) -> bool:
        return self.is_change and "fell" in self.asked.cues


def _wish(asked: Question) -> _Wish | None:
    """What a question asks of parts, None for nothing."""
    forms, known = language().forms, language().words
    asks, lost = forms["of which part"].search(asked.lower), forms["made a loss"].search(asked.lower)
    behind = forms["behind the most"].search(asked.lower)  # `the second largest segment`
    is_ranked, is_lost = "ranked" in asked.cues, lost is not None
    is_change = bool(asked.cues & {"change", "pace"}) or len(asked.years) > 1
    is_asked = is_change or is_ranked or is_lost or asked.cues & {"highest", "lowest", "more", "fewer"}
    if asks is None or not is_asked or len({each.name for each in asked.named}) > 1:
        return None
    manner = known["function"] | known["asking"] | known["common"] | frozenset(language().numbers) | known["of a part"]
    moves = (move for cue in _MOST for move in language().cues[cue].finditer(asked.lower))
    asking = " ".join(found[0] for found in (asks, lost, behind, *moves) if found is not None)
    asked = replace(asked, open=asked.open - manner - words_of(asking))
    if is_bare := not (asked.named or asked.open or is_lost):  # `which segment is the largest?`
        named = find_measures("".join(asked.halves[-1:]).lower())
        is_bare, asked = not named, replace(asked, named=named or (Named("revenue", 0, 0, False, "revenue"),))
    place = int(language().same.get(behind["place"], behind["place"])[0]) if behind is not None else 1
    abroad = forms["abroad"].search(asked.lower)
    asked = asked if abroad is None else replace(asked, open=asked.open - words_of(abroad[0]))
    split = is_split(asked)  # its parts stand over the name of the amount
    told = f"{asks[0]} ({asked.lower[asks.end() :]})" if split else asks[0]
    return _Wish(asked, told, place, is_ranked, is_change, is_lost, is_bare, split)


def is_split(asked: Question) -> bool:
    """Whether a question asks what an amount is made of, whatever it is."""
    asks = language().forms["of which part"].search(asked.lower)
    return asks is not None and not words_of(asks[0]).isdisjoint(language().words["of an amount"])


def of_parts(asked: Question, lines: Lines, report: str, turn: int) -> tuple[list[Call], float, tuple[str, ...]] | None:
    """The calls that answer which part was the most, the least, made a loss, or grew faster or slower, and the chance
    of being right; None where a question does not ask so, or no figures are known to be parts of what it asks for."""
    wish = _wish(asked)
    if wish is None:
        return None
    found = _found(wish, lines, report)
    kept = [each for parts in found if (each := _kept(parts, lines, wish))]
    fallen = [each for each in kept if wish.is_fall and any(map(_is_less, each[0].figures, each[1]))]
    if not kept:
        return None
    best, olds = (fallen or kept)[0]
    pairs = list(zip(best.figures, olds, strict=True))
    amounts = [new.value if old is None else (new.value - wish.is_change * old.value) / old.value for new, old in pairs]
    ordered = sorted(range(len(amounts)), key=lambda each: amounts[each] if wish.is_down else -amounts[each])
    if (at := next(iter(ordered[wish.place - 1 :]), None)) is None:
        return None
    used = dict.fromkeys(fact.name for fact in (*best.figures, *olds) if fact is not None)
    calls: list[Call] = [("query_kg", {"fact": name}) for name in used]
    made = [f"turn{turn}step{number}" if old else new.name for number, (new, old) in enumerate(pairs, 1)]
    operation = "percentage_change" if wish.is_change else "percentage"
    for name, (new, old) in zip(made, pairs, strict=True):
        if old is not None:
            calls.append(("calculate", {"operation": operation, "values": [new.name, old.name], "name": name}))
    counts = [language().numbers.get(word, 1) for word in wish.asks.split() if " of " not in wish.asks]
    many = len(made) if wish.is_ranked else min(max([1, *counts]), len(made))  # `which two segments`
    sign = 1 if wish.is_down and many > 1 else -1
    order = sorted(range(len(made)), key=lambda each: (each != at, sign * amounts[each]))
    shown = order[:many] if many > 1 else order
    answer = {"words": [best.names[each] for each in order[:many]], "values": [made[each] for each in shown]}
    calls.append(("answer", {**answer, "kind": "list" if many > 1 else "name with value"}))
    is_likely = (best.said > 0 or best.below) and (fallen or not wish.is_fall)
    return calls, CHANCE if is_likely else OTHER, tuple(_left_open(wish, best, found, is_fallen=bool(fallen)))


def _found(wish: _Wish, lines: Lines, report: str) -> list[Parts]:
    """The parts that may be meant, the likeliest first."""
    latest, rate, found = lines.latest(report), _quotient(wish.asked), list[Parts]()
    # A year that ends in January may be called by the one before.
    for year in sorted(wish.asked.years)[-1:] or (latest, latest and latest - 1):
        if rate is None:
            found = found or _of_wholes(wish, lines, report, year)
        elif not wish.is_change:
            found = found or list(_of_rates(wish, lines, rate, report, year))
    found.sort(key=lambda parts: -parts.said)
    if language().forms["abroad"].search(wish.asked.lower) is None:
        return found
    at_home = language().forms["home"].match
    return [each.only([at for at, name in enumerate(each.names) if not at_home(name)]) for each in found]


def _left_open(wish: _Wish, best: Parts, found: Sequence[Parts], *, is_fallen: bool) -> Iterator[str]:
    """What is told of parts that are the answer: which others may be, and what they are not that is asked for."""
    rival = next((each for each in found if each.said >= best.said and _is_other(each, best)), None)
    if rival is not None:
        yield f"{', '.join(rival.names[:MOST_TOLD])} add up to the same as well"
    if wish.is_bare:
        yield "what is measured is not said, and taken to be revenue"
    if wish.is_fall and not is_fallen:
        yield "none of them fell"
    forms, over = language().forms, f"{best.figures[0].caption} {best.figures[0].section}".lower()
    are_places = forms["of places"].search(over) or any(map(forms["a place"].search, best.names))
    if forms["of places"].search(wish.asks) and not are_places:
        yield f"{', '.join(best.names[:MOST_TOLD])} are no places"


def _is_less(new: Fact, old: Fact | None) -> bool:
    return old is not None and new.value < old.value


def _kept(parts: Parts, lines: Lines, wish: _Wish) -> tuple[Parts, Sequence[Fact | None]] | None:
    """The parts that can be the one that is asked for, each with what it is held against; None where too few are known:
    what is of no part grows no more than what was no gain, and only such a part made a loss that has a name."""
    before: list[Fact | None] = [*parts.below] or [None] * len(parts.figures)
    if wish.is_change:
        before = [next(iter(year_before(fact, lines.facts)), None) for fact in parts.figures]
    own = [language().forms["of no part"].search(name) is None for name in parts.names]
    olds = {at: old.value for at, old in enumerate(before) if old is not None and parts.figures[at].value}
    there = [*olds] if wish.is_change else range(len(before))
    if len(there) < max(2, len(before) - 1):
        return None  # of one a year may be missing, or nothing
    kept = [at for at in there if (own[at] or wish.is_ranked) and not (wish.is_change and olds[at] <= 0)]
    if len(kept) < 2 or (wish.is_lost and not any(parts.figures[at].value < 0 for at in kept)):
        return None
    return parts.only(kept), [before[at] for at in kept]


def _of_wholes(wish: _Wish, lines: Lines, report: str, year: int | None) -> list[Parts]:
    """The parts of what a question asks for, of which it may name some: `which grew faster, bulk or premium?`"""
    asked, asks = wish.asked, wish.asks
    is_share = "share" in asked.cues | language().cues_of("".join(asked.halves[-1:]))
    is_few = words_of(asks).isdisjoint(language().words["of small parts"])
    for of in (asked, replace(asked, open=frozenset())):
        found = []
        for whole in islice(_wholes(of, lines, report, year, asks, wish.is_lost), MOST_WHOLES):
            for each in addends_beside(lines.facts, whole, is_few, are_lines=wish.is_split):
                said = _said(wish, lines, each.figures[0], each.names) + (wish.is_split if each.is_closed else -APART)
                found.append(Parts(each.figures, each.names, said, [whole] * len(each.names) if is_share else ()))
        if of is not asked:
            return [kept for parts in found if (kept := _named(parts, asked.open)) is not None]
        if found or not asked.open:
            break
    return found


def _is_other(parts: Parts, best: Parts) -> bool:
    """Whether parts of the same time are neither the same as others, nor those of which they are made."""
    amounts = dict(zip(best.names, map(amount_of, best.figures), strict=True))
    same = [amounts.get(name) == amount_of(fact) for name, fact in zip(parts.names, parts.figures, strict=True)]
    return is_of_same_time(parts.figures[0], best.figures[0]) and not any(same)


def _named(parts: Parts, words: frozenset[str]) -> Parts | None:
    """Those of the parts that a question names; None where it names fewer than two, or has words that none has."""
    kept = [at for at, name in enumerate(parts.names) if words_of(name) & words]
    if len(kept) < 2 or words - words_of(" ".join(parts.names[at] for at in kept)):
        return None
    return replace(parts.only(kept), said=parts.said + 2)


def _quotient(asked: Question) -> tuple[LineItem, LineItem] | None:
    """The line items of which a rate that a question names is made: of an operating margin two; None for no rate."""
    tree = metrics()[asked.named[0].name].formula if asked.named and asked.named[0].is_metric else None
    if not isinstance(tree, Apply) or tree.operation != "divide":
        return None
    over = [line_items().get(each.name) for each in tree.operands if isinstance(each, Operand) and not each.back]
    return (over[0], over[1]) if len(over) == 2 and over[0] is not None and over[1] is not None else None


def _of_rates(
    wish: _Wish, lines: Lines, rate: tuple[LineItem, LineItem], report: str, year: int | None
) -> Iterator[Parts]:
    """The parts of the company of which a table has both amounts of a rate."""
    of, over = (lines.of_each_part(item, year, report, wish.asked) for item in rate)
    for table, figures in of.items():
        below = over.get(table, {})
        names = [name for name in figures if name in below and below[name].value]
        if len(names) > 1:
            chosen = [figures[name] for name in names]
            yield Parts(chosen, names, _said(wish, lines, chosen[0], names), [below[name] for name in names])


def _said(wish: _Wish, lines: Lines, fact: Fact, names: Sequence[str]) -> int:
    """How much of a question speaks for some parts: its words that stand over them, right over them twice; that it says
    how many they are; that it asks for places, and they are called so. What is asked for may be called otherwise."""
    known, numbers, forms, asks = language().words, language().numbers, language().forms, wish.asks
    of_part, (of_which, _, beside) = known["of a part"], asks.partition("(")
    words = words_of(of_which) & of_part or words_of(of_which) - known["function"] - known["asking"]
    words = words | words_of(beside)  # `operating segment` stands over no operating revenues
    near, over = words_of(f"{fact.caption} {fact.section} {lines.total_of(fact)}"), words_of(fact.heading)
    counted = [numbers[word] == len(names) for word in asks.split() if word in numbers and " of " in asks]
    items = [find_line_item(name) for name in names if " " in name]
    is_line = 2 * all(find_measures(name.lower()) for name in names) + any(items)
    is_line = 0 if wish.is_split else is_line  # a line of a statement is no part of the company, but of an amount
    places = [forms["a place"].search(name) for name in names]
    is_other = words.isdisjoint(near) and any(place is not None and place["country"] for place in places)
    are_places, are_made = 2 * sum(map(bool, places)) > len(names), words_of(asks) & known["of what is made"]
    is_apt = 2 * are_places if forms["of places"].search(asks) else -is_other - 2 * (are_places and bool(are_made))
    own = len(words & near) + any(counted) - bool(counted and not any(counted)) - is_line + is_apt
    is_part = bool(words & of_part) * (2 * bool(of_part & near) or bool(of_part & over))
    return 2 * own + max(len(words & over), is_part)


def _wholes(asked: Question, lines: Lines, report: str, year: int | None, asks: str, is_lost: bool) -> Iterator[Fact]:
    """The amounts that the parts may add up to, the likeliest first; of a quarter where the question says so. What
    stands before the parts may be of their whole: `freight groups` are of freight revenue."""
    usual = "operating_income" if is_lost else "revenue"
    item = line_items().get(asked.named[0].name if asked.named else "" if asked.open else usual)
    if item is None:
        picks = [pick for pick in lines.of_words(asked.open, year, report, asked) if not pick.missing]
    elif asked.open:
        picks = lines.of_part(item, year, report, asked)
    else:
        known = language().words
        before = words_of(asks) - known["function"] - known["asking"] - known["of a part"] - set(language().numbers)
        whole = before | words_of(asked.named[0].said if asked.named else usual)
        said = lines.of_words(whole, year, report, asked) if before else []
        picks = [*(pick for pick in said if not pick.missing), *lines.of_item(item, year, report, asked)]
    if item is not None and item.name == "operating_income" and not asked.open:
        result = lines.of_words(language().words["result of segments"], year, report, asked)
        picks = [*picks[:1], *(pick for pick in result if not pick.missing), *picks[1:]]
    if asked.part_of_year:
        picks = [each for each in picks if (span := span_of(each.fact.period)) and months_of(span) == QUARTER] or picks
    seen: set[Decimal] = set()
    for pick in picks:
        is_amount = pick.fact.unit != Unit.PERCENT and (pick.fact.value > 0 or is_lost)
        if is_amount and amount_of(pick.fact) not in seen:
            seen.add(amount_of(pick.fact))
            yield pick.fact
