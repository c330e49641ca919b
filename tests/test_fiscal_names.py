"""What a company calls a year that ends in the first months of another: read from print, and asked for by that name."""

import pytest

import tieout

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


def test_last_year_alone_is_the_latest_of_the_report_and_says_so(tmp_path):
    answer = talk(tmp_path, SENTENCES, STATEMENTS).ask("what were net sales last year?")
    assert answer.text == "$8.412 billion"
    assert "'last year' is taken as 2023" in " ".join(flag.message for flag in answer.flags)
