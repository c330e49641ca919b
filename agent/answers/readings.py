"""The readings of a question whose answer its own backend doubts: that which was answered first."""

from __future__ import annotations

from tieout.agent.answers.checks.check import MAY_MEAN, is_unsure
from tieout.agent.log.turn import Turn


def doubt(turn: Turn) -> str:
    """What is said in front of the readings of an answer that is doubted; "" where it is not."""
    return f"not sure ({turn.probability:.0%}): the question can be read as" if readings(turn) else ""


def readings(turn: Turn) -> tuple[str, ...]:
    """What the question may mean, in words; () of an answer that is not doubted, and of none."""
    if turn.text is None or not is_unsure(turn.probability):
        return ()
    described = turn.understanding.description if turn.understanding is not None else "the answer"
    others = [flag.message.partition(MAY_MEAN)[2] for flag in turn.flags if flag.rule == "unsure"]
    return (f"{described}: {turn.text}", *(other for other in others if other))
