"""How a figure reads, wherever one is shown: `$164.5 billion`, `27%`, `2.7 percentage points`, `982 stores`, `yes`.

What is printed keeps its digits; what is calculated is rounded as analysts do. The exact value is the entry's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import NamedTuple

from tieout.agent.ledger.form import AS_SUITS, Form, read_form
from tieout.agent.ledger.ledger import Entry, FromFact, FromFrame, FromOperation, FromPrior, Words
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.arithmetic.units import CONTEXT, RATE, RATE_CHANGE, SCALES_SHOWN, is_thing, one_of, shifted
from tieout.data.output.style import Style, house_style
from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import NOT_MEASURES, PARTS_OF_MONEY, SOME_DOLLAR, is_currency

EXACT = 28  # digits of what is shown exactly
LARGE = (10**12, 10**9, 10**6)  # scales in which amounts are told; below a million they are written out
MOST_PLACES = (
    4  # decimals of a printed amount in a larger scale than its own: `$54,484,293`, and not `$54.484293 million`
)
OF_INDIA = (10**5, 10**7)  # figures in lakhs and crores stay in them
UNSTATED_UNIT, UNSTATED_SCALE = "(unit not stated)", "(scale not stated)"
POINTS = {Unit.PERCENTAGE_POINTS: "percentage point", Unit.BASIS_POINTS: "basis point"}
SPANS = frozenset({Unit.DAYS, Unit.MONTHS, Unit.YEARS})
SIGNS = {
    "USD": "$", SOME_DOLLAR: "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "CAD": "C$",
    "AUD": "A$", "NZD": "NZ$", "HKD": "HK$", "SGD": "S$", "TWD": "NT$", "BRL": "R$", "MXN": "MX$",
}  # fmt: skip
# Operations whose result has the digits of their operand.
KEEPS_DIGITS = frozenset({"magnitude", "as_decimal", "in_percent"})


class _Shown(NamedTuple):
    """A number on its way to be shown. whole: its digits are those of something printed, and all are to be seen."""

    value: Decimal
    form: Form
    style: Style
    whole: bool


class Headed(NamedTuple):
    """Figures below one head. head: `$ million`, "" where each reads by itself. scale: what the head says, as a number;
    figures: as they read below it."""

    head: str
    scale: int
    figures: tuple[str, ...]


def exact(entry: Entry) -> str:
    """The value of an entry with all its digits, yes or no, or its words."""
    if isinstance(entry.value, Words):
        return entry.value.text
    return ("yes" if entry.value else "no") if isinstance(entry.value, bool) else f"{entry.value:f}"


def display(entry: Entry, form: Form | str | None = None) -> str:
    """The value of an entry with its scale and unit, in the house style.

    form: how it is wanted where it is not what suits its unit; in words as `read_form` takes them. A scale or a unit
    of a figure that the report does not state is said to be: `$5,363 (scale not stated)`, `88 (unit not stated)`.
    Raises StyleError where the environment names no style.
    """
    said, unstated = plainly(entry, form), _unstated(entry)
    return f"{said} {unstated}" if unstated else said


def plainly(entry: Entry, form: Form | str | None = None) -> str:
    """As display, without a word on what the report does not state: for prose, which says it elsewhere."""
    if isinstance(entry.value, bool | Words):
        return exact(entry)
    shown = _shown(entry, entry.value, form)
    with localcontext(CONTEXT):
        return _negative(_said(entry, shown), shown.style)


def below_one_head(entries: Sequence[Entry], form: str | None = None) -> Headed:
    """What the head of a table says of amounts in one currency or of one thing, and how each reads below it; other
    figures, and those of which a scale is not known, read each by itself."""
    unit, scales = entries[0].unit or "", {each.scale for each in entries}
    numbers = [(each, _shown(each, each.value, form)) for each in entries if isinstance(each.value, Decimal)]
    is_amount = bool(unit) and (_is_money(unit) or is_thing(unit) or unit == Unit.SHARES)
    if not is_amount or len(numbers) < len(entries) or any(e.unit != unit or not e.scale_known for e in entries):
        return Headed("", 1, tuple(display(each, form) for each in entries))
    most = max(numbers, key=lambda each: each[1].value.copy_abs() * each[0].scale)
    target = most[1].form.scale or (max(scales) if len(scales) == 1 and max(scales) > 1 else _scale(*most))
    said = []
    with localcontext(CONTEXT):
        for entry, shown in numbers:
            value = shown._replace(value=shown.value * entry.scale / target)
            said.append(_negative(_mantissa(value, target != entry.scale, in_cents=False), shown.style))
    scale = "" if target == 1 else SCALES_SHOWN.get(target, f"x {target}").removesuffix("s")
    has_sign = _is_money(unit) and most[1].style.currency == "sign"
    head = f"{SIGNS.get(unit, unit)} {scale}" if has_sign else f"{scale} {unit}"
    return Headed(head.strip(), target, tuple(said))


def _shown(entry: Entry, number: Decimal, form: Form | str | None) -> _Shown:
    wanted = read_form(form) if isinstance(form, str) else form or AS_SUITS
    style = house_style()
    wanted = wanted if style.rounded == "yes" or wanted.decimals is not None else replace(wanted, exact=True)
    value = number.copy_abs() if wanted.magnitude else number
    return _Shown(value, wanted, style, _keeps_digits(entry) and _digits(value) <= style.printed)


def _unstated(entry: Entry) -> str:
    if not isinstance(entry.value, Decimal) or isinstance(entry.value, bool) or entry.unit in NOT_MEASURES:
        return ""
    if entry.unit is None and isinstance(entry.source, FromFact):
        return UNSTATED_UNIT
    return "" if entry.scale_known else UNSTATED_SCALE


def _keeps_digits(entry: Entry) -> bool:
    """Whether a value has the digits of something printed or stated, and was not calculated to more."""
    source = entry.source
    if isinstance(source, FromOperation):
        operation = OPERATIONS[source.operation]
        return operation.selects or operation.to_scale is not None or source.operation in KEEPS_DIGITS
    return not (isinstance(source, FromPrior) and source.calculated)


def _said(entry: Entry, shown: _Shown) -> str:
    unit, kind = entry.unit, shown.form.kind
    if unit == Unit.PERCENT and kind != "number":
        return f"{_decimals(shown, shown.style.percent)}%"
    if unit == Unit.PERCENT:
        return _all_of(shifted(shown.value, -2))
    if unit in POINTS:
        number = _decimals(shown, 1 if unit == Unit.PERCENTAGE_POINTS else 0)
        return f"{number} {POINTS[Unit(unit)]}{'' if number == '1' else 's'}"
    if unit in (RATE, RATE_CHANGE) or (kind in ("percent", "points") and _may_be_rate(entry)):
        return _of_rate(entry, shown)
    if unit in NOT_MEASURES:
        return f"{shown.value:f}"
    if unit in SPANS:
        number = _decimals(shown, 1)
        return f"{number} {one_of(str(unit)) if number == '1' else unit}"
    if unit == Unit.RATIO or (unit is None and entry.scale == 1) or unit == Unit.INDEX:
        raw = entry.source.raw if isinstance(entry.source, FromFact) else ""
        times = kind == "times" or raw.rstrip(" )").lower().endswith(("x", "times"))
        can_be = unit == Unit.RATIO or (unit is None and isinstance(entry.source, FromOperation))
        return f"{_decimals(shown, shown.style.ratio)}{'x' if times and can_be else ''}"
    return _amount(entry, shown)


def _of_rate(entry: Entry, shown: _Shown) -> str:
    """A decimal that reads as a percentage, or as points where it is the difference of two."""
    kind = shown.form.kind
    if kind in ("number", "times") and entry.unit in (RATE, RATE_CHANGE):
        return _all_of(shown.value) if shown.form.decimals is None else _decimals(shown, 0)
    number = _decimals(shown._replace(value=shifted(shown.value, 2)), shown.style.percent)
    is_apart = entry.unit == RATE_CHANGE or kind == "points"
    return f"{number} percentage point{'' if number == '1' else 's'}" if is_apart else f"{number}%"


def _may_be_rate(entry: Entry) -> bool:
    """Whether a number may be read in percent: a ratio, and without a unit a quotient or a value of data.

    A figure that the report prints without a unit, and a sum of such figures, are never taken a hundredfold.
    """
    source = entry.source
    is_quotient = isinstance(source, FromOperation) and source.operation == "divide"
    may_be = is_quotient or isinstance(source, FromFrame) or (isinstance(source, FromPrior) and source.calculated)
    return entry.unit == Unit.RATIO or (entry.unit is None and entry.scale == 1 and may_be)


# Amounts: of money, of things, and what one of a thing costs


def _amount(entry: Entry, shown: _Shown) -> str:
    money, slash, per = (entry.unit or "").partition("/")
    named = _is_money(money)
    target = _scale(entry, shown)
    with_scale = shown._replace(value=shown.value * entry.scale / target)
    number = _mantissa(with_scale, target != entry.scale, in_cents=target == 1 and named)
    scale = "" if target == 1 else SCALES_SHOWN.get(target, f"x {target}").removesuffix("s")
    if named and shown.style.currency == "sign":
        sign = "-" if number.startswith("-") else ""
        front = SIGNS.get(money, f"{money} ")
        said = " ".join(part for part in (f"{sign}{front}{number.removeprefix('-')}", scale) if part)
    else:
        thing = "" if money == Unit.COUNT else one_of(money) if number == "1" and not scale and not slash else money
        thing = SIGNS[money] if money == SOME_DOLLAR else thing
        said = " ".join(part for part in (number, scale, "" if thing in PARTS_OF_MONEY and slash else thing) if part)
        said += f" {money}" if thing in PARTS_OF_MONEY and slash else ""
    if not slash:
        return said
    return f"{said} {'a day' if per == 'day' else f'per {per}'}" if per.islower() else f"{said}/{per}"


def _is_money(unit: str) -> bool:
    """Whether a unit is a currency, be it some dollar."""
    return is_currency(unit) or unit == SOME_DOLLAR


def _scale(entry: Entry, shown: _Shown) -> int:
    """The scale that an amount is told in: the one wanted, else the largest in which it is at least one."""
    is_price = "/" in (entry.unit or "") and entry.scale == 1
    if shown.form.scale is not None and entry.scale_known and not is_price:
        return shown.form.scale
    if not entry.scale_known or entry.scale in OF_INDIA or entry.scale not in SCALES_SHOWN:
        return entry.scale
    full = (shown.value * entry.scale).copy_abs()
    if shown.whole and not shown.form.exact and shown.form.decimals is None:
        fitting = (scale for scale in LARGE if full >= scale)
        return next((each for each in fitting if each == entry.scale or _places(full / each) <= MOST_PLACES), 1)
    digits = EXACT if shown.form.exact else shown.style.digits
    return next((scale for scale in LARGE if _rounded(full / scale, digits - 1) >= 1), 1)


def _mantissa(shown: _Shown, rescaled: bool, in_cents: bool) -> str:
    """The number in front of a scale. rescaled: zeros at its end say nothing. in_cents: money that is written out."""
    value = shown.value
    if shown.form.decimals is not None:
        return _fixed(value, shown.form.decimals)
    places = -int(value.as_tuple().exponent)
    is_short = in_cents and 0 < places < 2 and value != value.to_integral_value()  # $2.7 is printed $2.70
    if shown.form.exact or (shown.whole and not is_short):
        return _all_of(value, keep_zeros=not rescaled)
    if in_cents:
        is_small = value.copy_abs() < 1000
        if is_small and value and value.copy_abs() < Decimal("0.01"):
            return _all_of(_rounded(value, _least(value, 2)))
        return _fixed(value, 2 if is_small and value != value.to_integral_value() else 0)
    if value.copy_abs() >= 1000:
        return _fixed(value, 0)
    return _all_of(_rounded(value, max(0, shown.style.digits - 1 - value.adjusted())) if value else value)


# Numbers


def _decimals(shown: _Shown, places: int) -> str:
    """A number to so many decimals; one that is printed with its own."""
    value = shown.value
    if shown.form.decimals is not None:
        return _fixed(value, shown.form.decimals)
    if shown.form.exact or shown.whole:
        return _all_of(value, keep_zeros=True)
    if value == value.to_integral_value():
        return _fixed(value, 0)
    return _fixed(value, places) if _least(value, places) == places else _all_of(_rounded(value, _least(value, places)))


def _least(value: Decimal, places: int) -> int:
    """So many decimals, and of a small value so many that two digits of it are seen."""
    return places if value == 0 or value.adjusted() >= -places + (places > 0) else max(places, 1 - value.adjusted())


def _digits(value: Decimal) -> int:
    """How many significant digits a value has, zeros at its end left out."""
    return len(value.normalize(CONTEXT).as_tuple().digits)


def _places(value: Decimal) -> int:
    """How many decimals a value has, zeros at its end left out."""
    return max(0, -int(value.normalize(CONTEXT).as_tuple().exponent))


def _rounded(value: Decimal, places: int) -> Decimal:
    """To so many decimals, half up as people round; one so large that 60 digits do not hold them stays as it is."""
    if value.adjusted() + places >= CONTEXT.prec:
        return value
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, CONTEXT)


def _fixed(value: Decimal, places: int) -> str:
    shown = f"{_rounded(value, places):,f}"
    return shown.removeprefix("-") if not any(digit in "123456789" for digit in shown) else shown


def _all_of(value: Decimal, *, keep_zeros: bool = False) -> str:
    """All digits of a value, at most EXACT significant ones."""
    if _digits(value) > EXACT:
        value = _rounded(value, max(0, EXACT - 1 - value.adjusted()))
    if not keep_zeros:
        value = value.normalize(CONTEXT)
    return f"{value:,f}"


def _negative(said: str, style: Style) -> str:
    return f"({said.removeprefix('-')})" if style.negative == "brackets" and said.startswith("-") else said
