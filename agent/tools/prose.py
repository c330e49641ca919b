"""Prose with holes and citations, `margin fell to {m22} as costs rose [s340]`: holes filled, sentences and quotations
checked, numbers that are typed refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tieout.agent.ledger.display import Format, display
from tieout.agent.ledger.ledger import Ungrounded
from tieout.agent.protocol.answer import Item
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.values import Values

HOLE = re.compile(r"\{([^{}]{1,100})\}")
SENTENCE = r"(?:[\w-]{1,64}:)?s\d{1,6}"
CITED = re.compile(rf"\[({SENTENCE}(?:[,;] ?{SENTENCE})*)\]")
QUOTED = re.compile(r"[\"“]([^\"“”]{2,})[\"”]")
NUMBER = re.compile(r"(?<![\w.,])[-−(]?[$€£]?\d[\d,]*(?:\.\d+)?")
# A number that is part of a name, and none of an amount: `Level 3`, `Note 12`, `December 31`.
NAMING = re.compile(
    r"\b(?:level|tier|note|item|part|class|series|phase|section|form|topic|subtopic|chapter|schedule|exhibit|asc|asu|ifrs"
    r"|ias|fas|sfas|january|february|march|april|may|june|july|august|september|october|november|december) $",
    re.I,
)


def is_composed(text: str) -> bool:
    """Whether a text has holes or citations, and is no plain quotation."""
    return bool(HOLE.search(text) or CITED.search(text))


def composed(text: str, values: Values, form: Format | None = None) -> tuple[str, tuple[Item, ...]]:
    """The text with its holes filled, and what it rests on: an item for each figure and each sentence.

    Raises ToolError for a hole that means nothing or that nothing accounts for, a sentence that is not there, a
    quotation that the sentence cited behind it, or else the report, does not have letter by letter, and a number that
    is typed and not that of a period, a name or the question.
    """
    rests: dict[tuple[str, str], Item] = {}

    def filled(match: re.Match[str]) -> str:
        entry = values.entry(match[1])
        if isinstance(entry.source, Ungrounded):
            raise ToolError(
                f"nothing accounts for {match[0]}", suggestion="name a figure, a result or prev_1 in braces"
            )
        shown = display(entry, form)
        rests["entry", entry.name] = Item(text=shown, entry=entry.name, under=True)
        return shown

    for name, said in _sentences(text, values):
        rests["sentence", name] = Item(text=said, sentence=name, under=True)
    _check_quotations(text, values)
    _check_numbers(text, values)
    return HOLE.sub(filled, text), tuple(rests.values())


def _sentences(text: str, values: Values) -> Iterator[tuple[str, str]]:
    """The sentences that are cited, by name, and what they say."""
    for match in CITED.finditer(text):
        for name in re.split(r"[,;] ?", match[1]):
            said = values.sentence(name)
            if said is None:
                raise ToolError(f"there is no sentence {name!r}", suggestion="cite by the names that the card shows")
            yield name, said


def _check_quotations(text: str, values: Values) -> None:
    for match in QUOTED.finditer(text):
        if HOLE.search(match[1]):
            raise ToolError(f"{match[1][:80]!r} is quoted, and has a hole", suggestion="quote it letter by letter")
        cited = CITED.match(text[match.end() :].lstrip(" .,;"))
        where = [] if cited is None else [said for _, said in _sentences(cited[0], values)]
        words = " ".join(match[1].rstrip(".,;").split())
        if where and not any(words in " ".join(said.split()) for said in where):
            raise ToolError(
                f"{cited and cited[1]} does not say {match[1][:80]!r}", suggestion="quote it letter by letter"
            )
        if not values.prints(words):
            raise ToolError(f"the report does not print {match[1][:80]!r}", suggestion="quote it letter by letter")


def _check_numbers(text: str, values: Values) -> None:
    """Refuses numbers outside of holes, citations and quotations that are no period, name or number of the question."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    rest = QUOTED.sub(blank, CITED.sub(blank, HOLE.sub(blank, text)))
    for match in NUMBER.finditer(rest):
        digits = re.sub(r"[^\d.]", "", match[0]).rstrip(".")
        is_name = bool(NAMING.search(rest[: match.start()])) and digits == match[0].rstrip(".,")
        if not is_name and not values.is_of_period(digits) and not values.is_asked(digits):
            raise ToolError(
                f"the number {match[0]!r} is typed, so nothing accounts for it",
                suggestion="put the name of its figure in braces: {t1r2c3}",
            )


def quoted(text: str, values: Values, *, with_sentence: bool = True) -> Item:
    """A plain quotation, with the sentence it stands in where it is one of a sentence and that is asked for.

    Raises ToolError.
    """
    if not values.prints(text):
        raise ToolError(f"the report does not print {text[:80]!r}", suggestion="quote it letter by letter")
    return Item(text=text, sentence=values.sentence_with(text) if with_sentence else None)
