"""The offline backend over a quarterly report: parts of a year, printed measures, segments, amounts inside labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from filed import ontology
from quarterly import ask_page, ask_report

from tieout.agent.log.turn import Turn
from tieout.agent.memory.backend import RecipeBackend
from tieout.agent.memory.memory import Memory
from tieout.agent.memory.terms import Term, save_term
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Document, Section, Table
from tieout.kg.build import build

Ask = Callable[..., list[Turn]]


def rules(turn: Turn) -> list[str]:
    return [flag.rule for flag in turn.flags]


@pytest.mark.parametrize("ask", [ask_report, ask_page])
def test_in_percent_after_a_change_is_the_rate_of_that_change(ask: Ask) -> None:
    turns = ask("what was operating income in Q1 2025?", "and in Q1 2024?", "what was the change?", "in percent")
    assert [turn.text for turn in turns[:3]] == ["$10.3 million", "$8.7 million", "$1.6 million"]
    assert turns[3].text == "18.4%"


@pytest.mark.parametrize("ask", [ask_report, ask_page])
@pytest.mark.parametrize("question", ["what was net income in 2024?", "what was the net margin in 2024?"])
def test_a_figure_of_a_quarter_is_told_where_a_year_is_asked(ask: Ask, question: str) -> None:
    (turn,) = ask(question)
    assert any("not of the year 2024" in flag.message for flag in turn.flags if flag.rule == "left open")


def test_a_figure_of_a_quarter_is_told_of_no_question_that_names_the_quarter() -> None:
    (turn,) = ask_report("what was net income in Q1 2024?")
    assert (turn.text, turn.flags) == ("$5.6 million", ())


def test_a_quarter_is_of_the_month_that_its_weeks_end_with() -> None:
    head = ("(in millions)", "Three Months Ended July 1, 2023", "Three Months Ended June 25, 2022")
    rows = (head, ("Net sales", "$ 817", "$ 829"), ("Cost of sales", "453", "471"), ("Net income", "$ 198", "$ 194"))
    title = "Condensed Consolidated Statements of Operations"
    page = Document(id="g", coded=False, paragraphs=(title,), before=1, tables=(Table(rows=rows),))
    session = Session(build(page, ontology()), OfflineBackend(), document=page)
    asked = ("what were net sales in the June quarter?", "net sales for the June 2022 quarter")
    ended = "by what percentage did net sales fall in the quarter ended July 1, 2023 from the same quarter of 2022?"
    assert [session.ask(each).text for each in (*asked, ended)] == ["$817 million", "$829 million", "down 1.4%"]


@pytest.mark.parametrize("question", ["what was return on equity?", "what was the inventory turnover?"])
def test_what_flowed_in_a_quarter_over_a_balance_is_not_annualised(question: str) -> None:
    (turn,) = ask_report(question)
    assert turn.outcome == "answer" and "not annualised" in rules(turn)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was EBITDA in Q1 2025?", "$13.6 million"),
        ("what was adjusted EBITDA in Q1 2025?", "$14.5 million"),
        ("what was total debt at December 31, 2024?", "$61.1 million"),
        ("what was Pastry's operating income in Q1 2025?", "-$700,000"),
        ("net sales of Bread in Q1 2024", "$57 million"),
        ("what was the effective interest rate at March 31, 2025?", "5.5%"),
        ("how many employees were there?", "640 employees"),
    ],
)
def test_what_is_printed_is_answered_by_its_name(question: str, answer: str) -> None:
    (turn,) = ask_report(question)
    assert (turn.outcome, turn.text) == ("answer", answer)


def test_an_adjusted_measure_is_not_answered_with_one_under_a_heading_of_that_name() -> None:
    (turn,) = ask_report("what was adjusted net income in Q1 2025?")
    assert turn.outcome == "clarify"


@pytest.mark.parametrize("ask", [ask_report, ask_page])
def test_an_amount_inside_a_label_is_meant_by_the_words_it_is_of(ask: Ask) -> None:
    turns = ask(
        "what was the allowance for receivables at December 31, 2024?",
        "what was accounts receivable at December 31, 2024?",
    )
    assert [turn.text for turn in turns] == ["$395,000", "$29.8 million"]


YEARS = Document(
    id="tarn",
    paragraphs=("Tarn Works Ltd, amounts in thousands of EUR",),
    before=1,
    tables=(
        Table(
            rows=(
                ("", "2024", "2023", "2022"),
                ("Revenue", "5,000", "4,600", "4,900"),
                ("SG&A expenses", "(1,300)", "(1,100)", "(1,150)"),
                ("Capital expenditure", "(240)", "(410)", "(300)"),
                ("EBIT", "620", "540", "600"),
            )
        ),
    ),
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how much did SG&A expenses rise in 2024?", "200,000"),
        ("how much did SG&A expenses rise from 2022 to 2024?", "150,000"),
        ("how much did capital expenditure fall in 2024?", "down 170,000"),
        ("how much did revenue fall in 2023?", "down 300,000"),
        ("increase in SG&A expenses, 2024 over 2023", "200,000"),
        ("how much did EBIT rise in 2024?", "80,000"),
    ],
)
def test_how_much_something_rose_or_fell_is_never_its_level_nor_of_the_wrong_sign(question: str, number: str) -> None:
    turn = Session(build(YEARS, ontology()), OfflineBackend(), document=YEARS).ask(question)
    assert turn.text == number


def test_a_fall_that_was_a_rise_is_told() -> None:
    turn = Session(build(YEARS, ontology()), OfflineBackend(), document=YEARS).ask(
        "how much did SG&A expenses fall in 2024?"
    )
    assert turn.text.startswith("-200,000") and "rose" in " ".join(flag.message for flag in turn.flags)


@pytest.mark.parametrize("ask", [ask_report, ask_page])
def test_a_term_of_the_house_that_names_a_line_is_read_as_that_line(ask: Ask, tmp_path: Path) -> None:
    save_term(tmp_path, Term(label="topline", meaning="net sales"))
    save_term(tmp_path, Term(label="magic", meaning="what is left of sales when all is paid"))
    memory = Memory(tmp_path)
    assert memory.plain_words("what was topline in Q1 2025?") == "what was net sales in Q1 2025?"
    assert memory.plain_words("what was magic?") == "what was magic?"
    (turn,) = ask("what was topline in Q1 2025?", backend=RecipeBackend(None, memory, OfflineBackend()))
    assert turn.text == "$90.4 million"


@pytest.mark.parametrize("ask", [ask_report, ask_page])
@pytest.mark.parametrize("when", ["in 2024", "in Q1 2024"])
def test_a_dash_is_nil_and_not_the_figure_of_another_year(ask: Ask, when: str) -> None:
    (turn,) = ask(f"what were restructuring charges {when}?")
    assert turn.clarification is not None
    assert "'Restructuring charges' has no figure for" in turn.clarification.question
    assert "nil" in turn.clarification.question


@pytest.mark.parametrize("ask", [ask_report, ask_page])
def test_what_has_no_word_is_no_question(ask: Ask) -> None:
    (turn,) = ask("???")
    assert turn.clarification is not None and "no word" in turn.clarification.question


def test_a_reply_to_a_question_back_names_what_is_meant_at_the_time_that_was_asked() -> None:
    asked_back, answered = ask_report("what was the wombat EBITDA in Q1 2024?", "adjusted EBITDA")
    assert asked_back.clarification is not None and "'wombat'" in asked_back.clarification.question
    assert answered.text == "$12 million"


def test_words_are_quoted_as_the_question_has_them() -> None:
    (turn,) = ask_report("what were the zinc alpha fees in Q1 2025?")
    assert turn.clarification is not None and "zinc alpha fees" in turn.clarification.question


@pytest.mark.parametrize("ask", [ask_report, ask_page])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("were net sales above $90 million in Q1 2025?", "yes"),
        ("did net sales exceed $1 billion in Q1 2025?", "no"),
        ("was net income below $6 million in Q1 2024?", "yes"),
        ("what was net sales growth in Q1 2025?", "7.5% ($6.3 million)"),
        ("what was the gross margin in Q1 2025?", "32.2%"),
    ],
)
def test_a_number_that_a_question_names_and_growth_in_a_quarter(ask: Ask, question: str, answer: str) -> None:
    (turn,) = ask(question)
    assert turn.text == answer


def test_an_average_over_a_range_is_of_all_its_years() -> None:
    turn = Session(build(YEARS, ontology()), OfflineBackend(), document=YEARS).ask(
        "what was the average EBIT from 2022 to 2024?"
    )
    assert turn.text == "586,667"


def test_a_figure_per_share_that_is_printed_for_the_quarter_is_not_refused() -> None:
    line = ("Net income per share", "$ 0.05", "$ 0.14", "$ 0.02", "$ 0.31")
    document = Document(
        id="lumen",
        paragraphs=("Lumen Corp. (in thousands, except per share amounts)",),
        before=1,
        tables=(
            Table(
                rows=(
                    (
                        "",
                        *(
                            f"{months} Months Ended June 30, {year}"
                            for months in ("Three", "Six")
                            for year in (2025, 2024)
                        ),
                    ),
                    ("Revenue", "92,400", "78,305", "180,338", "152,650"),
                    ("Net income", "2,015", "5,410", "980", "11,730"),
                    line,
                )
            ),
        ),
    )
    turn = Session(build(document, ontology()), OfflineBackend(), document=document).ask(
        "what was net income per share in Q2 2025?"
    )
    assert turn.outcome == "answer" and "0.05" in turn.text


def test_a_change_in_what_is_called_an_average_is_a_change() -> None:
    rows = (
        ("", "2024", "2023", "2022"),
        ("Average price of oil", "62.0", "99.0", "72.0"),
        ("Free cash flow", "5", "9", "7"),
    )
    document = Document(id="crude", paragraphs=("Crude Ltd (in dollars)",), before=1, tables=(Table(rows=rows),))
    graph = build(document, ontology())
    turn = Session(graph, OfflineBackend(), document=document).ask(
        "what was the change in the average price of oil from 2022 to 2024?"
    )
    assert turn.program == "subtract(62, 72)"
    turn = Session(graph, OfflineBackend(), document=document).ask(
        "what was the difference in free cash flow between 2024 and 2023?"
    )
    assert turn.program == "subtract(5, 9)"


WEEKS = Table(
    title="Condensed Statements of Operations ($ in millions)",
    rows=(
        ("", *(f"{n} Months Ended {day}" for n in ("Three", "Nine") for day in ("July 1, 2023", "June 25, 2022"))),
        ("Net sales", "60", "50", "240", "200"),
        ("Operating income", "12", "11", "44", "40"),
        ("Net income", "8", "7", "30", "27"),
    ),
)
HALVES = Table(
    title="Statements of Income ($ in millions)",
    rows=(
        ("", *(f"{n} Months Ended June 30, {year}" for n in ("Three", "Six") for year in (2023, 2022))),
        ("Net sales", "60", "50", "110", "100"),
        ("Net income", "12", "11", "24", "20"),
    ),
)


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        (WEEKS, "operating income for the nine months ended July 1, 2023", "$44 million"),
        (WEEKS, "operating income, nine months ended early July 2023", "$44 million"),
        (WEEKS, "operating income in the nine months to July 2023", "$44 million"),
        (WEEKS, "operating income first 9 months of 2023", "$44 million"),
        (WEEKS, "net income first half of fiscal 2023", "$22 million"),
        (HALVES, "net sales in the first three months of 2023?", "$50 million"),
        (HALVES, "net sales h1 2023 vs h1 2022", "2023: $110 million; 2022: $100 million; up $10 million (10%)"),
        (HALVES, "net sales q2 2023 vs q2 2022, pct", "20%"),
        (HALVES, "net sales h1 2023 up how much on h1 2022", "$10 million"),
        (HALVES, "Q2 23 net sales yoy %", "20%"),
        (HALVES, "net sales growth 2Q23", "20% ($10 million)"),
        (HALVES, "q2 2023 vs q2 2022 net sales % chg", "20%"),
        (HALVES, "net income q2 2023 vs q2 2022, by how much higher", "$1 million"),
        (
            HALVES,
            "How much did net income grow in the first half of 2023 against the same half of the prior year?",
            "20% ($4 million)",
        ),
    ],
)
def test_parts_of_a_year_are_those_of_the_report_and_held_against_each_other(table: Table, question: str, answer: str):
    document = Document(id="tarn", paragraphs=("Tarn Works Ltd",), before=1, tables=(table,))
    turn = Session(build(document, ontology()), OfflineBackend(), document=document).ask(question)
    assert turn.text == answer
    assert {flag.rule for flag in turn.flags} <= {"period follows", "time runs backwards", "not certain"}


HALF = ("", "Three Months Ended June 30, 2025", "Six Months Ended June 30, 2025", "Six Months Ended June 30, 2024")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("kiosk services sales in q2?", "$232 million"), ("kiosk segment profit, q2", "-$143 million")],
)
def test_a_figure_of_another_part_of_a_year_makes_that_of_the_one_asked_for_no_less_sure(
    question: str, answer: str
) -> None:
    lengths = ("Three Months", "Six Months")
    heads = ("(in millions)", *(f"{each} Ended June 30, {year}" for each in lengths for year in (2025, 2024)))
    rows = (
        (
            ("Net sales", "$ 900", "$ 800", "$ 1,800", "$ 1,600"),
            ("Cost of sales", "500", "450", "990", "900"),
            ("Operating income", "197", "150", "417", "310"),
            ("Net income", "$ 150", "$ 110", "$ 320", "$ 240"),
        ),
        (
            ("Revenue:", "", "", "", ""),
            ("Kiosk Services", "$ 232", "$ 57", "$ 350", "$ 213"),
            ("Bread", "668", "743", "1,450", "1,387"),
            ("Operating income (loss):", "", "", "", ""),
            ("Kiosk Services", "(143)", "(134)", "(283)", "(157)"),
            ("Bread", "340", "284", "700", "467"),
        ),
    )
    titles = ("Condensed Consolidated Statements of Income", "Note 2. Segments")
    document = Document(
        form="10-Q",
        id="fern",
        paragraphs=titles,
        before=1,
        tables=tuple(
            Table(rows=(heads, *each), after=at + 1, title=title, section=at)
            for at, (each, title) in enumerate(zip(rows, titles, strict=True))
        ),
        sections=tuple(Section(title=title, level=1, paragraph=at) for at, title in enumerate(titles)),
    )
    turn = Session(build(document, ontology()), OfflineBackend()).ask(question)
    assert (turn.text, rules(turn)) == (answer, [])


@pytest.mark.parametrize("ask", [ask_report, ask_page])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("inventories at Dec 31", "$21.9 million"),
        ("inventories at the end of March", "$22.7 million"),
        ("inventories at march end", "$22.7 million"),
        ("inventories last december", "$21.9 million"),
        ("total assets at year end", "$176.4 million"),
        ("total assets now", "$180.6 million"),
        ("net income, jan-mar", "$6.8 million"),
        ("net income, 3 months to march", "$6.8 million"),
        ("inventories at march 31 and dec 31", "2025: $22.7 million; 2024: $21.9 million"),
        ("total assets now and at year end", "2025-03-31: $180.6 million; 2024-12-31: $176.4 million"),
        ("net sales growth over last year", "7.5% ($6.3 million)"),
        ("net sales this quarter / a year ago", "2025-Q1: $90.4 million; 2024-Q1: $84.1 million"),
        ("by how much did inventories move since the december year end", "$800,000"),
        ("inventory on the BS at march 31", "$22.7 million"),
    ],
)
def test_a_day_without_its_year_is_the_one_that_is_printed(ask: Ask, asked: str, told: str) -> None:
    (turn,) = ask(asked)
    assert (turn.text, turn.flags) == (told, ())


@pytest.mark.parametrize(
    ("talk", "told"),
    [
        (("inventories", "and at dec 31?"), "$21.9 million"),
        (("inventories at march 31, 2025", "dec 31?"), "$21.9 million"),
        (("inventories", "and at the start of the year?"), "$21.9 million"),
        (("inventories", "opening?"), "$21.9 million"),
    ],
)
def test_a_day_that_is_asked_for_next_is_of_its_own_year(talk: tuple[str, ...], told: str) -> None:
    assert ask_report(*talk)[-1].text == told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("bread sales and operating income", "bread sales: $60.1 million; operating income: $11 million"),
        ("Bréad net sales", "$60.1 million"),
        ("bread sales and its share", "$60.1 million; 66.5%"),
    ],
)
def test_what_is_asked_beside_what_a_part_has_is_of_that_part_too(asked: str, told: str) -> None:
    (turn,) = ask_report(asked)
    assert (turn.text, turn.flags) == (told, ())


def test_what_no_part_has_is_of_the_company_and_that_is_told() -> None:
    (turn,) = ask_report("pastry net sales and net income")
    assert turn.text == "pastry net sales: $30.3 million; net income: $6.8 million"
    assert any("'net income' is asked of a part" in flag.message for flag in turn.flags)


def test_a_share_that_is_answered_in_money_is_told() -> None:
    turn = ask_report("net sales", "and inventories share")[-1]
    assert turn.text != "$22.7 million" or any("a share is asked for" in flag.message for flag in turn.flags)


def test_which_one_it_is_has_its_share_beside_it() -> None:
    (turn,) = ask_report("which segment had the largest sales, and its share")
    assert "66.5%" in str(turn.text) and "Bread" in str(turn.text)


def test_how_much_of_a_whole_the_last_answer_is_is_its_share() -> None:
    assert ask_report("inventories", "how much of total assets is it?")[-1].text == "12.6%"


def test_a_day_of_which_nothing_is_printed_is_told() -> None:
    (turn,) = ask_report("inventories at sept 30")
    assert any("'sept 30' is asked for" in flag.message for flag in turn.flags)
