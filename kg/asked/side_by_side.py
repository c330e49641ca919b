"""Of several things that are asked for the figures that one column, or one row, of a table has of all of them.

Each by itself may stand in several tables; what is asked for together is mostly printed together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod

from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.addends import without_shared
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, table_of, words_of, year_of
from tieout.kg.lineup import over_table
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import names_measure

MOST_ASIDE = 2  # words of a name that are no part of what the line is called: `attributed to Germany`
# The chance of a line that says what is measured, in the year that is asked for, and where another one does too.
MEASURED, AMONG_OTHERS = 0.75, 0.5


def figures_side_by_side(
    names: Sequence[str],
    measures: Collection[str],
    years: Collection[int],
    likely: Mapping[int, tuple[Fact, float]],
    facts: Sequence[Fact],
) -> tuple[tuple[Fact, ...], float] | None:
    """A figure for each of the names, all of one column or row, and the chance that these are meant; None where no
    line has them all. measures: the line items that are asked for of them, in these years. likely: of some of the
    names, by their place, a figure that may be meant and its chance."""
    wanted = [words_of(name) - language().words["function"] for name in names]
    measure = next(iter(measures)) if len(measures) == 1 else ""
    found: list[tuple[tuple[Fact, ...], float, bool]] = []  # whether its line says what is measured, and when
    for text, called in _lines(facts) if all(wanted) else ():
        figures = tuple(filter(None, [_named(words, called) for words in wanted]))
        if len({fact.name for fact in figures}) == len(wanted):
            missed = prod(1 - chance for at, (fact, chance) in likely.items() if fact == figures[at])
            is_of_time = bool(years) and all(year_of(fact) in years for fact in figures)
            is_said = is_of_time and figures[0].unit != Unit.PERCENT and bool(measure) and names_measure(text, measure)
            found.append((figures, 1 - missed, is_said))
    is_sole = len({tuple(map(amount_of, figures)) for figures, _, is_said in found if is_said}) == 1
    least = MEASURED if is_sole else AMONG_OTHERS
    rated = ((figures, max(chance, least * is_said)) for figures, chance, is_said in found)
    return max((each for each in rated if each[1] > 0), key=lambda each: each[1], default=None)


def _lines(facts: Sequence[Fact]) -> Iterator[tuple[str, list[tuple[frozenset[str], Fact]]]]:
    """The figures of each column under one heading, and of each row, of one time and unit, each with the words that
    call it; before them what says of what they all are."""
    columns: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    rows: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.unit not in NOT_MEASURES:
            sort = table_of(fact), fact.unit, fact.period and fact.period.key
            columns[fact.column, fact.section, *sort].append(fact)
            rows[fact.row, *sort].append(fact)
    for column in columns.values():
        text = f"{column[0].section} {column[0].header} {over_table(column[0])}"
        yield text.lower(), [(words_of(fact.label), fact) for fact in column]
    for row in rows.values():
        heads = without_shared([fact.header for fact in row])
        text = f"{row[0].section} {row[0].label} {over_table(row[0])}"
        yield text.lower(), list(zip(map(words_of, heads), row, strict=True))


def _named(words: frozenset[str], called: Sequence[tuple[frozenset[str], Fact]]) -> Fact | None:
    """The figure that is called by these words, by some of them or by them and more; None where two are as much."""
    near = [(len(own ^ words), fact) for own, fact in called if _may_call(own, words)]
    least = min((off for off, _ in near), default=0)
    found = [fact for off, fact in near if off == least]
    return found[0] if len(found) == 1 else None


def _may_call(own: frozenset[str], words: frozenset[str]) -> bool:
    return words <= own or (bool(own) and own <= words and len(words - own) <= MOST_ASIDE)
