"""Questions for what falls due, is paid or is amortized in a year ahead (`lease payments due in 2026`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.system.compile_cache import read_toml

_YEAR = re.compile(r"\b(?:fy ?)?20\d\d\b")


def scheduled_words(lower: str) -> str | None:
    """What a question, in lower case, wants to know the part of one year of, without the words that say nothing of
    it; None where it asks for something else."""
    asked, _, none = _words()
    if len(_YEAR.findall(lower)) != 1 or not asked.search(lower) or none.search(lower):
        return None
    return without_bare(lower)


def without_bare(lower: str) -> str:
    """A question or a label, in lower case, without the words and years that say nothing of what it is of."""
    asked, bare, _ = _words()
    return bare.sub(" ", asked.sub(" ", _YEAR.sub(" ", lower)))


@lru_cache(maxsize=1)
def _words() -> tuple[re.Pattern[str], ...]:
    read: Mapping[str, Any] = read_toml(Path(__file__).with_name("rows") / "schedules.toml")
    return tuple(re.compile(rf"\b(?:{read[name]})(?!\w)") for name in ("asked", "bare", "none"))
