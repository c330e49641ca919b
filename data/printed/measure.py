"""Units of things in labels, which no note on money holds for: `Generation (GWh)`, `Output (thousand tonnes)`.

>>> find_measure("generation (gwh)").unit, find_measure("output ( thousand barrels per day )").scale
('GWh', 1000)
>>> find_measure("cash cost (c$/oz)").unit, find_measure("head grade (g/t)").unit, find_measure("loss ($/share)")
('CAD/oz', 'g/t', None)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tieout.data.printed.note import CURRENCY, SCALE_WORDS, currency_of
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import THINGS, Unit, is_currency

# As they are shown, by how they are printed in lower case; what is not here is shown in lower case.
_SYMBOLS = {
    each.lower(): each
    for each in (
        "GWh MWh kWh TWh Wh GW MW kW TW MWp kWp GJ TJ PJ MJ kt Mt kg km sqm m2 m3 ha kV TEU bbl bbls boe kboe mboe "
        "mmboe bpd boepd mcf mmcf bcf mmbtu tCO2e tCO2 m² m³ km² oz koz Moz lb lbs klbs Mlb Mlbs dmt wmt t g/t oz/t ppm"
    ).split()
} | {"teu": "teu"}
# Of oil and gas: `MBOED`, `MMcf/d`, `kbd`, by how many, of what and each day.
_SYMBOLS |= {
    symbol: symbol
    for many, things in (("k", "bbl bbls boe b"), ("m", "bbl bbls boe cf cfe b"), ("mm", "bbl bbls boe cf cfe b"))
    for thing in things.split()
    for symbol in (f"{many}{thing}{day}" for day in ("", "d", "pd") if day or thing != "b")
}
_SYMBOLS |= {symbol: symbol for symbol in "boed bcfe bcfd tcf tcfe".split()}
_NAMED = (
    r"(?:metric |short |long |dry )?tons|(?:metric )?tonnes(?: (?:of )?co2e?)?|kilograms?|grams|kilomet(?:re|er)s"
    r"|miles|(?:cubic |square )?met(?:re|er)s"
    r"|square (?:feet|foot|miles|kilomet(?:re|er)s)|sq\.? ?(?:ft|m|km)\.?"
    r"|hectares|acres|barrels(?: of oil(?: equivalent)?)?|gallons|lit(?:re|er)s|ounces|bushels|cubic feet|carloads"
    r"|hours|weeks|feet|(?:mega|giga|kilo|tera)watts?(?:[ -]?hours?)?|passenger[ -](?:miles|kilomet(?:re|er)s)"
)
_COUNTED = (
    r"employees|persons|people|headcount|ftes?|full[ -]time equivalents|stores|restaurants|customers|subscribers"
    r"|members|users|passengers|guests|vehicles|aircraft|vessels|ships|hotels|rooms|beds|sites|wells|homes|locations|number"
)
_SCALES = {"thousand": 10**3, "000": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "mn": 10**6, "mm": 10**6}
_SCALES |= {"mln": 10**6, "billion": 10**9, "bn": 10**9}
_SYMBOL = "|".join(sorted(map(re.escape, _SYMBOLS), key=len, reverse=True))
_UNSURE = ("mt", "ha", "wh", "t", "lb", "oz/t")
_SURE = "|".join(re.escape(each) for each in sorted(_SYMBOLS, key=len, reverse=True) if each not in _UNSURE)
_SCALE = rf"(?:'?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})'?s?(?: of)? )?"
_PER = r"(?P<per> ?(?:per|/|a) ?(?:day|d|hour|h|month|year|annum|yr))?"
_INSIDE = later(
    rf"\( ?(?P<full>in )?(?:the )?(?:number of )?{_SCALE}"
    rf"(?:(?P<thing>{_SYMBOL}|{_NAMED})|(?P<counted>{_COUNTED})|(?P<units>units)){_PER} ?\)"
)
# `(in wafers)`, `(trips per driver)`: what is measured need not be known, where it is no money, no share and no time.
_OTHER = later(
    rf"\( ?(?:in {_SCALE}(?P<thing>(?:[a-z-]+ )?[a-z-]+(?<!s)s)"
    r"|(?:in )?(?P<each>(?:[a-z-]+ ){0,2}[a-z-]+ per [a-z-]+(?: [a-z-]+)?)) ?\)"
)
_NO_THING = later(
    rf"\b(?:{'|'.join(SCALE_WORDS)}|cent|percent|percentage|point|share|stock|unit|option|award|right|time|year|month|day|quarter"
    r"|week|hundred|arrear|other|basi|parenthese|bracket|term|total|result|state|america|operation|reserve|provision"
    r"|accrual|subsidiarie|associate|affiliate|venture|companie|entitie|securitie|fund|investment|equitie|rate|tax|taxe"
    r"|capital|amount|and|as|at|by|except|excluding|excl|ratio|unless|where|otherwise|omitted|noted|for|from|in|net|of|on|or|see|than|the|to|up|with|within)s?\b"
)
_OF_SHARE_PLANS = later(r"\b(?:shares?|stocks?|options?|awards?|[rp]s[au]s?|warrants?|restricted|partners(?:hip)?)\b")
_FOOTNOTE = "t"  # alone in parentheses it is a mark, and no tonne
# `(000s cases)`, `(thousands of dozens)`: what is counted need not be known, but it has to be a thing.
_MANY = later(
    r"\( ?(?:in )?(?P<scale>'?000'?(?=s?'? )|(?:thousand|million)(?=s of ))s?'?(?: of)? "
    r"(?!(?:of|in|on|and|except|excl|incl|including|excluding|omitted|(?:un)?audited|restated|rounded|net|per|other|unless|dollars?|shares?)\b)"
    rf"(?!{CURRENCY})[a-z][a-z -]{{1,24}}\)"
)
# `(US$/oz)`, `($ per tonne)`, `(C$/US$)`: what one of a thing costs. That of a share is told in words elsewhere.
# What is paid in a year is no price, and may well be in millions.
_OF_SHARES = r"(?!(?:[a-z-]+ ){0,2}(?:shares?|units?|options?|warrants?|ad[sr]s?|years?|yr|annum|quarter|month)\b)"
_PRICE = later(
    rf"\( ?(?:in )?(?P<currency>{CURRENCY}) ?(?:/|per ) ?{_OF_SHARES}"
    rf"(?P<thing>{CURRENCY}|[a-z][a-z0-9²³. -]{{0,24}}?) ?\)"
)
_PRICE_BEHIND = later(rf"(?:^|[ ,])(?P<currency>{CURRENCY}) ?/ ?{_OF_SHARES}(?P<thing>{CURRENCY}|[a-z]{{1,8}})$")
_OF_MASS = later(
    r"\( ?(?P<thing>(?:[mk]?g|t|kt|oz|lbs?|m?l|m3|m³|[kmg]wh|[gm]j|(?:kg|t) ?co2e?)/"
    r"(?:t|tonnes?|tons?|kg|m?l|m[23]|[m²³]{2}|d|day|h|hr|hour|yr|year|ha|acre|gj|[mk]wh|oz|boe)) ?\)"
)
_BEHIND = later(
    rf"(?:^|(?:^|,|(?<= )in|(?:19|20)[0-9]{{2}}) ?){_SCALE}(?P<thing>{_SURE}|{_NAMED}){_PER}$"
)  # `Output in tonnes`, `Capacity, MW`, `2024 GWh`, and not `Billings, MT`
_MONEY = later(
    r"[$£€¥₹₩]|\b(?:revenues?|proceeds|sales|income|costs?|expenses?|expenditures?|receivables?|payables?|deposits?|loans?|profits?"
    r"|loss(?:es)?|earnings|prices?|fees?|cash|assets?|liabilit(?:y|ies)|dividends?|margins?|value|debt|notes|bonds"
    r"|borrowings|taxes|goodwill|inventor(?:y|ies)|gains?|amorti[sz]ation|depreciation|payments)\b"
    r"|^(?:less:? )?(?:amount representing |imputed )?interest$"
)
# A row of what is counted: `Number of stores`, `Vehicles sold (thousands)`, `Restaurants at end of year`. A bare
# `Vehicles` may as well be what they cost.
_HAPPENS = (
    r"sold|delivered|served|produced|shipped|manufactured|built|opened|closed|open|operated|added|lost|employed|cast|carried"
    r"|in (?:service|operation)|(?:at|as of) (?:the )?(?:beginning|start|end) of (?:the )?(?:year|period|quarter|month)"
    r"|(?<=votes )(?:for|against|withheld|abstained)"
)
_OF_THINGS = later(
    r"(?P<number>(?:total |average |approximate )?(?:number|no\.|#|count) of )?"
    r"(?:(?!per |from |of |to |on |for )[a-z]+[ -]){0,3}?"
    rf"(?P<thing>{'|'.join(sorted(THINGS))})(?P<happens>(?:,? (?:{_HAPPENS}))*)"
    rf"(?: \((?:in )?'?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})'?s?\))?"
)
_LONGEST = 120  # letters of a title: what is longer is a sentence, and a unit in it is not that of its table
_MEASURED = later(rf"(?:{_SYMBOL}|{_NAMED})(?:$| per|/)")
_ANY_CURRENCY = later(CURRENCY)
_SIGN = later(rf"(?:{_SYMBOL}|[a-z]{{3,}}[.]?|/[a-z]{{1,2}})$")  # of a unit at the end of a text
_LONGEST_SIGN = max(map(len, _SYMBOLS)) + 1


@dataclass(frozen=True, slots=True)
class Measure:
    """What a label says its figures measure. unit: as shown, or `count`. scale: 1 where none is said, None where it may
    be that of the table, as of `(units)`. start, end: where it is printed."""

    unit: str
    scale: int | None
    start: int
    end: int


def find_measure(text: str) -> Measure | None:
    """The unit of a thing that lower-case `text`, a label or title, says: in parentheses or at its end.

    What counts (`stores`) is none beside the name of something that is money: `sales (stores)` are sales of them.
    """
    if len(text) > _LONGEST or not ("(" in text or _SIGN.search(text, max(0, len(text) - _LONGEST_SIGN))):
        return None
    if counted := _counted_thing(text):
        return counted
    if ("/" in text or "per " in text) and (price := _PRICE.search(text) or _PRICE_BEHIND.search(text)):
        return _price(price)
    if "/" in text and (mass := _OF_MASS.search(text)):
        return Measure(mass["thing"], 1, mass.start(), mass.end())
    match = _INSIDE.search(text) or _BEHIND.search(text)
    if match is None and "(" in text and (many := _MANY.search(text)):
        return Measure(Unit.COUNT.value, _SCALES[many["scale"].strip("'")], many.start(), many.end())
    if match is None and "(" in text:
        return _other(text)
    if not match or (match.groupdict().get("counted") and _MONEY.search(text)):
        return None
    if match.groupdict().get("units"):
        is_full = match["full"] and not match["scale"]
        scale = 1 if is_full else _SCALES[match["scale"]] if match["scale"] else None
        is_share = _OF_SHARE_PLANS.search(text)
        return None if is_share else Measure(Unit.COUNT.value, scale, match.start(), match.end())
    if match["thing"] == _FOOTNOTE and not match["scale"]:
        return None
    scale = _SCALES[match["scale"]] if match["scale"] else 1
    thing = match["thing"]
    unit = Unit.COUNT.value if thing is None else _SYMBOLS.get(thing, thing)
    if thing is not None and match["per"]:
        unit += match["per"] if "/" in match["per"] else f" per {match['per'].split()[-1]}"
    return Measure(unit, scale, match.start(), match.end())


def _other(text: str) -> Measure | None:
    """A unit in parentheses that is not known: `(in wafers)` counts them, `(trips per driver)` is one of its own."""
    found = _OTHER.search(text)
    if found is None or any(each.search(found[0]) for each in (_OF_SHARE_PLANS, _MONEY, _ANY_CURRENCY)):
        return None
    if _NO_THING.search(found["thing"] or found["each"].partition(" per ")[0]):
        return None
    scale = _SCALES[found["scale"]] if found["scale"] else 1
    return Measure(found["each"] or Unit.COUNT.value, scale, found.start(), found.end())


def _counted_thing(text: str) -> Measure | None:
    """What a label counts by its name, where it surely counts."""
    found = _OF_THINGS.fullmatch(text)
    if not found or not (found["number"] or found["happens"]) or _MONEY.search(text):
        return None
    return Measure(found["thing"], _SCALES[found["scale"]] if found["scale"] else 1, len(text), len(text))


def _price(match: re.Match[str]) -> Measure | None:
    """What one of a thing costs: `USD/oz`, of a currency `CAD/USD`."""
    currency, thing = currency_of(match["currency"]), match["thing"].strip(" .")
    if currency is None:
        return None
    unit = f"{currency}/{currency_of(thing) or _SYMBOLS.get(thing, thing)}"
    return Measure(unit, 1, match.start(), match.end())


def is_money(label: str) -> bool:
    """Whether a label names something that is an amount of money: `Lease liability`."""
    return bool(_MONEY.search(label.lower()))


def is_price(unit: str | None) -> bool:
    """Whether a unit is what one of a thing costs, `USD/oz`: no scale of money holds for it."""
    return unit is not None and not unit.startswith("/") and is_currency(unit.partition("/")[0]) and "/" in unit


def is_measured(unit: str | None) -> bool:
    """Whether a unit is one of things that are measured, for which no scale of money holds."""
    return unit is not None and (" per " in unit or bool(_MEASURED.match(unit.lower())))
