"""Conversations: begun, asked on, listed, found, renamed, given other reports, taken back, forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from tieout.agent.session import QuestionError, fault
from tieout.serve.api import schema
from tieout.serve.api.reply import Json
from tieout.serve.asking.kept import Summary
from tieout.serve.conversations import Conversations, Talk
from tieout.serve.stream import Askers, answer_stream, told

STREAM = "text/event-stream"
MOST_LISTED = 500
FIGURE = r"^(?:(?:[a-z0-9]+:)?(?:t\d+r\d+c\d+|s\d+a\d+|x\d+)[a-z]*)?$"
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Key = Annotated[str, Field(min_length=1, max_length=400)]
Keys = Annotated[list[Key], Field(max_length=50)]


class Begin(BaseModel):
    """reports: keys or ids of those that the conversation is about; none where it is about data alone."""

    model_config = ConfigDict(extra="forbid")
    reports: Keys


class Question(BaseModel):
    """One question of a conversation. meant: the name of the figure that is its answer, to correct what was answered:
    nothing is looked for then."""

    model_config = ConfigDict(extra="forbid")
    question: Text
    meant: Annotated[str, Field(max_length=100, pattern=FIGURE)] = ""


class Asked(Begin, Question):
    """A question that begins a conversation of its own."""


class Change(BaseModel):
    """What is to be another from now on: the title, or the reports that are asked."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    reports: Keys | None = None


def add_conversations(router: APIRouter, conversations: Conversations, askers: Askers) -> None:
    """Adds the paths."""
    _add_asking(router, conversations, askers)
    _add_keeping(router, conversations, askers)


def _add_asking(router: APIRouter, conversations: Conversations, askers: Askers) -> None:
    async def answered(request: Request, talk: Talk, asked: Question) -> Response:
        question, meant = asked.question, asked.meant
        if why := fault(question):
            raise QuestionError(f"the question {why}")
        if STREAM in request.headers.get("accept", ""):
            events: AsyncIterator[bytes] = answer_stream(talk, question, askers, meant)
            return StreamingResponse(events, media_type=STREAM)
        return Json(await askers.run(lambda: told(talk, talk.ask(question, meant=meant))))

    @router.post("/api/ask", response_model=schema.Answer)
    async def ask(request: Request, asked: Asked) -> Response:
        """Asks a question in a conversation of its own, whose name is in the answer.

        With `Accept: text/event-stream` the answer is told as it comes: events `step`, `said`, then `answer`.
        """
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return await answered(request, talk, asked)

    @router.post("/api/conversations/{key}/ask", response_model=schema.Answer)
    async def ask_on(request: Request, key: str, asked: Question) -> Response:
        """Asks the next question; streams as `/api/ask` does. The turn is kept before it is answered."""
        talk = await askers.run(lambda: conversations.get(key))
        return await answered(request, talk, asked)

    @router.post("/api/conversations/{key}/stop", response_model=schema.Stopped)
    def stop(key: str) -> Response:
        """Stops the question that is being answered, before the next call of the backend."""
        conversations.get(key).stop()
        return Json({"stopped": True})

    @router.post("/api/conversations/{key}/undo", response_model=schema.Undone)
    def undo(key: str) -> Response:
        """Takes the last turn back."""
        talk = conversations.get(key)
        taken = talk.undo()
        return Json({"undone": taken.question if taken else None, "turns": len(talk.turns)})


def _add_keeping(router: APIRouter, conversations: Conversations, askers: Askers) -> None:
    @router.get("/api/conversations", response_model=schema.Conversations)
    def list_conversations(
        words: Annotated[str, Query(max_length=200)] = "",
        first: Annotated[int, Query(ge=0)] = 0,
        most: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
    ) -> Response:
        """The conversations that were asked anything, the one that was asked last first, `most` from number `first` on.

        words: those that stand in the title, a question, an answer or the name of a report, all of them.
        """
        count, found = conversations.kept.list(words.split()[:12], first, most)
        return Json({"count": count, "conversations": [_summary(each, conversations) for each in found]})

    @router.post("/api/conversations", status_code=201, response_model=schema.Conversation)
    async def begin(asked: Begin) -> Response:
        """Begins a conversation about reports. It is kept, and listed, with its first answer."""
        talk = await askers.run(lambda: conversations.begin(asked.reports))
        return Json(_talk(talk, conversations), 201)

    @router.get("/api/conversations/{key}", response_model=schema.WholeConversation)
    def one_conversation(key: str) -> Response:
        """A conversation with all its answers."""
        talk = conversations.get(key)
        return Json({**_talk(talk, conversations), "turns": [told(talk, turn) for turn in talk.turns]})

    @router.patch("/api/conversations/{key}", response_model=schema.Conversation)
    async def change(key: str, change: Change) -> Response:
        """Gives a conversation another title, or lets it ask other reports from now on: what was answered stays."""
        talk = await askers.run(lambda: conversations.get(key))
        if change.reports is not None:
            reports = change.reports
            await askers.run(lambda: conversations.change(key, reports))
        if change.title is not None:
            talk.rename(" ".join(change.title.split()) or talk.title)
        return Json(_talk(talk, conversations))

    @router.delete("/api/conversations/{key}", response_model=schema.Removed)
    async def remove(key: str) -> Response:
        """Forgets a conversation, for good."""
        await askers.run(lambda: conversations.remove(key))
        return Json({"removed": key})


def _talk(talk: Talk, conversations: Conversations) -> dict[str, Any]:
    """A conversation under way; it is in no list before its first answer."""
    summary = conversations.kept.summary(talk.key) or Summary(talk.key, talk.title, "", "", False, 0, ())
    shown = _summary(summary, conversations)
    here = talk.aliases()
    reports = [
        {"key": here[each.alias].key if each.alias in here else None, "id": each.id, "asked": each.asked}
        for each in talk.members
    ]
    return {**shown, "reports": reports, "aliases": {alias: held.key for alias, held in here.items()}}


def _summary(summary: Summary, conversations: Conversations) -> dict[str, Any]:
    open_now = {each.alias: held for each in summary.members if (held := conversations.library.same(each))}
    return {
        "conversation": summary.key,
        "title": summary.title,
        "begun": summary.begun or None,
        "changed": summary.changed or None,
        "shared": summary.shared,
        "turns": summary.turns,
        "reports": [
            {"key": open_now[each.alias].key if each.alias in open_now else None, "id": each.id, "asked": each.asked}
            for each in summary.members
        ],
        "aliases": {alias: held.key for alias, held in open_now.items()},
    }
