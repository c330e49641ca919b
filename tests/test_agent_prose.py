"""Prose that ties out: holes filled from the ledger, sentences cited and quoted letter by letter, in every form."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from scripted import ScriptedBackend, calculates, says

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import make_sheet, plain_text
from tieout.agent.log.turn import Turn
from tieout.agent.offline.calculation.spans import make_prose, quotes
from tieout.agent.protocol.message import Kind
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.tools.prose import marked
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Gold, Table
from tieout.eval.score.sets.tatqa import exact_and_f1, said
from tieout.eval.show.provenance import conversation_lines
from tieout.export.one_page import markdown, one_page
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

PAGE = Document(
    id="orchard-2024",
    paragraphs=(
        "Net sales of the saws segment decreased in 2024 due to lower volumes at two large dealers.",
        "Wages rose in all plants.",
    ),
    before=1,
    tables=(
        Table(rows=(("in millions", "2024", "2023"), ("Saws", "$ 205.3", "$ 231.8"), ("Services", "$ 88.9", "$ 71.4"))),
    ),
)
WRITTEN = (
    "Sales of saws fell by {fall} to {t1r1c1} in 2024, due to “lower volumes at two large dealers” [s0], while "
    "services grew to {t1r2c1}."
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(PAGE, default_ontology(None)[0])


def told(graph: Graph, *words: str, first: tuple[tuple[str, dict[str, object]], ...] = (), kind: str = "prose") -> Turn:
    reply = says(*first, ("answer", {"words": list(words), "kind": kind}))
    session = Session(graph, ScriptedBackend([reply, says(text="no more")]), Settings(max_calls=1))
    return session.ask("Why did sales of saws fall in 2024?")


@pytest.fixture(scope="module")
def turn(graph) -> Turn:
    return told(graph, WRITTEN, first=(calculates("fall", "percentage_change", "t1r1c1", "t1r1c2"),))


def refusal(turn: Turn) -> str:
    return next(event.output for event in turn.events if event.event == "tool called" and event.error)


def test_holes_are_filled_from_the_ledger_and_the_answer_rests_on_them_and_on_the_sentence(turn) -> None:
    assert turn.kind is Kind.PROSE
    assert turn.text == (
        "Sales of saws fell by 11.4% to $205.3 million in 2024, due to “lower volumes at two large dealers” "
        "[s0], while services grew to $88.9 million."
    )
    assert turn.facts_under() == ("t1r1c1", "t1r1c2", "t1r2c1")
    assert turn.sentences_under() == ("s0",)


def test_prose_is_in_the_sheet_in_json_and_in_html_with_its_figures_and_its_sentence(turn, graph) -> None:
    sheet = make_sheet(turn)
    assert sheet is not None
    assert {line.fact for line in sheet.lines} == {None, "t1r1c1", "t1r1c2", "t1r2c1"}
    assert f"“{PAGE.paragraphs[0]}”  [s0]" in plain_text(turn)
    keys = json.loads(json.dumps(result(turn), default=str))
    assert (keys["kind"], keys["answer"]) == ("prose", turn.text)
    assert [item.get("sentence") for item in keys["items"]] == [None, "s0", None, None, None]
    assert [place["fact"] for place in keys["places"]] == ["t1r1c1", "t1r1c2", "t1r2c1"]
    page = one_page([turn], graph)
    assert '<a href="#s0">s0</a>' in page
    assert 'id="s0"' in page
    assert '<a href="#t1r2c1">' in page
    assert "No answer" not in page + markdown([turn], "a page")


def test_prose_is_in_the_graph_of_its_run_with_the_sentence_it_used(turn) -> None:
    started = {"at": "", "conversation": "c", "version": "0", "backend": "b", "strategy": "tools", "settings": {}}
    from tieout.agent.log.events import ConversationStarted

    event = ConversationStarted(**started, origin={}, facts=4, entity_types={})
    lines = "".join(conversation_lines("r", [event, *turn.events]))
    assert "<http://www.w3.org/ns/prov#used> <urn:tieout:doc:c#s0>" in lines
    assert 'answerKind> "prose"' in lines
    assert "wasDerivedFrom> <urn:tieout:doc:c#t1r1c1>" in lines


def test_prose_is_scored_by_its_own_words_alone(turn) -> None:
    gold = Gold(answer="", program="", spans=(turn.text or "",), kind="span")
    assert said(turn) == ((turn.text,), "")
    assert exact_and_f1(said(turn), gold) == (True, 1.0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Sales of saws fell to 205.3 million [s0].", "the number '205.3' is typed"),
        ("Sales fell by 26 to {t1r1c1}.", "the number '26' is typed"),
        ("Sales fell to {999}.", "nothing accounts for {999}"),
        ("Sales fell to {t9r9c9}.", "'t9r9c9' is no entry, no fact and no number"),
        ("Sales fell as prices rose [s7].", "there is no sentence 's7'"),
        ("Sales fell to {t1r1c1} on “higher volumes at two large dealers” [s0].", "s0 does not say"),
        ("Sales fell on “wages rose in all plants”, to {t1r1c1}.", "the report does not print"),
        ("Sales fell on “Wages rose” [s0].", "s0 does not say 'Wages rose'"),
        ("due to higher volumes", "the report does not print 'due to higher volumes'"),
    ],
)
def test_what_nothing_accounts_for_is_refused(graph, words, why) -> None:
    turn = told(graph, words)
    assert turn.outcome != "answer"
    assert why in refusal(turn)


def test_years_of_figures_and_numbers_that_are_names_may_be_written(graph) -> None:
    turn = told(graph, "In 2023, as Note 5 and Level 3 say, sales were {t1r1c2} [s0].")
    assert turn.text == "In 2023, as Note 5 and Level 3 say, sales were $231.8 million [s0]."


def test_a_plain_quotation_knows_its_sentence(graph) -> None:
    turn = told(graph, "lower volumes at two large dealers")
    assert (turn.kind, turn.sentences_under(), turn.roots) == (Kind.PROSE, ("s0",), ())
    assert "quoted from the report, word for word" in plain_text(turn)


def test_every_kind_of_answer_has_a_page_with_its_figures(graph) -> None:
    calls = (("answer", {"values": ["t1r1c2", "t1r1c1"], "kind": "list"}),)
    turn = Session(graph, ScriptedBackend([says(*calls)])).ask("What were sales of saws in 2023 and 2024?")
    page = one_page([turn], graph)
    assert page.count('class="lit"') == 2
    assert [item["value"] for item in result(turn)["items"]] == [Decimal("231.8"), Decimal("205.3")]


def test_a_dash_in_a_cell_is_nothing_and_can_be_calculated_with() -> None:
    rows = (("in millions", "2024", "2023"), ("Wages", "$ 12.0", "-"), ("Rent", "$ 3.0", "$ 2.0"))
    page = Document(id="d", paragraphs=(), before=0, tables=(Table(rows=rows),))
    backend = ScriptedBackend(
        [says(calculates("change", "subtract", "t1r1c1", "t1r1c2"), ("answer", {"value": "change"}))]
    )
    turn = Session(build(page, default_ontology(None)[0]), backend).ask("By how much did wages change?")
    assert turn.text == "$12 million"
    assert "constant: nothing: a dash is printed at t1r1c2" in plain_text(turn)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What do brokerage fees comprise of?", "fees for the sale of timber by agents of the mill"),
        ("What is the symbol of the common stock on the Elm exchange?", "ORCH"),
    ],
)
def test_a_quotation_begins_behind_what_is_asked_for_and_ends_with_its_sentence(question, quoted) -> None:
    sentences = (
        "Brokerage fees are comprised of fees for the sale of timber by agents of the mill.",
        "Our common stock trades on the Elm exchange under the symbol “ORCH.” The table shows its prices.",
    )
    made = [each.texts[0] for each in quotes(read_question(question), make_prose(sentences))]
    assert quoted in made and not any("prices" in each for each in made if "ORCH" in each)


def test_a_quotation_of_several_sentences_is_not_parted() -> None:
    assert marked('"Wages rose. No plant was shut."; {t1r2c1}') == '"Wages rose. No plant was shut."; {t1r2c1}'
