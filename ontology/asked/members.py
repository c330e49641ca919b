"""The things that a question names one by one: `bulk, industrial or premium: which brought the most?`, of which it asks
for one, and `locomotives: owned? leased?`, of which it asks for each."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.labels.lexicon import singular

_OF_ONE = frozenset(("highest", "lowest", "pace", "slower", "more", "fewer", "compared"))  # cues of one of several


@dataclass(frozen=True, slots=True)
class Members:
    """names: as a question says them. rest: what it asks of them. is_each: it asks for all of them."""

    names: tuple[str, ...]
    rest: str
    is_each: bool


def members_of(asking: str) -> Members | None:
    """What a question, in lower case, asks of things that it names one by one; None where it names none so. What is
    measured itself is none of them."""
    forms = language().forms
    one, each = (forms[form].fullmatch(asking) for form in ("one of these", "each of these"))
    if (found := one or each) is None:
        return None
    said = {key: value for key, value in found.groupdict().items() if value}
    named = next(said[key] for key in ("ahead", "behind", "each") if key in said)
    names = tuple("united states" if name == "us" else name for name in forms["between members"].split(named))
    if one is None and (any(map(find_measures, names)) or forms["of one thing"].search(asking)):
        return None  # `the difference between ...`
    return Members(names, said.get("asks") or said["asks_behind"], one is None)


def but_these(lower: str) -> tuple[tuple[str, ...], str]:
    """What a question for one of several parts leaves out, in all and one by one, and the question without that: `which
    region other than Europe ...`; () where it leaves out nothing."""
    forms = language().forms
    found = forms["but these"].search(lower) if forms["of which part"].search(lower) else None
    if found is None:
        return (), lower
    rest = f"{lower[: found.start()]} {lower[found.end() :]}".strip(" ,")
    return (found["but"], *re.split(r",? (?:and|or|&) |, ", found["but"])), rest


@dataclass(frozen=True, slots=True)
class Split:
    """A question for all parts of an amount. kind: what it calls them; measure: the line item or metric that it names,
    "" for none, and of: all words by which it says what is measured; named: those of them that are its name. members:
    each that it names; is_share: it asks what part of all each of them is."""

    kind: str
    measure: str
    of: str
    named: str
    members: tuple[str, ...]
    is_share: bool


@lru_cache(maxsize=1024)
def split_in(lower: str) -> Split | None:
    """What a question, in lower case, wants of all parts of an amount; None where it asks for something else, or for
    several amounts of each."""
    forms = language().forms
    found = forms["all its parts"].fullmatch(lower) or forms["what it is made of"].fullmatch(lower)
    said = {key: value for key, value in (found.groupdict() if found is not None else {}).items() if value}
    of = said.get("of") or said.get("early", "")
    named = find_measures(of)
    if not of or "many" in said or len({each.name for each in named}) > 1:
        return None
    members = tuple(filter(None, forms["between members"].split(said.get("each", ""))))
    name, called = (named[0].name, named[0].said) if named else ("", "")
    kind = said.get("kind", "component")
    return Split(kind, name, of, called, members if len(members) > 1 else (), "share" in said)


def asks_of_parts(lower: str) -> bool:
    """Whether a question may ask for one of several parts."""
    these, forms = members_of(lower), language().forms
    is_one = these is not None and not these.is_each
    is_all = forms["all its parts"].fullmatch(lower) is not None
    return is_one or is_all or any(forms[name].search(lower) for name in ("of which part", "next to this"))


def asks_all(asks: str, cues: Collection[str]) -> bool:
    """Whether a question asks for all parts that moved, `which segments grew?`, and not for the one that moved most.
    asks: the words by which it asks for parts; cues: those of the question."""
    are_several = any(word != singular(word) for word in asks.split())
    return are_several and _OF_ONE.isdisjoint(cues)
