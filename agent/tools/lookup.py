"""Finding facts by name: exactly, then by label, then nearly; what fits no fact, or several, is told, never guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from rapidfuzz import fuzz

from tieout.agent.protocol.tool import ToolError
from tieout.data.printed.periods.period import read_period
from tieout.data.printed.unit import SOME_DOLLAR, may_be_one
from tieout.kg.definition import definition
from tieout.kg.fact import Fact
from tieout.ontology.model import MatchedBy

NEAR_ENOUGH = 85  # of 100
PART_OF = 90  # when one text is a run of whole words of the other
MOST_CANDIDATES = 10
FILTERS = ("year", "period", "segment", "label", "header", "section", "instance", "unit", "kind", "table")
OF_COMPANIES = frozenset(("company", "fiscal_year", "fiscal_period"))  # filters over several filings


@dataclass(frozen=True, slots=True)
class Choice:
    """The names that fit what was asked for. score: 0 to 100."""

    names: tuple[str, ...]
    by: MatchedBy
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """The one fact that fits, and how its property was matched. same: further facts with the very same figure."""

    fact: Fact
    by: MatchedBy
    score: float
    same: tuple[str, ...] = ()


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """A name or label for comparing: camelCase taken apart, lower case, words of letters and digits only."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"[^\W_]+", apart.lower()))


def nearness(one: str, other: str) -> float:
    """How alike two plain texts are, 0 to 100, by rapidfuzz, whatever the order of the words.

    Parts count as whole words only: `pe` is nothing like `europe`, though most partial ratios say so.
    """
    part = f" {one} " in f" {other} " or f" {other} " in f" {one} "
    alike = max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other))
    return max(alike, PART_OF) if part and one and other else alike


def choose(kind: str, wanted: str, choices: Mapping[str, Iterable[str]]) -> Choice:
    """The choices that `wanted` means. choices: local name to its labels.

    Raises ToolError with the candidates and their scores where nothing fits, or where two names fit equally nearly.
    """
    if wanted in choices:
        return Choice((wanted,), MatchedBy.EXACT, 100)
    words = plain(wanted)
    by_name = tuple(name for name in choices if plain(name) == words)
    if by_name:
        return Choice(by_name, MatchedBy.EXACT, 100)
    by_label = tuple(name for name, labels in choices.items() if any(plain(label) == words for label in labels))
    if by_label:
        return Choice(by_label, MatchedBy.ALTERNATIVE, 100)
    scores = {name: max(nearness(words, plain(text)) for text in (name, *labels)) for name, labels in choices.items()}
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    best = [name for name, score in ranked if score >= NEAR_ENOUGH and score == ranked[0][1]]
    if len(best) == 1:
        return Choice((best[0],), MatchedBy.FUZZY, round(ranked[0][1], 1))
    candidates = [
        {"name": name, "score": round(score, 1), "labels": sorted(set(choices[name]))[:5]}
        for name, score in ranked[:MOST_CANDIDATES]
    ]
    problem = f"{kind} {wanted!r} fits {' and '.join(best)} equally well" if best else f"no {kind} fits {wanted!r}"
    hint = f"did you mean {ranked[0][0]!r}? Or refer to a fact by its short name" if ranked else "there is none at all"
    raise ToolError(problem, candidates=candidates, suggestion=hint)


def find(
    facts: Sequence[Fact],
    entity_type: str | None,
    property: str | None,
    filters: Mapping[str, str],
    labels: Mapping[str, Iterable[str]] = MappingProxyType({}),
) -> Found:
    """The one fact of facts that fits. labels: of properties by local name, beside those that are printed.

    Raises ToolError with what there is where none does, or several with different figures.
    """
    left = list(facts)
    if entity_type is not None:
        types = choose("entity type", entity_type, _labels(left, lambda fact: fact.entity_type))
        left = [fact for fact in left if fact.entity_type in types.names]
    choice = Choice((), MatchedBy.EXACT, 100)
    if property is not None:
        known = _labels(left, lambda fact: fact.property, lambda fact: fact.label)
        choice = choose("property", property, {name: (*own, *labels.get(name, ())) for name, own in known.items()})
        left = [fact for fact in left if fact.property in choice.names]
    for key, wanted in sorted(filters.items()):
        left = narrow(left, key, wanted)
    return _only(left, choice)


def find_or_define(
    facts: Sequence[Fact],
    entity_type: str | None,
    property: str | None,
    filters: Mapping[str, str],
    labels: Mapping[str, Iterable[str]],
) -> Found:
    """As `find`; for a term that is not printed under its own name, the error says what it is made of.

    A figure of a name that is only near, as `adjusted EBITDA` is to `EBITDA`, is another one: it is told beside.
    """
    try:
        found = find(facts, entity_type, property, filters, labels)
    except ToolError as error:
        meant = definition(property, facts) if property else None
        if meant is None:
            raise
        raise _not_printed(property or "", meant, error.detail) from error
    if property and found.by is MatchedBy.FUZZY and (meant := definition(property, facts)):
        raise _not_printed(property, meant, {"near": f"{found.fact.name}: {found.fact.label}"})
    return found


def _not_printed(term: str, meant: dict[str, Any], detail: Mapping[str, object]) -> ToolError:
    kept = {key: value for key, value in detail.items() if key != "suggestion"}
    return ToolError(
        f"{term!r} is not printed under this name",
        definition=meant,
        **kept,
        suggestion="calculate it from its parts by the formula, or use the short name of a fact",
    )


def narrow(facts: Sequence[Fact], key: str, wanted: str) -> list[Fact]:
    """The facts that a filter lets through. Raises ToolError for an unknown filter, and where none passes."""
    if key not in FILTERS:
        raise ToolError(f"there is no filter {key!r}; there are: {', '.join(FILTERS)}")
    if key in ("year", "period"):
        passed = _in_period(facts, wanted)
        there = sorted({fact.period.label if fact.period else fact.header for fact in facts})
    else:
        passed = _by_text(facts, key, wanted)
        there = sorted({text for fact in facts for text in _texts(fact, key)})
    if not passed:
        raise ToolError(f"no fact with {key} {wanted!r}", available=there[:30], candidates=candidates(facts))
    return passed


def _in_period(facts: Sequence[Fact], wanted: str) -> list[Fact]:
    period = read_period(wanted)
    if period is not None:
        same = [fact for fact in facts if fact.period is not None and fact.period.key == period.key]
        if same:
            return same
        if wanted.strip().isdigit():
            return [fact for fact in facts if fact.period is not None and fact.period.year == period.year]
    words = plain(wanted)
    return [fact for fact in facts if words in (plain(fact.header), plain(fact.period.label if fact.period else ""))]


def _by_text(facts: Sequence[Fact], key: str, wanted: str) -> list[Fact]:
    words = plain(wanted)
    money, share = re.subn(r"^(?:us )?dollars?\b", SOME_DOLLAR, wanted.lower())[0].partition("/")[::2]
    unit = f"{money.upper()}/{share}" if share else money.upper()
    ways: tuple[Callable[[str], bool], ...] = (
        lambda text: plain(text) == words and (bool(words) or key != "unit"),
        lambda text: key == "unit" and may_be_one(text, unit),
        lambda text: bool(words) and f" {words} " in f" {plain(text)} ",
        lambda text: bool(words) and nearness(words, plain(text)) >= NEAR_ENOUGH,
    )
    for way in ways:
        passed = [fact for fact in facts if any(text and way(text) for text in _texts(fact, key))]
        if passed:
            return passed
    return []


def _texts(fact: Fact, key: str) -> tuple[str, ...]:
    if key == "segment":
        return (*fact.parts, fact.section, fact.header, fact.label, fact.instance)
    value = getattr(fact, key)
    return ("" if value is None else str(value),)


def _labels(facts: Iterable[Fact], name: Callable[[Fact], str], *labels: Callable[[Fact], str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for fact in facts:
        names.setdefault(name(fact), []).extend(label(fact) for label in labels)
    return names


def _only(facts: Sequence[Fact], choice: Choice) -> Found:
    if not facts:
        raise ToolError("no fact fits", suggestion="leave a filter out, or refer to a fact by its short name")
    figures = {(fact.value, fact.unit, fact.scale) for fact in facts}
    if len(figures) > 1:
        raise ToolError(
            f"{len(facts)} facts fit, with different figures",
            candidates=candidates(facts),
            suggestion="add a filter (year, segment, label, ...), or refer to one by its short name",
        )
    first, *others = sorted(facts, key=lambda fact: (fact.kind != "table", facts.index(fact)))
    return Found(first, choice.by, choice.score, tuple(fact.name for fact in others))


def candidates(facts: Sequence[Fact]) -> list[dict[str, str]]:
    """Facts to choose from, as they are told: short name, what it measures, where, and as printed."""
    return [
        {"fact": fact.name, "label": fact.label, "header": fact.header, "property": fact.property, "raw": fact.raw}
        for fact in facts[:MOST_CANDIDATES]
    ]
