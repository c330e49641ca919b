"""`import tieout`: what a caller can ask for, and what is told when it is not there."""

from __future__ import annotations

import pytest
from conftest import SAMPLE

import tieout


@pytest.fixture(scope="module")
def report():
    return tieout.conversation(SAMPLE / "ask.json", "Single_NORVALE/2013/page_35.pdf-1")


def test_a_conversation_and_its_document_can_be_talked_with(report):
    for each in (report, report.document):
        answer = tieout.chat(each).ask("what was the operating income in 2013?").answer
        assert (str(answer.value), answer.unit, answer.scale) == ("559.5", "USD", 1_000_000)
    with pytest.raises(TypeError, match=r"a Document or a Conversation is needed, .* not str"):
        tieout.chat("Single_NORVALE/2013/page_35.pdf-1")


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
