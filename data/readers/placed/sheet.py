"""What the style sheets of a page in fixed layout say of an element, and the fonts that the page brings along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tieout.data.readers.html.seen.sheet import read_declarations, read_sheets, without_importance

SIDES = ("left", "right", "top", "bottom")
# What says where a piece stands and how it looks.
NAMES = frozenset(
    "display position visibility width height transform -webkit-transform transform-origin -webkit-transform-origin "
    "margin-left margin-top background background-color font-size font-weight font-family font-style letter-spacing "
    "word-spacing line-height white-space vertical-align border".split()
).union(SIDES, (f"border-{side}" for side in SIDES))


class Sheet:
    """All style sheets of a page."""

    def __init__(self, root: Any) -> None:  # noqa: ANN401 - lxml has no types
        self._sheets = read_sheets(root, NAMES)

    @property
    def fonts(self) -> Sequence[Mapping[str, str]]:
        """The declarations of each font."""
        return self._sheets.fonts

    def style(self, element: Any) -> Mapping[str, str]:  # noqa: ANN401
        """What sheets and its own attribute say of an element; what it inherits is not among it."""
        normal, important = self._sheets.declared(element)
        return _style(f"{normal};{element.get('style', '')};{important}")


@lru_cache(maxsize=4096)
def _style(text: str) -> Mapping[str, str]:
    """Declarations by name; what stands later counts."""
    return MappingProxyType({name: without_importance(value) for name, value in read_declarations(text)})
