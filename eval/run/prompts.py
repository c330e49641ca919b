"""Which prompt models are told in a run: another file in the place of ours, and the hash of the one that counts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tieout.agent.strategies.prompt import VARIABLE, prompt_file, sections_of


@contextmanager
def in_prompt(path: Path | None) -> Iterator[None]:
    """Inside, models are told what stands in this file, also by processes that are started there; None for ours.

    Raises PromptError.
    """
    before = os.environ.get(VARIABLE)
    if path is not None:
        sections_of(path)
        os.environ[VARIABLE] = str(path.resolve())
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        os.environ |= {} if before is None else {VARIABLE: before}


def prompt_hash() -> str:
    """The SHA-256 of the prompt file: two runs with the same hash were told the same."""
    return hashlib.sha256(prompt_file().read_bytes()).hexdigest()
