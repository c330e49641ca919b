"""Reports without tags, printed from tables under their titles, and what the commands tell of them once kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from filing import BREAK

import tieout

ANNUAL = "FORM 10-K</p><p>For the fiscal year ended December 31, 2023"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tieout.main, list(arguments))


def lines(store: Path, *arguments: str) -> list[dict[str, Any]]:
    """What a command tells of what is kept, line by line."""
    done = run(*arguments, "--store", str(store), "--format", "jsonl")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def kept(folder: Path, *parts: str, name: str = "report", **others: str) -> Path:
    """The store of a report of these parts, and of others by the names of their files."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{each}.htm" for each in (name, *others)]
    for path, body in zip(paths, ("".join(parts), *others.values()), strict=True):
        path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    done = run("index", *map(str, paths), "--store", str(folder / "store"))
    assert done.exit_code == 0, done.output
    return folder / "store"


def table(*rows: str) -> str:
    return f"<table>{''.join(rows)}</table>"


def titled(title: str, *rows: str, scale: str = "") -> str:
    """A table under its title, and what is said of its scale."""
    return f"{title and f'<p><b>{title}</b></p>'}{scale and f'<p>{scale}</p>'}{table(*rows)}"


def cover(company: str, told: str = ANNUAL) -> str:
    return f"<p>{told}</p><p>{company}</p><p>(Exact name of registrant as specified in its charter)</p>"


def paged(front: str, *parts: str) -> str:
    """A report whose parts are each on a page of its own."""
    return BREAK.join((front, *parts))
