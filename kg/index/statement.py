"""Which financial statement a table is: by its class, by its title and heading, and by the line items that only such a
one has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact, FactKind, class_of
from tieout.kg.figure import table_of
from tieout.kg.filings.primary import PrintedTable
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, find_line_item

# The lines by which an accountant knows a statement (Regulation S-X, rules 5-02 and 5-03; FASB 230-10-45).
ANCHORS: Mapping[str, frozenset[str]] = {
    "income": frozenset(
        "revenue cost_of_revenue gross_profit operating_expenses operating_income pretax_income income_tax net_income "
        "eps_basic eps_diluted shares_basic shares_diluted research_and_development".split()
    ),
    "balance": frozenset(
        "current_assets total_assets payables current_liabilities total_liabilities retained_earnings equity "
        "liabilities_and_equity goodwill cash receivables inventory property_plant_equipment long_term_debt".split()
    ),
    "cash flow": frozenset(
        "operating_cash_flow investing_cash_flow financing_cash_flow capital_expenditures depreciation_amortization "
        "stock_compensation dividends_paid share_repurchases".split()
    ),
}
_DECISIVE = {
    "income": frozenset("pretax_income income_tax net_income eps_basic eps_diluted".split()),
    "balance": frozenset("total_assets liabilities_and_equity equity total_liabilities current_assets".split()),
    "cash flow": frozenset("operating_cash_flow investing_cash_flow financing_cash_flow".split()),
}
_TITLES = {
    "balance": re.compile(
        r"\bbalance sheets?\b|\bstatements? of (?:consolidated )?(?:financial (?:position|condition))"
    ),
    "cash flow": re.compile(r"\bcash flows?\b"),
    "income": re.compile(
        r"\bstatements? of (?:consolidated |comprehensive )?(?:operations|income|earnings|net income|profit)"
        r"|\b(?:income|operations|earnings) statements?\b|\bstatements? of .{0,40}\b(?:loss|operations|income)\b"
    ),
}
# What each is called where somebody names it, without the words that stand beside such a name.
_CALLED = {
    "income": later(
        r"(?:income|operations|earnings|profit and loss) statements?|p&l"
        r"|statements? of (?:operations|(?:net )?income|earnings|profit (?:and|or) loss)"
    ),
    "balance": later(r"balance sheets?|statements? of financial (?:position|condition)"),
    "cash flow": later(r"cash flows?(?: statements?)?|statements? of cash flows?"),
    "equity": later(
        r"statements? of (?:changes in )?(?:total )?(?:(?:common )?(?:stock|share)holders\W{0,2} )?equity"
        r"|(?:(?:stock|share)holders\W{0,2} )?equity statements?"
    ),
    "comprehensive": later(r"statements? of (?:other )?comprehensive (?:income|loss)|comprehensive income statements?"),
}
_BESIDE = later(r"\b(?:the|its?|our|condensed|consolidated|interim|unaudited)\b")
# The classes of the graph that the lines of a table alone decide: such a statement is often printed without a title.
_CLASSES = {
    "EquityStatement": ("equity", re.compile(r"\b(?:equity|deficit|deficiency|investment|capital)\b")),
    "ComprehensiveIncome": ("comprehensive", re.compile(r"\bcomprehensive\b")),
}
FEWEST_LINES, MOST_KNOWN = 3, 0.6  # of a summary: how many it has, and the share that is known by its label
MIXED = 0.35  # evidence for a second statement: lines of several that somebody put together
_KNOWN, _TITLED = 0.5, 0.15  # how sure they are, and what a title adds that says so
_STATEMENT = later(r"\bstatements?\b|\bbalance sheets?\b")
# Tables that look like a statement and are of something else than the company as a whole, as it was.
_PARTIAL = later(
    r"\bparent\b|\bpro forma\b|\bguarantor|\bcondensed (?:consolidating|financial information)|"
    r"\bschedule (?:i|ii|iii|iv)\b|\bselected\b|\bquarterly\b|\bsegments?\b|\bacquire[de]\b|\bdiscontinued\b|"
    r"\bas reported\b|\bnon-?gaap\b|\bcommon.size\b|\bpercentage|\bvariable interest|\bequity method|"
    r"\binvestees?\b|\baffiliates?\b|\breconciliation"
)
# Where a report tells of its statements: what is printed there is a part of one, or one of a part of the company.
_SUMMARY = later(r"\bmanagement\W?s discussion\b|\bliquidity\b|\bresults of operations\b|\bhighlights\b")
# Titles of what is like an income statement or a balance sheet, and none that most questions are about.
_OF_OTHER = later(r"\baverage\b|(?<!and )(?<!and other )\bcomprehensive\b", re.IGNORECASE)
LIKELY = 0.8  # certainty from which a table is the statement that most questions are about


class SeenTable(NamedTuple):
    """A table of a page, with which statement it looks like and how sure that is."""

    number: int
    title: str
    statement: str
    certainty: float
    figures: int


def main_tables(tables: Iterable[PrintedTable]) -> tuple[int, ...]:
    """The numbers of the three statements of a report, of each the surest table, one that is called consolidated before
    others, of equally sure ones that with most figures: a summary, or a parent's, has fewer; with those that are titled
    alike, of other periods or over the page. None where one of them is missing."""
    best: dict[str, PrintedTable] = {}
    chosen = []
    for table in sorted(tables, key=_doubt):
        if table.statement in MAIN_STATEMENTS and table.certainty >= LIKELY:
            is_first = best.setdefault(table.statement, table) is table
            chosen += [table] if is_first or table.title == best[table.statement].title else []
    in_order = sorted((MAIN_STATEMENTS.index(each.statement), each.number) for each in chosen)
    return tuple(number for _, number in in_order) if best.keys() == {*MAIN_STATEMENTS} else ()


def _doubt(table: PrintedTable) -> tuple[bool, bool, float, int]:
    """What orders tables, the surest statement first."""
    is_other = _OF_OTHER.search(table.title) is not None
    return is_other, "consolidated" not in table.title.lower(), -round(table.certainty, 1), -table.figures


def main_facts(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The figures of the three statements of a page; none where one of them is missing."""
    inside, tables = _seen(facts)
    return tuple(fact for number in main_tables(tables) for fact in inside[number])


def statement_called(name: str) -> str:
    """The statement that a name is, as `the consolidated balance sheet`; "" for none."""
    said = " ".join(_BESIDE.sub(" ", in_english(name).lower()).split())
    return next((each for each, pattern in _CALLED.items() if pattern.fullmatch(said)), "")


def statement_tables(facts: Iterable[Fact], statement: str) -> tuple[int, ...]:
    """The numbers of the tables of a statement: of the surest, and of those that are titled as it is."""
    tables = [each for each in _seen(facts)[1] if each.statement == statement]
    surest = sorted([each for each in tables if each.certainty >= LIKELY] or tables, key=_doubt)
    return tuple(sorted(each.number for each in surest if each.title == surest[0].title))


def _seen(facts: Iterable[Fact]) -> tuple[Mapping[int, Sequence[Fact]], Sequence[SeenTable]]:
    """The figures of each table of a page, and what each looks like."""
    printed = sorted((fact for fact in facts if fact.kind is FactKind.TABLE), key=table_of)
    inside = {number: tuple(each) for (_, number), each in groupby(printed, key=table_of)}
    tables = []
    for number, each in inside.items():
        labels = tuple(dict.fromkeys(fact.label for fact in each))
        guess = read_statement(each[0].caption, each[0].heading, labels, len(each), class_of(each))
        tables.append(SeenTable(number, each[0].caption, guess.statement, guess.score, len(each)))
    return inside, tables


@dataclass(frozen=True, slots=True)
class Guess:
    """A statement that a table may be, and how sure that is: from 0 to 1."""

    statement: str
    score: float


def is_summary(statements: Iterable[Guess], labels: Sequence[str]) -> bool:
    """Whether tables are lines of several statements that somebody put together, as in a sheet of one's own: each is
    known by its label, and a year above it says of a balance no more than of a flow. labels: of all their lines."""
    if any(guess.statement for guess in statements) or len(labels) < FEWEST_LINES:
        return False
    return sum(find_line_item(label) is not None for label in labels) >= MOST_KNOWN * len(labels)


def read_statement(title: str, heading: str, labels: Sequence[str], figures: int, known: str = "") -> Guess:
    """What a table is. title, heading: as printed. labels: of its rows. figures: how many it has. known: its class.

    A statement `""` is none of them.
    """
    title, heading = in_english(title), in_english(heading)
    if known in _CLASSES:
        statement, words = _CLASSES[known]
        is_titled = _STATEMENT.search(title.lower()) and words.search(title.lower())
        return Guess(statement, _KNOWN + _TITLED if is_titled and not _PARTIAL.search(title.lower()) else _KNOWN)
    items = {found.name for label in labels if (found := find_line_item(label))}
    evidence: dict[str, float] = defaultdict(float)
    for statement, anchors in ANCHORS.items():
        decisive = len(items & _DECISIVE[statement])
        evidence[statement] = (0.5 if decisive >= 2 else 0.2 * decisive) + min(len(items & anchors), 8) * 0.05
    is_of_several = sorted(evidence.values())[-2] >= MIXED
    said = f"{title} {heading}".lower()
    for statement, pattern in _TITLES.items():
        if pattern.search(title.lower()):
            evidence[statement] += 0.5 if _STATEMENT.search(title.lower()) else 0.2
            is_of_several = False
        elif pattern.search(heading.lower()):
            evidence[statement] += 0.3 if _STATEMENT.search(heading.lower()) else 0.1
    if items >= _DECISIVE["cash flow"]:  # the three totals that no other statement has, whatever title stands above
        is_of_several = is_of_several and (evidence["balance"] >= MIXED or "revenue" in items)  # it begins with income
        evidence = {"cash flow": evidence["cash flow"]}
    statement, score = max(evidence.items(), key=lambda pair: pair[1])
    if _PARTIAL.search(said):
        score -= 0.4
    if _SUMMARY.search(heading.lower()):
        score -= 0.2
    if is_of_several:
        return Guess("", 0.0)
    if figures < 12:  # a summary of a few lines
        score -= 0.3
    return Guess(statement, round(min(score, 1.0), 3)) if score >= 0.45 else Guess("", 0.0)
