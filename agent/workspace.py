"""One turn under way: what a strategy has to work with. Whatever it does here is logged and counted."""

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from pydantic import Field

from tieout.agent.answers.checks.check import Checked
from tieout.agent.backends.prices import Prices
from tieout.agent.log.events import Event, ModelCalled, ModelFailed, ToolCalled, Understood
from tieout.agent.log.fingerprint import fingerprint
from tieout.agent.protocol.message import (
    Backend,
    BackendError,
    Card,
    Exchange,
    PriorTurn,
    Reply,
    Request,
    ToolCall,
    ToolResult,
    Usage,
)
from tieout.agent.protocol.tool import Tool, ToolError
from tieout.agent.question.read import read_question
from tieout.agent.question.topic import Full
from tieout.agent.tools.answering import Answer
from tieout.agent.tools.toolbox import TOOLS, Clarification, Tools, Understanding
from tieout.agent.tools.values import Values
from tieout.data.frozen import Frozen
from tieout.kg.gaps import named_gaps


class Settings(Frozen):
    """How questions are answered. max_calls: of the backend, in a turn. strict_grounding: refuse ungrounded numbers."""

    strategy: str = "tools"
    max_calls: int = Field(default=8, ge=1)
    strict_grounding: bool = False
    two_phase: bool = False
    verify: bool = False
    retries: int = Field(default=2, ge=0)


class TurnOver(Exception):  # noqa: N818 - it is a way to end, not always a fault
    """The turn ends without an answer. outcome: a short name that is counted."""

    def __init__(self, outcome: str, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


def now() -> str:
    """The time, UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Workspace:
    """What a strategy works with: the question and its surroundings, the backend, the tools, the ledger.

    asked: the question as it is read after those before it. over: set once `answer` or `clarify` was called.
    probability, alternative: the backend's own estimate for its last reply, and what else it thinks may be meant.
    unaccounted: words of the question that its reply leaves open. read_as: its words that were put right, each with
    the one that it was read as. doubts: what the strategy itself found odd about the answer, in words. gaps: labels of
    rows whose formulas have no results, by what questions call them. doubted: the earlier turns, from 0, whose answers
    are in doubt themselves.
    """

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        instructions: str,
        tools: Sequence[Tool],
        card: Card,
        history: Sequence[PriorTurn],
        values: Values,
        write: Callable[[Event], None],
        stop: Callable[[], str | None],
        prices: Prices,
        confirm: Callable[[Understanding], str | None] | None = None,
        view: Card | None = None,
    ) -> None:
        self.settings = settings
        self.instructions = instructions
        self.tools = tuple(tools)
        self.card = card
        self.view = view
        self.history = tuple(history)
        self.values = values
        self.ledger = values.ledger
        self.turn = values.ledger.turn
        self.question = values.questions[-1]
        self.asked = read_question(self.question)
        self.in_full: Full | None = None
        self.answer: Answer | None = None
        self.clarification: Clarification | None = None
        self.probability: float | None = None
        self.alternative = ""
        self.unaccounted: tuple[str, ...] = ()
        self.read_as: tuple[tuple[str, str], ...] = ()
        self.usage = Usage()
        self.usd: Decimal | None = Decimal(0)
        self.model_calls = 0
        self.tool_calls = 0
        self.backend = backend
        self._tools = Tools(values)
        self._write = write
        self._stop = stop
        self.prices = prices
        self.confirm = confirm
        self.doubts: list[str] = []
        self.gaps: Mapping[str, str] = {}
        self.doubted: frozenset[int] = frozenset()
        self._correction: str | None = None
        self._made: dict[str, tuple[ToolResult, int]] = {}  # by call: its result, and the entries there were behind it

    @property
    def over(self) -> bool:
        """Whether the question is answered, or asked back."""
        return self.answer is not None or self.clarification is not None

    def checked(self, answer: Answer) -> Checked:
        """What the checks look at, whatever came to the answer."""
        named = dict.fromkeys(item.entry for item in answer.items if item.entry is not None)
        return Checked(
            answer.entry,
            self.ledger,
            self.values.facts,
            self.values.matched,
            self.doubts,
            self.probability,
            self.alternative,
            [self.ledger[name] for name in named] if answer.entry is None else [answer.entry],
            (*self.unaccounted, *named_gaps(self.gaps, self.question)),
            replace(self.asked, read_as=(*self.asked.read_as, *self.read_as)),
            self.values.notes,
            self.question,
        )

    def log(self, event: Event) -> None:
        """Writes an event of the strategy's own."""
        self._write(event)

    def take_correction(self) -> str | None:
        """What the user said was wrong with the last understanding, once."""
        taken, self._correction = self._correction, None
        return taken

    def request(self, exchanges: Sequence[Exchange] = (), must_call: str | None = None) -> Request:
        """What the backend is to be asked next in this turn."""
        return Request(
            instructions=self.instructions,
            tools=tuple(tool.spec for tool in self.tools if tool.name != "understand" or self._is_understood_first),
            card=self.card,
            history=self.history,
            question=self.question,
            in_full=self.in_full,
            view=self.view,
            exchanges=tuple(exchanges),
            must_call=must_call,
        )

    @property
    def _is_understood_first(self) -> bool:
        """Whether what is asked is said in a call of its own: where someone looks at it before it is answered."""
        return self.settings.two_phase or self.confirm is not None

    def reply(self, request: Request) -> Reply:
        """Asks the backend. Raises TurnOver at a limit, for a refusal and a reply cut off; BackendError as it comes."""
        if self.model_calls >= self.settings.max_calls:
            raise TurnOver("limit", f"no answer after {self.model_calls} calls of the backend")
        if reason := self._stop():
            raise TurnOver("limit", reason)
        reply = self._asked(request)
        if reply.stop == "refusal":
            raise TurnOver("refusal", reply.text[:500] or "the model refused")
        if reply.stop == "length":
            raise TurnOver("truncated", "the reply was cut off at its longest length")
        if reply.confidence is not None:
            self.probability, self.alternative = reply.confidence, reply.alternative
            self.unaccounted = reply.unaccounted
        return reply

    def _asked(self, request: Request) -> Reply:
        start = time.perf_counter()
        call: dict[str, Any] = {"turn": self.turn, "call": self.model_calls, "request": fingerprint(request)}
        try:
            reply = self.backend.reply(request)
        except BackendError as error:
            failure: dict[str, Any] = {"outcome": error.outcome, "message": str(error), "detail": error.detail}
            self._write(ModelFailed(at=now(), **call, **failure, seconds=_since(start)))
            raise
        usd = self.prices.of(reply)
        self._count(reply, usd)  # first: it is paid for, even where it cannot be written
        self._write(ModelCalled(at=now(), **call, reply=reply, usd=usd, seconds=_since(start)))
        return reply

    def _count(self, reply: Reply, usd: Decimal | None) -> None:
        self.model_calls += 1
        self.usage = _sum(self.usage, reply.usage)
        self.usd = None if usd is None or self.usd is None else self.usd + usd

    def call(self, call: ToolCall, *, own: bool = False) -> ToolResult:
        """Makes a call. What is wrong with it is in the result; anything that goes wrong in us is raised as it is.

        own: the strategy makes it of its own accord, with any of TOOLS; else only what it offers can be called.
        """
        start = time.perf_counter()
        before = len(self.ledger)
        try:
            output, error = self._done(call, TOOLS.values() if own else self.tools), False
        except ToolError as problem:
            said = str(problem)
            output, error = _json({"error": said, **problem.detail}) if problem.detail else said, True
        self.tool_calls += 1
        self._write(
            ToolCalled(
                at=now(),
                turn=self.turn,
                call=call.id,
                tool=call.tool,
                input=call.arguments,
                output=output,
                error=error,
                entries=tuple(self.ledger)[before:],
                sparql=() if self.values.reader is None else self.values.reader.take_queries(),
                seconds=_since(start),
            )
        )
        result = ToolResult(id=call.id, content=output, error=error)
        self._made[call_key(call)] = result, len(self.ledger)
        return result

    def result_of(self, call: ToolCall) -> str | None:
        """What the very same call gave before; None when it was not made, or failed while the ledger held less."""
        result, entries = self._made.get(call_key(call), (None, 0))
        if result is None or (result.error and entries < len(self.ledger)):
            return None
        return result.content

    def _done(self, call: ToolCall, tools: Collection[Tool]) -> str:
        tool = next((tool for tool in tools if tool.name == call.tool), None)
        if tool is None:
            raise ToolError(f"there is no tool {call.tool!r}; there are: {', '.join(tool.name for tool in tools)}")
        result = tool.function(self._tools, **tool.check(call.arguments))
        match result:
            case Understanding():
                self._write(Understood(at=now(), turn=self.turn, understanding=result))
                self._correction = self.confirm(result) if self.confirm is not None else None
                return '{"understood": true}'
            case Answer():
                if self.over:
                    raise ToolError("the question is answered already")
                self.answer = result
                if result.understood:
                    told = Understanding(description=result.understood)
                    self._write(Understood(at=now(), turn=self.turn, understanding=told))
                return _json({"answer": result.text})
            case Clarification():
                if self.over:
                    raise ToolError("the question is answered already")
                self.clarification = result
                return '{"asked": true}'
        return _json(result)


def call_key(call: ToolCall) -> str:
    """Equal for calls of the same tool with the same arguments."""
    return json.dumps([call.tool, call.arguments], sort_keys=True, default=str)


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 6)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sum(a: Usage, b: Usage) -> Usage:
    counts = b.model_dump()
    return Usage(**{kind: count + counts[kind] for kind, count in a.model_dump().items()})
