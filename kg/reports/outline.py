"""The outline of reports as text: what they are, and their statements and tables by name; and what such a text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tieout.data.printed.harmless import harmless
from tieout.kg.filings.naming import Directory
from tieout.kg.index.passage import ReportEntry, TableEntry

LISTED = "company"  # in front of each company of the outline
LONGEST = 10_000  # characters of all reports together
LONGEST_OF_MANY = 40_000  # of many reports with their statements
LONGEST_SHORT = 2_200  # of the sections of all reports together, where there is little room
LONGEST_TITLE = 70
LEAST_SURE = 0.7  # of a statement that is told by itself, where there is little room
_HEAD = re.compile(r"^(?:(?P<alias>[a-z0-9]+): )?(?P<about>.+); \d+ tables, \d+ figures$", re.MULTILINE)
_LISTED = re.compile(rf"^{LISTED} (?P<name>[^():]+?)(?: \((?P<also>[^()]*)\))?: (?P<filings>[^:\n]*)$", re.MULTILINE)
_ALIAS = re.compile(r"[a-z0-9]+")
_TABLE = re.compile(r"^(?:[a-z0-9]+:)?t\d+ (.*?)(?: \([a-z ]+ statement\))?$", re.MULTILINE)
_ABOUT = re.compile(r"(?:, (?:[0-9]+|[SF])-[0-9A-Z]+(?:/A)?)?(?:, period ended [0-9-]+)?$")
READ_ONCE = 4  # outlines: of many companies one is long, and each reply looks at it several times
MOST_STATEMENTS = 8  # of one report, where there is no room for all tables


def short_outline(
    reports: Mapping[str, ReportEntry],
    counts: Mapping[str, int],
    statements: Callable[[], Mapping[str, Sequence[TableEntry]]],
) -> str:
    """The outline of many reports: each with its statements. counts: of the tables of each, by id; statements: by id.

    Of more than there is room for, only what reports there are.
    """
    parts = [_report(alias, entry, (), whole=True, count=counts.get(entry.id, 0)) for alias, entry in reports.items()]
    short = "\n".join(parts)
    if len(short) > LONGEST_OF_MANY:
        return short
    found = statements()
    with_statements = [
        "\n".join([head, *(_line(alias, table) for table in found.get(entry.id, ()))])
        for head, (alias, entry) in zip(parts, reports.items(), strict=True)
    ]
    text = "\n".join(with_statements)
    return text if len(text) <= LONGEST_OF_MANY else short


def outline(reports: Mapping[str, ReportEntry], tables: Mapping[str, Sequence[TableEntry]]) -> str:
    """The outline as text. reports, tables: by alias, "" for the only one.

    Where the whole is too long, the statements stay and the other tables are only counted.
    """
    full = [_report(alias, entry, tables[alias], whole=True) for alias, entry in reports.items()]
    text = "\n".join(full)
    if len(text) <= LONGEST:
        return text
    room = LONGEST // max(len(reports), 1)
    short = [
        one if len(one) <= room else _report(alias, reports[alias], tables[alias], whole=False)
        for one, alias in zip(full, reports, strict=True)
    ]
    return "\n".join(short)


def outline_of_sections(reports: Mapping[str, ReportEntry], tables: Mapping[str, Sequence[TableEntry]]) -> str:
    """The outline where there is little room: of each report its statements, and by section which tables are in it.

    Where the sections are too many, only those that are highest up are told.
    """
    room = LONGEST_SHORT // max(len(reports), 1)
    parts = []
    for alias, entry in reports.items():
        head = _report(alias, entry, (), whole=True, count=len(tables[alias]))
        sure = [table for table in _statements(tables[alias]) if table.certainty >= LEAST_SURE]
        statements = [_line(alias, table) for table in sure]
        others = [table for table in tables[alias] if table not in sure]
        told = [_sections(alias, others, depth) for depth in (3, 2, 1)]
        fits = next((each for each in told if sum(map(len, each)) <= room), told[-1])
        parts.append("\n".join([head, *statements, *_as_fits(fits, room)]))
    return "\n".join(parts)


def _sections(alias: str, tables: Sequence[TableEntry], depth: int) -> list[str]:
    """A line for each section, `Note 7. Debt: t49-t55`, by its headings to a depth."""
    found: dict[str, list[int]] = {}
    for table in tables:
        names = [part for part in table.heading.split(" > ") if part]
        found.setdefault(harmless(names[min(depth, len(names)) - 1] if names else ""), []).append(table.number)
    before = f"{alias}:t" if alias else "t"
    return [
        f"{name[:LONGEST_TITLE]}: {before}{numbers[0]}{f'-t{numbers[-1]}' if len(numbers) > 1 else ''}"
        for name, numbers in found.items()
        if name
    ]


def _as_fits(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return [*kept, "(and more sections: search for words, open one by its heading)"]
        kept.append(line)
    return kept


@dataclass(frozen=True, slots=True)
class Listed:
    """A company as the outline of open reports tells it. names: its own first. filings: aliases, the newest first."""

    names: tuple[str, ...]
    filings: tuple[str, ...]


def plain_name(name: str) -> str:
    """A name without what would end it in an outline."""
    return " ".join(harmless(name).translate(str.maketrans("():;", "    ")).split())


def company_line(names: Iterable[str], filings: Iterable[str]) -> str:
    """A company as `listed_in` reads it. names: its own first. filings: each begins with its alias."""
    own, *others = map(plain_name, names)
    also = f" ({'; '.join(others)})" if others else ""
    return f"{LISTED} {own}{also}: {', '.join(filings)}"


@lru_cache(maxsize=READ_ONCE)
def listed_in(outline: str) -> tuple[Listed, ...]:
    """The companies that an outline lists; none where one report is open."""
    return tuple(
        Listed(
            (match["name"], *filter(None, (match["also"] or "").split("; "))),
            tuple(map(_alias_of, match["filings"].split(", "))),
        )
        for match in _LISTED.finditer(outline)
    )


def _alias_of(told: str) -> str:
    """The alias of a filing that an outline tells: "" of the one with which a conversation began alone."""
    word = told.partition(" ")[0]
    return word if _ALIAS.fullmatch(word) else ""


@lru_cache(maxsize=READ_ONCE)
def companies_in(outline: str) -> Mapping[str, str]:
    """The names of the companies of an outline, by alias: "" for the only one."""
    return {match["alias"] or "": _ABOUT.sub("", match["about"]) for match in _HEAD.finditer(outline)}


@lru_cache(maxsize=READ_ONCE)
def directory(outline: str, ticker: str) -> Directory:
    """The names of the companies of an outline. ticker: of the only one."""
    names = {one.names[0]: one.names for one in listed_in(outline)} or {
        name: (name,) for name in companies_in(outline).values()
    }
    return Directory(names, dict.fromkeys(names, ticker) if ticker and len(names) == 1 else {})


def tables_in(outline: str) -> list[str]:
    """The titles of the tables of an outline, in its order."""
    return [match[1] for match in _TABLE.finditer(outline) if match[1].strip()]


def _report(
    alias: str, entry: ReportEntry, tables: Sequence[TableEntry], *, whole: bool, count: int | None = None
) -> str:
    about = [harmless(entry.company or entry.id), entry.form, f"period ended {entry.ended}" if entry.ended else ""]
    head = ", ".join(part for part in about if part)
    held = f"{len(tables) if count is None else count} tables, {entry.facts} figures"
    lines = [f"{f'{alias}: ' if alias else ''}{head}; {held}"]
    chosen = tables if whole else _statements(tables)
    section = None
    for table in chosen:
        if whole and (under := _section(table)) != section:
            section = under
            lines.append(f"[{section}]")
        lines.append(_line(alias, table))
    if len(chosen) < len(tables):
        lines.append(f"({len(tables) - len(chosen)} more tables: search for words, open one by its name)")
    return "\n".join(lines)


def _statements(tables: Sequence[TableEntry]) -> list[TableEntry]:
    sure = sorted((table for table in tables if table.statement), key=lambda table: -table.certainty)
    return sorted(sure[:MOST_STATEMENTS], key=lambda table: table.number)


def _section(table: TableEntry) -> str:
    parts = table.heading.split(" > ")
    return harmless(" > ".join(parts[:2]))[:LONGEST_TITLE]


def _line(alias: str, table: TableEntry) -> str:
    name = f"{alias}:t{table.number}" if alias else f"t{table.number}"
    title = harmless(table.title or table.heading.rpartition(" > ")[2])[:LONGEST_TITLE]
    kind = f" ({table.statement} statement)" if table.certainty >= 0.9 else ""
    return f"{name} {title}{kind}"
