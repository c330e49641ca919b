"""The amounts in the row labels of a report: `net of allowance of $906 and $869`, `5,000 shares authorized`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from tieout.data.printed.amount import Amount
from tieout.data.printed.label import PER_SHARE
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods, read_period
from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.data.printed.wording import MONTHS
from tieout.data.tables.table import Cell, Layout, Meaning
from tieout.data.tables.table_layout import FEWEST_SHARES
from tieout.kg.drafts.draft import stated
from tieout.kg.drafts.fiscal_years import is_bare_year
from tieout.kg.drafts.sentences.text import read_sentences

When = tuple[Period | None, str | None]  # a period and where it is stated

_AND = later(r"\)?(?:(?: shares)?(?:,? and (?:of )?|, )| ?; )[$£€]? ?\(?", re.IGNORECASE)
_AND_OF = later(r" ?(?:,|and|,? and(?: at)?) ?", re.IGNORECASE)  # between two days of one amount
_LEADS = later(r" ?[:–—-] ?(?:[A-Z]{1,2}\$|[$€£¥])? ?")  # from a period to the amount that is of it: `2023 – $424`
_SHARES_IN_LABEL = later(r"\b(?:common|preferred|preference|ordinary|(?:class|series) [a-z]|treasury)\b", re.IGNORECASE)
# In front of a number that is money, though the label is about shares: `net of taxes of 1,204`.
_OF_MONEY = later(r"\b(?:tax(?:es)?|benefits?|costs?|net|fees|value|price)(?: of)? ?$")
_THOUSAND = 1000
# What one of a thing is worth is printed in full: `face value ₹ 10 each`, `$1,000 principal amount per bond`.
_FACE = later(r"\b(?:face|par|nominal|stated|issue|paid[- ]up) (?:value|price)(?:,? ?(?:of|:|-|is|at))* ?\(?$")
_EACH = later(
    r" ?(?:(?:face|par|nominal) value|principal amount|liquidation preference)?,? ?(?:each\b|per (?!cent|annum)[a-z])"
)
_OF_SHARE = later(r"\bshares?\b|\bequity\b|\bstock\b|\beps\b")
_STATES = r"(?:authori[sz]ed|issued|outstanding|held|in treasury)"  # of shares
_SHARES_BEFORE = later(
    rf"\bshares?(?:[,;]? (?:and )?{_STATES})*(?: ?[-–—:,]| of)* ?$"
    rf"|[,:;(—–-] ?{_STATES}(?:,? and {_STATES})*(?: ?[-–—:,])* ?$"
)
# What stands between `shares issued` and a number that is not the first behind it: `: 2024 - 905,000; 2023 - `.
_NUMBERS = later(rf"(?:\s|[0-9][0-9,.]*|[-–—:;,]|\b(?:{'|'.join(MONTHS)}|and|in|at|as of|on)\b)++$")
_CLASS = r"(?:class|series) [a-z]"  # `900 (Class A 700, Class B 200) shares issued`: of each class
_BEHIND_CLASS = later(rf"[(,] ?{_CLASS} ?$")
_BEFORE_CLASS = later(rf" ?\( ?{_CLASS} ?[0-9]")
# `Shares: June 30, 2023 – 833; December 31, 2022 – 835`, `Shares outstanding - December 31, 2022: 835`
_OF_DATES = later(r"^shares(?: outstanding)?(?:: | [-–—] | (?:at|as of|on) )")
_PER_SHARE = later(r"\bper (?:(?:common|ordinary|preferred) )?share\b")
FEWEST_DAYS = 2
_CENTS = -2  # decimals
_FAR = 120  # among which it is looked for what a list of numbers is of
_BEFORE = 40  # characters in front of an amount that say what it is the worth of
_OF_SHARES = later(
    r"(?:,? and [0-9,.]+)?(?: shares?)?,? ?(?:authorized|issued|outstanding|held|shares)\b", re.IGNORECASE
)


def periods_in_label(cell: Cell, layout: Layout, otherwise: Callable[[], When]) -> Callable[[Amount], Sequence[When]]:
    """When the amounts of a row label are from. `net of allowance of $906 and $869` are those of the two columns of
    periods beside it, unless the label says its own; a single one is that of the first, and of every day beside it what
    shares are: `500 shares authorized`. otherwise: when those are from that nothing here dates."""
    columns = [column.period for column in layout.columns if column.period and not column.name]
    columns = columns or _days_of_columns(layout)
    said = {at: _of_columns(period, columns) for at, period in _said_in(cell.text).items()}
    measured = [amount for amount in cell.amounts if amount.unit not in NOT_MEASURES]
    found: dict[Amount, Period] = {}
    for at, amount in enumerate(measured):
        group = measured[at : at + len(columns)]
        joined = _is_list(cell.text, measured, at, len(columns))
        is_of_one_kind = len({each.unit for each in group if each.unit}) < 2  # `$1 par value, 500 shares`: each its own
        if amount not in found and joined and is_of_one_kind:
            found.update(zip(group, columns, strict=True))
    row = layout.row(cell.row)
    own = (row.period if row else read_period(cell.text)) if not said else None
    ends = [end for _, _, end in find_periods(cell.text)] if said else []
    led = [each for each in measured if any(_LEADS.fullmatch(cell.text, end, each.start) for end in ends)]

    def periods(amount: Amount) -> Sequence[When]:
        is_dated = own is not None or amount in led
        if amount not in found and (of_all := _of_all(cell, amount, layout, columns, is_dated)):
            return tuple((column, "column header") for column in of_all)
        if amount.start in said and not (amount in found and _are_respective(cell.text, amount)):
            return ((said[amount.start], "row label"),)
        if amount in found:
            return ((found[amount], "column header"),)
        if own:
            return ((own, "row label"),)
        return ((columns[0], "column header") if columns else otherwise(),)

    return periods


def _are_respective(text: str, amount: Amount) -> bool:
    """Whether amounts are those of the days in front of them, each of its own: `(net of 44 and 42, respectively)`."""
    rest = text[amount.end :]
    return "respectively" in rest and not find_periods(rest)


def _is_list(text: str, amounts: Sequence[Amount], first: int, count: int) -> bool:
    """Whether so many amounts are joined, and the list does not go on: of `3,000 shares, 1,402 and 1,399 issued` the
    first is of no list."""
    gaps = [_AND.fullmatch(text, one.end, other.start) for one, other in pairwise(amounts[first : first + count + 1])]
    if count < FEWEST_DAYS or len(gaps) < count - 1 or not all(gaps[: count - 1]):
        return False
    last, following = gaps[count - 2], gaps[count - 1] if len(gaps) == count else None
    return not (last and following) or "and" in last[0] or "and" not in following[0]


def _of_all(cell: Cell, amount: Amount, layout: Layout, columns: Sequence[Period], is_dated: bool) -> Sequence[Period]:
    """The days beside a label on all of which it is so what it says of shares, or at which rate a debt is: it says no
    day, or each of them. () for other amounts. is_dated: whether the label says when some of its amounts are from."""
    if len(columns) < FEWEST_DAYS or any(each.kind is not PeriodKind.DATE for each in columns):
        return ()
    unit = meaning_in_label(cell, amount, layout).unit or ""
    if unit is Unit.PERCENT and not is_dated:
        return columns
    if unit != Unit.SHARES and not unit.endswith(PER_SHARE):
        return ()
    starts = [each.start for each in cell.amounts if each.start > amount.end and each.unit not in NOT_MEASURES]
    end = min(starts, default=len(cell.text))
    until = _led(cell.text, end)[1] if starts else end
    behind = [period for period, _, _ in find_periods(cell.text[amount.end : until]) if period.end]
    said = [_of_columns(period, columns).key for period in (*_led(cell.text, amount.start)[0], *behind)]
    is_each = {each.key for each in columns} <= set(said)
    return columns if is_each or not (behind or is_dated) else ()


def _led(text: str, start: int) -> tuple[list[Period], int]:
    """The days that lead to an amount that begins there, and where the first of them does: `6/30/23 and 12/31/22 –`."""
    found: list[Period] = []
    for period, first, last in reversed(find_periods(text[:start])):
        if not period.end or not (_AND_OF if found else _LEADS).fullmatch(text, last, start):
            break
        found.append(period)
        start = first
    return found, start


@lru_cache(maxsize=1024)
def _said_in(text: str) -> dict[int, Period]:
    """When the amounts of a label are from that itself says of each, by where they start; {} where it says one period
    or none: `2023: $471; 2022: $449`, `1,796 shares at July 30, 2023 and 1,794 shares at January 29, 2023`."""
    listed = [(period, end) for period, _, end in find_periods(text) if period.end]
    if len(listed) < 2:
        return {}
    mentions = [mention for sentence in read_sentences([text]) for mention in sentence.mentions]
    measured = [each for each in mentions if each.amount.unit not in NOT_MEASURES]
    led = {
        mention.amount.start: period
        for mention in measured
        for period, end in listed
        if _LEADS.fullmatch(text, end, mention.amount.start)
    }
    return led or {each.amount.start: each.period for each in measured if each.period}


def _of_columns(period: Period, columns: Sequence[Period]) -> Period:
    """A day or a bare year is the column of it, where there is one: January 28, 2024 is that of fiscal 2023, a year its
    last day in a balance sheet."""
    is_year = is_bare_year(period)
    in_year = [each for each in columns if each.end and each.year == period.year]
    in_year = in_year or [each for each in columns if each.end and each.end.year == period.year]
    same = {each.key: each for each in (in_year if is_year else columns) if is_year or each.key == period.key}
    return next(iter(same.values())) if len(same) == 1 else period


def _days_of_columns(layout: Layout) -> list[Period]:
    """The days of columns that say more than one (`carrying value at June 30, 2025`), each once."""
    found = {column.period.key: column.period for column in layout.columns if column.period and column.period.end}
    return list(found.values())


@lru_cache(maxsize=256)
def _names_shares(text: str) -> bool:
    return bool(_SHARES_IN_LABEL.search(text))


def meaning_in_label(cell: Cell, amount: Amount, layout: Layout) -> Meaning:
    """What an amount in a label means.

    In a row label of a report it is on the basis of its table: `net of allowance of $6,237` in thousands. Shares in it
    may be in full all the same.
    """
    said = stated(amount, "cell")
    whole = layout.whole
    if not layout.is_label(cell) or cell.row < layout.header_rows:
        return said
    unit = said.unit
    if unit is None and _are_shares(cell.text, amount):
        unit = Unit.SHARES
    if amount.scale != 1:
        return replace(said, unit=unit, unit_from="cell")
    if unit is Unit.SHARES:
        explicit = whole.counts if whole.counts != whole.scale or amount.value < FEWEST_SHARES else None
        scale = explicit if explicit and explicit > 1 else 1
        return Meaning(unit, "cell", scale, whole.counts_from if scale > 1 else "cell")
    if is_currency(unit) and unit is not None and (face := _of_one(cell.text.lower(), amount)):
        return Meaning(f"{unit}{PER_SHARE}" if face == PER_SHARE else unit, "cell", 1, "cell")
    if is_currency(unit) and _is_price(amount) and _PER_SHARE.search(cell.text.lower()):
        return Meaning(f"{unit}{PER_SHARE}", "cell", 1, "cell")  # `Dividends (per share: $1.84, $1.76)`
    is_money = is_currency(unit) and amount.value * 10 == (amount.value * 10).to_integral()  # and no price
    if is_money and whole.scale and whole.scale > 1:
        return Meaning(unit, "cell", whole.scale, whole.scale_from)
    return said


def _is_price(amount: Amount) -> bool:
    """Whether an amount has cents, as what one share is worth has."""
    exponent = amount.value.as_tuple().exponent
    return isinstance(exponent, int) and exponent <= _CENTS


def _are_shares(text: str, amount: Amount) -> bool:
    """Whether an amount in a label counts the shares that the words behind it or in front of it name."""
    lower = text.lower()
    behind = _names_shares(text) and _OF_SHARES.match(text, amount.end)
    before = lower[max(0, amount.start - _BEFORE) : amount.start]
    named = _NUMBERS.sub(" ", lower[max(0, amount.start - _FAR) : amount.start])
    is_of_class = "shares" in lower and (_BEHIND_CLASS.search(before) or _BEFORE_CLASS.match(lower, amount.end))
    is_named = _names_shares(text) and bool(_SHARES_BEFORE.search(named))
    is_whole = amount.value >= _THOUSAND and amount.value == amount.value.to_integral_value()
    if is_whole and (_names_shares(text) or "shares" in lower) and not _OF_MONEY.search(before):
        return True  # `Treasury stock (471,323 at June 30, 2025)`: money would be marked as such
    return bool(behind or is_of_class or _SHARES_BEFORE.search(before) or is_named or _OF_DATES.match(lower))


def _of_one(lower: str, amount: Amount) -> str:
    """Whether an amount in a label, in lower case, is what one of a thing is worth: `/share` of a share, else `each`;
    "" where it is not."""
    before = lower[max(0, amount.start - _BEFORE) : amount.start]
    if not _FACE.search(before) and not _EACH.match(lower, amount.end):
        return ""
    return PER_SHARE if _OF_SHARE.search(lower) else "each"
