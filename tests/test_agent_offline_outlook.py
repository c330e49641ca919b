"""What a report expects, offline: a figure of its outlook, or both ends of a range, told as what it is."""

from __future__ import annotations

import pytest

import tieout
from tieout.agent.answers.checks.check import CERTAIN

RELEASE = """<html><head><title>Larkmoor Stores Announces Fourth Quarter Fiscal 2024 Results</title></head><body>
<h1>Larkmoor Stores, Inc. Announces Fourth Quarter Fiscal 2024 Results</h1>
<h2>Consolidated Statements of Income</h2>
<table>
<tr><td>(dollars in millions, except per share data)</td><td>Fiscal year ended December 31, 2024</td><td>2023</td></tr>
<tr><td>Net sales</td><td>4,310</td><td>4,020</td></tr>
<tr><td>Operating income</td><td>590</td><td>570</td></tr>
<tr><td>Income tax expense</td><td>130</td><td>126</td></tr>
<tr><td>Net income</td><td>420</td><td>405</td></tr>
<tr><td>Diluted earnings per share</td><td>$5.10</td><td>$4.88</td></tr></table>
<p>For fiscal 2025 we expect the Garden segment's revenue to be $310 million.</p>
<p>In 2025 we expect capital expenditures of $150 million to $165 million.</p>
<p>In 2025 we expect depreciation of $90 million.</p>
<h2>Fiscal 2025 Outlook</h2>
<p>Net sales $4.40 billion to $4.55 billion</p>
<p>Comparable sales 2% to 3%</p>
<p>Operating margin 13.6%</p>
<p>Diluted earnings per share $5.20 to $5.45</p>
<h2>About Larkmoor</h2>
<p>Larkmoor operates 212 stores.</p>
</body></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("outlook")
    (path / "release.html").write_text(RELEASE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what net sales do they expect for fiscal 2025?", "$4.4 billion; $4.55 billion"),
        ("net sales guidance for 2025", "$4.4 billion; $4.55 billion"),
        ("what is the outlook for comparable sales?", "2%; 3%"),
        ("operating margin 2025 outlook", "13.6%"),
        ("what diluted EPS is expected for fiscal 2025?", "$5.20 per share; $5.45 per share"),
        ("expected capital expenditures in 2025", "$150 million; $165 million"),
        ("how much depreciation is expected in 2025?", "$90 million"),
    ],
)
def test_what_is_expected_is_told_with_both_ends_of_its_range(folder, question, answer):
    with tieout.open(folder / "release.html", store=folder / "store") as talk:
        told = talk.ask(question)
    assert told.text == answer
    assert {flag.rule for flag in told.flags} == {"not actual"}
    assert (told.probability or 0) >= CERTAIN


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what were net sales in 2024?", "$4,310 million"),
        ("net sales growth in 2024", "7.2%"),
        ("diluted EPS 2024", "$5.10 per share"),
    ],
)
def test_what_has_been_is_none_of_what_is_expected(folder, question, answer):
    with tieout.open(folder / "release.html", store=folder / "store") as talk:
        told = talk.ask(question)
    assert told.text is not None
    assert told.text.startswith((answer, answer.replace("4,310 million", "4.31 billion")))
    assert not told.flags


def test_what_is_expected_of_a_part_or_of_another_year_is_none_of_the_whole(folder):
    with tieout.open(folder / "release.html", store=folder / "store") as talk:
        of_part = talk.ask("what revenue do they expect?")
        other = talk.ask("what net sales do they expect for fiscal 2027?")
    assert "310" not in (of_part.text or "")
    assert other.outcome != "answer" or "unsure" in {flag.rule for flag in other.flags}


def test_the_lines_of_an_outlook_are_of_its_year(folder):
    with tieout.open(folder / "release.html", store=folder / "store") as talk:
        facts = [fact for fact in talk.session.graph.facts() if fact.context.startswith(("Net sales $", "Operating m"))]
    assert {fact.period.year if fact.period else None for fact in facts} == {2025}
    assert {fact.period_from for fact in facts} == {"section"}
