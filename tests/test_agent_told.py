"""What is asked for in words: quoted from covers, signatures and sentences, never answered with a figure."""

from __future__ import annotations

from datetime import date

import pytest
from filed import ontology

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.candidates.figure import is_of_part_of_year
from tieout.agent.question.language import language
from tieout.agent.question.read import read_question
from tieout.agent.session import Session, Turn
from tieout.agent.view.reports import BUDGET, Reports
from tieout.agent.view.told import told_in
from tieout.data.document import Document, Section, Table
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index

SAID = (
    "For the fiscal year ended June 30, 2024",
    "Item 1. Business",
    "Hazel Mills is a maker of paper and one of the largest producers of board.",
    "Hazel Mills was incorporated in Maine in 1911.",
    "We have three reportable segments: Paper, Board and Services.",
    "Before she joined Alder, Ms. Roe served as Chief Executive Officer of Alder Board Company.",
    "/s/ Finch & Lowe LLP",
    "We have served as the Company’s auditor since 1987.",
)
COVER = Table(
    rows=(
        ("Maine", "01-2345678"),
        ("(State or other jurisdiction of incorporation)", "(I.R.S. Employer Identification No.)"),
        ("12 Weir Lane, Bangor, Maine", "04401"),
        ("(Address of principal executive offices)", "(Zip Code)"),
    )
)
OFFICERS = Table(
    rows=(
        ("Name", "Age", "Position"),
        ("Ida Roe", "57", "President and Chief Executive Officer"),
        ("Per Holm", "49", "Senior Vice President and Chief Financial Officer"),
    )
)
STOCK = Table(
    rows=(
        ("Title of each class", "Trading Symbol", "Name of each exchange on which registered"),
        ("Common Stock, par value $1", "HZM", "New York Stock Exchange"),
    )
)


@pytest.fixture(scope="module")
def hazel() -> Reports:
    """A filing whose cover, officers and stock stand in tables."""
    tables = [table.model_copy(update={"after": 1, "section": 0}) for table in (COVER, OFFICERS, STOCK)]
    document = Document(
        id="hazel",
        company="Hazel Mills, Inc.",
        paragraphs=SAID,
        before=len(SAID),
        sections=(Section(title="Item 1. Business", level=2, paragraph=1),),
        tables=tuple(tables),
    )
    return opened(document)


def opened(document: Document) -> Reports:
    graph, index = build(document, ontology()), Index()
    index.keep(read_contents(document, *graph.contents()))
    return Reports([graph], index, BUDGET)


def asked(reports: Reports, question: str) -> Turn:
    return Session(reports, OfflineBackend()).ask(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the CEO of Hazel Mills?", "Ida Roe; 57; President and Chief Executive Officer"),
        ("cfo name", "Per Holm; 49; Senior Vice President and Chief Financial Officer"),
        (
            "who audits the company and since when?",
            "Finch & Lowe LLP; We have served as the Company’s auditor since 1987.",
        ),
        ("Where is Hazel Mills headquartered?", "12 Weir Lane, Bangor, Maine; 04401"),
        ("In which state is Hazel incorporated and when?", "Hazel Mills was incorporated in Maine in 1911."),
        ("what is the ticker symbol?", "Common Stock, par value $1; HZM; New York Stock Exchange"),
        ("when does the fiscal year end?", "For the fiscal year ended June 30, 2024"),
        ("what segments are there?", "We have three reportable segments: Paper, Board and Services."),
        ("what does Hazel Mills do?", SAID[2]),
    ],
)
def test_what_is_asked_for_in_words_is_quoted_as_the_report_prints_it(hazel: Reports, question: str, told: str) -> None:
    turn = asked(hazel, question)
    assert turn.text == told
    is_sure = language().told[read_question(question).told].chance >= CERTAIN
    assert [flag.rule for flag in turn.flags] == ([] if is_sure else ["not certain"])


def test_a_segment_that_has_the_name_of_the_company_is_not_the_company() -> None:
    years = ("", "2024", "2023")
    tables = (
        Table(
            rows=(years, ("Net sales", "$ 900", "$ 800"), ("Net income", "70", "60")),
            title="Statements of Income (in millions)",
        ),
        Table(
            rows=(years, ("Alder", "$ 400", "$ 380"), ("Birch", "500", "420"), ("Total net sales", "$ 900", "$ 800")),
            title="Net sales by segment (in millions)",
        ),
    )
    reports = opened(Document(id="a", company="Alder Mills, Inc.", paragraphs=(), before=0, tables=tables))
    assert asked(reports, "Alder sales in 2024").text == "$400 million"
    assert asked(reports, "Alder's net income in 2024").text == "$70 million"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("aldr net sales 2024", "$900 million"),
        ("alder mills net income 2024", "$70 million"),
        ("ald mills net income 2023", "$60 million"),
        ("net sales of the retailer in 2023?", "$800 million"),
        ("what were the bank fees in 2024?", "$400 million"),  # a line is called so
    ],
)
def test_a_company_is_meant_by_its_ticker_part_of_its_name_and_what_it_is(question: str, answer: str) -> None:
    rows = (
        ("", "2024", "2023"),
        ("Net sales", "$ 900", "$ 800"),
        ("Bank fees", "400", "380"),
        ("Net income", "70", "60"),
    )
    table = Table(rows=rows, title="Statements of Income (in millions)")
    document = Document(id="ALDR_10K", company="Alder Mills, Inc.", paragraphs=(), before=0, tables=(table,))
    turn = asked(opened(document), question)
    assert turn.text == answer and not turn.flags


@pytest.mark.parametrize(
    "question", ["revenue in 2024 by where the customer's headquarters are", "what are the segments of revenue?"]
)
def test_who_asks_for_a_figure_does_not_ask_for_words(question: str) -> None:
    assert read_question(question).told == ""


def test_what_no_cover_or_signature_tells_is_asked_back(hazel: Reports) -> None:
    assert told_in(read_question("who is the CFO?"), SAID) == ()
    assert asked(hazel, "who signed the report on behalf of Alder?").answer is None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Our chief executive officer is Nora Vance.", "Nora Vance"),
        ("I, Tom Eder, Chief Executive Officer of Brook plc, certify that:", "Tom Eder, Chief Executive Officer"),
        ("/s/ Ada Roe | /s/ Max Orr | Ada Roe | Max Orr | Chief Executive Officer | Controller", "Ada Roe"),
        ("Ada Roe – Chief Executive Officer since May 2020 | 51", "Ada Roe – Chief Executive Officer since May 2020"),
        ("Lee Former, Director", None),
        ("Vice President, Chief Executive Officer", None),
    ],
)
def test_a_name_and_no_title_is_who_leads_a_company(line: str, name: str | None) -> None:
    assert told_in(read_question("who is the CEO?"), [line])[:1] == (() if name is None else (name,))


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("At year end we had approximately 3,400 and 3,100 employees, respectively.", True),
        ("We are a global community of about 12,600 associates in 30 countries.", True),
        ("The supported net addition of approximately 1,100 employees worldwide is one of them.", False),
        ("We had about 1,500 employees located in Norway.", False),
    ],
)
def test_how_many_people_work_for_a_company_is_told_by_what_counts_all_of_them(line: str, is_told: bool) -> None:
    assert told_in(read_question("what was the headcount?"), [line]) == ((line,) if is_told else ())


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("capex 1h23", "capex h1 2023"),
        ("change in capex 2021 vs 2020, pct", "change in capex 2021 vs 2020, percent"),
        ("% change in net income, 2023 v 2022", "% change in net income, 2023 versus 2022"),
        ("r&d spend fy23 pls", "r&d spend fy23"),
        ("how much did it sink into capex in h1 2023?", "how much was capex in the first half of 2023?"),
        ("by what percentage did eps climb in 2023?", "by what percentage did eps rise in 2023?"),
        ("spend on PP&E in 2023", "purchases of property, plant and equipment in 2023"),
        ("lt debt at the end of 2023", "long-term debt at the end of 2023"),
        ("how big was operating income against 2022?", "operating income against 2022?"),
    ],
)
def test_what_is_written_short_is_read_as_what_it_stands_for(question: str, same: str) -> None:
    short, full = read_question(question), read_question(same)
    assert (short.named[0].name, short.years, short.open) == (full.named[0].name, full.years, full.open)


def test_a_quarter_whose_first_day_is_not_printed_is_of_the_quarter_that_is_asked_for() -> None:
    fact = build(Document(id="age", paragraphs=("Fees were $5 in 2023.",), before=1, tables=()), ontology()).facts()[0]
    ended = Period(key="2023-Q2", kind=PeriodKind.QUARTER, label="Three Months", year=2023, end=date(2023, 7, 2))
    fact = fact.model_copy(update={"period": ended})
    second, third = (date(2023, 4, 1), date(2023, 6, 30)), (date(2023, 7, 1), date(2023, 9, 30))
    assert [is_of_part_of_year(fact, days, 2023, by_days=False) for days in (second, third)] == [True, False]
    assert [is_of_part_of_year(fact, days, 2023, by_days=True) for days in (second, third)] == [True, False]
