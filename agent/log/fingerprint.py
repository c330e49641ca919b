"""Telling requests apart: by hashes of their parts."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel
from pydantic_core import to_json

from tieout.agent.log.events import Fingerprint
from tieout.agent.protocol.message import Card, Request


def fingerprint(request: Request) -> Fingerprint:
    """The hashes of a request. Equal requests have equal ones in every process and on every machine."""
    return Fingerprint(
        instructions=_hash(request.instructions.encode()),
        tools=_hash(*map(_json, request.tools)),
        card=_hash(*map(_of_card, filter(None, (request.card, request.view)))),
        history=_hash(*map(_json, request.history)),
        question=_hash(request.question.encode(), (request.must_call or "").encode()),
        exchanges=_hash(*map(_json, request.exchanges)),
    )


def _of_card(card: Card) -> bytes:
    """What is shown, with the names of its figures: in one document a name is of one figure, which the text prints."""
    return to_json((card.document_id, card.text, [fact.name for fact in card.facts]))


def _json(value: BaseModel) -> bytes:
    return value.__pydantic_serializer__.to_json(value)


def _hash(*texts: bytes) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(b"%d:" % len(text))
        digest.update(text)
    return digest.hexdigest()[:16]
