"""What the name and the style of an element say: bold, raised, a block of its own, the end of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tieout.data.printed.pattern import later

BLOCKS = frozenset(
    "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 "
    "h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th "
    "thead "
    "tr ul caption".split()
)
_BOLD_NAMES = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
_ITALIC_NAMES = frozenset(("i", "em", "cite"))

_WEIGHT = later(r"font(?:-weight)?\s*:[^;]*?\b(bold|bolder|[6-9]00|normal|[1-5]00)\b", re.IGNORECASE)
_SLANT = later(r"font(?:-style)?\s*:[^;]*?\b(italic|oblique)\b", re.IGNORECASE)
_LINE = later(r"text-decoration[^:;]*:[^;]*\bunderline\b", re.IGNORECASE)
_RAISED = later(
    r"vertical-align\s*:\s*super|\bposition\s*:\s*relative\s*;[^\"]*?\b(?:top\s*:\s*-[0-9.]*[1-9]|bottom\s*:\s*[0-9.]*[1-9])",
    re.IGNORECASE,
)
_CENTRED = later(r"text-align\s*:\s*center", re.IGNORECASE)
_BREAK = later(r"(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
_BLOCK = later(r"display\s*:\s*(block|table|flex|list-item|inline-block|inline)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """What an element says of itself; None where it leaves that to the element around it. changes: whether text looks
    different inside. Each is itself and no other: they are made once for each way of saying it."""

    block: bool = False
    bold: bool | None = None
    italic: bool | None = None
    underlined: bool | None = None
    raised: bool | None = None
    centred: bool | None = None
    break_before: bool = False
    break_after: bool = False
    changes: bool = False


@lru_cache(maxsize=8192)
def read_style(name: str, style: str, align: str) -> Style:
    """name: of the element, in lower case; style, align: its attributes, "" for none."""
    weight = _WEIGHT.search(style) if style else None
    bold = (weight[1].lower() in ("bold", "bolder", "600", "700", "800", "900")) if weight else None
    breaks = {match[1].lower() for match in _BREAK.finditer(style)} if style else set()
    shown = _BLOCK.search(style) if style else None
    block = name in BLOCKS
    if shown and shown[1].lower() != "inline-block":
        block = shown[1].lower() != "inline"
    centred = True if name == "center" or align == "center" or (style and _CENTRED.search(style)) else None
    italic = True if name in _ITALIC_NAMES or (style and _SLANT.search(style)) else None
    underlined = True if name == "u" or (style and _LINE.search(style)) else None
    raised = True if name == "sup" or (style and _RAISED.search(style)) else None
    centred = centred if centred or not (align or "text-align" in style) else False
    bold = True if bold is None and name in _BOLD_NAMES else bold
    return Style(
        block=block,
        bold=bold,
        italic=italic,
        underlined=underlined,
        raised=raised,
        centred=centred,
        break_before="before" in breaks,
        break_after="after" in breaks,
        changes=any(each is not None for each in (bold, italic, underlined, raised, centred)),
    )
