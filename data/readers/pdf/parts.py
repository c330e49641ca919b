"""A page into its parts: paragraphs and tables in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.apart import tell_apart
from tieout.data.readers.geometry.columns import split_columns
from tieout.data.readers.geometry.grid import Grid, read_grid, under_periods
from tieout.data.readers.geometry.lines import Line, read_lines
from tieout.data.readers.geometry.stacks import put_together
from tieout.data.readers.geometry.tables import find_tables
from tieout.data.readers.geometry.words import Page, Rule
from tieout.data.readers.html.furniture import is_page_number
from tieout.data.readers.pdf.text import Block, read_blocks, right_margin

_NAMES_A_PART = later(r"(?:item|part|note|signature|exhibit|consolidated|report of|index)", re.IGNORECASE)

_APART = 1.8  # of the size: white above the foot of a page
_CENTRED = 0.03  # of the width of the page: how far off its middle the number of it may stand


@dataclass(slots=True)
class Data:
    """One table of the document on its way. lines, rules: what it is read from, without those of other pages."""

    grid: Grid
    page: int
    pages: list[int] = field(default_factory=list)  # of each row, where they are several
    lines: Sequence[Line] = ()
    rules: Sequence[Rule] = ()

    def page_of(self, row: int) -> int:
        """The page on which a row stands."""
        return self.pages[row] if self.pages else self.page


Part = Block | Data


def parts_of(page: Page) -> Iterator[Part]:
    """Yields the paragraphs and tables of a page in reading order; the lines of a table of contents are furniture."""
    yield from (Block([line], page.number, furniture=True) for line in read_lines(page.head))
    joined = join_rules(page.rules)
    for column in split_columns(page.words, page.width):
        lines, rules = tell_apart(put_together(column, page.rules), page.rules, joined)
        right = right_margin(lines)
        run: list[Line] = []
        above: Grid | None = None
        foot = [lines.pop()] if _is_foot(lines, page.width) else []
        for item in find_tables(lines, rules):
            if isinstance(item, Line):
                run.append(item)
                continue
            yield from read_blocks(run, page.number, page.width, right)
            grid = read_grid(item, rules)
            grid = under_periods(grid, above) if above else grid
            run, above = [], grid
            if is_contents(grid.rows):
                yield from (Block([line], page.number, furniture=True) for line in item.lines)
            else:
                yield Data(grid, page.number, lines=item.lines, rules=rules)
        yield from read_blocks(run + foot, page.number, page.width, right)
    yield from (Block([line], page.number, furniture=True) for line in read_lines(page.foot))


def _is_foot(lines: Sequence[Line], width: float) -> bool:
    """Whether the last line stands apart and ends in the number of the page in the middle of it: no row of a table."""
    if len(lines) < 2:
        return False
    above, last = lines[-2:]
    number = last.segments[-1]
    is_apart = last.y - above.y > _APART * last.size
    return is_apart and is_page_number(number.text) and abs(number.center - width / 2) < _CENTRED * width


def join_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Rules with those that go on where others end put together."""
    joined: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (round(each.y), each.x0)):
        last = joined[-1] if joined else None
        if last and abs(last.y - rule.y) < 1.0 and rule.x0 - last.x1 < 1.5:
            joined[-1] = Rule(last.x0, max(last.x1, rule.x1), last.y)
        else:
            joined.append(rule)
    return joined


def is_contents(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table is a table of contents: names in front, page numbers that grow behind."""
    found: list[int] = []
    named = 0
    for row in rows:
        words = [word for word in row if word]
        if len(words) > 1 and is_page_number(words[-1]) and any(map(str.isalpha, words[-2])):
            digits = "".join(filter(str.isdigit, words[-1]))
            found.append(int(digits or 0))
            named += bool(_NAMES_A_PART.match(words[0]))
        elif len(words) > 1 and any(map(str.isdigit, words[-1])):
            return False
    return len(found) > 2 and found == sorted(found) and 3 * named >= len(found)
