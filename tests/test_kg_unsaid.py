"""Answers that rest on a budget, a forecast or a hidden sheet say so."""

from __future__ import annotations

from datetime import date

import pytest

from tieout.data.document import Document, Section, Table
from tieout.data.printed.wording import is_plan
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.unsaid import not_actual, of_unknown_years, on_hidden_sheets
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


def years(*totals: str) -> list[Fact]:
    """The facts of a report whose statement says when its years end, and another table calls them by number alone."""
    statement = Table(
        rows=(
            ("Millions of yen", "Fiscal year ended March 31, 2024", "Fiscal year ended March 31, 2025"),
            ("Revenue", "184,212", "201,877"),
        ),
        after=1,
        section=0,
        title="Statement of profit or loss",
    )
    named = Table(
        rows=(("Millions of yen", "FY2023", "FY2024"), ("Japan", "81,300", "80,115"), ("Total", *totals)),
        after=1,
        section=0,
        title="Sales by region",
    )
    report = Document(
        id="r",
        coded=False,
        paragraphs=("Results for the fiscal year ended March 31, 2025",),
        before=0,
        tables=(statement, named),
        sections=(Section(title="Results", level=1, paragraph=0),),
        ended=date(2025, 3, 31),
    )
    return build(report, Ontology((), ())).facts()


def test_a_year_is_called_what_equal_figures_under_both_headers_say() -> None:
    found = {fact.raw: fact.period for fact in years("184,212", "201,877") if fact.raw in ("201,877", "80,115")}
    assert {(period.key, period.end) for period in found.values() if period} == {("FY2024", date(2025, 3, 31))}


def test_where_no_figures_are_equal_it_is_not_known_which_year_is_meant_and_told() -> None:
    facts = years("184,999", "201,999")
    named = next(fact for fact in facts if fact.raw == "80,115")
    assert named.period and named.period.key == "FY2024" and named.period.end is None
    told = list(of_unknown_years([named], {fact.name: fact for fact in facts}))
    assert told and "FY2024" in told[0]


def test_years_that_are_all_dated_are_not_told() -> None:
    facts = years("184,212", "201,877")
    assert not list(of_unknown_years(facts, {fact.name: fact for fact in facts}))
