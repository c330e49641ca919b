"""The parts of an amount that a report prints side by side: the lines above their total, the columns of a row, the
lines under one heading; of these the ones that are called as a question asks for them.

`Analog 3,278 | Embedded Processing 894 | Other 359 | Total revenue 4,531`: revenue by segment, and how it splits up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, groupby

from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.addends import without_shared
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, not_among, row_of, table_of, words_of
from tieout.kg.lineup import Parts, stems_of
from tieout.kg.part_kinds import LONGEST, mostly
from tieout.kg.sums import full
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.members import Split
from tieout.ontology.labels.label import words_of_tag
from tieout.ontology.metrics.line_item import find_line_item

LARGE = 1000  # units of the last digit, from which two figures rarely add up by chance
MOST_PARTS = 30
LEAST, SURE = 3, 8  # what speaks for parts that are told, and for those that are told without doubt
NEAR = 2  # by which less may speak for others that may be meant too
MOST_TOLD = 4  # names of such others
WHOLE, AT, OVER, BEYOND = 6, 5, 3, 2  # what speaks for figures: their sum, what stands at them, over them, further off
CALLED = 6, 6, 6, 3  # for all words by which parts are called: at them, over them, in their tags, further off
OF_KIND = 3, 3, 5, 1  # for a word of their kind, likewise
OTHER = 6  # what speaks against figures of another sort or kind
FAMILIES = ("of places", "of customers", "of products", "of segments")
AXES_ASIDE = frozenset(("srt:ConsolidationItemsAxis",))
_NOTE = re.compile(r"\([^)]*\)|\S*\d\S*")
_OF_PART = re.compile(r"(?i)^total ")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a question wants of parts. item: the line item or metric that it names, "" for none; said: the words that
    name it; words: of what is measured, beside these; kind: those by which it calls the parts; wholes: what the item
    may come to; is_any: the parts may be whatever an amount is made of; is_rate: it asks for percentages; asked: all
    its words."""

    item: str
    said: frozenset[str]
    words: frozenset[str]
    kind: frozenset[str]
    wholes: Set[Decimal]
    is_any: bool
    is_rate: bool
    asked: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Node:
    """A figure, and those beside it that add up to it, () where none do."""

    fact: Fact
    made_of: tuple[_Node, ...] = ()


@dataclass(frozen=True, slots=True)
class _Run:
    """Figures side by side, with their names. total: what they add up to, where that is printed; shared: how their
    column or row is called."""

    figures: tuple[Fact, ...]
    names: tuple[str, ...]
    total: Fact | None
    shared: str
    is_row: bool

    @property
    def near(self) -> str:
        """What stands right at the figures: the total below them, what they stand under, their column or row."""
        total = "" if self.total is None or self.is_row else self.total.label
        return " . ".join(_NOTE.sub(" ", each) for each in (total, self.figures[0].section, self.shared))

    @property
    def over(self) -> tuple[str, str]:
        """What stands over the table of the figures, and further off."""
        return self.figures[0].caption, self.figures[0].heading.rpartition(">")[2]

    @property
    def axes(self) -> str:
        """The axes along which the tags on the figures differ, in words."""
        own = [frozenset(fact.dimensions) for fact in self.figures]
        axes = {axis for axis, _ in frozenset.union(*own) - frozenset.intersection(*own)} if all(own) else set()
        return " ".join(map(words_of_tag, sorted(axes - AXES_ASIDE)))


def parts_asked(
    facts: Sequence[Fact], split: Split, open_: Set[str], wholes: Set[Decimal], is_rate: bool
) -> tuple[Parts, tuple[str, ...]] | None:
    """The likeliest parts that a question means, those alone that it names one by one, and what is told of them; None
    where none are likely. open_: its words that nothing else accounts for; wholes: what the amount may come to;
    is_rate: it asks for percentages."""
    known = language().words
    manner = known["function"] | known["asking"] | known["of a sort"] | known["of what parts are called"]
    manner |= known["of an amount"] | frozenset(language().numbers)
    kind = words_of(split.kind) - manner
    words = (words_of(split.of.replace("(loss)", "")) & open_) - manner - known["of a part"]
    asked, said = words_of(f"{split.kind} {split.of}"), words_of(split.named)
    is_any, is_rate = not kind - known["of lines"], is_rate or split.is_share
    found = _likeliest(facts, _Wanted(split.measure, said, words, kind, wholes, is_any, is_rate, asked))
    if members := [stems_of(name) for name in split.members]:
        found = [kept for parts in found if (kept := parts.those(members, frozenset())) is not None]
    best = next((parts for parts in found if parts.said >= LEAST), None)
    if best is None or (split.is_share and best.figures[0].unit != Unit.PERCENT):
        return None
    rival = next((each for each in found[1:] if each.said > best.said - NEAR and each.is_other(best)), None)
    told = [] if rival is None else [f"{', '.join(rival.names[:MOST_TOLD])} may be meant as well"]
    if best.said < SURE or not (split.measure or not is_currency(best.figures[0].unit)):
        told.append(f"nothing says for sure that these are {split.of} by {split.kind}")
    aside = language().forms["evens out"]
    return best.only([at for at, name in enumerate(best.names) if aside.search(name) is None]), tuple(told)


def _likeliest(facts: Sequence[Fact], wanted: _Wanted) -> list[Parts]:
    """The parts that may be meant, the likeliest first; of equally likely ones the most."""
    found: dict[frozenset[str], Parts] = {}
    for run in _runs(facts):
        score, key = _score(run, wanted), frozenset(fact.name for fact in run.figures)
        if score is not None and (key not in found or found[key].said < score):
            found[key] = Parts(run.figures, run.names, score)
    return sorted(found.values(), key=lambda parts: (-parts.said, -len(parts.figures)))


def _runs(facts: Sequence[Fact]) -> Iterator[_Run]:
    """All figures that may be parts of one amount."""
    columns: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    rows: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.row and fact.unit not in NOT_MEASURES:
            time = fact.period and fact.period.key
            columns[table_of(fact), fact.column, time].append(fact)
            rows[table_of(fact), fact.row, time].append(fact)
    for lines, is_row in ((columns, False), (rows, True)):
        for line in lines.values():
            ordered = sorted(line, key=lambda fact: (row_of(fact), fact.column or 0))
            yield from _of_line(ordered, is_row=is_row) if len(line) > 1 else ()


def _of_line(line: Sequence[Fact], *, is_row: bool) -> Iterator[_Run]:
    """What adds up in a column or row, to what stands behind it or before it; and what stands under one heading."""
    for step in (1, -1):
        waiting = _nodes(line[::step])
        while waiting:
            node = waiting.pop()
            waiting += node.made_of
            for kept in _levels(node) if node.made_of else ():
                yield from _run(kept[::step], node.fact, is_row=is_row)
    for _, same in groupby((node.fact for node in _nodes(line)), key=lambda fact: (fact.section, fact.unit)):
        beside = [*same]
        yield from _run(beside, None, is_row=is_row)
        parts = [fact for fact in beside if not _is_total(fact.header if is_row else fact.label)]
        yield from _run(parts, None, is_row=is_row) if len(parts) < len(beside) else ()


def _nodes(line: Sequence[Fact]) -> list[_Node]:
    """The figures of a column or row in order, those that add up to one behind them inside it."""
    nodes: list[_Node] = []
    for fact in line:
        amount, unit = full(fact), fact.scale * Decimal(1).scaleb(min(int(fact.value.as_tuple().exponent), 0))
        sums = list(accumulate(full(each.fact) for each in nodes[: -MOST_PARTS - 1 : -1])) if amount else []
        for count in range(len(sums), 1, -1):
            is_far = count > 2 or abs(amount) >= LARGE * unit  # from what adds up by chance
            if abs(sums[count - 1] - amount) <= unit * is_far and all(
                each.fact.unit == fact.unit for each in nodes[-count:]
            ):
                nodes[-count:] = [_Node(fact, tuple(nodes[-count:]))]
                break
        else:
            nodes.append(_Node(fact))
    return nodes


def _levels(node: _Node) -> Iterator[list[Fact]]:
    """What a figure is made of, as it is added up; without the totals that are among it; and without all sums."""
    yield [each.fact for each in node.made_of]
    if any(each.made_of for each in node.made_of):
        yield [fact for each in node.made_of for fact in (_leaves(each) if _is_total(each.fact.label) else [each.fact])]
        yield _leaves(node)


def _leaves(node: _Node) -> list[Fact]:
    return [fact for each in node.made_of for fact in _leaves(each)] if node.made_of else [node.fact]


def _run(facts: Sequence[Fact], total: Fact | None, *, is_row: bool) -> Iterator[_Run]:
    """Figures as parts, where each has a name of its own."""
    names = without_shared([fact.header for fact in facts]) if is_row else [_part(fact.label) for fact in facts]
    if 1 < len(facts) <= MOST_PARTS and len({*names}) == len(names) and all(names):
        heads = {fact.label if is_row else fact.header for fact in facts}
        yield _Run(tuple(facts), tuple(names), total, heads.pop() if len(heads) == 1 else "", is_row)


@lru_cache(maxsize=4096)
def _part(label: str) -> str:
    """What a line is called, that of the total of one part as the part: `Total Marine Systems`."""
    rest, known = _OF_PART.sub("", label), language().words
    is_all = not words_of(rest) - known["of a part"] - known["of all parts"] or find_measures(rest.lower())
    return label if is_all else rest


def _is_total(name: str) -> bool:
    return language().forms["a sum of all"].search(name) is not None


def _score(run: _Run, wanted: _Wanted) -> int | None:
    """How much speaks for figures side by side; None where they are of something else."""
    measured = _measured(run, wanted)
    called = None if measured is None else _called(run, wanted)
    if measured is None or called is None:
        return None
    forms, known = language().forms, language().words
    is_moved = any(map(forms["what has moved"].search, (run.near, *run.names)))
    is_rate, has_total = run.figures[0].unit == Unit.PERCENT, any(map(_is_total, run.names))
    aside = known["of time"] | known["of any amount"] | known["of parts"] | known["of a part"]
    others = [word for word in words_of(run.near) - wanted.asked - wanted.kind - aside if word.isalpha()]
    # What adds up to less than the whole is of less, as far as words at it say so.
    is_less = run.total is not None and bool(wanted.wholes - {amount_of(run.total)}) and not wanted.words
    against = OTHER * (is_moved + has_total + (is_rate != wanted.is_rate)) + len(others) * (OVER if is_less else 1)
    return measured + called + BEYOND * (run.total is not None) - against


def _measured(run: _Run, wanted: _Wanted) -> int | None:
    """How surely figures measure what is asked for; None where they measure something else."""
    near, (over, far), item, score = run.near, run.over, wanted.item, 0
    if item:
        is_whole = run.total is not None and amount_of(run.total) in wanted.wholes
        at, above, beyond = ({each.name for each in find_measures(text.lower())} for text in (near, over, far))
        is_said = item in at or wanted.said <= words_of(near)
        if at and not (wanted.is_any or is_whole or is_said):
            return None
        score = WHOLE * is_whole + (AT if is_said else OVER if item in above else BEYOND if item in beyond else 0)
    elif run.total is not None and not run.is_row and wanted.words <= words_of(run.total.label):
        score = WHOLE  # `Total Power Systems`
    left = wanted.words
    for text, counts in ((near, AT), (over, OVER), (far, BEYOND)):
        here = left - not_among(left, words_of(text))
        score, left = score + counts * len(here), left - here
    alike = frozenset.intersection(*map(words_of, run.names))
    return score if score and not not_among(left, alike) else None


def _called(run: _Run, wanted: _Wanted) -> int | None:
    """How surely the parts are called as a question calls them; None where they are of another kind, those of one part
    alone, or what is left of an amount."""
    forms, known, kind, names = language().forms, language().words, wanted.kind, run.names
    of_one = frozenset.intersection(*(frozenset(fact.parts) for fact in run.figures)) - {*names}
    is_of_one = any(words_of(part) - wanted.asked for part in of_one if len(part.split()) <= LONGEST)
    items = sum(find_line_item(name) is not None for name in names)
    if (
        is_of_one
        or any(map(forms["left of an amount"].search, names))
        or (2 * items >= len(names) and not wanted.is_any)
    ):
        return None
    if wanted.is_any:
        return OVER * (run.total is not None)
    texts = [words_of(text) for text in (run.near, run.over[0], run.axes, run.over[1])]
    score = max(
        counts if not left else counts // 2 if left < kind else 0
        for text, counts in zip(texts, CALLED, strict=True)
        for left in (not_among(kind, text),)
    )
    own = {name for name in FAMILIES if kind & known[name]}
    own = {"of segments"} if "of segments" in own else own  # `geographic segments` are segments first of all
    families, are_places = (
        [{name for name in FAMILIES if text & known[name]} for text in texts],
        mostly("a place", names),
    )
    for name in own:
        told = [counts for each, counts in zip(families, OF_KIND, strict=True) if name in each]
        score += max(told, default=OF_KIND[0] * (are_places and name == "of places")) // len(own)
    others = families[2] or families[0] | families[1]
    is_other = bool(own and others) and own.isdisjoint(others)
    score -= 4 * is_other or OF_KIND[0] * bool(own and families[2] - own)
    if "of places" in own:
        score += 4 if are_places else -4
    elif own and "of segments" not in own:
        score -= 4 * are_places
    if "of segments" in own:
        beside = zip(names, run.figures, strict=True)
        parts = sum(any(words_of(name) == words_of(part) for part in fact.parts) for name, fact in beside)
        rest = sum(forms["of no part"].search(name) is not None for name in names)
        score += OF_KIND[0] - (len(names) - rest - parts) if parts > 1 else 0
        score -= OF_KIND[0] * (not run.is_row and len({fact.concept for fact in run.figures if fact.concept}) > 1)
    return score if score > 0 else score - OTHER - NEAR
