"""The printed text of a tagged number into its number: the transformation rules of Inline XBRL (ixt 1 to 5, ixt-sec).

>>> str(transform("ixt:num-dot-decimal", "1,234.5")), str(transform("ixt-sec:numwordsen", "twenty-one million"))
('1234.5', '21000000')
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from tieout.data.printed.pattern import later

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 20 + 10 * number for number, word in enumerate(_TENS)
}
_WORDS |= {"no": 0, "none": 0, "nil": 0, "a": 1, "an": 1, "single": 1, "half": 0}
_POWERS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_DIGITS = later(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_WORD = later(r"[a-z]+")


def transform(rule: str, text: str) -> Decimal | None:
    """The number, without sign and scale. rule: the attribute `format`, "" for none. None where it does not fit."""
    name = rule.rpartition(":")[2].replace("-", "").lower()
    if name in ("zerodash", "fixedzero", "numdash", "nocontent", "fixedempty"):
        return Decimal(0)
    if "word" in name:
        return _spelled(text.lower())
    if name.startswith(("numcommadecimal", "numdotcomma", "numspacecomma")):
        text = text.replace(".", "").replace(",", ".")
    if name.startswith("numunitdecimal"):
        whole, _, part = " ".join(re.findall(r"[0-9][0-9,.]*", text)).partition(" ")
        text = f"{whole}.{part or 0}"
    found = _DIGITS.fullmatch(re.sub(r"[\s,'’\u00a0]", "", text))
    try:
        return Decimal(found[0]) if found else None
    except InvalidOperation:
        return None


def _spelled(text: str) -> Decimal | None:
    whole = part = 0
    words = [word for word in _WORD.findall(text) if word != "and"]
    for word in words:
        if word in _WORDS:
            part += _WORDS[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _POWERS:
            whole += max(part, 1) * _POWERS[word]
            part = 0
        else:
            return None
    return Decimal(whole + part) if words else None
