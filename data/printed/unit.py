"""Units as reports write them: currency marks before a number, scale and unit words behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

from tieout.data.printed.abroad import scale_abroad
from tieout.data.printed.pattern import later
from tieout.data.printed.wording import words


class Unit(StrEnum):
    """Units that are not currencies. A currency is its ISO 4217 code (`USD`); a price is `USD/share`."""

    PERCENT = "percent"
    PERCENTAGE_POINTS = "percentage points"  # what one percentage is above another: 22.9% less 20.2% is 2.7 of them
    BASIS_POINTS = "basis points"
    SHARES = "shares"
    YEARS = "years"
    MONTHS = "months"
    DAYS = "days"
    CALENDAR_YEAR = "calendar year"  # 2007 as a date, not as an amount of anything
    DATE_PART = "date part"  # the day or the month of a date: 31 in `december 31`, 12 in `12/31/07`
    REFERENCE = "reference"  # a number that names something: note 12, item 7, level 3, s&p 500, 10-k
    RATIO = "ratio"
    COUNT = "count"
    INDEX = "index"  # what 100 at the start has become, as in tables of share performance


NOT_MEASURES = frozenset((Unit.CALENDAR_YEAR, Unit.DATE_PART, Unit.REFERENCE))  # numbers that date or name something


# Marks stand before the number. a3, a5 and 20ac are what text extraction leaves of the signs for pound, yen and euro.
MARKS = {
    "us$": "USD",
    "c$": "CAD",
    "ca$": "CAD",
    "cad$": "CAD",
    "cdn$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "aud$": "AUD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "sg$": "SGD",
    "can$": "CAD",
    "usd$": "USD",
    "u.s.$": "USD",
    "nt$": "TWD",
    "r$": "BRL",
    "mx$": "MXN",
    "€": "EUR",
    "20ac": "EUR",
    "£": "GBP",
    "a3": "GBP",
    "¥": "JPY",
    "a5": "JPY",
    "₹": "INR",
    "₩": "KRW",
}
_NAMES_BEFORE = {"rs.": "INR", "rs": "INR", "rmb": "CNY"}  # `Rs. 45 crore`
SOME_DOLLAR = "$"  # the unit of a `$` where nothing says of which country
PARTS_OF_MONEY = frozenset(("pence", "cents"))
DOLLARS = frozenset(code for mark, code in MARKS.items() if mark.endswith("$") and mark not in ("r$", "mx$"))
CURRENCY_CODES = {
    code.lower(): code
    for code in (  # in an order that is always the same: patterns that are made of them are kept
        "USD EUR GBP JPY CHF CAD AUD NZD HKD SGD CNY TWD KRW INR BRL MXN ARS CLP SEK NOK DKK PLN CZK HUF ZAR ILS "
        "THB MYR IDR PHP AED KWD NGN EGP"
    ).split()
}
NAMES = {
    "dollar": "USD",
    "canadian dollar": "CAD",
    "australian dollar": "AUD",
    "new zealand dollar": "NZD",
    "hong kong dollar": "HKD",
    "singapore dollar": "SGD",
    "euro": "EUR",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "british pound": "GBP",
    "yen": "JPY",
    "japanese yen": "JPY",
    "swiss franc": "CHF",
    "renminbi": "CNY",
    "rmb": "CNY",
    "yuan": "CNY",
    "rupee": "INR",
    "indian rupee": "INR",
    "won": "KRW",
    "reais": "BRL",
    "brazilian real": "BRL",
    "mexican peso": "MXN",
    "swedish krona": "SEK",
    "swedish kronor": "SEK",
    "norwegian kroner": "NOK",
    "danish kroner": "DKK",
    "rand": "ZAR",
} | CURRENCY_CODES
SCALES = {"thousand": 10**3, "million": 10**6, "mm": 10**6, "billion": 10**9, "bn": 10**9, "trillion": 10**12}

# Things that reports count or measure without a unit of their own.
_COUNTED = words(
    "employees associates persons people individuals customers clients members subscribers holders shareholders "
    "stockholders participants directors officers stores restaurants locations sites towers facilities properties "
    "buildings hotels rooms hospitals branches offices warehouses centers plants factories refineries terminals "
    "stations aircraft vessels ships vehicles trucks cars locomotives railcars countries states markets segments "
    "units reporting wells acres miles tons tonnes ounces barrels gallons bushels square mw megawatts gwh mwh kwh "
    "mmboe mboe boe mmbbl mbpd bpd mmcf mcf bcf mmbtu berths guests passengers transactions claims cases lawsuits "
    "plaintiffs contracts agreements leases loans accounts policies patents products brands models programs "
    "projects subsidiaries companies entities banks affiliates partners suppliers vendors distributors dealers "
    "retailers votes warrants installments payments weeks quarters hours minutes carloads feet homes apartments "
    "beds licenses anniversaries operating communications registered record largest major key business reportable "
    "homeowners"
)
# Those of them that are units of their own: `432 stores` is no money, and no vehicles either.
THINGS = words(
    "stores restaurants employees vehicles barrels aircraft votes customers subscribers members hotels rooms "
    "passengers guests homes wells locations branches vessels ships trucks patients users"
)
# Of these, what a row that is called so and nothing more counts: `Vehicles` may as well be what they cost, and
# `Customers` what they owe.
COUNTED_BY_NAME = words("stores restaurants employees votes subscribers passengers patients users")
_SCALE = later(r"[ -]?(?:a0 ?)?(thousand|million|billion|trillion|mil- ?lion|bil- ?lion|tril- ?lion|mm|bn)s?\b")
_SHORT_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6, "b": 10**9, "tn": 10**12}
_SHORT_SCALE = later(rf"({'|'.join(sorted(_SHORT_SCALES, key=len, reverse=True))})(?![a-z0-9$'’/-])")
_AMERICAN = later(r" (?:of )?u\.?s")
_MONEY = later(rf" (?:of )?(?:(?:u\.?s\.? ?\.?|us) )?({'|'.join(sorted(NAMES, key=len, reverse=True))})s?\b")
_BASIS_POINTS = later(r"[ -]?(?:basis[ -]points?|bps)\b")
_SHARE_KINDS = (
    r"additional|its|our|the company(?: 2019s|'s)?|common|ordinary|preferred|preference|treasury|restricted|outstanding"
    r"|authorized|unregistered|deferred|performance|class [a-z]|series [a-z]|new|diluted|basic|weighted|average|vested"
    r"|unvested|nonvested|non-vested|potential(?:ly)?|repurchased|stock|(?:service|performance|time|market)-based"
    r"|pre-?funded|equity|(?:anti-?)?dilutive|these|those|such|[a-z](?= warrants)"
)
_SHARES = later(
    rf"[ -](?:of )?(?:(?:{_SHARE_KINDS}) ){{0,5}}"
    r"(?:shares|share\b(?![ -](?:price|point|based))|stock options|options|(?:stock|share|equity) (?:units|awards)"
    r"|[rp]s[au]s|warrants|(?<=restricted )common stock|(?:equity|dilutive) securities)\b"
)
_NAMED_SHARES = later(r" (?:(?!in |for |and |to |from |on |at |was |were |with |by |of )[a-z.&]+ ){1,4}shares\b")
_PER_SHARE = later(
    rf" ?(?:per|a|/|each|for each) ?(?:(?:{_SHARE_KINDS}) ){{0,3}}"
    r"(?:share|option|warrant|unit|right)\b"
)
_PAR = later(r" (?:par|stated)(?: or stated)? value\b")
_TIME = later(r"[ -]?(?:(?:full|fiscal|calendar|additional|consecutive|business|trading) )?(year|month|day)s?\b")
_TIMES = later(r"x\b| times\b| to 1(?:\.0+)?(?![0-9.]| (?:year|month|day))")
_WORD = later(r"[ -]?([a-z]+)")
_TIME_UNITS = {"year": Unit.YEARS, "month": Unit.MONTHS, "day": Unit.DAYS}
# The first word behind a number decides which of the patterns are worth trying; most numbers need none.
_FIRST_WORDS: dict[str, str] = dict.fromkeys(
    [*re.findall(r"[a-z]+", " ".join(NAMES)), "u", "us", "dollars", "euros", "pounds", "rupees", "francs"], "money"
)
_FIRST_WORDS |= dict.fromkeys(["basis", "bps"], "basis points")
_FIRST_WORDS |= dict.fromkeys(["x", "times", "to"], "times")
_FIRST_WORDS |= dict.fromkeys(["full", "fiscal", "calendar", "consecutive", "trading"], "time")
_FIRST_WORDS |= {f"{name}{s}": "time" for name in _TIME_UNITS for s in ("", "s")}
_FIRST_WORDS |= dict.fromkeys(
    words(
        "shares share options rsus its our the common ordinary preferred preference treasury restricted "
        "outstanding authorized unregistered deferred performance class series new diluted basic weighted average "
        "vested unvested nonvested non potential potentially repurchased stock service time market prefunded pre "
        "equity dilutive anti antidilutive these those such warrants rsas psus psas"
    ),
    "shares",
)
_FIRST_WORDS |= dict.fromkeys(["of", "additional", "business"], "any")


_dollar: ContextVar[str] = ContextVar("dollar", default=SOME_DOLLAR)


@contextmanager
def dollars_of(currency: str) -> Iterator[None]:
    """What a bare `$` and the word dollars mean in what is read inside: an ISO 4217 code, or `SOME_DOLLAR`."""
    token = _dollar.set(currency)
    try:
        yield
    finally:
        _dollar.reset(token)


def dollar() -> str:
    """The currency of a bare `$`: one that no country is said of, but inside `dollars_of`."""
    return _dollar.get()


def currency_before(text: str, at: int) -> tuple[str, int] | None:
    """The currency whose mark or code ends at `text[at]`, and where the mark starts. text: lower case."""
    last = text[at - 1] if at else ""
    if last == "$":
        first = at - 1
        while first and at - first < 5 and text[first - 1].isalpha():
            first -= 1
        return (MARKS[text[first:at]], first) if text[first:at] in MARKS else (dollar(), at - 1)
    if last in MARKS:
        return MARKS[last], at - 1
    if last == "c" and text[at - 4 : at] == "20ac":
        return "EUR", at - 4
    if text[at - 2 : at] in ("a3", "a5") and not text[max(0, at - 3) : at - 2].isalnum():
        return MARKS[text[at - 2 : at]], at - 2
    if last.isalpha() and text[at - 3 : at] in CURRENCY_CODES and not text[max(0, at - 4) : at - 3].isalnum():
        return CURRENCY_CODES[text[at - 3 : at]], at - 3
    if last in "s.b":
        for name, code in _NAMES_BEFORE.items():
            if text.endswith(name, 0, at) and not text[max(0, at - len(name) - 1) : at - len(name)].isalnum():
                return code, at - len(name)
    return None


def scale_behind(text: str, at: int) -> tuple[int, int]:
    """The scale stated right behind position `at` of lower-case `text`, and where it ends; 1 and `at` for none."""
    match = _SCALE.match(text, at)
    if not match:
        return scale_abroad(text, at)
    return SCALES[match[1].replace("- ", "").replace("-", "")], match.end()


def short_scale_behind(text: str, at: int) -> tuple[int, int]:
    """As scale_behind, of what is short for a scale right behind an amount of money: `$5m`, `£2.5bn`, `₹ 12 cr`."""
    match = _SHORT_SCALE.match(text, at)
    return (_SHORT_SCALES[match[1]], match.end()) if match else scale_abroad(text, at, is_money=True)


def unit_behind(text: str, at: int, currency: str | None, scale: int = 1) -> tuple[str | None, int]:
    """The unit stated right behind position `at` of lower-case `text`, or `currency`, and where the amount ends.

    Names of currencies and `basis points` belong to the amount, the thing counted (`shares`, `years`) does not.
    """
    word = _WORD.match(text, at)
    first = _FIRST_WORDS.get(word[1]) if word else None
    if currency is None and first in ("money", "any") and (money := _MONEY.match(text, at)):
        currency, at = NAMES[money[1]], money.end()
        if money[1] == "dollar" and not _AMERICAN.match(money[0]):
            currency = dollar()
    if currency is not None and _PAR.match(text, at):
        return f"{currency}/share", at
    if currency is not None:
        is_price = text[at : at + 1] in (" ", "/", "a", "p") and _PER_SHARE.match(text, at)
        return (f"{currency}/share" if is_price else currency), at
    if first == "basis points" and (basis := _BASIS_POINTS.match(text, at)):
        return Unit.BASIS_POINTS, basis.end()
    if first in ("time", "any") and (time := _TIME.match(text, at)):
        return _TIME_UNITS[time[1]], at
    if first in ("shares", "any") and _SHARES.match(text, at):
        return Unit.SHARES, at
    if scale > 1 and first is None and _NAMED_SHARES.match(text, at):  # millions of the shares of some company
        return Unit.SHARES, at
    if first == "times" and _TIMES.match(text, at):
        return Unit.RATIO, at
    return (Unit.COUNT if word and word[1] in _COUNTED else None), at


def is_currency(unit: str | None) -> bool:
    """Whether a unit is money itself: an ISO 4217 code, or a dollar of a country that is not said."""
    return unit is not None and (unit == SOME_DOLLAR or (len(unit) == 3 and unit.isascii() and unit.isupper()))


def may_be_one(one: str, other: str) -> bool:
    """Whether two units may be the same: equal ones, and dollars where one of them is of a country that is not said."""
    (money, *share), (second, *second_share) = one.split("/"), other.split("/")
    is_any = SOME_DOLLAR in (money, second) and {money, second} <= DOLLARS | {SOME_DOLLAR}
    return share == second_share and (money == second or is_any)


def is_counted(unit: str | None) -> bool:
    """Whether a unit is that of what is counted: shares, things by their name, or just a number of them."""
    return unit in (Unit.SHARES, Unit.COUNT) or unit in THINGS


def thing_behind(text: str, at: int) -> str:
    """The unit of a count behind which lower-case `text` names things from position `at` on: `stores`, or `count`."""
    word = _WORD.match(text, at)
    return word[1] if word and word[1] in THINGS else Unit.COUNT


def is_scaled(unit: str | None) -> bool:
    """Whether a note like `in millions` can hold for an amount of this unit: for money, counts and what says none.

    Percentages, prices per share, ratios, times and years are printed in full.
    """
    return unit is None or is_counted(unit) or is_currency(unit)
