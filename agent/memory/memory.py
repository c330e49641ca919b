"""The memory of a conversation: what it knows of a question, written into it before it is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tieout.agent.memory.find import Match, find_by_parts, find_for_parts, find_recipes, find_terms, unknown_words
from tieout.agent.memory.keep import FOLDER
from tieout.agent.memory.recipes import Recipe, read_recipes
from tieout.agent.memory.terms import Term, read_terms
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.frozen import Frozen
from tieout.ontology.labels.lexicon import lexicon
from tieout.ontology.metrics.line_item import find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

MOST_RECIPES = 3
MOST_OF_A_NAME = 4  # words
_RECKONED = re.compile(
    r"[-+*/=<>%,;.]|\b(?:less|plus|minus|over|per|is|are|times|divided|without|excluding)\b", re.IGNORECASE
)
SAID_ANYWAY = tuple("US UK EU GDP CPI EPS USD EUR GBP FY YTD Q1 Q2 Q3 Q4 H1 H2".split())


class Notes(Frozen):
    """What the memory knows of a question. question: with that written behind it."""

    question: str
    terms: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether there is anything."""
        return bool(self.terms or self.recipes or self.unknown)


def _is_name(term: Term) -> bool:
    """Whether a term means what another name names: one of the trade, or one of a few words that are no sentence."""
    if not term.meaning or term.calculation:
        return False
    if find_line_item(term.meaning, is_asked=True) is not None or find_metric(term.meaning) is not None:
        return True
    return len(term.meaning.split()) <= MOST_OF_A_NAME and not _RECKONED.search(term.meaning)


class Memory:
    """Terms and recipes in a folder, read anew for every question: another session may have added some.

    known: gives texts whose words need no explanation, those of schema and reports; asked where a question has a word
    that may need one. fixed: nothing is kept in it.
    """

    def __init__(
        self, folder: Path = FOLDER, known: Callable[[], Iterable[str]] = tuple, *, fixed: bool = False
    ) -> None:
        self.folder = folder
        self.fixed = fixed
        self._known = known
        self._said: list[str] = []

    def terms(self) -> tuple[Term, ...]:
        """The terms. Raises KeepError."""
        return read_terms(self.folder)

    def recipes(self) -> tuple[Recipe, ...]:
        """The recipes. Raises KeepError."""
        return read_recipes(self.folder)

    def matches(self, question: str) -> list[Match]:
        """The recipes that may serve a question, the nearest first."""
        return find_recipes(question, self.recipes())

    def matches_by_parts(self, question: str) -> list[Match]:
        """For a question that is several, a recipe for each; none where one of them has none."""
        return find_by_parts(question, self.recipes())

    def matches_for_parts(self, question: str) -> list[Match]:
        """The recipes that may serve a part of a question."""
        return find_for_parts(question, self.recipes())

    def unknown(self, question: str) -> list[str]:
        """Words of a question that neither schema, reports, earlier questions nor terms explain."""
        labels = [label for term in self.terms() for label in term.labels]
        at_hand = [*SAID_ANYWAY, *OPERATIONS, *self._said, *labels]
        if not unknown_words(question, at_hand):
            return []
        return unknown_words(question, [*at_hand, *_of_the_trade(), *self._known()])

    def in_house_words(self, question: str) -> str:
        """The question with other labels of terms replaced by their preferred ones."""
        for term in self.terms():
            question = _said(question, term.others, term.label)
        return question

    def plain_words(self, question: str) -> str:
        """The question with the words of the house replaced by what they mean, where that is a name: `net sales`."""
        for term in filter(_is_name, self.terms()):
            question = _said(question, term.labels, term.meaning)
        return question

    def notes(self, question: str) -> Notes:
        """The question with what is known of it behind it."""
        terms = find_terms(question, self.terms())
        matches = self.matches(question)[:MOST_RECIPES]
        if not any(match.fits for match in matches):
            whole = {match.recipe.heading for match in matches}
            matches += [match for match in self.matches_for_parts(question) if match.recipe.heading not in whole]
        unknown = self.unknown(question)
        lines = [f"term: {term.in_words()}" for term in terms]
        parts = [f" for a part, {match.part!r}" if match.part else "" for match in matches]
        lines += [f"recipe{part}: {_told(match)}" for part, match in zip(parts, matches, strict=True)]
        lines += [f"nothing here explains {', '.join(unknown)}: ask what it means"] if unknown else []
        self._said.append(question)
        return Notes(
            question="\n".join([question, *(f"[{line}]" for line in lines)]),
            terms=tuple(term.label for term in terms),
            recipes=tuple(match.recipe.heading for match in matches),
            unknown=tuple(unknown),
        )


def _said(question: str, names: Iterable[str], other: str) -> str:
    """A question with another name in the place of these, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        question = re.sub(pattern, other.replace("\\", r"\\"), question, flags=re.IGNORECASE)
    return question


def _of_the_trade() -> Iterator[str]:
    """Words that anyone who reads financial statements knows."""
    for metric in metrics().values():
        yield from metric.labels
    for item in line_items().values():
        yield from item.labels
    yield from (*lexicon().vocabulary, *lexicon().words)


def _told(match: Match) -> str:
    recipe = match.recipe
    variables = ", ".join(f"{each.name} ({each.kind}, {each.value})" for each in recipe.variables)
    answers = "; ".join(f"{each.name}: {each.question}" for each in recipe.answers)
    return (
        f"{recipe.heading!r} ({match.score:.0f} of 100 alike). {recipe.description} {recipe.applies} "
        f"Variables: {variables or 'none'}. Answers: {answers}"
    )
