"""How printed labels find their property and tables their class, on hand-made and on real reports."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ontology_documents import report, reports

from tieout.data.document import Table
from tieout.ontology.build import build
from tieout.ontology.labels.label import normalise
from tieout.ontology.model import Ontology, default_ontology
from tieout.ontology.stats import measure, stats_json
from tieout.ontology.tbox.term import Match, MatchedBy, OntologyClass, Property

SMALL = build(reports())
MONEY = ("USD",)
HAND_MADE = Ontology(
    [
        OntologyClass("SharePerformance", "share performance", support=3),
        OntologyClass("Debt", "debt", support=3),
        OntologyClass("Lease", "lease", support=3),
    ],
    [
        Property("revenues", "net sales", ("revenues",), units=MONEY, support=9),
        Property("capitalExpenditures", "capital expenditures", units=MONEY, support=4),
        Property("totalShareholderReturn", "total shareholder return", units=MONEY, support=4),
        Property("carryingValue", "carrying value", units=MONEY, support=4),
        Property("minimumLeasePayments", "minimum lease payments", units=MONEY, support=4),
        Property("charges", "charges", units=("USD",), support=2),
        Property("chargesPercent", "charges", units=("percent",), support=1),
        Property("impairment", "impairment charges", support=1),
    ],
)


def found(ontology, label, **context):
    return [(match.name, match.by) for match in ontology.match_line(label, **context)]


@pytest.mark.parametrize(
    ("label", "name", "by"),
    [
        ("Revenues ( 1 )", "revenues", MatchedBy.EXACT),
        ("total revenues", "revenues", MatchedBy.ALTERNATIVE),
        ("net revenues 2009", "revenues", MatchedBy.FUZZY),
        ("assumed volatility", "expectedVolatility", MatchedBy.FUZZY),
        ("risk-free intrest rate", "riskFreeInterestRate", MatchedBy.FUZZY),
    ],
)
def test_a_label_is_found_exactly_then_by_alternative_then_nearly(label, name, by):
    (match,) = SMALL.match_property(label)
    assert (match.name, match.by) == (name, by)
    assert (match.score == 100) == (by is not MatchedBy.FUZZY)


@pytest.mark.parametrize("label", ["deferred revenue", "net interest income", "operating expenses", "", "2009", "$ 12"])
def test_a_look_alike_and_what_names_nothing_match_no_property(label):
    assert SMALL.match_property(label) == ()


def test_equally_good_candidates_are_all_kept_and_the_unit_decides_which_is_first():
    assert [match.name for match in HAND_MADE.match_property("charges", "USD")] == ["charges", "chargesPercent"]
    assert [match.name for match in HAND_MADE.match_property("charges", "percent")] == ["chargesPercent", "charges"]
    assert len({match.score for match in HAND_MADE.match_property("charges")}) == 1


@given(st.text(max_size=40), st.none() | st.sampled_from(["USD", "percent"]))
@settings(deadline=None)
def test_any_label_gives_scored_candidates_best_first_and_always_the_same(label, unit):
    matches = SMALL.match_property(label, unit)
    assert matches == SMALL.match_property(label, unit)
    assert all(0 <= match.score <= 100 for match in matches)
    assert list(matches) == sorted(matches, key=lambda match: -match.score)
    assert not matches or normalise(label)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("european net sales", "revenues"),
        ("net sales of discontinued businesses", "revenues"),
        ("cable segment capital expenditures", "capitalExpenditures"),
    ],
)
def test_a_special_case_is_found_by_the_end_of_its_main_phrase(label, name):
    assert found(HAND_MADE, label) == [(name, MatchedBy.NARROWER)]
    assert HAND_MADE.match_property(label) == ()


@pytest.mark.parametrize(
    "label",
    [
        "deferred net sales",
        "net sales and other income",
        "gardening and net sales",
        "cost of net sales",
        "net sales per employee",
        "sales tax",
    ],
)
def test_another_line_item_is_no_special_case(label):
    assert found(HAND_MADE, label) == []


def test_the_header_over_an_amount_and_the_heading_above_a_line_name_its_property():
    assert found(HAND_MADE, "5.25% notes due 2014", header="carrying value 2009") == [
        ("carryingValue", MatchedBy.NARROWER)
    ]
    assert found(HAND_MADE, "gardening tools", section="net sales :") == [("revenues", MatchedBy.NARROWER)]
    assert found(HAND_MADE, "gardening tools", header="total", section="other") == []


def test_the_lines_of_a_performance_graph_are_returns_of_whatever_they_name():
    labels = ["quarrelby inc .", "s&p 500", "s&p metals index", "2008", "2009"]
    (first, *_) = HAND_MADE.match_class(labels, "performance graph : the cumulative total return on our common stock .")
    assert first.name == "SharePerformance"
    assert any("total return" in evidence for evidence in first.evidence)
    whole = HAND_MADE.match_measure(labels[:3], "", first)
    assert found(HAND_MADE, "quarrelby inc .", unit="USD", measure=whole) == [
        ("totalShareholderReturn", MatchedBy.NARROWER)
    ]
    assert found(HAND_MADE, "quarrelby inc .", unit="index", measure=whole)
    assert found(HAND_MADE, "quarrelby inc .", unit="percent", measure=whole) == []


def test_the_sentence_before_a_table_of_names_says_what_it_measures():
    text = "we have plants in three regions . capital expenditures by region were as follows :"
    whole = HAND_MADE.match_measure(["tuscania", "borealis", "total"], text, None)
    assert found(HAND_MADE, "tuscania", unit="USD", measure=whole) == [("capitalExpenditures", MatchedBy.NARROWER)]
    assert found(HAND_MADE, "deferred tax", unit="USD", measure=whole) == []


def test_a_sentence_that_announces_no_table_names_no_measure():
    text = "we expect that capital expenditures will be higher next year ."
    assert HAND_MADE.match_measure(["tuscania", "borealis"], text, None) is None


def test_lines_that_name_items_are_parts_of_what_a_class_is_about_only_where_the_class_is_sure():
    sure, unsure = (Match("SharePerformance", "share performance", MatchedBy.FUZZY, score) for score in (80.0, 15.0))
    named = {"label": "deferred thing", "unit": "USD"}
    assert found(HAND_MADE, **named, measure=HAND_MADE.match_measure(["deferred thing"], "", sure))
    assert not found(HAND_MADE, **named, measure=HAND_MADE.match_measure(["deferred thing"], "", unsure))


def test_a_table_whose_lines_speak_for_themselves_has_no_measure():
    assert (
        HAND_MADE.match_measure(["net sales", "capital expenditures"], "carrying value was as follows :", None) is None
    )


def test_a_column_of_lease_payments_without_a_label_is_named_by_its_class():
    (first, *_) = HAND_MADE.match_class(["2010", "2011"], "future minimum payments under operating leases were :")
    whole = HAND_MADE.match_measure([""], "", first)
    assert found(HAND_MADE, "", unit="USD", measure=whole) == [("minimumLeasePayments", MatchedBy.NARROWER)]


def test_nothing_speaks_for_a_class_where_nothing_is_said():
    assert SMALL.match_class([], "") == ()
    assert SMALL.match_class(["xylophone"], "the weather was fine .") == ()


def test_a_table_without_a_telling_word_gets_the_class_of_its_line_items():
    (first, *_) = SMALL.match_class(["net sales", "cost of sales", "2009"], "")
    assert first.name == "IncomeStatement"
    assert first.evidence


def test_stats_count_each_way_of_matching_and_each_page_once():
    unseen = report(
        "Single_XYLO/2010/page_1.pdf-1",
        "the results of operations were as follows .",
        ("in millions", "2010"),
        ("revenues", "$ 5"),
        ("net sales", "$ 4"),
        ("net revenue", "$ 3"),
        ("european revenues", "2"),
        ("gardening prizes", "1"),
    )
    again = unseen.model_copy(update={"id": "Single_XYLO/2010/page_1.pdf-2"})
    counted = stats_json(SMALL, measure(SMALL, [unseen, again]))
    assert (counted["documents"], counted["rows"], counted["tables_classed"]) == (1, 5, 1.0)
    ways = ("exact", "alternative", "fuzzy", "narrower", "minted")
    assert [counted[f"rows_{way}"] for way in ways] == [0.2] * 5
    assert counted["rows_mapped"] == pytest.approx(0.8)


def test_a_row_is_mapped_only_when_all_its_amounts_are():
    notes = report(
        "Single_XYLO/2010/page_1.pdf-1",
        "notes as follows .",
        ("", "carrying value", "xylophones"),
        ("5.25% notes due 2014", "$ 5", "$ 6"),
    )
    assert measure(HAND_MADE, [notes]).rows[MatchedBy.MINTED] == 1
    mapped = notes.model_copy(update={"tables": (Table(rows=tuple(row[:2] for row in notes.tables[0].rows)),)})
    assert measure(HAND_MADE, [mapped]).rows_mapped == 1


def test_stats_of_nothing_are_null():
    counted = stats_json(SMALL, measure(SMALL, []))
    assert counted["rows_mapped"] is None
    assert counted["tables_classed"] is None


def test_the_sample_is_used_where_there_is_no_ontology_and_the_note_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    derived, note = default_ontology(None)
    assert "sample" in note
    assert derived.properties
    (tmp_path / "ontology.ttl").write_text(SMALL.turtle())
    own, note = default_ontology(None)
    assert note.startswith("ontology.ttl")
    assert own.properties == SMALL.properties
    assert default_ontology(tmp_path / "ontology.ttl")[0].properties == SMALL.properties
