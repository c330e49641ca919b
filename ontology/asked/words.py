"""Words of questions and reports brought to one form, and the closed classes of words that ask rather than name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tieout.data.printed.wording import MONTHS as _MONTHS
from tieout.ontology.asked.language import language
from tieout.ontology.labels.label import unaccented, with_country
from tieout.ontology.labels.lexicon import singular

WORD = re.compile(r"\d(?:st|nd|rd|th)\b|[a-z]+(?:&[a-z]+)*|\d+(?:[.,]\d+)*")
SAID = re.compile(r"[^\W_]+(?:&[^\W_]+)?")
_LEAD = re.compile(
    r"\b(from|to|of|by|was|were|with|than|and|or|at|increased|decreased)"
    r"(?: (?:approximately|about|an?|up to|over|nearly|additional|aggregate))* ?$"
)
PRINTED = re.compile(
    r"\b2019s\b|'s\b|201[cd]\b|\bs ?& ?p(?: ?500)?\b|standard (?:&|and) poor(?: 2019|')?s?(?: 500)?"
    r"|\br&d\b|\bu ?\. ?s\b ?\.?|\bu\.s ?\.?|\bunited states(?: of america)?\b"
)
_OF_PRINTED = ("&", "'s", "u.", "u .", "2019s", "201c", "201d", "standard", "united states")  # each has one of them
OF_MONEY = re.compile(r"\b(?:u ?\.? ?s ?\.?|united states) ?(?=\$|dollars?\b|gaap\b)", re.I)  # names no place
_OF_GROWTH = re.compile(r"\b(?:growth|annual) rate\b|\brate of (?:growth|change|increase|decrease)\b")
COUNTRY = re.compile(r"\bUS\b")  # in capitals, or it is the pronoun
POSSESSIVE = re.compile(r"(?<=\w)'s\b|(?<=s)'(?= )|\b2019s\b")
PLAIN = {"r": "research development", "u": "usa", "s": "standardpoor"}
_SHORTENED = re.compile(rf"\b(?:{'|'.join(map(re.escape, language().short))})\b")
_SHORT = frozenset(language().short)

MONTHS = tuple(name for name in _MONTHS if len(name) > 4 or name in ("june", "july", "may"))
LONGEST = 40  # characters of a word that is told back
LEAST_CUT = 3  # letters of a word that is cut short, and more
FUNCTION = language().words["function"]
_PLAIN = FUNCTION | language().words["shared"]
_SAME = {**language().same, **{name[:3]: name for name in MONTHS}}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its ending, as the first of its near synonyms: `revenues` -> `sale`, `maturities` -> `due`."""
    base = word
    if len(base) > 4 and base.endswith("ies"):
        base = base[:-3] + "y"
    elif base.endswith("xes"):
        base = base[:-2]
    elif len(base) > 3 and base.endswith("s") and not base.endswith(("ss", "us", "is")):
        base = base[:-1]
    base = _SAME.get(base, base)
    for ending, least in (("ization", 9), ("ation", 8), ("ing", 6), ("ment", 8), ("ed", 5), ("ly", 6), ("ion", 7)):
        if len(base) >= least and base.endswith(ending):
            base = base[: -len(ending)]
            break
    if len(base) > 4 and base.endswith("e"):
        base = base[:-1]
    return base


@lru_cache(maxsize=16384)
def _words(text: str) -> tuple[str, ...]:
    """Labels and sentences of a report come again with every question about it."""
    lower = _plain(text)
    found = WORD.findall(lower)
    if not _SHORT.isdisjoint(found):
        found = WORD.findall(_SHORTENED.sub(lambda match: language().short[match.group()], lower))
    return tuple(found)


def _plain(text: str) -> str:
    """A text in lower case, with one word for each name. Most texts have nothing that a pattern begins with."""
    text = unaccented(text)
    lower = text.lower()
    if "$" in lower or "dollar" in lower or "gaap" in lower:
        text = OF_MONEY.sub(" ", text)
    lower = COUNTRY.sub("usa", text).lower() if "US" in text else text.lower()
    if not any(map(lower.__contains__, _OF_PRINTED)):
        return lower
    return PRINTED.sub(lambda match: f" {PLAIN.get(match.group()[0], '')} ", lower)


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, numbers among them."""
    return list(_words(text))


def stems(text: str) -> list[str]:
    """The stems of all words that tell one thing from another: neither words of grammar nor numbers."""
    return [stem(word) for word in words(text) if word not in _PLAIN and not word[0].isdigit()]


@lru_cache(maxsize=16384)
def content(text: str) -> tuple[str, ...]:
    """The stems of a text but function words and numbers, in order, each once."""
    found = (stem(word) for word in words(text) if word not in FUNCTION and not word[0].isdigit())
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1)
def manner_stems() -> frozenset[str]:
    """The stems of the words that say how something is asked, or may do so."""
    known = language().words
    manner = {stem(word) for word in known["asking"] | known["common"] | frozenset(MONTHS)}
    return frozenset(manner - {stem(word) for word in known["naming"]})


@lru_cache(maxsize=1)
def amount_stems() -> frozenset[str]:
    """The stems of the words that tell which amount of a thing is meant."""
    return frozenset(stem(word) for word in language().words["amounts"])


def core_of(text: str) -> tuple[str, ...]:
    """The stems of a text that may name something: neither of grammar nor of the manner of asking."""
    return tuple(each for each in content(_OF_GROWTH.sub(" ", text)) if each not in manner_stems())


def as_typed(found: Iterable[str], text: str) -> tuple[str, ...]:
    """Stems of a text, in lower case, as the words that were typed in it."""
    typed = {stem(word): word for word in reversed(words(text))}
    told = (typed.get(each, each) for each in found)
    return tuple(word if len(word) <= LONGEST else f"{word[:LONGEST]}…" for word in told)


def in_order(words: str, question: str) -> str:
    """Words in the order in which a question says them, as it spells them; as they are where it has not all of them."""
    wanted = set(words.split())
    said = {singular(match[0].lower()): match[0] for match in reversed(list(SAID.finditer(with_country(question))))}
    if not wanted <= said.keys():
        return words
    told = (said[word] for word in reversed(said) if word in wanted)
    return " ".join(word if len(word) <= LONGEST else f"{word[:LONGEST]}…" for word in told)


def lead_to(before: str) -> str:
    """The small word that leads to an amount: `from` in `from $ 3 to $ 5`."""
    found = _LEAD.search(before[-40:].lower())
    return found[1] if found else ""


@lru_cache(maxsize=4096)
def initials(label: str) -> frozenset[str]:
    """`united parcel service` may be called `ups`: the first letters of two to five words in a row."""
    letters = "".join([word[0] for word in words(label) if word[0].isalpha() and word not in ("of", "and", "the")])
    return frozenset([letters[:length] for length in range(2, min(len(letters), 5) + 1)])


def is_written_otherwise(typed: str, read: str) -> bool:
    """Whether a word is what another is written as too, and no slip of it: short for it, or as the British do; of
    its singular it is told."""
    typed, read = typed.lower(), read.lower()
    is_cut = len(typed) > LEAST_CUT and read.startswith(typed) and read != f"{typed}s"
    return is_cut or typed.removesuffix("s") in initials(read) or typed.replace("s", "z") == read.replace("s", "z")


def distances(before: str, behind: str) -> dict[str, float]:
    """How many words each stem of what stands around a place is away from it."""
    near: dict[str, float] = {}
    for distance, word in enumerate(reversed(words(before)[-60:])):
        if word not in FUNCTION and not word[0].isdigit():
            near.setdefault(stem(word), float(distance))
    for distance, word in enumerate(words(behind)[:60]):
        if word not in FUNCTION and not word[0].isdigit():
            key = stem(word)
            near[key] = min(near.get(key, 99.0), distance + 2.0)
    return near


def leaves_out(label: str, question: str) -> bool:
    """Whether a label leaves out what a question asks for: `assets net of allowances`, for the allowances."""
    without = language().forms["without what it names"]
    if without.search(question.lower()) is not None or (match := without.search(label.lower())) is None:
        return False
    return not frozenset(content(label[match.end() :])).isdisjoint(
        {*content(question)} - {*content(label[: match.start()])}
    )
