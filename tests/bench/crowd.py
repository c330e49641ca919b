"""How long a question waits in a crowd: twenty conversations at once, while two clients have files read.

`python tests/bench/crowd.py FILE...` starts `tieout serve` over these files, which stand for any, and prints what the
questions waited. Each client asks its own questions in its own order, without a pause or with one as a person makes;
two send the files again, one after the other, as long as anybody asks. Exit code 1 where p95 is a second or more.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, product
from pathlib import Path

import click
import httpx

CLIENTS, READERS, WITHIN = 20, 2, 1.0
TURNS = 20  # of one conversation, behind which its client begins another
MEASURES = ("net income", "revenue", "total assets", "operating income", "income tax expense", "cash paid for interest")
FORMS = (
    "what was {} in {}?",
    "how much did {} change in {}?",
    "and as a percentage of revenue?",
    "what about {} in {}?",
)
YEARS = (2022, 2023, 2024)


@contextmanager
def serving(files: tuple[Path, ...]) -> Iterator[httpx.Client]:
    """A server that has read the files, in a process of its own; a client that is let in."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tieout", "serve", *map(str, files), "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
        try:
            assert server.stdout is not None
            address, _, token = server.stdout.readline().strip().partition("/?token=")
            limits = httpx.Limits(max_connections=CLIENTS + READERS + 1)
            key = {"Authorization": f"Bearer {token}"}
            with httpx.Client(base_url=address, headers=key, timeout=120, limits=limits) as client:
                while {each["state"] for each in reports(client)} - {"ready", "failed"}:
                    time.sleep(0.2)
                yield client
        finally:
            server.terminate()
            server.wait(60)


def reports(client: httpx.Client) -> list[dict[str, str]]:
    """The reports that are open."""
    told: list[dict[str, str]] = client.get("/api/reports").json()["reports"]
    return told


def questions(number: int) -> Iterator[str]:
    """The questions of a client, without end: all in an order of its own."""
    every = [form.format(*about) for about in product(MEASURES, YEARS) for form in FORMS]
    start = number * len(every) // CLIENTS
    return cycle(every[start:] + every[:start])


def converse(client: httpx.Client, number: int, keys: list[str], end: float, pause: float) -> list[float]:
    """One client: what each question waited, in seconds."""
    about = {"reports": [keys[number % len(keys)]]}
    waited: list[float] = []
    key = ""
    time.sleep(pause * number / CLIENTS)
    for question in questions(number):
        if len(waited) % TURNS == 0:
            key = client.post("/api/conversations", json=about).raise_for_status().json()["conversation"]
        began = time.monotonic()
        if began >= end:
            break
        client.post(f"/api/conversations/{key}/ask", json={"question": question}).raise_for_status()
        waited.append(time.monotonic() - began)
        time.sleep(pause)
    return waited


def send(client: httpx.Client, files: tuple[Path, ...], over: threading.Event) -> int:
    """One client that has a file read, takes it out, and has the next one read; how many were."""
    read = 0
    for path in cycle(files):
        if over.is_set():
            return read
        key = client.post("/api/reports", params={"name": path.name}, content=path.read_bytes()).json()["key"]
        while (state := client.get(f"/api/reports/{key}").json()["state"]) not in ("ready", "failed"):
            if over.wait(0.25):
                return read
        client.delete(f"/api/reports/{key}")
        read += state == "ready"
    return read


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seconds", default=20.0, show_default=True, help="How long questions are asked.")
@click.option("--pause", default=0.0, show_default=True, help="Seconds between an answer and the next question.")
def main(files: tuple[Path, ...], seconds: float, pause: float) -> None:
    """Prints what questions waited; ends with 1 where p95 is a second or more."""
    files = tuple(each.resolve() for each in files)
    with serving(files) as client, ThreadPoolExecutor(CLIENTS + READERS) as pool:
        keys = [each["key"] for each in reports(client) if each["state"] == "ready"]
        over, end = threading.Event(), time.monotonic() + seconds
        sending = [pool.submit(send, client, files[at:] + files[:at], over) for at in range(READERS)]
        asking = [pool.submit(converse, client, number, keys, end, pause) for number in range(CLIENTS)]
        try:
            waited = sorted(each for one in asking for each in one.result())
        finally:
            over.set()
        read = sum(each.result() for each in sending)
    p50, p95 = waited[len(waited) // 2], waited[int(len(waited) * 0.95)]
    click.echo(f"{CLIENTS} conversations over {len(keys)} reports, {pause:g} s between questions; {read} files read")
    click.echo(f"{len(waited)} questions: p50 {p50:.2f} s, p95 {p95:.2f} s, longest {waited[-1]:.2f} s")
    sys.exit(p95 >= WITHIN)


if __name__ == "__main__":
    main()
