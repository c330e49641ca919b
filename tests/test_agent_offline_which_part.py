"""Which part of a company had the most, offline: what kind of part is asked for, and what the question leaves out."""

from __future__ import annotations

import pytest

import tieout
from tieout.agent.offline.answer.parts import CHANCE
from tieout.agent.question.sides import in_sides
from tieout.kg.fact import made_fact
from tieout.kg.lineup import Parts
from tieout.kg.part_kinds import goes_on, is_of_one_part
from tieout.ontology.asked.language import language

NOTE = """<html><head><title>Quillstone Instruments Annual Report</title></head><body>
<p>Quillstone Instruments, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Consolidated Statements of Income</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Net sales</td><td>9,400</td><td>9,250</td></tr>
<tr><td>Operating costs and expenses:</td><td></td><td></td></tr>
<tr><td>Products</td><td>(6,050)</td><td>(5,900)</td></tr>
<tr><td>Services</td><td>(1,510)</td><td>(1,480)</td></tr>
<tr><td>General and administrative</td><td>(840)</td><td>(815)</td></tr>
<tr><td>Operating income</td><td>1,000</td><td>1,055</td></tr></table>
<h2>Note 15. Segments</h2><p>Net sales and operating income by segment were as follows (in millions of dollars):</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Net sales:</td><td></td><td></td></tr>
<tr><td>Optics</td><td>5,210</td><td>5,480</td></tr>
<tr><td>Sensors</td><td>3,010</td><td>2,620</td></tr>
<tr><td>Balances</td><td>940</td><td>1,030</td></tr>
<tr><td>All other</td><td>240</td><td>120</td></tr>
<tr><td>Total net sales</td><td>9,400</td><td>9,250</td></tr>
<tr><td>Operating income:</td><td></td><td></td></tr>
<tr><td>Optics</td><td>460</td><td>560</td></tr>
<tr><td>Sensors</td><td>710</td><td>640</td></tr>
<tr><td>Balances</td><td>(60)</td><td>(35)</td></tr>
<tr><td>All other</td><td>(110)</td><td>(110)</td></tr>
<tr><td>Total operating income</td><td>1,000</td><td>1,055</td></tr></table>
<h2>Note 15a. Regions</h2><p>Net sales by region were as follows (in millions of dollars):</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Net sales</td><td></td><td></td></tr>
<tr><td>Scales and Lenses</td><td></td><td></td></tr>
<tr><td>North America</td><td>5,700</td><td>5,900</td></tr>
<tr><td>Europe</td><td>2,000</td><td>1,900</td></tr>
<tr><td>Asia Pacific</td><td>1,400</td><td>1,250</td></tr>
<tr><td>Total Scales and Lenses</td><td>9,100</td><td>9,050</td></tr>
<tr><td>Refills</td><td>300</td><td>200</td></tr>
<tr><td>Total net sales</td><td>9,400</td><td>9,250</td></tr></table>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Operating income</td><td></td><td></td></tr>
<tr><td>Scales and Lenses</td><td></td><td></td></tr>
<tr><td>North America</td><td>450</td><td>580</td></tr>
<tr><td>Europe</td><td>420</td><td>355</td></tr>
<tr><td>Asia Pacific</td><td>100</td><td>100</td></tr>
<tr><td>Total Scales and Lenses</td><td>970</td><td>1,035</td></tr>
<tr><td>Refills</td><td>30</td><td>20</td></tr>
<tr><td>Total operating income</td><td>1,000</td><td>1,055</td></tr></table>
<h2>Note 16. Geographic information</h2>
<p>Net sales by geographic area, based on the location of the customer, were as follows (in millions of dollars):</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>United States</td><td>4,010</td><td>4,050</td></tr>
<tr><td>Norway</td><td>1,330</td><td>1,400</td></tr>
<tr><td>Peru</td><td>1,260</td><td>1,150</td></tr>
<tr><td>Rest of world</td><td>2,800</td><td>2,650</td></tr>
<tr><td>Total net sales</td><td>9,400</td><td>9,250</td></tr></table></body></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("parts")
    (made / "report.html").write_text(NOTE, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which country outside the US had the most sales in 2024?", "Norway: $1.33 billion"),
        ("which country other than the United States had the highest net sales in 2024?", "Norway: $1.33 billion"),
        ("excluding the US, which country had the highest net sales in 2024?", "Norway: $1.33 billion"),
        ("which country had the most sales in 2024 apart from the US and Norway?", "Peru: $1.26 billion"),
        ("which segment other than Optics had the highest net sales in 2024?", "Sensors: $3.01 billion"),
        ("which segment had the lowest net sales in 2024 (leaving out balances)?", "Sensors: $3.01 billion"),
        ("which segment had the largest sales drop in dollars in 2024?", "Optics: -$270 million"),
        ("which region had the highest operating margin in 2024?", "Europe: 21%"),
        ("which segment had the largest drop in sales in 2024?", "Balances: -8.7%"),
        ("which segment was most profitable in 2024?", "Sensors: $710 million"),
        ("which segment earned the most operating income in 2024?", "Sensors: $710 million"),
        ("which segment had the largest operating loss in 2024?", "Balances: -$60 million"),
        ("which segment lost the most in 2024?", "Balances: -$60 million"),
    ],
)
def test_a_part_is_of_the_kind_that_is_asked_for_and_none_that_is_left_out(folder, question, answer):
    with tieout.open(folder / "report.html", store=folder / "store") as talk:
        told = talk.ask(question)
    assert told.text == answer
    assert told.probability == CHANCE


def test_which_part_fell_more_is_not_whether_the_whole_fell():
    assert in_sides("which segment had the larger decline in revenue in 2024?") is None


def test_a_part_that_is_no_place_is_told_with_doubt_where_a_region_is_asked_for(folder):
    with tieout.open(folder / "report.html", store=folder / "store") as talk:
        told = talk.ask("which region had the lowest net sales in 2024?")
    assert told.text == "Refills: $300 million" and told.probability <= 0.6
    assert any("no places" in flag.message for flag in told.flags)


def across(names: str, caption: str = "Segment results", label: str = "Net revenue") -> Parts:
    """Parts as the columns of one line."""
    facts = [
        made_fact({"name": f"t1r1c{at}", "label": label, "caption": caption, "header": name})
        for at, name in enumerate(names.split(", "))
    ]
    return Parts(facts, names.split(", "))


def test_a_table_that_is_too_wide_goes_on_in_the_same_line_with_other_parts() -> None:
    retail = across("Retail, Corporate & Investment Bank")
    assert goes_on(retail, across("Wealth, Treasury"))
    assert not goes_on(retail, across("Retail, Wealth"))
    assert not goes_on(retail, across("Wealth, Treasury", label="Net income"))
    assert not goes_on(retail, across("Wealth, Treasury", caption="Capital"))


def test_the_parts_of_one_part_stand_below_its_name() -> None:
    segments, lines = across("Retail, Wealth"), across("Loans, Cards", caption="RETAIL")
    assert is_of_one_part(lines, [segments, lines], "which segment had the highest net revenue?")
    assert not is_of_one_part(lines, [segments, lines], "which line of retail had the highest net revenue?")
    assert not is_of_one_part(segments, [segments, lines], "which segment had the highest net revenue?")


@pytest.mark.parametrize(
    ("name", "is_part"),
    [("Corporate & Investment Bank", True), ("Corporate", False), ("Corporate and other", False), ("Retail", True)],
)
def test_what_is_corporate_alone_is_no_part(name: str, *, is_part: bool) -> None:
    assert (language().forms["of no part"].search(name) is None) == is_part
