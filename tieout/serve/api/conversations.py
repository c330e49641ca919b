"""Conversations: begun, asked on, stopped, taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from tieout.agent.session import QuestionError, fault
from tieout.serve.api.reply import Json
from tieout.serve.asking.conversations import Conversations, Talk
from tieout.serve.asking.stream import Askers, answer_stream, told

STREAM = "text/event-stream"
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Key = Annotated[str, Field(min_length=1, max_length=400)]


class Begin(BaseModel):
    """reports: keys or ids of those that the conversation is about; none where it is about data alone."""

    model_config = ConfigDict(extra="forbid")
    reports: Annotated[list[Key], Field(max_length=50)]


class Question(BaseModel):
    """One question of a conversation."""

    model_config = ConfigDict(extra="forbid")
    question: Text


class Asked(Begin, Question):
    """A question that begins a conversation of its own."""


def add_conversations(router: APIRouter, conversations: Conversations, askers: Askers) -> None:
    async def answered(request: Request, talk: Talk, question: str) -> Response:
        if why := fault(question):
            raise QuestionError(f"the question {why}")
        if STREAM in request.headers.get("accept", ""):
            events: AsyncIterator[bytes] = answer_stream(talk, question, askers)
            return StreamingResponse(events, media_type=STREAM)
        turn = await askers.run(lambda: talk.ask(question))
        return Json(told(talk, turn))

    @router.post("/api/ask")
    async def ask(request: Request, asked: Asked) -> Response:
        """Asks a question in a conversation of its own, whose name is in the answer.

        With `Accept: text/event-stream` the answer is told as it comes: events `step`, `said`, then `answer`.
        """
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return await answered(request, talk, asked.question)

    @router.get("/api/conversations")
    def list_conversations() -> Response:
        """The conversations, the longest unused first."""
        return Json({"conversations": [_talk(talk) for talk in conversations.all()]})

    @router.post("/api/conversations", status_code=201)
    async def begin(asked: Begin) -> Response:
        """Begins a conversation about reports."""
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return Json(_talk(talk), 201)

    @router.get("/api/conversations/{key}")
    def one_conversation(key: str) -> Response:
        """A conversation with all its turns."""
        talk = conversations.get(key)
        return Json({**_talk(talk), "turns": [told(talk, turn) for turn in talk.turns]})

    @router.post("/api/conversations/{key}/ask")
    async def ask_on(request: Request, key: str, asked: Question) -> Response:
        """Asks the next question; streams as `/api/ask` does."""
        return await answered(request, conversations.get(key), asked.question)

    @router.post("/api/conversations/{key}/stop")
    def stop(key: str) -> Response:
        """Stops the question that is being answered, before the next call of the backend."""
        conversations.get(key).stop()
        return Json({"stopped": True})

    @router.post("/api/conversations/{key}/undo")
    def undo(key: str) -> Response:
        """Takes the last turn back."""
        talk = conversations.get(key)
        taken = talk.undo()
        return Json({"undone": taken.question if taken else None, "turns": len(talk.turns)})


def _talk(talk: Talk) -> dict[str, Any]:
    return {
        "conversation": talk.key,
        "reports": [{"key": held.key, "id": held.id} for held in talk.held],
        "aliases": {alias: held.key for alias, held in talk.aliases().items()},
        "turns": len(talk.turns),
    }
