"""Amounts as reports print them: `$ -50 ( 50 )`, `27% ( 27 % )`, `2.2 billion`, `one-third`.

>>> [(str(a.value), str(a.unit), a.scale) for a in read_amounts("$ 2.2 billion , or 14.5 per cent , in 2007")]
[('2.2', '$', 1000000000), ('14.5', 'percent', 1), ('2007', 'calendar year', 1)]
>>> [(str(a.value), a.unit) for a in read_cell("$ -50 ( 50 )")]
[('-50', '$')]
>>> read_cell("2014", coded=True)  # the code of an em dash: no value
()

One scan finds the digits. Each number then looks left for its sign and currency mark, and right for what closes it:
percent sign, restatement in parentheses, scale word, unit. Numbers in words are looked for only where one of their
words stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from tieout.data.printed.glyph import DASH_CODES
from tieout.data.printed.naming import may_round, rounds
from tieout.data.printed.notation import english
from tieout.data.printed.number import PARENTHESIS, PERCENT, Amount, Number
from tieout.data.printed.pattern import later
from tieout.data.printed.signs.forms import DASHES, as_read
from tieout.data.printed.signs.mixed import TURNED, turns_order
from tieout.data.printed.spelled import spelled_numbers
from tieout.data.printed.unit import NOT_MEASURES, Unit, dollar, is_currency

__all__ = ["Amount", "Unit", "is_dash", "read_amounts", "read_cell"]

LONGEST_JOIN = 60  # characters between two amounts that share a unit, spaces included
MOST_AT_ONCE = 10_000  # characters: the longest sentence of a report has some 3,000
# `1,234`; `5'432` as the Swiss and `12,34,567` as Indians group digits.
_NUMBER = later(
    r"[0-9]+(?:(?:(?:,[0-9]{2}(?=,[0-9]{2,3}(?![0-9])))*,[0-9]{3}(?![0-9]))+|(?:['’´`][0-9]{3}(?![0-9]))+)?"
    r"(?:\.[0-9]+)?(?:e[+-]?[0-9]+(?![0-9a-z]))?"
)
_SPACED_CELL = later(
    r"(\()?(?:([-−–])[ \u00a0]?)?([0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?:\.[0-9]{1,4})?)(\))?([-−–])?"
)
# One number with spaces between its digits and words beside them: `SEK 4 321 million`, `4 321 k€`.
_SPACED_IN_WORDS = later(
    r"(?:[A-Z]{1,3}\$?|[€£$¥₹₩])?[ \u00a0]?[-−–(]?([0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+)"
    r"(?:\.[0-9]+)?[ \u00a0]?[^0-9 ][^0-9]{0,24}"
)
_SPACES = later("[ \u00a0\u2009\u202f]")
_TAKEN_OFF = later(r"\s{0,3}(?:\./\.|-\s?/\s?-)\s{0,3}(?=[0-9])")  # a minus of German and Dutch accounts
_MAY_GROUP = frozenset("·,˙")
GROUPED = "the sign among its digits may part thousands, or be a decimal point"
_BRACKETED = later(r"\s?\(\s?(?:[-−–]|neg\.?|negative)\s?\)\s?", re.IGNORECASE)  # a sign alone: `(-) 432`, `432 (neg.)`
_ANGLED = later(r"([^<>]{0,9})<([^<>]*[0-9][^<>]*)>([^<>]{0,9})")  # as some programs print a minus
_LISTED_MARKS = later(r"(?<=[0-9)%]) ?\((?:[0-9]{1,2}|[a-z])(?:, ?(?:[0-9]{1,2}|[a-z]))+\)$")  # `(1,2)`: footnotes
_PARTS_CELL = later(r"\(?[0-9][0-9,]*(?:\.[0-9]+)? ?(?:(p)|[c¢])\)?")  # of a pound, of a dollar
_PLAIN_CELL = later(r"(\$ )?(-)?([0-9]{1,15}(?:\.[0-9]{1,10})?)(?: \( \3 \))?")
_GROUPED_CELL = later(r"(\$ ?)?(\()?(?!000\)?$)([0-9]{1,3}(?:,[0-9]{3}){0,8}(?:\.[0-9]{1,6})?)(\))?")
_IS_UNIT = later(r" ?-?(?:years?|months?|days?|shares)?[.) ]{0,3}")
_IS_SPELLED = later(r"[($]?[a-z]+[a-z -]*[.)]?$")  # a cell of words alone
_JOIN = later(r"\s*(-|–|—|2013|2014|to|through|and|or|of|,|, and|, or|;|; and|/|(?:to|and) approximately)\s*")
_RANGES = frozenset(("-", "–", "—", "2013", "2014", "to", "through"))
_DASHES = frozenset((*DASHES, "--", "---", "——"))


def is_dash(text: str, coded: bool = False) -> bool:
    """Whether a cell prints a dash, or, where it may hold codes, that of one (`2014`, `2013`), perhaps with a currency
    mark or a `%`."""
    bare = as_read(text).strip(" $€£%")
    return bare in _DASHES or (coded and bare in DASH_CODES)


def read_cell(text: str, coded: bool = False) -> tuple[Amount, ...]:
    """The amounts of a table cell, in order. A dash has none; a footnote mark (`30000 ( 1 )`) is not one.

    Parentheses around a whole amount mean minus, as accountants write it; parentheses that repeat it mean nothing.
    coded: whether the text may hold codes, as those of a page of which characters were lost.
    """
    if is_dash(text, coded):
        return ()
    text = english(as_read(text))
    if plain := _PLAIN_CELL.fullmatch(text):  # nine of ten cells, for speed
        value = Decimal(plain[3])
        sign = plain[2] and value
        return (Amount(value.copy_negate() if sign else value, 0, len(text), dollar() if plain[1] else None),)
    if (grouped := _GROUPED_CELL.fullmatch(text)) and bool(grouped[2]) == bool(grouped[4]):  # and most of the others
        value = Decimal(grouped[3].replace(",", ""))
        unit = dollar() if grouped[1] else None
        return (Amount(value.copy_negate() if grouped[2] and value else value, 0, len(text), unit),)
    if (spaced := _SPACED_CELL.fullmatch(text)) and bool(spaced[1]) == bool(spaced[4]):  # `1 234 567`
        value = Decimal("".join(char for char in spaced[3] if char in "0123456789."))
        is_negative = spaced[1] or spaced[2] or spaced[5]
        return (Amount(value.copy_negate() if is_negative else value, 0, len(text)),)
    if (parts := _PARTS_CELL.fullmatch(text)) and (found := _read(text.rstrip("pc¢) "), True, coded)):
        value = found[0].value.copy_negate() if text[0] == "(" and text[-1] == ")" else found[0].value
        return (Amount(value, 0, len(text), "pence" if parts[1] else "cents"),)
    text = _LISTED_MARKS.sub(lambda marks: " " * len(marks[0]), text) if text[-1:] == ")" else text
    if spaced := _SPACED_IN_WORDS.fullmatch(text):
        text = text[: spaced.start(1)] + _SPACES.sub(",", spaced[1]) + text[spaced.end(1) :]
    text = _TAKEN_OFF.sub(lambda sign: "-".rjust(len(sign[0])), text)
    text = _BRACKETED.sub(lambda sign: "-".ljust(len(sign[0])) if sign.start() else "-".rjust(len(sign[0])), text, 1)
    if "<" in text and (angled := _ANGLED.fullmatch(text)):
        text = f"{angled[1]}({angled[2]}){angled[3]}"
    return _doubtful_groups(text, _read(text, True, coded))


def _doubtful_groups(text: str, found: tuple[Amount, ...]) -> tuple[Amount, ...]:
    """The amounts of a cell, with a doubt where one sign parts the digits of two, as in `4·321` and `4,3`."""
    if len(found) != 2 or found[0].end + 1 != found[1].start or text[found[0].end] not in _MAY_GROUP:
        return found
    return tuple(replace(each, doubt=each.doubt or GROUPED) for each in found)


def read_amounts(text: str, coded: bool = False) -> tuple[Amount, ...]:
    """Every amount of a sentence or label, in order, those in words included.

    Years, days of dates and numbers that name something (note 12) are amounts too, told apart by their unit.
    coded: as `read_cell` has it.
    """
    return _read(english(as_read(text)), False, coded)


def _read(text: str, in_cell: bool, coded: bool) -> tuple[Amount, ...]:
    lower = text if text.islower() else text.lower()
    if len(lower) != len(text):  # a few letters change their length: spans would no longer fit
        lower = text
    if len(lower) > MOST_AT_ONCE:
        return tuple(_read_in_blocks(lower, in_cell, coded))
    found: list[Amount] = []
    position = 0
    while match := _NUMBER.search(lower, position):
        position = Number(lower, match.start(), match.end(), match[0], found, in_cell, coded).read()
    in_words = {} if in_cell else _add_spelled(lower, found)
    if in_cell and not found and _IS_SPELLED.match(lower):
        found = _spelled_cell(lower)
    if len(found) > 1:
        _share_units(lower, found, [start for start, unit in in_words.items() if unit is Unit.RATIO])
    if found and not in_cell and may_round(lower):
        found = [replace(each, unit=Unit.REFERENCE) if rounds(lower, each.start, each.end) else each for each in found]
    if turns_order(text):
        found = [replace(each, doubt=each.doubt or TURNED) for each in found]
    if in_words:  # what words count need not be named: two of them
        found = [each if each.unit else replace(each, unit=in_words.get(each.start)) for each in found]
    return tuple(found)


def _read_in_blocks(text: str, in_cell: bool, coded: bool) -> Iterator[Amount]:
    """The amounts of a text longer than any sentence, cut where a space is, so that a number never sees all of it."""
    start = 0
    while start < len(text):
        end = min(start + MOST_AT_ONCE, len(text))
        if end < len(text):
            end = text.rfind(" ", start, end) + 1 or end
        for amount in _read(text[start:end], in_cell, coded):
            yield replace(amount, start=amount.start + start, end=amount.end + start)
        start = end


def _spelled_cell(text: str) -> list[Amount]:
    """The amount that a cell of words alone spells out: `twenty million`. Words about a number (`level one`) are none;
    what it is of, the table says."""
    found: list[Amount] = []
    _add_spelled(text, found)
    is_whole = len(found) == 1 and not text[: found[0].start].strip(" ($") and _IS_UNIT.fullmatch(text, found[0].end)
    return found if is_whole else []


def _add_spelled(text: str, found: list[Amount]) -> dict[int, Unit]:
    """Adds the amounts in words. `one` is one only with a unit or a scale; `five ( 5 )` is one amount.

    Returns the unit that each has, by where it starts, if nothing beside it says another one.
    """
    added: dict[int, Unit] = {}
    for value, start, end, is_fraction in spelled_numbers(text):
        spelled: list[Amount] = []
        number = Number(text, start, end, "", spelled, in_cell=False, coded=False)
        number.value = value
        if (match := PARENTHESIS.match(text, end)) and match[1].strip() == str(value):
            end = match.end()
            found[:] = [amount for amount in found if not start < amount.start < end]
        percent = PERCENT.match(text, end)
        number._add(percent.end() if percent else end, bool(percent))
        amount = spelled[0]
        if amount.unit is None and value == 1 and amount.scale == 1:
            continue
        found.append(amount)
        added[start] = Unit.RATIO if is_fraction else Unit.COUNT
    if added:
        found.sort(key=lambda amount: amount.start)
    return added


def _share_units(text: str, found: list[Amount], fractions: Collection[int]) -> None:
    """Units and scales printed once for several amounts: `5 to 10 years`, `$ 5 - 10 million`, `notes 5 and 6`.

    fractions: where fractions in words start. One shares a unit in a range only: not in `one-third and 14.5 percent`.
    """
    joins = [
        _JOIN.fullmatch(text, first.end, second.start) if second.start - first.end <= LONGEST_JOIN else None
        for first, second in pairwise(found)
    ]
    if not any(joins):
        return
    for index in range(len(joins) - 1, -1, -1):
        first, second = found[index], found[index + 1]
        join = joins[index]
        if not join or join[1] == "of" or second.unit is None or second.unit in NOT_MEASURES:
            continue
        if first.start in fractions and join[1] not in _RANGES:
            continue
        same_scale = first.scale == 1 and abs(first.value) < 1000
        if first.unit is None and not (is_currency(second.unit.partition("/")[0]) and not text[second.start].isdigit()):
            found[index] = replace(first, unit=second.unit, scale=second.scale if same_scale else first.scale)
        elif first.unit == second.unit and same_scale and second.scale > 1:
            found[index] = replace(first, scale=second.scale)
        elif second.unit == f"{first.unit}/share" and first.scale == 1:
            found[index] = replace(first, unit=second.unit)
    for index, join in enumerate(joins):
        first, second = found[index], found[index + 1]
        if join and second.unit is None and first.unit is not None:
            is_range = join[1] in _RANGES
            if first.unit is Unit.REFERENCE or (
                is_range and (first.unit is Unit.RATIO or is_currency(first.unit.partition("/")[0]))
            ):
                found[index + 1] = replace(second, unit=first.unit)
                if (
                    is_currency(first.unit)
                    and first.scale == 1 < second.scale
                    and abs(first.value) <= abs(second.value)
                ):
                    found[index] = replace(first, scale=second.scale)  # `€1.24–1.26 billion`
