"""What a house calculates and how it calls things: files named in TIEOUT_MEASURES or brought by packages (entry points
`tieout.measures`, each the path of such a file).

A table with a formula is a measure, as in metrics.toml. One of labels alone, with the name of a line item, has further
names of it; one with concepts and a statement is a line item of its own, as in line_items/.
"""

from __future__ import annotations

import hashlib
import json
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
LINE_KEYS, MORE_KEYS = {"labels", "concepts", "statement"}, {"unit", "is_instant", "sign"}


class MeasureError(PluginError):
    """A file of measures that cannot be read: which file, which measure, what is wrong and what would be right."""


def house_measures(known: set[str]) -> dict[str, dict[str, Any]]:
    """The tables of all files by the names of measures; of one name the first counts. known: what a formula may name
    beside them. Raises MeasureError."""
    found = {name: entry for name, entry in _all().items() if not _is_line(entry["table"])}
    for name, entry in found.items():
        _check(name, entry, known | found.keys())
    return found


def house_lines(known: set[str], statements: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The tables of line items by name: of those that are known their further labels. Raises MeasureError."""
    found = {name: entry for name, entry in _all().items() if _is_line(entry["table"])}
    for name, entry in found.items():
        _check_line(name, entry, known, statements)
    return {name: entry["table"] for name, entry in found.items()}


def lines_mark() -> str:
    """A hash of the line items of the house, on which it depends how a report is read; "" where it has none."""
    lines = {name: entry["table"] for name, entry in _all().items() if _is_line(entry["table"])}
    return hashlib.sha256(json.dumps(lines, sort_keys=True, default=str).encode()).hexdigest() if lines else ""


def _all() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in _files():
        for name, table in _read(path).items():
            found.setdefault(name, table)
    return found


def _is_line(table: object) -> bool:
    return isinstance(table, dict) and (table.keys() == {"labels"} or "concepts" in table)


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
    _check_words(where, "labels", table["labels"])
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


def _check_line(name: str, entry: Mapping[str, Any], known: set[str], statements: tuple[str, ...]) -> None:
    where, table = f"measures {entry['file']!r}, [{name}]", entry["table"]
    if table.keys() == {"labels"} and name not in known:
        near = _near(name, known)
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        raise MeasureError(f"{where}: no line item has this name{meant}; `tieout measures --parts` lists them")
    _check_words(where, "labels", table["labels"])
    if table.keys() == {"labels"}:
        return
    if name in known:
        raise MeasureError(f"{where}: is a line item already, to which labels alone can be added")
    if not LINE_KEYS <= table.keys() <= LINE_KEYS | MORE_KEYS:
        told = f"{', '.join(sorted(LINE_KEYS))}, may have {', '.join(sorted(MORE_KEYS))}, and nothing else"
        raise MeasureError(f"{where}: a line item has to have {told}")
    _check_words(where, "concepts", table["concepts"])
    if table["statement"] not in statements:
        raise MeasureError(f"{where}: the statement is one of {', '.join(statements)}, not {table['statement']!r}")


def _check_words(where: str, what: str, words: object) -> None:
    if not isinstance(words, list) or not words or not all(isinstance(each, str) and each for each in words):
        meant = "words by which people ask for it" if what == "labels" else "names of a taxonomy"
        raise MeasureError(f"{where}: {what} are a list of {meant}")


def _near(part: str, known: set[str]) -> list[str]:
    """What may be meant by a name that is none: names that it has as a part or is a part of, else those alike."""
    parts = sorted(each for each in known if f"_{each}_" in f"_{part}_" or f"_{part}_" in f"_{each}_")
    return parts[:2] or get_close_matches(part, sorted(known), 2, 0.75)
