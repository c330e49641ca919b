"""What terms of the trade mean: every formula is made of known parts, and a term is found however it is spelled."""

from __future__ import annotations

from decimal import Decimal

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tieout import main
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import Apply, Formula, FormulaError, Operand, operands, read_formula
from tieout.ontology.metrics.line_item import find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics
from tieout.ontology.metrics.qualifier import qualifiers, qualifiers_of

STATEMENTS = {"income", "balance", "cash flow", "equity", "note"}


def operations(formula: Formula) -> set[str]:
    if not isinstance(formula, Apply):
        return set()
    return {formula.operation}.union(*map(operations, formula.operands))


def test_a_metric_is_made_of_known_parts_by_known_operations_and_names_its_source():
    for metric in metrics().values():
        parts = list(operands(metric.formula))
        assert parts, metric.name
        assert all(part.name in line_items() or part.name in metrics() for part in parts), metric.name
        assert operations(metric.formula) - {"optional"} <= OPERATIONS.keys(), metric.name
        assert metric.source and metric.unit in {"ratio", "percent", "money", "days", "per share"}, metric.name


def test_no_metric_is_made_of_itself():
    def reached(name: str, seen: tuple[str, ...] = ()) -> None:
        assert name not in seen, f"{' -> '.join(seen)} -> {name}"
        for part in operands(metrics()[name].formula):
            if part.name in metrics():
                reached(part.name, (*seen, name))

    for name in metrics():
        reached(name)


def test_a_line_item_says_where_it_is_printed_and_how_taxonomies_call_it():
    for item in line_items().values():
        assert item.statement in STATEMENTS, item.name
        assert all(":" in concept for concept in item.concepts), item.name
        assert item.rank(item.labels[0]) == 0, item.name
        assert item.rank("a line that no report prints") is None, item.name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("revenue", "revenue"),
        ("Net sales", "revenue"),
        ("R&D", "research_and_development"),
        ("capex", "capital_expenditures"),
        ("EPS", "eps_diluted"),
        ("Total stockholders\u2019 equity", "equity"),
        ("Net income (loss)", "net_income"),
        ("Provision for (benefit from) income taxes", "income_tax"),
        ("PP&E", "property_plant_equipment"),
        ("weather", None),
    ],
)
def test_a_line_item_is_found_as_people_and_reports_call_it(words, name):
    found = find_line_item(words)
    assert (found and found.name) == name


def test_a_metric_is_found_however_it_is_spelled():
    assert [find_metric(words).name for words in ("FCF", "Gross Margin", "days payable outstanding")] == [
        "free_cash_flow",
        "gross_margin",
        "days_payable",
    ]
    assert find_metric("net sales") is None


def test_a_formula_is_read_as_it_is_written():
    assert read_formula("([a] - 2) / average([b], [b@-1])") == Apply(
        "divide",
        (
            Apply("subtract", (Operand("a"), Decimal(2))),
            Apply("average", (Operand("b"), Operand("b", -1))),
        ),
    )


@pytest.mark.parametrize("text", ["", "[a", "[a] ** 2", "print([a])", "[a] + b", "[a].real", "1.5 * [a]", "[A]"])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(FormulaError):
        read_formula(text)


@given(st.text(max_size=60))
def test_no_text_does_anything_but_be_read_or_refused(text):
    try:
        assert isinstance(read_formula(text), Operand | Apply | Decimal)
    except FormulaError as error:
        assert str(error)


def test_no_label_is_the_best_of_two_line_items_of_one_statement():
    best: dict[tuple[str, str], str] = {}
    for item in line_items().values():
        key = item.statement, normalise(item.labels[0])
        assert key not in best, f"{item.labels[0]!r} is the first label of {best[key]} and of {item.name}"
        best[key] = item.name


def test_no_label_is_that_of_two_metrics():
    assert all(find_metric(label) is metric for metric in metrics().values() for label in metric.labels)


def test_the_qualifiers_and_signs_of_a_line_item_are_known_ones():
    for item in line_items().values():
        assert item.qualifiers <= qualifiers().keys(), item.name
        assert item.sign in {"", "spent", "positive", "outflow", "either"}, item.name
        assert len(set(item.concepts)) == len(item.concepts), item.name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("income taxes paid", "income_taxes_paid"),
        ("Cash paid for income taxes, net", "income_taxes_paid"),
        ("cash paid for interest", "interest_paid"),
        ("accumulated depreciation", "accumulated_depreciation"),
        ("total liabilities", "total_liabilities"),
        ("current liabilities", "current_liabilities"),
        ("buybacks", "share_repurchases"),
        ("net loss attributable to noncontrolling interests", "net_income_noncontrolling"),
        ("net income attributable to non-controlling interests", "net_income_noncontrolling"),
        ("Net (loss) income attributable to Ridgewell Companies", "net_income"),
        ("Net earnings attributable to participating securities", None),
        ("Net income from continuing operations attributable to the company", None),
        ("Total Ridgewell shareholders' equity", "equity"),
        ("Total preferred shareholders' equity", None),
        ("Total liabilities, redeemable interests and shareholders' equity", "liabilities_and_equity"),
    ],
)
def test_a_qualifier_tells_a_line_item_from_its_neighbour(words, name):
    found = find_line_item(words)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Income taxes", set()),
        ("Income taxes paid", {"paid"}),
        ("Cash dividend declared, but not yet paid", {"declared", "payable"}),
        ("Long-term debt, less current portion", {"noncurrent"}),
        ("Long-term debt, excluding current maturities", {"noncurrent"}),
        ("Current portion of long-term debt", {"current", "noncurrent"}),
        ("Non-current liabilities", {"noncurrent"}),
        ("Basic weighted-average shares", {"basic", "average"}),
        ("free cash flow, trailing four quarters", {"trailing"}),
        ("total statewide sales", {"total"}),
    ],
)
def test_the_qualifiers_of_words_are_whole_words(words, found):
    assert qualifiers_of(words) == found


def test_formulas_that_are_taken_rather_are_made_of_known_parts():
    for metric in metrics().values():
        for formula in metric.rather:
            assert all(part.name in line_items() or part.name in metrics() for part in operands(formula))
    assert metrics()["total_debt"].rather


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--parts", "top-line"], "revenue"),
        (["--parts", "inventory"], "inventory"),
        (["cash", "returns"], "cash_return_on_assets"),
        (["top-line"], "no measure has 'top-line'; a line item has (with --parts)"),
        (["--parts", "dso"], "no line item has 'dso'; a measure has (without --parts)"),
        (["quux"], "without words, all are listed"),
    ],
)
def test_measures_are_found_by_their_words_with_or_without_hyphens_in_the_singular_or_the_plural(words, told):
    done = CliRunner().invoke(main, ["measures", *words])
    assert told in done.output
    assert done.exit_code == (1 if "has" in told or "without" in told else 0)
