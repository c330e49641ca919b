"""Which of the five financial statements a table is, by the lines that only such a one has: labels -> class.

The lines are those by which an accountant knows a statement (Regulation S-X, rules 3-04, 5-02 and 5-03; ASC
220-10-45, 230-10-45); a title above the table tells where lines do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import PeriodKind, find_periods
from tieout.data.tables.line_units import are_classes_of_equity
from tieout.kg.drafts.draft import TableDraft
from tieout.ontology.metrics.line_item import english_label

_ACTIVITIES = tuple(
    re.compile(rf"\bcash\b.*\b{word}\b|\b{word} activities\b") for word in ("operating", "investing", "financing")
)
_ASSETS = later(r"^total (?:consolidated )?assets\b")
_BOTH = later(r"\bliabilities,? .*\b(?:equity|deficit|deficiency|capital)\b|^total equity\b|^net assets\b")
_REVENUE = later(r"\b(?:revenues?|sales|interest income|premiums)\b")
_TAXES = later(r"\btax(?:es)?\b|\bper (?:common |ordinary )?share\b|^(?:basic|diluted)\b")
_EARNED = later(r"\bnet (?:income|loss|earnings|profit)\b|\b(?:profit|loss) for the (?:year|period)\b")
_ALL_COMPREHENSIVE = later(r"^(?:total )?(?:consolidated )?(?:net )?comprehensive (?:income|loss|earnings)\b")
_OTHER_COMPREHENSIVE = later(r"\bother comprehensive\b")
_BALANCE = later(r"\bbalances?\b|\b(?:beginning|end) of\b|\bequity at\b")
# What may be the other way round: `Net (Loss)/Income`, `Comprehensive income/(loss)`, `Net (loss) income`.
_OR_LOSS = later(
    r"\((?:loss(?:es)?|income)\) ?/ ?(?=[a-z])|(?<=[a-z]) ?/ ?\((?:loss(?:es)?|income)\)"
    r"|\((?:loss|income)\) (?=(?:income|earnings|loss)\b)"
)
_TITLES = (
    ("CashFlow", re.compile(r"\bstatements? of (?:[a-z]+ )?cash flows?\b|\bcash flow statements?\b")),
    ("ComprehensiveIncome", re.compile(r"\bstatements? of (?:[a-z]+ )?(?:other )?comprehensive (?:income|loss)")),
    (
        "EquityStatement",
        re.compile(r"\bstatements? of (?:[a-z]+ )*?(?:changes in )?[a-z’'‘ ()-]*?(?:equity|deficit|deficiency)\b"),
    ),
    ("BalanceSheet", re.compile(r"\bbalance sheets?\b|\bstatements? of (?:[a-z]+ )?financial (?:position|condition)")),
    (
        "IncomeStatement",
        re.compile(r"\bstatements? of (?:[a-z]+ )?(?:operations|income|earnings|loss|profit)\b|\bincome statements?\b"),
    ),
)
# Over a part of the company, over what is told of a statement, or what is added to one.
_PARTIAL = later(
    r"\bsegments?\b|\bgeograph|\breconcil|\bpro forma\b|\bguarantor|\bsummarized\b|\binvestees?\b|\badjusted\b"
    r"|\binformation\b|\bsupplement|\beffects?\b|\brecogni[sz]ed\b|\brelated\b|\banalysis\b|\bfree cash flow"
)
_CLASS_OF_EQUITY = later(
    r"\b(?:common|preferred|treasury) (?:stock|shares)\b|\bpaid[- ]in\b|\bretained\b|\breinvested\b"
    r"|\baccumulated other\b|\bnon-?controlling\b"
)
_LONGEST_TITLE = 120
_FEWEST_LINES = 8  # of a statement that its title alone tells
_FEWEST_BALANCES = 3


def statement_of(table: TableDraft, title: str, above: str | None = None) -> str | None:
    """The class of the statement that a table is, None where it is none.

    title: printed above it, "" for none. above: the class of the statement that it goes on with, of the same title.
    """
    labels = [_plain(english_label(line.label)) for line in table.layout.rows]
    title = in_english(title)
    return _by_lines(table, labels, title) or _by_title(table, labels, title) or above


def _plain(text: str) -> str:
    """A text in small letters, without what it may be the other way round."""
    return _OR_LOSS.sub("", " ".join(text.lower().split()))


def _by_lines(table: TableDraft, labels: Sequence[str], title: str) -> str | None:
    sections = dict.fromkeys(english_label(row.section).lower() for row in table.layout.rows if row.section)
    said = [*labels, *sections]
    balances = sum(bool(_BALANCE.search(label)) for label in labels)
    classes = sum(bool(_CLASS_OF_EQUITY.search(text)) for text in {*labels, *sections})
    is_partial = bool(_PARTIAL.search(f"{title} {table.caption}".lower()))

    def has(pattern: re.Pattern[str]) -> bool:
        return any(map(pattern.search, said))

    def is_titled(name: str) -> bool:
        return bool(dict(_TITLES)[name].search(_plain(title))) and not is_partial

    # One page of a statement over two has one of the three.
    if sum(map(has, _ACTIVITIES)) >= (1 if is_titled("CashFlow") else len(_ACTIVITIES) - 1):
        return "CashFlow"
    if has(_ASSETS) and has(_BOTH):
        return "BalanceSheet"
    if (are_classes_of_equity(table.layout.columns) and (balances or any(map(_is_day, labels)))) or min(
        balances, classes
    ) >= _FEWEST_BALANCES:
        return "EquityStatement"
    if has(_REVENUE) and has(_EARNED) and has(_TAXES) and not is_partial:
        return "IncomeStatement"
    is_of_all = is_titled("ComprehensiveIncome") or has(_OTHER_COMPREHENSIVE)
    if has(_ALL_COMPREHENSIVE) and has(_EARNED) and is_of_all:
        return "ComprehensiveIncome"
    return None


def _is_day(label: str) -> bool:
    """Whether a label is a day and nothing else, as that of a balance may be: `July 28, 2024`."""
    return any(
        period.kind is PeriodKind.DATE and (start, end) == (0, len(label)) for period, start, end in find_periods(label)
    )


def _by_title(table: TableDraft, labels: Sequence[str], title: str) -> str | None:
    """By a title that is the name of a statement, over as many lines as one has."""
    if len(labels) < _FEWEST_LINES:
        return None
    near = table.introduction.rsplit(" . ", 3)
    for text in (title, *reversed(near)):
        plain = _plain(in_english(text))
        found = next((name for name, pattern in _TITLES if pattern.search(plain)), None) if plain else None
        if found and len(plain) <= _LONGEST_TITLE and not _PARTIAL.search(plain):
            is_other = found == "EquityStatement" and sum(map(bool, map(_BALANCE.search, labels))) < _FEWEST_BALANCES
            return None if is_other else found
    return None
