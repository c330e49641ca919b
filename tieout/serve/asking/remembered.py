"""Replies of a backend that always says the same to the same request, kept for whoever asks it again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from tieout.agent.protocol.message import Backend, Reply, Request

MOST_REPLIES = 1000


class Remembered:
    """One backend for all conversations of a process: what it prepares and says is shared among them.

    backend: says the same whenever it sees the same, as the offline one does. It is asked by one thread at a time.
    """

    def __init__(self, backend: Backend) -> None:
        self.name = backend.name
        self._backend = backend
        self._lock = threading.Lock()
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()

    def reply(self, request: Request) -> Reply:
        """As Backend has it."""
        if request.exchanges:  # a second try, which hardly anybody makes again
            with self._lock:
                return self._backend.reply(request)
        key = _key(request)
        with self._lock:
            if key not in self._replies:
                self._replies[key] = self._backend.reply(request)
            self._replies.move_to_end(key)
            if len(self._replies) > MOST_REPLIES:
                self._replies.popitem(last=False)
            return self._replies[key]


def _key(request: Request) -> bytes:
    """All that a backend sees but for instructions and tools, which are equal for all conversations."""
    shown = [request.card.document_id, request.card.text, request.view.text if request.view else ""]
    told = [prior.model_dump_json() for prior in request.history]
    digest = hashlib.sha256()
    for part in (*shown, *told, request.question, request.must_call or ""):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.digest()
