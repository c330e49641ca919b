"""`kill -9` of a server in the midst of conversations: started again, it has every answer that was told.

`python tests/bench/ended.py FILE` starts `tieout serve FILE`, lets four clients ask without a pause, ends it with all
its processes at a random moment, and starts it again where it was. Exit code 1 where an answer is lost.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from itertools import count
from pathlib import Path

import click
import httpx

CLIENTS = 4
QUESTION = "what was the operating income in {}?"


def started(file: Path, place: Path) -> tuple[subprocess.Popen[str], httpx.Client]:
    """A server that has read the file, and a client that is let in."""
    command = [sys.executable, "-m", "tieout", "serve", str(file), "--port", "0"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    server = subprocess.Popen(command, cwd=place, start_new_session=True, **quiet)  # type: ignore[call-overload]
    address, _, token = server.stdout.readline().strip().partition("/?token=")
    client = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=120)
    while any(each["state"] not in ("ready", "failed") for each in client.get("/api/reports").json()["reports"]):
        time.sleep(0.1)
    return server, client


def converse(client: httpx.Client, report: str, told: dict[str, list[str]]) -> None:
    """Asks until nobody answers any more. told: the questions that were answered, by conversation."""
    try:
        key = client.post("/api/conversations", json={"reports": [report]}).json()["conversation"]
        for number in count(1950):
            question = QUESTION.format(number)
            client.post(f"/api/conversations/{key}/ask", json={"question": question}).raise_for_status()
            told.setdefault(key, []).append(question)
    except httpx.TransportError:
        return


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--times", default=10, show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the moments.")
def main(file: Path, times: int, seed: int) -> None:
    """Prints how many answers were told, and are there; ends with 1 where one is not."""
    drawn, all_told, lost = random.Random(seed), dict[str, list[str]](), 0
    with tempfile.TemporaryDirectory() as name:
        for _ in range(times):
            server, client = started(file.resolve(), Path(name))
            report = client.get("/api/reports").json()["reports"][0]["key"]
            threads = [threading.Thread(target=converse, args=(client, report, all_told)) for _ in range(CLIENTS)]
            for each in threads:
                each.start()
            time.sleep(1 + 3 * drawn.random())
            os.killpg(server.pid, signal.SIGKILL)
            for each in threads:
                each.join()
            server.communicate()
            client.close()
        server, client = started(file.resolve(), Path(name))
        for key, questions in all_told.items():
            turns = client.get(f"/api/conversations/{key}").json().get("turns", ())
            there = [each["question"] for each in turns]
            lost += sum(each not in there for each in questions)
        server.terminate()
        server.wait(60)
    answers = sum(map(len, all_told.values()))
    click.echo(f"ended {times} times: {answers} answers told in {len(all_told)} conversations, {lost} lost")
    sys.exit(lost > 0)


if __name__ == "__main__":
    main()
