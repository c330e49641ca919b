"""The headings of a report as a tree: where every paragraph and table stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from tieout.data.document import Document, Section

JOIN = " > "
LONGEST_TITLE = 120  # letters of one heading in a path


class Outline:
    """The sections of a document with those they stand in."""

    def __init__(self, document: Document) -> None:
        self.sections: Sequence[Section] = document.sections
        self._starts = [section.paragraph for section in document.sections]

    @cached_property
    def parents(self) -> list[int | None]:
        """Of each section the nearest one before it of a lower level, None for those of the first."""
        open_sections: list[int] = []
        found: list[int | None] = []
        for index, section in enumerate(self.sections):
            while open_sections and self.sections[open_sections[-1]].level >= section.level:
                open_sections.pop()
            found.append(open_sections[-1] if open_sections else None)
            open_sections.append(index)
        return found

    @cached_property
    def paths(self) -> list[str]:
        """Of each section its title behind those it stands in: `Part II > Item 8 > Note 5 Debt`."""
        found: list[str] = []
        for section, parent in zip(self.sections, self.parents, strict=True):
            title = section.title[:LONGEST_TITLE]
            found.append(title if parent is None else f"{found[parent]}{JOIN}{title}")
        return found

    def of_paragraph(self, paragraph: int) -> int | None:
        """The section a paragraph stands in; None in front of the first."""
        at = bisect_right(self._starts, paragraph) - 1
        return at if at >= 0 else None
