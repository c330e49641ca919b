"""Checks that speak where an answer cannot well be: by question, figures and results alone."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from test_agent_offline_lines import ask
from test_agent_offline_measures import ALL, INCOME

from tieout.agent.answers.checks.sanity import (
    level_for_change,
    more_than_asked,
    not_in_form,
    of_other_time,
    one_alone,
    other_qualifiers,
    unlike_periods,
    unsaid,
)
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation
from tieout.agent.question.read import read_question
from tieout.data.document import Table
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.eval.analyst import make_questions, slip, stated_by
from tieout.kg.fact import Fact, FactKind, made_fact
from tieout.kg.meant import all_for_part, other_than_asked

DAY = date(2024, 1, 1)


def fact(label: str, section: str = "", concept: str = "") -> Fact:
    """A figure of a table, with what a check looks at."""
    told = {"name": "t1r1c1", "value": Decimal(5), "kind": FactKind.TABLE, "context": ""}
    return made_fact({**told, "label": label, "section": section, "concept": concept})


@pytest.mark.parametrize(
    ("question", "figure", "told"),
    [
        ("what was income taxes paid in 2024?", fact("Provision for income taxes"), ["'paid'"]),
        ("what was diluted EPS in 2024?", fact("Basic earnings per share"), ["'diluted'"]),
        ("what was current federal tax in 2024?", fact("State", section="Current:"), ["'federal'", "state"]),
        ("what was revenue in 2024?", fact("Deferred revenue"), ["deferred"]),
        ("what were dividends declared in 2024?", fact("Cash dividends paid"), ["'declared'", "paid"]),
        ("what were dividends declared in 2024?", fact("Dividends declared"), []),
        ("what was income taxes paid in 2024?", fact("Cash paid for income taxes"), []),
        ("what was current federal tax in 2024?", fact("Federal", section="Current:"), []),
        ("what was income taxes paid in 2024?", fact("Taxes", concept="us-gaap:IncomeTaxesPaidNet"), []),
        ("what was net income in 2024?", fact("Net income"), []),
        ("net income of the lamps segment in 2024?", fact("Lamps, operating profit"), ["'net'"]),
        ("net operating income of the lamps segment?", fact("Lamps, operating profit"), []),
        ("profit of the lamps segment in 2024?", fact("Lamps, operating profit"), []),
        ("what was long-term debt in 2024?", fact("Annual long-term debt maturities (excluding leases)"), []),
        ("what was revenue in 2024?", fact("Sales in stores excluding fuel"), ["adjusted"]),
        ("what was expected revenue in 2024?", fact("Revenue"), ["'expected'"]),
        ("what was the projected tax expense in 2024?", fact("Income tax expense"), ["'projected'"]),
        ("what was the expected return on plan assets in 2024?", fact("Expected return on plan assets"), []),
        ("estimated amortization in 2026?", fact("2026", section="Future amortization"), []),
    ],
)
def test_a_figure_that_lacks_a_qualifier_or_has_another_is_told(question: str, figure: Fact, told: list[str]) -> None:
    found = list(other_qualifiers(read_question(question), [figure]))
    assert len(found) == len(told)
    assert all(any(word in text for text in found) for word in told), found


@pytest.mark.parametrize(
    ("question", "label", "is_more"),
    [
        ("what was current timber in 2024?", "Current receivables, timber and contract assets", True),
        ("sales in Borealia in 2024?", "Borealia, Middle Sea and Australis", True),
        ("what was timber, receivables and contracts in 2024?", "Receivables, timber and contract assets", False),
        ("what was cash in 2024?", "Cash and cash equivalents", False),
        ("what was timber in 2024?", "Timber and other", False),
        ("what was timber in 2024?", "Timber, net of allowance for rot and fire", False),
        ("what were dividends declared in 2024?", "Dividends declared ($ 1.20, $ 1.10 and $ 1.00 per share)", False),
    ],
)
def test_a_line_for_several_things_is_more_than_one_of_them(question: str, label: str, *, is_more: bool) -> None:
    for figures in ([fact(label)], [fact(label), fact("Sundries")]):  # looked up, and calculated with another
        assert bool(list(more_than_asked(read_question(question), figures))) is is_more


@pytest.mark.parametrize(
    ("question", "figure", "told"),
    [
        ("how much cash went to dividends in 2024?", fact("Dividends", section="Retained earnings"), "'cash' of"),
        ("how much cash went to dividends in 2024?", fact("Dividends", section="Cash flows"), ""),
        ("what was the cash ratio in 2024?", fact("Current liabilities"), ""),
        ("what was amortized cost of bonds?", fact("Bonds, at fair value (amortized cost $ 80,792)"), "'amortized' is"),
        ("what was amortized cost of bonds?", fact("Bonds, at amortized cost (allowance of $ 12)"), ""),
        ("what were gross emissions of scope 1?", fact("Gross emissions (scope 1)"), ""),
    ],
)
def test_a_word_that_is_said_of_another_amount_or_of_none_is_told(question: str, figure: Fact, told: str) -> None:
    found = list(unsaid(read_question(question), [figure], ()))
    assert len(found) == bool(told) and all(each.startswith(told) for each in found)


@pytest.mark.parametrize(
    ("question", "label", "odd"),
    [
        ("timber long-term + short-term debt at the end of 2023", "Timber", True),
        ("what were loans and deposits in 2024 taken together?", "Loans", True),
        ("what was the aggregate market value in 2024?", "Aggregate market value", False),
        ("what were total loans in 2024?", "Total loans", False),
    ],
)
def test_one_figure_where_several_are_asked_for_together_is_told(question: str, label: str, odd: bool) -> None:
    figure = fact(label)
    assert len(list(one_alone(read_question(question), [figure]))) == odd
    assert not list(one_alone(read_question(question), [figure, figure]))


@pytest.mark.parametrize(
    ("typed", "odd"),
    [
        ("timber debt now and in 2024", True),
        ("timber debt for nine months, both years", True),
        ("and its share?", True),
        ("and timber share?", True),
        ("share of the timber that is pine, 2024", True),
        ("share of profit of associates", False),
        ("debt per share", False),
        ("timber debt now", False),
        ("all of it", False),
    ],
)
def test_one_amount_is_told_where_a_share_or_two_times_are_asked_for(typed: str, odd: bool) -> None:
    period = Period("2024", PeriodKind.SPAN, "2024", 2024, DAY, date(2024, 12, 31))
    figure = fact("Timber").changed(period=period)
    source = FromFact(fact=figure.name, raw="5", label="Timber", place="")
    entry = Entry(name=figure.name, value=Decimal(5), unit="USD", source=source)
    assert len(list(not_in_form(typed, entry, [figure]))) == odd
    assert not list(not_in_form(typed, None, [figure]))  # more than one amount is told


@pytest.mark.parametrize(
    ("question", "label", "done", "odd"),
    [
        ("how did timber sales change in 2024, in $", "Timber", "", True),
        ("how did timber sales change in 2024, in $", "Timber", "subtract", False),
        ("how did timber sales change in 2024, in $", "Change in timber", "", False),
        ("timber sales of Rocket Wood in 2024", "Timber", "", False),
        ("which timber grew fastest in sales in 2024?", "Timber", "", True),
    ],
)
def test_an_amount_is_told_where_it_is_asked_how_it_changed(question: str, label: str, done: str, odd: bool) -> None:
    asked, figure = read_question(question), fact(label).changed(unit="USD")
    source = FromFact(fact=figure.name, raw="5", label=label, place="")
    entry = Entry(name=figure.name, value=Decimal(5), unit="USD", source=source)
    assert len(list(level_for_change(asked, entry, [figure], [done] if done else []))) == odd
    assert len(list(level_for_change(asked, None, [figure], [done] if done else []))) == odd  # beside which one it is


@pytest.mark.parametrize(
    ("question", "heading", "odd"),
    [
        ("biggest merchandise division by sales", "Sales by product", True),
        ("biggest merchandise division by sales", "Sales by division", False),
        ("which country had the most sales", "Sales", False),
    ],
)
def test_parts_that_are_not_called_as_the_question_does_are_told(question: str, heading: str, odd: bool) -> None:
    lines = [fact(label).changed(heading=heading, property="sales") for label in ("A", "B", "C")]
    assert len(list(not_in_form(question, None, lines))) == odd


@pytest.mark.parametrize(
    ("said", "typed", "told"),
    [
        ("what was revenue of timber pulp in 2024", "", "'Pulp' is named too"),
        ("what was revenue of timber in 2024", "and pulp", "'Pulp' is named too"),
        ("what was revenue of timber, not of pulp, in 2024", "", ""),
        ("what was revenue of timber for six months ended june 30", "", ""),
        ("what was revenue of timber in 2024", "", ""),
    ],
)
def test_another_line_that_the_question_calls_by_its_name_is_told(said: str, typed: str, told: str) -> None:
    lines = [
        fact(label).changed(name=f"t1r{at}c1", table=1, row=at, column=1, unit="USD")
        for at, label in enumerate(("Timber", "Pulp", "Six Months Ended", "Total segments"), start=1)
    ]
    found = list(other_than_asked(["revenue"], lines[:1], lines, said, typed))
    assert len(found) == bool(told) and all(each.startswith(told) for each in found)
    both = list(other_than_asked(["revenue"], lines[:2], lines, said, typed))
    assert not both  # it rests on that line too
    assert list(other_than_asked(["revenue"], lines[3:], lines, "revenue of the paper segment"))
    titled = [each.changed(caption="What timber and pulp come to") for each in lines]  # a title names every line
    assert len(list(other_than_asked(["revenue"], titled[:1], titled, said, typed))) == bool(told)


@pytest.mark.parametrize(
    ("typed", "before", "odd"),
    [
        ("how much of it is pulp?", [Decimal(5)], True),
        ("and what portion of that was pulp?", [Decimal(3), Decimal("5.0")], True),
        ("how much of it matures within a year?", [Decimal(5)], True),
        ("how much of it is pulp?", [Decimal(9)], False),
        ("how much of it is there?", [Decimal(5)], False),
        ("how much is it?", [Decimal(5)], False),
    ],
)
def test_all_is_told_to_be_no_part_of_it(typed: str, before: list[Decimal], odd: bool) -> None:
    assert bool(list(all_for_part(typed, Decimal(5), before))) == odd


@pytest.mark.parametrize(("question", "odd"), [("timber to total assets in 2024", True), ("timber in 2024", False)])
def test_one_amount_is_told_to_be_no_ratio(question: str, odd: bool) -> None:
    figure = fact("Timber").changed(unit="USD")
    found = list(other_than_asked(["total_assets"], [figure], [figure], question))
    assert any("a ratio to total assets is asked for" in each for each in found) == odd


@pytest.mark.parametrize(("header", "odd"), [("Year ended 2024", True), ("2024", False)])
def test_a_balance_is_told_to_be_of_a_span_where_its_column_says_one(header: str, odd: bool) -> None:
    period = Period("2024", PeriodKind.SPAN, "2024", 2024, DAY, date(2024, 12, 31))
    figure = fact("Total assets").changed(period=period, header=header, caption="")
    assert len(list(of_other_time(read_question("what were total assets?"), [figure]))) == odd


def test_a_quotient_of_a_quarter_and_of_a_year_is_told_however_its_sides_are_made() -> None:
    def flow(name: str, first: date) -> Fact:
        period = Period("2024", PeriodKind.SPAN, "2024", 2024, first, date(2024, 12, 31))
        return made_fact({"name": name, "value": Decimal(5), "unit": "USD", "period": period, "kind": FactKind.TABLE})

    def made(name: str, *names: str, by: str) -> Entry:
        source = FromOperation(operation=by, operands=names) if by else FromFact(fact=name, raw="5", label="", place="")
        return Entry(name=name, value=Decimal(5), source=source)

    used = [flow(name, first) for name, first in (("q", date(2024, 10, 1)), ("a", DAY), ("b", DAY))]
    q, a, b = (made(each.name, by="") for each in used)
    both, share = made("both", "a", "b", by="add"), made("share", "q", "both", by="divide")
    question = read_question("what was it?")
    way = [(q, ()), (a, ()), (b, ()), (both, (a, b)), (share, (q, both))]
    assert list(unlike_periods(question, way, used)) == ["q and both are of periods of other lengths"]
    assert not list(unlike_periods(question, [*way[:4], (made("c", "a", "both", by="divide"), (a, both))], used))


def test_what_is_right_is_not_said_to_make_no_sense() -> None:
    asked = (
        "what was income taxes paid in 2024?",
        "what was the operating margin in 2024?",
        "what was capex / revenue in 2024?",
    )
    for question in asked:
        assert not [flag for flag in ask(question, *ALL).flags if flag.rule in ("makes no sense", "other qualifier")]


def test_a_part_that_is_greater_than_its_whole_is_told() -> None:
    turn = ask("what was revenue as a percentage of net income in 2024?", *ALL)
    assert [flag.message for flag in turn.flags if flag.rule == "makes no sense"] == [
        "the part is greater than its whole"
    ]


def test_amounts_of_other_scales_are_told_by_a_ratio_of_nearly_nothing() -> None:
    other = Table(
        rows=(("", "2024", "2023"), ("Research and development", "$ 41", "$ 38")),
        title="Expenses, in dollars and not in millions",
    )
    income = INCOME.model_copy(update={"rows": tuple(row for row in INCOME.rows if not row[0].startswith("Research"))})
    turn = ask("what was research and development / revenue in 2024?", income, other)
    assert (
        turn.number is None or abs(turn.number) > Decimal("0.00001") or "makes no sense" in [f.rule for f in turn.flags]
    )


FACTS = [
    {"concept": f"us-gaap:{concept}", "start": f"{year}-01-01" if flows else None, "end": f"{year}-12-31", "dims": [],
     "unit": "USD", "value": value, "shown": value}
    for concept, flows, values in (
        ("Revenues", True, ("800", "750", "700")),
        ("NetIncomeLoss", True, ("80", "70", "66")),
        ("PaymentsToAcquirePropertyPlantAndEquipment", True, ("40", "30", "35")),
        ("Assets", False, ("1000", "900", "850")),
    )
    for year, value in zip((2024, 2023, 2022), values, strict=True)
]  # fmt: skip


def test_questions_are_made_from_tags_with_answers_by_the_formulas_of_metrics() -> None:
    made = {each["question"]: each["gold"] for each in make_questions("ALDER", FACTS)}
    assert Decimal(made["What was net income divided by total assets in fiscal 2024?"]) == Decimal("0.08")
    ratio = made["What was the average of capital expenditures / revenue over the last three years?"]
    assert round(Decimal(ratio), 4) == Decimal("0.0467")
    assert list(make_questions("ALDER", FACTS)) == list(make_questions("ALDER", FACTS))
    assert (
        made[next(each for each in made if "circus" in each or "moon" in each or "zepp" in each or "light" in each)]
        is None
    )


def test_what_tags_state_of_a_year_is_by_line_item() -> None:
    stated = stated_by(FACTS)
    assert list(stated.years) == [2024, 2023, 2022]
    assert stated.amounts["capital_expenditures", 2023] == 30


def test_a_slip_turns_two_letters_of_the_longest_word() -> None:
    assert slip("operating income") == "opearting income" or slip("operating income") == "operaitng income"
    assert slip("eps") is None


def test_questions_from_tags_are_written_by_a_command(tmp_path: Path) -> None:
    import json

    from click.testing import CliRunner

    from tieout.eval.analyst import main

    source = tmp_path / "ALDER.facts.jsonl"
    source.write_text("".join(json.dumps(each) + "\n" for each in FACTS), encoding="utf-8")
    done = CliRunner().invoke(main, [str(source), "-o", str(tmp_path / "out.jsonl")])
    assert done.exit_code == 0 and "questions from 1 files" in done.output
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) > 10


@pytest.mark.parametrize(
    ("said", "odd"),
    [("total lease liabilities", True), ("lease liabilities", True), ("operating lease liabilities", False)],
)
def test_a_sum_of_parts_beside_a_printed_total_that_is_another_amount_is_told(said: str, odd: bool) -> None:
    at = Period(key="2024", label="2024", kind=PeriodKind.DATE, year=2024, end=DAY)
    labels = {
        "Current operating lease liabilities": 2,
        "Noncurrent operating lease liabilities": 3,
        "Total lease liabilities": 9,
    }
    lines = [
        fact(label).changed(value=Decimal(value), row=value, period=at, name=label, unit="USD", table=1)
        for label, value in labels.items()
    ]
    names = ["lease_liabilities", "operating_lease_liabilities_noncurrent", "operating_lease_liabilities_current"]
    assert any("printed too" in each for each in other_than_asked(names, lines[:2], lines, said)) == odd
    same = [*lines[:2], lines[2].changed(value=Decimal(5))]
    assert not [each for each in other_than_asked(names, same[:2], same, said) if "printed too" in each]


@pytest.mark.parametrize(
    ("question", "odd"),
    [
        ("timber sales in the first six months of 2025", True),
        ("timber sales in the first six months of fiscal 2025", False),
        ("timber sales in the second quarter of 2025", False),
        ("timber sales in the first six months of 2024", False),
    ],
)
def test_months_of_a_fiscal_year_that_is_not_called_one_are_told_with_the_day_on_which_they_ended(
    question: str, odd: bool
) -> None:
    period = Period("2024-02/2024-07", PeriodKind.SPAN, "six months", 2025, date(2024, 2, 1), date(2024, 7, 31))
    figure = fact("Timber").changed(period=period)
    assert bool([*of_other_time(read_question(question), [figure])]) is odd


def test_a_number_from_which_on_is_counted_that_no_figure_says_is_told() -> None:
    rates = Table(
        rows=(
            ("", "June 30, 2024", "June 30, 2023"),
            ("90+ day delinquency rate - Card", "0.47 %", "0.38 %"),
            ("60 or more days past due - Auto", "0.81 %", "0.62 %"),
        ),
        title="Delinquency rates",
    )
    for question, is_told in (
        ("30+ day delinquency rate of Card at June 30, 2024?", True),
        ("90+ day delinquency rate of Card at June 30, 2024?", False),
    ):
        flags = [flag for flag in ask(question, rates).flags if "of the question is not said" in flag.message]
        assert bool(flags) is is_told, question
