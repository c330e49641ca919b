"""Balance sheets whose columns are bare years."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tieout
from tieout.agent.answers.answer import Answer
from tieout.data.readers.read import read_files
from tieout.kg.build import build

TITLE = "CONSOLIDATED BALANCE SHEETS"
ROWS = [
    ["(in millions)", "2023", "2022"],
    ["Total current assets", "$ 120", "$ 110"],
    ["Property, plant and equipment, net", "80", "70"],
    ["Total assets", "$ 200", "$ 180"],
    ["Total liabilities", "150", "140"],
    ["Total equity", "50", "40"],
    ["Total liabilities and equity", "$ 200", "$ 180"],
]


def asked(folder: Path, question: str, sheets: dict[str, list[list[str]]], *told: str) -> Answer:
    """The answer over a page of these tables, by title, behind what it tells."""
    tables = [{"title": title, "rows": rows} for title, rows in sheets.items()]
    path = folder / "page.json"
    path.write_text(json.dumps([{"id": "page", "pre_text": told, "post_text": [], "tables": tables}]), encoding="utf-8")
    with tieout.open(path) as talk:
        return talk.ask(question)


def test_a_year_over_a_balance_sheet_of_a_page_is_no_span_of_time(tmp_path: Path) -> None:
    turn = asked(tmp_path, "What was total assets at the end of fiscal 2022?", {TITLE: ROWS})
    assert turn.text == "$180 million" and "makes no sense" not in {flag.rule for flag in turn.flags}


FLOWS = [
    ["(in thousands)", "Fiscal Year Ended April 30,", ""],
    ["", "2024", "2023"],
    ["Net loss", "$ (2,790)", "$ (2,680)"],
    ["Cash at beginning of period", "2,975", "3,528"],
    ["Cash at end of period", "$ 1,797", "$ 2,975"],
]
EARNINGS = [
    ["", "Fiscal Years Ended", "", "", ""],
    ["", "February 2, 2024", "", "February 3, 2023", ""],
    ["(in thousands)", "Amount", "% Revenue", "Amount", "% Revenue"],
    ["Revenue:", "", "", "", ""],
    ["Goods", "$ 5,120", "80.00%", "$ 5,025", "79.00%"],
    ["Services", "1,280", "20.00", "1,336", "21.00"],
    ["", "6,400", "100.00", "6,361", "100.00"],
    ["Operating costs:", "", "", "", ""],
    ["Goods", "(3,100)", "48.44", "(3,000)", "47.16"],
    ["Services", "(900)", "14.06", "(950)", "14.93"],
    ["", "(4,100)", "64.06", "(4,000)", "62.88"],
    ["Pre-tax earnings", "2,300", "35.94", "2,361", "37.12"],
]
SHEET = [
    ["", "As of April 30,", ""],
    ["", "2024", "2023"],
    ["Accounts payable", "$ 1,131", "$ 2,461"],
    ["Common stock, $0.01 par value: 50,400 shares authorized; 15,116 and 15,550 shares issued", "9,410", "9,020"],
    ["Total assets", "$ 11,031", "$ 12,030"],
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("accounts payable at the end of fiscal 2023", "$2.461 million"),
        ("what was the net loss in fiscal 2024?", "$2.79 million"),
        ("cash at the end of fiscal 2023", "$2.975 million"),
        ("shares issued at the end of fiscal 2024", "15.116 million shares"),
        ("shares issued at the end of fiscal 2023", "15.55 million shares"),
        (
            "revenue in fiscal 2022",
            "$6.361 million",
        ),  # a line without a label that is the sum of those under `Revenue:`
        ("pre-tax earnings in fiscal 2022", "$2.361 million"),
    ],
)
def test_a_page_of_titled_statements_is_read_as_a_report_that_prints_them(tmp_path, question, answer) -> None:
    """A head that spans years is over each of them, what its title says is over the table, and counts inside a label
    are in the scale and of the days of the columns."""
    sheets = {"STATEMENTS OF CASH FLOWS": FLOWS, "BALANCE SHEETS\n(in thousands, shares too)": SHEET}
    told = [] if "2022" not in question else ["Fiscal 2023 and 2022 ended on February 2, 2024 and February 3, 2023."]
    sheets = {"STATEMENTS OF EARNINGS": EARNINGS} if told else sheets
    assert asked(tmp_path, question, sheets, *told).text == answer


def test_a_year_over_a_balance_sheet_of_a_filing_is_its_last_day(tmp_path: Path) -> None:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    cover = "<p>FORM 10-K</p><p>ANNUAL REPORT</p><p>For the fiscal year ended September 30, 2023</p>"
    path = tmp_path / "filing.htm"
    path.write_text(f"<html><body>{cover}<p><b>{TITLE}</b></p><table>{cells}</table></body></html>", encoding="utf-8")
    (read,) = read_files([path])
    facts = [fact for fact in build(read.document, tieout.tbox()).facts() if fact.label == "Total assets"]
    assert [(fact.raw, fact.period and str(fact.period.start)) for fact in facts] == [
        ("$ 200", "2023-09-30"),
        ("$ 180", "2022-09-30"),
    ]


@pytest.mark.parametrize(
    ("heads", "days"),
    [
        (("December 31, 2023", "2022"), ("2023-12-31", "2022-12-31")),
        (("September 30, 2023", "2022"), ("2023-09-30", "2022-09-24")),
        (("December 31, 2023", "2024"), ("2023-12-31", "2024-01-01")),
    ],
)
def test_a_year_beside_a_day_is_that_day_of_it(tmp_path: Path, heads: tuple[str, str], days: tuple[str, str]) -> None:
    rows: list[list[str]] = [
        ["In millions", *heads],
        ["Total assets", "$ 200", "$ 180"],
        ["Total liabilities", "150", "140"],
    ]
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    told = (
        "<p>Fiscal 2023 and 2022 ended on September 30, 2023 and September 24, 2022.</p>" if "Sept" in heads[0] else ""
    )
    path = tmp_path / "filing.htm"
    path.write_text(f"<html><body>{told}<p>Consolidated Balance Sheet</p><table>{cells}</table></body></html>")
    (read,) = read_files([path])
    assert [section.title for section in read.document.sections] == ["Consolidated Balance Sheet"]
    facts = [fact for fact in build(read.document, tieout.tbox()).facts() if fact.label == "Total assets"]
    assert tuple(str(fact.period and fact.period.start) for fact in facts) == days


SAME_YEAR = [
    ["(in millions)", "August 1, 2021", "January 31, 2021"],
    ["Merchandise inventories", "$ 212", "$ 231"],
    ["Total current assets", "300", "290"],
    ["Total assets", "$ 400", "$ 390"],
    ["Total current liabilities", "150", "140"],
    ["Total liabilities", "250", "245"],
    ["Total equity", "150", "145"],
    ["Total liabilities and equity", "$ 400", "$ 390"],
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("did inventories fall from January 31, 2021 to August 1, 2021?", "yes"),
        ("were inventories higher at August 1, 2021 than at January 31, 2021?", "no"),
        ("did total assets rise since January 31, 2021?", "yes"),
        ("inventories at August 1, 2021 less inventories at January 31, 2021", "-$19 million"),
        ("inventories at 1 August 2021 less inventories on the 31st of January 2021", "-$19 million"),
    ],
)
def test_two_days_of_one_year_are_held_against_each_other(tmp_path: Path, question: str, answer: str) -> None:
    assert asked(tmp_path, question, {TITLE: SAME_YEAR}).text == answer


@pytest.mark.parametrize(
    ("question", "answer"), [("which year had the highest net income?", "2024"), ("net margin", "10%")]
)
def test_the_latest_year_is_that_of_the_flows_where_the_last_day_of_it_is_in_the_next(
    tmp_path: Path, question: str, answer: str
) -> None:
    income = [["(in millions)", "2024", "2023"], ["Net sales", "900", "850"], ["Net income", "90", "82"]]
    days = [["(in millions)", "January 28, 2025", "January 30, 2024"], *SAME_YEAR[1:]]
    assert asked(tmp_path, question, {"Consolidated Statements of Income": income, TITLE: days}).text == answer
