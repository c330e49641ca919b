"""Sums as referee: what statements have to make holds among the facts, and a fault planted in them is found."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from click.testing import CliRunner
from filing import header, row
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout import main
from tieout.data.readers.html.report import read_html
from tieout.data.tables.sums import addends_of
from tieout.kg.build import build
from tieout.kg.sums import Rule, find_sums

BALANCE = {"Cash": ("$40", "$35"), "Inventories": ("25", "21"), "Total assets": ("$65", "$56")}
BALANCE |= {"Payables": ("$15", "$16"), "Equity": ("50", "40"), "Total liabilities and equity": ("$65", "$56")}
INCOME = {"Net sales": ("$800", "$700"), "Cost of sales": ("500", "440"), "Gross profit": ("300", "260")}
INCOME |= {"Selling expenses": ("90", "81"), "Operating income": ("210", "179"), "Net income": ("$210", "$179")}
INCOME |= {"Basic earnings per share": ("$2.10", "$1.80"), "Basic weighted average shares": ("100.1", "99.5")}
CASH = {
    "Net cash provided by operating activities": ("$12", "$9"),
    "Net cash used in investing activities": ("(7)", "1"),
}
CASH |= {
    "Net increase in cash": ("5", "10"),
    "Cash, beginning of year": ("35", "25"),
    "Cash, end of year": ("$40", "$35"),
}


def page(*statements: dict[str, tuple[str, str]]) -> bytes:
    titles = (
        "Consolidated Balance Sheets",
        "Consolidated Statements of Income",
        "Consolidated Statements of Cash Flows",
    )
    tables = [
        f"<p><b>{title}</b></p><table>{header('2025', '2024', label='(in millions, except per share amounts)')}"
        f"{''.join(row(label, *values) for label, values in lines.items())}</table>"
        for title, lines in zip(titles, statements, strict=False)
    ]
    return f"<html><body><p>FORM 10-K</p>{''.join(tables)}</body></html>".encode()


def sums(*statements: dict[str, tuple[str, str]]):
    return find_sums(build(read_html(page(*statements), "zeph"), tieout.tbox()).facts())


def failing(*statements: dict[str, tuple[str, str]]) -> set[Rule]:
    return {each.rule for each in sums(*statements) if not each.holds}


def test_what_statements_have_to_make_holds():
    found = sums(BALANCE, INCOME, CASH)
    assert all(each.holds for each in found)
    assert {each.rule for each in found} == {Rule.BALANCE, Rule.TOTAL, Rule.CASH, Rule.PER_SHARE}
    gross = next(each for each in found if each.whole.label == "Gross profit")
    assert [sign for sign, _ in gross.parts] == [1, -1]  # cost of sales is printed without brackets
    assert gross.made == Decimal(300_000_000)


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"Total liabilities and equity": ("$65", "$57")}, Rule.BALANCE),
        ({"Cash, end of year": ("$40", "$31")}, Rule.CASH),
        ({"Basic weighted average shares": ("100.1", "199.5")}, Rule.PER_SHARE),
    ],
)
def test_a_figure_that_does_not_add_up_is_told(changed, rule):
    statements = [{key: changed.get(key, value) for key, value in each.items()} for each in (BALANCE, INCOME, CASH)]
    assert rule in failing(*statements)


def test_a_total_that_its_lines_make_in_most_columns_is_told_where_they_do_not():
    lines = {"East": ("4,100", "4,230", "4,390"), "West": ("2,070", "2,150", "2,210")}
    table = "".join(row(label, *values) for label, values in {**lines, "Total": ("6,170", "6,830", "6,600")}.items())
    content = f"<p>Net sales in millions</p><table>{header('2025', '2024', '2023')}{table}</table>".encode()
    (missed,) = (each for each in find_sums(build(read_html(content, "z"), tieout.tbox()).facts()) if not each.holds)
    assert missed.rule is Rule.TOTAL and missed.difference == 450_000_000 and missed.whole.raw == "6,830"


def test_a_scale_that_is_read_for_one_line_alone_does_not_add_up():
    lines = {("Inventories (in thousands)" if key == "Inventories" else key): line for key, line in BALANCE.items()}
    assert Rule.TOTAL in failing(lines)


def test_kg_check_lists_what_does_not_add_up(tmp_path):
    path = tmp_path / "zeph.htm"
    path.write_bytes(page({**BALANCE, "Total liabilities and equity": ("$65", "$57")}, INCOME))
    result = CliRunner().invoke(main, ["kg", "check", str(path)])
    assert "1 do not" in result.stdout and "does not add up: zeph, balance sheet: Total assets" in result.stdout
    assert result.exit_code == 0  # print may be wrong: nothing is missing
    told = json.loads(CliRunner().invoke(main, ["kg", "check", str(path), "--json"]).stdout)
    assert len(told["unsummed"]) == 1 and told["sums"] > 5


@given(
    st.lists(
        st.tuples(st.sampled_from((1, -1)), st.integers(1000, 99_999), st.integers(1000, 99_999)),
        min_size=1,
        max_size=4,
    )
)
def test_lines_that_are_taken_off_are_found_with_their_signs(rest):
    lines = [(1, 250_013, 310_027), *rest]
    made = [sum(sign * line[place] for sign, *line in lines) for place in (0, 1)]
    printed = [[Decimal(amount) for amount in line[1:]] for line in lines] + [[Decimal(each) for each in made]]
    found = addends_of(printed, [False] * len(lines) + [True]).get(len(lines), [])
    values = [sum(sign * printed[at][place] for sign, at in found) for place in (0, 1)]
    assert values == made
