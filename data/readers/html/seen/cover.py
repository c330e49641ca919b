"""What lies over what: elements that an opaque box is drawn on, by the painting order of CSS 2.1, appendix E.

Told are boxes that fill the one they are placed in, and boxes placed by lengths over others beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tieout.data.readers.html.seen.colour import read_colour
from tieout.data.readers.html.seen.sight import pixels

_POSITIONED = ("absolute", "fixed", "relative", "sticky")
_OPAQUE = 0.9

Declared = Callable[[Any], Mapping[str, str]]


@dataclass(slots=True)
class Covered:
    """elements: with all inside; texts: whose own text alone is covered; tails: behind which it is."""

    elements: set[Any] = field(default_factory=set)
    texts: set[Any] = field(default_factory=set)
    tails: set[Any] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.elements or self.texts)


def find_covered(elements: Iterable[Any], declared: Declared) -> Covered | None:
    """What boxes of a page cover, None for nothing. elements: the boxes; declared: what an element declares of its
    looks."""
    found = Covered()
    for box in elements:
        if not isinstance(box.tag, str):
            continue
        said = declared(box)
        if said.get("position") == "absolute" and _is_opaque(said) and _level(said) >= 0:
            if _fills(said):
                _cover_all(found, box, said, declared)
            elif place := _place(said):
                _cover_beside(found, box, place, declared)
    return found or None


def _is_opaque(said: Mapping[str, str]) -> bool:
    if said.get("display") == "none" or said.get("visibility") in ("hidden", "collapse"):
        return False
    ground = f"{said.get('background-color', '')} {said.get('background', '')}"
    colours = [colour for each in ground.split() if (colour := read_colour(each)) is not None]
    faint = pixels(said.get("opacity", "1"), 1, 1)
    is_picture = "url(" in ground or "url(" in said.get("background-image", "")
    return (faint is None or faint >= _OPAQUE) and (is_picture or any(colour[3] >= _OPAQUE for colour in colours))


def _level(said: Mapping[str, str]) -> float:
    return pixels(said.get("z-index", "0")) or 0.0


def _fills(said: Mapping[str, str]) -> bool:
    """Whether a box is as large as the one that it is placed in."""
    for start, end, size in (("left", "right", "width"), ("top", "bottom", "height")):
        ends = [pixels(said.get(side, ""), 16, 1000) for side in (start, end)]
        long = pixels(said.get(size, ""), 16, 100) if said.get(size, "").endswith("%") else 0
        starts = ends[0] is not None and ends[0] <= 0
        if not starts or not ((ends[1] is not None and ends[1] <= 0) or (long or 0) >= 100):
            return False
    return True


def _cover_all(found: Covered, box: Any, said: Mapping[str, str], declared: Declared) -> None:  # noqa: ANN401
    """Marks what stands in the box that this one is placed in. A page as a whole is not taken for covered."""
    inner = box
    for around in box.iterancestors():
        if around.tag in ("body", "html"):
            return
        if declared(around).get("position") in _POSITIONED:
            break
        inner = around
    else:
        return
    for child in around:
        if child is inner or not isinstance(child.tag, str):
            continue
        other = declared(child)
        is_over = other.get("position") in _POSITIONED and (
            _level(other) > _level(said)
            or (_level(other) == _level(said) and around.index(child) > around.index(inner))
        )
        if not is_over:
            found.elements.add(child)
    found.texts.add(around)
    found.tails.update(around)


def _place(said: Mapping[str, str]) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of a box that says all by lengths."""
    if any(said.get(side, "").endswith("%") for side in ("left", "top", "width", "height")):
        return None
    left, top, width, height = (pixels(said.get(name, "")) for name in ("left", "top", "width", "height"))
    if left is None or top is None or width is None or height is None:
        return None
    return left, top, left + width, top + height


def _cover_beside(
    found: Covered,
    box: Any,  # noqa: ANN401
    place: tuple[float, float, float, float],
    declared: Declared,
) -> None:
    """Marks what is drawn before a box, beside it in the file and below it on the page."""
    for other in box.itersiblings(preceding=True):
        if not isinstance(other.tag, str):
            continue
        said = declared(other)
        left, top = pixels(said.get("left", "")), pixels(said.get("top", ""))
        is_placed = said.get("position") == "absolute" and left is not None and top is not None
        if is_placed and place[0] <= (left or 0) < place[2] - 1 and place[1] <= (top or 0) < place[3] - 1:
            found.elements.add(other)
