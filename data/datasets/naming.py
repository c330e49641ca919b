"""What tables are called in SQL, and what is wrong with a data file: light, the process of the engine imports it."""

from __future__ import annotations

import re


class DataFileError(ValueError):
    """A data file that is not there, cannot be read, or is of no kind that tieout takes as a table."""


def free_name(text: str, taken: set[str]) -> str:
    """A name for a table that needs no quotes in SQL and is not taken: `FRED-MD current` becomes `fred_md_current`."""
    plain = re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_")[:60] or "table"
    stem = f"t_{plain}" if plain[0].isdigit() else plain
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
