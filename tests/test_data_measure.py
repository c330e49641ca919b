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
    ],
)
def test_a_unit_of_a_thing_in_a_label_is_that_of_its_row(label: str, unit: str, scale: int) -> None:
    layout = read_table(table(("", "2024", "2023"), ("Sales", "512", "501"), (label, "612", "588")), basis=MONEY)
    assert said(layout) == [("CAD", 1000)] * 2 + [(unit, scale)] * 2


def test_a_unit_in_parentheses_is_no_part_of_the_name() -> None:
    assert read_label("Generation (GWh)").name == "generation"


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
