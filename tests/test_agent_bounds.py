"""An endpoint that means no good: one that never ends, one that never stops sending, one that sends the key back."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages_server import Answer, error, message, serving, text, thinking, use
from orris import report_graph

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.backends.bounds import MOST_BYTES, Halted
from tieout.agent.log.log import Log
from tieout.agent.protocol.message import BackendError, Card, Request
from tieout.agent.session import Session
from tieout.data.system.redact import Redaction

KEY = "sk-ant-test-secret-4711"
REQUEST = Request(instructions="", tools=(), card=Card(document_id="d", facts=(), text=""), question="?")
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 3000000000\r\n\r\n"


@pytest.fixture
def backend(monkeypatch) -> Iterator[Callable[..., AnthropicBackend]]:
    """Makes a backend that talks to an address."""
    made: list[AnthropicBackend] = []

    def make(url: str, options: str = "retries=0", **more) -> AnthropicBackend:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        made.append(AnthropicBackend.parse(f"test-model,{options}", **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


class Sender:
    """Sends the same piece again and again, with a pause, as long as somebody listens. sent: bytes until now."""

    def __init__(self, head: bytes, piece: bytes, pause: float) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.sent = 0
        self.what = head, piece, pause
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                with connection, suppress(OSError):
                    self._send(connection)

    def _send(self, connection: socket.socket) -> None:
        head, piece, pause = self.what
        connection.recv(1 << 16)
        connection.sendall(head)
        while not self.over.wait(pause):
            connection.sendall(piece)
            self.sent += len(piece)

    def close(self) -> None:
        self.over.set()
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join()


@contextmanager
def sending(head: bytes, piece: bytes, pause: float = 0.0) -> Iterator[Sender]:
    sender = Sender(head, piece, pause)
    try:
        yield sender
    finally:
        sender.close()


def outcome(asked: AnthropicBackend) -> tuple[str, str]:
    with pytest.raises(BackendError) as raised:
        asked.reply(REQUEST)
    assert KEY not in f"{raised.value} {raised.value.detail}"
    return raised.value.outcome, str(raised.value)


DRIPS = {"in the body": HEAD, "in the head": b"HTTP/1.1 200 OK\r\nx-long: "}


@pytest.mark.parametrize("where", DRIPS)
def test_an_endpoint_that_drips_does_not_outlast_the_time_of_a_reply(backend, where):
    with sending(DRIPS[where], b" " if where == "in the body" else b"x", 0.02) as endpoint:
        asked = backend(endpoint.url, "retries=2,total=0.4")
        assert outcome(asked) == ("timeout", "no whole reply within 0.4 s")


@pytest.mark.parametrize("where", DRIPS)
def test_an_endpoint_that_drips_does_not_outlast_the_seconds_of_a_run(backend, where):
    with sending(DRIPS[where], b"x", 0.02) as endpoint:
        asked = backend(endpoint.url, "retries=2")
        asked.bounds.deadline = time.time() + 0.4
        assert outcome(asked) == ("limit", "the seconds of --max-seconds are used up")


def test_a_silent_endpoint_does_not_outlast_them_either(backend):
    with sending(b"", b"", 0.02) as endpoint:
        asked = backend(endpoint.url, "retries=2,timeout=600")
        asked.bounds.deadline = time.time() + 0.4
        assert outcome(asked)[0] == "limit"


def test_an_endpoint_that_says_when_to_come_again_is_not_waited_for_beyond_them(backend):
    later = error(429, "rate_limit_error", **{"retry-after-ms": "500000"})
    with serving(later) as server:
        assert outcome(backend(server.url, "retries=2,total=0.4"))[0] == "timeout"
        assert len(server.requests) == 1


def test_a_reply_of_three_gigabytes_is_not_read_to_its_end(backend):
    with sending(HEAD, b" " * (1 << 20)) as endpoint:
        said = outcome(backend(endpoint.url, "retries=2"))
        assert said == ("bad reply", "the reply is longer than 32 MB: the rest was not read")
        assert endpoint.sent < 2 * MOST_BYTES


def test_a_reply_that_is_compressed_though_it_was_not_to_be_is_not_unpacked(backend):
    with serving(Answer(message(text("hello")), headers={"content-encoding": "gzip"})) as server:
        assert outcome(backend(server.url))[0] == "bad reply"
        assert server.requests[0].headers["accept-encoding"] == "identity"


def test_who_waits_can_be_told_to_leave(backend):
    ended: list[BaseException] = []

    def ask() -> None:
        try:
            asked.reply(REQUEST)
        except BaseException as error:  # noqa: BLE001 - looked at below
            ended.append(error)

    with sending(HEAD, b"", 0.02) as endpoint:
        asked = backend(endpoint.url)
        waiting = threading.Thread(target=ask)
        waiting.start()
        asked.bounds.halt()
        waiting.join(30)
    assert [type(each) for each in ended] == [Halted]


def test_each_reply_has_its_own_bounds(backend, monkeypatch):
    monkeypatch.setattr("tieout.agent.backends.bounds.MOST_BYTES", 3000)
    with serving(message(text("x" * 1000))) as server:
        asked = backend(server.url, "retries=0,total=60")
        for _ in range(5):  # on one connection, which is kept open
            assert len(asked.reply(REQUEST).text) == 1000


ECHOES = {
    "text": message(text(f"the key is {KEY}."), use("answer", {"value": "t1r1c1"})),
    "thinking": message(thinking(f"I was sent {KEY}", "s"), use("answer", {"value": "t1r1c1"})),
    "an argument": message(use("answer", {"value": KEY, KEY: [KEY]})),
    "a tool": message(use(KEY, {})),
    "a name": message(use("answer", {"value": "t1r1c1"}, id=KEY)),
    "the model": message(use("answer", {"value": "t1r1c1"}), model=f"model-{KEY}"),
    "the reason": message(text("hello")) | {"stop_reason": KEY},
    "an error": error(400, "invalid_request_error", f"bad header x-api-key: {KEY}"),
    "a number of an error": error(400, "invalid_request_error", "no", **{"request-id": KEY}),
    "no message": Answer({"hello": KEY}),
    "no JSON": Answer(f"<html>{KEY}</html>"),
}


@pytest.mark.parametrize("where", ECHOES)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_key_that_is_sent_back_stands_in_no_log(backend, tmp_path, where, streamed):
    shown: list[str] = []
    with serving(ECHOES[where]) as server, Log(tmp_path / "log.jsonl") as log:
        asked = backend(server.url, on_text=shown.append if streamed else None)
        talk = Session(report_graph(), asked, log=log)
        turn = talk.ask("what was the price?")
        talk.close()
    assert KEY[3:] not in (tmp_path / "log.jsonl").read_text()
    assert KEY[3:] not in f"{turn} {''.join(shown)}"


@given(st.lists(st.sampled_from([KEY, KEY[:9], "sk-", "s", "net 12", "é", KEY[5:]]), max_size=8), st.data())
def test_pieces_of_a_text_are_shown_as_the_whole_would_be(parts, data):
    whole, shown = "".join(parts), []
    pieces = Redaction([KEY]).in_pieces(shown.append)
    rest = whole
    while rest:
        length = data.draw(st.integers(1, len(rest)))
        pieces.add(rest[:length])
        rest = rest[length:]
    pieces.end()
    assert "".join(shown) == whole.replace(KEY, "***")


def test_what_a_local_endpoint_takes_for_a_key_may_stand_in_an_answer():
    assert Redaction(["local", ""]).clean({"local": ["local sales"]}) == {"local": ["local sales"]}
