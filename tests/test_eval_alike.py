"""The same questions of a page, of a filing and of a filing beside others."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from filed import read, write

from tieout.data.printed.periods.period import PeriodKind
from tieout.eval.alike import main
from tieout.kg.fact import Fact

QUESTIONS = 16


def stated(fact: Fact) -> dict[str, object]:
    """A figure as tags state it."""
    assert fact.period is not None and fact.period.end is not None
    start = None if fact.period.kind is PeriodKind.DATE else str(fact.period.start)
    known = {"concept": fact.concept, "start": start, "end": str(fact.period.end), "dims": [], "unit": str(fact.unit)}
    return known | {"value": str(fact.exact), "shown": fact.raw}


def test_the_statements_alone_and_other_filings_beside_them_change_no_answer(tmp_path: Path) -> None:
    filing, other = write(tmp_path, "brightmoor", "castellan")
    tagged = [fact for fact in read("brightmoor")[1].facts() if fact.concept and fact.exact is not None]
    lines = [json.dumps(stated(fact)) for fact in tagged if fact.period is not None and fact.period.end is not None]
    filing.with_name("brightmoor.facts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = CliRunner().invoke(main, [str(filing), str(other), "--count", str(QUESTIONS)], catch_exceptions=False)
    assert done.output.splitlines() == [
        f"of {QUESTIONS} questions {QUESTIONS} have an answer in the filing",
        f"of {QUESTIONS} questions {QUESTIONS} are answered alike of the page and of the filing",
        f"of {QUESTIONS} questions {QUESTIONS} are answered alike of the filing alone and among 1 others",
    ]
