"""The words in front of each table of a document: what it is about, and often its scale and its dates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from tieout.data.document import Document, Table
from tieout.data.printed.pattern import later

ENOUGH = 80  # letters that say what a table is about
LONGEST = 5_000  # letters: what stands further in front of a table says nothing of it
MOST_LINES = 6
MOST_LETTERS = 400  # of one paragraph: its last sentences
_SENTENCE = later(r"[.?!]\s+(?=[A-Z(])")
_POINT = later(r"(?<=[^\s.,:;])([,:;](?=\s|$)|(?<=[a-z0-9)%”][a-z0-9)%”])\.(?=\s+[A-Z(“]|$))")  # not in `U.S.`
LONGEST_CAPTION = 200
GENERIC = later(
    r"(?:(?:total )?amounts?|total|value|year|period|in|of|dollars?|(?:thousand|million|billion)s?|\W)*+",
    re.IGNORECASE,
)
_INTRODUCES = later(
    r"\b(?:following|below|accompanying|above|table|graph|chart|schedule)\b[^.:]{0,40}?\s(?:summariz|present|show|"
    r"set|reflect|detail|"
    r"provid|list|contain|illustrat|disclos|indicat|compar|describ|reconcil|display|assum|is|are)\w*(?: "
    r"forth)?(?: the)?"
    r"(?: (?:certain |additional |selected |supplemental )?(?:information|summary|analysis|a summary|an analysis|"
    r"details|data|changes)"
    r"(?: (?:concerning|about|regarding|of|on|for|relating to|related to|in))+(?: the| our)?)?\s+"
)
_POINTS = later(r"\b(?:following|below|follows|tables?|schedule|summari[sz]\w+)\b|:\s*$", re.IGNORECASE)
CIRCUMSTANCE = later(r" (?:\(|,|as of|at|for|during|in|by|under|on) ")
SENTENCES = later(r" \. ")
_NOTE = later(r"\s*\( ?(?:dollars?|amounts?|\$|shares)? ?in (?:thousand|million|billion)s[^)]*\)")
_AS_FOLLOWS = later(
    r"\s(?:(?:is|are|was|were|includes?|included|consists?|consisted|comprised)\s)?(?:approximately |estimated |"
    r"summarized |presented |shown |"
    r"set forth |comprised |of |as |in |using |based on |over )*(?:the )?(?:follows|following(?: \w+){0,3}|below)$"
)


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


def title(caption: str) -> str:
    """What a table is about, from the words before it: `the following table presents lease payments :` is about
    lease payments."""
    parts = [_NOTE.sub("", part) for part in SENTENCES.split(caption.lower())]
    text = next((part for part in reversed(parts) if part.count(" ") > 2 and not GENERIC.fullmatch(part)), parts[-1])
    text = text.partition(" :")[0] if text.find(" :") > 20 else text.partition(": ")[0]
    text = text.strip(" .:")
    found = _INTRODUCES.search(text)
    if found and text.count(" ", found.end()) > 0:
        text = text[found.end() :]
    return _AS_FOLLOWS.sub("", text).strip(" .,:").removeprefix("the ")[:LONGEST_CAPTION]


def caption_of(table: Table, introduction: str, section: str) -> str:
    """What a table of a report is about: by its own title, else by the words in front of it, else by the heading that
    it stands under."""
    if table.title and not table.title.endswith(":"):
        return table.title
    if section and not _POINTS.search(introduction):
        return section
    return title(introduction)
