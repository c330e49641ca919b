"""How all pages look: one sheet with the colours and the scales of space, type, corners and lines, which each page has
before its own."""

from __future__ import annotations

from pathlib import Path


def look() -> str:
    """The sheet."""
    return Path(__file__).with_name("look.css").read_text(encoding="utf-8")
