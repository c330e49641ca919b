"""Provenance: the log of a run as PROV-O answers who asked what, what failed, and where a number is from."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyoxigraph as ox
import pytest
from orris import REPORT, report_graph, session
from scripted import answers, calculates, says

from tieout.agent.log.log import Log, read_events
from tieout.eval.show.provenance import run_quads
from tieout.ontology.vocabulary import PREFIXES

QUESTIONS = ("what was the change?", "and in percent?", "anything else?")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ox.Store:
    """The graphs of a report and of a run about it."""
    store = ox.Store()
    store.load(report_graph().quads, ox.RdfFormat.N_QUADS)
    store.load(quads(tmp_path_factory.mktemp("run"))[1], ox.RdfFormat.N_QUADS)
    return store


def quads(folder: Path) -> tuple[str, bytes]:
    path = folder / "log.jsonl"
    with Log(path) as log:
        talk = session(
            says(calculates("change", "subtract", "t1r1c1", "t1r1c2"), answers("change"), model="m"),
            says(calculates("rate", "percentage", "prev_1", "t1r1c2"), answers("rate")),
            says(("query_kg", {"property": 'good"will\n'})),
            log=log,
        )
        for question in QUESTIONS:
            talk.ask(question)
        talk.close()
    return run_quads("first run/1", [read_events(path)])


def rows(store: ox.Store, query: str) -> list[list[str]]:
    found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
    return [[term.value if term else "" for term in solution] for solution in found]  # type: ignore[union-attr]


def test_all_of_a_run_stands_in_one_named_graph(tmp_path: Path) -> None:
    graph, lines = quads(tmp_path)
    assert graph == "urn:tieout:run:first%20run%2F1"
    assert all(line.endswith(f" <{graph}> .".encode()) for line in lines.splitlines())


def test_the_same_events_give_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    quads(tmp_path)
    events = list(read_events(path))
    assert run_quads("r", [events]) == run_quads("r", [events])


def test_the_failed_turns_of_a_run(store: ox.Store) -> None:
    query = """SELECT ?question ?outcome ?message WHERE {
      ?turn a kg:Turn ; kg:question ?question ; kg:outcome ?outcome ; kg:message ?message ;
            kg:conversation/kg:run <urn:tieout:run:first%20run%2F1> . FILTER(?outcome != "answer") }"""
    assert rows(store, query) == [["anything else?", "script over", "the script has no further reply"]]


def test_how_often_each_tool_was_called_and_its_time(store: ox.Store) -> None:
    query = """SELECT ?tool (COUNT(*) AS ?calls) (SUM(?seconds) AS ?total) WHERE {
      ?call a kg:ToolCall ; kg:tool ?tool ; kg:seconds ?seconds } GROUP BY ?tool ORDER BY ?tool"""
    found = rows(store, query)
    assert [row[:2] for row in found] == [["answer", "2"], ["calculate", "2"], ["query_kg", "1"]]
    assert all(0 < Decimal(row[2]) < 1 for row in found)


def test_the_way_from_an_answer_to_its_cells(store: ox.Store) -> None:
    query = """SELECT ?text ?raw ?row ?column WHERE {
      ?turn kg:question "and in percent?" ; kg:answer ?answer ; kg:answerText ?text .
      ?answer prov:wasDerivedFrom+ ?fact . ?fact kg:raw ?raw ; prov:wasDerivedFrom ?cell .
      ?cell a kg:Cell ; kg:row ?row ; kg:column ?column } ORDER BY ?column"""
    assert rows(store, query) == [["142.4%", "$ 60.94", "1", "1"], ["142.4%", "$ 25.14", "1", "2"]]


def test_every_entry_knows_the_call_that_made_it_and_its_value(store: ox.Store) -> None:
    query = """SELECT ?name ?value ?tool WHERE {
      ?entry a kg:Entry ; kg:name ?name ; kg:value ?value ; prov:wasGeneratedBy/kg:tool ?tool } ORDER BY ?name ?value"""
    found = {row[0]: row[1:] for row in rows(store, query)}
    assert found["change"] == ["35.8", "calculate"]
    assert found["rate"] == ["1.424025457438345267", "calculate"]


def test_the_program_and_the_model_are_told(store: ox.Store) -> None:
    query = "SELECT ?program WHERE { ?turn kg:number 2 ; kg:program ?program ; a kg:Turn }"
    assert rows(store, query) == [["subtract(60.94, 25.14), divide(#0, 25.14)"]]
    query = 'SELECT ?turn WHERE { ?call a kg:ModelCall ; kg:model "m" ; kg:turn/kg:number ?turn ; kg:failed false }'
    assert rows(store, query) == [["1"]]


def test_times_are_those_of_the_log(store: ox.Store) -> None:
    query = """SELECT ?number WHERE {
      ?turn a kg:Turn ; kg:number ?number ; prov:startedAtTime ?start ; prov:endedAtTime ?end
      FILTER(?start <= ?end) } ORDER BY ?number"""
    assert rows(store, query) == [["1"], ["2"], ["3"]]


def test_document_and_conversation_are_linked(store: ox.Store) -> None:
    query = "SELECT ?id WHERE { ?talk a kg:Conversation ; kg:document ?document . ?document dcterms:identifier ?id }"
    assert rows(store, query) == [[REPORT.id]]


def test_a_strange_text_stays_one_literal(store: ox.Store) -> None:
    query = "SELECT ?input WHERE { ?call a kg:ToolCall ; kg:failed true ; kg:input ?input }"
    assert rows(store, query) == [['{"property": "good\\"will\\n"}']]
