"""Whether a text is a table of separated values, and what separates them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from tieout.data.printed.pattern import later

DELIMITERS = "\t;|,"
_LINES = 200  # lines that tell the delimiter
_LEAST_SHARE = 0.7  # of lines with as many delimiters as most others have
# One number with what may stand around it in a cell.
NUMBER = later(r"\(?[-+−]?\s?(?:[$€£¥]|[A-Z]{3}\s)?\s?\(?[-−]?\d[\d,]*(?:\.\d+)?\)?\s?(?:%|x|bps)?\)?", re.IGNORECASE)


def find_delimiter(text: str) -> str:
    """What separates the values of a text; "" for one that is no table of values. Of several that could, the one by
    which most values are numbers."""
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    best, most = "", (-1, 0)
    for delimiter in DELIMITERS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            continue
        width, count = max(Counter(len(row) for row in rows).items(), key=lambda each: each[1], default=(0, 0))
        if width < 2 or len(rows) < 2 or count < _LEAST_SHARE * len(rows) or _is_prose(rows):
            continue
        numbers = sum(1 for row in rows for value in row if NUMBER.fullmatch(value.strip()))
        if (numbers, width) > most:
            best, most = delimiter, (numbers, width)
    return best


def _is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Whether commas part clauses: hardly a value is a number, and most begin with a space."""
    values = [value for row in rows for value in row[1:] if value.strip()]
    numbers = sum(1 for value in values if NUMBER.fullmatch(value.strip()))
    spaced = sum(1 for value in values if value.startswith(" "))
    return not values or (numbers < len(values) / 10 and spaced > len(values) / 2)
