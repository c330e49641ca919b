"""How long a reply may take and how much of it is read, whatever the endpoint does: checked at every piece that comes.

The SDK's own time-out is between two bytes; an endpoint that sends one now and then would never meet it. So its
connections are read in short waits, between which the bounds are looked at: also before the headers are there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any

import httpcore2

from tieout.agent.protocol.message import BackendError

if TYPE_CHECKING:
    import ssl

    import httpx2

MOST_BYTES = 32 * 1024 * 1024  # of one reply; a reply of 128,000 tokens that is streamed is below 16 MB
MOST_BYTES_OF_A_BATCH = 1024 * 1024 * 1024  # which is read line by line
_GLANCE = 0.25  # seconds of waiting between two looks


class BoundsError(BaseException):
    """A reply that goes beyond its bounds. No Exception: the SDK would take it for a fault and ask again."""

    def __init__(self, outcome: str, message: str) -> None:
        super().__init__(message)
        self.outcome, self.message = outcome, message

    def named(self) -> BackendError:
        """The same as the end of a turn."""
        return BackendError(self.outcome, self.message)


class Halted(BaseException):  # no error, and no Exception: nothing of the turn is kept, as after Ctrl-C
    """Whoever asked does not want the reply any more."""


class Bounds:
    """The bounds of one backend, whose replies may be awaited in several threads.

    total: seconds for a reply, with all attempts of the SDK. deadline: by `time.time()`, for everything; None for none.
    """

    def __init__(self, total: float) -> None:
        self.total = total
        self.deadline: float | None = None
        self._halted = threading.Event()
        self._own = threading.local()  # of the reply that this thread waits for: until, most, read

    def halt(self) -> None:
        """Ends all waiting, and what is begun later, with Halted."""
        self._halted.set()

    @contextmanager
    def reply(self, total: float | None = None, most: int = MOST_BYTES) -> Iterator[None]:
        """One reply of this thread. total: seconds, else those of the backend. Raises what `check` raises."""
        self._own.until = time.monotonic() + (self.total if total is None else total)
        self._own.most, self._own.read = most, 0
        self.check()
        yield

    def check(self) -> float:
        """The seconds that are left. Raises BoundsError, Halted."""
        if self._halted.is_set():
            raise Halted
        if self.deadline is not None and time.time() >= self.deadline:
            raise BoundsError("limit", "the seconds of --max-seconds are used up")
        left = self._until - time.monotonic()
        if left <= 0:
            raise BoundsError("timeout", f"no whole reply within {self.total:g} s")
        return left if self.deadline is None else min(left, self.deadline - time.time())

    def count(self, size: int) -> None:
        """Adds bytes that were read. Raises BoundsError."""
        self._own.read = getattr(self._own, "read", 0) + size
        most = getattr(self._own, "most", MOST_BYTES)
        if self._own.read > most:
            raise BoundsError("bad reply", f"the reply is longer than {most >> 20} MB: the rest was not read")

    def count_anew(self) -> None:
        """What is read from now on belongs to another attempt."""
        self._own.read = 0

    def sleep(self, seconds: float) -> None:
        """Waits, at most for as long as a reply is waited for. Raises BoundsError, Halted."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self._halted.wait(min(rest, self.check()))
        self.check()

    @property
    def _until(self) -> float:
        return getattr(self._own, "until", inf)


def bound(client: httpx2.Client, bounds: Bounds) -> None:
    """Lets a client keep to bounds on all its connections, those through proxies too."""
    for transport in (client._transport, *client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _Network(pool._network_backend, bounds)


class _Network(httpcore2.NetworkBackend):
    """Connections whose streams keep to bounds."""

    def __init__(self, inner: httpcore2.NetworkBackend, bounds: Bounds) -> None:
        self._inner, self._bounds = inner, bounds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        timeout = _least(timeout, self._bounds.check())
        return _Stream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options), self._bounds)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        timeout = _least(timeout, self._bounds.check())
        return _Stream(self._inner.connect_unix_socket(path, timeout, socket_options), self._bounds)

    def sleep(self, seconds: float) -> None:
        self._bounds.sleep(seconds)


class _Stream(httpcore2.NetworkStream):
    """A connection that is read in short waits."""

    def __init__(self, inner: httpcore2.NetworkStream, bounds: Bounds) -> None:
        self._inner, self._bounds = inner, bounds

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        end = inf if timeout is None else time.monotonic() + timeout
        while True:
            wait = min(_GLANCE, self._bounds.check(), end - time.monotonic())
            try:
                piece = self._inner.read(max_bytes, max(wait, 0.001))
            except httpcore2.ReadTimeout:
                if time.monotonic() >= end:
                    raise
                continue
            self._bounds.count(len(piece))
            return piece

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._bounds.count_anew()
        self._inner.write(buffer, _least(timeout, self._bounds.check()))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        timeout = _least(timeout, self._bounds.check())
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout), self._bounds)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the library has it
        return self._inner.get_extra_info(info)


def _least(timeout: float | None, left: float) -> float | None:
    """A time-out that does not outlast what is left."""
    if timeout is None:
        return None if left == inf else left
    return min(timeout, left)
