"""The seal of a run: one hash over what does not change of it, the list of its conversations included.

Every log begins with it, so that a conversation that is taken out of the list, with its log or without, leaves all
other logs at odds with `run.json`, and the log of another run, or of another repeat, fits nowhere here. A run that was
extended has a seal for each of its extents, each made from the one before: a log fits any that its conversation is in.

There is no secret in it: who writes `run.json` and every log anew can make all of it fit. Only what was noted elsewhere
shows that: the seal when the run is begun, the digest of `tieout eval verify` when it is over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from tieout.agent.log.log import FIRST


def seals(fixed: Mapping[str, object], extents: Sequence[Mapping[str, int]]) -> tuple[str, ...]:
    """The seal of every extent of a run, the latest last.

    fixed: what is the same for all, as JSON values. extents: the conversations with their numbers of questions.
    """
    found: list[str] = []
    for sizes in extents:
        found.append(_hash([found[-1] if found else FIRST, fixed, list(sizes.items())]))
    return tuple(found)


def start_of(seal: str | None, repeat: int) -> str:
    """What the logs of a repeat begin with; seal: None for a run of before there were seals."""
    return FIRST if seal is None else _hash([seal, repeat])


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
