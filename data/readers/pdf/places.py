"""Where texts of a page are printed: the words of a text in its characters, and the boxes around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tieout.data.document import Box
from tieout.data.readers.pdf.words import Word

_ABOVE, _BELOW = 0.78, 0.22  # of the size: how far letters reach above and below their baseline


def box_of(words: Sequence[Word], page: int) -> Box | None:
    """The box around words of a page, None for none."""
    if not words:
        return None
    top = min(word.y - _ABOVE * word.size for word in words)
    bottom = max(word.y + _BELOW * word.size for word in words)
    sides = (min(word.x0 for word in words), top, max(word.x1 for word in words), bottom)
    return (page, *(round(max(0.0, side), 2) for side in sides))  # type: ignore[return-value]  # four sides


def starts_of(text: str, words: Sequence[Word]) -> Iterator[tuple[int, Word]]:
    """Yields where each word begins in the text that is made of them, in order."""
    at = 0
    for word in words:
        found = text.find(word.text, at)
        at = found if found >= 0 else at
        yield at, word
        at += len(word.text) if found >= 0 else 0
