"""`import tieout`: what a caller can ask for, and what is told when it is not there."""

from __future__ import annotations

import pytest
from conftest import SAMPLE

import tieout
from tieout.data.readers.given import given_document


@pytest.fixture(scope="module")
def report():
    return tieout.conversation(SAMPLE / "ask.json", "Single_NORVALE/2013/page_35.pdf-1")


def test_a_conversation_and_its_document_can_be_talked_with(report):
    for each in (report, report.document):
        answer = tieout.chat(each).ask("what was the operating income in 2013?").answer
        assert (str(answer.value), answer.unit, answer.scale) == ("559.5", "$", 1_000_000)


PAGE = {
    "table": [
        ["( in millions )", "2013", "2012"],
        ["net sales", "$ 4391.0", "$ 4480.5"],
        ["operating income", 559.5, 631],
    ],
    "pre_text": ["the company opened 14 stores in 2013 ."],
}


def test_a_page_can_be_a_dict():
    talk = tieout.chat(PAGE)
    assert talk.ask("what was the operating income in 2013?").text == "$559.5 million"
    assert talk.ask("and in 2012?").answer.value == 631
    assert (
        tieout.chat({"pre_text": "net sales were $ 12 million in 2013 ."}).ask("what were net sales?").answer.value
        == 12
    )
    assert tieout.graph({**PAGE, "id": "own"}).document_id == "own"


def frame():
    import pandas  # which takes long

    columns = pandas.Index([2013, 2012], name="year")
    values = {2013: [4391.0, 559.5, None], 2012: [4480.5, 631.3, 3.0]}
    return pandas.DataFrame(values, index=["net sales", "operating income", "other"], columns=columns)


STATEMENT = {
    "table": [
        ["Consolidated Statements of Income", "", "Years Ended December 31,", "31,"],
        ["(In millions, except per share amounts)", "2013", "2012", "2011"],
        ["Net income", "$ 6,510", "$ 8,749", "$ 7,769"],
        ["Earnings per common share:", "", "", ""],
        ["Basic", "$ 7.13", "$ 9.51", "$ 8.38"],
    ]
}


def test_a_page_in_mixed_case_is_read_as_published():
    talk = tieout.chat(STATEMENT)
    assert talk.ask("what were basic earnings per share in 2012?").text == "$9.51 per share"
    assert talk.ask("what was net income in 2013?").text == "$6.51 billion"
    assert given_document(PAGE).coded  # in lower case: a number like 2014 may stand for a dash


def test_a_page_can_be_a_data_frame():
    import pandas

    talk = tieout.chat(frame())
    assert str(talk.ask("what was the operating income in 2012?").answer.value) == "631.3"
    assert talk.ask("what were net sales in 2013?").answer.value == 4391
    assert len(tieout.graph(frame()).facts()) == len(tieout.graph(frame().reset_index()).facts()) == 7
    dated = frame().rename(columns=lambda year: pandas.Timestamp(year, 12, 31))
    assert given_document(dated).tables[0].rows[0] == ("", "2013-12-31", "2012-12-31")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Single_NORVALE/2013/page_35.pdf-1", "not str"),
        (None, "not NoneType"),
        ({}, "not a dict with nothing in it"),
        ({"2013": [1, 2]}, "not a dict with '2013'"),
        ({"table": []}, "field table: the table has no rows"),
        ({"table": [["a", object()]]}, "field table[0][1]: a text or a number expected, not object"),
        ({"table": [["a", float("inf")]]}, "field table[0][1]: inf is no amount"),
        ({"table": "2013"}, "field table: a list expected, not a text"),
        ({"pre_text": [1]}, "field pre_text[0]: a text expected, not a number"),
    ],
)
def test_what_is_no_report_is_told_in_one_line(given, message):
    with pytest.raises(TypeError) as told:
        tieout.chat(given)
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_what_one_looks_at_in_a_notebook_is_one_line(report):
    talk = tieout.chat(report)
    turn = talk.ask("what was the operating income in 2013?")
    assert repr(turn) == "Answer('what was the operating income in 2013?', '$559.5 million', 97%)"
    assert repr(talk) == "Session('Single_NORVALE/2013/page_35.pdf-1', offline, 1 turn)"
    assert repr(report) == f"Conversation({report.id!r}, {len(report.questions)} questions, labelled)"
    for value in (report.document, report.document.tables[0], talk.graph, tieout.tbox()):
        assert repr(value).startswith(f"{type(value).__name__}(")
        assert len(repr(value)) < 120 and "\n" not in repr(value) and str(value) == repr(value)


def test_every_error_can_be_caught_by_its_name(report):
    assert tieout.ERRORS.keys() <= set(tieout.__all__)
    assert all(issubclass(getattr(tieout, name), Exception) for name in tieout.ERRORS)
    with pytest.raises(AttributeError, match="no attribute 'Error'"):
        tieout.Error  # noqa: B018
    with pytest.raises(tieout.DataError, match="no such file"):
        tieout.conversation("none.json", report.id)
    with pytest.raises(tieout.OntologyError, match="no such file"):
        tieout.tbox("none.ttl")
    with pytest.raises(tieout.BackendNameError, match="no backend 'genie'"):
        tieout.chat(report, "genie")
    with pytest.raises(tieout.QuestionError, match="is empty"):
        tieout.chat(report).ask("  ")
    with pytest.raises(tieout.QueryError, match=r"^only SELECT, ASK, CONSTRUCT and DESCRIBE can be run: 'SELEC'"):
        tieout.graph(report).select("SELEC * {}")
    with pytest.raises(tieout.QueryError, match=r"^the query is no SPARQL at line 1, column 26: it ends there"):
        tieout.graph(report).select("SELECT ?s WHERE { ?s ?p }")
    with pytest.raises(tieout.QueryError, match=r"is no SELECT query$"):
        tieout.graph(report).select("ASK {}")


def test_a_talk_that_is_closed_says_so_and_shows_what_was_said():
    with tieout.open(SAMPLE / "report.htm") as talk:
        talk.ask("what was free cash flow in 2024?")
    with pytest.raises(tieout.ClosedError, match=r"^the talk is closed"):
        talk.ask("and in 2023?")
    assert [turn.text for turn in talk.turns] == ["$492 million"]
