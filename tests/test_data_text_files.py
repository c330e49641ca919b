"""CSV and its relatives, Markdown and plain text."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import SHARED
from tieout.data.readers.delimiter import find_delimiter
from tieout.data.readers.kinds import kind_of
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.text.delimited import read_delimited
from tieout.data.readers.text.plain import read_plain

ROWS = (("Category", "Sep. 30, 2023", "Sep. 24, 2022"), ("Net sales", "383,285", "394,328"), ("Taxes", "(5)", "-3"))


def written(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_delimiter_quoting_and_encoding_are_found_out(delimiter, encoding):
    rows = (*ROWS, ("Erlöse", "1", "2"))
    document = read_delimited(written(rows, delimiter).encode(encoding), "x")
    assert document.tables[0].rows == rows


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b, c", 'd "e"', "f;g"]), st.integers(0, 10**6), st.integers(0, 10**6)),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_what_was_written_as_csv_is_read_back(rows, delimiter):
    rows = [tuple(map(str, row)) for row in rows]
    assert read_delimited(written(rows, delimiter).encode(), "x").tables[0].rows == tuple(rows)


def test_numbers_with_a_decimal_comma_are_given_in_english_notation():
    text = "Umsatz;2024;2023\nErlöse;1.234,56;99,10\nKosten;(5,00);7\n"
    (table,) = read_delimited(text.encode("cp1252"), "x").tables
    assert table.rows == (("Umsatz", "2024", "2023"), ("Erlöse", "1,234.56", "99.10"), ("Kosten", "(5.00)", "7"))
    mixed = "a;b;c\nx;1.5;2\ny;1,25;3\n"
    assert read_delimited(mixed.encode(), "x").tables[0].rows[1] == ("x", "1.5", "2")


def test_titles_blank_lines_and_several_tables_of_a_sheet_saved_as_csv():
    text = 'Report\n\nIncome,2024,2023\nRevenue,"1,234",5\n\nBalance,2024,2023\nCash,1,2\n'
    document = read_delimited(text.encode(), "x")
    assert document.paragraphs == ("Report",)
    assert [table.rows[1] for table in document.tables] == [("Revenue", "1,234", "5"), ("Cash", "1", "2")]
    assert [table.place for table in document.tables] == ["A3:C4", "A6:C7"]


def test_prose_with_commas_is_no_table():
    text = "In 2024, revenue rose, as we said, to $ 5 million.\nCosts, on the other hand, fell, as did debt, in 2023.\n"
    assert find_delimiter(text) == ""
    assert kind_of(text.encode()).name == "txt"


def test_a_missing_quote_is_told_in_one_line():
    text = 'a,b\n"x' + "y" * 200_000
    with pytest.raises(UnreadableError, match="break off in line 2"):
        read_delimited(text.encode(), "x")


def test_every_number_of_the_real_csv_files_is_kept():
    folder = SHARED.parent / "reports" / "csv"
    if not folder.is_dir():
        pytest.skip("REAL DATA NOT FOUND: ../shared/data/reports/csv is missing, so this test did not run")
    files = sorted(folder.glob("*.csv"))
    assert len(files) == 5
    for path in files:
        (table,) = read_delimited(path.read_bytes(), path.stem).tables
        with path.open(newline="") as file:
            assert table.rows == tuple(tuple(row) for row in csv.reader(file))


MARKDOWN = """# Annual report

Revenue was **$ 5 million**
in 2024.

Balance
-------

| | 2024 | 2023 |
|:---|---:|---:|
| **Cash** | 1,234 | 99 |
| Debt \\| notes | (5) | — |

- first item 3
- second

a | b
--|--
1 | 2
"""


def test_markdown_has_headings_paragraphs_items_and_tables():
    document = read_plain(MARKDOWN.encode(), "x")
    assert document.paragraphs == (
        "Annual report",
        "Revenue was $ 5 million in 2024.",
        "Balance",
        "- first item 3",
        "- second",
    )
    assert document.places[:3] == ("line 1", "line 3", "line 6")
    assert [(each.title, each.level, each.paragraph) for each in document.sections] == [
        ("Annual report", 1, 0),
        ("Balance", 2, 2),
    ]
    first, second = document.tables
    assert first.rows == (("", "2024", "2023"), ("Cash", "1,234", "99"), ("Debt | notes", "(5)", "—"))
    assert (first.section, first.after, first.place) == (1, 3, "line 9 to line 12")
    assert second.rows == (("a", "b"), ("1", "2"))


STATEMENT = """
<TABLE>
                 Consolidated Statements of Income
                        (in millions)

                                            Year Ended December 31,
                                      ---------------------------------
                                         2024        2023        2022
<S>                                   <C>         <C>         <C>
Revenues:
  Products and
    services......................    $  1,234    $    999    $    888
  Other. . . . . . . . . . . . . .          56         (7)          --
                                      --------    --------    --------
Total revenues....................    $  1,290    $    992    $    888
                                      ========    ========    ========
</TABLE>

The company sold 5 more shops in 2024, and this is
the second line of prose.
"""


def test_tables_set_with_spaces_are_read_by_where_their_words_stand():
    document = read_plain(STATEMENT.encode(), "x")
    (table,) = document.tables
    assert table.rows == (
        ("", *["Year Ended December 31,"] * 3),
        ("", "2024", "2023", "2022"),
        ("Revenues:", "", "", ""),
        ("Products and services", "$ 1,234", "$ 999", "$ 888"),
        ("Other", "56", "(7)", "--"),
        ("Total revenues", "$ 1,290", "$ 992", "$ 888"),
    )
    assert table.place == "line 6 to line 15"
    assert document.paragraphs == (
        "Consolidated Statements of Income (in millions)",
        "The company sold 5 more shops in 2024, and this is the second line of prose.",
    )
    assert kind_of(STATEMENT.encode()).name == "txt"


@pytest.mark.parametrize("between", ["| x | 99 |", "It rose  by 99 " * 30, "wide" + "     99" * 90])
def test_a_line_between_rows_that_is_none_is_not_lost(between):
    text = f"revenue   5   6\ncosts     7   8\n{between}\ntaxes     3   4\nsum       1   2\n"
    document = read_plain(text.encode(), "x")
    assert "99" in str(document.paragraphs) + str([table.rows for table in document.tables])
    assert {*"12345678"} <= {cell for table in document.tables for row in table.rows for cell in row}


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_and_no_digit_is_lost(text):
    try:
        document = read_plain(text.encode("utf-8", "surrogatepass"), "x")
    except UnreadableError:
        assert not any(letter.isascii() and letter.isdigit() for letter in text)
        return
    printed = "".join((*document.paragraphs, *(cell for t in document.tables for row in t.rows for cell in row)))
    assert sorted(c for c in printed if c in "0123456789") == sorted(c for c in text if c in "0123456789")
