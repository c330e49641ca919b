"""Which of the parts of an amount was the most, the least, or grew faster: `which segment had the highest revenue?`

The parts are figures that stand side by side, in a column or a row of a table, and add up to the amount of the whole
company, or of a part of it: neither totals nor other lines are one. Of a rate a table has both amounts of each part.
What adds up to nothing, or is named one by one, is a line of a table that is called as the question says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, islice

from tieout.agent.offline.answer.reply import Call
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.data.printed.periods.spans import QUARTER, months_of, span_of
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.addends import addends_beside
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, is_instant, report_of, words_of, year_of
from tieout.kg.lineup import LineUp, Parts, blocks_of, lines_up, over_table, stems_of
from tieout.kg.moves import is_growth, year_before
from tieout.kg.part_kinds import (
    INNER,
    OTHER_KIND,
    goes_on,
    is_called,
    is_inner,
    is_of_one_part,
    kind_of,
    kind_score,
    mostly,
    no_places,
    of_company,
    said_over,
    without,
)
from tieout.kg.sums import number_of
from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.language import language
from tieout.ontology.asked.listed import Listed, names_asked
from tieout.ontology.asked.measures import Named, find_measures, names_measure
from tieout.ontology.asked.members import asks_all, but_these, members_of
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import quotient_of

MOST_WHOLES = 5  # amounts that what is asked for may be
CHANCE, OTHER = 0.9, 0.6  # that the parts are those that are meant: under words of the question, and any others
APART = 4  # words that count less for figures among others, which may add up by chance
_MOST = ("highest", "lowest", "change", "pace")  # what says which of the parts it is, and nothing of what is measured
MOST_TOLD = 4  # parts that are named
_MOVED = re.compile(r"change|increase|decrease|variance|growth|vs\.?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a question asks of parts. asked: without the words by which it asks for them; asks: these. place: which in
    their order; is_ranked: all of them, in their order; is_change: by how they grew; is_lost: which made a loss;
    is_bare: it does not say what is measured. members: the stems of each that it names; is_each: it asks for all of
    them; next_to: the words of the one before what it asks for; but: what it leaves out; in_amounts: it asks how far
    each moved, not at what rate; listed: the names it asks for."""

    asked: Question
    asks: str
    place: int
    is_ranked: bool
    is_change: bool
    is_lost: bool
    is_bare: bool
    members: tuple[frozenset[str], ...] = ()
    is_each: bool = False
    next_to: frozenset[str] = frozenset()
    but: tuple[str, ...] = ()
    in_amounts: bool = False
    listed: Listed | None = None

    @property
    def is_down(self) -> bool:
        """Whether the least comes first."""
        is_less = self.asked.less or bool(self.asked.cues & {"fewer", "slower"})
        is_less = is_less if self.asked.bound is None else not self.asked.bound.above  # `at least`
        return not self.is_ranked and (self.is_lost or is_less)

    @property
    def is_fall(self) -> bool:
        return self.is_change and ("fell" in self.asked.cues or (self.is_held and "fewer" in self.asked.cues))

    @property
    def is_held(self) -> bool:
        """Whether it holds the parts against themselves at another time: `which segments made less than in 2022?`"""
        return _is_held(self.asked)

    @property
    def called(self) -> Mapping[str, str]:
        """What the parts have to be called, in the singular, with how the question says it: `customers`."""
        persons = language().words["persons"]
        whom = {} if self.is_each else {word: f"{word}s" for word in sorted(words_of(self.asks) & persons)}
        return whom if self.listed is None else {**whom, self.listed.of: self.listed.called}


def _wish(asked: Question) -> _Wish | None:
    """What a question asks of parts, None for nothing."""
    forms, known = language().forms, language().words
    if (listed := names_asked(asked.lower)) is not None and (listed.is_told or asked.cues.isdisjoint(_MOST)):
        asked = _without(asked, f"which {listed.rest}")
    these = None if asked.several else members_of(asked.lower)
    members, is_each = ((), False) if these is None else (these.names, these.is_each)
    if these is not None:
        asked = _without(asked, these.rest)
    out, rest = but_these(asked.lower)
    if out:
        asked = _without(asked, rest)
    asks, lost = forms["of which part"].search(asked.lower), forms["made a loss"].search(asked.lower)
    behind = forms["behind the most"].search(asked.lower)  # `the second largest segment`
    is_plain = listed is not None and asked.cues.isdisjoint((*_MOST, "more", "fewer"))
    listed = None if asked.named or asked.bound else listed
    is_ranked, is_lost = is_plain or "ranked" in asked.cues, lost is not None
    is_change = bool(asked.cues & {"change", "pace"}) or len(asked.years) > 1 or _is_held(asked)
    first = forms["next to this"].search(asked.lower)
    is_asked = is_each or is_change or is_ranked or is_lost or asked.cues & {"highest", "lowest", "more", "fewer"}
    within = range(asks.start(), asks.end()) if asks is not None else range(0)
    # `Which opex line has the most rent?`
    if outside := tuple(each for each in asked.named if each.start not in within):
        asked = replace(asked, named=outside)
    if not (asks or members or first) or not is_asked or len({each.name for each in asked.named}) > 1:
        return None
    manner = known["function"] | known["asking"] | known["common"] | frozenset(language().numbers) | known["of a part"]
    manner = manner | known["idle"] | known["of what is named"]
    moves = (move for cue in _MOST for move in language().cues[cue].finditer(asked.lower))
    asking = " ".join(found[0] for found in (asks, lost, behind, first, *moves) if found is not None)
    asked = replace(asked, open=asked.open - manner - words_of(asking))
    if is_bare := not (asked.named or asked.open or is_lost):  # `which segment is the largest?`
        named = find_measures("".join(asked.halves[-1:]).lower())
        is_bare, asked = not named, replace(asked, named=named or (Named("revenue", 0, 0, False, "revenue"),))
    place = int(language().same.get(behind["place"], behind["place"])[0]) if behind is not None else 1
    abroad = forms["abroad"].search(asked.lower)
    asked = asked if abroad is None else replace(asked, open=asked.open - words_of(abroad[0]))
    told = "" if asks is None else asks[0]
    next_to = words_of(first["first"]) - known["function"] if first is not None else frozenset()
    stems = tuple(stems_of(name) - known["function"] for name in members)
    aside = (next_to, out, is_change and forms["in amounts"].search(asked.lower) is not None, listed)
    return _Wish(asked, told, place, is_ranked, is_change, is_lost, is_bare, stems, is_each, *aside)


def _is_held(asked: Question) -> bool:
    is_of_two = len(asked.years) > 1 or "base year" in asked.cues
    return is_of_two and len(asked.cues & {"more", "fewer"}) == 1 and asked.cues.isdisjoint(("highest", "lowest"))


def _without(asked: Question, rest: str) -> Question:
    """A question without some of its words, at its own time."""
    return replace(read_question(rest), text=asked.text, when=asked.when, halves=asked.halves)


def of_parts(
    asked: Question, lines: Lines, report: str, *, is_each: bool = False
) -> tuple[list[Call], float, tuple[str, ...]] | None:
    """The calls that answer which part was the most, the least, made a loss, or grew faster or slower, and the chance
    of being right; no calls where no part is so; None where a question does not ask so, or no figures are known to be
    parts of what it asks for. is_each: what each of those is that it names."""
    wish = _wish(asked)
    if wish is None or wish.is_each != is_each:
        return None
    found = _found(wish, lines, report)
    kept = [each for parts in found if (each := _kept(parts, lines, wish))]
    fallen = [each for each in kept if wish.is_fall and each[0].has_fallen(each[1])]
    if not kept:
        return None
    best, olds = (fallen or kept)[0]
    pairs = list(zip(best.figures, olds, strict=True))
    moved = [new.value - (old.value if old is not None and wish.is_change else 0) for new, old in pairs]
    bases = [1 if old is None or wish.in_amounts else old.value for _, old in pairs]
    amounts = [each / base for each, base in zip(moved, bases, strict=True)]
    ordered = sorted(range(len(amounts)), key=lambda each: amounts[each] if wish.is_down else -amounts[each])
    are_named = wish.is_ranked or wish.is_each or wish.members or wish.place > 1
    all_moved = Bound(Decimal(0), 1, not wish.is_fall, "") if wish.is_change and not are_named else None
    cues = wish.asked.cues - ({"more", "fewer", "compared"} if wish.is_held else frozenset())
    if bound := asked.bound or (all_moved if asks_all(wish.asks, cues) else None):
        in_full = amounts if any(olds) and not wish.in_amounts else [*map(number_of, best.figures)]
        if not (ordered := [each for each in ordered if bound.holds(in_full[each])]):
            return [], 0, ()
    called = [words_of(best.names[each]) for each in ordered]
    before = next((at for at, words in enumerate(called, 1) if wish.next_to and wish.next_to <= words), wish.place - 1)
    if (at := next(iter(ordered[before:]), None)) is None:
        return None
    used = dict.fromkeys(fact.name for fact in (*best.figures, *olds) if fact is not None)
    calls: list[Call] = [("query_kg", {"fact": name}) for name in used]
    made = [f"turn1step{number}" if old else new.name for number, (new, old) in enumerate(pairs, 1)]
    operation = "subtract" if wish.in_amounts else "percentage_change" if wish.is_change else "percentage"
    for name, (new, old) in zip(made, pairs, strict=True):
        if old is not None:
            calls.append(("calculate", {"operation": operation, "values": [new.name, old.name], "name": name}))
    of_all = " of " in wish.asks or wish.asked.cues & {"more", "fewer"}  # which of the two had more is one
    counts = [] if of_all else [language().numbers.get(word, 1) for word in wish.asks.split()]
    counts.append(0 if wish.listed is None or of_all else wish.listed.many)
    is_all = wish.is_ranked or wish.is_each or bound is not None
    many = len(ordered) if is_all else min(max([1, *counts]), len(made))  # `which two segments`
    sign = 1 if wish.is_down and many > 1 else -1
    order = sorted(range(len(made)), key=lambda each: not wish.is_each and (each != at, sign * amounts[each]))
    shown = order[:many] if many > 1 else order
    answer = {"words": [best.names[each] for each in order[:many]], "values": [made[each] for each in shown]}
    calls.append(("answer", {**answer, "kind": "list" if many > 1 else "name with value"}))
    is_said = best.said > 0 or best.below or wish.members or (of_company(wish.asks) and not best.said)
    rival = best.rival_in([each for each, _ in kept], is_down=wish.is_down, is_change=wish.is_change) or next(
        (each for each in found if goes_on(best, each)), None
    )
    told = best.only(order[:many])
    is_said = is_said and all(is_called(told, each) for each in wish.called)
    is_likely = is_said and (fallen or not wish.is_fall) and rival is None and not no_places(wish.asks, best, told)
    left = _left_open(wish, best, rival, told, is_fallen=bool(fallen))
    return calls, CHANCE if is_likely else OTHER, tuple(left)


def _found(wish: _Wish, lines: Lines, report: str) -> list[Parts]:
    """The parts that may be meant, the likeliest first."""
    latest, found = lines.latest(report), list[Parts]()
    rate = quotient_of(wish.asked.named[0].name) if wish.asked.named else None
    # A year that ends in January may be called by the one before.
    for year in sorted(wish.asked.years)[-1:] or (latest, latest and latest - 1):
        if rate is None:
            found = found or [*_of_wholes(wish, lines, report, year), *_under_names(wish, lines, report, year)]
        elif not wish.is_change:
            found = found or list(_of_rates(wish, lines, rate, report, year))
    if wish.members:
        aside = stems_of(" ".join(wish.asked.open))
        held = (parts for parts in found if not (wish.is_each and _MOVED.search(parts.figures[0].label)))
        found = [kept for parts in held if (kept := parts.those(wish.members, aside)) is not None]
    is_picked = wish.members or wish.is_ranked or "which" in wish.asked.cues
    is_picked = is_picked or language().forms["superlative"].search(wish.asked.lower) is not None
    if rate is None and is_picked and not (wish.is_lost or (wish.is_bare and not kind_of(wish.asks, wish.next_to))):
        in_line = [*_in_line(wish, lines, report)]
        found = found + in_line if wish.asked.named else in_line + found
    inner = [OTHER_KIND * is_of_one_part(parts, found, wish.asked.lower) for parts in found]
    found = [replace(parts, said=parts.said - less) for parts, less in zip(found, inner, strict=True)]
    found.sort(key=lambda parts: -parts.said)
    is_abroad = language().forms["abroad"].search(wish.asked.lower) is not None
    totals = ([lines.total_of(fact) for fact in parts.figures] for parts in found)
    left = (without(*each, wish.but, wish.asks, is_abroad=is_abroad) for each in zip(found, totals, strict=True))
    return [each for each in left if not all(words_of(name) <= language().words["of time"] for name in each.names)]


def _left_open(wish: _Wish, best: Parts, rival: Parts | None, told: Parts, *, is_fallen: bool) -> Iterator[str]:
    """What is told of parts of which some are the answer, told: which others may be, and what they are not."""
    if rival is not None:
        yield f"{', '.join(rival.names[:MOST_TOLD])} may be meant as well"
    if wish.is_bare:
        yield "what is measured is not said, and taken to be revenue"
    if wish.is_fall and not is_fallen:
        yield "none of them fell"
    is_of_most = not (wish.asked.named or wish.asked.cues.isdisjoint(("highest", "lowest", "more", "fewer")))
    things = [word for word in wish.asked.open if f"{word}s" in wish.asked.words]  # `the most warehouses`
    if is_of_most and things and all(is_currency(each.unit) for each in best.figures):
        yield "how many there are is asked for, and the figures are in money"
    if "base year" in wish.asked.cues and not (wish.is_change or wish.asked.bound):  # `lower than in 2022`
        yield "what it was before is not held against it"
    yield from (
        f"nothing says that these are {called}" for of, called in wish.called.items() if not is_called(told, of)
    )
    if no_places(wish.asks, best, told):
        yield f"{', '.join(told.names[:MOST_TOLD])}: no places"


def _kept(parts: Parts, lines: Lines, wish: _Wish) -> tuple[Parts, Sequence[Fact | None]] | None:
    """The parts that can be the one that is asked for, each with what it is held against; None where too few are known:
    what is of no part grows no more than what was no gain, and only such a part made a loss that has a name."""
    before: list[Fact | None] = [*parts.below] or [None] * len(parts.figures)
    is_change = wish.is_change and not parts.is_moved
    if is_change:
        before = [next(iter(year_before(fact, lines.facts)), None) for fact in parts.figures]
    aside = language().forms["evens out" if wish.is_ranked or wish.is_each else "of no part"]
    own = [bool(wish.members) or aside.search(name) is None for name in parts.names]
    olds = {at: old.value for at, old in enumerate(before) if old is not None and parts.figures[at].value}
    there = [*olds] if is_change else range(len(before))
    if len(there) < max(1 if wish.but else 2, len(before) - 1):
        return None  # of one a year may be missing, or nothing
    kept = [at for at in there if own[at] and not (is_change and olds[at] <= 0)]
    if len(kept) < (1 if wish.but else 2) or (wish.is_lost and not any(parts.figures[at].value < 0 for at in kept)):
        return None
    return parts.only(kept), [before[at] for at in kept]


def _in_line(wish: _Wish, lines: Lines, report: str) -> Iterator[Parts]:
    """The figures of a line of a table over which stands what is measured, and how the parts are called; of the latest
    time where the question names none."""
    asked, known, latest = wish.asked, language().words, lines.latest(report) or 0
    of_lines = bool(words_of(wish.asks) & known["of lines"]) and kind_of(wish.asks, wish.next_to) <= known["of lines"]
    item = line_items().get(asked.named[0].name) if asked.named else None
    is_flow = wish.is_bare and item is not None and not item.is_instant
    lined = lines_up(lines.of_time(report, asked), with_totals=bool(wish.members))
    for each in chain.from_iterable(blocks_of(line, lines.total_of) for line in lined):
        whole, fact = Parts(each.figures, each.names), each.figures[0]
        parts = whole.those(wish.members, stems_of(" ".join(asked.open))) if wish.members else whole
        is_moved = is_growth(fact) or _MOVED.search(f"{fact.header} {each.shared}") is not None
        is_older = not asked.years and (year_of(fact) or latest) < latest
        are_lines = sum(find_line_item(called) is not None for called in each.names) > 1
        is_line = are_lines and not (wish.members or of_lines)
        is_balance = is_flow and is_instant(fact)
        if parts is None or is_older or is_line or is_balance or (is_moved and not wish.is_change):
            continue
        score = _on_axes(wish, lines, each, parts, are_lines=are_lines)
        if score is not None:
            yield replace(parts, said=score, is_moved=is_moved)


def _on_axes(wish: _Wish, lines: Lines, line: LineUp, parts: Parts, *, are_lines: bool) -> int | None:
    """How well the words of a question lie on the axes of a table: what a line of it shares, what stands over it, and
    how the parts are called. None where one lies nowhere, or what lies there is of something else."""
    asked, kind, known, fact = wish.asked, kind_of(wish.asks, wish.next_to), language().words, line.figures[0]
    name, own_name = (asked.named[0].name, words_of(asked.named[0].said)) if asked.named else ("", frozenset())
    words, totals = asked.open, {lines.total_of(part) for part in parts.figures} | {lines.total_of(fact)}
    own = f"{fact.section} {line.shared} {totals.pop() if len(totals) == 1 else ''}"
    called = [words_of(each) for each in parts.names]
    alike = frozenset.intersection(*called)  # `U.S. - Hourly`, `U.S. - Salaried`: both are of less than the company
    near = words_of(own) | (frozenset.union(*called) if wish.is_each else alike)
    over = words_of(over_table(fact, with_country_names="united" in kind))
    is_said, other = names_measure(own, name), find_line_item(line.shared)
    is_other = name and other is not None and other.name != name and not is_said  # net interest, of net income
    said = words if is_said or names_measure(over_table(fact), name) else words | own_name
    is_part = bool(wish.members) and not alike <= words | own_name.union(*wish.members) | words_of(own) | over
    is_part = is_part or (bool(words) and not wish.members and any(words | own_name <= each for each in called))
    by_name = known["of states"] if mostly("a state", parts.names) else frozenset[str]()
    by_name = known["of lines"] if are_lines else by_name  # names say themselves what they are
    is_place = words_of(wish.asks) & known["of what is made"] and mostly("a place", parts.names)
    if is_part or is_place or is_other or not said | kind <= near | over | by_name:
        return None
    is_rate = asked.cues & {"share", "percent", "growth"} or name.endswith(("margin", "rate"))
    aside = own_name | known["of any amount"] | known["of time"] | known["of parts"]
    left = words_of(line.shared) - words_of(asked.lower) - aside
    score = len((said | kind) & (near | by_name)) + len(said | kind) + is_said
    score += len(words_of(wish.asks) & known["of a part"] & near)
    score += INNER * is_inner(wish.asks, fact) - (fact.unit == Unit.PERCENT and not is_rate) + _kin(wish, parts)
    score += bool(line.shared) and {*line.shared.lower().split()} <= {*asked.words}
    return score - any(map(str.isalpha, left))


def _of_wholes(wish: _Wish, lines: Lines, report: str, year: int | None) -> list[Parts]:
    """The parts of what a question asks for, of which it may name some: `which grew faster, bulk or premium?`"""
    asked, asks = wish.asked, wish.asks
    is_share = "share" in asked.cues | language().cues_of("".join(asked.halves[-1:]))
    is_few = words_of(asks).isdisjoint(language().words["of small parts"])
    for of in (asked, replace(asked, open=frozenset())):
        found = []
        for whole in islice(_wholes(of, lines, report, year, asks, wish.is_lost), MOST_WHOLES):
            beside = lines.of_report(report_of(whole))
            for each in addends_beside(beside, whole, is_few):
                said = _said(wish, lines, each.figures, each.names) - (0 if each.is_closed else APART)
                found.append(Parts(each.figures, each.names, said, [whole] * len(each.names) if is_share else ()))
        if of is not asked:
            return [kept for parts in found if (kept := parts.named(asked.open)) is not None]
        if found or not asked.open:
            break
    return found


def _of_rates(
    wish: _Wish, lines: Lines, rate: tuple[LineItem, LineItem], report: str, year: int | None
) -> Iterator[Parts]:
    """The parts of the company of which a table has both amounts of a rate, or two tables have one each."""
    named = (replace(wish.asked, named=(Named(each.name, 0, 0, False, each.labels[0]),)) for each in rate)
    above, under = (_of_wholes(replace(wish, asked=each), lines, report, year) for each in named)
    yield from filter(None, (parts.over(other) for parts in above for other in under))
    of, over = (lines.of_each_part(item, year, report, wish.asked) for item in rate)
    for table, figures in of.items():
        below = over.get(table) or next((each for each in over.values() if figures.keys() <= each.keys()), {})
        names = [name for name in figures if name in below and below[name].value and below[name] != figures[name]]
        if len(names) > 1:
            chosen = [figures[name] for name in names]
            yield Parts(chosen, names, _said(wish, lines, chosen, names), [below[name] for name in names])


def _under_names(wish: _Wish, lines: Lines, report: str, year: int | None) -> Iterator[Parts]:
    """The parts of the company of which each has lines of its own under its name, without the company itself."""
    item = line_items().get(wish.asked.named[0].name) if wish.asked.named and not wish.asked.open else None
    if item is None or not wish.asks:
        return
    whole = [amount_of(pick.fact) for pick in lines.of_item(item, year, report, wish.asked)[:1]]
    for figures in lines.of_each_part(item, year, report, wish.asked).values():
        own = {name: fact for name, fact in figures.items() if [amount_of(fact)] != whole}
        if len(own) > 1 and [sum(map(amount_of, own.values()))] == whole:
            yield Parts([*own.values()], [*own], _said(wish, lines, [*own.values()], [*own]))


def _said(wish: _Wish, lines: Lines, figures: Sequence[Fact], names: Sequence[str]) -> int:
    over = said_over(wish.asks, lines.total_of(figures[0]), figures[0], names)
    return over + _kin(wish, Parts(figures, names))


def _kin(wish: _Wish, parts: Parts) -> int:
    measured = {each.name for each in wish.asked.named}
    return kind_score(wish.asks, wish.asked.lower, measured, parts.figures, parts.names)


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
