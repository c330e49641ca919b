"""What a run is exported to, read back by the readers it is meant for."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from conftest import SAMPLE
from eval_runs import Student, run

from tieout.agent.log.log import log_path
from tieout.data.readers.read import read_conversations
from tieout.eval.score.score import Rule, correct
from tieout.eval.show.export import as_csv, as_parquet, leaderboard, otel, predictions, rows

ASK = SAMPLE / "ask.json"


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(ASK))
        run(folder, ASK)
    return folder


@pytest.fixture(scope="module")
def done(runs):
    from tieout.eval.score.load import load

    return load(runs / "first")


def test_predictions_are_exact_and_score_as_the_run_does(done):
    gold = {(each.id, turn): label for each in read_conversations(ASK) for turn, label in enumerate(each.gold)}
    lines = [json.loads(line, parse_float=Decimal, parse_int=Decimal) for line in predictions(done.results)]
    assert len(lines) == len(gold)
    hits = 0
    for line in lines:
        assert set(line) == {"id", "turn", "answer", "program"}
        answer = line["answer"] == "yes" if isinstance(line["answer"], str) else line["answer"]
        hits += correct(Rule.STRICT, answer, gold[line["id"], int(line["turn"])].answer)
    assert hits == sum(each.right[Rule.STRICT] for each in done.results)
    by_key = {(line["id"], int(line["turn"])): line["answer"] for line in lines}
    for each in done.results:
        if isinstance(each.answer, Decimal):
            assert by_key[each.key] == each.answer
        else:
            assert by_key[each.key] == {None: None, True: "yes", False: "no"}[each.answer]
    assert None in by_key.values() and {"yes", "no"} & set(by_key.values())


def test_the_leaderboard_gets_tokens(done):
    records = json.loads(leaderboard(done.results))
    assert [each["id"] for each in records] == [f"{each.conversation}-{each.turn}" for each in done.results]
    assert all(each["predicted"][-1] == "EOF" for each in records)
    longest = max((each["predicted"] for each in records), key=len)
    assert longest[0].endswith("(") and longest[3] == ")" and len(longest) % 4 == 1
    assert ["n/a", "EOF"] in [each["predicted"] for each in records]


def test_csv_has_a_row_per_turn_and_no_formulas(done):
    table = list(csv.DictReader(io.StringIO(as_csv(done.results))))
    assert len(table) == len(done.results)
    assert {"strict", "main", "lenient", "gold_program", "slice_turn", "seconds"} <= set(table[0])
    assert "confidence" not in table[0]
    for row, each in zip(table, done.results, strict=True):  # each on the scale that its name has everywhere
        assert row["probability"] == ("" if each.probability is None else str(each.probability))
        assert row["check_score"] == ("" if each.check_score is None else str(each.check_score))
        assert each.probability is None or 0 <= each.probability <= 1
    assert max(int(row["check_score"] or 0) for row in table) > 1
    assert [row["strict"] == "True" for row in table] == [each.right[Rule.STRICT] for each in done.results]
    for row in table:
        for value in row.values():
            assert not value.startswith(("=", "+", "@")), value


def test_no_turns_have_the_columns_of_many(done):
    assert as_csv([]) == as_csv(done.results).partition("\n")[0] + "\n"
    parquet = pytest.importorskip("pyarrow.parquet", reason="PYARROW IS NOT INSTALLED: the Parquet export is untested")
    names = [parquet.read_schema(io.BytesIO(as_parquet(turns))).names for turns in ((), done.results)]
    assert names[0] == names[1] == as_csv([]).strip().split(",")


def test_a_question_that_a_spreadsheet_would_run_is_defused(done):
    from dataclasses import replace

    hostile = replace(done.results[0], question='=HYPERLINK("http://x","y")', text="-2+3")
    row = next(csv.DictReader(io.StringIO(as_csv([hostile]))))
    assert row["question"].startswith("'=") and row["text"] == "'-2+3"


def test_parquet_reads_back_as_the_same_rows(done, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="PYARROW IS NOT INSTALLED: the Parquet export is untested")
    (tmp_path / "turns.parquet").write_bytes(as_parquet(done.results))
    assert parquet.read_table(tmp_path / "turns.parquet").to_pylist() == rows(done.results)


def test_events_carry_the_names_of_the_conventions(runs, done):
    folder = runs / "first"
    logs = [(name, log_path(folder, name)) for name in done.manifest.conversations]
    lines = [json.loads(line) for line in otel(done.manifest, logs)]
    kinds = {line["gen_ai.operation.name"] for line in lines}
    assert kinds == {"chat", "execute_tool", "invoke_agent"}
    assert sum(line["gen_ai.operation.name"] == "invoke_agent" for line in lines) == len(done.results)
    calls = [line for line in lines if line["gen_ai.operation.name"] == "execute_tool"]
    assert all(line["gen_ai.tool.name"] and "gen_ai.tool.call.arguments" in line for line in calls)
    assert all(line["gen_ai.conversation.id"] in done.manifest.conversations for line in lines)
    assert any(line.get("error.type") == "overloaded" for line in lines)
