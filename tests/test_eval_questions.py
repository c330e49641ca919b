"""Questions made from the tags of filings: which fiscal year they name."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from tieout.eval.questions import main, make_questions


@pytest.mark.parametrize(
    ("period", "last", "asked"),
    [
        ("FY", "2025-02-01", 2025),
        ("Q2", "2025-02-01", 2024),
        ("FY", "2026-12-31", 2026),  # the file kept the year of an earlier report
        ("FY", "2023-06-30", 2023),
    ],
)
def test_a_year_is_named_as_its_filing_names_it_where_that_can_be(
    tmp_path: Path, period: str, last: str, asked: int
) -> None:
    """A filing of a quarter names the year after its last whole one."""
    tags = {"DocumentFiscalYearFocus": "2025", "DocumentFiscalPeriodFocus": period}
    told = "".join(f'<ix:nonNumeric name="dei:{name}">{value}</ix:nonNumeric>' for name, value in tags.items())
    (tmp_path / "mills.htm").write_text(f"<html><body>{told}</body></html>", encoding="utf-8")
    start = str(date.fromisoformat(last) - timedelta(days=363))
    fact = {"concept": "us-gaap:NetIncomeLoss", "start": start, "end": last, "dims": []}
    facts = tmp_path / "mills.facts.jsonl"
    facts.write_text(json.dumps(fact | {"value": "7000000", "shown": "7"}), encoding="utf-8")
    done = CliRunner().invoke(main, [str(facts), "-o", str(tmp_path / "out.jsonl")], catch_exceptions=False)
    assert done.exit_code == 0
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["question"].rpartition(" ")[2] for line in lines} == {f"{asked}?"}


def test_no_label_is_that_of_a_metric_and_an_amount_counts_as_its_line_is_meant() -> None:
    def facts(concept: str, start: str | None) -> dict[str, object]:
        return {"concept": concept, "start": start, "end": "2024-12-31", "dims": [], "value": "7000000", "shown": "7"}

    paid = facts("us-gaap:PaymentsForProceedsFromOtherInvestingActivities", "2024-01-01")
    due = [facts(f"us-gaap:{name}", None) for name in ("LongTermDebtCurrent", "OperatingLeaseLiabilityCurrent")]
    made = list(make_questions("mills", [*due, paid]))
    assert {each["gold_number"] for each in made if each["concept"] == paid["concept"]} == {"-7000000"}
    assert made and not any("was debt " in each["question"] for each in made)
    assert not any("was operating lease" in each["question"] for each in made)  # which is asked of all of them
