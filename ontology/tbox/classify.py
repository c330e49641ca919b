"""Which kind of entity a table describes: by its labels and by the sentences in front of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml
from tieout.ontology.labels.concept import key, words
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import lexicon
from tieout.ontology.tbox.match import NARROWER_TABLE, Matcher
from tieout.ontology.tbox.term import Match, MatchedBy, Measure, OntologyClass, Property

CORE = Path(__file__).parent / "classes.toml"
TEXT_WEIGHT = 20.0  # points for a phrase in the sentences
LABEL_WEIGHT = 100.0  # points if every label speaks for a class
LEARNED_WEIGHT = 0.5  # of a label that other tables of the class have, against 1 for one that names it
LEAST_SCORE = 5.0
_PLAIN = later(r"\^?[a-z0-9& -]+\$?")
SURE_SCORE = 40.0  # from which all lines of a table are taken as parts of what its class is about


class Probe:
    """Says quickly of which classes a text has a pattern: most patterns are plain words, and most are not in it."""

    def __init__(self, patterns: Mapping[str, Sequence[str]]) -> None:
        plain = [(each, name) for name, of_class in patterns.items() for each in of_class if _PLAIN.fullmatch(each)]
        self._words = [(word.replace("^", "\n").replace("$", "\n"), name) for word, name in plain]
        others = {name: "|".join(each for each in patterns[name] if (each, name) not in plain) for name in patterns}
        self._others = [(later(pattern, re.MULTILINE), name) for name, pattern in others.items() if pattern]

    def hits(self, text: str) -> set[str]:
        """text: lines, with a line end before the first and behind the last. Returns names of classes."""
        found = {name for word, name in self._words if word in text}
        return found.union(name for pattern, name in self._others if name not in found and pattern.search(text))


@dataclass(frozen=True, slots=True)
class CoreClass:
    """A class as `classes.toml` describes it. labels, text: patterns, compiled when first tried. always: whether every
    TBox has it."""

    name: str
    label: str
    parent: str
    labels: str
    text: tuple[str, ...]
    close: str | None
    parts: str
    members: str
    always: bool


@cache
def _written() -> dict[str, Any]:
    return read_toml(CORE)


_compiled = cache(later)


@cache
def core() -> Mapping[str | None, CoreClass]:
    """The hand-written classes by name, in their order."""
    return {
        name: CoreClass(
            name,
            item["label"],
            item["parent"],
            "|".join(item["labels"]),
            tuple(item["text"]),
            item.get("close"),
            item.get("parts", ""),
            item.get("members", ""),
            item.get("always", False),
        )
        for name, item in _written().items()
    }


@cache
def _probes() -> tuple[Probe, ...]:
    """For the labels and for the text."""
    return tuple(Probe({name: item[what] for name, item in _written().items()}) for what in ("labels", "text"))


@dataclass(frozen=True, slots=True)
class Vote:
    """What speaks for a class. score: 0 to 100. labels, phrases: the evidence, of labels and of sentences."""

    name: str
    score: float
    labels: tuple[str, ...]
    phrases: tuple[str, ...]


def votes(
    labels: Sequence[str], text: str, learned: Mapping[str, Mapping[str, float]] = MappingProxyType({})
) -> list[Vote]:
    """The core classes that labels and sentences speak for, strongest first.

    learned: by label, the share of a vote that each class gets because it has that line item.
    """
    plain = text.lower()
    worded = [(label, words(label)) for label in labels]
    forms = "\n".join(("", *(form for _, form in worded), ""))
    by_name: dict[str, dict[str, float]] = {}
    for label in labels:
        for name, share in learned.get(label, {}).items():
            by_name.setdefault(name, {})[label] = share
    named, told = (probe.hits(lines) for probe, lines in zip(_probes(), (forms, f"\n{plain}\n"), strict=True))
    found = []
    for item in map(core().__getitem__, named | told | by_name.keys()):
        said, phrases = [], []
        if item.name in named:
            said = [label for label, form in worded if _compiled(item.labels).search(form)]
        if item.name in told:
            phrases = [match[0] for pattern in item.text if (match := _compiled(pattern).search(plain))]
        also = {label: share for label, share in by_name.get(item.name, {}).items() if label not in said}
        if not (said or phrases or also):
            continue
        of_labels = (len(said) + LEARNED_WEIGHT * sum(also.values())) / max(1, len(labels))
        score = round(min(100.0, LABEL_WEIGHT * of_labels + TEXT_WEIGHT * len(phrases)), 1)
        if score >= LEAST_SCORE:
            evidence = dict.fromkeys(said + [label for label, share in also.items() if share])
            found.append(Vote(item.name, score, tuple(evidence), tuple(phrases)))
    return sorted(found, key=lambda vote: (-vote.score, vote.name))


class Classifier:
    """Gives tables the classes that a TBox holds."""

    def __init__(self, classes: Sequence[OntologyClass], properties: Sequence[Property], matcher: Matcher) -> None:
        known = (item for item in classes if item.support or item.name not in core() or not core()[item.name].always)
        self._classes = {item.name: item for item in known}  # what no training table shows, no words speak for
        self._shares = {item.name: {name: 1 / len(item.domains) for name in item.domains} for item in properties}
        self._matcher = matcher

    def match(self, labels: Sequence[str], text: str) -> tuple[Match, ...]:
        """See `Ontology.match_class`."""
        learned = {label: self._shares[found[0].name] for label in labels if (found := self._matcher.match(label))}
        return tuple(
            Match(
                vote.name,
                self._classes[vote.name].label,
                MatchedBy.FUZZY,
                vote.score,
                (*(f"label {label!r}" for label in vote.labels), *(f"sentence {text!r}" for text in vote.phrases)),
            )
            for vote in votes(labels, text, learned)
            if vote.name in self._classes
        )

    def measure(self, lines: Sequence[str], text: str, entity: Match | None) -> Measure | None:
        """See `Ontology.match_measure`."""
        known = core().get(entity.name) if entity else None
        if (
            entity
            and known
            and entity.score >= SURE_SCORE
            and (found := self._named(known.parts, f"{known.label} table"))
        ):
            return Measure(found, True)
        named = [label for label in lines if normalise(label) and not set(key(label)) <= lexicon().vague]
        members = [label for label in named if not self._matcher.match(label)]
        if 2 * len(members) < len(named):
            return None
        found = self._matcher.spoken_of(text)
        if not found and known:
            found = self._named(known.members or known.parts, f"{known.label} table")
        return Measure(found, False) if found else None

    def _named(self, label: str, evidence: str) -> Match | None:
        return next(
            (
                Match(match.name, match.label, MatchedBy.NARROWER, NARROWER_TABLE, (evidence,))
                for match in self._matcher.match(label)
            ),
            None,
        )
