"""A web page into a document: every word that a browser shows, with its place, and the tags of Inline XBRL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tieout.data.document import (
    CellRemark,
    CellTag,
    Document,
    ParagraphRemark,
    ParagraphTag,
    Remark,
    Section,
    Table,
    Tag,
)
from tieout.data.printed.pattern import later
from tieout.data.readers.html.cover import (
    LINES,
    read_company,
    read_day,
    read_ended,
    read_form,
    read_name,
    read_owner,
    read_registrant,
    told_by_cover,
)
from tieout.data.readers.html.furniture import find_furniture, is_page_number
from tieout.data.readers.html.grid import Rows, is_layout, is_value, lines_of, read_rows
from tieout.data.readers.html.page import Block, Paragraph, Typed, parse_page, read_blocks
from tieout.data.readers.html.sections import HEADING, Heading, read_heading
from tieout.data.readers.html.stacked import parts_of
from tieout.data.readers.html.text import Text
from tieout.data.readers.html.xbrl import Statement, numbers, read_statement

_LAST_NUMBER = later(r"(?:^|[\s|-])((?:[A-Z]{1,2}-)?[0-9]{1,4})(?: of (?:[A-Z]{1,2}-)?[0-9]{1,4})?\s*[-–—]?$")
_CONTENTS = later(r"\b(?:table of )?contents\b|\bindex\b", re.IGNORECASE)
_CHAPTER = later(
    r"\b(?:items?|parts?|notes?|schedules?)\b|signatures?|exhibits?|consolidated|statements?|report of|glossary",
    re.IGNORECASE,
)
_MOST_PAGES = 1000
_TITLE_LINES = 4  # above a table, among which its title is looked for
LONGEST_TITLE = 200
TITLE_INDENT = 8  # spaces in front of a line, of text set with spaces, that is a title


@dataclass(slots=True)
class _Line:
    """One paragraph of the document on its way. furniture: it belongs to the page, not to the report."""

    text: Text
    page: int
    centred: bool = False
    name: str = ""
    marks: list[Any] = field(default_factory=list)
    furniture: bool = False


@dataclass(slots=True)
class _Data:
    """One table of the document on its way."""

    rows: Rows
    page: int
    marks: list[Any]


def read_html(data: bytes, identifier: str) -> Document:
    """A page as a document. identifier: its id, such as the name of the file.

    Scripts are not run and nothing is fetched. Raises PageError for bytes that are no page.
    """
    return read_tree(parse_page(data), identifier)


def read_tree(root: Any, identifier: str) -> Document:  # noqa: ANN401 - lxml has no types
    """The document of a page that has been parsed."""
    items, unseen = read_items(root)
    return _Assembler(identifier, items, read_statement(root), root, unseen).document()


def read_items(root: Any) -> tuple[list[_Line | _Data], list[str]]:  # noqa: ANN401
    """What a page prints, in reading order, and the texts with digits that a person does not see."""
    items: list[_Line | _Data] = []
    unseen: list[str] = []
    for block in read_blocks(root, unseen):
        last = items[-1] if items else None
        items += _items(block, last.text.words if isinstance(last, _Line) else "")
    texts = [item.text.words if isinstance(item, _Line) else None for item in items]
    pages = [item.page for item in items]
    for index in find_furniture(texts, pages):
        item = items[index]
        if isinstance(item, _Line):
            item.furniture = True
    return items, unseen


def _items(block: Block, before: str) -> list[_Line | _Data]:
    """A block as the paragraphs or the table that it is: a table for layout only is paragraphs. before: the line above
    it."""
    if isinstance(block, Paragraph):
        return [_Line(block.text, block.page, block.centred, block.name, block.marks)]
    if isinstance(block, Typed):
        return list(_typed(block))
    rows = read_rows(block)
    contents = is_contents(rows, before)
    if not contents and not is_layout(rows):
        return [_Data(part, block.page, [] if at else block.marks) for at, part in enumerate(parts_of(rows))]
    lines: list[_Line | _Data] = [_Line(text, block.page, furniture=contents) for text in lines_of(rows)]
    if lines and isinstance(lines[0], _Line):
        lines[0].marks = block.marks
    return lines


def _typed(block: Typed) -> Iterator[_Line | _Data]:
    """Text set with spaces: tables where its lines have columns, and paragraphs between empty lines."""
    from tieout.data.readers.geometry.spaced import find_columns  # few pages have any

    at = 0
    for first, end, grid in [*find_columns(block.lines), (len(block.lines), len(block.lines), None)]:
        yield from (_Line(_text(words), block.page) for words in _typed_paragraphs(block.lines[at:first]))
        if grid is not None:
            rows = [[_text(cell) if cell.strip() else None for cell in line] for line in grid.rows]
            yield _Data(Rows(rows, [False] * len(rows), set(grid.repeated)), block.page, [])
        at = end


def _typed_paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Lines between empty ones run together; those set in from the margin, as titles are, stand alone."""
    from tieout.data.readers.geometry.spaced import MARKUP

    gathered: list[str] = []
    for line in [*lines, ""]:
        is_title = line.startswith(" " * TITLE_INDENT)
        if gathered and (is_title or not line.strip() or MARKUP.match(line)):
            yield " ".join(gathered)
            gathered = []
        if line.strip() and not MARKUP.match(line):
            gathered.append(line.strip())
            if is_title:
                yield gathered.pop()


def _text(words: str) -> Text:
    text = Text()
    text.add(words)
    return text


def is_contents(rows: Rows, before: str = "") -> bool:
    """Whether a table is a table of contents: names in front, page numbers that grow behind. before: the line above."""
    found: list[int] = []
    named = others = 0
    for number in range(len(rows.rows)):
        words = [word for word in rows.words(number) if word]
        if len(words) > 1 and is_page_number(words[-1]) and any(map(str.isalpha, words[-2])):
            found.append(int("".join(filter(str.isdigit, words[-1])) or 0))
            named += bool(_CHAPTER.search(" ".join(words[:-1])))
        else:
            others += len(words) > 1 and any(map(str.isdigit, words[-1]))
    if len(found) < 3 or max(found) > _MOST_PAGES or 4 * others > len(found):
        return False
    rising = sum(one <= other for one, other in pairwise(found))
    told = _CONTENTS.search(before) or _CONTENTS.search(" ".join(rows.words(0)))
    return 10 * rising >= 9 * (len(found) - 1) and (bool(told) or 3 * named >= len(found))


class _Assembler:
    """Puts the parts together in reading order."""

    def __init__(
        self,
        identifier: str,
        items: Sequence[_Line | _Data],
        statement: Statement,
        root: Any,  # noqa: ANN401
        unseen: Sequence[str],
    ) -> None:
        self.unseen = tuple(unseen)
        self.identifier, self.items, self.statement, self.root = identifier, items, statement, root
        self.labels = _page_labels(items)
        self.paragraphs: list[str] = []
        self.places: list[str] = []
        self.furniture: list[int] = []
        self.tables: list[Table] = []
        self.sections: list[Section] = []
        self.tags: list[ParagraphTag] = []
        self.remarks: list[ParagraphRemark] = []
        self.printed: set[Any] = set()
        self.last: int | None = None  # the page of the table right before, with nothing but furniture since
        self.recent: list[tuple[str, bool]] = []  # lines since the last long one: words, is a heading
        self.cover = [text for item in items[: 2 * LINES] for text in _printed(item) if text]
        self.name = statement.about("EntityRegistrantName") or read_company(self.cover)
        self.company = self.name.lower().rstrip(". ")
        self.headings = self._find_headings()

    def document(self) -> Document:
        for item in self.items:
            if isinstance(item, _Line):
                self._line(item)
            else:
                self._table(item)
        said = self.statement
        ended = read_day(said.about("DocumentPeriodEndDate"))
        return Document(
            id=self.identifier,
            about=told_by_cover(said.of_itself(), self.cover),
            paragraphs=tuple(self.paragraphs),
            before=0,
            tables=tuple(self.tables),
            sections=tuple(self.sections),
            places=tuple(self.places) if any(self.places) else (),
            tags=tuple(self.tags),
            remarks=tuple(self.remarks),
            unprinted=tuple(self._unprinted()),
            furniture=tuple(self.furniture),
            coded=False,
            unseen=self.unseen,
            company=self.name or self._owner(),
            form=said.about("DocumentType") or read_form(self.cover),
            ended=ended or said.texts.get("dei:DocumentPeriodEndDate", ("", None))[1] or read_ended(self.cover),
        )

    def _owner(self) -> str:
        """The company, of a report whose cover does not say which name is the exact one."""
        named = read_registrant(self.cover) or read_name([each for each in self.cover if each])
        return named or read_owner([each.text.words for each in self.items if isinstance(each, _Line)])

    def _tag(self, element: Any, start: int, end: int) -> Tag | None:  # noqa: ANN401
        tag = self.statement.tag(element, (start, end))
        if tag is not None:
            self.printed.add(element)
        return tag

    def _unprinted(self) -> list[Tag]:
        found = (self.statement.tag(each, None) for each in numbers(self.root) if each not in self.printed)
        return [tag for tag in found if tag is not None]

    def _line(self, line: _Line) -> None:
        words = line.text.words
        index = len(self.paragraphs)
        if line.furniture:
            self.furniture.append(index)
        else:
            self.last = None
            heading = self.headings.get(id(line))
            if heading:
                self._section(heading, index, line.marks)
            if len(words) > LONGEST_TITLE:
                self.recent.clear()
            self.recent.append((words, heading is not None))
        for element, start, end in line.text.spans:
            if tag := self._tag(element, start, end):
                self.tags.append(ParagraphTag(paragraph=index, tag=tag))
        for start, end, doubt in line.text.doubts:
            remark = Remark(start=start, end=end, doubt=doubt)
            self.remarks.append(ParagraphRemark(paragraph=index, remark=remark))
        self.paragraphs.append(words)
        self.places.append(self._place(line.page))

    def _section(self, heading: Heading, index: int, marks: Sequence[Any]) -> None:
        if heading.again and any(each.title.lower() == heading.title.lower() for each in self.sections):
            return
        blocks = [each.get("name", "") for each in marks if each.get("name", "").endswith("TextBlock")]
        self.sections.append(
            Section(title=heading.title, level=heading.level, paragraph=index, concept=blocks[0] if blocks else "")
        )

    def _find_headings(self) -> dict[int, Heading]:
        """By the identity of its line, each heading from the first part, item or statement on: what is printed large on
        a cover heads nothing."""
        lines = [item for item in self.items if isinstance(item, _Line) and not item.furniture]
        read = [(id(line), read_heading(line.text, line.centred, line.name)) for line in lines]
        found = [(key, heading) for key, heading in read if heading and not self._is_name(heading.title)]
        first = next((at for at, (_, heading) in enumerate(found) if heading.level < HEADING), 0)
        return dict(found[first:])

    def _is_name(self, title: str) -> bool:
        """Whether a line like a heading is but the name of the company, `Apple Inc.` over each statement."""
        return bool(self.company) and title.lower().startswith(self.company) and len(title) < len(self.company) + 30

    def _place(self, page: int) -> str:
        return self.labels.get(page, "")

    def _goes_on(self, rows: Rows, page: int) -> bool:
        """Whether a table is the rest of the last one: on the next page, with nothing but furniture between, as many
        columns, and no header of its own."""
        if self.last is None or not self.tables or page != self.last + 1 or not rows.rows:
            return False
        width = len(self.tables[-1].rows[0])
        first = rows.words(0)
        return len(first) == width and bool(first[0]) and any(map(is_value, first[1:])) and not is_value(first[0])

    def _table(self, data: _Data) -> None:
        rows = data.rows
        printed = tuple(tuple(rows.words(row)) for row in range(len(rows.rows)))
        if self._goes_on(rows, data.page):
            table = self.tables.pop()
            above = len(table.rows)
            repeated = tuple((row + above, column) for row, column in sorted(rows.repeated))
            more = {
                "rows": table.rows + printed,
                "tags": table.tags + self._cell_tags(rows, above),
                "remarks": table.remarks + tuple(_cell_remarks(rows, above)),
                "repeated": table.repeated + repeated,
            }
            self.tables.append(table.model_copy(update=more))
        else:
            self.tables.append(
                Table(
                    rows=printed,
                    after=len(self.paragraphs),
                    section=len(self.sections) - 1 if self.sections else None,
                    title=self._title(),
                    place=self._place(data.page),
                    tags=self._cell_tags(rows, 0),
                    remarks=tuple(_cell_remarks(rows, 0)),
                    repeated=tuple(sorted(rows.repeated)),
                )
            )
        self.last = data.page

    def _cell_tags(self, rows: Rows, above: int) -> tuple[CellTag, ...]:
        """The tags on the cells of a table. above: how many rows stand in front of these."""
        found = []
        for row, cells in enumerate(rows.rows):
            for column, cell in enumerate(cells):
                if cell and cell.spans and (row, column) not in rows.repeated:
                    tags = (self._tag(*span) for span in cell.spans)
                    found += [CellTag(row=row + above, column=column, tag=tag) for tag in tags if tag]
        return tuple(found)

    def _title(self) -> str:
        """The nearest heading among the lines right above the table, else the last line where that ends in a colon."""
        for words, heading in self.recent[: -_TITLE_LINES - 1 : -1]:
            if heading:
                return words[:LONGEST_TITLE]
        last = self.recent[-1][0] if self.recent else ""
        return last[:LONGEST_TITLE] if last.endswith(":") else ""


def _printed(item: _Line | _Data) -> Iterator[str]:
    """What is printed, line by line: a cover is often laid out in tables."""
    if isinstance(item, _Line):
        yield item.text.words
    else:
        for row in range(len(item.rows.rows)):
            yield " ".join(dict.fromkeys(word for word in item.rows.words(row) if word))


def _cell_remarks(rows: Rows, above: int) -> Iterator[CellRemark]:
    """What is doubtful in the cells of a table. above: how many rows stand in front of these."""
    for row, cells in enumerate(rows.rows):
        for column, cell in enumerate(cells):
            for start, end, doubt in cell.doubts if cell else ():
                remark = Remark(start=start, end=end, doubt=doubt)
                yield CellRemark(row=row + above, column=column, remark=remark)


def _page_labels(items: Sequence[_Line | _Data]) -> dict[int, str]:
    """What to call the pages that have a number printed on them: nobody counts those of a web page."""
    if not items or items[-1].page == 1:
        return {}
    furniture = (item for item in items if isinstance(item, _Line) and item.furniture)
    found = ((item.page, _LAST_NUMBER.search(item.text.words)) for item in furniture)
    return {page: f"page {number[1]}" for page, number in found if number}
