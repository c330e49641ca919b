"""Whether a report prints words: in a cell, a title or a sentence, letter by letter."""

from __future__ import annotations

from collections.abc import Iterable

from tieout.kg.store.graph import Graph

TEXTS = """SELECT DISTINCT ?text WHERE {
  VALUES ?words { kg:text kg:rowLabel kg:columnLabel kg:section }
  ?place ?words ?text .
}"""


def texts_of(graph: Graph) -> tuple[str, ...]:
    """All that a report prints, cell by cell and sentence by sentence, with single spaces."""
    return tuple(" ".join(str(row["text"]).split()) for row in graph.select(TEXTS))


def stands_in(words: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has the words, letter by letter but for spaces."""
    wanted = " ".join(words.split())
    return any(wanted in text for text in texts)
