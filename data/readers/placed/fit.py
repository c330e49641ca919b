"""Pieces whose letters are only about as wide as reckoned are made to fit: what is placed on one line does not overlap.

Of a font that a page does not bring along, size and widths may be others than those that its style names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tieout.data.readers.geometry.words import Word

_LEAST = 0.6  # of the width reckoned: what would be narrower lies over another piece on purpose
_SAME_LINE = 0.3  # of the size
_GAP = 0.15


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that are placed together. font: by which those of one font and size are known."""

    font: tuple[str, float, bool]
    words: Sequence[Word]

    @property
    def left(self) -> float:
        return self.words[0].x0

    @property
    def right(self) -> float:
        return max(word.x1 for word in self.words)


def fit(pieces: Sequence[Piece]) -> None:
    """Narrows the words of each font by as much as the piece of it needs that reaches furthest into the next."""
    factors: dict[tuple[str, float, bool], float] = {}
    for line in _lines(pieces):
        for piece, following in pairwise(line):
            size = piece.words[0].size
            free, wide = following.left - _GAP * size - piece.left, piece.right - piece.left
            if wide and _LEAST <= free / wide < factors.get(piece.font, 1.0):
                factors[piece.font] = free / wide
    for piece in pieces:
        factor, left = factors.get(piece.font, 1.0), piece.left
        for word in piece.words if factor < 1 else ():
            word.x0, word.x1 = left + factor * (word.x0 - left), left + factor * (word.x1 - left)


def _lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line from the left."""
    lines: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.words[0].y):
        word = piece.words[0]
        if lines and word.y - lines[-1][0].words[0].y <= _SAME_LINE * word.size:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=lambda each: each.left) for line in lines]
