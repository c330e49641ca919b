"""Answers that rest on a budget, a forecast or a hidden sheet say so."""

from __future__ import annotations

import pytest

from tieout.agent.answers.plans import not_actual, on_hidden_sheets
from tieout.data.document import Document, Section, Table
from tieout.data.printed.wording import is_plan
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.ontology.model import Ontology


def facts(header: str, title: str = "Income statement") -> list[Fact]:
    rows = (("EUR thousand", header), ("Revenue", "61,500"))
    table = Table(rows=rows, after=1, section=0, title=title)
    report = Document(
        id="r",
        coded=False,
        paragraphs=(title,),
        before=0,
        tables=(table,),
        sections=(Section(title=title, level=1, paragraph=0),),
    )
    return [fact for fact in build(report, Ontology((), ())).facts() if fact.raw == "61,500"]


@pytest.mark.parametrize("header", ["2025B", "2025E", "FY25F", "Budget 2025", "2025 forecast", "2025 Budget"])
def test_a_figure_under_a_header_of_a_plan_is_told(header: str) -> None:
    assert is_plan(header)
    (told,) = not_actual(facts(header))
    assert repr(header) in told and "t1r1c1" in told


@pytest.mark.parametrize("header", ["2025", "2025A", "Pension plan", "FY2025", "December 31, 2025"])
def test_a_figure_of_a_year_that_has_been_is_not_told(header: str) -> None:
    assert not list(not_actual(facts(header)))


def test_a_figure_of_a_hidden_sheet_is_told() -> None:
    assert list(on_hidden_sheets(facts("2025", "Budget (hidden sheet)")))
    assert not list(on_hidden_sheets(facts("2025")))
