"""A conversation as its log tells it: every line checked, and that the events make one conversation from its start."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tieout.agent.ledger.ledger import Ledger, Step
from tieout.agent.log.events import ConversationEnded, ConversationStarted, Event, TurnEnded, TurnStarted
from tieout.agent.log.log import LogError, read_events
from tieout.agent.log.turn import Turn, read_turn

# What the reading of a turn raises where its events do not fit each other: a name that stands for nothing, say.
ODD = (ValueError, LookupError, TypeError, ArithmeticError)


@dataclass(frozen=True, slots=True)
class Recorded:
    """events: all of them. turns: those that are over. ended: whether the conversation came to its end."""

    events: tuple[Event, ...]
    turns: tuple[Turn, ...]
    ended: bool


def read_conversation(path: Path, conversation: str, starts: Collection[str] | None = None) -> Recorded:
    """What the log of a conversation tells; nothing yet where its first line was torn. starts: see `read_events`.

    Raises LogError where it is the log of another conversation, turns do not run from 0 without a gap, what stands in
    one does not hold together, and whatever `read_events` raises.
    """
    events = tuple(read_events(path, starts))
    try:
        return Recorded(events, *_read(events, conversation))
    except _OddError as odd:
        raise LogError(f"{str(path)!r}, {odd}") from odd


class _OddError(ValueError):
    """Why events are no conversation, in words that follow the name of the file."""


def _read(events: Sequence[Event], conversation: str) -> tuple[tuple[Turn, ...], bool]:
    turns: list[Turn] = []
    begun: int | None = None  # the place of the event that began the turn under way
    ended = False
    for place, event in enumerate(events):
        if (place == 0) != isinstance(event, ConversationStarted):
            raise _OddError(f"line {place + 1}: a log begins with the start of its conversation and has no other")
        match event:
            case ConversationStarted():
                if event.conversation != conversation:
                    raise _OddError(f"line 1 begins the conversation {event.conversation!r}, not {conversation!r}")
            case ConversationEnded():
                _check_end(event, turns, place)
                ended = True
            case _:
                if event.turn != len(turns) or isinstance(event, TurnStarted) != (begun is None):
                    raise _OddError(f"line {place + 1}: turns do not run from 1 without a gap")
                begun = place if begun is None else begun
                if isinstance(event, TurnEnded):
                    turns.append(_read_turn(events[begun : place + 1], [turn.ledger for turn in turns]))
                    begun = None
    return tuple(turns), ended


def _check_end(event: ConversationEnded, turns: Sequence[Turn], place: int) -> None:
    if (event.turns, event.outcomes) != (len(turns), tuple(turn.outcome for turn in turns)):
        raise _OddError(f"line {place + 1} ends a conversation of {event.turns} turns, and {len(turns)} stand there")


def _read_turn(events: Sequence[Event], earlier: Sequence[Ledger]) -> Turn:
    try:
        turn = read_turn(events, earlier)
        _check_ledger(turn)
        turn.prior_turn()
    except ODD as error:
        raise _OddError(f"turn {len(earlier) + 1} does not hold together: {type(error).__name__}: {error}") from error
    return turn


def _check_ledger(turn: Turn) -> None:
    """Raises what is in ODD where an entry rests on one that does not stand before it: no way would lead to its end."""
    known: set[str] = set()
    for entry in turn.ledger:
        for step in turn.ledger.operands(Step(turn.index, entry)):
            if step.turn > turn.index or (step.turn == turn.index and step.entry.name not in known):
                raise ValueError(f"{entry.name!r} rests on {step.entry.name!r}, which comes behind it")
        known.add(entry.name)
