"""The turns of an earlier session, by the name of its run or log."""

from __future__ import annotations

import difflib
from pathlib import Path
from urllib.parse import unquote

from tieout.agent.log.log import LogError, log_path, read_events
from tieout.agent.log.turn import Turn, read_turns

RUNS = Path("runs")  # where `tieout eval run` puts them


def recorded_turns(run: str, turn: str) -> tuple[Turn, ...]:
    """The turns up to one. run: a log, or a folder of logs, or its name in RUNS. turn: a number from 1; in a folder of
    several logs the id of a conversation, with `:2` for its second turn.

    Raises LogError where there is no such thing."""
    path = Path(run) if Path(run).exists() else RUNS / run
    conversation, _, number = turn.rpartition(":") if turn.rpartition(":")[2].isdecimal() else (turn, "", "1")
    log = _log_in(path, conversation) if path.is_dir() else path
    if not path.is_dir() and conversation:
        raise LogError(f"{str(path)!r} is one conversation: its turns are numbers from 1, not {turn!r}")
    if not log.exists():
        raise LogError(f"there is no log {run!r}, and no run of that name in {str(RUNS)!r}")
    turns = tuple(read_turns(read_events(log)))
    if not 1 <= int(number) <= len(turns):
        raise LogError(f"{str(log)!r} has {len(turns)} turns, not {number}")
    return turns[: int(number)]


def _log_in(folder: Path, conversation: str) -> Path:
    logs = sorted(folder.glob("*.jsonl"))
    if not conversation and len(logs) == 1:
        return logs[0]
    log = log_path(folder, conversation)
    if log in logs:
        return log
    names = [unquote(path.stem) for path in logs]
    near = difflib.get_close_matches(conversation, names, n=5, cutoff=0.3) or names[:5]
    raise LogError(f"run {folder.name!r} has no conversation {conversation!r}; there are: {', '.join(near) or 'none'}")
