"""What print says of figures in a filing without tags: scale, unit, period, statement, whose report it is."""

from __future__ import annotations

from datetime import date

import pytest

import tieout
from tieout.data.printed.periods.fiscal import find_calendar
from tieout.data.readers.html.cover import read_ended, read_form
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.kg.filings.fiscal import last_day

COVER = "<p>FORM {form}</p><p>For the period ended {ended}</p><p>ZEPHANT CORP</p>"
COVER += "<p>(Exact name of registrant as specified in its charter)</p><p>PART I</p>"


def table(*rows: tuple[str, ...]) -> str:
    lines = ("".join(f"<td>{text}</td>" for text in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def read(*parts: str, form: str = "10-K", ended: str = "December 31, 2025"):
    page = f"<html><body>{COVER.format(form=form, ended=ended)}{''.join(parts)}</body></html>"
    return build(read_html(page.encode(), "zeph"), tieout.tbox())


def fact(graph, raw: str, table: int | None = None):
    return next(each for each in graph.facts() if each.raw == raw and (table is None or each.table == table))


def days(graph, raw: str):
    period = fact(graph, raw).period
    return period and (period.start, period.end)


BALANCE = "<p>Consolidated Balance Sheets (in millions)</p>" + table(
    ("", "December 31, 2025", "December 31, 2024"),
    ("Inventories", "$ 511", "$ 480"),
    ("Total assets", "$ 911", "$ 880"),
)


@pytest.mark.parametrize(
    "cover",
    [
        "<table><tr><td>☒</td><td>QUARTERLY REPORT</td></tr><tr><td>For the quarterly period ended</td>"
        "<td>July 1, 2025</td></tr></table><p>Commission file number 1-1</p><p>Zephant Corp</p>"
        "<p>(Exact name of registrant as specified in its charter)</p>",
        "<p>For the quarterly period ended July 1, 2025</p><p>Commission file number 1-1</p>"
        "<table><tr><td>(Exact name of registrant as specified in its charter)</td><td></td></tr>"
        "<tr><td>Zephant Corp</td><td></td></tr></table>",
    ],
)
def test_a_cover_is_read_in_lines_and_in_tables(cover):
    document = read_html(f"<html><body><p>FORM 10 - Q</p>{cover}<p>Item 1.</p></body></html>".encode(), "z")
    assert (document.company, document.form, document.ended) == ("Zephant Corp", "10-Q", date(2025, 7, 1))


@pytest.mark.parametrize(
    ("line", "name", "form"),
    [
        ("Zephant reports fiscal 2025 results", "Zephant", "Earnings release"),
        ("ELM--(WIRE)-- Zephant, Inc. (NASDAQ: ZEPH) today announced its results.", "Zephant, Inc.", ""),
    ],
)
def test_a_press_release_says_whose_it_is_and_what_prose_says_of_another_report_is_not_its_form(line, name, form):
    prose = f"{'What we expect may not happen. ' * 20}See our Form 10-K for the year ended January 29, 2022."
    page = f"<html><body><p>June quarter</p><p>{line}</p><p>{prose}</p></body></html>"
    document = read_html(page.encode(), "z")
    assert (document.company, document.form, document.ended) == (name, form, None)


def test_a_bare_year_is_the_part_of_it_that_the_sentence_in_front_names():
    rows = (("", "2025", "2024"), ("Warranties issued", "124", "128"), ("Balance as of June 30", "1,079", "1,143"))
    said = "<p>The changes in warranties for the six months ended June 30, 2025 and 2024 were as follows:</p>"
    graph = read(BALANCE, said, table(*rows), form="10-Q", ended="June 30, 2025")
    assert days(graph, "128") == (date(2024, 1, 1), date(2024, 6, 30))
    assert days(graph, "1,079") == (date(2025, 6, 30), date(2025, 6, 30))


@pytest.mark.parametrize("said", ["as at 31 March (in millions)", "At March 31, 2025", "As of March 31"])
def test_a_bare_year_is_the_day_of_it_that_the_words_in_front_name(said):
    rows = (("", "2025", "2024"), ("Inventories", "742", "819"), ("Total assets", "2,521", "2,352"))
    graph = read(BALANCE, f"<p>{said}</p>", table(*rows), ended="March 31, 2025")
    assert days(graph, "742") == (date(2025, 3, 31), date(2025, 3, 31))
    assert days(graph, "819") == (date(2024, 3, 31), date(2024, 3, 31))


def test_a_bare_year_is_no_day_where_a_day_of_another_time_is_named():
    rows = (("", "2025", "2024"), ("Shares bought", "742", "819"), ("Paid for them", "2,521", "2,352"))
    graph = read(BALANCE, "<p>Purchases as of May 12, 2025</p>", table(*rows), ended="March 31, 2025")
    assert days(graph, "819") == (date(2023, 4, 1), date(2024, 3, 31))


EQUITY = table(
    ("", "Common stock", "Additional paid-in capital", "Treasury stock", "Retained earnings"),
    ("Three months ended", "", "", "", ""),
    ("Balance as of March 31, 2025", "$ 10", "$ 612", "$ (41)", "$ 701"),
    ("Shares issued for stock options", "—", "77", "3", "—"),
    ("Balance as of June 30, 2025", "$ 10", "$ 689", "$ (38)", "$ 701"),
)


def test_a_statement_of_equity_is_of_money_and_its_balances_are_of_days():
    title = "<p>Consolidated Statements of Equity (in millions)</p>"
    graph = read(BALANCE, title, EQUITY, form="10-Q", ended="June 30, 2025")
    issued = fact(graph, "77")
    assert (issued.unit, issued.scale) == ("USD", 10**6)
    assert days(graph, "77") == (date(2025, 4, 1), date(2025, 6, 30))
    assert days(graph, "$ 612") == (date(2025, 3, 31), date(2025, 3, 31))
    assert issued.entity_type == "EquityStatement"


def test_balances_of_a_statement_of_equity_may_be_called_by_their_days_alone():
    title = "<p>Shareholders’ Equity (in millions)</p>"
    called = table(
        ("", "Common stock", "Additional paid-in capital", "Treasury shares", "Retained earnings"),
        ("March 31, 2025", "$ 10", "$ 612", "$ (41)", "$ 701"),
        ("Equity-based awards", "—", "77", "3", "—"),
        ("June 30, 2025", "$ 10", "$ 689", "$ (38)", "$ 701"),
    )
    graph = read(BALANCE, title, called, form="10-Q", ended="June 30, 2025")
    assert fact(graph, "77").entity_type == "EquityStatement"
    assert fact(graph, "3").unit == "USD"  # what treasury shares cost
    assert days(graph, "$ 612") == (date(2025, 3, 31), date(2025, 3, 31))
    years = [(f"December 31, {year}", "$ 10", f"$ {year}", "$ (41)", "$ 701") for year in range(2021, 2025)]
    graph = read(BALANCE, title, table(("", "Common stock", "Paid-in capital", "Treasury stock", "Total"), *years))
    balances = [each for each in graph.facts() if each.period and each.period.end in DECEMBERS]
    assert last_day(balances) == date(2024, 12, 31)  # each is named as often


def test_a_day_of_an_opening_is_not_the_last_where_balances_are_headed_by_years():
    openings = [(f"December 31, {year}", "$ 10", f"$ {year}", "$ (41)", "$ 701") for year in (2022, 2023)]
    title = "<p>Shareholders’ Equity (in millions)</p>"
    equity = table(("", "Common stock", "Paid-in capital", "Treasury stock", "Total"), *openings)
    flows = table(("", "2024", "2023"), ("Net income", "$ 7", "$ 6"), ("Net sales", "$ 17", "$ 16"))
    graph = read("<p>Consolidated Statement of Income</p>", flows, title, equity, ended="December 31, 2024")
    assert last_day(graph.facts()) == date(2024, 12, 31)


DECEMBERS = {date(year, 12, 31) for year in range(2021, 2025)}


def test_columns_of_a_table_of_earnings_per_share_say_what_is_measured():
    rows = (
        ("", "Net income", "Shares", "EPS"),
        ("Basic EPS:", "", "", ""),
        ("Income for stock", "$ 640", "91", "$ 7.03"),
    )
    graph = read(BALANCE, "<p>Earnings per share for 2025 (in millions, except per share amounts):</p>", table(*rows))
    assert [str(fact(graph, raw).unit) for raw in ("$ 640", "91", "$ 7.03")] == ["USD", "shares", "USD/share"]
    assert fact(graph, "91").scale == 10**6


def test_what_is_added_to_money_is_money_whatever_it_is_called():
    rows = (("", "2025", "2024"), ("Service-based stock awards", "8,888", "1,955"), ("Salaries", "1,112", "2,045"))
    rows += (("Total expense", "$ 10,000", "$ 4,000"),)
    graph = read(BALANCE, "<p>Expense by category (in thousands):</p>", table(*rows))
    assert (fact(graph, "8,888").unit, fact(graph, "8,888").scale) == ("USD", 1000)


def test_a_column_of_changes_has_the_percent_of_its_first_figure():
    rows = (
        ("", "2025", "2024", "Change"),
        ("Services", "$ 748", "$ 731", "2.3%"),
        ("Equipment", "206", "231", "(10.9)"),
    )
    graph = read(
        BALANCE, "<p>Revenue (in millions)</p>", table(*rows, ("Other", "10", "11", "(9.1)"), ("All", "$ 964", "", ""))
    )
    assert fact(graph, "(10.9)").unit == "percent"


def test_unmarked_money_is_in_the_currency_of_the_statements():
    rows = (("", "Operating", "Finance"), ("Lease liabilities", "642.6", "45.5"), ("Lease assets", "724.2", "90.2"))
    graph = read(BALANCE, "<p>Leases at December 31, 2025, in millions:</p>", table(*rows))
    assert (fact(graph, "642.6").unit, fact(graph, "642.6").unit_from) == ("USD", "document")
    rows = (("(In millions)", ""), ("2026", "561"), ("2027", "388"), ("After 2027", "43"), ("Total payments", "992"))
    graph = read(BALANCE, "<p>Due as of December 31, 2025:</p>", table(*rows, ("Less: Imputed interest", "(134)")))
    assert fact(graph, "388").unit == "USD"


ALONE = "<p>(Dollars in millions, except per share amounts)</p>"


@pytest.mark.parametrize(
    ("prose", "scale"),
    [
        ("<p>Logistics costs were $1,771 in 2025 and $1,874 in 2024, dividends $0.48.</p>", 10**6),
        ("<p>Logistics costs were $1,771 in 2025.</p><p>We paid $3 million, $4 million and $2 billion.</p>", 1),
        (
            "<p>Logistics costs (in millions) were: 2025–$1,771; 2024–$1,874. We paid $3 million and $4 million.</p>",
            10**6,
        ),
        ("<p>Logistics costs were $1,771 in 2025 and $2,874 in 2024.</p><p>We owe $4.4 billion.</p>", 10**6),
        ("<p>We paid $1,874.</p><h2>Item 9. Other</h2><p>Logistics costs were $1,771 in 2025.</p>", 1),
    ],
)
def test_prose_has_the_scale_that_is_said_once_for_all_where_sentences_leave_it_out(prose, scale):
    graph = read(BALANCE, ALONE, prose)
    assert fact(graph, "$1,771").scale == scale
    assert all(each.scale == 1 for each in graph.facts() if each.raw == "$0.48")


def test_notes_below_a_table_are_on_its_scale_unless_they_cannot_be():
    below = "<p>(1) Including $51 due from partners.</p><p>(2) Including $48 due from partners.</p>"
    assert fact(read(BALANCE, below), "$51").scale == 10**6
    assert fact(read(BALANCE, below.replace("$48", "$48,000")), "$51").scale == 1


def test_rates_without_a_sign_are_percent_and_prices_to_the_cent_are_of_one_share():
    rows = (
        ("", "2025", "2024"),
        ("Revenue", "$ 911", "$ 880"),
        ("Discount rate", "5.53", "4.59"),
        ("Per share", "", ""),
        ("Net income attributable to Zephant", "", ""),
        ("Basic", "$ 3.22", "$ 5.98"),
        ("Fair value of an option", "$ 26.87", "$ 25.26"),
        ("Volatility", "23.1%", "24.0%"),
    )
    risks = (("", "2025"), ("Foreign currency", "$ 41.5"), ("Interest rate", "13.6"))
    graph = read(BALANCE, "<p>In millions:</p>", table(*rows), "<p>Hedges (in millions)</p>", table(*risks))
    units = {raw: fact(graph, raw).unit for raw in ("5.53", "$ 3.22", "$ 26.87", "13.6")}
    assert units == {"5.53": "percent", "$ 3.22": "USD/share", "$ 26.87": "USD/share", "13.6": "USD"}


def test_shares_beside_amounts_of_one_class_are_shares_and_dollars_per_share_are_no_scale():
    rows = (
        ("(Dividends per share in dollars)", "Class A Common Stock Shares", "Class A Common Stock Amount", "Equity"),
        ("Balance, December 31, 2025", "115,372,565", "$ 12", "$ 822"),
    )
    graph = read(BALANCE, "<p>Consolidated Statements of Equity (in millions)</p>", table(*rows))
    found = [(fact(graph, raw).unit, fact(graph, raw).scale) for raw in ("115,372,565", "$ 822")]
    assert found == [("shares", 1), ("USD", 10**6)]


def test_a_year_of_53_weeks_tells_what_years_are_called():
    rows = (("", "January 31, 2026", "February 1, 2025", "January 27, 2024"), ("Total assets", "$ 911", "$ 880", "$ 7"))
    said = "<p>Fiscal 2024 contained 53 weeks.</p><p>In fiscal 2025 we repaid $71 million.</p>"
    graph = read("<p>Consolidated Balance Sheets (in millions)</p>", table(*rows), said, ended="January 31, 2026")
    assert days(graph, "$71 million") == (date(2025, 2, 2), date(2026, 1, 31))


SAID = "We prepare our statements under principles that are generally accepted. " * 9
SAID += "Unless otherwise noted, all dollar amounts in these statements and notes are in millions, except per share."


def test_a_sentence_of_note_1_holds_for_statements_that_say_no_scale_themselves():
    years = ("", "December 31, 2025", "December 31, 2024")
    statements = [
        f"<p>Consolidated {title}</p>{table(years, (label, f'$ {at}11', f'$ {at}22'))}"
        for at, (title, label) in enumerate(
            (
                ("Balance Sheets", "Total assets"),
                ("Statements of Income", "Revenue"),
                ("Statements of Cash Flows", "Cash"),
            ),
            1,
        )
    ]
    graph = read(*statements, f"<p>Note 1. Basis</p><p>{SAID}</p>")
    assert [(fact(graph, raw).scale, fact(graph, raw).scale_from) for raw in ("$ 111", "$ 322")] == [
        (10**6, "document")
    ] * 2
    silent = read(*statements, "<p>Note 1. Basis</p><p>We say nothing of it.</p>")
    assert fact(silent, "$ 111").scale_from is None


def test_a_cover_that_does_not_say_which_name_is_exact_has_it_behind_the_file_number():
    cover = (
        "<p>FORM 10-K</p><p>For the year ended June 30, 2025</p><p>Commission file number 1-2</p><p>Zephant Corp</p>"
    )
    document = read_html(f"<html><body>{cover}<p>An Ohio corporation</p></body></html>".encode(), "z")
    assert document.company == "Zephant Corp"


def test_rows_above_a_total_of_a_day_are_of_that_day():
    rows = (
        ("", "Level 1", "Total"),
        ("Equities", "$ 61", "$ 62"),
        ("Bonds", "35", "36"),
        ("Total at December 31, 2025", "96", "98"),
    )
    rows += (("Equities", "51", "52"), ("Bonds", "25", "26"), ("Total at December 31, 2024", "76", "78"))
    graph = read(BALANCE, "<p>Plan assets at December 31, 2025 and 2024, in millions:</p>", table(*rows))
    assert days(graph, "35") == (date(2025, 12, 31),) * 2 and days(graph, "25") == (date(2024, 12, 31),) * 2


def test_a_year_that_runs_together_with_the_corner_is_of_the_first_column():
    rows = (
        ("In millions Years ended December 31, 2025", "", "2024", "2023"),
        ("Net income, net of $9.8, $(16.0), and $(24.9)", "$ 84", "$ 61", "$ 75"),
    )
    graph = read(BALANCE, table(*rows))
    assert days(graph, "$ 84") == (date(2025, 1, 1), date(2025, 12, 31))
    assert [days(graph, raw)[1].year for raw in ("$9.8", "$(16.0)", "$(24.9)")] == [2025, 2024, 2023]


def test_a_name_with_a_year_in_it_is_no_period():
    rows = (("", "Rate", "Amount"), ("Series 2023-1", "", ""), ("A notes", "4.49%", "$ 891"))
    graph = read(BALANCE, "<p>Notes at December 31, 2025 (in millions):</p>", table(*rows))
    assert days(graph, "$ 891") == (date(2025, 12, 31), date(2025, 12, 31))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (
            "Fiscal 2025 and fiscal 2024 ended February 1, 2026 and February 2, 2025.",
            {2025: date(2026, 2, 1), 2024: date(2025, 2, 2)},
        ),
        ('The year ended January 30, 2026 ("fiscal 2025") had 52 weeks.', {2025: date(2026, 1, 30)}),
        (
            "References to 2025 and 2024 represent the fiscal years ended January 30, 2026, and January 31, 2025.",
            {2025: date(2026, 1, 30), 2024: date(2025, 1, 31)},
        ),
        ("The 52 weeks ended January 2, 2022 and January 1, 2023.", {2021: date(2022, 1, 2), 2022: date(2023, 1, 1)}),
        (
            "Fiscal years 2025 and 2024 span 53 and 52 weeks. Fiscal year 2025 ended on October 3, 2025.",
            {2025: date(2025, 10, 3), 2024: date(2025, 10, 3).replace(month=9, day=27, year=2024)},
        ),
    ],
)
def test_a_report_says_what_its_years_are_called_and_how_long_they_are(text, ends):
    calendar = find_calendar([text])
    assert {year: calendar.end_of(year) for year in ends} == ends


def test_quarters_end_where_the_report_says_that_they_ended():
    rows = (("", "July 2, 2025", "December 31, 2024"), ("Total assets", "$ 911", "$ 880"))
    said = "<p>For the quarterly period ended July 2, 2025.</p><p>In Q2 2025 sales were $71 million.</p>"
    graph = read("<p>Balance Sheets</p>", table(*rows), said, form="10-Q", ended="July 2, 2025")
    assert days(graph, "$71 million")[1] == date(2025, 7, 2)


STATEMENTS = {
    "CashFlow": (
        "Net income",
        "Long-term debt issued",
        "Net cash from operating activities",
        "Net cash used in investing activities",
    ),
    "BalanceSheet": ("Cash", "Intangible assets", "Total assets", "Notes payable", "Total liabilities and equity"),
    "IncomeStatement": ("Net sales", "Pension expense", "Income before taxes", "Income taxes", "Net income"),
    "ComprehensiveIncome": (
        "Net income",
        "Pension adjustments",
        "Other comprehensive income",
        "Total comprehensive income",
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_known_by_its_own_lines(name):
    rows = [(label, f"$ {at}01", f"$ {at}02") for at, label in enumerate(STATEMENTS[name], start=1)]
    graph = read("<p>Item 8.</p>", table(("", "2025", "2024"), *rows))
    assert fact(graph, "$ 101").entity_type == name


def test_a_short_statement_of_comprehensive_income_is_known_by_its_title():
    rows = (("", "2025"), ("Net income", "$ 51"), ("Translation", "3"), ("Comprehensive income", "$ 54"))
    graph = read(BALANCE, "<p><b>Consolidated Statements of Comprehensive Income</b></p>", table(*rows))
    assert fact(graph, "$ 54").entity_type == "ComprehensiveIncome"
    rows = (
        ("", "2025"),
        ("Net (Loss)/Income", "$ 51"),
        ("Hedges", "3"),
        ("Comprehensive (Loss)/Income of holders", "$ 54"),
    )
    graph = read(BALANCE, "<p><b>STATEMENTS OF COMPREHENSIVE (LOSS)/INCOME</b></p>", table(*rows))
    assert fact(graph, "$ 54").entity_type == "ComprehensiveIncome"


def test_a_statement_over_two_pages_is_one_on_both_and_what_stands_right_below_it_is_part_of_it():
    title = "<p><b>Consolidated Statements of Cash Flows</b></p>"
    first = ("Net income", "Premiums receivable", "Income taxes", "Net cash provided by operating activities")
    pages = [
        table(
            ("", "2025", "2024"), *[(label, f"$ {page}{at}1", f"$ {page}{at}2") for at, label in enumerate(labels, 1)]
        )
        for page, labels in enumerate((first, STATEMENTS["CashFlow"][1:], ("Income taxes", "Interest")), start=1)
    ]
    over = f"<p>- Continued -</p><p>9</p>{title}"
    graph = read(BALANCE, title, pages[0], over, pages[1], over, pages[2], "<p>Note 9. Income taxes</p>", pages[2])
    classes = [(each.raw, each.entity_type) for each in graph.facts() if each.raw in ("$ 121", "$ 221", "$ 311")]
    assert [name for _, name in classes[:3]] == ["CashFlow"] * 3 and classes[3][1] != "CashFlow"


def test_columns_between_balances_are_of_the_time_between_them():
    rows = (
        (
            "",
            "Balance at December 31, 2023",
            "Acquisitions",
            "Balance at December 31, 2024",
            "Other",
            "December 31, 2025",
        ),
        ("Pumps", "$ 610", "37", "$ 641", "(7)", "$ 634"),
    )
    graph = read("<p>Goodwill (in millions)</p>", table(*rows))
    assert days(graph, "37") == (date(2024, 1, 1), date(2024, 12, 31))
    assert days(graph, "(7)") == (date(2025, 1, 1), date(2025, 12, 31))


def test_the_beginning_of_the_year_over_a_day_of_a_quarter_is_the_end_of_the_year_before():
    rows = (
        ("", "June 30, 2025", "June 30, 2024"),
        ("Balance, beginning of year", "$ 512", "$ 478"),
        ("Benefit payments", "(31)", "(29)"),
        ("Balance, end of period", "$ 481", "$ 449"),
    )
    graph = read(BALANCE, "<p>Reserves (in millions)</p>", table(*rows), form="10-Q", ended="June 30, 2025")
    assert [days(graph, raw)[1] for raw in ("$ 512", "$ 478", "$ 449")] == [
        *(date(2024, 12, 31), date(2023, 12, 31), date(2024, 6, 30))
    ]


def test_a_day_on_which_a_year_begins_is_not_what_the_year_over_a_column_means():
    said = "<p>The following are balances as of December 31, 2025, restated as of January 1, 2024 (in millions):</p>"
    graph = read(said, table(("", "2025", "2024"), ("Plan assets", "$ 512", "$ 478")))
    assert days(graph, "$ 478")[1] == date(2024, 12, 31)


def test_a_year_below_a_corner_of_a_year_that_ended_is_no_day():
    rows = (("Year ended December 31,", "2024", "2023"), ("Net sales", "48,200", "43,200"), ("Net income", "57", "43"))
    before = "<p>We employed 312 people at December 31, 2024, compared with 298 a year before.</p>"
    graph = read("Consolidated Statements of Income", before, table(*rows), ended="December 31, 2024")
    assert days(graph, "48,200") == (date(2024, 1, 1), date(2024, 12, 31))


def test_payments_due_in_years_to_come_are_those_of_the_day_of_the_report():
    heads = ("", "Total", *(f"Payments due by fiscal year {each}" for each in ("2026", "2027 - 2028", "Thereafter")))
    graph = read(BALANCE, "<p>Obligations are:</p>", table(heads, ("Purchases", "$ 77", "$ 31", "$ 24", "$ 22")))
    assert {days(graph, raw) for raw in ("$ 77", "$ 31", "$ 24", "$ 22")} == {(date(2025, 12, 31),) * 2}


def test_a_roll_forward_between_the_ends_of_two_years_is_of_the_year_between():
    rows = (("Outstanding at the end of 2024", "512"), ("Granted", "98"), ("Outstanding at the end of 2025", "610"))
    graph = read(BALANCE, "<p>Changes in units:</p>", table(("", "Number of units (in thousands)"), *rows))
    assert [days(graph, raw) for raw in ("512", "98", "610")] == [
        (date(2024, 12, 31), date(2024, 12, 31)),
        (date(2025, 1, 1), date(2025, 12, 31)),
        (date(2025, 12, 31), date(2025, 12, 31)),
    ]


def test_parts_of_a_year_before_and_after_a_change_of_owner_are_of_the_days_that_their_columns_print():
    rows = (
        ("", "Nine Months Ended September 30,", "", ""),
        ("", "2025", "", "2024"),
        *(
            (
                "",
                "Predecessor January 1 to July 21",
                "Successor July 22 to September 30",
                "Predecessor January 1 to September 30",
            ),
        ),
        ("Net sales", "$ 512", "$ 98", "$ 634"),
        ("Cash at beginning of period", "45", "37", "41"),
        ("Cash at end of period", "37", "39", "43"),
    )
    graph = read("<p>Statements of cash flows (in millions)</p>", table(*rows), form="10-Q", ended="September 30, 2025")
    assert [days(graph, raw) for raw in ("$ 512", "$ 98", "$ 634")] == [
        (date(2025, 1, 1), date(2025, 7, 21)),
        (date(2025, 7, 22), date(2025, 9, 30)),
        (date(2024, 1, 1), date(2024, 9, 30)),
    ]
    assert [days(graph, raw)[1] for raw in ("45", "41", "39")] == [
        date(2024, 12, 31),
        date(2023, 12, 31),
        date(2025, 9, 30),
    ]


@pytest.mark.parametrize(
    ("heads", "values", "told"),
    [
        (("2025", "2024", "$ Change", "% Change"), ("$ 55", "$ 44", "11", "25%"), {"11": 2025, "25%": 2025}),
        (
            ("2025", "Change", "2024", "Change", "2023"),
            ("$ 55", "25%", "$ 44", "10%", "$ 40"),
            {"25%": 2025, "10%": 2024},
        ),
        (
            ("2025", "2024", "Change", "2023", "Change"),
            ("$ 55", "$ 44", "25%", "$ 40", "10%"),
            {"25%": 2025, "10%": 2024},
        ),
        (("2025", "2024", "Change 2024 vs. 2023"), ("$ 55", "$ 44", "10%"), {"10%": 2024}),
        (("2025", "2024", "2023", "Change"), ("$ 55", "$ 44", "$ 40", "25%"), {"25%": None}),  # of which, is not said
    ],
)
def test_a_column_of_changes_is_of_the_later_of_the_two_years_that_it_compares(heads, values, told):
    graph = read("<p>Results (in millions)</p>", table(("", *heads), ("Sales", *values)))
    for raw, year in told.items():
        found = fact(graph, raw)
        assert (found.period and found.period.end) == (date(year, 12, 31) if year else None)
        assert found.period is None or " vs " in found.period.key
        assert found.unit == ("percent" if "%" in raw else "USD")


def test_a_change_below_months_that_end_on_a_day_is_of_that_day():
    heads = (("", "Three Months Ended June 30,", "", ""), ("", "2025", "2024", "% Change"))
    graph = read("<p>Results (in millions)</p>", table(*heads, ("Sales", "$ 55", "$ 44", "25%")), form="10-Q")
    assert days(graph, "25%") == (None, date(2025, 6, 30))


def test_what_is_called_money_is_in_the_currency_of_a_table_whose_columns_are_of_different_things():
    rows = (
        ("", "East", "West"),
        ("Floor area", "626", "580"),
        ("Revenue", "$ 512", "$ 478"),
        ("Cost of sales", "402", "391"),
    )
    graph = read("<p>Sites (in thousands)</p>", table(*rows))
    assert [fact(graph, raw).unit for raw in ("$ 512", "402")] == ["USD", "USD"]
    assert fact(graph, "626").unit is None


@pytest.mark.parametrize(
    ("caption", "form"),
    [
        ("PART I. FINANCIAL INFORMATION", "10-Q"),
        ("Item 2. Management’s Discussion and Analysis of Financial Condition", "10-Q"),
        ("ITEM 8. FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA", "10-K"),
        ("Item 7 — Management's Discussion and Analysis", "10-K"),
        ("Item 5. Operating and Financial Review and Prospects", ""),
        ("Financial information", ""),
    ],
)
def test_a_part_of_a_filing_without_its_cover_is_known_by_the_captions_of_its_form(caption, form):
    assert read_form(["Zephant Corp", caption]) == form


def test_a_statement_of_equity_that_goes_on_over_the_page_has_the_scale_of_its_first_part():
    heads = ("Class A and Class B Stock", "Class A and Class B Stock", "Retained Earnings", "Total Equity")
    pages = [
        table(
            ("", *[f"Three Months Ended June 30, {year}"] * 4),
            ("", *heads),
            ("", "Shares", "Amount", "", ""),
            (f"Balance as of March 31, {year}", shares, "$ 412", "$ 731", "$ 1,143"),
            ("Net income", "—", "—", "57", "57"),
        )
        for year, shares in ((2024, "811"), (2025, "815"))
    ]
    label = "Class A and Class B stock, $0.001 par value: 900 shares authorized (Class A 700, Class B 200)"
    balance = table(("", "June 30, 2025"), ("Cash", "$ 37"), (label, "412"), ("Total assets", "$ 1,143"))
    said = "<p>(in millions, except par value per share amounts)</p>"
    between = "<p>See accompanying notes.</p><p>8</p>"
    parts = [f"<p>Statements of Equity</p>{said}", pages[0], between, pages[1], f"<p>Balance Sheets</p>{said}", balance]
    graph = read(*parts, form="10-Q", ended="June 30, 2025")
    for raw in ("811", "815", "900", "700", "200"):
        assert (fact(graph, raw).unit, fact(graph, raw).scale) == ("shares", 10**6)


def test_balances_under_sub_headings_that_say_their_day_are_of_that_day():
    rows = (
        ("", "Three Months Ended June 30", ""),
        ("", "2025", "2024"),
        ("Common Shares:", "", ""),
        ("Balance at March 31", "", ""),
        ("Shares: 2025: 811,042; 2024: 809,317", "$ 512", "$ 478"),
        ("Share-based compensation", "37", "31"),
        ("End of Quarter", "", ""),
        ("Shares: 2025: 812,663; 2024: 810,005", "$ 549", "$ 509"),
    )
    graph = read(BALANCE, "<p>Statements of Equity (in millions)</p>", table(*rows), form="10-Q", ended="June 30, 2025")
    on = {"$ 512": (2025, 3, 31), "$ 478": (2024, 3, 31), "809,317": (2024, 3, 31), "$ 509": (2024, 6, 30)}
    assert {raw: days(graph, raw)[1] for raw in on} == {raw: date(*day) for raw, day in on.items()}
    assert days(graph, "37") == (date(2025, 4, 1), date(2025, 6, 30))


def test_rows_without_a_day_are_dated_by_the_rows_around_them():
    charges = (
        ("Charges recorded in 2024", "$ 248"),
        ("Payments", "(90)"),
        ("Accrued balance at December 31, 2024", "158"),
        ("Payments and other", "(35)"),
        ("Accrued balance at December 31, 2025", "123"),
    )
    bought = (
        ("October 1 - 31, 2025", "1,105"),
        ("November 1 - 30, 2025", "1,092"),
        ("December 1 - 31, 2025", "1,078"),
        ("Total", "3,275"),
    )
    options = (
        ("Outstanding at December 31, 2024", "512"),
        ("Granted", "98"),
        ("Outstanding at December 31, 2025", "610"),
        ("Expected to vest", "577"),
    )
    heads = (("", "Severance"), ("Period", "Shares purchased"), ("", "Options"))
    tables = [table(head, *rows) for head, rows in zip(heads, (charges, bought, options), strict=True)]
    graph = read(BALANCE, *(f"<p>Note {at}</p>{each}" for at, each in enumerate(tables)))
    assert days(graph, "(90)") == (date(2024, 1, 1), date(2024, 12, 31))
    assert days(graph, "(35)") == (date(2025, 1, 1), date(2025, 12, 31))
    assert days(graph, "3,275") == (date(2025, 10, 1), date(2025, 12, 31))
    assert days(graph, "577") == (date(2025, 12, 31),) * 2


def test_a_balance_at_the_first_day_of_a_year_is_of_the_year_in_which_its_column_lies():
    rows = (
        ("", "April 30, 2025", "April 30, 2024"),
        ("Balance as of May 1", "$ 512", "$ 478"),
        ("Balance", "549", "512"),
    )
    graph = read("<p>Unrecognized tax benefits (in millions)</p>", table(*rows), ended="April 30, 2025")
    assert days(graph, "$ 478")[1] == date(2023, 4, 30)


def test_labels_of_equity_say_prices_of_a_share_and_shares_of_a_day():
    rows = (
        ("", "Year ended December 31, 2025"),
        ("Balance", "$ 512"),
        ("Cash dividends declared (per share — 2025: $1.84; 2024: $1.76)", "(37)"),
        ("Shares outstanding - December 31, 2024: 549,245,105", ""),
        ("Ending balance", "549"),
    )
    graph = read(BALANCE, "<p>Statement of Equity (in millions)</p>", table(*rows))
    assert (fact(graph, "$1.76").unit, fact(graph, "$1.76").scale) == ("USD/share", 1)
    assert fact(graph, "549,245,105").unit == "shares" and days(graph, "549,245,105")[1] == date(2024, 12, 31)


def test_a_label_lists_shares_of_several_kinds_on_the_scale_over_the_columns():
    shares = "authorized 3,010 shares, 1,712 and 1,709 shares issued, 931 and 942 outstanding, respectively"
    rows = (
        ("", "December 31, 2025", "December 31, 2024"),
        ("", "(In millions, except par value amounts)", "(In millions, except par value amounts)"),
        (f"Class A common stock, $0.01 par value; {shares}", "$ 17", "$ 16"),
        ("Preferred stock, stated value $2 per share: issued 7,412,991 at December 31, 2025 and 2024", "812", "823"),
        ("Treasury stock (shares held: 2025 - 47.1; 2024 - 33.2)", "(514)", "(499)"),
        ("4.25% notes due 2031", "611", "612"),
        ("Total", "926", "952"),
    )
    graph = read("<p>Equity</p>", table(*rows))
    years = {
        raw: sorted({each.period.end.year for each in graph.facts() if each.raw == raw})
        for raw in ("3,010", "1,712", "1,709", "931", "942", "7,412,991", "47.1", "33.2", "4.25%")
    }
    both = [2024, 2025]
    assert list(years.values()) == [both, [2025], [2024], [2025], [2024], both, [2025], [2024], both]
    read_as = {raw: (fact(graph, raw).unit, fact(graph, raw).scale) for raw in ("1,709", "942", "33.2", "7,412,991")}
    assert set(list(read_as.values())[:3]) == {("shares", 10**6)} and read_as["7,412,991"] == ("shares", 1)
    assert (fact(graph, "823").unit, fact(graph, "823").scale) == ("USD", 10**6)


def test_rows_of_a_segment_that_is_named_once_are_of_the_years_beside_it():
    rows = (
        ("Results by segment", "", "Net sales", "Total assets"),
        ("Tools", "2025", "$ 5,311", "$ 7,101"),
        ("", "2024", "5,212", "7,088"),
        ("Paints", "2025", "1,411", "2,107"),
        ("", "2024", "1,398", "2,099"),
    )
    graph = read(BALANCE, table(*rows))
    assert [days(graph, raw)[1].year for raw in ("$ 5,311", "7,088", "1,411", "2,099")] == [2025, 2024, 2025, 2024]
    assert (fact(graph, "2,099").label, fact(graph, "2,099").header) == ("Total assets", "Paints 2024")
    signed = table(("Date:", "July 27, 2025", "By:", "A. Smith"), ("Date:", "July 28, 2025", "By:", "B. Jones"))
    assert [each.label for each in read(signed).facts() if each.raw == "28"] != ["Date: July 28, 2025"]


def test_what_a_share_was_bought_at_on_average_is_its_price_and_a_number_of_shares_counts_them():
    bought = "<p>We repurchased 7.1 million shares at average prices of $52.18 and $61.07, and paid $ 3.25 a ton.</p>"
    cover = "<p>Number of shares of $.01 par value common stock outstanding as of March 2, 2026: 305,118,402</p>"
    graph = read(BALANCE, cover, bought)
    assert [fact(graph, raw).unit for raw in ("$52.18", "$61.07", "305,118,402")] == ["USD/share"] * 2 + ["shares"]
    assert fact(graph, "$ 3.25").unit != "USD/share"


def test_a_column_counts_stores_or_shares_whatever_is_noted_of_money():
    rows = (("Year opened (sales in millions)", "# of stores", "Sales"), ("2025", "20", "$ 140"), ("2024", "13", "132"))
    graph = read(BALANCE, table(*rows))
    assert (str(fact(graph, "13").unit), fact(graph, "13").scale) == ("stores", 1)
    rows = (("Agreement (in millions)", "Amount", "Initial shares delivered"), ("Q1 2025", "$ 750", "3.1"))
    assert (fact(read(BALANCE, table(*rows)), "3.1").unit) == "shares"


def test_parts_of_shares_are_on_the_scale_of_the_money_beside_them():
    rows = (
        ("(in millions)", "2025", "2024"),
        ("Net income", "$ 171.2", "$ 160.1"),
        ("Weighted-average shares", "85.2", "84.9"),
        ("Antidilutive share-based awards, excluded", "5.9", "6"),
    )
    graph = read(BALANCE, table(*rows))
    assert [(fact(graph, raw).unit, fact(graph, raw).scale) for raw in ("84.9", "5.9")] == [("shares", 10**6)] * 2


EARNED = (("", "2025", "2024"), ("Net income", "$ 511", "$ 480"))
EARNED += (("Weighted-average shares", "737,036", "736,027"), ("Basic earnings per share", "$ 0.69", "$ 0.65"))


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Amounts of income and shares of Zephant common stock (in thousands), used for earnings per share, are:", ""),
        ("The following is of earnings per share", "(shares in thousands)"),
    ],
)
def test_a_scale_of_shares_alone_leaves_money_on_that_of_the_statements(said, title):
    graph = read(BALANCE, f"<p>{said}</p><p>{title}</p>", table(*EARNED))
    found = {raw: (fact(graph, raw, 2).unit, fact(graph, raw, 2).scale) for raw in ("$ 480", "737,036", "$ 0.69")}
    assert found == {"$ 480": ("USD", 10**6), "737,036": ("shares", 1000), "$ 0.69": ("USD/share", 1)}


def test_what_says_no_unit_is_on_a_scale_of_counts_that_is_nearer_than_that_of_the_statements():
    rows = (("", "2025", "2024"), ("Granted", "1,418", "1,377"), ("Forfeited", "(45)", "(58)"))
    graph = read(BALANCE, "<p>Awards (shares in thousands)</p>", table(*rows))
    assert fact(graph, "1,418", 2).scale == 1000


@pytest.mark.parametrize(("note", "scale"), [("shares in thousands", 1000), ("except per share data", 1)])
def test_shares_in_a_note_below_a_table_are_on_the_scale_that_it_says_of_shares(note, scale):
    rows = (("", "December 31, 2025"), ("Common stock (a)", "$ 8"), ("Total equity", "$ 13,933"))
    below = "<p>(a) 1,560,000 shares authorized; 770,013 shares issued.</p><p>We hold 614,205 shares.</p>"
    graph = read(f"<p>Consolidated Balance Sheets (dollars in millions, {note})</p>", table(*rows), below)
    scales = {raw: fact(graph, raw).scale for raw in ("1,560,000", "770,013", "614,205")}
    assert scales == {"1,560,000": scale, "770,013": scale, "614,205": 1}


def test_the_few_shares_of_a_subsidiary_on_the_cover_are_in_full():
    rows = (("Company", "Shares outstanding"), ("Zephant", "349,542,517"), ("Elm Electric", "301"))
    graph = read(table(*rows), BALANCE.replace("millions", "thousands"))
    assert {fact(graph, raw).scale for raw in ("349,542,517", "301")} == {1}


FLOWS = (
    ("", "2025", "2024"),
    ("Net cash provided by operating activities", "$ 611", "$ 512"),
    ("Net cash used in investing activities", "(171)", "(163)"),
    ("Repurchases of common stock", "(214)", "—"),
    ("Change in rate", "—%", "2%"),
    ("Commitments", "—", "—"),
    ("Net cash used in financing activities", "(240)", "(18)"),
)


def test_a_dash_beside_the_amounts_of_a_line_of_a_statement_is_an_amount_of_nothing():
    graph = read(BALANCE, "<p>Consolidated Statements of Cash Flows (in millions)</p>", table(*FLOWS))
    (nothing,) = (each for each in graph.facts() if each.raw == "—")
    assert (nothing.value, nothing.unit, nothing.label) == (0, "USD", "Repurchases of common stock")
    assert days(graph, "—") == (date(2024, 1, 1), date(2024, 12, 31))


def test_a_dash_in_a_table_of_a_note_is_no_value():
    rows = (("", "2025", "2024"), ("Sites bought", "$ 611", "—"), ("Sites sold", "(171)", "(163)"))
    assert not any(each.raw == "—" for each in read(BALANCE, "<p>Sites (in millions)</p>", table(*rows)).facts())


def test_a_statement_goes_on_behind_the_number_and_the_headline_of_a_page():
    flows = (("", "2025", "2024"), ("Net income", "$ 611", "$ 512"), ("Depreciation", "171", "163"))
    rest = (("Repayments of loans", "(214)", "(118)"), ("Cash at end of year", "$ 517", "$ 418"))
    page = "<p>The accompanying notes are an integral part.</p><p>F-7</p><p>Table of Contents</p>"
    graph = read(BALANCE, "<p>Cash Flows (in millions)</p>", table(*flows), page, table(*rest))
    assert days(graph, "(118)") == (date(2024, 1, 1), date(2024, 12, 31)) and fact(graph, "(118)").scale == 10**6


def test_a_registrant_stands_behind_its_file_number_on_a_cover_of_columns():
    heads = ("Commission File Number", "Registrant; State of Incorporation", "I.R.S. Employer Identification No.")
    cover = table(heads, ("001-12871", "ZEPHANT CORPORATION", "27-0012345")) + "<p>Delaware</p><p>One Elm Center</p>"
    page = f"<html><body><p>FORM 10-K</p><p>For the year ended December 31, 2025</p>{cover}</body></html>"
    assert read_html(page.encode(), "z").company == "ZEPHANT CORPORATION"


def test_what_is_beside_balances_of_several_days_is_of_the_last():
    rows = (
        ("", "Interest rates", "December 31, 2025", "December 31, 2024"),
        ("2031 notes", "4.125%", "$ 511", "$ 512"),
        ("Euro notes", "1.5%", "212", "211"),
    )
    graph = read("<p>Our debt (in millions):</p>", table(*rows))
    assert days(graph, "4.125%")[1] == days(graph, "1.5%")[1] == date(2025, 12, 31)


def test_a_table_of_money_in_full_without_marks_is_in_the_currency_of_the_statements():
    rows = (
        ("", "2025", "2024"),
        ("Net loss", "(59,471,560)", "(41,250,395)"),
        ("Other income", "3,045,001", "2,132,777"),
    )
    marked = table(("", "December 31, 2025"), ("Cash", "$ 108,911,042"), ("Inventory", "12,480,117"))
    graph = read("<p>Balance Sheet</p>", marked, "<p>Correction of an error</p>", table(*rows))
    assert (fact(graph, "2,132,777").unit, fact(graph, "2,132,777").scale) == ("USD", 1)


def test_what_falls_due_on_days_to_come_is_of_the_days_of_its_columns():
    rows = (
        ("Scheduled maturity", "Interest rate", "2025", "2024"),
        ("November 1, 2027", "3.75%", "$ 512", "$ 490"),
        ("May 1, 2029", "4.10%", "478", "461"),
        ("2030 and thereafter", "4.40%", "98", "91"),
    )
    graph = read(BALANCE, "<p>Long-term debt as of December 31, 2025 and 2024 (in millions):</p>", table(*rows))
    on = {"$ 490": 2024, "461": 2024, "98": 2025, "91": 2024, "3.75%": 2025}
    assert {raw: days(graph, raw)[1].year for raw in on} == on


def test_months_that_end_on_a_day_in_the_corner_are_no_quarter_of_the_fiscal_year():
    rows = (
        ("", "Pumps", "Pumps", "Valves", "Valves"),
        ("Three Months Ended December 31,", "2025", "2024", "2025", "2024"),
        ("Allowance at beginning of period", "$ 32.5", "$ 31.9", "$ 26.2", "$ 24.9"),
        ("Provision", "4.1", "4.3", "3.6", "3.8"),
    )
    balance = table(("", "December 31, 2025", "September 30, 2025"), ("Inventories", "$ 511", "$ 480"))
    parts = ("<p>Balance Sheets</p>", balance, "<p>Credit losses (in millions)</p>", table(*rows))
    graph = read(*parts, form="10-Q", ended="December 31, 2025")
    assert days(graph, "3.8") == (date(2024, 10, 1), date(2024, 12, 31))
    assert days(graph, "$ 26.2")[1] == date(2025, 9, 30)


def test_a_release_says_the_day_on_which_the_parts_of_a_year_that_it_calls_by_name_ended():
    said = "today announced results for the thirteen-week period (“fourth quarter”) and fifty-two-week period"
    line = f"Zephant {said} (“fiscal year”) ended January 28, 2023 compared to the same periods ended January 29, 2022."
    assert read_ended(["Zephant Announces Fourth Quarter Fiscal 2022 Results", line]) == date(2023, 1, 28)


WEEKS = (
    (
        "10-Q",
        "July 1, 2023",
        "October 1, 2022",
        ("Quarter Ended", "Nine Months Ended"),
        ("July 1, 2023", "July 2, 2022"),
    ),
    (
        "10-Q",
        "July 2, 2023",
        "October 2, 2022",
        ("Quarter Ended", "Three Quarters Ended"),
        ("Jul 2, 2023", "Jul 3, 2022"),
    ),
    (
        "10-Q",
        "April 30, 2023",
        "July 31, 2022",
        ("Three Months Ended", "Nine Months Ended"),
        ("April 30, 2023", "May 1, 2022"),
    ),
    (
        "10-Q",
        "August 4, 2023",
        "February 3, 2023",
        ("Three Months Ended", "Six Months Ended"),
        ("August 4, 2023", "July 29, 2022"),
    ),
)  # form, day, end of the year before, lengths, days
FIRST_DAYS = (
    ("2023-04-02", "2022-04-03", "2022-10-02", "2021-10-03"),
    ("2023-04-03", "2022-04-04", "2022-10-03", "2021-10-04"),
    ("2023-01-30", "2022-01-31", "2022-08-01", "2021-08-02"),
    ("2023-05-06", "2022-04-30", "2023-02-04", "2022-01-29"),
)


@pytest.mark.parametrize(("printed", "first"), list(zip(WEEKS, FIRST_DAYS, strict=True)))
def test_the_part_of_a_year_of_weeks_that_is_compared_with_begins_where_whole_quarters_do(printed, first):
    form, ended, opening, lengths, on = printed
    heads = (("", *(length for length in lengths for _ in on)), ("", *on, *on))
    flows = table(*heads, ("Net sales", "$ 101", "102", "103", "104"), ("Net income", "11", "12", "13", "14"))
    balance = table(("", ended, opening), ("Inventories", "$ 511", "$ 480"), ("Total assets", "$ 911", "$ 880"))
    said = "<p>Consolidated {} (in millions)</p>"
    graph = read(
        said.format("Statements of Income"), flows, said.format("Balance Sheets"), balance, form=form, ended=ended
    )
    assert [fact(graph, raw).period.start.isoformat() for raw in ("$ 101", "102", "103", "104")] == [*first]


def test_periods_ended_over_their_lengths_are_those_lengths():
    heads = (("", *["Periods ended June 30,"] * 4), ("", *["Three Months"] * 2, *["Six Months"] * 2))
    rows = (*heads, ("", "2025", "2024", "2025", "2024"), ("Net sales", "$ 101", "102", "103", "104"))
    graph = read("<p>Statements of Income (in millions)</p>", table(*rows), form="10-Q", ended="June 30, 2025")
    assert days(graph, "102") == (date(2024, 4, 1), date(2024, 6, 30))
    assert days(graph, "103") == (date(2025, 1, 1), date(2025, 6, 30))


def test_earnings_per_share_keep_their_unit_under_each_sub_heading_and_their_total_is_named():
    rows = (
        ("", "2025", "2024"),
        ("Net income", "$ 1,790", "$ 1,660"),
        ("Earnings per share attributable to Zephant(1):", "", ""),
        ("Diluted", "", ""),
        ("Continuing operations", "$ 1.65", "$ 1.62"),
        ("Discontinued operations", "(0.03)", "0.05"),
        ("", "$ 1.62", "$ 1.67"),
        ("Basic", "", ""),
        ("Continuing operations", "$ 1.66", "$ 1.63"),
        ("Discontinued operations", "(0.03)", "0.06"),
        ("", "$ 1.64", "$ 1.69"),  # as its parts are rounded
        ("Weighted average number of common and common equivalent shares outstanding:", "", ""),
        ("Diluted", "1,105", "1,001"),
    )
    graph = read("<p>Consolidated Statements of Income (in millions, except per share data)</p>", table(*rows))
    found = {each.raw: each for each in graph.facts()}
    assert {(str(found[raw].unit), found[raw].scale) for raw in ("$ 1.65", "0.05", "0.06", "$ 1.64")} == {
        ("USD/share", 1)
    }
    assert (found["1,105"].unit, found["1,105"].scale) == ("shares", 1_000_000)
    assert "Basic" in found["$ 1.64"].label and "Diluted" in found["$ 1.67"].label


@pytest.mark.parametrize(
    ("label", "amount", "unit"),
    [
        ("Denominator for basic earnings per share", "860", "shares"),
        ("Numerator for diluted net income per share", "861", "USD"),
        ("Net income used in computing basic net income per share of common stock", "862", "USD"),
        ("Net income for diluted earnings per share", "863", "USD"),
        ("Proceeds from stock options/employee withholding tax on stock awards", "864", "USD"),
    ],
)
def test_what_earnings_per_share_are_worked_out_from_is_no_amount_per_share(label, amount, unit):
    rows = (("", "2025"), ("Net income", "$ 862"), (label, amount), ("Diluted earnings per share", "$ 2.51"))
    graph = read("<p>Earnings per share were (in millions, except per share amounts):</p>", table(*rows))
    found = [each for each in graph.facts() if each.raw == amount and each.label == label]
    assert [(str(each.unit), each.scale) for each in found] == [(unit, 1_000_000)]


def test_bare_numbers_in_labels_of_stock_and_in_tables_of_shares_count_shares():
    balance = table(
        ("", "June 30, 2025", "December 31, 2024"),
        ("Total assets", "$ 911", "$ 880"),
        ("Series A (48,000 issued and outstanding at June 30, 2025 and December 31, 2024)", "—", "—"),
        ("Treasury stock (471,323,301 at June 30, 2025 and 493,156,816 at December 31, 2024, at cost)", "(16)", "(17)"),
        ("Common shares repurchased: 5,860,813", "(2)", "(3)"),
        ("Common stock issued, net of taxes of 1,204", "4", "5"),
    )
    said = "<p>Consolidated Balance Sheets (in millions)</p>"
    three = "Three Months Ended June 30, 2025"
    activity = table(
        ("", three, three),
        ("Common Stock Activity (millions of shares)", "Issued", "Outstanding"),
        ("Balance as of March 31", "8,019", "4,043"),
        ("Balance as of June 30", "8,019", "4,003"),
    )
    graph = read(said, balance, "<p>Changes in stock</p>", activity, form="10-Q", ended="June 30, 2025")
    found = {each.raw: each for each in graph.facts()}
    assert {found[raw].unit for raw in ("48,000", "471,323,301", "493,156,816", "5,860,813", "4,043")} == {"shares"}
    assert (found["471,323,301"].scale, found["4,043"].scale, found["1,204"].unit) == (1, 1_000_000, None)


def test_a_month_that_names_what_was_borrowed_in_it_dates_nothing_and_an_adoption_is_of_the_day_of_its_balance():
    debt = table(
        ("", "Effective Interest Rate", "December 31, 2025", "December 31, 2024"),
        ("August 2022 debt:", "", "", ""),
        ("Notes due 2032", "3.92%", "$ 3,000", "$ 3,000"),
        ("Total", "", "$ 3,000", "$ 3,000"),
    )
    equity = table(
        ("", "Common stock", "Paid-in capital", "Retained earnings", "Total"),
        ("Balance as of December 31, 2024", "$ 1", "$ 500", "$ 900", "$ 1,401"),
        ("Cumulative effect of adopting ASU 2020-06", "—", "(47)", "21", "(26)"),
        ("Net income", "—", "—", "77", "77"),
        ("Balance as of December 31, 2025", "$ 1", "$ 453", "$ 998", "$ 1,452"),
    )
    graph = read("<p>Debt was as follows (in millions):</p>", debt, "<p>Statements of Equity (in millions)</p>", equity)
    assert days(graph, "3.92%") == (date(2025, 12, 31),) * 2
    assert days(graph, "(47)") == (date(2024, 12, 31),) * 2
    assert days(graph, "77") == (date(2025, 1, 1), date(2025, 12, 31))


def test_a_cover_without_a_name_leaves_the_company_to_the_lines_over_its_statements():
    titles = ("Consolidated Balance Sheets", "Consolidated Statements of Cash Flows")
    under = table(("", "2025"), ("Cash", "$ 9"))
    lines = "".join(f"<p>THE ZEPHANT COMPANY</p><p><b>{each}</b></p>{under}" for each in titles)
    page = f"<html><body><p>FORM 10-Q</p>{'<p>Elm City, Ohio 44101</p>' * 6}{lines}</body></html>"
    assert read_html(page.encode(), "z").company == "THE ZEPHANT COMPANY"
    assert read_html(page.replace(titles[1], "Trends").encode(), "z").company == ""


def test_years_of_origination_date_nothing_and_a_line_over_years_says_which_part_of_them_is_meant():
    years = ("", "Origination Year", "Origination Year", "Origination Year", "", "")
    loans = table(
        ("", *["June 30, 2025"] * 5),
        years,
        ("", "2025", "2024", "2023", "Prior", "Total"),
        ("Pass", "$ 1,021", "$ 3,312", "$ 2,203", "$ 4,404", "$ 10,940"),
    )
    bare = table(("", "2025", "2024", "Prior", "Total"), ("Special mention", "$ 12", "$ 44", "$ 130", "$ 186"))
    parts = [
        f"<p>{length} Months Ended June 30,</p>" + table(("", "2025", "2024"), ("Licensing revenue", *amounts))
        for length, amounts in (("Three", ("$ 6,204", "$ 5,911")), ("Six", ("$ 12,214", "$ 11,715")))
    ]
    said = ("<p>Loans at June 30, 2025 (in millions):</p>", "<p>Loans by class at June 30, 2025 (in millions):</p>")
    graph = read(BALANCE, said[0], loans, said[1], bare, *parts, form="10-Q", ended="June 30, 2025")
    last = (date(2025, 6, 30),) * 2
    assert {days(graph, raw) for raw in ("$ 3,312", "$ 4,404", "$ 10,940", "$ 44", "$ 186")} == {last}
    assert days(graph, "$ 5,911") == (date(2024, 4, 1), date(2024, 6, 30))
    assert days(graph, "$ 12,214") == (date(2025, 1, 1), date(2025, 6, 30))


def test_what_parts_two_balances_of_a_day_is_of_it_and_months_of_purchases_are_of_the_report_s_own_year():
    reserves = table(
        ("", "2025", "2024"),
        ("Balance as of January 1", "$ 37,541", "$ 33,060"),
        ("Less recoverables", "9,176", "9,479"),
        ("Net balance as of January 1", "28,365", "23,581"),
        ("Incurred claims", "19,801", "16,310"),
    )
    bought = table(
        ("Period", "Total Number of Shares Purchased", "Average Price Paid per Share"),
        ("April 1 - April 30", "210,334", "$ 61.22"),
        ("May 1 - May 31", "301,001", "59.90"),
    )
    ratios = table(
        ("", "June 30, 2025", "June 30, 2025", "December 31, 2024", "December 31, 2024"),
        ("", "Amount", "Ratio", "Amount", "Ratio"),
        ("Tier 1 capital", "$ 18,204", "10.4%", "$ 17,633", "10.1%"),
        ("Total capital", "23,110", "13.2", "22,740", "13.0"),
    )
    said = "<p>Reserves for the six months ended June 30, 2025 and 2024 (in millions):</p>"
    also = ("<p>Purchases of shares in the second quarter of 2025 were:</p>", "<p>Capital (in millions):</p>")
    parts = (BALANCE, said, reserves, also[0], bought, also[1], ratios)
    graph = read(*parts, form="10-Q", ended="June 30, 2025")
    assert days(graph, "9,479") == days(graph, "$ 33,060") == (date(2023, 12, 31),) * 2
    assert days(graph, "16,310") == (date(2024, 1, 1), date(2024, 6, 30))
    assert days(graph, "59.90") == (date(2025, 5, 1), date(2025, 5, 31))
    assert (fact(graph, "13.0").unit, days(graph, "13.0")) == ("percent", (date(2024, 12, 31),) * 2)


def test_an_annual_report_of_calendar_years_has_none_of_weeks_whatever_days_its_headers_say():
    rows = (("", "2023", "2022"), ("Net sales", "$ 101", "$ 99"), ("Net income", "11", "9"))
    when = table(("", "December 31, 2023", "January 1, 2023"), ("Adopted", "$ 3", "$ 4"))  # Sundays both
    parts = ("<p>Consolidated Statements of Income (in millions)</p>", table(*rows), "<p>Effects</p>", when)
    graph = read(BALANCE.replace("2024", "2022").replace("2025", "2023"), *parts, ended="December 31, 2023")
    assert days(graph, "$ 101") == (date(2023, 1, 1), date(2023, 12, 31))
    assert days(graph, "$ 99") == (date(2022, 1, 1), date(2022, 12, 31))


def test_the_same_period_in_another_year_is_of_the_months_that_are_compared_with_it():
    said = (
        "<p>The tax rate was 21.4% for the three months ended June 30, 2025, compared to 19.8% for the same period in "
    )
    graph = read(BALANCE, f"{said}2024.</p>", form="10-Q", ended="June 30, 2025")
    assert days(graph, "19.8%") == (date(2024, 4, 1), date(2024, 6, 30))


def test_lines_in_dollars_per_share_and_in_shares_are_so_beside_millions():
    rows = (
        ("", "June 30, 2025", "December 31, 2024"),
        ("Allowance for credit losses", "$ 12", "$ 13"),
        ("Common stock, par value (in dollars per share)", "$ 0.01", "$ 0.01"),
        ("Treasury stock, shares (in shares)", "11,204,003", "9,804,776"),
    )
    graph = read(
        "<p>Balance Sheets (Parenthetical) (in millions)</p>", table(*rows), form="10-Q", ended="June 30, 2025"
    )
    assert {(str(each.unit), each.scale) for each in graph.facts() if each.raw == "$ 0.01"} == {("USD/share", 1)}
    assert {(fact(graph, raw).unit, fact(graph, raw).scale) for raw in ("11,204,003", "9,804,776")} == {("shares", 1)}


def test_what_stands_at_a_day_is_of_it_in_a_table_of_months_and_at_the_first_of_them_of_the_night_before():
    heads = (("", *["Three Months Ended June 30, 2025"] * 2), ("", "Consumer", "Total"))
    rows = (("Allowance at April 1,", "$ 3,201", "$ 5,405"), ("Provision", "311", "399"))
    losses = table(*heads, *rows, ("Allowance at June 30,", "$ 3,110", "$ 5,381"))
    due = table(
        ("", "Amortized Cost", "Fair Value"), ("Due in one year or less", "$ 71", "$ 70"), ("No maturity", "8", "9")
    )
    said = ("<p>Changes in the allowance (in millions):</p>", "<p>Maturities at June 30, 2025 (in millions):</p>")
    graph = read(BALANCE, said[0], losses, said[1], due, form="10-Q", ended="June 30, 2025")
    assert (days(graph, "$ 5,405"), days(graph, "$ 5,381")) == ((date(2025, 3, 31),) * 2, (date(2025, 6, 30),) * 2)
    assert days(graph, "399") == (date(2025, 4, 1), date(2025, 6, 30))
    assert days(graph, "$ 70") == (date(2025, 6, 30),) * 2


def test_the_first_months_of_a_year_are_those_of_the_report_s_own_year_on_either_side_of_its_number():
    heads = (("", "First Nine Months", "First Nine Months"), ("", "Fiscal 2023", "Fiscal 2022"))
    flows = table(*heads, ("Net sales", "$ 101", "$ 102"))
    year_first = table(("", "2023", "2022"), ("", "Nine Months", "Nine Months"), ("Orders", "$ 201", "$ 202"))
    balance = table(
        ("", "March 31, 2023", "June 30, 2022"), ("Inventories", "$ 5", "$ 4"), ("Total assets", "$ 9", "$ 8")
    )
    said = "<p>Consolidated Statements of Income (in millions)</p>"
    parts = ("<p>Balance Sheets (in millions)</p>", balance, said, flows, "<p>Orders (in millions)</p>", year_first)
    graph = read(*parts, form="10-Q", ended="March 31, 2023")
    assert days(graph, "$ 101") == days(graph, "$ 201") == (date(2022, 7, 1), date(2023, 3, 31))
    assert days(graph, "$ 102") == days(graph, "$ 202") == (date(2021, 7, 1), date(2022, 3, 31))


def test_a_title_parted_over_its_two_columns_is_of_both_and_a_statement_goes_on_behind_the_rest_of_a_label():
    heads = (("", "Quarter", "Ended", "Nine Months", "Ended"), ("", *["June 30, 2025", "June 30, 2024"] * 2))
    first = table(
        *heads,
        ("Net sales", "$ 2,101", "$ 2,102", "$ 2,103", "$ 2,104"),
        ("Net income attributable to", "1", "2", "3", "4"),
    )
    rest = (
        ("Net income", "$ 11", "$ 12", "$ 13", "$ 14"),
        ("Weighted average number of common shares outstanding:", "", "", "", ""),
    )
    second = table(
        *rest, ("Basic", "1,121", "1,122", "1,123", "1,124"), ("Diluted", "1,131", "1,132", "1,133", "1,134")
    )
    title = "<p>Consolidated Statements of Income (in millions, except per share data)</p>"
    graph = read(title, first, "<p>noncontrolling interests</p>", second, form="10-Q", ended="June 30, 2025")
    assert days(graph, "$ 2,102") == days(graph, "1,132") == (date(2024, 4, 1), date(2024, 6, 30))
    assert days(graph, "$ 2,103") == days(graph, "1,123") == (date(2024, 10, 1), date(2025, 6, 30))
    assert (fact(graph, "1,123").unit, fact(graph, "1,123").scale) == ("shares", 1_000_000)
    graph = read(title, first, "<p>Other Income and (Expense):</p>", second, form="10-Q", ended="June 30, 2025")
    assert days(graph, "1,132") == (date(2024, 4, 1), date(2024, 6, 30))


def test_lengths_below_or_around_years_and_those_in_a_corner_in_brackets_are_those_of_the_columns():
    half = table(
        ("", "For the periods ended June 30,", "For the periods ended June 30,"),
        ("", "2025", "2024"),
        ("", "First Half", "First Half"),
        ("", "(unaudited)", "(unaudited)"),
        ("Net sales", "$ 101", "$ 102"),
    )
    nine = table(("Nine Months Ended September 30 (Millions)", "2025", "2024"), ("Orders", "$ 201", "$ 202"))
    parts = table(
        ("(For the three months ended September 30, in millions)", "Mills", "Total"),
        ("2025", "", ""),
        ("Premiums", "$ 301", "$ 302"),
        ("2024", "", ""),
        ("Premiums", "$ 303", "$ 304"),
    )
    graph = read("<p>In millions.</p>", half, "<p>Orders</p>", nine, "<p>Segments</p>", parts, form="10-Q")
    assert days(graph, "$ 102") == (date(2024, 1, 1), date(2024, 6, 30))
    assert days(graph, "$ 202") == (date(2024, 1, 1), date(2024, 9, 30))
    assert days(graph, "$ 303") == (date(2024, 7, 1), date(2024, 9, 30))


def test_a_sum_without_a_label_is_no_total_that_a_row_below_it_is_called():
    rows = (("Owners’ Equity", "", ""), ("Common stock", "$ 40", "$ 40"), ("Retained earnings", "60", "50"))
    rest = (("", "100", "90"), ("Less treasury stock", "30", "20"))
    last = ("Total owners’ equity", "$ 70", "$ 70")
    named = table(("", "2025", "2024"), *rows, *rest, last)
    graph = read(BALANCE, named)
    assert fact(graph, "100").label != "Total Owners’ Equity" != fact(graph, "90").label
    assert fact(read(BALANCE, table(("", "2025", "2024"), *rows, rest[0])), "100").label == "Total Owners’ Equity"


def meant(graph, *raws: str):
    """Unit and scale of the figures printed so."""
    return [(str(fact(graph, raw).unit), fact(graph, raw).scale) for raw in raws]


MILLIONS, PERCENT = ("USD", 10**6), ("percent", 1)


def test_a_sign_at_the_head_of_a_column_goes_before_what_a_heading_over_it_and_others_says():
    rates = "<tr><td></td><td colspan='4'>% of Income Before Taxes</td></tr>"
    lines = (
        ("In millions", "2025", "2025", "2024", "2024"),
        ("United States", "$ 512", "", "$ 431", ""),
        ("Other countries", "388", "", "362", ""),
        ("At the statutory rate", "189", "21.0%", "167", "21.0"),
        ("Credits", "(44)", "(4.9)", "(35)", "(4.4)"),
    )
    graph = read(BALANCE, table(*lines).replace("<table>", f"<table>{rates}"))
    assert meant(graph, "388", "189", "(35)", "21.0%", "(4.9)") == [MILLIONS] * 3 + [PERCENT] * 2
    due = "<tr><td></td><td></td><td colspan='2'>Maturities (in years)</td></tr>"
    lines = (("(millions)", "Fair value", "Within 1", "Over 1"), ("Bonds", "$ 613", "$ 417", "$ 196"))
    lines += (("Time deposits", "271", "236", "35"),)
    graph = read(BALANCE, table(*lines).replace("<table>", f"<table>{due}"))
    assert meant(graph, "271", "236", "35") == [MILLIONS] * 3


def test_a_corner_in_percent_is_of_all_that_is_not_marked():
    rows = (
        ("(Percent of pre-tax income)", "2025", "2024"),
        ("Statutory rate", "21.0%", "21.0%"),
        ("Sale of a business", "(6.4)", "1.3"),
        ("Income taxes paid", "$ 316.5", "$ 254.8"),
    )
    assert meant(read(BALANCE, table(*rows)), "(6.4)", "1.3", "$ 254.8") == [PERCENT, PERCENT, MILLIONS]


def test_the_sign_of_the_first_rate_of_a_block_holds_below_it_and_a_sub_heading_says_the_unit_of_its_rows():
    rows = (
        ("In millions", "2025", "2024"),
        ("Service cost", "$ 94", "$ 81"),
        ("Assumptions", "", ""),
        ("Discount rate", "5.18%", "5.53%"),
        ("Compensation increases", "3.86", "3.07"),
        ("Return on plan assets", "7.00", "6.00"),
        ("Weighted-average discount rate (%)", "", ""),
        ("Operating leases", "3.8", "3.9"),
        ("Weighted-average term (years)", "", ""),
        ("Finance leases", "4.4", "5.6"),
        ("Paid", "", ""),
        ("Contributions", "235", "210"),
    )
    told = meant(read(BALANCE, table(*rows)), "3.86", "6.00", "3.8", "4.4", "235")
    assert told == [PERCENT] * 3 + [("years", 1), MILLIONS]


def test_rows_of_money_below_a_rate_without_its_decimals_stay_money():
    rows = (("In millions", "2025", "2024"), ("Results", "", ""), ("Net income", "$ 94", "$ 81"))
    rows += (("Margin", "5.1%", "5.5%"), ("Interest", "22", "23"))
    assert meant(read(BALANCE, table(*rows)), "22") == [MILLIONS]


def test_shares_of_which_one_number_cannot_be_on_the_scale_of_a_table_are_in_full():
    rows = (
        ("(intrinsic values in millions)", "Options", "Weighted Average Exercise Price", "Aggregate Intrinsic Value"),
        ("Outstanding at December 31, 2024", "28,288,046", "$ 70.64", "$ 1,167"),
        ("Exercised", "(664,222)", "44.71", ""),
        ("Outstanding at December 31, 2025", "27,623,824", "$ 71.32", "$ 1,073"),
    )
    graph = read(BALANCE, table(*rows))
    assert meant(graph, "(664,222)", "44.71", "$ 1,073") == [("shares", 1), ("USD/share", 1), MILLIONS]


def test_the_number_of_shares_below_a_statement_of_equity_is_a_table_of_its_own():
    rows = (
        ("(Millions of dollars)", "Common stock", "Retained earnings", "", "Treasury stock", "Other", "Total equity"),
        ("Balance at December 31, 2024", "$ 97", "$ 690", "", "$ (91)", "$ 4", "$ 700"),
        ("Net income", "", "55", "", "", "", "55"),
        ("Balance at December 31, 2025", "$ 97", "$ 745", "", "$ (91)", "$ 4", "$ 755"),
        ("(Number of shares)", *["Common stock 2025"] * 2, "", *["Common stock 2024"] * 2, ""),
        ("Year ended December 31", "Issued", "Treasury", "", "Issued", "Treasury", ""),
        ("Balance at January 1", "242,676,580", "(48,461,316)", "", "242,676,581", "(47,863,124)", ""),
        ("Purchases", "", "(7,314,816)", "", "", "(598,192)", ""),
    )
    graph = read("<p>Consolidated Statement of Equity</p>", table(*rows), BALANCE)
    assert meant(graph, "(48,461,316)", "(598,192)", "55") == [("shares", 1), ("shares", 1), MILLIONS]
    assert fact(graph, "(598,192)").label == "Purchases"


def test_what_is_carried_at_a_value_per_share_adds_up_to_money():
    rows = (
        ("(in millions)", "2025", "2024"),
        ("Cash", "$ 206", "$ 190"),
        ("Investments valued using NAV per share", "", ""),
        ("Equity funds", "315", "299"),
        ("Hedge funds", "99", "101"),
        ("", "414", "400"),
        ("Total", "$ 620", "$ 590"),
    )
    assert meant(read(BALANCE, table(*rows)), "315", "414") == [MILLIONS] * 2


def test_average_prices_beside_awards_are_prices_and_the_value_of_all_is_money():
    heads = "<tr><td></td><td colspan='3'>Stock Appreciation Rights</td></tr>"
    rows = (
        ("(shares in thousands; values in millions)", "Awards", "Average Price (1)", "Remaining Term"),
        ("December 31, 2024", "32,032", "$ 81.04", "5.20"),
        ("Granted", "2,664", "97.66", ""),
    )
    graph = read(BALANCE, table(*rows).replace("<table>", f"<table>{heads}"))
    assert meant(graph, "2,664", "97.66") == [("shares", 1000), ("USD/share", 1)]
    assert fact(graph, "5.20").unit != "shares"
    rows = (
        ("", "Number of Options", "Exercise Price", "Aggregate Intrinsic Value"),
        ("Outstanding as of December 31, 2024", "25,981,429", "$ 18.01", "57,585"),
        ("Granted", "49,020", "16.98", ""),
        ("Outstanding as of December 31, 2025", "26,030,449", "$ 18.01", "2,942"),
    )
    graph = read(BALANCE, table(*rows))
    assert [fact(graph, raw).unit for raw in ("16.98", "57,585")] == ["USD/share", "USD"]
    rows = (("Weighted average grant date fair value", "2025", "2024"), ("Stock options", "$ 36.10", "$ 34.03"))
    rows += (("RSUs", "89.60", "87.68"),)
    assert meant(read(BALANCE, table(*rows)), "$ 36.10", "87.68") == [("USD/share", 1)] * 2


def test_awards_that_dilute_nothing_are_shares_and_a_note_on_a_table_of_shares_is_on_its_scale():
    rows = (("(in millions)", "2025", "2024"), ("Net earnings", "$ 375", "$ 418"))
    rows += (("Equity awards excluded from diluted earnings per share", "10", "33"),)
    assert meant(read(BALANCE, table(*rows)), "33") == [("shares", 10**6)]
    rows = (("", "2025", "2024"), ("Basic weighted average shares outstanding", "273,143", "275,311"))
    below = "<p>* Leaves out options that dilute nothing. These options totaled 2,961 in 2025 and 1,466 in 2024.</p>"
    said = "<p>Basic and diluted weighted average shares outstanding were as follows (in thousands):</p>"
    graph = read(BALANCE, said, table(*rows), below)
    assert meant(graph, "275,311", "1,466") == [("shares", 1000)] * 2


def test_rates_of_a_marked_column_are_percent_beside_the_name_of_a_currency():
    rows = (
        ("In millions of U.S. Dollars", "Interest rates 2025", "Interest rates 2024", "Amounts 2025", "Amounts 2024"),
        ("Fixed", "4.2%", "4.0%", "$ 382.6", "$ 382.0"),
        ("Total British Pounds Sterling", "4.1", "3.9", "585.1", "504.1"),
    )
    assert meant(read(BALANCE, table(*rows)), "4.1", "3.9") == [PERCENT] * 2
