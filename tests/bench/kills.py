"""`kill -9` of whoever works on a lake, at random moments of a run: the same command again makes it equal to an
undisturbed one.

`python tests/bench/kills.py` indexes 200 small reports with a scheduler and two workers of Dask, ends in turn the
command, a worker and the scheduler, starts again what was ended, and indexes again. A moment is how many bundles are
there, which a busy machine does not shift; one is drawn from each equal part of the run. Exit code 1 where a lake
differs.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))
from filed import SHORT, write

from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.dataset import open_dataset
from tieout.kg.store.kept import open_kept

SETTINGS = os.environ | {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}
AMOUNTS = "SELECT ?c ?o ?a { ?o kg:of ?c ; kg:amount ?a } ORDER BY ?c ?o ?a"


def reports(folder: Path, count: int) -> Path:
    """A folder with reports of as many companies."""
    folder.mkdir()
    (path,) = write(folder, "brightmoor", length=SHORT)
    text = path.read_text(encoding="utf-8")
    for number in range(count):
        told = text.replace("9999999", f"9999{number:03}").replace("Brightmoor", f"Bright{number}moor")
        (folder / f"r{number}.htm").write_text(told, encoding="utf-8")
    path.unlink()
    return folder


def command(folder: Path, store: Path, port: int) -> list[str]:
    """What makes a lake of a folder."""
    words = ["index", str(folder), "--store", str(store), "--engine", f"dask://127.0.0.1:{port}"]
    return [sys.executable, "-m", "tieout", *words]


class Cluster:
    """A scheduler and workers, each started again where it has ended."""

    def __init__(self, logs: Path, workers: int = 2) -> None:
        self.port, self._logs, self._workers = free_port(), logs, workers
        self._started: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Starts whatever does not run."""
        at = f"127.0.0.1:{self.port}"
        head = ["dask", "scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        worker = ["dask", "worker", at, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        names = ["worker", *(f"worker {number}" for number in range(2, self._workers + 1))]
        for name, words in (("head", head), *((name, worker) for name in names)):
            if name not in self._started or self._started[name].poll() is not None:
                with (self._logs / f"{name}.log").open("ab") as log:
                    program = str(Path(sys.executable).with_name(words[0]))
                    self._started[name] = subprocess.Popen([program, *words[1:]], stdout=log, stderr=log, env=SETTINGS)

    def end(self, name: str) -> None:
        """Ends the head, whose workers end then, too, or a worker; as `kill -9` does."""
        for each in self._started.values() if name == "head" else [self._started[name]]:
            each.kill()
            each.wait()

    def close(self) -> None:
        """Ends all of it."""
        self.end("head")


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def moments(times: int, seed: int) -> list[float]:
    """Shares of a run, one drawn from each of as many equal parts of it, in a random order."""
    drawn = random.Random(seed)
    return drawn.sample([(number + drawn.random()) / times for number in range(times)], times)


def made(store: Path) -> int:
    """How many bundles a store has."""
    return len(list(bundles_path(store).glob("*/*.zip")))


def state(store: Path) -> Any:
    """All that a lake holds: graphs, bundles, and what companies state. Raises where it is not what was written."""
    with open_kept(store) as kept:
        kept.index.check()
        graphs = {entry.id: kept.graph(entry.id).quads for entry in kept.index.reports()}
    bundles = {path.name: path.read_bytes() for path in bundles_path(store).glob("*/*.zip")}
    with open_dataset(store) as worker:
        return graphs, bundles, worker.query(AMOUNTS, rows=1_000_000, seconds=60).rows


@click.command()
@click.option("--times", default=20, show_default=True)
@click.option("--files", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the moments.")
def main(times: int, files: int, seed: int) -> None:
    """Prints what became of each lake."""
    equal = 0
    with tempfile.TemporaryDirectory() as name, contextlib.closing(Cluster(Path(name))) as cluster:
        place = Path(name)
        folder = reports(place / "in", files)
        cluster.start()
        began = time.monotonic()
        subprocess.run(command(folder, place / "good", cluster.port), check=True, stdout=subprocess.DEVNULL)
        took, good = time.monotonic() - began, state(place / "good")
        click.echo(f"undisturbed: {took:.0f} s")
        for number, moment in enumerate(moments(times, seed)):
            store, victim = place / f"lake{number}" / "store", ("driver", "worker", "head")[number % 3]
            words = command(folder, store, cluster.port)
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while process.poll() is None and made(store) < moment * files:
                time.sleep(0.02)
            is_over = process.poll() is not None
            if victim == "driver":
                process.kill()
            else:
                cluster.end(victim)
                cluster.start()  # as what looks after a machine does
            told = process.communicate(timeout=900)[1].decode().strip().splitlines()[-1:]
            there = made(store)
            again = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
            is_equal = state(store) == good
            equal += is_equal
            when = "behind the end" if is_over else f"at {moment:.0%}"
            ended = f"{victim} ended {when}, exit code {process.returncode}"
            left = f"{there} bundles; {again.stdout.split(': ')[-1].strip()}"
            click.echo(f"{number + 1}: {ended} {told}, {left}; {'equal' if is_equal else 'another'}")
            shutil.rmtree(store.parent)
    click.echo(f"{equal} of {times} lakes are equal to an undisturbed one")
    sys.exit(equal < times)


if __name__ == "__main__":
    main()
