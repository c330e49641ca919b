"""A part of a long report by its name: a table (`t12`), a fact (`t12r5c2`), a sentence (`s340`), a statement by what it
is called in print or not, a section by its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact, FactKind
from tieout.kg.index.statement import statement_called, statement_tables
from tieout.kg.store.graph import Graph

SURE = 80  # of 100: how near a title has to be to what is asked for
MOST_NAMED = 3
_TABLE = later(r"(?:t|table )?([0-9]+)(?:r[0-9]+(?:c[0-9]+[a-z]*)?)?", re.IGNORECASE)
_SENTENCE = later(r"s([0-9]+)(?:a[0-9]+)?", re.IGNORECASE)
HEADINGS = "SELECT ?section ?title ?path { ?section a kg:Section ; rdfs:label ?title ; kg:path ?path }"
TABLES = """
SELECT ?table ?caption ?path
{ ?t a kg:Table ; kg:table ?table OPTIONAL { ?t kg:caption ?caption } OPTIONAL { ?t kg:within/kg:path ?path } }
"""


class PartError(ValueError):
    """A report has no part of that name. The message names the nearest."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its tables by number, and the facts of its text."""

    title: str
    tables: frozenset[int]
    text: tuple[Fact, ...]


def find_part(graph: Graph, name: str) -> Part:
    """The part of a report that a name means. Raises PartError."""
    facts = graph.facts()
    tables = graph.select(TABLES)
    numbers = {int(str(row["table"])) for row in tables}
    if (match := _TABLE.fullmatch(name.strip())) and int(match[1]) in numbers:
        return Part(f"table {match[1]}", frozenset((int(match[1]),)), ())
    if match := _SENTENCE.fullmatch(name.strip()):
        here = tuple(fact for fact in facts if fact.sentence == int(match[1]) and fact.kind is FactKind.TEXT)
        if here:
            return Part(f"sentence {match[1]}", frozenset(), here)
    if (statement := statement_called(name)) and (stated := statement_tables(facts, statement)):
        return Part(name, frozenset(stated), ())
    paths = [str(row["path"]) for row in graph.select(HEADINGS)]
    captions = {int(str(row["table"])): str(row["caption"] or "") for row in tables}
    chosen = _nearest(name, sorted(set(paths)), captions)
    if isinstance(chosen, int):
        return Part(f"table {chosen}: {captions[chosen]}", frozenset((chosen,)), ())
    inside = frozenset(int(str(row["table"])) for row in tables if _is_under(str(row["path"] or ""), chosen))
    text = tuple(fact for fact in facts if fact.kind is FactKind.TEXT and _is_under(fact.heading, chosen))
    return Part(chosen, inside, text)


def _is_under(path: str, section: str) -> bool:
    return path == section or path.startswith(f"{section} > ")


def _nearest(name: str, paths: Sequence[str], captions: dict[int, str]) -> str | int:
    """The section whose title has the words, the shortest of several, else the table whose caption has them, else the
    nearest title by its letters."""
    words = name.lower().split()
    titles = {path: path.rpartition(" > ")[2] for path in paths}
    having = [path for path, title in titles.items() if all(word in title.lower() for word in words)]
    if having:
        return min(having, key=lambda path: (len(titles[path]), len(path), path))
    tables = [number for number, caption in captions.items() if all(word in caption.lower() for word in words)]
    if tables:
        return min(tables, key=lambda number: (len(captions[number]), number))
    near = process.extract(name, titles, scorer=fuzz.WRatio, limit=MOST_NAMED)
    if near and near[0][1] >= SURE:
        return str(near[0][2])
    hint = " or ".join(repr(title) for title, _, _ in near)
    raise PartError(
        f"no part {name!r}; did you mean {hint}?" if hint else f"no part {name!r}: the report has no headings"
    )
