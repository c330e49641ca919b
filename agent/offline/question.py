"""What a question asks: its words, the measure it names, years, numbers, and its sides around a connector."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from tieout.agent.offline.words import ASKING_STEMS, stems, words

YEAR = re.compile(r"\b(?:19[5-9]\d|20[0-4]\d)\b")
SHORT_DATE = re.compile(r"\b\d{1,2}/(?:\d{1,2}/)?(\d{4}|\d{2})\b")
NUMBER = re.compile(r"(?<![\w./,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/]|-[a-z]|,?\d)")
PARTS = "percentage|percent|portion|proportion|share|fraction|part"
SPLIT = re.compile(
    r"\b(?:in relation to|relative to|compared (?:to|with)"
    rf"|(?:as|is) an? (?:{PARTS}) of|divided? by|over the|over|less|minus|plus|added to|multiplied by|versus"
    r"|dedicated to|allocated to|attributable to|attributed to|related to|due to|represented by|outperform)\b"
)
SHARE = re.compile(
    rf"\b(?:{PARTS}) (?:of|from)\b(.*?)"
    r"\b(?:is|are|was|were|did|does|do|in|comes?|came)\b(.*)"
)
RATIO = re.compile(r"\bratio (?:of|between)\b(.*?)\b(?:to|and)\b(.*)")

NUMBER_WORDS = {
    word: Decimal(value)
    for value, names in {
        1: "one",
        2: "two both half",
        3: "three third",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        12: "twelve",
    }.items()
    for word in names.split()
}

POINTING = re.compile(r"\b(?:that|this|these|those|it|its|them|they|their|the (?:same|former|latter|two))\b")
POINTED = re.compile(
    r"\b(?:that|this|these|those|the (?:first|second|last|former|latter|previous|above))\b((?: [a-z0-9/-]+){1,4})"
)
CALLED = {
    operation: re.compile(rf"\b(?:{names})\b")
    for operation, names in {
        "subtract": r"chang\w+|differen\w+|varia\w+|fluctuation|increase|decrease|decline|reduction|rise|growth",
        "add": "sum|totals?|combined",
        "divide": r"percent\w*|ratio|portion|proportion|share|quotient|rate|fraction|average",
        "multiply": "product",
    }.items()
}

SCALE = re.compile(r"\b(?:in|to)(?: the| full| us)* (dollars|thousands?|millions?|billions?)\b")
SCALE_WORDS = {
    "dollars": 1,
    **{f"thousand{s}": 1000 for s in ("", "s")},
    **{f"million{s}": 10**6 for s in ("", "s")},
    **{f"billion{s}": 10**9 for s in ("", "s")},
}


OPENING = re.compile(r"\b(?:beginning|start|opening)\b")
CLOSING = re.compile(r"\b(?:end|ending|closing|balance|as of|outstanding)\b|\bat \w+ \d{1,2}\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as read.

    words: in order. named: stems that may name a measure or an entity; asking: stems of words that only say how it is
        asked.
    years: calendar years in the order they are mentioned. numbers: other numbers, with their spans.
    left, right: stems before and after the word that connects two operands (`as a percentage of`, `divided by`), with
        their years; for a share (`what portion of A is due to B`) left is the part and right the whole.
    pointing: which of the sides has a word for something said before: `left`, `right`, `both` or `neither`; "" where
        there are no sides. called: the operations whose results it points at by a name: `that difference`.
    """

    text: str
    words: tuple[str, ...]
    named: tuple[str, ...]
    asking: tuple[str, ...]
    pairs: frozenset[tuple[str, str]]
    digits: frozenset[str]
    years: tuple[int, ...]
    numbers: tuple[tuple[Decimal, int, int], ...]
    literals: tuple[Decimal, ...]
    counts: frozenset[Decimal]
    scales: tuple[int, ...]
    left: frozenset[str]
    right: frozenset[str]
    left_years: tuple[int, ...]
    right_years: tuple[int, ...]
    pointing: str
    called: frozenset[str]


def moment_of(lower: str) -> str:
    """Which balance a question in lower case asks for: `opening`, `closing`, or `plain` where it does not say."""
    return "opening" if OPENING.search(lower) else "closing" if CLOSING.search(lower) else "plain"


@lru_cache(maxsize=16384)
def years_in(text: str) -> tuple[int, ...]:
    """Calendar years mentioned in the text, in order, each once; `12/31/07` is 2007."""
    found = [(match.start(), int(match.group())) for match in YEAR.finditer(text)]
    for match in SHORT_DATE.finditer(text):
        digits = match.group(1)
        year = int(digits) if len(digits) == 4 else int(digits) + (1900 if int(digits) > 50 else 2000)
        found.append((match.start(), year))
    return tuple(dict.fromkeys(year for _, year in sorted(found)))


def sides(text: str) -> tuple[str, str]:
    """The two sides of what is compared, the part or the first operand left; both "" where there is no connector."""
    ratio = RATIO.search(text)
    if ratio:
        return ratio.group(1), ratio.group(2)
    split = SPLIT.search(text)
    share = SHARE.search(text)
    if share and (split is None or split.start() > share.start()) and not text[: share.start()].endswith("as a "):
        return share.group(2), share.group(1)
    if split:
        return text[: split.start()], text[split.end() :]
    return "", ""


def _pointing(left: str, right: str) -> str:
    if not (left or right):
        return ""
    points = [side for side, text in (("left", left), ("right", right)) if POINTING.search(text)]
    return "both" if len(points) == 2 else points[0] if points else "neither"


def _called(text: str) -> frozenset[str]:
    pointed = " ".join(match[1] for match in POINTED.finditer(text))
    return frozenset(operation for operation, names in CALLED.items() if names.search(pointed))


@lru_cache(maxsize=1024)
def read_question(text: str) -> Asked:
    """The question as read; nothing is looked up in it but its own words."""
    lower = " ".join(text.lower().split())
    all_stems = stems(lower)
    left, right = sides(lower)
    numbers = tuple(
        (Decimal(match.group().replace(",", "")), match.start(), match.end())
        for match in NUMBER.finditer(text)
        if not YEAR.fullmatch(match.group()) and any(character.isdigit() for character in match.group())
    )
    return Asked(
        text=text,
        words=tuple(words(lower)),
        named=tuple(dict.fromkeys(stem for stem in all_stems if stem not in ASKING_STEMS)),
        asking=tuple(dict.fromkeys(stem for stem in all_stems if stem in ASKING_STEMS)),
        pairs=frozenset(pairwise(all_stems)),
        digits=frozenset(re.findall(r"\d+", lower)),
        years=years_in(lower),
        numbers=numbers,
        literals=tuple(dict.fromkeys(value for value, _, _ in numbers)),
        counts=frozenset(value for value, _, _ in numbers)
        | frozenset(NUMBER_WORDS[word] for word in words(lower) if word in NUMBER_WORDS),
        scales=tuple(SCALE_WORDS[match.group(1)] for match in SCALE.finditer(lower)),
        left=frozenset(stems(left)),
        right=frozenset(stems(right)),
        left_years=years_in(left),
        right_years=years_in(right),
        pointing=_pointing(left, right),
        called=_called(lower),
    )
