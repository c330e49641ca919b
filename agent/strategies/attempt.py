"""One solve of a question for comparison, in a workspace of its own: nothing of it is logged but what it asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from tieout.agent.ledger.ledger import Entry, FromOperation, Ledger, Words
from tieout.agent.log.events import Event, Flag
from tieout.agent.protocol.message import Exchange, PriorTurn, Reply, Request, ToolCall, ToolResult
from tieout.agent.strategies.strategy import Strategy
from tieout.agent.tools.answering import Answer
from tieout.agent.tools.toolbox import Clarification
from tieout.agent.tools.values import Values
from tieout.agent.workspace import Workspace
from tieout.data.arithmetic.units import rounded
from tieout.ontology.model import MatchedBy

IN_DOUBT = "in doubt: it is to be found again from its question"  # in place of an earlier answer


@dataclass
class Attempt:
    """One solve.

    made: its calls in order, and whether the strategy made them of its own accord. program: what its answer rests on.
    outcome, why: where there is none, what ended it, and in full; only that may quote the document. by: the strategy.
    flags: what the checks find odd. probability, unaccounted: what the backend said of its reply.
    """

    made: list[tuple[ToolCall, bool]] = field(default_factory=list)
    answer: Answer | None = None
    clarification: Clarification | None = None
    program: str = ""
    outcome: str = ""
    why: str = ""
    matched: dict[str, MatchedBy] = field(default_factory=dict)
    by: str = ""
    flags: tuple[Flag, ...] = ()
    probability: float | None = None
    alternative: str = ""
    unaccounted: tuple[str, ...] = ()


class Scratch(Workspace):
    """A workspace in which a question is solved for comparison: it asks and counts through that of the turn, but has a
    ledger of its own, and its tool calls are kept in `attempt` instead of being logged.

    of, by: the strategy of the turn, and the one that solves here, where that is another one. afresh: earlier answers
    that are in doubt are not told.
    """

    def __init__(
        self,
        main: Workspace,
        feedback: str = "",
        of: Strategy | None = None,
        by: Strategy | None = None,
        *,
        afresh: bool = False,
    ) -> None:
        doubted = main.doubted if afresh else frozenset[int]()
        values = Values(
            Ledger(main.ledger.earlier),
            main.values.facts,
            main.values.questions,
            [replace(each, value=None, entry=None) if each.turn in doubted else each for each in main.values.priors],
            strict=main.values.strict,
            reader=main.values.reader,
            frames=main.values.frames,
            meant=main.values.meant,
        )
        unlogged: Callable[[Event], None] = lambda event: None  # noqa: E731
        told, tools = main.instructions, main.tools
        if of is not None and by is not None and of is not by:
            told = told.replace(of.instructions, by.instructions, 1)
            own = {tool.name for tool in of.tools}
            tools = (*by.tools, *(tool for tool in tools if tool.name not in own))
        super().__init__(
            main.backend,
            main.settings,
            told,
            tools,
            main.card,
            [
                turn if number not in doubted else PriorTurn(question=turn.question, answer=IN_DOUBT)
                for number, turn in enumerate(main.history)
            ],
            values,
            unlogged,
            lambda: None,
            main.prices,
            main.confirm,
            main.view,
        )
        self.gaps = main.gaps
        self.question = main.question  # with the notes of the memory, where it has any
        self.attempt = Attempt(by="" if by is None else by.name)
        self._main = main
        self._before = (Exchange(reply=Reply(stop="end"), feedback=feedback),) if feedback else ()

    def request(self, exchanges: Sequence[Exchange] = (), must_call: str | None = None) -> Request:
        """As in any workspace, the feedback first."""
        return super().request((*self._before, *exchanges), must_call)

    def reply(self, request: Request) -> Reply:
        """Asked, logged and counted by the workspace of the turn."""
        reply = self._main.reply(request)
        if reply.confidence is not None:
            self.attempt.probability, self.attempt.alternative = reply.confidence, reply.alternative
            self.attempt.unaccounted = reply.unaccounted
        return reply

    def call(self, call: ToolCall, *, own: bool = False) -> ToolResult:
        """Made here, and kept."""
        self.attempt.made.append((call, own))
        return super().call(call, own=own)

    def ended(self) -> Attempt:
        """The attempt, once it is over."""
        attempt = self.attempt
        attempt.answer, attempt.clarification, attempt.matched = self.answer, self.clarification, self.values.matched
        if attempt.answer is not None:
            entry = attempt.answer.entry
            attempt.program = "" if entry is None else _program(entry, self.ledger)
        elif attempt.clarification is not None:
            attempt.outcome, attempt.why = "asked back", f"asked back: {attempt.clarification.question}"
        return attempt


def _program(entry: Entry, ledger: Ledger) -> str:
    facts = ", ".join(ledger.facts_under(entry.name))
    return f"{entry.source.operation} of {facts}" if isinstance(entry.source, FromOperation) else facts


def same_answer(one: Answer | None, other: Answer | None) -> bool:
    """Whether two answers are one: the same truth, or the same number to five decimals at the same scale."""
    if one is None or other is None:
        return False
    if one.entry is None or other.entry is None:
        return one.entry is other.entry and {item.text for item in one.items} == {item.text for item in other.items}
    if isinstance(one.entry.value, Words) or isinstance(other.entry.value, Words):
        return one.entry.value == other.entry.value
    a, b = one.entry.as_number(), other.entry.as_number()
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return one.entry.scale == other.entry.scale and rounded(a) == rounded(b)
    return a is b
