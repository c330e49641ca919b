"""Numbers in words: `two`, `twenty-five`, `one hundred`, `one-third`.

>>> [(str(value), start, end) for value, start, end, _ in spelled_numbers("two of twenty-five , or one-half")]
[('2', 0, 3), ('25', 7, 18), ('0.5', 24, 32)]
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from tieout.data.printed.pattern import later

_ONES = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_PARTS = ("half", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_VALUES = {word: value for value, word in enumerate(_ONES, start=1)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_DENOMINATORS = {word: value for value, word in enumerate(_PARTS, start=2)} | {
    "halve": 2,
    "quarter": 4,
    "twentieth": 20,
    "hundredth": 100,
    "thousandth": 1000,
}
_LETTERS = later(r"[a-z]+")
_SPELLED = later(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?: ?- ?(?P<digit>{'|'.join(_ONES[:9])})\b)?"
    rf"|(?P<ones>{'|'.join(reversed(_ONES))}))\b"
    r"(?P<hundred>[ -]hundred\b)?"
    rf"(?: ?- ?(?P<part>{'|'.join(_DENOMINATORS)})s?\b| (?P<apart>half|third|fourth|fifth|tenth)s?\b(?= of\b))?"
)


def spelled_numbers(text: str) -> Iterator[tuple[Decimal, int, int, bool]]:
    """The numbers in words in lower-case `text`, in order: value, start, end, and whether it is a fraction.

    Scale words from thousand upwards are not part of a number: they are the scale of an amount. A fraction without
    an exact decimal (one-third) has 28 digits.
    """
    words = _LETTERS.findall(text)
    if _VALUES.keys().isdisjoint(words):
        return
    for match in _SPELLED.finditer(text):
        value = Decimal(_VALUES[match["tens"] or match["ones"]] + _VALUES.get(match["digit"], 0))
        if match["hundred"]:
            value *= 100
        part = match["part"] or match["apart"]
        if part:
            value /= _DENOMINATORS[part]
        yield value, match.start(), match.end(), bool(part)
