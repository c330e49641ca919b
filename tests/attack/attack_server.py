"""A server under silent sockets, queries whose clients hang up and bombs that are sent at once: whoever asks honestly
meanwhile is answered within two seconds, and the memory comes back. `make attack` runs this, and nothing beside it.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE
from hostile_documents import JSONS, PDFS
from hostile_pages import PAGES
from hostile_workbooks import WORKBOOKS

BAD, HUNG_UP = 300, 40
WITHIN = 2.0  # seconds in which an honest client is answered
MEGABYTES = 200  # that the server may have more than before, once all is over
READING = 3  # seconds of a processor that a file may take here: what is shown is how others fare meanwhile
PATIENCE = 600  # seconds until all bombs are read or refused, on a busy machine
NEARLY = (64 << 20) - 1000  # bytes: just under what may be sent
QUESTION = "what was the operating income in 2013?"
PAGE = "Single_NORVALE/2013/page_35.pdf-1"
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def long(start: bytes, block: bytes, end: bytes = b"") -> bytes:
    """A file just under the limit, most of which is one block again and again."""
    return start + block * ((NEARLY - len(start) - len(end)) // len(block)) + end


# Each is what a reader begins to read: none is refused for its name, its size or its first bytes.
BOMBS: dict[str, Callable[[], bytes]] = {
    **{
        f"{name}.pdf": PDFS[name] for name in ("parts that draw parts", "placed numbers", "a page that unpacks to 1 GB")
    },
    **{f"{name}.pdf": PDFS[name] for name in ("one page many times", "letters that draw", "boxes")},
    **{
        f"{name}.xlsx": WORKBOOKS[f"{name}.xlsx"]
        for name in ("a sheet that unpacks", "many shared strings", "parts over parts", "many sheets of one part")
    },
    **{f"{name}.htm": PAGES[name] for name in ("attributes of one element", "deep elements", "many cells")},
    "facts.json": JSONS["many facts"],
    "deep.json": lambda: long(b'{"cik": 1, "facts": ', b"["),
    "page.json": lambda: long(b'[{"id": "x", "pre_text": ["', b"x"),
    "table.htm": lambda: long(b"<html><body><table>", b"<tr><td>revenue</td><td>5.1</td></tr>", b"</table>"),
    "rows.csv": lambda: long(b"a,2013,2012\n", b"revenue,5.1,4.2\n"),
    "sentences.txt": lambda: long(b"Report\n\n", b"Revenue was $ 5.1 million in 2013. "),
    "text.md": lambda: long(b"# Report\n\n", b"| a | 5.1 |\n|---|---|\n"),
}


@contextmanager
def serving(place: Path) -> Iterator[tuple[str, str, psutil.Process]]:
    """A server that reads the sample: its address, its token and its process."""
    command = [sys.executable, "-m", "tieout", "serve", str(SAMPLE / "ask.json"), "--port", "0", "--forget"]
    environment = os.environ | {"TMPDIR": str(place), "TIEOUT_READ_SECONDS": str(READING)}
    process = subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        address, _, token = process.stdout.readline().decode().strip().partition("/?token=")
        yield address, token, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def memory(server: psutil.Process) -> float:
    """Megabytes of a process and all that it started; what they share counts once."""
    found = 0
    for each in (server, *server.children(recursive=True)):
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            info = each.memory_full_info()
            found += getattr(info, "pss", info.uss)
    return found / (1 << 20)


class Pressure:
    """Bad sockets, and queries whose clients hang up, until it is told to end."""

    def __init__(self, address: str, token: str) -> None:
        host, port = address.removeprefix("http://").split(":")
        self._at = host, int(port)
        key = f"Authorization: Bearer {token}\r\n"
        head = f" HTTP/1.1\r\nHost: {host}:{port}\r\n"
        self._query = (
            f"POST /sparql{head}{key}Content-Type: application/sparql-query\r\n"
            f"Content-Length: {len(SLOW)}\r\n\r\n{SLOW}"
        ).encode()
        self._said = (
            b"",
            b"GET / HTTP/1.1\r\nX-Slow: ",
            f"GET /{head}\r\n".encode(),
            f"POST /api/ask{head}{key}Content-Length: 60000\r\n\r\n{{".encode(),
            f"POST /api/reports?name=a.pdf{head}{key}Content-Length: 60000000\r\n\r\n%PDF-".encode(),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000,
            b"\r\n" * 500,
        )
        self.opened = self.asked = 0
        self._over = threading.Event()
        self._threads = [threading.Thread(target=each) for each in (self._bad_sockets, self._hang_up)]

    def __enter__(self) -> Pressure:
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for each in self._threads:
            each.join()

    def _connected(self, said: bytes) -> socket.socket | None:
        with suppress(OSError):
            made = socket.create_connection(self._at, timeout=5)
            with suppress(OSError):
                made.sendall(said)
            made.setblocking(False)
            return made
        return None

    def _bad_sockets(self) -> None:
        """So many are held all the time: one that the server ends is opened again."""
        held: list[socket.socket] = []
        while not self._over.wait(0.5):
            held = [each for each in held if not self._is_ended(each)]
            while len(held) < BAD and not self._over.is_set():
                if (made := self._connected(self._said[self.opened % len(self._said)])) is not None:
                    held.append(made)
                self.opened += 1
        for each in held:
            each.close()

    @staticmethod
    def _is_ended(connection: socket.socket) -> bool:
        try:
            connection.send(b"x")
            while connection.recv(65536):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        connection.close()
        return True

    def _hang_up(self) -> None:
        while not self._over.wait(4):
            some = [self._connected(self._query) for _ in range(HUNG_UP)]
            self.asked += len(some)
            self._over.wait(0.5)
            for each in some:
                if each is not None:
                    each.close()


class Honest:
    """Somebody who asks, looks and searches, and notes how long each took."""

    def __init__(self, address: str, token: str) -> None:
        self._client = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60)
        self.waits: list[tuple[float, str]] = []
        self._began = time.monotonic()

    def get(self, path: str, **given: object) -> httpx.Response:
        return self._timed(path, lambda: self._client.get(path, params=given))

    def ask(self) -> None:
        asked = {"reports": [PAGE], "question": QUESTION}
        told = self._timed("a question", lambda: self._client.post("/api/ask", json=asked))
        assert told.json()["answer"] == "$559.5 million"

    def look_around(self) -> None:
        """Once each of what a page asks for."""
        self.ask()
        self.get("/page.css")
        (key,) = [each["key"] for each in self.get("/api/reports").json()["reports"] if each["id"] == PAGE]
        assert self.get(f"/api/reports/{key}/search", words="operating income").status_code == 200

    def query(self) -> bool:
        """A query, which waits behind other queries."""
        told = self._client.get("/sparql", params={"query": "ASK { ?fact kg:raw ?raw }"})
        return told.status_code == 200 and bool(told.json()["boolean"])

    def close(self) -> None:
        self._client.close()

    def _timed(self, what: str, do: Callable[[], httpx.Response]) -> httpx.Response:
        began = time.monotonic()
        told = do()
        self.waits.append((time.monotonic() - began, f"{what}, at {began - self._began:.0f} s"))
        return told


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files, made before anything is measured."""
    place = tmp_path_factory.mktemp("bombs")
    for name, make in BOMBS.items():
        (place / name).write_bytes(make())
    return sorted(place.iterdir())


def send(address: str, token: str, path: Path) -> str:
    """Sends a file, and returns the key of its report."""
    with path.open("rb") as file:
        told = httpx.post(
            f"{address}/api/reports",
            params={"name": path.name},
            content=file,
            headers={"Authorization": f"Bearer {token}", "Content-Length": str(path.stat().st_size)},
            timeout=300,
        )
    assert told.status_code == 202, (path.name, told.text)
    return str(told.json()["key"])


def test_there_are_twenty_bombs():
    assert len(BOMBS) >= 20


def test_a_server_under_pressure_answers_whoever_asks_and_its_memory_comes_back(bombs, tmp_path):
    with serving(tmp_path) as (address, token, server):
        honest = Honest(address, token)
        while any(each["state"] != "ready" for each in honest.get("/api/reports").json()["reports"]):
            time.sleep(0.2)
        honest.look_around()
        honest.waits.clear()
        for _ in range(20):
            honest.look_around()
        usual, before = max(honest.waits), memory(server)
        honest.waits.clear()
        with Pressure(address, token) as pressure, ThreadPoolExecutor(len(bombs)) as senders:
            sent = [senders.submit(send, address, token, path) for path in bombs]
            until = time.monotonic() + PATIENCE
            found: dict[str, dict[str, str]] = {}
            while time.monotonic() < until:
                honest.look_around()
                reports = honest.get("/api/reports").json()["reports"]
                if all(each.done() for each in sent):
                    keys = {each.result() for each in sent}
                    found = {each["key"]: each for each in reports if each["key"] in keys}
                    if all(each["state"] in ("ready", "failed") for each in found.values()):
                        break
                time.sleep(0.1)
            assert len(found) == len(bombs) and pressure.opened >= BAD and pressure.asked >= HUNG_UP
        assert honest.query()  # those whose clients are gone hold up none
        honest.close()
        after = memory(server)
        until = time.monotonic() + 60
        while after > before + MEGABYTES and time.monotonic() < until:
            time.sleep(1)
            after = memory(server)
    told = sorted((each["state"], each["id"], each["message"]) for each in found.values())
    *slow, longest = sorted(honest.waits)[-5:]
    said = "\n".join(f"{state} {name}: {message}" for state, name, message in told) + (
        f"\n{len(honest.waits)} requests, the longest took {longest[0]:.2f} s ({longest[1]}), before {usual[0]:.2f} s; "
        f"{pressure.opened} bad "
        f"sockets, {pressure.asked} queries hung up; memory {before:.0f} MB before, {after:.0f} MB after\n"
        f"the next longest: {slow}\n"
    )
    sys.stdout.write(said)  # shown with -s
    assert {state for state, _, _ in told} <= {"ready", "failed"}, told
    assert all("\n" not in message and (message or state == "ready") for state, _, message in told), told
    assert sum(bool(re.search("takes more than", message)) for _, _, message in told) >= 5, told
    assert longest[0] <= WITHIN, sorted(honest.waits)[-10:]
    assert after <= before + MEGABYTES, (before, after)
    assert not [each for each in tmp_path.iterdir() if each.name.startswith("tieout-serve-")]
