"""Questions about whole reports, as FinanceBench writes them: run, scored by the main rule, gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from filed import ontology, write

from tieout import main
from tieout.data.document import Gold
from tieout.data.printed.amount import Unit
from tieout.eval.gold.report_questions import QuestionsError, find_report, is_report_questions, read_questions
from tieout.eval.run import reports
from tieout.eval.score.load import load
from tieout.eval.score.score import Rule
from tieout.eval.score.sets.report_answer import is_right
from tieout.kg.reports.indexing import Step, index_files

SALES = "What was revenue in fiscal 2024?"
ASKED: tuple[dict[str, Any], ...] = (
    {"id": "full", "question": SALES, "gold": "$3,282", "gold_number": 3282000000},
    {"id": "printed", "question": SALES, "gold": "$3282.00", "gold_number": 3282.0},
    {"id": "billions", "question": f"{SALES} Answer in USD billions.", "gold": "$3.30", "gold_number": 3.3},
    {"id": "other", "question": f"{SALES} Answer in USD billions.", "gold": "$3282", "gold_number": 3282.0},
    {"id": "wrong", "question": SALES, "gold": "$3,300", "gold_number": 3300},
    {"id": "words", "question": "Who audits the company?", "gold": "nobody"},
)
RIGHT = (True, True, True, False, False)


def asked(folder: Path, questions: tuple[dict[str, Any], ...] = ASKED) -> Path:
    """A file of questions, beside the report that they are about."""
    write(folder, "brightmoor")
    path = folder / "questions.jsonl"
    path.write_text(
        "".join(f"{json.dumps(each | {'doc': 'brightmoor.htm'})}\n" for each in questions), encoding="utf-8"
    )
    return path


def run(folder: Path, *options: str) -> Result:
    words = ["eval", "run", str(folder / "questions.jsonl"), "--run", "a", "--runs", str(folder / "runs"), *options]
    return CliRunner().invoke(main, [*words, "--no-store"], catch_exceptions=False)


def test_a_run_over_whole_reports_is_scored_at_the_scale_that_is_asked_and_goes_on(tmp_path: Path) -> None:
    asked(tmp_path)
    done = run(tmp_path, "--reports", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert "words, field gold_number: is missing" in done.stderr
    found = load(tmp_path / "runs" / "a")
    assert [result.right[Rule.MAIN] for result in found.results] == list(RIGHT)
    assert [result.right[Rule.STRICT] for result in found.results] == list(RIGHT)
    assert found.manifest.conversations == {"brightmoor.htm": 5} and list(found.manifest.reports) == ["brightmoor.htm"]
    before = (tmp_path / "runs" / "a" / "brightmoor.htm.jsonl").read_bytes()
    again = run(tmp_path, "--reports", str(tmp_path))
    assert again.exit_code == 0 and (tmp_path / "runs" / "a" / "brightmoor.htm.jsonl").read_bytes() == before
    (tmp_path / "brightmoor.htm").write_text("<html><body><p>Another report.</p></body></html>", encoding="utf-8")
    changed = run(tmp_path, "--reports", str(tmp_path))
    assert changed.exit_code == 1 and "the report 'brightmoor.htm' of run 'a' has changed" in changed.stderr
    wrong = CliRunner().invoke(main, ["eval", "failures", str(tmp_path / "runs" / "a")], catch_exceptions=False)
    assert "no program to compare with" in wrong.output and "gold suspect" not in wrong.output


def test_without_a_folder_of_reports_a_run_says_what_is_missing(tmp_path: Path) -> None:
    asked(tmp_path)
    assert "--reports names their folder" in run(tmp_path).stderr
    (tmp_path / "empty").mkdir()
    assert "there is no report 'brightmoor.htm'" in run(tmp_path, "--reports", str(tmp_path / "empty")).stderr


@pytest.mark.parametrize(
    ("value", "unit", "scale", "gold", "percent", "question", "right"),
    [
        ("30.79", Unit.PERCENT, 1, "30.8", True, "by what percent?", True),
        ("0.3079", None, 1, "30.8", True, "by what percent?", True),
        ("30.79", None, 1, "30.8", True, "by what percent?", True),
        ("31.2", Unit.PERCENT, 1, "30.8", True, "by what percent?", False),
        ("68.36", Unit.PERCENT, 1, "0.68", False, "what is the ratio?", True),
        ("68.36", None, 1, "0.68", False, "what is the ratio?", False),
        ("-1577", "USD", 10**6, "1577", False, "what was it?", False),
        ("8738", "USD", 10**6, "8.7", False, "what was it, in USD billions?", True),
        ("8738", "USD", 10**6, "8738", False, "what was it, in billions?", False),
        ("5466312", "USD", 1000, "5466", False, "what was it (in USD millions)?", True),
        ("5466312", "USD", 1000, "5466", False, "what was it?", False),
    ],
)
def test_scale_and_percent_of_a_gold_number_are_known(
    value: str, unit: str | None, scale: int, gold: str, percent: bool, question: str, right: bool
) -> None:
    label = Gold(answer=Decimal(gold), program="", spans=(gold,), scale="percent" if percent else "", kind="report")
    assert is_right(Decimal(value), unit, scale, label, question, Rule.MAIN) is right


def test_a_file_of_questions_is_told_from_one_of_pages_and_a_report_from_what_lies_beside_it(tmp_path: Path) -> None:
    path = asked(tmp_path)
    (tmp_path / "pages.json").write_text('[{"id": "a", "doc": {}, "question": "q"}]', encoding="utf-8")
    assert is_report_questions(path) and not is_report_questions(tmp_path / "pages.json")
    (tmp_path / "brightmoor.jsonl").write_text("{}", encoding="utf-8")
    assert find_report(tmp_path, "brightmoor") == tmp_path / "brightmoor.htm"
    path.write_text(f"{json.dumps(ASKED[0] | {'doc': 'a'})}\n" * 2, encoding="utf-8")
    with pytest.raises(QuestionsError, match="twice"):
        list(read_questions(path))


def test_what_an_answer_is_made_of_may_be_listed_beside_the_questions(tmp_path: Path) -> None:
    path = asked(tmp_path)
    needs = tmp_path / "needs.jsonl"
    needs.write_text('{"id": "full", "needs": [{"label": "Gross profit", "figure": 1422}, 3282]}\n', encoding="utf-8")
    first, second, *_ = read_questions(path, needs)
    assert [(need.figure, need.label) for need in first.figures] == [(1422, "Gross profit"), (3282, "")]
    assert [need.figure for need in second.figures] == [3282]
    words = ["eval", "view", str(path), "--reports", str(tmp_path), "--needs", str(needs), "--untagged", "--json"]
    told = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
    assert told["missing"] == ["billions", "wrong"] and told["most_tokens"] <= 6000


def test_many_workers_read_reports_with_few_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[int] = []

    def counted(*arguments: Any, **more: Any) -> Iterator[Step]:
        jobs.append(arguments[3])
        return index_files(*arguments, **more)

    monkeypatch.setattr(reports, "index_files", counted)
    (path,) = write(tmp_path, "brightmoor")
    with reports.kept_reports({"brightmoor": path}, ontology(), tmp_path / "store", jobs=16) as shelf:
        assert shelf.ids == {"brightmoor": "brightmoor"}
    assert jobs == [reports.MOST_READING]
