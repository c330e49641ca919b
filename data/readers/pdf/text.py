"""Lines of text into paragraphs, by where a line ends early, by distances and by type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tieout.data.readers.html.text import Text
from tieout.data.readers.pdf.lines import Line

_LEADING = 1.45  # distance of lines within a paragraph at most, of the size
_PROSE = 40  # letters of a line that fills its column
_BULLET = re.compile(r"[•●○■▪◦–—*-]$|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]$", re.IGNORECASE)
_ENDS = re.compile(r"[.:;!?]['\"”’)]*$")


@dataclass(slots=True)
class Block:
    """One paragraph. centred: its lines stand in the middle of the page."""

    lines: list[Line] = field(default_factory=list)
    page: int = 0
    centred: bool = False
    furniture: bool = False

    @property
    def words(self) -> str:
        """Its text; a word that is parted at the end of a line is put together."""
        text = ""
        for line in self.lines:
            if text.endswith("-") and text[-2:-1].isalpha() and line.text[:1].islower():
                text += line.text  # whether the hyphen is part of the word cannot be seen
            else:
                text = f"{text} {line.text}" if text else line.text
        return " ".join(text.split())

    @property
    def text(self) -> Text:
        """The same with how it is printed, as headings are told by."""
        text = Text()
        text.add(self.words)
        words = [word for line in self.lines for word in line.words]
        text.bold = sum(len(word.text) + 1 for word in words if word.bold)
        text.italic = sum(len(word.text) + 1 for word in words if word.italic)
        return text


def right_margin(lines: Sequence[Line]) -> float:
    """Where prose ends on the right: the end of the longest of the lines that are prose, else of any."""
    prose = [line.x1 for line in lines if len(line.segments) == 1 and len(line.text) >= _PROSE]
    return max(prose or [line.x1 for line in lines], default=0.0)


def read_blocks(lines: Sequence[Line], page: int, width: float, right: float) -> list[Block]:
    """The paragraphs of lines that follow one another on a page."""
    blocks: list[Block] = []
    for line in lines:
        if blocks and _goes_on(blocks[-1].lines, line, right):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line], page))
    for block in blocks:
        block.centred = all(_is_centred(line, width) for line in block.lines)
    return blocks


def _is_centred(line: Line, width: float) -> bool:
    return abs((line.x0 + line.x1) / 2 - width / 2) < 0.03 * width and line.x0 > 0.2 * width


def _goes_on(lines: Sequence[Line], line: Line, right: float) -> bool:
    above = lines[-1]
    size = max(above.size, line.size)
    if line.y - above.y > _LEADING * size or abs(line.size - above.size) > 0.12 * size or line.y < above.y:
        return False
    first = line.words[0]
    if len(line.words) > 1 and _BULLET.match(first.text) and line.words[1].x0 - first.x1 > 0.5 * size:
        return False
    if above.x1 + 0.25 * size + (first.x1 - first.x0) < right - 0.5 * size:  # there was room for the next word
        return False
    return not (_ENDS.search(above.text) and line.x0 > lines[0].x0 + size and len(lines) > 1)
