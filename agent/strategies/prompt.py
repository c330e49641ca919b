"""The instructions for a language model, read from the one file in which they are written, or from another version."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Literal

PROMPT = Path(__file__).with_name("prompt.md")
VARIABLE = "TIEOUT_PROMPT"  # another file in its place, with the same sections
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


class PromptError(ValueError):
    """A file that is no prompt: it cannot be read, or a section is missing."""


def prompt_file() -> Path:
    """The prompt that counts now: that of the environment, else ours."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named) if named else PROMPT


@cache
def sections_of(path: Path) -> dict[str, str]:
    """The sections of a prompt by name. Raises PromptError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"the prompt {str(path)!r} cannot be read: {error}") from error
    parts = re.split(r"^# (.+)\n", text, flags=re.MULTILINE)
    found = {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    instead = (name for each in INSTEAD.values() for name in each.values() if name)
    for name in (*(name for names in SECTIONS.values() for name in names), *instead):
        if name not in found:
            raise PromptError(f"the prompt {str(path)!r} has no section '# {name}'")
    return found


def instructions(strategy: StrategyName, about: About = "page") -> str:
    """What a model is told under a strategy: the sections of the prompt that concern it, in their order.

    Raises PromptError for a file named in TIEOUT_PROMPT that is none.
    """
    sections = sections_of(prompt_file())
    wanted = (INSTEAD[about].get(name, name) for name in SECTIONS[strategy])
    return "\n\n".join(f"# {name}\n{sections[name]}" for name in wanted if name is not None)
