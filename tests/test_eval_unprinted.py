"""Line items asked of filings by their names, held against tags: what is printed, and what is not."""

from __future__ import annotations

import json

from click.testing import CliRunner
from test_agent_another_line import BALANCE, CASH, INCOME, NOTES

from tieout.eval.unprinted import main, stated

HEAD = "<p>Bramwick Tools, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>"
STATED = {"OperatingExpenses": 171, "NetIncomeLoss": 85, "InterestExpense": 99}  # the last is not what is printed


def test_what_no_tag_states_is_counted_apart_from_what_is_answered_right_and_wrong(tmp_path) -> None:
    report = tmp_path / "bramwick_10K.html"
    report.write_text(f"<html><body>{HEAD}{INCOME}{BALANCE}{CASH}{NOTES}</body></html>", encoding="utf-8")
    times = {"start": "2024-01-01", "end": "2024-12-31", "dims": []}
    rows = [
        {"concept": f"us-gaap:{concept}", **times, "value": value * 10**6, "shown": str(value)}
        for concept, value in STATED.items()
    ]
    rows.append({"concept": "us-gaap:Goodwill", **times, "value": None, "shown": ""})  # nil, and so not stated
    facts = tmp_path / "bramwick_10K.facts.jsonl"
    facts.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert stated(facts)["operating_expenses"] == (171 * 10**6,)
    told = CliRunner().invoke(main, [str(report), "--store", str(tmp_path / "store"), "--given"])
    assert told.exit_code == 0, told.output
    by_tag, by_none = told.output.splitlines()[-2:]
    assert by_tag.startswith("stated by a tag: ") and by_none.startswith("stated by none: ")
    assert by_tag == "stated by a tag: 6 questions: 4 right without a doubt, 2 wrong without a doubt"
    assert "What was interest expense? $12 million at" in told.output
    assert " back" in by_none


def test_a_filing_without_facts_beside_it_is_named(tmp_path) -> None:
    report = tmp_path / "bramwick_10K.html"
    report.write_text(f"<html><body>{HEAD}{INCOME}</body></html>", encoding="utf-8")
    told = CliRunner().invoke(main, [str(report), "--store", str(tmp_path / "store")])
    assert told.exit_code == 2
    assert "bramwick_10K.facts.jsonl" in told.output
