"""Digits, brackets and dashes of other forms as the ones that amounts are read by: `（４３２）` is `(432)`.

>>> as_read("－＄４３２ ‒ ‑5"), as_read("（432）"), len(as_read("−５")) == len("−５")
('-$432 – -5', '(432)', True)
"""

from __future__ import annotations

from tieout.data.printed.pattern import later

HYPHEN, MINUS, EN_DASH, EM_DASH = "-", "−", "–", "—"
DASHES = frozenset((HYPHEN, MINUS, EN_DASH, EM_DASH))

_FORMS = {
    HYPHEN: "\u2010\u2011\u2043\u02d7\ufe63\uff0d",
    MINUS: "\u207b\u208b\u2796",
    EN_DASH: "\u2012",
    EM_DASH: "\u2015\u2e3a\u2e3b\ufe58\u2500\u30fc",
    "△": "\u25b5",
    "(": "\uff08\ufe59",
    ")": "\uff09\ufe5a",
    ",": "\uff0c\ufe50\u066c",
    ".": "\uff0e\ufe52\u066b",
    "%": "\uff05\ufe6a\u066a",
    "$": "\uff04\ufe69",
    "£": "\uffe1",
    "¥": "\uffe5",
    "₩": "\uffe6",
    " ": "\u3000\u2007",
}
_FULL_WIDTH, _OF_FORMULAS = 0xFF10, range(0x1D7CE, 0x1D800)  # digits that look like 0 to 9
_UNUSUAL = later("[^\x00-\u024f\u2002-\u2006\u2009\u2013\u2014\u2018-\u201f\u2020-\u2026\u20a0-\u20bf\u2122]")


_AS_READ = {ord(form): ord(sign) for sign, others in _FORMS.items() for form in others}
_AS_READ |= {_FULL_WIDTH + digit: ord("0") + digit for digit in range(10)}
_AS_READ |= {code: ord("0") + number % 10 for number, code in enumerate(_OF_FORMULAS)}


def as_read(text: str) -> str:
    """A text, as long as before, with its signs and digits in the forms that amounts are read by."""
    return text.translate(_AS_READ) if not text.isascii() and _UNUSUAL.search(text) else text
