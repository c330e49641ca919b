"""The class diagram of a TBox as SVG: the tree of classes from left to right, each with its most printed properties."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from tieout.ontology.show import ROOT, children, properties_of
from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import OntologyClass

LISTED = 6  # properties in a box
LONGEST = 38  # characters of a line
WIDTH, GAP_X, GAP_Y = 250, 60, 14
LINE, HEAD, PAD = 14, 22, 6
_STYLE = (
    "text{font:11px sans-serif;fill:#1d2733}.name{font-weight:bold;font-size:12px}.more{fill:#5c6b7a}"
    "rect{fill:#f6f9fc;stroke:#8aa0b5}.head{fill:#dbe7f3}path{fill:none;stroke:#8aa0b5}"
)


@dataclass(slots=True)
class _Box:
    """One class. y: of its upper edge."""

    name: str
    support: int | None
    lines: list[str]
    column: int
    y: float = 0.0

    @property
    def height(self) -> int:
        return HEAD + (LINE * len(self.lines) + PAD if self.lines else 0)

    @property
    def x(self) -> int:
        return GAP_Y + self.column * (WIDTH + GAP_X)


def svg(ontology: Ontology) -> str:
    """The diagram as an SVG document. The same TBox gives the same text."""
    boxes: list[_Box] = []
    lines: list[tuple[_Box, _Box]] = []
    bottom = _place(ontology, _box(ontology, None, 0), GAP_Y, boxes, lines)
    width = max(box.x for box in boxes) + WIDTH + GAP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom:g}" width="{width}">',
        f"<title>Classes of the ontology</title><style>{_STYLE}</style>",
        *(_line(parent, child) for parent, child in lines),
        *(_drawn(box) for box in boxes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(ontology: Ontology, item: OntologyClass | None, column: int) -> _Box:
    if item is None:
        return _Box(ROOT, None, [], column)
    found = properties_of(ontology, item.name)
    lines = [_short(f"{one.label} ({', '.join(one.units[:2])})" if one.units else one.label) for one in found[:LISTED]]
    if len(found) > LISTED:
        lines.append(f"and {len(found) - LISTED} more")
    return _Box(item.name, item.support, lines, column)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _place(ontology: Ontology, box: _Box, top: float, boxes: list[_Box], lines: list[tuple[_Box, _Box]]) -> float:
    """Places a class left of those below it, and returns where the next one may start."""
    boxes.append(box)
    y = top
    below = [_box(ontology, item, box.column + 1) for item in children(ontology, box.name)]
    for child in below:
        y = _place(ontology, child, y, boxes, lines)
        lines.append((box, child))
    bottom = max(y, top + box.height + GAP_Y)
    middle = (below[0].y + below[-1].y) / 2 if below else top
    box.y = max(top, min(middle, bottom - GAP_Y - box.height))
    return bottom


def _line(parent: _Box, child: _Box) -> str:
    x1, y1, x2, y2 = parent.x + WIDTH, parent.y + HEAD / 2, child.x, child.y + HEAD / 2
    middle = (x1 + x2) / 2
    return f'<path d="M{x1} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {x2} {y2:g}"/>'


def _drawn(box: _Box) -> str:
    title = box.name if box.support is None else f"{box.name} · {box.support}"
    parts = [
        f'<rect x="{box.x}" y="{box.y:g}" width="{WIDTH}" height="{box.height}"/>',
        f'<rect class="head" x="{box.x}" y="{box.y:g}" width="{WIDTH}" height="{HEAD}"/>',
        f'<text class="name" x="{box.x + 8}" y="{box.y + 15:g}">{escape(title)}</text>',
    ]
    for index, text in enumerate(box.lines):
        kind = ' class="more"' if text.startswith("and ") and text.endswith(" more") else ""
        y = box.y + HEAD + LINE * (index + 1) - 2
        parts.append(f'<text{kind} x="{box.x + 8}" y="{y:g}">{escape(text)}</text>')
    return "".join(parts)
