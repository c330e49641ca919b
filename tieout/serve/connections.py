"""Connections that are bounded: in number, and in the time that one may take over the head of a request.

uvicorn ends a connection that stays silent after a reply, and no other: one that never finishes its headers stays open,
and enough of them leave no file descriptor for anybody else.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HEAD_SECONDS = 10.0  # from the first byte that may come to the end of the headers
MOST, LEAST = 1000, 16
OTHERS = 64  # file descriptors for all else: reports, processes, the index
WANTED = 4096  # files that may be open, where the system lets us ask for as many


def most_connections() -> int:
    """How many connections are held at once: as many as file descriptors allow, with some left for all else."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return MOST
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit != resource.RLIM_INFINITY and limit < WANTED:
        limit = WANTED if most == resource.RLIM_INFINITY else min(WANTED, most)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MOST if limit == resource.RLIM_INFINITY else max(LEAST, min(MOST, (limit - OTHERS) // 3))
    )  # those that are just ended have theirs still


class BoundedConnection(H11Protocol):
    """A connection that is ended where no request comes in time, or where a newer one needs its place."""

    most = MOST

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - those of uvicorn
        super().__init__(*arguments, **more)
        self._deadline: asyncio.TimerHandle | None = None
        self._since = 0.0

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As asyncio has it. Where there are too many, the one that has waited longest for a request gives way."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            held = (each for each in self.connections if isinstance(each, BoundedConnection))
            waiting = [each for each in held if each.waits and not each.transport.is_closing()]
            min(waiting, key=lambda each: each._since, default=self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio has it."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """As uvicorn has it: the next request may come."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._end_if_waiting)

    def _end_if_waiting(self) -> None:
        if self.waits:
            self.transport.abort()


def listen(host: str, port: int, option: str) -> socket.socket:
    """A socket that listens; for port 0 at a free one. option: that names the port. Raises OSError, which says the way
    out."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} is in use: name another with {option}, or take a free one: {option} 0"
            ) from None
        raise OSError(f"nothing can listen at {host!r}, port {port}: {error.strerror}") from None
    listening.set_inheritable(True)
    return listening


def make_config(app: ASGIApp, **more: Any) -> uvicorn.Config:  # noqa: ANN401 - those of uvicorn
    """How an application is served: bounded, quiet, and without waiting long for anybody at the end."""
    BoundedConnection.most = most_connections()
    return uvicorn.Config(
        app,
        http=BoundedConnection,
        backlog=min(128, BoundedConnection.most // 4),  # asyncio takes as many at once, before any is ended
        access_log=False,
        log_level="error",  # who sends what is no HTTP fills no log
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=3,
        **more,
    )
