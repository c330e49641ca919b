"""The view's recall: which figures of answers are shown, at whatever scale, with tags and without."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from filed import write

from tieout import main
from tieout.eval.score.tokens import tokens_of
from tieout.eval.score.view_recall import without_tags

ASKED = (
    ("sales", "What was revenue in fiscal 2024?", {"gold_number": "3282000000"}),
    ("margin", "What was the gross margin in fiscal 2024?", {"gold_number": 0.433, "figures": [1422, 3282]}),
    ("none", "What was revenue in fiscal 2024?", {"gold_number": 987654}),
    ("words", "Who audits the company?", {"gold": "nobody"}),
)


def measured(folder: Path, *options: str) -> dict[str, object]:
    """What `eval view` tells of the questions above."""
    write(folder, "brightmoor")
    lines = [json.dumps({"id": id, "doc": "brightmoor", "question": text, **more}) for id, text, more in ASKED]
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ["eval", "view", str(folder / "questions.jsonl"), "--reports", str(folder), "--json", *options]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_figures_are_found_at_any_scale_and_those_that_are_not_shown_are_told(tmp_path: Path) -> None:
    told = measured(tmp_path)
    assert (told["questions"], told["seen"], told["missing"]) == (3, 2, ["none"])


def test_what_a_request_to_a_model_shows_is_counted_with_its_tokens(tmp_path: Path) -> None:
    needs = {
        "id": "sales",
        "needs": [{"figure": 3282, "label": "Net sales"}, {"figure": 136, "label": "Finished goods"}],
    }
    needs["sentences"] = {"a": "Interest paid", "b": "nobody ever wrote this"}  # type: ignore[assignment]
    (tmp_path / "needs.jsonl").write_text(json.dumps(needs), encoding="utf-8")
    told = measured(tmp_path, "--needs", str(tmp_path / "needs.jsonl"), "--budget", "600")
    assert (told["questions"], told["missing"]) == (3, ["sales", "none"])
    counted = [told[name] for name in ("figures", "figures_seen", "sentences", "sentences_seen", "not_seen", "away")]
    assert counted == [5, 3, 2, 0, 4, 2]
    assert 2500 < told["median_request"] <= told["most_request"] < 6500  # type: ignore[operator]
    more = measured(tmp_path, "--budget", "3000")["median_request"]
    assert more > told["median_request"] + 1000  # type: ignore[operator]


def test_what_is_not_shown_is_named_a_figure_by_its_label_and_a_sentence_by_its_words(tmp_path: Path) -> None:
    measured(tmp_path)
    needs = {"id": "sales", "needs": [{"figure": 17, "label": "Nothing"}], "sentences": {"a": "nobody wrote this"}}
    (tmp_path / "needs.jsonl").write_text(json.dumps(needs), encoding="utf-8")
    words = ["--reports", str(tmp_path), "--needs", str(tmp_path / "needs.jsonl")]
    done = CliRunner().invoke(main, ["eval", "view", str(tmp_path / "questions.jsonl"), *words])
    assert '  sales: 17 (Nothing), "nobody wrote this" not shown for ' in done.output


def test_tokens_are_counted_by_letters_digits_and_marks() -> None:
    assert tokens_of("Consolidated net sales: 34,229 (2021)\n") == 2 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 1


def test_without_its_tags_a_report_shows_the_same(tmp_path: Path) -> None:
    assert measured(tmp_path, "--untagged")["missing"] == ["none"]
    page = without_tags((tmp_path / "brightmoor.htm").read_bytes())
    assert b"<ix:" not in page and b"xbrli:context" not in page and b"3,282" in page


def test_a_smaller_budget_makes_shorter_views(tmp_path: Path) -> None:
    assert measured(tmp_path, "--budget", "800")["most_tokens"] < measured(tmp_path)["most_tokens"]  # type: ignore[operator]


def test_a_line_that_is_no_question_is_told_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["eval", "view", str(tmp_path / "bad.jsonl"), "--reports", str(tmp_path)])
    assert done.exit_code != 0 and "line 1" in done.output and "Traceback" not in done.output


def test_over_all_that_is_kept_the_report_of_the_question_is_in_the_view(tmp_path: Path) -> None:
    write(tmp_path, "brightmoor", "castellan")
    asked = [("Castellan's", "castellan", 1788), ("Brightmoor's", "brightmoor", 3282), ("", "castellan", 1788)]
    needs = {"id": "castellan Castellan's", "sentences": {"a": "were $1,788 million, an increase of 5.4% over 2023"}}
    (tmp_path / "needs.jsonl").write_text(json.dumps(needs), encoding="utf-8")
    (tmp_path / "both.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "id": f"{doc} {name}",
                    "doc": doc,
                    "question": f"What was {name} revenue in 2024?",
                    "gold_number": gold,
                }
            )
            + "\n"
            for name, doc, gold in asked
        ),
        encoding="utf-8",
    )
    store = ["--store", str(tmp_path / "kept")]
    reports = [str(tmp_path / f"{name}.htm") for name in ("brightmoor", "castellan")]
    assert CliRunner().invoke(main, ["index", *reports, *store]).exit_code == 0
    arguments = ["eval", "view", str(tmp_path / "both.jsonl"), "--reports", str(tmp_path), "--kept", "--json", *store]
    done = CliRunner().invoke(main, [*arguments, "--needs", str(tmp_path / "needs.jsonl")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["questions"], told["seen"], told["with_report"], told["sentences_seen"]) == (3, 3, 3, 1)
