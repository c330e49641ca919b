"""Pieces whose letters are only about as wide as reckoned are made to fit: what is placed on one line does not overlap,
and the amounts of a row that is written in one piece stand in their columns.

Of a font that a page does not bring along, size and widths may be others than those that its style names. What writes
neighbouring cells in one piece leaves a space of the gap between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.lines import MONTH
from tieout.data.readers.geometry.words import CURRENCY, Word

_LEAST = 0.6  # of the width reckoned: what would be narrower lies over another piece on purpose
_SAME_LINE = 0.3  # of the size
_GAP = 0.15
_LOST = 0.9  # of the size: how much of a gap between two cells is lost at most
_ROUGH = 0.03  # of the letters in front: how much wider they may be than reckoned
_AROUND = 10  # lines on each side, among which columns are looked for
_FEWEST = 2  # amounts that begin or end below one another
_BRACKET = 0.33  # width of a closing one, of the size: it hangs out of its column
_SPACE = 0.3  # width of a space, of the size: one may stand where there was a narrower gap
_PIXEL = 1.0
_NEXT = 1.6  # distance of two lines of one header, of the size
_MIDDLE = 0.1  # of the size: how far off its place the middle of what did not move may be
_AMOUNT = later(r"[($€£¥\-–—]*\d[\d,.]*(?<!,)\)?%?|[—–-]")
_HANGS = later(r"[)%]+")  # signs that hang out of a column
_SIGN = later(rf"[$€£¥]|{_HANGS.pattern}")
_YEAR = later(r"(?:19|20)\d\d")
_DAY = later(r"\d{1,2},")


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


def onto_columns(pieces: Sequence[Piece]) -> None:
    """Moves the amounts and times that pieces end with to where those of lines around them begin or end."""
    lines = _lines(pieces)
    begins = [[piece.left for piece in line if _is_figure(piece.words[0])] for line in lines]
    signs = [[piece.left for piece in line if piece.words[0].text in CURRENCY] for line in lines]
    ends = [[end for piece in line if (end := _end(piece.words)) is not None] for line in lines]
    for at, line in enumerate(lines):
        around = [*range(max(0, at - _AROUND), at), *range(at + 1, min(len(lines), at + 1 + _AROUND))]
        for piece in line:
            if figures := _figures(piece.words):
                begun, signed, ended = (_often(places[each] for each in around) for places in (begins, signs, ends))
                loose = _ROUGH * (figures[0][0].x0 - piece.left)
                _move(figures, (begun, signed), ended, loose, is_row=len(line) > 1)


def onto_heads(pieces: Sequence[Piece]) -> None:
    """Moves the parts of a line of headers that is written in one piece each to the middle of one in the line next to
    it: `Authorized and Outstanding Preference` below `Shares`, `Shares Issued`, `Per Share`."""
    lines = _lines(pieces)
    for at, line in enumerate(lines):
        for piece, following in zip(line, [*line[1:], None], strict=True):
            end = following.left if following else inf
            for near in (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]):
                heads = [each for each in near if each.right > piece.left and each.left < end]
                if len(heads) > 1 and all(map(_may_be_head, (piece, *heads))) and _is_next(piece, heads[0]):
                    _move_parts(piece.words, [(each.left + each.right) / 2 for each in heads])


def _may_be_head(piece: Piece) -> bool:
    return not any(character.isdigit() for word in piece.words for character in word.text)


def _is_next(piece: Piece, other: Piece) -> bool:
    return abs(piece.words[0].y - other.words[0].y) < _NEXT * piece.words[0].size


def _move_parts(words: Sequence[Word], middles: Sequence[float]) -> None:
    """Moves the words in as many parts as there are middles, where each part stands no further to the left of its
    middle than the gaps in front of it can have lost."""
    size, first, moved = words[0].size, 0, 0.0
    moves: list[float] = []
    for number, middle in enumerate(middles):
        for end in range(first + 1, len(words) + 1):
            by = middle - (words[first].x0 + words[end - 1].x1) / 2
            if abs(by - moved) <= _MIDDLE * size or (number and moved <= by <= moved + _LOST * size):
                break
        else:
            return
        moves += [by] * (end - first)
        first, moved = end, by
    for word, by in zip(words, moves, strict=True) if first == len(words) else ():
        word.x0, word.x1 = word.x0 + by, word.x1 + by


def _is_figure(word: Word) -> bool:
    return word.text in CURRENCY or bool(_AMOUNT.fullmatch(word.text))


def _figures(words: Sequence[Word]) -> list[list[Word]]:
    """The amounts and times that words end with, but for what they begin with, each in its words."""
    first = len(words)
    while first and any(each.fullmatch(words[first - 1].text) for each in (_AMOUNT, _SIGN, MONTH, _DAY)):
        first -= 1
    before = words[first - 1].text if 0 < first < len(words) else ""
    if before.endswith(","):
        return []  # of a text: `Stock, $0.01`
    found: list[list[Word]] = []
    for word in words[first:]:
        if found and (_HANGS.fullmatch(word.text) or _goes_on(found[-1][-1].text, word.text)):
            found[-1].append(word)
        else:
            found.append([word])
    is_text = not first or (before.islower() and MONTH.fullmatch(words[first].text))  # `ended May 31, 2025`
    return found[1:] if is_text else found


def _goes_on(text: str, behind: str) -> bool:
    """Whether a time goes on: `December` and `31,`, `31,` and `2024`."""
    return bool(MONTH.fullmatch(text)) or (text.endswith(",") and behind[0].isdigit())


def _end(words: Sequence[Word]) -> float | None:
    """Where the digits of an amount end that words end with."""
    word = next((word for word in reversed(words) if not _HANGS.fullmatch(word.text)), words[-1])
    if not _AMOUNT.fullmatch(word.text):
        return None
    return word.x1 - _BRACKET * word.size * word.text.endswith(")")


def _often(places: Iterable[Sequence[float]]) -> list[float]:
    """The places that several lines have, which may be a pixel off one another."""
    found: list[list[float]] = []
    for x in sorted(x for line in places for x in line):
        if found and x - found[-1][0] <= _PIXEL:
            found[-1].append(x)
        else:
            found.append([x])
    return [median(each) for each in found if len(each) >= _FEWEST]


def _move(
    figures: Sequence[Sequence[Word]],
    begins: tuple[Sequence[float], Sequence[float]],
    ends: Sequence[float],
    loose: float,
    *,
    is_row: bool,
) -> None:
    """Moves figures to where amounts begin or end. begins: of any amount, and of those with a sign of money, which
    stands where others do; loose: how far the first of them may stand off; is_row: others stand on their line, else two
    of them have to move."""
    moved = 0.0
    moves, met = [], 0
    for words in figures:
        first = words[0]
        loose += _LOST * first.size
        end = _end(words)
        ways = [x - end - moved for x in ends] if end is not None else []
        if not _AMOUNT.fullmatch(first.text):
            ways += [x - first.x0 - moved for x in begins[first.text in CURRENCY]]
        if MONTH.fullmatch(first.text) and not _YEAR.fullmatch(words[-1].text):
            ways = []
        way = min((each for each in ways if -_SPACE * first.size <= each <= loose), key=abs, default=None)
        if way is not None:
            moved, loose, met = moved + way, 0.0, met + 1
        moves.append(moved)
    for words, by in zip(figures, moves, strict=True) if met > 1 - is_row else ():
        for word in words:
            word.x0, word.x1 = word.x0 + by, word.x1 + by


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
