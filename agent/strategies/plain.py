"""The strategy `plain`: the whole report in one prompt, no graph; the model reads, calculates and types the answer.

It is the baseline that the others are compared with. What it answers rests on nothing, and is recorded as that.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from tieout.agent.ledger.display import display
from tieout.agent.ledger.ledger import Entry, Ungrounded
from tieout.agent.protocol.message import Card
from tieout.agent.protocol.tool import ToolError, declare
from tieout.agent.strategies.prompt import instructions
from tieout.agent.strategies.strategy import ToolsStrategy
from tieout.agent.tools.answering import Answer
from tieout.agent.tools.toolbox import Tools, digits
from tieout.agent.view.card import CLOSE, OPEN
from tieout.agent.workspace import Settings
from tieout.data.document import Document
from tieout.data.printed.amount import Unit
from tieout.data.printed.harmless import harmless
from tieout.kg.store.graph import Graph

# Strict: whatever can be read as two numbers is asked for again, for nothing shows afterwards that it was guessed.
NUMBER = re.compile(
    r"""(?:[$€£¥]\s*)?
    (?:(?P<minus>[-−]|(?P<bracket>\())\s*|\+\s*)?
    (?:[$€£¥]\s*)?
    (?P<digits>(?:[1-9]\d{0,2}(?:,\d{3}){1,12}|\d{1,40})(?:\.\d{0,40})?|\.\d{1,40})
    (?:\s*(?P<percent>%)|\s*[$€£¥])?
    (?(bracket)\s*\))""",
    re.VERBOSE,
)


def plain_text(document: Document) -> str:
    """A report as it is printed: its sentences, a line each, and the rows of its tables, cells divided by bars."""
    tables = [" | ".join(map(harmless, row)) for table in document.tables for row in table.rows]
    paragraphs = [harmless(paragraph) for paragraph in document.paragraphs]
    return "\n".join([*paragraphs[: document.before], *tables, *paragraphs[document.before :]])


def plain_card(document: Document) -> Card:
    """The whole report between its marks, without a fact."""
    return Card(document_id=document.id, facts=(), text=f"{OPEN}\n{plain_text(document)}\n{CLOSE}")


def answer_plainly(
    tools: Tools,
    value: Annotated[
        str,
        BeforeValidator(lambda value: str(value) if isinstance(value, bool) else digits(value)),
        Field(min_length=1, max_length=100, description="The number (0.142 for 14.2%), or yes or no."),
    ],
    reason: Annotated[str, Field(max_length=2000, description="How you found it, in one sentence.")] = "",
) -> Answer:
    """Answer the question. Ends the turn."""
    entry = tools.ledger.add(Entry(name="answer", **_read(value), about=reason[:200], source=Ungrounded()))
    return Answer(entry=entry, format=None, text=display(entry))


def _read(text: str) -> dict[str, Any]:
    """The value and unit of an answer that a model typed. Raises ToolError where it is none."""
    plain = text.strip().lower().rstrip(".")
    if plain in ("yes", "no", "true", "false"):
        return {"value": plain in ("yes", "true")}
    match = NUMBER.fullmatch(plain)
    if match is None:
        raise ToolError(f"{text!r} is no number, and neither yes nor no")
    value = Decimal(match["digits"].replace(",", ""))
    return {
        "value": value.copy_negate() if match["minus"] and value else value,
        "unit": Unit.PERCENT if match["percent"] else None,
    }


ANSWER_PLAINLY = declare(answer_plainly)


class PlainStrategy(ToolsStrategy):
    """One structured answer from the printed page."""

    name = "plain"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.instructions = instructions("plain")
        self.tools = (ANSWER_PLAINLY,)
        self.first_call = None

    def card(self, graph: Graph, document: Document | None) -> Card:
        """The report as it is printed. Raises ValueError where the session was not given it."""
        if document is None:
            raise ValueError("the strategy 'plain' needs the report itself, not only its graph")
        return plain_card(document)
