"""A backend that says what a test tells it to, and a small report to say it about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tieout.agent.protocol.message import BackendError, Reply, Request, StopReason, ToolCall


class ScriptedBackend:
    """Gives its replies one after another, and keeps the requests. An exception in the place of a reply is raised."""

    name = "scripted"

    def __init__(self, replies: Iterable[Reply | BaseException]) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    def reply(self, request: Request) -> Reply:
        self.requests.append(request)
        if not self.replies:
            raise BackendError("script over", "the script has no further reply")
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


def says(*calls: tuple[str, dict[str, Any]], text: str = "", stop: StopReason = "tools", **more: Any) -> Reply:
    """A reply that makes these calls, each a tool and its arguments: `says(("answer", {"value": "t1r1c1"}))`."""
    made = tuple(
        ToolCall(id=f"call_{number}", tool=tool, arguments=arguments)
        for number, (tool, arguments) in enumerate(calls, start=1)
    )
    return Reply(text=text, calls=made, stop=stop if made or stop != "tools" else "end", **more)


def answers(value: str) -> tuple[str, dict[str, Any]]:
    """The call that answers with a value."""
    return "answer", {"value": value}


def calculates(name: str, operation: str, *values: str) -> tuple[str, dict[str, Any]]:
    """The call that calculates."""
    return "calculate", {"operation": operation, "values": list(values), "name": name}
