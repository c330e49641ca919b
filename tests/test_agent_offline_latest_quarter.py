"""Questions that say no time, of a quarterly report, offline: they are of its latest quarter, or of what it prints."""

from __future__ import annotations

import pytest

import tieout

REPORT = """<html><head><title>Tollgate Paper, Inc.</title></head><body><h1>Tollgate Paper, Inc.</h1>
<p>FORM 10-Q</p><p>For the quarterly period ended June 30, 2025</p>
<h2>Condensed Consolidated Statements of Income</h2><p>(Dollars in millions)</p>
<table><tr><td></td><td>Three Months Ended June 30, 2025</td><td>Three Months Ended June 30, 2024</td>
<td>Six Months Ended June 30, 2025</td><td>Six Months Ended June 30, 2024</td></tr>
<tr><td>Net sales</td><td>$ 640</td><td>$ 600</td><td>$ 1,250</td><td>$ 1,260</td></tr>
<tr><td>Cost of sales</td><td>416</td><td>408</td><td>820</td><td>832</td></tr>
<tr><td>Gross profit</td><td>224</td><td>192</td><td>430</td><td>428</td></tr>
<tr><td>Operating income</td><td>88</td><td>80</td><td>150</td><td>170</td></tr>
<tr><td>Net income</td><td>$ 60</td><td>$ 50</td><td>$ 99</td><td>$ 115</td></tr></table>
<h2>Condensed Consolidated Balance Sheets</h2><p>(Dollars in millions)</p>
<table><tr><td></td><td>June 30, 2025</td><td>December 31, 2024</td></tr>
<tr><td>Inventories</td><td>$ 210</td><td>$ 190</td></tr><tr><td>Total assets</td><td>1,900</td><td>1,850</td></tr>
<tr><td>Total liabilities</td><td>900</td><td>880</td></tr>
<tr><td>Total equity</td><td>1,000</td><td>970</td></tr></table>
<h2>Condensed Consolidated Statements of Cash Flows</h2><p>(Dollars in millions)</p>
<table><tr><td></td><td>Six Months Ended June 30, 2025</td><td>Six Months Ended June 30, 2024</td></tr>
<tr><td>Net cash provided by operating activities</td><td>$ 160</td><td>$ 140</td></tr>
<tr><td>Capital expenditures</td><td>(70)</td><td>(65)</td></tr></table>
</body></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("quarterly")
    (path / "report.html").write_text(REPORT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("talk", "answers"),
    [
        (["net income"], ["$60 million"]),
        (["what was net income last year?"], ["$50 million"]),
        (["did net income rise?"], ["yes"]),
        (["did operating income fall?"], ["no"]),
        (["was net income higher than a year ago?"], ["yes"]),
        (["was net income lower than in the same quarter last year?"], ["no"]),
        (["was net income higher than in the same quarter of 2024?"], ["yes"]),
        (["net income growth"], ["20% ($10 million)"]),
        (["gross margin"], ["35%"]),
        (["operating cash flow"], ["$160 million"]),
        (["free cash flow"], ["$90 million"]),
        (["total assets"], ["$1,900 million"]),
        (["revenue", "and a year ago?", "growth?"], ["$640 million", "$600 million", "6.7% ($40 million)"]),
        (["operating income", "as % of sales?", "a year ago?"], ["$88 million", "13.8%", "13.3%"]),
        (["net income for the six months", "and a year ago?"], ["$99 million", "$115 million"]),
    ],
)
def test_what_is_asked_of_no_time_is_of_the_latest_quarter(folder, talk, answers):
    with tieout.open(folder / "report.html", store=folder / "store") as open_report:
        told = [open_report.ask(question) for question in talk]
    assert [each.text.replace("1.9 billion", "1,900 million") for each in told] == answers
    assert [each.flags for each in told] == [()] * len(told)
