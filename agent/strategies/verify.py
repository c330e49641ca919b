"""`--verify`: a second opinion of another kind, asked for where an answer is doubtful, and compared without a model.

Doubtful is what a check objects to, what its backend gives a low probability, and what the offline reading of the same
question answers differently. The second opinion is that of the other strategy (a plan for tools, tools for a plan),
without the earlier answers of the conversation that are in doubt themselves: a misreading of an earlier turn is not
shared by both. Where they differ, the offline reading decides if it agrees with one of them; else it is tried again
with that feedback, by one strategy after the other, a bounded number of times. Every solve happens in a workspace of
its own: only the one that is taken for the answer is carried out in the ledger of the turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tieout.agent.answers.checks.check import CERTAIN, RULES, SURE_ENOUGH, check
from tieout.agent.log.events import Flag, Verified
from tieout.agent.protocol.message import Card, Request, Usage
from tieout.agent.protocol.tool import Tool
from tieout.agent.strategies.attempt import Attempt, Scratch, same_answer
from tieout.agent.strategies.strategy import Strategy
from tieout.agent.workspace import TurnOver, Workspace, now
from tieout.data.document import Document
from tieout.kg.store.graph import Graph

PASSING = frozenset({"no answer", "repeated call", "invalid plan", "truncated"})  # another solve may do better
SPENT = frozenset({"limit", "refusal"})  # a second opinion that is not to be had: the first answer stands, unconfirmed


LEAST_POINTS = (
    10  # of a rule that makes an answer doubtful: those of fewer tell of the report, as an unknown scale does
)
_OF_RULES = frozenset(rule.name for rule in RULES if rule.points >= LEAST_POINTS)


@dataclass(frozen=True, slots=True)
class Opinions:
    """What became of the solves. taken: the one that stands; agreed: whether something else came to the same."""

    attempts: tuple[Attempt, ...]
    taken: Attempt | None
    agreed: bool
    offline: Attempt | None
    why: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether the answer is another one than the first."""
        first = self.attempts[0]
        return self.taken is not None and self.taken is not first and not same_answer(self.taken.answer, first.answer)


class VerifiedStrategy:
    """A strategy whose doubtful answers get a second opinion."""

    def __init__(self, solver: Strategy, other: Strategy, retries: int) -> None:
        self.name = solver.name
        self.instructions = solver.instructions
        self.tools: tuple[Tool, ...] = solver.tools
        self._solver = solver
        self._other = other
        self._retries = retries

    def card(self, graph: Graph, document: Document | None) -> Card:
        """That of the strategy."""
        return self._solver.card(graph, document)

    def opening(self, workspace: Workspace) -> Request:
        """That of the strategy."""
        return self._solver.opening(workspace)

    def solve(self, workspace: Workspace) -> None:
        """Solves, and where that is doubtful solves again until two agree or the retries are used up. Raises TurnOver
        where no solve has an answer."""
        first = self._attempt(workspace, self._solver)
        calls, usage, usd = workspace.model_calls, workspace.usage, workspace.usd
        found = self._opinions(workspace, first)
        workspace.log(
            Verified(
                at=now(),
                turn=workspace.turn,
                agreed=found.agreed,
                answers=tuple(_told(each) for each in found.attempts),
                retries=max(0, len(found.attempts) - 2),
                asked=bool(found.why),
                why=found.why,
                by=tuple(each.by for each in found.attempts),
                offline=None if found.offline is None else _told(found.offline),
                changed=found.changed,
                calls=workspace.model_calls - calls,
                usage=_less(workspace.usage, usage),
                usd=None if workspace.usd is None or usd is None else workspace.usd - usd,
            )
        )
        if found.taken is None:
            raise TurnOver("no answer", "; ".join(dict.fromkeys(_told(each) for each in found.attempts)))
        if not found.agreed:
            told = dict.fromkeys(_told(each) for each in found.attempts)
            workspace.doubts.append(f"independent solves gave {' and '.join(told)}")
        offered = {tool.name for tool in workspace.tools}
        workspace.tools += tuple(tool for tool in self._other.tools if tool.name not in offered)
        _carry_out(workspace, found.taken)

    def _opinions(self, workspace: Workspace, first: Attempt) -> Opinions:
        offline = offline_attempt(workspace)
        attempts, why = [first], tuple(reasons(first, offline))
        if not why:
            return Opinions((first,), first, True, offline, why)
        attempts.append(self._attempt(workspace, self._other, afresh=True))
        while (taken := _agreed(attempts, offline)) is None and len(attempts) - 2 < self._retries:
            by = (self._solver, self._other)[len(attempts) % 2]
            attempts.append(self._attempt(workspace, by, _feedback(attempts), afresh=True))
        asked = next((each for each in reversed(attempts) if each.clarification is not None), None)
        chosen = taken or best_checked(attempts) or asked
        return Opinions(tuple(attempts), chosen, taken is not None, offline, why)

    def _attempt(self, workspace: Workspace, by: Strategy, feedback: str = "", *, afresh: bool = False) -> Attempt:
        scratch = Scratch(workspace, feedback, self._solver, by, afresh=afresh)
        try:
            by.solve(scratch)
        except TurnOver as end:
            if end.outcome not in (PASSING | SPENT if afresh else PASSING):
                raise
            scratch.attempt.outcome, scratch.attempt.why = end.outcome, f"{end.outcome}: {end}"
        attempt = scratch.ended()
        attempt.flags = flags_of(attempt, scratch)
        return attempt


def _carry_out(workspace: Workspace, taken: Attempt) -> None:
    """Makes the calls of a solve in the ledger of the turn."""
    workspace.confirm = None  # the user was asked while it was solved
    workspace.values.matched.update(taken.matched)
    workspace.probability, workspace.alternative = taken.probability, taken.alternative
    workspace.unaccounted = taken.unaccounted
    if workspace.values.reader is not None:
        workspace.values.reader.take_queries()  # those of the solves, which are not logged
    for call, own in taken.made:
        workspace.call(call, own=own)


def _agreed(attempts: Sequence[Attempt], offline: Attempt | None) -> Attempt | None:
    """The first attempt whose answer another one, or the offline reading, came to as well."""
    answered = [attempt for attempt in attempts if attempt.answer is not None]
    both = next((one for one, other in combinations(answered, 2) if same_answer(one.answer, other.answer)), None)
    if both is not None or offline is None:
        return both
    return next((each for each in answered if same_answer(each.answer, offline.answer)), None)


def _told(attempt: Attempt) -> str:
    return attempt.answer.text if attempt.answer else attempt.why


def _less(one: Usage, other: Usage) -> Usage:
    counts = other.model_dump()
    return Usage(**{kind: count - counts[kind] for kind, count in one.model_dump().items()})


def _feedback(attempts: Sequence[Attempt]) -> str:
    """What became of the attempts, in names of facts: it goes to the model as words of ours, outside of the card."""
    told = [f"{each.answer.text} ({each.program})" if each.answer else each.outcome for each in attempts]
    return (
        f"Independent attempts at this question came to different ends: {'; '.join(dict.fromkeys(told))}. "
        "Consider which reading of the question and which figures are right, and answer."
    )


def doubtful(flags: Collection[Flag]) -> tuple[str, ...]:
    """The rules that make an answer doubtful, each once, in the order of the flags."""
    return tuple(dict.fromkeys(flag.rule for flag in flags if flag.rule in _OF_RULES))


def flags_of(attempt: Attempt, scratch: Scratch) -> tuple[Flag, ...]:
    """What the checks find odd about an attempt's answer."""
    answer = attempt.answer
    if answer is None:
        return ()
    scratch.probability, scratch.unaccounted = attempt.probability, attempt.unaccounted
    return check(scratch.checked(answer))


def reasons(attempt: Attempt, offline: Attempt | None) -> Iterator[str]:
    """Why an attempt is doubtful, in words; nothing where it is not.

    The offline reading counts where it is itself more likely right than not.
    """
    if attempt.answer is None:
        yield attempt.outcome
        return
    yield from doubtful(attempt.flags)
    if attempt.probability is not None and attempt.probability < CERTAIN:
        yield f"a probability of {attempt.probability:.0%}"
    if offline is not None and not same_answer(attempt.answer, offline.answer):
        yield "the offline reading differs"


def offline_attempt(workspace: Workspace) -> Attempt | None:
    """What the offline backend answers to the same request; None where it has no answer that is likely enough."""
    from tieout.agent.offline.backend import OfflineBackend

    scratch = Scratch(workspace)
    reply = OfflineBackend().reply(scratch.request())
    if reply.chance < SURE_ENOUGH:
        return None
    scratch.attempt.probability = reply.confidence
    for call in reply.calls:
        scratch.call(call, own=True)
    scratch.attempt.answer = scratch.answer
    return scratch.attempt if scratch.answer is not None else None


def best_checked(attempts: Sequence[Attempt]) -> Attempt | None:
    """The answer to which the checks object least, the first of those; None where there is none."""
    answered = [each for each in attempts if each.answer is not None]
    return min(answered, key=lambda each: len(doubtful(each.flags))) if answered else None
