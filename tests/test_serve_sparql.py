"""SPARQL 1.1 Protocol: as its text has it, and as the clients that people use speak it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from conftest import SAMPLE
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph

pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
from serving import TOKEN, served
from starlette.testclient import TestClient

from tieout.kg.output import WRITERS
from tieout.kg.store.query import Result
from tieout.kg.store.store import open_store, replace_graphs
from tieout.ontology.model import default_ontology
from tieout.serve.app import Serving, make_app
from tieout.serve.library import Library
from tieout.serve.sparql import GRAPHS, SOLUTIONS, choose

KEY = {"Authorization": f"Bearer {TOKEN}"}
COUNT = "SELECT (COUNT(?f) AS ?n) WHERE { ?f kg:raw ?raw }"
SOME = "SELECT ?f ?value WHERE { ?f kg:value ?value } ORDER BY ?f LIMIT 5"
MAKE = "CONSTRUCT { ?f kg:value ?v } WHERE { ?f kg:value ?v } LIMIT 5"
PREFIX = "PREFIX kg: <urn:tieout:kg#> "


@pytest.fixture(scope="module")
def library():
    with Library(default_ontology(None)[0]) as opened:
        opened.add(SAMPLE / "ask.json")[1].result()
        yield opened


@pytest.fixture(scope="module")
def client(library):
    app = make_app(Serving(library=library, token=TOKEN, port=80))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as opened:
        yield opened


def rows(reply) -> list:
    return reply.json()["results"]["bindings"]


def test_a_query_comes_in_any_of_the_three_ways(client):
    by_get = client.get("/sparql", params={"query": COUNT})
    by_form = client.post("/sparql", data={"query": COUNT})
    plain = {"content-type": "application/sparql-query; charset=utf-8"}
    by_body = client.post("/sparql", content=COUNT.encode(), headers=plain)
    assert int(rows(by_get)[0]["n"]["value"]) > 100
    assert rows(by_get) == rows(by_form) == rows(by_body)


@pytest.mark.parametrize("accept", [*SOLUTIONS, "*/*", "", "text/html, */*;q=0.1", "text/csv;q=0.5, text/xml;q=0.6"])
def test_solutions_come_as_is_accepted(client, accept):
    reply = client.get("/sparql", params={"query": SOME}, headers={"accept": accept})
    kind = reply.headers["content-type"].partition(";")[0]
    wanted = {"": "json", "*/*": "json", "text/html, */*;q=0.1": "json", "text/csv;q=0.5, text/xml;q=0.6": "xml"}
    form = SOLUTIONS[kind]
    assert form == wanted.get(accept, SOLUTIONS.get(accept))
    if form == "json":
        assert len(json.loads(reply.text)["results"]["bindings"]) == 5
    elif form == "xml":
        names = {"s": "http://www.w3.org/2005/sparql-results#"}
        assert len(ElementTree.fromstring(reply.text).findall(".//s:result/s:binding/s:literal", names)) == 5
    else:
        assert len(reply.text.splitlines()) == 6


@pytest.mark.parametrize("accept", GRAPHS)
def test_triples_come_as_is_accepted(client, accept):
    reply = client.get("/sparql", params={"query": MAKE}, headers={"accept": accept})
    assert reply.headers["content-type"].startswith(accept)
    form = {"ttl": "turtle", "nt": "nt", "rdf": "xml"}[GRAPHS[accept]]
    assert len(Graph().parse(data=reply.text, format=form)) == 5


def test_ask_is_true_or_false(client):
    assert client.get("/sparql", params={"query": "ASK { ?f kg:raw ?raw }"}).json()["boolean"] is True
    xml = client.get("/sparql", params={"query": "ASK { ?f kg:raw 5 }"}, headers={"accept": "text/xml"})
    assert ElementTree.fromstring(xml.text)[1].text == "false"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"params": {"query": "SELECT ?x WHERE {"}}, 400),
        ({"params": {}}, 400),
        ({"params": {"query": ["ASK {}", "ASK {}"]}}, 400),
        ({"params": {"query": "DELETE WHERE { ?s ?p ?o }"}}, 400),
        ({"params": {"query": "ASK { SERVICE <http://a/> { ?s ?p ?o } }"}}, 400),
        ({"params": {"update": "CLEAR ALL"}}, 403),
        ({"params": {"query": SOME}, "headers": {"accept": "text/turtle"}}, 406),
        ({"params": {"query": MAKE}, "headers": {"accept": "text/csv"}}, 406),
        ({"method": "POST", "content": b"ASK {}", "headers": {"content-type": "text/html"}}, 415),
        ({"method": "POST", "content": b"CLEAR ALL", "headers": {"content-type": "application/sparql-update"}}, 403),
        ({"method": "POST", "content": b"\xff", "headers": {"content-type": "application/sparql-query"}}, 400),
        ({"method": "PUT", "content": b"ASK {}"}, 405),
    ],
)
def test_what_is_wrong_has_the_status_of_the_protocol(client, request_, status):
    reply = client.request(**{"method": "GET", "url": "/sparql", **request_})
    assert reply.status_code == status and reply.text.strip()


def test_a_query_that_takes_too_long_fails_and_the_next_is_answered(client, monkeypatch):
    monkeypatch.setattr("tieout.serve.sparql.SECONDS", 0.3)
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER(?c != ?f && ?i != ?c) }"
    reply = client.get("/sparql", params={"query": slow})
    assert reply.status_code == 500 and "stopped after" in reply.text
    monkeypatch.undo()
    assert client.get("/sparql", params={"query": COUNT}).status_code == 200


def test_a_dataset_that_is_described_holds_nothing_else(client, library):
    one, other = (held.graph.iri for held in library.ready()[:2])
    figures = {held.graph.iri: len(held.facts) for held in library.ready()[:2]}

    def count(query: str, **dataset: object) -> int:
        return int(rows(client.get("/sparql", params={"query": query, **dataset}))[0]["n"]["value"])

    in_named = "SELECT (COUNT(?f) AS ?n) { GRAPH ?g { ?f kg:raw ?raw } }"
    assert count(COUNT, **{"default-graph-uri": one}) == figures[one]
    assert count(COUNT, **{"default-graph-uri": [one, other]}) == figures[one] + figures[other]
    assert count(in_named, **{"default-graph-uri": one}) == 0
    assert count(in_named, **{"named-graph-uri": other}) == figures[other]
    assert count(COUNT, **{"named-graph-uri": other}) == 0
    assert count(COUNT, **{"default-graph-uri": "urn:nothing"}) == 0


def test_a_store_on_disk_can_be_asked_in_place_of_the_open_reports(library, tmp_path):
    held = library.ready()[0]
    with open_store(tmp_path / "store") as store:
        replace_graphs(store, [(held.graph.iri, held.graph.quads)])
        del store  # only one can have it open
    app = make_app(Serving(library=library, token=TOKEN, port=80, store=tmp_path / "store"))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as client:
        assert int(rows(client.get("/sparql", params={"query": COUNT}))[0]["n"]["value"]) == len(held.facts)


def test_rdflib_and_sparqlwrapper_are_answered():
    store_module = pytest.importorskip("rdflib.plugins.stores.sparqlstore")
    wrapper = pytest.importorskip("SPARQLWrapper", reason="NO SPARQLWRAPPER: not tried as a client")
    with served(SAMPLE / "ask.json") as address:
        store = store_module.SPARQLStore(f"{address}/sparql", headers=KEY)
        graph = Graph(store)
        found = list(graph.query(PREFIX + SOME))
        assert len(found) == 5 and all(row.value is not None for row in found)
        assert len(graph.query(PREFIX + MAKE).graph) == 5
        assert bool(graph.query(PREFIX + "ASK { ?f kg:raw ?raw }"))
        store.close()
        client = wrapper.SPARQLWrapper(f"{address}/sparql")
        client.addCustomHttpHeader("Authorization", KEY["Authorization"])
        for method in (wrapper.GET, wrapper.POST):
            client.setMethod(method)
            client.setQuery(PREFIX + SOME)
            client.setReturnFormat(wrapper.JSON)
            assert len(client.queryAndConvert()["results"]["bindings"]) == 5
            client.setReturnFormat(wrapper.XML)
            assert len(client.queryAndConvert().getElementsByTagName("result")) == 5
            client.setReturnFormat(wrapper.CSV)
            assert len(client.queryAndConvert().splitlines()) == 6
        client.setQuery(PREFIX + MAKE)
        client.setReturnFormat(wrapper.TURTLE)
        assert len(Graph().parse(data=client.queryAndConvert(), format="turtle")) == 5
        client.setReturnFormat(wrapper.JSON)
        client.setQuery("SELECT nonsense")
        with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed):
            client.query()


@given(st.text(max_size=60))
def test_any_accept_header_is_read(accept):
    assert choose(accept, SOLUTIONS) in (None, *SOLUTIONS)


@given(st.text(max_size=30))
def test_any_text_is_well_formed_xml(text):
    result = Result("select", ("x",), (({"type": "literal", "value": text},), (None,)))
    assert len(ElementTree.fromstring(WRITERS["xml"](result).encode(errors="replace"))[1]) == 2
