"""Whether a report prints words: in a cell, a title or a sentence, letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tieout.data.printed.amount import is_dash
from tieout.kg.store.graph import Graph

TEXTS = """SELECT DISTINCT ?text WHERE {
  VALUES ?words { kg:text kg:rowLabel kg:columnLabel kg:section }
  ?place ?words ?text .
}"""

SENTENCES = "SELECT ?number ?text WHERE { ?place a kg:Sentence ; kg:sentence ?number ; kg:text ?text }"


def sentences_of(graph: Graph) -> dict[str, str]:
    """All sentences of a report by their names, in order, with single spaces."""
    rows = sorted((int(str(row["number"])), str(row["text"])) for row in graph.select(SENTENCES))
    return {f"s{number}": " ".join(text.split()) for number, text in rows}


def cell_is_dash(graph: Graph, name: str) -> bool:
    """Whether the cell of this name, `t1r2c3`, in which no figure was read, is printed as a dash."""
    table, row, column = re.findall(r"\d+", name)
    query = f"SELECT ?text WHERE {{ ?place kg:table {table} ; kg:row {row} ; kg:column {column} ; kg:text ?text }}"
    return any(is_dash(str(found["text"]), coded=True) for found in graph.select(query))


def texts_of(graph: Graph) -> tuple[str, ...]:
    """All that a report prints, cell by cell and sentence by sentence, with single spaces."""
    return tuple(" ".join(str(row["text"]).split()) for row in graph.select(TEXTS))


def stands_in(words: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has the words, letter by letter but for spaces."""
    wanted = " ".join(words.split())
    return any(wanted in text for text in texts)
