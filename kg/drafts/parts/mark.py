"""The parts of a company that figures of its tables are about: segments, lines of business, products, places.

What print itself says, without tags: a row or a column is of a part where those beside it add up to a total under words
such as `by segment`, or where the report has named that part so before; a sub-heading or a title, where it is the name
of one. Names are learned from the report alone; places are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.data.tables.table import Line
from tieout.kg.drafts.draft import TableDraft
from tieout.kg.drafts.parts.evidence import FEWEST, MOST_WORDS, TAX, TableParts, bare_heading, is_total
from tieout.kg.drafts.parts.names import Names, learn_names, part_of_total
from tieout.kg.drafts.parts.places import ELIMINATION, PLACES, REST, bare_name, is_item

_NAMED_SEGMENT = later(
    r"^(?:the )?(?P<name>(?!(?:our|other|each|all|reportable|operating|business|information|product|geographic)\b)"
    r"[^\W\d_][^.:;()]{1,48}?)(?<!\bby)(?<!\bper)(?<!\bof)(?<!\bfor)(?<!\breportable)(?<!\boperating)(?<!\bbusiness)"
    r" segments?\b(?! (?:information|data|results|reporting|performance))"
    r"|^segment ?[-–—:] ?(?P<behind>[^\W\d_][^.:;()]{1,48})$",
    re.IGNORECASE,
)
_LONGEST_TITLE = 80  # a longer one is a sentence
_SEGMENT = later(r" segments?$", re.IGNORECASE)
_NUMBERED = later(r"^(?:note|item|part)? ?\d{1,2}[a-z]?[.:)]? ?[-–—]? ?", re.IGNORECASE)


def mark_parts(document: Document, drafts: Sequence[TableDraft]) -> None:
    """Gives the facts of tables the parts of the company that they are about."""
    titles = [
        (table.title, document.sections[table.section].title if table.section is not None else "")
        for table in document.tables
    ]
    tables = [TableParts(draft, *title) for draft, title in zip(drafts, titles, strict=True)]
    names = learn_names(document, tables)
    for table in tables:
        _Marker(table, names).mark()


class _Marker:
    """Marks the facts of one table."""

    def __init__(self, table: TableParts, names: Names) -> None:
        self.table, self.names = table, names
        self.is_apart = bool(TAX.search(f"{table.title} {table.draft.caption}")) and not table.is_by_part

    def mark(self) -> None:
        rows, columns = self._rows(), self._columns()
        sections = self._sections()
        whole = self._whole(set(rows.values()) | set(columns.values()))
        if not (rows or columns or sections or whole):
            return
        for cell in self.table.draft.cells:
            for fact in cell.facts:
                said = (rows.get(cell.row), columns.get(cell.column), sections.get(cell.row), whole)
                fact.parts = tuple(self._apart([part for part in said if part]))

    def _apart(self, parts: Sequence[str]) -> Iterator[str]:
        """The parts without those of a group that one before them is of."""
        seen: set[int] = set()
        told: set[str] = set()
        for part in parts:
            groups = self.names.groups.get(bare_name(part.lower()), set())
            if part.lower() not in told and not groups & seen:
                yield part
            seen |= groups
            told.add(part.lower())

    def _rows(self) -> dict[int, str]:
        found = {row.index: part for row in self.table.rows if _is_proper(part := self._begins(row.label))}
        for lines in self.table.summed_rows():
            found.update((line.index, printed_name(line)) for line in lines)
        if not self.is_apart:
            found.update(self._named(self.table.rows))
            found.update(self._rest(found))
        return found

    def _rest(self, known: Mapping[int, str]) -> Iterator[tuple[int, str]]:
        """What stands beside parts and adds up with them: `other`."""
        rows = self.table.rows
        if len(known) < FEWEST or not any(REST.fullmatch(row.name) for row in rows):
            return
        for places in self.table.blocks.values():
            if sum(rows[at].index in known for at in places) >= FEWEST:
                yield from ((rows[at].index, printed_name(rows[at])) for at in places if REST.fullmatch(rows[at].name))

    def _columns(self) -> dict[int, str]:
        found = {line.index: printed_name(line) for line in self.table.summed_columns() if not is_total(line)}
        if not self.is_apart:
            found.update(self._named(self.table.columns))
        return found

    def _named(self, lines: Sequence[Line]) -> dict[int, str]:
        told = [(line.index, bare_name(part_of_total(line) or line.name)) for line in lines if line.name]
        known = self.names.named(told)
        by_index = {line.index: line for line in lines}
        found = {at: printed_name(by_index[at]) for at in known}
        if len(set(known.values())) >= FEWEST:
            found.update(
                (at, printed_name(by_index[at]))
                for at, name in told
                if ELIMINATION.search(name) and REST.fullmatch(name)
            )
        return found

    def _begins(self, text: str) -> str:
        """The segment that a text begins with, with more behind it: `GM Financial receivables`; "" for none.

        Not a place: `North America pension plans` are of people.
        """
        words = _NUMBERED.sub("", text).split()[: MOST_WORDS + 1]
        for count in range(min(len(words) - 1, MOST_WORDS), 0, -1):
            name = " ".join(words[:count])
            lower = name.lower()
            if lower in self.names.segments and lower not in PLACES and name[:1].isupper():
                behind = " ".join(words[count:]).lower()
                return "" if any(other in behind for other in self.names.segments - {lower}) else name
        return ""

    def _sections(self) -> dict[int, str]:
        """The rows under a sub-heading that is a part."""
        found = {}
        for row in self.table.rows:
            if row.section and (part := self._part(row.section)):
                found[row.index] = part
        return found

    def _part(self, heading: str) -> str:
        """The part that a heading names, "" where it names none."""
        plain = heading.strip(" :")
        if bare_heading(heading) in self.names.segments:
            return _SEGMENT.sub("", plain)
        match = _NAMED_SEGMENT.match(plain)
        name = (match["name"] or match["behind"]) if match else ""
        return name if name and (name.lower() in self.names.segments or not is_item(name.lower())) else ""

    def _whole(self, inside: set[str]) -> str:
        """The part that the whole table is about, by its title, corner or the heading over it."""
        draft = self.table.draft
        for text in (
            draft.layout.corner,
            self.table.title,
            draft.introduction.rpartition(" . ")[2],
            self.table.section,
        ):
            if text and len(text) < _LONGEST_TITLE and (part := self._part(text) or self._begins(text)):
                return part
        return ""


def _is_proper(name: str) -> bool:
    """Whether a name is no common word, which may begin other labels too: `Retail square feet`."""
    return " " in name or (len(name) > 1 and name.isupper())


def printed_name(line: Line) -> str:
    """The name of a part as it is printed, without marks and periods."""
    name = part_of_total(line) or line.name
    at = line.label.lower().find(name)
    if at < 0:
        return name
    end = at + len(name)
    return line.label[at : end + ("." in name and line.label[end : end + 1] == ".")]  # the last point of `U.S.`
