"""A server under bad clients, at full size: silent sockets, queries that hang up and bombs that are sent, all at once.

`python tests/bench/pressure.py` starts `tieout serve` with 256 files that may be open, attacks it for some seconds, and
tells what an honest client saw, and what the server and its processes have in memory before and afterwards. Exit
code 1 where the client waited more than 2 seconds, or memory is 200 MB above where it began.
"""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import click
import httpx

SILENT, HUNG_UP, BOMBS, SECONDS = 300, 40, 20, 20.0
MOST_WAITED, MOST_MORE = 2.0, 200
SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "report.htm"
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def bomb() -> bytes:
    """A workbook whose one sheet unpacks to 600 MB of cells."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        row = "<row>" + '<c t="n"><v>1</v></c>' * 200 + "</row>"
        packed.writestr("xl/workbook.xml", '<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>')
        packed.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{row * 140_000}</sheetData></worksheet>")
    return out.getvalue()


def family(process: int) -> list[int]:
    """A process and all that it and they have started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(each for child in children for each in family(int(child)))]


def megabytes(process: int) -> float:
    """What the processes of a server have in memory, shared pages counted by share."""
    total = 0
    for each in family(process):
        try:
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{each}/smaps_rollup").read_text(), re.M)
        except OSError:
            continue
        total += int(found[1]) if found else 0
    return total / 1024


def attack(host: str, port: int, token: str, over: threading.Event) -> list[threading.Thread]:
    """Threads that keep so many bad clients there."""
    key = {"Authorization": f"Bearer {token}"}

    def silent() -> None:
        held: list[socket.socket] = []
        while not over.is_set():
            while len(held) < SILENT:
                made = socket.create_connection((host, port))
                made.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
                held.append(made)
            over.wait(0.2)
            still = []
            for each in held:
                try:
                    each.sendall(b"x")
                    still.append(each)
                except OSError:
                    each.close()
            held = still

    def hung_up() -> None:
        head = f"POST /sparql HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        head += f"Content-Type: application/sparql-query\r\nContent-Length: {len(SLOW)}\r\n\r\n{SLOW}"
        while not over.is_set():
            made = []
            for _ in range(HUNG_UP):
                each = socket.create_connection((host, port))
                each.sendall(head.encode())
                made.append(each)
            over.wait(1)
            for each in made:
                each.close()

    def bombs() -> None:
        content = bomb()
        for number in range(BOMBS):
            if over.is_set():
                return
            httpx.post(
                f"http://{host}:{port}/api/reports?name=b{number}.xlsx", content=content, headers=key, timeout=60
            )

    threads = [threading.Thread(target=work) for work in (silent, hung_up, bombs)]
    for each in threads:
        each.start()
    return threads


def states_of(address: str, key: dict[str, str]) -> list[str]:
    """How far the reading of each report is."""
    told = httpx.get(f"{address}/api/reports", headers=key, timeout=60).json()
    return [each["state"] for each in told["reports"]]


def main() -> int:
    """Attacks a server; the exit code."""
    command = ["sh", "-c", 'ulimit -Sn 256; exec "$@"', "sh", sys.executable, "-m", "tieout", "serve", str(SAMPLE)]
    log = Path(tempfile.gettempdir()) / f"tieout-pressure-{os.getpid()}.log"
    with log.open("w") as errors:
        server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, stderr=errors, text=True)
    assert server.stdout is not None
    address, _, token = server.stdout.readline().strip().partition("/?token=")
    host, port = address.removeprefix("http://").split(":")
    key = {"Authorization": f"Bearer {token}"}
    asked = {"reports": ["r1"], "question": "what was operating income in 2024?"}
    try:
        while httpx.post(f"{address}/api/ask", json=asked, headers=key, timeout=60).status_code != 200:
            time.sleep(0.1)
        httpx.get(f"{address}/sparql", params={"query": "ASK {}"}, headers=key, timeout=60)
        before, over, waited = megabytes(server.pid), threading.Event(), []
        threads = attack(host, int(port), token, over)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            start = time.monotonic()
            try:
                told = httpx.post(f"{address}/api/ask", json=asked, headers=key, timeout=60)
                assert told.status_code == 200, told.text
            except httpx.HTTPError as error:
                click.echo(f"failed: {error!r}")
            waited.append(time.monotonic() - start)
            time.sleep(0.05)
        over.set()
        for each in threads:
            each.join()
        while set(states := states_of(address, key)) - {"ready", "failed"}:
            time.sleep(0.5)
        more = megabytes(server.pid) - before
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    waited.sort()
    p50, p95 = waited[len(waited) // 2], waited[int(len(waited) * 0.95)]
    click.echo(f"{len(waited)} questions, p50 {p50:.2f} s, p95 {p95:.2f} s, longest {waited[-1]:.2f} s")
    click.echo(f"memory {before:.0f} MB before, {more:+.0f} MB afterwards; log {log.stat().st_size / 1024:.0f} KB")
    click.echo(f"{states.count('failed')} files refused")
    log.unlink()
    return int(waited[-1] > MOST_WAITED or more > MOST_MORE)


if __name__ == "__main__":
    sys.exit(main())
