"""The company that the title of a report names, and the second look at files with decimal commas."""

from __future__ import annotations

import pytest

from tieout.data.readers.html.cover import read_name
from tieout.data.readers.html.report import read_html
from tieout.data.readers.text.delimited import read_delimited
from tieout.kg.proof import cells_text, lost_numbers


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Harbour Ferries plc Annual Report and Accounts 2024", "Harbour Ferries plc"),
        ("Asahi Tools Co., Ltd.", "Asahi Tools Co., Ltd."),
        ("Copper Solar Trust - annual summary", "Copper Solar Trust"),
        ("Nord Wind GmbH", "Nord Wind GmbH"),
        ("Bank of Maine Corporation: first quarter 2024", "Bank of Maine Corporation"),
        ("The Company", ""),
        ("Our Company", ""),
        ("Form 10-K", ""),
        ("Consolidated income statement", ""),
        ("Acme Corp. said that its revenue rose", ""),
    ],
)
def test_the_name_that_a_title_begins_with_is_the_company(title: str, name: str) -> None:
    assert read_name([title, "text"]) == name


def test_a_page_without_tags_knows_its_company_by_its_heading() -> None:
    page = b"<html><body><h1>Harbour Ferries plc</h1><p>Revenue was 5 million pounds in 2024.</p></body></html>"
    assert read_html(page, "r").company == "Harbour Ferries plc"


CSV = b"in Mio. EUR;2023;2024\nUmsatz;1.204,50;1.388,20\nStaff;3.105;3.240\n"


def test_no_number_of_a_file_with_decimal_commas_is_taken_for_lost() -> None:
    document = read_delimited(CSV, "r")
    assert not lost_numbers(cells_text(CSV), document)


def test_a_number_that_is_lost_is_still_told() -> None:
    document = read_delimited(CSV.replace(b"1.388,20", b"1.388,30"), "r")
    assert [number for number, _ in lost_numbers(cells_text(CSV), document)] == ["1,388.20"]
