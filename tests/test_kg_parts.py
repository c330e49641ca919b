"""What part of a company a figure is about, as print says it: segments, products, places."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from click.testing import CliRunner
from filed import read
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout import main
from tieout.agent.tools.lookup import narrow
from tieout.data.readers.html.report import read_html
from tieout.data.tables.sums import parts_of
from tieout.eval.parts import same_part, score_parts
from tieout.kg.build import build
from tieout.kg.check import find_violations
from tieout.kg.filings.concepts import observe


@pytest.fixture(scope="module")
def tbox():
    return tieout.tbox()


def table(*rows: tuple[str, ...]) -> str:
    return f"<table>{''.join('<tr>' + ''.join(f'<td>{cell}</td>' for cell in row) + '</tr>' for row in rows)}</table>"


def graph_of(tbox, *body: str):
    return build(read_html(f"<html><body>{''.join(body)}</body></html>".encode(), "orris"), tbox)


def parts(graph) -> dict[tuple[str, str], tuple[str, ...]]:
    """The parts of the facts of tables, by row label and header."""
    return {(fact.label, fact.header): fact.parts for fact in graph.facts() if fact.table is not None}


SEGMENTS = table(
    ("", "Cloud", "Devices", "Corporate", "Total"),
    ("Revenue", "$ 500", "$ 300", "-", "$ 800"),
    ("Operating income", "100", "30", "(20)", "110"),
)


def test_columns_that_add_up_over_the_lines_of_a_result_are_parts_and_their_total_is_none(tbox):
    found = parts(graph_of(tbox, "<p>Results of 2024 ($ in millions):</p>", SEGMENTS))
    assert found["Revenue", "Cloud"] == ("Cloud",)
    assert found["Operating income", "Corporate"] == ("Corporate",)
    assert found["Revenue", "Total"] == ()


def test_rows_that_add_up_under_words_that_say_so_are_parts(tbox):
    regions = table(("", "2024"), ("Nordics (1)", "$ 500"), ("Rest of Europe", "100"), ("Total", "$ 600"))
    found = parts(graph_of(tbox, "<p>Revenue by region, in millions:</p>", regions))
    assert found["Nordics", "2024"] == ("Nordics",)
    assert list(found.values()).count(()) == 2  # the total, and the year of the header
    same = parts(
        graph_of(tbox, "<p>Accrued liabilities, in millions:</p>", regions.replace("Rest of Europe", "Payroll"))
    )
    assert not any(same.values())


def test_line_items_that_add_up_are_no_parts(tbox):
    steps = table(
        ("", "2024"),
        ("Segment operating income", "$ 500"),
        ("Interest expense", "(100)"),
        ("Corporate costs", "(50)"),
        ("Total income before taxes", "$ 350"),
    )
    assert not any(parts(graph_of(tbox, "<p>Segment income reconciled, in millions:</p>", steps)).values())
    equity = table(
        ("", "Common stock", "Retained earnings", "Total"),
        ("Net income", "$ 0", "$ 5", "$ 5"),
        ("Revenue", "1", "2", "3"),
    )
    assert not any(parts(graph_of(tbox, equity)).values())


def test_a_block_under_the_name_of_a_part_is_of_it(tbox):
    blocks = table(
        ("(in $ millions)", "2024", "2023"),
        ("North Ridge", "", ""),
        ("Revenue", "100", "90"),
        ("Operating income", "10", "9"),
        ("South Ridge", "", ""),
        ("Revenue", "50", "40"),
        ("Operating income", "5", "4"),
        ("Total", "", ""),
        ("Revenue", "150", "130"),
        ("Operating income", "15", "13"),
    )
    facts = [
        fact for fact in graph_of(tbox, "<p>Our results.</p>", blocks).facts() if fact.header == "2024" and fact.row
    ]
    assert [fact.parts for fact in facts] == [("North Ridge",)] * 2 + [("South Ridge",)] * 2 + [()] * 2


def test_a_heading_that_names_a_segment_is_of_all_of_its_table(tbox):
    own = table(("", "2024", "2023"), ("Units sold", "500", "300"), ("Net sales", "$ 300", "$ 280"))
    found = parts(graph_of(tbox, "<p>Results of 2024 ($ in millions):</p>", SEGMENTS, "<h2>Devices segment</h2>", own))
    assert found["Net sales", "2024"] == ("Devices",)
    found = parts(graph_of(tbox, "<p>Results of 2024 ($ in millions):</p>", "<h2>Results by segment</h2>", own))
    assert found["Net sales", "2024"] == ()


def test_segments_that_a_sentence_lists_are_known_by_their_names(tbox):
    said = "<p>We have two reportable segments: Timber Lands and Paper.</p><p>Capital expenditure, in millions:</p>"
    rows = table(("", "2024"), ("Timber Lands", "$ 5"), ("Paper", "7"), ("Paper clips", "1"))
    found = parts(graph_of(tbox, said, rows))
    assert found["Timber Lands", "2024"] == ("Timber Lands",)
    assert found["Paper clips", "2024"] == ()


def test_rows_of_a_statement_under_revenue_and_under_cost_are_products(tbox):
    statement = table(
        ("", "2024", "2023"),
        ("Revenue:", "", ""),
        ("Subscription", "$ 50", "$ 40"),
        ("Services", "10", "8"),
        ("Total revenue", "60", "48"),
        ("Cost of revenue:", "", ""),
        ("Subscription", "9", "8"),
        ("Services", "6", "5"),
        ("Total cost of revenue", "15", "13"),
        ("Gross profit", "$ 45", "$ 35"),
    )
    facts = graph_of(tbox, "<h2>Consolidated statements of operations</h2>", statement).facts()
    services = [fact for fact in facts if fact.label == "Services"]
    assert [fact.parts for fact in services] == [("Services",)] * 4
    assert not any(fact.parts for fact in facts if fact.label == "Gross profit")


def test_a_table_without_header_right_below_another_has_its_columns(tbox):
    first = table(
        ("", "Cloud", "Devices", "Total"), ("Revenue", "$ 5", "$ 3", "$ 8"), ("Operating income", "1", "1", "2")
    )
    second = table(("Year ended December 31, 2023", "", "", ""), ("Revenue", "$ 4", "$ 2", "$ 6"))
    facts = graph_of(tbox, "<p>In millions, 2024.</p>", first, second).facts()
    below = [fact for fact in facts if fact.table == 2 and fact.label == "Revenue"]
    assert [(fact.header, fact.parts) for fact in below] == [
        ("Cloud", ("Cloud",)),
        ("Devices", ("Devices",)),
        ("Total", ()),
    ]
    apart = graph_of(tbox, first, "<p>Of another kind:</p>", second).facts()
    assert {fact.header for fact in apart if fact.table == 2 and fact.label == "Revenue"} == {""}


def test_parts_are_in_the_graph_and_among_the_dimensions_and_a_filter_of_lookups(tbox, tmp_path):
    page = f"<html><body><p>Results of 2024 ($ in millions):</p>{SEGMENTS}</body></html>"
    graph = build(read_html(page.encode(), "orris"), tbox)
    assert not list(find_violations(graph))
    asked = graph.select("SELECT ?value WHERE { ?fact kg:part 'Devices' ; kg:measures 'Revenue' ; kg:value ?value }")
    assert [row["value"] for row in asked] == [Decimal(300)]
    assert [fact.value for fact in narrow(graph.facts(), "segment", "devices")] == [300, 30]
    path = tmp_path / "orris.htm"
    path.write_text(page, encoding="utf-8")
    result = CliRunner().invoke(main, ["kg", "facts", str(path), "--format", "jsonl"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["dimensions"] == "kg:part=Cloud"


def test_parts_are_measured_against_the_members_of_tags(tbox):
    assert same_part("Greater China", "zeph:GreaterChinaSegmentMember")
    assert same_part("U.S.", "country:US")
    assert not same_part("Non-U.S.", "country:US")
    assert not same_part("Latin America", "zeph:NorthAmericaMember")
    document = read_html(f"<html><body><p>2024</p>{SEGMENTS}</body></html>".encode(), "orris")
    assert not score_parts(document, document, tbox).counts  # nothing is tagged, nothing can be held against tags


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=8).filter(lambda parts: any(parts) and sum(parts) != 0))
def test_what_adds_up_is_found_to_the_last_line(amounts):
    lines = [[Decimal(amount)] for amount in [*amounts, sum(amounts)]]
    found = parts_of(lines, [False] * len(amounts) + [True])
    assert found[len(amounts)][-1] == len(amounts) - 1
    assert not parts_of([*lines[:-1], [Decimal(100_000)]], [False] * len(amounts) + [True])


def test_a_tag_without_a_part_is_of_the_whole_company_under_any_heading() -> None:
    _, graph, contents = read("brightmoor")
    facts = [fact.changed(parts=("United States",)) for fact in graph.contents()[0]]
    assert "goodwill" in {each.item for each in observe(facts, contents.tables)}
