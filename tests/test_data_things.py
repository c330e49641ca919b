"""What is counted is of its noun and never money; a percentage point is no percentage."""

from __future__ import annotations

import pytest

from tieout.data.printed.amount import read_amounts
from tieout.data.printed.measure import find_measure
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.ontology.model import default_ontology

ROWS = {
    "Net sales": ("$4,321", "$", 10**6),
    "Number of employees": ("5,200", "employees", 1),
    "Stores at end of year": ("432", "stores", 1),
    "Company-operated restaurants opened": ("17", "restaurants", 1),
    "Vehicles sold (thousands)": ("1,200", "vehicles", 1000),
    "Aircraft in service": ("120", "aircraft", 1),
    "Votes for": ("120,000,000", "votes", 1),
    "Number of customers": ("98", "customers", 1),
    "Change in margin (percentage points)": ("1.2", "percentage points", 1),
    "Purchases of property, plant and equipment (PP&E)": ("1,577", "$", 10**6),
    "Proceeds from sale of PP&E (PP & E)": ("262", "$", 10**6),
    "Change in margin (pp)": ("1.4", "percentage points", 1),
    "Stores": ("982", "stores", 1),
    "Total company-operated restaurants": ("1,041", "restaurants", 1),
    "Vehicles": ("345", "$", 10**6),  # what they cost: nothing says that they are counted
    "Store sales": ("77", "$", 10**6),
    "Loans to customers": ("66", "$", 10**6),
    "Taxes withheld on employees’ share awards": ("55", "$", 10**6),
}


def test_a_row_of_things_is_counted_beside_rows_of_money():
    rows = "".join(f"<tr><td>{label}</td><td>{figure}</td><td>1</td></tr>" for label, (figure, *_) in ROWS.items())
    head = "<tr><td>(in millions, except counts)</td><td>2024</td><td>2023</td></tr>"
    document = read_html(f"<p>Orris Corp</p><table>{head}{rows}</table>".encode(), "page")
    facts = {
        fact.label: fact for fact in build(document, default_ontology(None)[0]).facts() if fact.column == 1 and fact.row
    }
    assert {label: (str(facts[label].unit), facts[label].scale) for label in ROWS} == {
        label: (unit, scale) for label, (_, unit, scale) in ROWS.items()
    }


@pytest.mark.parametrize(
    "rows",
    [
        (("Land", "$321"), ("Stores", "982"), ("Total", "$1,303")),  # it is added to money
        (("Net sales", "$4,321"), ("Stores", "$982")),  # it is marked
        (("Net sales", "$4,321"), ("Stores", "98.2")),  # there is no part of a store
        (("Net sales", "$4,321"), ("Capital expenditures:", ""), ("Stores", "98"), ("Depots", "77")),
    ],
)
def test_what_stores_cost_is_money(rows):
    body = "".join(f"<tr><td>{label}</td><td>{figure}</td><td>{figure}</td></tr>" for label, figure in rows)
    head = "<tr><td>(in millions)</td><td>2024</td><td>2023</td></tr>"
    document = read_html(f"<p>Orris Corp</p><table>{head}{body}</table>".encode(), "page")
    facts = [each for each in build(document, default_ontology(None)[0]).facts() if each.label == "Stores"]
    assert facts and {(str(each.unit), each.scale) for each in facts} == {("$", 10**6)}


NOT_STATED = (1, False)


@pytest.mark.parametrize(
    ("note", "employees", "dealers", "customers"),
    [
        ("(in millions)", NOT_STATED, NOT_STATED, (10**6, True)),  # nobody has 5,200 million employees
        ("(in thousands)", NOT_STATED, NOT_STATED, (10**3, True)),
        ("(in millions, except per share data)", NOT_STATED, NOT_STATED, (10**6, True)),
        ("($ in millions)", NOT_STATED, NOT_STATED, NOT_STATED),
        ("(in millions, except employees)", (1, True), (1, True), (1, True)),
        ("(dollars in millions, customers in thousands)", (10**3, True), (10**3, True), (10**3, True)),
        ("(amounts and employees in thousands)", (10**3, True), (10**3, True), (10**3, True)),
    ],
)
def test_a_scale_that_is_said_of_nothing_in_particular_is_of_the_money_beside_the_things(
    note, employees, dealers, customers
):
    """Of what is counted whole, a part cannot be printed: 1.5 customers are on the scale that is said."""
    figures = {
        "Net sales": "$4,321",
        "Employees": "5,200",
        "Number of dealers": "982",
        "Customers at end of year": "1.5",
    }
    rows = "".join(f"<tr><td>{label}</td><td>{figure}</td><td>1</td></tr>" for label, figure in figures.items())
    head = f"<tr><td>{note}</td><td>2024</td><td>2023</td></tr>"
    document = read_html(f"<p>Orris Corp</p><table>{head}{rows}</table>".encode(), "page")
    facts = [each for each in build(document, default_ontology(None)[0]).facts() if each.column == 1 and each.row]
    found = {each.label: (each.scale, each.scale_known) for each in facts if each.label in figures}
    assert list(found.values())[1:] == [employees, dealers, customers]


def test_in_a_table_of_counts_alone_thousands_are_of_them():
    head = "<tr><td>(in thousands)</td><td>2024</td><td>2023</td></tr>"
    rows = "<tr><td>Number of customers</td><td>98</td><td>91</td></tr>"
    document = read_html(f"<p>Orris Corp</p><table>{head}{rows}</table>".encode(), "page")
    (fact,) = [each for each in build(document, default_ontology(None)[0]).facts() if each.column == 1 and each.row]
    assert (fact.unit, fact.scale) == ("customers", 1000)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("5,200 employees", "employees"),
        ("1.2 million vehicles", "vehicles"),
        ("3 million barrels", "barrels"),
        ("12 aircraft", "aircraft"),
        ("120,000 votes", "votes"),
        ("40 markets", "count"),
        ("up 3 percentage points", "percentage points"),
        ("up 2.5 pp", "percentage points"),
        ("up 3 percent", "percent"),
        ("up 30 basis points", "basis points"),
    ],
)
def test_prose_names_what_it_counts(text, unit):
    (found,) = read_amounts(f"There were {text} in the year.")
    assert found.unit == unit


@pytest.mark.parametrize(
    "label", ["vehicles", "proceeds from stores sold", "cost of vehicles sold", "store revenue", "rooms"]
)
def test_a_label_that_may_be_money_counts_nothing(label):
    assert find_measure(label) is None
