"""What the first page of a filing says of the whole: which form, whose, for the period that ends when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tieout.data.printed.wording import MONTHS

LINES = 80  # of the file that can belong to the cover
_FORM = re.compile(
    r"\bform\s+(10-?[kq](?:405|sb)?|20-?f|40-?f|8-?k|6-?k|11-?k|s-?[1-8]|f-?[1-4])(\s?/\s?a)?\b", re.IGNORECASE
)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = re.compile(
    rf"(?:({_MONTH})\.?\s+([0-9]{{1,2}})\s*,?\s+((?:19|20)[0-9]{{2}})|([0-9]{{1,2}})\s+({_MONTH})\.?,?\s+((?:19|20)[0-9]{{2}}))",
    re.IGNORECASE,
)
_ENDED = re.compile(r"(?:year|period|quarter|months?|weeks)\s+(?:ended|ending)\b|date of report", re.IGNORECASE)
_EXACT = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?(?:registrant|company|issuer)", re.IGNORECASE)


def read_form(lines: Sequence[str]) -> str:
    """`10-K`, `20-F`, `10-Q/A`; "" where the cover names none."""
    for line in lines[:LINES]:
        if found := _FORM.search(line):
            name = found[1].upper()
            name = name if "-" in name else re.sub(r"^(\d+|[SF])", r"\1-", name)
            return name + ("/A" if found[2] else "")
    return ""


def read_ended(lines: Sequence[str]) -> date | None:
    """The last day of the period that the report is about, None where the cover does not say."""
    for index, line in enumerate(lines[:LINES]):
        if said := _ENDED.search(line):
            rest = f"{line[said.end() :]} {lines[index + 1] if index + 1 < len(lines) else ''}"
            if (found := _DAY.search(rest)) and (day := _day(found)):
                return day
    return None


def read_company(lines: Sequence[str]) -> str:
    """The name above `(Exact name of registrant as specified in its charter)`, "" where there is none."""
    for index, line in enumerate(lines[:LINES]):
        if said := _EXACT.search(line):
            before = line[: said.start()].strip(" (")
            return before or (lines[index - 1] if index else "")
    return ""


def read_day(text: str) -> date | None:
    """The first day that a text names in full: `September 27, 2025`."""
    found = _DAY.search(text)
    return _day(found) if found else None


def _day(found: re.Match[str]) -> date | None:
    month, number, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
    try:
        return date(int(year), MONTHS[month.lower()], int(number))
    except ValueError:
        return None
