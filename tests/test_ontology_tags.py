"""What the tags of filings teach a TBox: which labels are one concept, and which concept of US-GAAP that is."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from click.testing import CliRunner
from filing import filing

import tieout
from tieout.data.document import CellTag, Document, Table, Tag
from tieout.ontology.build import build
from tieout.ontology.check import check
from tieout.ontology.labels.concept import GAAP
from tieout.ontology.stats import measure, stats_json


def page(name: str, *lines: tuple[str, str], dimensions: tuple[tuple[str, str], ...] = ()) -> Document:
    """A report of one table: a row for each label, with the concept of its tag ("" for none)."""
    rows = (("", "2024"), *((label, str(100 + at)) for at, (label, _) in enumerate(lines)))
    tags = tuple(
        CellTag(
            row=at, column=1, tag=Tag(concept=concept, value=Decimal(1), end=date(2024, 12, 31), dimensions=dimensions)
        )
        for at, (_, concept) in enumerate(lines, start=1)
        if concept
    )
    table = Table(rows=rows, after=1, tags=tags)
    return Document(
        id=name, paragraphs=(f"report {name}: timber sold owed repaid debt",), before=0, tables=(table,), coded=False
    )


DEBT = "us-gaap:RepaymentsOfDebt"


def property_of(made, label: str):
    name = made.match_property(label)[0].name
    return next(item for item in made.properties if item.name == name)


def test_labels_with_one_concept_are_one_property_with_a_close_match():
    made = build(
        [page("a", ("debt repaid", DEBT)), page("b", ("timber debt sold", DEBT)), page("c", ("owed timber", ""))]
    )
    both = property_of(made, "debt repaid")
    assert both == property_of(made, "timber debt sold")
    assert both.close_match == GAAP + "RepaymentsOfDebt"
    assert check(made.turtle()) == []
    untagged = build([page("a", ("debt repaid", "")), page("b", ("timber debt sold", ""))])
    assert not any(item.close_match == GAAP + "RepaymentsOfDebt" for item in untagged.properties)


def test_lines_beside_one_another_and_parts_of_a_company_and_houses_stay_apart():
    beside = build(
        [page("a", ("debt sold", DEBT), ("debt owed", DEBT)), page("b", ("debt sold", DEBT), ("debt owed", DEBT))]
    )
    assert property_of(beside, "debt sold") != property_of(beside, "debt owed")
    axis = (("us-gaap:StatementBusinessSegmentsAxis", "a:EastMember"),)
    parts = build(
        [page("a", ("timber debt", DEBT), dimensions=axis), page("b", ("timber owed", DEBT), dimensions=axis)]
    )
    assert not any(item.close_match == GAAP + "RepaymentsOfDebt" for item in parts.properties)
    own = build([page("a", ("debt repaid", DEBT)), page("b", ("orrisfund debt repaid early", DEBT))])
    assert "orrisfund" not in own.turtle()


def test_rows_of_a_report_are_counted_with_and_without_their_tags(tmp_path):
    made = build([page("a", ("debt repaid", DEBT)), page("b", ("timber debt sold", DEBT))])
    stats = measure(made, [page("c", ("settlement of what was owed", DEBT), ("unheard of", "c:Own"))])
    assert stats.rows_mapped == 0.0
    assert stats.rows_mapped_with_tags == 0.5
    assert stats_json(made, stats)["rows_tagged"] == 0.5
    path = tmp_path / "zeph.htm"
    path.write_text(filing(), encoding="utf-8")
    shown = CliRunner().invoke(tieout.main, ["ontology", "stats", str(path)])
    assert "rows_mapped_with_tags: " in shown.stdout
