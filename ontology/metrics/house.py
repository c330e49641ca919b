"""What a house calculates: measures of its own, in files written as metrics.toml is, named in TIEOUT_MEASURES or
brought by packages (entry points `tieout.measures`, each the path of such a file)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tieout.data.files import read_toml, unreadable
from tieout.data.plugins import PluginError, load, plugins
from tieout.ontology.metrics.formula import FormulaError, operands, read_formula

VARIABLE = "TIEOUT_MEASURES"
UNITS = ("ratio", "percent", "money", "days", "per share")
KEYS = {"labels", "formula", "unit", "source"}


class MeasureError(PluginError):
    """A file of measures that cannot be read: which file, which measure, what is wrong and what would be right."""


def house_measures(known: set[str]) -> dict[str, dict[str, Any]]:
    """The tables of all files by the names of measures; of one name the first counts. known: what a formula may name
    beside them. Raises MeasureError."""
    found: dict[str, dict[str, Any]] = {}
    for path in _files():
        for name, table in _read(path).items():
            found.setdefault(name, table)
    for name, table in found.items():
        _check(name, table, known | found.keys())
    return found


def _files() -> Iterator[Path]:
    yield from map(Path, filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    for name in plugins("measures"):
        yield Path(load("measures", name))


def _read(path: Path) -> dict[str, Any]:
    try:
        found = read_toml(path)
    except OSError as error:
        raise MeasureError(f"measures: {unreadable(path, error)}") from error
    except ValueError as error:
        raise MeasureError(f"measures {str(path)!r} are no TOML: {error}") from error
    return {name: {"file": str(path), "table": table} for name, table in found.items()}


def _check(name: str, entry: Mapping[str, Any], known: set[str]) -> None:
    where, table = f"measures {entry['file']!r}, [{name}]", entry["table"]
    if not isinstance(table, dict) or table.keys() != KEYS:
        raise MeasureError(f"{where}: has to have {', '.join(sorted(KEYS))}, and nothing else")
    labels = table["labels"]
    if not isinstance(labels, list) or not labels or not all(isinstance(each, str) and each for each in labels):
        raise MeasureError(f"{where}: labels are a list of words by which people ask for it")
    if table["unit"] not in UNITS:
        raise MeasureError(f"{where}: the unit is one of {', '.join(UNITS)}, not {table['unit']!r}")
    try:
        named = {operand.name for operand in operands(read_formula(str(table["formula"])))}
    except FormulaError as error:
        raise MeasureError(f"{where}: {error}") from error
    if unknown := sorted(named - known):
        near = [each for part in unknown for each in _near(part, known)]
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        told = f"nothing is called {', '.join(unknown)}{meant}; `tieout measures --parts` lists what is"
        raise MeasureError(f"{where}: {told}")


def _near(part: str, known: set[str]) -> list[str]:
    """What may be meant by a name that is none: names that it has as a part or is a part of, else those alike."""
    parts = sorted(each for each in known if f"_{each}_" in f"_{part}_" or f"_{part}_" in f"_{each}_")
    return parts[:2] or get_close_matches(part, sorted(known), 2, 0.75)
