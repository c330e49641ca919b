"""The headings of a report: parts, items, statements, notes, and what is printed like a heading below them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tieout.data.printed.label import read_label
from tieout.data.printed.pattern import later
from tieout.data.readers.html.text import Text

LONGEST = 160  # letters of a heading
_PART = later(r"part\s+(?:[ivx]{1,4}|[1-4])\b(?!\s+of\b)", re.IGNORECASE)
_ITEM = later(r"items?\s+[0-9]{1,2}\s?[a-z]?\b(?:\s*\.|\s*:|\s*[-–—]|\s|$)", re.IGNORECASE)
_NOTE = later(r"(?:note|footnote)s?\s+[0-9]{1,2}[a-z]?\b|\(?[0-9]{1,2}[.)]\s*[-–—]?\s*[A-Z]", re.IGNORECASE)
_STATEMENT = later(
    r"(?:(?:unaudited|condensed|consolidated|combined|supplemental|interim|audited)\s+)*"
    r"(?:balance\s+sheets?|statements?\s+of\s+(?!directors)|income\s+statements?|cash\s+flow\s+statements?"
    r"|notes\s+to\s+(?:the\s+|unaudited\s+|condensed\s+|consolidated\s+|interim\s+)*financial\s+statements"
    r"|statements?\s+of\s+financial\s+position|report\s+of\s+independent)",
    re.IGNORECASE,
)
_OF = (
    r"(?:income|operations|earnings|loss|cash\s+flows?|comprehensive\s+(?:income|loss)|financial\s+(?:position|condition)"
    r"|(?:changes\s+in\s+)?(?:(?:stock|share)(?:hold|own)ers[’']?\s+)?equity)(?:\s+\((?:loss|income|deficit|deficiency)\))?"
)
_WHOLE = later(  # a line that is nothing else is a title, however it is printed
    r"(?:(?:unaudited|condensed|consolidated|combined|interim)\s+)*(?:balance\s+sheets?|income\s+statements?"
    rf"|cash\s+flow\s+statements?|statements?\s+of\s+{_OF}(?:\s+and\s+{_OF})?)",
    re.IGNORECASE,
)
_CONTINUED = later(r"\s*[-–—]*\s*\(?\s*(?:continued|cont[’']?d\.?|concluded)\s*\.?\s*\)?\s*$", re.IGNORECASE)
_ENDS_IN_PAGE = later(r"(?:\.\s?){3,}|\s[0-9]{1,3}$")
_LETTERS = later(r"[^\W\d_]")
PART, ITEM, STATEMENT, NOTE, HEADING, SUBHEADING = 1, 2, 3, 3, 4, 5


def is_statement_title(line: str) -> bool:
    """Whether a line begins as the title of a financial statement does."""
    return _WHOLE.match(line) is not None


@dataclass(frozen=True, slots=True)
class Heading:
    """title: without `(continued)`. again: it goes on with what was begun before."""

    title: str
    level: int
    again: bool = False


def read_heading(text: Text, centred: bool, name: str) -> Heading | None:
    """What a paragraph is a heading of, None where it is none. name: of its heading element (`h2`), "" for none."""
    words = text.words
    if len(words) > LONGEST or not _LETTERS.search(words) or words[-1] in ",;:":
        return None
    title = _CONTINUED.sub("", words).strip()
    if not title:
        return None
    bold = 10 * text.bold >= 8 * text.letters
    caps = title.upper() == title and len(_LETTERS.findall(title)) > 3
    marked = bold or caps or bool(name) or 10 * text.underlined >= 8 * text.letters
    level = _level(title, marked, bool(name) or bold or (caps and centred), text)
    if not level or not read_label(title).name.strip("() "):
        return None  # text, `December 31, 2009 and 2008`, `(in millions)`
    return Heading(title, level, again=title != words)


def _level(title: str, marked: bool, strong: bool, text: Text) -> int:
    """0 for no heading. marked: it is printed to stand out; strong: as headings mostly are."""
    is_link = 10 * text.linked >= 8 * text.letters
    if is_link and _ENDS_IN_PAGE.search(title):
        return 0
    if marked and _PART.match(title) and len(title) < 60:
        return PART
    if marked and _ITEM.match(title):
        return ITEM
    if marked and _STATEMENT.match(title) and not title.endswith("."):
        return STATEMENT
    if strong and _NOTE.match(title):
        return NOTE
    if is_link or (title[-1] == "." and title.count(" ") > 8):
        return 0
    if strong or _WHOLE.fullmatch(title):
        return HEADING
    if 10 * text.italic >= 8 * text.letters or marked:
        return SUBHEADING
    return 0
