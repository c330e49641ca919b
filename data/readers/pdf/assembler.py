"""The parts of all pages into a document: paragraphs, tables, headings, and the tags on their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tieout.data.document import Box, CellTag, Document, ParagraphTag, Section, Table, Tag
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import read_period
from tieout.data.readers.geometry.words import Word
from tieout.data.readers.html.cover import (
    LINES,
    read_company,
    read_ended,
    read_form,
    read_name,
    read_owner,
    read_registrant,
    told_by_cover,
)
from tieout.data.readers.html.sections import NOTE, STATEMENT, Heading, read_heading
from tieout.data.readers.pdf.parts import Data, Part
from tieout.data.readers.pdf.text import Block
from tieout.data.tables.year_names import HEADER_ROWS

_TITLE_LINES = 4  # above a table, among which its title is looked for
_LONGEST_TITLE = 200
_SAME_SIZE = 0.1  # how much the type of two parts of a paragraph may differ
_ABOVE, _BELOW = 0.78, 0.22  # of the size: how far letters reach above and below their baseline
_NOTES = later(r"notes\b", re.IGNORECASE)
_NUMBERED = later(r"(\d{1,2}) ([A-Z][^.:]{3,90})")
_MOST_SKIPPED = 4  # notes whose headings are rows within the table of one before
_PERIODIC = ("10-K", "10-Q")  # forms that are of a period
_FIRST = 4  # tables of a report, among which its statements are
_ENDS = later(r"[.:;!?]['\"”’)]*$")


class Tags(Protocol):
    """What a file itself says of its numbers."""

    def tag(self, element: Any, printed: tuple[int, int] | None) -> Tag | None:  # noqa: ANN401 - as the file has it
        """The tag that an element is, of a number in this span of its text; None for one that says no number."""


@dataclass(slots=True)
class Assembler:
    """Puts the parts together in reading order. sizes: width and height of the pages."""

    identifier: str
    parts: Sequence[Part]
    sizes: Sequence[tuple[float, float]]
    said: Tags | None = None
    paragraphs: list[str] = field(default_factory=list)
    boxes: list[list[tuple[int, Box]]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    furniture: list[int] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    tags: list[ParagraphTag] = field(default_factory=list)
    recent: list[tuple[str, bool]] = field(default_factory=list)  # lines since the last long one: words, is a heading
    open: int | None = None  # the last paragraph, where the next page may go on with it
    last: Block | None = None  # of which it ends
    note: int | None = None  # within the notes, the number of the last one, 0 before the first

    def document(self, unread: tuple[str, ...] = ()) -> Document:
        """The document of all parts. unread: what could not be read, in words."""
        for part in self.parts:
            if isinstance(part, Block):
                self._block(part)
            else:
                self._table(part)
        cover = self.paragraphs[: 2 * LINES]
        return Document(
            id=self.identifier,
            coded=False,
            about=told_by_cover((), cover),
            paragraphs=tuple(self.paragraphs),
            before=0,
            tables=tuple(self.tables),
            sections=tuple(self.sections),
            places=tuple(self.places),
            tags=tuple(self.tags),
            furniture=tuple(self.furniture),
            company=read_company(cover) or read_registrant(cover) or read_name(cover) or read_owner(self.paragraphs),
            form=(form := read_form(cover)),
            ended=read_ended(cover) or (read_ended(self._heads()) if form.startswith(_PERIODIC) else None),
            unread=unread,
            boxes=tuple(map(tuple, self.boxes)),
            pages=tuple(self.sizes),
        )

    def _heads(self) -> list[str]:
        """The lines of headers of the first tables: for reports whose cover does not say when their period ended."""
        return [" ".join(dict.fromkeys(row)) for table in self.tables[:_FIRST] for row in table.rows[:HEADER_ROWS]]

    def _say(self, block: Block) -> int:
        self.paragraphs.append("")
        self.boxes.append([])
        self.places.append(f"page {block.page}")
        index = len(self.paragraphs) - 1
        self._add(index, block)
        return index

    def _add(self, index: int, block: Block) -> None:
        """Adds the words of a block to a paragraph."""
        text = self.paragraphs[index]
        shift = len(text) + 1 if text else 0
        words = block.words
        self.paragraphs[index] = f"{text} {words}" if text else words
        at = 0
        for line in block.lines:
            found = [(at + start, word) for start, word in starts_of(words[at:], line.words)]
            if box := box_of(line.words, block.page):
                self.boxes[index].append((shift + found[0][0], box))
            for tag in self._tags((shift + start, word) for start, word in found):
                self.tags.append(ParagraphTag(paragraph=index, tag=tag))
            at = found[-1][0] + len(found[-1][1].text)

    def _tags(self, words: Iterator[tuple[int, Word]]) -> Iterator[Tag]:
        """The tags on words, with where each begins in the text."""
        for start, word in words if self.said else ():
            for first, last, element in word.tags:
                if self.said and (tag := self.said.tag(element, (start + first, start + last))):
                    yield tag

    def _block(self, block: Block) -> None:
        words = block.words
        heading = read_heading(block.text, block.centred, "")
        if block.furniture:
            if heading and heading.level == STATEMENT and not self._has_section(heading.title):
                self._open_section(heading.title, heading.level)  # at the head of all its pages
            self.furniture.append(self._say(block))
            return
        if self._begins_note(words):
            heading = Heading(words, NOTE)
        if self.open is not None and self._goes_on(block, heading is not None):
            self._add(self.open, block)
            self.last = block
            self.open = None if _ENDS.search(words) else self.open
            return
        if heading and not (heading.again and self._has_section(heading.title)):
            self._open_section(heading.title, heading.level)
        index = self._say(block)
        self.open, self.last = (None if heading or _ENDS.search(words) else index), block
        if len(words) > _LONGEST_TITLE:
            self.recent.clear()
        self.recent.append((words, heading is not None))

    def _open_section(self, title: str, level: int) -> None:
        self.sections.append(Section(title=title, level=level, paragraph=len(self.paragraphs)))
        if found := _NUMBERED.match(title) if self.note is not None else None:
            self.note = int(found[1])
        elif level <= STATEMENT:
            self.note = 0 if _NOTES.match(title) else None
        if level <= STATEMENT:
            self.recent[:] = [(title, True)]

    def _begins_note(self, words: str) -> bool:
        """Whether words are the heading of the next of the notes, or of one soon behind it: `2 Financial income`."""
        found = _NUMBERED.fullmatch(words) if self.note is not None else None
        is_next = found is not None and 0 < int(found[1]) - (self.note or 0) <= _MOST_SKIPPED
        return is_next and read_period(words) is None

    def _goes_on(self, block: Block, is_heading: bool) -> bool:
        """Whether a paragraph is the rest of the open one: at the head of the next page, or of the next column."""
        before = self.last
        if before is None or (block.page == before.page and block.lines[0].y >= before.lines[-1].y):
            return False
        is_small = abs(block.lines[0].size - before.lines[-1].size) < _SAME_SIZE * before.lines[-1].size
        begins = block.words[:1]
        return begins.islower() or (before.full and is_small and not is_heading and (begins.isalnum() or begins == "$"))

    def _has_section(self, title: str) -> bool:
        return any(each.title.lower() == title.lower() for each in self.sections)

    def _table(self, data: Data) -> None:
        self.open = None
        grid = data.grid
        first = next((cells for cells in grid.rows if cells[0]), ("", ""))
        if not any(first[1:]) and self._begins_note(first[0]):
            self._open_section(first[0], NOTE)
        self.tables.append(
            Table(
                rows=grid.rows,
                after=len(self.paragraphs),
                section=len(self.sections) - 1 if self.sections else None,
                title=self._title(),
                place=f"page {data.page}" + (f" to page {data.pages[-1]}" if data.pages else ""),
                places=tuple((f"page {page}",) * len(grid.rows[0]) for page in data.pages),
                tags=tuple(self._cell_tags(data)),
                repeated=grid.repeated,
                boxes=tuple(
                    tuple(box_of(cell, data.page_of(row)) for cell in cells) for row, cells in enumerate(grid.words)
                ),
            )
        )

    def _cell_tags(self, data: Data) -> Iterator[CellTag]:
        repeated = frozenset(data.grid.repeated)
        for row, (texts, words) in enumerate(zip(data.grid.rows, data.grid.words, strict=True)):
            for column, (text, cell) in enumerate(zip(texts, words, strict=True)):
                if (row, column) not in repeated:
                    for tag in self._tags(starts_of(text, cell)):
                        yield CellTag(row=row, column=column, tag=tag)

    def _title(self) -> str:
        """The nearest heading among the lines right above the table, else the last line where that ends in a colon."""
        for words, heading in self.recent[: -_TITLE_LINES - 1 : -1]:
            if heading:
                return words[:_LONGEST_TITLE]
        last = self.recent[-1][0] if self.recent else ""
        return last[:_LONGEST_TITLE] if last.endswith(":") else ""


def box_of(words: Sequence[Word], page: int) -> Box | None:
    """The box around words of a page, None for none."""
    if not words:
        return None
    top = min(word.y - _ABOVE * word.size for word in words)
    bottom = max(word.y + _BELOW * word.size for word in words)
    sides = (min(word.x0 for word in words), top, max(word.x1 for word in words), bottom)
    return (page, *(round(max(0.0, side), 2) for side in sides))  # type: ignore[return-value]  # four sides


def starts_of(text: str, words: Sequence[Word]) -> Iterator[tuple[int, Word]]:
    """Yields where each word begins in the text that is made of them, in order."""
    at = 0
    for word in words:
        found = text.find(word.text, at)
        at = found if found >= 0 else at
        yield at, word
        at += len(word.text) if found >= 0 else 0
