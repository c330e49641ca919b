"""Letters among the digits of an amount, and signs that turn the order of others: what is printed may not be what is
seen.

>>> is_mixed("$ 4o2", 2, 3, True), is_mixed("l,234", 2, 5, True), is_mixed("$5m", 1, 2, True)
(True, True, False)
"""

from __future__ import annotations

from tieout.data.printed.pattern import later

MIXED = "letters stand among its digits"
TURNED = "signs in front of it turn the order in which a text is shown"

# What stands together with a number. Between digits any letter is odd; at the ends, where `5m` has its scale and `12s`
# its plural, one that looks like a digit.
_AROUND = 12
_TOKEN_END = later(r"[^\W_]*(?:[.,'’|]?[^\W_]+)*\|?")
_TOKEN_START = later(r"(?:[^\W_]|[.,'’|])*$")
_BETWEEN = later(r"[0-9][.,]?(?!e[0-9])(?:[oilszbg|]|[^\W\d_a-z])[.,]?[0-9]|[0-9][\u0300-\u036f\u20d0-\u20ff]")
_AT_AN_END = later(r"[oi|l][.,]?[0-9][0-9oil,.]*|[0-9][0-9,.]*[oi|]")
_ORDERS = later("[\u202a\u202b\u202d\u202e\u2066-\u2068]")


def is_mixed(text: str, start: int, end: int, is_amount: bool) -> bool:
    """Whether letters that may be taken for digits stand right beside the digits `text[start:end]`.

    text: in lower case. is_amount: it is one by its currency or as the number of a cell; elsewhere `4o2` is a name.
    """
    before, behind = text[max(0, start - 1) : start], text[end : end + 2]
    if not is_amount or not (_may(before) or _may(behind[:1]) or (behind[:1] in (".", ",") and behind[1:].isalpha())):
        return False
    first = _TOKEN_START.search(text[max(0, start - _AROUND) : start])
    last = _TOKEN_END.match(text[end : end + _AROUND])
    token = (first[0] if first else "") + text[start:end] + (last[0] if last else "")
    return bool(_BETWEEN.search(token) or _AT_AN_END.fullmatch(token))


def _may(sign: str) -> bool:
    return sign.isalpha() or (sign != "" and (sign in "|.," or sign >= "\u0300"))


def turns_order(text: str) -> bool:
    """Whether a text holds signs that show others in another order than they are written in."""
    return not text.isascii() and _ORDERS.search(text) is not None
