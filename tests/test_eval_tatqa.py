"""TAT-QA and FinQA: read, run with every question for itself, and scored by their own rules beside ours."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from eval_runs import run
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.document import Gold
from tieout.data.readers.read import DataError, read_conversations
from tieout.eval.gold.slices import kind_of, operation_of
from tieout.eval.score.score import Rule
from tieout.eval.score.sets.tatqa import exact_and_f1, judged, number_of, tokens

PAGE = {
    "table": {"uid": "page-1", "table": [["", "2019", "2018"], ["Revenue", "$1,496.5", "1,202.9"]]},
    "paragraphs": [
        {"uid": "b", "order": 2, "text": "Revenue is shown below (in millions):"},
        {"uid": "a", "order": 1, "text": "We sell machines."},
    ],
    "questions": [
        {
            "uid": "q1",
            "order": 1,
            "question": "What was revenue in 2019?",
            "answer": ["$1,496.5"],
            "derivation": "",
            "answer_type": "span",
            "scale": "million",
        },
        {
            "uid": "q2",
            "order": 2,
            "question": "What is the change in revenue?",
            "answer": 293.6,
            "derivation": "1,496.5-1,202.9",
            "answer_type": "arithmetic",
            "scale": "million",
        },
    ],
}


def written(folder: Path, *records: object) -> Path:
    path = folder / "questions.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def gold(*spans: str, scale: str = "", kind: str = "span", derivation: str = "") -> Gold:
    return Gold(answer="; ".join(spans), program="", spans=spans, scale=scale, kind=kind, derivation=derivation)


def test_a_page_of_tatqa_is_a_document_with_independent_questions(tmp_path) -> None:
    [page] = read_conversations(written(tmp_path, PAGE))
    assert page.independent
    assert page.document.paragraphs == ("We sell machines.", "Revenue is shown below (in millions):")
    assert page.document.before == 2
    assert [each.spans for each in page.gold] == [("$1,496.5",), ("293.6",)]
    assert page.gold[1].answer == Decimal("293.6")


@pytest.mark.parametrize(
    ("change", "field"),
    [({"scale": "dozen"}, "scale"), ({"answer_type": "guess"}, "answer_type"), ({"answer": []}, "answer")],
)
def test_a_question_that_is_labelled_oddly_is_refused_by_its_field(tmp_path, change, field) -> None:
    page = PAGE | {"questions": [PAGE["questions"][0] | change]}  # type: ignore[index]
    with pytest.raises(DataError, match=rf"questions\[0\]\.{field}"):
        list(read_conversations(written(tmp_path, page)))


def test_a_record_of_finqa_is_a_conversation_of_one_question(tmp_path) -> None:
    record = {
        "id": "ACME/2019/page_1.pdf-1",
        "pre_text": ["sales ."],
        "post_text": [],
        "table": [["", "2019"], ["sales", "$ 3"]],
        "qa": {"question": "what were sales?", "program": "add(3, const_1)", "exe_ans": 4.0, "answer": "4"},
    }
    [read] = read_conversations(written(tmp_path, record))
    assert read.independent
    assert (read.questions[0].text, read.gold[0].answer, read.gold[0].program) == (
        "what were sales?",
        Decimal("4.0"),
        "add(3, const_1)",
    )


@pytest.mark.parametrize(
    ("answer", "label", "exact"),
    [
        ((("1496.5",), "million"), gold("$1,496.5", scale="million"), True),
        ((("1496.5",), ""), gold("$1,496.5", scale="million"), False),
        ((("58.2",), "million"), gold("$58.2 million"), True),
        ((("-22.2222",), "percent"), gold("-22.22", scale="percent", kind="arithmetic"), True),
        ((("-0.2222",), ""), gold("-22.22", scale="percent", kind="arithmetic"), True),
        ((("22.22",), "percent"), gold("-22.22", scale="percent", kind="arithmetic"), False),
        ((("-6533", "-5062"), "thousand"), gold("(5,062)", "(6,533)", scale="thousand", kind="multi-span"), True),
        ((("3",), "percent"), gold("3%"), True),
        ((("the Fixed-price type",), ""), gold("fixed price type"), True),
        (None, gold("3%"), False),
    ],
)
def test_the_exact_match_is_that_of_the_published_rules(answer, label, exact) -> None:
    assert exact_and_f1(answer, label)[0] is exact


def test_f1_counts_shared_words_and_nothing_without_the_number() -> None:
    assert exact_and_f1((("due to lower sales",), ""), gold("lower sales"))[1] == pytest.approx(2 / 3)
    assert exact_and_f1((("about 7",), ""), gold("about 8"))[1] == 0


def test_main_takes_full_units_and_percent_for_the_same_and_keeps_the_sign() -> None:
    label = gold("1.2", scale="billion", kind="arithmetic")
    assert judged((("1200",), "million"), label)[Rule.MAIN]
    assert judged((("0.2345",), ""), gold("23.45", scale="percent", kind="arithmetic"))[Rule.MAIN]
    assert not judged((("-1.2",), "billion"), label)[Rule.MAIN]
    assert judged((("2018", "2019"), ""), gold("2019", "2018", kind="multi-span"))[Rule.MAIN]
    assert not judged((("2018",), ""), gold("2019", "2018", kind="multi-span"))[Rule.MAIN]


@pytest.mark.parametrize(
    ("wanted", "answer", "right"),
    [
        ("Four", (("4",), ""), True),
        ("XYZ77 million", (("77",), "million"), True),
        ("445.0p", (("445",), ""), True),
        ("XYZ3", (("4",), ""), False),
    ],
)
def test_main_takes_a_number_in_words_or_with_a_unit_for_the_number(wanted, answer, right) -> None:
    assert judged(answer, gold(wanted))[Rule.MAIN] is right


@given(st.decimals(min_value=-(10**9), max_value=10**9, allow_nan=False, places=2))
def test_a_number_printed_any_way_is_the_same_number(value: Decimal) -> None:
    size = value.copy_abs()
    printed = f"({size:,})" if value < 0 else f"$ {size:,}"
    assert number_of(printed) == value
    assert tokens(f"{value}") == tokens(f"{value:f}")


@pytest.mark.parametrize(
    ("label", "kind", "operation"),
    [
        (gold("1", kind="arithmetic", scale="percent", derivation="(3-2)/2"), "calculation", "percentage change"),
        (gold("1", kind="arithmetic", derivation="(3+2)/2"), "calculation", "average"),
        (gold("1", kind="arithmetic", derivation="3-2"), "calculation", "difference"),
        (gold("2019"), "period", "other"),
        (gold("$ 3.5"), "figure", "other"),
        (gold("Apple"), "words", "other"),
        (gold("1", "2", kind="multi-span"), "list of figures", "other"),
    ],
)
def test_slices_tell_kind_and_operation(label, kind, operation) -> None:
    assert kind_of(label) == kind
    if label.kind == "arithmetic":
        assert operation_of(label) == operation


def test_a_gold_answer_that_says_its_scale_is_not_scaled_by_the_label_again() -> None:
    label = gold("$3.0 million", scale="million")
    assert judged((("3.0",), "million"), label)[Rule.MAIN]
    assert not judged((("3.0",), "billion"), label)[Rule.MAIN]
    assert not judged((("3.0",), "million"), label)[Rule.STRICT], "the official score scales it twice"


LANDS = [["", "2019", "2018"], ["Sales by country:", "", ""], ["Norway", "$340", "$300"], ["Chile", "110", "160"]]
SHARES = [["", "2019", "2018"], ["Norsand Inc. (“Norsand”)", "34%", "30%"], ["Quillo Technologies Co.", "11%", "16%"]]
SAID = "The fair value per option exercised in 2019 was 44.50p (2018: 41.20p)."
BOUGHT = "The customers below each accounted for 10% or more of our revenue:"


@pytest.mark.parametrize(
    ("table", "text", "question", "spans"),
    [
        (LANDS, SAID, "What was the fair value per option exercised in 2019?", ["44.50p"]),
        (LANDS, SAID, "Which country had the highest sales in 2018?", ["Norway"]),
        (
            SHARES,
            BOUGHT,
            "What are the respective percentage of revenue from Norsand and Quillo in 2018?",
            ["30%", "16%"],
        ),
    ],
)
def test_what_is_said_is_a_span_as_it_is_printed_and_no_more_than_is_asked_for(
    tmp_path, table, text, question, spans
) -> None:
    page = PAGE | {
        "table": {"uid": "page-1", "table": table},
        "paragraphs": [{"uid": "a", "order": 1, "text": text}],
        "questions": [PAGE["questions"][0] | {"question": question, "answer": spans, "scale": ""}],
    }
    [result] = run(tmp_path / "runs", written(tmp_path, page), backend="offline").results
    assert result.official == (True, 1.0), result.text
