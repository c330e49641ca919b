"""Telling requests apart: by hashes of their parts."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel

from tieout.agent.log.events import Fingerprint
from tieout.agent.protocol.message import Exchange, PriorTurn, Request, ToolSpec


def fingerprint(request: Request) -> Fingerprint:
    """The hashes of a request. Equal requests have equal ones in every process and on every machine."""
    return Fingerprint(
        instructions=_hash(request.instructions),
        tools=_hash(*map(_json, request.tools)),
        card=_hash(*(_json(each) for each in (request.card, request.view) if each is not None)),
        history=_hash(*map(_json, request.history)),
        question=_hash(request.question, request.must_call or ""),
        exchanges=_hash(*map(_json, request.exchanges)),
    )


def _json(value: ToolSpec | BaseModel | PriorTurn | Exchange) -> str:
    return value.model_dump_json()


def _hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode()
        digest.update(b"%d:" % len(encoded) + encoded)
    return digest.hexdigest()[:16]
