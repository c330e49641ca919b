"""Colours of style sheets, and whether one can be told from another.

>>> read_colour("#ffff"), read_colour("rgb(0 0 0 / 0%)"), is_apart(read_colour("white"), read_colour("#fefefe"))
((255.0, 255.0, 255.0, 1.0), (0.0, 0.0, 0.0, 0.0), False)
"""

from __future__ import annotations

from colorsys import hls_to_rgb
from functools import lru_cache

from tieout.data.printed.pattern import later

Colour = tuple[float, float, float, float]  # red, green, blue from 0 to 255, and how opaque it is, from 0 to 1
WHITE: Colour = (255.0, 255.0, 255.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0, 1.0)
CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)

_NAMES = {
    "transparent": CLEAR,
    "white": WHITE,
    "black": BLACK,
    "snow": (255.0, 250.0, 250.0, 1.0),
    "ivory": (255.0, 255.0, 240.0, 1.0),
    "ghostwhite": (248.0, 248.0, 255.0, 1.0),
    "floralwhite": (255.0, 250.0, 240.0, 1.0),
    "whitesmoke": (245.0, 245.0, 245.0, 1.0),
    "mintcream": (245.0, 255.0, 250.0, 1.0),
    "azure": (240.0, 255.0, 255.0, 1.0),
    "aliceblue": (240.0, 248.0, 255.0, 1.0),
    "seashell": (255.0, 245.0, 238.0, 1.0),
    "silver": (192.0, 192.0, 192.0, 1.0),
    "lightgray": (211.0, 211.0, 211.0, 1.0),
    "lightgrey": (211.0, 211.0, 211.0, 1.0),
    "gray": (128.0, 128.0, 128.0, 1.0),
    "grey": (128.0, 128.0, 128.0, 1.0),
    "red": (255.0, 0.0, 0.0, 1.0),
    "maroon": (128.0, 0.0, 0.0, 1.0),
    "yellow": (255.0, 255.0, 0.0, 1.0),
    "green": (0.0, 128.0, 0.0, 1.0),
    "lime": (0.0, 255.0, 0.0, 1.0),
    "teal": (0.0, 128.0, 128.0, 1.0),
    "blue": (0.0, 0.0, 255.0, 1.0),
    "navy": (0.0, 0.0, 128.0, 1.0),
    "purple": (128.0, 0.0, 128.0, 1.0),
    "canvas": WHITE,
    "canvastext": BLACK,
}
_HEX = later(r"#?([0-9a-f]{3,8})")
_FUNCTION = later(r"(rgb|hsl)a?\(([^()]{1,80})\)")
_LEAST = 20.0  # of 255: colours that differ by no more in red, green and blue look the same


@lru_cache(maxsize=1024)
def read_colour(text: str) -> Colour | None:
    """The colour that a declaration or an attribute names; None for one that is not known."""
    text = text.strip().lower()
    if text in _NAMES:
        return _NAMES[text]
    if found := _FUNCTION.fullmatch(text):
        return _reckoned(found[1], found[2].replace("/", " ").replace(",", " ").split())
    if found := _HEX.fullmatch(text):
        return _by_digits(found[1])
    return None


def _by_digits(digits: str) -> Colour | None:
    if len(digits) in (3, 4):
        digits = "".join(2 * each for each in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue, opaque = (int(digits[at : at + 2] or "ff", 16) for at in (0, 2, 4, 6))
    return float(red), float(green), float(blue), opaque / 255


def _reckoned(kind: str, parts: list[str]) -> Colour | None:
    try:
        values = [float(each.rstrip("%deg")) / (100 if each.endswith("%") else 1) for each in parts]
    except ValueError:
        return None
    if len(values) not in (3, 4):
        return None
    opaque = min(1.0, max(0.0, values[3])) if len(values) == 4 else 1.0
    if kind == "hsl":
        red, green, blue = hls_to_rgb(values[0] % 360 / 360, values[2], values[1])
        return 255 * red, 255 * green, 255 * blue, opaque
    red, green, blue = (
        255 * value if each.endswith("%") else value for value, each in zip(values[:3], parts, strict=False)
    )
    return red, green, blue, opaque


def over(colour: Colour, ground: Colour) -> Colour:
    """A colour as it looks on an opaque ground."""
    opaque = colour[3]
    red, green, blue = (opaque * one + (1 - opaque) * other for one, other in zip(colour[:3], ground[:3], strict=True))
    return red, green, blue, 1.0


@lru_cache(maxsize=4096)
def is_apart(colour: Colour, ground: Colour) -> bool:
    """Whether text of a colour can be read on a ground."""
    seen = over(colour, ground)
    return max(abs(one - other) for one, other in zip(seen[:3], ground[:3], strict=True)) > _LEAST
