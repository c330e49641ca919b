"""Labels without footnote marks, leader dots and soft hyphens; the marks, and the notes they lead to, beside them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.printed.label import clean_label
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.kg.check import find_violations

PAGE = """<html><body><p>Sales in 2024 ($ in millions):</p>
<table><tr><td></td><td>2024 (b)</td></tr><tr><td>Net sa\u00adles (1) . . . . . .</td><td>$ 50 *</td></tr>
<tr><td>Cost of sales</td><td>20</td></tr><tr><td>Officers (51)</td><td>3</td></tr></table>
<p>(1) After returns of $ 2.</p><p>(b) Not audited.</p><p>* Of which half abroad.</p><p>We sold more. (2) And so on.</p>
</body></html>"""


@pytest.mark.parametrize(
    ("printed", "label", "marks"),
    [
        ("Net sales (1)(a) . . . .", "Net sales", ("(1)", "(a)")),
        ("Goodwill ( 1 )( a )", "Goodwill", ("( 1 )", "( a )")),
        ("Oper\u00adating income*", "Operating income", ("*",)),
        ("401(k) plan", "401(k) plan", ()),
        ("Jane Roe (51)", "Jane Roe (51)", ()),
        ("(1)", "(1)", ()),
        ("Notes due 2025", "Notes due 2025", ()),
    ],
)
def test_marks_are_no_part_of_a_label(printed, label, marks):
    assert clean_label(printed) == (label, marks)


@given(st.text(max_size=40))
def test_a_label_is_only_ever_shortened_and_cleaned_once_and_for_all(text):
    clean, _ = clean_label(text)
    assert len(clean) <= len(text)
    assert clean_label(clean)[0] == clean or clean_label(text)[1]


def test_marks_and_their_notes_are_in_the_graph_beside_clean_labels(tmp_path):
    graph = build(read_html(PAGE.encode(), "orris"), tieout.tbox())
    assert not list(find_violations(graph))
    sales, cost = (next(f for f in graph.facts() if f.label == label) for label in ("Net sales", "Cost of sales"))
    assert sales.marks == ("(1)", "(b)", "*")
    assert cost.marks == ("(b)",)
    notes = graph.select("SELECT ?mark ?text WHERE { ?table kg:footnote ?n . ?n kg:mark ?mark ; kg:text ?text }")
    assert {(row["mark"], row["text"]) for row in notes} == {
        ("(1)", "After returns of $ 2."),
        ("(b)", "Not audited."),
        ("*", "Of which half abroad."),
    }
    path = tmp_path / "orris.htm"
    path.write_text(PAGE, encoding="utf-8")
    listed = CliRunner().invoke(tieout.main, ["kg", "facts", str(path), "--format", "jsonl"])
    assert [json.loads(line)["marks"] for line in listed.stdout.splitlines()][:2] == ["(1) (b) *", "(b)"]
    shown = CliRunner().invoke(tieout.main, ["kg", "show", str(path), "t1"])
    assert "marked" in shown.stdout
    assert "(1) After returns of $ 2." in shown.stdout
