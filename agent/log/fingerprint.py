"""Telling requests apart: by hashes of their parts."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from pydantic import BaseModel
from pydantic_core import to_json

from tieout.agent.log.events import Fingerprint
from tieout.agent.protocol.message import Card, Request, ToolSpec
from tieout.kg.fact import Fact

MOST_LASTING = 20_000  # tools and figures that are kept as they are written out


def fingerprint(request: Request) -> Fingerprint:
    """The hashes of a request. Equal requests have equal ones in every process and on every machine."""
    return Fingerprint(
        instructions=_hash(request.instructions.encode()),
        tools=_hash(*(_lasting(_Same(each)) for each in request.tools)),
        card=_hash(*map(_of_card, filter(None, (request.card, request.view)))),
        history=_hash(*map(_json, request.history)),
        question=_hash(request.question.encode(), (request.must_call or "").encode()),
        exchanges=_hash(*map(_json, request.exchanges)),
    )


class _Same:
    """A frozen value that equals itself alone: tools and figures are the same ones in every turn that shows them."""

    def __init__(self, value: ToolSpec | Fact) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


def _of_card(card: Card) -> bytes:
    """As `_json`, whose text it is, with figures that other cards have too written out once."""
    facts = b",".join([_lasting(_Same(fact)) for fact in card.facts])
    return b'{"document_id":%b,"facts":[%b],"text":%b}' % (to_json(card.document_id), facts, to_json(card.text))


@lru_cache(maxsize=MOST_LASTING)
def _lasting(part: _Same) -> bytes:
    """What lasts longer than a turn, written out once."""
    return _json(part.value)


def _json(value: BaseModel) -> bytes:
    return value.model_dump_json().encode()


def _hash(*texts: bytes) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(b"%d:" % len(text))
        digest.update(text)
    return digest.hexdigest()[:16]
