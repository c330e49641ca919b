"""How a minus is printed: a dash in front of a number or of its currency, or behind it; and the dashes that are none.

>>> minus_in_front("–$432", 1, in_cell=True), minus_in_front("stores – 432", 9, in_cell=False).negative
(Minus(at=0, negative=True, doubt=''), False)
>>> minus_in_front("3–5", 2, in_cell=True), minus_behind("432-", 3, in_cell=True)
(None, Minus(at=4, negative=True, doubt=''))

Texts are in lower case and of the forms of `tieout.data.printed.signs.forms`. A dash that may as well be something else
(a separator, a range, no value in front of the next one) is told as a doubt, whatever the amount is taken to be.
"""

from __future__ import annotations

from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.printed.signs.forms import DASHES, EM_DASH, HYPHEN, MINUS
from tieout.data.printed.wording import NAMES_A_NUMBER, words

EITHER = "the dash beside it may be a minus, or no part of it"
ARROW = "the triangle in front of it may be a minus or an arrow"
CREDIT = "CR behind it may mark a credit"
DEBIT = "DR behind it may mark a debit"
ONE_BRACKET = "one of the brackets that would make it negative is missing"


class Minus(NamedTuple):
    """A dash beside a number. at: where it begins, for one in front, or ends. negative: how the amount is taken. doubt:
    what else it may be, "" for nothing."""

    at: int
    negative: bool
    doubt: str = ""


# Behind these something has to be said, so that a dash is no break in the sentence: `a change of – 432`.
_LEADS_ON = words(
    "was were is are be been being of to from by at or and than reached totaled totalled equals equaled equalled "
    "amounted about approximately around roughly nearly over under below above with has have had showed shows "
    "reported reports recorded posted came between ="
)
_SPACES = frozenset(" \u00a0\u202f\u2009\t")
_MONEY_SIGNS = frozenset("$€£¥₩₹")
_TRIANGLES = {"△": "", "▲": ARROW, "▼": ARROW}  # the first is a minus in Japan and nothing else anywhere
_ENDS_WORD = frozenset("seg.")  # the last of `minus`, `negative`, `neg.`
MAY_BE_MINUS = DASHES | _TRIANGLES.keys() | _ENDS_WORD
_NEGATIVE = later(r"(?<![a-z])(?<!plus or )(?<!plus and )(?:minus|negative|neg\.?) $")
_YEAR = later(r"(?:19|20)[0-9]{2}(?![0-9,.%]|\s?%)")
_SCALED = r"million|billion|trillion|thousand|crore|lakh|per ?cent|percent|basis|points?|bps|euros?|usd|eur|gbp|chf|jpy"
_THING = later(rf"(?!(?:{_SCALED})\b)[a-z]{{3,}}")
_MARKS = later(r"\s?%?(?: ?\( ?[0-9a-z]{1,2} ?\)| ?[*†‡])*\s*")
_SUSPENDED = later(r" (?:and|or|to|through)\b| ?[,/]")  # `two- and three-year`
_ENDS = later(r"\s*(?:[.,;:)\]!?]|$)")
_SCALE = later(rf" (?:{_SCALED})\b")
_GOES_ON = later(  # words that no compound ends with
    r" (?:in|for|at|as|on|of|by|during|compared|versus|vs|from|due|which|that|this|the|was|were|is|after|before|with"
    r"|per)\b"
)
CREDITED = later(r" ?(?:cr\b\.?(?! ?(?:€|euros?|rs|inr|rupees))|(?P<debit>dr)\b\.?)")


def minus_in_front(text: str, at: int, *, in_cell: bool, is_marked: bool = False) -> Minus | None:
    """What a dash right in front of position `at` says; None where there is none, or none that may be a minus.

    at: where the number begins, or its currency. is_marked: a currency stands in front of the dash: `$ –432`.
    """
    last = text[at - 1 : at]
    is_spaced = last in _SPACES and at > 1
    dash = at - 1 - is_spaced
    sign = text[dash : dash + 1] if dash >= 0 else ""
    if sign not in DASHES:
        return _other(text, at, sign, dash, is_spaced)
    first = dash
    while sign == HYPHEN and first and text[first - 1] == HYPHEN:
        first -= 1
    if first < dash:  # `--`
        sign = EM_DASH
    before = text[:first].rstrip()
    if is_marked:
        return _either(first) if is_spaced and sign == EM_DASH else Minus(first, True)
    if not before or before[-1] in "([{":
        end = text.find(")", at) if before else len(text)
        return _at_the_start(text[: end if end > 0 else len(text)], at, first, sign, is_spaced, in_cell or bool(before))
    return _behind_words(text, at, before, first, sign, is_spaced)


def _either(first: int, negative: bool = False) -> Minus:
    return Minus(first, negative, EITHER)


def _other(text: str, at: int, sign: str, first: int, is_spaced: bool) -> Minus | None:
    """A minus that is no dash: a triangle, a word."""
    if sign in _TRIANGLES and not (is_spaced and _TRIANGLES[sign]) and not text[max(0, first - 1) : first].isalnum():
        return Minus(first, True, _TRIANGLES[sign])
    word = _NEGATIVE.search(text, max(0, at - 18), at) if is_spaced and sign in _ENDS_WORD else None
    if word is None or text[: word.start()].rstrip()[-1:].isdigit():  # `10 minus 5` is a subtraction
        return None
    return Minus(word.start(), True)


def _at_the_start(text: str, at: int, first: int, sign: str, is_spaced: bool, in_cell: bool) -> Minus | None:
    """A dash at the start of a cell, a sentence or a bracket. In front of a list a sentence has a bullet."""
    if not is_spaced:
        if not in_cell and (sign == EM_DASH or (sign != HYPHEN and _YEAR.match(text, at))):
            return _either(first)
        return Minus(first, True)
    if in_cell:
        return _either(first) if sign == EM_DASH or _THING.search(text, at) else Minus(first, True)
    return _either(first, negative=True) if sign == MINUS else None


def _behind_words(text: str, at: int, before: str, first: int, sign: str, is_spaced: bool) -> Minus | None:
    """A dash with something in front of it: words, a number, the sign of a currency, punctuation."""
    last = before[-1]
    is_apart = len(before) < first
    if last in _MONEY_SIGNS or before.endswith(("+/", "±")) or (not is_apart and (last.isalnum() or last in ")%.,")):
        return None  # no value, and then the next one; a tolerance; a compound or a range
    if not is_apart:
        return _either(first) if sign == EM_DASH else Minus(first, True)
    if last.isdigit() or last in ")%":
        if is_spaced or sign == EM_DASH:
            return None
        return Minus(first, True) if sign in (HYPHEN, MINUS) else _either(first)  # `1,234 -56`; `10 –20`
    word = before.rsplit(None, 1)[-1]
    if word in _LEADS_ON:
        return _either(first) if sign == EM_DASH else Minus(first, True)
    if (word in NAMES_A_NUMBER and sign != MINUS) or _YEAR.match(text, at):
        return None
    if is_spaced:
        return Minus(first, True) if sign == MINUS else None if sign == EM_DASH else _either(first)
    if sign in (HYPHEN, MINUS):
        return Minus(first, True)
    return _either(first, negative=sign != EM_DASH)


def minus_behind(text: str, at: int, *, in_cell: bool, is_money: bool = False) -> Minus | None:
    """What a dash right behind position `at` says, where a number ends; None for none.

    is_money: it is surely an amount, and no part of a word that is parted at the end of a line.
    """
    is_spaced = text[at : at + 1] in _SPACES
    end = at + is_spaced + 1
    sign = text[end - 1 : end]
    if sign not in DASHES or not sign:
        return None
    behind = text[end : end + 1]
    if behind.isalnum() or behind in _MONEY_SIGNS or (behind and behind in DASHES):
        return None
    if in_cell:
        if not _MARKS.fullmatch(text, end):
            return None
        if is_spaced:
            return Minus(end, True) if sign == MINUS else _either(end, negative=sign != EM_DASH)
        return _either(end, negative=True) if sign == EM_DASH else Minus(end, True)
    if is_spaced or sign == EM_DASH or _SUSPENDED.match(text, end):
        return None
    if sign == MINUS:
        return Minus(end, True)
    if _ENDS.match(text, end) or _GOES_ON.match(text, end):
        return _either(end, negative=True)
    return (
        _either(end) if is_money or _SCALE.match(text, end) else None
    )  # `a 5- year loan`, parted at the end of a line
