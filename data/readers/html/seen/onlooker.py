"""What a person sees of a page while it is walked through: element by element, from the outside in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tieout.data.readers.html.seen.cover import Covered, find_covered
from tieout.data.readers.html.seen.sheet import read_sheets
from tieout.data.readers.html.seen.sight import (
    USUAL,
    Sight,
    attributes_declare,
    declarations,
    has_looks,
    looked_at,
)

# Elements that a browser does not show, or shows something else for.
SKIPPED = frozenset(
    "head script style template noscript select textarea object applet iframe svg math audio video canvas rp datalist "
    "progress meter noframes noembed ix:header".split()
)
_Seen = tuple[Sight, bool]  # and whether text is seen so


class Onlooker:
    """Walks along with whoever reads the page.

    covered: what lies under something else, None as long as nobody has looked for it. stack: how the open elements are
    seen, and whether text in them is. unseen: the texts with digits that are in the page and not seen. generates: style
    sheets print texts of their own.
    """

    def __init__(self, root: Any, covered: Covered | None = None) -> None:  # noqa: ANN401 - lxml has no types
        self.sheets = read_sheets(root)
        self.covered = covered
        self._has_sheets, self.generates = bool(self.sheets), self.sheets.has_generated
        self.unseen: list[str] = []
        self.stack: list[_Seen] = [(USUAL, True)]
        self._known: dict[tuple[int, str, str], _Seen] = {}  # by the identity of the look around it
        self._looks: dict[Sight, Sight] = {USUAL: USUAL}  # each once
        self._has_closed = next(root.iter("details", "dialog"), None) is not None
        self._boxes: list[Any] = []

    def enter(self, element: Any) -> str | None:  # noqa: ANN401
        """What is declared of the looks of an element, the last of a kind counting; None where a person sees nothing of
        it, and nothing is entered."""
        tag, get = element.tag, element.get
        if tag in SKIPPED:
            return None
        seen = self.stack[-1]
        declared = self._declared(element) if self._has_sheets or has_looks(tag, get) else get("style", "")
        if declared:
            key = (id(seen[0]), tag, declared)
            found = self._known.get(key)
            seen = self._known[key] = self._seen(looked_at(seen[0], tag, declared)) if found is None else found
            if seen[0].may_cover:
                self._boxes.append(element)
        if self._has_closed:
            seen = self._seen(_opened(seen[0], element))
        if (
            seen[0].gone
            or get("hidden") is not None
            or get("popover") is not None
            or (self.covered and element in self.covered.elements)
        ):
            self._keep_all(element)
            return None
        self.stack.append(seen)
        return declared

    def look_for_covered(self) -> Covered | None:
        """What the boxes that were entered lie over, None for nothing; asked once all of a page was walked through."""
        return find_covered(self._boxes, self._declarations) if self.covered is None and self._boxes else None

    def leave(self) -> None:
        """The element that was entered last ends."""
        self.stack.pop()

    def hide(self) -> None:
        """The element that was entered last is not seen."""
        self.stack[-1] = self._seen(replace(self.stack[-1][0], visible=False))

    def said(self, element: Any, where: str) -> str:  # noqa: ANN401
        """The text that a style sheet puts `before` or `after` an element."""
        return self.sheets.said(element, where)

    def keep(self, text: str) -> None:
        """Keeps a text that is not seen, where it holds digits."""
        if any(map(str.isdigit, text)):
            self.unseen.append(" ".join(text.split()))

    def _seen(self, look: Sight) -> _Seen:
        look = self._looks.setdefault(look, look)
        return look, look.is_seen

    def _declared(self, element: Any) -> str:  # noqa: ANN401
        own: str = element.get("style", "")
        if has_looks(element.tag, element.get):
            own = attributes_declare(element.tag, element.attrib) + own
        if not self.sheets:
            return own
        normal, important = self.sheets.declared(element)
        return ";".join(each for each in (normal, self.sheets.filled(own), important) if each)

    def _declarations(self, element: Any) -> Mapping[str, str]:  # noqa: ANN401
        return declarations(self._declared(element))

    def _keep_all(self, element: Any) -> None:  # noqa: ANN401
        """Keeps the texts of an element of which nothing is seen; what is never shown anywhere is no text."""
        if len(element) == 0:
            if element.text:
                self.keep(element.text)
            return
        from lxml import etree

        walk = etree.iterwalk(element, events=("start", "end", "comment"))
        for event, each in walk:
            if event == "start" and each.tag in SKIPPED:
                walk.skip_subtree()
            elif event == "start" and each.text:
                self.keep(each.text)
            if event != "start" and each is not element and each.tail:
                self.keep(each.tail)


def _opened(seen: Sight, element: Any) -> Sight:  # noqa: ANN401
    """How an element is seen where a person has opened nothing: a dialog, what stands below a summary."""
    tag = element.tag
    if tag == "dialog" and element.get("open") is None:
        return replace(seen, gone=True)
    if tag == "details" and element.get("open") is None:
        return replace(seen, visible=False)
    parent = element.getparent()
    if parent is not None and parent.tag == "details" and parent.get("open") is None:
        return replace(seen, visible=tag == "summary", gone=tag != "summary")
    return seen
