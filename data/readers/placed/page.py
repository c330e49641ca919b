"""The elements of a page in fixed layout into pages of words at their places, and the rules drawn on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.words import Page, Rule
from tieout.data.readers.html.page import NUMBER_TAG
from tieout.data.readers.html.seen.onlooker import SKIPPED
from tieout.data.readers.html.style import BLOCKS
from tieout.data.readers.placed.box import POINTS, Box, Matrix, box_of, length
from tieout.data.readers.placed.fit import Piece, fit, onto_columns, onto_heads
from tieout.data.readers.placed.font import Font, Fonts, usual_font
from tieout.data.readers.placed.letters import Letters
from tieout.data.readers.placed.sheet import Sheet

_LEAST_PAGE, _MOST_RATIO = 200.0, 3.0  # pixels of its sides; how much longer one is than the other
_THIN, _LEAST_RULE = 3.0, 10.0  # pixels
_WEIGHTS = frozenset(("bold", "bolder", "600", "700", "800", "900"))
_BOLD_NAMES, _ITALIC_NAMES = frozenset(("b", "strong", "th")), frozenset(("i", "em"))
_BOLD_FONT = later(r"bold|black|heavy", re.IGNORECASE)
_ITALIC_FONT = later(r"italic|oblique", re.IGNORECASE)
_BREAKS = later(r"[ \t]*[\r\n]\s*")
_RUN = later(r"[ \t\r\n]+")
_NO_COLOUR = later(r"\s*(?:transparent|none|rgba\([^)]*,\s*0?\.?0+\s*\))\s*", re.IGNORECASE)
_ABSOLUTE = frozenset(("absolute", "fixed"))


@dataclass(frozen=True, slots=True)
class Look:
    """How letters look, from all the elements around them. line: the height of a line, None for that of the font."""

    font: Font
    family: str = ""
    size: float = 16.0
    bold: bool = False
    italic: bool = False
    between: float = 0.0  # letters
    space: float = 0.0  # more at each space
    line: float | None = None
    is_kept: bool = False  # spaces are, as they are written
    is_shown: bool = True
    rise: float = 0.0
    shift: float = 0.0

    @property
    def height(self) -> float:
        return self.size * (self.font.ascent + self.font.descent) if self.line is None else self.line


@dataclass(slots=True)
class _Open:
    """An element that is open. box: in which its letters stand; holds: the one that places what is absolute inside;
    end: where it ends on its line, None where its letters say so."""

    look: Look
    box: Box
    holds: Box
    is_block: bool = False
    is_page: bool = False
    end: float | None = None


def read_pages(root: Any) -> Iterator[Page]:  # noqa: ANN401 - lxml has no types
    """Yields the pages of a file in fixed layout, in points."""
    sheet = Sheet(root)
    sources = {
        each["font-family"].strip(" \"'"): each["src"] for each in sheet.fonts if {"font-family", "src"} <= set(each)
    }
    yield from _Walker(root, sheet, Fonts(sources)).pages()


class _Walker:
    """Walks once through all elements."""

    def __init__(self, root: Any, sheet: Sheet, fonts: Fonts) -> None:  # noqa: ANN401
        self.root, self.sheet, self.fonts = root, sheet, fonts
        box = Box(Matrix(), None, None)
        self.open = [_Open(Look(fonts.font("", bold=False)), box, box)]
        self.letters = Letters()
        self.pieces: list[tuple[int, tuple[str, float, bool]]] = []  # the first word of each, and its font
        self.rules: list[Rule] = []
        self.tags: list[Any] = []
        self.number = 0
        self.size = (0.0, 0.0)

    def pages(self) -> Iterator[Page]:
        from lxml import etree

        walk = etree.iterwalk(self.root, events=("start", "end", "comment"))
        skipped = None
        for event, element in walk:
            if event == "start":
                if element.tag in SKIPPED or element.tag == "ix:header" or not self._start(element):
                    walk.skip_subtree()
                    skipped = element
                elif self.open[-1].is_page:
                    yield from self._page()
            elif event == "end" and element is not skipped:
                if self.open[-1].is_page:
                    yield from self._page()
                self._end(element)
            else:
                skipped = None
            if event != "start" and element.tail and element is not self.root:
                self._say(element.tail)
        yield from self._page()

    def _page(self) -> Iterator[Page]:
        """What was written since the last page, if anything."""
        width, height = self.size
        words, rules = self.letters.take(), self.rules
        here = [each for each in self.open if each.is_page]
        box = here[-1].box if here else None
        self.rules, self.size = [], (box.width or 0.0, box.height or 0.0) if box else (0.0, 0.0)
        pieces, self.pieces = self.pieces, []
        if words:
            starts = [first for first, _ in pieces] + [len(words)]
            there = [(font, words[first:end]) for (_, font), (first, end) in zip(pieces, pairwise(starts), strict=True)]
            written = [Piece(font, range_) for font, range_ in there if range_]
            fit(written)
            onto_columns(written)
            onto_heads(written)
            self.number += 1
            width, height = width or max(word.x1 for word in words), height or max(word.y for word in words)
            yield _in_points(Page(self.number, width, height, words, rules))

    def _start(self, element: Any) -> bool:  # noqa: ANN401
        """Opens an element; False for one that is not shown."""
        style = self.sheet.style(element)
        if style.get("display") == "none" or element.get("hidden") is not None:
            return False
        above = self.open[-1]
        look = self._look(element.tag, style, above.look)
        opened = self._placed(element, style, look, above)
        self.open.append(opened)
        if element.tag == "br":
            _next_line(opened.box, look)
            self.letters.end()
        if element.tag == NUMBER_TAG:
            self.tags.append(element)
        if element.text:
            self._say(element.text)
        return True

    def _piece(self, look: Look) -> None:
        """Another box begins, or goes on behind one in it."""
        is_reckoned = look.font is usual_font(look.family, look.bold)
        self.letters.box(not is_reckoned)
        if is_reckoned:
            self.pieces.append((len(self.letters.words) + bool(self.letters.text), (look.family, look.size, look.bold)))

    def _placed(self, element: Any, style: Mapping[str, str], look: Look, above: _Open) -> _Open:  # noqa: ANN401
        """Where an element stands: in a box of its own, or on the line that is written."""
        position, display, box = style.get("position", ""), style.get("display", ""), above.box
        is_block = (element.tag in BLOCKS and display not in ("inline", "inline-block")) or display in ("block", "flex")
        is_absolute = position in _ABSOLUTE
        is_page = not any(each.is_page for each in self.open) and self._is_page(style, look, above.holds)
        if is_page:
            self.letters.end()
            made = box_of({name: style[name] for name in ("width", "height")}, above.holds, (0.0, 0.0), look.size, 0.0)
            made.matrix = Matrix()
            return _Open(look, made, made, True, True)
        if is_absolute or (is_block and (position == "relative" or "transform" in style)):
            self._piece(look)
            around = above.holds if is_absolute else box
            at = (box.x, box.y) if is_absolute else (box.left, box.y + (box.line if box.x > box.left else 0.0))
            made = box_of(style, around, at, look.size, look.height)
            self._draw(style, made, look)
            return _Open(look, made, made, is_block)
        if is_block:
            if box.x > box.left:
                _next_line(box, look)
            self.letters.end()
            return _Open(look, box, above.holds, True)
        margin = length(style["margin-left"], look.size) if "margin-left" in style else None
        box.x += margin or 0.0
        wide = length(style["width"], look.size) if "width" in style and display == "inline-block" else None
        return _Open(look, box, above.holds, end=None if wide is None else box.x + wide)

    def _is_page(self, style: Mapping[str, str], look: Look, around: Box) -> bool:
        """Whether an element is a page: both of its sides are given, as those of a sheet of paper are."""
        sides = [length(style.get(name, ""), look.size, 0.0) or 0.0 for name in ("width", "height")]
        return min(sides) >= _LEAST_PAGE and max(sides) <= _MOST_RATIO * min(sides) and around.width is None

    def _draw(self, style: Mapping[str, str], box: Box, look: Look) -> None:
        """The rule that an element is, or has above or below it."""
        wide, high = box.width or 0.0, box.height or 0.0
        if wide < _LEAST_RULE or not box.matrix.is_upright:
            return
        ground = style.get("background-color") or style.get("background", "none")
        edges = [0.0] if high <= _THIN and not _NO_COLOUR.match(ground) and "height" in style else []
        edges += [at for side, at in (("top", 0.0), ("bottom", high)) if _has_border(style, side, look.size)]
        for at in edges:
            (x0, y), (x1, _) = box.matrix.place(0.0, at), box.matrix.place(wide, at)
            self.rules.append(Rule(x0, x1, y))

    def _look(self, tag: str, style: Mapping[str, str], above: Look) -> Look:
        size = _size(style.get("font-size", ""), above.size)
        weight = style.get("font-weight", "")
        family = style.get("font-family", above.family)
        bold = (weight in _WEIGHTS) if weight else (above.bold or tag in _BOLD_NAMES)
        changed: dict[str, Any] = {
            "size": size,
            "family": family,
            "bold": bold or bool(_BOLD_FONT.search(family)),
            "italic": "italic" in style.get("font-style", "") or tag in _ITALIC_NAMES or above.italic
            if style.get("font-style") != "normal"
            else bool(_ITALIC_FONT.search(family)),
        }
        if (family, bold) != (above.family, above.bold):
            changed["font"] = self.fonts.font(family, bold)
        for name, own in (("letter-spacing", "between"), ("word-spacing", "space")):
            if name in style:
                changed[own] = length(style[name], size) or 0.0
        if "line-height" in style:
            changed["line"] = _line_height(style["line-height"], size)
        if "white-space" in style:
            changed["is_kept"] = style["white-space"].startswith("pre")
        if "visibility" in style:
            changed["is_shown"] = style["visibility"] != "hidden"
        if "vertical-align" in style:
            changed["rise"] = above.rise + (length(style["vertical-align"], size, size) or 0.0)
        if style.get("position") == "relative" and tag not in BLOCKS:
            top, bottom = (length(style.get(name, ""), size) or 0.0 for name in ("top", "bottom"))
            changed["rise"] = changed.get("rise", above.rise) + bottom - top
            changed["shift"] = above.shift + (length(style.get("left", ""), size) or 0.0)
        return replace(above, **changed)

    def _end(self, element: Any) -> None:  # noqa: ANN401
        closed = self.open.pop()
        if element.tag == NUMBER_TAG and element in self.tags:
            self.tags.remove(element)
        if closed.end is not None:
            closed.box.x = closed.end
        elif closed.box is not self.open[-1].box:
            self._piece(self.open[-1].look)
        elif closed.is_block:
            if closed.box.x > closed.box.left:
                _next_line(closed.box, closed.look)
            self.letters.end()

    def _say(self, raw: str) -> None:
        here = self.open[-1]
        look, box = here.look, here.box
        text = _BREAKS.sub("" if box.x == box.left else " ", raw) if look.is_kept else _RUN.sub(" ", raw)
        if not look.is_kept and box.x == box.left:
            text = text.lstrip(" ")
        if not text or not look.size:
            return
        across, down = box.matrix.a, abs(box.matrix.d) or abs(box.matrix.b)
        base = box.y + (look.height - look.size * (look.font.ascent + look.font.descent)) / 2
        base += look.size * look.font.ascent - look.rise
        box.line = max(box.line, look.height)
        tags = tuple(self.tags)
        for letter in text:
            width = look.font.width(letter) * look.size
            if look.is_shown:
                at = box.matrix.place(box.x + look.shift, base)
                self.letters.add(letter, at, width * across, look.size * down, (look.bold, look.italic), tags)
            box.x += width + look.between + (look.space if letter in " \u00a0" else 0.0)


def _next_line(box: Box, look: Look) -> None:
    box.y += box.line or look.height
    box.x, box.line = box.left, 0.0


def _size(text: str, above: float) -> float:
    found = length(text, above, above) if text else None
    return above if found is None else max(0.0, found)


def _line_height(text: str, size: float) -> float | None:
    try:
        return float(text) * size
    except ValueError:
        return length(text, size, size)


def _has_border(style: Mapping[str, str], side: str, size: float) -> bool:
    said = style.get(f"border-{side}") or style.get("border", "")
    wide = next((each for word in said.split() if (each := length(word, size)) is not None), 0.0)
    return bool(said) and wide > 0 and not re.search(r"\b(?:none|hidden)\b|transparent", said)


def _in_points(page: Page) -> Page:
    for word in page.words:
        word.x0, word.x1, word.y, word.size = (POINTS * each for each in (word.x0, word.x1, word.y, word.size))
    page.rules = [Rule(POINTS * each.x0, POINTS * each.x1, POINTS * each.y) for each in page.rules]
    page.width, page.height = POINTS * page.width, POINTS * page.height
    return page
