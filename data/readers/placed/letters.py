"""Letters at their places into words: what stands together is one, however many elements it is written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tieout.data.readers.geometry.words import INVISIBLE, SPACES, Word

_GAP = 0.18  # of the size: what parts words where no space is written
_NEAR = 0.06  # what parts pieces that stand in boxes of their own
_SAME_LINE = 0.15
_FIRST = 2  # words that a cell with an amount has, `$ 318`
_RAISED = 0.85  # size of a raised mark, of that of the letters around it


@dataclass(slots=True)
class Letters:
    """Words on their way, from letters as they come."""

    words: list[Word] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    tags: dict[Any, tuple[int, int]] = field(default_factory=dict)
    x0: float = 0.0
    right: float = 0.0
    y: float = 0.0
    size: float = 0.0
    look: tuple[bool, bool] = (False, False)
    parted: bool = False  # another box has begun since the last letter
    apart: bool = False  # and its letters are only about as wide as reckoned
    before: int = 0  # words of this box
    spaces: int = 0  # hard ones since the last of them
    spaced: bool = False  # several of them stand in front of the word, which is near the start of its box

    def add(
        self,
        letter: str,
        at: tuple[float, float],
        width: float,
        size: float,
        look: tuple[bool, bool],
        tags: tuple[Any, ...],
    ) -> None:
        """Adds a letter. at: where it begins on its baseline; look: whether it is bold, italic; tags: the elements that
        say what it is part of."""
        if ord(letter) in SPACES:
            self.end()
            self.spaces += letter == "\u00a0"
            return
        if ord(letter) in INVISIBLE:
            return
        if self.text and not self._goes_on(at, size):
            self.end()
        if not self.text:
            self.x0, self.y, self.size, self.look, self.right = at[0], at[1], size, look, at[0]
            self.spaced = self.spaces > 1 and 0 < self.before <= _FIRST
            self.before += 1
        for tag in tags:
            start = self.tags.get(tag, (len(self.text), 0))[0]
            self.tags[tag] = start, len(self.text) + 1
        self.text.append(letter)
        self.right = max(self.right, at[0] + width)
        self.parted = self.apart = False
        self.spaces = 0

    def box(self, exact: bool) -> None:
        """Another box begins. exact: how wide letters are is known, not reckoned."""
        self.parted = True
        self.before = self.spaces = 0
        self.apart = self.apart or not exact

    def _goes_on(self, at: tuple[float, float], size: float) -> bool:
        largest = max(size, self.size) or 1.0
        if self.apart or abs(at[1] - self.y) > _SAME_LINE * largest or min(size, self.size) < _RAISED * largest:
            return False
        gap = _NEAR if self.parted else _GAP
        return -0.5 * largest < at[0] - self.right < gap * largest

    def end(self) -> None:
        """Ends the word."""
        if self.text:
            tags = tuple((start, end, tag) for tag, (start, end) in self.tags.items())
            text = "".join(self.text)
            self.words.append(Word(text, self.x0, self.right, self.y, self.size, *self.look, tags, self.spaced))
            self.text, self.tags = [], {}
        self.parted = self.apart = False

    def take(self) -> list[Word]:
        """The words so far; none are left."""
        self.end()
        words, self.words = self.words, []
        return words
