"""Units of things in labels, which no note on money holds for: `Generation (GWh)`, `Output (thousand tonnes)`.

>>> find_measure("generation (gwh)").unit, find_measure("output ( thousand barrels per day )").scale
('GWh', 1000)
>>> find_measure("price ($/mwh)") is None
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tieout.data.printed.unit import Unit
from tieout.data.printed.wording import words

# As they are shown, by how they are printed in lower case; what is not here is shown in lower case.
_SYMBOLS = {
    each.lower(): each
    for each in words(
        "GWh MWh kWh TWh Wh GW MW kW TW MWp kWp GJ TJ PJ MJ kt Mt kg km sqm m2 m3 ha kV TEU bbl bbls boe kboe mboe "
        "mmboe bpd boepd mcf mmcf bcf mmbtu tCO2e tCO2 m² m³ km²"
    )
} | {"teu": "teu"}
_NAMED = (
    r"(?:metric |short |long |dry )?tons|(?:metric )?tonnes(?: (?:of )?co2e?)?|kilograms?|grams|kilomet(?:re|er)s"
    r"|miles|(?:cubic |square )?met(?:re|er)s"
    r"|square (?:feet|foot|miles|kilomet(?:re|er)s)|sq\.? ?(?:ft|m|km)\.?"
    r"|hectares|acres|barrels(?: of oil(?: equivalent)?)?|gallons|lit(?:re|er)s|ounces|bushels|cubic feet|carloads"
    r"|hours|(?:mega|giga|kilo|tera)watts?(?:[ -]?hours?)?|passenger[ -](?:miles|kilomet(?:re|er)s)"
)
_COUNTED = (
    r"employees|persons|people|headcount|ftes?|full[ -]time equivalents|stores|restaurants|customers|subscribers"
    r"|members|users|passengers|guests|vehicles|aircraft|vessels|ships|hotels|rooms|beds|sites|wells|homes|locations|number"
)
_SCALES = {"thousand": 10**3, "000": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "mn": 10**6, "mm": 10**6}
_SCALES |= {"mln": 10**6, "billion": 10**9, "bn": 10**9}
_SYMBOL = "|".join(sorted(map(re.escape, _SYMBOLS), key=len, reverse=True))
_SURE = "|".join(re.escape(each) for each in sorted(_SYMBOLS, key=len, reverse=True) if each not in ("mt", "ha", "wh"))
_SCALE = rf"(?:'?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})'?s?(?: of)? )?"
_PER = r"(?P<per> ?(?:per|/|a) ?(?:day|d|hour|h|month|year|annum|yr))?"
_INSIDE = re.compile(
    rf"\( ?(?:in )?(?:the )?(?:number of )?{_SCALE}(?:(?P<thing>{_SYMBOL}|{_NAMED})|(?P<counted>{_COUNTED})){_PER} ?\)"
)
_BEHIND = re.compile(
    rf"(?:^|(?:^|,|(?<= )in|(?:19|20)[0-9]{{2}}) ?){_SCALE}(?P<thing>{_SURE}|{_NAMED}){_PER}$"
)  # `Output in tonnes`, `Capacity, MW`, `2024 GWh`, and not `Billings, MT`
_MONEY = re.compile(
    r"[$£€¥₹₩]|\b(?:revenues?|sales|income|costs?|expenses?|receivables?|payables?|deposits?|loans?|profits?|loss(?:es)?"
    r"|earnings|prices?|fees?|cash|assets|liabilities|dividends?|margins?|value)\b"
)
_LONGEST = 120  # letters of a title: what is longer is a sentence, and a unit in it is not that of its table
_MEASURED = re.compile(rf"(?:{_SYMBOL}|{_NAMED})(?:$| per|/)")
_SIGN = re.compile(rf"\(|(?:{_SYMBOL}|[a-z]{{3,}}[.]?|/d)$")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a label says its figures measure. unit: as shown, or `count`. scale: 1 where none is said. start, end: where
    it is printed."""

    unit: str
    scale: int
    start: int
    end: int


def find_measure(text: str) -> Measure | None:
    """The unit of a thing that lower-case `text`, a label or title, says: in parentheses or at its end.

    What counts (`stores`) is none beside the name of something that is money: `sales (stores)` are sales of them.
    """
    if len(text) > _LONGEST or not _SIGN.search(text):
        return None
    match = _INSIDE.search(text) or _BEHIND.search(text)
    if not match or (match.groupdict().get("counted") and _MONEY.search(text)):
        return None
    scale = _SCALES[match["scale"]] if match["scale"] else 1
    thing = match["thing"]
    unit = Unit.COUNT.value if thing is None else _SYMBOLS.get(thing, thing)
    if thing is not None and match["per"]:
        unit += match["per"] if "/" in match["per"] else f" per {match['per'].split()[-1]}"
    return Measure(unit, scale, match.start(), match.end())


def is_measured(unit: str | None) -> bool:
    """Whether a unit is one of things that are measured, for which no scale of money holds."""
    return unit is not None and bool(_MEASURED.match(unit.lower()))
