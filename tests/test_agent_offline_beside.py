"""Several things that are asked for by name, offline: the line of a table that has all of them, or each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_agent_offline_lines import ask

import tieout
from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.data.document import Table

REPORT = """<html><head><title>Ostrava Works Annual Report</title></head><body>
<p>Ostrava Works, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>
<h2>Consolidated Statements of Income</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Net sales</td><td>1,900</td><td>1,700</td></tr>
<tr><td>Cost of sales</td><td>1,210</td><td>1,160</td></tr>
<tr><td>Operating income</td><td>190</td><td>170</td></tr>
<tr><td>Net income</td><td>120</td><td>101</td></tr>
<tr><td>Net income attributable to Ostrava</td><td>115</td><td>97</td></tr></table>
<h2>Consolidated Balance Sheets</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Total assets</td><td>3,100</td><td>3,010</td></tr></table>
<h2>Note 3. Segments</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024 Pumps</th><th>2024 Valve Systems</th><th>2024 Fittings</th>
<th>2024 Eliminations</th></tr>
<tr><td>Third-party sales</td><td>800</td><td>600</td><td>500</td><td>0</td></tr>
<tr><td>Total net sales</td><td>850</td><td>640</td><td>530</td><td>(120)</td></tr>
<tr><td>Operating income</td><td>91</td><td>73</td><td>34</td><td>(8)</td></tr></table>
<h2>Note 4. Assets of the segments</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Pumps</td><td>1,400</td><td>1,380</td></tr>
<tr><td>Valve Systems</td><td>1,000</td><td>960</td></tr>
<tr><td>Fittings</td><td>700</td><td>670</td></tr>
<tr><td>Total assets</td><td>3,100</td><td>3,010</td></tr></table>
<h2>Note 5. Net sales by country</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>2024</th><th>2023</th></tr>
<tr><td>Austria</td><td>700</td><td>640</td></tr>
<tr><td>Republic of Korea</td><td>420</td><td>400</td></tr>
<tr><td>Rest of the world</td><td>780</td><td>660</td></tr></table>
<h2>Note 6. Long-lived assets by country</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Austria</td><td>210</td><td>205</td></tr>
<tr><td>Republic of Korea</td><td>88</td><td>80</td></tr>
<tr><td>Rest of the world</td><td>140</td><td>150</td></tr></table>
</body></html>"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "ostrava.htm"
    path.write_text(REPORT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "give me 2024 operating income: Eliminations, Pumps, Fittings",
            ["Eliminations: -$8 million", "Pumps: $91 million", "Fittings: $34 million"],
        ),
        (
            "What were net sales attributed to Austria, the rest of the world and Korea in 2024?",
            ["$700 million", "$780 million", "$420 million"],
        ),
        (
            "long-lived assets in Korea, Austria and the rest of the world at the end of 2024",
            ["$88 million", "$210 million", "$140 million"],
        ),
    ],
)
def test_what_is_asked_for_of_several_is_told_by_the_line_that_has_all(report, question, answer) -> None:
    turn = tieout.open(report).ask(question)
    assert [each.strip() for each in (turn.text or "").split(";")] == answer or all(
        own in each for own, each in zip(answer, (turn.text or "").split(";"), strict=True)
    ), turn.text


def test_lines_that_are_named_are_each_told_by_their_own(report) -> None:
    turn = tieout.open(report).ask("net sales and operating income in 2024?")
    assert turn.text is not None and "$1.9 billion" in turn.text and "$190 million" in turn.text


BACKLOG = Table(
    rows=(
        ("(dollars in millions)", "Funded 2024", "Unfunded 2024", "Total backlog 2024"),
        ("Pumps", "30", "16", "46"),
        ("Valves", "12", "1", "13"),
        ("Total", "42", "17", "59"),
    ),
    title="Backlog of the segments",
)


def test_whether_one_is_the_most_is_no_name_of_a_column_that_is() -> None:
    turn = ask("is pumps the biggest segment by backlog", BACKLOG)
    assert turn.text in ("yes", None) or (turn.probability or 0) < SURE_ENOUGH, turn


def test_how_many_people_left_is_no_number_of_those_who_are_there() -> None:
    said = "On December 31, 2024, the Company employed approximately 92,000 people worldwide."
    there, gone = (ask(f"how many people {each} in 2024", said=said) for each in ("did Alder employ", "did Alder shed"))
    assert there.text is not None and "92,000" in there.text and (there.probability or 0) > SURE_ENOUGH
    assert (gone.probability or 0) < SURE_ENOUGH, gone
