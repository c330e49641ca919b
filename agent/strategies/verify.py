"""`--verify`: a question is solved twice, neither solve seeing the other, and the answers are compared without a model.

Where they differ it is tried again with that feedback, a bounded number of times. The solves happen in workspaces of
their own: only the one that is taken for the answer is carried out in the ledger of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations

from tieout.agent.arithmetic.units import rounded
from tieout.agent.ledger.ledger import Entry, FromOperation, Ledger, Words
from tieout.agent.log.events import Event, Verified
from tieout.agent.protocol.message import Card, Exchange, Reply, Request, ToolCall, ToolResult
from tieout.agent.protocol.tool import Tool
from tieout.agent.strategies.strategy import Strategy
from tieout.agent.tools.toolbox import Answer, Clarification
from tieout.agent.tools.values import Values
from tieout.agent.workspace import TurnOver, Workspace, now
from tieout.data.document import Document
from tieout.kg.store.graph import Graph
from tieout.ontology.model import MatchedBy

PASSING = frozenset({"no answer", "repeated call", "invalid plan", "truncated"})  # another solve may do better


@dataclass
class Attempt:
    """One solve.

    made: its calls in order, and whether the strategy made them of its own accord. program: what its answer rests on.
    outcome, why: where there is none, what ended it, and in full; only that may quote the document.
    """

    made: list[tuple[ToolCall, bool]] = field(default_factory=list)
    answer: Answer | None = None
    clarification: Clarification | None = None
    program: str = ""
    outcome: str = ""
    why: str = ""
    matched: dict[str, MatchedBy] = field(default_factory=dict)


class ScratchWorkspace(Workspace):
    """A workspace in which a question is solved for comparison: it asks and counts through that of the turn, but has a
    ledger of its own, and its tool calls are kept in `attempt` instead of being logged."""

    def __init__(self, main: Workspace, feedback: str) -> None:
        values = Values(
            Ledger(main.ledger.earlier),
            main.values.facts,
            main.values.questions,
            main.values.priors,
            strict=main.values.strict,
            reader=main.values.reader,
            frames=main.values.frames,
        )
        unlogged: Callable[[Event], None] = lambda event: None  # noqa: E731
        super().__init__(
            main.backend,
            main.settings,
            main.instructions,
            main.tools,
            main.card,
            main.history,
            values,
            unlogged,
            lambda: None,
            main.prices,
            main.confirm,
        )
        self.question = main.question  # with the notes of the memory, where it has any
        self.attempt = Attempt()
        self._main = main
        self._before = (Exchange(reply=Reply(stop="end"), feedback=feedback),) if feedback else ()

    def request(self, exchanges: Sequence[Exchange] = (), must_call: str | None = None) -> Request:
        """As in any workspace, the feedback first."""
        return super().request((*self._before, *exchanges), must_call)

    def reply(self, request: Request) -> Reply:
        """Asked, logged and counted by the workspace of the turn."""
        return self._main.reply(request)

    def call(self, call: ToolCall, *, own: bool = False) -> ToolResult:
        """Made here, and kept."""
        self.attempt.made.append((call, own))
        return super().call(call, own=own)


class VerifiedStrategy:
    """A strategy whose answers are checked by a second, independent solve."""

    def __init__(self, solver: Strategy, retries: int) -> None:
        self.name = solver.name
        self.instructions = solver.instructions
        self.tools: tuple[Tool, ...] = solver.tools
        self._solver = solver
        self._retries = retries

    def card(self, graph: Graph, document: Document | None) -> Card:
        """That of the strategy."""
        return self._solver.card(graph, document)

    def opening(self, workspace: Workspace) -> Request:
        """That of the strategy."""
        return self._solver.opening(workspace)

    def solve(self, workspace: Workspace) -> None:
        """Solves until two answers agree or the retries are used up. Raises TurnOver where no solve has an answer."""
        attempts = [self._attempt(workspace), self._attempt(workspace)]
        retries = 0
        while (taken := _agreed(attempts)) is None and retries < self._retries:
            retries += 1
            attempts.append(self._attempt(workspace, _feedback(attempts)))
        chosen = taken or next((each for each in reversed(attempts) if each.answer or each.clarification), None)
        answers = tuple(each.answer.text if each.answer else each.why for each in attempts)
        workspace.log(
            Verified(at=now(), turn=workspace.turn, agreed=taken is not None, answers=answers, retries=retries)
        )
        if chosen is None:
            raise TurnOver("no answer", "; ".join(dict.fromkeys(answers)))
        if taken is None:
            workspace.doubts.append(f"independent solves gave {' and '.join(dict.fromkeys(answers))}")
        workspace.confirm = None  # the user was asked while it was solved
        workspace.values.matched.update(chosen.matched)
        if workspace.values.reader is not None:
            workspace.values.reader.take_queries()  # those of the solves, which are not logged
        for call, own in chosen.made:
            workspace.call(call, own=own)

    def _attempt(self, workspace: Workspace, feedback: str = "") -> Attempt:
        scratch = ScratchWorkspace(workspace, feedback)
        attempt = scratch.attempt
        try:
            self._solver.solve(scratch)
        except TurnOver as end:
            if end.outcome not in PASSING:
                raise
            attempt.outcome, attempt.why = end.outcome, f"{end.outcome}: {end}"
        attempt.answer, attempt.clarification = scratch.answer, scratch.clarification
        attempt.matched = scratch.values.matched
        if attempt.answer is not None:
            entry = attempt.answer.entry
            attempt.program = "" if entry is None else _program(entry, scratch.ledger)
        elif attempt.clarification is not None:
            attempt.outcome, attempt.why = "asked back", f"asked back: {attempt.clarification.question}"
        return attempt


def _agreed(attempts: Sequence[Attempt]) -> Attempt | None:
    """The first attempt whose answer another one came to as well."""
    answered = [attempt for attempt in attempts if attempt.answer is not None]
    return next((one for one, other in combinations(answered, 2) if same_answer(one.answer, other.answer)), None)


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


def _program(entry: Entry, ledger: Ledger) -> str:
    facts = ", ".join(ledger.facts_under(entry.name))
    return f"{entry.source.operation} of {facts}" if isinstance(entry.source, FromOperation) else facts


def _feedback(attempts: Sequence[Attempt]) -> str:
    """What became of the attempts, in names of facts: it goes to the model as words of ours, outside of the card."""
    told = [f"{each.answer.text} ({each.program})" if each.answer else each.outcome for each in attempts]
    return (
        f"Independent attempts at this question came to different ends: {'; '.join(dict.fromkeys(told))}. "
        "Consider which reading of the question and which figures are right, and answer."
    )
