"""Which figures of a table of debts a question asks for, of the row that falls due in a year or has a rate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, end_of, is_in_label, table_of, words_of, year_of
from tieout.ontology.asked.debts import Debt, is_called

OTHER = frozenset(("fair", "interest", "discount", "cost", "effective", "unamortized"))  # of what is not said


def figures_of_debts(debt: Debt, facts: Sequence[Fact], years: Sequence[int]) -> tuple[list[Fact], bool]:
    """The figures that a question for one debt asks for, one for each of what it wants said, and whether no other row
    has others; none where no row has all. years: that the question names."""
    time = next((year for year in years if year != debt.year), None)
    rows: dict[tuple[tuple[str, int], int], list[Fact]] = {}
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.row is not None:
            rows.setdefault((table_of(fact), fact.row), []).append(fact)
    words = words_of(debt.words)
    found: list[tuple[int, list[Fact]]] = []
    for row in rows.values():
        if not _is_it(debt, row):
            continue
        made = [_figure(said, row, words, time) for said in debt.said]
        chosen = [each for each in made if each is not None]
        if len(chosen) == len(debt.said):
            found.append((sum(_others(fact, words) for fact in chosen), chosen))
    found.sort(key=lambda each: each[0])
    apart = [each for other, each in found if other == found[0][0]]
    is_one = all(amount_of(each[0]) == amount_of(apart[0][0]) for each in apart)
    return (apart[0], is_one) if apart else ([], False)


def is_day(fact: Fact) -> bool:
    """Whether a figure is the year, or part of the day, on which a debt falls due."""
    return fact.unit == Unit.CALENDAR_YEAR or _is_year(fact)


def _is_it(debt: Debt, row: Sequence[Fact]) -> bool:
    """Whether a row is of the debt: what it is called, its year and rate stand in it."""
    printed = " ".join(fact.context for fact in row if is_in_label(fact)) or row[0].label
    over = f"{row[0].label} {row[0].header} {row[0].section} {row[0].caption}"
    years = {
        int(fact.value) for fact in row if fact.unit in (None, Unit.CALENDAR_YEAR) and fact.value == int(fact.value)
    }
    rates = {fact.value for fact in row if fact.unit == Unit.PERCENT}
    is_due = debt.year is None or debt.year in years
    return is_due and (debt.rate is None or debt.rate in rates) and is_called(f"{printed} {over}", debt.called)


def _figure(said: str, row: Sequence[Fact], words: frozenset[str], time: int | None) -> Fact | None:
    """The figure of a row that says it, of the year asked for, else the latest; None where there is none."""
    if said == "due":
        known = [fact for fact in row if is_day(fact)]
    elif said == "rate":
        known = [fact for fact in row if fact.unit == Unit.PERCENT]
    else:
        own = [fact for fact in row if not is_in_label(fact) and fact.unit not in NOT_MEASURES and not _is_year(fact)]
        known = [fact for fact in own if is_currency(fact.unit) or (fact.unit is None and fact.scale > 1)]
        known = [fact for fact in known if time is None or time in (year_of(fact), end_of(fact).year)]
    return min(known, key=lambda fact: (_others(fact, words), date.max - end_of(fact)), default=None)


def _is_year(fact: Fact) -> bool:
    """Whether an amount that says no unit is printed as years are."""
    return fact.unit is None and fact.raw.strip().isdigit() and 2000 <= fact.value < 2100


def _others(fact: Fact, words: frozenset[str]) -> int:
    """How many words that make it something else stand over a figure and not in the question, and the other way."""
    return len((words_of(f"{fact.header} {fact.label if not is_in_label(fact) else ''}") ^ words) & OTHER)
