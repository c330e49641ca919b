"""Text gathered from elements as a browser shows it: white space run together, and where tags stand in it.

>>> text = Text()
>>> text.add("Net  sales\\n of "); text.open("sales"); text.add("$ 1,234 "); text.close("sales"); text.add("million")
>>> text.words, text.spans
('Net sales of $ 1,234 million', [('sales', 11, 18)])
"""

from __future__ import annotations

import re
from typing import Any

from tieout.data.printed.pattern import later

# Windows-1252 in the range of control characters, as old pages write it: `&#146;` is an apostrophe.
_WINDOWS = {code: bytes([code]).decode("cp1252", "replace").replace("\ufffd", "") for code in range(0x80, 0xA0)}
_INVISIBLE = {
    ord(sign): None
    for sign in "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
}
FORCED = later("[\u202d\u202e]")  # from here on signs are shown in another order
_PLAIN = str.maketrans(_WINDOWS | _INVISIBLE)
_MARK = later(r"(?:[0-9]{1,2}|[a-z]|\*{1,3}|†|‡)(?:,\s?(?:[0-9]{1,2}|[a-z]))*\)?", re.IGNORECASE)
_POWER = later(r"(?:^|[^A-Za-z])(?:[a-z]{1,2}|10)$")  # m², ft³, 10³ are no footnotes


class Text:
    """The words of one paragraph or cell.

    spans: of each tag that was closed, where it begins and ends in `words`; only tags with words in them.
    doubts: of each stretch of `words` that a person may see otherwise, where it begins and ends, and why.
    letters, bold, italic, linked, raised, underlined: how many characters there are, and how many of them are so.
    """

    __slots__ = (
        "_length",
        "_open",
        "_parts",
        "_pending",
        "bold",
        "doubts",
        "italic",
        "letters",
        "linked",
        "raised",
        "spans",
        "underlined",
    )

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._pending = False
        self._open: dict[Any, int] = {}
        self.spans: list[tuple[Any, int, int]] = []
        self.doubts: tuple[tuple[int, int, str], ...] = ()
        self.letters = self.bold = self.italic = self.linked = self.raised = self.underlined = 0

    @property
    def words(self) -> str:
        return "".join(self._parts)

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, raw: str, raised: bool = False) -> int:
        """Adds text. raised: it is printed as superscript; a footnote mark gets parentheses, so that it does not run
        into the number before it. Returns how many characters were added."""
        if not raw.isascii():
            raw = raw.translate(_PLAIN)
        words = " ".join(raw.split())
        if not words:
            self._pending = self._pending or bool(raw)
            return 0
        if raised and self._parts and _MARK.fullmatch(words) and not _POWER.search(self._parts[-1]):
            words = words if words[0] in "*†‡" else f"({words})"
            self._pending = True
        if (self._pending or raw[0].isspace()) and self._length:
            self._parts.append(" ")
            self._length += 1
        for tag, start in self._open.items():
            if start < 0:
                self._open[tag] = self._length
        self._parts.append(words)
        self._length += len(words)
        self._pending = raw[-1].isspace()
        self.letters += len(words)
        self.raised += len(words) if raised else 0
        return len(words)

    def doubt(self, added: int, why: str) -> None:
        """What was added last, so many characters, may be seen otherwise."""
        self.doubts += ((self._length - added, self._length, why),)

    def space(self) -> None:
        """The next words do not stand right behind the last."""
        self._pending = True

    def open(self, tag: Any) -> None:  # noqa: ANN401 - any hashable value that the caller knows
        """A tag begins here."""
        self._open[tag] = -1

    def close(self, tag: Any) -> None:  # noqa: ANN401
        """A tag ends here. One that is not open, or has no words, is left out."""
        start = self._open.pop(tag, -1)
        if start >= 0:
            self.spans.append((tag, start, self._length))

    def append(self, other: Text, between: str = " ") -> None:
        """Adds all of another text behind this one."""
        if not other._parts:
            return
        if self._length and between:
            self._parts.append(between)
            self._length += len(between)
        shift = self._length
        self._parts += other._parts
        self._length += other._length
        self.spans += [(tag, start + shift, end + shift) for tag, start, end in other.spans]
        if other.doubts:
            self.doubts += tuple((start + shift, end + shift, why) for start, end, why in other.doubts)
        self.letters += other.letters
        self.bold += other.bold
        self.italic += other.italic
        self.linked += other.linked
        self.raised += other.raised
        self.underlined += other.underlined
