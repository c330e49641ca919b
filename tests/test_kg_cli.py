"""The commands that build, show and check graphs."""

from __future__ import annotations

import json
import re

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from pydantic import TypeAdapter

import tieout
from tieout.data.readers.read import read_conversations
from tieout.kg.fact import Fact
from tieout.kg.store.kept import read_graph
from tieout.kg.store.store import open_store


def run(*arguments):
    return CliRunner().invoke(tieout.main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def reports(sample):
    return sample / "ask.json"


@pytest.fixture(scope="module")
def store(reports, tmp_path_factory):
    directory = tmp_path_factory.mktemp("kg") / "store"
    result = run("kg", "build", reports, "--store", directory, "--json")
    assert result.exit_code == 0, result.stderr
    return directory, json.loads(result.stdout)


@pytest.fixture(scope="module")
def identifier(reports):
    return next(read_conversations(reports)).id


def count(store, query):
    found = run("sparql", query, "--store", store, "--format", "json")
    assert found.exit_code == 0, found.stderr
    return int(json.loads(found.stdout)["results"]["bindings"][0]["n"]["value"])


def test_build_keeps_every_document_and_the_tbox_in_the_store(store, reports):
    directory, said = store
    assert said["documents"] == len(list(read_conversations(reports)))
    assert count(directory, "SELECT (COUNT(?d) AS ?n) { ?d a kg:Document }") == said["documents"]
    assert count(directory, "SELECT (COUNT(?f) AS ?n) { ?f kg:raw ?raw }") == said["facts"]
    assert count(directory, "SELECT (COUNT(?c) AS ?n) { GRAPH <urn:tieout:ontology> { ?c a owl:Class } }") > 5
    facts = "SELECT (COUNT(DISTINCT ?f) AS ?n) { ?f kg:raw ?raw ; a/rdfs:subClassOf+ qb:Observation }"
    assert count(directory, facts) == count(directory, "SELECT (COUNT(?f) AS ?n) { ?f kg:raw ?raw }")


def test_building_again_changes_nothing(store, reports):
    directory, said = store
    again = run("kg", "build", reports, "--store", directory, "--json")
    assert json.loads(again.stdout) == said
    assert count(directory, "SELECT (COUNT(?f) AS ?n) { ?f kg:raw ?raw }") == said["facts"]


def test_show_prints_the_same_from_the_store_and_from_the_file(store, reports, identifier):
    kept = run("kg", "show", identifier, "--store", store[0])
    fresh = run("kg", "show", reports, identifier)
    assert kept.exit_code == fresh.exit_code == 0
    assert kept.stdout == fresh.stdout
    assert identifier in kept.stdout
    assert "table 1, instances" in kept.stdout
    assert "text, sentence by sentence" in kept.stdout


@pytest.mark.parametrize(
    ("form", "syntax"), [("ttl", ox.RdfFormat.TURTLE), ("nq", ox.RdfFormat.N_QUADS), ("jsonld", ox.RdfFormat.JSON_LD)]
)
def test_show_speaks_to_machines(store, identifier, form, syntax):
    result = run("kg", "show", identifier, "--store", store[0], "--format", form)
    assert len(list(ox.parse(result.stdout, format=syntax))) > 100


def test_show_gives_the_facts_as_json_with_everything_a_fact_has(store, identifier):
    shown = json.loads(run("kg", "show", identifier, "--store", store[0], "--json").stdout)
    facts = read_graph(store[0], identifier).facts()
    assert shown["id"] == identifier
    assert TypeAdapter(list[Fact]).validate_python(shown["facts"]) == list(facts)


def test_sparql_takes_json_as_every_command_does(store):
    asked = ("sparql", "SELECT ?d { ?d a kg:Document } ORDER BY ?d", "--store", store[0])
    assert run(*asked, "--json").stdout == run(*asked, "--format", "json").stdout


@pytest.mark.parametrize("form", ["table", "ttl", "csv"])
def test_json_and_another_format_exclude_each_other(store, identifier, form):
    command = ("sparql", "SELECT * { ?s ?p ?o }") if form == "csv" else ("kg", "show", identifier)
    done = run(*command, "--store", store[0], "--json", "--format", form)
    assert done.exit_code == 2 and done.stdout == ""
    assert "give either --json or --format" in done.stderr and done.stderr.count("Error: ") == 1


@pytest.mark.parametrize("seconds", ["nan", "inf", "0"])
def test_seconds_that_are_no_limit_are_refused(store, seconds):
    done = run("sparql", "SELECT * { ?s ?p ?o }", "--store", store[0], "--seconds", seconds)
    assert done.exit_code == 2
    assert "Invalid value for '--seconds'" in done.stderr and done.stderr.count("Error: ") == 1


def test_an_unknown_id_gets_one_line_with_the_nearest(store, identifier, reports):
    for arguments in ((identifier + "x", "--store", store[0]), (reports, identifier + "x")):
        result = run("kg", "show", *arguments)
        assert result.exit_code == 1
        assert identifier in result.stderr
        assert result.stderr.count("\n") <= 2


def test_the_file_comes_first(identifier, reports):
    done = run("kg", "show", identifier, reports)
    assert done.exit_code == 2
    assert f"the file comes first: tieout kg show {reports} {identifier}" in " ".join(done.stderr.split())


def test_check_finds_nothing_missing_in_the_sample(reports, tmp_path):
    some = tmp_path / "some.json"
    some.write_text(json.dumps(json.loads(reports.read_text())[::6]))
    result = run("kg", "check", some, "--json")
    assert result.exit_code == 0, result.stdout
    said = json.loads(result.stdout)
    assert said["missing"] == said["wrong"] == said["violations"] == []
    assert said["numbers"] == said["found"] > 100


def test_check_says_what_is_lost_and_fails(reports, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.graph.Graph.facts", lambda graph: ())
    result = run("kg", "check", reports, "--no-shapes")
    assert result.exit_code == 1
    assert re.search(r"missing: .*, table 1, row \d+, column \d+: ", result.stdout)


def test_a_file_that_cannot_be_read_leaves_the_store_as_it_was(reports, tmp_path):
    (tmp_path / "bad.json").write_text("{")
    some = tmp_path / "some.json"
    some.write_text(json.dumps(json.loads(reports.read_text())[:2]))
    at = ("--store", tmp_path / "store")
    for files in ((tmp_path / "bad.json",), (some, tmp_path / "bad.json")):
        assert run("kg", "build", *files, *at).exit_code == 1
        assert not (tmp_path / "store").exists()
    run("kg", "build", some, *at)
    every = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    before = count(tmp_path / "store", every)
    for files in ((tmp_path / "bad.json",), (some, tmp_path / "bad.json")):
        assert run("kg", "build", *files, *at).exit_code == 1
        assert count(tmp_path / "store", every) == before


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--run", "nosuch", "the store has no run 'nosuch'; there is none"),
        (
            "--document",
            "x",
            "the store has no document 'x'; there are 19: 'Double_LORQUE/2012/page_88.pdf'",
        ),
        ("--document", "Single_NORVALE", "did you mean 'Single_NORVALE/2013/page_35.pdf-1'"),
    ],
)
def test_a_graph_that_is_not_there_is_told_with_those_that_are(store, option, name, said):
    result = run("sparql", "SELECT * { ?s ?p ?o }", option, name, "--store", store[0])
    assert result.exit_code == 1 and result.stdout == ""
    assert said in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_file_that_is_none_of_ours_gets_one_line(command, tmp_path):
    (tmp_path / "empty.json").write_text("")
    for path in (tmp_path / "none.json", tmp_path / "empty.json"):
        extra = ("--store", tmp_path / "store") if command == "build" else ()
        result = run("kg", command, path, *extra)
        assert result.exit_code == 1
        assert result.stderr.splitlines()[-1].startswith("tieout: ")
        assert "Traceback" not in result.stderr


def test_a_store_that_nobody_refers_to_any_more_is_not_in_use(tmp_path):
    """As an error keeps it that was caught, until cycles are looked for."""
    held = [ox.Store(str(tmp_path / "store"))]
    held.append(held)
    del held
    with open_store(tmp_path / "store") as opened:
        assert len(opened) == 0
