"""What the label of a row or column says besides its name: period, unit, scale, footnote marks.

>>> label = read_label("expected life ( in years ) ( 1 )")
>>> label.name, str(label.unit)
('expected life', 'years')
>>> label = read_label("liability as of december 31 2012 ( in thousands )")
>>> label.name, label.period.key, label.scale
('liability', '2012-12-31', 1000)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from tieout.data.printed.languages.language import current_language, in_english
from tieout.data.printed.measure import find_measure
from tieout.data.printed.note import CURRENCY, NO_NOTE, Note, currency_of, may_note, plain, read_note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import LONGEST_LABEL, Period, PeriodKind, label_period
from tieout.data.printed.unit import SOME_DOLLAR, Unit, currency_before, dollar, is_counted

PER_SHARE = "/share"  # a price per share whose currency is stated elsewhere


@dataclass(frozen=True, slots=True)
class Label:
    """name: the label in lower case without period, footnote marks and notes on unit and scale; "" where nothing else
    is in it.

    unit: a `Unit`, a currency code, or `PER_SHARE`. scale: a power of ten. None where the label does not say.
    counts: the scale of shares and other counts, where it says one. marks: the footnote marks printed beside the name,
    in order: `( 1 )`, `†`, `*`.
    """

    name: str
    period: Period | None
    unit: str | None
    scale: int | None
    counts: int | None = None
    marks: tuple[str, ...] = ()


_PRICE = (
    r"per (?:[a-z]+ ){0,2}?share|per option|per unit|per ad[rs]s?\b|[$€£] ?(?:/|per) ?(?:[a-z]+ ){0,2}share\b"
    r"|je (?:[a-z]+)?aktie|par action|por acci[oó]n|por ação|per azione|per aandeel"
    r"|(?:options?|awards?|rights|(?:share|stock) units|shares?|rsus)\b[^$%]{0,40}\baverage price\b"
    r"|paid ?per ?share|price ?per ?share|average price paid"
    r"|(?:exercise|grant|strike|conversion) ?-?price|(?<!total )(?<!aggregate )grant ?-? ?date ?fair ?value"
)
_SHARES = (
    r"number ?of ?(?:[a-z]+ ){0,5}(?:shares|securities|options|awards|units|warrants|(?:rsu|psu|rsa|psa|sar|dsu)s?\b)"
    r"|(?<!cost of )(?<!value of )shares ?(?:outstanding|issued|purchased|available|subject|granted"
    r"|vested|remaining|delivered)"
    r"|(?:average|diluted|basic|dilutive) (?:(?:common|ordinary|equivalent|outstanding) ){0,2}shares\b"
    r"|\( ?(?:in )?shares\b"
    r"|(?<!cost of )(?<!value of )\bshares of (?:[a-z&.'’-]+ ){0,4}(?:stock|shares) (?:outstanding|issued)$"
)
_UNIT = later(
    r"(?P<eps>^(?:(?!for |in |used )[a-z-]+ ){0,3}eps\b)"
    r"|(?=[(%$€£#]|x$|je|pe|pa|pr|ex|gr|st|co|nu|sh|av|di|ba|in|ye|mi|mo|sq|ga|he|em|ra|do|eu|po|qu"  # for speed
    r"|aw|op|ri|rs)"
    rf"(?:(?P<price>{_PRICE})|(?P<shares>{_SHARES})"
    r"|(?P<points>(?:\( ?(?:in )?)?(?:\bpercentage|%)[- ]points?\b|\( ?(?:in )?(?:pp|ppts?|pts)\b(?! ?&))"
    r"|(?P<percent>\( ?(?:in )?(?:%|percent|percentages?)|(?<![0-9] )\bpercent(?:age)?\b|^% |\bin %|"
    r"(?<![0-9])(?<![0-9] )%$|% \(  % \))"
    r"|(?P<bps>\( ?(?:in )?(?:bps|basis ?points?)\b)"
    r"|(?P<years>\( ?(?:in )?(?:years|yrs)\b|\bin years\b|\( ?in (?:[a-z]+ ){0,2}years ?\))"
    r"|(?P<months>\( ?(?:in |# of |number of )?months\b|\bin months\b)|(?P<days>\( ?(?:in )?days ?\))"
    r"|(?P<count>square ?f(?:eet|ootage)|\bbarrels\b|\bgallons\b(?! ?price)|\bnumber of\b|\bquantit(?:y|ies)\b"
    r"|# of\b|\bheadcount\b|\bcount(?= ?(?:$|\())"
    r"|(?<!to )(?<!by )(?<!from )(?<!for )(?<!on )(?<!of )\b(?:employees(?!['’])|mitarbeiter(?:innen)?)\b)"
    r"|(?P<ratio>\bratio\b|\(x\)|\(times\)|(?<=, )x$)"
    r"|(?P<dollar>\$(?! ?[0-9.])|\bdollars\b(?! per (?:[a-z]+ ){0,2}share\b)|\bdollar (?:value|amount))"
    r"|(?P<eur>\beuros\b|€)"
    r"|(?P<gbp>£|\bpounds sterling\b))"
)
# Shares, though the label may go on about earnings per share; and dollars, though it tells how many shares there are.
_COUNTS_SHARES = later(
    r"(?:weighted[- ]average )?(?:number of )?(?:[a-z]+ ){0,2}shares used\b|total (?:number of )?shares\b(?! price)"
    r"|(?:potentially )?(?:anti-?)?dilutive (?:securities|shares|equity|stock|options|common|potential)\b"
    r"|anti-?dilutive (?:[a-z-]+ )*(?:awards|units)\b"
    r"|(?:dilutive effect|effect of dilutive)\b(?! (?:of|on) (?:net )?(?:income|earnings))"
    r"|(?:[a-z]+ ){0,3}(?:options|awards|units|securities|warrants) (?:having no dilutive|excluded from)\b"
    r"|incremental (?:common )?shares\b|denominator (?:for|of|in|used) .*\b(?:eps|share)\b"
)
# What earnings per share are worked out from is no amount per share itself: `net income used in computing diluted ...`.
_WORKED_OUT = later(
    r"(?<=\w) (?:\(?used (?:in|to|for)"
    r"|(?:for|in)(?: the)?(?: purposes? of)? (?:basic|diluted|comput|calculat|determin)).*"
)
_CARRIES_STOCK = later(
    r"\bpar value\b|\bstated value\b|\bpaid-? ?in capital\b"
    r"|\b(?:no|without) par\b|\$[0-9.]+ par\b|\d (?:[mb]illion )?shares (?:authori[sz]ed|issued)\b"
)
_HOW_MANY = later(r"(?:the )?(?:aggregate |total )?number of ")
_WORTH = later(r"\b(?:costs?|value|expenses?|compensation|price|proceeds|tax(?:es)?|benefits?|liabilit|paid|payments?)")
_AWARDS = later(r"(?:\b(?:stock|share)s? (?:units|options|awards|warrants)|\b(?:rsus|psus))(?: \((?:in )?[a-z]+\))?$")
_ABOUT_SHARES = later(r"share|options|stock|dilut|[rp]sus")
_ONLY_SHARES = later(
    r"(?:[a-z]+ ){0,2}shares(?: \(.*)?|class [a-z] (?:common|ordinary|preferred) (?:stock )?shares|shares .*"
    r"|options(?: \(.*)?|(?:[a-z]+ ){0,3}stock number"
)
_OF_PRICE = later(rf"(?:[(,] ?(?:in )?|\bin )(?P<currency>{CURRENCY})(?: ?/ ?share)? ?(?:\)|$)")
# Behind no amount: `10 cents` in a label are what it names. Alone they stand in brackets or at the end.
_PARTS_OF_MONEY = later(
    r"(?<!\b[0-9] )(?<!\b[0-9]{2} )(?<!\b[0-9]{3} )(?:\b(?:(?P<pence>pence|p(?= ?\)))|cents\b|c(?= ?\)))|¢(?= ?\)))"
)
_ONLY_PARTS = later(r"(?:^|[(,–-] ?|\bin |[12][0-9]{3} )(?:us |euro )?(?:(?P<pence>pence)|cents)(?= ?(?:\)|$))")
_UNITS: dict[str | None, str] = {
    "eps": PER_SHARE,
    "price": PER_SHARE,
    "shares": Unit.SHARES,
    "points": Unit.PERCENTAGE_POINTS,
    "percent": Unit.PERCENT,
    "bps": Unit.BASIS_POINTS,
    "years": Unit.YEARS,
    "months": Unit.MONTHS,
    "days": Unit.DAYS,
    "count": Unit.COUNT,
    "ratio": Unit.RATIO,
    "dollar": SOME_DOLLAR,
    "eur": "EUR",
    "gbp": "GBP",
}
_UNIT_SIGNS = {"%": Unit.PERCENT, "x": Unit.RATIO, "bps": Unit.BASIS_POINTS, "years": Unit.YEARS, "yrs": Unit.YEARS}
_UNIT_SIGNS |= {"months": Unit.MONTHS, "days": Unit.DAYS, "shares": Unit.SHARES}
_UNIT_SIGNS |= dict.fromkeys(("#", "no", "nos", "nr", "number", "count", "each", "ea", "pcs", "units"), Unit.COUNT)
# A rate by its last word. What stands at a rate, or is the effect of one, is an amount of money.
_RETURN = r"^returns? on (?:[\w’'-]+ ){0,4}(?:equity|assets|capital|sales|investments?|employed)$"
_RATE = later(rf"\b(?:rate|margin|yield|percentage)s?(?: of return)?$|{_RETURN}")
_NOT_RATE = later(
    r"\b(?:at|effects?|impact|changes?|increases?|decreases?|differences?|exchange|base|fixed|floating|variable)\b"
)
_IN_PERCENT = later(
    r"\b(?:interest|discount|tax|statutory|coupon|trend|growth|borrowing|dividend)\b.*\brates?$"
    rf"|\brates? of (?:return|compensation increases?)$|\b(?:yield|margin|percentage)s?$|{_RETURN}"
)
FOOTNOTE = later(
    r"\s?(?:(?:\( ?[0-9]{1,2} ?\)|(?<!4[0-9]{2} )(?<!4[0-9]{2})\( ?(?!x\))[a-z] ?\)|\[ ?[0-9a-z]{1,2} ?\]|[*†‡§]{1,4}"
    r"|[¹²³⁰⁴-⁹]+)"
    r"(?=\s|$|[:,([*†‡§]))"
    r"|(?<=[a-z]{4})[0-9]$"
)
_LEADERS = later(r"\s?(?:\.{3,}|(?:\. ){2,}\.|…+|_{3,})[.\s…]*")  # the dots that lead to a figure
_SCALED = r"(?:thousand|million|billion|trillion|crore|lakh)s?\b"
_NOTE = later(
    rf"\((?:[^()]*\b{_SCALED}[^()]*|\s*(?:in )?(?:years|months|percentages?|percent|dollars|shares"
    rf"|%|000|\$|square feet|unaudited)\s*)\)"
    rf"|(?:\b(?:dollars|amounts|shares|dollar amounts)\s|\$\s)?\b(?:in\s|of\s)?(?:thousands|millions|billions)\b"
    rf"(?: of (?:u\.?s\.? ?\.? )?dollars)?(?:,? except.*$)?|(?:\$ |dollars )in {_SCALED}"
    rf"|\bin (?:years|dollars|percent)\b"
)
_ASIDE = later(r"\((?=[^()]*[1-9])[^()]*\)")  # `(per share - $1.94 and $1.84)` is not about the figures beside it
# What one share is worth, which is said of stock that is carried at another amount: `stated value $1 per share`.
_WORTH_OF_ONE = later(
    r"(?:\$ ?[0-9.]+ (?:par|stated|nominal) value|\bno par value"
    r"|\b(?:par|stated|nominal|liquidation) value,?(?: of)? ?\$ ?[0-9.]+),? (?:per|a) (?:[a-z]+ )?share\b"
)
_PARENTHESIS = later(r"\([^()]*\)")
_BARE_NOTE = later(
    r"(?:\bin )?(?:\b[a-z.]{1,4})?(?:[$£€¥₹₩]|\b(?:rmb|usd|eur|gbp|chf|cad|aud|jpy|inr|hkd)\b) ?'?"
    r"(?:000'?s?|(?:thousand|million|billion)s?|m|mm|mn|bn|k)\b"
)
_DATING = later(
    r"\b(?:as of|as at|at|for|in|on|during|through|of|the|and|or|ended|ending|years?|fiscal|months?|three"
    r"|six|nine|twelve|quarters?|from|to|due by|due in)\s*"
)
_EACH_SHARE = "(in shares)"  # beside amounts in millions: such shares are in full
_LAST_FOOTNOTE = 30
_NEAR = 200  # characters behind a figure in which a mark of it may stand: more than a cell has
_MAY_BE_MARKED = later(r"[(\[*†‡§¹²³⁰⁴-⁹]|[0-9]$")
_AUDITED = later(r"\b(?:un)?audited\b")  # beside a period it tells no columns apart
_SPACES = later(r"\s+")


def read_label(label: str) -> Label:
    """What a label says. label: as printed."""
    return _read_label(label[:LONGEST_LABEL], dollar(), current_language())


@lru_cache(maxsize=4096)
def _read_label(label: str, _dollar: str, _language: str) -> Label:
    """Headers and row labels come again in table after table. _dollar: what `$` means; _language: of the report."""
    lower = in_english(label.lower() if label.isascii() else plain(label))
    unit, note = read_notes(lower)
    if measure := find_measure(lower):
        lower = f"{lower[: measure.start]} {lower[measure.end :]}".strip() or lower
    scale = note.scale or note.counts
    if ".." in lower or ". . ." in lower or "…" in lower or "___" in lower:
        lower = _LEADERS.sub(" ", lower)
    has_marks = "(" in lower or "[" in lower or "*" in lower or lower[-1:].isdigit() or not lower.isascii()
    bare = lower
    marks: tuple[str, ...] = ()
    if scale or unit or has_marks:
        bare = _NOTE.sub(" ", lower)
        if scale and "(" in bare:
            bare = _PARENTHESIS.sub(lambda match: " " if read_note(match[0]) else match[0], bare)
        if scale and may_note(bare):
            bare = _BARE_NOTE.sub(" ", bare)
        if _MAY_BE_MARKED.search(bare):
            marks = tuple(match[0].strip() for match in FOOTNOTE.finditer(bare))
            bare = FOOTNOTE.sub("", bare)
    period: Period | None = None
    if found := label_period(bare):
        period, spans = found
        bare = _without(bare, spans)
        if "audited" in bare:
            bare = _AUDITED.sub(" ", bare)
        if period.kind is PeriodKind.YEAR and period.year is None and bare.strip(" ,:-"):
            period = None  # `year ended december 31 , change` is not a year
        elif period.label != label:
            period = replace(period, label=label)
    counts = 1 if note.counts is None and unit is Unit.SHARES and _EACH_SHARE in lower else note.counts
    return Label(_name(bare), period, unit, note.scale, counts, marks)


@lru_cache(maxsize=4096)
def clean_label(label: str) -> tuple[str, tuple[str, ...]]:
    """A label without footnote marks, the dots that lead to a figure and soft hyphens, and its marks, in order.

    >>> clean_label("Net sales (1)(a) . . . .")
    ('Net sales', ('(1)', '(a)'))
    """
    text = label.replace("\u00ad", "")
    if ".." in text or ". . ." in text or "…" in text or "___" in text:
        text = _LEADERS.sub(" ", text)
    lower = text.lower()
    if len(lower) != len(text) or not (_MAY_BE_MARKED.search(lower)):
        return (text.strip() if text is not label else label), ()
    kept, marks, end = [], [], 0
    for match in FOOTNOTE.finditer(lower):
        number = match[0].strip("()[] ")
        if number.isdecimal() and int(number) > _LAST_FOOTNOTE:
            continue  # `Jane Roe (51)` is of that age
        kept.append(text[end : match.start()])
        marks.append(text[match.start() : match.end()].strip())
        end = match.end()
    if not marks:
        return text.strip(), ()
    clean = _SPACES.sub(" ", "".join([*kept, text[end:]])).strip()
    # `(1)` alone is all that is printed: the name of a column, and no mark on anything.
    return (clean, tuple(marks)) if any(map(str.isalnum, clean)) else (text.strip(), ())


def marks_behind(text: str, end: int) -> tuple[str, ...]:
    """The footnote marks behind a figure that ends at `text[end]`, not far from it."""
    behind = text[end : end + _NEAR]
    if not behind or not _MAY_BE_MARKED.search(behind):
        return ()
    return tuple(match[0].strip() for match in FOOTNOTE.finditer(behind.lower()))


def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """A label without its periods and the words that lead to them: `liability as of`."""
    position, kept = 0, []
    for start, end in spans:
        tail = max(position, start - 60)
        kept += [text[position:tail], _undated(text[tail:start]), " "]
        position = end
    return "".join([*kept, text[position:]])


def _undated(text: str) -> str:
    """A text without the words at its end that lead to a period, each looked at once."""
    ended = last = None
    for word in _DATING.finditer(text):
        ended = word.start() if word.start() != last else ended
        last = word.end()
    return text[:ended] if last == len(text) else text


def _name(bare: str) -> str:
    """A label without its notes."""
    return _SPACES.sub(" ", bare).strip(" :,-.–")


def read_notes(text: str) -> tuple[str | None, Note]:
    """The unit that lower-case `text`, a label or a corner, states for its cells, None for none, and its note."""
    text = in_english(text)
    note = read_note(text) if may_note(text) else NO_NOTE
    if note.unit is None and (measure := find_measure(text)):
        # `Stores opened`: perhaps in thousands as the rest
        is_open = measure.scale is None or (measure.scale == 1 and is_counted(measure.unit))
        return measure.unit, NO_NOTE if is_open and measure.unit != Unit.COUNT else Note(counts=measure.scale)
    text = text.partition("except")[0]
    if "(" in text:
        text = _ASIDE.sub(" ", text)
    if "value" in text:
        text = _WORTH_OF_ONE.sub(" ", text)
    unit = _UNIT.search(text)
    if unit and unit.lastgroup in ("eps", "price"):
        text = _WORKED_OUT.sub("", text) if _COUNTS_SHARES.match(text) is None else text
        unit = _UNIT.search(text)
    said = _UNITS[unit.lastgroup] if unit else None
    said = dollar() if said == SOME_DOLLAR else said
    if said in (None, PER_SHARE, Unit.SHARES) and _ABOUT_SHARES.search(text):
        said = _of_shares(text, said)
    if said == PER_SHARE and (part := _PARTS_OF_MONEY.search(text)):
        return f"{'pence' if part['pence'] else 'cents'}{PER_SHARE}", note  # 12.5 pence are no pounds
    if said is None and note.unit is None and (part := _ONLY_PARTS.search(text)):
        return "pence" if part["pence"] else "cents", note
    if said == PER_SHARE and (currency := _currency_of_price(text)):
        return f"{currency}{PER_SHARE}", note
    if unit and unit[0] == "$" and not note.unit:
        said = (currency_before(text, unit.end()) or (dollar(), 0))[0]
    elif note.unit and (said is None or said == dollar()):
        said = note.unit
    return said, note


def stated_unit(text: str) -> tuple[str | None, Note]:
    """The unit and its note that a cell of a column headed `Unit` says, None where it is not known what it means."""
    lower = plain(text)
    if sign := _UNIT_SIGNS.get(lower.strip(".()")):
        return sign, NO_NOTE
    unit, note = read_notes(f"({lower.strip('()')})")
    return unit or note.unit, note


def _currency_of_price(text: str) -> str | None:
    """The currency that a label of what is per share says: `earnings per share (R$)`, `EPS, €`. None for a bare `$`,
    which is what `$` means in the table."""
    said = _OF_PRICE.search(text)
    return currency_of(said["currency"]) if said and said["currency"].rstrip("s") not in ("$", "dollar") else None


def _of_shares(text: str, said: str | None) -> str | None:
    """The unit of a label that names shares, options or awards. said: as its other words have it."""
    if _COUNTS_SHARES.match(text):
        return Unit.SHARES
    if said is Unit.SHARES and _CARRIES_STOCK.search(text) and not _HOW_MANY.match(text):
        return None  # `common stock, 5,000 shares issued` is carried at an amount of money
    if said is None and (_ONLY_SHARES.fullmatch(text) or (_AWARDS.search(text) and not _WORTH.search(text))):
        return Unit.SHARES
    return said


def is_rate(name: str) -> bool:
    """Whether the name of a label is that of a rate: `effective tax rate`, and not `tax at the statutory rate`."""
    return bool(_RATE.search(name)) and not _NOT_RATE.search(name)


def is_in_percent(name: str) -> bool:
    """Whether the name of a rate is that of one that is printed in percent even without its sign: a rate of interest, a
    margin, and not the rate of a room."""
    return bool(_IN_PERCENT.search(name))
