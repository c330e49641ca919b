"""A report as the page shows it: its outline, and a part of it as printed, with the figures that are in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic_core import to_jsonable_python

from tieout.agent.log.events import ToolCalled
from tieout.agent.log.turn import Turn
from tieout.agent.question.read import read_question
from tieout.agent.view.about import to_be_said
from tieout.data.document import Box, Document, Table
from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.show import reading
from tieout.kg.store.pick import BY_NAME
from tieout.serve.library import Held, Library, LibraryError

PART = 60  # paragraphs in a part of a report without headings
HEAD = later(r"(?:FY\s?)?(?:19|20)\d\d\W?E?|.*[A-Za-z]{3}.*", re.DOTALL)  # a year, a date: heads a column
NUMBERED = later(r"sheet \d+")  # how readers place a table of a web page, which has no sheets
Value = dict[str, Any]


def parts(document: Document) -> list[Value]:
    """The parts of a report in the order of print: a heading, the first paragraph, the paragraph behind the last."""
    starts = [(section.paragraph, section.title, section.level) for section in document.sections]
    end = len(document.paragraphs)
    if not starts:
        starts = [
            (at, f"Part {at // PART + 1}" if end > PART else document.id, 1) for at in range(0, max(end, 1), PART)
        ]
    if starts[0][0] > 0:
        starts.insert(0, (0, "Beginning", 1))
    ends = [*(start for start, _, _ in starts[1:]), end]
    return [
        {"number": number, "title": title, "level": level, "first": start, "end": max(start, last)}
        for number, ((start, title, level), last) in enumerate(zip(starts, ends, strict=True))
    ]


def part_of(document: Document, place: int) -> int:
    """The number of the part in which paragraph `place` stands."""
    found = [each["number"] for each in parts(document) if each["first"] <= place]
    return int(found[-1]) if found else 0


def stands_after(document: Document, table: Table) -> int:
    """How many paragraphs stand in front of a table."""
    return document.before if table.after is None else table.after


def outline(held: Held, library: Library) -> Value:
    """What there is in a report: its parts, and its tables with the part in which each stands."""
    document = held.read
    entries = {entry.number: entry for entry in library.tables(held)}
    tables = [
        {
            "number": number,
            "title": _title(table, number, entries[number].title if number in entries else ""),
            "place": table.place,
            "statement": entries[number].statement if number in entries else "",
            "part": _table_part(document, table),
        }
        for number, table in enumerate(document.tables, start=1)
    ]
    return {"parts": parts(document), "tables": tables}


def _title(table: Table, number: int, title: str) -> str:
    """What a table is called: its title, else its first row label, else its number."""
    label = next((cell for row in table.rows for cell in row[:1] if cell.strip()), "")
    return (table.title or title or label or f"Table {number}")[:120]


def _table_part(document: Document, table: Table) -> int:
    return part_of(document, max(0, stands_after(document, table) - 1))


def part(held: Held, number: int) -> Value:
    """One part as printed: paragraphs and tables in order. Raises IndexError for a number of none."""
    document = held.read
    there = parts(document)
    if not 0 <= number < len(there):
        raise IndexError(number)
    first, end = there[number]["first"], there[number]["end"]
    inside = [
        (at, table) for at, table in enumerate(document.tables, start=1) if _table_part(document, table) == number
    ]
    blocks: list[Value] = []
    for at in range(first, end):
        blocks += [_table(held, n, table) for n, table in inside if stands_after(document, table) == at]
        blocks.append(_paragraph(held, at))
    blocks += [_table(held, n, table) for n, table in inside if not first <= stands_after(document, table) < end]
    return {**there[number], "blocks": blocks}


def _paragraph(held: Held, at: int) -> Value:
    figures = [{"fact": fact.name, "start": fact.start, "end": fact.end} for fact in held.by_paragraph.get(at, ())]
    return {"paragraph": at, "text": held.read.paragraphs[at], "figures": figures}


def _table(held: Held, number: int, table: Table) -> Value:
    cells: dict[str, list[str]] = {}
    for fact in held.by_table.get(number, ()):
        cells.setdefault(f"{fact.row},{fact.column}", []).append(fact.name)
    return {
        "table": number,
        "title": table.title,
        "place": _spoken(held, table.place),
        "rows": table.rows,
        "heads": _heads(table, cells),
        "spans": _spans(table),
        "repeated": table.repeated,
        "figures": cells,
    }


def _heads(table: Table, cells: Mapping[str, object]) -> int:
    """How many rows head the columns: those in front of the first amount, but for a heading of the lines behind it."""
    amounts = [
        int(row)
        for row, _, column in (at.partition(",") for at in cells)
        if not HEAD.fullmatch(table.rows[int(row)][int(column)].strip())
    ]
    above = enumerate(table.rows[: min(amounts, default=0)], start=1)
    return max((number for number, row in above if any(cell.strip() for cell in row[1:])), default=0)


def _spans(table: Table) -> dict[str, int]:
    """How many columns each cell stands over that stands over several, by row and column."""
    again, spans = set(table.repeated), {}
    for number, row in enumerate(table.rows):
        column = 0
        while column < len(row):
            end = column + 1
            while row[column] and (number, end) in again and row[end] == row[column]:
                end += 1
            if end > column + 1:
                spans[f"{number},{column}"] = end - column
            column = end
    return spans


def _spoken(held: Held, place: str) -> str:
    return "" if held.source.form == "html" and NUMBERED.fullmatch(place) else place


def found(held: Held, words: Sequence[str], library: Library) -> Value:
    """The lines and sentences of a report that have any of these words, the best first."""
    document, index = held.read, library.index
    ranked = index.find_sentences(words, [held.id], 30)
    lines = [
        {
            "text": hit.label,
            "table": hit.table,
            "row": hit.row,
            "part": _table_part(document, document.tables[hit.table - 1]),
        }
        for hit in index.find_lines(words, [held.id], 30)
    ]
    sentences = [
        {"text": hit.text[:300], "heading": hit.heading, "part": _part_with(document, hit.text)}
        for hit in to_be_said(index, read_question(" ".join(words)), [held.id], (), ranked)[:15]
    ]
    return {"lines": lines, "sentences": sentences}


def _part_with(document: Document, sentence: str) -> int:
    return part_of(document, next((at for at, text in enumerate(document.paragraphs) if sentence in text), 0))


def place(held: Held, fact: Fact) -> Value:
    """Where a figure is printed: the part, the cell or the span of a paragraph, and where that is in the original."""
    document = held.read
    if fact.table is not None:
        return {"report": held.key, "fact": fact.name, **_cell_place(document, fact.table, fact.row, fact.column)}
    return {"report": held.key, "fact": fact.name, **_span_place(document, fact.paragraph or 0, fact.start, fact.end)}


def _cell_place(document: Document, number: int, row: int | None, column: int | None) -> Value:
    table = document.tables[number - 1]
    where = {"part": _table_part(document, table), "table": number, "row": row, "column": column}
    if row is None or column is None:
        return where
    box = table.boxes[row][column] if table.boxes else None
    cell = table.places[row][column] if table.places else ""
    return {**where, "boxes": [box] if box else [], "cell": cell}


def _span_place(document: Document, paragraph: int, start: int | None, end: int | None) -> Value:
    at = {"part": part_of(document, paragraph), "paragraph": paragraph, "start": start, "end": end}
    boxes = _lines_with(document, paragraph, start, end) if start is not None and end is not None else []
    return {**at, "boxes": boxes, "cell": document.places[paragraph] if document.places else ""}


def _lines_with(document: Document, paragraph: int, start: int, end: int) -> list[Box]:
    """The printed lines that characters of a paragraph stand in, whole: where in a line is only known roughly."""
    lines = document.boxes[paragraph] if document.boxes else ()
    ends = [*(begin for begin, _ in lines[1:]), len(document.paragraphs[paragraph])]
    return [box for (first, box), last in zip(lines, ends, strict=False) if first < end and start < last]


def sentence_place(held: Held, text: str) -> Value | None:
    """Where a sentence is printed; None where the paragraphs do not have it letter by letter."""
    document = held.read
    for at, paragraph in enumerate(document.paragraphs):
        if (start := paragraph.find(text)) >= 0:
            where = _span_place(document, at, start, start + len(text))
            return {"report": held.key, "fact": "", **where}
    return None


def fact(held: Held, name: str, turns: Sequence[tuple[str, Turn]]) -> Value:
    """All that is known of a figure, how to ask for it, and which answers rest on it. Raises KeyError.

    turns: answers so far, each with the name of its conversation.
    """
    found = held.facts[name]
    query = BY_NAME.format(fact=f"<{held.graph.iri}#{name}>")
    return {
        **to_jsonable_python(found),
        "place": _spoken(held, found.place or ""),
        "reading": reading(found),
        "at": place(held, found),
        "sparql": query,
        "used": [
            {"conversation": key, "turn": turn.index, "question": turn.question, "answer": turn.text}
            for key, turn in turns
        ],
    }


def queries(turn: Turn) -> list[str]:
    """The queries that a turn made of the graphs."""
    return list(dict.fromkeys(text for event in turn.events if isinstance(event, ToolCalled) for text in event.sparql))


def marks(turn: Turn, aliases: Mapping[str, Held]) -> Value:
    """Where the figures that a turn rests on are printed, by their names in the conversation."""
    places: Value = {}
    for name in turn.facts_under():
        alias, _, local = name.rpartition(":")
        held = aliases.get(alias)
        found = held.fact(local) if held is not None and held.state == "ready" else None  # it may have been taken out
        if held is not None and found is not None:
            with suppress(LibraryError):  # what it prints is lost: the answer stands without its place
                places[name] = place(held, found)
    for name, held, text in cited(turn, aliases):
        with suppress(LibraryError):
            if (where := sentence_place(held, text)) is not None:
                places[name] = where
    return places


def cited(turn: Turn, aliases: Mapping[str, Held]) -> Iterator[tuple[str, Held, str]]:
    """The sentences that an answer quotes or cites, by their names, with their report and what they say."""
    for name in turn.sentences_under():
        alias, _, local = name.rpartition(":")
        held = aliases.get(alias)
        if held is not None and held.state == "ready" and local[1:].isdecimal():
            for hit in held.sentences(int(local[1:])):
                yield name, held, hit.text
