"""A second look at a file: its visible numbers, by readers that share nothing with ours, held against the document.

Counted are runs of digits, place by place in no order: a number of the file that the document has fewer times than the
file is missing. A web page is walked with the standard library's parser.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser

from tieout.data.document import Document
from tieout.data.printed.pattern import later

TOKEN = later(r"[0-9](?:[0-9,.\x00]*[0-9])?")
AROUND = 30
_BREAK = "\x00"  # where one element ends inside a line: what is one number for the eye may be two there
_INLINE = frozenset(
    "span font b i u em strong a small big ins del s strike tt code sub label mark abbr bdo nobr".split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_SEPARATORS, _HEAD = ",;\t|", 20_000  # the one that is most often among the first characters
_UNSEEN = frozenset(
    "script style head title noscript template textarea select svg object rp datalist progress meter noframes noembed"
    " applet iframe math audio video canvas".split()
)
_SPACES = later(r"[\s\u00a0\u2000-\u200b\u202f]+")
_SKIPPED_TAG = "ix:header"


class _Page(HTMLParser):
    """The text of a page, whether a person sees it or not."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden: list[str] = []  # the names of open elements from the one on that is not shown

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.hidden:
            if tag == self.hidden[0]:
                self.hidden.append(tag)
            return
        self.parts.append(_BREAK if tag in _INLINE or tag.startswith("ix:") else " ")
        if (tag in _UNSEEN or tag == _SKIPPED_TAG) and tag not in _VOID:
            self.hidden.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.hidden:
            self.parts.append(_BREAK if tag in _INLINE or tag.startswith("ix:") else " ")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden:
            if tag == self.hidden[0]:
                self.hidden.pop()
            return
        self.parts.append(_BREAK if tag in _INLINE or tag.startswith("ix:") else " ")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def page_text(content: bytes) -> str:
    """The text of a web page; a NUL where an element ends inside a line."""
    page = _Page()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    page.feed(text.replace(_BREAK, ""))
    page.close()
    return _SPACES.sub(" ", "".join(page.parts))


def plain_text(content: bytes) -> str:
    """The text of a text file as it is."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", "replace")


def cells_text(content: bytes) -> str:
    """The cells of separated values, one a line: `5,6` are two numbers there. Read by the standard library."""
    text = plain_text(content)
    head = text[:_HEAD]
    separator = max(_SEPARATORS, key=lambda each: (head.count(each), -_SEPARATORS.index(each)))
    try:
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
    except csv.Error:
        return text
    if separator != "," and _has_commas_for_points(cells):  # a document has its numbers in English notation
        cells = [cell.translate(_EXCHANGED) if _EUROPEAN.fullmatch(cell.strip()) else cell for cell in cells]
    return "\n".join(cells)


def _has_commas_for_points(cells: Sequence[str]) -> bool:
    """Whether some cell ends with a comma and one or two digits, and none with a point and as many."""
    ends = {cell.strip(" %€$£)")[-3:] for cell in cells}
    return any(map(_AFTER_COMMA.search, ends)) and not any(map(_AFTER_POINT.search, ends))


_EUROPEAN = later(r"[-+(]?[€£$]? ?[0-9][0-9.]*(?:,[0-9]+)?\)? ?[%€£$]?")
_AFTER_COMMA, _AFTER_POINT = re.compile(r",[0-9]{1,2}$"), re.compile(r"\.[0-9]{1,2}$")
_EXCHANGED = str.maketrans(",.", ".,")

# By the name of the kind of a file; a kind that is not here has no second reader.
EXTRACTORS: dict[str, Callable[[bytes], str]] = {
    "html": page_text,
    "csv": cells_text,
    "md": plain_text,
    "txt": plain_text,
}


def _document_numbers(document: Document) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in _texts(document):
        found.update(match[0] for match in TOKEN.finditer(text))
    return found


def _texts(document: Document) -> Iterator[str]:
    """All that is printed, and what the file holds that a person does not see."""
    yield from document.paragraphs
    yield from document.unseen
    for table in document.tables:
        repeated = set(table.repeated)
        for row, cells in enumerate(table.rows):
            yield from (text for column, text in enumerate(cells) if text and (row, column) not in repeated)


def lost_numbers(text: str, document: Document) -> list[tuple[str, str]]:
    """The numbers of a file's text that its document has not, each with what stands around it. Linear."""
    left = _document_numbers(document)
    lost: list[tuple[str, str]] = []
    for match in TOKEN.finditer(text):
        whole = match[0].replace(_BREAK, "")
        pieces = [piece.strip(",.") for piece in match[0].split(_BREAK)]
        if left[whole] > 0:
            left[whole] -= 1
        elif all(left[piece] > 0 for piece in pieces if piece):
            left.subtract(piece for piece in pieces if piece)
        else:
            around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
            lost.append((whole, around.replace(_BREAK, "")))
    return lost
