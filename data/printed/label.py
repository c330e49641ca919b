"""What the label of a row or column says besides its name: period, unit, scale, footnote marks.

>>> label = read_label("expected life ( in years ) ( 1 )")
>>> label.name, str(label.unit)
('expected life', 'years')
>>> label = read_label("liability as of december 31 2012 ( in thousands )")
>>> label.name, label.period.key, label.scale
('liability', '2012-12-31', 1000)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tieout.data.printed.glyph import DASH_CODES, is_code, token_before
from tieout.data.printed.period import Period, PeriodKind, label_period
from tieout.data.printed.unit import Unit

PER_SHARE = "/share"  # a price per share whose currency is stated elsewhere


@dataclass(frozen=True, slots=True)
class Label:
    """name: the label in lower case without period, footnote marks and notes on unit and scale; "" where nothing else
    is in it.

    unit: a `Unit`, a currency code, or `PER_SHARE`. scale: a power of ten. None where the label does not say.
    """

    name: str
    period: Period | None
    unit: str | None
    scale: int | None


_MONEY = r"(?:[$€£¥]|\b(?:(?:usd?|eur|gbp|rmb|aud?|cad?|chf|hk|nz)\b ?\$?|usd(?=mn?\b|bn\b)))"
_SHORT = rf"{_MONEY} ?['‘’]?(?P<short>mn?|bn|k|million|billion|thousand)\b"  # `€m`, `USDm`, `RMB'Million`
_SCALE = re.compile(
    r"(?P<plural>thousand|million|billion)s|(?:\(|\$|in) ?(?:in )?\$? ?(?P<single>thousand|million|billion)\b"
    rf"|(?:^|[( $€£¥]|\b(?:us|usd|rmb)[$ ]?)['‘’]?(?P<zeros>000)(?:s|'s)?\b|{_SHORT}"
)
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "000": 10**3,
    "k": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "bn": 10**9,
}
_PRICE = (
    r"per (?:[a-z]+ ){0,2}?share|per option|per unit|paid ?per ?share|price ?per ?share"
    r"|(?:exercise|grant|strike|conversion) ?-?price|(?<!total )(?<!aggregate )grant ?-? ?date ?fair ?value"
)
_SHARES = (
    r"number ?of ?(?:[a-z]+ ){0,3}(?:shares|securities|options|awards|units)"
    r"|(?<!cost of )(?<!value of )shares ?(?:outstanding|issued|purchased|available|subject|granted|vested)"
    r"|(?:average|diluted|basic|dilutive) (?:common )?shares\b|\( ?(?:in )?shares\b"
)
_UNIT = re.compile(
    r"(?P<eps>^(?:(?!for |in |used )[a-z-]+ ){0,3}eps\b)"
    r"|(?=[(%$€£]|pe|pa|pr|ex|gr|st|co|nu|sh|av|di|ba|in|ye|mo|sq|ga|he|em|ra|do|eu|po)"  # for speed
    rf"(?:(?P<price>{_PRICE})|(?P<shares>{_SHARES})"
    r"|(?P<percent>\( ?(?:in )?(?:%|percent|percentages?)|(?<![0-9] )\bpercent(?:age)?\b|^% |% \(  % \))"
    r"|(?P<bps>\( ?(?:in )?(?:bps|basis ?points?)\b)"
    r"|(?P<years>\( ?(?:in )?years\b|\bin years\b)|(?P<months>\( ?(?:in )?months\b|\bin months\b)"
    r"|(?P<count>square ?f(?:eet|ootage)|\bbarrels\b|\bgallons\b(?! ?price)|\bnumber of\b|\bheadcount\b|\bemployees\b)"
    r"|(?P<ratio>\bratio\b)|(?P<usd>\$|\bdollars\b|\bdollar (?:value|amount))|(?P<eur>\beuros\b|€)"
    r"|(?P<gbp>£|\bpounds sterling\b))"
)
_ONLY_SHARES = re.compile(r"(?:[a-z]+ ){0,2}shares(?: \(.*)?|shares .*|options(?: \(.*)?")
_UNITS: dict[str | None, str] = {
    "eps": PER_SHARE,
    "price": PER_SHARE,
    "shares": Unit.SHARES,
    "percent": Unit.PERCENT,
    "bps": Unit.BASIS_POINTS,
    "years": Unit.YEARS,
    "months": Unit.MONTHS,
    "count": Unit.COUNT,
    "ratio": Unit.RATIO,
    "usd": "USD",
    "eur": "EUR",
    "gbp": "GBP",
}
# A rate by its last word. What stands at a rate, or is the effect of one, is an amount of money.
_RATE = re.compile(
    r"(?!.*\b(?:at|effects?|impact|changes?|increases?|decreases?|differences?|exchange|base|fixed|floating|variable)\b)"
    r".*\b(?:rate|margin|yield|percentage)s?(?: of return)?"
)
FOOTNOTE = re.compile(
    r"\s?(?:\( ?[0-9]{1,2} ?\)|(?<!4[0-9]{2} )\( ?[a-z] ?\)|\[ ?[0-9a-z]{1,2} ?\]|\*{1,4})(?=\s|$|:)"
    r"|(?<=[a-z]{4})[0-9]$"
)
_SCALED = r"(?:thousand|million|billion)s?\b"
_NOTE = re.compile(
    rf"\((?:[^()]*\b{_SCALED}[^()]*|\s*(?:in )?(?:years|months|percentages?|percent|dollars|shares"
    rf"|%|000|\$|square feet|unaudited)\s*)\)"
    rf"|(?:\b(?:dollars|amounts|shares|dollar amounts)\s|\$\s)?\b(?:in\s|of\s)?(?:thousands|millions|billions)\b"
    rf"(?: of (?:u\.?s\.? ?\.? )?dollars)?(?:,? except.*$)?|(?:\$ |dollars )in {_SCALED}"
    rf"|\bin (?:years|dollars|percent)\b|{_SHORT.replace('?P<short>', '?:')}|{_MONEY} ?['‘’]?000\b"
)
_INTRODUCED = re.compile(
    rf"\(([^()]{{0,60}}{_SCALED}[^()]{{0,60}})\)|((?:dollars?|amounts?|\$|stated|expressed) in {_SCALED}"
    rf"|(?:in )?{_SCALED} of (?:u\.?s\.? ?\.? )?dollars|\bin (?:thousands|millions|billions)\b"
    rf"|\b(?:thousands|millions|billions)(?= (?:19|20)[0-9]{{2}}\b))"
)
_DATING = re.compile(
    r"(?:\b(?:as of|as at|at|for|in|on|during|through|of|the|and|or|ended|ending|years?|fiscal|months?|three"
    r"|six|nine|twelve|quarters?|from|to|due by|due in)\s*)+$"
)
_CODE = re.compile(r"(?<= )20[0-9]{2}(?= )")
_SPACES = re.compile(r"\s+")


def read_label(label: str) -> Label:
    """What a label says. label: as printed."""
    lower = label.lower()
    unit, scale = read_notes(lower)
    has_marks = "(" in lower or "[" in lower or "*" in lower or lower[-1:].isdigit()
    bare = FOOTNOTE.sub("", _NOTE.sub(" ", lower)) if scale or unit or has_marks else lower
    period: Period | None = None
    if found := label_period(bare):
        period, spans = found
        bare = _without(bare, spans)
        if period.kind is PeriodKind.YEAR and period.year is None and bare.strip(" ,:-"):
            period = None  # `year ended december 31 , change` is not a year
        elif period.label != label:
            period = replace(period, label=label)
    return Label(_name(bare), period, unit, scale)


def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """A label without its periods and the words that lead to them: `liability as of`."""
    position, kept = 0, []
    for start, end in spans:
        tail = max(position, start - 60)
        kept += [text[position:tail], _DATING.sub("", text[tail:start]), " "]
        position = end
    return "".join([*kept, text[position:]])


def _name(bare: str) -> str:
    """A label without its notes, with a dash where the code of one is printed."""

    def sign(match: re.Match[str]) -> str:
        is_number = not is_code(bare, *match.span(), token_before(bare, match.start()), None)
        return match[0] if is_number else "-" if match[0] in DASH_CODES else ""

    plain = _CODE.sub(sign, bare) if "20" in bare else bare
    return _SPACES.sub(" ", plain).strip(" :,-.")


def read_notes(text: str) -> tuple[str | None, int | None]:
    """Unit and scale that lower-case `text`, a label or a corner, states for its cells; None where it does not say."""
    text = text.partition("except")[0]
    scale = _SCALE.search(text)
    unit = _UNIT.search(text)
    said = _UNITS[unit.lastgroup] if unit else None
    if said is None and ("shares" in text or "options" in text) and _ONLY_SHARES.fullmatch(text):
        said = Unit.SHARES
    return (
        said,
        _SCALES[next(filter(None, scale.groups()))] if scale else None,
    )


def is_rate(name: str) -> bool:
    """Whether the name of a label is that of a rate: `effective tax rate`, and not `tax at the statutory rate`."""
    return bool(_RATE.fullmatch(name))


def introduction_note(sentence: str) -> str:
    """The note on unit and scale in the sentence before a table, in lower case: `in thousands , except per share
    data`; "" for none."""
    found = ""
    for match in _INTRODUCED.finditer(sentence.lower()):  # the last one is the nearest to the table
        found = match[1] or match[2]
    return found
