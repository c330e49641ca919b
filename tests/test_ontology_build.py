"""The TBox that reports are turned into: what is in it, what never is, and that it never varies."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from ontology_documents import report, reports
from rdflib import Graph
from rdflib.compare import isomorphic

from tieout.data.readers.read import read_conversations
from tieout.ontology.build import build, local_name
from tieout.ontology.check import check
from tieout.ontology.learn.advice import Advice
from tieout.ontology.learn.update import difference
from tieout.ontology.model import Ontology, OntologyError, default_ontology
from tieout.ontology.tbox.term import OntologyClass, Property
from tieout.ontology.vocabulary import KG

SNAPSHOT = Path(__file__).parent / "snapshots" / "ontology.ttl"


def test_the_tbox_of_the_small_reports_is_that_of_the_snapshot():
    """After a change that is meant: UPDATE_SNAPSHOTS=1 pytest tests/test_ontology_build.py"""
    made = build(reports()).turtle()
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(made)
    assert isomorphic(Graph().parse(data=made), Graph().parse(SNAPSHOT))


def test_the_tbox_that_ships_with_tieout_is_the_one_of_the_sample_reports():
    """After a change that is meant: tieout ontology build data/sample/train.json -o ontology/sample.ttl"""
    made = build(each.document for each in read_conversations(ROOT / "data" / "sample" / "train.json"))
    assert made.turtle() == (ROOT / "ontology" / "sample.ttl").read_text()
    assert default_ontology(None)[0].turtle() == made.turtle()


def test_labels_of_one_line_item_become_one_property_with_the_units_seen():
    properties = {item.name: item for item in build(reports()).properties}
    assert properties["revenues"].alternatives == ("net sales", "total revenues")
    assert properties["revenues"].units == ("$",)
    assert properties["revenues"].support == 2
    assert properties["revenues"].domains == ("IncomeStatement",)
    assert properties["expectedVolatility"].alternatives == ("volatility factor",)
    assert properties["expectedVolatility"].domains == ("StockOption",)
    assert properties["netIncome"].close_match.endswith("#NetIncomeLoss")


def test_what_one_company_alone_prints_is_no_line_item_of_reports_in_general():
    assert "zenithrope" not in build(reports()).turtle()
    twice = [*reports(), report("Single_QRBY/2011/page_3.pdf-1", "as follows .", ("", "2011"), ("licence income", "2"))]
    assert "licence" not in build(twice).turtle()


def test_a_page_that_is_asked_about_twice_counts_once():
    again = [document.model_copy(update={"id": document.id + "-again"}) for document in reports()]
    assert build([*reports(), *again]).turtle() == build(reports()).turtle()


def test_total_and_part_that_one_table_prints_side_by_side_stay_apart():
    documents = [
        report(
            f"Single_{name}/2009/page_1.pdf-1",
            "debt as follows .",
            ("in millions", "2009"),
            ("long-term debt", f"$ {part}"),
            ("total long-term debt", "$ 9"),
        )
        for name, part in (("QRBY", 5), ("ZNTH", 6))
    ]
    made = build(documents)
    one, other = made.match_property("long-term debt"), made.match_property("total long-term debt")
    assert one[0].name != other[0].name


def test_a_quality_that_combines_freely_is_a_facet_and_no_property_of_its_own():
    documents = [
        report(
            f"Single_{name}/2009/page_1.pdf-1",
            "as follows .",
            ("in millions", "2009"),
            ("net sales", f"$ {number}"),
            ("european net sales", "$ 1"),
            ("segment net sales", "$ 2"),
        )
        for number, name in enumerate(("QRBY", "ZNTH"), start=7)
    ]
    made = build(documents)
    (revenues,) = made.properties
    assert revenues.facets == ("european", "segment")
    assert Ontology.parse(made.turtle()).properties == made.properties
    assert [match.name for match in made.match_line("asian net sales")] == [revenues.name]


@given(st.permutations(reports()))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_reports_does_not_matter(documents):
    assert build(documents).turtle() == build(reports()).turtle()


def test_turtle_comes_back_as_it_was():
    made = build(reports())
    again = Ontology.parse(made.turtle())
    assert (again.classes, again.properties) == (made.classes, made.properties)
    assert again.turtle() == made.turtle()


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20)
NAME = st.from_regex(r"[a-z][A-Za-z0-9]{0,12}", fullmatch=True)


@given(st.dictionaries(NAME, st.tuples(TEXT, st.frozensets(TEXT, max_size=3)), min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)
def test_any_labels_survive_turtle(items):
    classes = [
        OntologyClass("Lease", "lease", ("rent",), "Obligation", None, 3),
        OntologyClass("Obligation", "obligation"),
    ]
    properties = [
        Property(name, label, tuple(sorted(others)), ("Lease", "Obligation"), ("$/share",), ("level 1",), None, 2)
        for name, (label, others) in items.items()
    ]
    again = Ontology.parse(Ontology(classes, properties).turtle())
    assert again.properties == tuple(sorted(properties, key=lambda item: item.name))
    assert {item.name: item.parent for item in again.classes} == {"Lease": "Obligation", "Obligation": "Entity"}


@given(st.lists(st.text(max_size=30), max_size=30))
def test_names_are_unique_and_no_term_of_our_own(labels):
    fixed = {name.lower() for name in KG.__annotations__}
    taken: set[str] = set()
    names = [local_name(label, taken) for label in labels]
    assert len({name.lower() for name in names}) == len(names)
    assert all(re.fullmatch(r"[a-z][A-Za-z0-9]*", name) and name.lower() not in fixed for name in names)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "no property"), ("nonsense", "not Turtle"), ("<a:b> <a:c> <a:d> .", "no property")],
)
def test_what_is_no_tbox_is_refused_in_one_line(tmp_path, text, said):
    path = tmp_path / "bad.ttl"
    path.write_text(text)
    with pytest.raises(OntologyError) as error:
        Ontology.load(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_an_update_renames_nothing_and_adds_what_is_new():
    first, second = build(reports()[:2]), build(reports())
    old = Ontology(first.classes, [item for item in first.properties if item.name != "revenues"])
    kept = Property("turnover", "revenues", (), ("IncomeStatement",), ("EUR",), (), None, 9)
    old = Ontology(old.classes, [*old.properties, kept])
    made = build(reports(), old=old)
    names = {item.name: item for item in made.properties}
    assert {item.name for item in old.properties} <= set(names)
    assert "revenues" not in names
    assert names["turnover"].label == "revenues"
    assert names["turnover"].units == ("$", "EUR")
    assert names["turnover"].support == 9
    changed = difference(old, made)
    assert "expectedVolatility" in changed.properties
    assert "StockOption" in changed.classes
    assert "turnover" in changed.relabelled
    assert check(made.turtle()) == []
    assert {item.name for item in second.properties} - {"revenues"} <= set(names)


def test_an_update_with_the_same_reports_changes_nothing():
    made = build(reports())
    assert build(reports(), old=made).turtle() == made.turtle()


def test_an_adviser_names_and_merges_but_not_against_the_reports():
    calls = []

    def advise(proposals):
        return Advice(
            names={"net income": "profit for the year", "revenues": "sales of 2009", "nothing": "x"},
            same=(("expected life", "expected volatility"), ("cost of sales", "expected life"), ("a", "b")),
        )

    made = build(reports(), advise=advise, log=calls.append)
    properties = {item.name: item for item in made.properties}
    assert "net income" in properties["profitForTheYear"].alternatives
    assert "revenues" in properties
    assert made.match_property("cost of sales")[0].name == made.match_property("expected life")[0].name
    assert made.match_property("expected life")[0].name != made.match_property("expected volatility")[0].name
    (call,) = calls
    assert {proposal.label for proposal in call.proposals} >= {"revenues", "net income"}
    assert len(call.refused) == 4
