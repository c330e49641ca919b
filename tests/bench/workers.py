"""How much sooner a lake is made by two workers of Dask than by one, and what of it one process has to do.

`python tests/bench/workers.py FOLDER --files 16 --rounds 2` indexes filings of a folder by turns with one worker and
two, each on a cluster that runs already, and prints seconds by the clock, the load of the machine before, and seconds
of a processor of the process that puts bundles into the index. On a quiet machine the ratio of the least times counts.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent))
from kills import Cluster, command

from tieout.kg.store.bundles import bundles_path


def index(folder: Path, store: Path, port: int) -> tuple[float, float]:
    """Seconds by the clock and of a processor that the command takes."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command(folder, store, port), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--files", default=16, show_default=True)
@click.option("--rounds", default=2, show_default=True)
def main(folder: Path, files: int, rounds: int) -> None:
    """Prints a line for each run, the ratio, and what the index alone takes."""
    least: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        place = Path(name)
        (place / "in").mkdir()
        for path in sorted(folder.glob("*.htm"))[:files]:
            (place / "in" / path.name).symlink_to(path.resolve())
        clusters = {}
        for count in (1, 2):
            clusters[count] = stack.enter_context(contextlib.closing(Cluster(place, count)))
            clusters[count].start()
            index(
                place / "in" / min((place / "in").iterdir()).name,
                place / f"warm{count}" / "store",
                clusters[count].port,
            )
        for number in range(rounds):
            for count, cluster in clusters.items():
                load = os.getloadavg()[0]
                took, own = index(place / "in", place / f"{count}.{number}" / "store", cluster.port)
                least[count] = min(took, least.get(count, took))
                click.echo(f"{count} workers: {took:.1f} s, of the command {own:.1f} of a processor; load {load:.1f}")
        (place / "again").mkdir()
        bundles_path(place / "1.0" / "store").rename(bundles_path(place / "again" / "store"))
        took, own = index(place / "in", place / "again" / "store", clusters[1].port)
        click.echo(f"bundles found: {took:.1f} s, {own:.1f} of a processor")
    click.echo(f"two workers: {least[1] / least[2]:.2f} times one")


if __name__ == "__main__":
    main()
