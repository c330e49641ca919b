"""The parts of a company that a report names, in its tables and in sentences that list its segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.data.tables.table import Line
from tieout.kg.drafts.parts.evidence import FEWEST, TableParts
from tieout.kg.drafts.parts.places import REST, bare_name

_LISTED = later(
    r"\b(?:reportable|operating|business|reporting) segments\b[^.:;]{0,60}?(?:: |\b(?:are|being|include|namely|of) )"
    r"(?P<list>[A-Z(“\"][^.;:]{5,300})"
)
_COMMA = later(r",? and |, |; ")
_ASIDE = later(r"\s*\([^()]*\)|[“”\"]|^(?:the|our|and) ")
_PART_NAME = later(r"(?:[A-Z][\w&./’'-]*|of|and|the|&|,)(?: (?:[A-Z&][\w&./’'-]*|of|and|the|&))*")


@dataclass(slots=True)
class Names:
    """The parts that a report names, by their names in lower case, with the groups each was named in.

    segments: those that are called segments, which are told wherever they stand alone.
    """

    groups: dict[str, set[int]] = field(default_factory=dict)
    segments: set[str] = field(default_factory=set)
    count: int = 0

    def learn(self, names: Iterable[str], are_segments: bool) -> None:
        """Takes in a group of names that stand beside one another."""
        found = [name for name in dict.fromkeys(names) if not REST.fullmatch(name)]
        self.count += 1
        for name in found:
            self.groups.setdefault(name, set()).add(self.count)
        if are_segments:
            self.segments.update(found)

    def named(self, lines: Iterable[tuple[int, str]]) -> dict[int, str]:
        """The lines, by number, that are parts by their names: a segment alone, others two of one group."""
        known = {at: name for at, name in lines if name in self.groups}
        beside: dict[int, set[str]] = {}
        for name in known.values():
            for group in self.groups[name]:
                beside.setdefault(group, set()).add(name)
        together = {name for names in beside.values() if len(names) >= FEWEST for name in names}
        return {at: name for at, name in known.items() if name in self.segments or name in together}


def learn_names(document: Document, tables: Sequence[TableParts]) -> Names:
    """The parts that a report names."""
    names = Names()
    for listed in _listed(document):
        names.learn(listed, are_segments=True)
    for table in tables:
        _learn(table, names)
    return names


def _learn(table: TableParts, names: Names) -> None:
    for lines in table.summed_rows():
        names.learn([bare_name(line.name) for line in lines], table.is_by_segment)
    if columns := table.summed_columns():
        told = [part_of_total(line) or line.name for line in columns]
        names.learn([bare_name(name) for name in told], table.is_by_segment)
    names.learn(table.blocks_of_parts(), are_segments=True)
    for repeated in table.repeated_rows():
        names.learn(repeated, are_segments=False)


def _listed(document: Document) -> Iterator[list[str]]:
    """The names in `three reportable segments: Cloud, Devices and Services`."""
    for paragraph in document.paragraphs:
        if "segments" not in paragraph:
            continue
        for match in _LISTED.finditer(paragraph):
            names = [_ASIDE.sub("", part).strip() for part in _COMMA.split(match["list"])]
            if len(names) >= FEWEST and all(_PART_NAME.fullmatch(name) and name.count(" ") < 5 for name in names):
                yield [name.lower() for name in names]


def part_of_total(line: Line) -> str:
    """`automotive` of `total automotive`; "" for what is no total of a part."""
    return line.name.removeprefix("total ") if line.name.startswith("total ") else ""
