"""Balance sheets whose columns are bare years."""

from __future__ import annotations

import json
from pathlib import Path

import tieout
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


def test_a_year_over_a_balance_sheet_of_a_page_is_no_span_of_time(tmp_path: Path) -> None:
    page = {"id": "page", "pre_text": [], "post_text": [], "tables": [{"title": TITLE, "rows": ROWS}]}
    path = tmp_path / "page.json"
    path.write_text(json.dumps([page]), encoding="utf-8")
    turn = tieout.open(path).ask("What was total assets at the end of fiscal 2022?")
    assert turn.text == "$180 million" and "makes no sense" not in {flag.rule for flag in turn.flags}


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
