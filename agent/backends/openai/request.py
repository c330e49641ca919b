"""A Request as texts and calls, for the ways of speaking that `openai:` knows: what they have in common."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tieout.agent.backends.options import COMMON, Common, one_of, positive, read_settings
from tieout.agent.protocol.message import BackendError, Request, ToolCall, ToolResult
from tieout.agent.view.history import asked


def system(request: Request) -> str:
    """What is equal for many requests: instructions, then the card. Endpoints that cache find its beginning again."""
    return "\n\n".join(text for text in (request.instructions, request.card.text) if text)


def question(request: Request, *, told: bool) -> str:
    """The conversation up to what is asked now. told: also which tool has to be called, in words."""
    lasting, passing = asked(request)
    if told and request.must_call:
        passing = [*passing, f"Reply with one call of the tool `{request.must_call}` and nothing else."]
    return "\n\n".join([*lasting, *passing])


def results(calls: tuple[ToolCall, ...], found: tuple[ToolResult, ...]) -> list[tuple[str, str]]:
    """The id of every call with its result as text: an endpoint wants one for each."""
    by_id = {result.id: result for result in found}
    texts: list[tuple[str, str]] = []
    for call in calls:
        result = by_id.get(call.id)
        content = "not run" if result is None else result.content
        texts.append((call.id, f"error: {content}" if result is None or result.error else content))
    return texts


def as_json(arguments: dict[str, Any]) -> str:
    """The arguments of a call, the same to the byte each time."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False)


def read_call(identifier: str, name: str, arguments: str) -> ToolCall:
    """A call as an endpoint says it. Raises BackendError `bad reply` where the arguments are no JSON object."""
    try:
        found = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BackendError("bad reply", f"the arguments of a call of {name!r} are no JSON object")
    return ToolCall(id=identifier, tool=name, arguments=found)


@dataclass(frozen=True, slots=True)
class Options(Common):
    """What can be said behind `openai:`, as in `openai:gpt-5,api=responses,effort=low`.

    api: chat (Chat Completions, which most endpoints speak) or responses. effort: of reasoning, None for the model's
    own. max_tokens, max_completion_tokens: of one reply, under the name that the endpoint has for it; None for its own.
    """

    api: str = "chat"
    effort: str | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None

    @classmethod
    def parse(cls, text: str) -> Options:
        """Reads `MODEL[,name=value]...`. Raises BackendNameError."""
        model, values = read_settings("openai", text, READ_OPTION)
        return cls(model, **values)


READ_OPTION: dict[str, Callable[[str], Any]] = {
    "api": one_of("api", "chat", "responses"),
    "effort": one_of("effort", "none", "minimal", "low", "medium", "high", "xhigh"),
    "max_tokens": positive,
    "max_completion_tokens": positive,
    **COMMON,
}
