"""Questions over companies and their filings: what is looked up by year, what is made of it, what is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import pytest
from click.testing import CliRunner
from company_filings import ORION as MADE_ORION
from company_filings import write_all
from scripted import ScriptedBackend, answers, says

import tieout
from tieout.agent.answers.chart import chart_of
from tieout.agent.log.events import ToolCalled
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_store_reports
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.kg.companies.program import Step, read_program
from tieout.kg.companies.reasons import reasons_in
from tieout.kg.companies.times import times_in
from tieout.kg.companies.years import YearError, Years, read_years
from tieout.kg.filings.naming import Mention
from tieout.kg.reports.outline import listed_in
from tieout.ontology.asked.against import sides_in
from tieout.ontology.asked.in_turn import companies_of, in_full

LUMEN, ORION = "Lumen Works, Inc.", "Orion Glass Corporation"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reports]:
    folder = tmp_path_factory.mktemp("asked")
    (folder / "reports").mkdir()
    write_all(folder / "reports")
    (folder / "reports" / "orion24.htm").write_text(MADE_ORION.annual(2024), encoding="utf-8")
    done = CliRunner().invoke(tieout.main, ["index", str(folder / "reports"), "--store", str(folder / "store")])
    assert done.exit_code == 0, done.output
    with open_store_reports(folder / "store") as opened:
        assert isinstance(opened.source, Reports)
        yield opened.source


def ask(reports: Reports, *questions: str) -> Turn:
    """The last turn of a conversation without a model."""
    session = Session(reports, OfflineBackend())
    return [session.ask(each) for each in questions][-1]


@pytest.mark.parametrize(
    ("turns", "about"),
    [
        ((("debt of Lumen?", ("Lumen",)), ("and of Orion?", ("Orion",)), ("their debt?", ())), ("Lumen", "Orion")),
        ((("debt of Lumen?", ("Lumen",)), ("and in 2023?", ()), ("their debt?", ())), ("Lumen",)),
        ((("debt of Lumen?", ("Lumen",)), ("and of Orion?", ("Orion",)), ("and in 2023?", ())), ("Orion",)),
        ((("debt of both?", ("Lumen", "Orion")), ("and of Vesper?", ("Vesper",)), ("which one?", ())), ("Vesper",)),
        ((("who has most debt?", ()),), ()),
    ],
)
def test_a_question_is_of_the_last_company_that_was_named_or_of_those_named_one_by_one(turns, about) -> None:
    assert companies_of(turns) == about


def test_who_it_is_and_by_how_much_are_one_answer(reports: Reports) -> None:
    turn = ask(reports, "whose revenue grew faster in 2024, Orion's or Lumen's, and by how many percentage points?")
    assert turn.text.startswith(f"{LUMEN}: 14.3%; {ORION}: 10%; ") and turn.text.endswith(": 4.3 percentage points")
    assert not any("not answered" in flag.message for flag in turn.flags)
    whole = ask(reports, "who grew faster in 2024: Orion or Lumen?")
    assert whole.text == LUMEN and not any("not answered" in flag.message for flag in whole.flags)


def test_talk_holds_the_companies_of_two_questions_against_each_other(reports: Reports) -> None:
    """Not the last of them against its own year before."""
    told = "what was Lumen's revenue in 2024?", "what about Orion?"
    assert ask(reports, *told, "how much bigger is that in percent?").text == "106.3%"
    assert ask(reports, *told, "what is the difference?").text == "$1.7 billion"
    assert ask(reports, *told, "which one has more debt?").text == ORION
    assert ask(reports, *told, "what is the difference between the two?").text == "$1.7 billion"
    assert ask(reports, *told, "by how much do they differ?").text == "$1.7 billion"
    assert ask(reports, *told, "how much more is that?").text == "$1.7 billion"
    assert ask(reports, *told, "which is bigger?").text == ORION
    assert ask(reports, *told, "who made more?", "by how much?").text.endswith("$1.7 billion")
    assert ask(reports, *told, "what's the ratio of the two?", "and the gap?").text == "$1.7 billion"
    average = ask(reports, *told, "what is the average of both?").text
    assert average == ask(reports, "what was the average revenue of Lumen and Orion in 2024?").text
    together = ask(reports, "what was the revenue of Orion and Lumen in 2024?", "what is the difference between them?")
    assert together.text == "$1.7 billion"
    both = ask(reports, *told, "and their net income?", "and the year before?")
    assert both.text.startswith(f"{LUMEN}: $196 million") and f"{ORION}: $420 million" in both.text
    alone = ask(reports, *told, "and its net income?")
    assert alone.text == "$462 million"


@pytest.mark.parametrize(
    ("talk", "in_full"),
    [
        ("Lumen's revenue 2023 > Orion?", "Orion's revenue 2023"),
        ("who earned more in 2024? > by how much?", "which company had more net income in 2024, and by how much?"),
        ("revenue of Lumne 2023 > and Orion?", "Orion's revenue 2023"),
        (
            "net income of Orion 2023 > how much more is that than Lumen's?",
            "how much more was Orion's net income than Lumen's in 2023?",
        ),
        (
            "net margin of Lumen 2023 > Orion > difference in percentage points",
            "what is the difference between Orion's and Lumen's net margin in 2023 in points?",
        ),
        (
            "net income of Lumen in 2024 > Orion > and the difference in percent?",
            "which company had more net income in 2024, Lumen or Orion, and by how many percent?",
        ),
        ("combined cash of Lumen in 2024 > and with Orion?", "combined cash of Lumen and Orion in 2024"),
        ("capex of Lumen in 2024 > Orion > who earned more?", "who had more net income in 2024, Lumen or Orion?"),
        ("revenue of Lumen in 2024 > and the year before? > vs Orion", "revenue of Lumen and Orion in 2023"),
        ("Lumen's revenue > and the year before? > Orion?", "Orion's revenue in 2023"),
        ("operating cash flow of Lumen 2024 > less capex?", "free cash flow of Lumen 2024"),
        (
            "was Orion's net income higher than Lumen's in 2024? > by how much?",
            "who had more net income in 2024, Orion or Lumen, and by how much?",
        ),
        (
            "Lumen and Orion: revenue 2024 > difference in percent > in dollars",
            "who had more revenue in 2024, Lumen or Orion, and by how much?",
        ),
        ("revenue CAGR 2022-2024 for Lumen and Orion > for Orion", "revenue CAGR 2022-2024 for Orion"),
        ("revenue of Lumen in 2024 > Orion > so who's bigger?", "who had the bigger revenue in 2024, Lumen or Orion?"),
        ("Lumen 2024 revenue vs Orion 2024 revenue > and net income?", "net income of Lumen and Orion in 2024"),
        ("Lumen and Orion: revenue 2023 > both in 2022?", "revenue of Lumen and Orion in 2022"),
        ("Lumen and Orion: revenue 2023 > just Orion", "revenue of Orion in 2023"),
        ("Lumen's net income 2023 > margin? > Orion?", "Orion's net income as a percentage of revenue in 2023"),
        ("Lumen's revenue 2023 > and Orion Glas?", "Orion's revenue 2023"),
        ("net income of Lumen in 2023 > ORGL", "net income of Orion in 2023"),
        ("revenue growth of Lumen in 2023? > same for ORGL", "revenue growth of Orion in 2023?"),
        ("revenue of Lumen in 2022 and 2023 > now Orion Glass", "revenue of Orion in 2022 and 2023"),
        ("Lumen: revenue, net income 2023 > Orion: the same", "Orion: revenue, net income 2023"),
        ("compare the net income of Lumen and Orion in 2023 > and 2022?", "net income of Lumen and Orion in 2022"),
        ("rank them by revenue in 2023 > and by net margin? > in 2022?", "rank them by net margin in 2022"),
        ("who has the highest revenue in 2023? > and the lowest?", "who has the lowest revenue in 2023?"),
        (
            "which of them had revenue above $2 billion in 2023? > above 4 billion?",
            "which of them had revenue above $4 billion in 2023?",
        ),
        ("which company had the higher revenue in 2023? > and capex?", "which company had the higher capex in 2023?"),
        (
            "is Orion bigger than Lumen by revenue in 2024? > and by debt?",
            "is Orion bigger than Lumen by debt in 2024?",
        ),
        (
            "which company had the lower capex in 2023? > and relative to revenue?",
            "which company had the lower capex as a percentage of revenue in 2023?",
        ),
        (
            "revenue of Lumen 2023 > Orion? > and Lumen's capex? > what percentage of revenue is that?",
            "Lumen's capex as a percentage of revenue in 2023",
        ),
        (
            "revenue of Lumen in 2024? > and Orion? > who grew faster?",
            "whose revenue grew faster in 2024, Lumen or Orion?",
        ),
        (
            "net margin of Lumen in 2024? > and Orion? > by how many points?",
            "who had the higher net margin in 2024, Lumen or Orion, and by how many points?",
        ),
        (
            "revenue of Lumen in 2024? > and Orion? > how many times as much is that?",
            "how many times Lumen's revenue is Orion's in 2024?",
        ),
        (
            "revenue of Lumen in 2024? > and Orion? > how much lower is Lumen's?",
            "how much lower is Lumen's revenue than Orion's in 2024?",
        ),
        (
            "revenue of Lumen in 2024? > Orion? > and net income? > for both together?",
            "combined net income of Lumen and Orion in 2024",
        ),
        ("debt of Lumen in 2024? > Orion? > debt to equity of each?", "debt to equity of Lumen and Orion in 2024"),
        ("revenue of Lumen and Orion in 2024? > the difference? > and for Lumen?", "Lumen's revenue in 2024"),
    ],
)
def test_talk_of_several_companies_is_answered_as_the_same_in_full(reports: Reports, talk: str, in_full: str) -> None:
    told, whole = ask(reports, *talk.split(" > ")), ask(reports, in_full)
    assert (told.outcome, told.text) == (whole.outcome, whole.text) and told.outcome == "answer"


def test_a_comparison_of_two_goes_on_between_the_same_two() -> None:
    def mentions(text: str) -> list[tuple[str, int, int]]:
        return [(each[0], *each.span()) for each in re.finditer("Lumen|Orion|Vesper", text)]

    asked = "revenue of Vesper in 2024?", "who made more profit in 2024, Lumen or Orion?", "and who had more sales?"
    assert in_full(asked, mentions, read_question)[-1] == "which company had the more sales in 2024: Lumen or Orion?"


def test_talk_tells_by_how_many_percent(reports: Reports) -> None:
    told = "what was Lumen's revenue in 2024?", "Orion?", "by how much?"
    assert ask(reports, *told, "and in percent?").text.endswith("by how many percent: 106.3%")
    assert ask(reports, *told, "who is bigger, and by what percentage?").text.endswith("106.3%")


@pytest.mark.parametrize(
    "question",
    [
        "what was Tallow's revenue in 2024?",
        "Tallow Mills' net income",
        "Tallow's debt",
        "revenue of Tallow in 2024?",
        "what were the total assets of Tallow Mills?",
    ],
)
def test_whose_reports_are_not_open_is_said(reports: Reports, question: str) -> None:
    turn = ask(reports, question)
    assert turn.clarification is not None and "'Tallow" in turn.clarification.question


def test_over_many_reports_no_graph_is_opened(reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ask(reports, "rank by revenue growth in 2023").text
    monkeypatch.setattr("tieout.agent.view.reports.MOST_WITH_TABLES", 1)
    monkeypatch.setattr("tieout.kg.store.bundles.Bundles.graph", None)
    graphs = [report.graph for report in reports.open.values()]
    fresh = Reports(graphs, reports._index)
    assert ask(fresh, "rank by revenue growth in 2023").text == said


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "compare Lumen's and Orion's revenue since 2022",
            f"{LUMEN}: 2022 $1.2 billion, 2023 $1.4 billion, 2024 $1.6 billion; "
            f"{ORION}: 2022 $4 billion, 2023 $3 billion, 2024 $3.3 billion",
        ),
        ("rank by revenue growth in 2023", f"{LUMEN}: 2023 16.7%; {ORION}: 2023 -25%"),
        ("top 1 by net income", f"{ORION}: 2024 $462 million"),
        ("whose revenue fell in 2023?", f"{ORION}: 2023 -$1 billion"),
        ("which companies had revenue above $2 billion in 2024?", f"{ORION}: 2024 $3.3 billion"),
        ("which of these companies had revenue below $2 billion in 2024?", f"{LUMEN}: 2024 $1.6 billion"),
        ("median revenue in 2024", "$2.45 billion"),
        ("combined net income of all companies in 2024", "$686 million"),
        (
            "how did Lumen's long-term debt develop over three years?",
            f"{LUMEN}: 2022 $360 million, 2023 $420 million, 2024 $480 million",
        ),
        ("which company had the highest net income in 2024?", ORION),
        ("which company had the lowest net income in 2024?", LUMEN),
        ("how many companies grew revenue in 2024?", "2"),
        ("how much higher was Orion's revenue than Lumen's in 2024?", "$1.7 billion"),
        ("was Lumen's net income higher than Orion's in 2024?", "no"),
        ("did Orion's revenue fall in 2023?", "yes"),
        ("was Orion's revenue above $3.5 billion in 2024?", "no"),
        ("by how many percent did Lumen's revenue change between 2021 and 2024?", "60%"),
        ("who earned more in 2024, Lumen or Orion?", ORION),
        ("which of the two earned the least in 2024?", LUMEN),
        ("who makes more money?", ORION),
        ("what did Lumen earn in 2024?", "$224 million"),
        ("how much money did Orion make in 2023?", "$420 million"),
        ("did Lumen lose money in 2024?", "no"),
        ("how much of the total revenue of Lumen and Orion was Lumen's in 2024?", "32.7%"),
        ("what was the revenue of Lumen Work in 2024?", "$1.6 billion"),
        ("what was ORGL's net margin in 2024?", "14.00%"),
        ("capital expenditures as a percentage of revenue of Lumen in 2022", "7.00%"),
        ("what was Lumen's average revenue over the last two years?", "$1.5 billion"),
        ("which maker had the higher revenue, Lumen in fiscal 2024 or Orion in fiscal 2022?", ORION),
        (
            "compare revenue of Lumen in fiscal 2024 with Orion's in 2022",
            f"{LUMEN}: 2024 $1.6 billion; {ORION}: 2022 $4 billion",
        ),
        (
            "how much did Lumen's total assets change between December 31, 2023 and December 31, 2024?",
            "$180 million",
        ),
        ("rank by total assets around mid-2024", f"{ORION}: 2024 $2.97 billion"),
        ("which of them made a loss in 2024, and how much?", f"None: nearest is {LUMEN} with $224 million."),
        ("how fast did Lumen's revenue grow from 2021 to 2024 in total?", "60%"),
        ("who grew faster in 2024: Orion or Lumen?", LUMEN),
        ("how many of them earned more than $300 million in 2024?", "1"),
        ("how many times as large is Orion's revenue as Lumen's in 2024?", "2.06"),
        ("what is Lumen's revenue relative to Orion's in 2024?", "0.48"),
        ("did Lumen or Orion have the larger revenue in 2024?", ORION),
        ("annualized revenue growth of Lumen, 2022 to 2024", "15.5%"),
        ("are Orion's capital expenditures a larger share of revenue than Lumen's in 2024?", "no"),
        ("how large was Lumen's revenue compared with Orion's in 2024, as a percentage?", "48.5%"),
        ("was Orion's revenue more than twice Lumen's in 2024?", "yes"),
        ("is Orion's revenue at least three times that of Lumen in 2024?", "no"),
        ("was Lumen's revenue less than half of Orion's in 2024?", "yes"),
        ("what share of the combined revenue of Lumen and Orion was Lumen's in 2024?", "32.7%"),
        ("what percentage of Orion's revenue was Lumen's revenue in 2024?", "48.5%"),
        ("how many percent higher was Orion's revenue than Lumen's in 2024?", "106.3%"),
        ("how many percent less revenue did Lumen have than Orion in 2024?", "51.5%"),
        ("revenue CAGR of Lumen and Orion from 2022 to 2024", f"{LUMEN}: 15.5%; {ORION}: -9.2%"),
        ("total net income of Lumen and Orion in 2024", "$686 million"),
        ("Lumen's capital expenditures and income taxes paid combined in 2024", "$160 million"),
        ("which company's revenue grew the most from 2022 to 2024?", LUMEN),
        ("whose revenue fell from 2022 to 2024?", f"{ORION}: -$700 million"),
        ("whose revenue rose by more than 12% in 2024?", f"{LUMEN}: 2024 14.3%"),
        ("did both Lumen and Orion grow revenue in 2024?", "yes"),
        ("did Lumen's revenue grow faster than Orion's in 2024?", "yes"),
        ("what is the gap between the highest and the lowest revenue of Lumen and Orion in 2024?", "$1.7 billion"),
        (
            "did revenue grow faster at Lumen or at Orion in 2024, and what were the two growth rates?",
            f"{LUMEN}: 14.3%; {ORION}: 10%",
        ),
        (
            "of Lumen (fiscal 2022) and Orion (2024), who had the higher revenue, and what was the gap?",
            f"{ORION}: $3.3 billion; {LUMEN}: $1.2 billion; what was the gap: $2.1 billion",
        ),
        ("how much more revenue did Orion have in 2024 than Lumen in fiscal 2022?", "$2.1 billion"),
        ("Lumen's share of the 2024 revenue of Lumen and Orion together?", "32.7%"),
        ("of Lumen's and Orion's combined revenue in 2024, what percentage is Lumen's?", "32.7%"),
        ("Lumen's fiscal 2022 revenue as % of Orion's 2024 revenue?", "36.4%"),
        ("Lumen's fiscal 2022 revenue as a percentage of its fiscal 2024 revenue?", "75%"),
        ("whose revenue grew less in 2024, Lumen's or Orion's?", ORION),
        (
            "order Orion (2024) and Lumen (2022) by revenue, smallest first",
            f"{LUMEN}: $1.2 billion; {ORION}: $3.3 billion",
        ),
        ("total revenue of Lumen over its three fiscal years 2022 to 2024", "$4.2 billion"),
        ("Lumen revenue growth 2022 to 2024, %?", "33.3%"),
        ("by how many percent did Lumen's and Orion's combined revenue rise in 2024?", "11.4%"),
        ("Lumen's 2024 net margin minus Orion's in points", "0 percentage points"),
        ("how many of Lumen and Orion had revenue above $2 billion in 2024?", "1"),
        (
            "in which year between 2022 and 2024 was Orion's revenue lowest?",
            f"{ORION}: 2023 $3 billion, 2024 $3.3 billion, 2022 $4 billion",
        ),
        ("was Lumen's revenue growth faster in 2023 or in 2024?", f"{LUMEN}: 2023 16.7%, 2024 14.3%"),
        ("by how many points did Lumen's revenue grow more than Orion's in 2024?", "4.3 percentage points"),
        (
            "who had more revenue in 2024, Lumen or Orion, and how many times as much?",
            f"{ORION}: $3.3 billion; {LUMEN}: $1.6 billion; how many times as much: 2.06",
        ),
        ("Lumen revenue: 2024 less 2022", "$400 million"),
        ("if you add Lumen's and Orion's 2024 revenue, how much is it?", "$4.9 billion"),
        ("of the two glass makers Lumen and Orion, which had the larger revenue in 2024?", ORION),
        (
            "which two companies had the highest revenue in 2024?",
            f"{ORION}: 2024 $3.3 billion; {LUMEN}: 2024 $1.6 billion",
        ),
        (
            "how did Lumen's total assets develop from 2022 to 2024?",
            f"{LUMEN}: 2022 $1.08 billion, 2023 $1.26 billion, 2024 $1.44 billion",
        ),
        (
            "do the two Lumen 10-Ks agree on 2022 revenue?",
            f"Yes, revenue is the same in all filings that are open and state it: {LUMEN}, fiscal 2022: $1.2 billion.",
        ),
        (
            "is Lumen's 2023 revenue the same in both filings?",
            f"No: {LUMEN}, revenue of fiscal 2023: $1.4 billion now, before $1.5 billion.",
        ),
    ],
)
def test_a_question_is_answered_for_the_companies_that_it_means(reports: Reports, question: str, answer: str) -> None:
    turn = ask(reports, question)
    assert (turn.outcome, turn.text) == ("answer", answer)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("did Ada have more revenue than Bix and Coe together?", ("A", "BC", "greater", 1)),
        ("is the revenue of Ada and Bix combined larger than Coe's?", ("AB", "C", "greater", 1)),
        ("how much more revenue did Ada have than Bix and Coe combined?", ("A", "BC", "difference", 1)),
        ("what share of the total revenue of Ada, Bix and Coe was Bix's?", ("B", "ABC", "share", 1)),
        ("Ada's revenue as a percentage of Bix's", ("A", "B", "share", 1)),
        ("how many times Ada's revenue was Bix's?", ("B", "A", "ratio", 1)),
        ("was Ada's revenue more than 2.5 times as large as Bix's?", ("A", "B", "times", Decimal("2.5"))),
        ("by what percentage did Ada's revenue exceed Bix's?", ("A", "B", "percent", 1)),
        ("revenue of Ada, Bix and Coe combined", None),
        ("was Ada's revenue higher than Bix's?", None),
        ("did Ada's revenue more than double?", None),
    ],
)
def test_the_sides_of_a_comparison_are_told_apart(text: str, sides: tuple[str, str, str, Decimal | int] | None) -> None:
    mentions = [Mention(each[0][0], *each.span()) for each in re.finditer("Ada|Bix|Coe", text)]
    found = sides_in(text, mentions, is_boolean=text.startswith(("did", "is", "was")))
    assert (found and ("".join(found.one), "".join(found.other), found.way, found.by)) == sides


def test_figures_that_stand_beside_each_other_are_no_answer_to_what_one_makes_of_the_other(reports: Reports) -> None:
    told = ask(reports, "how many times Lumen's net income is Orion's revenue in 2024?")
    assert any("what is to be made of them" in flag.message for flag in told.flags)


def test_what_is_no_sum_of_companies_is_not_added_up(reports: Reports) -> None:
    asked_back = ask(reports, "combined gross margin of Lumen and Orion in 2024").clarification
    assert asked_back is not None and "is no sum" in asked_back.question


def test_of_more_companies_than_a_table_shows_the_highest_are_told_and_no_average_of_a_part(
    reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tieout.agent.offline.companies.answer.MOST_ROWS", 1)
    ranked = ask(reports, "rank by net income in 2024")
    assert ranked.text == f"{ORION}: 2024 $462 million"
    assert any("2 values are kept, of which the 1 highest are shown" in flag.message for flag in ranked.flags)
    assert ask(reports, "which company had the lowest net income in 2024?").text == LUMEN
    assert ask(reports, "median revenue in 2024").outcome == "clarify"


@pytest.mark.parametrize(
    ("year", "begins", "amounts"),
    [(2023, "Yes", ("$1.4 billion now", "before $1.5 billion")), (2022, "No", ("$1.2 b",))],
)
def test_a_restatement_is_told_with_both_values(
    reports: Reports, year: int, begins: str, amounts: tuple[str, ...]
) -> None:
    turn = ask(reports, f"was Lumen's {year} revenue restated?")
    assert turn.text is not None and turn.text.startswith(begins)
    assert all(amount in turn.text for amount in amounts)


def test_an_answer_that_rests_on_a_restated_figure_says_so_with_both_places(reports: Reports) -> None:
    (flag,) = [each.message for each in ask(reports, "what was Lumen's revenue in 2023?").flags]
    assert "1,500 [lumen23:t1r" in flag and "1,400 [lumen24:t1r" in flag
    assert not ask(reports, "what was Lumen's revenue in 2022?").flags


def test_fiscal_years_that_end_elsewhere_in_the_year_are_flagged_once(reports: Reports) -> None:
    turn = ask(reports, "compare Lumen's and Orion's revenue since 2022")
    assert len([flag for flag in turn.flags if flag.rule == "fiscal years apart"]) == 1


def test_a_question_that_asks_on_is_of_the_same_companies_or_the_same_measure(reports: Reports) -> None:
    asked = ("what was Lumen's net income in 2022?", "and Orion's?", "and in 2023?")
    assert [ask(reports, *asked[: number + 1]).text for number in range(3)] == [
        "$168 million",
        "$560 million",
        "$420 million",
    ]


def test_a_company_that_is_not_kept_is_named_beside_the_answer(reports: Reports) -> None:
    turn = ask(reports, "compare Lumen's and Acme's revenue in 2022")
    assert turn.text == f"{LUMEN}: $1.2 billion"
    assert [flag.message for flag in turn.flags] == ["nothing was found of it for Acme"]


def test_what_is_no_measure_of_all_companies_is_not_taken_for_one(reports: Reports) -> None:
    turn = ask(reports, "what was Lumen's revenue in Europe in 2022?")
    assert turn.outcome == "clarify" and turn.clarification is not None
    assert "europe" in turn.clarification.question.lower()


def test_the_parts_of_a_measure_are_not_its_total(reports: Reports) -> None:
    turn = ask(reports, "Lumen's revenue by segment in 2024")
    assert turn.outcome == "clarify" or turn.flags


def test_a_table_of_companies_by_year_is_drawn(reports: Reports) -> None:
    chart = chart_of(ask(reports, "compare Lumen's and Orion's revenue since 2021"))
    assert chart is not None
    assert chart.categories == ("2021", "2022", "2023", "2024")
    assert [series.name for series in chart.series] == [LUMEN, ORION]
    assert chart.series[1].values[0] is None  # Orion's reports begin a year later


def test_every_value_ties_out_to_cells_of_its_own_company(reports: Reports) -> None:
    turn = ask(reports, "compare Lumen's and Orion's free cash flow in 2024")
    for item in turn.items:
        assert item.entry is not None
        facts = turn.ledger.facts_under(item.entry)
        assert len(facts) == 2
        assert all(fact.startswith("lumen" if item.text != turn.items[1].text else "orion") for fact in facts)


def called(reports: Reports, tool: str, **arguments: object) -> dict[str, object]:
    """What a tool says to a model."""
    backend = ScriptedBackend([says((tool, arguments), answers("const_1"))])
    turn = Session(reports, backend).ask("what is asked?")
    output = next(event.output for event in turn.events if isinstance(event, ToolCalled) and event.tool == tool)
    return json.loads(output) if output.startswith("{") else {"error": output}


def test_query_kg_looks_a_measure_up_over_all_filings(reports: Reports) -> None:
    filters = {"company": "Lumen; ORGL", "fiscal_year": "2022-24"}
    told = called(reports, "query_kg", property="gross profit / revenue", filters=filters)
    values = told["values"]
    assert isinstance(values, list)
    assert [(each["company"], each["fiscal_year"]) for each in values] == [
        (name, year) for name in (LUMEN, ORION) for year in (2022, 2023, 2024)
    ]
    assert {each["shown"] for each in values} == {"0.40"}
    assert values[1]["restated"]["before"][0].startswith("lumen23:")


def test_one_value_comes_under_the_name_that_was_wished_for(reports: Reports) -> None:
    filters = {"company": "Lumen", "fiscal_year": "2022"}
    told = called(reports, "query_kg", property="revenue growth", filters=filters, name="grown")
    assert (told["name"], told["shown"]) == ("grown", "20%")


@pytest.mark.parametrize(
    ("filters", "says_what"),
    [
        ({"company": "Acme"}, "no company 'Acme' is kept"),
        ({"company": "Lumen", "fiscal_year": "last spring"}, "names no fiscal years"),
        ({"company": "Lumen", "fiscal_year": "2015"}, "no filing states 'revenue'"),
        ({"company": "Lumen", "fiscal_period": "Q7"}, "no fiscal period 'Q7'"),
        ({"company": "Lumen", "segment": "Europe"}, "'segment' does not go with"),
    ],
)
def test_what_cannot_be_looked_up_is_told_in_a_line(reports: Reports, filters: dict[str, str], says_what: str) -> None:
    assert says_what in str(called(reports, "query_kg", property="revenue", filters=filters)["error"])


def test_companies_are_listed_with_their_filings(reports: Reports) -> None:
    told = called(reports, "list_entities")
    assert told["count"] == 2
    outline = listed_in(reports.card().text)
    assert [each.names[0] for each in outline] == [LUMEN, ORION]
    assert outline[0].filings == ("lumen24", "lumen23", "lumen22")


def test_the_view_begins_with_what_filings_state_of_the_measure(reports: Reports) -> None:
    view = reports.view(read_question("what was Lumen's revenue in 2023?"))
    first = view.text.splitlines()[1]
    assert first.startswith(f"{LUMEN}, revenue: FY 2023 1,400 [lumen24:t1r")
    assert "restated, before 1,500 [lumen23:t1r" in first and "(USD x1,000,000)" in first
    assert {fact.name.partition(":")[0] for fact in view.facts} == {"lumen24", "lumen23"}


@pytest.mark.parametrize(
    ("question", "report"),
    [
        ("what does Lumen say of lamps in 2022?", "lumen22"),
        ("what does Orion Glass say of lamps?", "orion24"),
        ("what did the 10-K of ORGL of 2023 say of lamps?", "orion23"),
    ],
)
def test_the_filing_of_the_company_and_the_year_is_in_view(reports: Reports, question: str, report: str) -> None:
    assert reports.across.reports_for(read_question(question))[0] == report


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("the second half of 2021 against the first half", [(2021, "H2"), (2021, "H1")]),
        ("in fiscal 2020 or in Q3 2022", [(2020, "FY"), (2022, "Q3")]),
        ("the last six months of fiscal 2019", [(2019, "H2")]),
        ("1Q21, 2Q 2022, Q3'23 and FY24", [(2021, "Q1"), (2022, "Q2"), (2023, "Q3"), (2024, "FY")]),
        ("from March 31, 2020 to year-end 2020", [(2020, date(2020, 3, 31)), (2020, "FY")]),
    ],
)
def test_the_times_of_a_question_are_told_apart(text: str, times: list[tuple[int, str | date]]) -> None:
    assert [(each.year, each.day or each.period) for each in times_in(text)] == times


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2023", Years(frozenset({2023}))),
        ("2021-2023", Years(frozenset({2021, 2022, 2023}))),
        ("FY2021, 2023", Years(frozenset({2021, 2023}))),
        ("2021-", Years(since=2021)),
        ("last 5", Years(last=5)),
        ("latest", Years()),
    ],
)
def test_fiscal_years_are_read_as_people_write_them(text: str, years: Years) -> None:
    assert read_years(text) == years
    assert read_years(str(years)) == years


def test_what_names_no_years_is_refused() -> None:
    with pytest.raises(YearError, match="names no fiscal years"):
        read_years("soon")


def test_a_program_is_read_as_a_tree() -> None:
    text = "divide(subtract(a b (1):t1r2c3, x:t1r3c3), 2)"
    names = ["a b (1):t1r2c3", "x:t1r3c3"]
    assert read_program(text, names) == Step("divide", (Step("subtract", tuple(names)), read_program("2", ())))


def test_a_reason_for_a_restatement_is_a_sentence_that_says_so_of_earlier_periods() -> None:
    said = {
        3: "Results of discontinued operations are shown apart.",
        7: "Prior period amounts have been recast to show the business as discontinued operations.",
        9: "Certain prior year amounts have been reclassified.",
    }
    found = tuple(
        reasons_in(
            lambda words: ((number, text) for number, text in said.items() if any(word in text for word in words))
        )
    )
    assert found == (("discontinued operations", 7), ("a reclassification", 9))
