"""Units of things in labels, headers and titles go before the note on money of their table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tieout.data.document import Table
from tieout.data.printed.label import read_label
from tieout.data.printed.note import Note
from tieout.data.tables.table import Layout, read_table

MONEY = Note("CAD", 1000)


@pytest.fixture(autouse=True)
def as_published() -> Iterator[None]:
    yield


def said(layout: Layout) -> list[tuple[str | None, int]]:
    """Unit and scale of the amounts of a table, in order."""
    meanings = [layout.meaning(cell, amount) for cell in layout.cells for amount in cell.amounts]
    return [(each.unit, each.scale) for each in meanings]


def table(*rows: tuple[str, ...], title: str = "") -> Table:
    return Table(rows=rows, title=title)


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("Generation (GWh)", "GWh", 1),
        ("Capacity, MW", "MW", 1),
        ("Output (thousand tonnes)", "tonnes", 1000),
        ("Production (boe/d)", "boe/d", 1),
        ("Throughput (barrels per day)", "barrels per day", 1),
        ("Network (km)", "km", 1),
        ("Space (million sq ft)", "sq ft", 10**6),
        ("Workforce (employees)", "count", 1),
        ("Customers (thousands of customers)", "count", 1000),
        ("Open accounts ('000)", "count", 1000),
        ("Jets delivered (in units)", "count", 1),
        ("Sales (in thousands of units)", "count", 1000),
        ("Shipments (in wafers)", "count", 1),
        ("Output (MBOED)", "mboed", 1),
        ("Gas sold (MMCFD) (2)", "mmcfd", 1),
        ("Refinery input (kbd)", "kbd", 1),
        ("Fleet use (trips per driver)", "trips per driver", 1),
        ("Hull length (feet)", "feet", 1),
        ("Time to collect (in days)", "days", 1),
        ("Age of the fleet (yrs.)", "years", 1),
        ("Life to maturity (in principal amount years)", "years", 1),
        ("Longer terms (# of months)", "months", 1),
        ("Rate given up (% points)", "percentage points", 1),
    ],
)
def test_a_unit_of_a_thing_in_a_label_is_that_of_its_row(label: str, unit: str, scale: int) -> None:
    layout = read_table(table(("", "2024", "2023"), ("Sales", "512", "501"), (label, "612", "588")), basis=MONEY)
    assert said(layout) == [("CAD", 1000)] * 2 + [(unit, scale)] * 2


def test_a_unit_in_parentheses_is_no_part_of_the_name() -> None:
    assert read_label("Generation (GWh)").name == "generation"


@pytest.mark.parametrize(
    "label",
    [
        "Tax (in other assets)",
        "Stakes (in associates)",
        "Plans (in operations)",
        "Loss (net of hedges)",
        "Paid (cost per ton)",
        "Work (in process)",
        "(in billions except ratios)",
        "Restricted stock (units)",
    ],
)
def test_a_bracket_that_names_no_thing_leaves_the_unit_of_the_table(label: str) -> None:
    layout = read_table(table(("", "2024", "2023"), (label, "612", "588")), basis=MONEY)
    assert "count" not in {unit for unit, _ in said(layout)}


def test_units_without_more_are_on_the_scale_that_the_table_says_of_counts() -> None:
    rows = (
        ("(units and $ in thousands)", "2024", "2023"),
        ("Sales", "$ 512", "$ 501"),
        ("Closings (units)", "6.5", "5.8"),
    )
    assert said(read_table(table(*rows)))[2:] == [("count", 1000)] * 2


@pytest.mark.parametrize(
    ("label", "figures", "scale"),
    [
        ("Traded volumes (billions)", ("$ 2,417.3", "$ 98.4"), 10**9),
        ("Spent by each guest (dollars)", ("$ 21,307", "$ 19,855"), 1),
        ("Reserves of each policy (in actual dollars) (a)", ("$ 21,307", "$ 19,855"), 1),
    ],
)
def test_the_scale_in_the_label_of_a_row_goes_before_that_of_its_table(
    label: str, figures: tuple[str, str], scale: int
) -> None:
    rows = (("(in millions)", "2024", "2023"), ("Sales", "$ 512", "$ 501"), (label, *figures))
    assert said(read_table(table(*rows)))[2:] == [("$", scale)] * 2


def test_rows_that_add_up_to_the_one_above_are_on_the_scale_of_its_label() -> None:
    rows = (
        ("(in millions)", "2024", "2023", "Change"),
        ("Traded volumes (billions)", "$ 2,417.3", "$ 1,098.4", "120%"),
        ("Own volumes", "2,400.0", "1,000.0", "140"),
        ("Volumes of others", "17.3", "98.4", "(82)"),
        ("Sales", "512", "501", "2"),
    )
    scales = [scale for unit, scale in said(read_table(table(*rows))) if unit == "$"]
    assert scales == [10**9] * 6 + [10**6] * 2


@pytest.mark.parametrize("heading", ["EPS (diluted US cents)", "Earnings, cents per share", "Diluted EPS - cents"])
def test_cents_in_a_label_or_header_are_those_of_a_share(heading: str) -> None:
    by_row = table(("($ million)", "2024", "2023"), ("Sales", "$ 512", "$ 501"), (heading, "61.5", "58.2"))
    assert said(read_table(by_row))[2:] == [("cents/share", 1)] * 2
    by_column = table(("($ million)", "Sales", heading), ("As published", "512", "61.5"), ("Closed mills", "13", "4.1"))
    assert [unit for unit, _ in said(read_table(by_column))][1::2] == ["cents/share"] * 2


def test_pence_over_a_column_are_the_unit_of_what_is_below() -> None:
    rows = (
        ("", "2024 pence", "2023 pence"),
        ("Basic earnings per share", "12.3", "11.9"),
        ("Interim dividend", "4", "3"),
    )
    assert said(read_table(table(*rows), basis=MONEY)) == [("pence/share", 1)] * 2 + [("pence", 1)] * 2
    rows = (("", "2024", "2023"), ("Sales", "512", "501"), ("Interim dividend (pence)", "4.1", "3.9"))
    assert said(read_table(table(*rows), basis=MONEY))[2:] == [("pence", 1)] * 2


def test_the_numbers_of_a_cover_page_name_its_filer_and_are_no_amounts() -> None:
    rows = (
        ("(Exact name of registrant as specified in its charter)", ""),
        ("Nevada", "21-0417736"),
        ("(State of incorporation)", "(I.R.S. Employer Identification No.)"),
        ("4711 Mill Road, Elko, Nevada", "89801"),
        ("(Address of principal executive offices)", "(Zip Code)"),
        ("Registrant's telephone number, including area code 775-412-3399", ""),
        ("Common stock outstanding at January 31", "71,904,112"),
    )
    layout = read_table(table(*rows), basis=Note("USD", 10**6))
    units = [each.unit for cell in (*layout.cells, *layout.labels) for each in cell.amounts]
    assert [each for each in units if each != "reference"] == [None, "date part"]  # the shares, January 31
    plants = table(("Plant", "Zip code", "Workers"), ("Elko", "89801", "412"), ("Reno", "89501", "388"))
    crew = table(("Name", "Age"), ("Ida Moss, Principal Executive Officer", "41"), ("Bo Lind", "38"))
    for other in (plants, crew):
        assert "reference" not in [each.unit for cell in read_table(other).cells for each in cell.amounts]


@pytest.mark.parametrize("label", ["Sales (stores)", "Price ($/MWh)", "Billings, MT", "Costs per barrel ($)"])
def test_what_is_money_keeps_its_currency(label: str) -> None:
    layout = read_table(table(("", "2024", "2023"), (label, "612", "588")), basis=MONEY)
    assert {unit for unit, _ in said(layout)} <= {"CAD", "$", "CAD/MWh"}


def test_a_unit_in_a_header_a_title_or_a_subheading_holds_for_what_is_below() -> None:
    rows = (("Province", "2024", "2023"), ("Ontario", "301", "296"))
    assert said(read_table(table(*rows), "Generation by province (GWh)", MONEY)) == [("GWh", 1)] * 2
    assert said(read_table(table(*rows, title="Generation (GWh)"), "", MONEY)) == [("GWh", 1)] * 2
    headed = table(("", "Revenue", "Volume (GWh)"), ("Ontario", "301", "296"))
    assert said(read_table(headed, "", MONEY)) == [("CAD", 1000), ("GWh", 1)]
    below = table(("", "2024", "2023"), ("Generation (GWh)", "", ""), ("Wind", "5", "4"), ("Solar", "3", "2"))
    assert said(read_table(below, "", MONEY)) == [("GWh", 1)] * 4


def test_a_column_of_changes_in_percent_is_not_of_the_unit_of_its_row() -> None:
    rows = (("", "2024", "2023", "% change"), ("Sales", "512", "501", "2"), ("Speed (miles per hour)", "25", "24", "4"))
    assert [unit for unit, _ in said(read_table(table(*rows), basis=MONEY))][3:] == ["miles per hour"] * 2 + ["percent"]


def test_a_title_does_not_hold_for_amounts_that_are_marked_as_money() -> None:
    rows = table(("", "2024", "2023"), ("Sales", "$ 301", "$ 296"))
    assert said(read_table(rows, "Operating data (GWh)", MONEY)) == [("$", 1000)] * 2


def test_in_percent_at_the_end_of_a_label_is_percent() -> None:
    layout = read_table(table(("in Mio. EUR", "2024", "2023"), ("EBITDA-Marge in %", "33.0", "29.4")))
    assert said(layout)[0] == ("percent", 1)
