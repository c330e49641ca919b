"""Python's search for cycles, which looks through all that a process keeps, held back where nothing is to be found."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting(*, is_kept: bool = False) -> Iterator[None]:
    """Inside, the search is off. is_kept: what is made there stays: it counts as old, and is not looked through at
    once."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_kept:
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()
