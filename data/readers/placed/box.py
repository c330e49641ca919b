"""Where an element of a page stands: lengths, transformations, and the box that its style places it in.

Lengths are pixels of CSS, 96 to the inch, as in CSS 2.1 and CSS Transforms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tieout.data.printed.pattern import later

POINTS = 0.75  # of a pixel
_UNITS = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
_LENGTH = later(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)\s*(px|pt|pc|in|cm|mm|em|rem|%)?", re.I)
_FUNCTION = later(r"([a-z0-9]+)\(([^()]{0,200})\)", re.IGNORECASE)
_MOST = 1e7  # pixels


def length(text: str, size: float = 16.0, whole: float = 0.0) -> float | None:
    """How long `3pt` is; None for what is no length. size: of the letters, for `em`; whole: what `%` is of."""
    found = _LENGTH.fullmatch(text.strip())
    if not found:
        return None
    number, unit = float(found[1]), (found[2] or "px").lower()
    by = {"em": size, "rem": 16.0, "%": whole / 100}.get(unit) or _UNITS.get(unit, 0.0)
    return number * by if abs(number * by) < _MOST else None


@dataclass(frozen=True, slots=True)
class Matrix:
    """x = a * left + c * top + e, y = b * left + d * top + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def inside(self, other: Matrix) -> Matrix:
        """This one, of what stands inside another."""
        e, f = other.place(self.e, self.f)
        return Matrix(
            other.a * self.a + other.c * self.b,
            other.b * self.a + other.d * self.b,
            other.a * self.c + other.c * self.d,
            other.b * self.c + other.d * self.d,
            e,
            f,
        )

    @property
    def is_upright(self) -> bool:
        return abs(self.b) < 1e-6 and abs(self.c) < 1e-6 and self.a > 0 and self.d > 0


@dataclass(slots=True)
class Box:
    """One box: how its own places are those of the page, and its size, None where its style leaves it open. x, y: where
    the next letter, and the line that it is on, begin inside."""

    matrix: Matrix
    width: float | None
    height: float | None
    x: float = 0.0
    y: float = 0.0
    line: float = 0.0  # the height of the line that is written
    left: float = 0.0  # where lines begin


def box_of(style: Mapping[str, str], around: Box, at: tuple[float, float], size: float, line: float) -> Box:
    """The box of an element that its style places in the one around it. at: where it would stand otherwise; size: of
    its letters; line: the height of one of its lines, which it has where nothing else is said."""
    wide, high = around.width or 0.0, around.height or 0.0

    def get(name: str, whole: float) -> float | None:
        return length(style[name], size, whole) if name in style else None

    width, height = get("width", wide), get("height", high)
    left, top, right, bottom = get("left", wide), get("top", high), get("right", wide), get("bottom", high)
    x, y = at
    if left is not None:
        x = left
    elif right is not None and around.width is not None:
        x = around.width - right - (width or 0.0)
    if top is not None:
        y = top
    elif bottom is not None and around.height is not None:
        y = around.height - bottom - (line if height is None else height)
    x += get("margin-left", wide) or 0.0
    y += get("margin-top", wide) or 0.0
    matrix = Matrix(e=x, f=y).inside(around.matrix)
    turned = style.get("transform") or style.get("-webkit-transform", "")
    if turned and turned != "none":
        sides = (width or 0.0, line if height is None else height)
        origin = _origin(style.get("transform-origin") or style.get("-webkit-transform-origin", ""), sides, size)
        own = Matrix(e=-origin[0], f=-origin[1]).inside(transformation(turned, sides, size))
        matrix = own.inside(Matrix(e=origin[0], f=origin[1])).inside(matrix)
    return Box(matrix, width, height)


def _origin(text: str, sides: tuple[float, float], size: float) -> tuple[float, float]:
    """The point that a transformation leaves where it is: the middle, where nothing is said."""
    names = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
    words = [names.get(word, word) for word in text.lower().split()]
    found = [length(word, size, side) for word, side in zip(words, sides, strict=False)]
    x = found[0] if found and found[0] is not None else sides[0] / 2
    y = found[1] if len(found) > 1 and found[1] is not None else sides[1] / 2
    return x, y


def transformation(text: str, sides: tuple[float, float], size: float) -> Matrix:
    """What `translate(..) scale(..)` does to places, the last first. sides: of the box, for `%`."""
    matrix = Matrix()
    for name, words in _FUNCTION.findall(text):
        given = [word.strip() for word in words.replace(",", " ").split()]
        matrix = _one(name.lower(), given, sides, size).inside(matrix)
    return matrix


def _one(name: str, given: Sequence[str], sides: tuple[float, float], size: float) -> Matrix:
    numbers = [_number(each) for each in given]
    if name == "matrix" and len(numbers) == 6:
        return Matrix(*numbers)
    if name in ("translate", "translate3d", "translatex", "translatey"):
        at = [length(each, size, side) or 0.0 for each, side in zip(given, sides, strict=False)]
        if name == "translatey":
            return Matrix(f=length(given[0], size, sides[1]) or 0.0) if given else Matrix()
        return Matrix(e=at[0] if at else 0.0, f=at[1] if len(at) > 1 else 0.0)
    if name in ("scale", "scale3d") and numbers:
        return Matrix(a=numbers[0], d=numbers[1] if len(numbers) > 1 else numbers[0])
    if name == "scalex" and numbers:
        return Matrix(a=numbers[0])
    if name == "scaley" and numbers:
        return Matrix(d=numbers[0])
    if name in ("rotate", "rotatez") and given:
        turn = math.radians(_number(given[0].removesuffix("deg"))) if given[0].endswith("deg") else 0.0
        return Matrix(math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn))
    return Matrix()


def _number(text: str) -> float:
    found = _LENGTH.match(text)
    return float(found[1]) if found else 0.0
