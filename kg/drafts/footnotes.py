"""The footnotes under a table, by the marks that figures and labels of it carry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tieout.data.document import Document
from tieout.data.printed.pattern import later

MOST_FOOTNOTES = 30  # paragraphs below a table among which they are looked for
LONGEST_FOOTNOTE = 2_000  # characters that are kept of one
_FOOTNOTE = later(
    r"(?P<mark>\( ?[0-9a-z]{1,2} ?\)|\[ ?[0-9a-z]{1,2} ?\]|[*†‡§]{1,4}|[¹²³⁴-⁹]{1,2}|[0-9a-z]{1,2}[).]"
    r"|[0-9]{1,2}(?=\s*[A-Z“])|[a-z](?=\s+[A-Z]))"
    r"\s*(?P<text>\S.*)",
    re.DOTALL,
)
_RAISED = str.maketrans("¹²³⁰⁴⁵⁶⁷⁸⁹", "1230456789")


@dataclass(frozen=True, slots=True)
class Footnote:
    """mark: as printed at what it is a note on. paragraph: index in `Document.paragraphs`. text: behind the mark."""

    mark: str
    paragraph: int
    text: str


def mark_key(mark: str) -> str:
    """What is the same of a mark however it is set: `1` of `( 1 )`, `[1]` and `¹`."""
    return mark.translate(_RAISED).strip("()[]. ").lower()


def footnotes(document: Document, after: int | None, marks: Iterable[str]) -> list[Footnote]:
    """The notes right below a table on these marks, each once. after: as in `Table`."""
    wanted = {mark_key(mark): mark for mark in marks}
    found: list[Footnote] = []
    if after is None or not wanted:
        return found
    for index, printed, text in footnotes_below(document, after):
        if mark := wanted.pop(mark_key(printed), ""):
            found.append(Footnote(mark, index, text[:LONGEST_FOOTNOTE]))
    return found


def footnotes_below(document: Document, after: int) -> Iterator[tuple[int, str, str]]:
    """The notes right below a table: the paragraph of each, its mark and the text behind it."""
    for index in range(after, min(len(document.paragraphs), after + MOST_FOOTNOTES)):
        text = document.paragraphs[index]
        match = _FOOTNOTE.match(text)
        if match:
            yield index, match["mark"], match["text"]
        elif not (index in document.furniture or text.startswith("Note:") or not any(map(str.isalnum, text))):
            return
