"""A number as a workbook shows it: value and number format -> the text in the cell (ECMA-376 part 1, 18.8.31).

>>> show(Decimal("-1234.5"), '_("$ "#,##0.0_);_("$ "(#,##0.0)')
Shown(text='$ (1,234.5)', factor=Decimal('1'))
>>> show(Decimal("0.0639"), "0.0%").text
'6.4%'
>>> show_moment(date(2024, 12, 31), "mmm-yy")
'Dec-24'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from tieout.data.printed.pattern import later

GENERAL = "General"
# The formats that a file names by number alone (18.8.30); those of other numbers below 164 hang on the country.
BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "mm/dd/yyyy",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "m/d/yy h:mm",
    37: "#,##0_);(#,##0)",
    38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);(#,##0.00)",
    41: "_(* #,##0_);_(* (#,##0);_(* -_);_(@_)",
    42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* -_);_(@_)',
    43: "_(* #,##0.00_);_(* (#,##0.00);_(* -_);_(@_)",
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* -_);_(@_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
_GENERAL_DIGITS = 10  # what General shows of a number that is not whole, in a column of ordinary width
_MOST_DECIMALS = 30
MOST_FACTOR = 12  # powers of ten that a format makes a number larger or smaller by
_EXACT = Context(prec=60)

_TOKEN = later(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]|(?P<general>general)'
    r"|(?P<exponent>e[+-]0+)|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*,*)?|\.[0#?]+,*)"
    r"|(?P<half>am/pm|a/p)|(?P<moment>y+|m+|d+|h+|s+(?:\.0+)?)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CURRENCY = later(r"\$([^-]*)(?:-[0-9a-f]+)?", re.IGNORECASE)
_CONDITION = later(r"(<=|>=|<>|=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?)")
_ELAPSED = later(r"h+|m+|s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as shown. factor: what the value is multiplied by in what is shown: 100 for percent. is_rounded: the
    text has fewer digits than the number, or none of it."""

    text: str
    factor: Decimal = Decimal(1)
    is_rounded: bool = False


@dataclass(frozen=True, slots=True)
class _Section:
    """One part of a format: (kind of token, its text), and the condition under which it holds."""

    tokens: tuple[tuple[str, str], ...]
    condition: tuple[str, Decimal] | None = None


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[_Section, ...]:
    parts: list[list[tuple[str, str]]] = [[]]
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        if kind == "other" and match[0] == ";":
            parts.append([])
        else:
            parts[-1].append((kind, match[kind]))
    return tuple(_section(part) for part in parts)


def _section(tokens: list[tuple[str, str]]) -> _Section:
    condition = None
    kept: list[tuple[str, str]] = []
    for kind, text in tokens:
        if kind != "bracket":
            kept.append((kind, text))
        elif found := _CONDITION.fullmatch(text):
            condition = (found[1], Decimal(found[2]))
        elif sign := _CURRENCY.fullmatch(text):
            kept.append(("quoted", sign[1]))
        elif _ELAPSED.fullmatch(text):
            kept.append(("elapsed", text))
    return _Section(tuple(kept), condition)


def is_moment(code: str) -> bool:
    """Whether a format shows dates or times."""
    return any(kind in ("moment", "half", "elapsed") for kind, _ in _sections(code)[0].tokens)


def show(value: Decimal, code: str = GENERAL) -> Shown:
    """A number as its format shows it, rounded as the format says. Colours and widths of columns are left out."""
    if code == GENERAL:
        text, is_rounded = _general(value.copy_abs())
        return Shown(f"-{text}" if value < 0 else text, is_rounded=is_rounded)
    sections = _sections(code)
    section, shows_sign = _choose(sections[:3], value)
    minus = "-" if value < 0 and not shows_sign else ""
    size = value.copy_abs()
    if not section.tokens:
        return Shown("")
    kinds = {kind for kind, _ in section.tokens}
    if "exponent" in kinds:
        return Shown(minus + format(size, "E"))
    if "general" not in kinds and ("digits" not in kinds or ("other", "/") in section.tokens):
        if "digits" not in kinds and ("other", "@") not in section.tokens:  # `-` for nothing
            text = "".join(_literal(kind, text) for kind, text in section.tokens).strip()
            return Shown(text, is_rounded=bool(value))
        text, is_rounded = _general(size)  # a fraction too is shown as the number that it is
        return Shown(minus + text, is_rounded=is_rounded)
    factor = _factor(section)
    if abs(factor.adjusted()) > MOST_FACTOR:
        return show(value)
    text, is_rounded = _fill(section, size * factor if factor != 1 else size)
    return Shown(minus + text, factor, is_rounded)


def _choose(sections: tuple[_Section, ...], value: Decimal) -> tuple[_Section, bool]:
    """The section of a value, and whether it shows the sign itself."""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or _holds(section.condition, value):
                return section, section is not sections[0]
        return sections[-1], False
    if value < 0 and len(sections) > 1:
        return sections[1], True
    if not value and len(sections) > 2:
        return sections[2], False
    return sections[0], False


def _holds(condition: tuple[str, Decimal], value: Decimal) -> bool:
    sign, limit = condition
    return {
        "<": value < limit,
        ">": value > limit,
        "=": value == limit,
        "<=": value <= limit,
        ">=": value >= limit,
        "<>": value != limit,
    }[sign]


def _factor(section: _Section) -> Decimal:
    factor = Decimal(1)
    for kind, text in section.tokens:
        if kind == "other" and text == "%":
            factor *= 100
        elif kind == "digits":
            factor /= Decimal(1000) ** sum(len(part) - len(part.rstrip(",")) for part in text.split("."))
    return factor


def _literal(kind: str, text: str) -> str:
    if kind in ("quoted", "escaped", "other"):
        return "" if (kind, text) in (("other", "@"),) else text
    return " " if kind == "space" and text != ")" else ""


def _fill(section: _Section, size: Decimal) -> tuple[str, bool]:
    """The tokens of a section with a number in the place of its digits; later groups of digits show nothing more."""
    written: list[str] = []
    done = is_rounded = False
    for kind, text in section.tokens:
        if kind in ("general", "digits"):
            if not done:
                number, is_rounded = _general(size) if kind == "general" else _digits(text, size)
                written.append(number)
            done = True
        else:
            written.append(_literal(kind, text))
    return " ".join("".join(written).split()), is_rounded


def _digits(pattern: str, size: Decimal) -> tuple[str, bool]:
    whole, _, behind = pattern.rstrip(",").partition(".")
    number = size.quantize(Decimal(1).scaleb(-min(len(behind), _MOST_DECIMALS)), ROUND_HALF_UP, _EXACT)
    text = format(number, ",f" if "," in whole.rstrip(",") else "f")
    front, _, decimals = text.partition(".")
    least = whole.replace(",", "").count("0")
    front = front.zfill(least) if least > len(front) else front
    if front == "0" and not least:
        front = ""
    keep = behind.rstrip("#?")
    decimals = decimals[: len(keep)] + decimals[len(keep) :].rstrip("0")
    return f"{front}.{decimals}" if decimals else front, number != size


def _general(size: Decimal) -> tuple[str, bool]:
    """A number without a format: whole ones with all their digits, others with ten."""
    if size == size.to_integral_value():
        return format(size.to_integral_value(), "f"), False
    places = max(0, _GENERAL_DIGITS - max(1, size.adjusted() + 1))
    rounded = size.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _EXACT)
    if not rounded:
        return format(size.normalize(_EXACT), "f"), False
    return format(rounded, "f").rstrip("0").rstrip("."), rounded != size


def show_moment(value: date | datetime | time | timedelta, code: str = GENERAL) -> str:
    """A date, time or duration as its format shows it; without a format that says how, as ISO 8601 writes it."""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    tokens = _sections(code)[0].tokens
    if not is_moment(code):
        is_day = isinstance(value, datetime) and not value.time()
        return value.date().isoformat() if isinstance(value, datetime) and is_day else value.isoformat()
    moment = value if isinstance(value, datetime) else _at(value)
    has_half = any(kind == "half" for kind, _ in tokens)
    written = []
    for index, (kind, text) in enumerate(tokens):
        if kind in ("moment", "elapsed"):
            written.append(_part(moment, text.lower(), has_half, _is_minutes(tokens, index)))
        elif kind == "half":
            written.append("AM" if moment.hour < 12 else "PM")
        else:
            written.append(_literal(kind, text))
    return "".join(written).strip()


def _at(value: date | time) -> datetime:
    if isinstance(value, time):
        return datetime.combine(date(1900, 1, 1), value)
    return datetime.combine(value, time())


def _is_minutes(tokens: tuple[tuple[str, str], ...], index: int) -> bool:
    """Whether `m` means minutes: behind hours or before seconds."""
    parts = [(at, text.lower()[0]) for at, (kind, text) in enumerate(tokens) if kind in ("moment", "elapsed") and text]
    place = [at for at, _ in parts].index(index)
    before = parts[place - 1][1] if place else ""
    behind = parts[place + 1][1] if place + 1 < len(parts) else ""
    return before == "h" or behind == "s"


def _part(moment: datetime, text: str, has_half: bool, is_minutes: bool) -> str:
    length = len(text)
    match text[0]:
        case "y":
            return f"{moment.year:04d}" if length > 2 else f"{moment.year % 100:02d}"
        case "m" if not is_minutes:
            if length > 2:
                name = moment.strftime("%B")
                return name if length == 4 else name[:3] if length == 3 else name[:1]
            return f"{moment.month:0{length}d}"
        case "m":
            return f"{moment.minute:0{min(length, 2)}d}"
        case "d":
            if length > 2:
                return moment.strftime("%A" if length > 3 else "%a")
            return f"{moment.day:0{length}d}"
        case "h":
            hour = (moment.hour % 12 or 12) if has_half else moment.hour
            return f"{hour:0{min(length, 2)}d}"
    return f"{moment.second:0{2 if text.startswith('ss') else 1}d}"
