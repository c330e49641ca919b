"""One number of a text on its way to an amount: sign and currency mark to its left; to its right what closes it, the
percent sign, a restatement in parentheses, scale word and unit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tieout.data.printed.abroad import sign_behind
from tieout.data.printed.glyph import GLUED_CODE, is_code, splits_dash, token_before
from tieout.data.printed.naming import is_day, is_glued_to_name, is_part_of_name, numbers_section
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.dates import IN_DATES, Part, date_parts, full_year, glued_parts, last_year_of_span
from tieout.data.printed.signs.forms import DASHES
from tieout.data.printed.signs.minus import (
    CREDIT,
    CREDITED,
    DEBIT,
    MAY_BE_MINUS,
    ONE_BRACKET,
    minus_behind,
    minus_in_front,
)
from tieout.data.printed.signs.mixed import MIXED, is_mixed
from tieout.data.printed.unit import (
    CURRENCY_CODES,
    SOME_DOLLAR,
    Unit,
    currency_before,
    scale_behind,
    short_scale_behind,
    thing_behind,
    unit_behind,
)
from tieout.data.printed.wording import GLUED_TO_NUMBER, LEADS_TO_YEAR, NAMES_A_NUMBER

CURRENCIES = frozenset((*CURRENCY_CODES.values(), SOME_DOLLAR))
MAX_DIGITS = 40  # beyond these a number stays text: arithmetic on it could take unbounded time and memory
MAX_EXPONENT = 30
FIRST_FOREIGN = 0x370  # the first letter behind the Latin ones: Greek, and then all other scripts
_APOSTROPHES = dict.fromkeys(map(ord, "'’´`"), ",")
PER_MILLE = "‰ behind it: it is read as if nothing stood there"
_PENCE = later(r"(?:p| pence| cents)\b(?P<each> (?:per|a) (?:[a-z]+ )?share\b)?")
_LONGEST_TITLE = 40
_YEAR_IN = later(
    rf" (?:(?:{'|'.join(CURRENCY_CODES)}|rmb|[a-z]{{0,3}}\$|[€£¥])(?:[ '’]|m\b|bn\b|$)"
    rf"|[tkm] ?(?:{'|'.join(CURRENCY_CODES)}|[€£¥])$)"
)
_FRACTION = later(r"[ -]([1-9][0-9]?)/(2|4|8|16|32|64)(?= ?%| per ?cent)")
_PARTS_OF_ONE = dict(zip("⅛¼⅜½⅝¾⅞", (Decimal(eighths) / 8 for eighths in range(1, 8)), strict=True))
_PART_OF_ONE = later(r" ?([⅛¼⅜½⅝¾⅞])")
_GLUED_LETTER = later(r"([a-z])(?![a-z0-9-])")
_SHORTENED = later(r"[a-z]['’]$")  # in front of the last letter of `add'l`, which may be recognised as a digit
GLUED, BRACKETED = "the letter behind it may be a mark, or a scale", "its square brackets may mean a minus, or a draft"
_LEADS_TO_SHORT_YEAR = later(r"(?:\bfy ?'?|\bfiscal '|\bq[1-4] ?'|\b[1-4]q ?'?)$")
PERCENT = later(
    r"\s{0,2}%(?:\s{0,2}\(\s{0,3}%\s{0,2}\))?|[ -]?per-? ?cent(?:age[ -]points?)?\b|[ -]percentage points?\b"
    r"| ?(?:ppt?|pt)s?\b| prozent(?:punkte[n]?)?\b| (?:pour|por) ?cent[o]?\b| por ciento\b| per ?cento\b"
    r"| procent(?:enheter|point)?\b"
)
_POINTS = later(r"points?|punkt|p[pt]|enheter")
_EMPTY_PERCENT = later(r"\s{0,2}\(\s{0,3}%\s{0,2}\)")
PARENTHESIS = later(r"\s{0,2}\(([^()]{1,80})\)")
_ONLY_MARKS = later(r"(?:\s*\(\s*[0-9a-z]{1,2}\s*\))*\s*$")
_BEFORE_POINT = frozenset(("", " ", "$", "€", "£", "¥", "(", "/"))  # and dashes: in front of a number such as `.5`
_CLOSE = later(r"\s{0,2}\)")


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount in a text.

    value: signed, as printed: 27 for `27%`, 2.2 for `2.2 billion`, -26 for `-26 ( 26 )`.
    start, end: its span in the text it was read from; `text[start:end]` is the printed form, with sign, currency mark,
        percent sign, restatement in parentheses and scale word.
    unit: a `Unit`, an ISO 4217 code, `<code>/share`, or None where the text itself does not say.
    scale: a power of ten from 1 to 10**12, from a scale word that belongs to this amount; 1 where there is none.
    doubt: what in its print may be meant otherwise than it is read here, in words; "" for nothing.
    """

    value: Decimal
    start: int
    end: int
    unit: str | None = None
    scale: int = 1
    doubt: str = ""


class Number:
    """One number on its way to an amount: what it says so far, and how far to both sides its printed form reaches."""

    __slots__ = tuple(
        "before begin cell coded currency digits doubt end found glued negative signed start text value".split()
    )

    def __init__(
        self, text: str, start: int, end: int, digits: str, found: list[Amount], in_cell: bool, coded: bool
    ) -> None:
        """coded: whether the text may hold codes."""
        self.text, self.found, self.cell, self.coded = text, found, in_cell, coded
        self.start = self.begin = self.signed = start
        self.end, self.digits = end, digits
        self.value = Decimal(0)
        self.negative = self.glued = False
        self.currency: str | None = None
        self.before = self.doubt = ""

    def read(self) -> int:
        """Adds what the number turns out to be to the amounts found, if it is one. Returns where to go on reading."""
        text, start = self.text, self.start
        if self.coded and (code := GLUED_CODE.match(text, start)):
            return code.end()
        if text[self.end : self.end + 1] in ("/", "-", ".", IN_DATES) and (
            parts := date_parts(text, start, not self.cell)
        ):
            return self._add_parts(parts)
        if start and text[start - 1].isalpha() and not self._unglue():
            return self.end
        is_money = text.startswith("$ ", start - 2) and start > 1  # half of all numbers, for speed
        self.before = "$" if is_money else token_before(text, start - 1 if self.start > start else start)
        last = self.found[-1] if self.found else None
        if len(self.digits) > 4:
            if parts := glued_parts(self.digits, self.start, self.before):
                return self._add_parts(parts)
            is_next = last is not None and not text[last.end : self.start].strip()
            if self.coded and splits_dash(self.digits, self.before, last.value if last and is_next else None):
                return self.start + 4
        if (
            self.coded
            and len(self.digits) == 4
            and is_code(text, self.start, self.end, self.before, last.unit if last else None)
        ):
            return self.end
        is_short_year = len(self.digits) == 2 and _LEADS_TO_SHORT_YEAR.search(text, max(0, start - 8), start)
        if is_short_year and not PERCENT.match(text, self.end):
            return self._add_parts([(full_year(self.digits), start, self.end, True)])
        if len(self.digits) == 2 and last and last.unit is Unit.CALENDAR_YEAR:
            year = last_year_of_span(text[last.end : self.start], self.digits, int(last.value))
            if year is not None:
                return self._add_parts([(year, self.start, self.end, True)])
        is_scale = self.digits == "000" and not text[self.end : self.end + 2].strip("-").isdigit()  # `shares ( 000 )`
        if is_scale or not self._take_value():
            return self.end
        self._look_left()
        if last and self.begin < last.end:  # the mark belongs to the number before
            self.begin, self.currency = self.start, None
        return self._look_right()

    def _add_parts(self, parts: list[Part]) -> int:
        for value, start, end, is_year in parts:
            self.found.append(Amount(Decimal(value), start, end, Unit.CALENDAR_YEAR if is_year else Unit.DATE_PART))
        return parts[-1][2]

    def _unglue(self) -> bool:
        """Letters stand right before the digits. False: the digits are part of a word (`cet1`) and no number.

        `a0` is the code of a space, `a3` and `a5` of a currency, `a9` of the copyright sign, `fffd` of a letter lost.
        """
        text, start = self.text, self.start
        first = start
        while first and start - first < 16 and text[first - 1].isalpha():
            first -= 1
        word = text[first:start]
        is_code_of_sign = word == "a" and self.digits[0] in "0359" and self.digits[1:2].isdigit()
        if self.coded and is_code_of_sign and not text[first - 1 : first].isdigit():
            self.currency = {"3": "GBP", "5": "JPY"}.get(self.digits[0])
            self.begin = first
            self.start += 1
            self.digits = self.digits[1:]
            return True
        if word and ord(word[-1]) >= FIRST_FOREIGN:  # a letter of another script names nothing here
            return True
        if word in CURRENCY_CODES or word in GLUED_TO_NUMBER or word == "fffd" or PERCENT.match(text, self.end):
            return True
        self.glued = len(self.digits) > 1
        return self.glued

    def _take_value(self) -> bool:
        text, digits = self.text, self.digits.translate(_APOSTROPHES)
        if "," in digits and digits.index(",") > 3:
            digits = digits[: digits.index(",")]
            self.end = self.start + len(digits)
        if len(digits) > MAX_DIGITS:
            return False
        mantissa, _, exponent = digits.partition("e")
        if exponent and (len(exponent) > 4 or abs(int(exponent)) > MAX_EXPONENT):
            return False
        sign = text[max(0, self.start - 2) : self.start - 1]
        is_leading = sign in _BEFORE_POINT or sign in DASHES
        if self.start and text[self.start - 1] == "." and "." not in mantissa and is_leading:
            self.start -= 1
            digits = "0." + digits
        self.digits = digits
        self.value = Decimal(digits.replace(",", ""))
        return True

    def _look_left(self) -> None:
        """Takes the minus in front of the digits, the currency, and the minus in front of that."""
        text = self.text
        if self.currency is not None:  # its mark was glued to the digits
            return
        self.signed = self.begin = at = self._take_minus(self.start, of_digits=True)
        gap = at - 1 if at and text[at - 1] == " " else at
        if gap and text[gap - 1] == "(":
            gap = gap - 2 if gap > 1 and text[gap - 2] == " " else gap - 1
            if found := currency_before(text, gap):
                self.currency, self.begin = found
        elif found := currency_before(text, gap):
            self.currency, self.begin = found
        else:
            return
        if not self.negative:
            self.begin = self._take_minus(self.begin)

    def _dash_is_marked(self) -> bool:
        """Whether a currency stands in front of the dash in front of the digits: `$ –432`."""
        before = self.text[max(0, self.start - 12) : self.start].rstrip()
        if before[-1:] not in DASHES or not before:
            return False
        before = before.rstrip("-−–—").rstrip()
        return bool(before) and currency_before(before, len(before)) is not None

    def _take_minus(self, at: int, of_digits: bool = False) -> int:
        """Takes what a dash in front of position `at` says. Returns where the amount begins. of_digits: a currency may
        stand in front of the dash."""
        last = self.text[at - 1] if at else "0"
        if last.isalnum() or (self.text[at - 2 : at - 1] if last.isspace() else last) not in MAY_BE_MINUS:
            return at
        is_marked = of_digits and self._dash_is_marked()
        minus = minus_in_front(self.text, at, in_cell=self.cell, is_marked=is_marked)
        if minus is None:
            return at
        self.negative, self.doubt = minus.negative, minus.doubt
        return minus.at if minus.negative else at

    def _look_right(self) -> int:
        text, at = self.text, self.end
        if "/" in text[at + 2 : at + 4] and (fraction := _FRACTION.match(text, at)):
            self.value += Decimal(fraction[1]) / Decimal(fraction[2])
            at = fraction.end()
        elif not text[at : at + 2].isascii() and (part := _PART_OF_ONE.match(text, at)):
            self.value += _PARTS_OF_ONE[part[1]]
            at = part.end()
        at = self._skip_minus(at)
        percent = PERCENT.match(text, at) if text[at : at + 1] in (" ", "%", "-", "p") else None
        if percent:
            at = self._skip_minus(percent.end())
        opened = self._opened()
        if opened and (close := _CLOSE.match(text, at)):
            return self._closed(opened, close.end(), bool(percent))
        if opened and self.begin < opened - 1 and self.currency and not percent:  # `$ (1.7 million)`
            scale, end = scale_behind(text, at)
            if scale > 1 and (close := _CLOSE.match(text, end)):
                value = self.value.copy_negate() if self.value else self.value
                self.found.append(Amount(value, self.begin, close.end(), self.currency, scale))
                return close.end()
        if self.cell:
            at = self._half_closed(opened, at)
        elif opened and self.currency and self.begin < opened - 1 and ")" not in text[at:]:
            self.doubt = ONE_BRACKET  # `$(432`
        if text[at : at + 1] in (" ", "("):
            at = self._skip_restatement(at)
            if percent and (empty := _EMPTY_PERCENT.match(text, at)):
                at = empty.end()
        return self._add(at, bool(percent))

    def _skip_minus(self, at: int) -> int:
        """Past a minus behind the number, `432-`."""
        text = self.text
        if text[at : at + 1] not in DASHES and text[at + 1 : at + 2] not in DASHES:
            return at
        is_money = self.currency is not None or not self.digits.isdigit() or text[at - 1 : at] == "%"
        minus = minus_behind(text, at, in_cell=self.cell, is_money=is_money)
        if minus is None or self.negative or (self._is_year() and self.cell):
            return at
        self.negative, self.doubt = minus.negative, minus.doubt
        return minus.at if minus.negative else at

    def _half_closed(self, opened: int, at: int) -> int:
        """Past the one bracket of a cell that has lost the other: `(432`."""
        text = self.text
        is_open = (
            opened and ")" not in text and not text[: min(opened - 1, self.begin)].strip() and not self._is_footnote()
        )
        is_closed = text[at:].strip() == ")" and "(" not in text and not self._is_footnote()
        if is_open or (is_closed and not text[: self.begin].strip()):
            self.negative, self.doubt = True, ONE_BRACKET
            self.begin = min(self.begin, opened - 1) if is_open else self.begin
            return len(text.rstrip()) if is_closed else at
        return at

    def _opened(self) -> int:
        """The position behind the parenthesis right in front of the number or of its currency mark; 0 for none."""
        for at in (self.signed, self.begin):
            gap = at - 1 if at and self.text[at - 1] == " " else at
            if gap and self.text[gap - 1] == "(":
                return gap
        return 0

    def _closed(self, opened: int, at: int, percent: bool) -> int:
        """The number fills a pair of parentheses: minus, a footnote mark, a year, or an aside."""
        if not percent and (behind := PERCENT.match(self.text, at)):  # `( 36 ) % (  % )`
            self.negative, percent, at = True, True, behind.end()
        elif self.cell:
            if self._is_footnote() and self.text[: self.begin].strip(" ("):
                return at
            self.negative = not self._is_translated()
        elif not percent:
            in_row = self._is_in_row(at)
            if self._is_footnote() and not in_row:
                if opened < 2 or not _ONLY_MARKS.match(self.text, at):
                    self.found.append(Amount(self.value, self.start, self.end, Unit.REFERENCE))
                return at
            scaled = self.currency is not None and scale_behind(self.text, at)[0] > 1  # `($ 92) million`
            if not in_row and not scaled and (self._is_year() or (self.currency and self.begin >= opened)):
                return self._add(self.end, percent)
            self.negative = True
        self.begin = min(self.begin, opened - 1)
        return self._add(at, percent)

    def _is_translated(self) -> bool:
        """Whether it says the amount in front of it in another currency: `$ 104.2 ( £ 79.0 )`."""
        before = self.found[-1] if self.found else None
        if before is None or before.unit is None or self.currency in (None, before.unit) or before.value < 0:
            return False
        return before.unit in CURRENCIES and not self.text[before.end : self.begin].strip(" (")

    def _is_footnote(self) -> bool:
        return self.currency is None and len(self.digits) <= 2 and self.digits.isdigit()

    def _is_in_row(self, end: int) -> bool:
        """Whether numbers stand on both sides, as in a table flattened into text."""
        before, after = (
            self.text[: min(self.begin, self.start)].rstrip(" ($")[-1:],
            self.text[end : end + 3].lstrip()[:1],
        )
        return (before.isdigit() or before == ")") and (after.isdigit() or after in ("$", "("))

    def _skip_restatement(self, at: int) -> int:
        """Past the parentheses that repeat what stands before them: `-26 ( 26 )`, `24%/23% ( 24%/23 % )`."""
        match = PARENTHESIS.match(self.text, at)
        if match:
            repeated = match[1].replace(" ", "").rstrip("%").replace("$", "")
            if repeated.endswith(self.digits.removeprefix("0.")):
                printed = self.text[max(0, self.end - 160) : self.end].replace(" ", "").replace("$", "")
                if printed.endswith(repeated):
                    return match.end()
        return at

    def _add(self, at: int, percent: bool) -> int:
        """Takes scale and unit from the words behind position `at` and adds the amount."""
        if self.digits and is_mixed(self.text, self.start, self.end, self._is_amount()):
            self.doubt = MIXED
        elif self.text[at : at + 2].lstrip()[:1] == "‰":
            self.doubt = PER_MILLE
        scale, unit = 1, self.currency
        if percent:
            is_points = _POINTS.search(self.text, self.end, at)
            unit = Unit.PERCENTAGE_POINTS if is_points else Unit.PERCENT
        elif unit is None and self._heads():
            unit, at = Unit.CALENDAR_YEAR, self.end
        elif unit is None and not self._is_year() and (part := _PENCE.match(self.text, at)):
            name = "cents" if "cent" in part[0] else "pence"
            unit = f"{name}/share" if part["each"] else name
            at = part.start("each") if part["each"] else part.end()
        else:
            at = self._skip_credit(at)
            scale, at = scale_behind(self.text, at)
            is_short = self.currency is not None or (self.cell and self.text[at : at + 1] == "k" and "," in self.digits)
            if scale == 1 and is_short and at == self.end:
                scale, at = short_scale_behind(self.text, at)
            unit, at = self._unit(at, scale)
        value = self.value.copy_negate() if self.negative and self.value else self.value
        self.found.append(Amount(value, self.begin, at, unit, scale, self.doubt))
        return at

    def _heads(self) -> bool:
        """Whether it is the year of a header that says what is below it: `2024 RMB'000`, `2023 TDKK`."""
        is_first = not self.begin and len(self.text) <= _LONGEST_TITLE and self._is_year()
        return is_first and _YEAR_IN.match(self.text, self.end) is not None

    def _is_amount(self) -> bool:
        """Whether it is an amount by its currency, or as the only number of its cell."""
        return self.currency is not None or (self.cell and not self.found)

    def _skip_credit(self, at: int) -> int:
        """Past `CR` behind a number: in India it is short for crore, elsewhere for credit. `DR` says nothing new."""
        if self.currency == "INR" or self.doubt or not (credit := CREDITED.match(self.text, at)):
            return at
        if credit["debit"] and not self.cell:  # a doctor
            return at
        self.doubt = DEBIT if credit["debit"] else CREDIT
        if self.currency is None or credit["debit"]:  # under a note in rupees it may be either
            return at
        self.negative = not self.negative
        return credit.end()

    def _unit(self, at: int, scale: int) -> tuple[str | None, int]:
        is_bare = self.currency is None and (scale > 1 or not self._is_year())
        if is_bare and (sign := sign_behind(self.text, at)):
            self.currency, at = sign
        unit, end = unit_behind(self.text, at, self.currency, scale)
        if unit is Unit.COUNT:
            unit = thing_behind(self.text, end)
        if self.currency is not None or scale > 1 or not self.digits:
            return unit, end
        is_name = self.before in NAMES_A_NUMBER and not self.negative and "," not in self.digits
        is_date = self.before in LEADS_TO_YEAR or self._follows_day()
        if self._is_year() and (unit is None or unit is Unit.YEARS or is_date):
            return (Unit.REFERENCE if is_name and self.text[at : at + 1] == "-" else Unit.CALENDAR_YEAR), at
        if (unit is None or self.before != "may") and is_day(self.text, self.end, self.digits, self.before):
            return Unit.DATE_PART, at
        if not self.begin and not self.cell and numbers_section(self.text, self.end):
            return Unit.REFERENCE, at
        is_letter = self.digits == "1" and _SHORTENED.search(self.text, max(0, self.start - 2), self.start)
        if is_name or is_letter or self.glued or is_glued_to_name(self.text, self.start, self._follows_name()):
            return Unit.REFERENCE, at
        if unit is None and not self.doubt and is_part_of_name(self.text, self.start, self.end, not self.cell):
            if not self.cell or "," not in self.digits:  # no name has a number of thousands
                return Unit.REFERENCE, at
            self.doubt = self._doubt_of_sign()
        return unit, end

    def _doubt_of_sign(self) -> str:
        """What else a sign glued to a number of thousands may mean, `4,321a`, `[4,321]`; "" for that of a range."""
        if self.text[self.end : self.end + 1] == "]" or self.text[self.start - 1 : self.start] == "[":
            return BRACKETED
        return GLUED if _GLUED_LETTER.match(self.text, self.end) else ""

    def _follows_day(self) -> bool:
        """Whether the day of a date stands in front of it: `December 31, 2021 shares`."""
        last = self.found[-1] if self.found else None
        return last is not None and last.unit is Unit.DATE_PART and not self.text[last.end : self.begin].strip(" ,")

    def _follows_name(self) -> bool:
        return bool(self.found) and self.found[-1].unit is Unit.REFERENCE and self.found[-1].end == self.start - 1

    def _is_year(self) -> bool:
        """Four digits that read as a year; a cell that holds nothing else is a value in a table, not a date."""
        digits = self.digits
        if len(digits) != 4 or self.negative or not digits.isdigit() or not "1900" <= digits <= "2069":
            return False
        return not self.cell or self.end - self.start != len(self.text.strip())
