"""How a question is put: with a frame around it, as a sentence, in short, by signs, and in words of no report."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest
from test_agent_claims import BALANCE, CASH, INCOME, SEGMENTS
from test_agent_told import asked, opened

from tieout.agent.answers.checks.check import CERTAIN
from tieout.agent.question.read import read_question
from tieout.agent.question.spelling import as_printed
from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table
from tieout.ontology.asked.bound import bound_in
from tieout.ontology.asked.wording.framed import without_frame
from tieout.ontology.asked.wording.notation import in_words
from tieout.ontology.labels.shortened import are_initials_of, written_out
from tieout.ontology.metrics.slips import Printed

SAID = ("Garnet Mills makes yarn.", "Our auditor is Finch & Lowe LLP.")
QUARTERS = Table(
    rows=(
        ("Three months ended", "June 30, 2024", "June 30, 2023"),
        ("Revenue from services", "$ 61", "$ 50"),
        ("Gross profit", "30", "21"),
    ),
)


@pytest.fixture(scope="module")
def garnet() -> Reports:
    """A filing with the three statements, segments and a quarter."""
    heads = ("Statements of Operations", "Balance Sheets", "Statements of Cash Flows")
    notes = (
        *(f"Consolidated {each} (in millions)" for each in heads),
        "Segments (in millions)",
        "Quarters (in millions)",
    )
    tables = (
        each.model_copy(update={"after": len(SAID) + number})
        for number, each in enumerate((INCOME, BALANCE, CASH, SEGMENTS, QUARTERS), start=1)
    )
    paragraphs = (*SAID, *notes)
    return opened(
        Document(
            id="garnet",
            company="Garnet Mills Inc.",
            paragraphs=paragraphs,
            before=len(paragraphs),
            tables=tuple(tables),
        )
    )


FRAMES = (
    "I am drafting a memo on yarn makers and would be grateful to know {}.",
    "For a class I teach, could you let me have {}, if you'd be so kind?",
    "With the merger in mind, may I ask {}?",
    "My colleague keeps asking, so would it be possible to learn {}?",
    "To finish a chart, I still need {}, please.",
    "It would be most helpful to have {}. Thanks in advance!",
)
CORES = (
    ("net sales in 2024", Decimal(900)),
    ("what inventories came to at the end of 2023", Decimal(240)),
    ("how much the company paid in dividends in 2024", Decimal(20)),
    ("the operating income of Rail in 2024", Decimal(104)),
)


@pytest.mark.parametrize(("frame", "core"), [*product(FRAMES, CORES)])
def test_a_question_in_a_frame_is_answered_as_it_is_without(
    garnet: Reports, frame: str, core: tuple[str, Decimal]
) -> None:
    turn = asked(garnet, frame.format(core[0]))
    assert turn.value is not None and turn.value.copy_abs() == core[1]
    assert not turn.flags and (turn.probability or 0) >= CERTAIN


@pytest.mark.parametrize(
    ("typed", "core"),
    [
        ("Our desk compares mills, and it would help to know how much cash Garnet had.", "how much cash Garnet had."),
        ("I've been asked for goodwill at the end of 2023; are you able to provide it?", "goodwill at the end of 2023"),
        ("Before the call, can you confirm that sales rose in 2024?", "whether sales rose in 2024?"),
        ("I'd welcome a clear word on whether income was positive.", "whether income was positive."),
        (
            "I follow how mills fared in 2009 and wish to establish the increase in equity",
            "the increase in equity in 2009",
        ),
        ("It would be handy if the sales of Rail could be provided.", "sales of Rail"),
        ("Please forgive the basic question, but what was revenue?", "what was revenue?"),
        ("What I really want to know is how many people work there", "how many people work there"),
        (
            "Garnet had a tax benefit in 2024, I am told. How large was it?",
            "what was the tax benefit of Garnet in 2024?",
        ),
        (
            "Garnet has a Silk Threads business, the one with the red mill. What were its sales in 2024?",
            "What were Silk Threads business's sales in 2024?",
        ),
        (
            "I have to cover the second quarter of fiscal 2024 and need revenue",
            "revenue in the second quarter of fiscal 2024",
        ),
        ("Could I please have net sales of 2024, as I want to draw a chart?", "net sales of 2024"),
        ("Garnet's silk arm, Threads, what did it earn in 2024?", "what did Threads earn in 2024?"),
        ("My claim in the memo is that sales rose in 2024. True?", "whether sales rose in 2024"),
        ("Can I say inventories fell in 2024?", "whether inventories fell in 2024"),
        ("Could you give me state income taxes for 2024?", "state income taxes for 2024?"),
        ("May I have the share of Rail in net sales?", "the share of Rail in net sales?"),
        ("For the Rail segment, could you tell me revenue in 2023?", "For the Rail segment, revenue in 2023?"),
    ],
)
def test_a_frame_is_taken_off(typed: str, core: str) -> None:
    assert without_frame(typed) == core


@pytest.mark.parametrize(
    "typed",
    [
        "How much do we owe in 2024?",
        "Do we have any pension?",
        "What did you spend on research in 2024?",
        "What share of supply costs was met by us?",
        "which year had the highest operating income, and how much was it?",
        "if you add Lumen's and Orion's revenue, how much is it?",
        "My manager insists margins improved. Did it, in 2024?",
        "pumps, i.e. the Diabetes segment: what were sales?",
        "net cash provided by operating activities",
        "please",
        "",
    ],
)
def test_what_is_no_frame_stays(typed: str) -> None:
    assert without_frame(typed) == typed


@pytest.mark.parametrize(
    ("put", "plain"),
    [
        ("net sales were what in 2024?", "what was net sales in 2024?"),
        ("net sales stood at what level in 2024?", "what was net sales in 2024?"),
        ("the percentage by which net sales rose in 2024 is what?", "by what percentage did net sales rise in 2024?"),
        (
            "what is the dollar amount by which net sales fell in 2024?",
            "by how many dollars did net sales fall in 2024?",
        ),
        ("gross profit amounts to what percentage of net sales?", "gross profit as a percentage of net sales?"),
        ("divide net income by net sales and report the percentage", "net income divided by net sales"),
        ("express research costs as a percentage of net sales", "research costs as a percentage of net sales"),
        (
            "how many percent more did Garnet sell in 2024 than in 2023?",
            "by what percentage did revenue change in 2024 from 2023",
        ),
        ("net profit / net income in 2024", "net income in 2024"),
        ("net income fiscal '24", "net income fiscal 2024"),
        ("reason for the decline in net income", "why did net income decline"),
    ],
)
def test_what_is_put_as_a_sentence_is_read_as_the_plain_question(put: str, plain: str) -> None:
    one, other = read_question(put), read_question(plain)
    assert (one.calculation, one.tree, one.form, one.years) == (other.calculation, other.tree, other.form, other.years)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("whether net sales were higher in 2024 than in 2023", "yes"),
        ("Please check whether total liabilities exceeded total assets in 2024.", "no"),
        ("net sales 2024 up on 2023?", "yes"),
        ("inventories higher in 2024 than in 2023?", "no"),
        ("net income 2023 positive?", "no"),
        ("net sales up or not?", "yes"),
        ("net sales up YoY in 2024?", "yes"),
        ("cost of sales: FY24 > FY23?", "yes"),
        ("yes or no: net income rose in 2024", "yes"),
        ("Am I right that inventories fell in 2024?", "yes"),
        ("was net sales of 2023 exceeded by that of 2024?", "yes"),
        ("has net income become larger in 2024?", "yes"),
        ("is net income in 2024 less than half of net sales?", "yes"),
    ],
)
def test_what_asks_for_yes_or_no_in_short_is_answered_so(garnet: Reports, question: str, told: str) -> None:
    assert (asked(garnet, question).text or "").split(",")[0] == told


@pytest.mark.parametrize(
    "question",
    [
        "net sales in 2024, in 2023",
        "two numbers please: net sales 2024 and net sales 2023",
        "net sales in each of the two most recent fiscal years",
        "total net sales last 2 fiscal years",
        "net sales 24 23",
    ],
)
def test_years_that_are_listed_are_never_added_up(garnet: Reports, question: str) -> None:
    text = asked(garnet, question).text or ""
    assert "$900 million" in text and "$800 million" in text and "$1.7" not in text


@pytest.mark.parametrize("question", ["net sales + net income in 2024", "net sales together with net income for 2024"])
def test_lines_that_hold_each_other_are_told_and_not_added_up(garnet: Reports, question: str) -> None:
    text = asked(garnet, question).text or ""
    assert "$900 million" in text and "$90 million" in text and "$990" not in text


@pytest.mark.parametrize(
    "question",
    [
        "did dividends paid more than double in 2024?",
        "is Rail's operating income more than half of net sales in 2024?",
        "was net sales at least twice that of the year before?",
    ],
)
def test_a_number_that_is_asked_for_in_words_is_accounted_for(garnet: Reports, question: str) -> None:
    turn = asked(garnet, question)
    assert turn.text == "no" and not {flag.rule for flag in turn.flags} & {"ungrounded", "units differ"}


def test_twice_of_what_is_not_said_is_no_bound_of_an_amount(garnet: Reports) -> None:
    turn = asked(garnet, "did net income at least three times?")
    assert turn.text != "yes" or (turn.probability or 0) < CERTAIN


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("gross profit from April to June 2024", "gross profit in the three months ended June 2024"),
        ("sales between January and September 2024", "sales in the nine months ended September 2024"),
        ("sales April through June 30, 2024", "sales in the three months ended June 30, 2024"),
        ("sales in May and June 2024", "sales in May and June 2024"),
        ("sales from January to February 2024", "sales from January to February 2024"),
        ("sales 2023 -> 2024", "sales from 2023 to 2024"),
        ("sales FY21-FY23, cash YE23", "sales fiscal 2021 through 2023, cash end of fiscal 2023"),
        ("sales 1QFY24", "sales Q1 fiscal 2024"),
        ("sales 24 23 22", "sales 2024, 2023 and 2022"),
        ("10 12 14 shares", "10 12 14 shares"),
        ("sales 12 14", "sales 12 14"),
        ("income 23 vs 22", "income 2023 vs 2022"),
        ("sales over assets, 2024. Percent?", "sales over assets, 2024 in Percent?"),
        ("sales fiscal 2021 thru 2023", "sales fiscal 2021 through 2023"),
    ],
)
def test_signs_and_short_years_are_read_in_words(typed: str, read: str) -> None:
    assert in_words(typed) == read
    assert in_words(read) == read


def test_a_quarter_is_named_by_its_months(garnet: Reports) -> None:
    assert asked(garnet, "What was gross profit from April to June 2024?").value == 30


@pytest.mark.parametrize("text", ["was income higher than in fy21", "sales above fy 2021"])
def test_a_fiscal_year_is_no_number_that_figures_are_held_against(text: str) -> None:
    assert bound_in(text) is None


def test_initials_of_the_company_are_no_measure(garnet: Reports) -> None:
    """`GM` is short for a gross margin, and for Garnet Mills where its report is open."""
    printed = Printed(lambda: {"Net sales"}, lambda word: False, names=frozenset({"Garnet Mills Inc."}))
    assert as_printed("who audits GM?", printed)[0] == "who audits Garnet Mills Inc.?"
    assert as_printed("sales of GM Rail", printed)[0] == "sales of GM Rail"
    assert are_initials_of("gm", "Garnet Mills Inc.") and not are_initials_of("ga", "Garnet Mills Inc.")
    assert not are_initials_of("g", "Garnet Mills Inc.")


@pytest.mark.parametrize(
    ("typed", "read"),
    [("expence", "expense"), ("hw mny people", "how many people"), ("incmoe", "income")],
)
def test_what_is_spelt_as_it_sounds_or_without_vowels_is_read(typed: str, read: str) -> None:
    printed = Printed(lambda: {"Interest expense", "People"}, lambda word: False)
    assert as_printed(typed, printed)[0] == read


def test_a_short_form_beside_a_roman_number_is_no_error() -> None:
    assert written_out("ib", {"capital"}, ["Basel III capital"]) is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("In my note on Rail I need operating income for 2024.", Decimal(104)),
        ("I follow Rail and would be glad to know its operating income in 2024.", Decimal(104)),
        ("I'm interested in Rail. What was operating income in 2024?", Decimal(104)),
        ("I follow Garnet and would be glad to know net sales in 2024.", Decimal(900)),
    ],
)
def test_a_part_that_stands_in_the_frame_alone_is_asked_of(garnet: Reports, question: str, value: Decimal) -> None:
    turn = asked(garnet, question)
    assert turn.value is not None and turn.value.copy_abs() == value


@pytest.mark.parametrize(
    "question",
    [
        "Excluding Rail, could you tell me operating income in 2024?",
        "Before tax, I wonder what net sales were in 2024.",
    ],
)
def test_what_a_frame_qualifies_is_never_left_out_in_silence(garnet: Reports, question: str) -> None:
    turn = asked(garnet, question)
    assert turn.outcome != "answer" or turn.flags
