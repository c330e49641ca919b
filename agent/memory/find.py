"""Finding what the memory has for a question: terms by its words, recipes by the question without its specifics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from tieout.agent.memory.recipes import Recipe, RecipeAnswer, Variable
from tieout.agent.memory.terms import Term
from tieout.agent.tools.lookup import plain
from tieout.ontology.asked.words import stem

NEAR = 90  # of 100, for terms
FITS = 99  # of 100: every word of the question is one of the recipe's, and the other way round, but for spelling
MAY_FIT = 62  # what is less near is not even offered to a model
SHORTEST_NEAR = 5  # letters: a shorter word is found exactly or not at all
SPECIFIC = re.compile(r"\d{4}-\d{2}-\d{2}|\d+(?:[.,]\d+)*\s*%?")
COORDINATED = re.compile(
    r"[;?]\s*(?:and\s+)?|,?\s+and\s+(?=(?:when|what|which|who|how|in what|in which|by how|on what|at what)\b)", re.I
)
PARTED = re.compile(
    r"[,;:?]|\b(?:and|or|then|when|while|during|within|without|excluding|except|before|after|since|than|versus|outside|inside"
    r"|in which|compared (?:with|to)|relative to|from|between|in|of|for|by|with)\b",
    re.I,
)
HOLE = re.compile(r"\{(\w+)\}")
UNSAID = frozenset(
    "the a an of in on at for to did does do was is were are and it its by with what how there please tell me".split()
)
_NO_SIGN = re.compile(r"[\W_]+")
ACRONYM = re.compile(r"\b[A-Z][A-Z0-9&]{1,9}s?\b")


def find_terms(question: str, terms: Iterable[Term]) -> list[Term]:
    """The terms whose labels stand in a question: word for word, else by stems, else nearly."""
    words = plain(question).split()
    stems = [stem(word) for word in words]
    return [term for term in terms if any(_stands(plain(label).split(), words, stems) for label in term.labels)]


def _stands(label: Sequence[str], words: Sequence[str], stems: Sequence[str]) -> bool:
    count = len(label)
    if not count:
        return False
    wanted = [stem(word) for word in label]
    text = " ".join(label)
    for start in range(len(words) - count + 1):
        if list(words[start : start + count]) == list(label) or stems[start : start + count] == wanted:
            return True
        near = " ".join(words[start : start + count])
        if len(text) >= SHORTEST_NEAR and near[:1] == text[:1] and fuzz.ratio(near, text) >= NEAR:
            return True
    return False


@dataclass(frozen=True)
class Match:
    """A recipe for a question. answer: which of its answers; settings: values of variables that the question states.

    score: 0 to 100, how near the question is to the recipe's, both without their specifics. part: the words of the
    question that it is for, "" for all of it.
    """

    recipe: Recipe
    answer: RecipeAnswer
    score: float
    settings: dict[str, str] = field(default_factory=dict)
    part: str = ""

    @property
    def fits(self) -> bool:
        """Whether it is as good as certain that this is what was asked."""
        return self.score >= FITS


def find_recipes(question: str, recipes: Iterable[Recipe]) -> list[Match]:
    """The recipes that may serve a question, the nearest first; of each recipe its nearest answer.

    A recipe fits whose question has the same words, and as many specifics as it has variables in it.
    """
    found = []
    for recipe in recipes:
        matches = list(_matches(question, recipe))
        if matches:
            found.append(max(matches, key=lambda match: match.score))
    return sorted((m for m in found if m.score >= MAY_FIT), key=lambda m: (-m.score, m.recipe.heading))


def find_for_parts(question: str, recipes: Sequence[Recipe]) -> list[Match]:
    """The recipes that may serve a part of a question, in the order of its parts; the whole one is not looked at.

    A part is what stands between conjunctions, prepositions of time, and commas. A recipe may serve it where all of its
    words are known to the recipe, one of them by the heading.
    """
    found: dict[str, Match] = {}
    parts = _parts(question, PARTED)
    for part in parts if len(parts) > 1 else ():
        matches = [match for match in find_recipes(part, recipes) if match.fits]
        matches += [_named(part, recipe) for recipe in recipes if _is_about(part, recipe)]
        for match in matches[:1]:
            found.setdefault(match.recipe.heading, replace(match, part=part))
    return list(found.values())


def find_by_parts(question: str, recipes: Sequence[Recipe]) -> list[Match]:
    """For a question that is several, one after the other, a match for each; none where one of them is not known, or
    the same recipe would have to run with two settings."""
    parts = _parts(question, COORDINATED)
    if len(parts) < 2:
        return []
    found: list[Match] = []
    for part in parts:
        match = next((match for match in find_recipes(part, recipes) if match.fits), None)
        if match is None:
            return []
        found.append(replace(match, part=part))
    for one in found:
        for other in found:
            shared = one.settings.keys() & other.settings.keys() if one.recipe == other.recipe else ()
            if any(one.settings[name] != other.settings[name] for name in shared):
                return []
    return found


def _parts(question: str, joint: re.Pattern[str]) -> list[str]:
    return [part for each in joint.split(question) if _words(part := each.strip(" .,;?!"))]


def _is_about(part: str, recipe: Recipe) -> bool:
    words = set(_words(SPECIFIC.sub(" ", part)))
    heading = set(_words(recipe.heading))
    questions = " ".join(HOLE.sub(" ", answer.question) for answer in recipe.answers)
    known = heading | set(_words(f"{recipe.description} {questions}"))
    return bool(words & heading) and words <= known


def _named(part: str, recipe: Recipe) -> Match:
    """The answer of a recipe that is the nearest to a part that names what the recipe is about."""
    nearest = max(_matches(part, recipe), key=lambda match: match.score)
    return replace(nearest, score=min(nearest.score, FITS - 1), settings={})


def _matches(question: str, recipe: Recipe) -> Iterator[Match]:
    given = SPECIFIC.findall(question)
    asked = _words(SPECIFIC.sub(" ", question))
    for answer in recipe.answers:
        holes = HOLE.findall(answer.question)
        general = _words(HOLE.sub(" ", SPECIFIC.sub(" ", answer.question)))
        fixed = SPECIFIC.findall(HOLE.sub(" ", answer.question))
        score = _alike(asked, general)
        settings = _settings(recipe.variables, holes, [value for value in given if value not in fixed])
        if settings is None:
            score = min(score, FITS - 1)  # what is asked for is another period or level than the recipe can set
            settings = {}
        yield Match(recipe, answer, score, settings)
    about = _words(f"{recipe.heading} {recipe.description} {recipe.applies}")
    if recipe.answers and asked:
        share = len(set(asked) & set(about)) / len(set(asked))
        yield Match(recipe, recipe.answers[0], min(FITS - 1.0, 100 * share))


def _words(text: str) -> list[str]:
    return [stem(word) for word in plain(text).split() if word not in UNSAID]


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    """How alike two lists of stems are, 0 to 100: those that both have, and how near the others are spelled."""
    if not one or not other:
        return 0
    left, right = [word for word in one if word not in other], [word for word in other if word not in one]
    unmatched = 0
    for word in left:
        near = max(right, key=lambda each, word=word: (fuzz.ratio(word, each), each), default="")  # type: ignore[misc]
        if near and len(word) >= SHORTEST_NEAR and fuzz.ratio(word, near) >= NEAR - 5:
            right.remove(near)
        else:
            unmatched += 1
    missing = unmatched + len(right)
    return 100 * (1 - missing / (len(set(one) | set(other))))


def _settings(variables: Sequence[Variable], holes: Sequence[str], values: Sequence[str]) -> dict[str, str] | None:
    """The specifics of a question for the holes of a recipe's, in order; None where there are more or fewer."""
    if len(holes) != len(values):
        return None
    kinds = {variable.name: variable.kind for variable in variables}
    found = {}
    for hole, value in zip(holes, values, strict=True):
        text = value.replace(",", "").rstrip("% ")
        is_year = re.fullmatch(r"[12]\d{3}", text) is not None
        if kinds.get(hole) == "date" and not (is_year or "-" in text):
            return None
        found[hole] = text
    return found


def unknown_words(question: str, known: Iterable[str]) -> list[str]:
    """Abbreviations of a question that stand in none of the known texts."""
    asked = list(dict.fromkeys(ACRONYM.findall(question)))
    if not asked:
        return []
    there = {word for text in known for word in plain(text).split()}
    there |= {_NO_SIGN.sub("", word).rstrip("0123456789") for word in there}  # `sp500` is what the S&P 500 is called
    forms = ((word, plain(word), plain(word.removesuffix("s")), _NO_SIGN.sub("", word.lower())) for word in asked)
    return [word for word, *each in forms if not there & set(each)]
