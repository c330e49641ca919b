"""Text of documents as a model is shown it: nothing in it can be taken for what stands around it."""

from __future__ import annotations

import re
import unicodedata

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs"})  # control, format (zero width, direction, tags), private use, surrogates
_MARKUP, _MARKED = re.compile(r"<(?=\s*[/!?\w])"), re.compile(r"\{(\w+)\}")


def harmless(text: str) -> str:
    """Document text that can be nothing else: one line, no unseen character, and none of the marks of the card."""
    if not text.isprintable():  # a text that is has no space but the plain one, and nothing unseen
        text = "".join(" " if char.isspace() else char for char in text)
        text = "".join(char for char in text if unicodedata.category(char) not in UNSEEN)
    shown = " ".join(text.split())
    if "<" in shown:
        shown = _MARKUP.sub("‹", shown)
    return _MARKED.sub(r"(\1)", shown) if "{" in shown else shown
