"""What is said to conversations: each task in a process of its own, which knows what a house file adds to the measures.

A task is a function of its values alone, so that any worker can do it. Filings are asked without their tags.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from typing import Any

from tieout.agent.answers.answer import Answer
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_files
from tieout.agent.session import Session
from tieout.data.readers.read import DataError
from tieout.data.system.processes import start
from tieout.eval.companies import SURE
from tieout.eval.selfplay.conversations import Asked, Conversation
from tieout.eval.selfplay.truth import is_near
from tieout.ontology.metrics.house import VARIABLE
from tieout.ontology.model import default_ontology

RIGHT, DOUBTED, BACK, WRONG, SILENT = OUTCOMES = (
    "right",
    "right with doubt",
    "asked back",
    "wrong, flagged",
    "wrong, silent",
)


@dataclass(frozen=True, slots=True)
class Task:
    """Conversations about the same filings. pages: their files; store: where these are kept; house: a file of measures
    that are added, "" for none."""

    pages: tuple[Path, ...]
    conversations: tuple[Conversation, ...]
    store: Path
    house: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a turn. outcome: one of OUTCOMES. number: of the answer, in full units; used: the amounts that it
    rests on, in full units, with their labels; text: as shown, or what is asked back; options: offered then."""

    conversation: str
    turn: int
    asked: Asked
    outcome: str
    text: str
    number: Decimal | None = None
    used: tuple[tuple[str, Decimal], ...] = ()
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    probability: float = 0

    @property
    def is_right(self) -> bool:
        return self.outcome in (RIGHT, DOUBTED)


def ask(task: Task, *, stop: Event | None = None) -> list[Said]:
    """Asks conversations about filings, in a process of its own. stop: set where nobody waits any more. Raises
    DataError where that process was ended."""
    pipe, process = start(_serve, task, context=get_context("spawn"))
    try:
        while not pipe.poll(0.2):
            if stop is not None and stop.is_set():
                return []
        found = pipe.recv()
    except EOFError:
        named = ", ".join(str(page) for page in task.pages)
        raise DataError(f"{named}: the process that was to ask about it was ended from outside") from None
    finally:
        process.kill()
        process.join()
        pipe.close()
    if isinstance(found, BaseException):
        raise found
    said: list[Said] = found
    return said


def _serve(pipe: Connection, task: Task) -> None:
    if task.house:
        os.environ[VARIABLE] = task.house
    try:
        pipe.send(list(answers(task)))
    except (ValueError, OSError) as error:
        pipe.send(error)


def answers(task: Task) -> Iterator[Said]:
    """What this process says to each turn."""
    with open_files(task.pages, default_ontology(None)[0], store=task.store) as opened:
        for conversation in task.conversations:
            session = Session(opened.source, OfflineBackend(), document=opened.document)
            for number, turn in enumerate(conversation.turns):
                yield _judged(conversation.id, number, turn, session.ask(turn.text), session)


def _judged(conversation: str, number: int, asked: Asked, answer: Answer, session: Session) -> Said:
    if answer.clarification is not None or answer.text is None:
        told = answer.clarification.question if answer.clarification else answer.message
        options = answer.clarification.options if answer.clarification else ()
        outcome = RIGHT if asked.gold is None else BACK
        return Said(conversation, number, asked, outcome, str(told), options=tuple(options))
    value = full(answer)
    is_right = asked.gold is not None and value is not None and same(value, asked)
    is_sure = not answer.flags and (answer.probability or 0) >= SURE
    outcome = (RIGHT if is_sure else DOUBTED) if is_right else (SILENT if is_sure else WRONG)
    return Said(
        conversation,
        number,
        asked,
        outcome,
        answer.text,
        value,
        tuple(_used(answer, session)),
        (),
        tuple(flag.rule for flag in answer.flags),
        answer.probability or 0,
    )


def full(answer: Answer) -> Decimal | None:
    """The number of an answer in full units, a rate as a decimal."""
    number = None if answer.answer is None else answer.answer.as_number()
    return number * answer.answer.scale if isinstance(number, Decimal) and answer.answer else None


def same(value: Decimal, asked: Asked) -> bool:
    """Whether a number is right. An amount that is printed may be printed with either sign."""
    assert asked.gold is not None
    return is_near(value, asked.gold) or (not asked.is_signed and is_near(abs(value), abs(asked.gold)))


def _used(answer: Answer, session: Session) -> Iterator[tuple[str, Decimal]]:
    for name in answer.facts_under():
        entry: Any = session._facts[name]
        yield entry.label, entry.value * (entry.scale or 1)
