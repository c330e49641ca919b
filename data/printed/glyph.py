"""Codes that text extraction leaves where a character was lost: `2014` for a dash, `2019s` for 's, `20ac` for €.

A code looks like a number, and four of them like a year. Codes are Unicode code points in hexadecimal.
"""

from __future__ import annotations

import re
from decimal import Decimal

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit
from tieout.data.printed.wording import FOLLOWS_YEAR, LEADS_TO_YEAR, MONTHS, NAMES_A_NUMBER

DASH_CODES = frozenset(("2013", "2014"))
_BULLETS = frozenset(("2022", "2030"))
_CODES = DASH_CODES | _BULLETS | {"2018", "2019", "2122"}  # quotes and the trade mark sign
GLUED_CODE = later(r"201[cd]|20ac|(?:201[3489]|2022|2030)(?=[a-z$])")
_APART = later(r"(?<!\S)(?:201[3489]|2022|2030|2122)(?!\S)")
_NEXT_TOKEN = later(r"\s*(\S{1,80})")
_NUMERIC = later(r"\(?-?[0-9][0-9.,]*%?\)?$")
_PLAIN = later(r"[0-9]{1,3}(?:\.[0-9]{1,6})?$")
_LABEL_LENGTH = 48
_MONEY = ("$", "(", "us$")


def token_before(text: str, at: int) -> str:
    """The token in front of position `at`, without quotes and codes glued to it; past `2019s` and a full stop."""
    tokens = text[max(0, at - 32) : at].split()
    if tokens and tokens[-1] in DASH_CODES and not text[at - 1].isspace():  # `note 201410`: the code is glued to it
        tokens.pop()
    while tokens and tokens[-1] in (".", "2019s"):
        tokens.pop()
    if not tokens:
        return ""
    return tokens[-1].removeprefix("201c").removeprefix("fffd").lstrip('"“[(').rstrip(".") or tokens[-1]


def is_code(text: str, start: int, end: int, before: str, last: Unit | str | None) -> bool:
    """Whether the four digits at `text[start:end]` are a code and no number. In doubt they are a number.

    before: the token in front of them, "" for none. last: the unit of the amount in front of them, if there is one.
    """
    digits = text[start:end]
    if digits not in _CODES:
        return False
    following = _NEXT_TOKEN.match(text, end)
    after = following[1] if following else "."
    if digits in (before, after) or after.startswith(digits) or digits == "2122":
        return True
    if digits == "2019":
        return before[-1:] == "s" and before not in LEADS_TO_YEAR and (after[0].isalpha() or _is_year(after))
    is_word = after[0].isalpha() and after not in FOLLOWS_YEAR
    if digits in _BULLETS:
        is_label = before == "" and len(text) < _LABEL_LENGTH  # `2022 net revenue`
        return before not in LEADS_TO_YEAR and not is_label and (is_word or after == "$")
    if digits not in DASH_CODES or last is Unit.DATE_PART:
        return False
    if last is Unit.REFERENCE and before[-1:].isdigit():
        return after[0].isalpha() or after.startswith("201c")
    if before in (".", ":", ";"):
        return is_word
    if last is Unit.CALENDAR_YEAR and (after in MONTHS or after.count("/") == 2):
        return True
    if before in _MONEY:
        return after in _MONEY or bool(_NUMERIC.match(after))
    if _NUMERIC.match(before):
        return _between_numbers(digits, before, after)
    if before[-1:] == ")" and len(before) == 1:
        return after not in FOLLOWS_YEAR
    return (
        before[-1:].isalpha() and before not in LEADS_TO_YEAR and after not in FOLLOWS_YEAR and not after[0].isdigit()
    )


def _between_numbers(digits: str, before: str, after: str) -> bool:
    """`2012 2013 2016` is a span of years, `3.2 2014 4.1` a row with a gap, but `2012 2013 2014` lists years."""
    if after in ("$", *DASH_CODES):
        return not _is_year(before) or after == "$"
    if not _NUMERIC.match(after):
        return False
    if _is_year(before) and _is_year(after):
        return int(before) < int(after) and not int(before) + 1 == int(digits) == int(after) - 1
    return not _is_year(before) and not _is_year(after)


def _is_year(token: str) -> bool:
    return len(token) == 4 and token[:2] in ("19", "20") and token.isdigit()


def splits_dash(digits: str, before: str, last: Decimal | None) -> bool:
    """Whether a number is the code of a dash with another number glued behind it: `3 201330 years`, `2007 20142006`.

    before: the token in front of it. last: the amount right in front of it, the low end of a range where there is one.
    """
    if digits[:4] not in DASH_CODES or digits[4] in "0.,e":
        return False
    if len(digits) == 8 and digits[4:6] in ("19", "20"):
        return True
    if before in NAMES_A_NUMBER:
        return len(digits) <= 7
    return last is not None and bool(_PLAIN.match(digits, 4)) and last < Decimal(digits[4:]) < 1000


def without_codes(text: str) -> str:
    """A name where codes may stand, with dashes in place of their codes, without other ones: `wind 2014 onshore`."""

    def sign(match: re.Match[str]) -> str:
        is_one = is_code(text, *match.span(), token_before(text, match.start()), None)
        return match[0] if not is_one else "–" if match[0] in DASH_CODES else ""

    return _APART.sub(sign, text) if "20" in text and text == text.lower() else text  # codes are in small letters
