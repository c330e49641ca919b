"""Graphs at a SPARQL endpoint in place of the store: what is put there, asked there, and how big a request gets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from sparql_server import HEADER, oxigraph_server, sparql_server

import tieout
from tieout.kg.store.endpoint import MOST_SENT, Endpoint, EndpointError, EndpointGraph, Place
from tieout.kg.store.graph import Graph
from tieout.kg.store.guard import QueryError
from tieout.kg.store.pick import facts_named

REPORT = SAMPLE / "report.htm"


@pytest.fixture
def server():
    with sparql_server() as running:
        yield running


@pytest.fixture(params=["update", "graph store"])
def place(request, server) -> str:
    """How a user names it: with Update alone, or with the Graph Store Protocol."""
    put = f"update={server.address}/update" if request.param == "update" else f"graphs={server.address}/store"
    return f"{server.address}/query,{put}"


@pytest.fixture(scope="module")
def graph() -> Graph:
    report = tieout.read(REPORT)
    return report.graph


def run(*words: object) -> str:
    done = CliRunner().invoke(tieout.main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


QUESTION = "what was operating income in 2024?"


def results(*where: object) -> list[dict[str, Any]]:
    """What building, querying and asking there tell."""
    query = "SELECT ?fact ?raw WHERE { GRAPH ?g { ?fact kg:raw ?raw } } ORDER BY ?fact LIMIT 7"
    commands = (("kg", "build", REPORT), ("sparql", query), ("ask", REPORT, QUESTION))
    return [json.loads(run(*command, *where, "--json")) for command in commands]


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> list[dict[str, Any]]:
    """What the store here gives."""
    return results("--store", tmp_path_factory.mktemp("here") / "store")


def test_what_is_built_asked_and_queried_there_is_what_the_store_here_gives(server, place, here, tmp_path):
    where = ["--endpoint", place, "--store", tmp_path / "there" / "store"]
    built, rows, told = results(*where)
    assert built["facts"] == here[0]["facts"] > 100
    assert built["store"] == f"{server.address}/query"
    assert rows["results"] == here[1]["results"] and len(rows["results"]["bindings"]) == 7
    assert told["answer"] == here[2]["answer"] == "$685 million"
    assert told["places"] == here[2]["places"]
    again = json.loads(run("ask", QUESTION, *where, "--json"))  # without the file: what was put there
    assert again["answer"] == told["answer"]
    assert json.loads(run("kg", "build", REPORT, *where, "--json"))["kept"] == ["report"]
    assert not (tmp_path / "there" / "store").exists()
    assert server.largest <= MOST_SENT


@pytest.mark.parametrize("way", ["update={}/update", "graphs={}/store"])
def test_an_oxigraph_server_holds_the_graphs(way, tmp_path):
    with oxigraph_server() as address:
        where = ["--endpoint", f"{address}/query,{way.format(address)}", "--store", tmp_path]
        assert json.loads(run("kg", "build", REPORT, *where, "--json"))["facts"] > 100
        told = json.loads(run("ask", REPORT, QUESTION, *where, "--json"))
        assert told["answer"] == "$685 million" and told["places"]
        counted = json.loads(run("sparql", "SELECT (COUNT(?f) AS ?n) WHERE { ?f kg:raw ?r }", *where, "--json"))
        assert int(counted["results"]["bindings"][0]["n"]["value"]) > 100


def test_a_graph_is_put_in_small_requests_and_in_place_of_the_old_one(server, place, graph, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.endpoint.MOST_SENT", 20_000)
    endpoint = Endpoint(Place.read(place))
    endpoint.put(graph.iri, b"<urn:old> <urn:old> <urn:old> .\n")
    endpoint.put(graph.iri, graph.triples)
    assert server.largest <= 20_000 and len(server.asked) > len(graph.triples) / 20_000
    assert {graph_.value for graph_ in server.store.named_graphs()} == {graph.iri}
    assert len(server.store) == len(set(graph.triples.splitlines()))
    assert endpoint.holds(graph.iri) and not endpoint.holds("urn:nothing")


def test_the_graph_there_is_read_as_the_one_here(server, graph):
    endpoint = Endpoint(Place.read(f"{server.address}/query,update={server.address}/update"))
    endpoint.put(graph.iri, graph.triples)
    there = EndpointGraph(graph.document_id, endpoint)
    server.asked.clear()
    names = [fact.name for fact in graph.facts()][:300]
    assert facts_named(there, names) == facts_named(graph, names)
    assert len(server.asked) < 12  # of some hundred subjects each, and not one by one
    assert there.facts() == graph.facts()
    query = "SELECT ?raw WHERE { ?fact kg:raw ?raw } ORDER BY ?fact"
    assert there.select(query) == graph.select(query)


def test_a_page_is_asked_there_too(server, tmp_path):
    place = f"{server.address}/query,graphs={server.address}/store"
    question = "what was the operating income in 2013?"
    where = ["--json", "--store", tmp_path / "store", "--endpoint", place]
    told = json.loads(run("ask", SAMPLE / "ask.json", "NORVALE/2013/page_35", question, *where))
    assert told["answer"] == "$559.5 million"


def test_the_header_of_the_environment_is_sent_and_a_password_is_never_shown(server, monkeypatch):
    server.authorization = HEADER
    place = Place.read(f"{server.address}/query")
    with pytest.raises(EndpointError, match="says 401"):
        Endpoint(place).ask("ASK {}")
    monkeypatch.setenv("TIEOUT_ENDPOINT_AUTHORIZATION", HEADER)
    assert Endpoint(place).ask("ASK {}").kind == "ask"
    secret = Place.read(server.address.replace("//", "//me:hush@") + "/query")
    with pytest.raises(EndpointError) as told:
        Endpoint(secret).ask("ASK {}")
    assert "hush" not in str(told.value)


@pytest.mark.parametrize(
    ("path", "said"),
    [("/nowhere", "says 404"), ("/moved", "says 302")],
)
def test_what_is_no_endpoint_is_told_in_one_line(server, path, said):
    with pytest.raises(EndpointError, match=said):
        Endpoint(Place.read(server.address + path)).ask("ASK {}")


def test_a_query_that_is_wrong_or_would_change_something_is_refused(server):
    endpoint = Endpoint(Place.read(f"{server.address}/query"))
    with pytest.raises(QueryError, match="refuses"):
        endpoint.ask("SELECT nonsense")
    for text in ("DELETE WHERE { ?s ?p ?o }", "SELECT * { SERVICE <http://a/> { ?s ?p ?o } }"):
        with pytest.raises(QueryError):
            endpoint.query(text)
    assert server.asked == ["POST /query"]


def test_a_reply_that_is_cut_off_is_no_result(server, monkeypatch):
    monkeypatch.setattr(
        "sparql_server._Handler._query",
        lambda handler, _: handler._reply(200, b'{"head": {"vars": ["a"]}, "results": {"bind', "application/json"),
    )
    with pytest.raises(QueryError, match="cut off"):
        Endpoint(Place.read(f"{server.address}/query")).ask("SELECT * {}")


@pytest.mark.parametrize("text", ["", "store", "file:///etc/passwd", "http://", "http://a,upload=http://b"])
def test_a_place_that_is_none_is_refused(text):
    with pytest.raises(EndpointError):
        Place.read(text)


def test_an_endpoint_that_is_not_there_is_told():
    done = CliRunner().invoke(tieout.main, ["sparql", "ASK {}", "--endpoint", "http://127.0.0.1:1/query"])
    assert done.exit_code != 0 and "is not reached" in done.stderr and "Traceback" not in done.output
