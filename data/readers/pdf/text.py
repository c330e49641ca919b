"""Lines of text into paragraphs, by where a line ends early, by distances and by type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.lines import Line
from tieout.data.readers.html.text import Text

_LEADING = 1.45  # distance of lines within a paragraph at most, of the size
_LOOSEST, _EVEN = 2.2, 1.1  # distance of lines of prose at most, of the size; of one paragraph, of the usual one
_FEWEST = 4  # such distances on a page
_FULL = 0.06  # of the width of the page: how far from the margin a full line may end
PROSE = 40  # letters of a line that fills its column
_BULLET = later(r"[•●○■▪◦–—*-]$|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]$", re.IGNORECASE)
_ENDS = later(r"[.:;!?]['\"”’)]*$")


@dataclass(slots=True)
class Block:
    """One paragraph. centred: its lines stand in the middle of the page. full: its last line is prose that fills its
    column and ends no sentence, so that it may go on. large: its type is larger than that of most of the report, as
    that of headings is.
    """

    lines: list[Line] = field(default_factory=list)
    page: int = 0
    centred: bool = False
    furniture: bool = False
    full: bool = False
    large: bool = False

    _words: tuple[int, str] = (0, "")  # of so many lines

    @property
    def words(self) -> str:
        """Its text; a word that is parted at the end of a line is put together."""
        if self._words[0] != len(self.lines):
            self._words = len(self.lines), _text_of(self.lines)
        return self._words[1]

    @property
    def text(self) -> Text:
        """The same with how it is printed, as headings are told by."""
        text = Text()
        text.add(self.words)
        words = [word for line in self.lines for word in line.words]
        text.bold = sum(len(word.text) + 1 for word in words if word.bold or self.large)
        text.italic = sum(len(word.text) + 1 for word in words if word.italic)
        return text


def _text_of(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        if text.endswith("-") and text[-2:-1].isalpha() and line.text[:1].islower():
            text += line.text  # whether the hyphen is part of the word cannot be seen
        else:
            text = f"{text} {line.text}" if text else line.text
    return " ".join(text.split())


def right_margin(lines: Sequence[Line]) -> float:
    """Where prose ends on the right: the end of the longest of the lines that are prose, else of any."""
    prose = [line.x1 for line in lines if len(line.segments) == 1 and len(line.text) >= PROSE]
    return max(prose or [line.x1 for line in lines], default=0.0)


def read_blocks(lines: Sequence[Line], page: int, width: float, right: float) -> list[Block]:
    """The paragraphs of lines that follow one another on a page."""
    pitch = _pitch(lines)
    blocks: list[Block] = []
    for line in lines:
        if blocks and _goes_on(blocks[-1].lines, line, right, pitch):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line], page))
    for block in blocks:
        block.centred = all(_is_centred(line, width) for line in block.lines)
        last = block.lines[-1]
        block.full = last.x1 > right - _FULL * width and len(last.text) >= PROSE and not _ENDS.search(last.text)
    return blocks


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance of two lines of prose, 0 where there are none: that of paragraphs is larger."""
    steps = sorted(
        below.y - above.y
        for above, below in pairwise(lines)
        if min(len(above.text), len(below.text)) >= PROSE and 0 < below.y - above.y < _LOOSEST * above.size
    )
    return steps[len(steps) // 3] if len(steps) >= _FEWEST else 0.0


def _is_centred(line: Line, width: float) -> bool:
    return abs((line.x0 + line.x1) / 2 - width / 2) < 0.03 * width and line.x0 > 0.2 * width


def _goes_on(lines: Sequence[Line], line: Line, right: float, pitch: float) -> bool:
    above = lines[-1]
    size = max(above.size, line.size)
    leading = max(_LEADING * size, _EVEN * pitch)
    if line.y - above.y > leading or abs(line.size - above.size) > 0.12 * size or line.y < above.y:
        return False
    first = line.words[0]
    if len(line.words) > 1 and _BULLET.match(first.text) and line.words[1].x0 - first.x1 > 0.5 * size:
        return False
    if above.x1 + 0.25 * size + (first.x1 - first.x0) < right - 0.5 * size:  # there was room for the next word
        begins = first.text[:1]  # `At April 28,` and `2023, $ 334 million was` below it
        is_rest = begins.islower() or (len(line.words) > 1 and (begins.isdigit() or begins == "$"))
        is_below = len(above.text) >= PROSE and abs(line.x0 - above.x0) < 0.5 * size
        return is_rest and is_below and len(above.segments) == 1 and not _ENDS.search(above.text)
    return not (_ENDS.search(above.text) and line.x0 > lines[0].x0 + size and len(lines) > 1)
