"""Prose with holes and citations, `margin fell to {m22} as costs rose [s340]`: holes filled, sentences and quotations
checked, numbers that are typed refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tieout.agent.ledger.display import display, plainly
from tieout.agent.ledger.form import Form, merged, read_form
from tieout.agent.ledger.ledger import Ungrounded
from tieout.agent.protocol.message import Item
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.values import Values

HOLE = re.compile(r"\{([^{}|]{1,100})(?:\|([^{}]{1,60}))?\}")
SENTENCE = r"(?:[\w-]{1,64}:)?s\d{1,6}"
CITED = re.compile(rf"\[({SENTENCE}(?:[,;] ?{SENTENCE})*)\]")
QUOTED = re.compile(r"[\"“]([^\"“”]{2,})[\"”]")
NUMBER = re.compile(r"(?<![\w.,])[-−(]?[$€£]?\d[\d,]*(?:\.\d+)?")
# Where a sentence ends; not behind an initial or a short form: `Mary N. Dillon`, `Ulta Beauty, Inc. of`.
END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|Co|No|Jr|vs)\.)(?<!\b(?:Inc|Ltd|Mrs)\.)(?<!\bCorp\.)\s+(?=[A-Z“\"{])"
)
OWN = "[model's own words]"
MOST_NAMED = 3  # figures that a typed number may be
_SCALE_BEHIND = re.compile(r" (thousand|million|billion|trillion)\b")
LETTERS = 60  # before and behind a figure that are looked at


class Refused(NamedTuple):
    """What an answer in words says that nothing accounts for, and what to write instead."""

    what: str
    instead: str


@lru_cache(maxsize=1)
def wording() -> dict[str, re.Pattern[str]]:
    """The patterns of the words around figures, by name."""
    told = tomllib.loads(files("tieout.agent.tools").joinpath("wording.toml").read_text(encoding="utf-8"))
    words = {name: "|".join(each) for name, each in told.items()}
    return {
        "which way": re.compile(rf"\b(?:{words['says_which_way']})(?: (?:{words['between']}))* ?$", re.I),
        "done": re.compile(rf"^ (?:(?:was|were|is|are|has been|have been) )?(?:{words['done_with_it']})\b", re.I),
        "naming": re.compile(rf"\b(?:{words['names_a_number']}|{words['months']}) ?$", re.I),
        "month": re.compile(rf"^ (?:{words['months']})\b", re.I),
    }


def is_composed(text: str) -> bool:
    """Whether a text has holes or citations, and is no plain quotation."""
    return bool(HOLE.search(text) or CITED.search(text))


def composed(text: str, values: Values, form: str | None = None) -> tuple[str, tuple[Item, ...]]:
    """The text with its holes filled, and what it rests on: an item for each figure and each sentence.

    Raises ToolError that says all that is refused at once, and what to write instead: a hole that means nothing, a
    sentence that is not there, a quotation that the sentence cited behind it, or else the report, does not have letter
    by letter, and a number that is typed and not that of a period, a name or the question.
    """
    refused = list(refusals(text, values))
    if refused:
        raise refusal(refused)
    rests: dict[tuple[str, str], Item] = {}

    for name, said in _sentences(text, values):
        rests["sentence", name] = Item(text=said, sentence=name, under=True)
    parts: list[str] = []
    at = 0
    for match in HOLE.finditer(text):
        entry = values.entry(match[1].strip())
        wanted = merged(read_form(match[2] or ""), read_form(form or ""))
        is_said = _says_which_way(text, match)
        wanted = merged(wanted, Form(magnitude=True)) if is_said else wanted
        if scale := _SCALE_BEHIND.match(text[match.end() :]):
            wanted = merged(wanted, read_form(f"in {scale[1]}s"))
        rests["entry", entry.name] = Item(text=display(entry, wanted), entry=entry.name, under=True)
        before, bare = text[at : match.start()], plainly(entry, wanted)
        is_sign_there = before.endswith(tuple("$€£¥")) and bare.startswith(before[-1])
        told = bare if entry.unit is None else display(entry, wanted)  # that its unit is not stated, is shown beside
        parts += [before[:-1] if is_sign_there else before, told]
        at = match.end() + _said_again(bare, text[match.end() :])
    return "".join([*parts, text[at:]]), tuple(rests.values())


def _said_again(shown: str, behind: str) -> int:
    """How many characters behind a figure only say its unit or scale again: `{x} stores`, `{x}%`, `{x} million`."""
    if shown.endswith("%"):
        again = re.match(r" ?%| per ?cent\b", behind)
        return again.end() if again else 0
    words = shown.split()
    for count in range(min(3, len(words) - 1), 0, -1):
        unit = " ".join(words[-count:])
        if again := re.match(rf" {re.escape(unit.removesuffix('s'))}s?\b", behind, re.IGNORECASE):
            return again.end()
    return 0


def refusal(refused: list[Refused]) -> ToolError:
    """The error that tells all that is refused at once."""
    told = "; ".join(f"{each.what}: {each.instead}" for each in dict.fromkeys(refused))
    return ToolError(told)


def refusals(text: str, values: Values) -> Iterator[Refused]:
    """All that a text says and nothing accounts for."""
    for match in HOLE.finditer(text):
        try:
            entry = values.entry(match[1].strip())
            read_form(match[2] or "")
        except ToolError as error:
            yield Refused(str(error), str(error.detail.get("suggestion", "name a figure or a result in braces")))
            continue
        except ValueError as error:
            yield Refused(str(error), "write {name|percent}, {name|1 decimal} or {name|in billions}")
            continue
        if isinstance(entry.source, Ungrounded):
            yield Refused(f"nothing accounts for {match[0]}", "name a figure, a result or prev_1 in braces")
    for name in _cited(text):
        if values.sentence(name) is None:
            yield Refused(f"there is no sentence {name!r}", "cite by the names that the card shows")
    yield from _quotations(text, values)
    yield from _typed_numbers(text, values)


def marked(text: str) -> str:
    """Prose whose sentences without a figure, a citation or a quotation are marked as the model's own words."""
    quoted = [match.span() for match in QUOTED.finditer(text)]
    ends = [end.span() for end in END.finditer(text) if not any(a < end.start() < b for a, b in quoted)]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(text)]
    parts = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    rests = [bool(HOLE.search(part) or CITED.search(part) or QUOTED.search(part)) for part in parts]
    return " ".join(part if held else f"{part} {OWN}" for part, held in zip(parts, rests, strict=True))


def _says_which_way(text: str, hole: re.Match[str]) -> bool:
    """Whether the words around a figure say that it goes out or down, so that its minus would say it twice."""
    before = HOLE.sub("", text[max(0, hole.start() - LETTERS) : hole.start()])
    return bool(wording()["which way"].search(before) or wording()["done"].match(text[hole.end() :]))


def _cited(text: str) -> Iterator[str]:
    for match in CITED.finditer(text):
        yield from re.split(r"[,;] ?", match[1])


def _sentences(text: str, values: Values) -> Iterator[tuple[str, str]]:
    """The sentences that are cited, by name, and what they say."""
    for name in _cited(text):
        said = values.sentence(name)
        if said is not None:
            yield name, said


def _quotations(text: str, values: Values) -> Iterator[Refused]:
    for match in QUOTED.finditer(text):
        letter_by_letter = "quote it letter by letter, or take the quotation marks off"
        if HOLE.search(match[1]):
            yield Refused(f"{match[1][:80]!r} is quoted, and has a hole", letter_by_letter)
            continue
        cited = CITED.match(text[match.end() :].lstrip(" .,;"))
        where = [] if cited is None else [said for _, said in _sentences(cited[0], values)]
        words = " ".join(match[1].rstrip(".,;").split())
        if where and not any(words in " ".join(said.split()) for said in where):
            yield Refused(f"{cited and cited[1]} does not say {match[1][:80]!r}", letter_by_letter)
        elif not values.prints(words):
            yield Refused(f"the report does not print {match[1][:80]!r}", letter_by_letter)


# Numbers that are typed


def _typed_numbers(text: str, values: Values) -> Iterator[Refused]:
    """The numbers outside of holes, citations and quotations that are no period, name or number of the question."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    cited = [said for _, said in _sentences(text, values)]
    rest = QUOTED.sub(blank, CITED.sub(blank, HOLE.sub(blank, text)))
    for match in NUMBER.finditer(rest):
        digits = re.sub(r"[^\d.]", "", match[0]).rstrip(".")
        if not (
            _is_naming(rest, match, digits, values)
            or _is_year(digits, match[0], cited, values)
            or values.is_of_period(digits)
            or values.is_asked(digits)
        ):
            names = values.called(digits)[:MOST_NAMED]
            written = " or ".join(f"{{{name}}}" for name in names)
            instead = f"write {written}" if names else "put its figure in braces: {t1r2c3}"
            yield Refused(f"the number {match[0].strip('(')!r} is typed, so nothing accounts for it", instead)


def _is_naming(text: str, match: re.Match[str], digits: str, values: Values) -> bool:
    """Whether a number is part of a name: `Note 12`, `December 31`, `10-K`, `COVID-19`, `737 MAX`, and a bare 0."""
    bare = match[0].lstrip("-−(").rstrip(".,")
    start = match.end() - len(match[0].lstrip("-−("))
    before, behind = text[:start], text[start + len(bare) :]
    if bare != digits:
        return False
    if digits == "0" and not re.match(r" ?(?:%|x\b|\d|(?:million|billion|percent)\b)", behind):
        return True
    if wording()["naming"].search(before) or wording()["month"].match(behind):
        return True
    glued = re.search(r"[^\W\d_]+-$", before)
    behind_it = re.match(r"-?[A-Za-z]\w*|-\d+\b|(?: [A-Z][\w-]*)+", behind)
    in_front = re.search(r"(?:\b[A-Z][\w&.-]* )+$", before)
    phrases = [glued[0] + digits] if glued else []
    phrases += [digits + behind_it[0]] if behind_it else []
    phrases += [f"{word}{digits}" for word in (in_front[0].split(" ")[-2] + " ",)] if in_front else []
    return any(values.prints(phrase) for phrase in phrases)


def _is_year(digits: str, typed: str, cited: list[str], values: Values) -> bool:
    """Whether a number is a year that a cited sentence says, or that the report prints: `late 2023`."""
    if typed.strip("(.,") != digits or len(digits) != 4 or not Decimal(1900) <= Decimal(digits) <= Decimal(2100):
        return False
    return any(digits in each for each in cited) or values.prints(digits)


def quoted(text: str, values: Values, *, with_sentence: bool = True) -> Item:
    """A plain quotation, with the sentence it stands in where it is one of a sentence and that is asked for; a name may
    be the question's own.

    Raises ToolError.
    """
    if not values.prints(text) and (with_sentence or not values.asks_of(text)):
        raise ToolError(f"the report does not print {text[:80]!r}", suggestion="quote it letter by letter")
    return Item(text=text, sentence=values.sentence_with(text) if with_sentence else None)
