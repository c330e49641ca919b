"""Lines of one name in several tables, parts that have lines of their own, and words that say the same, offline."""

from __future__ import annotations

from decimal import Decimal

import pytest

import tieout
from tieout.agent.offline.answer.company import of_the_company
from tieout.agent.offline.operands.linking import Pick, of_the_whole
from tieout.agent.protocol.message import Card, Request
from tieout.kg.fact import made_fact

REPORT = """<html><head><title>Quarrington Freight Annual Report</title></head><body>
<p>Quarrington Freight, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Loaders</h2><p>(Dollars in millions, except headcount)</p>
<table><tr><th>As of or for the year ended December 31,</th><th>2024</th><th>2023</th></tr>
<tr><td>Revenues</td><td>480</td><td>455</td></tr>
<tr><td>Headcount</td><td>3,120</td><td>3,004</td></tr></table>
<h2>Barges</h2><p>(Dollars in millions, except headcount)</p>
<table><tr><th>As of or for the year ended December 31,</th><th>2024</th><th>2023</th></tr>
<tr><td>Revenues</td><td>305</td><td>290</td></tr>
<tr><td>Headcount</td><td>2,210</td><td>2,150</td></tr></table>
<h2>Financial highlights</h2><p>(Dollars in millions, except headcount)</p>
<table><tr><th>As of or for the year ended December 31,</th><th>2024</th><th>2023</th></tr>
<tr><td>Revenues</td><td>900</td><td>865</td></tr>
<tr><td>Headcount</td><td>6,480</td><td>6,301</td></tr></table>
<h2>Consolidated Statements of Income</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Revenues</td><td>900</td><td>865</td></tr>
<tr><td>Sales and promotion expenses</td><td>61</td><td>74</td></tr>
<tr><td>Net loss</td><td>(38)</td><td>(12)</td></tr></table>
<h2>Note 3. Results by segment</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Loaders</td><td></td><td></td></tr>
<tr><td>Revenues</td><td>480</td><td>455</td></tr>
<tr><td>Operating expenses</td><td>401</td><td>390</td></tr>
<tr><td>Barges</td><td></td><td></td></tr>
<tr><td>Revenues</td><td>305</td><td>290</td></tr>
<tr><td>Operating expenses</td><td>288</td><td>277</td></tr>
<tr><td>Cranes</td><td></td><td></td></tr>
<tr><td>Revenues</td><td>115</td><td>120</td></tr>
<tr><td>Operating expenses</td><td>140</td><td>128</td></tr>
<tr><td>Consolidated</td><td></td><td></td></tr>
<tr><td>Revenues</td><td>900</td><td>865</td></tr>
<tr><td>Operating expenses</td><td>829</td><td>795</td></tr></table>
<h2>Note 5. Revenues by customer</h2><p>Revenues by customer were as follows (in millions of dollars):</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Harbor</td><td>612</td><td>560</td></tr>
<tr><td>Inland</td><td>288</td><td>305</td></tr>
<tr><td>Total revenues</td><td>900</td><td>865</td></tr></table>
<p>Revenues from harbor customers increased by $52 million in 2024 as ports were busier than in 2023.</p>
<h2>Note 9. Debt</h2>
<p>The schedule of principal payments required on debt for the next five years and thereafter is as follows:</p>
<table><tr><th>(In millions of dollars)</th><th>Maturities of debt</th></tr>
<tr><td>2025</td><td>41</td></tr><tr><td>2026</td><td>38</td></tr><tr><td>2027</td><td>57</td></tr>
<tr><td>2028</td><td>22</td></tr><tr><td>2029</td><td>19</td></tr><tr><td>Thereafter</td><td>206</td></tr></table>
</body></html>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("quarrington")
    (made / "quarrington.htm").write_text(REPORT, encoding="utf-8")
    return made


def told(folder, *questions: str) -> tieout.Answer:
    with tieout.open(folder / "quarrington.htm", store=folder / "store") as talk:
        return [talk.ask(question) for question in questions][-1]


@pytest.mark.parametrize(
    ("questions", "answer"),
    [
        (["what were revenues of cranes in 2024"], "$115 million"),
        (["what was the headcount in 2024?"], "6,480"),  # of the company, whichever table comes first
        (["headcount in 2023"], "6,301"),
        (["how much did Quarrington lose in 2024?"], "$38 million"),
        (["how much money did they lose in fiscal 2023?"], "$12 million"),
        (
            ["revenues of the three segments in 2024"],
            "Loaders: $480 million; Barges: $305 million; Cranes: $115 million",
        ),
        (["revenues by segment in 2023"], "Loaders: $455 million; Barges: $290 million; Cranes: $120 million"),
        (["How much less was spent on sales and promotion in 2024 than in 2023?"], "down $13 million"),
        (["How much revenue came from harbor customers in 2024?"], "$612 million"),  # not by how much it rose
        (["by how much did revenue from harbor customers rise in 2024 (in dollars)?"], "$52 million"),
        (["principal to be repaid on debt in 2027"], "$57 million"),
        (["How much must be repaid on the debt in 2026?"], "$38 million"),
        (["debt payments due in 2025?", "and after 2029?"], "$206 million"),
        (
            ["what were revenues of Loaders in 2024?", "barges?", "operating expenses of each?"],
            "$401 million; $288 million",
        ),
    ],
)
def test_the_line_that_is_meant_is_told(folder, questions, answer):
    assert told(folder, *questions).text == answer


def test_each_year_in_which_debt_is_to_be_repaid_is_told(folder):
    found = told(folder, "what has to be repaid on the debt in each of the next five years (2025-2029)?")
    assert found.text.startswith("2025: $41 million; 2026: $38 million; 2027: $57 million; 2028: $22 million")


@pytest.mark.parametrize("question", ["what were QRFs revenues?", "QRFs revenues"])
def test_a_company_is_called_by_its_ticker_with_or_without_an_apostrophe(question):
    card = Card(document_id="quarrington", facts=(), text="", ticker="QRF")
    request = of_the_company(Request(instructions="", tools=(), card=card, question=question))
    assert "QRF" not in request.question
    assert "the company" in request.question


RENTALS = """<html><head><title>Quarrington Freight Annual Report</title></head><body>
<p>Quarrington Freight, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Loaders</h2><p>(dollars in millions)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Freight</td><td>340</td><td>330</td></tr>
<tr><td>Crane rental</td><td>140</td><td>125</td></tr>
<tr><td>Total Revenues</td><td>480</td><td>455</td></tr></table>
<h2>Consolidated Statements of Income</h2>
<table><tr><th>(dollars in millions, except per share amounts)</th><th>2024</th><th>2023</th></tr>
<tr><td>Revenues</td><td></td><td></td></tr>
<tr><td>Freight revenues</td><td>700</td><td>690</td></tr>
<tr><td>Crane rental revenues</td><td>200</td><td>175</td></tr>
<tr><td>Total Revenues</td><td>900</td><td>865</td></tr>
<tr><td>Net income</td><td>38</td><td>12</td></tr>
<tr><td>Diluted earnings per share</td><td>0.38</td><td>0.12</td></tr></table>
<h2>Consolidated Balance Sheets</h2>
<table><tr><th>(dollars in millions)</th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Cash and cash equivalents</td><td>41</td><td>52</td></tr>
<tr><td>Total assets</td><td>730</td><td>705</td></tr>
<tr><td>Total liabilities</td><td>310</td><td>303</td></tr>
<tr><td>Total equity</td><td>420</td><td>402</td></tr></table>
<h2>Consolidated Statements of Cash Flows</h2>
<table><tr><th>(dollars in millions)</th><th>2024</th><th>2023</th></tr>
<tr><td>Net income</td><td>38</td><td>12</td></tr>
<tr><td>Net cash provided by operating activities</td><td>77</td><td>60</td></tr>
<tr><td>Net cash used in investing activities</td><td>(88)</td><td>(51)</td></tr></table>
<h2>Staff</h2>
<table><tr><th>As of or for the three months ended</th><th>June 30, 2024</th><th>March 31, 2024</th>
<th>December 31, 2023</th><th>June 30, 2023</th></tr>
<tr><td>Headcount</td><td>6,480</td><td>6,440</td><td>6,301</td><td>6,250</td></tr></table>
</body></html>
"""


@pytest.mark.parametrize(
    ("questions", "answer"),
    [
        (["what were total revenues of crane rental in 2024?"], "$200 million"),  # the head is of shares, not the line
        (["headcount at June 30, 2023"], "6,250"),
        (["how much higher was headcount at June 30, 2024 than a year before?"], "230"),
        (["by how much did headcount rise from June 30, 2023 to June 30, 2024?"], "230"),
        (["how many more people did the company employ at June 30, 2024 than a year before?"], "230"),
    ],
)
def test_what_is_of_the_company_and_of_a_day_is_told(tmp_path_factory, questions, answer):
    made = tmp_path_factory.mktemp("rentals")
    (made / "quarrington.htm").write_text(RENTALS, encoding="utf-8")
    assert (told(made, *questions).text or "").removesuffix(" (scale not stated)") == answer


WINTER = """<html><head><title>Quarrington Stores Annual Report</title></head><body>
<p>Quarrington Stores, Inc.</p><p>Annual report for the fiscal year ended January 28, 2024</p>
<h2>Consolidated Balance Sheets</h2>
<table><tr><th>(dollars in millions)</th><th>January 28, 2024</th><th>January 29, 2023</th></tr>
<tr><td>Inventories</td><td>210</td><td>250</td></tr>
<tr><td>Total assets</td><td>730</td><td>705</td></tr></table>
<h2>Measures</h2>
<table><tr><th>(dollars in millions, except ratios)</th><th>Fiscal 2023</th><th>Fiscal 2022</th></tr>
<tr><td>Net sales</td><td>1,400</td><td>1,310</td></tr>
<tr><td>Return on invested capital</td><td>25</td><td>22</td></tr></table>
</body></html>
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("inventories in Jan 2023", "$250 million"),
        ("inventories in January 2024", "$210 million"),
        ("by what percentage did inventories fall between Jan 2023 and Jan 2024?", "down 16%"),
    ],
)
def test_a_month_in_which_a_fiscal_year_ends_is_its_end(tmp_path_factory, question, answer):
    made = tmp_path_factory.mktemp("winter")
    (made / "quarrington.htm").write_text(WINTER, encoding="utf-8")
    assert told(made, question).text == answer


def test_a_return_on_capital_is_no_amount_of_money(tmp_path_factory):
    made = tmp_path_factory.mktemp("winter")
    (made / "quarrington.htm").write_text(WINTER, encoding="utf-8")
    assert "$" not in (told(made, "return on invested capital in fiscal 2023").text or "")


PLACES = """<html><head><title>Quarrington Stores Annual Report</title></head><body>
<p>Quarrington Stores, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Net sales by country</h2><p>Net sales were as follows:</p>
<table><tr><th>(dollars in millions)</th><th>2024</th><th>2023</th></tr>
<tr><td>Norway</td><td>310</td><td>300</td></tr>
<tr><td>Total net sales</td><td>310</td><td>300</td></tr></table>
<h2>Floor space</h2>
<table><tr><th></th><th>Square feet</th></tr>
<tr><td>Iceland</td><td>71,450</td></tr>
<tr><td>Norway</td><td>90,210</td></tr></table>
</body></html>
"""


def test_a_list_of_sales_has_no_floor_space_without_a_warning(tmp_path_factory):
    made = tmp_path_factory.mktemp("places")
    (made / "quarrington.htm").write_text(PLACES, encoding="utf-8")
    found = told(made, "what were net sales in Norway and Iceland?")
    assert "71,450" not in (found.text or "") or found.flags


@pytest.mark.parametrize(
    ("amounts", "unit", "first"),
    [
        (("130", "69", "278", "41"), "USD", "278"),  # the others add up to no more
        (("130", "278"), "USD", "278"),
        (("5", "-43", "-38"), "USD", "5"),  # a loss of a part may be more than that of all
        (("13.8", "19.9"), "percent", "13.8"),  # and a rate is of no parts
    ],
)
def test_of_lines_that_fit_alike_the_company_comes_first(amounts, unit, first):
    facts = [
        made_fact(
            {"name": f"t{at}r1c1", "label": "Orders", "table": at, "row": 1, "column": 1, "unit": unit, "raw": each}
        )
        for at, each in enumerate(amounts, 1)
    ]
    picks = [Pick(fact.changed(value=Decimal(fact.raw)), 1.0) for fact in facts]
    assert of_the_whole(picks)[0].fact.raw == first
