"""Questions for yes or no: claims about a figure, two figures of two times, a number, or what a sentence says."""

from __future__ import annotations

import pytest
from test_agent_told import asked, opened

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.answers.result import result
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_claims
from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table
from tieout.ontology.asked.bound import bound_in
from tieout.ontology.asked.language import language

YEARS = ("", "December 31, 2024", "December 31, 2023")
INCOME = Table(
    rows=(
        ("Years ended", *YEARS[1:]),
        ("Net sales", "$ 900", "$ 800"),
        ("Cost of sales", "500", "480"),
        ("Impairment of goodwill", "—", "35"),
        ("Provision for credit losses", "(12)", "20"),
        ("Net income", "$ 90", "$ (15)"),
    ),
)
BALANCE = Table(
    rows=(
        YEARS,
        ("Cash and cash equivalents", "$ 60", "$ 70"),
        ("Inventories", "200", "240"),
        ("Total assets", "$ 1,000", "$ 1,100"),
        ("Total liabilities", "600", "650"),
        ("Total stockholders' equity", "400", "450"),
        ("Total liabilities and stockholders' equity", "$ 1,000", "$ 1,100"),
    ),
)
CASH = Table(
    rows=(
        ("Years ended", *YEARS[1:]),
        ("Net income", "$ 90", "$ (15)"),
        ("Net cash provided by (used in) operating activities", "(30)", "110"),
        ("Purchases of treasury stock", "(80)", "(95)"),
        ("Dividends paid", "(20)", "(18)"),
        ("Net cash used in financing activities", "(100)", "(113)"),
    ),
)
SEGMENTS = Table(
    rows=(
        ("Operating income (loss)", *YEARS[1:]),
        ("Harbour", "$ (14)", "$ 6"),
        ("Rail", "104", "71"),
        ("Total operating income", "$ 90", "$ 77"),
    ),
)
SAID = (
    "Corvane Tools makes drills and saws for builders.",
    "We operate as one operating segment.",
    "Sales to Brisk Hardware represented approximately 14% of our net sales in 2024.",
    "No sales to an individual distributor accounted for more than 20% of net sales in 2024.",
    "At December 31, 2024, there were 412 complaints pending against the company over its saws.",
    "We have no material contingent obligations to suppliers.",
    "In May 2024 we entered into an agreement under which we will sell our Quarry Lamps business.",
    "The loan from Tern Bank remains outstanding and is secured by our plant.",
)


@pytest.fixture(scope="module")
def corvane() -> Reports:
    """A filing with the three statements, and sentences."""
    heads = ("Statements of Operations", "Balance Sheets", "Statements of Cash Flows")
    notes = *(f"Consolidated {each} (in millions)" for each in heads), "Segment information (in millions)"
    paragraphs = *SAID, *notes
    tables = (
        each.model_copy(update={"after": len(SAID) + number})
        for number, each in enumerate((INCOME, BALANCE, CASH, SEGMENTS), start=1)
    )
    document = Document(
        id="corvane",
        company="Corvane Tools, Inc.",
        paragraphs=paragraphs,
        before=len(paragraphs),
        tables=tuple(tables),
    )
    return opened(document)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("were net sales above $850 million in 2024?", "yes"),
        ("did net income exceed $100 million in 2024?", "no"),
        ("did Corvane buy back more than $75 million of stock in 2024?", "yes"),
        ("was there a goodwill impairment in 2023?", "yes"),
        ("did the company pay dividends in 2024?", "yes"),
        ("was the provision for credit losses negative (a benefit) in 2024?", "yes"),
        ("did Corvane generate positive cash from operations in 2024?", "no"),
        ("was Corvane profitable in 2023?", "no"),
        ("did Corvane lose money in 2023?", "yes"),
        ("did Corvane make a profit in 2024?", "yes"),
        ("was the Harbour segment profitable in 2024?", "no"),
        ("did the Harbour segment post a loss in 2024?", "yes"),
        ("did the Rail segment make money in 2024?", "yes"),
        ("did Corvane repurchase less stock in 2024 than in 2023?", "yes"),
        ("were inventories at December 31, 2024 below those at December 31, 2023?", "yes"),
        ("did inventories rise from December 31, 2023 to December 31, 2024?", "no"),
        ("are net sales more than three times inventories in 2024?", "yes"),
        ("in 2024, did net sales exceed cost of sales?", "yes"),
        ("were net sales up in 2024?", "yes"),
        ("were net sales down in 2024?", "no"),
        ("were net sales lower in 2024?", "no"),
        ("were net sales below 2023?", "no"),
        ("net sales up in 2024 - true?", "yes"),
        ("net sales fell in 2024, right?", "no"),
        ("true or false: inventories rose in 2024", "no"),
        ("inventories were lower in 2024 than in 2023, correct?", "yes"),
        ("cost of sales: higher in 2024 than in 2023?", "yes"),
        ("dividends paid - did Corvane increase them in 2024?", "yes"),
        ("dividends paid in 2024 - lower than the year before?", "no"),
        ("is Rail a bigger business than Harbour by operating income in 2024?", "yes"),
        ("is Harbour larger than Rail in terms of operating income?", "no"),
        ("did the Harbour segment swing from a profit to a loss in 2024?", "yes"),
        ("did the Rail segment swing from a loss to a profit in 2024?", "no"),
        ("did the provision for credit losses turn from a charge into a release in 2024?", "yes"),
        ("did the provision for credit losses turn from a release into a charge in 2024?", "no"),
        ("did Corvane turn from a loss in 2023 to a profit in 2024?", "yes"),
    ],
)
def test_a_claim_about_figures_is_told_by_them(corvane: Reports, question: str, told: str) -> None:
    turn = asked(corvane, question)
    assert (turn.text or "").split(",")[0] == told
    assert turn.facts_under() and (turn.probability or 0) >= SURE_ENOUGH


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("does Brisk Hardware make up more than 10% of net sales?", f"Yes: {SAID[2]}"),
        ("does Brisk Hardware make up more than 15% of net sales?", f"No: {SAID[2]}"),
        ("did any single distributor account for more than 20% of net sales in 2024?", f"No: {SAID[3]}"),
        ("were more than 400 complaints over saws pending against the company at the end of 2024?", f"Yes: {SAID[4]}"),
        ("does the company operate in more than one operating segment?", f"No: {SAID[1]}"),
        ("does Corvane have material contingent obligations to suppliers?", f"No: {SAID[5]}"),
        ("did Corvane agree to sell Quarry Lamps?", f"Yes: {SAID[6]}"),
        ("is the loan from Tern Bank still outstanding?", f"Yes: {SAID[7]}"),
    ],
)
def test_a_claim_that_a_sentence_decides_is_told_by_it(corvane: Reports, question: str, told: str) -> None:
    turn = asked(corvane, question)
    if turn.text != told:
        assert result(turn)["value"] == told[: told.index(":")].lower()
    assert (turn.probability or 0) < CERTAIN or turn.facts_under()


@pytest.mark.parametrize(
    "question",
    [
        "did inventories fall from June 2023 to June 2024?",
        "did cash decline from March 2023 to March 2024?",
        "were inventories lower in June 2024 than in June 2023?",
    ],
)
def test_balances_of_other_days_than_a_question_names_say_no_more_than_a_guess(corvane: Reports, question: str) -> None:
    turn = asked(corvane, question)
    assert turn.clarification is not None or (turn.probability or 0) < SURE_ENOUGH


@pytest.mark.parametrize(
    "question",
    ["did Corvane make or lose money in 2024, how much was net income?", "did it make a profit or a loss in 2024?"],
)
def test_what_asks_for_more_than_yes_or_no_is_no_claim(question: str) -> None:
    assert not [*in_claims(question)]


@pytest.mark.parametrize(
    ("question", "is_less"),
    [
        ("did Arle narrow its loss in 2024?", False),
        ("did Arle's loss widen in 2024?", True),
        ("has the loss of Arle shrunk in 2024?", False),
        ("did Arle lose more in 2024 than in the prior year?", True),
    ],
)
def test_a_loss_that_is_less_is_a_profit_that_is_more(question: str, is_less: bool) -> None:
    sides = "what was profit of arle in 2024", "what was profit of arle in 2023"
    assert (sides, is_less) in [(tuple(map(str.lower, each.sides)), each.is_less) for each in in_claims(question)]


def test_a_unit_that_costs_more_than_it_brings_in_is_known() -> None:
    claim = next(in_claims("did the ferry cost Velm more to run than it brought in?"))
    assert (claim.sides, claim.is_less) == (
        ("what was cost of revenue of the ferry", "what was revenue of the ferry"),
        False,
    )


@pytest.mark.parametrize("question", ["did Corvane sue a rival in 2024?", "has Corvane leased a harbour?"])
def test_a_figure_alone_says_neither_yes_nor_no(corvane: Reports, question: str) -> None:
    turn = asked(corvane, question)
    assert turn.clarification is not None or (turn.probability or 0) < SURE_ENOUGH


@pytest.mark.parametrize(
    ("question", "sides", "than", "is_less"),
    [
        ("is cash below $5 million?", ["what was cash"], "5", True),
        (
            "did Orle spend less on wood in 2024 than in 2023?",
            ["how much did orle spend on wood in 2024", "how much did orle spend on wood in 2023"],
            "",
            True,
        ),
        (
            "was net income in q2 2024 higher than in q2 2023?",
            ["what was net income in q2 2024", "what was net income in q2 2023"],
            "",
            False,
        ),
        (
            "did the group sell more stock in the first half of 2024 than in the same period of 2023?",
            [
                "how much stock did the group sell in the first half of 2024",
                "how much stock did the group sell in the first half of 2023",
            ],
            "",
            False,
        ),
        ("is debt more than twice equity in 2024?", ["debt as a percentage of equity in 2024"], "200%", False),
        ("were there more than 90 claims at year end?", ["how many claims at year end"], "90", False),
    ],
)
def test_a_claim_is_a_question_for_each_of_its_figures(question, sides, than, is_less) -> None:
    claim = next(in_claims(question))
    said = [each.lower() for each in claim.sides]
    assert (said, claim.than, claim.is_less) == (sides, than, is_less)


@pytest.mark.parametrize("question", ["were sales higher than in that quarter?", "what was cash?"])
def test_what_is_held_against_a_time_that_is_not_known_is_no_claim_of_two_figures(question: str) -> None:
    assert not [each for each in in_claims(question) if len(each.sides) > 1]


def test_numbers_in_words_and_no_quarters_are_bounds() -> None:
    assert (bound_in("does it have more than two segments").value, bound_in("less than half of sales").value) == (2, 50)
    assert bound_in("was the rate in q2 2023 lower than in q2 2022?") is None
    assert bound_in("is it the largest?") is None


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("anything drawn on the facility?", "yes or no"),
        ("in 2024, did sales rise?", "yes or no"),
        ("any way to tell how sales went?", "figure"),
    ],
)
def test_what_asks_for_yes_or_no_is_told_by_how_it_begins(question: str, form: str) -> None:
    assert read_question(question).form == form


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("net sales of Corvane - did it raise them in 2024?", "did it raise net sales of corvane in 2024"),
        ("Cash at year end - is it up on 2023?", "did cash at year end rise from 2023"),
        ("it is true that cash fell in 2024?", "did cash fell in 2024"),
        ("what loss did Rail make in 2024?", "how much profit did rail have in 2024"),
        ("sales in 2024: up or down?", "sales in 2024: rise or fall"),
        ("segments: which is larger?", "segments: which is larger"),
        ("net sales in 2024, right?", "net sales in 2024, right"),
    ],
)
def test_what_is_claimed_and_asked_is_put_as_a_question(claim: str, question: str) -> None:
    assert language().written_out(claim.rstrip("?")).lower() == question


def test_two_things_of_which_one_is_called_by_the_company_are_both_told() -> None:
    rows = (
        ("Years ended", *YEARS[1:]),
        ("Net sales", "$ 900", "$ 800"),
        ("Net income attributable to Corvane", "$ 90", "$ 15"),
    )
    heads = "Consolidated Statements of Operations (in millions)", "Corvane Tools makes drills."
    made = Document(
        id="owned", company="Corvane Tools, Inc.", paragraphs=heads, before=2, tables=(Table(rows=rows, after=1),)
    )
    turn = asked(opened(made), "what were net sales and net income attributable to Corvane in 2024?")
    assert turn.text == "Net sales: $900 million; Net income attributable to Corvane: $90 million"


@pytest.mark.parametrize(
    ("question", "told", "is_sure"),
    [
        ("were net sales $850 million in 2024?", "no", True),
        ("was net income $9 million in 2024?", "no", True),
        ("net sales were $1.2 billion in 2024. Is that right?", "no", True),
        ("Is it true that net sales were $850 million in 2024?", "no", True),
        ("were net sales $900 million in 2024?", "$900 million", False),
        ("were net sales about $0.9 billion in 2024?", "$900 million", False),
    ],
)
def test_a_claim_that_a_figure_is_a_number_is_held_against_it(
    corvane: Reports, question: str, told: str, is_sure: bool
) -> None:
    """To the digits of the number: more is printed than is claimed, so the figure is told for a yes."""
    turn = asked(corvane, question)
    assert turn.text == told
    assert (not turn.flags and (turn.probability or 0) >= SURE_ENOUGH) == is_sure
