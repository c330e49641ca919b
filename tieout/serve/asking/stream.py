"""A question that is being answered, told as it happens (server-sent events), or answered at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tieout.agent.answers.nodes import make_nodes, tops
from tieout.agent.answers.result import result
from tieout.agent.log.events import Event, ModelCalled, Rephrased, ToolCalled, TurnStarted, Understood
from tieout.agent.log.log import LogError
from tieout.agent.log.turn import Turn
from tieout.agent.session import QuestionError
from tieout.data.console import json_text
from tieout.serve.asking.conversations import ConversationError, Talk
from tieout.serve.library import LibraryError
from tieout.serve.source import marks, queries

THREADS, MOST_WAITING = 32, 64
ASK_FAULTS = (ConversationError, LibraryError, QuestionError, LogError)


class CrowdedError(ConversationError):
    """More questions at once than are let in."""


class Askers:
    """The threads in which questions are answered, and how many wait for one."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="ask")
        self._asked = 0

    def close(self) -> None:
        """Waits for the questions that are being answered."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def run(self, work: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the work gives
        """Does work in a thread. Raises CrowdedError, and what the work raises."""
        if self._asked >= MOST_WAITING:
            raise CrowdedError("too many questions are being answered: ask again in a moment")
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._asked -= 1


def told(talk: Talk, turn: Turn) -> dict[str, Any]:
    """A turn as the page and programs get it: the keys of `--json`, and where its figures are printed."""
    nodes = make_nodes(turn)
    roots = tops(nodes)
    return {
        **result(turn),
        "conversation": talk.key,
        "turn": turn.index,
        "nodes": nodes,
        "roots": roots,
        "notes": _notes(turn),
        "pictures": [f"/api/conversations/{talk.key}/turns/{turn.index}/pictures/{at}" for at, _ in pictures(turn)],
        "marks": marks(turn, talk.aliases()),
        "queries": queries(turn),
    }


def pictures(turn: Turn) -> list[tuple[int, Path]]:
    """The pictures that were drawn, each as PNG, with their numbers in the turn."""
    drawn = [Path(path) for path in result(turn).get("plots", ()) if path.endswith(".png")]
    return list(enumerate(drawn))


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


async def answer_stream(talk: Talk, question: str, askers: Askers) -> AsyncIterator[bytes]:
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
            turn = await askers.run(lambda: talk.ask(question, hear, lambda text: put("said", {"text": text})))
            await queue.put(("answer", told(talk, turn)))
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
