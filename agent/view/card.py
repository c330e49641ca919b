"""The document card: the page as the graph understood it, as `tieout.kg.as_text` has it, between two marks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tieout.agent.protocol.message import Card
from tieout.kg.as_text import page_lines, sentences_of

if TYPE_CHECKING:
    from tieout.kg.store.graph import Graph

OPEN, CLOSE = "<report>", "</report>"


@lru_cache(maxsize=8)  # the first look at a page tells how long it is, the next one answers from it
def make_card(graph: Graph) -> Card:
    """The facts of a graph, and the page as text, between two marks that its own text cannot write."""
    facts, sentences = graph.facts(), sentences_of(graph)
    text = "\n".join([OPEN, *page_lines(graph, facts), CLOSE])
    said = tuple(sentences[number] for number in sorted(sentences))
    return Card(document_id=graph.document_id, facts=facts, text=text, sentences=said)
