"""A local server that speaks Chat Completions and Responses, for tests: it says what it was told to, and keeps what it
was sent. Its steps are those of `messages_server`; OPENAI_BASE_URL is `server.url + "/v1"`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import messages_server
from messages_server import Answer, Json, Step, halves

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def call(name: str, arguments: Any, id: str = "call_1") -> Json:
    """A call of a tool as Chat Completions says it. arguments: JSON, or text as it is."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def completion(
    text: str | None = None, *calls: Json, finish: str | None = None, usage: Any = USAGE, **more: Any
) -> Json:
    """A chat completion. finish: by default `tool_calls` where a tool is called, else `stop`."""
    message: Json = {"role": "assistant", "content": text} | ({"tool_calls": list(calls)} if calls else {}) | more
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
    found = {"id": "c1", "object": "chat.completion", "created": 1, "model": "test-model", "choices": [choice]}
    return found | ({"usage": usage} if usage else {})


def response(*output: Json, status: str = "completed", **more: Any) -> Json:
    """A response of the Responses API."""
    usage = {"input_tokens": 10, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 4}}
    found = {"id": "r1", "object": "response", "model": "test-model", "status": status, "output": list(output)}
    return found | {"usage": usage, "error": None} | more


def said(text: str) -> Json:
    return {"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def calls(name: str, arguments: Any, id: str = "call_1") -> Json:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "id": "f1", "call_id": id, "name": name, "arguments": text}


def error(
    status: int, code: str | None = None, kind: str = "invalid_request_error", says: str = "no", **headers: str
) -> Answer:
    """An error as the API sends it. The client is asked to try again at once, where it does at all."""
    body = {"error": {"message": says, "type": kind, "param": None, "code": code}}
    return Answer(body, status, {"retry-after-ms": "1", "x-request-id": "req_1"} | headers)


def stream(events: list[Json], end: str = "data: [DONE]\n\n", **more: Any) -> Answer:
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return Answer(body + end, kind="text/event-stream", **more)


def chunks_of(whole: Json) -> list[Json]:
    """The pieces that say the same as a chat completion."""
    choice = whole["choices"][0]
    message = choice["message"]
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": part} for part in halves(message["content"] or "")]
    for index, each in enumerate(message.get("tool_calls", ())):
        function = each["function"]
        deltas.append(
            {"tool_calls": [{**each, "index": index, "function": {"name": function["name"], "arguments": ""}}]}
        )
        for part in halves(function["arguments"]):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": whole["model"]}
    found = [chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    found.append(chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    return [*found, chunk | {"choices": [], "usage": whole.get("usage")}]


def events_of(whole: Json) -> list[Json]:
    """The events that say the same as a response."""
    texts = [part["text"] for item in whole["output"] if item["type"] == "message" for part in item["content"]]
    deltas = [{"type": "response.output_text.delta", "delta": part} for text in texts for part in halves(text)]
    ends = {"completed": "response.completed", "incomplete": "response.incomplete", "failed": "response.failed"}
    return [{"type": "response.created"}, *deltas, {"type": ends[whole["status"]], "response": whole}]


class Server(messages_server.Server):
    def next(self, body: Json) -> Answer:
        """The answer to a request. The last step is said again and again."""
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        found = step(body) if callable(step) else step
        if isinstance(found, Answer):
            return found
        if not body.get("stream"):
            return Answer(found)
        return stream(chunks_of(found)) if "choices" in found else stream(events_of(found), end="")


@contextmanager
def serving(*steps: Step) -> Iterator[Server]:
    with messages_server.running(Server(steps or (completion("hello"),))) as server:
        yield server
