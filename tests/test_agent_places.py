"""What is opened by name: tables and sentences one by one and in ranges, and whole notes."""

from __future__ import annotations

import pytest
from conftest import SAMPLE

import tieout
from tieout.agent.protocol.tool import ToolError
from tieout.agent.question.read import read_question
from tieout.kg.index.places import Place, is_under, read_place


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("t12", Place("", "t", 12, 12)),
        ("t12-t15", Place("", "t", 12, 15)),
        ("ko24:t12-15", Place("ko24", "t", 12, 15)),
        ("s340 to s350", Place("", "s", 340, 350)),
        ("Note 16", Place("", "", section="Note 16")),
        ("ko24: Note 16", Place("ko24", "", section="Note 16")),
    ],
)
def test_a_name_means_a_place(name, place):
    assert read_place(name) == place


def test_a_note_is_not_the_one_whose_number_begins_with_its_own():
    assert is_under("note 1", "Item 8 > Note 1. Basis") and not is_under("note 1", "Item 8 > Note 16. Leases")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    with tieout.open(SAMPLE / "report.htm", store=tmp_path_factory.mktemp("store")) as talk:
        yield talk.session.graph


def test_tables_in_a_range_and_a_section_by_its_heading_are_opened(reports):
    assert "\nt5:" in reports.opened("t5-t8").text and "\nt8:" in reports.opened("t5-t8").text
    heading = next(each.heading for each in reports.open[""].tables.values() if "Note" in each.heading)
    note = heading.split(" > ")[-1]
    assert note.split(".")[0] in reports.opened(note).text
    sentences = reports.opened("s10-s14").text
    assert [line.split(":")[0] for line in sentences.splitlines()] == ["s10", "s11", "s12", "s13", "s14"]


def test_what_is_not_there_says_what_can_be_opened(reports):
    with pytest.raises(ToolError, match="there is no 'Note 99'"):
        reports.opened("Note 99")


def test_a_search_can_be_for_sentences_alone(reports):
    only = reports.search(["net", "sales"], only="sentences").text
    assert only and all(line.startswith("s") for line in only.splitlines())
    assert "\nt" in f"\n{reports.search(['net', 'sales'], only='tables').text}"


def test_a_short_outline_names_sections_with_their_tables_and_a_short_view_the_statements(tmp_path):
    with tieout.open(SAMPLE / "report.htm", store=tmp_path, budget=2000) as talk:
        card = talk.session.graph.card().text
        view = talk.session.graph.view(read_question("what did it pay for leases?")).text
    assert "(income statement)" in card and ": t" in card
    assert "Total net sales" in view
