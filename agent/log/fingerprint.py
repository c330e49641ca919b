"""Telling requests apart: by hashes of their parts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pydantic import BaseModel
from pydantic_core import to_json

from tieout.agent.log.events import Fingerprint
from tieout.agent.protocol.message import Card, Request, ToolSpec
from tieout.kg.fact import Fact

MOST_LASTING = 20_000  # tools and figures that are kept as they are written out
_lasting: dict[int, tuple[ToolSpec | Fact, bytes]] = {}  # by their id(), which is theirs as long as they are here


def fingerprint(request: Request) -> Fingerprint:
    """The hashes of a request. Equal requests have equal ones in every process and on every machine."""
    return Fingerprint(
        instructions=_hash(request.instructions.encode()),
        tools=_hash(*_written(request.tools)),
        card=_hash(*map(_of_card, filter(None, (request.card, request.view)))),
        history=_hash(*map(_json, request.history)),
        question=_hash(request.question.encode(), (request.must_call or "").encode()),
        exchanges=_hash(*map(_json, request.exchanges)),
    )


def _of_card(card: Card) -> bytes:
    """As `_json`, whose text it is, with figures that other cards have too written out once."""
    facts = b",".join(_written(card.facts))
    return b'{"document_id":%b,"facts":[%b],"text":%b}' % (to_json(card.document_id), facts, to_json(card.text))


def _written(parts: Sequence[ToolSpec | Fact]) -> list[bytes]:
    """Tools and figures written out, which are the same ones in every turn that shows them: each once."""
    if len(_lasting) > MOST_LASTING:
        _lasting.clear()
    known = [_lasting.get(id(part)) or _lasting.setdefault(id(part), (part, _json(part))) for part in parts]
    return [text for _, text in known]


def _json(value: BaseModel) -> bytes:
    return value.__pydantic_serializer__.to_json(value)


def _hash(*texts: bytes) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(b"%d:" % len(text))
        digest.update(text)
    return digest.hexdigest()[:16]
