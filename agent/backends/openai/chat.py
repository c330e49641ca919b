"""Chat Completions: a Request as the body of `POST /chat/completions`, and a Reply from what comes back.

https://platform.openai.com/docs/api-reference/chat. Spoken by OpenAI, Azure, vLLM, Ollama, LM Studio and many more,
each in its own way: what is not needed is not asked for, and read only where it is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

from tieout.agent.backends.openai.request import Options, as_json, question, read_call, results, system
from tieout.agent.protocol.message import BackendError, Exchange, Reply, Request, StopReason, Usage
from tieout.data.system.redact import Pieces

PATH = "/chat/completions"
STOPS: dict[str, StopReason] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "model_length": "length",
    "content_filter": "refusal",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Function(_Part):
    name: str
    arguments: str = ""


class _Call(_Part):
    id: str = ""
    function: _Function


class _Message(_Part):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(_Part):
    message: _Message
    finish_reason: str | None = None


class _Cached(_Part):
    cached_tokens: int | None = None


class _Usage(_Part):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Cached | None = None


class _Completion(_Part):
    model: str = ""
    choices: list[_Choice]
    usage: _Usage | None = None


def encode(request: Request, options: Options) -> dict[str, Any]:
    """The body of the request."""
    messages = [
        {"role": "system", "content": system(request)},
        {"role": "user", "content": question(request, told=not options.forced)},
    ]
    for exchange in request.exchanges:
        messages += _exchanged(exchange)
    body: dict[str, Any] = {"model": options.model, "messages": messages}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
        named = {"type": "function", "function": {"name": request.must_call}} if request.must_call else "required"
        body["tool_choice"] = named if options.forced else "auto"
    if options.effort:
        body["reasoning_effort"] = options.effort
    for name in ("max_tokens", "max_completion_tokens"):
        if (most := getattr(options, name)) is not None:
            body[name] = most
    return body


def _exchanged(exchange: Exchange) -> list[dict[str, Any]]:
    """A reply as the endpoint said it, or as it would have, with the results of its calls."""
    reply = exchange.reply
    if reply.blocks and reply.blocks[0].get("role") == "assistant":
        messages = [dict(reply.blocks[0])]
    else:
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": as_json(call.arguments)}}
            for call in reply.calls
        ]
        said = {"role": "assistant", "content": reply.text or None} | ({"tool_calls": calls} if calls else {})
        messages = [said] if reply.text or calls else []
    for identifier, content in results(reply.calls, exchange.results):
        messages.append({"role": "tool", "tool_call_id": identifier, "content": content})
    return [*messages, {"role": "user", "content": exchange.feedback}] if exchange.feedback else messages


def decode(body: object, asked: str) -> Reply:
    """A chat completion as a Reply. Raises BackendError: `connection cut` where it has no end, `bad reply`; ValueError
    where it is no chat completion."""
    completion = _Completion.model_validate(body)
    if not completion.choices:
        raise BackendError("bad reply", "the reply has no choice")
    choice = completion.choices[0]
    if choice.finish_reason is None:
        raise BackendError("connection cut", "the reply broke off before its end")
    if choice.finish_reason not in STOPS:
        raise BackendError("bad reply", f"the reply has an unknown finish reason: {choice.finish_reason!r}")
    message, counted = choice.message, completion.usage or _Usage()
    made = message.tool_calls or []
    for number, call in enumerate(made):
        call.id = call.id or f"call_{number}"  # some endpoints give none
    stop = STOPS[choice.finish_reason]
    cached = (counted.prompt_tokens_details.cached_tokens if counted.prompt_tokens_details else None) or 0
    return Reply(
        text=message.content or message.refusal or "",
        calls=tuple(read_call(call.id, call.function.name, call.function.arguments) for call in made),
        stop="refusal" if message.refusal else "tools" if made and stop == "end" else stop,
        usage=Usage(input=counted.prompt_tokens - cached, output=counted.completion_tokens, cache_read=cached),
        model=completion.model,
        asked=asked,
        blocks=({"role": "assistant", **message.model_dump(mode="json", exclude_none=True)},),
    )


def streamed(body: dict[str, Any]) -> dict[str, Any]:
    """The same request for a reply in pieces."""
    return body | {"stream": True, "stream_options": {"include_usage": True}}


def gather(chunks: Iterable[Any], pieces: Pieces) -> dict[str, Any]:
    """A streamed completion as one that is not streamed. pieces: is told its text as it comes. Raises BackendError."""
    message: dict[str, Any] = {"content": ""}
    calls: dict[int, dict[str, Any]] = {}
    found: dict[str, Any] = {"model": "", "usage": None}
    finish = None
    for chunk in chunks:
        if not isinstance(chunk, dict):
            raise BackendError("bad reply", "a piece of the reply is no JSON object")
        found = {name: chunk.get(name) or value for name, value in found.items()}
        for choice in (chunk.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            if text := delta.get("content"):
                message["content"] += text
                pieces.add(text)
            message |= {"refusal": message.get("refusal", "") + delta["refusal"]} if delta.get("refusal") else {}
            for part in delta.get("tool_calls") or []:
                _add_call(calls.setdefault(part.get("index", len(calls)), {"function": {}}), part)
            finish = choice.get("finish_reason") or finish
    whole = message | ({"tool_calls": [calls[number] for number in sorted(calls)]} if calls else {})
    return found | {"choices": [{"message": whole, "finish_reason": finish}]}


def _add_call(call: dict[str, Any], part: dict[str, Any]) -> None:
    """Adds a piece of a call: its name comes whole, its arguments in pieces, and what an endpoint wants back."""
    function = part.get("function") or {}
    whole = call["function"]
    call |= {name: value for name, value in part.items() if name not in ("index", "function") and value}
    whole |= {name: value for name, value in function.items() if name != "arguments" and value}
    whole["arguments"] = whole.get("arguments", "") + (function.get("arguments") or "")
    call["function"] = whole
