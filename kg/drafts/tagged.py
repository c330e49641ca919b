"""A printed amount and the tag on it: the tag decides what the amount means, and what print says is kept beside it.

The value of a fact stays the number as it is printed, with its sign; what the tag states, signed and in full units, is
exact.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from tieout.data.document import Tag
from tieout.data.printed.amount import Amount, Unit
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.data.printed.periods.timespan import calendar_year, day, month, quarter
from tieout.data.printed.unit import THINGS, is_scaled
from tieout.data.tables.table import Meaning
from tieout.kg.drafts.draft import Draft
from tieout.kg.fact import Reading

TAG = "tag"
NIL = "the tag on it says that there is no value"
OTHER_SCALE = "the tag on it states another power of ten than is printed"
_UNITS = {"shares": Unit.SHARES, "share": Unit.SHARES}
_MOST_SCALE = 12
_PURE = frozenset(
    (
        Unit.PERCENT,
        Unit.PERCENTAGE_POINTS,
        Unit.BASIS_POINTS,
        Unit.RATIO,
        Unit.COUNT,
        Unit.YEARS,
        Unit.MONTHS,
        Unit.DAYS,
        None,
    )
)


class Settled(NamedTuple):
    """What an amount means by its tag. reading: what print says, where that is something else. doubt: why the tag
    cannot be trusted, "" for no reason."""

    amount: Amount
    meaning: Meaning
    period: Period | None
    period_from: str | None
    tag: Tag | None = None
    reading: Reading | None = None
    doubt: str = ""


def pair(amounts: Sequence[Amount], tags: Iterable[Tag], text: str) -> list[tuple[Amount, Tag | None]]:
    """Each amount with the tag on it, and each tag on something that reads as no amount (a dash, `none`) with an
    amount of its own, in the order in which they are printed. An amount with two tags comes twice."""
    found: list[tuple[Amount, Tag | None]] = []
    left = list(amounts)
    for tag in tags:
        start, end = tag.printed or (0, 0)
        if start >= end:
            continue
        amount = next((each for each in amounts if each.start < end and start < each.end and _fits(each, tag)), None)
        if amount is None:
            over = [each for each in left if each.start < end and start < each.end]
            if not tag.value and len(over) == 1 and over[0].value:  # a number that the tag says is none: print decides
                amount = over[0]
        if amount is None:
            left = [each for each in left if each not in over]
            found.append((Amount(_printed(tag, text[start:end]), start, end), tag))
            continue
        left = [each for each in left if each is not amount]
        found.append((amount, tag))
    found += [(amount, None) for amount in left]
    return sorted(found, key=lambda each: (each[0].start, each[0].end))


def _fits(amount: Amount, tag: Tag) -> bool:
    """Whether an amount is the number of a tag: the same digits, or a tag that says nil."""
    if not tag.value:
        return not amount.value
    return _power(amount.value, tag.value) is not None


def _printed(tag: Tag, text: str) -> Decimal:
    """The number that a text prints which reads as none: nothing for a dash, that of the tag for words."""
    return Decimal(0) if tag.value is None else tag.value.copy_abs()


def _power(printed: Decimal, exact: Decimal) -> int | None:
    """The power of ten between two amounts, None where their digits differ; the sign does not count."""
    if not printed or not exact:
        return None if printed or exact else 0
    one, other = printed.copy_abs().normalize().as_tuple(), exact.copy_abs().normalize().as_tuple()
    return int(other.exponent) - int(one.exponent) if one.digits == other.digits else None


def settle(amount: Amount, meaning: Meaning, period: tuple[Period | None, str | None], tag: Tag | None) -> Settled:
    """What an amount means, with the tag on it, if there is one. period: as read, and where from."""
    if tag is None or tag.end is None:
        return Settled(amount, meaning, *period, tag)
    settled = _meaning(amount, meaning, tag)
    stated = tagged_period(tag.start, tag.end, period[0])
    where = period[1] if period[0] and stated == period[0] else TAG
    reading = Reading(unit=meaning.unit, scale=meaning.scale, period=period[0].key if period[0] else None)
    differs = (
        (meaning.unit is not None and meaning.unit != settled.unit)
        or (bool(amount.value) and meaning.scale != settled.scale)
        or (period[0] is not None and _differs(period[0], stated))
    )
    doubt = ""
    if not tag.value and amount.value:
        doubt = NIL
    elif amount.scale > 1 and settled.scale != amount.scale:  # `$4.2 billion`, and the tag says millions: print decides
        doubt, settled = OTHER_SCALE, replace(settled, scale=meaning.scale, scale_from=meaning.scale_from)
        differs = True
    return Settled(amount, settled, stated, where, tag, reading if differs else None, doubt)


def _meaning(amount: Amount, meaning: Meaning, tag: Tag) -> Meaning:
    power = _power(amount.value, tag.value) if tag.value else None
    unit: str | None = _UNITS.get(tag.unit or "", tag.unit)
    if unit and meaning.unit in THINGS and str(meaning.unit).startswith(unit.lower().rstrip("s")):
        unit = meaning.unit  # `store`, of 432 stores
    if unit is None and (meaning.unit in _PURE or meaning.unit in THINGS or power in (-2, -4)):
        unit = meaning.unit if power not in (-2, -4) else Unit.PERCENT if power == -2 else Unit.BASIS_POINTS
    scale, scale_from = meaning.scale, meaning.scale_from
    if power is not None and 0 <= power <= _MOST_SCALE:
        is_stated = scale_from is not None or not is_scaled(unit)
        if 10**power != meaning.scale or not is_stated:  # the tag says in full what print leaves open
            scale, scale_from = 10**power, TAG
    elif power in (-2, -4):
        scale, scale_from = 1, None
    unit_from = None if unit is None else meaning.unit_from if unit == meaning.unit else TAG
    return Meaning(unit, unit_from, scale, scale_from)


def doubt_scales_alone(drafts: Sequence[Draft], rows: Sequence[int]) -> None:
    """Marks the facts of a table whose tag states another power of ten than print, where the tags of their neighbours
    of the same unit state what is printed; print decides then. rows: of the facts, in their order.

    Neighbours are the other figures of the row; where there are none, those of the table.
    """
    tagged = [
        (draft, row) for draft, row in zip(drafts, rows, strict=True) if draft.tag is not None and draft.amount.value
    ]
    for draft, row in tagged:
        if draft.reading is None or draft.reading.scale == draft.meaning.scale:
            continue
        alike = [(each, at) for each, at in tagged if each is not draft and each.meaning.unit == draft.meaning.unit]
        beside = [each for each, at in alike if at == row] or [each for each, _ in alike]
        if beside and all(each.meaning.scale == draft.reading.scale for each in beside):
            said = beside[0].meaning
            draft.meaning = replace(draft.meaning, scale=said.scale, scale_from=said.scale_from)
            draft.doubts += (OTHER_SCALE,)


def _differs(own: Period, stated: Period) -> bool:
    """Whether print says another period than the tag: another last day, or another year where it says no day."""
    if own.end is not None and stated.end is not None:
        return own.end != stated.end
    return own.year is not None and own.year != stated.year


def tagged_period(start: date | None, end: date, own: Period | None = None) -> Period:
    """The period of a tag. own: as print says it; its name is kept where both are the same."""
    if start is None:
        stated = day(end.year, end.month, end.day, own.label if own else end.isoformat())
        return own if own and own.kind is PeriodKind.DATE and own.end == end else stated
    if own and own.start == start and own.end == end:
        return own
    is_year = own is not None and own.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
    if own and is_year and 350 <= (end - start).days + 1 <= 380 and own.year in (end.year, end.year - 1):
        return replace(own, start=start, end=end)  # `2025`, which is a fiscal year of this report
    label = own.label if own else f"{start.isoformat()} to {end.isoformat()}"
    days = (end - start).days + 1
    whole = start.day == 1 and (end + timedelta(days=1)).day == 1
    if whole and days > 360 and start.month == 1 and end.year == start.year:
        return calendar_year(end.year, label)
    if 350 <= days <= 380:
        return Period(f"FY{end.year}", PeriodKind.FISCAL_YEAR, label, end.year, start, end)
    if whole and end.month % 3 == 0 and 89 <= days <= 92:
        return quarter(end.year, end.month // 3, label)
    if whole and days == monthrange(end.year, end.month)[1]:
        return month(end.year, end.month, label)
    if whole:
        key = f"{start:%Y-%m}/{end:%Y-%m}"
        return Period(key, PeriodKind.QUARTER if 84 <= days <= 98 else PeriodKind.SPAN, label, end.year, start, end)
    kind = PeriodKind.QUARTER if 84 <= days <= 98 else PeriodKind.SPAN
    return Period(f"{start.isoformat()}/{end.isoformat()}", kind, label, end.year, start, end)
