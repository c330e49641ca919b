"""What questions to a server over a lake take: first and asked again.

`python tests/bench/served.py LAKE` starts `tieout serve --store` over a lake that `lake.py` made, asks it over HTTP,
and prints for each question seconds by the clock and of a processor, of all processes of the server together, and their
memory at most.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import httpx
import psutil

sys.path.insert(0, str(Path(__file__).parent))
from lake import CONDITION, MEASURES, asked_about

TIMES = 3
MOST_REPORTS = 50  # that a conversation may be about


@contextmanager
def serving(store: Path) -> Iterator[tuple[httpx.Client, psutil.Process]]:
    """A client of a server over a lake, and the process of that."""
    command = [sys.executable, "-m", "tieout", "serve", "--store", str(store), "--port", "0", "--forget"]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        try:
            assert process.stdout is not None
            base, token = process.stdout.readline().strip().split("/?token=")
            with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=600) as client:
                yield client, psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait()


def questions(client: httpx.Client, year: int, one: str, two: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What is asked: what it is, the path, and its parameters, or what is sent."""
    own = {"first": year, "last": year}
    yield "reports", "/api/reports", {}
    yield "companies", "/api/companies", {}
    yield "compare two companies", "/api/compare", {"measure": MEASURES, "company": [one, two]}
    yield "compare all in a year", "/api/compare", {"measure": MEASURES[:1], **own}
    yield "screen all in a year", "/api/screen", {"conditions": CONDITION, **own}
    yield "statement", "/api/statement", {"company": one}
    companies = client.get("/api/companies").json()["companies"]
    (filings,) = (each["filings"] for each in companies if each["name"].removesuffix(" Inc.") == one)
    reports = [each["report"] for each in filings][:MOST_REPORTS]
    yield "ask about one", "/api/ask", {"reports": reports, "question": f"what was {one}'s net income in {year}?"}
    yield "ask in words", "/api/ask", {"reports": reports, "question": f"what does {one} say about climate risk?"}


def _all(server: psutil.Process) -> list[psutil.Process]:
    return [server, *server.children(recursive=True)]


def used(server: psutil.Process) -> float:
    """Seconds of a processor that a server and its processes had."""
    return sum(each.cpu_times().user + each.cpu_times().system for each in _all(server))


@click.command()
@click.argument("store", type=click.Path(exists=True, path_type=Path))
@click.option("--year", default=2019, show_default=True, help="The fiscal year that is asked about.")
def main(store: Path, year: int) -> None:
    """Prints what each question takes."""
    names, began = asked_about(store, year), time.monotonic()
    with serving(store) as (client, server):
        click.echo(f"{'the address':24} {time.monotonic() - began:6.2f} s")
        client.get("/api/about").raise_for_status()
        click.echo(f"{'the first reply':24} {time.monotonic() - began:6.2f} s, {used(server):6.2f} of a processor")
        for name, path, given in questions(client, year, *names):
            for _ in range(TIMES):
                clock, before = time.monotonic(), used(server)
                asks = path == "/api/ask"
                reply = client.post(path, json=given) if asks else client.get(path, params=given)
                took = f"{time.monotonic() - clock:6.2f} s, {used(server) - before:6.2f} of a processor"
                click.echo(f"{name:24} {took}; {reply.raise_for_status().status_code}, {len(reply.content)} bytes")
        memory = sum(each.memory_info().rss for each in _all(server))
        click.echo(f"memory of all processes: {memory / 1_000_000:.0f} MB")


if __name__ == "__main__":
    main()
