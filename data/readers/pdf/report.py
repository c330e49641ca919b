"""A PDF into a document: paragraphs, tables and headings, page by page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from tieout.data.document import Document, Section, Table
from tieout.data.readers.html.cover import LINES, read_company, read_ended, read_form, read_name
from tieout.data.readers.html.furniture import find_furniture, is_page_number
from tieout.data.readers.html.sections import read_heading
from tieout.data.readers.pdf.apart import tell_apart
from tieout.data.readers.pdf.grid import Grid, read_grid
from tieout.data.readers.pdf.lines import Line, split_columns
from tieout.data.readers.pdf.tables import find_tables
from tieout.data.readers.pdf.text import Block, read_blocks
from tieout.data.readers.pdf.words import Page, Rule, read_pages
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.scans.recognise import Recognised, way_out, with_recognised
from tieout.data.readers.scans.sureness import with_sureness

_TITLE_LINES = 4  # above a table, among which its title is looked for
_LONGEST_TITLE = 200
_ALIGNED = 6.0  # points between the ends of one column on two pages
_MOST_LOST = 0.3  # share of letters that a font does not tell
_ENDS = re.compile(r"[.:;!?]['\"”’)]*$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMES_A_PART = re.compile(r"(?:item|part|note|signature|exhibit|consolidated|report of|index)", re.IGNORECASE)


@dataclass(slots=True)
class _Data:
    """One table of the document on its way."""

    grid: Grid
    page: int
    pages: list[int] = field(default_factory=list)  # of each row, where they are several


_Item = Block | _Data


def read_pdf(content: bytes, identifier: str) -> Document:
    """The document of a PDF with text in it. Pages that are pictures without text are named in `unread`.

    Raises UnreadableError for a PDF that is damaged, encrypted, scanned, or whose fonts do not tell their letters.
    """
    items: list[_Item] = []
    empty: list[int] = []
    pages = lost = letters = 0
    told = Recognised()
    for page in with_recognised(read_pages(content), content, told):
        pages += 1
        if page.is_scan or (page.has_picture and not page.words):
            empty.append(page.number)
        if not page.words:
            continue
        letters += sum(len(word.text) for word in page.words)
        lost += sum(_is_lost(sign) for word in page.words for sign in word.text)
        items += _items(page)
    if not items or len(empty) == pages:
        what = f"a scanned PDF: its {pages} pages are pictures without text" if empty else "a PDF without any text"
        raise UnreadableError(f"{what}{way_out()}; run it through OCR first")
    if lost > _MOST_LOST * letters:
        raise UnreadableError("a PDF whose fonts do not say which letters they draw; run it through OCR first")
    _mark_furniture(items)
    items = _joined(items)
    return with_sureness(_Assembler(identifier, items, empty).document(), told)


def _is_lost(sign: str) -> bool:
    return sign == "�" or "\ue000" <= sign <= "\uf8ff" or (sign < " ")


def _items(page: Page) -> Iterator[_Item]:
    joined = join_rules(page.rules)
    for column in split_columns(page.words, page.width):
        lines, rules = tell_apart(column, page.rules, joined)
        right = max((line.x1 for line in lines), default=0.0)
        run: list[Line] = []
        for item in find_tables(lines, rules):
            if isinstance(item, Line):
                run.append(item)
                continue
            grid = read_grid(item, rules)
            if is_contents(grid.rows):
                yield from read_blocks(run, page.number, page.width, right)
                run = []
                yield from (Block([line], page.number, furniture=True) for line in item.lines)
                continue
            yield from read_blocks(run, page.number, page.width, right)
            run = []
            yield _Data(grid, page.number)
        yield from read_blocks(run, page.number, page.width, right)


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


def _mark_furniture(items: Sequence[_Item]) -> None:
    texts = [item.words if isinstance(item, Block) else None for item in items]
    for index in find_furniture(texts, [item.page for item in items]):
        item = items[index]
        if isinstance(item, Block) and not _YEAR.fullmatch(item.words):  # a sub-heading, and no number of a page
            item.furniture = True


def _joined(items: Sequence[_Item]) -> list[_Item]:
    """The items with tables put together that go on over the end of a page: without a header, in the same columns."""
    found: list[_Item] = []
    last: int | None = None  # the latest table
    for item in items:
        if isinstance(item, _Data):
            before = found[last] if last is not None else None
            between = [each for each in found[last + 1 :] if isinstance(each, Block)] if last is not None else []
            if last is not None and isinstance(before, _Data) and _goes_on(before, item, between):
                said = {each.words for each in found[:last] if isinstance(each, Block)}
                headings = [block for block in between if _is_subheading(block, item, said)]
                found[last] = _put_together(before, item, [block.words for block in headings])
                found = [each for each in found if not any(each is heading for heading in headings)]
                continue
            last = len(found)
        found.append(item)
    return found


def _goes_on(before: _Data, table: _Data, between: Sequence[Block]) -> bool:
    ends, others = before.grid.ends, table.grid.ends
    last = before.pages[-1] if before.pages else before.page
    if table.grid.has_header or table.page != last + 1 or len(ends) != len(others) or not ends:
        return False
    said = [block for block in between if not block.furniture]
    if len(said) > _TITLE_LINES or any(len(block.words) > _LONGEST_TITLE or block.page == last for block in said):
        return False
    close = sum(abs(end - other) < _ALIGNED for end, other in zip(ends, others, strict=True))
    return 3 * close >= 2 * len(ends)


def _is_subheading(block: Block, table: _Data, said: AbstractSet[str]) -> bool:
    """Whether a paragraph above the second part of a table is a heading in its labels. said: what stood before: titles
    that are repeated."""
    in_labels = all(line.x1 < table.grid.left for line in block.lines)
    return in_labels and not block.furniture and not block.centred and block.words not in said


def _put_together(before: _Data, table: _Data, headings: Sequence[str]) -> _Data:
    """Two parts of a table with the sub-headings between them as one."""
    first, second = before.grid, table.grid
    labels = tuple((words, *("",) * (len(second.rows[0]) - 1)) for words in headings)
    second = replace(
        second, rows=labels + second.rows, repeated=tuple((r + len(labels), c) for r, c in second.repeated)
    )
    shift = len(first.rows)
    width = len(first.ends) - len(second.ends) + len(second.rows[0]) - len(first.rows[0])
    if width:  # one of them has no labels
        first = replace(first, rows=tuple(("",) * max(0, width) + row for row in first.rows))
        second = replace(second, rows=tuple(("",) * max(0, -width) + row for row in second.rows))
    grid = replace(
        first,
        rows=first.rows + second.rows,
        repeated=tuple((r, c + max(0, width)) for r, c in first.repeated)
        + tuple((r + shift, c) for r, c in second.repeated),
    )
    pages = before.pages or [before.page] * shift
    return _Data(grid, before.page, [*pages, *[table.page] * len(second.rows)])


def name_pages(numbers: Sequence[int]) -> str:
    """`page 3`, `pages 3, 7 to 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return ("page " if len(numbers) == 1 else "pages ") + ", ".join(parts)


@dataclass(slots=True)
class _Assembler:
    """Puts the parts together in reading order."""

    identifier: str
    items: Sequence[_Item]
    empty: Sequence[int]
    paragraphs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    furniture: list[int] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    recent: list[tuple[str, bool]] = field(default_factory=list)  # lines since the last long one: words, is a heading
    open: int | None = None  # the last paragraph, where the next page may go on with it

    def document(self) -> Document:
        """The document of all items."""
        for item in self.items:
            if isinstance(item, Block):
                self._block(item)
            else:
                self._table(item)
        cover = self.paragraphs[: 2 * LINES]
        unread = (f"{name_pages(self.empty)}: pictures without text, not read{way_out()}",) if self.empty else ()
        return Document(
            id=self.identifier,
            coded=False,
            paragraphs=tuple(self.paragraphs),
            before=0,
            tables=tuple(self.tables),
            sections=tuple(self.sections),
            places=tuple(self.places),
            furniture=tuple(self.furniture),
            company=read_company(cover) or read_name(cover),
            form=read_form(cover),
            ended=read_ended(cover),
            unread=unread,
        )

    def _say(self, words: str, page: int) -> int:
        self.paragraphs.append(words)
        self.places.append(f"page {page}")
        return len(self.paragraphs) - 1

    def _block(self, block: Block) -> None:
        words = block.words
        if block.furniture:
            self.furniture.append(self._say(words, block.page))
            return
        if self.open is not None and words[:1].islower() and self.places[self.open] != f"page {block.page}":
            self.paragraphs[self.open] += f" {words}"
            self.open = None
            return
        heading = read_heading(block.text, block.centred, "")
        if heading and not (heading.again and self._has_section(heading.title)):
            section = Section(title=heading.title, level=heading.level, paragraph=len(self.paragraphs))
            self.sections.append(section)
        index = self._say(words, block.page)
        self.open = None if heading or _ENDS.search(words) else index
        if len(words) > _LONGEST_TITLE:
            self.recent.clear()
        self.recent.append((words, heading is not None))

    def _has_section(self, title: str) -> bool:
        return any(each.title.lower() == title.lower() for each in self.sections)

    def _table(self, data: _Data) -> None:
        self.open = None
        self.tables.append(
            Table(
                rows=data.grid.rows,
                after=len(self.paragraphs),
                section=len(self.sections) - 1 if self.sections else None,
                title=self._title(),
                place=f"page {data.page}" + (f" to page {data.pages[-1]}" if data.pages else ""),
                places=tuple((f"page {page}",) * len(data.grid.rows[0]) for page in data.pages),
                repeated=data.grid.repeated,
            )
        )

    def _title(self) -> str:
        """The nearest heading among the lines right above the table, else the last line where that ends in a colon."""
        for words, heading in self.recent[: -_TITLE_LINES - 1 : -1]:
            if heading:
                return words[:_LONGEST_TITLE]
        last = self.recent[-1][0] if self.recent else ""
        return last[:_LONGEST_TITLE] if last.endswith(":") else ""
