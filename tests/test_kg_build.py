"""Documents into graphs: what becomes a fact, with which meaning, and where it was printed."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from itertools import islice

import pyoxigraph as ox
import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from kg_documents import OPTIONS, TBOX, document, facts_of, graph_of
from ontology_documents import reports

from tieout.data.document import Document, Table
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.kg.check import find_loss, find_violations
from tieout.kg.drafts.draft import nth
from tieout.kg.drafts.introduction import title
from tieout.kg.fact import FactKind
from tieout.kg.names import Names, camel, decimal_text
from tieout.kg.store.graph import Graph
from tieout.ontology.build import build as learn
from tieout.ontology.vocabulary import document_graph, unit_iri

FILES = ("dev_open.json", "train_100.json", "test_inputs.json")


@pytest.fixture(scope="module")
def graph():
    return graph_of(OPTIONS)


@pytest.fixture(scope="module")
def facts(graph):
    return {fact.name: fact for fact in graph.facts()}


def test_a_column_is_an_instance_and_a_row_label_a_property(graph):
    found = graph.select(
        "SELECT ?value ?period { ?option a kg:StockOption ; kg:exercisePrice ?value ."
        " ?fact kg:instance ?option ; kg:property kg:exercisePrice ; kg:period/kg:periodKey ?period } ORDER BY ?period"
    )
    assert [(row["period"], row["value"]) for row in found] == [("2006", Decimal("37.84")), ("2007", Decimal("60.94"))]


def test_a_fact_reads_back_with_everything_it_was_built_from(facts):
    fact = facts["t1r1c1"]
    assert (fact.value, fact.unit, fact.unit_from, fact.raw) == (Decimal("60.94"), "$/share", "cell", "$ 60.94")
    assert (fact.period.key, fact.period_from, fact.header) == ("2007", "column header", "2007")
    assert (fact.instance, fact.entity_type, fact.property) == ("StockOption_2007", "StockOption", "exercisePrice")
    assert (fact.matched_by, fact.label) == ("alternative", "weighted average exercise price per share")
    assert (fact.table, fact.row, fact.column, fact.start, fact.end, fact.context) == (1, 1, 1, 0, 7, "$ 60.94")


def test_a_doubled_percent_is_one_positive_fact(facts):
    assert (facts["t1r2c1"].value, facts["t1r2c1"].unit, facts["t1r2c1"].raw) == (27, "percent", "27% ( 27 % )")


def test_a_dash_is_no_fact_and_a_cell_without_amount_is_kept_as_text(graph, facts):
    assert "t1r2c2" not in facts
    texts = {row["text"] for row in graph.select("SELECT ?text { ?cell a kg:Cell ; kg:text ?text }")}
    assert {"2014", "not meaningful", "2007", "granted"} <= texts


def test_rows_with_one_label_are_facts_of_their_own(facts):
    assert [(facts[name].value, facts[name].row) for name in ("t1r3c1", "t1r4c1")] == [(12, 3), (15, 4)]
    assert facts["t1r3c1"].property == facts["t1r4c1"].property


def test_scale_comes_from_the_sentence_before_and_spares_prices_per_share(facts):
    assert (facts["t1r3c1"].scale, facts["t1r3c1"].scale_from) == (1_000_000, "sentence")
    assert (facts["t1r1c1"].scale, facts["t1r1c1"].scale_from) == (1, None)


def test_text_facts_share_the_instances_of_the_table(facts):
    assert [(facts[f"s1a{n}"].value, facts[f"s1a{n}"].instance) for n in (1, 2, 3)] == [
        (80, "StockOption_2007"),
        (83, "StockOption_2006"),
        (111, "StockOption_2005"),
    ]
    assert {facts[f"s1a{n}"].scale for n in (1, 2, 3)} == {1_000_000}


def test_years_in_text_are_numerals_and_measure_nothing(facts):
    year = facts["s1a4"]
    assert (year.value, year.unit, year.entity_type, year.property) == (
        2007,
        "calendar year",
        "Numeral",
        "calendarYear",
    )


def test_a_fact_knows_its_place_in_its_sentence():
    text = "we moved . in 2015 we had 5 stores . sales were $ 3 million and costs $ 2 million ."
    facts = build(Document(id="x", paragraphs=(text,), before=1, tables=()), TBOX).facts()
    assert len(facts) == 4 and len({fact.sentence for fact in facts}) == 2
    assert all(fact.around() == tuple(fact.context.split(fact.raw, 1)) for fact in facts if fact.raw != "5")


def test_facts_come_in_the_order_in_which_they_are_printed(graph):
    places = [(fact.kind, fact.row, fact.column, fact.sentence, fact.start) for fact in graph.facts()]
    tables = [place for place in places if place[0] is FactKind.TABLE]
    assert places[: len(tables)] == tables == sorted(tables, key=lambda place: (place[1], place[2], place[4]))
    texts = places[len(tables) :]
    assert texts == sorted(texts, key=lambda place: (place[3], place[4]))


def test_several_amounts_of_a_cell_are_facts_of_their_own():
    found = facts_of(("", "2008"), ("estimated useful life in years", "3-20"))
    assert [(found[name].value, found[name].unit) for name in ("t1r1c1", "t1r1c1b")] == [(3, "years"), (20, "years")]


def test_amounts_inside_labels_and_headers_are_facts():
    found = facts_of(("", "notes at 4.5%"), ("senior notes due 2021 5.000%", "$ 100"))
    assert (found["t1r1c0b"].value, found["t1r1c0b"].unit, found["t1r1c0b"].row) == (Decimal(5), "percent", 1)
    assert (found["t1r0c1"].value, found["t1r0c1"].raw) == (Decimal("4.5"), "4.5%")


def test_a_repeated_column_is_an_instance_of_its_own():
    found = facts_of(("", "2008", "2007", "2008"), ("revenue", "1", "2", "3"))
    assert [found[f"t1r1c{n}"].instance for n in (1, 2, 3)] == ["LineItem_2008", "LineItem_2007", "LineItem_2008_2"]
    assert found["t1r1c3"].period.key == "2008"


def test_years_down_the_first_column_are_instances_and_headers_what_is_measured():
    found = facts_of(("year", "gallons hedged", "price"), ("2017", "12000000", "$ 2.92"), ("2018", "3000000", "2.61"))
    fact = found["t1r2c1"]
    assert (fact.label, fact.header, fact.period.key, fact.period_from) == (
        "gallons hedged",
        "2018",
        "2018",
        "row label",
    )


def test_two_tables_side_by_side_keep_their_own_instances():
    rows = (
        ("2002 first quarter", "high $ 17.84", "2001 first quarter", "high $ 60.15"),
        ("second quarter", "9.17", "second quarter", "52.25"),
    )
    found = facts_of(*rows)
    assert [(found[f"t1r1c{n}"].instance, found[f"t1r1c{n}"].period.key) for n in (1, 3)] == [
        ("LineItem_2002-Q2", "2002-Q2"),
        ("LineItem_2001-Q2", "2001-Q2"),
    ]


def test_periods_beside_changes_run_across():
    rows = (
        ("( in thousands )", "2016", "2015", "$ change", "% change"),
        ("north america", "$ 408", "$ 461", "$ -53 ( 53 )", "11"),
    )
    fact = facts_of(*rows)["t1r1c1"]
    assert (fact.label, fact.header, fact.instance) == ("north america", "2016", "LineItem_2016")


def test_a_column_that_is_only_called_amount_measures_what_the_table_is_about():
    introduction = "future minimum lease payments under operating leases are as follows ( in thousands ) :"
    fact = facts_of(("year", "amount"), ("2008", "$ 5"), ("2009", "6"), introduction=introduction)["t1r2c1"]
    assert (fact.label, fact.header, fact.scale) == (
        "future minimum lease payments under operating leases",
        "2009",
        1000,
    )
    assert fact.caption == fact.label


def test_rows_of_a_roll_forward_happen_in_the_year_that_their_next_balance_closes():
    rows = (
        ("", "shares"),
        ("balance at december 31 2008", "5"),
        ("granted", "2"),
        ("balance at december 31 2009", "7"),
    )
    fact = facts_of(*rows)["t1r2c1"]
    assert (fact.period.key, fact.period_from) == ("2009", "next balance")


def test_a_period_of_the_sentence_before_counts_only_where_no_line_has_one():
    introduction = "assets as of december 31 , 2007 :"
    assert facts_of(("", "amount"), ("cash", "5"), introduction=introduction)["t1r1c1"].period.key == "2007-12-31"
    found = facts_of(("", "2007", "2006", "change"), ("cash", "5", "4", "1"), introduction=introduction)
    assert found["t1r1c3"].period is None


def test_what_one_thing_costs_is_not_scaled_with_its_table():
    introduction = "fuel in millions of dollars :"
    found = facts_of(("year", "cost per gallon", "total cost"), ("2011", "$ 3.01", "$ 8304"), introduction=introduction)
    assert [found[f"t1r1c{n}"].scale for n in (1, 2)] == [1, 1_000_000]


def test_basis_points_are_a_unit_that_a_label_can_state():
    fact = facts_of(("in millions", "2011", "2010"), ("volatility ( bps )", "31", "$ 5"))["t1r1c1"]
    assert (fact.unit, fact.unit_from, fact.scale) == ("basis points", "row label", 1)


def test_a_dated_header_keeps_its_year():
    found = facts_of(("in millions", "december 31 , 2014", "2013"), ("loans", "$ 5", "$ 6"))
    assert (found["t1r1c1"].period.key, found["t1r1c1"].scale) == ("2014-12-31", 1_000_000)


def test_a_special_case_of_a_property_gets_a_sub_property():
    graph = graph_of(document(("", "2007"), ("foreign exercise price", "5")))
    (row,) = graph.select("SELECT ?own ?broad { ?fact kg:property ?own . ?own rdfs:subPropertyOf ?broad }")
    assert row["own"].startswith("urn:tieout:doc:report#")
    assert row["broad"] == "urn:tieout:kg#exercisePrice"
    assert graph.facts()[-1].matched_by == "narrower"


def test_a_tie_is_kept_as_a_candidate():
    from tieout.ontology.model import Ontology, Property

    tied = Ontology([], [Property("a", "net income"), Property("b", "net income")])
    graph = build(document(("", "2007"), ("net income", "5")), tied)
    found = graph.select("SELECT ?property ?other { ?fact kg:property ?property ; kg:candidate ?other }")
    assert [(row["property"], row["other"]) for row in found] == [("urn:tieout:kg#a", "urn:tieout:kg#b")]


def test_a_label_that_fits_nothing_gets_a_property_of_the_document():
    graph = graph_of(document(("", "2007"), ("gallons hedged ( a )", "5")))
    (row,) = graph.select("SELECT ?property ?label { ?fact kg:property ?property . ?property rdfs:label ?label }")
    assert row["property"].startswith("urn:tieout:doc:report#")
    assert graph.facts()[-1].matched_by == "minted"


def test_the_shapes_hold_for_small_documents_and_find_what_breaks_them(graph):
    assert find_violations(graph) == ()
    broken = graph_of(OPTIONS)
    broken.triples = broken.triples.replace(b'#raw> "$ 60.94"', b'#raws> "$ 60.94"')
    assert any("raw" in line for line in find_violations(broken))


def test_turtle_and_n_quads_hold_the_same_triples(graph):
    triples = {str(triple) for triple in ox.parse(graph.turtle(), format=ox.RdfFormat.TURTLE)}
    quads = {str(quad.triple) for quad in ox.parse(graph.nquads(), format=ox.RdfFormat.N_QUADS)}
    assert triples == quads
    assert graph.nquads().splitlines() == sorted(set(graph.quads.splitlines()))


def test_the_same_reports_give_the_same_bytes_whatever_the_hash_seed_and_the_order():
    """Of the graph, and of the TBox that is learned from reports."""
    code = (
        "import sys; sys.path.insert(0, 'tests'); from kg_documents import *; from ontology_documents import reports; "
        "from tieout.ontology.build import build as learn; learned = learn(reports()).turtle().encode(); "
        "graph_of(document(('x', '2001'), ('y', '5'))); sys.stdout.buffer.write(graph_of(OPTIONS).nquads() + learned)"
    )
    outputs = set()
    for seed in ("1", "4242"):
        seeded = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, env=seeded)
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    assert outputs == {graph_of(OPTIONS).nquads() + learn(reports()).turtle().encode()}


@pytest.fixture(scope="module")
def real(shared):
    reports = [each.document for name in FILES for each in read_conversations(shared / name)]
    assert len(reports) == 768
    return reports


def test_nothing_printed_in_real_reports_is_lost_and_every_fact_is_where_it_says(real):
    """A sixth of them; `tieout kg check` with the three files reads all."""
    found = 0
    for report in islice(real, 0, None, 6):
        graph = build(report, TBOX)
        loss = find_loss(report, graph.facts())
        found += loss.found
        assert not loss.missing, (report.id, loss.missing[:3])
        assert not loss.wrong, (report.id, loss.wrong[:3])
        for fact in graph.facts():
            assert fact.context.startswith(fact.raw, fact.start - fact.context_start), (report.id, fact.name)
    assert found > 6_000


def test_a_sample_of_real_reports_keeps_to_the_shapes(real):
    for report in islice(real, 7, None, 128):
        assert find_violations(build(report, TBOX)) == (), report.id


def test_real_reports_give_the_same_bytes_in_any_order(real):
    some = list(islice(real, 3, None, 32))
    forwards = {report.id: build(report, TBOX).nquads() for report in some}
    backwards = {report.id: build(report, TBOX).nquads() for report in reversed(some)}
    assert forwards == backwards


def test_a_lost_amount_is_found_to_be_missing():
    report = document(("", "2007"), ("revenue", "$ 5"), text=("we paid $ 7 in 2008 .",))
    facts = [fact for fact in graph_of(report).facts() if fact.value not in (5, 7)]
    assert [(number.text, number.place) for number in find_loss(report, facts).missing] == [
        ("5", "table 1, row 1, column 1"),
        ("7", "paragraph 1"),
    ]


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("1e-400", "too long for an amount"),
        ("1E+31", "too long for an amount"),
        ("9" * 41, "too long for an amount"),
        ("१२३", "digits of another script"),
    ],
)
def test_a_number_that_cannot_be_an_amount_is_counted_as_such_and_not_as_lost(cell, rule):
    report = document(("", "2007"), ("revenue", "$ 5"), ("other", cell))
    loss = find_loss(report, graph_of(report).facts())
    assert not loss.missing and [number.rule for number in loss.not_amounts] == [rule]


def test_a_fact_at_the_wrong_place_is_found():
    report = document(("", "2007"), ("revenue", "$ 5"))
    moved = [fact.changed(start=1) for fact in graph_of(report).facts()]
    assert find_loss(report, moved).wrong


def test_names_of_amounts_go_on_beyond_the_alphabet():
    names = [nth("t1r1c1", index) for index in range(700)]
    assert names[:3] == ["t1r1c1", "t1r1c1b", "t1r1c1c"]
    assert len(set(names)) == 700


def test_a_name_is_given_once_for_every_key():
    names = Names()
    assert [names.name("a", "1"), names.name("a", "2"), names.name("a", "1"), names.name("a_2", "3")] == [
        "a",
        "a_2",
        "a",
        "a_2_2",
    ]


@pytest.mark.parametrize(
    ("caption", "about"),
    [
        ("the following table presents principal transactions revenue :", "principal transactions revenue"),
        ("future minimum lease payments are as follows ( in millions ) :", "future minimum lease payments"),
        (
            "other things . following is an analysis of the change in net revenue . amount ( in millions )",
            "change in net revenue",
        ),
    ],
)
def test_the_title_of_a_table_is_what_the_sentence_before_it_speaks_of(caption, about):
    assert title(caption) == about


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.50", "1.5"),
        ("-0.00", "0"),
        ("1E+3", "1000"),
        ("0.000", "0"),
        ("1234567890" * 4, "1234567890" * 4),
        ("-26", "-26"),
    ],
)
def test_decimals_are_written_in_one_way(value, text):
    assert decimal_text(Decimal(value)) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_a_decimal_means_the_same_after_the_store(value):
    text = decimal_text(value)
    assert Decimal(text) == value
    store = ox.Store()
    datatype = ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal")
    store.add(ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal(text, datatype=datatype)))
    (quad,) = store
    assert quad.object.value == text


def test_infinity_is_no_amount():
    with pytest.raises(ValueError, match="Infinity"):
        decimal_text(Decimal("Infinity"))


@given(st.text(max_size=80))
def test_every_label_makes_a_plain_local_name(label):
    name = camel(label)
    assert name.isascii()
    assert name.isalnum()
    assert name[0].isalpha()
    assert len(name) <= 61


@pytest.mark.parametrize(
    ("unit", "iri"),
    [
        ("percent", "http://qudt.org/vocab/unit/PERCENT"),
        ("USD", "http://qudt.org/vocab/unit/CCY_USD"),
        ("USD/share", "urn:tieout:kg#unit_USD_per_share"),
        ("$/share", "urn:tieout:kg#unit_%24_per_share"),
        ("basis points", "urn:tieout:kg#unit_basis_points"),
    ],
)
def test_units_have_an_iri(unit, iri):
    assert unit_iri(unit) == iri


LABELS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "",
            " ",
            '"quoted"',
            "<b>&",
            "a\nb\r\tc",
            "\u202eright to left",
            "nul\x00byte",
            "...",
            "../../etc",
            "x" * 10_000,
            "\ud800",
        ]
    ),
    st.sampled_from(
        ["1e400", "NaN", "--5", "1,2,3", "9" * 60, "inf", "$ 5", "27% ( 27 % )", "-26 ( 26 )", "5 > <urn:a>"]
    ),
)


@settings(deadline=None)
@given(
    name=LABELS,
    rows=st.lists(st.lists(LABELS, max_size=5).map(tuple), max_size=6).map(tuple),
    text=st.lists(LABELS, max_size=3).map(tuple),
)
def test_no_document_breaks_the_graph_or_leaves_it(name, rows, text):
    report = Document(id=name, paragraphs=text, before=0, tables=(Table(rows=rows),))
    graph = graph_of(report)
    quads = list(ox.parse(graph.quads, format=ox.RdfFormat.N_QUADS))  # validates every IRI
    home = document_graph(name)
    assert {quad.graph_name.value for quad in quads} == {home}
    own = (home, "urn:tieout:kg#", "http://qudt.org/vocab/unit/")
    assert all(quad.subject.value.startswith(own) and quad.subject.value.isascii() for quad in quads)
    assert graph.facts() == Graph(name, graph.triples).facts()
    loss = find_loss(report, graph.facts())
    assert not [line for line in loss.wrong if "\ud800" not in line and "\ufffd" not in line]
    assert {str(each) for each in ox.parse(graph.turtle(), format=ox.RdfFormat.TURTLE)} == {
        str(q.triple) for q in quads
    }


def test_a_table_of_two_hundred_columns_is_built_whole():
    rows = (
        ("", *(str(1900 + n) for n in range(199))),
        *((f"line {n}", *(str(n * 7) for _ in range(199))) for n in range(19)),
    )
    graph = graph_of(document(*rows))
    assert graph.quads.count(b"#Cell> ") == 20 * 200 - 1  # the corner is empty
    assert graph.quads.count(b"#TableFact> ") >= 19 * 199
