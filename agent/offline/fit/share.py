"""A question for a share, taken apart into the words of the part and those of the whole.

>>> part_and_whole("What share of net sales came from Europe in 2024?")
(' europe in 2024', 'net sales ')
"""

from __future__ import annotations

import re

_PART = r"(?:percentage|percent|per cent|%|share|proportion|portion|fraction)"
# A share with the part and the whole of it, each told by its own words: the part is `part`, the whole `whole`.
_SHARES_OF = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?P<part>.*?)\b(?:as|in) an? {_PART} (?:of|to)\b(?P<whole>.*)",
        rf"\b(?:what|which|how large an?) {_PART} of (?P<whole>.*?)\b(?:came|comes|come|was|were|is|are|did|does)\b"
        r"(?: (?:from|in|of|due to|made up (?:of|by)|generated (?:by|in)|earned (?:by|in)))?(?P<part>.*?)"
        r"(?:\b(?:account for|make up|contribute|represent|earn|generate)\b.*)?$",
        r"\bhow many (?:percent|per cent) of (?P<whole>.*?)\b(?:was|were|is|are)\b(?P<part>.*)",
        r"\bratio of (?P<part>.*?) to (?P<whole>.*)",
        r"^(?P<part>.*?)\b(?:divided by|relative to)\b(?P<whole>.*)",
    )
)
_MAY_BE_SHARE = re.compile(rf"\b{_PART}\b|\bratio of\b|\b(?:divided by|relative to)\b")
LONGEST = 300  # characters of a question for a share that is taken apart


def part_and_whole(question: str) -> tuple[str, str] | None:
    """What a question says of the part and of the whole, in lower case; None where it asks for no share of this form,
    or is too long to be taken apart."""
    lower = question.lower().rstrip(" ?.")
    if len(lower) > LONGEST or not _MAY_BE_SHARE.search(lower):
        return None
    found = next(filter(None, (pattern.search(lower) for pattern in _SHARES_OF)), None)
    return None if found is None else (found["part"], found["whole"])
