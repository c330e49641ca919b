"""Responses: a Request as the body of `POST /responses`, and a Reply from what comes back.

https://platform.openai.com/docs/api-reference/responses. Nothing is kept at the endpoint: what it said goes back to it
with the next request of a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

from tieout.agent.backends.openai.request import Options, as_json, question, read_call, results, system
from tieout.agent.protocol.message import BackendError, Exchange, Reply, Request, StopReason, Usage
from tieout.data.system.redact import Pieces

PATH = "/responses"
ENDS = ("response.completed", "response.incomplete", "response.failed")  # events that hold the whole response
CUT: dict[str | None, StopReason] = {"max_output_tokens": "length", "content_filter": "refusal"}


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Error(_Part):
    code: str | None = None
    message: str = ""


class _Reason(_Part):
    reason: str | None = None


class _Cached(_Part):
    cached_tokens: int | None = None


class _Usage(_Part):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_details: _Cached | None = None


class _Response(_Part):
    model: str = ""
    status: str | None = None
    output: list[dict[str, Any]]
    usage: _Usage | None = None
    error: _Error | None = None
    incomplete_details: _Reason | None = None


def encode(request: Request, options: Options) -> dict[str, Any]:
    """The body of the request."""
    said: list[dict[str, Any]] = [{"role": "user", "content": question(request, told=not options.forced)}]
    for exchange in request.exchanges:
        said += _exchanged(exchange)
    body: dict[str, Any] = {"model": options.model, "instructions": system(request), "input": said, "store": False}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": False,
            }
            for tool in request.tools
        ]
        named = {"type": "function", "name": request.must_call} if request.must_call else "required"
        body["tool_choice"] = named if options.forced else "auto"
    if options.effort:  # said of models that reason: only they have something that has to come back
        body |= {"reasoning": {"effort": options.effort}, "include": ["reasoning.encrypted_content"]}
    if most := options.max_completion_tokens or options.max_tokens:
        body["max_output_tokens"] = most
    return body


def _exchanged(exchange: Exchange) -> list[dict[str, Any]]:
    """A reply as the endpoint said it, or as it would have, with the results of its calls."""
    reply = exchange.reply
    if reply.blocks and all("type" in block for block in reply.blocks):
        said = [dict(block) for block in reply.blocks]
    else:
        said = [{"role": "assistant", "content": reply.text}] if reply.text else []
        said += [
            {"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": as_json(call.arguments)}
            for call in reply.calls
        ]
    for identifier, content in results(reply.calls, exchange.results):
        said.append({"type": "function_call_output", "call_id": identifier, "output": content})
    return [*said, {"role": "user", "content": exchange.feedback}] if exchange.feedback else said


def decode(body: object, asked: str) -> Reply:
    """A response as a Reply. Raises BackendError; ValueError where it is no response."""
    response = _Response.model_validate(body)
    if response.error is not None:
        raise BackendError("server error", f"the endpoint says {response.error.message!r}")
    calls = tuple(
        read_call(str(item.get("call_id", "")), str(item.get("name", "")), str(item.get("arguments", "")))
        for item in response.output
        if item.get("type") == "function_call"
    )
    parts = [part for item in response.output if item.get("type") == "message" for part in item.get("content") or []]
    counted = response.usage or _Usage()
    cached = (counted.input_tokens_details.cached_tokens if counted.input_tokens_details else None) or 0
    return Reply(
        text="\n".join(str(part.get("text") or part.get("refusal") or "") for part in parts),
        calls=calls,
        stop=_stop(response, calls=bool(calls), refused=any(part.get("type") == "refusal" for part in parts)),
        usage=Usage(input=counted.input_tokens - cached, output=counted.output_tokens, cache_read=cached),
        model=response.model,
        asked=asked,
        blocks=tuple(_handed_back(response.output)),
    )


def _stop(response: _Response, *, calls: bool, refused: bool) -> StopReason:
    if response.status == "completed":
        return "refusal" if refused else "tools" if calls else "end"
    reason = response.incomplete_details.reason if response.incomplete_details else None
    if response.status == "incomplete" and reason in CUT:
        return CUT[reason]
    if response.status in (None, "in_progress", "queued"):
        raise BackendError("connection cut", "the reply broke off before its end")
    raise BackendError("bad reply", f"the reply has an unknown status: {response.status!r}")


def _handed_back(output: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the endpoint is to see again. By its id it could find an item only if it had kept it: reasoning goes back
    where it came with its content."""
    kept = (item for item in output if item.get("type") != "reasoning" or item.get("encrypted_content"))
    return [{name: value for name, value in item.items() if name not in ("id", "status")} for item in kept]


def streamed(body: dict[str, Any]) -> dict[str, Any]:
    """The same request for a reply in pieces."""
    return body | {"stream": True}


def gather(events: Iterable[Any], pieces: Pieces) -> dict[str, Any]:
    """The response at the end of a stream. pieces: is told its text as it comes. Raises BackendError."""
    for event in events:
        if not isinstance(event, dict):
            raise BackendError("bad reply", "a piece of the reply is no JSON object")
        if event.get("type") == "response.output_text.delta":
            pieces.add(str(event.get("delta", "")))
        elif event.get("type") == "error":
            raise BackendError("server error", f"the endpoint says {str(event.get('message', ''))!r}")
        elif event.get("type") in ENDS and isinstance(event.get("response"), dict):
            found: dict[str, Any] = event["response"]
            return found
    raise BackendError("connection cut", "the reply broke off before its end")
