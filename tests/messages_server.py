"""A local server that speaks the Messages API, for tests: it says what it was told to, and keeps what it was sent.

with serving(message(text("hello"))) as server:
    ...            # ANTHROPIC_BASE_URL is server.url
server.requests[0].body["model"]
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One HTTP answer.

    body: JSON, or text as it is. cut: bytes of the body after which the connection is reset. wait: seconds before.
    """

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: int | None = None
    wait: float = 0.0


@dataclass(frozen=True)
class Seen:
    path: str
    headers: dict[str, str]
    body: Any


Step = Answer | Json | Callable[[Json], "Answer | Json"]


def text(value: str) -> Json:
    return {"type": "text", "text": value}


def thinking(value: str, signature: str) -> Json:
    return {"type": "thinking", "thinking": value, "signature": signature}


def use(name: str, arguments: Any, id: str = "toolu_1") -> Json:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def message(*blocks: Json, stop: str | None = None, usage: Json | None = None, model: str = "test-model") -> Json:
    """A Message. stop: by default `tool_use` where a tool is used, else `end_turn`."""
    reason = stop or ("tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn")
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(blocks),
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 10, "output_tokens": 5},
    }


def error(status: int, kind: str, says: str = "no", **headers: str) -> Answer:
    """An error as the API sends it. The client is asked to try again at once, where it does at all."""
    quick = {"retry-after-ms": "1", "request-id": "req_1"} | headers
    return Answer({"type": "error", "error": {"type": kind, "message": says}}, status, quick)


def events_of(reply: Json) -> list[Json]:
    """The stream of events that says the same as a Message."""
    start = {**reply, "content": [], "stop_reason": None, "usage": reply["usage"] | {"output_tokens": 0}}
    events: list[Json] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(reply["content"]):
        match block["type"]:
            case "text":
                empty, deltas = (
                    block | {"text": ""},
                    [{"type": "text_delta", "text": part} for part in halves(block["text"])],
                )
            case "thinking":
                empty = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": part} for part in halves(block["thinking"])]
                deltas.append({"type": "signature_delta", "signature": block["signature"]})
            case "tool_use":
                whole = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
                empty = block | {"input": {}}
                deltas = [{"type": "input_json_delta", "partial_json": part} for part in halves(whole)]
            case _:
                empty, deltas = block, []
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
    events.append(
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": reply["usage"]["output_tokens"]}}
    )
    return [*events, {"type": "message_stop"}]


def halves(value: str) -> list[str]:
    return [part for part in (value[: len(value) // 2], value[len(value) // 2 :]) if part]


def streamed(events: list[Json], **more: Any) -> Answer:
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Answer(body, kind="text/event-stream", **more)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, steps: tuple[Step, ...]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.steps = list(steps)
        self.requests: list[Seen] = []
        self.batches: dict[str, list[Json]] = {}
        self.has_batches = True
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next(self, body: Json) -> Answer:
        """The answer to a request. The last step is said again and again."""
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        said = step(body) if callable(step) else step
        if isinstance(said, Answer):
            return said
        return streamed(events_of(said)) if body.get("stream") else Answer(said)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the tests."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every reply waits 40 ms for the other side to say that it has its first part

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.requests.append(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if self.path == "/v1/messages/batches":
                answer = self._new_batch(body)
            elif self.path.startswith(("/v1/messages", "/v1/chat/completions", "/v1/responses")):
                answer = self.server.next(body)
            else:
                answer = error(404, "not_found_error", "no such path")
        self._send(answer)

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.requests.append(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, None))
        name, _, rest = self.path.removeprefix("/v1/messages/batches/").partition("/")
        if name not in self.server.batches:
            self._send(error(404, "not_found_error", "no such batch"))
        elif rest == "results":
            lines = [
                json.dumps(line) for line in reversed(self.server.batches[name])
            ]  # in no order that can be relied on
            self._send(Answer("\n".join(lines) + "\n", kind="application/x-jsonl"))
        else:
            self._send(Answer(self._batch(name, "ended")))

    def _new_batch(self, body: Json) -> Answer:
        if not self.server.has_batches:
            return error(404, "not_found_error", "no such path")
        results = []
        for request in body["requests"]:
            said = self.server.next(request["params"])
            if said.status == 200:
                result = {"type": "succeeded", "message": said.body}
            else:
                result = {"type": "errored", "error": said.body | {"request_id": "req_1"}}
            results.append({"custom_id": request["custom_id"], "result": result})
        name = f"msgbatch_{len(self.server.batches) + 1}"
        self.server.batches[name] = results
        return Answer(self._batch(name, "in_progress"))

    def _batch(self, name: str, status: str) -> Json:
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": status,
            "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-01-02T00:00:00Z",
            "ended_at": None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.server.url}/v1/messages/batches/{name}/results" if status == "ended" else None,
        }

    def _send(self, answer: Answer) -> None:
        time.sleep(answer.wait)
        body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        data = body.encode()
        streaming = answer.kind == "text/event-stream"
        self.send_response(answer.status)
        self.send_header("content-type", answer.kind)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if streaming:  # its length is not known while it is being written
            self.send_header("connection", "close")
        else:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data if answer.cut is None else data[: answer.cut])
        self.wfile.flush()
        if answer.cut is not None:
            self._reset()
        elif streaming:
            self.close_connection = True

    def _reset(self) -> None:
        """Ends the connection as a broken cable would, not as a polite server."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""


@contextmanager
def serving(*steps: Step) -> Iterator[Server]:
    with running(Server(steps or (message(text("hello")),))) as server:
        yield server


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """The server in a thread of its own."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
