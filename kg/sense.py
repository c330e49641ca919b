"""Of which sort figures are, and what operations over them come to: dollars are no share, a loss is no revenue, dollars
times dollars are nothing at all, two rates differ by points."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise, starmap

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import NUMERAL, Fact, FactKind
from tieout.kg.figure import PER_SHARE, is_per_share
from tieout.ontology.asked.language import language
from tieout.ontology.asked.sort import OF_RATES, TOLD

KEEPS_SORT = frozenset(("lookup", "add", "sum", "subtract", "average", "magnitude", "median"))
QUOTIENTS = frozenset(("divide", "percentage", "percentage_change"))
OF_AMOUNTS = frozenset(("money", "per share", "shares", "count"))  # which no quotient of like amounts is
LIKE_WITH_LIKE = frozenset(("add", "sum", "subtract", "average", "median", "percentage_change", "greater"))
RATE_UNITS = frozenset((Unit.PERCENT, Unit.PERCENTAGE_POINTS, Unit.BASIS_POINTS, Unit.RATIO))
_RATE = later(  # no `2.85% notes`
    r"\b(?:ratio|rate|margin|yield|percent(?:age)?|multiple|return on \w+)\b|(?<!\d)(?<!\d )%", re.IGNORECASE
)
_OF_EACH = later(r"\b(?:average|mean|per|price|arp[au]|each|ticket|salary)\b", re.IGNORECASE)
_LENGTHS = (Unit.YEARS, Unit.MONTHS, Unit.DAYS)
MOST_OF_A_SHARE = 1000  # what is printed without a unit and is more than this is taken for an amount


def makes_no_sense(operation: str, used: Sequence[Fact]) -> bool:
    """Whether an operation over figures comes to nothing that has a meaning: dollars times dollars, shares less a rate.

    Figures of which the report does not say the unit may be anything.
    """
    if len(used) < 2:
        return False
    if operation != "lookup" and any(fact.unit in NOT_MEASURES or fact.entity_type == NUMERAL for fact in used):
        return True
    units = [str(fact.unit) for fact in used if fact.unit is not None]
    if operation == "greater" and len({(each.label, each.value, each.period) for each in used}) == 1:
        return True  # it is no greater than itself, wherever it is printed once more
    if operation == "multiply":
        return len(units) == len(used) and all(is_currency(unit) for unit in units)
    if operation in ("divide", "percentage"):  # a dash is no part that anybody asks for, a percentage none of an amount
        is_share = used[0].unit == Unit.PERCENT and is_currency(str(used[1].unit))
        return not used[0].value or is_share
    if operation not in LIKE_WITH_LIKE:
        return False
    if operation in ("add", "sum") and any(starmap(_is_within, pairwise(used))):
        return True
    currencies = {unit for unit in units if is_currency(unit)}
    return len(currencies) > 1 or (Unit.PERCENT in units and (bool(currencies) or Unit.SHARES in units))


def _is_within(one: Fact, other: Fact) -> bool:
    """Whether one figure of a row is of a span of time within that of another: a quarter of its half year."""
    days = [(at.start, at.end) for at in (one.period, other.period) if at is not None and at.start and at.end]
    if len(days) < 2 or days[0] == days[1] or one.table is None or (one.table, one.row) != (other.table, other.row):
        return False
    return any(start <= first and last <= end for (start, end), (first, last) in (days, days[::-1]))


def is_change_of_rate(operation: str, used: Sequence[Fact]) -> bool:
    """Whether a difference is of two percentages of one line, which is told in percentage points."""
    is_pair = operation == "subtract" and len(used) == 2
    return is_pair and used[0].label == used[1].label and all(fact.unit == Unit.PERCENT for fact in used)


def is_of_sort(fact: Fact, sort: str) -> bool:
    """Whether a figure may be of the sort that a question asks for, as `tieout.ontology.asked.sort` has them: by its
    unit, or, where that is the unit of its table, as its own line is called. Of what has no unit its size may tell."""
    if sort == "" or sort in TOLD:
        return sort == ""
    if fact.unit is None:
        return sort not in OF_RATES or not is_amount(fact)
    unit = str(fact.unit)
    is_price = unit.endswith("/share")
    if sort in OF_RATES:
        return unit in RATE_UNITS or (sort != "points" and _names(_RATE, fact.label))
    if sort == "money":
        return is_currency(unit) or is_price
    if sort == "per share":
        is_large = is_currency(unit) and fact.scale > 1 and fact.value.copy_abs() >= MOST_OF_A_SHARE  # of all shares
        return not is_large and (is_per_share(fact) or _names(PER_SHARE, f"{fact.header} {fact.section}"))
    if sort == "each":
        around = f"{fact.label} {fact.section} {fact.header} {fact.caption}"
        return is_price or (is_currency(unit) and (fact.kind is FactKind.TEXT or _names(_OF_EACH, around)))
    is_counted = not (is_currency(unit) or is_price or unit in RATE_UNITS)
    others = {"count": (Unit.SHARES, *_LENGTHS), "shares": _LENGTHS}.get(sort, ())  # how long is no how many
    return is_counted and unit not in others


def sentence_for_each(sorts: Sequence[str], facts: Sequence[Fact], sentences: Sequence[int]) -> list[Fact]:
    """The figures of the sentence that has one for each of several things that are asked for beside each other, by
    their sorts, and the fewest others of these sorts; none where no sentence has. sentences: by number, the likeliest
    first."""
    measured = [fact for fact in facts if fact.unit not in NOT_MEASURES]
    own = ([fact for fact in measured if fact.sentence == number] for number in sentences)
    found = [each for each in (_one_for_each(sorts, figures) for figures in own) if each[0]]
    return min(found, key=lambda each: each[1])[0] if found else []


def _one_for_each(sorts: Sequence[str], facts: Sequence[Fact]) -> tuple[list[Fact], int]:
    """A figure for each of some sorts, in the order of print, and how many others of these there are; none where one
    has no figure."""
    left, chosen = [*facts], dict[int, Fact]()
    for at in sorted(
        range(len(sorts)), key=lambda each: sorts[each] in ("", "money")
    ):  # which take those of others too
        if (found := next((fact for fact in left if is_of_sort(fact, sorts[at])), None)) is None:
            return [], 0
        chosen[at] = found
        left.remove(found)
    others = sum(any(is_of_sort(fact, sort) for sort in sorts) for fact in left)
    return [chosen[at] for at in range(len(sorts))], others


@lru_cache(maxsize=20_000)
def _names(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def is_other_sort(sort: str, operation: str, used: Sequence[Fact]) -> bool:
    """Whether what an operation makes of figures is of another sort than is asked for."""
    if operation in QUOTIENTS:
        is_money = [is_currency(fact.unit) for fact in used]
        is_price = sorted(is_money) == [False, True] and used[is_money.index(False)].unit == Unit.SHARES
        return sort in OF_AMOUNTS and (len({fact.unit for fact in used}) == 1 or (sort == "per share") != is_price)
    if operation == "multiply":
        return sort in (*OF_RATES, "count", "shares") and len(used) > 1 and any(is_currency(f.unit) for f in used)
    return bool(used) and operation in KEEPS_SORT and not any(is_of_sort(fact, sort) for fact in used)


def is_opposite(cues: Collection[str], label: str) -> bool:
    """Whether a line is of what is spent or lost, where a question with these cues asks for revenue and for nothing of
    that sort."""
    return "earned" in cues and "spent" not in cues and is_of_loss(label)


def is_of_loss(label: str) -> bool:
    """Whether a line is of what is spent or lost, and not of what is earned."""
    is_spent = language().cues["spent"].search(label.lower()) is not None
    return is_spent and not re.search(r"\brevenues?\b|\bsales,|\bnet sales\b", label, re.I)


def is_amount(fact: Fact) -> bool:
    """Whether a figure is of money, shares or things, as far as its unit says or its size."""
    if fact.unit is None:
        return fact.value.copy_abs() > MOST_OF_A_SHARE
    return str(fact.unit) not in (Unit.PERCENT, Unit.RATIO)
