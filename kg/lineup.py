"""Which figures of a table stand in one line, each of something else: a column of states, a row of segments.

They need add up to nothing: square feet by place, votes by person, percentages by category.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, islice

from tieout.data.printed.pattern import later
from tieout.kg.addends import without_shared
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, is_of_same_time, table_of, words_of
from tieout.kg.sums import full
from tieout.ontology.asked.words import stem
from tieout.ontology.labels.label import normalise, with_country

MOST_IN_LINE = 100
LEAST_OTHER = 2  # words that make a line another one
LONG = 1000  # a number that no sum of others comes near to by chance
_COUNTRY = later(r"\bunited states\b")
_LEFT_OUT = later(r"\b(?:and )?exclud(?:es?|ed|ing)\b[^.;()]*", re.IGNORECASE)
_WHOLE = later(r"^(?:grand |sub)?total\b|\btotals?$|\bcombined\b|\bconsolidated\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """Figures that add up to a whole, or stand in one line, with their names. said: how far words of a question stand
    over them; below: of rates and shares what each is over; is_moved: they are changes themselves."""

    figures: Sequence[Fact]
    names: Sequence[str]
    said: int = 0
    below: Sequence[Fact] = ()
    is_moved: bool = False

    def only(self, kept: Sequence[int]) -> Parts:
        """Some of them."""
        below = [self.below[at] for at in kept] if self.below else ()
        figures, names = [self.figures[at] for at in kept], [self.names[at] for at in kept]
        return replace(self, figures=figures, names=names, below=below)

    def those(self, members: Sequence[frozenset[str]], aside: frozenset[str]) -> Parts | None:
        """Those that are meant, each by a name that no other has; None where one is not there. members: the stems of
        each; aside: those that may stand in any name."""
        called, found = [stems_of(name) for name in self.names], list[int]()
        for member in members:
            fit = sorted((len(words - member - aside), at) for at, words in enumerate(called) if member <= words)
            if not fit or (len(fit) > 1 and fit[0][0] == fit[1][0]):
                return None
            found.append(fit[0][1])
        return self.only(found) if len({*found}) == len(members) else None

    def over(self, other: Parts) -> Parts | None:
        """Each over that which other figures call the same; None where fewer than two have one."""
        known = dict(zip(self.names, self.figures, strict=True))
        pairs = zip(other.names, other.figures, strict=True)
        at = [at for at, (name, below) in enumerate(pairs) if below.value > 0 and known.get(name, below) != below]
        below = other.only(at)
        figures = [known[name] for name in below.names]
        return replace(self, figures=figures, names=below.names, below=below.figures) if len(at) > 1 else None

    def named(self, words: frozenset[str]) -> Parts | None:
        """Those that a question names; None where it names fewer than two, or has words that none has."""
        kept = [at for at, name in enumerate(self.names) if words_of(name) & words]
        if len(kept) < 2 or words - words_of(" ".join(self.names[at] for at in kept)):
            return None
        return replace(self.only(kept), said=self.said + 2)

    def first(self, *, is_down: bool) -> str:
        """The name of the part that comes first by its own amount."""
        ordered = sorted(zip(self.figures, self.names, strict=True), key=lambda each: amount_of(each[0]))
        return ordered[0 if is_down else -1][1]

    def has_fallen(self, before: Sequence[Fact | None]) -> bool:
        """Whether one of them is less than it was before."""
        pairs = zip(self.figures, before, strict=True)
        return any(old is not None and new.value < old.value for new, old in pairs)

    def rival_in(self, found: Sequence[Parts], *, is_down: bool, is_change: bool) -> Parts | None:
        """Other parts that may be meant as well, of which another one is the first; any where it is asked how they
        moved."""
        rivals = (each for each in found if each.said >= self.said and each.is_other(self))
        own = self.first(is_down=is_down)
        return next((each for each in rivals if is_change or each.first(is_down=is_down) != own), None)

    def is_other(self, best: Parts) -> bool:
        """Whether parts of the same time are neither the same as others, nor those of which they are made."""
        amounts = dict(zip(best.names, map(amount_of, best.figures), strict=True))
        own = dict(zip(self.names, map(amount_of, self.figures), strict=True))
        is_within = own.keys() == amounts.keys() and all(own[each] <= amounts[each] for each in own)  # those at home
        same = [amounts.get(name) == amount for name, amount in own.items()]
        return is_of_same_time(self.figures[0], best.figures[0]) and not any(same) and not is_within


@dataclass(frozen=True, slots=True)
class LineUp:
    """Figures of one time and unit beside each other, with what each is of. shared: how the column or row is called in
    which they stand."""

    figures: Sequence[Fact]
    names: Sequence[str]
    shared: str


def lines_up(facts: Sequence[Fact], *, with_totals: bool = False) -> Iterator[LineUp]:
    """The figures that stand in a column under one sub-heading, or in a row; of a list that is printed in several
    columns side by side, those of all of them."""
    columns: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    rows: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    labels_of: dict[tuple[object, ...], str] = {}
    placed = [fact for fact in facts if fact.row and fact.column]
    lists = {
        (table_of(fact), fact.header)
        for fact in placed
        if fact.header and labels_of.setdefault((table_of(fact), fact.row, fact.header), fact.label) != fact.label
    }
    for fact in placed:
        time, is_list = fact.period and fact.period.key, (table_of(fact), fact.header) in lists
        columns[table_of(fact), fact.header if is_list else fact.column, fact.section, time].append(fact)
        if not is_list:
            rows[table_of(fact), fact.row, time].append(fact)
    for each in (line for line in (*columns.values(), *rows.values()) if len(line) > 1):
        measure, _ = Counter((fact.unit, fact.scale) for fact in each).most_common(1)[0]
        alike = [fact for fact in each if (fact.unit, fact.scale) == measure][:MOST_IN_LINE]
        labels, headers = [fact.label for fact in alike], [fact.header for fact in alike]
        names = labels if len({*labels}) == len(alike) else without_shared(headers)
        if len({*names}) < len(names):
            continue
        called = {name: fact for name, fact in zip(names, alike, strict=True) if name}
        sums = () if with_totals or len(called) < 2 else _sums_among(alike)
        kept = {name: fact for name, fact in called.items() if with_totals or not (_is_whole(name) or fact in sums)}
        if len(kept) > 1:
            yield LineUp([*kept.values()], [*kept], (headers if names is labels else labels)[0])


def blocks_of(line: LineUp, total_of: Callable[[Fact], str]) -> Iterator[LineUp]:
    """A column or row, and what of it stands over each of several totals: `Total Marine Systems`. total_of: what the
    next total below a figure is called."""
    yield line
    under: dict[str, list[int]] = defaultdict(list)
    for at, fact in enumerate(line.figures):
        under[total_of(fact)].append(at)
    for total, kept in under.items():
        if total:
            yield LineUp([line.figures[at] for at in kept], [line.names[at] for at in kept], line.shared)


@lru_cache(maxsize=4096)
def _is_whole(name: str) -> bool:
    return _WHOLE.search(name) is not None


def _sums_among(facts: Sequence[Fact]) -> list[Fact]:
    """The figure that is the sum of all others, and those of groups, which are the sums of two or more before them; of
    one such group no more than chance may be known."""
    amounts = list(map(full, facts))
    whole = sum(amounts, Decimal(0))
    wholes = [fact for fact, amount in zip(facts, amounts, strict=True) if len(facts) > 2 and 2 * amount == whole != 0]
    single: list[Decimal] = []
    groups: list[Fact] = []
    for fact, amount in zip(facts, amounts, strict=True):
        step = fact.scale or 1
        off = step if abs(amount) >= LONG * step else 0  # each is rounded by itself
        runs = islice(accumulate(reversed(single)), 1, None) if amount else ()
        if any(abs(run - amount) <= off for run in runs):
            groups.append(fact)
        else:
            single.append(amount)
    return wholes + (groups if len(groups) > 1 else [])


def stems_of(name: str) -> frozenset[str]:
    """The words of a name without their endings: `owned` is `own`."""
    return frozenset(map(stem, words_of(name)))


def over_table(fact: Fact, *, with_country_names: bool = False) -> str:
    """What stands over the table of a figure, in lower case, without what it says that the table leaves out; the name
    of a country has no word for what stands there side by side, as `state` is one, unless it is asked for."""
    over = with_country(f"{_LEFT_OUT.sub('', fact.caption)} {fact.heading.rpartition('>')[2]}").lower()
    return over if with_country_names else _COUNTRY.sub(" ", over)


def is_one_line(said: str, things: Sequence[str], labels: Iterable[str]) -> bool:
    """Whether one of the labels of a report names several things that are asked for beside each other, and leaves none
    of them out: `cash and short-term investments`. said: how a question says them all, "" where it does not."""
    phrase = normalise(said or " and ".join(things))
    wanted, each_of = words_of(phrase), [words for each in things if (words := words_of(each))]
    shared = frozenset.intersection(*each_of) if each_of else frozenset[str]()  # `R&D expenses and other expenses`
    each_of = [words - shared or words for words in each_of]
    alike = (words_of(each) for each in map(normalise, labels) if each in phrase or phrase in each)
    return any(len(own ^ wanted) < LEAST_OTHER and not any(map(own.isdisjoint, each_of)) for own in alike)
