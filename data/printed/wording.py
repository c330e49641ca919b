"""Words that tell what a number beside them is: months, names that carry a number, the company that years keep."""

from __future__ import annotations

import re
from functools import lru_cache

from tieout.data.printed.languages.language import ENGLISH, language
from tieout.data.printed.pattern import later


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_IN_ORDER = tuple(dict.fromkeys(language(ENGLISH).months.values()))
MONTHS = {name: _IN_ORDER.index(month) + 1 for name, month in language(ENGLISH).months.items()}

# A number right behind one of these names something and measures nothing: note 12, item 7, level 3.
NAMES_A_NUMBER = words(
    "note notes item items page pages section sections form exhibit level levels tier tiers part article chapter "
    "rule rules topic subtopic sfas fas fin asu asc eitf sop ias ifrs sab apb no nos number footnote footnotes "
    "schedule series class phase step act s&p sp russell poor poor's table column figure title type statement "
    "statements interpretation paragraph caption basel cycle report 10-k 10-q"
)
# Words that a year follows or that follow a year. They keep it one where it could be the code of a dash, as 2014 is.
LEADS_TO_YEAR = MONTHS.keys() | words(
    "in of for during and to through since by from until before after fiscal year years ended ending as early "
    "late mid than versus vs v beyond thereafter due our the with on at , ( quarter between prior comparing or "
    "calendar spring summer fall winter / - ="
)
FOLLOWS_YEAR = words(
    "annual compared proxy levels , . ) and or ; : versus vs to through respectively plan notes form season "
    "incentive long-term outperformance rate rates was were fiscal third first second fourth restructuring "
    "acquisition % -"
)
# What may stand between a number and the letters before it, glued to it when a space was lost: `less than1 year`.
GLUED_TO_NUMBER = words(
    "than after of by to in and from within least approximately about over under fy for at was were"
)


_PLANNED = r"budget(?:ed)?|forecast(?:ed)?|projected|projections?|estimated?|plan(?:ned)?|guidance|outlook|targets?"
_PLAN = later(
    rf"(?:(?:(?:fy|cy|q[1-4]) ?'?)?20[0-9]{{2}}|(?:fy|cy) ?'?[0-9]{{2}}) ?(?:[befp]|est\.?|bud\.?|fcst|{_PLANNED})"
    rf"|(?:{_PLANNED})(?: (?:for )?(?:the )?(?:(?:fiscal )?(?:year )?(?:ending )?)?(?:fy ?)?'?(?:20)?[0-9]{{2}})?",
    re.IGNORECASE,
)
_NOTE = later(r"\s*(?:\([^()]*\)|[*†])")


def is_plan(header: str) -> bool:
    """Whether a header says that what is below it is planned or expected: `2025B`, `FY25E`, `Budget 2026`, `Forecast`.

    >>> [is_plan(each) for each in ("2025B", "FY26E", "2026 forecast", "Budget", "2025", "Pension plan", "2025 (A)")]
    [True, True, True, True, False, False, False]
    """
    return bool(_PLAN.fullmatch(_NOTE.sub("", header).strip()))


_OUTLOOK = later(r"\b(?:outlook|guidance|forecast)\b", re.IGNORECASE)


def is_outlook(title: str) -> bool:
    """Whether the heading of a section says that it tells what is expected: `Fiscal 2025 Outlook`, `Guidance`."""
    return _OUTLOOK.search(title) is not None


_BALANCE_SHEET = later(
    r"(?<!off[ -])\bbalance sheets?\b|\bstatements? of (?:[a-z]+ )?financial (?:position|condition)\b", re.IGNORECASE
)
_OF_FLOWS = later(
    r"\bstatements? of (?:[a-z]+ )?(?:income|operations|earnings|cash flows?)\b|\bincome statements?\b", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def is_balance_sheet(title: str) -> bool:
    """Whether a title is that of a balance sheet: a column headed by a year is of the year's last day in it."""
    return _BALANCE_SHEET.search(title) is not None and _OF_FLOWS.search(title) is None
