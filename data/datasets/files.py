"""The data files that a user names: which tables they hold, and what each is called."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tieout.data.datasets.naming import DataFileError, free_name
from tieout.data.files import unreadable
from tieout.data.frozen import Frozen

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
}
PACKAGE = "datapackage.json"  # units and titles of columns, as in the Data Package standard (specs.frictionlessdata.io)
MOST_FILES = 200


class Source(Frozen):
    """One data file. table: the name of its table, or the stem of the names where it holds several."""

    table: str
    path: Path
    kind: str


class ColumnNote(BaseModel):
    """What a data package says of a column."""

    model_config = ConfigDict(frozen=True)
    title: str = ""
    description: str = ""
    unit: str = ""


def find_sources(paths: Sequence[Path]) -> tuple[Source, ...]:
    """The data files of these files and folders, in order, each with a name for its table that no other has.

    Raises DataFileError for a path that is not there, a file of another kind, and a folder without any.
    """
    found: list[Path] = []
    for path in paths:
        found += _inside(path)
    unique = list(dict.fromkeys(path.resolve() for path in found))
    if len(unique) > MOST_FILES:
        raise DataFileError(f"{len(unique)} data files are more than {MOST_FILES}: name a folder with fewer")
    taken: set[str] = set()
    sources = []
    for path in unique:
        name = free_name(path.stem, taken)
        taken.add(name)
        sources.append(Source(table=name, path=path, kind=KINDS[path.suffix.lower()]))
    return tuple(sources)


def _inside(path: Path) -> list[Path]:
    if path.is_dir():
        inside = sorted(each for each in path.iterdir() if each.is_file() and each.suffix.lower() in KINDS)
        if not inside:
            raise DataFileError(f"there is no data file in {str(path)!r}: tables are read from {_kinds()}")
        return inside
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise DataFileError(unreadable(path, error)) from error
    if path.suffix.lower() not in KINDS:
        raise DataFileError(f"{str(path)!r} is no data file: tables are read from {_kinds()}")
    return [path]


def _kinds() -> str:
    return ", ".join(f"*{suffix}" for suffix in KINDS)


def column_notes(sources: Sequence[Source]) -> dict[str, dict[str, ColumnNote]]:
    """By table what a data package in the folder of its file says of its columns. One that is damaged says nothing."""
    notes: dict[str, dict[str, ColumnNote]] = {}
    for source in sources:
        for resource in _resources(source.path.parent / PACKAGE):
            if resource.get("path") == source.path.name:
                notes[source.table] = dict(_fields(resource))
    return notes


def _resources(package: Path) -> list[dict[str, object]]:
    try:
        resources = json.loads(package.read_text(encoding="utf-8"))["resources"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [each for each in resources if isinstance(each, dict)] if isinstance(resources, list) else []


def _fields(resource: dict[str, object]) -> Iterator[tuple[str, ColumnNote]]:
    schema = resource.get("schema")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    for field in fields if isinstance(fields, list) else ():
        if isinstance(field, dict) and isinstance(field.get("name"), str):
            wanted = {key: field[key] for key in ("title", "description", "unit") if isinstance(field.get(key), str)}
            yield field["name"], ColumnNote(**wanted)
