"""Markdown and plain text into a document: headings, paragraphs, tables of pipes and of columns set with spaces."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tieout.data.document import Document, Section, Table
from tieout.data.printed.pattern import later
from tieout.data.readers.encoding import decode
from tieout.data.readers.geometry.grid import Grid
from tieout.data.readers.geometry.spaced import MARKUP, find_columns
from tieout.data.readers.html.cover import read_name
from tieout.data.readers.html.page import parse_page, read_blocks
from tieout.data.readers.refusal import UnreadableError

Rows = tuple[tuple[str, ...], ...]
_HEADING = later(r" {0,3}(#{1,6})\s+(.*)")
_UNDERLINE = later(r" {0,3}(=+|-{3,})\s*$")
_BAR = later(r"[-=_*\s]{3,}$")
_RULE = later(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_ITEM = later(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_EMPHASIS = later(r"(\*\*|__|`)(?=\S)(.{1,400}?)(?<=\S)\1")
_SPLIT = later(r"(?<!\\)\|")


_COMMENT = later(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OPENS = later(r"<(\w+)\b([^<>]*)>")
_CLOSES = later(r"</(\w+)\s*>")
_MAY_HIDE = later(r"\b(?:hidden|style)\b", re.IGNORECASE)
_NO_LINE_END = later(r"[^\n]+")


def read_markdown(content: bytes, identifier: str) -> Document:
    """As read_plain, without what a person does not see: comments, and elements of HTML that are hidden."""
    text = decode(content).replace("\r\n", "\n")
    unseen: list[str] = []

    def leave_out(found: str) -> str:
        if found.startswith("<!--") or not read_blocks(parse_page(found.encode())):
            unseen.append(" ".join(found.split()))
            return _NO_LINE_END.sub("", found)
        return found

    if "<" in text:
        text = _with_elements(leave_out, _COMMENT.sub(lambda found: leave_out(found[0]), text))
    document = read_plain(text.encode(), identifier)
    seen = (each for each in unseen if any(map(str.isdigit, each)))
    return document.model_copy(update={"unseen": tuple(seen)})


def _with_elements(change: Callable[[str], str], text: str) -> str:
    """The text, its elements of HTML that may be hidden changed. Openings and ends are found once each: a pattern for
    both would look for an end from every opening anew."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for each in _CLOSES.finditer(text):
        ends.setdefault(each[1].lower(), []).append(each.span())
    made, at = [], 0
    for opening in _OPENS.finditer(text):
        closing = ends.get(opening[1].lower(), [])
        behind = bisect_left(closing, (opening.end(), 0))
        if opening.start() >= at and behind < len(closing) and _MAY_HIDE.search(opening[2]):
            made += [text[at : opening.start()], change(text[opening.start() : closing[behind][1]])]
            at = closing[behind][1]
    return "".join((*made, text[at:]))


def read_plain(content: bytes, identifier: str) -> Document:
    """The document of a text. Places are lines. Raises UnreadableError for one without a word."""
    lines = decode(content).splitlines()
    reader = _Reader(lines, {first: (end, grid) for first, end, grid in find_columns(lines)})
    reader.read()
    if not reader.paragraphs and not reader.tables:
        raise UnreadableError("the file is empty")
    return Document(
        id=identifier,
        coded=False,
        company=read_name(reader.paragraphs),
        paragraphs=tuple(reader.paragraphs),
        before=0,
        tables=tuple(reader.tables),
        sections=tuple(reader.sections),
        places=tuple(reader.places),
    )


@dataclass(slots=True)
class _Reader:
    """Goes through the lines once."""

    lines: Sequence[str]
    spaced: Mapping[int, tuple[int, Grid]]  # tables set with spaces: by their first line, the one behind and the cells
    paragraphs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def read(self) -> None:
        at = 0
        while at < len(self.lines):
            at = self._next(at)

    def _next(self, at: int) -> int:
        """Reads what begins in line `at`. Returns the line behind it."""
        line = self.lines[at]
        if not line.strip() or MARKUP.match(line) or _BAR.match(line):
            return at + 1
        if heading := _HEADING.match(line):
            self._heading(heading[2].rstrip().rstrip("#").rstrip(), len(heading[1]), at)
            return at + 1
        if at in self.spaced:
            end, grid = self.spaced[at]
            self._add(grid.rows, at, end, grid.repeated)
            return end
        if end := self._table_end(at):
            self._table(at, end)
            return end
        end = at + 1
        while end < len(self.lines) and self._continues(end):
            end += 1
        if end < len(self.lines) and end == at + 1 and (rule := _UNDERLINE.match(self.lines[end])):
            self._heading(line.strip(), 1 if rule[1][0] == "=" else 2, at)
            return end + 1
        text = " ".join(" ".join(self.lines[at:end]).split())
        self._say(_EMPHASIS.sub(r"\2", text), at)
        return end

    def _continues(self, at: int) -> bool:
        line = self.lines[at]
        if not line.strip() or _HEADING.match(line) or _ITEM.match(line) or _UNDERLINE.match(line):
            return False
        return at not in self.spaced and not self._table_end(at)

    def _say(self, text: str, at: int) -> None:
        self.paragraphs.append(text)
        self.places.append(f"line {at + 1}")

    def _heading(self, title: str, level: int, at: int) -> None:
        title = _EMPHASIS.sub(r"\2", title)
        if title:
            self.sections.append(Section(title=title, level=level, paragraph=len(self.paragraphs)))
            self._say(title, at)

    def _table_end(self, at: int) -> int:
        """The line behind a pipe table that begins here, with or without a rule below its header; 0 for none."""
        end = at
        while end < len(self.lines) and (_is_row(self.lines[end]) or (end > at and _is_rule(self.lines[end]))):
            end += 1
        has_rule = end > at + 1 and _is_rule(self.lines[at + 1]) and "|" in self.lines[at]
        bordered = end > at + 1 and all(line.strip().startswith("|") for line in self.lines[at:end])
        return end if has_rule or bordered else 0

    def _table(self, first: int, end: int) -> None:
        rows = [_cells(line) for line in self.lines[first:end] if not _is_rule(line)]
        if not rows:
            return
        width = max(map(len, rows))
        self._add(tuple(tuple(row) + ("",) * (width - len(row)) for row in rows), first, end)

    def _add(self, rows: Rows, first: int, end: int, repeated: tuple[tuple[int, int], ...] = ()) -> None:
        self.tables.append(
            Table(
                rows=rows,
                after=len(self.paragraphs),
                section=len(self.sections) - 1 if self.sections else None,
                place=f"line {first + 1} to line {end}",
                repeated=repeated,
            )
        )


def _is_row(line: str) -> bool:
    """Whether a line is a row of cells: bars around it, or one behind some words."""
    text = line.strip()
    return len(text) > 1 and "|" in text and (text[0] != "|" or text[-1] == "|")


def _is_rule(line: str) -> bool:
    return bool(_RULE.fullmatch(line.strip()))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [_EMPHASIS.sub(r"\2", cell.strip().replace("\\|", "|")) for cell in _SPLIT.split(inner)]
