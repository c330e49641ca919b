"""Which property a printed label means: that of the same label, or of one that differs in empty words or in spelling
alone, or one of which the label names a special case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rapidfuzz import fuzz, process

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import may_be_one
from tieout.ontology.labels.concept import Key, key, strong, words
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import lexicon
from tieout.ontology.tbox.term import Match, MatchedBy, Property

SAME_WORDS = 97.0  # the label was never seen, but its words, synonyms made one, are those of a known label
SAME_STRONG_WORDS = 92.0  # the same but for words such as `total`, which a label may have or lack
ALIKE = 90.0  # of 100: the least likeness of two labels, letter by letter, that differ in spelling alone
NARROWER_LABEL = 80.0  # `europe net sales` is a special case of `net sales`
NARROWER_PLACE = 70.0  # a row under the heading or the column header that names the property
NARROWER_TABLE = 60.0  # a row of a table all of whose rows are parts of one thing, or measured by one thing
SENTENCE = 40  # words in front of a table that say what it measures
LONGEST_NAME = 6  # words
# Where the main phrase of a label ends: `loss on sale of land` is a loss.
_MAIN_PHRASE = later(
    r" (?:of|for|in|on|from|to|at|with|by|under|per|as|where|that|which|excluding|including|before|after|net of)\b"
)
_OF = later(r" (?:of|for|from|in|to|at|with|by|under)\b")  # what follows says of what, not another item
_EMPTY = frozenset(
    ("other", "total", "balance", "amount", "value", "number", "year", "change", "percent", "item", "net")
)
_AND = frozenset(("and", "or"))  # of two things joined, neither stands for both
# Words by which a sentence announces a table.
_ANNOUNCED = frozenset(
    "following follow below table summary summarize summarized present presented schedule detail component consist "
    "consisted comprised breakdown shown show forth were are".split()
)
_LAST_SENTENCE = later(r"(?<=[a-z)]) [.;] ")

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Qualified:
    """A label as a special case of a property. facet: in what it is special, where that is but a quality, else ""."""

    item: Property
    facet: str


class Matcher:
    """Looks labels up in dictionaries made once; what a label means is remembered."""

    def __init__(self, properties: Sequence[Property]) -> None:
        self._by_name = {item.name: item for item in properties}
        self._exact: dict[str, list[Property]] = {}
        self._alternative: dict[str, list[Property]] = {}
        self._words: dict[Key, list[Property]] = {}
        self._strong: dict[Key, list[Property]] = {}
        for item in properties:
            _add(self._exact, normalise(item.label), item)
            for label in (item.label, *item.alternatives):
                _add(self._alternative, normalise(label), item)
                _add(self._words, key(label), item)
                _add(self._strong, strong(key(label)), item)
        self._heads = _Heads(self._strong)
        self._spellings: dict[frozenset[str], list[str]] = {}
        for text in sorted(self._alternative):
            self._spellings.setdefault(_beginnings(text), []).append(text)
        self._seen: dict[tuple[str, str | None], tuple[Match, ...]] = {}
        self._qualified: dict[str, Qualified | None] = {}

    def match(self, label: str, unit: str | None = None) -> tuple[Match, ...]:
        """See `Ontology.match_property`."""
        asked = (label, unit)
        if asked not in self._seen:
            self._seen[asked] = self._match(label, unit)
        return self._seen[asked]

    def _match(self, label: str, unit: str | None) -> tuple[Match, ...]:
        plain, same = normalise(label), key(label)
        if not plain or not same:
            return ()
        for found, by, score in (
            (self._exact.get(plain), MatchedBy.EXACT, 100.0),
            (self._alternative.get(plain), MatchedBy.ALTERNATIVE, 100.0),
            (self._words.get(same), MatchedBy.FUZZY, SAME_WORDS),
            (self._strong.get(strong(same)), MatchedBy.FUZZY, SAME_STRONG_WORDS),
        ):
            if found:
                return _ranked(found, by, score, unit)
        return self._spelled(plain, unit)

    def _spelled(self, plain: str, unit: str | None) -> tuple[Match, ...]:
        """A label that differs from a known one in the spelling of its words alone."""
        alike = self._spellings.get(_beginnings(plain), ())
        near = process.extract(plain, alike, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=5)
        fitting = [(score, text) for text, score, _ in near if _misspelled(plain, text)]
        best = max((score for score, _ in fitting), default=0.0)
        found = [item for score, text in fitting if score == best for item in self._alternative[text]]
        return _ranked(list(dict.fromkeys(found)), MatchedBy.FUZZY, round(best * SAME_STRONG_WORDS / 100, 1), unit)

    def narrower(self, label: str) -> tuple[Match, ...]:
        """The property of which a label names a special case: its main phrase ends in the words of the property, the
        rest says only where, for whom or in which part."""
        found = self.qualified(label)
        if found is None:
            return ()
        return (Match(found.item.name, found.item.label, MatchedBy.NARROWER, NARROWER_LABEL, (f"label {label!r}",)),)

    def qualified(self, label: str) -> Qualified | None:
        """As `narrower`, with what the label has besides."""
        if label not in self._qualified:
            self._qualified[label] = self._heads.of(label)
        return self._qualified[label]

    def names_nothing(self, label: str) -> bool:
        """Whether a label is a name, of a place, a product or a part, and has no word of a line item in it."""
        return lexicon().modifier.isdisjoint(words(label).split())

    def narrower_in(self, place: str, text: str, score: float = NARROWER_PLACE) -> tuple[Match, ...]:
        """The property named by what stands over a line. place: which of the texts it is, for the evidence."""
        return tuple(
            Match(match.name, match.label, MatchedBy.NARROWER, score, (f"{place} {text!r}",))
            for match in (self.match(text) or self.narrower(text))[:1]
            if not set(key(match.label)) <= _EMPTY
        )

    def spoken_of(self, text: str) -> Match | None:
        """The first property that the last sentence of a text names: `capital expenditures were as follows`."""
        said = normalise(_LAST_SENTENCE.split(text.rstrip(" .:"))[-1]).split()[-SENTENCE:]
        if _ANNOUNCED.isdisjoint(said):
            return None
        for start in range(len(said)):
            for end in range(min(len(said), start + LONGEST_NAME), start + 1, -1):
                named = " ".join(said[start:end])
                found = self._alternative.get(named)
                if found and not set(key(named)) <= lexicon().vague:
                    best = _ranked(found, MatchedBy.NARROWER, NARROWER_TABLE, None)[0]
                    return replace(best, evidence=(f"sentence {named!r}",))
        return None


class _Heads:
    """The properties by the words of their labels, to find the one that a longer label is a special case of."""

    def __init__(self, properties: dict[Key, list[Property]]) -> None:
        vague = lexicon().vague
        self._by_key = {frozenset(name): items[0] for name, items in properties.items() if not set(name) <= vague}
        self._known = frozenset(word for name in self._by_key for word in name) | lexicon().modifier

    def of(self, label: str) -> Qualified | None:
        """The property whose words end the main phrase of the label. What the phrase has in front of them may only say
        where, for whom or which: `deferred revenue` is no revenue."""
        text = words(label)
        main = _MAIN_PHRASE.sub("|", text, count=1).partition("|")[0]
        said, rest = _content(main), text[len(main) :]
        if not _AND.isdisjoint(text.split()) or not (rest == "" or _OF.match(rest)):
            return None
        for start in range(len(said)):
            item = self._by_key.get(frozenset(said[start:]))
            if item and (start or rest) and self._only_qualified(said[:start]):
                is_facet = not rest and all(word in lexicon().facet for word in said[:start])
                return Qualified(item, " ".join(said[:start]) if is_facet else "")
        return None

    def _only_qualified(self, rest: Iterable[str]) -> bool:
        return all(word in lexicon().facet or word not in self._known for word in rest)


def _content(text: str) -> list[str]:
    return [word for word in text.split() if word not in lexicon().stop and word not in lexicon().weak]


def _ranked(found: Sequence[Property], by: MatchedBy, score: float, unit: str | None) -> tuple[Match, ...]:
    ranked = sorted(found, key=lambda item: (not _has_unit(item, unit), -item.support, item.name))
    return tuple(Match(item.name, item.label, by, score) for item in ranked)


def _has_unit(item: Property, unit: str | None) -> bool:
    """Whether training pages have amounts of a property in this unit."""
    return unit is not None and any(may_be_one(unit, each) for each in item.units)


def _beginnings(text: str) -> frozenset[str]:
    """How its words begin, which a slip of spelling leaves as it is."""
    return frozenset(word[:2] for word in text.split())


def _misspelled(one: str, other: str) -> bool:
    """Whether every word of one is a word of the other, or a long word nearly like it."""
    left, right = set(one.split()) - set(other.split()), set(other.split()) - set(one.split())
    return len(left) == len(right) <= 2 and all(
        any(len(a) > 5 and a[:2] == b[:2] and fuzz.ratio(a, b) >= ALIKE for b in right) for a in left
    )


def _add(index: dict[Entry, list[Property]], entry: Entry, item: Property) -> None:
    into = index.setdefault(entry, [])
    if item not in into:
        into.append(item)
