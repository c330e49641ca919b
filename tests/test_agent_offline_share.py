"""Shares of a whole, sums and averages over the last years, and files of facts without a page, offline."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from filed import ontology
from test_agent_offline_lines import ask

from tieout.agent.answers.checks.sanity import other_measure
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Section, Table
from tieout.data.readers.xbrl.facts import read_facts
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index

INCOME = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023", "2022"),
        ("Net sales", "400", "380", "350"),
        ("Cost of sales", "250", "240", "230"),
        ("Operating income", "60", "50", "40"),
        ("Interest expense", "(7)", "(6)", "(5)"),
        ("Income before income taxes", "53", "44", "35"),
        ("Net income", "40", "33", "26"),
    ),
    title="Consolidated Statements of Income",
)
SEGMENTS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023", "2022"),
        ("Harvest Tools", "45", "38", "31"),
        ("Seeds", "15", "12", "9"),
        ("Total", "60", "50", "40"),
    ),
    title="Note 4. Lines of business",
)
REGIONS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023", "2022"),
        ("Net sales:", "", "", ""),
        ("Norway", "100", "76", "70"),
        ("Iceland", "300", "304", "280"),
        ("Total net sales", "400", "380", "350"),
    ),
    title="Net sales by country",
)
BOATYARD = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Net sales:", "", ""),
        ("Boats", "300", "240"),
        ("Sails", "100", "110"),
        ("Total net sales", "400", "350"),
        ("Cost of sales:", "", ""),
        ("Boats", "210", "180"),
        ("Sails", "40", "50"),
        ("Total cost of sales", "250", "230"),
        ("Gross profit", "150", "120"),
        ("Rope and paint", "20", "18"),
        ("Income before income taxes", "60", "50"),
        ("Income taxes", "15", "10"),
        ("Net income", "45", "40"),
    ),
    title="Consolidated Statements of Income",
)
YARDS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Operating income:", "", ""),
        ("Boats", "45", "36"),
        ("Sails", "20", "22"),
        ("Total operating income", "65", "58"),
    ),
    title="Note 4. Operating income by segment",
)
PENSION = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Service cost", "3", "2"),
        ("Interest cost", "9", "8"),
        ("Larch litigation matter", "7", "—"),
    ),
    title="Note 9. Pension",
)


BY_COUNTRY = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Norway:", "", ""),
        ("Net sales", "100", "76"),
        ("Operating income", "30", "20"),
        ("Iceland:", "", ""),
        ("Net sales", "300", "304"),
        ("Operating income", "30", "30"),
    ),
    title="Note 5. Segments by region",
)
TAXES = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("January 1", "21", "17"),
        ("Increase due to tax positions of the year", "8", "6"),
        ("Settlements", "(3)", "(2)"),
        ("December 31", "26", "21"),
    ),
    title="The following table summarizes the gross amounts of unrecognized tax benefits",
)
COMPENSATION = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Cost of sales", "2", "1"),
        ("Research and development", "4", "3"),
        ("Total stock-based compensation", "6", "4"),
    ),
    title="Stock-based compensation",
)
CUSTOMERS = Table(
    rows=(
        ("", "2024", "2023"),
        ("Alder Stores", "12%", "10%"),
        ("Birch Stores", "9%", "8%"),
        ("Total percentage of net sales", "21%", "18%"),
    ),
    title="Customers",
)
RATES = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Net sales", "$ 100", "$ 76"),
        ("Adjusted EBIT", "32", "21"),
        ("Adjusted EBIT as a percentage of net sales", "32.0%", "27.6%"),
        ("Comparable sales (% change)", "-2.5%", "3.1%"),
    ),
    title="Norway Segment",
)


CARRIED = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Ferries", "50", "45"),
        ("Buses", "31", "20"),
        ("Passengers", "81", "65"),
        ("Timber", "90", "99"),
        ("Grain", "229", "216"),
        ("Cargo", "319", "315"),
        ("Total net sales", "400", "380"),
    ),
    title="Net sales by segment and line",
)
RESULTS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Passengers", "(9)", "2"),
        ("Cargo", "77", "55"),
        ("Corporate", "(8)", "(7)"),
        ("Total segment profit (loss)", "60", "50"),
    ),
    title="Segment profit (loss)",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which segment had the highest net sales in 2024, and how much?", "Cargo: $319 million"),
        ("which of Elder's segments had the largest share of net sales in 2024, and what share?", "Cargo: 79.8%"),
        ("which segment grew fastest in 2024, and by how much?", "Passengers: 24.6%"),
        ("which product had the highest net sales in 2024?", "Grain: $229 million"),
        ("which segment lost money in 2024, and how much?", "Passengers: -$9 million"),
        ("which two segments had the lowest net sales in 2024?", "Passengers: $81 million; Cargo: $319 million"),
        ("which segment had the second highest net sales in 2024?", "Passengers: $81 million"),
        ("which segment earned the most operating profit in 2024, and how much?", "Cargo: $77 million"),
        ("op mgn ye24", "15%"),
        ("any segment that made a loss in 2024?", "Passengers: -$9 million"),
    ],
)
def test_of_segments_and_their_lines_the_one_that_is_asked_for_is_told(question: str, answer: str) -> None:
    turn = talk(question, tables=(INCOME, CARRIED, RESULTS))
    assert turn.text == answer, turn


def test_a_part_is_not_chosen_where_a_question_has_a_word_that_no_part_has() -> None:
    turn = talk("which segment grew faster in Peru in 2024, passengers or cargo?", tables=(INCOME, CARRIED, RESULTS))
    assert turn.outcome == "clarify" and "peru" in turn.clarification.question, turn


def test_segments_may_add_up_to_more_than_the_operating_income_of_the_company() -> None:
    rows = (*RESULTS.rows[:3], ("Total segment profit (loss)", "68", "57"))
    turn = talk(
        "which segment had the highest operating income in 2024?",
        tables=(INCOME, CARRIED, RESULTS.model_copy(update={"rows": rows})),
    )
    assert turn.text == "Cargo: $77 million", turn


def test_a_part_is_the_line_of_its_own_name_before_one_that_names_others_with_it() -> None:
    groups = Table(
        rows=(
            ("(dollars in millions)", "2024", "2023"),
            ("Ferries and coaches", "81", "65"),
            ("Timber and grain", "319", "315"),
            ("Total net sales", "400", "380"),
        ),
        title="Net sales by group",
    )
    lines = Table(
        rows=(
            ("(dollars in millions)", "2024", "2023"),
            ("Ferries", "50", "45"),
            ("Coaches", "31", "20"),
            ("Total ferries and coaches", "81", "65"),
            ("Timber", "90", "99"),
            ("Grain", "229", "216"),
            ("Total timber and grain", "319", "315"),
            ("Total company", "400", "380"),
        ),
        title="Disaggregated by line",
    )
    turn = talk("net sales of coaches in 2024", tables=(INCOME, groups, lines))
    assert turn.text == "$31 million", turn


def talk(*questions: str, tables: tuple[Table, ...] = ()) -> Turn:
    """The last turn of a conversation about the tables above."""
    titles = ("Consolidated Statements of Income", "Net sales by country")
    document = Document(
        id="elder",
        paragraphs=(
            "The Elder Company has its year end on December 31. Brookline accounted for 11% of net sales in 2024.",
            "Our three largest grocers accounted for 23% of net sales in 2024.",
        ),
        before=2,
        tables=tables or (INCOME, SEGMENTS, REGIONS, PENSION, BY_COUNTRY, TAXES, COMPENSATION),
        sections=(Section(title=titles[0], level=1, paragraph=0),),
        company="The Elder Company",
        form="10-K",
    )
    graph, index = build(document, ontology()), Index()
    index.keep(read_contents(document, *graph.contents()))
    session = Session(Reports([graph], index), OfflineBackend())
    return [session.ask(question) for question in questions][-1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how large a share of net sales came from Alder Stores in 2024?", "12%"),
        ("adjusted EBIT margin of the Norway segment in 2024", "32%"),
        ("comparable sales growth in Norway in 2024", "-2.5%"),
        ("comps growth in Norway in 2024", "-2.5%"),
    ],
)
def test_a_share_a_margin_or_a_growth_that_is_printed_is_told_and_not_calculated(question: str, answer: str) -> None:
    assert talk(question, tables=(INCOME, CUSTOMERS, RATES)).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("gross margin on boats in 2024", "30%"),
        ("gross margin pct of the sails business, 2024", "60%"),
        ("sails gross profit 2023", "$60 million"),
        ("boats margin 2024", "15%"),
        ("rope and paint over net sales 2024", "0.05"),
        ("cost of sales as % net sales 2024", "62.5%"),
        ("how much of sales is boats, % 2024", "75%"),
        ("net sales ex sails 2024", "$300 million"),
        ("what were net sales in 2024 that were not sails?", "$300 million"),
        ("how much of net sales in 2024 did not come from sails", "$300 million"),
        ("net sales 2024 except sails", "$300 million"),
        ("effective tax 2024", "25%"),
        ("taxes over pretax 2024", "0.25"),
        ("tax burden (taxes / pretax) 2023", "0.20"),
        ("boats revenue up in 2024, %", "25%"),
    ],
)
def test_a_ratio_is_made_of_the_part_and_of_the_two_amounts_that_a_question_says(question: str, answer: str) -> None:
    assert ask(question, BOATYARD, YARDS).text == answer


@pytest.mark.parametrize(
    "question",
    ["what percentage of net sales in 2024 was not from sails?", "net sales excluding that of sails 2024 in percent"],
)
def test_the_share_of_a_part_is_not_told_without_a_word_where_that_of_the_rest_is_asked_for(question: str) -> None:
    turn = ask(question, BOATYARD, YARDS)
    assert turn.outcome != "answer" or turn.text == "75%" or turn.flags, turn


def test_a_growth_that_is_printed_of_another_measure_is_not_that_of_the_one_that_is_named() -> None:
    turn = talk("net sales growth in Norway in 2024", tables=(INCOME, CUSTOMERS, RATES))
    assert turn.text.startswith("31.6%"), turn


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which country had the highest operating margin in 2024?", "Norway: 30%"),
        ("which country had the lowest operating margin in 2024?", "Iceland: 10%"),
    ],
)
def test_a_part_without_one_of_the_amounts_of_a_rate_has_none(question: str, answer: str) -> None:
    rows = (*BY_COUNTRY.rows, ("Sweden:", "", ""), ("Operating income", "2", "1"))
    assert talk(question, tables=(INCOME, BY_COUNTRY.model_copy(update={"rows": rows}))).text == answer


@pytest.mark.parametrize(
    ("questions", "answer"),
    [
        (("what was operating income in 2023?", "as a percentage of revenue?"), "13.2%"),
        (("what was operating income in 2023?", "as a share of net sales?", "and in 2022?"), "11.4%"),
        (("what percentage of net sales came from Norway in 2023?",), "20%"),
        (("what was Norway's share of net sales in 2024?",), "25%"),
        (("what was Norway's share of net sales in 2024?", "by how many points did it rise?"), "5 percentage points"),
        (("how much higher was operating income than in 2022?",), "$20 million"),
        (("how much of net sales came from Brookline in 2024?",), "11%"),
        (("how much of net sales came from Norway in 2024?",), "$100 million"),
        (("Norway: operating income as % of its net sales in 2024?",), "30%"),
        (("overhead ratio for 2024 (cost of sales over net sales)",), "0.63"),
        (("operating margin 2024 on net sales",), "15%"),
        (("how big was the Larch litigation charge in 2024?",), "$7 million"),
        (("what share of net sales came from the three largest grocers in 2024?",), "23%"),
        (("gross unrecognized tax benefits at the end of 2024",), "$26 million"),
        (("which region had the highest operating margin in 2024?",), "Norway: 30%"),
        (("which of Elder's two countries had more net sales in 2024, and how much?",), "Iceland: $300 million"),
        (("which country grew its net sales faster in 2024, Norway or Iceland?",), "Norway: 31.6%"),
        (("Norway's slice of 2024 net sales",), "25%"),
        (("total operating income over 2022, 2023 and 2024",), "$150 million"),
        (("net sales in Norway for 2022 through 2024, added up",), "$246 million"),
        (("what was net income as a percentage of operating income in 2022?",), "65%"),
        (("what share of operating income did Seeds account for in 2024?",), "25%"),
        (("share of Elder's 2023 net sales billed to customers in Norway?",), "20%"),
        (("what was the share of net sales from Iceland in 2024",), "75%"),
        (("what was Elder's interest expense in 2023?",), "$6 million"),
        (("net income of The Elder Company 2022",), "$26 million"),
        (("what was Harvest Tools' operating income in 2023?",), "$38 million"),
        (("what was average operating income over the last three years?",), "$50 million"),
        (("what was operating income in 2024?", "what was the average of the three years?"), "$50 million"),
        (("what was the sum of net income from 2022 to 2024?",), "$99 million"),
    ],
)
def test_a_part_is_divided_by_its_whole_and_years_are_counted_from_the_latest(
    questions: tuple[str, ...], answer: str
) -> None:
    turn = talk(*questions)
    assert turn.text == answer, turn
    assert not [flag for flag in turn.flags if flag.rule == "left open"]


def test_what_is_told_of_regions_is_doubted_where_the_parts_are_no_places() -> None:
    turn = talk("which region had the highest net sales in 2024?", tables=(INCOME, CARRIED))
    assert turn.text == "Cargo: $319 million" and any("no places" in flag.message for flag in turn.flags), turn


def test_a_share_whose_part_is_not_printed_is_asked_back() -> None:
    assert talk("what percentage of net sales came from Peru in 2023?").outcome == "clarify"


def test_of_a_cost_in_a_note_the_expense_of_the_statement_is_named_beside() -> None:
    turn = talk("what were interest costs in 2024?")
    assert any("Interest expense" in flag.message for flag in turn.flags), turn


def test_how_a_ratio_is_called_is_a_word_of_the_question() -> None:
    assert read_question("what was the combined ratio in 2023?").open == {"combined", "ratio"}


@pytest.mark.parametrize(
    ("question", "unit", "odd"),
    [
        ("what share of net sales came from Norway?", "USD", True),
        ("what was the ceded premium ratio in 2024?", "EUR", True),
        ("what was core income per share?", "USD", True),
        ("what was core income per share?", "USD/share", False),
        ("what share of net sales came from Norway?", "percent", False),
        ("what was our share of profit of associates?", "USD", False),
        ("what was the total cost of shares at the price paid per share?", "USD", False),
        ("what was net income?", "USD", False),
        ("how many tons did it hold at year end?", "USD", True),
        ("how many dollars did it hold at year end?", "USD", False),
        ("what did the company earn per share, diluted, in 2024?", "shares", True),
        ("what was basic in 2024?", "shares", True),
        ("what were diluted shares in 2024?", "shares", False),
        ("how many options were granted in 2024?", "shares", False),
        ("what was the gross margin of timber in dollars?", "percent", True),
        ("what was the gross margin of timber?", "percent", False),
        ("what was the change in dollars and in percent?", "percent", False),
        ("how many basis points did the gross margin move?", "percent", True),
        ("how many bps did the gross margin move?", "percentage points", False),
    ],
)
def test_an_amount_of_money_is_no_percentage_no_ratio_and_none_per_share_and_shares_are_asked_for(
    question: str, unit: str, odd: bool
) -> None:
    assert (other_measure(read_question(question), unit, ()) is not None) is odd


def _concept(label: str, unit: str, *values: tuple[str, str, int | float]) -> dict[str, object]:
    filed = {"accn": "0000000007-25-000002", "fy": 2024, "fp": "FY", "form": "10-K"}
    stated = [{"start": start, "end": end, "val": value, **filed} for start, end, value in values]
    return {"label": label, "units": {unit: [{k: v for k, v in each.items() if v} for each in stated]}}


def _years(*values: float) -> list[tuple[str, str, float]]:
    return [(f"{2024 - back}-01-01", f"{2024 - back}-12-31", value) for back, value in enumerate(values)]


FACTS = {
    "cik": 7,
    "entityName": "Fern Corp",
    "facts": {
        "us-gaap": {
            "Revenues": _concept("Revenues", "USD", *_years(900, 750, 600)),
            "NetIncomeLoss": _concept("Net Income (Loss) Attributable to Parent", "USD", *_years(90, 60, -30)),
            "EarningsPerShareDiluted": _concept("Earnings Per Share, Diluted", "USD/shares", *_years(0.9, 0.6, -0.3)),
            "Assets": _concept("Assets", "USD", ("", "2024-12-31", 2000), ("", "2023-12-31", 1800)),
        }
    },
}


def stated(question: str, *, whole: bool) -> Turn:
    """The turn that answers a question about facts without a page. whole: as a whole report, from the index."""
    document = read_facts(json.dumps(FACTS).encode(), "fern")
    graph, index = build(document, ontology()), Index()
    index.keep(read_contents(document, *graph.contents()))
    return Session(Reports([graph], index) if whole else graph, OfflineBackend()).ask(question)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what were revenues in 2024?", "$900"),
        ("total assets at the end of 2023", "$1,800"),
        ("diluted EPS in 2023", "$0.60 per share"),
        ("how much did revenue grow in 2024?", "20% ($150)"),
        ("net income in 2024 as a percentage of revenue?", "10%"),
    ],
)
def test_facts_without_a_page_are_asked_by_their_concepts(question: str, answer: str, whole: bool) -> None:
    turn = stated(question, whole=whole)
    assert turn.text == answer, turn


def test_the_place_of_a_fact_without_a_page_is_its_filing_and_concept() -> None:
    turn = stated("what were revenues in 2024?", whole=True)
    assert turn.answer is not None
    assert getattr(turn.answer.source, "place", "") == "filing 0000000007-25-000002, us-gaap:Revenues"


def test_the_year_of_the_least_is_told_of_facts_without_a_page() -> None:
    assert stated("in which year was net income the lowest?", whole=True).text == "2022"


def test_words_of_a_report_are_not_taken_for_a_count_of_years() -> None:
    assert "year" not in read_question("what was the average rate of 10 year treasury notes?").open
    assert ask("what was the average goodwill over the last two years?").text == "$40 million"
    assert Decimal(read_question("average goodwill over the last two years").when.last) == 2
