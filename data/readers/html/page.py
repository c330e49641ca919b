"""The elements of a web page into blocks in reading order: paragraphs, and tables as grids of cells.

What a person does not see in a browser is left out: hidden elements, scripts, the header of Inline XBRL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tieout.data.readers.html.seen.onlooker import Onlooker
from tieout.data.readers.html.seen.sight import REVERSED
from tieout.data.readers.html.style import Style, read_style
from tieout.data.readers.html.text import FORCED, Text
from tieout.data.readers.refusal import UnreadableError

MOST_SPAN = 1000  # columns or rows of one cell, as in the HTML standard
_CHARSET = re.compile(rb"(?:encoding|charset)\s*=\s*[\"']?\s*([A-Za-z0-9._-]+)", re.IGNORECASE)
_FEW_CELLS = 3  # of a table in a cell: currency, number and what closes it
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CHANGING = _HEADINGS | {"a"}
_UNCLOSED = re.compile(rb"</?(?:font|span|b|i|u|strong|em|small|big|center)\b[^>]*>", re.IGNORECASE)
NUMBER_TAG, TEXT_TAG = "ix:nonfraction", "ix:nonnumeric"


class PageError(UnreadableError):
    """Bytes that are no web page that can be read. The message says why, without the name of the file."""


@dataclass(slots=True)
class Paragraph:
    """A block of text. page: from 1, counted by page breaks. name: of the heading element (`h2`), else ""."""

    text: Text
    page: int
    centred: bool = False
    name: str = ""
    marks: list[Any] = field(default_factory=list)  # elements of tagged text that begin with this block


@dataclass(slots=True)
class GridCell:
    """One cell: its place in the grid, and its text, block by block."""

    row: int
    column: int
    width: int
    height: int
    texts: list[Text]
    bold: bool = False

    @property
    def text(self) -> Text:
        """All blocks of the cell run together."""
        if len(self.texts) == 1:
            return self.texts[0]
        whole = Text()
        for text in self.texts:
            whole.append(text)
        return whole


@dataclass(slots=True)
class Grid:
    """A table as the page lays it out; cells without text are left out."""

    cells: list[GridCell]
    page: int
    marks: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Typed:
    """Text set with spaces, line by line, as typewriters and the first filers' software made tables."""

    lines: list[str]
    page: int
    marks: list[Any] = field(default_factory=list)


Block = Paragraph | Grid | Typed
# Text set with spaces in which the first filers marked tables and columns: no elements of a page.
# Between two pages that a program writes into one file, one behind the other: browsers show them as one.
_NEXT_PAGE = re.compile(
    rb"(?:</body>\s*)?</html>\s*(?:<!doctype[^>]*>\s*)?<html\b[^>]*>(?:\s*<head\b[^>]*>\s*<title\b[^>]*>[^<]*</title>)?",
    re.IGNORECASE,
)
_PRE = re.compile(rb"<pre\b(?:(?!</pre).)*<c>(?:(?!</pre).)*", re.IGNORECASE | re.DOTALL)
_COLUMN_MARKS = re.compile(rb"</?(?:table|caption|s|c|fn|page)\b[^>]{0,100}>", re.IGNORECASE)


def parse_page(data: bytes) -> Any:  # noqa: ANN401 - lxml has no types
    """The tree of a page, from bytes in any encoding that they name, else UTF-8, else Windows-1252. Nothing is fetched.

    Raises PageError for bytes without any element, and for elements nested without end.
    """
    from lxml import etree

    text = _decoded(data)
    lower = text.lower()
    if lower.count(b"<html") > 1:
        text = _NEXT_PAGE.sub(b"", text)
    if b"<pre" in lower:
        text = _PRE.sub(lambda pre: _COLUMN_MARKS.sub(b"", pre[0]), text)
    for is_second in (False, True):
        if is_second:  # old pages leave tags of fonts open, so that they nest without end
            text = _UNCLOSED.sub(b"", text)
        parser = etree.HTMLParser(encoding="utf-8", recover=True, no_network=True, remove_pis=True, huge_tree=True)
        try:
            root = etree.fromstring(text, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise PageError(f"no web page ({error})") from None
        if root is None:
            raise PageError("no web page: it holds no element")
        if not any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
            return root
    raise PageError("a web page whose elements are nested deeper than 2,048; save it again with a browser, or as text")


def _decoded(data: bytes) -> bytes:
    """The bytes of a page as UTF-8."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace").lstrip("\ufeff").encode()
    try:
        data.decode("utf-8")
        return data
    except UnicodeDecodeError:
        named = _CHARSET.search(data[:4096])
        encoding = named[1].decode().lower() if named else "cp1252"
        if encoding in ("ascii", "us-ascii", "iso-8859-1", "latin-1", "utf-8", "utf8"):
            encoding = "cp1252"  # what pages that name these and are not valid mean
        try:
            return data.decode(encoding, "replace").encode()
        except LookupError:
            return data.decode("cp1252", "replace").encode()


def read_blocks(root: Any, unseen: list[str] | None = None) -> list[Block]:  # noqa: ANN401
    """The blocks of a page, in reading order. unseen: gets the texts with digits that a person does not see."""
    eyes = Onlooker(root)
    blocks = _Walker(root, eyes).blocks()
    if covered := eyes.look_for_covered():  # few pages have anything that lies over something else
        eyes = Onlooker(root, covered)
        blocks = _Walker(root, eyes).blocks()
    if unseen is not None:
        unseen += eyes.unseen
    return blocks


@dataclass(slots=True, eq=False)
class _Look:
    """How text looks here, from all the elements around it. Each is itself and no other, and never changed."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False
    centred: bool = False
    linked: bool = False
    name: str = ""


class _Table:
    """A grid on its way."""

    def __init__(self, marks: list[Any]) -> None:
        self.cells: list[GridCell] = []
        self.row = -1
        self.column = 0
        self.taken: dict[int, list[tuple[int, int]]] = {}  # by row, the spans that cells from above reach into
        self.cell: GridCell | None = None
        self.marks = marks
        self.columns = 0  # that the page describes
        self.folded: set[int] = set()  # those that a person does not see

    def add_column(self, span: int, is_folded: bool) -> None:
        if is_folded:
            self.folded.update(range(self.columns, self.columns + span))
        self.columns += span

    def start_row(self) -> None:
        self.taken.pop(self.row, None)
        self.row += 1
        self.column = 0

    def start_cell(self, width: int, height: int, bold: bool) -> None:
        if self.row < 0:
            self.start_row()
        column = self.column
        for start, end in self.taken.get(self.row, ()):
            if start < column + width and column < end:
                column = end
        self.cell = GridCell(self.row, column, width, height, [Text()], bold)
        self.column = column + width
        for below in range(self.row + 1, self.row + height):
            self.taken.setdefault(below, []).append((column, self.column))
            self.taken[below].sort()

    def end_cell(self) -> None:
        cell, self.cell = self.cell, None
        if cell and (len(cell.texts) > 1 or cell.texts[0]):
            cell.texts = [text for text in cell.texts if text]
            self.cells.append(cell)


def _put_in_line(root: Any) -> None:  # noqa: ANN401
    """Makes words of the tables in the cells of a table with rows of its own, where each has one row of a few cells:
    they but hold the currency beside its number."""
    for outer in [table for table in root.iter("table") if table.find(".//table") is not None]:
        inner = outer.findall(".//table")
        rows = [len(each.findall(".//tr")) for each in (outer, *inner)]
        is_data = rows[0] - sum(rows[1:]) > 1 and max(rows[1:]) == 1
        if is_data and all(len(each.findall(".//td")) <= _FEW_CELLS for each in inner):
            for part in [part for each in inner for part in each.iter("table", "tbody", "tr", "td")]:
                part.tag = "span"
                part.tail = f" {part.tail or ''}"


class _Walker:
    """Walks once through all elements."""

    def __init__(self, root: Any, eyes: Onlooker) -> None:  # noqa: ANN401
        self.root, self.eyes = root, eyes
        self.found: list[Block] = []
        self.page = 1
        self.looks = [_Look()]
        self.known: dict[tuple[_Look, Style, bool, str], _Look] = {}
        self.styles: list[Style] = []  # of the open elements
        self.text = Text()
        self.look = self.looks[0]
        self.breaks = 0
        self.tables: list[_Table | None] = []  # None for one that only lays out others
        self.open: list[Any] = []  # tagged numbers
        self.marks: list[Any] = []
        _put_in_line(root)
        self.outer = {ancestor for table in root.iter("table") for ancestor in table.iterancestors("table")}
        self.fresh = True  # nothing was printed since the last page break
        self.typed: list[str] | None = None  # the text of a `pre`, as it comes

    def blocks(self) -> list[Block]:
        from lxml import etree

        walk = etree.iterwalk(self.root, events=("start", "end", "comment"))
        skipped, covered = None, self.eyes.covered
        for event, element in walk:
            if event == "start":
                style = self._style(element)
                if style is None:
                    walk.skip_subtree()
                    skipped = element
                else:
                    self.styles.append(style)
                    self._start(element, style)
                    if element.text and not (covered and element in covered.texts):
                        self._say(element.text)
            elif event == "end" and element is not skipped:
                self._end(element, self.styles.pop())
            else:
                skipped = None
            if event == "start" or not element.tail or element is self.root:
                continue
            if not (covered and element in covered.tails):
                self._say(element.tail)
        self._flush()
        return self.found

    def _style(self, element: Any) -> Style | None:  # noqa: ANN401
        """What an element says of its looks; None where a person does not see it nor anything in it."""
        declared = self.eyes.enter(element)
        return None if declared is None else read_style(element.tag, declared, element.get("align", "").lower())

    def _start(self, element: Any, style: Style) -> None:  # noqa: ANN401
        tag = element.tag
        if style.block:
            self._flush()
        if style.break_before:
            self._break()
        if style.changes or tag in _CHANGING:
            self.look = self._changed(self.look, style, element)
        self.looks.append(self.look)
        if tag == "br":
            self._line_break()
        elif tag == "pre" and not self.tables:
            self.typed = []
        elif tag in ("table", "tr", "td", "th", "col"):
            self._start_table(tag, element)
        elif tag == NUMBER_TAG:
            self.open.append(element)
            self.text.open(element)
        elif tag == TEXT_TAG:
            self.marks.append(element)
        if self.eyes.generates and (said := self.eyes.said(element, "before")):
            self._say(said)

    def _changed(self, above: _Look, style: Style, element: Any) -> _Look:  # noqa: ANN401
        """How text looks in an element that changes it; made once for each style, as pages say few."""
        tag = element.tag
        is_linked = above.linked or (tag == "a" and bool(element.get("href")))
        key = (above, style, is_linked, tag if tag in _HEADINGS else above.name)
        look = self.known.get(key)
        if look is None:
            look = self.known[key] = _Look(
                above.bold if style.bold is None else style.bold,
                above.italic if style.italic is None else style.italic,
                above.underlined if style.underlined is None else style.underlined,
                above.raised if style.raised is None else style.raised,
                above.centred if style.centred is None else style.centred,
                *key[2:],
            )
        return look

    def _end(self, element: Any, style: Style) -> None:  # noqa: ANN401
        tag = element.tag
        if self.eyes.generates and (said := self.eyes.said(element, "after")):
            self._say(said)
        if tag == NUMBER_TAG:
            self.text.close(element)
            self.open.remove(element)
        if tag == "pre" and self.typed is not None:
            self._end_typed()
        if style.block:
            self._flush()
        if tag in ("table", "td", "th"):
            self._end_table(tag)
        if style.break_after or (tag == "hr" and "page-break" in element.get("class", "")):
            self._break()
        self.looks.pop()
        self.eyes.leave()
        self.look = self.looks[-1]

    def _start_table(self, tag: str, element: Any) -> None:  # noqa: ANN401
        if tag == "table":
            table = None if element in self.outer else _Table(self._take_marks())
            self.tables.append(table)
            return
        table = self.tables[-1] if self.tables else None
        if table is None:
            return
        if tag == "tr":
            table.start_row()
        elif tag == "col":
            table.add_column(_span(element.get("span")), not self.eyes.stack[-1][0].visible)
        else:
            table.start_cell(_span(element.get("colspan")), _span(element.get("rowspan")), bool(self.look.bold))
            self.text = table.cell.texts[0] if table.cell else Text()
            if table.cell and table.cell.column in table.folded:
                self.eyes.hide()

    def _end_table(self, tag: str) -> None:
        table = self.tables[-1] if self.tables else None
        if tag == "table":
            if self.tables:
                self.tables.pop()
            if table and table.cells:
                self.fresh = False
                self.found.append(Grid(table.cells, self.page, table.marks))
            return
        if table is not None:
            table.end_cell()
            self.text = Text()

    def _end_typed(self) -> None:
        """What a `pre` holds, line by line."""
        lines = "".join(self.typed or ()).expandtabs().splitlines()
        self.typed = None
        if any(map(str.strip, lines)):
            self.fresh = False
            self.found.append(Typed(lines, self.page, self._take_marks()))

    def _say(self, raw: str) -> None:
        sight, is_seen = self.eyes.stack[-1]
        if not is_seen:
            self.eyes.keep(raw)
            return
        if self.typed is not None:
            self.typed.append(raw)
            return
        added = self.text.add(raw, self.look.raised)
        if not added:
            return
        self.breaks = 0
        if why := sight.doubt or (REVERSED if not raw.isascii() and FORCED.search(raw) else ""):
            self.text.doubt(added, why)
        look = self.look
        if look.bold:
            self.text.bold += added
        if look.italic:
            self.text.italic += added
        if look.underlined:
            self.text.underlined += added
        if look.linked:
            self.text.linked += added

    def _line_break(self) -> None:
        if self.typed is not None:
            self.typed.append("\n")
            return
        self.breaks += 1
        if self.breaks > 1:
            self._flush()
        else:
            self.text.space()

    def _flush(self) -> None:
        """Ends the paragraph, or the block of a cell. A tagged number that goes on has its words so far."""
        self.breaks = 0
        if not self.text:
            self.text.space()
            return
        for element in self.open:
            self.text.close(element)
        table = self.tables[-1] if self.tables else None
        if table is not None and table.cell:
            self.text = Text()
            table.cell.texts.append(self.text)
        else:
            paragraph = Paragraph(self.text, self.page, self.look.centred, self.look.name, self._take_marks())
            self.found.append(paragraph)
            self.fresh = False
            self.text = Text()

    def _take_marks(self) -> list[Any]:
        marks, self.marks = self.marks, []
        return marks

    def _break(self) -> None:
        if not self.fresh:
            self.page += 1
            self.fresh = True


def _span(text: str | None) -> int:
    if not text or text == "1":
        return 1
    digits = text.strip(" \t\r\n;:\"'")  # `;6`, of a copy whose attributes were damaged, is 6 all the same
    return min(int(digits), MOST_SPAN) or 1 if digits.isdecimal() and len(digits) < 6 else 1


def pages(blocks: list[Block]) -> Iterator[list[int]]:
    """The indices of the blocks of each page."""
    here: list[int] = []
    for index, block in enumerate(blocks):
        if here and block.page != blocks[here[-1]].page:
            yield here
            here = []
        here.append(index)
    if here:
        yield here
