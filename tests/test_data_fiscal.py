"""Fiscal calendars, and periods printed in short: which days they mean, and what stays unknown."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.printed.label import read_label
from tieout.data.printed.periods.fiscal import Calendar, find_calendar, resolve
from tieout.data.printed.periods.period import PeriodKind, read_period
from tieout.data.readers.html.report import read_html
from tieout.kg.drafts.fiscal_years import ReportCalendar

SHORT = {
    "Dec-24": ("2024-12", "2024-12-01", "2024-12-31"),
    "Mar’25": ("2025-03", "2025-03-01", "2025-03-31"),
    "31-Dec-24": ("2024-12-31", "2024-12-31", "2024-12-31"),
    "30/06/2024": ("2024-06-30", "2024-06-30", "2024-06-30"),
    "2025E": ("2025", "2025-01-01", "2025-12-31"),
    "FY2024A": ("FY2024", None, None),
    "H1 2024": ("2024-01/2024-06", "2024-01-01", "2024-06-30"),
    "2H24": ("2024-07/2024-12", "2024-07-01", "2024-12-31"),
    "First half of 2024": ("2024-01/2024-06", "2024-01-01", "2024-06-30"),
    "H2 FY2024": ("FY2024-H2", None, None),
    "LTM": ("LTM", None, None),
    "LTM June 30, 2024": ("2023-07/2024-06", "2023-07-01", "2024-06-30"),
    "YTD 2024": ("2024 YTD", None, None),
    "YTD Sep-24": ("2024-01/2024-09", "2024-01-01", "2024-09-30"),
    "52 weeks ended September 28, 2024": ("FY2024", "2023-10-01", "2024-09-28"),
    "Fifty-three weeks ended February 3, 2024": ("FY2024", "2023-01-29", "2024-02-03"),
    "13 Weeks Ended June 29, 2024": ("2024-Q2", "2024-03-31", "2024-06-29"),
    "Three Months Ended June 28, 2025": ("2025-Q2", None, "2025-06-28"),
    "Three Months Ended 2024": ("2024 3 months", None, None),
    "Nine Months Ended September 30, 2024": ("2024-01/2024-09", "2024-01-01", "2024-09-30"),
    "Year-ended December 31, 2023": ("2023", "2023-01-01", "2023-12-31"),
    "Year Ended January 26, 2025": ("FY2025", None, "2025-01-26"),
    "Month ended June 30, 2024": ("2024-06", "2024-06-01", "2024-06-30"),
    "Week ended May 4, 2024": ("2024-04/2024-05", "2024-04-28", "2024-05-04"),
}


@pytest.mark.parametrize("label", SHORT)
def test_a_period_printed_in_short_has_the_days_that_it_says(label: str) -> None:
    period = read_period(label)
    assert period is not None
    days = tuple(day.isoformat() if day else None for day in (period.start, period.end))
    assert (period.key, *days) == SHORT[label]


def test_a_short_period_is_taken_out_of_the_name_of_its_label() -> None:
    label = read_label("Net sales, LTM June 30, 2024 (in millions)")
    assert (label.name, label.scale) == ("net sales", 10**6)
    assert label.period is not None and label.period.key == "2023-07/2024-06"


WEEKS = ["Our fiscal years 2025, 2024 and 2023 ended on September 27, 2025, September 28, 2024 and September 30, 2023."]
RETAIL = ["Fiscal 2023 ended on February 3, 2024 and consisted of 53 weeks.", "Fiscal 2022 ended January 28, 2023."]
JUNE = ["for the fiscal year ended June 30, 2024", "years ended June 30, 2024 and 2023", "due March 31, 2030"]


def days(label: str, calendar: Calendar) -> tuple[str, str | None, str | None]:
    period = read_period(label)
    assert period is not None
    found = resolve(period, calendar)
    assert found.label == period.label
    start, end = (day.isoformat() if day else None for day in (found.start, found.end))
    return found.key, start, end


def test_fiscal_years_end_on_the_days_that_the_report_says() -> None:
    calendar = find_calendar(WEEKS)
    assert days("fiscal 2024", calendar) == ("FY2024", "2023-10-01", "2024-09-28")
    assert days("2024", calendar) == ("2024", "2023-10-01", "2024-09-28")
    assert days("Calendar 2024", calendar) == ("2024", "2024-01-01", "2024-12-31")
    assert days("Q2 2025", calendar)[1:] == ("2024-12-29", "2025-03-29")
    assert days("three months ended June 28, 2025", calendar)[1:] == ("2025-03-30", "2025-06-28")
    assert days("2030", calendar) == ("2030", None, None), "a year of 52 weeks that the report does not date"


def test_a_year_is_called_what_the_report_calls_it() -> None:
    calendar = find_calendar(RETAIL)
    assert days("53 weeks ended February 3, 2024", calendar) == ("FY2023", "2023-01-29", "2024-02-03")
    assert days("fiscal 2023", calendar) == ("FY2023", "2023-01-29", "2024-02-03")


def test_a_report_that_is_named_behind_a_year_says_nothing_of_how_the_year_is_called() -> None:
    """What a report refers to ends another year; and no year is called by one of which it has less than half."""
    said = "Results of fiscal 2023 as compared to fiscal 2022 are in our Form 10-K for the fiscal year ended {}."
    for day in (date(2023, 12, 1), date(2023, 1, 27)):
        calendar = find_calendar([said.format(f"{day:%B} {day.day}, {day.year}")], day)
        assert calendar.ends == {day.year if day.month == 12 else 2022: day} or not calendar.is_named
    assert not find_calendar(["Fiscal 2022 ended December 1, 2023."]).is_named


def test_years_that_close_with_a_month_do_so_in_other_years_too() -> None:
    calendar = find_calendar(JUNE)
    assert calendar.closes == 6
    assert days("FY26", calendar) == ("FY2026", "2025-07-01", "2026-06-30")
    assert days("first quarter of 2025", calendar)[1:] == ("2024-07-01", "2024-09-30")
    assert days("H1 FY2025", calendar)[1:] == ("2024-07-01", "2024-12-31")


def test_a_last_day_that_was_lost_is_that_of_the_report() -> None:
    calendar = find_calendar(["the year ended December 31, 2024"], ended=date(2025, 9, 30))
    assert days("Three Months Ended 2024", calendar)[1:] == ("2024-07-01", "2024-09-30")
    assert days("YTD 2025", calendar)[1:] == ("2025-01-01", "2025-09-30")


def test_without_a_calendar_nothing_is_made_up() -> None:
    assert find_calendar(["The notes mature on June 30, 2027."]) == Calendar()
    assert days("fiscal 2024", Calendar()) == ("FY2024", None, None)
    assert days("2024", Calendar()) == ("2024", "2024-01-01", "2024-12-31")


@given(st.integers(1990, 2040), st.integers(1, 12), st.sampled_from(["fiscal {y}", "FY{y}", "fiscal year {y}"]))
def test_a_fiscal_year_has_the_twelve_months_up_to_its_last_day(year: int, month: int, form: str) -> None:
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    calendar = find_calendar([f"our fiscal year ended {last:%B} {last.day}, {last.year} is called so"])
    period = read_period(form.format(y=year))
    assert period is not None
    found = resolve(period, calendar)
    assert found.end == last and found.start is not None
    assert 364 <= (last - found.start).days <= 365 and found.start.day == 1


@given(st.dates(date(1990, 1, 1), date(2040, 12, 31)), st.sampled_from([13, 26, 39, 52, 53]))
def test_weeks_are_counted_back_from_their_last_day(last: date, weeks: int) -> None:
    period = read_period(f"{weeks} weeks ended {last:%B} {last.day}, {last.year}")
    assert period is not None and period.end == last and period.start is not None
    assert (last - period.start).days + 1 == 7 * weeks
    assert period.kind in (PeriodKind.QUARTER, PeriodKind.SPAN, PeriodKind.FISCAL_YEAR)


@given(st.lists(st.text(max_size=200), max_size=5))
def test_every_text_has_some_calendar(texts: list[str]) -> None:
    calendar = find_calendar(texts)
    assert all(end == calendar.end_of(year) for year, end in calendar.ends.items())


FOOD = ["The 13 weeks ended June 29, 2024 and July 1, 2023.", "Our fiscal year 2023 ended on December 30, 2023."]


@pytest.mark.parametrize(
    ("label", "start", "end"),
    [
        ("Q2 2024", "2024-03-31", "2024-06-29"),  # 26 weeks behind the end of the year before
        ("Q2 2023", "2023-04-02", "2023-07-01"),  # 26 weeks before the end of its own
        ("Q3 2024", None, None),
    ],
)
def test_a_quarter_of_weeks_has_the_days_that_the_report_names(label, start, end) -> None:
    period = resolve(read_period(label), find_calendar(FOOD))
    assert tuple(day.isoformat() if day else None for day in (period.start, period.end)) == (start, end)


def test_a_part_of_a_year_of_weeks_is_of_weeks_also_where_it_ended_with_a_month() -> None:
    calendar = find_calendar(["Our fiscal year ended on January 29, 2023."])
    assert days("six months ended July 31, 2022", calendar)[1:] == ("2022-01-31", "2022-07-31")
    assert days("three months ended July 31, 2022", calendar)[1:] == ("2022-05-02", "2022-07-31")


def test_an_opening_balance_on_a_sunday_is_no_end_of_a_year_that_ends_on_sundays() -> None:
    opening = "<table><tr><td></td><td>2023</td></tr><tr><td>Cost at 1 January 2023</td><td>5</td></tr></table>"
    page = f"<p>Annual Report for 1 January - 31 December 2023</p>{6 * opening}<p>Cost at 31 December 2023</p>"
    document = read_html(page.encode(), "x")
    assert document.ended == date(2023, 12, 31)  # a Sunday, as 1 January 2023 was
    assert ReportCalendar(document, [""] * 6).fiscal.days(2022) == (date(2022, 1, 1), date(2022, 12, 31))


@pytest.mark.parametrize(
    ("days", "year", "before"),
    [
        (("February 3, 2024", "January 28, 2023", "January 29, 2022"), 2021, date(2021, 1, 30)),  # nearest to the end
        (("July 27, 2024", "July 29, 2023", "July 26, 2014"), 2022, date(2022, 7, 30)),  # between others
    ],
)
def test_the_year_before_one_that_ends_on_a_day_of_the_week_ended_on_that_day(days, year, before) -> None:
    cover = f"<p>FORM 10-K</p><p>For the fiscal year ended {days[0]}</p>"
    heads = "".join(f"<td>{day}</td>" for day in days)
    page = f"{cover}<table><tr><td></td>{heads}</tr><tr><td>Cash</td><td>5</td><td>6</td><td>7</td></tr></table>"
    document = read_html(page.encode(), "x")
    assert ReportCalendar(document, [""]).fiscal.end_of(year) == before


def test_a_year_of_weeks_that_closes_in_january_is_called_by_the_year_before() -> None:
    said = "Fiscal years 2025, 2024 and 2023 ended on January 3, 2026, December 28, 2024 and December 30, 2023."
    cover = "<p>FORM 10-K</p><p>For the fiscal year ended January 3, 2026</p>"
    page = f"{cover}<p>{said}</p><table><tr><td>a</td></tr></table>"
    calendar = ReportCalendar(read_html(page.encode(), "x"), [""])
    assert calendar.fiscal.days(2025) == (date(2024, 12, 29), date(2026, 1, 3))
    assert calendar.fiscal.days(2024) == (date(2023, 12, 31), date(2024, 12, 28))


def test_a_quarterly_report_that_names_a_year_to_come_calls_its_own_as_before() -> None:
    cover = "<p>FORM 10-Q</p><p>For the quarterly period ended December 31, 2030</p>"
    rule = "The new standard is effective for our fiscal year ending June 30, 2032."
    said = "".join(f"<p>In fiscal year 2031 we {did}.</p>" for did in ("sold a mill", "built one", "hired", "bought"))
    head = "<td>December 31, 2030</td><td>June 30, 2030</td>"
    table = f"<table><tr><td></td>{head}</tr><tr><td>Cash</td><td>5</td><td>6</td></tr></table>"
    page = f"{cover}<p>{rule}</p>{said}{said}{table}"
    calendar = ReportCalendar(read_html(page.encode(), "x"), [""])
    assert calendar.fiscal.end_of(2030) == date(2030, 6, 30)


def test_a_release_says_by_its_quarter_what_its_year_is_called():
    said = "Income for the third quarter of fiscal 2030 was $4 million, after $5 million for that of fiscal 2029."
    before = "Sales grew more slowly than in the third quarter of fiscal 2029."
    calendar = find_calendar([said, before, before], date(2030, 11, 2))
    assert (calendar.ends, calendar.is_named) == ({2030: date(2031, 2, 1)}, True)
