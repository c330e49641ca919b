"""Telling requests apart: by hashes of their parts."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from pydantic import BaseModel

from tieout.agent.log.events import Fingerprint
from tieout.agent.protocol.message import Card, Exchange, PriorTurn, Request, ToolSpec


def fingerprint(request: Request) -> Fingerprint:
    """The hashes of a request. Equal requests have equal ones in every process and on every machine."""
    return Fingerprint(
        instructions=_hash(request.instructions),
        tools=_hash(*(_lasting(_Same(each)) for each in request.tools)),
        card=_hash(*(_lasting(_Same(each)) for each in (request.card, request.view) if each is not None)),
        history=_hash(*map(_json, request.history)),
        question=_hash(request.question, request.must_call or ""),
        exchanges=_hash(*map(_json, request.exchanges)),
    )


class _Same:
    """A frozen value that equals itself alone: the tools and the card are the same ones in every turn."""

    def __init__(self, value: ToolSpec | Card) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


@lru_cache(maxsize=64)
def _lasting(part: _Same) -> str:
    """What lasts longer than a turn, written out once."""
    return _json(part.value)


def _json(value: ToolSpec | BaseModel | PriorTurn | Exchange) -> str:
    return value.model_dump_json()


def _hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode()
        digest.update(b"%d:" % len(encoded) + encoded)
    return digest.hexdigest()[:16]
