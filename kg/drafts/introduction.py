"""The words in front of each table of a document: its title, what it is about, and often its scale and its dates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from tieout.data.document import Document, Table

ENOUGH = 80  # letters that say what a table is about
LONGEST = 5_000  # letters: what stands further in front of a table says nothing of it
MOST_LINES = 6
MOST_LETTERS = 400  # of one paragraph: its last sentences
_SENTENCE = re.compile(r"[.?!]\s+(?=[A-Z(])")
_POINT = re.compile(r"(?<=[^\s.,:;])([,:;](?=\s|$)|(?<=[a-z0-9)%”][a-z0-9)%”])\.(?=\s+[A-Z(“]|$))")  # not in `U.S.`


def introductions(document: Document) -> Iterator[str]:
    """What stands in front of each table. Tables of a page share the words in front of them all; those of a report
    have their own, and one right below another has those of the other."""
    shared: str | None = None
    said = ""
    floor = 0
    for table in document.tables:
        if table.after is None:
            if shared is None:
                shared = _last_words(document)
            yield shared
            continue
        own = _words(document, table, floor)
        said = own or said
        floor = table.after
        yield said


def _last_words(document: Document) -> str:
    """The last words before the tables: they often say `( in millions )` or `as of december 31 , 2007`."""
    said = ""
    for paragraph in reversed(document.paragraphs[: document.before]):
        said = f"{paragraph} {said}".strip(" .")
        if len(said) > ENOUGH:
            break
    return said[-LONGEST:]


def _words(document: Document, table: Table, floor: int) -> str:
    """The lines between the table before and this one, from the last one that says enough, spaced as `spaced` does."""
    lines: list[str] = []
    for index in range((table.after or 0) - 1, floor - 1, -1):
        if _is_furniture(document, index):
            continue
        lines.insert(0, _tail(document.paragraphs[index]))
        if len(lines[0]) > ENOUGH or len(lines) == MOST_LINES:
            break
    return " . ".join(spaced(line).strip(" .") for line in lines)


def _is_furniture(document: Document, index: int) -> bool:
    at = bisect_left(document.furniture, index)
    return at < len(document.furniture) and document.furniture[at] == index


def _tail(text: str) -> str:
    if len(text) <= MOST_LETTERS:
        return text
    cut = _SENTENCE.search(text, len(text) - MOST_LETTERS)
    return text[cut.end() :] if cut else text[-MOST_LETTERS:]


def spaced(text: str) -> str:
    """A text with its points and commas apart from the words, as the patterns of captions are written."""
    return _POINT.sub(r" \1", text)
