"""What a company calls a year that ends in the first months of another: read from print, and asked for by that name."""

import json

import pytest
from kg_documents import facts_of

import tieout
from tieout.agent.offline.operands.figures import Figures
from tieout.data.document import RELEASE, Document, Table
from tieout.data.printed.periods.period import read_period
from tieout.data.tables.year_names import headed_offset, said_offset

COVER = "<p>FORM 10-K</p><p>For the fiscal year ended February 3, 2024</p><p>HALEWICK STORES, INC.</p>"
HIGHLIGHTS = """<h2>Selected data</h2><table><tr><td>($ in millions)</td><td>{0}</td><td>{1}</td></tr>
<tr><td>Net sales</td><td>8,412</td><td>7,935</td></tr>
<tr><td>Net earnings</td><td>1,204</td><td>1,117</td></tr></table>"""
SENTENCES = "".join(
    f"<p>Sales {moved} in fiscal 2023 as more stores opened.</p>"
    for moved in ("rose", "grew", "held", "fell", "turned")
)
STATEMENTS = """<h2>Consolidated Statements of Earnings</h2><p>($ in millions)</p><table>
<tr><td>Fiscal years ended</td><td>February 3, 2024</td><td>January 28, 2023</td></tr>
<tr><td>Net sales</td><td>8,412</td><td>7,935</td></tr><tr><td>Cost of sales</td><td>5,020</td><td>4,833</td></tr>
<tr><td>Net earnings</td><td>1,204</td><td>1,117</td></tr></table>
<h2>Consolidated Balance Sheets</h2><p>($ in millions)</p><table>
<tr><td></td><td>February 3, 2024</td><td>January 28, 2023</td></tr>
<tr><td>Merchandise inventories</td><td>1,940</td><td>1,872</td></tr>
<tr><td>Total current assets</td><td>2,600</td><td>2,500</td></tr>
<tr><td>Total assets</td><td>6,310</td><td>6,105</td></tr></table>"""

FLOWS = """<h2>Consolidated Statements of Cash Flows</h2><p>($ in millions)</p><table>
<tr><td></td><td>Fiscal 2023</td><td>Fiscal 2022</td></tr>
<tr><td>Net earnings</td><td>1,204</td><td>1,117</td></tr>
<tr><td>Net cash provided by operating activities</td><td>1,402</td><td>1,350</td></tr>
<tr><td>Cash and restricted cash at beginning of year</td><td>1,207</td><td>1,133</td></tr>
<tr><td>Cash and restricted cash at end of year</td><td>1,318</td><td>1,207</td></tr></table>"""


def talk(tmp_path, *parts: str, cover: str = COVER):
    path = tmp_path / "halewick.htm"
    path.write_text(f"<html><body>{cover}{''.join(parts)}</body></html>", encoding="utf-8")
    return tieout.open(path, store=tmp_path / "store")


@pytest.mark.parametrize("told", [HIGHLIGHTS.format("2023", "2022"), SENTENCES], ids=["its figures", "its sentences"])
def test_a_year_is_called_as_the_report_calls_it(tmp_path, told):
    report = talk(tmp_path, told, STATEMENTS)
    assert report.ask("what were net sales in fiscal 2023?").text == "$8.412 billion"
    assert report.ask("merchandise inventories at the end of fiscal 2023").text == "$1.94 billion"
    assert report.ask("what were total assets at January 28, 2023?").text == "$6.105 billion"
    assert report.ask("net earnings for the year ended January 28, 2023").text == "$1.117 billion"
    assert report.ask("what were net sales in fy2022?").text == "$7.935 billion"


def test_a_report_that_names_the_year_it_ends_in_is_left_at_that(tmp_path):
    report = talk(tmp_path, HIGHLIGHTS.format("2024", "2023"), STATEMENTS)
    assert report.ask("what were net sales in fiscal 2024?").text == "$8.412 billion"
    assert report.ask("total assets at the end of fiscal 2023").text == "$6.105 billion"


def test_a_release_without_a_cover_is_of_the_years_that_its_sentences_and_heads_name(tmp_path):
    told = "<p>Fiscal year 2022 ended on January 28, 2023.</p>"
    report = talk(tmp_path, told, STATEMENTS, cover="<p>HALEWICK STORES ANNOUNCES RESULTS</p>")
    assert report.ask("what were net sales in fiscal 2023?").text == "$8.412 billion"


QUARTER = """<h2>Consolidated Statements of Earnings</h2><p>($ in millions)</p><table>
<tr><td>13 weeks ended</td><td>February 3, 2024</td><td>January 28, 2023</td></tr>
<tr><td>Net sales</td><td>2,310</td><td>2,140</td></tr><tr><td>Cost of sales</td><td>1,401</td><td>1,322</td></tr>
<tr><td>Net earnings</td><td>333</td><td>301</td></tr></table>"""


def test_the_last_quarter_of_a_year_is_of_the_year_that_it_ends(tmp_path):
    cover = "<p>HALEWICK STORES ANNOUNCES FOURTH QUARTER RESULTS</p><p>Fiscal year 2022 ended on January 28, 2023.</p>"
    report = talk(tmp_path, QUARTER, STATEMENTS, cover=cover)
    assert report.ask("what were net sales last year?").text == "$8.412 billion"
    assert report.ask("net sales in the fourth quarter").text == "$2.31 billion"
    assert report.ask("merchandise inventories").text == "$1.94 billion"
    assert report.ask("net sales Q4 2022").text == "$2.14 billion"


def test_a_release_of_a_quarter_calls_its_year_as_it_says_of_the_quarter(tmp_path):
    ended = "November 2, 2024", "October 28, 2023"
    days = "</td><td>".join(f"{weeks} weeks ended {day}" for weeks in ("13", "39") for day in ended)
    income = f"""<h2>Statements of Earnings</h2><p>(in millions)</p><table><tr><td></td><td>{days}</td></tr>
<tr><td>Net sales</td><td>410</td><td>395</td><td>1,180</td><td>1,150</td></tr>
<tr><td>Net earnings</td><td>$44</td><td>$51</td><td>$110</td><td>$130</td></tr></table>"""
    balance = """<h2>Consolidated Balance Sheets</h2><table>
<tr><td></td><td>November 2, 2024</td><td>February 3, 2024</td></tr>
<tr><td>Merchandise inventories</td><td>150</td><td>140</td></tr></table>"""
    told = "<p>Sales were $410 million in the third quarter of 2024.</p>"
    cover = f"<p>HALEWICK STORES REPORTS THIRD QUARTER 2024 RESULTS</p>{told}"
    report = talk(tmp_path, income, balance, cover=cover)
    assert report.ask("net earnings in the third quarter of 2024").text == "$44 million"
    assert report.ask("net earnings in the third quarter of 2023").text == "$51 million"


def test_last_year_alone_is_the_latest_of_the_report_and_says_so(tmp_path):
    answer = talk(tmp_path, SENTENCES, STATEMENTS).ask("what were net sales last year?")
    assert answer.text == "$8.412 billion"
    assert "'last year' is taken as 2023" in " ".join(flag.message for flag in answer.flags)


def test_a_balance_at_the_end_of_a_year_is_of_that_year_whatever_its_statement(tmp_path):
    report = talk(tmp_path, SENTENCES, STATEMENTS, FLOWS)
    assert report.ask("cash and restricted cash at the end of fiscal 2023").text == "$1.318 billion"
    assert report.ask("cash and restricted cash at the end of fiscal 2022").text == "$1.207 billion"


def test_the_latest_year_is_that_of_the_flows_whatever_year_a_tag_gives_the_day_on_which_it_ends():
    rows = ("", "Fiscal 2023", "Fiscal 2022"), ("Net sales", "8,412", "7,935"), ("Cost of sales", "5,020", "4,833")
    facts = list(facts_of(*rows, ("Net earnings", "1,204", "1,117"), ("Total equity", "2,143", "1,602")).values())
    day = read_period("February 3, 2024")
    facts = [each.changed(period=day) if each.value == 2143 else each for each in facts]
    assert Figures(facts).latest("") == 2023
    balances = [each for each in facts if each.label == "Total equity" and each.period == day]
    assert Figures(balances, {"t1": ("equity", 1.0)}).latest("") == 2024


def test_a_page_calls_its_years_by_figures_that_stand_under_the_name_and_the_day(tmp_path):
    flows = [["", "Fiscal 2023", "Fiscal 2022"], ["Cash at beginning of year", "1,207", "1,133"]]
    flows.append(["Cash at end of year", "1,318", "1,207"])
    balance = [["", "February 3, 2024", "January 28, 2023"], ["Cash", "1,318", "1,207"]]
    balance += [["Merchandise inventories", "1,940", "1,872"], ["Total assets", "6,310", "6,105"]]
    tables = [{"title": "(in millions)", "rows": rows} for rows in (flows, balance)]
    path = tmp_path / "page.json"
    path.write_text(json.dumps([{"id": "page", "pre_text": [], "post_text": [], "tables": tables}]), encoding="utf-8")
    with tieout.open(path) as report:
        assert str(report.ask("what were total assets at the end of fiscal 2023?").text).startswith("6.31 billion")


UNNAMED = [
    ["", "Fiscal years ended", ""],
    ["", "February 3, 2024", "January 28, 2023"],
    ["Net sales", "8,412", "8,105"],
]
NAMED = [["", "Fiscal 2023", "Fiscal 2022"], ["Stores", "311", "302"]]


@pytest.mark.parametrize(
    ("tables", "question", "days"),
    [
        ([UNNAMED], "what were net sales in fiscal 2023?", ("2023-01-28", "2024-02-03")),
        ([UNNAMED], "by how much did net sales grow in 2024?", ("2024-02-03", "the one after it")),
        ([UNNAMED], "what were net sales in the year ended January 28, 2023?", ()),
        ([UNNAMED], "what were net sales?", ()),
        ([UNNAMED, NAMED], "what were net sales in fiscal 2023?", ()),
        ([[[each.replace("February 3", "June 30") for each in row] for row in UNNAMED]], "net sales in 2024?", ()),
    ],
)
def test_a_page_that_prints_days_alone_names_both_years_that_a_number_may_mean(tmp_path, tables, question, days):
    pages = [{"title": "(in millions)", "rows": rows} for rows in tables]
    path = tmp_path / "page.json"
    path.write_text(json.dumps([{"id": "page", "pre_text": [], "post_text": [], "tables": pages}]), encoding="utf-8")
    with tieout.open(path) as report:
        flags = [flag.message for flag in report.ask(question).flags if flag.rule == "unknown year"]
    assert len(flags) == bool(days) and all(day in flags[0] for day in days)


def test_quarters_say_what_the_year_of_a_release_is_called_and_not_that_of_an_annual_report():
    told = ("We bought the mill in the second quarter of 2023.", "It was sold in the third quarter of 2023.")
    forms = {
        form: said_offset(Document(id="x", form=form, paragraphs=told, before=0, tables=()), 2024)
        for form in ("10-K", RELEASE)
    }
    assert forms == {"10-K": None, RELEASE: -1}


@pytest.mark.parametrize(("form", "offset"), [("10-K", -1), ("10-Q", None)])
def test_a_quarterly_report_that_speaks_of_the_year_before_is_not_of_it(form, offset):
    told = ("In fiscal 2023 we opened mills.",) * 5 + ("We have to buy more in fiscal year 2024.",) * 2
    assert said_offset(Document(id="x", form=form, paragraphs=told, before=0, tables=()), 2024) == offset


def test_the_latest_year_that_columns_of_an_annual_report_are_called_by_is_its_own():
    rows = (("", "Fiscal 2023", "2022"), ("Sales", "4,310", "4,120"))
    later = Table(rows=(("", "2023", "2022", "2021"), ("Profit", "1,310", "1,120", "1,007")))
    of_next = Table(rows=(("", "2024"), ("Leases", "3,100")))
    tables = (Table(rows=rows), later, of_next)
    document = Document(id="x", form="10-K", paragraphs=(), before=0, tables=tables)
    assert (headed_offset(document, 2024), headed_offset(document, 2023)) == (-1, 0)
    assert headed_offset(document.model_copy(update={"tables": tables[1:]}), 2024) is None
