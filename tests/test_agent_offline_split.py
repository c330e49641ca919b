"""What an amount is made of, offline: by segment, by region, by its components, in a first question and in talk."""

from __future__ import annotations

import pytest
from test_agent_offline_lines import ask

import tieout
from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.data.document import Table

REPORT = """<html><head><title>Fennimore Mills Annual Report</title></head><body>
<p>Fennimore Mills, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Consolidated Statements of Income</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Net sales</td><td>900</td><td>820</td></tr>
<tr><td>Cost of sales</td><td>610</td><td>560</td></tr>
<tr><td>Gross profit</td><td>290</td><td>260</td></tr></table>
<h2>Consolidated Balance Sheets</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Inventories</td><td>214</td><td>190</td></tr>
<tr><td>Total assets</td><td>1,100</td><td>1,010</td></tr></table>
<h2>Note 4. Inventories</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Raw materials</td><td>61</td><td>52</td></tr>
<tr><td>Work in process</td><td>40</td><td>33</td></tr>
<tr><td>Finished goods</td><td>113</td><td>105</td></tr>
<tr><td>Total inventories</td><td>214</td><td>190</td></tr></table>
<h2>Note 12. Segments</h2><p>Net sales by segment were as follows (in millions of dollars):</p>
<table><tr><th>Segment</th><th>2024</th><th>2023</th></tr>
<tr><td>Flour</td><td>510</td><td>470</td></tr>
<tr><td>Feed</td><td>270</td><td>255</td></tr>
<tr><td>Other</td><td>120</td><td>95</td></tr>
<tr><td>Net sales</td><td>900</td><td>820</td></tr></table>
<h2>Note 14. Results of the quarter and of the year</h2>
<p>Net sales by region were as follows (in millions of dollars):</p>
<table><tr><th>Region</th><th>Three months ended December 31, 2024</th>
<th>Twelve months ended December 31, 2024</th></tr>
<tr><td>Northern Europe</td><td>160</td><td>600</td></tr>
<tr><td>Asia</td><td>80</td><td>300</td></tr>
<tr><td>Net sales</td><td>240</td><td>900</td></tr></table>
<h2>Note 8. Goodwill by segment</h2><p>The goodwill balance by segment follows (in millions of dollars):</p>
<table><tr><th></th><th>Flour</th><th>Feed</th><th>Total</th></tr>
<tr><td>Balance as of December 31, 2023</td><td>41</td><td>26</td><td>67</td></tr>
<tr><td>Translation and other</td><td>3</td><td>7</td><td>10</td></tr>
<tr><td>Balance as of December 31, 2024</td><td>44</td><td>33</td><td>77</td></tr></table>
<h2>Note 9. Stock awards</h2><p>Stock-based compensation expense was as follows (in millions of dollars):</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Cost of sales</td><td>4</td><td>3</td></tr>
<tr><td>Selling and marketing</td><td>9</td><td>8</td></tr>
<tr><td>General and administrative</td><td>12</td><td>10</td></tr>
<tr><td>Total stock-based compensation expense</td><td>25</td><td>21</td></tr></table>
<h2>Note 10. Brands</h2><p>Net sales of the Flour segment by brand were as follows (in millions of dollars):</p>
<table><tr><th>Brand</th><th>2024</th><th>2023</th></tr>
<tr><td>Alderdale</td><td>310</td><td>300</td></tr>
<tr><td>Birchwick</td><td>200</td><td>170</td></tr>
<tr><td>Total Flour</td><td>510</td><td>470</td></tr></table>
<h2>Note 13. Mills</h2><p>Tons milled, by mill:</p>
<table><tr><th>Mill</th><th>2024</th><th>2023</th></tr>
"""
MILLS = "".join(f"<tr><td>Mill {each}</td><td>{each + 7},301</td><td>{each + 3},207</td></tr>" for each in range(200))
BY_SEGMENT = "Flour: $510 million; Feed: $270 million; Other: $120 million"
OF_STOCK = "Finished goods: $113 million; Raw materials: $61 million; Work in process: $40 million"
BY_LINE = "General and administrative: $12 million; Selling and marketing: $9 million; Cost of sales: $4 million"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("split")
    (made / "report.html").write_text(f"{REPORT}{MILLS}</table></body></html>", encoding="utf-8")
    return made


def told(folder, *questions: str) -> tieout.Answer:
    with tieout.open(folder / "report.html", store=folder / "store") as talk:
        return [talk.ask(question) for question in questions][-1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("net sales by segment", BY_SEGMENT),
        ("what was revenue by segment in 2024?", BY_SEGMENT),
        ("break down net sales by segment", BY_SEGMENT),
        ("breakdown of sales by operating segment", BY_SEGMENT),
        ("which segments make up net sales?", BY_SEGMENT),
        ("net sales by segment in 2023", "Flour: $470 million; Feed: $255 million; Other: $95 million"),
        ("what are inventories made of?", OF_STOCK),
        ("breakdown of inventories", OF_STOCK),
        ("break down inventories at the end of 2024", OF_STOCK),
        ("Net sales by major business segment, fiscal 2024", BY_SEGMENT),
        ("2024 sales for every reportable segment", BY_SEGMENT),
        ("How much did each of the segments sell in 2024?", BY_SEGMENT),
        ("Into which segments does the company split its net sales?", BY_SEGMENT),
        ("net sales by segment in 2024 (flour, feed)", "Flour: $510 million; Feed: $270 million"),
        ("How do inventories split up by stage of completion?", OF_STOCK),
        ("components of inventories at the end of 2024", OF_STOCK),
        ("net sales for each region in 2024", "Northern Europe: $600 million; Asia: $300 million"),
        ("goodwill by segment at december 31 2024", "Flour: $44 million; Feed: $33 million"),
        ("stock-based compensation expense by function in 2024", BY_LINE),
        ("stock comp 2024 split by line item", BY_LINE),
        ("Flour net sales by brand in 2024", "Alderdale: $310 million; Birchwick: $200 million"),
    ],
)
def test_an_amount_is_split_as_a_table_splits_it(folder, question, answer):
    found = told(folder, question)
    assert found.text == answer
    assert not [flag for flag in found.flags if flag.rule == "left open"]


@pytest.mark.parametrize(
    ("first", "then", "answer"),
    [
        ("what were net sales in 2024?", "by segment?", BY_SEGMENT),
        ("net sales", "and split by segment", BY_SEGMENT),
        ("inventories", "what are they made of?", OF_STOCK),
        ("inventories at the end of 2024", "break it down", OF_STOCK),
    ],
)
def test_what_was_told_is_split_in_talk(folder, first, then, answer):
    assert told(folder, first, then).text == answer


def test_parts_of_which_nothing_says_how_they_are_called_are_told_with_doubt(folder):
    found = told(folder, "net sales by distribution channel in 2024")
    assert found.outcome == "clarify" or any(flag.rule == "left open" for flag in found.flags)


@pytest.mark.parametrize(
    "question", ["what is gross profit made of?", "break down total assets", "cost of sales by segment in 2024"]
)
def test_what_no_table_splits_is_asked_back_and_never_told_whole(folder, question):
    assert told(folder, question).outcome == "clarify"


def test_a_line_that_is_called_as_another_measure_is_not_the_one_that_its_table_is_titled_by() -> None:
    rows = (
        ("(in millions)", "Harbour 2024", "Inland 2024", "Mountain 2024"),
        ("Net interest income", "90", "20", "10"),
        ("Noninterest expense", "70", "15", "2"),
    )
    turn = ask("which segment had the highest net income in 2024?", Table(rows=rows, title="Segments, net income"))
    assert (turn.probability or 0) < SURE_ENOUGH
