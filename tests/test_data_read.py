"""Report files of every layout, and every way in which they can be broken."""

from __future__ import annotations

import json
import tracemalloc
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tieout.data.readers.paths import find_files
from tieout.data.readers.read import DataError, find_conversation, read_conversations, read_files
from tieout.data.readers.records import CHUNK, read_records


def official(identifier="Single_AB/2009/page_1.pdf-1", **annotation) -> dict:
    return {
        "id": identifier,
        "pre_text": ["revenue rose .", "in millions ."],
        "post_text": ["see note 3 ."],
        "table": [["", "2009", "2008"], ["revenue", "$ 3.10", "$ 2.5"]],
        "annotation": {
            "dialogue_break": ["what was the revenue in 2009?", "did it rise?"],
            "turn_program": ["3.10", "greater(3.10, 2.5)"],
            "exe_ans_list": [3.10, "yes"],
            "answer_list": ["3.10", "yes"],
            "qa_split": [0, 1],
            **annotation,
        },
    }


def turn(number: int, **fields) -> dict:
    record = official()
    notes = record["annotation"]
    notes["cur_dial"] = notes["dialogue_break"][: number + 1]
    notes["turn_ind"] = number
    notes["cur_program"] = notes["turn_program"][number]
    notes["exe_ans"] = notes["exe_ans_list"][number]
    return record | {"id": f"{record['id']}_{number}"} | fields


def cleaned() -> dict:
    record = official()
    notes = record["annotation"]
    return {
        "id": record["id"],
        "doc": {
            "pre_text": "revenue rose . in millions .",
            "post_text": "see note 3 .",
            "table": {"2009": {"revenue": 3.1, "tax": -27.0}, "2008": {"revenue": 2.5}},
        },
        "dialogue": {
            "conv_questions": notes["dialogue_break"],
            "conv_answers": ["3.10", "yes"],
            "turn_program": notes["turn_program"],
            "executed_answers": notes["exe_ans_list"],
            "qa_split": [False, True],
        },
        "features": {"num_dialogue_turns": 2},
    }


@pytest.fixture
def write(tmp_path):
    def write(value, name="reports.json"):
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


def read(path):
    problems = []
    return list(read_conversations(path, problems.append)), problems


def test_an_official_record_is_read_with_everything_in_it(write):
    (conversation,), problems = read(write([official()]))
    document = conversation.document
    assert not problems
    assert document.id == conversation.id == "Single_AB/2009/page_1.pdf-1"
    assert document.paragraphs == ("revenue rose .", "in millions .", "see note 3 .")
    assert document.before == 2
    assert document.tables[0].rows[1] == ("revenue", "$ 3.10", "$ 2.5")
    assert [question.text for question in conversation.questions] == official()["annotation"]["dialogue_break"]
    assert [(gold.answer, gold.program, gold.printed, gold.source) for gold in conversation.gold] == [
        (Decimal("3.1"), "3.10", "3.10", 0),
        ("yes", "greater(3.10, 2.5)", "yes", 1),
    ]


def test_turn_records_of_one_conversation_become_one_in_whatever_order_they_stand(write):
    (expected,), _ = read(write([official()], "whole.json"))
    for records in ([turn(0), turn(1)], [turn(1), turn(0)], [turn(1)]):
        assert read(write(records))[0] == [expected]


def test_turn_records_of_two_conversations_may_be_mixed(write):
    other = [turn(number) for number in (0, 1)]
    for number, record in enumerate(other):
        record["id"] = f"Single_CD/2010/page_2.pdf-1_{number}"
    found, problems = read(write([turn(0), other[0], turn(1), other[1]]))
    assert not problems
    assert [conversation.id for conversation in found] == ["Single_AB/2009/page_1.pdf-1", "Single_CD/2010/page_2.pdf-1"]


def test_a_turn_record_without_the_fields_of_the_conversation_still_gives_its_turns(write):
    records = [turn(0), turn(1)]
    for record in records:
        for name in ("dialogue_break", "turn_program", "exe_ans_list", "answer_list", "qa_split"):
            del record["annotation"][name]
    (conversation,), problems = read(write(records))
    assert not problems
    assert [gold.program for gold in conversation.gold] == ["3.10", "greater(3.10, 2.5)"]


def test_a_turn_record_with_another_report_than_its_conversation_is_reported(write):
    found, problems = read(write([turn(0), turn(1, pre_text=["another page ."])]))
    assert len(found) == 1
    assert [(problem.record, "differs" in problem.message) for problem in problems] == [
        ("Single_AB/2009/page_1.pdf-1_1", True)
    ]


def test_the_cleaned_layout_gives_the_same_conversation_but_for_its_damage(write):
    (expected,), _ = read(write([official()], "whole.json"))
    (conversation,), problems = read(write({"dev": [cleaned()]}))
    assert not problems
    assert conversation.questions == expected.questions
    assert conversation.gold == expected.gold
    assert conversation.document.paragraphs == expected.document.paragraphs
    assert conversation.document.before == 2
    assert conversation.document.tables[0].rows == (
        ("", "2009", "2008"),
        ("revenue", "3.1", "2.5"),
        ("tax", "-27.0", ""),
    )


def test_several_splits_are_read_one_after_the_other(write):
    second = cleaned() | {"id": "b"}
    assert [c.id for c in read(write({"train": [cleaned()], "dev": [second]}))[0]] == [cleaned()["id"], "b"]


def test_the_layout_is_told_by_content_whatever_the_file_is_called(write):
    assert read(write([cleaned()], "train_turn.json"))[0][0].gold


def test_a_file_without_answers_reads_fine(write):
    record = official()
    record["annotation"] = {"dialogue_break": ["what was it?"]}
    (conversation,), problems = read(write([record]))
    assert not problems
    assert conversation.gold == ()


def test_a_report_without_a_conversation_reads_fine(write):
    record = official()
    del record["annotation"]
    (conversation,), problems = read(write([record]))
    assert (conversation.questions, problems) == ((), [])


def test_a_report_of_text_alone_has_no_table(write):
    text, broken = cleaned(), official() | {"pre_text": [], "post_text": []}
    del text["doc"]["table"], broken["table"]
    for record in (text, {name: value for name, value in official().items() if name != "table"}):
        (conversation,), problems = read(write([record]))
        assert (conversation.document.tables, problems) == ((), [])
        assert conversation.document.paragraphs
    with pytest.raises(DataError, match="holds neither text nor a table"):
        read(write([broken]))


BROKEN = [
    ("table", None, "table"),
    ("table", [], "table"),
    ("table", [["a"], "b"], "table[1]"),
    ("table", [["a", True]], "table[0][1]"),
    ("pre_text", "one text", "pre_text"),
    ("pre_text", ["fine", 3], "pre_text[1]"),
    ("post_text", None, "post_text"),
    ("post_text", ["\ud800"], "post_text[0]"),
    ("id", "", "id"),
    ("id", 7, "id"),
    ("annotation", [], "annotation"),
    ("annotation", {"dialogue_break": ["", "b"]}, "annotation.dialogue_break[0]"),
    ("annotation", {"dialogue_break": ["a"], "turn_program": []}, "annotation.turn_program"),
    ("annotation", {"dialogue_break": ["a"], "turn_program": ["3"]}, "annotation.exe_ans_list"),
    (
        "annotation",
        {"dialogue_break": ["a"], "turn_program": ["3"], "exe_ans_list": ["maybe"]},
        "annotation.exe_ans_list[0]",
    ),
    (
        "annotation",
        {"dialogue_break": ["a"], "turn_program": ["3"], "exe_ans_list": [3], "qa_split": [2]},
        "annotation.qa_split[0]",
    ),
]


@pytest.mark.parametrize(("field", "value", "where"), BROKEN, ids=[where for _, _, where in BROKEN])
def test_a_broken_record_is_reported_with_file_record_and_field_and_the_rest_is_read(write, field, value, where):
    path = write([official("a"), official("b") | {field: value}, official("c")])
    found, (problem,) = read(path)
    assert [conversation.id for conversation in found] == ["a", "c"]
    assert (problem.file, problem.field) == (path, where)
    assert problem.record == ("record 2" if field == "id" else "b")
    assert str(path) in str(problem)
    assert "\n" not in str(problem)


def test_duplicate_keys_and_numbers_that_are_none_break_the_record_alone(write):
    plain = json.dumps(official("good"))
    twice = plain.replace('"good"', '"twice"').replace('"post_text"', '"pre_text": ["x ."], "post_text"')
    nan = plain.replace('"good"', '"nan"').replace("3.1,", "NaN,")
    endless = plain.replace('"good"', '"endless"').replace("3.1,", "1e999999999,")
    found, problems = read(write(f"[{twice}, {nan}, {endless}, {plain}]"))
    assert [conversation.id for conversation in found] == ["good"]
    assert [(problem.record, problem.field) for problem in problems] == [
        ("twice", "pre_text"),
        ("nan", ""),
        ("endless", ""),
    ]


def test_a_repeated_id_is_reported_and_the_first_one_kept(write):
    found, problems = read(write([official("a"), official("a") | {"pre_text": ["other ."]}]))
    assert len(found) == 1
    assert found[0].document.paragraphs[0] == "revenue rose ."
    assert [(problem.record, problem.field) for problem in problems] == [("a", "id")]


def test_an_id_of_an_earlier_file_is_reported_too(write):
    problems = []
    paths = [write([official("a")], "one.json"), write([official("a"), official("b")], "two.json")]
    assert [conversation.id for conversation in read_files(paths, problems.append)] == ["a", "b"]
    assert [str(each) for each in problems] == [f"{paths[1]}: a: read from {paths[0]} already"]


def test_the_ids_of_earlier_files_are_reported_in_one_line_a_file(write):
    problems = []
    twice = [write([official("a"), official("b")], name) for name in ("one.json", "two.json")]
    assert len(list(read_files(twice, problems.append))) == 2
    assert [str(each) for each in problems] == [f"{twice[1]}: 2 reports: read from {twice[0]} already"]


def test_a_long_id_is_shortened_where_it_is_told_of(write):
    path, long = write([official("a" * 5000) | {"table": []}, official("b" * 5000)]), "b" * 4999
    _, (problem,) = read(path)
    assert problem.record == "a" * 5000 and len(str(problem)) < len(str(path)) + 150
    with pytest.raises(DataError) as error:
        find_conversation([path], long)
    assert "did you mean 'bbb" in str(error.value) and len(str(error.value)) < 2 * len(str(path)) + 300


NO_REPORTS = {
    "empty": ("", "empty"),
    "blank": (" \n ", "empty"),
    "no list": ("3", "not a file of reports"),
    "text": ('"a"', "not a file of reports"),
    "object": ('{"a": 1}', "not a file of reports"),
    "other records": ('[{"question": "q"}]', "none of the layouts of ConvFinQA"),
    "numbers": ("[1, 2]", "none of the layouts of ConvFinQA"),
    "nothing": ("[]", "no report"),
    "nothing in splits": ('{"dev": []}', "no report"),
    "all broken": (json.dumps([official() | {"table": []}]), "the table has no rows"),
    "empty id": (json.dumps([official("")]), "the first problem: record 1, field id: is empty"),
    "cut off after a key": ('{"a":', "not valid JSON"),
    "cut off before a key": ("{", "not valid JSON"),
    "no key": ("{a: 1}", "not valid JSON"),
    "empty object": ("{}", "not a file of reports"),
    "cut off": (json.dumps([official()])[:-40], "line 1"),
    "cut off between": (json.dumps([official()])[:-1] + ",", "line 1"),
    "garbage": ("[{]", "line 1"),
    "behind": (json.dumps([official()]) + "x", "behind the end"),
    "deep": ("[" * 200_000, "nested too deeply"),
    "deep record": ('[{"id": ' + "[" * 200_000 + "]" * 200_000 + "}]", "nested too deeply"),
}


@pytest.mark.parametrize("name", NO_REPORTS)
def test_what_is_no_report_file_ends_with_one_clear_line_that_names_it(write, name):
    text, said = NO_REPORTS[name]
    path = write(text)
    with pytest.raises(DataError) as error:
        list(read_conversations(path))
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_files_folders_and_other_encodings_end_with_one_clear_line(tmp_path):
    other = tmp_path / "utf16.json"
    other.write_text(json.dumps([official()]), encoding="utf-16")
    for path, said in ((tmp_path / "none.json", "no such file"), (tmp_path, "directory"), (other, "UTF-8")):
        with pytest.raises(DataError, match=said):
            list(read_conversations(path))


def test_of_a_folder_neither_what_is_hidden_nor_an_environment_of_python_is_a_report(tmp_path):
    for name in ("a.htm", "2024/b.htm", ".kept/c.htm", "env/pyvenv.cfg", "env/lib/d.htm", "2024/~$e.xlsx"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>text</p>")
    assert [path.name for path, _ in find_files([tmp_path])] == ["b.htm", "a.htm"]


def test_the_line_of_broken_json_is_told(write):
    text = json.dumps([official("a"), official("b")], indent=1)
    broken = text.replace('"id": "b"', '"id": "b" "c"')
    line = broken[: broken.index('"b" "c"')].count("\n") + 1
    with pytest.raises(DataError, match=f"line {line} "):
        list(read_conversations(write(broken)))


def test_a_byte_order_mark_and_windows_lines_are_no_matter(tmp_path):
    path = tmp_path / "windows.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([official()], indent=1).replace("\n", "\r\n").encode())
    assert len(list(read_conversations(path))) == 1


def test_numbers_keep_their_digits(write):
    text = json.dumps([official()]).replace("[3.1,", "[206588.000000000000001,")
    (conversation,), _ = read(write(text))
    assert conversation.gold[0].answer == Decimal("206588.000000000000001")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    )
)
def test_any_json_is_read_or_refused_but_never_crashes(tmp_path, value):
    path = tmp_path / "any.json"
    path.write_text(json.dumps(value))
    try:
        list(read_conversations(path))
    except DataError as error:
        assert "\n" not in str(error)


def test_records_are_the_same_wherever_the_window_ends(tmp_path, monkeypatch):
    path = tmp_path / "numbers.json"
    values = [{"a": 12345}, 67890, [1.5, "x"], {"b": "y"}]
    path.write_text(json.dumps(values))
    for size in (1, 2, 3, 7, 1000):
        monkeypatch.setattr("tieout.data.readers.records.CHUNK", size)
        assert [record.value for record in read_records(path)] == values


def test_ten_megabytes_are_read_with_two_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("tieout.data.readers.records.CHUNK", CHUNK // 6)
    record = json.dumps(official() | {"post_text": ["a sentence of a long report . " * 20] * 20})
    path = tmp_path / "large.json"
    with path.open("w") as file:
        file.write("[")
        for number in range(10_000_000 // len(record)):
            file.write(record.replace("page_1.pdf", f"page_{number}.pdf") + ",\n")
        file.write(record.replace("page_1.pdf", "last.pdf") + "]")
    assert path.stat().st_size > 9_000_000
    tracemalloc.start()
    count = sum(1 for _ in read_conversations(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 700
    assert peak < 2 * CHUNK


def test_an_unknown_id_is_told_with_the_nearest_ones(write):
    path = write([official("Single_AB/2009/page_1.pdf-1"), official("Single_AB/2009/page_2.pdf-1")])
    assert find_conversation([path], "Single_AB/2009/page_2.pdf-1").id.endswith("page_2.pdf-1")
    with pytest.raises(DataError, match=r"did you mean 'Single_AB/2009/page_2\.pdf-1'.*`tieout list .*` shows the ids"):
        find_conversation([path], "Single_AB/2009/page_2.pdf")
    with pytest.raises(DataError, match=r"2 reports are there. `tieout list .*reports.json` shows the ids"):
        find_conversation([path], "%%%")


def test_a_second_record_of_the_id_asked_for_is_reported_and_other_problems_are_not(write):
    path = write([official("a"), official("b") | {"table": []}, official("a") | {"pre_text": ["other ."]}])
    problems = []
    assert find_conversation([path], "a", problems.append).document.paragraphs[0] == "revenue rose ."
    assert [(problem.record, problem.field) for problem in problems] == [("a", "id")]


def test_a_record_that_does_not_parse_is_told_when_it_is_asked_for(write):
    path = write([official("a"), official("b") | {"table": []}])
    with pytest.raises(DataError, match="b, field table: the table has no rows"):
        find_conversation([path], "b")


@pytest.mark.parametrize(
    ("name", "documents", "turns", "labelled"),
    [
        ("train_100", 100, 355, True),
        ("dev_open", 234, 811, True),
        ("dev_open_cleaned", 234, 811, True),
        ("test_inputs", 434, 1521, False),
    ],
)
def test_real_files_are_read_whole(shared, name, documents, turns, labelled):
    found, problems = read(shared / f"{name}.json")
    assert not problems
    assert len(found) == documents
    assert sum(len(conversation.questions) for conversation in found) == turns
    assert sum(len(conversation.gold) for conversation in found) == (turns if labelled else 0)


def test_the_cleaned_real_file_has_the_questions_and_answers_of_the_official_one(shared):
    official_ones = {c.id: c for c in read_conversations(shared / "dev_open.json")}
    cleaned_ones = {c.id: c for c in read_conversations(shared / "dev_open_cleaned.json")}
    assert official_ones.keys() == cleaned_ones.keys()
    assert all(c.questions == cleaned_ones[c.id].questions for c in official_ones.values())
    assert all(c.gold == cleaned_ones[c.id].gold for c in official_ones.values())
    split_alike = [c.document.paragraphs == cleaned_ones[c.id].document.paragraphs for c in official_ones.values()]
    assert sum(split_alike) >= 0.98 * len(split_alike)
