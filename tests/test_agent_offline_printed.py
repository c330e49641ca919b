"""Figures that are printed as they are asked for, offline: told without doubt in whichever table they are."""

from __future__ import annotations

import pytest
from test_agent_offline_lines import ask

from tieout.data.document import Table
from tieout.ontology.asked.words import leaves_out

INCOME = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Net sales:", "", ""),
        ("Timber", "610", "580"),
        ("Services", "230", "200"),
        ("Total net sales", "840", "780"),
        ("Cost of sales:", "", ""),
        ("Timber", "400", "390"),
        ("Services", "120", "110"),
        ("Total cost of sales", "520", "500"),
        ("Operating income", "190", "170"),
        ("Net income", "120", "110"),
    ),
    title="Consolidated Statements of Income",
)
SEGMENTS = Table(
    rows=(
        ("2024 (dollars in millions)", "Uplands", "Lowlands", "Total"),
        ("Net sales", "500", "340", "840"),
        ("Operating income", "130", "60", "190"),
        ("Identifiable assets", "310", "220", "530"),
    ),
    title="Segments",
)
FEES = Table(
    rows=(("(dollars in millions)", "2024", "2023"), ("Sawmill fees", "41", "38"), ("Interest cost", "6", "5")),
    title="Other items",
)
OTHER_FEES = FEES.model_copy(
    update={
        "rows": (("(dollars in millions)", "2024", "2023"), ("Sawmill fees", "17", "15")),
        "title": "Deferred items",
    }
)
DUE = Table(
    rows=(("(dollars in millions)", "Annual maturities"), ("2025", "30"), ("2026", "44"), ("Thereafter", "36")),
    title="Long-term debt that matures in later years, with what the group has agreed with its banks",
)

YARDS = Table(
    rows=(("", "2024", "2023"), ("Yards", "120", "118"), ("Sales per covered square metre", "$ 604.55", "$ 627.17")),
    title="Selected figures of the yards",
)


def test_a_quotient_that_is_printed_under_its_name_is_not_made_again() -> None:
    turn = ask("sales per covered square metre", INCOME, YARDS)
    assert turn.text is not None and turn.text.startswith("$604.55"), turn


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("operating profit in the lowlands, 2024", "$60 million"),
        ("uplands net sales 2024", "$500 million"),
        ("sawmill fees 2023", "$38 million"),
        ("services revenue 2024", "$230 million"),
        ("services rev 2023", "$200 million"),
        ("growth in services revenue 2024, %", "15%"),
        ("long-term debt maturing in 2026", "$44 million"),
        ("long-term debt falling due in 2025", "$30 million"),
    ],
)
def test_what_is_printed_as_it_is_asked_for_is_told_without_doubt(question: str, answer: str) -> None:
    turn = ask(question, INCOME, SEGMENTS, FEES, DUE)
    assert (turn.text, [flag.rule for flag in turn.flags]) == (answer, []), turn.flags


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("cost of services 2024", "$120 million"),
    ],
)
def test_what_is_printed_under_a_name_that_is_like_it_is_less_sure_than_under_its_own(
    question: str, answer: str
) -> None:
    turn, own = ask(question, INCOME, SEGMENTS, FEES, DUE), ask("sawmill fees 2023", INCOME, SEGMENTS, FEES, DUE)
    assert turn.text == answer
    assert (turn.probability or 1) < (own.probability or 0)


def test_what_two_tables_print_under_the_same_words_stays_in_doubt() -> None:
    turn = ask("sawmill fees 2023", INCOME, FEES, OTHER_FEES)
    assert turn.flags, turn.text


def test_what_else_falls_due_under_the_heading_of_debt_is_no_debt() -> None:
    leases = Table(
        rows=(("(dollars in millions)", "2025", "2026"), ("Lease payments", "3", "4")),
        title="Debt and lease payments due",
    )
    turn = ask("debt maturing in 2026", INCOME, leases)
    assert turn.outcome == "clarify" or turn.flags, turn.text


def test_an_amount_is_not_made_surer_where_a_count_is_asked_for() -> None:
    turn = ask("how many sawmill fees 2023", INCOME, FEES)
    assert turn.outcome == "clarify" or turn.flags, turn.text


def test_a_short_form_that_our_lists_have_is_no_misspelt_word() -> None:
    turn = ask("op income 2024", INCOME)
    assert (turn.text, [flag.rule for flag in turn.flags]) == ("$190 million", [])


@pytest.mark.parametrize("question", ["QRs total assets 2024", "what were QR's total assets in 2024?"])
def test_a_line_of_another_name_is_no_more_than_a_guess_at_a_part(question: str) -> None:
    rows = (("(in millions)", "2024"), ("Total QR shareholders’ equity", "77"), ("Total assets", "900"))
    turn = ask(question, INCOME, Table(rows=rows, title="Balances"))
    assert turn.text != "$77 million" or (turn.probability or 1) < 0.6, turn.flags


@pytest.mark.parametrize(
    ("label", "question", "is_left_out"),
    [
        ("Total timber claims net of storm allowance", "storm allowance of timber claims in 2024", True),
        ("Timber receivables, net of allowances", "timber receivables in 2024", False),
        ("Timber sales less rebates", "rebates", True),
        ("Timber sales less rebates", "timber sales less rebates", False),
        ("Income before taxes", "income before taxes in 2024", False),
        ("Income before taxes", "taxes on income in 2024", True),
    ],
)
def test_a_label_may_leave_out_what_is_asked_for(label: str, question: str, is_left_out: bool) -> None:
    assert leaves_out(label, question) is is_left_out


RATIOS = Table(
    rows=(
        ("", "2024", "2023"),
        ("Operating margin", "23%", "22%"),
        ("Return on equity", "31.4%", "29.9%"),
        ("Net margin", "15.1%", "14.2%"),
    ),
    title="Key figures",
)
BALANCE = Table(
    rows=(
        ("(dollars in millions)", "December 31, 2024", "December 31, 2023"),
        ("Current liabilities", "", ""),
        ("Lease liability", "12", "11"),
        ("Total current liabilities", "90", "85"),
        ("Long-term lease liability", "108", "99"),
        ("Total liabilities", "260", "250"),
        ("Total shareholders' equity", "400", "380"),
        ("Total liabilities and shareholders' equity", "660", "630"),
    ),
    title="Consolidated Balance Sheets",
)
INTEREST = Table(
    rows=(("(dollars in millions)", "2024", "2023"), ("Interest income", "7", "6"), ("Interest expense", "41", "38")),
    title="Net interest",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("return on equity 2024", "31.4%"),  # the report reckons it in its own way
        ("net margin 2024", "15.1%"),
        ("operating margin 2024", "23%"),
    ],
)
def test_a_metric_that_is_printed_is_told_as_printed(question: str, answer: str) -> None:
    assert ask(question, INCOME, BALANCE, RATIOS).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("total lease liabilities 2024", "$120 million"),
        ("lease liabilities 2023", "$110 million"),
        ("current lease liabilities 2024", "$12 million"),
        ("long-term lease liability 2024", "$108 million"),
    ],
)
def test_lease_liabilities_are_those_due_within_a_year_and_later(question: str, answer: str) -> None:
    assert ask(question, INCOME, BALANCE).text == answer


@pytest.mark.parametrize(
    "question", ["interest income in 2024", "interest received in 2024", "interest earned in 2024"]
)
def test_interest_that_is_earned_is_not_the_net_line_of_the_statement(question: str) -> None:
    statement = INCOME.model_copy(
        update={"rows": (*INCOME.rows[:-1], ("Interest, net", "(34)", "(32)"), INCOME.rows[-1])}
    )
    assert ask(question, statement, INTEREST).text == "$7 million"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("commercial paper 2024", "$31 million"),
        ("short-term debt 2024", "$40 million"),
    ],
)
def test_commercial_paper_is_a_part_of_short_term_debt_where_both_are_printed(question: str, answer: str) -> None:
    rows = (("Loans and notes payable", "40", "38"), ("Long-term debt", "200", "190"))
    sheet = BALANCE.model_copy(
        update={"rows": (*BALANCE.rows[:2], rows[0], *BALANCE.rows[2:4], rows[1], *BALANCE.rows[5:])}
    )
    note = INTEREST.model_copy(
        update={"rows": (INTEREST.rows[0], ("Commercial paper", "31", "12")), "title": "Notes payable"}
    )
    assert ask(question, INCOME, sheet, note).text == answer


def test_commercial_paper_that_is_printed_alone_is_the_short_term_debt() -> None:
    rows = (("Commercial paper", "40", "38"), ("Long-term debt", "200", "190"))
    sheet = BALANCE.model_copy(
        update={"rows": (*BALANCE.rows[:2], rows[0], *BALANCE.rows[2:4], rows[1], *BALANCE.rows[5:])}
    )
    assert ask("short-term borrowings 2024", INCOME, sheet).text == "$40 million"


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("", False),
        ("Days sales outstanding at the end of 2024 were {same} compared with 88 at the end of 2023.", False),
        ("Days sales outstanding at the end of 2024 were {other} compared with 88 at the end of 2023.", True),
        ("Days sales outstanding at the end of 2022 were {other}.", False),  # of another year
        ("Days sales outstanding fell by {other} days in 2024.", False),  # of how it moved
    ],
)
def test_a_metric_that_a_sentence_tells_otherwise_says_so(said: str, is_told: bool) -> None:
    plain = ask("days sales outstanding in 2024", INCOME).value
    text = said.format(same=round(plain), other=round(plain) + 4)
    turn = ask("days sales outstanding in 2024", INCOME, said=text)
    flags = [flag.message for flag in turn.flags if "tells it otherwise" in flag.message]
    assert (turn.value, bool(flags)) == (plain, is_told)


@pytest.mark.parametrize(("factor", "is_told"), [(10, False), (11, True)])
def test_a_metric_that_a_sentence_puts_in_its_own_words_says_so(factor: int, is_told: bool) -> None:
    plain = ask("liabilities to equity in 2024", INCOME, BALANCE).value
    times = round(plain * factor / 10, 2)
    text = f"Gearing, measured as total liabilities divided by shareholders' equity, was {times} times in 2024."
    turn = ask("liabilities to equity in 2024", INCOME, BALANCE, said=text)
    assert turn.value == plain
    assert any("tells it otherwise" in flag.message for flag in turn.flags) == is_told
