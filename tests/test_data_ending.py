"""Periods that more than one label says: lengths above dates, parts of a year, totals of months, ends of quarters."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.printed.amount import read_amounts
from tieout.data.printed.periods.fiscal import find_calendar, resolve
from tieout.data.printed.periods.period import find_periods, read_period
from tieout.data.printed.unit import Unit
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.kg.check import find_loss, find_violations
from tieout.kg.fact import measures


@pytest.fixture(autouse=True)
def published():
    """A text without codes, as whole reports are."""
    yield


def table_of(*rows: tuple[str, ...]) -> str:
    """A table; `3*x` is a cell over three columns."""
    cells = ("".join(_cell(each) for each in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _cell(text: str) -> str:
    span, star, rest = text.partition("*")
    return f"<td colspan={span}>{rest}</td>" if star and span.isdigit() else f"<td>{text}</td>"


def facts_of(page: str):
    document = read_html(f"<html><body>{page}</body></html>".encode(), "belvoir")
    graph = build(document, tieout.tbox())
    assert not list(find_violations(graph))
    assert not find_loss(document, graph.facts()).missing
    return [fact for fact in measures(graph.facts()) if fact.unit is not Unit.MONTHS]


def days_of(page: str) -> list[tuple[str, str | None, str | None]]:
    return [
        (fact.raw, *(str(day) if day else None for day in (fact.period.start, fact.period.end)))
        if fact.period
        else (fact.raw, None, None)
        for fact in facts_of(page)
    ]


@pytest.mark.parametrize(
    ("label", "key", "start", "end"),
    [
        ("Quarter ended 30.06.2024 (Reviewed)", "2024-Q2", "2024-04-01", "2024-06-30"),
        ("Quarter ended Unaudited 31/12/2023", "2023-Q4", "2023-10-01", "2023-12-31"),
        ("Half year ended 30-09-2023", "2023-04/2023-09", "2023-04-01", "2023-09-30"),
        ("Nine months ended 31st December, 2023", "2023-04/2023-12", "2023-04-01", "2023-12-31"),
        ("Year ended 31-Mar-24", "FY2024", "2023-04-01", "2024-03-31"),
        ("30 June 2024 Three months ended", "2024-Q2", "2024-04-01", "2024-06-30"),
        ("As at 31.03.2024", "2024-03-31", "2024-03-31", "2024-03-31"),
        ("31st March, 2024", "2024-03-31", "2024-03-31", "2024-03-31"),
    ],
)
def test_a_length_beside_a_day_makes_it_a_period(label, key, start, end):
    period = read_period(label)
    assert period is not None
    assert (period.key, str(period.start), str(period.end)) == (key, start, end)


@given(st.dates(date(1995, 1, 1), date(2060, 12, 31)), st.sampled_from([".", "/"]), st.integers(2, 24))
def test_months_that_end_on_a_printed_day_end_there(last, mark, months):
    if mark == "/" and last.day < 13:
        return  # of 3/4/2024 the order is that of the United States
    period = read_period(f"{months} months ended {last.day:02}{mark}{last.month:02}{mark}{last.year}")
    assert period is not None and period.end == last
    if period.start:
        assert period.start < last and period.start.day == 1


@pytest.mark.parametrize("label", ["Q4 FY24", "Q4FY24", "Q4 FY 2023-24", "fourth quarter of fiscal 2024"])
def test_a_quarter_of_a_fiscal_year_is_that_of_the_report(label):
    (found,) = [each for each, _, _ in find_periods(label)]
    calendar = find_calendar(["for the year ended March 31, 2024"])
    period = resolve(found, calendar)
    assert (str(period.start), str(period.end)) == ("2024-01-01", "2024-03-31")


def test_quarter_and_year_ended_above_the_same_day_are_told_apart():
    page = table_of(
        ("Particulars", "2*Quarter ended", "1*Year ended"),
        ("", "30.06.2024", "31.03.2024", "31.03.2024"),
        ("", "Unaudited", "Audited", "Audited"),
        ("Revenue", "410.5", "388.2", "1,530.7"),
    )
    assert days_of(page) == [
        ("410.5", "2024-04-01", "2024-06-30"),
        ("388.2", "2024-01-01", "2024-03-31"),
        ("1,530.7", "2023-04-01", "2024-03-31"),
    ]


@pytest.mark.parametrize(
    ("corner", "rows"),
    [
        ("Fiscal year ended", ("June 30, 2023", "June 30, 2022")),
        ("Year ended June 30,", ("2023", "2022")),
    ],
)
def test_years_ended_in_the_corner_are_the_length_of_the_days_below(corner, rows):
    page = table_of((corner, "Sales", "Profit"), (rows[0], "9,120", "610"), (rows[1], "8,700", "540"))
    assert days_of(page) == [
        ("9,120", "2022-07-01", "2023-06-30"),
        ("610", "2022-07-01", "2023-06-30"),
        ("8,700", "2021-07-01", "2022-06-30"),
        ("540", "2021-07-01", "2022-06-30"),
    ]


def test_a_forecast_for_half_a_year_is_of_the_half_and_names_what_it_measures():
    page = "<p>Forecast for the fiscal year ending September 30, 2025</p>" + table_of(
        ("", "Sales", "Profit"), ("First half", "5,100", "300"), ("Full year", "10,900", "720")
    )
    found = facts_of(page)
    assert [(fact.raw, fact.label, str(fact.period.start), str(fact.period.end)) for fact in found if fact.period] == [
        ("5,100", "Sales", "2024-10-01", "2025-03-31"),
        ("300", "Profit", "2024-10-01", "2025-03-31"),
        ("10,900", "Sales", "2024-10-01", "2025-09-30"),
        ("720", "Profit", "2024-10-01", "2025-09-30"),
    ]


def test_a_half_of_a_year_that_nothing_says_has_no_days():
    page = table_of(("", "Sales", "Profit"), ("First half", "5,100", "300"), ("Second half", "5,800", "420"))
    assert {found[1:] for found in days_of(page)} == {(None, None)}


def test_the_date_over_columns_of_amounts_and_percents_is_that_of_both():
    page = table_of(
        ("", "2*June 30, 2024", "2*June 30, 2023"),
        ("", "Carrying amount", "% of total", "Carrying amount", "% of total"),
        ("Bonds", "$ 740", "61.2%", "$ 690", "59.9%"),
        ("Shares", "470", "38.8%", "462", "40.1%"),
    )
    assert [end for *_, end in days_of(page)] == ["2024-06-30", "2024-06-30", "2023-06-30", "2023-06-30"] * 2


def test_a_total_of_months_is_of_those_months():
    page = table_of(
        ("", "Apr-24", "May-24", "Jun-24", "Q1 Total", "Jul-24", "Total"),
        ("Sales", "11.50", "12.25", "13.00", "36.75", "9.10", "45.85"),
    )
    assert days_of(page)[3:] == [
        ("36.75", "2024-04-01", "2024-06-30"),
        ("9.10", "2024-07-01", "2024-07-31"),
        ("45.85", "2024-04-01", "2024-07-31"),
    ]


def test_a_total_of_months_that_do_not_follow_on_each_other_is_of_no_time():
    page = table_of(("", "Jan-24", "Feb-24", "Apr-24", "Q1 Total"), ("Sales", "11.50", "12.25", "13.00", "36.75"))
    assert days_of(page)[-1] == ("36.75", None, None)


def test_first_to_fourth_below_the_quarters_of_a_year_are_its_quarters():
    page = "<p>Our fiscal year 2024 ended on June 30, 2024.</p>" + table_of(
        ("", "4*Fiscal 2024 Quarter"), ("", "First", "Second", "Third", "Fourth"), ("Sales", "11", "12", "13", "14")
    )
    assert [found[1:] for found in days_of(page)] == [
        ("2023-07-01", "2023-09-30"),
        ("2023-10-01", "2023-12-31"),
        ("2024-01-01", "2024-03-31"),
        ("2024-04-01", "2024-06-30"),
    ]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("its third quarter of fiscal 2025, which ended December 31, 2024", {2025: date(2025, 3, 31)}),
        ("fiscal 2024 first quarter ended April 30, 2023", {2024: date(2024, 1, 31)}),
        ("fiscal 2024 fourth quarter ended June 29, 2024", {2024: date(2024, 6, 29)}),
        ("the first quarter of fiscal 2025 ended September 28, 2024", {}),
        ("the first six months of fiscal 2025 ended December 31, 2024", {}),
        ("fiscal 2024 ended on June 29, 2024", {2024: date(2024, 6, 29)}),
    ],
)
def test_the_last_day_of_a_quarter_is_not_taken_for_that_of_its_year(text, ends):
    assert find_calendar([text]).ends == ends


def test_years_named_before_the_one_they_end_in_are_so_in_other_years_too():
    assert find_calendar(["fiscal 2024 ended January 31, 2025"]).end_of(2022) == date(2023, 1, 31)


def test_a_release_is_about_the_quarter_that_it_announces():
    page = (
        "<p>Marlowe Ltd today announced results for its third quarter of fiscal 2025, which ended April 30, 2025.</p>"
        "<ul><li>Sales were $81.2 million</li><li>Operating profit was $9.3 million, compared to $8.1 million in the "
        "third quarter of fiscal 2024</li></ul><p>We expect capital expenditures of $4 million.</p>"
    )
    assert days_of(page) == [
        ("$81.2 million", "2025-02-01", "2025-04-30"),
        ("$9.3 million", "2025-02-01", "2025-04-30"),
        ("$8.1 million", "2024-02-01", "2024-04-30"),
        ("$4 million", None, None),
    ]


def test_what_is_compared_in_two_units_is_of_the_period_behind_both():
    page = (
        "<p>Profit in the first quarter of 2024 was $8.5 million, or $0.31 per share, compared with $7.2 million, or "
        "$0.26 per share, in the first quarter of 2023. Losses were $40 million in 2023, versus $55 million, or 7.1 "
        "points, in 2022.</p>"
    )
    assert [end for *_, end in days_of(page)] == [
        "2024-03-31",
        "2024-03-31",
        "2023-03-31",
        "2023-03-31",
        "2023-12-31",
        "2022-12-31",
        "2022-12-31",
    ]


def test_in_which_year_something_is_due_is_part_of_its_label():
    page = (
        "<p>FORM 10-K</p><p>For the fiscal year ended December 31, 2023</p><h3>Maturities</h3>"
        "<p>As of December 31, 2023, principal payments were as follows:</p>"
    ) + table_of(("", "Amount", "Rate"), ("2024", "$ 40", "3.1%"), ("2025", "55", "3.4%"), ("Thereafter", "90", "4.0%"))
    found = [(fact.label, fact.period.key) for fact in facts_of(page) if fact.table and fact.period]
    assert [label.rpartition(", ")[2] for label, _ in found] == ["2024", "2024", "2025", "2025", *["Thereafter"] * 2]


@pytest.mark.parametrize(
    "text",
    [
        "(Figures of less than one million yen are truncated)",
        "Amounts are rounded to the nearest 1 million won.",
        "2. Segment results",
    ],
)
def test_roundings_and_section_numbers_measure_nothing(text):
    assert [amount.unit for amount in read_amounts(text)] == [Unit.REFERENCE]


def test_an_amount_that_is_not_what_figures_are_rounded_to_stays_one():
    (amount,) = read_amounts("Fees of less than one million yen were paid.")
    assert (amount.unit, amount.scale) == ("JPY", 10**6)
