"""What goes on over the end of a page: tables whose columns go on below, in one table of all their rows."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from statistics import median

from tieout.data.readers.geometry.grid import Grid, are_aligned, read_grid
from tieout.data.readers.geometry.tables import MOST_HEADERS, YEAR, Region, find_tables, says_period
from tieout.data.readers.pdf.parts import Data, Part
from tieout.data.readers.pdf.text import Block

_TITLE_LINES = 4  # above the rest of a table, that say once more what it is
_LONGEST_TITLE = 200
_BELOW = 1.4  # of the size: how far the first row stands below its header
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
            between = [each for each in found[0 if last is None else last + 1 :] if isinstance(each, Block)]
            again = {each.words for each in between if first_said[each.words] < begun}
            if last is not None and isinstance(before, Data) and _goes_on(before, item, between, again):
                headings = [block for block in between if _is_subheading(block, item, again)]
                found[last] = _put_together(before, item, headings)
                found = [each for each in found if not any(each is heading for heading in headings)]
                continue
            item = _with_header(item, between)
            found = [each for each in found if not isinstance(each, Block) or each.lines]
            last, begun = len(found), number
        found.append(item)
    return found


def _goes_on(before: Data, table: Data, between: Sequence[Block], again: AbstractSet[str]) -> bool:
    """Whether a table is the rest of the one before. between: the paragraphs between them; again: those of them that
    were said above the one before."""
    last = before.pages[-1] if before.pages else before.page
    if table.grid.heads or table.page != last + 1 or not before.grid.ends:
        return False
    said = [block for block in between if not block.furniture]
    if len(said) > _TITLE_LINES or any(len(block.words) > _LONGEST_TITLE for block in said):
        return False
    if not all(_is_last_label(block, before) for block in said if block.page == last):
        return False
    if any(_is_title(block, table) and block.words not in again for block in said):
        return False
    return are_aligned(before.grid, table.grid)


def _with_header(table: Data, between: Sequence[Block]) -> Data:
    """A table without a header, or with years alone, at the top of its page under the lines at the end of the page
    before, where these are its header: they are taken out of their paragraphs."""
    said = [block for block in between if not block.furniture]
    above = [line for block in said if block.page == table.page for line in block.lines]
    lines = [line for block in said if block.page == table.page - 1 for line in block.lines][-MOST_HEADERS:]
    heads = [cell for row in table.grid.rows[: table.grid.heads] for cell in row[-len(table.grid.ends) :] if cell]
    if not lines or not all(map(YEAR.fullmatch, heads)) or any(line.x1 > table.grid.left for line in above):
        return table
    top = [*above, *table.lines][0]
    shift = top.y - _BELOW * top.size - lines[-1].y
    moved = [replace(line, y=line.y + shift) for line in lines]
    region = find_tables([*moved, *above, *table.lines], table.rules)[-1]
    header = [line for line in region.lines if line.y < top.y] if isinstance(region, Region) else []
    if not isinstance(region, Region) or not any(says_period(line.text) or len(line.segments) > 1 for line in header):
        return table
    grid = read_grid(region, table.rules)
    taken = {id(word) for line in header for word in line.words}
    for block in said:
        block.lines = [
            line for line in block.lines if id(line.words[0]) not in taken and not any(line is each for each in above)
        ]
    pages = [table.page - any(id(word) in taken for cell in row for word in cell) for row in grid.words]
    return replace(table, grid=grid, pages=pages)


def _is_title(block: Block, table: Data) -> bool:
    """Whether a paragraph is printed larger than the table below it: the title of another."""
    sizes = [word.size for row in table.grid.words for cell in row for word in cell]
    return bool(sizes) and all(line.size > _LARGER * median(sizes) for line in block.lines)


def _is_last_label(block: Block, before: Data) -> bool:
    """Whether a paragraph below a table, at the end of its page, is among its labels: the sub-heading of what follows,
    or the first line of a label."""
    in_labels = all(line.x1 < before.grid.left for line in block.lines)
    return in_labels and not block.centred and not block.words.endswith(".")


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
    pages = [*(before.pages or [before.page] * shift), *(block.page for block in headings)]
    return Data(grid, before.page, [*pages, *[table.page] * len(table.grid.rows)])


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
