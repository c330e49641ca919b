"""Tables: headers, direction, sections, and what each cell is under, from what is printed alone."""

from __future__ import annotations

import doctest
import json
import time
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.document import Table
from tieout.data.printed.amount import Unit
from tieout.data.printed.label import read_label
from tieout.data.tables.header import spread
from tieout.data.tables.table import Layout, Meaning, Orientation, read_table


def layout(*rows: tuple[str, ...], introduction: str = "") -> Layout:
    return read_table(Table(rows=rows), introduction, coded=True)


def meanings(read: Layout) -> dict[tuple[int, int], Meaning]:
    """The meaning of the first amount of every cell, by row and column."""
    return {(cell.row, cell.column): read.meaning(cell, cell.amounts[0]) for cell in read.cells if cell.amounts}


def periods(read: Layout) -> dict[tuple[int, int], str | None]:
    found = {}
    for cell in read.cells:
        period, _ = read.period(cell)
        found[cell.row, cell.column] = period.key if period else None
    return found


def keys(read: Layout) -> list[str | None]:
    return [column.period.key if column.period else None for column in read.columns]


def test_periods_across_make_every_column_an_instance() -> None:
    read = layout(
        ("( in millions )", "2009", "2008"), ("revenue", "$ 536.7", "$ 501.2"), ("costs", "-26 ( 26 )", "2014")
    )
    assert (read.orientation, read.header_rows, read.corner) == (Orientation.INSTANCES_ACROSS, 1, "( in millions )")
    assert keys(read) == ["2009", "2008"]
    assert [line.label for line in read.rows] == ["revenue", "costs"]
    assert [str(amount.value) for cell in read.cells for amount in cell.amounts] == ["536.7", "501.2", "-26"]


def test_a_column_without_its_mark_has_that_of_the_years_beside_it_under_the_same_title() -> None:
    rows = (
        ("", "financial history 2009", "financial history 2008"),
        ("revenue", "$ 536", "501"),
        ("costs", "$ 26", "20"),
    )
    assert {str(meaning.unit) for meaning in meanings(layout(*rows)).values()} == {"$"}


def test_a_count_alone_in_a_label_says_nothing_of_the_rows_below_it() -> None:
    read = layout(
        ("in millions", "2022", "2021"),
        ("Equity:", "", ""),
        ("Capital", "$ 6", "$ 5"),
        ("Shares outstanding: 549,245,105", "", ""),
        ("Retained earnings", "47", "45"),
    )
    assert [(row.section, row.unit) for row in read.rows] == [("Equity:", None)] * 2


def test_years_down_the_first_column_make_every_row_an_instance() -> None:
    read = layout(("year", "gallons hedged", "price"), ("2017", "12000000", "$ 2.92"), ("2018", "3000000", "2.61"))
    assert read.orientation is Orientation.INSTANCES_DOWN
    assert [line.period.key for line in read.rows if line.period] == ["2017", "2018"]
    assert [column.name for column in read.columns] == ["gallons hedged", "price"]


def test_columns_of_different_measures_are_properties() -> None:
    read = layout(("", "shares", "exercise price"), ("granted", "518", "$ 39"), ("vested", "-159 ( 159 )", "$ 41"))
    assert read.orientation is Orientation.INSTANCES_DOWN


def test_a_first_row_that_is_data_is_no_header() -> None:
    read = layout(("2003", "$ 1150786"), ("2004", "$ 925005"), ("thereafter", "2014"))
    assert (read.header_rows, read.corner, read.orientation) == (0, "", Orientation.INSTANCES_DOWN)
    assert [line.period.key for line in read.rows if line.period] == ["2003", "2004", "thereafter"]
    assert len(read.cells) == 3


def test_a_first_row_without_a_value_is_data_all_the_same() -> None:
    read = layout(("accrual at june 1 2008", "$ 2014"), ("costs", "195.0"), ("accrual at may 31 2009", "$ 149.6"))
    assert read.header_rows == 0
    assert meanings(read)[1, 1].unit == "$"


def test_a_title_run_into_the_first_value_is_taken_apart() -> None:
    read = layout(
        ("2002 first quarter", "high $ 17.84", "low $ 4.11"),
        ("second quarter", "9.17", "3.55"),
        ("third quarter", "4.61", "1.56"),
    )
    assert read.header_rows == 0
    assert [column.label for column in read.columns] == ["high", "low"]
    assert [str(amount.value) for cell in read.cells for amount in cell.amounts][:2] == ["17.84", "4.11"]
    assert [line.period.key for line in read.rows if line.period] == ["2002-Q1", "2002-Q2", "2002-Q3"]


def test_a_second_table_to_the_right_has_its_own_labels() -> None:
    read = layout(
        ("2002 first quarter", "high $ 17.84", "2001 first quarter", "high $ 60.15"),
        ("second quarter", "9.17", "second quarter", "52.25"),
    )
    assert [column.index for column in read.columns] == [1, 3]
    assert periods(read) == {(0, 1): "2002-Q1", (0, 3): "2001-Q1", (1, 1): "2002-Q2", (1, 3): "2001-Q2"}
    read = layout(("place", "mills") * 3, ("Orris", "4", "Tern", "5", "Ulm", "6"), ("Alder", "7", "", "", "Ost", "8"))
    places = {(cell.row, cell.column): read.row(cell.row, cell.column) for cell in read.cells if cell.amounts}
    assert [line.label for line in places.values() if line] == ["Orris", "Tern", "Ulm", "Alder", "Ost"]


def test_a_title_that_lost_its_years_takes_them_from_the_introduction() -> None:
    rows = (
        ("2008", "year ended june 30 2009 2008", "year ended june 30 2009 2008", "year ended june 30 2009"),
        ("net income", "$ 103102", "$ 104222", "$ 104681"),
    )
    read = layout(*rows, introduction="the following table summarizes cash flows : 2009 2008 2007 .")
    assert keys(read) == ["FY2009", "FY2008", "FY2007"]


def test_titles_that_repeat_with_their_date_are_of_the_year_before() -> None:
    read = layout(
        ("quarter", "2016 high", "2016 low", "2016 high", "low"),
        ("first", "$ 30.66", "$ 18.42", "$ 51.30", "$ 37.95"),
        ("fourth ( spin-off on november 1 2016 )", "32.10", "16.75", "33.54", "23.43"),
    )
    assert keys(read) == ["2016", "2016", "2015", "2015"]
    assert periods(read)[1, 3] == "2015-Q1" and periods(read)[2, 1] == "2016-Q4"
    two_groups = layout(("", "bermuda 2010", "bermuda 2009", "bermuda 2010", "2009"), ("capital", "1", "2", "3", "4"))
    assert keys(two_groups) == ["2010", "2009", "2010", "2009"]


def test_a_flattened_header_keeps_title_and_period() -> None:
    read = layout(
        ("( in millions )", "payments due by period ( a ) total", "payments due by period ( a ) 1-3 years"),
        ("leases", "$ 30", "$ 10"),
    )
    assert [(column.name, column.period.key if column.period else None) for column in read.columns] == [
        ("payments due by period total", None),
        ("payments due by period", "1-3 years"),
    ]


def test_a_header_of_two_rows_is_read_as_one() -> None:
    read = layout(("", "2011", "2010"), ("", "( in thousands )", "( in thousands )"), ("receivables", "$ 23", "$ 63"))
    assert read.header_rows == 2
    assert [(column.label, column.scale) for column in read.columns] == [
        ("2011 ( in thousands )", 1000),
        ("2010 ( in thousands )", 1000),
    ]
    read = layout(("", "( a )", "( b )"), ("period", "shares", "average price"), ("october 2012", "6015", "$ 40.51"))
    assert (read.header_rows, read.corner) == (2, "period")


def test_a_table_without_labels_has_values_in_its_first_column() -> None:
    read = layout(("2011", "2010"), ("( in thousands )", "( in thousands )"), ("$ 23596", "$ 63003"))
    assert [(cell.column, str(cell.amounts[0].value)) for cell in read.cells] == [(0, "23596"), (1, "63003")]
    assert keys(read) == ["2011", "2010"]
    assert read.column(0).scale == 1000


def test_years_over_the_last_columns_of_their_groups_are_of_the_whole_groups() -> None:
    heads = [["", "", "2019", "", "2018", "2017"], ["in thousands", "Total", "Change", "Total", "Change", "Total"]]
    assert spread(heads, 1)[0][1:] == ["2019", "2019", "2018", "2018", "2017"]
    others = [["", "", "2019", "", "2018", "2017"], ["in thousands", "Note", "Total", "Share", "Total", "Total"]]
    assert spread(others, 1)[0][1:] == ["", "2019", "2019", "2018", "2017"]


def test_a_header_repeated_in_the_middle_opens_a_section() -> None:
    read = layout(
        ("2008", "high", "low"),
        ("quarter ended march 31", "$ 42.72", "$ 32.10"),
        ("2007", "high", "low"),
        ("quarter ended march 31", "$ 41.31", "$ 36.63"),
    )
    assert read.headings == (2,)
    assert [(line.section, line.period.key if line.period else None) for line in read.rows] == [
        ("2008", "2008-Q1"),
        ("2007", "2007-Q1"),
    ]


def test_a_label_with_nothing_beside_it_opens_a_section_that_a_total_ends() -> None:
    read = layout(
        ("( millions )", "2017"),
        ("identifiable intangible assets", ""),
        ("trademarks", "65.7"),
        ("other technology", "16.1"),
        ("total assets acquired", "473.6"),
        ("goodwill", "511.7"),
    )
    assert read.headings == (1,)
    assert [line.section for line in read.rows] == ["identifiable intangible assets"] * 2 + ["", ""]
    assert [line.is_total for line in read.rows] == [False, False, True, False]


def test_repeated_labels_stay_apart() -> None:
    read = layout(("", "bermuda 2010", "bermuda 2010"), ("capital", "$ 1", "$ 2"), ("capital", "3", "4"))
    assert [line.index for line in read.rows] == [1, 2]
    assert [column.index for column in read.columns] == [1, 2]
    assert [str(cell.amounts[0].value) for cell in read.cells] == ["1", "2", "3", "4"]


def test_amounts_and_dates_and_rates_inside_labels_are_kept() -> None:
    read = layout(("", "2019"), ("senior notes due 2021 5.000% ( 5.000 % )", "$ 300"))
    (line,) = read.rows
    assert [(str(amount.value), amount.unit) for amount in line.amounts] == [
        ("2021", Unit.CALENDAR_YEAR),
        ("5.000", Unit.PERCENT),
    ]
    assert line.period is None


def test_unit_and_scale_say_where_they_are_from() -> None:
    read = layout(
        ("( $ in millions except per share )", "2009", "cards ( thousands )"),
        ("revenue", "$ 536.7", "7"),
        ("costs", "501", "8"),
        ("earnings per share", "$ 1.18", "9"),
        ("tax rate", "27% ( 27 % )", ""),
        ("expected life ( in years )", "5.5", ""),
        ("charge", "$ 2 billion", ""),
    )
    found = meanings(read)
    assert found[1, 1] == Meaning("$", "cell", 10**6, "corner")
    assert found[2, 1] == Meaning("$", "column", 10**6, "corner")
    assert found[3, 1] == Meaning("$/share", "cell", 1, None)
    assert found[4, 1] == Meaning(Unit.PERCENT, "cell", 1, None)
    assert found[5, 1] == Meaning(Unit.YEARS, "row label", 1, None)
    assert found[6, 1] == Meaning("$", "cell", 10**9, "cell")
    assert read_label("sales ( in millions , except per share )").unit is None
    assert (found[1, 2].scale, found[1, 2].scale_from) == (1000, "column header")


def test_the_sentence_before_a_table_states_its_scale() -> None:
    read = layout(("", "2009"), ("revenue", "5"), introduction="as follows ( dollars in thousands ) : year ended .")
    assert meanings(read)[1, 1] == Meaning("$", "sentence", 1000, "sentence")


def test_shares_are_scaled_by_a_note_on_everything_and_not_by_one_on_dollars() -> None:
    rows = (("", "2009"), ("number of shares", "5"))
    everything = layout(*rows, introduction="as follows ( in thousands ) :")
    dollars = layout(*rows, introduction="as follows ( $ in thousands ) :")
    assert meanings(everything)[1, 1] == Meaning(Unit.SHARES, "row label", 1000, "sentence")
    assert meanings(dollars)[1, 1] == Meaning(Unit.SHARES, "row label", 1, None)


def test_a_value_with_no_stated_unit_says_so() -> None:
    read = layout(("", "2009", "2008"), ("customer satisfaction index", "88", "83"))
    assert meanings(read)[1, 1] == Meaning(None, None, 1, None)


def test_what_a_note_on_the_scale_leaves_out_by_name_is_in_full() -> None:
    note = "(in thousands, except monthly fee per guest, rooms per floor and percentages)"
    rows = (("Average monthly fee per paying guest", "$ 8.12"), ("Rooms per floor", "31"), ("Fees", "$ 4,310"))
    head = ("", "2024")
    tables = (
        layout((note, "2024"), *rows),
        layout(head, *rows, introduction=f"Results are below . {note}"),
        layout(head, (note, ""), *rows),
    )
    for each in tables:
        assert [said.scale for said in meanings(each).values()] == [1, 1, 1000]
    note = "In millions of dollars, except closing assets and average loans in billions"
    rows = (("Closing assets", "$ 2.1"), ("Average loans", "1.4"), ("Loan fees", "310"))
    read = layout((note, "2024"), *rows)
    assert [said.scale for said in meanings(read).values()] == [10**9, 10**9, 10**6]
    read = layout(("(in thousands, except employee data)", "2024"), ("Employee benefits", "$ 12"), ("Fees", "$ 4,310"))
    assert [said.scale for said in meanings(read).values()] == [1000, 1000]  # one word names other lines too


def test_a_price_per_share_is_not_scaled_even_where_its_currency_is_not_stated() -> None:
    read = layout(("( in millions )", "2009"), ("earnings per share", "1.18"))
    assert meanings(read)[1, 1] == Meaning(None, None, 1, "row label")


@pytest.mark.parametrize(
    ("label", "cell", "scale", "scale_from"),
    [
        ("price", "$ 52.50", 1, "row label"),
        ("average price", "$ 52", 1, None),
        ("share price", "52", 1, None),
        ("purchase price", "$ 52", 10**6, "corner"),
        ("price adjustments", "$ 52", 10**6, "corner"),
    ],
)
def test_a_price_that_does_not_say_of_what_is_not_on_the_scale_of_the_table(label, cell, scale, scale_from) -> None:
    meaning = meanings(layout(("($ in millions)", "2009"), ("repurchases", "$ 500"), (label, cell)))[2, 1]
    assert (meaning.scale, meaning.scale_from) == (scale, scale_from)


@pytest.mark.parametrize(
    ("label", "cell", "unit", "scale"),
    [
        ("effective tax rate", "35", None, 1),
        ("gross margin", "35", None, 1),
        ("gross margin", "1350", "$", 1000),
        ("gross margin", "$ 35", "$", 1000),
        ("tax at the statutory rate", "35", "$", 1000),
        ("diluted eps", "$ 1.10", "$/share", 1),
        ("net income used in diluted eps", "$ 1.10", "$", 1000),
    ],
)
def test_a_rate_has_neither_currency_nor_scale_of_its_table(label: str, cell: str, unit: str, scale: int) -> None:
    meaning = meanings(layout(("( in thousands )", "2009"), ("sales", "$ 500"), (label, cell)))[2, 1]
    assert (meaning.unit, meaning.scale) == (unit, scale)


def test_a_percent_at_head_and_total_holds_for_the_column() -> None:
    read = layout(("", "2018"), ("debt", "82% ( 82 % )"), ("equity", "18"), ("total", "100% ( 100 % )"))
    assert meanings(read)[2, 1] == Meaning(Unit.PERCENT, "column", 1, None)


def test_a_rate_beside_the_years_that_it_is_of_is_no_header() -> None:
    read = layout(("discount rate", "11.2% - 27.2% 2024 - 2027", "17.3% 2025"), ("other rate", "3.9% - 5.5%", "4.1%"))
    assert read.header_rows == 0


def test_a_date_without_a_year_is_placed_in_that_of_its_column() -> None:
    read = layout(("", "2010", "2009"), ("balance at january 1", "$ 9", "$ 7"), ("change", "1", "2"))
    assert periods(read) == {(1, 1): "2010-01-01", (1, 2): "2009-01-01", (2, 1): "2010", (2, 2): "2009"}


def test_ragged_and_empty_tables_are_read() -> None:
    assert layout().cells == ()
    assert layout(()).labels == ()
    assert layout(("",)).rows[:1] in ((), layout(("",)).rows)
    read = layout(("", "2009"), ("revenue",), ("costs", "1", "2"))
    assert [(cell.row, cell.column) for cell in read.cells] == [(2, 1), (2, 2)]
    assert read.column(2).label == ""


texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["", "2009", "2014", "$ 5", "-26 ( 26 )", "27% ( 27 % )", "total", "( in millions )", "high $ 5", "q1"]
    ),
)


@given(st.lists(st.lists(texts, max_size=5).map(tuple), max_size=6).map(tuple), st.text(max_size=40))
def test_every_cell_of_any_table_is_a_value_or_a_label_once(rows: tuple[tuple[str, ...], ...], said: str) -> None:
    read = read_table(Table(rows=rows), said)
    places = sorted((cell.row, cell.column) for cell in (*read.cells, *read.labels))
    assert places == [(row, column) for row, texts in enumerate(rows) for column in range(len(texts))]
    for cell in read.cells:
        read.period(cell)
        assert all(read.meaning(cell, amount).scale >= 1 for amount in cell.amounts)
        assert all(0 <= amount.start < amount.end <= len(cell.text) for amount in cell.amounts)


def test_a_table_of_100_000_cells_is_read_in_seconds() -> None:
    body = tuple((f"item {row}", *(f"$ {row}.{column}" for column in range(1, 200))) for row in range(1, 500))
    rows = (("", *(f"segment {column}" for column in range(1, 200))), *body)
    start = time.process_time()
    assert len(layout(*rows).cells) == 499 * 199
    assert time.process_time() - start < 5  # what grows with the square takes a quarter of what twice the cells take


def records(shared: Path) -> list[dict[str, object]]:
    names = ("train_100.json", "dev_open.json", "test_inputs.json")
    return [record for name in names for record in json.loads((shared / name).read_text())]


def test_the_real_tables_are_understood(shared: Path) -> None:
    """Not one cell is lost; nearly every amount says its unit, nearly every table its periods."""
    amounts = stated = dated = tables = 0
    for record in records(shared):
        table = Table(rows=tuple(map(tuple, record["table"])))  # type: ignore[arg-type]
        read = read_table(table, " ".join(record["pre_text"][-2:]), coded=True)  # type: ignore[index]
        places = sorted((cell.row, cell.column) for cell in (*read.cells, *read.labels))
        assert places == [(row, column) for row, texts in enumerate(table.rows) for column in range(len(texts))]
        tables += 1
        dated += any(line.period for line in (*read.rows, *read.columns))
        for cell in read.cells:
            for amount in cell.amounts:
                amounts += 1
                stated += read.meaning(cell, amount).unit is not None
    assert tables == 768
    assert dated / tables > 0.9
    assert stated / amounts > 0.85


@pytest.mark.parametrize(
    "name",
    [
        *(f"printed.{name}" for name in ("amount", "label", "note", "periods.period", "spelled", "periods.timespan")),
        "tables.table",
    ],
)
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    result = doctest.testmod(import_module(f"tieout.data.{name}"))
    assert result.attempted and not result.failed


@pytest.mark.parametrize(
    ("introduction", "unit"),
    [("the graph shows the cumulative total shareholder return of $ 100 invested", Unit.INDEX), ("revenue :", "$")],
)
def test_a_table_of_share_performance_is_an_index_and_no_money(introduction, unit):
    rows = (("", "2008", "2009"), ("acme", "$ 100.00", "$ 110.50"), ("peers", "100.00", "104.90"))
    layout = read_table(Table(rows=rows), introduction)
    assert {layout.meaning(cell, cell.amounts[0]).unit for cell in layout.cells if cell.column} == {unit}


def test_a_table_that_does_not_begin_with_100_is_no_index():
    rows = (("", "2008", "2009"), ("share price", "$ 98.00", "$ 110.50"))
    layout = read_table(Table(rows=rows), "stock performance and total return")
    assert {layout.meaning(cell, cell.amounts[0]).unit for cell in layout.cells if cell.column} == {"$"}


def test_dates_printed_as_one_title_over_several_columns_are_each_of_its_column():
    titles = ("", "June 30, 2025 December 31, 2024", "June 30, 2025 December 31, 2024")
    layout = read_table(Table(rows=(titles, ("Inventories", "$ 28", "$ 50"), ("Other", "3", "12"))))
    assert [column.period.key for column in layout.columns] == ["2025-06-30", "2024-12-31"]
    same = ("", "Change 2025 vs. 2024", "Change 2025 vs. 2024")
    layout = read_table(Table(rows=(same, ("Inventories", "$ 28", "5%"), ("Other", "3", "7%"))))
    assert {column.period.key for column in layout.columns} == {"2025 vs 2024"}


def test_a_title_that_is_read_on_below_it_is_of_its_column_alone():
    titles = (("", "Remainder of", "", "", "2028 and", ""), ("", "2025", "2026", "2027", "Thereafter", "Total"))
    layout = read_table(Table(rows=(*titles, ("Leases", "$ 55", "$ 44", "$ 33", "$ 12", "$ 144"))))
    assert [column.label for column in layout.columns] == [
        *("Remainder of 2025", "2026", "2027", "2028 and Thereafter", "Total")
    ]


def test_a_column_of_how_long_something_lasts_is_of_years_beside_money_in_thousands() -> None:
    read = layout(
        ("(in thousands)", "Weighted average useful life", "Gross carrying amount"),
        ("Customer relationships", "3.83", "$ 10,400"),
        ("Order book", "0.83", "6,700"),
    )
    found = meanings(read)
    assert [(found[row, 1].unit, found[row, 1].scale) for row in (1, 2)] == [(Unit.YEARS, 1)] * 2
    assert {(found[row, 2].unit, found[row, 2].scale) for row in (1, 2)} == {("$", 1000)}
