"""What is known about words: the hand-written lexicon, plurals, and words that text extraction has glued together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

LEXICON = Path(__file__).parent / "lexicon.toml"


_KEPT = frozenset(["series", "gross", "basis", "analysis", "lens", "texas", "status", "bonus", "campus", "plus"])
_ENDINGS = (("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"))


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """An English noun without its plural ending; other words as they are. Made to compare by, not to be read."""
    if len(word) < 4 or word in _KEPT or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending, replacement in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)] + replacement
    return word[:-1]


class Rule(NamedTuple):
    """What a pattern becomes. anchors: a text without any of these words does not match; None where any text may."""

    pattern: re.Pattern[str]
    to: str
    anchors: frozenset[str] | None


def _rule(patterns: list[str], to: str) -> Rule:
    anchors = [_anchors(pattern) for pattern in patterns]
    together = later("|".join(f"(?:{pattern})" for pattern in patterns))
    return Rule(together, to, frozenset[str]().union(*anchors) if all(anchors) else None)


_ENDS = (("(?: ", " (?:"), ("(?=.*", " (?=.*"), ("\\b", " "), (".*", " "), ("^", " "), ("$", " "))
_GROUP = later(r"(?P<before>.?)\((?P<kind>\?(?:[:=]|<?!))?(?P<inside>[^()]*)\)(?P<behind>[?*]?)(?=(?P<next>.?))")
_CERTAIN = later(r"(?<![^ ])[a-z/]{3,}(?![^ ])")  # one of several words: `sale/revenue`


def _anchors(pattern: str) -> frozenset[str]:
    """Words of which every match of a pattern has one; none where that is not certain.

    >>> _anchors(r"\\bnet (?:operating )?(?:sale|revenue)\\b"), _anchors(r"^expected lives?$")
    (frozenset({'net'}), frozenset({'expected'}))
    >>> sorted(_anchors(r"^(?:total )?(?:sale|revenue)$")), _anchors(r"^(?=.*\\bstatute\\b)(?!.*\\bsettlement\\b).*$")
    (['revenue', 'sale'], frozenset({'statute'}))
    """
    for printed, plain in _ENDS:
        pattern = pattern.replace(printed, plain)
    rest = re.sub(r" \)([?*]?)", r")\1 ", pattern)
    while (fewer := _GROUP.sub(_of_group, rest, count=1)) != rest:
        rest = fewer
    return frozenset(_certain(rest).split("/")) - {""}


def _of_group(group: re.Match[str]) -> str:
    """What is left of an innermost group: the words of which one is in it, where there are such."""
    words = [_certain(each) for each in group["inside"].split("|")]
    stands_alone = group["before"] in ("", " ", "#") and group["next"] in ("", " ", "(")
    is_certain = group["kind"] in ("?:", "?=") and not group["behind"] and stands_alone and all(words)
    return f"{group['before']}{' ' + '/'.join(words) + ' ' if is_certain else '#'}"


def _certain(text: str) -> str:
    """The rarest word that every match of a pattern without groups has, or words of which it has one."""
    found = _CERTAIN.findall(re.sub(r".\?", "#", text))
    return min(found, key=lambda words: (words.count("/"), -len(words)), default="")


class Lexicon(NamedTuple):
    """`lexicon.toml`, compiled."""

    stop: frozenset[str]
    weak: frozenset[str]
    facet: frozenset[str]
    modifier: frozenset[str]
    vague: frozenset[str]
    small: frozenset[str]
    vocabulary: frozenset[str]
    words: dict[str, str]
    rules: tuple[Rule, ...]
    anchored: Mapping[str, Sequence[int]]

    def rules_for(self, text: str) -> list[int]:
        """The numbers of the rules that may match a text, the first of them last. anchored: those of any text by ""."""
        found = {number for word in {"", *text.split()} for number in self.anchored.get(word, ())}
        return sorted(found, reverse=True)


@cache
def lexicon() -> Lexicon:
    """The hand-written lexicon, read once."""
    raw = read_toml(LEXICON)
    rules = tuple(_rule(rule["from"], rule["to"]) for rule in raw["rule"])
    written = " ".join([raw["vocabulary"], raw["stop"], raw["weak"], *raw["words"].values(), *raw["words"]])
    written += " " + " ".join(
        word for rule in raw["rule"] for e in rule["from"] for word in re.findall(r"[a-z]{3,}", e)
    )
    anchored: dict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        for word in ("",) if rule.anchors is None else rule.anchors:
            anchored[word].append(number)
    return Lexicon(
        stop=frozenset(raw["stop"].split()),
        weak=frozenset(raw["weak"].split()),
        facet=frozenset(raw["facet"].split()),
        modifier=frozenset(raw["modifier"].split()),
        vague=frozenset(raw["vague"].split()),
        small=frozenset(raw["small"].split()),
        vocabulary=frozenset(map(singular, written.split())),
        words=raw["words"],
        rules=rules,
        anchored=anchored,
    )


@lru_cache(maxsize=20_000)
def apart(word: str) -> str:
    """A word that text extraction has glued together, as its words; any other as it is.

    >>> apart("averageuseful"), apart("ofpublicly"), apart("depreciation")
    ('average useful', 'of publicly', 'depreciation')
    """
    known, small = lexicon().vocabulary, lexicon().small
    if len(word) < 6 or not word.isalpha() or singular(word) in known:
        return word
    for cut in range(len(word) - 2, 1, -1):
        first, rest = word[:cut], word[cut:]
        if first not in small and not (len(first) > 3 and singular(first) in known):
            continue
        if rest in small or (len(rest) > 3 and singular(rest) in known):
            return f"{first} {rest}"
        if len(rest) > 5 and (split := apart(rest)) != rest:
            return f"{first} {split}"
    return word
