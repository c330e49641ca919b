"""Bundles: what reading a file yields is written once, and graphs are made of it when they are asked."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from filed import SHORT, write

import tieout
from tieout.data.readers.report import read_report
from tieout.kg.build import build
from tieout.kg.store import bundles as bundles_module
from tieout.kg.store.bundle import Bundle, BundleError, Ready, pack
from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.graph import Graph
from tieout.kg.store.kept import open_kept, read_graph
from tieout.kg.store.store import index_path, open_store
from tieout.ontology.model import default_ontology
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, document_graph

COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
REPORTS = "SELECT ?id { ?d a kg:Document ; dcterms:identifier ?id } ORDER BY ?id"


def run(*words: object) -> str:
    done = CliRunner().invoke(tieout.main, [str(each) for each in words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two reports."""
    place = tmp_path_factory.mktemp("in")
    write(place, "brightmoor", "castellan", length=SHORT)
    return place


@pytest.fixture(scope="module")
def store(reports: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that keeps both."""
    place = tmp_path_factory.mktemp("kept") / "store"
    run("index", reports, "--store", place)
    return place


def embedded(store: Path) -> set[str]:
    with open_store(store) as opened:
        return {graph.value for graph in opened.named_graphs() if isinstance(graph, ox.NamedNode)}


def test_a_kept_graph_has_the_triples_and_the_facts_of_the_file(reports, store):
    graph = build(read_report(reports / "brightmoor.htm"), default_ontology(None)[0])
    with open_kept(store) as kept:
        found = kept.graph("brightmoor")
        assert found.nquads() == graph.nquads()
        assert found.facts() == graph.facts()
        assert found.turtle() == graph.turtle()
    assert document_graph("brightmoor") not in embedded(store)


def test_what_is_said_of_one_figure_is_asked_without_filling_a_store_with_the_whole_report(store, monkeypatch):
    looked_in, select = [], Graph.select
    monkeypatch.setattr(
        Graph, "select", lambda graph, query: looked_in.append(len(graph.quads)) or select(graph, query)
    )
    with open_kept(store) as kept:
        graph = kept.graph("brightmoor")
        names = (f"{graph.iri}#{name}" for name in ("t1r1c1", "t2r2c2", "s10a1", "none"))
        asked = {name: f"SELECT ?says ?value {{ <{name}> ?says ?value }} ORDER BY ?says ?value" for name in names}
        alone = [graph.select_of(name, query) for name, query in asked.items()]
        assert max(looked_in) < 10_000 < len(graph.quads)
        assert alone == [graph.select(query) for query in asked.values()]
        assert [len(rows) > 5 for rows in alone] == [True, True, True, False]


def test_the_same_file_gives_the_same_bundle_wherever_it_is_kept(reports, store, tmp_path):
    run("index", reports, "--jobs", 2, "--store", tmp_path / "store")
    mine, other = (sorted(bundles_path(each).glob("*/*.zip")) for each in (store, tmp_path / "store"))
    assert [path.name for path in mine] == [path.name for path in other] and len(mine) == 2
    assert [path.read_bytes() for path in mine] == [path.read_bytes() for path in other]


def test_what_is_in_a_bundle_is_what_was_read(reports, tmp_path):
    document = read_report(reports / "castellan.htm")
    ready = Ready.of(document, build(document, default_ontology(None)[0]))
    (tmp_path / "a.zip").write_bytes(pack([ready], ["a part"]))
    bundle = Bundle(tmp_path / "a.zip")
    assert bundle.contents() == (ready.contents,)
    assert (bundle.reports, bundle.problems) == (("castellan",), ("a part",))
    with pytest.raises(BundleError, match="no report 'other'"):
        bundle.graph("other")


def test_a_bundle_of_another_form_is_told_and_not_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("about.json", json.dumps({"form": 2, "reports": [], "problems": []}))
    with pytest.raises(BundleError, match="of form 2, and 1 is read"):
        Bundle(tmp_path / "a.zip")


def test_few_graphs_are_in_memory_at_a_time(store, monkeypatch):
    monkeypatch.setattr(bundles_module, "MOST_OPEN", 1)
    made = []
    monkeypatch.setattr(
        Bundle, "graph", lambda self, report, real=Bundle.graph: made.append(report) or real(self, report)
    )
    with open_kept(store) as kept:
        one, other = kept.graph("brightmoor"), kept.graph("castellan")
        for graph in (one, one, other, one):
            assert graph.select("SELECT ?d { ?d a kg:Document }")
    assert made == ["brightmoor", "castellan", "brightmoor"]


def test_a_query_that_names_a_report_sees_it_and_the_tbox_and_leaves_the_store_as_it_is(store):
    alone = json.loads(run("sparql", "--store", store, "--document", "castellan", "--json", COUNT))
    names = run("sparql", "--store", store, "--document", "castellan", "--format", "csv", REPORTS)
    assert names.split() == ["id", "castellan"]
    assert document_graph("castellan") not in embedded(store)
    with open_kept(store) as kept, open_store(store) as opened:
        tbox = len(list(opened.quads_for_pattern(None, None, None, ox.NamedNode("urn:tieout:ontology"))))
        own = len(kept.graph("castellan").nquads().splitlines())
    assert alone["results"]["bindings"][0]["n"]["value"] == str(own + tbox)


def test_a_query_that_names_none_sees_all_reports_and_what_was_read_again_since(reports, tmp_path):
    folder, place = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    for path in reports.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    run("index", folder, "--store", place)
    assert run("sparql", "--store", place, "--format", "csv", REPORTS).split() == ["id", "brightmoor", "castellan"]
    assert document_graph("castellan") in embedded(place)
    amount = "SELECT ?raw { ?f kg:raw ?raw FILTER(CONTAINS(?raw, '9,999,991')) }"
    text = (folder / "castellan.htm").read_text(encoding="utf-8")
    (folder / "castellan.htm").write_text(f"{text}<p>Cash was $ 9,999,991 in 2023.</p>")
    run("index", folder, "--store", place)
    assert "9,999,991" in run("sparql", "--store", place, "--format", "csv", amount)


def test_kg_build_puts_the_graph_of_what_is_kept_into_the_store_unread(reports, store, tmp_path, monkeypatch):
    run("index", reports, "--store", tmp_path / "store")
    monkeypatch.setattr("tieout.kg.reports.library.build_source", None)
    assert "kept" in run("kg", "build", reports / "castellan.htm", "--store", tmp_path / "store")
    assert document_graph("castellan") in embedded(tmp_path / "store")
    same = read_graph(tmp_path / "store", "castellan").nquads()
    assert run("kg", "export", "castellan", "--format", "nq", "--store", tmp_path / "store").encode() == same


def test_what_was_read_is_not_read_again_when_the_store_and_the_index_are_gone(reports, tmp_path, monkeypatch):
    run("index", reports, "--store", tmp_path / "store")
    index_path(tmp_path / "store").unlink()
    monkeypatch.setattr("tieout.kg.reports.indexing.bounded", None)
    assert "2 read" in run("index", reports, "--store", tmp_path / "store")
    with open_kept(tmp_path / "store") as kept:
        assert [each.id for each in kept.index.reports()] == ["brightmoor", "castellan"]


def test_bundles_of_what_is_dropped_or_read_again_stay_for_readers_and_are_taken_away_after_a_day(reports, tmp_path):
    (path,) = write(tmp_path, "brightmoor", length=SHORT)
    store = tmp_path / "store"
    run("index", path, reports / "castellan.htm", "--store", store)
    with open_kept(store) as before:
        run("index", "--forget", "castellan", "--store", store)
        path.write_text(f"{path.read_text(encoding='utf-8')}<p>More.</p>", encoding="utf-8")
        run("index", path, "--store", store)
        assert all(before.graph(each.id).quads for each in before.index.reports())
        there = set(bundles_path(store).glob("*/*.zip"))
        assert len(there) == 3
    with open_kept(store) as after:
        (key,) = after.index.bundle_of().values()
    for bundle in there:
        os.utime(bundle, (0, 0))
    run("index", path, "--store", store)
    assert [bundle.stem for bundle in bundles_path(store).glob("*/*.zip")] == [key]


def test_the_graphs_of_companies_are_made_when_they_are_asked_and_again_when_a_filing_comes(reports, tmp_path):
    store = tmp_path / "store"
    query = "SELECT DISTINCT ?company { ?o a kg:Observation ; kg:of ?company }"
    run("index", reports / "brightmoor.htm", "--store", store)
    assert embedded(store) == {ONTOLOGY_GRAPH}
    assert len(json.loads(run("sparql", query, "--store", store, "--json"))["results"]["bindings"]) == 1
    assert len(embedded(store)) == 4  # with the report, its company and the concepts
    run("index", reports, "--store", store)
    assert not [iri for iri in embedded(store) if iri.startswith("urn:tieout:company:")]
    assert len(json.loads(run("sparql", query, "--store", store, "--json"))["results"]["bindings"]) == 2


def test_what_is_added_is_looked_at_and_what_is_kept_beside_it_is_not(reports, tmp_path):
    store = tmp_path / "store"
    run("index", reports, "--store", store)
    with open_kept(store) as kept:
        key = kept.index.bundle_of()["castellan"]
    path = bundles_path(store) / key[:2] / f"{key}.zip"
    path.write_bytes(path.read_bytes()[:-9])
    assert "1 kept already" in run("index", reports / "brightmoor.htm", "--store", store)
    told = CliRunner().invoke(tieout.main, ["index", str(reports / "castellan.htm"), "--store", str(store)])
    assert told.exit_code == 1 and "holds other bytes than were written" in told.stderr
