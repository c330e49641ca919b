"""A web page as it is printed, safe to be shown: without scripts and anything of elsewhere, its figures and sentences
marked.

The page is read once more, with every text that holds a digit, and every sentence, in an element of its own: what the
reader makes of that says of each cell and each span of a paragraph which elements it is from. So a mark stands where
the reader has read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from itertools import product
from typing import Any

from tieout.data.document import Document, Tag
from tieout.data.printed.pattern import later
from tieout.data.readers.html.page import NUMBER_TAG, parse_page
from tieout.data.readers.html.report import _Assembler, _Data, _Line, read_items
from tieout.data.readers.html.seen.onlooker import SKIPPED
from tieout.data.readers.html.xbrl import read_statement

CELL, SPAN = "data-cell", "data-span"  # table.row.column from 1, 0, 0; paragraph.start.end, .1 behind it of no figure
SAID = "said"  # an element around what is no figure; it is not shown
_DIGITS = later(r"[0-9](?:[0-9.,]*[0-9])?")
_SAID = later(
    rf"{_DIGITS.pattern}|[^0-9()]+?(?:(?<=[.!?])(?=\s)|(?=[0-9()])|$)", re.DOTALL
)  # a sentence at most; brackets tell of a minus
_DASH = later(r"\s*[-–—‐-―−]\s*")
_OURS = (CELL, SPAN)
_TAGS = frozenset(
    "a abbr b big blockquote body br caption center cite code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 "
    "hr i img ins li ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul".split()
)
_LAYOUT = frozenset("align valign width height bgcolor border cellpadding cellspacing nowrap dir lang id".split())
_ATTRIBUTES = {
    "*": {*_LAYOUT, *_OURS, "style"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "a": {"href", "name"},
    "img": {"src", "alt"},
    "font": {"size", "color", "face"},
    "ol": {"start", "type"},
}
_STYLES = frozenset(
    "background-color border border-bottom border-bottom-color border-bottom-style border-bottom-width border-collapse "
    "border-color border-left border-right border-spacing border-style border-top border-top-color border-top-style "
    "border-top-width border-width bottom clear color direction display float font font-family font-size font-style "
    "font-variant font-weight height left letter-spacing line-height list-style-type margin margin-bottom margin-left "
    "margin-right margin-top max-width min-height min-width overflow-wrap padding padding-bottom padding-left "
    "padding-right padding-top position right text-align text-decoration text-indent text-transform top vertical-align "
    "visibility white-space width word-break word-spacing".split()
)
_PICTURE = later(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+")


def read_original(data: bytes, document: Document) -> str:
    """The page in the bytes, from which the document was read, as HTML without scripts that asks nobody for anything.

    Where cells and spans cannot be told apart as the document has them, none are marked. Raises PageError.
    """
    from lxml import etree

    for finely, said in product((True, False), repeat=2):
        root = parse_page(data)
        for element in root.iter():
            for name in _OURS:
                element.attrib.pop(name, None)
        statement = read_statement(root)
        in_tables = {each for table in root.iter("table") for each in table.iter()}
        wrapped = [
            made
            for each in list(root.iter(etree.Element))
            for made in _wrapped(each, finely, said and each not in in_tables)
        ]
        items, unseen = read_items(root)
        marked = _Marking(document.id, items, statement, root, unseen)
        read = marked.document()
        if _printed(read) == _printed(document):
            marked.mark()
            break
    for element in wrapped:
        element.tag = "span"
    for hidden in list(root.iter("ix:header")):
        hidden.getparent().remove(hidden)
    return _safe(etree.tostring(root, encoding="unicode", method="html"))


def _printed(document: Document) -> tuple[object, ...]:
    return document.paragraphs, tuple(table.rows for table in document.tables)


def _wrapped(element: Any, finely: bool, said: bool) -> Iterator[Any]:  # noqa: ANN401 - lxml has no types
    """Puts the figures of what stands in an element, and right behind its children, into elements of their own; yields
    these. finely: each figure alone, and not the whole text around it. said: what is between figures too."""
    if not isinstance(element.tag, str) or element.tag in SKIPPED or element.tag == "ix:header":
        return
    split = finely and element.tag not in ("sup", "sub", "td", "th")
    for child in reversed(list(element)):
        if child.tail and (pieces := _pieces(child.tail, split, said)):
            child.tail = pieces[0]
            at = element.index(child) + 1
            yield from _insert(element, at, pieces[1:])
    if element.text and (pieces := _pieces(element.text, split, said)):
        element.text = pieces[0]
        yield from _insert(element, 0, pieces[1:])


def _pieces(text: str, split: bool, said: bool) -> list[str]:
    """The text in turns: what stays as it is, what is put into an element, ...; [] where all stays."""
    if _DASH.fullmatch(text):
        return ["", text, ""]
    if not (text.strip() if said else any(map(str.isdigit, text))):
        return []
    if not split:
        return ["", text, ""]
    found: list[str] = []
    at = 0
    for match in (_SAID if said else _DIGITS).finditer(text):
        if match[0].isspace():
            continue
        found += [text[at : match.start()], match[0]]
        at = match.end()
    return [*found, text[at:]] if found else []


def _insert(element: Any, at: int, pieces: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401
    for number in range(0, len(pieces), 2):
        made = copy(_new_number())
        made.text, made.tail = pieces[number], pieces[number + 1]
        if not _DASH.fullmatch(made.text) and not any(map(str.isdigit, made.text)):
            made.set(SAID, "")
        element.insert(at + number // 2, made)
        yield made


@cache
def _new_number() -> Any:  # noqa: ANN401
    """An element as the reader takes it for a tagged number: lxml makes one of this name from text alone."""
    return next(parse_page(f"<p><{NUMBER_TAG}></{NUMBER_TAG}></p>".encode()).iter(NUMBER_TAG))


class _Marking(_Assembler):
    """Takes the document together once more, and notes which elements its cells and spans are from."""

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401 - those of an assembler
        super().__init__(*parts)
        self._found: list[tuple[Any, str, str]] = []

    def mark(self) -> None:
        """Writes the marks into the page."""
        for element, name, value in self._found:
            there = element.get(name)
            if there is None or value not in there.split():
                element.set(name, value if there is None else f"{there} {value}")

    def _tag(self, element: Any, start: int, end: int) -> Tag | None:  # noqa: ANN401
        return None

    def _unprinted(self) -> list[Tag]:
        return []

    def _line(self, line: _Line) -> None:
        at = len(self.paragraphs)
        super()._line(line)
        for element, start, end in line.text.spans:
            said = "" if element.get(SAID) is None else ".1"
            self._found.append((element, SPAN, f"{at}.{start}.{end}{said}"))

    def _table(self, data: _Data) -> None:
        super()._table(data)
        number, above = len(self.tables), len(self.tables[-1].rows) - len(data.rows.rows)
        for row, cells in enumerate(data.rows.rows):
            for column, cell in enumerate(cells):
                if cell and (row, column) not in data.rows.repeated:
                    for element, _, _ in cell.spans:
                        box = next(element.iterancestors("td", "th"), element)
                        self._found.append((box, CELL, f"{number}.{row + above}.{column}"))


def _safe(page: str) -> str:
    import nh3  # only who shows a page needs it

    def kept(tag: str, name: str, value: str) -> str | None:
        if name == "href":
            return value if value.startswith("#") else None
        if name == "src":
            return value if _PICTURE.fullmatch(value) else None
        return value

    return nh3.clean(
        page,
        tags=set(_TAGS),
        clean_content_tags={"script", "style", "title", "template", "noscript", "iframe", "object", "svg", "math"},
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        link_rel=None,
        url_schemes={"data"},
        filter_style_properties=set(_STYLES),
    )
