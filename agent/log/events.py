"""Everything that happens, as typed events: what the log holds, what is scored, reported and replayed.

ConversationStarted
    TurnStarted  Rephrased  ModelCalled  Understood  ToolCalled ...  Answered | Clarified | Failed  TurnEnded
ConversationEnded

Times stand in `at` and `seconds` alone, so that two runs can be compared without them.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from tieout.agent.ledger.form import Format
from tieout.agent.ledger.ledger import Entry
from tieout.agent.protocol.message import Item, Kind, PriorTurn, Reply, Usage
from tieout.agent.tools.toolbox import Understanding
from tieout.data.frozen import Frozen


class Happened(Frozen):
    """What all events share. at: when it was over, UTC, ISO 8601."""

    at: str = ""


class Fingerprint(Frozen):
    """SHA-256 of the parts of a request, 16 hex digits each: whether two are the same, and where they differ."""

    instructions: str
    tools: str
    card: str
    history: str
    question: str
    exchanges: str


class ConversationStarted(Happened):
    """origin: hashes of what the graph was made from. facts: how many. entity_types: how many instances of each."""

    event: Literal["conversation started"] = "conversation started"
    conversation: str
    version: str
    backend: str
    strategy: str
    settings: dict[str, Any]
    origin: dict[str, str]
    facts: int
    entity_types: dict[str, int]
    reports: dict[str, str] = Field(default={})


class TurnStarted(Happened):
    """history: earlier turns as the backend is told of them, without their calls."""

    event: Literal["turn started"] = "turn started"
    turn: int
    question: str
    history: tuple[PriorTurn, ...] = ()


class Rephrased(Happened):
    """What the memory knows of a question was written into it. question: as asked of the backend. terms, recipes: the
    labels and headings that were found; unknown: words that nothing explains."""

    event: Literal["rephrased"] = "rephrased"
    turn: int
    question: str
    terms: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class ModelCalled(Happened):
    """usd: what it cost, None where the price is not known."""

    event: Literal["model called"] = "model called"
    turn: int
    call: int
    request: Fingerprint
    reply: Reply
    usd: Decimal | None = None
    seconds: float


class ModelFailed(Happened):
    """The backend gave no reply: see BackendError."""

    event: Literal["model failed"] = "model failed"
    turn: int
    call: int
    request: Fingerprint
    outcome: str
    message: str
    detail: dict[str, Any]
    seconds: float


class Understood(Happened):
    event: Literal["understood"] = "understood"
    turn: int
    understanding: Understanding


class ToolCalled(Happened):
    """output: the result as JSON text, or the message of an `error`. entries: those added. sparql: queries made."""

    event: Literal["tool called"] = "tool called"
    turn: int
    call: str
    tool: str
    input: dict[str, Any]
    output: str
    error: bool = False
    entries: tuple[Entry, ...] = ()
    sparql: tuple[str, ...] = ()
    seconds: float


class Verified(Happened):
    """An answer was looked at for doubt, and solved again where there was any.

    answers: of the solves as shown, or why there is none; by: the strategy of each. agreed: two of them are one, or
    nothing was doubtful. asked: whether a second opinion was; why: what was doubtful. offline: the offline reading,
    where it has a likely one. changed: whether the answer is another one than the first. calls, usage,
    usd: of the backend, for all that came behind the first solve.
    """

    event: Literal["verified"] = "verified"
    turn: int
    agreed: bool
    answers: tuple[str, ...]
    retries: int
    asked: bool = True
    why: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    offline: str | None = None
    changed: bool = False
    calls: int = 0
    usage: Usage = Usage()
    usd: Decimal | None = None


class Flag(Frozen):
    """Something that a check without a model found odd. rule: its short name."""

    rule: str
    message: str


class Answered(Happened):
    """kind, items: see `tieout.agent.protocol.message`; entry and number are "" where the answer is no single number.

    entry: name in the ledger. number: as scored, percent as decimal, at full precision, or yes/no. text: as shown.

    program: in the language of FinQA, None where that has no words for it. confidence: 0 to 100, by the flags.
    probability: 0 to 1, the backend's own estimate that the answer is right, None where it makes none.
    """

    event: Literal["answered"] = "answered"
    turn: int
    entry: str = ""
    number: str = ""
    text: str
    format: Format | None = None
    kind: Kind = Kind.NUMBER
    items: tuple[Item, ...] = ()
    program: str | None = None
    facts: tuple[str, ...] = ()
    confidence: int
    probability: float | None = None
    flags: tuple[Flag, ...] = ()


class Clarified(Happened):
    """flags: figures in it that nothing accounts for."""

    event: Literal["clarified"] = "clarified"
    turn: int
    question: str
    options: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()


class Failed(Happened):
    """outcome: a short name that is counted. detail: for whoever looks into it, e.g. a traceback."""

    event: Literal["failed"] = "failed"
    turn: int
    outcome: str
    message: str
    detail: str = ""


class TurnEnded(Happened):
    """outcome: `answer`, `clarify` or that of the failure. given: the answer that the history holds instead of ours."""

    event: Literal["turn ended"] = "turn ended"
    turn: int
    outcome: str
    model_calls: int
    tool_calls: int
    usage: Usage
    usd: Decimal | None = None
    given: str | None = None
    seconds: float


class ConversationEnded(Happened):
    event: Literal["conversation ended"] = "conversation ended"
    turns: int
    outcomes: tuple[str, ...]
    seconds: float


Event = Annotated[
    ConversationStarted
    | TurnStarted
    | Rephrased
    | ModelCalled
    | ModelFailed
    | Understood
    | ToolCalled
    | Verified
    | Answered
    | Clarified
    | Failed
    | TurnEnded
    | ConversationEnded,
    Field(discriminator="event"),
]
# Of all kinds, built when a log is first read: what writes one needs the kinds alone that it writes.
EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
