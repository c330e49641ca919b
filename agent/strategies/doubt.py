"""What makes an answer doubtful, told without a language model: the checks, its probability, the offline reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tieout.agent.answers.checks.check import CERTAIN, RULES, SURE_ENOUGH, check
from tieout.agent.log.events import Flag
from tieout.agent.strategies.attempt import Attempt, Scratch, same_answer
from tieout.agent.workspace import Workspace

LEAST_POINTS = (
    10  # of a rule that makes an answer doubtful: those of fewer tell of the report, as an unknown scale does
)
_OF_RULES = frozenset(rule.name for rule in RULES if rule.points >= LEAST_POINTS)


def doubtful(flags: Collection[Flag]) -> tuple[str, ...]:
    """The rules that make an answer doubtful, each once, in the order of the flags."""
    return tuple(dict.fromkeys(flag.rule for flag in flags if flag.rule in _OF_RULES))


def flags_of(attempt: Attempt, scratch: Scratch) -> tuple[Flag, ...]:
    """What the checks find odd about an attempt's answer."""
    answer = attempt.answer
    if answer is None:
        return ()
    named = [item.entry for item in answer.items if item.entry is not None]
    roots = [answer.entry] if answer.entry is not None else [scratch.ledger[name] for name in dict.fromkeys(named)]
    scratch.probability, scratch.unaccounted = attempt.probability, attempt.unaccounted
    return check(scratch.checked(answer.entry, roots))


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
    if (reply.confidence or 0) < SURE_ENOUGH:
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
