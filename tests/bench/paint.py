"""How long the page takes to its first paint: that of a report that a store keeps, at a desk and on a phone.

`python tests/bench/paint.py STORE` starts `tieout serve --store STORE`, opens it in headless Chromium once it is up,
each time without what a browser keeps, and prints the first paint and when a part of the report stands there, in
milliseconds since the address was asked for. Exit code 1 where a first paint takes a second or more.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import click
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1]))
from browsing import launched

WITHIN = 1000  # milliseconds
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def painted(browser: Browser, address: str, width: int) -> tuple[float, float]:
    """When something is painted first, and when a part of the report is there."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    tab = context.new_page()
    tab.goto(address)
    tab.wait_for_selector("#shown > :not(.welcome)", state="attached")
    there = float(tab.evaluate("performance.now()"))
    first = float(tab.evaluate(PAINT))
    context.close()
    return first, there


@click.command()
@click.argument("store", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--times", default=10, show_default=True)
def main(store: Path, times: int) -> None:
    """Prints the median and the longest of each; ends with 1 where a first paint takes too long."""
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tieout", "serve", "--store", str(store.resolve()), "--port", "0", "--forget"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with launched() as browser:
                painted(browser, address, 1280)  # the server loads what it needs meanwhile
                for width in (1280, 390):
                    found = [painted(browser, address, width) for _ in range(times)]
                    for name, told in zip(("first paint", "a part there"), zip(*found, strict=True), strict=True):
                        click.echo(f"{width} px, {name}: median {median(told):.0f} ms, longest {max(told):.0f} ms")
                    slow |= max(first for first, _ in found) >= WITHIN
        finally:
            server.terminate()
            server.wait(60)
    sys.exit(slow)


if __name__ == "__main__":
    main()
