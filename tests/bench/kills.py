"""`kill -9` of whoever works on a lake, at random moments: the same command again makes it equal to an undisturbed one.

`python tests/bench/kills.py --times 20` indexes a few reports on workers of Dask, ends the process that started them
(which is the scheduler, too), a worker, or what a worker started, and indexes again. Exit code 1 where a lake differs.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from filed import SHORT, write

from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.dataset import open_dataset
from tieout.kg.store.kept import open_kept

AMOUNTS = "SELECT ?c ?o ?a { ?o kg:of ?c ; kg:amount ?a } ORDER BY ?c ?o ?a"


def reports(folder: Path, count: int) -> Path:
    """A folder with reports of as many companies."""
    folder.mkdir()
    (path,) = write(folder, "brightmoor", length=SHORT)
    text = path.read_text(encoding="utf-8")
    for number in range(count):
        told = text.replace("9999999", f"99999{number:02}").replace("Brightmoor", f"Bright{number}moor")
        (folder / f"r{number}.htm").write_text(told, encoding="utf-8")
    path.unlink()
    return folder


def command(folder: Path, store: Path) -> list[str]:
    """What makes a lake of a folder."""
    words = ["index", str(folder), "--store", str(store), "--engine", "dask", "--jobs", "2"]
    return [sys.executable, "-m", "tieout", *words]


def state(store: Path) -> Any:
    """All that a lake holds: graphs, bundles, and what companies state. Raises where it is not what was written."""
    with open_kept(store) as kept:
        kept.index.check()
        graphs = {entry.id: kept.graph(entry.id).quads for entry in kept.index.reports()}
    bundles = {path.name: path.read_bytes() for path in bundles_path(store).glob("*/*.zip")}
    with open_dataset(store) as worker:
        return graphs, bundles, worker.query(AMOUNTS, rows=100_000, seconds=60).rows


def disturb(process: subprocess.Popen[bytes], chance: random.Random) -> str:
    """Ends the process, one that it started, or one below these; which of them it was, "nobody" where it is done."""
    if process.poll() is not None:
        return "nobody"
    with contextlib.suppress(psutil.NoSuchProcess):
        own = psutil.Process(process.pid)
        workers = own.children()
        below = [each for each in own.children(recursive=True) if each not in workers]
        there = [(name, each) for name, each in (("driver", [own]), ("worker", workers), ("child", below)) if each]
        name, inside = chance.choice(there)
        os.kill(chance.choice(inside).pid, signal.SIGKILL)
        return name
    return "nobody"


@click.command()
@click.option("--times", default=20, show_default=True)
@click.option("--files", default=8, show_default=True)
@click.option("--seed", default=29, show_default=True)
def main(times: int, files: int, seed: int) -> None:
    """Prints what became of each lake."""
    chance, equal = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folder, began = reports(place / "in", files), time.monotonic()
        subprocess.run(command(folder, place / "good"), check=True, stdout=subprocess.DEVNULL)
        took, good = time.monotonic() - began, state(place / "good")
        for number in range(times):
            store = place / f"lake{number}" / "store"
            process = subprocess.Popen(command(folder, store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.15, 0.65) * took)
            victim = disturb(process, chance)
            code, there = process.wait(600), len(list(bundles_path(store).glob("*/*.zip")))
            again = subprocess.run(command(folder, store), check=True, capture_output=True, text=True)
            is_equal = state(store) == good
            equal += is_equal
            told = f"{victim} ended, exit code {code}, {there} bundles; {again.stdout.split(': ')[-1].strip()}"
            click.echo(f"{number + 1}: {told}; {'equal' if is_equal else 'another'}")
            shutil.rmtree(store.parent)
    click.echo(f"{equal} of {times} lakes are equal to an undisturbed one")
    sys.exit(equal < times)


if __name__ == "__main__":
    main()
