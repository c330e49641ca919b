"""A web page into a document: by its elements, or, where its style places every piece of text, by where they stand."""

from __future__ import annotations

import re
from typing import Any

from tieout.data.document import Document, Tag
from tieout.data.readers.html.cover import read_day
from tieout.data.readers.html.page import parse_page
from tieout.data.readers.html.report import read_tree
from tieout.data.readers.html.xbrl import Statement, numbers, read_statement

_PLACES = re.compile(rb"position\s*:\s*(?:absolute|fixed)")
_LEAST_SHARE = 0.5  # of the letters of a page that stand in pieces
_LONGEST_PIECE = 300  # letters of one, in the middle
_MOST_BETWEEN = 0.5  # share of the letters counted so that are no text: spaces, hidden headers
_MOST_IN_TABLES = 0.1  # share of letters


def read_web_page(content: bytes, identifier: str) -> Document:
    """The document of a web page, in fixed layout or not. Raises UnreadableError for bytes that are no page."""
    root = parse_page(content)
    if not (_may_be_placed(content, root) and is_placed(root)):
        return read_tree(root, identifier)
    from tieout.data.readers.pdf.report import read_layout  # few pages are placed
    from tieout.data.readers.placed.page import read_pages

    said = _Said(read_statement(root))
    document = read_layout(read_pages(root), identifier, said)
    unprinted = (said.statement.tag(each, None) for each in numbers(root) if each not in said.printed)
    about = said.statement.about
    return document.model_copy(
        update={
            "unprinted": tuple(tag for tag in unprinted if tag is not None),
            "company": about("EntityRegistrantName") or document.company,
            "form": about("DocumentType") or document.form,
            "ended": read_day(about("DocumentPeriodEndDate")) or document.ended,
        }
    )


class _Said:
    """The tags of a page, and which of them are printed."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.printed: set[Any] = set()

    def tag(self, element: Any, printed: tuple[int, int] | None) -> Tag | None:  # noqa: ANN401
        found = self.statement.tag(element, printed)
        if found is not None:
            self.printed.add(element)
        return found


def _may_be_placed(content: bytes, root: Any) -> bool:  # noqa: ANN401 - lxml has no types
    """Whether a page says often enough that something is placed; told first, as it takes no look at each element.
    What a style sheet says once may hold for all of them."""
    said = len(_PLACES.findall(content.lower()))
    if not said or any(_PLACES.search((each.text or "").lower().encode()) for each in root.iter("style")):
        return bool(said)
    letters = root.xpath("string-length(normalize-space(.))")
    return bool(said * _LONGEST_PIECE > _LEAST_SHARE * letters * _MOST_BETWEEN)


def is_placed(root: Any) -> bool:  # noqa: ANN401 - lxml has no types
    """Whether the style of a page places its text piece by piece, and no table holds it."""
    from tieout.data.readers.placed.sheet import Sheet

    sheet = Sheet(root)
    pieces = inside = tables = letters = 0
    within: set[Any] = set()
    for element in root.iter():
        if not isinstance(element.tag, str) or element.tag in ("style", "script"):
            continue
        parent = element.getparent()
        is_piece = sheet.style(element).get("position") in ("absolute", "fixed")
        if is_piece or parent in within:
            within.add(element)
        text = len((element.text or "").strip())
        letters += text
        pieces += is_piece
        inside += text if element in within else 0
        tables += text if element.tag == "td" or (parent is not None and parent.tag == "td") else 0
    is_in_pieces = inside > _LEAST_SHARE * letters and inside < _LONGEST_PIECE * pieces
    return bool(letters) and is_in_pieces and tables < _MOST_IN_TABLES * letters
