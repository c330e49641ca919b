"""What a look-up in a whole report takes: processor time of plain questions over lines of statements and of notes.

`python tests/bench/lookups.py FILE...` reads the files once into a store, then asks each question in a fresh
conversation over it, behind one that is not counted, and prints median, 95th percentile and longest of both sorts.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click

import tieout

SORTS = {
    "statements": (
        "net income",
        "total assets",
        "operating income",
        "income tax expense",
        "inventories",
        "accounts payable",
        "total liabilities",
        "capital expenditures",
        "diluted earnings per share",
        "retained earnings",
        "cash and cash equivalents",
        "cost of sales",
    ),
    "notes": (
        "accrued warranty",
        "unrecognized tax benefits",
        "operating lease liabilities",
        "advertising expense",
        "amortization of intangible assets",
        "pension expense",
        "valuation allowance",
        "raw materials",
        "accumulated depreciation",
        "deferred tax assets",
        "rent expense",
        "customer deposits",
        "undistributed foreign earnings",
    ),
}


def took(file: Path, store: str, measure: str) -> float:
    """Milliseconds of processor time of one question in a fresh conversation."""
    talk = tieout.open([str(file)], store=store)
    talk.ask("What was revenue?")
    began = time.process_time()
    talk.ask(f"What was the {measure}?")
    return (time.process_time() - began) * 1000


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(files: tuple[Path, ...]) -> None:
    """Prints what look-ups took."""
    with tempfile.TemporaryDirectory() as store:
        for sort, measures in SORTS.items():
            times = sorted(took(file, store, measure) for file in files for measure in measures)
            median, most = times[len(times) // 2], times[min(int(len(times) * 0.95), len(times) - 1)]
            click.echo(
                f"{sort}: {len(times)} questions, median {median:.0f} ms, p95 {most:.0f}, longest {times[-1]:.0f}"
            )


if __name__ == "__main__":
    main()
