"""The names of companies: what is one name, how one is shortened, and which companies the words of a question name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

BRANDS = Path(__file__).with_name("brands.toml")
LEGAL = frozenset(
    "inc incorporated corp corporation company co ltd limited llc llp lp plc ag gmbh kgaa se nv bv sa spa ab asa oyj "
    "as pty bhd trust cos companies the new de &".split()
)
# Words of names that by themselves say which company is meant to nobody.
_COMMON = frozenset(
    "american america national international united general first global financial group holdings holding industries "
    "energy technologies technology services systems capital bank bancorp partners resources pharmaceuticals health "
    "union pacific atlantic western eastern northern southern central standard home best foot state texas instruments "
    "micro devices digital data media networks software platforms solutions brands foods motors electric automotive "
    "products entertainment communications and of for in on at by to a an target gap block match visa dynamics express "
    "insurance life mills walt old new dominion real estate properties realty income trust fund steel oil gas water "
    "power air lines airlines the total assets cash sales net revenue apple".split()
) - {"apple"}
_WORD = later(r"[^\W_]+(?:[&.'’-][^\W_]+)*&?")
_BREAK = later(r"[^a-z0-9&]+")
_POSSESSIVE = later(r"['’]s?$")
# What people write behind a name, whatever its registrant does: `Zeph Corp` of Zeph Corporation.
_FORM = later(r",? (?:inc|corp|corporation|co|company|companies|ltd|limited|llc|llp|lp|plc|ag|nv)$", re.IGNORECASE)
_BARE_S = later(r"(?<=[a-z]{3})s$")  # `verizons`, as it is typed in haste
_NUMBERED = later(r"[a-z]\d|\d[a-z]")  # `c3` of C3.ai, `3m`
THE_COMPANY = "the company"  # words that tell no figure from another
MOST_WORDS = 7
LEAST_LETTERS = 3  # of a word of a name that is cut short
MOST_NAMES = 65_536  # that are read once
MOST_READ = 64  # texts in which companies are looked for once


class Mention(NamedTuple):
    """A company that words name. key: of the company. start, end: the span of the words."""

    key: str
    start: int
    end: int


@lru_cache(maxsize=MOST_NAMES)
def plain(name: str) -> str:
    """A name in lower case, its words apart: `COCA-COLA CO.` is `coca cola co`."""
    joined = re.sub(r"(?<=\b\w)\.(?=\w\b)", "", name.lower().replace("’", "'").replace("'", ""))
    return _BREAK.sub(" ", joined).strip()


@lru_cache(maxsize=MOST_NAMES)
def short(name: str) -> str:
    """A name without what the law calls a company: `The Coca-Cola Company` is `coca cola`."""
    words = plain(name).split()
    while len(words) > 1 and words[0] == "the":
        words.pop(0)
    while len(words) > 1 and words[-1] in LEGAL:
        words.pop()
    return " ".join(words)


def initials(name: str) -> str:
    """`AMD` for Advanced Micro Devices, Inc.; "" for a name of one word."""
    words = [word for word in short(name).split() if word not in ("of", "and", "&")]
    return "".join(word[0] for word in words).upper() if len(words) > 1 else ""


def bare(words: str) -> str:
    """A name without what makes it a possessive: `Orris's` is `Orris`."""
    return _POSSESSIVE.sub("", words)


@lru_cache(maxsize=1)
def brands() -> Mapping[str, tuple[str, ...]]:
    """What people call companies, by the short name of the registrant."""
    return {short(name): tuple(called) for name, called in read_toml(BRANDS).items()}


class Directory:
    """All names of some companies. given: the names of each by its key, the registrant's first; tickers: by key."""

    def __init__(self, given: Mapping[str, Sequence[str]], tickers: Mapping[str, str]) -> None:
        self._whole: dict[str, set[str]] = defaultdict(set)  # in lower case
        self._marks: dict[str, set[str]] = defaultdict(set)  # as written: tickers and initials
        parts: dict[str, set[str]] = defaultdict(set)
        inner: dict[str, set[str]] = defaultdict(set)
        for key, names in given.items():
            for name in names:
                self._whole[plain(name)].add(key)
                self._whole[short(name)].add(key)
                self._whole[short(name).replace(" ", "")].add(key)  # as it is typed in haste: `homedepot`
                for part in (*_beginnings(short(name)), *_beginnings(plain(name))):
                    parts[part].add(key)
                for part in _words(short(name)):
                    inner[part].add(key)
                for called in brands().get(short(name), ()):
                    if called.isupper() and len(called) < 5:
                        self._marks[called].add(key)
                    if not called.isupper() or len(called) > 2:
                        self._whole[plain(called)].add(key)  # `jpm`, as it is typed in haste
                if len(initials(name)) > 1:
                    self._marks[initials(name)].add(key)
        for key, ticker in tickers.items():
            self._marks[ticker] = {key}  # an exchange lists one company under it
        for part, keys in parts.items():
            if len(keys) == 1:
                self._whole.setdefault(part, set()).update(keys)
        self._inner = {part: keys for part, keys in inner.items() if len(keys) == 1 and part not in self._whole}
        self._registrants = {short(name) for names in given.values() for name in names}
        self._registrants |= {plain(called) for name in self._registrants for called in brands().get(name, ())}
        self._read: dict[str, tuple[Mention, ...]] = {}
        self._begun: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for key, names in given.items():
            for words in {tuple(short(name).split()) for name in names}:
                self._begun[words[0][:LEAST_LETTERS]].append(([*words], key))

    def named(self, words: str) -> set[str]:
        """The keys of the companies that words by themselves name, in whatever letters."""
        mark = words.strip().upper()
        found = self._whole.get(plain(words)) or self._whole.get(short(words)) or self._marks.get(mark)
        return set(found or self._inner.get(plain(words)) or ())

    def mentions(self, text: str) -> Sequence[Mention]:
        """The companies that a text names, from left to right, the longest names first. A name that several have names
        none of them. The last texts are looked through once: a question is asked of it many times."""
        found = self._read.get(text)
        if found is None:
            if len(self._read) == MOST_READ:
                self._read.clear()
            found = self._read[text] = tuple(self._mentions(text))
        return found

    def _mentions(self, text: str) -> Iterator[Mention]:
        found = list(_WORD.finditer(text)) if self._marks or self._whole or self._inner or self._begun else []
        at = 0
        while at < len(found):
            for length in range(min(MOST_WORDS, len(found) - at), 0, -1):
                start, end = found[at].start(), found[at + length - 1].end()
                keys = self._at(text[start:end])
                if len(keys) == 1:
                    yield Mention(next(iter(keys)), start, end)
                    at += length
                    break
            else:
                at += 1

    def _at(self, words: str) -> set[str]:
        bare = _POSSESSIVE.sub("", words)
        if marked := self._marks.get(bare) or self._marks.get(words):
            return marked
        is_name = any(char.isupper() for char in words)
        is_short = len(bare) < (3 if bare in self._registrants else 4) and not _NUMBERED.fullmatch(bare)
        if not is_name and (bare in _COMMON or is_short):
            return set()
        ways = (words, bare, _BARE_S.sub("", words), _FORM.sub("", bare))
        found = next(filter(None, (self._whole.get(plain(each)) for each in ways)), None)
        return found or (self._inner.get(plain(bare)) if is_name else None) or self._cut_short(plain(bare).split())

    def _cut_short(self, words: list[str]) -> set[str]:
        """The keys of the companies whose names these words are, one of them cut short: `gen mills`, `abbott labs`."""
        if len(words) < 2 or min(map(len, words)) < LEAST_LETTERS:
            return set()
        begun = (each for each in self._begun.get(words[0][:LEAST_LETTERS], ()) if len(each[0]) == len(words))
        odd = [(key, [pair for pair in zip(words, name, strict=True) if pair[0] != pair[1]]) for name, key in begun]
        return {key for key, pairs in odd if len(pairs) == 1 and pairs[0][1].startswith(pairs[0][0].removesuffix("s"))}


def _beginnings(name: str) -> Iterator[str]:
    """The first words of a name, which may stand for it where only one company has them."""
    words = name.split()
    is_telling = len(words[0]) > 2 or _NUMBERED.fullmatch(words[0]) is not None
    if len(words) > 1 and is_telling and words[0] not in _COMMON:
        yield words[0]
    yield from (" ".join(words[:length]) for length in range(2, len(words)))


def _words(name: str) -> Iterator[str]:
    """The later words of a name, which stand for it where they are written as names are."""
    yield from (word for word in name.split()[1:] if len(word) > 3 and word not in _COMMON and word not in LEGAL)


def in_general(text: str, mentions: Sequence[Mention]) -> str:
    """A text with the companies that are named in it called so: `Apple's net sales` as `the company's net sales`."""
    for _, start, end in reversed(mentions):
        is_possessive = bare(text[start:end]) != text[start:end]
        text = text[:start] + THE_COMPANY + ("'s" if is_possessive else "") + text[end:]
    return text
