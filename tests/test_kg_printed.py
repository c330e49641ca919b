"""In the graph: unknown scales and units, two readings of a sign, the days of fiscal years."""

from __future__ import annotations

import pytest
from kg_documents import document, graph_of

from tieout.kg.check import find_violations
from tieout.kg.show import reading

ROWS = (
    ("", "2024", "2023"),
    ("revenue", "$ 500", "$ 400"),
    ("tax rate", "21%", "20%"),
    ("net loss", "$ (50)", "$ 20"),
    ("net income (loss)", "(7)", "9"),
)


def test_what_is_not_printed_is_unknown_in_the_graph_and_shown_so() -> None:
    graph = graph_of(document(*ROWS))
    facts = {fact.name: fact for fact in graph.facts()}
    assert (facts["t1r1c1"].scale_known, facts["t1r1c1"].unit_known, facts["t1r1c1"].scale) == (False, True, 1)
    assert facts["t1r2c1"].scale_known and facts["t1r2c1"].unit_known
    assert reading(facts["t1r1c1"]) == "500 $ ×?"
    said = graph.select("SELECT ?fact ?what { ?fact kg:unknown ?what }")
    assert ("t1r1c1", "scale") in {(str(row["fact"]).rpartition("#")[2], row["what"]) for row in said}
    assert not any(str(row["fact"]).endswith("t1r2c1") for row in said)
    index = graph_of(document(("", "2024", "2023"), ("customer satisfaction index", "88", "83")))
    assert {row["what"] for row in index.select("SELECT ?what { ?fact kg:unknown ?what }")} == {"scale", "unit"}
    assert not find_violations(graph)


def test_what_is_printed_is_known_also_where_it_says_that_figures_are_in_full() -> None:
    rows = (("(Expressed in U.S. dollars)", "2024"), ("revenue", "500"))
    fact = next(fact for fact in graph_of(document(*rows)).facts() if fact.name == "t1r1c1")
    assert (fact.unit, fact.scale, fact.scale_from, fact.scale_known) == ("USD", 1, "corner", True)


def test_a_bracketed_loss_keeps_both_readings() -> None:
    graph = graph_of(document(*ROWS))
    facts = {fact.name: fact for fact in graph.facts()}
    assert (facts["t1r3c1"].value, facts["t1r3c1"].measured) == (-50, 50)
    assert (facts["t1r3c2"].measured, facts["t1r4c1"].measured) == (None, None)
    said = graph.select("SELECT ?fact ?value ?by { ?fact kg:measuresValue ?value ; kg:measuresBy ?by }")
    assert [(str(row["fact"]).rpartition("#")[2], row["value"], row["by"]) for row in said] == [("t1r3c1", 50, "loss")]


def test_a_column_of_a_fiscal_year_has_the_days_that_the_report_says() -> None:
    text = "our fiscal years 2024 and 2023 ended on september 28, 2024 and september 30, 2023 ."
    fact = next(fact for fact in graph_of(document(*ROWS, text=(text,))).facts() if fact.name == "t1r1c1")
    assert fact.period is not None
    assert (fact.period.key, str(fact.period.start), str(fact.period.end)) == ("2024", "2023-10-01", "2024-09-28")
    other = next(fact for fact in graph_of(document(*ROWS, text=(text,))).facts() if fact.name == "t1r1c2")
    assert other.period is not None
    assert (other.period.start, str(other.period.end)) == (None, "2023-09-30")


TOLD = (
    ("", "2024", "2023"),
    ("cash from operations", "$24,193", "$20,402"),
    ("cash used in investing", "(47,625)", "(38,186)"),
)


@pytest.mark.parametrize(
    ("prose", "scale", "known"),
    [
        ("Operations brought $24.2 million ($20.4 million in 2023), and $47.6 million was invested.", 1000, True),
        ("Operations brought $24.2 million, and $20.9 million and $31.6 million were due.", 1, False),
        ("Operations brought $24.2 million of cash, and $47.6 million was invested.", 1, False),
    ],
)
def test_a_table_without_a_scale_has_that_at_which_the_prose_tells_its_figures(prose, scale, known) -> None:
    fact = next(fact for fact in graph_of(document(*TOLD, text=(prose,))).facts() if fact.name == "t1r1c1")
    assert (fact.scale, fact.scale_known) == (scale, known)
