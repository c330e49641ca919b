"""The tables on a sheet: blocks of cells, told apart by blank rows and columns that are more than a spacer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tieout.data.readers.sheets.sheet import Sheet, SheetCell

_FEW = 0.1  # share of rows that may break a rule about label columns
_Cells = dict[tuple[int, int], SheetCell]


@dataclass(frozen=True, slots=True)
class Block:
    """The cells of one table. rows, columns: those with anything in them, in order."""

    cells: _Cells
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def has_numbers(self) -> bool:
        """Whether a cell holds an amount."""
        return any(cell.is_number for cell in self.cells.values())


def find_blocks(sheet: Sheet) -> list[Block]:
    """The blocks of a sheet, from the top, those side by side from the left."""
    found: list[Block] = []
    for rows in _split_rows(dict(sheet.cells)):
        for part in _split_columns(rows):
            pieces = _split_rows(part)
            found += [_block(piece) for piece in pieces]
    return found


def _block(cells: _Cells) -> Block:
    return Block(cells, tuple(sorted({row for row, _ in cells})), tuple(sorted({column for _, column in cells})))


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The runs of numbers without a gap, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _split_rows(cells: _Cells) -> list[_Cells]:
    """Blocks one below the other. What follows blank rows goes on with the table when its numbers stand in the same
    columns and it has no header of its own, or when what stands before has no numbers yet."""
    by_row: dict[int, dict[int, SheetCell]] = {}
    for (row, column), cell in cells.items():
        by_row.setdefault(row, {})[column] = cell
    parts: list[list[int]] = []
    gap_from = 0
    for first, last in _runs(by_row):
        rows = list(range(first, last + 1))
        if parts and _goes_on([by_row[row] for row in parts[-1]], [by_row[row] for row in rows], first - gap_from):
            parts[-1] += rows
        else:
            parts.append(rows)
        gap_from = last
    return [{(row, column): cell for row in part for column, cell in by_row[row].items()} for part in parts]


_Row = dict[int, SheetCell]


def _number_columns(rows: Sequence[_Row]) -> set[int]:
    return {column for row in rows for column, cell in row.items() if cell.is_number}


def _goes_on(above: Sequence[_Row], below: Sequence[_Row], gap: int) -> bool:
    before, after = _number_columns(above), _number_columns(below)
    if not before:  # titles and headers in front of their table
        width = max(max(row) - min(row) for row in above)
        return gap <= 2 and bool(after) and width > 0
    if gap > 3 or _has_header(below, after):
        return False
    if not after:
        return gap <= 2 and all(len(row) == 1 for row in below[:1]) and len(below) == 1
    return after <= before or len(after & before) >= len(after) * (1 - _FEW)


def _has_header(rows: Sequence[_Row], numbers: set[int]) -> bool:
    """Whether rows begin with one that names columns, words or years over numbers; titles may stand over it."""
    row = next((row for row in rows if len(row) > 1), rows[0])
    heads = [column for column, cell in row.items() if not cell.is_number and column in numbers]
    return bool(heads) and not any(cell.is_number for cell in row.values())


def _split_columns(cells: _Cells) -> list[_Cells]:
    """Blocks side by side: a blank column parts them where the columns behind it begin with labels of their own."""
    runs = _runs({column for _, column in cells})
    parts: list[list[tuple[int, int]]] = []
    for run in runs:
        if parts and not _has_own_labels(cells, parts[-1][0][0], run):
            parts[-1].append(run)
        else:
            parts.append([run])
    return [
        {place: cell for place, cell in cells.items() if any(first <= place[1] <= last for first, last in part)}
        for part in parts
    ]


def _has_own_labels(cells: _Cells, left: int, run: tuple[int, int]) -> bool:
    """Whether the first column of a run labels the numbers to its right, and those before it have labels too."""
    first, last = run
    before = {column for (_, column), cell in cells.items() if left <= column < first and cell.is_number}
    with_numbers = {row for (row, column), cell in cells.items() if first < column <= last and cell.is_number}
    if not before or not with_numbers:
        return False
    labelled = {row for row in with_numbers if (cell := cells.get((row, first))) and not cell.is_number}
    return len(labelled) > len(with_numbers) / 2


def merge_labels(block: Block) -> tuple[tuple[int, ...], ...]:
    """The columns of a block as they are read: label columns that are only steps of an indent are one column."""
    numbers = {column for (_, column), cell in block.cells.items() if cell.is_number}
    leading: list[int] = []
    for column in block.columns:
        if column in numbers:
            break
        leading.append(column)
    body = [row for row in block.rows if any(block.cells.get((row, column)) for column in leading)]
    while len(leading) > 1:
        two = sum(1 for row in body if sum((row, column) in block.cells for column in leading) > 1)
        if two <= max(1, len(body) * _FEW) and numbers:
            break
        leading.pop()
    if len(leading) < 2:
        return tuple((column,) for column in block.columns)
    return tuple(leading), *((column,) for column in block.columns if column not in leading)
