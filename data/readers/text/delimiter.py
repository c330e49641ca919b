"""Whether a text is a table of separated values, and what separates them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

DELIMITERS = "\t;|,"
_LINES = 200  # lines that tell the delimiter
_LEAST_SHARE = 0.7  # of lines with as many delimiters as most others have
# One number with what may stand around it in a cell.
NUMBER = re.compile(
    r"\(?[-+−]?\s?(?:[$€£¥]|[A-Z]{3}\s)?\s?\(?[-−]?\d[\d,]*(?:\.\d+)?\)?\s?(?:%|x|bps)?\)?", re.IGNORECASE
)


def find_delimiter(text: str) -> str:
    """What separates the values of a text; "" for one that is no table of values."""
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    if len(lines) > 2 and len(text.splitlines()) <= _LINES and not text.endswith(("\n", "\r")):
        lines = lines[: len(lines) - 1] if len(text) >= 1 << 16 else lines  # the last one may be cut
    best, share = "", 0.0
    for delimiter in DELIMITERS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            continue
        widths = Counter(len(row) for row in rows)
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        if width < 2 or len(rows) < 2 or _is_prose(rows):
            continue
        if count / len(rows) >= _LEAST_SHARE and count / len(rows) > share:
            best, share = delimiter, count / len(rows)
    return best


def _is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Whether commas part clauses: hardly a value is a number, and most begin with a space."""
    values = [value for row in rows for value in row[1:] if value.strip()]
    numbers = sum(1 for value in values if NUMBER.fullmatch(value.strip()))
    spaced = sum(1 for value in values if value.startswith(" "))
    return not values or (numbers < len(values) / 10 and spaced > len(values) / 2)
