"""Codes in front of the labels of a table, as accounting programs write those of accounts: no years, no amounts.

>>> rows = (("Code", "Account", "Debit"), ("1000", "Bank", "7.5"), ("2000", "Creditors", ""), ("2010", "Loan", "1.0"))
>>> label_column(rows), label_column((("", "2024"), ("Bank", "7.5")))
(1, 0)
>>> code_in_front("2000 - Trade creditors")
('2000', 'Trade creditors')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.data.printed.amount import read_cell
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import read_period

_CODE = later(r"[0-9]{3,10}(?:[-/][0-9]{1,6})*|[A-Z]{1,4}[-.]?[0-9]{2,8}")
_POINTED = later(r"[0-9]{1,6}(?:\.[0-9]{1,6})+")  # only under a title of codes: it may be an amount
# `200 - Sales`; behind a space alone longer ones, as aircraft and engines have short numbers for names.
_IN_FRONT = later(
    r"(?:(?P<code>[0-9]{3,8}(?:[-/][0-9]{1,4})?) ?[-–—:·] ?|(?P<long>[0-9]{4,8}) )(?P<name>[^\W\d_].*)", re.DOTALL
)
_YEAR = later(r"(?:19|20)[0-9]{2}")
_OF_WHAT = (
    r"(?:general ledger|nominal ledger|account|acct\.?|a/c|g/?l(?: account)?|nominal|ledger|cost cent(?:re|er)"
    r"|department|customer|supplier|vendor|item|product|project)"
)
_TITLE = later(
    rf"(?:{_OF_WHAT} )?(?:code|no\.?|nr\.?|num|number|#|id|ref\.?|reference)|{_OF_WHAT}"
    r"|n/c|konto|konto-?(?:nummer|nr\.?)|compte|num[eé]ro de compte|cuenta|conto|rekening",
    re.IGNORECASE,
)
_SURE_TITLE = later(
    rf"{_OF_WHAT} (?:code|no\.?|nr\.?|num|number|#|id)|n/c|(?:account|nominal|gl) ?code|konto-?(?:nummer|nr\.?)",
    re.IGNORECASE,
)
_FEWEST = 3
_MOST_HEADERS = 5
_MOST = 0.9  # share of the rows that have a code, where some do
_LETTER = later(r"[^\W\d_]")


def label_column(rows: Sequence[Sequence[str]]) -> int:
    """The column with the labels of the rows: the second where codes stand in front of names, else the first."""
    first = next((at for at, row in enumerate(rows[:_MOST_HEADERS]) if row and _is_code(row[0])), None)
    if first is None:
        return 0
    both = [row for row in rows[first:] if len(row) > 2 and row[0].strip() and row[1].strip()]
    codes = [row[0].strip() for row in both if _is_code(row[0])]
    title = next((row[0].strip() for row in reversed(rows[:first]) if row and row[0].strip()), "")
    if len(codes) < min(_FEWEST, len(rows) - 1) or not codes or len(codes) < _MOST * len(both):
        return 0
    if not all(_is_name(row[1]) for row in both):
        return 0
    if _TITLE.fullmatch(title):
        return 1
    is_sorted = codes == sorted(set(codes)) and len({len(code) for code in codes}) == 1
    return int(not title and is_sorted and not _are_years(codes) and not any(map(_POINTED.fullmatch, codes)))


def is_title_of_codes(title: str) -> bool:
    """Whether the title of a column says that it holds the codes of accounts or other things, wherever it stands."""
    return bool(_SURE_TITLE.fullmatch(title))


def code_in_front(label: str) -> tuple[str, str]:
    """The code that a label begins with and its rest; ("", label) for none."""
    found = _IN_FRONT.fullmatch(label.strip())
    return (found["code"] or found["long"], found["name"]) if found else ("", label)


def are_coded(labels: Sequence[str]) -> bool:
    """Whether labels of rows begin with codes, all but those of totals, which are not the years of what they name."""
    found = [code_in_front(label)[0] for label in labels if label.strip()]
    codes = [code for code in found if code]
    if len(codes) < _FEWEST or 2 * len(codes) < len(found) or len(set(codes)) < len(codes):
        return False
    return 2 * sum(bool(_YEAR.fullmatch(code)) for code in codes) <= len(codes)


def _is_code(text: str) -> bool:
    return bool(_CODE.fullmatch(text.strip()) or _POINTED.fullmatch(text.strip()))


def _are_years(codes: Sequence[str]) -> bool:
    return all(map(_YEAR.fullmatch, codes))


def _is_name(text: str) -> bool:
    """Whether a text names a thing: it has letters, and is neither an amount nor a period."""
    return bool(_LETTER.search(text)) and not read_cell(text) and read_period(text) is None
