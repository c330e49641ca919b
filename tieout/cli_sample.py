"""The command `tieout sample`: the reports that the documents ask, for those who have no checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from tieout.data.console import console, one_line
from tieout.data.files import WriteError, write_whole

HERE = Path("data", "sample")  # where the documents name it


@click.command("sample")
def write_sample() -> None:
    """Write the invented reports that the documents ask into data/sample of this folder, so that each example runs.

    Files that are there are left as they are.
    """
    for each in sorted(files("tieout.data").joinpath("sample").iterdir(), key=lambda found: found.name):
        target = HERE / each.name
        if target.exists():
            console.print(f"{target} is there already", markup=False)
        else:
            with one_line(WriteError):
                write_whole(target, each.read_bytes())
            console.print(f"wrote {target}", markup=False)
