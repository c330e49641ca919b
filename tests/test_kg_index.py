"""Finding in kept reports: lines, sentences and line items, whatever words are asked for."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from filed import indexed, opened, read
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from tieout.agent.view.card import make_card
from tieout.kg.as_text import table_lines
from tieout.kg.fact import FactKind
from tieout.kg.index.statement import read_statement
from tieout.kg.index.words import Index, Origin, WordIndexError
from tieout.kg.store.pick import facts_named

BOTH = ("brightmoor", "castellan")


def test_a_line_is_found_by_the_words_of_its_label_before_those_around_it() -> None:
    best = indexed("brightmoor").find_lines(["operations", "goodwill", "statements"], ["brightmoor"])[0]
    assert best.label == "Goodwill"


def test_a_line_is_found_by_another_form_of_its_word() -> None:
    hits = indexed("brightmoor").find_lines(["inventory"], ["brightmoor"])
    assert "Total inventories" in {hit.label for hit in hits}


def test_a_line_is_found_by_the_words_of_its_concept() -> None:
    hits = indexed("brightmoor").find_lines(["payments", "acquire", "plant"], ["brightmoor"])
    assert hits[0].label == "Capital expenditures"


def test_a_sentence_is_found_with_the_heading_it_stands_under() -> None:
    hit = indexed("brightmoor").find_sentences(["unrecognized", "compensation", "cost"], ["brightmoor"])[0]
    assert "$54 million" in hit.text.replace("$ ", "$")
    assert hit.heading == "Note 7. Stock-Based Compensation"
    assert hit.figures > 0


def test_a_line_item_is_found_in_every_report_under_its_name() -> None:
    hits = indexed(*BOTH).lines_of("revenue", BOTH)
    assert {hit.report for hit in hits} == set(BOTH)
    assert all("net sales" in hit.label.lower() for hit in hits)


def test_only_the_reports_that_are_meant_are_searched() -> None:
    index = indexed(*BOTH)
    assert {hit.report for hit in index.find_lines(["goodwill"], ["castellan"])} == {"castellan"}
    assert {hit.report for hit in index.find_sentences(["million"], ["castellan"])} == {"castellan"}
    assert index.find_lines(["goodwill"], []) == ()


def test_a_report_that_is_kept_again_takes_the_place_of_what_was_there() -> None:
    index = indexed("brightmoor")
    contents = read("brightmoor")[2]
    before = len(index.find_lines(["goodwill"], ["brightmoor"]))
    index.keep(replace(contents, lines=contents.lines[:3]), Origin("another"))
    assert before > 0
    assert index.find_lines(["goodwill"], ["brightmoor"]) == ()
    assert [entry.id for entry in index.reports()] == ["brightmoor"]
    assert (index.known("mark of brightmoor"), index.known("another")) == (None, "brightmoor")


def test_however_often_a_report_is_kept_again_its_words_do_not_lie_in_many_parts(tmp_path: Path) -> None:
    path, contents = tmp_path / "words.index", read("brightmoor")[2]
    index = Index(path)
    for _ in range(10):
        index.keep(contents)
    hits = index.find_sentences(["unrecognized", "compensation"], ["brightmoor"])
    index.close()
    with closing(sqlite3.connect(path)) as database:
        for words in ("line_words", "sentence_words"):
            pages = [size for (size,) in database.execute(f"SELECT count(*) FROM {words}_idx GROUP BY segid")]
            assert sum(pages) <= 1.5 * max(pages)
    assert hits[:3] == indexed("brightmoor").find_sentences(["unrecognized", "compensation"], ["brightmoor"])[:3]


def test_what_was_found_in_a_report_is_not_told_of_another_one_under_its_id() -> None:
    index, contents = indexed("brightmoor"), read("brightmoor")[2]
    assert "Goodwill" in {hit.label for hit in index.find_lines(["goodwill"], ["brightmoor"])}
    lines = tuple(replace(each, label=each.label.replace("Goodwill", "Brand value")) for each in contents.lines)
    index.keep(replace(contents, lines=lines))
    assert "Goodwill" not in {hit.label for hit in index.find_lines(["goodwill"], ["brightmoor"])}
    assert "Brand value" in {hit.label for hit in index.find_lines(["brand"], ["brightmoor"])}


def test_what_is_removed_is_found_no_more_and_the_others_stay() -> None:
    index = indexed(*BOTH)
    index.remove("brightmoor")
    assert {hit.report for hit in index.find_lines(["goodwill"], BOTH)} == {"castellan"}
    assert {hit.report for hit in index.find_sentences(["million"], BOTH)} == {"castellan"}
    assert index.lines_of("revenue", ["brightmoor"]) == ()
    assert list(index.sources()) == ["castellan"]
    with pytest.raises(KeyError):
        index.table("brightmoor", 1)


def test_an_index_keeps_what_it_held_when_it_is_opened_again(tmp_path: Path) -> None:
    first = Index(tmp_path / "words")
    first.keep(read("brightmoor")[2], Origin("m"))
    found = first.find_lines(["goodwill"], ["brightmoor"])
    first.close()
    again = Index(tmp_path / "words")
    assert again.find_lines(["goodwill"], ["brightmoor"]) == found
    assert again.tables("brightmoor") == read("brightmoor")[2].tables
    again.close()


def test_a_file_that_is_no_index_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "words").write_bytes(b"no database at all" * 100)
    with pytest.raises(WordIndexError, match="words"):
        Index(tmp_path / "words")


@cache
def one_report() -> Index:
    """An index that is only asked."""
    return indexed("brightmoor")


@given(st.lists(st.text(max_size=30), max_size=6))
def test_no_word_is_read_as_the_syntax_of_the_engine(words: list[str]) -> None:
    lines = one_report().find_lines([*words, "goodwill"], ["brightmoor"])
    sentences = one_report().find_sentences([*words, "goodwill"], ["brightmoor"])
    assert any(hit.label == "Goodwill" for hit in lines)
    assert any("Goodwill" in hit.text for hit in sentences)
    assert {hit.report for hit in (*lines, *sentences)} == {"brightmoor"}


@pytest.mark.parametrize("hostile", ['goodwill"', "NOT goodwill", "goodwill*", "label:goodwill", "(goodwill", "NEAR("])
def test_signs_of_the_engine_are_only_words(hostile: str) -> None:
    plain = hostile.replace("NOT ", "").strip('"*(').removeprefix("label:")
    found = {(hit.table, hit.row) for hit in one_report().find_lines([plain], ["brightmoor"])}
    assert found <= {(hit.table, hit.row) for hit in one_report().find_lines([hostile], ["brightmoor"])}


def test_a_report_of_a_hostile_name_is_only_a_name() -> None:
    index = Index()
    contents = read("brightmoor")[2]
    name = "x'); DROP TABLE lines; --"
    index.keep(replace(contents, report=replace(contents.report, id=name)))
    assert index.find_lines(["goodwill"], [name])


def test_the_statements_of_a_report_are_told_apart() -> None:
    found = {table.title: table.statement for table in read("brightmoor")[2].tables if table.certainty >= 0.9}
    assert found == {
        "CONSOLIDATED STATEMENTS OF OPERATIONS": "income",
        "CONSOLIDATED BALANCE SHEETS": "balance",
        "CONSOLIDATED STATEMENTS OF CASH FLOWS": "cash flow",
    }


def test_a_statement_is_known_by_its_lines_where_it_has_no_title() -> None:
    labels = [
        "Total current assets",
        "Total assets",
        "Total current liabilities",
        "Total liabilities",
        "Retained earnings",
    ]
    assert read_statement("", "", labels, 40).statement == "balance"
    untitled = read_statement("", "Other financial data", ["Balance at January 1", "Net income"], 9, "EquityStatement")
    assert untitled.statement == "equity"
    titled = read_statement("Statement of equity", "", [], 9, "EquityStatement")
    assert titled.statement == "equity" and titled.score > untitled.score
    notes = read_statement("Note 9. Changes in equity", "", ["Deferred tax", "Other"], 30, "IncomeTax")
    assert notes.statement == ""
    assert read_statement("", "", ["Net income"], 9, "ComprehensiveIncome").statement == "comprehensive"
    cash = [f"Net cash {word} activities" for word in ("from operating", "used for investing", "used for financing")]
    cash = ["Net earnings", "Provision for income taxes", "Earnings before income taxes", *cash]
    assert read_statement("", "", cash, 60).statement == "cash flow"  # which begins with lines of another one
    assert read_statement("", "", [*cash, "Revenue", *labels], 60).statement == ""  # put together by somebody


def test_a_table_of_the_parent_alone_is_less_sure_than_that_of_the_group() -> None:
    labels = ["Revenue", "Operating income", "Income before income taxes", "Net income"]
    group = read_statement("Consolidated statements of income", "", labels, 40)
    parent = read_statement("Condensed financial information of the parent: statements of income", "", labels, 40)
    assert group.score > parent.score


def test_a_table_of_something_else_is_no_statement() -> None:
    assert read_statement("Operating leases", "Note 8", ["2025", "2026", "Thereafter"], 20).statement == ""


def test_facts_that_are_picked_are_the_same_as_those_of_the_whole_graph() -> None:
    _, graph, _ = read("brightmoor")
    facts = graph.facts()
    assert [facts_named(graph, [fact.name])[0] for fact in facts[::25]] == list(facts[::25])


def test_the_figures_of_the_index_are_those_of_the_graph_to_the_letter() -> None:
    _, graph, _ = read("brightmoor")
    index, facts = indexed("brightmoor"), graph.facts()
    tables = {fact.table for fact in facts if fact.table is not None}
    found = [fact for number in sorted(tables) for fact in index.figures("brightmoor", number)]
    found += index.figures_of_sentences("brightmoor", sorted({fact.sentence or 0 for fact in facts}))
    assert found == [fact for fact in facts if fact.kind is not FactKind.STATED]
    assert list(map(to_json, found)) == [to_json(each) for each in facts if each.kind is not FactKind.STATED]
    one = next(fact for fact in facts if fact.table == 5)
    assert index.figures("brightmoor", 5, (one.row or 0,))[0] == one
    assert [index.figure("brightmoor", fact.name) for fact in found[::25]] == found[::25]
    assert {index.figure("brightmoor", name) for name in ("t999r1c1", "s9999a1", "x1", "t5")} == {None}


def test_a_table_of_the_index_is_printed_as_that_of_the_graph() -> None:
    _, graph, _ = read("brightmoor")
    index = indexed("brightmoor")
    card = make_card(graph).text.splitlines()
    for table in index.tables("brightmoor"):
        corner, cells = index.printed("brightmoor", table.number)
        lines = table_lines(cells, table.number, corner, index.figures("brightmoor", table.number))
        assert lines and set(lines) <= set(card)
    with pytest.raises(KeyError):
        index.printed("brightmoor", 999)


def test_what_else_is_kept_does_not_change_where_the_words_of_a_report_are() -> None:
    index = indexed(*BOTH)
    alone = indexed("castellan")
    for words in (["goodwill", "total"], ["net", "cash", "operating", "activities"]):
        found = index.find_lines(words, ["castellan"], 5)
        assert found and found == alone.find_lines(words, ["castellan"], 5)
        assert index.find_sentences(words, ["castellan"]) == alone.find_sentences(words, ["castellan"])
        together = index.find_lines(words, [*BOTH, *(f"nobody{at}" for at in range(8))], 500)
        assert {(hit.report, hit.table, hit.row) for hit in together} == {
            (hit.report, hit.table, hit.row) for hit in index.find_lines(words, BOTH, 500)
        }


def test_a_name_that_is_none_picks_nothing() -> None:
    _, graph, _ = read("brightmoor")
    assert facts_named(graph, ["t1r1c1> ?p ?o . <x", "nothing", ""]) == ()
    assert opened("brightmoor").fetch("t999r1c1") is None
