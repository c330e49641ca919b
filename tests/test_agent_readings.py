"""What is read of many questions and answered to many, line by line: tests/snapshots/questions.txt, answers.txt.

A line that begins with `>` is asked after those above it. In questions.txt a question in full stands behind `=`, with
the questions of whose answers its own is made; below a heading that names companies are talks about these. Behind the
figures of an answer stands its chance: in tenths, of what is found by the names in the question in full. After a
change that is meant, and read over:
python tests/test_agent_readings.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import pytest
from filed import ontology, opened
from plain_questions import BANK, CHAIN, GROUP, HARBOUR, HOLDING, MILL, MINE, PAGE, SHEET, SHOPS
from quarterly import read as read_quarterly

from tieout.agent.log.events import Flag
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.companies.wanted import Names
from tieout.agent.question.in_full import Asked, in_full
from tieout.agent.question.question import Question, Side, Single
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_claims, in_sides
from tieout.agent.question.topic import Full
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.document import Document
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index, Origin
from tieout.kg.reports.outline import Listed
from tieout.kg.store.graph import Graph
from tieout.ontology.asked.apart import taken_apart
from tieout.ontology.asked.awards import asked_award
from tieout.ontology.asked.debts import asked_debt
from tieout.ontology.asked.listed import names_asked
from tieout.ontology.asked.members import but_these, members_of, split_in
from tieout.ontology.asked.when import When
from tieout.ontology.metrics.formula import Operand

SNAPSHOTS = Path(__file__).parent / "snapshots"
READ, ANSWERED = SNAPSHOTS / "questions.txt", SNAPSHOTS / "answers.txt"
PAGES = {
    "a page": PAGE,
    "a group": GROUP,
    "shops": SHOPS,
    "a bank": BANK,
    "a mill": MILL,
    "a harbour": HARBOUR,
    "a mine": MINE,
    "a holding": HOLDING,
    "a chain": CHAIN,
    "a sheet": SHEET,
}
PLAIN = Question(text="", lower="")
OF_CHANCE = {"unsure", "not certain"}  # flags whose messages follow from weights, but of what is found by name
OF_READING = {"left open", *OF_CHANCE}  # flags whose messages tell what was read of the question
BY_NAME = re.compile(r"^Named: .* Probability (\d\.\d+)\.$")  # how an answer that is found by name is understood
OF_FIELDS = (
    "sides",
    "items",
    "asks_for",
    "asks_share",
    "on_base",
    "is_held_against",
    "moved",
)  # what follows from its fields
# What is told of a question by its words alone, and of which the other fields are made.
WORDS = {"text", "lower", "words", "digits", "pairs", "stems", "core", "topic", "manner", "search", "numbers", "doing"}


@dataclass(frozen=True)
class Talk:
    """Questions of a snapshot that are asked one after the other, with its lines for them, and the heading they stand
    under."""

    heading: str
    questions: tuple[str, ...]
    lines: tuple[str, ...]


def talks(path: Path) -> Iterator[Talk]:
    """The conversations of a snapshot."""
    heading = ""
    for part in re.split(r"\n(?! |>)", path.read_text(encoding="utf-8").rstrip("\n")):
        if part.startswith("# "):
            heading = part
        elif lines := tuple(part.splitlines()):
            questions = tuple(line.removeprefix("> ") for line in lines if not line.startswith("    "))
            yield Talk(heading, questions, lines)


def told(value: object) -> str:
    """A field of a question in short."""
    match value:
        case Question():
            return f"({reading(value)})"
        case Side():
            return " ".join(value.stems)
        case Single():
            return f"({value.asked.text}{' (after the one before)' if value.after else ''})"
        case When():
            parts = ((each.name, getattr(value, each.name)) for each in fields(When))
            plain = When()
            kept = (
                part for part in parts if part[1] != getattr(plain, part[0]) and part[0] not in ("taken", "periods")
            )
            return " ".join(f"{key} {told(part)}" for key, part in kept)
        case frozenset():
            return " ".join(sorted(map(told, value)))
        case tuple():
            return " ".join(filter(None, map(told, value)))
        case Operand():
            return ""  # the one thing that is named
        case _ if hasattr(value, "name") and hasattr(value, "said"):
            return str(value.name)
        case _ if hasattr(value, "first") and hasattr(value, "last"):
            return f"{value.first} to {value.last}"
    return str(value)


def reading(asked: Question) -> str:
    """What is read of a question, without what is as of any other."""
    names = [*(each.name for each in fields(Question) if each.name not in WORDS), *OF_FIELDS]
    kept = ((name, getattr(asked, name)) for name in names if getattr(asked, name) != getattr(PLAIN, name))
    return "; ".join(f"{name}: {said}" for name, value in kept if (said := told(value)))


def read(talk: Talk) -> Iterator[str]:
    """The lines of the snapshot of questions for a conversation, of companies where its heading names them."""
    if talk.heading:
        companies = Names([Listed((name,), ()) for name in talk.heading.removeprefix("# ").split(", ")])
        for at, full in enumerate(companies.in_full(talk.questions)):
            yield from (f"{'> ' if at else ''}{talk.questions[at]}", f"    = {full}")
        return
    for at, question in enumerate(talk.questions):
        full = in_full(question, [Asked(each) for each in talk.questions[:at]])
        full = in_sides(question) or full if full is None or full.is_first else full
        yield f"{'> ' if at else ''}{question}"
        yield from (
            f"    {part}" for part in reading(read_question(question if full is None else full.text)).split("; ")
        )
        yield from map("    = {}".format, written_out(full) if full is not None else ())
        text = question if full is None else full.text
        yield from map("    of {}".format, of_rows(text.lower()))
        yield from map("    {}".format, in_pieces(text))


def of_rows(lower: str) -> Iterator[str]:
    """What a question asks of awards and debts, by the rows of a table, and of parts that it names one by one."""
    if (award := asked_award(lower)) is not None:
        yield f"awards: {told(award.kinds)}, {award.event}, {told(award.said)}"
    if (debt := asked_debt(lower)) is not None:
        yield f"a debt: {debt.called} {debt.year} {debt.rate}, {told(debt.said)} in {' '.join(debt.words.split())!r}"
    if (members := members_of(lower)) is not None:
        yield f"{'each' if members.is_each else 'one'} of {members.names}: {members.rest}"
    if (listed := names_asked(lower)) is not None:
        yield f"names of {listed.called}{' with figures' if listed.has_figures else ''}"
    but, rest = but_these(lower)
    if but:
        yield f"none of {but}: {rest}"
    if (split := split_in(lower)) is not None:
        yield f"{split.of} by {split.kind}{' in shares' if split.is_share else ''}"


def in_pieces(text: str) -> Iterator[str]:
    """The questions that one may be for beside each other, and those for the figures of what it claims."""
    for way in taken_apart(text):
        yield f"{'surely apart' if way.is_plain else 'apart'}: {' | '.join(way.texts)}"
    for claim in in_claims(text):
        way = " any" if claim.is_of_any else " less" if claim.is_less else ""
        yield f"claims{way}: {' | '.join((*claim.sides, claim.than))}".removesuffix(" | ")


def written_out(full: Full) -> Iterator[str]:
    """What a question is in full, and the questions of whose answers its own is made."""
    yield f"{full.text}{', alone' if full.is_first else ''}"
    if full.sides:
        told = f", told {full.told}" if max(full.told, default=-1) >= 0 else ""
        yield f"{full.operation}: {' | '.join(full.sides)}{told}"
    named = {"other": full.other, "without": full.apart, "left": full.left, "names": ", ".join(full.names)}
    yield from (f"{name}: {said}" for name, said in named.items() if said)


@lru_cache(maxsize=8)
def source(heading: str) -> tuple[Graph | Reports, Document | None]:
    """What a heading names: reports, or a page with what is printed on it."""
    name = heading.removeprefix("# ")
    if name in PAGES:
        return build(PAGES[name], ontology()), PAGES[name]
    if not name.startswith("quarterly"):
        return opened(*name.split(" and ")), None
    document, graph = read_quarterly(whole=name.endswith("report"))
    if name.endswith("page"):
        return graph, document
    index = Index()
    index.keep(read_contents(document, *graph.contents()), Origin("fernhill", "/fernhill.htm"))
    return Reports([graph], index), None


def answered(talk: Talk) -> Iterator[str]:
    """The lines of the snapshot of answers for a conversation: of each answer its text, or what is asked
    back with what may be meant, its flags and figures."""
    graph, document = source(talk.heading)
    session = Session(graph, OfflineBackend(), document=document)
    for at, question in enumerate(talk.questions):
        turn = session.ask(question)
        yield f"{'> ' if at else ''}{question}"
        yield f"    {turn.text if turn.clarification is None else f'? {turn.clarification.question}'}"[:240]
        if turn.clarification is not None and turn.clarification.options:
            yield f"    or {'; '.join(turn.clarification.options)}"
        chance = BY_NAME.search(turn.understanding.reasoning) if turn.understanding is not None else None
        yield from sorted({f"    [{told_of(flag, is_weighed=chance is None)}]" for flag in turn.flags})
        if turn.clarification is None:
            sure = chance[1] if chance else "" if turn.probability is None else f"{turn.probability:.1f}"
            yield f"    {' '.join((*turn.facts_under(), sure))}".rstrip()


def told_of(flag: Flag, *, is_weighed: bool) -> str:
    """A flag by its rule, with what it says where that depends on what was read, and not on weights."""
    says_more = flag.rule in OF_READING and not (is_weighed and flag.rule in OF_CHANCE)
    return f"{flag.rule}: {flag.message}" if says_more else flag.rule


def first_of(talk: Talk) -> str:
    return talk.questions[0][:60]


@pytest.mark.parametrize("talk", list(talks(READ)), ids=first_of)
def test_what_is_read_of_questions_is_that_of_the_snapshot(talk) -> None:
    assert tuple(read(talk)) == talk.lines


@pytest.mark.parametrize("talk", list(talks(ANSWERED)), ids=first_of)
def test_what_is_answered_to_questions_is_that_of_the_snapshot(talk) -> None:
    assert tuple(answered(talk)) == talk.lines


if __name__ == "__main__":
    for path, made in ((READ, read), (ANSWERED, answered)):
        written, heading = list[str](), ""
        for talk in talks(path):
            if talk.heading != heading:
                written += ["", talk.heading] if written else [talk.heading]
                heading = talk.heading
            written += made(talk)
        path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
