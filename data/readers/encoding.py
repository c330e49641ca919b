"""Bytes into text: which encoding they are in is told by a byte order mark, zero bytes, and whether they are UTF-8."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNSEEN = bytes(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 27})
_MOST_UNSEEN = 0.02  # share of control characters in a text


def find_encoding(content: bytes) -> str:
    """The encoding of a text. Without a mark and not UTF-8, it is Windows-1252, whose every byte we take."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    start = content[:4096]
    if b"\0" in start:
        even, odd = start[::2].count(0), start[1::2].count(0)
        if max(even, odd) > len(start) // 4 > 4 * min(even, odd):
            return "utf-16-be" if even > odd else "utf-16-le"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decode(content: bytes) -> str:
    """The text in these bytes; a byte that means nothing in its encoding becomes U+FFFD."""
    return content.decode(find_encoding(content), "replace").replace("\0", "")


def decode_start(content: bytes) -> str:
    """As `decode`, for the beginning of a text, which may end in the middle of a letter."""
    return decode(content).rstrip("�")


def is_text(content: bytes) -> bool:
    """Whether bytes are text and no binary data."""
    if find_encoding(content).startswith(("utf-16", "utf-32")):
        return True
    return len(content.translate(None, _UNSEEN)) >= len(content) * (1 - _MOST_UNSEEN)
