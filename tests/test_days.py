"""Days that a text names without their year, as the days that a report prints."""

from __future__ import annotations

from datetime import date

import pytest

from tieout.ontology.asked.days import days_unmet, with_years
from tieout.ontology.asked.when import years_in

ENDS = (date(2024, 3, 30), date(2023, 12, 30), date(2023, 4, 1), date(2022, 12, 31))


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("stores at Dec 31", "stores at December 30, 2023"),
        ("stores at december 31, 2022", "stores at december 31, 2022"),
        ("stores in 2022, dec 31", "stores in 2022, dec 31"),
        ("stores, end of march", "stores, March 30, 2024"),
        ("stores at end dec", "stores at December 30, 2023"),
        ("stores, end of march 24", "stores, March 30, 2024"),
        ("stores last december", "stores December 30, 2023"),
        ("stores at Dec 23", "stores at December 30, 2023"),  # of 2023, where no day of that number is printed
        ("stores at Dec 22", "stores at December 31, 2022"),
        ("stores in dec 22", "stores at December 31, 2022"),
        ("stores at sept 30", "stores at sept 30"),
        ("stores at the year end", "stores at December 30, 2023"),
        ("change in stores since dec 31", "change in stores since dec 31"),
        ("10-K, 5 may stores", "10-K, 5 may stores"),
    ],
)
def test_a_day_without_its_year_is_the_latest_that_is_printed(text: str, full: str) -> None:
    assert with_years(text, ENDS, date(2023, 12, 30)) == full


def test_days_of_which_nothing_is_printed_are_unmet() -> None:
    assert [*days_unmet("stores at sept 30 and dec 31", ENDS)] == ["sept 30"]
    assert not [*days_unmet("stores at sept 30", ())]


def test_the_year_before_another_is_that_one() -> None:
    assert years_in("sales in the year before 2023") == (2022,)
    assert years_in("sales in the year before, and in 2023") == (2023,)
