"""Questions for one sort of amount and figures of another, pages asked on, options that have to do with a question."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

import pytest

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.log.turn import Turn
from tieout.agent.offline.answer.derived import of_other_month
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.question.in_full import read_in_conversation
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.data.document import Document, Section, Table
from tieout.data.printed.periods.timespan import Period, PeriodKind
from tieout.data.printed.unit import Unit
from tieout.kg.build import build
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import is_of_part_of_year, not_among, words_of
from tieout.kg.moves import is_growth
from tieout.kg.sense import (
    is_change_of_rate,
    is_of_sort,
    is_opposite,
    is_other_sort,
    makes_no_sense,
    sentence_for_each,
)
from tieout.ontology.model import default_ontology

ROWS = (
    ("(in millions)", "2024", "2023", "2022"),
    ("Interest on loans", "$ 412.0", "$ 398.5", "$ 371.2"),
    ("Interest on bonds", "61.3", "58.8", "52.0"),
    ("Interest on deposits", "(120.4)", "(101.9)", "(60.7)"),
    ("Net loss on sale of buildings", "(4.2)", "(3.9)", "(2.1)"),
    ("Income before income taxes", "120.9", "131.8", "140.2"),
    ("Net income", "96.1", "104.4", "111.3"),
    ("Loss ratio", "61.4%", "64.9%", "60.2%"),
    ("Share capital, in shares", "40.0", "40.0", "40.0"),
)
HALVES = (
    ("(in EUR millions)", "H1 2025", "H1 2024", "FY 2024"),
    ("Net sales", "612.5", "588.1", "1,204.8"),
    ("Operating profit", "44.9", "38.2", "84.0"),
)
NAMES = ("Harbour", "Rail", "Storage")
SEGMENTS = (
    ("(in millions)", "2024", "2023"),
    ("Harbour", "$ 410", "$ 395"),
    ("Rail", "690", "705"),
    ("Total freight", "1,100", "1,100"),
    ("Storage", "250", "180"),
    ("Net sales", "$ 1,350", "$ 1,280"),
)
GUIDANCE = "We expect capital spending of $75 million in 2025. Capital spending was $64 million in 2024."


def ask(rows: Sequence[tuple[str, ...]], *questions: str, text: str = "", title: str = "") -> list[Turn]:
    """The turns of a conversation about a page with one table."""
    paragraphs = text or "Harrow Mutual Bank."
    table = Table(rows=rows, title=title)
    document = Document(id="harrow", paragraphs=(paragraphs,), before=1, tables=(table,))
    session = Session(build(document, default_ontology(None)[0]), OfflineBackend())
    return [session.ask(question) for question in questions]


def doubted(turn: Turn) -> bool:
    return bool(turn.flags) and (turn.probability or 0) < SURE_ENOUGH


def test_revenue_is_asked_back_where_only_a_loss_has_a_word_of_it() -> None:
    (turn,) = ask(ROWS, "what was total revenue in 2024?")
    assert turn.outcome == "clarify" or doubted(turn)
    assert turn.text is None or "4.2" not in turn.text


@pytest.mark.parametrize(
    ("question", "label", "opposite"),
    [
        ("what was total revenue in 2024?", "Net loss on sale of buildings", True),
        ("what were net sales?", "Total net sales", False),
        ("what was the loss on sale of buildings?", "Net loss on sale of buildings", False),
        ("what was the cost of sales?", "Cost of sales", False),
        ("what were sales?", "Cost of goods", True),
    ],
)
def test_a_loss_or_a_cost_is_no_revenue(question, label, opposite) -> None:
    assert is_opposite(read_question(question).cues, label) is opposite


@lru_cache(maxsize=1)
def any_figure() -> Fact:
    """One figure of the page, of which others are made."""
    document = Document(id="harrow", paragraphs=(), before=0, tables=(Table(rows=ROWS),))
    return next(fact for fact in build(document, default_ontology(None)[0]).facts() if fact.label == ROWS[1][0])


def a_figure(unit: str | None, value: int, label: str = "Line") -> Fact:
    return any_figure().changed(unit=unit, value=Decimal(value), label=label)


DOLLARS, EUROS, PERCENT, SHARES = (("USD", 40), ("EUR", 40), (Unit.PERCENT, 4), (Unit.SHARES, 40))


@pytest.mark.parametrize(
    ("operation", "units", "nonsense"),
    [
        ("multiply", (DOLLARS, DOLLARS), True),
        ("multiply", (DOLLARS, PERCENT), False),
        ("multiply", (DOLLARS, (None, 3)), False),
        ("multiply", (DOLLARS,), False),
        ("divide", (DOLLARS, EUROS), False),
        ("add", (DOLLARS, DOLLARS), False),
        ("add", (DOLLARS, EUROS), True),
        ("subtract", (DOLLARS, PERCENT), True),
        ("sum", (SHARES, PERCENT), True),
        ("average", (PERCENT, PERCENT), False),
        ("lookup", (DOLLARS, (Unit.DATE_PART, 3)), False),
        ("add", (DOLLARS, (Unit.DATE_PART, 3)), True),
        ("greater", (DOLLARS, DOLLARS), True),
        ("greater", (DOLLARS, ("USD", 41)), False),
    ],
)
def test_an_operation_over_unlike_figures_makes_no_sense(operation, units, nonsense) -> None:
    assert makes_no_sense(operation, [a_figure(unit, value) for unit, value in units]) is nonsense


@pytest.mark.parametrize(
    ("question", "operation", "units", "other"),
    [
        ("how many shares were issued?", "lookup", (DOLLARS,), True),
        ("how many shares were issued?", "lookup", (SHARES,), False),
        ("what share of sales came from Ireland?", "lookup", (DOLLARS,), True),
        ("what share of sales came from Ireland?", "lookup", (PERCENT,), False),
        ("what share of sales came from Ireland?", "percentage", (DOLLARS, DOLLARS), False),
        ("what were sales?", "lookup", (DOLLARS,), False),
        ("what was the loss ratio?", "lookup", (DOLLARS,), True),
        ("what was the loss ratio?", "lookup", ((None, 5000),), True),
        ("what was the loss ratio?", "lookup", ((None, 5),), False),
        ("what was the line ratio?", "average", (DOLLARS, PERCENT), False),
        ("what was the loss ratio?", "lookup", (), False),
        ("what was cash per share?", "divide", (DOLLARS, SHARES), False),
        ("what was cash per share?", "divide", (SHARES, DOLLARS), False),  # in the order in which they are printed
        ("what was cash per share?", "divide", (DOLLARS, DOLLARS), True),
        ("how many customers do they have?", "lookup", ((Unit.YEARS, 4),), True),
        ("how many shares were issued?", "lookup", ((Unit.MONTHS, 6),), True),
    ],
)
def test_figures_of_another_sort_than_a_question_asks_for_are_told(question, operation, units, other) -> None:
    used = [a_figure(unit, value) for unit, value in units]
    assert is_other_sort(read_question(question).asks_for, operation, used) is other


@pytest.mark.parametrize(
    ("sort", "fact", "is_of_it"),
    [
        ("", {"unit": "USD"}, True),
        ("percent", {"unit": Unit.PERCENT}, True),
        ("percent", {"unit": "USD"}, False),
        ("percent", {"unit": "USD", "label": "Tax rate"}, True),  # the unit is that of its table
        ("points", {"unit": Unit.BASIS_POINTS}, True),
        ("points", {"unit": "USD", "label": "Tax rate"}, False),
        ("money", {"unit": "USD"}, True),
        ("money", {"unit": "USD/share"}, True),
        ("money", {"unit": Unit.SHARES}, False),
        ("per share", {"unit": "USD/share"}, True),
        ("per share", {"unit": "USD"}, False),
        ("per share", {"unit": "USD", "label": "Earnings per share"}, True),
        ("per share", {"unit": "USD", "header": "Per share"}, True),
        ("per share", {"unit": "USD", "header": "Per share", "scale": 1000}, True),
        ("per share", {"unit": "USD", "header": "Per share", "value": Decimal(4000)}, True),
        ("per share", {"unit": "USD", "header": "Per share", "value": Decimal(4000), "scale": 1000}, False),  # of all
        ("each", {"unit": "USD/share"}, True),
        ("each", {"unit": "USD"}, False),
        ("each", {"unit": "USD", "label": "Average rent"}, True),
        ("each", {"unit": "USD", "kind": FactKind.TEXT}, True),
        ("each", {"unit": Unit.SHARES, "kind": FactKind.TEXT}, False),
        ("count", {"unit": "stores"}, True),
        ("count", {"unit": Unit.SHARES}, False),
        ("count", {"unit": Unit.YEARS}, False),
        ("count", {"unit": Unit.PERCENT}, False),
        ("shares", {"unit": Unit.SHARES}, True),
        ("shares", {"unit": Unit.MONTHS}, False),
        ("shares", {"unit": "USD/share"}, False),
    ],
)
def test_a_figure_is_of_a_sort_by_its_unit_or_as_its_line_is_called(sort: str, fact: dict, is_of_it: bool) -> None:
    plain = {"label": "Line", "header": "2024", "section": "", "caption": "", "kind": FactKind.TABLE, "scale": 1}
    assert is_of_sort(any_figure().changed(**{**plain, "value": Decimal(4), **fact}), sort) is is_of_it


@pytest.mark.parametrize(
    ("fact", "is_grown"),
    [
        ({"label": "Comparable sales (% change)"}, True),
        ({"label": "Comparable sales", "section": "Percentage change"}, True),
        ({"label": "Share of sales"}, False),
        ({"label": "Comparable sales (% change)", "unit": "USD"}, False),
    ],
)
def test_a_figure_is_a_growth_where_it_is_in_percent_and_is_called_a_change(fact: dict, is_grown: bool) -> None:
    plain = {"section": "", "caption": "", "unit": Unit.PERCENT}
    assert is_growth(any_figure().changed(**{**plain, **fact})) is is_grown


def test_a_sentence_answers_for_each_of_several_sorts_what_is_of_any_sort_last() -> None:
    units = ((1, "USD"), (1, Unit.SHARES), (2, "USD"), (2, Unit.SHARES), (2, Unit.PERCENT), (3, Unit.SHARES))
    facts = [a_figure(unit, 4).changed(name=f"s{at}", sentence=of) for at, (of, unit) in enumerate(units)]
    assert [each.name for each in sentence_for_each(("money", "shares"), facts, (2, 1))] == ["s2", "s3"]
    assert [each.name for each in sentence_for_each(("", "shares"), facts, (3, 1))] == ["s0", "s1"]
    assert [each.name for each in sentence_for_each(("percent", "shares"), facts, (1, 2))] == ["s4", "s3"]
    assert not sentence_for_each(("money", "shares"), facts, (3,))


@pytest.mark.parametrize(
    ("operation", "labels", "unit", "is_change"),
    [
        ("subtract", ("Loss ratio", "Loss ratio"), Unit.PERCENT, True),
        ("subtract", ("Loss ratio", "Tax rate"), Unit.PERCENT, False),
        ("subtract", ("Loss ratio", "Loss ratio"), "USD", False),
        ("average", ("Loss ratio", "Loss ratio"), Unit.PERCENT, False),
        ("subtract", ("Loss ratio",), Unit.PERCENT, False),
    ],
)
def test_a_difference_of_two_rates_of_a_line_is_in_points(operation, labels, unit, is_change) -> None:
    assert is_change_of_rate(operation, [a_figure(unit, 4, label) for label in labels]) is is_change


@pytest.mark.parametrize(
    "question", ["what was the deposit ratio in 2024?", "what percentage was share capital in 2024?"]
)
def test_an_amount_is_never_a_sure_answer_to_a_question_for_a_rate(question) -> None:
    (turn,) = ask(ROWS, question)
    assert turn.outcome == "clarify" or doubted(turn) or (turn.text or "").endswith("%")


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("what share of sales came from Ireland?", True),
        ("what was interest as a percentage of income?", True),
        ("what share price was paid?", False),
        ("what were earnings per share?", False),
    ],
)
def test_a_share_of_something_is_told_from_shares_of_stock(question, share) -> None:
    assert read_question(question).asks_share is share


def test_the_parts_of_a_share_are_read_each_by_its_words() -> None:
    asked = read_question("what were raw materials as a percentage of total inventories in 2024?")
    assert (asked.calculation, asked.years, asked.whole and asked.whole.named[0].name) == (
        "share",
        (2024,),
        "inventory",
    )
    assert [each.name for each in asked.named] == ["inventory_raw_materials"]
    later = read_in_conversation("and in 2022?", ["what was goodwill in 2024?", "as a percentage of total assets?"])
    assert (later.calculation, later.years, later.named[0].name) == ("share", (2022,), "goodwill")
    assert later.whole is not None and later.whole.named[0].name == "total_assets"


def test_a_page_keeps_the_line_of_a_figure_when_asked_on() -> None:
    turns = ask(ROWS, "what was interest on bonds in 2024?", "and the year before?", "and in 2022?")
    assert [turn.text for turn in turns] == ["$61.3 million", "$58.8 million", "$52 million"]


def test_the_change_of_a_rate_on_a_page_is_in_percentage_points() -> None:
    (turn,) = ask(ROWS, "how did the loss ratio change from 2023 to 2024?")
    assert turn.text is not None and turn.text.startswith("-3.5") and turn.text.endswith("percentage points")


def test_a_page_tells_the_year_of_the_highest() -> None:
    (turn,) = ask(ROWS, "in which year was net income the highest?")
    assert turn.text == "2022"


def test_a_half_that_is_not_printed_follows_from_the_year_and_the_other_half() -> None:
    (turn,) = ask(HALVES, "what were net sales in H2 2024?")
    assert turn.text == "€616.7 million"


@pytest.mark.parametrize(
    ("question", "name", "calculation"),
    [
        ("increase in inventories from 2022 to 2023 in percent", "inventory", "growth"),
        ("percent change in accounts payable in 2023", "payables", "growth"),
        ("change in inventories 2022 to 2023", "inventory", "change"),
        ("what was the change in inventories in 2023?", "change_in_inventory", "value"),
    ],
)
def test_a_balance_held_against_itself_is_no_line_of_what_it_adds_to_cash(question, name, calculation) -> None:
    asked = read_question(question)
    assert ([each.name for each in asked.named], asked.calculation) == ([name], calculation)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what were inventories at the end of July 2023?", "$568 million"),
        ("inventories end of april 2023", "$529 million"),
        ("inventories at july 28, 2023", "$568 million"),
    ],
)
def test_the_end_of_a_month_is_a_day_and_not_the_end_of_the_fiscal_year_of_that_number(question, told) -> None:
    rows = (
        ("(in millions)", "July 28, 2023", "April 28, 2023"),
        ("Cash and cash equivalents", "$ 134", "$ 154"),
        ("Inventories, net", "568", "529"),
        ("Total assets", "$ 9,077", "$ 9,094"),
    )
    said = "Consolidated Balance Sheets"
    income = (
        ("", "Three months ended July 28, 2023", "Three months ended July 29, 2022"),
        ("Net sales", "$ 90", "$ 80"),
    )
    tables = (
        Table(rows=rows, title=said, after=1, section=0),
        Table(rows=income, title="Consolidated Statements of Income", after=2, section=0),
    )
    document = Document(
        form="10-Q",
        id="harrow",
        ended=date(2023, 7, 28),
        paragraphs=(said, "Fiscal year 2023 ended on April 28, 2023."),
        before=1,
        tables=tables,
        sections=(Section(title=said, level=1, paragraph=0),),
    )
    turn = Session(build(document, default_ontology(None)[0]), OfflineBackend()).ask(question)
    assert turn.text == told


@pytest.mark.parametrize("month", ["April 2025", "March 2024"])
def test_a_month_that_is_not_in_the_table_is_told(month) -> None:
    rows = (("", "Jan-25", "Feb-25", "Mar-25"), ("Rent", "900.00", "900.00", "950.00"), ("Fees", "12.5", "13.5", "9.9"))
    (turn,) = ask(rows, f"how much was rent in {month}?")
    assert turn.outcome == "clarify" or (doubted(turn) and any(month in flag.message for flag in turn.flags))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("which segment had the highest net sales in 2024?", "Rail"),
        ("which segment grew net sales fastest in 2024?", "Storage"),
        ("which segment sold less in 2024 than in 2023?", "Rail"),
        ("which segment had the second highest net sales in 2024?", "Harbour"),
        ("which segment had the second-lowest net sales in 2024?", "Harbour"),
        ("which segment had the 3rd largest net sales in 2024?", "Storage"),
        ("which two segments had the highest net sales in 2024?", "Rail: $690 million; Harbour"),
        ("top two segments by net sales", "Rail: $690 million; Harbour"),
        ("which segment's net sales fell in 2024?", "Rail"),
        ("largest reportable segment by 2024 net sales", "Rail"),
        ("segment whose net sales rose the most in 2024", "Storage"),
        ("fastest growing segment in 2024", "Storage"),
        ("which segments shrank in 2024?", "Rail"),
        ("the segment that had the smallest net sales in 2024 and its net sales", "Storage"),
        ("harbour or storage - which sold the least in 2024?", "Storage"),
        ("after rail, what is the next biggest segment by net sales 2024", "Harbour"),
        ("net sales split 2024, harbour and rail", "Harbour: $410 million; Rail: $690 million"),
        ("net sales 2023: rail? total freight?", "Rail: $705 million; Total freight: $1.1 billion"),
    ],
)
def test_of_parts_neither_a_total_nor_the_whole_is_the_most(question: str, name: str) -> None:
    (turn,) = ask(SEGMENTS, question, title="Net sales by segment")
    assert turn.text is not None and turn.text.startswith(name if ";" in name else f"{name}:")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("which state has the most cranes?", "Corran: 44 "),
        ("state with the fewest docks", "Corran: 7 "),
        ("which state has the second most cranes?", "Elsmere: 31 "),
        ("elsmere: docks? cranes?", "Docks: 12 (unit not stated); Cranes: 31 "),
        ("which state has the most lighthouses?", None),
    ],
)
def test_the_most_of_what_adds_up_to_nothing_stands_in_a_line_that_is_called_so(
    question: str, told: str | None
) -> None:
    rows = (("2024", "Docks", "Cranes"), ("Elsmere", "12", "31"), ("Corran", "7", "44"), ("All states", "20", "75"))
    (turn,) = ask(rows, question, title="Docks and cranes by state at December 31, 2024")
    assert (turn.text or "").startswith(told) if told else turn.text is None or doubted(turn), turn


@pytest.mark.parametrize(
    ("asked", "printed", "left"),
    [
        ("sq ft occupies", "Square feet of sites occupied", {"sq"}),
        ("canada leases", "Canadian sites, leased", set()),
        ("owned sites", "Sites leased", {"owned"}),
    ],
)
def test_a_word_is_among_those_that_have_it_in_another_form(asked: str, printed: str, left: set[str]) -> None:
    assert not_among(words_of(asked), words_of(printed)) == left


ELECTED = (
    ("2024", "Votes For", "Votes Against", "Abstentions"),
    ("Ida Harrow", "900", "40", "6"),
    ("Per Corran", "860", "95", "2"),
)
STORES = (("2024", "Stores"), ("Texas", "14"), ("Ohio", "31"), ("Utah", "9"))
LISTED = (
    ("2024", "Stores") * 3,
    ("Texas", "14", "Utah", "9", "Maine", "3"),
    ("Idaho", "5", "Ohio", "31", "Iowa", "16"),
)
BOUGHT = (("", "2024"), ("China", "54%"), ("Japan", "46%"))
DIVISIONS = (
    ("(in millions)", "2024", "2023"),
    ("Cranes", "$ 4,756", "$ 4,500"),
    ("Docks", "2,905", "2,800"),
    ("Locks", "1,746", "1,700"),
    ("Harbour", "9,406", "9,000"),  # a unit less than its parts, as each is rounded
    ("Engines", "6,508", "6,000"),
    ("Tracks", "1,908", "1,900"),
    ("Rail", "8,416", "7,900"),
    ("Net sales", "$ 17,822", "$ 16,900"),
)
COSTS = (
    ("(in millions)", "2024", "2023"),
    ("Cost of revenue", "$ 36", "$ 30"),
    ("Sales and marketing", "160", "150"),
    ("General and administrative", "181", "170"),
    ("Total stock-based compensation expense", "$ 377", "$ 350"),
)


@pytest.mark.parametrize(
    ("rows", "title", "question", "told"),
    [
        (ELECTED, "Election of directors", "which director got most votes against, how many", "Per Corran: 95"),
        (ELECTED, "Election of directors", "which director got the most votes for?", "Ida Harrow: 900"),
        (STORES, "Owned and leased locations", "state with the most stores, how many", "Ohio: 31"),
        (LISTED, "Owned and leased locations", "which state has the most stores?", "Ohio: 31"),
        (
            DIVISIONS,
            "Net sales by segment and division",
            "which division had the highest sales?",
            "Engines: $6.508 billion",
        ),
        (
            DIVISIONS,
            "Net sales by segment and division",
            "which segment had the highest sales?",
            "Harbour: $9.406 billion",
        ),
        (
            COSTS,
            "Stock-based compensation",
            "which expense line got the most stock comp?",
            "General and administrative",
        ),
    ],
)
def test_the_most_is_of_the_column_the_names_and_the_level_that_are_asked_for(
    rows: Sequence[tuple[str, ...]], title: str, question: str, told: str
) -> None:
    (turn,) = ask(rows, question, title=title)
    assert (turn.text or "").startswith(told), turn


def test_countries_are_no_customers() -> None:
    (turn,) = ask(BOUGHT, "who was the largest customer in 2024?", title="Sales by billing location of customers")
    assert "China" not in (turn.text or "") or doubted(turn), turn


def test_abroad_the_country_of_the_company_is_not_the_most() -> None:
    rows = (
        ("(dollars in millions)", "2024"),
        ("United States", "500"),
        ("Peru", "90"),
        ("Chile", "120"),
        ("Sales", "710"),
    )
    for question in ("largest country outside the US by net sales", "top foreign market by net sales 2024"):
        (turn,) = ask(rows, question, title="Net sales by country")
        assert turn.text is not None and turn.text.startswith("Chile: $120 million"), turn


def test_what_fell_is_told_of_nothing_where_all_rose() -> None:
    rows = (("(in millions)", "2024", "2023"), ("Rail", "50", "40"), ("Sea", "90", "80"), ("Net sales", "140", "120"))
    (turn,) = ask(rows, "which segment's net sales fell in 2024?", title="Net sales by segment")
    assert doubted(turn)


def test_a_place_behind_the_last_part_names_none() -> None:
    for place in ("fourth", "fifth"):
        (turn,) = ask(
            SEGMENTS, f"which segment had the {place} largest net sales in 2024?", title="Net sales by segment"
        )
        assert turn.clarification is not None or (doubted(turn) and not any(map(turn.text.startswith, NAMES)))


def test_an_expected_amount_in_a_sentence_is_no_actual_one() -> None:
    expected, actual = ask(
        ROWS, "what capital spending is expected in 2025?", "what was capital spending in 2024?", text=GUIDANCE
    )
    assert [flag.rule for flag in expected.flags if flag.rule == "not actual"] == ["not actual"]
    assert "not actual" not in {flag.rule for flag in actual.flags}


def test_options_share_a_word_with_the_question_or_there_are_none() -> None:
    near, far = (
        turn.clarification
        for question in ("what was the bond income churn?", "what was occupancy?")
        for turn in ask(ROWS, question)
    )
    assert near is not None and far is not None
    assert all({"bonds", "income"} & set(option.lower().split()) for option in near.options)
    assert not far.options and far.question == "The report has no figure for 'occupancy'. What is meant?"


def a_figure_of(label: str, start: date, end: date, kind: PeriodKind) -> Fact:
    period = Period(kind=kind, label=label, key=label, start=start, end=end)
    return any_figure().changed(period=period)


@pytest.mark.parametrize(
    ("day", "is_told"), [(date(2023, 6, 30), False), (date(2024, 6, 30), True), (date(2023, 7, 31), True)]
)
def test_a_figure_of_a_day_in_another_month_or_year_is_told(day, is_told) -> None:
    fact = a_figure_of(f"{day}", day, day, PeriodKind.DATE)
    assert bool(list(of_other_month(read_question("what was cash in June 2023?"), [fact]))) is is_told


def test_a_figure_without_a_period_is_of_no_part_of_a_year() -> None:
    half = date(2024, 1, 1), date(2024, 6, 30)
    without = any_figure().changed(period=None)
    assert not is_of_part_of_year(without, half, 2024, by_days=True)
    assert is_of_part_of_year(a_figure_of("H1", *half, PeriodKind.SPAN), half, 2024, by_days=True)


def test_by_how_much_something_moved_may_be_asked_of_earlier_answers_alone() -> None:
    loans, bonds = (f"what was the change in interest on {what} from 2023 to 2024?" for what in ("loans", "bonds"))
    turn = ask(ROWS, loans, bonds, "how much did it increase, that change divided by the previous change?")[-1]
    assert turn.text == "0.19"


def test_what_a_table_says_that_it_leaves_out_is_not_what_it_is_of() -> None:
    rows = (
        ("(in millions)", "2024", "2023"),
        ("Norway", "$ 260", "$ 240"),
        ("Iceland", "70", "65"),
        ("Total", "330", "305"),
    )
    title = "Long-lived assets by country, which exclude goodwill and intangible assets"
    (turn,) = ask(rows, "goodwill by country", title=title)
    assert turn.outcome != "answer" or turn.flags
    (turn,) = ask(rows, "long-lived assets by country", title=title)
    assert (turn.text or "").startswith("Norway: $260 million")


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("tier 1 ratio at the end of june 2024?", "ratio"),
        ("debt to total capitalization at year end 2024", "ratio"),
        ("churn rate of the retail division, 2024", "percent"),
        ("other sg&a as a % of total revenue", "percent"),
        ("how far has free cash flow dropped in 2024, in percent?", "percent"),
        ("what stake in Brookline does Harrow hold?", "percent"),
        ("how did the effective tax rate move from 2023 to 2024 in percentage points?", "points"),
        ("adjusted diluted EPS, Q2", "per share"),
        ("average price paid per share in the quarter", "per share"),
        ("average subscription revenue per customer", "each"),
        ("average salary of an employee in 2024", "each"),
        ("how many shares did Harrow purchase?", "shares"),
        ("number of branches at june 30, 2024", "count"),
        ("active mobile customers", "count"),
        ("in the quarter, how many claims were open?", "count"),
        ("LEAP engines delivered in the three months to june 30, 2024?", "count"),
        ("revenue from customers in Peru", "money"),
        ("how many PSUs were granted in 2024?", "shares"),
        ("how much did Harrow pay for Brookline?", "money"),
        ("what were the medical and employee benefits in 2024?", ""),
        ("what were net sales and headcount costs in 2023?", ""),
        ("what long-term credit rating does Harrow have from S&P?", "rating"),
        ("on what date was Brookline acquired?", "date"),
        ("payment date?", "date"),
        ("which company bought the division?", "name"),
        ("who has more, inventory or receivables?", ""),
        ("capital expenditures of GM in 2024", ""),
        ("did sales grow?", ""),
        ("retail margin on revenue", "ratio"),
        ("in which year was the churn rate highest?", ""),
    ],
)
def test_a_question_asks_for_one_sort_of_answer(question: str, sort: str) -> None:
    assert read_question(question).asks_for == sort


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("by what % did the number of looms sold rise in 2024?", "count"),
        ("by what % did revenue from looms rise in 2024?", ""),
        ("by how much did the number of days of inventory change?", ""),
        ("how did the tax rate move in percentage points?", "percent"),
        ("how many looms were sold in 2024?", "count"),
    ],
)
def test_a_growth_of_how_many_there_are_is_made_of_counts(question: str, sort: str) -> None:
    assert read_question(question).asks_of_figures == sort


CAPITAL = (
    ("(in millions, except ratios)", "June 30, 2024", "June 30, 2023"),
    ("CET1 capital", "$ 207,436", "$ 209,010"),
    ("CET1 capital ratio", "12.2%", "13.0%"),
    ("Total debt", "$ 43,827", "$ 31,914"),
    ("Total capitalization (total debt plus total equity)", "105,237", "104,120"),
    ("Total debt to total capitalization", "42%", "31%"),
)
EARNINGS = (
    ("(in millions, except per share)", "Amount", "Per Share"),
    ("Diluted earnings per common share", "$ 2,540", "$ 1.83"),
    ("EPS-diluted-adjusted", "$ 2,650", "$ 1.91"),
)
RATED = "At December 31, 2024, the long-term debt rating of Harrow was AA- by S&P and Aa3 by Moody's."


@pytest.mark.parametrize(
    ("rows", "question", "answer"),
    [
        (CAPITAL, "CET1 ratio at end of june 2024", "12.2%"),
        (CAPITAL, "total debt to total capitalization at the end of june 2024?", "42%"),
        (EARNINGS, "EPS diluted adjusted", "$1.91 per share"),
    ],
)
def test_a_line_of_the_sort_that_is_asked_for_goes_before_one_that_is_called_alike(rows, question, answer) -> None:
    (turn,) = ask(rows, question)
    assert turn.text == answer


def test_no_figure_is_a_rating_and_the_sentence_that_has_one_is_quoted() -> None:
    (turn,) = ask(ROWS, "what long-term debt rating does Harrow have from S&P?", text=RATED)
    assert turn.outcome == "clarify" or "AA-" in (turn.text or "")


COUNTED = (
    ("(dollars in billions)", "2024", "2023", "Change"),
    ("Card sales volume", "$ 397.0", "$ 344.3", "15%"),
    ("Active mobile customers (in thousands)", "47,436", "42,896", "11"),
    ("Open claims, ending balance", "1,567", "1,871", "(16)"),
    ("Connections ('000):", "", "", ""),
    ("Video", "2,951", "3,234", "(9)"),
    ("Unit counts", "", "", ""),
    ("Northern segment", "6,146", "5,993", "3"),
    ("Receivables:", "", "", ""),
    ("Customers", "12.4", "11.9", "4"),
)


@pytest.mark.parametrize(
    ("label", "unit", "amount"),
    [
        ("Active mobile customers (in thousands)", "count", 47_436_000),
        ("Open claims, ending balance", "count", 1_567),
        ("Video", "count", 2_951_000),
        ("Northern segment", "count", 6_146),
        ("Customers", "$", 12_400_000_000),
        ("Card sales volume", "$", 397_000_000_000),
    ],
)
def test_a_row_of_a_table_of_money_that_is_called_by_what_it_counts_is_a_count(label, unit, amount) -> None:
    document = Document(id="harrow", paragraphs=("Harrow.",), before=1, tables=(Table(rows=COUNTED),))
    facts = [fact for fact in build(document, default_ontology(None)[0]).facts() if fact.label == label]
    assert (facts[0].unit, facts[0].value * facts[0].scale, facts[-1].unit) == (unit, amount, Unit.PERCENT)


def test_a_number_that_a_question_says_itself_does_not_answer_it() -> None:
    said = "Our activities are organized into four major reportable business segments. Sales rose in all four regions."
    [turn] = ask(ROWS, "what are the bank's four major reportable business segments", text=said)
    assert turn.value is None
