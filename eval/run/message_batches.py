"""Requests that do not wait for each other, sent together through the Message Batches API, at half the price.

A batch holds the first requests of conversations; their replies are then found here instead of being asked for one by
one. Whatever a batch does not answer is asked for as usual.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.backends.anthropic_request import encode
from tieout.agent.log.fingerprint import fingerprint
from tieout.agent.protocol.message import Backend, BackendError, Reply, Request

MOST_REQUESTS = 1000  # of one batch; the API takes 100,000 and 256 MB
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds between two looks at a batch
LONGEST_WAIT = 24 * 3600.0  # a batch that is not over by then has expired
# What reading a result of another form raises: the SDK checks a single reply, but not those of a batch.
ODD = (BackendError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def key_of(request: Request) -> str:
    """What a request is found again by: equal requests have equal keys, on every machine."""
    return fingerprint(request).model_dump_json()


def ask_in_batches(
    backend: AnthropicBackend,
    requests: Iterable[Request],
    pause: Callable[[float], None] | None = None,
    ids: Path | None = None,
) -> dict[str, Reply]:
    """The replies to requests by `key_of`; those that failed or are odd are left out. pause: waits for so many seconds.

    ids: file of the ids of batches, a line each, written as they are sent; what it has already is waited for, and its
    requests are not sent again. Raises BackendError: `not found` where the endpoint has no batches or does not know one
    of ids, else as `AnthropicBackend.reply`.
    """
    pause = pause or backend.bounds.sleep
    left = {custom_id(request): request for request in requests}
    replies: dict[str, Reply] = {}
    with backend.named_errors(batch=True):
        for sent in ids.read_text(encoding="utf-8").split() if ids is not None and ids.exists() else ():
            _collect(backend, sent, pause, left, replies)
        while part := dict(islice(left.items(), MOST_REQUESTS)):
            batch = _send(backend, part)
            if ids is not None:
                _note(batch, ids)
            pause(FIRST_PAUSE)
            _collect(backend, batch, pause, left, replies)
            for name in part:
                left.pop(name, None)
    return replies


def custom_id(request: Request) -> str:
    """The name of a request in a batch, the same whatever else is asked: the hash of its key."""
    return hashlib.sha256(key_of(request).encode()).hexdigest()


def _send(backend: AnthropicBackend, part: Mapping[str, Request]) -> str:
    from anthropic import NotFoundError

    bodies = [{"custom_id": name, "params": encode(request, backend.options)} for name, request in part.items()]
    try:
        return backend.client.messages.batches.create(requests=bodies).id  # type: ignore[arg-type]
    except NotFoundError:
        raise BackendError("not found", "the endpoint has no Message Batches API") from None


def _note(batch: str, ids: Path) -> None:
    with ids.open("a", encoding="utf-8") as file:
        file.write(f"{batch}\n")
        file.flush()
        os.fsync(file.fileno())


def _collect(
    backend: AnthropicBackend,
    sent: str,
    pause: Callable[[float], None],
    left: dict[str, Request],
    replies: dict[str, Reply],
) -> None:
    """Waits for a batch, takes its requests out of left, and puts the replies to them into replies."""
    from anthropic import NotFoundError

    batches = backend.client.messages.batches
    waited, seconds = 0.0, FIRST_PAUSE
    try:
        while batches.retrieve(sent).processing_status != "ended":
            if waited > LONGEST_WAIT:
                raise BackendError("timeout", f"the batch {sent!r} did not end within a day")
            pause(seconds)
            waited, seconds = waited + seconds, min(2 * seconds, LONGEST_PAUSE)
        lines = batches.results(sent)
    except NotFoundError:
        raise BackendError("not found", f"the endpoint does not know the batch {sent!r} any more") from None
    for line in lines:
        with suppress(*ODD):  # one of them must not cost the others
            request = left.pop(line.custom_id, None)
            if request is not None and line.result.type == "succeeded":
                reply = backend.read(line.result.message)
                replies[key_of(request)] = reply.model_copy(update={"batch": True})


class Prefetched:
    """A backend that first looks among replies that are there already; each is given once, to the very same request."""

    def __init__(self, backend: Backend, replies: Mapping[str, Reply]) -> None:
        self.name = backend.name
        self._backend = backend
        self._replies = dict(replies)

    def reply(self, request: Request) -> Reply:
        """The reply that is there, else that of the backend."""
        found = self._replies.pop(key_of(request), None) if self._replies else None
        return found or self._backend.reply(request)


def with_replies(backend: Backend, path: Path) -> Backend:
    """The backend, which first looks among the replies of a file, where there is one."""
    if not path.exists():
        return backend
    with path.open(encoding="utf-8") as file:
        return Prefetched(backend, read_replies(file))


def read_replies(lines: Iterable[str]) -> dict[str, Reply]:
    """Replies from the lines that `written` made."""
    pairs = (line.rstrip("\n").split("\t", 1) for line in lines)
    return {key: Reply.model_validate_json(reply) for key, reply in pairs}


def written(replies: Mapping[str, Reply]) -> Iterator[str]:
    """Replies as lines of text, a tab between key and reply, for processes that share them through a file."""
    for key, reply in sorted(replies.items()):
        yield f"{key}\t{reply.model_dump_json()}\n"
