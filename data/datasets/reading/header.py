"""The header of a table: where the first rows of a file are names of columns and codes, and not data."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.data.datasets.reading.column_types import GAPS
from tieout.data.printed.pattern import later

PEEK = 8  # rows of a file that are looked at to find its header
_YEAR = later(r"(?:19|20)[0-9]{2}")


def has_codes_below(rows: Sequence[Sequence[str]]) -> bool:
    """Whether behind the header stands a row that is no data, such as `Transform:,5,5` of FRED-MD: a first cell that is
    neither date nor number while those below it are."""
    if len(rows) < 4 or any(len(row) != len(rows[0]) for row in rows[:4]):
        return False
    first = [row[0].strip() for row in rows[1:]]
    if first[0] in GAPS or any(map(str.isdigit, first[0])):
        return False
    return all(any(map(str.isdigit, cell)) for cell in first[1:] if cell not in GAPS)


def column_names(cells: Sequence[str]) -> list[str]:
    """The names of columns as a header has them; those without one by their number, copies of one with theirs."""
    names, taken = [], set()
    for number, name in enumerate(cells, 1):
        stem = chosen = name.strip() or f"column{number}"
        copies = 0
        while chosen.lower() in taken:
            copies += 1
            chosen = f"{stem}_{copies}"
        taken.add(chosen.lower())
        names.append(chosen)
    return names


def has_years_across(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a header with years, as in `Region,2021,2022,2023`: two at least, up or down, words
    in all other cells, and amounts below that are no years themselves. A row of data has words and years like that only
    where those below it have years in the same columns."""
    if len(rows) < 2:
        return False
    cells = [cell.strip() for cell in rows[0]]
    years = [at for at, cell in enumerate(cells) if _YEAR.fullmatch(cell)]
    values = [cells[at] for at in years]
    words = [cell.casefold() for at, cell in enumerate(cells) if at not in years]
    if len(years) < 2 or values not in (sorted(set(values)), sorted(set(values), reverse=True)):
        return False
    if len(set(words)) < len(words) or any(any(map(str.isdigit, word)) for word in words):
        return False
    below = [row[at].strip() for row in rows[1:] for at in years if at < len(row) and row[at].strip() not in GAPS]
    return any(map(_is_number, below)) and sum(1 for cell in below if _YEAR.fullmatch(cell)) * 2 < len(below)


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text))
