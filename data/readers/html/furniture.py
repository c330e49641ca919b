"""What a printed page repeats: page numbers, running heads and feet, links back to the table of contents.

They belong to the page and not to the report: nothing is measured by them, and what goes on over a page goes on over
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tieout.data.printed.pattern import later

EDGE = 4  # blocks at the head and at the foot of a page among which furniture is looked for
LEAST_REPEATS = 3
_NUMBER = later(
    r"(?:page\s*)?[-–—]?\s*(?:[A-Z]{1,2}-)?[0-9]{1,4}\s*[-–—]?(?:\s*of\s*(?:[A-Z]{1,2}-)?[0-9]{1,4})?|[ivxl]{1,7}",
    re.IGNORECASE,
)
_CONTENTS = later(
    r"(?:back to |return to )?(?:table of contents|index to financial statements|contents|index|toc)", re.IGNORECASE
)
_DIGITS = later(r"[0-9]+|\b[ivxl]+\b", re.IGNORECASE)
_LONGEST = 160
_SAYS = later(
    r"\b(?:thousand|million|billion|lakh|crore|dollar|euro|pound)s?\b|\b(?:ended|expressed|stated|currency)\b"
    r"|[$€£¥]|\b000s?\b",
    re.IGNORECASE,
)


def is_page_number(words: str) -> bool:
    """Whether a text is a page number and nothing else: `34`, `F-12`, `Page 3 of 10`, `- 7 -`."""
    return bool(_NUMBER.fullmatch(words))


def find_furniture(texts: Sequence[str | None], pages: Sequence[int]) -> set[int]:
    """The indices of blocks that are furniture. texts: of each block, None for a table. pages: of each block.

    A text is furniture where it stands at the edge of a page and other pages have the same at theirs, numbers aside,
    or where it is a page number there. A page that ends in nothing is not looked at: a saved page has one.
    """
    edges = _edges(texts, pages)
    common = Counter(masked(texts[index] or "") for index in edges)
    found = set()
    for index in edges:
        words = texts[index] or ""
        if is_page_number(words) or _CONTENTS.fullmatch(words) or common[masked(words)] >= LEAST_REPEATS:
            found.add(index)
    return found


def says_what_holds(words: str) -> bool:
    """Whether a text says what holds for amounts: `(in millions)` is at the head of many pages, and means it there."""
    return bool(_SAYS.search(words))


def masked(words: str) -> str:
    """A text but for its numbers."""
    return _DIGITS.sub("0", words.lower())


def _edges(texts: Sequence[str | None], pages: Sequence[int]) -> list[int]:
    """Short texts at the head or the foot of a page that others follow or precede, in order."""
    by_page: dict[int, list[int]] = {}
    for index, page in enumerate(pages):
        by_page.setdefault(page, []).append(index)
    if len(by_page) < 2:
        return []
    found: set[int] = set()
    for indices in by_page.values():
        for edge in (indices[:EDGE], indices[: -EDGE - 1 : -1]):
            for index in edge:
                words = texts[index]
                if words is None or len(words) > _LONGEST:
                    break
                if not says_what_holds(words):
                    found.add(index)
    return sorted(found)
