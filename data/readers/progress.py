"""How far the reading of a file is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hear = Callable[[int, int], None]
_hears: ContextVar[Hear | None] = ContextVar("hears", default=None)


@contextmanager
def heard(hear: Hear) -> Iterator[None]:
    """What is read meanwhile tells how many of its pages are read, and of how many."""
    before = _hears.set(hear)
    try:
        yield
    finally:
        _hears.reset(before)


def tell(done: int, of: int) -> None:
    """Tells it."""
    if (hear := _hears.get()) is not None:
        hear(done, of)
