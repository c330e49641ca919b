"""The currency that a report says it is in, and what a bare `$` means there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.currency import dollar_of, stated_currency
from tieout.data.document import Document, Table
from tieout.data.printed.amount import read_cell
from tieout.data.printed.note import read_note
from tieout.data.printed.unit import dollars_of, may_be_one
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.kg.check import find_violations
from tieout.ontology.model import Ontology, Property


def document_of(said: str, sign: str = "$ "):
    rows = (("", "2024"), ("Revenue", f"{sign}500"), ("Earnings per share", f"{sign}1.20"), ("US$ loan", "US$ 7"))
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    page = f"<p>{said}</p><h2>Statement of income</h2><table>{cells}</table><p>We paid $5 million in 2024.</p>"
    return read_html(f"<html><body>{page}</body></html>".encode(), "orris")


@pytest.mark.parametrize(
    ("said", "currency"),
    [
        ("All amounts are expressed in thousands of Canadian dollars unless otherwise stated.", "CAD"),
        ("(Expressed in U.S. dollars)", "USD"),
        ("In this annual report, “$” refers to Australian dollars.", "AUD"),
        ("Our presentation currency is the euro.", "EUR"),
        ("We lent them 5 Canadian dollars.", ""),
        ("Sales in Canada are made in Canadian dollars.", ""),
    ],
)
def test_a_report_says_its_currency_or_none(said, currency):
    assert stated_currency(document_of(said)) == currency


def test_a_bare_dollar_is_that_of_the_report_and_a_marked_one_is_not():
    graph = build(
        document_of("All amounts are in thousands of Canadian dollars unless otherwise stated."), tieout.tbox()
    )
    assert [str(fact.unit) for fact in graph.facts() if fact.entity_type != "Numeral"] == [
        "CAD",
        "CAD/share",
        "USD",
        "CAD",
    ]
    assert graph.select("SELECT ?is WHERE { ?document a kg:Document ; kg:currency ?is }") == [{"is": "CAD"}]
    assert not list(find_violations(graph))
    after = build(document_of("We sell timber."), tieout.tbox())
    assert {str(fact.unit) for fact in after.facts() if fact.label == "Revenue"} == {"USD"}  # its loan is in US$


@pytest.mark.parametrize(
    ("said", "unit"),
    [
        ("We sell timber.", "$"),
        ("See our Annual Report on Form 10-K.", "USD"),
        ("All prices are in U.S. dollars.", "USD"),
        ("Tern Mills Inc. (NYSE: TRN) announced its results.", "USD"),
        ("Tern Mills Inc. (NYSE: TRN) announced its results. Rent is C$5.", "$"),
        ("See our Annual Report on Form 20-F. The price of oil is in US$.", "$"),
        ("The price of oil is 80 USD, and rent C$5.", "$"),
    ],
)
def test_a_bare_dollar_without_evidence_of_its_country_is_some_dollar(said, unit):
    document = document_of(said)
    table = document.tables[0].model_copy(update={"rows": document.tables[0].rows[:-1]})
    graph = build(document.model_copy(update={"tables": (table,)}), tieout.tbox())
    units = {fact.label: str(fact.unit) for fact in graph.facts() if fact.table}
    assert (units["Revenue"], units["Earnings per share"]) == (unit, f"{unit}/share")
    unknown = graph.select('SELECT ?fact WHERE { ?fact kg:unknown "currency" }')
    assert bool(unknown) == (unit == "$")
    assert not list(find_violations(graph))


def test_a_form_of_companies_of_the_united_states_is_in_their_dollars():
    assert dollar_of(document_of("").model_copy(update={"form": "10-Q/A"}), "") == "USD"
    assert dollar_of(document_of("", sign="").model_copy(update={"form": "20-F", "tables": ()}), "") == "$"


def page_of(*said: str, corner: str = "( in millions )", cell: str = "$ 500", below: tuple[str, ...] = ()):
    table = Table(rows=((corner, "2024"), ("revenue", cell), *((label, "9") for label in below)))
    return Document(id="Single_ORRIS/2024/page_1.pdf-1", paragraphs=said, before=len(said), tables=(table,))


@pytest.mark.parametrize(
    ("page", "unit"),
    [
        (page_of("we sell timber .", "it cost us $ 5 million ."), "$"),
        (page_of("see our annual report on form 10-k ."), "USD"),
        (page_of("we are paid in u.s . dollars ."), "USD"),
        (page_of(corner="( in millions of u.s . dollars )"), "USD"),
        (page_of("rent is paid in us$ .", "our mill cost c$ 5 ."), "$"),
        (page_of("all amounts are expressed in canadian dollars unless otherwise stated ."), "CAD"),
        (page_of("it was lent in us $ .".replace("us", "US")), "USD"),
        (page_of(cell="us$ 500"), "USD"),
        (page_of(cell="c$ 500"), "CAD"),
        (page_of(below=("u.s . federal", "state and local", "foreign :")), "USD"),
        (page_of(below=("united states", "canada", "foreign")), "$"),
    ],
)
def test_a_page_obeys_the_rule_by_what_stands_on_it(page, unit):
    graph = build(page, tieout.tbox())
    facts = [fact for fact in graph.facts() if fact.label == "revenue"]
    assert [(str(fact.unit), fact.scale) for fact in facts] == [(unit, 10**6)]
    unknown = {row["fact"] for row in graph.select('SELECT ?fact WHERE { ?fact kg:unknown "currency" }')}
    assert any(str(each).endswith("t1r1c1") for each in unknown) == (unit == "$")
    assert not list(find_violations(graph))


def test_an_answer_in_dollars_of_no_country_is_no_less_sure_and_nothing_is_flagged():
    question = "what was revenue in 2024?"
    said, unsaid = (tieout.chat(page_of(words)).ask(question) for words in ("see our form 10-k .", "we sell timber ."))
    assert (said.text, unsaid.text, unsaid.unit) == ("$500 million", "$500 million", "$")
    assert (unsaid.flags, unsaid.probability) == (said.flags, said.probability) and not said.flags


def test_dollars_of_two_pages_match_one_property_whoever_says_whose_they_are():
    others = Property("sales", "net sales", units=("shares",), support=9)
    for seen, asked in (("$", "USD"), ("USD", "$"), ("$/share", "CAD/share"), ("$", "$")):
        matches = Ontology((), (others, Property("netSales", "net sales", units=(seen,)))).match_property
        assert [each.name for each in matches("net sales", asked)] == ["netSales", "sales"]
        assert matches("net sales", "EUR")[0].name == matches("net sales", "percent")[0].name == "sales"


@given(st.sampled_from(("USD", "CAD", "$", "EUR", "percent")), st.sampled_from(("USD", "CAD", "$", "EUR", "percent")))
def test_dollars_of_no_country_may_be_those_of_any_and_nothing_else_may(one, other):
    dollars = {"USD", "CAD", "$"}
    assert may_be_one(one, other) == (one == other or ("$" in (one, other) and {one, other} <= dollars))
    assert may_be_one(f"{one}/share", f"{other}/share") == may_be_one(one, other) == may_be_one(other, one)
    assert not may_be_one(f"{one}/share", other)


def test_what_a_note_says_is_not_kept_from_a_report_in_other_dollars():
    with dollars_of("CAD"):
        assert read_note("(in millions of dollars)").unit == "CAD"
    assert read_note("(in millions of dollars)").unit == "$"


def test_where_nothing_is_printed_only_what_the_report_says_counts():
    units = []
    for said in ("(Expressed in euros)", "We sell timber."):
        whole = document_of(said, sign="")
        table = whole.tables[0].model_copy(update={"rows": whole.tables[0].rows[:-1]})
        facts = build(whole.model_copy(update={"tables": (table,)}), tieout.tbox()).facts()
        units.append([fact.unit for fact in facts if fact.label == "Revenue"])
    assert units == [["EUR"], [None]]


def test_what_a_dollar_means_is_of_the_report_being_read_alone():
    with dollars_of("CAD"):
        assert read_cell("$ 500")[0].unit == "CAD"
        assert read_cell("US$ 500")[0].unit == "USD"
    assert read_cell("$ 500")[0].unit == "$"


def facts_of(rows: tuple[tuple[str, ...], ...]):
    document = document_of("We sell timber.")
    table = document.tables[0].model_copy(update={"rows": rows})
    graph = build(document.model_copy(update={"tables": (table,)}), tieout.tbox())
    assert not list(find_violations(graph))
    return {fact.label: (str(fact.unit), fact.scale) for fact in graph.facts() if fact.table and fact.row}


def test_units_that_labels_say_are_not_those_of_the_table():
    found = facts_of(
        (
            ("(C$ millions)", "2024"),
            ("Revenue", "$ 5"),
            ("Net debt / EBITDA (x)", "2.1"),
            ("Dividend per share (cents)", "12.5"),
            ("Store count", "45"),
        )
    )
    assert found == {
        "Revenue": ("CAD", 1_000_000),
        "Net debt / EBITDA (x)": ("ratio", 1),
        "Dividend per share (cents)": ("cents/share", 1),
        "Store count": ("count", 1),
    }
