"""Tables and sentences of reports in the notation of the card, as far as there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tieout.agent.view.about import with_named_rows
from tieout.agent.view.ranking import FIT_BEST, RankedTable, statements_first
from tieout.data.printed.harmless import harmless
from tieout.kg.as_text import sentence_lines, table_lines
from tieout.kg.fact import Fact
from tieout.kg.index.passage import TableEntry
from tieout.kg.index.words import Index, SentenceHit
from tieout.kg.reports.opened import OpenReport, renamed

LARGEST_TABLE = 0.5  # share of the budget above which only the rows that matter are shown of a table
LARGEST_BEST = 0.3  # the same of those that fit best, where the view is short
LARGEST_OTHER = 0.1  # the same of what does not fit best, where the view is short
AROUND = (4, 1, 0)  # rows shown before and behind one that matters, of a table that is cut: fewer where room is short
LEAST_TABLE, LEAST_FIGURE = 400, 6  # characters that a table has at the least, and a figure in it
LONGEST_HEADING, LONGEST_SHORT = 160, 90

# Figures and lines of what was read, by alias, report and name: `t5`, or `s340` without lines.
ReadTables = dict[tuple[str, str, str], tuple[tuple[Fact, ...], list[str]]]


class Notation:
    """What of reports is shown.

    reports: by their ids. whole: the characters of a view. is_short: it has little room, so that the statements come
    first and of other tables only the rows that matter. tables: those that were read, by any who share them.
    """

    def __init__(
        self, reports: Mapping[str, OpenReport], index: Index, whole: int, *, is_short: bool, tables: ReadTables
    ) -> None:
        self._reports, self._index, self._whole = reports, index, whole
        self._is_short, self._tables = is_short, tables

    def chosen(self, tables: Sequence[RankedTable], room: int, facts: list[Fact], *, rows_only: bool = False) -> str:
        """Tables as far as there is room. rows_only: of those that are not short, the rows that matter alone."""
        parts: list[str] = []
        for at, table in enumerate(statements_first(tables) if self._is_short and not rows_only else tables):
            if room < LEAST_TABLE:
                break
            is_other = rows_only or (self._is_short and at >= FIT_BEST)
            shown = with_named_rows(self._index, table) if is_other and not rows_only else table
            is_cut = bool(shown.rows) and is_other
            share = LARGEST_OTHER if is_other else LARGEST_BEST if self._is_short else LARGEST_TABLE
            most = min(room, int(self._whole * share)) if self._is_short else room
            if not shown.rows and table.entry.figures * LEAST_FIGURE > most:
                continue  # it would have to be shown whole
            inside: list[Fact] = []
            text = self.table(shown, room, inside, share, is_cut=is_cut and shown is not table)
            if text and len(text) < room:
                parts.append(text)
                facts.extend(inside)
                room -= len(text) + 1
        return "\n".join(parts)

    def table(
        self, table: RankedTable, room: int, facts: list[Fact], share: float = LARGEST_TABLE, *, is_cut: bool = False
    ) -> str:
        """A table in the notation of the card, cut to the rows that matter where it is too long, or is_cut."""
        report = self._reports[table.report]
        number = table.entry.number
        inside, lines = self.read(report, number)
        if not lines:
            return ""
        most = min(room, int(self._whole * share))
        whole = lines
        for around in AROUND[-1:] if is_cut else AROUND:
            if not is_cut and sum(map(len, lines)) + len(lines) + LONGEST_HEADING <= most:
                break
            lines = _cut(whole, number, table.rows, around, with_gaps=not is_cut)
        about = self._about(table.entry)
        facts.extend(inside)
        named = (report.name(line) if report.alias and line.startswith(f"t{number}") else line for line in lines)
        return "\n".join([f"[{report.name('')}{about}]", *named])

    def _about(self, entry: TableEntry) -> str:
        """The headings and the title of a table; where there is little room the last ones alone."""
        parts = list(dict.fromkeys(part for part in (*entry.heading.split(" > "), entry.title) if part))
        about = harmless(" > ".join(parts[-2:] if self._is_short else parts))
        return about[-(LONGEST_SHORT if self._is_short else LONGEST_HEADING) :]

    def read(self, report: OpenReport, number: int) -> tuple[tuple[Fact, ...], list[str]]:
        """The figures of a table and its lines, read once."""
        key = report.alias, report.entry.id, f"t{number}"
        if key not in self._tables:
            inside = self._index.figures(report.entry.id, number)
            corner, cells = self._index.printed(report.entry.id, number)
            lines = table_lines(cells, number, corner, inside)
            self._tables[key] = tuple(renamed(report, inside)), lines
        return self._tables[key]

    def sentences(self, hits: Sequence[SentenceHit], room: int, facts: list[Fact]) -> str:
        """Sentences as far as there is room, report by report."""
        chosen: list[SentenceHit] = []
        for hit in hits:
            if len(hit.text) <= room:
                chosen.append(hit)
                room -= len(hit.text) + 12
        lines: list[str] = []
        there = {hit.report for hit in chosen}
        for report in self._reports.values():
            if report.entry.id not in there:
                continue
            texts = {hit.number: hit.text for hit in chosen if hit.report == report.entry.id}
            inside = self._said(report, sorted(texts))
            facts.extend(inside)
            lines += [report.name(line) for line in sentence_lines(inside, texts)]
        return "\n".join(lines)

    def _said(self, report: OpenReport, numbers: Sequence[int]) -> list[Fact]:
        """The figures of sentences, in the order of print, read once."""
        keys = {number: (report.alias, report.entry.id, f"s{number}") for number in numbers}
        unread = [number for number, key in keys.items() if key not in self._tables]
        found: dict[int | None, list[Fact]] = {number: [] for number in unread}
        for fact in renamed(report, self._index.figures_of_sentences(report.entry.id, unread)):
            found[fact.sentence].append(fact)
        self._tables.update({keys[number]: (tuple(found[number]), []) for number in unread})
        return [fact for key in keys.values() for fact in self._tables[key][0]]


def _cut(lines: Sequence[str], number: int, rows: set[int], around: int, *, with_gaps: bool = True) -> list[str]:
    """The head of a table, and its rows that matter with those around them; `...` where rows are left out."""
    head = next((at for at, line in enumerate(lines) if line.startswith((f"t{number}r", "["))), len(lines))
    wanted = {at for at, line in enumerate(lines) if any(line.startswith(f"t{number}r{row} ") for row in rows)}
    kept = {near for at in wanted for near in range(at - around, at + around + 1)} | set(range(head))
    shown: list[str] = []
    for at, line in enumerate(lines):
        if at in kept:
            shown.append(line)
        elif with_gaps and shown and shown[-1] != "...":
            shown.append("...")
    return shown if with_gaps or len(shown) == len(lines) else [*shown, "..."]
