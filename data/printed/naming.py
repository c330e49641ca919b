"""Numbers that measure nothing: the day of a date, and those that name something (note 12, f-35, s&p 500, 10-k)."""

from __future__ import annotations

from tieout.data.printed.languages.language import is_month, month_abroad
from tieout.data.printed.pattern import later
from tieout.data.printed.wording import MONTHS

_WITH_LETTER = later(r"-?[a-z]|- ?[a-z](?![a-z])| ?\( ?[a-z] ?\)(?= )| (?:th|st|nd|rd)\b")
_INDEX = later(r" (?:composite |stock )?index\b")
_AFTER_FIRST_NUMBER = later(
    r" (?:[,.(;]|201[cd]|requires|specifies|is |was |also |in |to |201[34] )"
    r"|-[0-9]{1,2} (?:[,(]|201[cd]|and the)|\.?$"
)


_SECTION = later(r"\. [a-z\"“(\[]")
_ROUNDING = ("round", "truncat", "discard", "omit", "disregard")
_TO_THE = later(r"\b(?:less than|below|under|smaller than|nearest|fractions? of|units? of)(?: an?)? ?[$€£¥₩₹]?$")
_ROUNDED = later(r"\b(?:round(?:ed|ing|s)?|truncated|discarded|omitted|disregarded)\b")
_FAR = 120  # letters between an amount and the word that it is rounded


def numbers_section(text: str, end: int) -> bool:
    """Whether the number that a lower-case text begins with, up to `text[end]`, counts its sections: `1. results`."""
    return end <= 2 and text[:end].isdigit() and _SECTION.match(text, end) is not None


def may_round(text: str) -> bool:
    """Whether a lower-case text may say how its figures are rounded."""
    return any(word in text for word in _ROUNDING)


def rounds(text: str, start: int, end: int) -> bool:
    """Whether an amount is what figures are rounded to: `amounts less than one million yen are rounded down`."""
    if not _TO_THE.search(text[max(0, start - 24) : start].rstrip()):
        return False
    before, behind = text[max(0, start - _FAR) : start].rpartition(". ")[2], text[end : end + _FAR].partition(". ")[0]
    return _ROUNDED.search(before) is not None or _ROUNDED.search(behind) is not None


def is_day(text: str, end: int, digits: str, before: str) -> bool:
    """Whether `digits`, ending at `text[end]`, are the day of a date. before: the token in front of them."""
    if len(digits) > 2 or not digits.isdigit() or not 1 <= int(digits) <= 31:
        return False
    if before in MONTHS or (before.isalpha() and is_month(before)):
        return True
    if text[end : end + 1] in (".", " ") and month_abroad().match(text, end):
        return True
    words = text[end : end + 16].split()
    if not words or words[0].rstrip(",") not in MONTHS:
        return False
    return words[0] not in ("may", "march") or (
        len(words) > 1 and words[1][:2] in ("19", "20") and words[1][:4].isdigit()
    )


def is_glued_to_name(text: str, start: int, follows_name: bool) -> bool:
    """`f-35`, `10b5-1`, `sop 03-1`: a hyphen joins the number at `text[start]` to letters or to a number that names."""
    if text[start - 1 : start] != "-":
        return False
    tokens = text[max(0, start - 24) : start].split()
    return follows_name or tokens[-1].strip("-0123456789.,$%(") != ""


def is_part_of_name(text: str, start: int, end: int, is_whole_text: bool) -> bool:
    """Whether what stands around the number at `text[start:end]` makes it a name.

    `10-k`, `401 ( k )`, `[1]`, `12:53`, `1 ) fuel , 2 ) power`, `500 index`; and where the text is a whole sentence,
    `is_whole_text`, a number that it begins with as if it were the end of `sfas no .`
    """
    if _WITH_LETTER.match(text, end) or _INDEX.match(text, end) or text.endswith("s & p ", 0, start):
        return True
    last, tail = text[start - 1 : start], text[end : end + 2]
    if tail[:1] in ("|", "]", ":") or last in ("|", "[", ":"):
        return True
    is_integer = text[start:end].isdigit()
    if is_integer and tail.strip() == ")":
        return "(" not in text[max(0, start - 80) : start].rpartition(")")[2]
    if not is_whole_text or not is_integer or end - start > 4 or text[:start].strip(" ["):
        return False
    return bool(_AFTER_FIRST_NUMBER.match(text, end))
