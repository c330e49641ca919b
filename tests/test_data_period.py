"""Periods: every way reports print them, one key for one period."""

from __future__ import annotations

import time
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.printed.periods.period import PeriodKind, find_periods, in_year, of_year, read_period

LABELS = {
    "2007": "2007",
    "2003:": "2003",
    "20081": "2008",  # a footnote mark glued to it
    "12/31/2007": "2007-12-31",
    "12/31/07": "2007-12-31",
    "1/2/2010": "2010-01-02",
    "2007-12-31": "2007-12-31",
    "december 31 , 2007": "2007-12-31",
    "december 31, 2007": "2007-12-31",
    "dec . 31 2011": "2011-12-31",
    "dec . 312013": "2013-12-31",
    "december 312016": "2016-12-31",
    "as of december 31 , 2012 ( in thousands )": "2012-12-31",
    "30 september 2017": "2017-09-30",
    "30 Jun 24": "2024-06-30",
    "Balance at 31 Dec. 23": "2023-12-31",
    "52 weeks to 30 Jun 24": "FY2024",
    "six months to 31 Dec 23": "2023-07/2023-12",
    "balance at january 1": "01-01",
    "12/12": "2012-12",
    "8/2005": "2005-08",
    "december 2012": "2012-12",
    "fy12": "FY2012",
    "fy'12": "FY2012",
    "fy 2012": "FY2012",
    "fiscal 2009": "FY2009",
    "fiscal year 2009": "FY2009",
    "fiscal year ended june 30 2009": "FY2009",
    "year ended june 30 2009": "FY2009",
    "year ended december 31 , 2009": "2009",
    "year ended december 2013": "2013",
    "years ended december 31,": "12-31",
    "average for theyear ended december 2018": "2018",
    "three months ended march 31": "Q1",
    "quarter ended september 30": "Q3",
    "three months ended dec . 282013": "2013-Q4",
    "three months ended april 1 , 2007": "2007-Q1",  # a quarter of 13 weeks
    "Three Months Ended July 1. 2022": "2022-Q2",  # a comma that was recognised as a full stop
    "nine months ended september 30 , 2008": "2008-01/2008-09",
    "first quarter of 2008": "2008-Q1",
    "2003 first quarter": "2003-Q1",
    "second quarter": "Q2",
    "year ended december 31 2008 1st qtr": "2008-Q1",
    "q1 2008": "2008-Q1",
    "1q08": "2008-Q1",
    "2012 2013 2016": "2012/2016",
    "2016 2014 2020": "2016/2020",
    "2010-2014": "2010/2014",
    "2008 to 2010": "2008/2010",
    "2013 and 2014": "2013/2014",
    "2021 -22": "2021/2022",
    "payments due by fiscal year 2021 -22": "FY2022",
    "10/01/04 2013 10/31/04": "2004-10",
    "october 1 to october 28 2007": "2007-10-01/2007-10-28",
    "successor july 22 to september 30": "07-22/09-30",
    "period from july 22, 2023 (inception) through september 30": "2023-07-22/2023-09-30",
    "december 3 through february 28, 2023": "2022-12-03/2023-02-28",
    "predecessor july 1 - 21, 2023": "2023-07-01/2023-07-21",
    "nine months ended september 30, 2023 january 1, 2023 to july 21, 2023": "2023-01-01/2023-07-21",
    "september 29 2014 2013 october 26 2014": "2014-09-29/2014-10-26",
    "january 1 2012 to march 31 2012": "2012-Q1",
    "% (  % ) change 2013 v 2012": "2013 vs 2012",
    "2015/2014 change": "2015 vs 2014",
    "worldwide % change 21/20": "2021 vs 2020",
    "20/19": "2020 vs 2019",
    "12/11": "2011-12",
    "fy19 vs. fy18": "FY2019 vs FY2018",
    "change 2023 over 2022": "2023 vs 2022",
    "years ended december 31 2007 20142006": "2007 vs 2006",
    "q ii 2023": "2023-Q2",
    "iv. quartal 2023": "2023-Q4",
    "iii/2023": "2023-Q3",
    "type i 2023": "2023",
    "2023年 第3四半期": "FY2023-Q3",
    "1.1.2023 – 30.9.2023": "2023-01-01/2023-09-30",
    "1-3 years": "1-3 years",
    "payments due by period ( a ) 1-3 years": "1-3 years",
    "1 2013 3 years": "1-3 years",
    "less than1 year": "less than 1 year",
    "after 5 years": "after 5 years",
    "more than5 years": "more than 5 years",
    "thereafter": "thereafter",
    "later years": "later years",
    "2018 and thereafter": "2018 and thereafter",
    "after fiscal 2023": "after fiscal 2023",
    "2014 net revenue": "2014",
    "revenue": None,
    "notes due 2013": None,
    "3.50% ( 3.50 % ) notes due 2014": None,
    "2004 stock incentive plan": None,
    "fourth ( separation occurred on november 1 2016 )": None,
    "s&p 500": None,
    "2500": None,
    "$ 2014": None,
    "2007%": None,
    "": None,
}


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label or "empty")
def test_a_label_states_its_period(label: str) -> None:
    period = read_period(label)
    assert (period.key if period else None) == LABELS[label]
    assert period is None or period.label == label


TEXTS = {
    "at december 31 , 2008 and 2007": ["2008-12-31", "2007-12-31"],
    "for the years ended december 31 , 2008 , 2007 and 2006 , respectively": ["2008", "2007", "2006"],
    "in 2008 , 2009 and 2010": ["2008", "2009", "2010"],
    "in fiscal 2008 and 2007": ["FY2008", "FY2007"],
    "in the fourth quarter of 2008 and the first quarter of 2009": ["2008-Q4", "2009-Q1"],
    "three months ended march 31 , 2008 and 2007": ["2008-Q1", "2007-Q1"],
    "from 2013 through 2017": ["2013/2017"],
    "in dollars 2012 2013 2014": ["2012", "2013", "2014"],
    "$ 57 million in 2004 ; and $ 13 million thereafter": ["2004", "thereafter"],
    "december 31 2010 20092008": ["2010-12-31", "2009-12-31", "2008-12-31"],
    "sales rose in 2011 versus 2010": ["2011", "2010"],
    "within 60 days thereafter , the right will thereafter be void": [],
    "we may sell 2500 shares at $ 20.08": [],
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_sentence_states_its_periods_in_order(text: str) -> None:
    found = find_periods(text)
    assert [period.key for period, _, _ in found] == TEXTS[text]
    assert all(text[start:end] == period.label for period, start, end in found)


def test_a_year_knows_its_days_and_a_fiscal_year_the_ones_its_label_says() -> None:
    year, fiscal = read_period("year ended december 31 2009"), read_period("year ended june 30 2009")
    assert year and (year.kind, year.year, year.start, year.end) == (
        PeriodKind.YEAR,
        2009,
        date(2009, 1, 1),
        date(2009, 12, 31),
    )
    quarter = read_period("third quarter of 2009")
    assert quarter and (quarter.start, quarter.end) == (date(2009, 7, 1), date(2009, 9, 30))
    assert fiscal and (fiscal.start, fiscal.end) == (date(2008, 7, 1), date(2009, 6, 30))


@pytest.mark.parametrize(
    ("label", "year", "key"),
    [("first quarter", 2010, "2010-Q1"), ("december 31", 2010, "2010-12-31"), ("2009", 2010, "2009")],
)
def test_a_part_of_a_year_can_be_placed_in_one(label: str, year: int, key: str) -> None:
    period = read_period(label)
    assert period and in_year(period, year).key == key


def test_the_same_part_of_another_year_keeps_its_kind() -> None:
    for label, key in {
        "december 31 2008": "2007-12-31",
        "fy08": "FY2007",
        "q3 2008": "2007-Q3",
        "2008": "2007",
    }.items():
        period = read_period(label)
        assert period and of_year(period, 2007).key == key


def test_a_day_that_does_not_exist_is_read_as_its_month() -> None:
    period = read_period("june 31 2009")
    assert period and period.key == "2009-06"


days = st.dates(min_value=date(1970, 1, 1), max_value=date(2060, 12, 31))


@given(days)
def test_one_day_has_one_key_however_it_is_printed(day: date) -> None:
    month = day.strftime("%B").lower()
    for label in (
        f"{month} {day.day} , {day.year}",
        f"as of {month} {day.day}, {day.year}",
        f"{month[:3]} . {day.day} {day.year}",
        f"{day.day} {month} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        day.isoformat(),
    ):
        period = read_period(label)
        assert period and (period.key, period.start, period.end, period.year) == (day.isoformat(), day, day, day.year)


@given(days, st.integers(1, 400))
def test_a_span_of_days_lies_between_its_days(first: date, length: int) -> None:
    last = first + timedelta(days=length)
    period = read_period(f"{first:%m/%d/%Y} to {last:%m/%d/%Y}")
    assert period and (period.start, period.end, period.year) == (first, last, last.year)


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(" ".join(LABELS).split()), max_size=12).map(" ".join)))
def test_any_text_is_read_without_an_error(text: str) -> None:
    read_period(text)
    found = find_periods(text)
    assert all(0 <= start < end <= len(text) for _, start, end in found)
    assert [start for _, start, _ in found] == sorted(start for _, start, _ in found)


@pytest.mark.parametrize("unit", ["2007 , ", "december 31 , 2007 and ", "2014 ", "first quarter ", "year ended ", "1/"])
def test_a_long_text_is_read_in_a_moment(unit: str) -> None:
    start = time.process_time()
    find_periods(unit * 5000)
    read_period(unit * 5000)
    assert time.process_time() - start < 2
