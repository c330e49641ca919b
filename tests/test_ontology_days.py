"""Days that a question names without their year are those that a report prints."""

from datetime import date

import pytest

from tieout.ontology.asked.days import days_unmet, with_years

YEARS = date(2022, 12, 31), date(2023, 12, 31)
WEEKS = date(2023, 9, 30), date(2024, 9, 28)


@pytest.mark.parametrize(
    ("question", "ends", "full"),
    [
        ("cash at Dec 31", YEARS, "cash at December 31, 2023"),
        ("cash in Dec-31", YEARS, "cash at December 31, 2023"),
        ("cash at Jan 2", YEARS, "cash at December 31, 2023"),  # near enough for a year of 52 weeks
        ("cash at end of March", YEARS, "cash at end of March"),
        ("cash at the end of 2022", YEARS, "cash at the end of 2022"),
        ("cash at end of June", (date(2023, 6, 25), date(2023, 7, 1)), "cash at July 1, 2023"),
        ("cash on June 25", (date(2023, 6, 25), date(2023, 7, 1)), "cash on June 25, 2023"),
        ("cash at Sep 24", (date(2023, 9, 24), *WEEKS), "cash at September 24, 2023"),  # the day comes before the year
        ("cash at Sep 24", WEEKS, "cash at September 28, 2024"),
        ("cash at Sep 23", WEEKS, "cash at September 30, 2023"),
        ("cash at Sep 24", (date(2022, 9, 27), date(2023, 3, 31)), "cash at September 27, 2022"),
    ],
)
def test_a_day_is_the_latest_that_is_printed_of_those_that_it_may_be(question, ends, full) -> None:
    assert with_years(question, ends, None) == full
    assert bool([*days_unmet(question, ends)]) is (full == question and "20" not in question)


def test_the_year_end_before_a_part_of_a_year_is_the_last_day_of_the_year() -> None:
    assert with_years("cash at year end", WEEKS, YEARS[0]) == "cash at December 31, 2022"
    assert with_years("cash since the year end", WEEKS, YEARS[0]) == "cash since the year end"
