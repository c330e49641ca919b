"""What goes on over the end of a page: tables whose columns go on below, in one table of all their rows."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from statistics import median

from tieout.data.readers.geometry.grid import Grid, are_aligned
from tieout.data.readers.pdf.parts import Data, Part
from tieout.data.readers.pdf.text import Block

_TITLE_LINES = 4  # above the rest of a table, that say once more what it is
_LONGEST_TITLE = 200
_LARGER = 1.2  # type of a title, of that of the table below it


def join_tables(items: Sequence[Part]) -> list[Part]:
    """The parts with tables put together that go on over the end of a page: without a header, in the same columns."""
    found: list[Part] = []
    last: int | None = None  # the latest table
    begun = 0  # which of the parts it is
    first_said: dict[str, int] = {}  # of each paragraph, which of the parts says it first
    for number, item in enumerate(items):
        if isinstance(item, Block):
            first_said.setdefault(item.words, number)
        else:
            before = found[last] if last is not None else None
            between = [each for each in found[last + 1 :] if isinstance(each, Block)] if last is not None else []
            again = {each.words for each in between if first_said[each.words] < begun}
            if last is not None and isinstance(before, Data) and _goes_on(before, item, between, again):
                headings = [block for block in between if _is_subheading(block, item, again)]
                found[last] = _put_together(before, item, headings)
                found = [each for each in found if not any(each is heading for heading in headings)]
                continue
            last, begun = len(found), number
        found.append(item)
    return found


def _goes_on(before: Data, table: Data, between: Sequence[Block], again: AbstractSet[str]) -> bool:
    """Whether a table is the rest of the one before. between: the paragraphs between them; again: those of them that
    were said above the one before."""
    ends, others = before.grid.ends, table.grid.ends
    last = before.pages[-1] if before.pages else before.page
    if table.grid.heads or table.page != last + 1 or not ends:
        return False
    said = [block for block in between if not block.furniture]
    if len(said) > _TITLE_LINES or any(len(block.words) > _LONGEST_TITLE or block.page == last for block in said):
        return False
    if any(_is_title(block, table) and block.words not in again for block in said):
        return False
    return are_aligned(ends, others)


def _is_title(block: Block, table: Data) -> bool:
    """Whether a paragraph is printed larger than the table below it: the title of another."""
    sizes = [word.size for row in table.grid.words for cell in row for word in cell]
    return bool(sizes) and all(line.size > _LARGER * median(sizes) for line in block.lines)


def _is_subheading(block: Block, table: Data, again: AbstractSet[str]) -> bool:
    """Whether a paragraph above the second part of a table is a heading in its labels. again: titles that are
    repeated."""
    in_labels = all(line.x1 < table.grid.left for line in block.lines)
    return in_labels and not block.furniture and not block.centred and block.words not in again


def _put_together(before: Data, table: Data, headings: Sequence[Block]) -> Data:
    """Two parts of a table with the sub-headings between them as one."""
    first, second = before.grid, _below(headings, table.grid)
    shift = len(first.rows)
    width = len(first.ends) - len(second.ends) + len(second.rows[0]) - len(first.rows[0])
    first, second = _shifted(first, max(0, width)), _shifted(second, max(0, -width))  # one of them has no labels
    grid = replace(
        first,
        rows=first.rows + second.rows,
        words=first.words + second.words,
        repeated=first.repeated + tuple((r + shift, c) for r, c in second.repeated),
    )
    pages = before.pages or [before.page] * shift
    return Data(grid, before.page, [*pages, *[table.page] * len(second.rows)])


def _below(headings: Sequence[Block], grid: Grid) -> Grid:
    """A table with headings as rows above its first."""
    rest = len(grid.rows[0]) - 1
    return replace(
        grid,
        rows=(*((block.words, *("",) * rest) for block in headings), *grid.rows),
        words=(
            *((tuple(word for line in block.lines for word in line.words), *((),) * rest) for block in headings),
            *grid.words,
        ),
        repeated=tuple((r + len(headings), c) for r, c in grid.repeated),
    )


def _shifted(grid: Grid, by: int) -> Grid:
    """A table with empty columns in front."""
    return replace(
        grid,
        rows=tuple(("",) * by + row for row in grid.rows),
        words=tuple(((),) * by + row for row in grid.words),
        repeated=tuple((r, c + by) for r, c in grid.repeated),
    )
