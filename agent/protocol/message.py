"""The seam to whatever answers: a Backend turns a Request into a Reply. No vendor's type is in either.

The kinds of answers, and what an answer is made of, are the same for all."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import Field

from tieout.agent.question.question import Question
from tieout.agent.question.topic import Full
from tieout.data.frozen import Frozen
from tieout.kg.fact import Fact
from tieout.ontology.asked.listed import Names


class Said(NamedTuple):
    """The sentences that have most of the words of a question; the share of them that they have; the names of their
    figures that are of the sort that is asked for; the things that they name one by one where these are asked for."""

    texts: tuple[str, ...]
    share: float
    figures: tuple[str, ...]
    names: Names | None = None


class Amount(NamedTuple):
    """The figure that a sentence tells of one thing that is asked for. share: of the words of the question that its
    passage has; lead: by how much it fits better than any other amount; words: those looked for, by how telling each
    is."""

    fact: Fact
    share: float
    lead: float
    words: Mapping[frozenset[str], float]

    def covers(self, said: frozenset[str]) -> float:
        """The share of these words, by how telling each is, that stems have."""
        whole = sum(self.words.values()) or 1.0
        return sum(telling for word, telling in self.words.items() if not said.isdisjoint(word)) / whole


class Card(Frozen):
    """The document as it is shown to a backend: the facts, typed, and the same as text, for a reader.

    sentences: all of its text, one by one, for a backend that quotes without a model. statements: of the tables that
    are one, by name (`t5`), which it is and how sure that is. first: the income statement, the balance sheet and the
    statement of cash flows of the report, which every question may be about, whatever else is shown for it. told: what
    the report prints of what is asked for in words, by its name, as it is quoted. said: looks for the sentence that
    has most of the words of the question; amount: for the one that tells what a question, or a part of it, asks for.
    ticker: of the only company, as it is listed; "" where none is known.
    concepts: by the name of a line item, the figures that are it of the whole company, each with how sure that is;
    None where nobody has looked.
    """

    document_id: str
    facts: tuple[Fact, ...]
    text: str
    sentences: tuple[str, ...] = Field(default=(), exclude=True)
    statements: dict[str, tuple[str, float]] = Field(default={}, exclude=True)
    first: "Card | None" = Field(default=None, exclude=True)
    told: dict[str, tuple[str, ...]] = Field(default={}, exclude=True)
    said: Callable[[], Said | None] = Field(default=lambda: None, exclude=True)
    amount: Callable[[Question], Amount | None] = Field(default=lambda _: None, exclude=True)
    ticker: str = Field(default="", exclude=True)
    concepts: dict[str, dict[str, float]] | None = Field(default=None, exclude=True)

    @cached_property
    def named(self) -> Mapping[str, Fact]:
        """The facts by name."""
        return {fact.name: fact for fact in self.facts}


class ToolSpec(Frozen):
    """A tool as a backend sees it. parameters: JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolCall(Frozen):
    """A call that a backend wants made. id: the backend's own name for it."""

    id: str
    tool: str
    arguments: dict[str, Any]


class ToolResult(Frozen):
    """What came of a call. content: JSON text, or an error message when `error`."""

    id: str
    content: str
    error: bool = False


class Usage(Frozen):
    """Tokens of one reply."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0


StopReason = Literal["end", "tools", "length", "refusal"]


class Reply(Frozen):
    """What a backend says. blocks: the provider's own content blocks, to be handed back untouched.

    model: the one that answered, by its own name. asked: the one that was asked for.
    confidence: probability from 0 to 1 that the answer in it is right, where the backend can tell. alternative: what
    else the question may mean, in words, where the backend is unsure. unaccounted: what of the question the answer does
    not account for, in words, as far as the backend can tell. batch: it came in a batch, at the price of one.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "tools"
    usage: Usage = Usage()
    model: str = ""
    asked: str = ""
    confidence: float | None = None
    alternative: str = ""
    unaccounted: tuple[str, ...] = ()
    blocks: tuple[dict[str, Any], ...] = ()
    batch: bool = False

    @property
    def chance(self) -> float:
        """Of the answer in it being right, 0 where it cannot be told."""
        return self.confidence or 0.0

    @property
    def told(self) -> dict[str, Any]:
        """The arguments of its last call, which gives the answer or asks back."""
        return self.calls[-1].arguments

    @property
    def asks_back(self) -> bool:
        return self.calls[-1].tool == "clarify"

    @property
    def done(self) -> list[str]:
        """The operations that it calculates by, in their order."""
        return [str(call.arguments["operation"]) for call in self.calls if call.tool == "calculate"]

    @property
    def is_calculated(self) -> bool:
        return not {*self.done} <= {"magnitude"}

    @property
    def looked_up(self) -> frozenset[str]:
        """The names of the figures that it looks up."""
        return frozenset(str(call.arguments["fact"]) for call in self.calls if "fact" in call.arguments)


class Exchange(Frozen):
    """One reply of this turn and the results of its calls. feedback: what the loop has to say about it."""

    reply: Reply
    results: tuple[ToolResult, ...] = ()
    feedback: str = ""


class PriorTurn(Frozen):
    """An earlier turn of the conversation as a backend may see it.

    answer: as text (`60.94 USD`, `yes`), None where there was none. value: the number in it. facts: names of the facts
    under it, in the order of the operands. operation: the one that made it, `lookup` for none. about: what it is about,
    in words. period: key of its period. made: how it came about, in names of facts. entry: its name in the ledger.
    names: the one thing that it names, with its figure, "" for none. given: it is from outside (gold history), not our
    own. probability: of its being right, where the backend said one; it is in no log of its own, as the log has it with
    the turn.
    """

    question: str
    answer: str | None = None
    value: Decimal | bool | None = None
    entry: str | None = None
    operation: str | None = None
    facts: tuple[str, ...] = ()
    about: str = ""
    names: str = Field(default="", exclude=True)
    period: str | None = None
    given: bool = False
    probability: float | None = Field(default=None, exclude=True)
    made: str = ""
    calls: tuple[ToolCall, ...] = Field(
        default=(), description="the calls that led to it; empty when the answer is given"
    )


class Request(Frozen):
    """Everything a backend gets to see, in the order in which it can be cached.

    instructions, tools and card are equal for all turns of a conversation; history grows at its end; exchanges are
    those of this turn. view: what is shown of the reports for this question, where the card is but their outline.
    in_full: the question with what it leaves out, None where it stands by itself; answered: how many turns were before
    it that it needs no more.
    must_call: None for any, or the name of the one tool that has to be called.
    """

    instructions: str
    tools: tuple[ToolSpec, ...]
    card: Card
    history: tuple[PriorTurn, ...] = ()
    question: str
    in_full: Full | None = Field(default=None, exclude=True)
    answered: int = Field(default=0, exclude=True)
    view: Card | None = None
    exchanges: tuple[Exchange, ...] = ()
    must_call: str | None = None

    @property
    def turn(self) -> int:
        """Which turn of the conversation it is, from 1."""
        return len(self.history) + self.answered + 1

    @property
    def shown(self) -> Card:
        """Where the figures are that can be chosen from: the view, else the card."""
        return self.view or self.card

    @property
    def known(self) -> Mapping[str, Fact]:
        """All figures that are shown, those of the statements too, by name."""
        return {**(self.shown.first or self.shown).named, **self.shown.named}

    def alone(self, text: str, full: Full | None = None) -> "Request":
        """The same for a question that stands by itself."""
        own = {"question": text, "in_full": full, "history": (), "answered": len(self.history)}
        return self.model_copy(update=own)


class Backend(Protocol):
    """Whatever answers. name: as given with --backend. Raises BackendError when no reply can be had."""

    name: str

    def reply(self, request: Request) -> Reply: ...


class BackendError(RuntimeError):
    """No reply could be had. outcome: a short name (`overloaded`, `no key`, `timeout`), counted in scores."""

    def __init__(self, outcome: str, message: str, detail: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.detail = dict(detail or {})


KindName = Literal["number", "boolean", "count", "period", "name", "name with value", "list", "table", "prose"]


class Kind(StrEnum):
    """NUMBER, BOOLEAN and COUNT are one entry of the ledger; PERIOD and NAME are words that the report prints,
    and NAMED such words with the figure that belongs to them; a
    LIST or TABLE has several items; PROSE is quoted from the report, or written around its figures and sentences."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    COUNT = "count"
    PERIOD = "period"
    NAME = "name"
    NAMED = "name with value"
    LIST = "list"
    TABLE = "table"
    PROSE = "prose"


class Item(Frozen):
    """One of the things that an answer says. text: as shown. entry: the figure that it is, or rests on, by its name in
    the ledger; None for words that rest on the report alone. sentence: the one that it is, or is quoted from, by its
    name. under: it is not said by itself, the answer rests on it. row, column: of a table, by name."""

    text: str
    entry: str | None = None
    sentence: str | None = None
    under: bool = False
    row: str | None = None
    column: str | None = None
