"""Whether a person sees the text of an element: what style sheets and attributes say of it, and what surrounds it.

A text may be taken away (`display: none`, clipped, off the page) with all that is inside, or not be seen itself
(no visibility, no size, the colour of its ground), while an element inside it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.data.readers.html.seen.colour import BLACK, WHITE, Colour, is_apart, over, read_colour
from tieout.data.readers.html.seen.sheet import TOLD, read_declarations

REVERSED = "a text direction is forced on it, so that its signs may be shown in another order"
TURNED = "it is shown turned or mirrored"
CROWDED = "its letters are shown on top of one another"

_LENGTH = later(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)(px|pt|pc|in|cm|mm|em|rem|ex|ch|vw|vh|%)?")
_PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "rem": 16, "vw": 12.8, "vh": 8.0}
_NAMED_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0}
_NAMED_SIZES |= {"x-large": 24.0, "xx-large": 32.0, "xxx-large": 48.0}
_SHORT = later(  # the size in the short form of a font
    r"(?:^|\s)([0-9.]+(?:px|pt|pc|in|cm|mm|em|rem|ex|%)?|(?:xx?-)?(?:small|large)|medium)(?:\s*/\s*\S+)?\s+\S"
)
_FUNCTION = later(r"([a-z0-9-]+)\(([^()]{0,200})\)")
_PICTURE = later(r"url\(|gradient\(|image\(|image-set\(", re.IGNORECASE)
_COLOUR = later(r"(?:rgb|hsl)a?\([^()]{1,80}\)|#[0-9a-f]{3,8}\b|[a-z]+", re.IGNORECASE)
_SMALLEST, _FAINTEST = 2.0, 0.1  # pixels; how opaque
_NARROWEST = 2.0  # pixels of a box that cuts off what is wider
_OFF, _OFF_UP, _OFF_RIGHT = -500.0, -2000.0, 4000.0  # pixels beyond the page
_INLINE = frozenset(
    "span a b i u em strong font small big sup sub s del ins label mark code cite abbr bdo td th tr".split()
)
_TOLD_APART = _INLINE | {"body", "html"}


@dataclass(frozen=True, slots=True)
class Sight:
    """How text is seen in an element. ground: the colour behind it, None where a picture is. left: how far it is moved
    sideways, in pixels. may_cover: it is a box placed over others. gone: it is taken away, with all inside. doubt: why
    what is seen may not be what is written."""

    visible: bool = True
    size: float = 16.0
    colour: Colour = BLACK
    ground: Colour | None = WHITE
    opaque: float = 1.0
    left: float = 0.0
    indent: float = 0.0
    is_right_to_left: bool = False
    shadow: bool = False
    is_grounded: bool = False
    may_cover: bool = False
    gone: bool = False
    doubt: str = ""

    @property
    def is_seen(self) -> bool:
        """Whether a person sees text that stands right in the element."""
        if self.gone or not self.visible or self.size < _SMALLEST or self.indent < _OFF:
            return False
        if self.opaque * self.colour[3] < _FAINTEST and not self.shadow:
            return False
        return self.ground is None or self.shadow or is_apart(self.colour, self.ground)


USUAL = Sight()


def looked_at(around: Sight, name: str, declared: str) -> Sight:
    """How text is seen in an element, by its name and its declarations, what counts last, and by what is around it."""
    said = declarations(declared)
    return _looked_at(around, name if name in _TOLD_APART else "", tuple(said.items())) if said else around


@lru_cache(maxsize=4096)
def _looked_at(around: Sight, name: str, said: tuple[tuple[str, str], ...]) -> Sight:
    if around.may_cover:
        around = replace(around, may_cover=False)
    return _Element(around, name, dict(said)).sight()


# What may move an element, cut it off, cover others or turn it; few elements have any.
_PLACES = frozenset(
    "display content-visibility position left right top bottom margin margin-left margin-top transform translate scale "
    "rotate clip clip-path overflow overflow-x overflow-y mask mask-image -webkit-mask -webkit-mask-image z-index "
    "-webkit-text-security unicode-bidi direction flex-direction letter-spacing text-indent text-decoration "
    "text-decoration-line".split()
)
_SIZES = frozenset("width height max-width max-height line-height".split())  # of boxes that cut off what is larger


@lru_cache(maxsize=4096)
def declarations(text: str) -> Mapping[str, str]:
    """What a text declares, in lower case by name; what stands last counts."""
    found: dict[str, str] = {}
    is_cut = "overflow" in text.lower()
    for name, value in read_declarations(text):
        if name not in TOLD or (name in _SIZES and not is_cut and "absolute" not in text):
            continue
        value = value.lower().removesuffix("!important").rstrip(" !")
        if name == "inset":
            parts = value.split()
            sides = (parts + parts[:2] + parts[1:2] if len(parts) < 3 else [*parts, *parts[1:2]])[:4] if parts else []
            for side, each in zip(
                ("top", "right", "bottom", "left"), sides if len(parts) > 1 else parts * 4, strict=False
            ):
                found[side] = each
        found[name] = value
    return found


def pixels(text: str, size: float = 16.0, whole: float = 1280.0) -> float | None:
    """A length in pixels; None for what is none. size: of the letters, for `em`; whole: what `%` is of."""
    found = _LENGTH.fullmatch(text.strip())
    if not found:
        return None
    number, unit = float(found[1]), found[2] or ""
    by = {"em": size, "ex": size / 2, "ch": size / 2, "%": whole / 100}.get(unit)
    return number * (_PIXELS[unit] if by is None else by)


class _Element:
    """One element on its way to how it is seen."""

    def __init__(self, around: Sight, name: str, said: Mapping[str, str]) -> None:
        self.around, self.name, self.said = around, name, said
        self.size = around.size

    def sight(self) -> Sight:
        said, around = self.said, self.around
        self.size = self._size()
        ground = self._ground()
        shadow = said.get("text-shadow", "none" if not around.shadow else "kept") not in ("none", "unset", "initial")
        look = replace(
            around,
            visible=self._is_visible(),
            size=self.size,
            colour=self._colour(),
            ground=ground,
            opaque=around.opaque * self._opacity(),
            indent=self._length("text-indent", around.indent),
            is_right_to_left=said.get("direction", "rtl" if around.is_right_to_left else "") == "rtl",
            shadow=shadow or "text" in (said.get("background-clip"), said.get("-webkit-background-clip")),
            is_grounded=self._is_grounded(ground),
        )
        if said.keys().isdisjoint(_PLACES):
            return look
        return replace(
            look,
            left=around.left + self._moved(),
            may_cover=said.get("position") == "absolute" and any("background" in name for name in said),
            gone=around.gone or self._is_gone(),
            doubt=self._doubt() or around.doubt,
        )

    def _length(self, name: str, usual: float, whole: float = 1280.0) -> float:
        found = pixels(self.said[name], self.size, whole) if name in self.said else None
        return usual if found is None else found

    def _is_visible(self) -> bool:
        said = self.said.get("visibility", "")
        return said == "visible" if said in ("visible", "hidden", "collapse") else self.around.visible

    def _size(self) -> float:
        text = self.said.get("font-size", "")
        if not text and (short := _SHORT.search(self.said.get("font", ""))):
            text = short[1]
        if text in _NAMED_SIZES:
            return _NAMED_SIZES[text]
        found = pixels(text, self.around.size, self.around.size) if text else None
        zoom = pixels(self.said.get("zoom", "1"), 1, 1) or 1.0
        return (self.around.size if found is None else found) * zoom

    def _colour(self) -> Colour:
        found = read_colour(self.said["-webkit-text-fill-color"]) if "-webkit-text-fill-color" in self.said else None
        found = found or (read_colour(self.said["color"]) if "color" in self.said else None)
        return self.around.colour if found is None else found

    def _ground(self) -> Colour | None:
        """The colour behind the text; None for a picture, which may be of any."""
        said, ground = self.said, self.around.ground
        short = said.get("background", "")
        if _PICTURE.search(short) or _PICTURE.search(said.get("background-image", "")):
            return None
        named = said.get("background-color", "") or next(
            (each for each in _COLOUR.findall(short) if read_colour(each) is not None), ""
        )
        found = read_colour(named) if named else None
        if found is None or not found[3]:
            return ground
        return over(found, ground) if ground is not None else found if found[3] == 1 else None

    def _is_grounded(self, ground: Colour | None) -> bool:
        """Whether something around it has a ground of its own, behind which it may be put."""
        if self.name in ("body", "html"):
            return False
        if self._level() is not None:
            return False  # what is put behind stays in front of this ground
        has_ground = any(name in self.said for name in ("background", "background-color", "background-image"))
        return self.around.is_grounded or (has_ground and (ground is None or ground[3] == 1))

    def _level(self) -> float | None:
        if self.said.get("position", "static") == "static":
            return None
        return pixels(self.said.get("z-index", ""))

    def _opacity(self) -> float:
        found = pixels(self.said.get("opacity", "1"), 1, 1)
        found = 1.0 if found is None else min(1.0, max(0.0, found))
        for name, inside in _FUNCTION.findall(self.said.get("filter", "")):
            if name == "opacity":
                found *= _or(pixels(inside, 1, 1), 1.0)
            elif name == "blur" and _or(pixels(inside), 0.0) >= self.size / 3:
                found = 0.0
        return found

    def _moved(self) -> float:
        """How far it is moved to the right, in pixels."""
        moved = min(0.0, self._length("margin-left", 0.0)) + min(0.0, self._margin(3))
        if self.said.get("position", "static") != "static":
            moved += self._length("left", -self._length("right", 0.0) if self._length("right", 0.0) > 1280 else 0.0)
        for name, inside in self._transforms():
            if name in ("translate", "translatex", "translate3d"):
                moved += _or(pixels(inside.split(",")[0], self.size, 300.0), 0.0)
        return moved + _or(pixels(self.said.get("translate", "0").split()[0], self.size, 300.0), 0.0)

    def _margin(self, side: int) -> float:
        """A side of the short form of margins: from the top, clockwise."""
        parts = self.said.get("margin", "0").split()
        each = parts[min(side, len(parts) - 1) if side != 3 or len(parts) == 4 else len(parts) // 2] if parts else "0"
        return _or(pixels(each, self.size), 0.0)

    def _transforms(self) -> list[tuple[str, str]]:
        return _FUNCTION.findall(self.said.get("transform", ""))

    def _is_gone(self) -> bool:
        said = self.said
        if said.get("display") == "none" or said.get("content-visibility") == "hidden":
            return True
        if any("line-through" in said.get(name, "") for name in ("text-decoration", "text-decoration-line")):
            return True  # struck out: it is no longer said
        if said.get("-webkit-text-security", "none") != "none" or "transparent, transparent" in self._mask():
            return True
        if self.around.is_grounded and _or(self._level(), 0.0) < 0:
            return True
        return self._is_off() or self._is_clipped() or self._is_flat()

    def _mask(self) -> str:
        names = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
        return re.sub(r"\s*,\s*", ", ", " ".join(self.said.get(name, "") for name in names))

    def _is_off(self) -> bool:
        """Whether it is placed where nobody scrolls to."""
        moved = self.around.left + self._moved()
        up = min(0.0, self._length("margin-top", 0.0)) + min(0.0, self._margin(0))
        if self.said.get("position", "static") != "static":
            up += self._length(
                "top", -self._length("bottom", 0.0) if self._length("bottom", 0.0) > 20_000 else 0.0, 800.0
            )
        for name, inside in self._transforms():
            parts = inside.split(",")
            if name == "translatey" or (name in ("translate", "translate3d") and len(parts) > 1):
                up += _or(pixels(parts[0 if name == "translatey" else 1], self.size, 100.0), 0.0)
        return moved <= _OFF or moved >= _OFF_RIGHT or up <= _OFF_UP

    def _is_clipped(self) -> bool:
        said = self.said
        clip = said.get("clip", "")
        if clip.startswith("rect(") and said.get("position") in ("absolute", "fixed"):
            edges = [_or(pixels(each), -1.0) for each in clip[5:].rstrip(") ").replace(",", " ").split()]
            if (
                len(edges) == 4
                and -1.0 not in edges
                and (edges[2] - edges[0] < _NARROWEST or edges[1] - edges[3] < _NARROWEST)
            ):
                return True
        for name, inside in _FUNCTION.findall(said.get("clip-path", "")):
            parts = inside.split()
            first = parts[0] if parts else ""
            if name == "inset" and any(_or(pixels(each, 16, 100), 0) >= 50 for each in parts if each.endswith("%")):
                return True
            if name in ("circle", "ellipse") and _or(pixels(first), 1.0) == 0.0:
                return True
            if name == "polygon" and len({point.strip() for point in inside.split(",")}) == 1:
                return True
        is_cut = any(said.get(name, "visible") not in _SHOWN for name in _OVERFLOWS)
        if not is_cut:
            return False
        if self._length("text-indent", 0.0) >= 1280.0:
            return True
        if self.name in _INLINE and not ({"display", "position", "float"} & said.keys()):
            return False
        sides = [self._length(name, _NARROWEST) for name in ("width", "height", "max-width", "max-height")]
        is_flat = self._length("line-height", 16.0) == 0.0 and "height" not in said
        return min(sides) < _NARROWEST or is_flat

    def _is_flat(self) -> bool:
        """Whether it is shown with no width or height, or from its edge."""
        for name, inside in (*self._transforms(), ("scale", self.said.get("scale", "1").replace(" ", ","))):
            parts = [each.strip() for each in inside.split(",")]
            if name.startswith("scale") and any(abs(_or(pixels(each, 1, 1), 1.0)) < 0.05 for each in parts[:2]):
                return True
            if name in ("rotatex", "rotatey") and parts[0] in ("90deg", "-90deg", "270deg", "0.25turn", "100grad"):
                return True
            if name == "matrix" and len(parts) == 6 and not (_or(pixels(parts[0]), 1.0) or _or(pixels(parts[1]), 1.0)):
                return True
        return False

    def _doubt(self) -> str:
        said = self.said
        is_reversed = said.get("direction", "rtl" if self.around.is_right_to_left else "") == "rtl"
        if said.get("unicode-bidi", "") in ("bidi-override", "isolate-override") and is_reversed:
            return REVERSED
        if said.get("flex-direction", "") in ("row-reverse", "column-reverse") and "flex" in said.get(
            "display", "flex"
        ):
            return REVERSED
        if self._length("letter-spacing", 0.0) < -0.4 * self.size:
            return CROWDED
        for name, inside in self._transforms():
            is_turned = (
                name in ("rotate", "rotatez", "rotate3d") and _or(pixels(inside.split("deg")[0]), 0.0) % 360 > 100
            )
            if is_turned or (name.startswith("scale") and "-" in inside) or name in ("rotatex", "rotatey"):
                return TURNED
        return ""


_OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
_SHOWN = frozenset(("visible", "unset", "initial", "inherit", "revert"))  # what does not fit into its box


def _or(value: float | None, usual: float) -> float:
    return usual if value is None else value


_STRUCK = frozenset("s strike del".split())
_TELLING = _STRUCK | {"font", "bdo", "body"}
_CELLS = frozenset("table tr td th".split())


def has_looks(name: str, get: Callable[[str], str | None]) -> bool:
    """Whether attributes of an element, beside its style, say how it looks. Quick: it is asked of every element."""
    if name in _CELLS:
        return get("bgcolor") is not None or get("background") is not None
    return name in _TELLING or get("dir") is not None


def attributes_declare(name: str, get: Mapping[str, str]) -> str:
    """What the attributes of an element say of its looks, as declarations: `bgcolor`, `color`, `dir`."""
    found = ""
    if colour := get.get("bgcolor"):
        found += f"background-color:{colour};"
    if get.get("background") and name in ("body", "table", "td", "th", "tr"):
        found += "background-image:url();"
    colour = get.get("color") if name == "font" else get.get("text") if name == "body" else None
    if colour:
        found += f"color:{colour};"
    if name in _STRUCK:
        found += "text-decoration:line-through;"
    if name == "bdo":
        found += f"unicode-bidi:bidi-override;direction:{get.get('dir', 'ltr')};"
    elif get.get("dir"):
        found += f"direction:{get['dir']};"
    return found
