"""A question that is being answered, told as it happens (server-sent events), or answered at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tieout.agent.answers.chart import are_alike, measure
from tieout.agent.answers.checks.check import RULES
from tieout.agent.answers.grid import grid_of
from tieout.agent.answers.result import readings, result, told_unit
from tieout.agent.ledger.ledger import Entry, Words
from tieout.agent.log.events import Event, ModelCalled, Rephrased, ToolCalled, TurnStarted, Understood
from tieout.agent.log.log import LogError
from tieout.agent.log.turn import Turn
from tieout.agent.session import QuestionError
from tieout.data.console import json_text
from tieout.eval.show.nodes import make_nodes, tops
from tieout.kg.drafts.outline import JOIN
from tieout.kg.index.words import WordIndexError
from tieout.kg.store.store import StoreError
from tieout.serve.asking.kept import KeptError
from tieout.serve.asking.pages import CrowdedError
from tieout.serve.conversations import ConversationError, Talk
from tieout.serve.library import Held, LibraryError
from tieout.serve.options import elsewhere, told_apart
from tieout.serve.source import cited, marks, queries

if TYPE_CHECKING:
    from starlette.types import Receive

T = TypeVar("T")
THREADS, MOST_WAITING = 32, 64
MOST_QUOTED = 160  # characters of a sentence that is told again
MEANINGS = {rule.name: rule.says for rule in RULES}
ASK_FAULTS = (
    ConversationError,
    CrowdedError,
    LibraryError,
    QuestionError,
    LogError,
    KeptError,
    StoreError,
    WordIndexError,
)


class LeftError(ConnectionError):
    """Work that nobody waits for any more."""


class Askers:
    """The threads in which one kind of work is done, and how much of it may be asked for at once."""

    def __init__(self, threads: int = THREADS, most: int = MOST_WAITING, name: str = "questions") -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most, self._name, self._asked = most, name, 0

    def close(self) -> None:
        """Waits for what is being done."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def run(
        self, work: Callable[[], T], leaving: Awaitable[None] | None = None, stop: Callable[[], None] = lambda: None
    ) -> T:
        """Does work in a thread. leaving: ends when nobody waits for it any more; work that has not begun is not done
        then, and other work is told to stop. Raises CrowdedError, LeftError, and what the work raises."""
        if self._asked >= self._most:
            if asyncio.iscoroutine(leaving):
                leaving.close()  # nobody waits for it
            raise CrowdedError(f"too many {self._name} are being answered: ask again in a moment")
        self._asked += 1
        under_way = self._pool.submit(work)
        loop = asyncio.get_running_loop()
        under_way.add_done_callback(lambda _: _call_in(loop, self._finish))
        done = asyncio.wrap_future(under_way)
        if leaving is None:
            return await done
        left = asyncio.ensure_future(leaving)
        await asyncio.wait((done, left), return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            left.cancel()
            return done.result()
        if not under_way.cancel():
            stop()
        done.cancel()
        raise LeftError("nobody waits for the answer any more")

    def _finish(self) -> None:
        self._asked -= 1


def _call_in(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(work)


async def until_left(receive: Receive) -> None:
    """Returns when the client of a request, whose body was read, is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def told(talk: Talk, turn: Turn) -> dict[str, Any]:
    """A turn as the page and programs get it: the keys of `--json`, and where its figures are printed."""
    here, found = talk.aliases(), result(turn)
    nodes = [{**node, **_whose(node["fact"], here)} for node in make_nodes(turn)]
    if not tops(nodes):  # it is said in words
        nodes = [_quoted(name, held, text) for name, held, text in cited(turn, here)]
    roots = tops(nodes)
    return {
        **found,
        "clarification": _asked_back(turn, here),
        "conversation": talk.key,
        "turn": turn.index,
        "nodes": nodes,
        "roots": roots,
        "notes": _notes(turn),
        "pictures": [f"/api/conversations/{talk.key}/turns/{turn.index}/pictures/{at}" for at, _ in _drawn(found)],
        "marks": marks(turn, here),
        "queries": queries(turn),
        "flags": [{**flag.model_dump(), "meaning": MEANINGS.get(flag.rule, "")} for flag in turn.flags],
        "readings": told_apart(readings(turn), here),
        "grid": _grid(turn),
        "elsewhere": elsewhere(turn, talk),
    }


def _asked_back(turn: Turn, here: Mapping[str, Held]) -> dict[str, Any] | None:
    asked = turn.clarification
    return {"question": asked.question, "options": told_apart(asked.options, here)} if asked else None


def _grid(turn: Turn) -> dict[str, Any] | None:
    """The figures of an answer that is a list or a table, by row and column, as they read below its head, each with
    the name of its printed figure, and what is drawn of it, where all can be drawn together."""
    grid = grid_of(turn)
    if grid is None:
        return None
    entries = [entry for row in grid.cells for entry in row if entry is not None]
    factor, unit = measure(entries, turn.format) if are_alike(entries) else (None, "")
    head, shown = grid.shown(turn.format)
    rows = zip(grid.rows, grid.cells, shown, strict=True)
    return {
        "unit": head or unit,
        "columns": grid.columns,
        "rows": [
            {"label": label, "cells": [_cell(*each, factor) for each in zip(cells, said, strict=True)]}
            for label, cells, said in rows
        ],
    }


def _cell(entry: Entry | None, shown: str, factor: Decimal | None) -> dict[str, Any] | None:
    """factor: by which full amounts are multiplied to be drawn, None where they are not."""
    if entry is None:
        return None
    amount = None if isinstance(entry.value, (bool, Words)) else entry.value * entry.scale
    return {
        "shown": shown,
        "amount": amount,
        "drawn": None if amount is None or factor is None else float(amount * factor),
        "unit": told_unit(entry),
        "fact": getattr(entry.source, "fact", None),
    }


def _quoted(name: str, held: Held, text: str) -> dict[str, Any]:
    """A sentence that an answer quotes, as a step on the way to it."""
    said = text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED].rstrip()}…"
    return {
        "shown": f"[{name}]",
        "kind": "sentence",
        "how": f"“{said}”",
        "about": "",
        "fact": name,
        "from": [],
        "report": held.source.company or held.id,
        "heading": "",
    }


def _whose(name: str | None, here: Mapping[str, Held]) -> dict[str, str]:
    """Of a figure whose it is, the company or else the report, and the heading that it stands under."""
    alias, _, local = (name or "").rpartition(":")
    held = here.get(alias) if name else None
    if held is None:
        return {"report": "", "heading": ""}
    fact = held.fact(local)
    heading = fact.heading.rpartition(JOIN)[2] if fact else ""
    return {"report": held.source.company or held.id, "heading": heading}


def pictures(turn: Turn) -> list[tuple[int, Path]]:
    """The pictures that were drawn, each as PNG, with their numbers in the turn."""
    return _drawn(result(turn))


def _drawn(found: Mapping[str, Any]) -> list[tuple[int, Path]]:
    return list(enumerate(Path(path) for path in found.get("plots", ()) if path.endswith(".png")))


def _notes(turn: Turn) -> dict[str, list[str]]:
    """What the memory knew of the question: terms and recipes by name, and words that nothing explains."""
    for event in turn.events:
        if isinstance(event, Rephrased):
            return {"terms": list(event.terms), "recipes": list(event.recipes), "unknown": list(event.unknown)}
    return {"terms": [], "recipes": [], "unknown": []}


def step(event: Event) -> dict[str, Any] | None:
    """What is told of an event while a question is being answered; None for nothing."""
    match event:
        case TurnStarted():
            return {"kind": "asked", "text": event.question}
        case Understood():
            return {"kind": "understood", "text": event.understanding.description}
        case ModelCalled():
            return {"kind": "model", "text": f"call {event.call + 1}"}
        case ToolCalled() if event.tool != "understand":
            return {"kind": "call", "text": event.tool, "input": event.input, "error": event.error}
    return None


async def answer_stream(talk: Talk, question: str, askers: Askers, meant: str = "") -> AsyncIterator[bytes]:
    """The events `step`, `said` and at last `answer` or `failed`. Who stops listening stops the question."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

    def put(kind: str, value: object) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, (kind, value))

    def hear(event: Event) -> None:
        if (value := step(event)) is not None:
            put("step", value)

    async def work() -> None:
        try:
            said = lambda text: put("said", {"text": text})  # noqa: E731
            await queue.put(("answer", await askers.run(lambda: told(talk, talk.ask(question, hear, said, meant)))))
        except ASK_FAULTS as error:
            await queue.put(("failed", {"error": str(error)}))
        finally:
            await queue.put(None)

    task = asyncio.create_task(work())
    try:
        while (item := await queue.get()) is not None:
            yield f"event: {item[0]}\ndata: {json_text(item[1])}\n\n".encode()
    finally:
        if not task.done():
            talk.stop()
        await asyncio.shield(task)
