"""The instructions for a language model, read from the one file in which they are written."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Literal

PROMPT = Path(__file__).with_name("prompt.md")
StrategyName = Literal["tools", "plan", "plain"]
SECTIONS: dict[StrategyName, tuple[str, ...]] = {
    "tools": ("Task", "Card", "Reading rules", "Print", "Strategy: tools"),
    "plan": ("Task", "Card", "Reading rules", "Print", "Strategy: plan"),
    "plain": ("Reading rules", "Print", "Strategy: plain"),
}
About = Literal["page", "reports", "data"]
# Whole reports are shown without codes of characters. Of data alone neither cards nor what reports print are spoken of.
INSTEAD: dict[About, dict[str, str | None]] = {
    "page": {},
    "reports": {"Task": "Task: reports", "Print": None},
    "data": {"Task": "Task: data", "Card": None, "Reading rules": None, "Print": None},
}


@cache
def _sections() -> dict[str, str]:
    parts = re.split(r"^# (.+)\n", PROMPT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def instructions(strategy: StrategyName, about: About = "page") -> str:
    """What a model is told under a strategy: the sections of the prompt that concern it, in their order."""
    wanted = (INSTEAD[about].get(name, name) for name in SECTIONS[strategy])
    return "\n\n".join(f"# {name}\n{_sections()[name]}" for name in wanted if name is not None)


@cache
def prompt_hash() -> str:
    """The SHA-256 of the prompt file: two runs with the same hash were told the same."""
    return hashlib.sha256(PROMPT.read_bytes()).hexdigest()
