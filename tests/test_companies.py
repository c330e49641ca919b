"""Companies over all their filings: who is kept, what they state, what was restated, and how it is compared."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from company_filings import BALANCE, CASH, INCOME, LUMEN, ORION, Figures, Maker, write_all
from filing import header, number, row
from hypothesis import given
from hypothesis import strategies as st
from kg_documents import TBOX
from printed_report import cover, kept, lines, run, titled

import tieout
from tieout.data.document import Document, Table
from tieout.eval import measures
from tieout.kg.build import build
from tieout.kg.companies.compare import Line, compare
from tieout.kg.companies.library import open_library
from tieout.kg.companies.measure import MeasureError, read_measure
from tieout.kg.companies.output.workbook import formula
from tieout.kg.filings.company import companies_of
from tieout.kg.filings.filing import Filing, read_filing
from tieout.kg.filings.fiscal import FiscalYears
from tieout.kg.filings.naming import Directory, initials, short
from tieout.kg.filings.observation import revises, split_between
from tieout.kg.filings.observed import Observed
from tieout.kg.filings.primary import primary_tables
from tieout.kg.index.passage import TableEntry
from tieout.kg.index.words import Index
from tieout.ontology.metrics.formula import Apply


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("companies")
    reports = folder / "reports"
    reports.mkdir()
    write_all(reports)
    done = run("index", str(reports), "--store", str(folder / "store"))
    assert done.exit_code == 0, done.output
    return folder / "store"


def amounts(found: list[dict[str, object]]) -> dict[tuple[object, object], Decimal]:
    return {(each["ticker"], each["fiscal_year"]): Decimal(str(each["amount"])) for each in found}


def test_filings_of_one_registrant_are_one_company_with_all_its_names(store):
    found = {each["ticker"]: each for each in lines(store, "companies")}
    assert found.keys() == {"LUMN", "ORGL"}
    lumen = found["LUMN"]
    assert lumen["names"] == ["Lumen Works, Inc.", "Lumen"]
    assert lumen["identifier"] == "CIK 71"
    assert [(each["report"], each["fiscal_year"], each["fiscal_period"]) for each in lumen["filings"]] == [
        ("lumen24", 2024, "FY"),
        ("lumen23", 2023, "FY"),
        ("lumen22", 2022, "FY"),
    ]
    assert [each["report"] for each in found["ORGL"]["filings"]] == ["orion24", "orion23"]


def test_what_is_read_of_some_fiscal_years_is_what_is_read_of_all(store):
    measures = ["revenue", "revenue growth", "eps"]
    with open_library(store) as every, open_library(store) as some:
        whole = [_without_flags(line) for line in compare(every, measures)]
        for years in ({2023}, {2024}, {2022, 2023}):
            found = [_without_flags(line) for line in compare(some, measures, years=years)]
            assert found == [row for row in whole if row["fiscal_year"] in years] != []


def _without_flags(line: Line) -> dict[str, object]:
    """Its columns, but what the first line of a company says of all."""
    return {name: value for name, value in line.row().items() if name != "flags"}


@pytest.mark.parametrize("name", ["Lumen Works, Inc.", "lumen works", "Lumen", "LUMN", "lumn", "CIK 71", "71"])
def test_a_company_is_found_by_any_of_its_names(store, name):
    found = lines(store, "compare", "revenue", "--company", name, "--years", "2022")
    assert {each["company_name"] for each in found} == {"Lumen Works, Inc."}


def test_of_a_year_that_several_filings_state_the_newest_counts_and_a_difference_is_marked(store):
    found = {each["fiscal_year"]: each for each in lines(store, "compare", "revenue", "--company", "LUMN")}
    assert {year: each["amount"] for year, each in found.items()} == {
        2021: "1000000000",
        2022: "1200000000",
        2023: "1400000000",
        2024: "1600000000",
    }
    assert [year for year, each in found.items() if each["restated"]] == [2023]
    (was,) = found[2023]["restated"]
    assert was["amount"] == "1500000000" and was["fact"].startswith("lumen23:t1r1c")
    assert found[2023]["flags"] == ["restated"] and found[2023]["report"] == "lumen24"


def test_a_filing_without_tags_is_of_the_company_of_its_name_and_states_the_same(store):
    found = lines(store, "compare", "revenue", "net income", "total assets", "capex", "--company", "ORGL")
    newest = {each["measure"]: each for each in found if each["fiscal_year"] == 2024}
    assert {name: each["amount"] for name, each in newest.items()} == {
        "revenue": "3300000000",
        "net income": "462000000",
        "total assets": "2970000000",
        "capex": "231000000",
    }
    assert all(each["report"] == "orion24" and not each["derived"] for each in newest.values())
    assert all(0.6 <= each["probability"] < 0.99 for each in newest.values())
    assert newest["revenue"]["period_end"] == "2024-06-30"


def test_measures_and_expressions_are_calculated_from_what_is_printed(store):
    asked = ["gross margin", "revenue growth", "net debt / EBIT", "debt to equity", "net income per employee"]
    found = lines(store, "compare", *asked, "--company", "Lumen", "--years", "2022")
    values = {each["measure"]: each for each in found}
    assert values.keys() == set(asked) - {"net income per employee"}
    assert Decimal(values["gross margin"]["value"]) == 40 and values["gross margin"]["unit"] == "percent"
    assert Decimal(values["revenue growth"]["amount"]) == Decimal("0.2")
    assert Decimal(values["net debt / EBIT"]["value"]) == 1 and values["net debt / EBIT"]["unit"] == "ratio"
    assert Decimal(values["debt to equity"]["value"]) == Decimal("0.75")
    assert values["gross margin"]["derived"] and len(values["gross margin"]["facts"]) == 2


def test_what_is_paid_is_not_what_is_provided_for(store):
    found = lines(store, "compare", "income taxes paid", "income tax expense", "--company", "Lumen", "--years", "2022")
    assert {each["measure"]: each["amount"] for each in found} == {
        "income taxes paid": "36000000",
        "income tax expense": "48000000",
    }


def test_a_total_that_is_not_printed_is_added_up_from_its_parts(store):
    (found,) = lines(store, "compare", "total liabilities", "--company", "Lumen", "--years", "2022")
    assert found["amount"] == "600000000" and found["derived"]
    assert re.fullmatch(r"subtract\(lumen23:t2r\d+c\d+, lumen23:t2r\d+c\d+\)", str(found["program"]))


def test_companies_whose_years_end_elsewhere_in_the_year_are_flagged_once(store):
    flags = [flag for each in lines(store, "compare", "revenue") for flag in each["flags"] if flag != "restated"]
    assert len(flags) == 1 and flags[0].startswith("its fiscal years end in ")


def test_a_screen_keeps_those_that_fulfil_all_conditions(store):
    found = lines(store, "screen", "revenue > 1bn and revenue growth > 8%", "--years", "2022-2024")
    assert {(each["ticker"], each["fiscal_year"]) for each in found} == {
        ("LUMN", 2022),
        ("LUMN", 2023),
        ("LUMN", 2024),
        ("ORGL", 2024),
    }
    newest = lines(store, "screen", "gross margin >= 40% and revenue > 3 billion")
    assert {(each["ticker"], each["fiscal_year"]) for each in newest} == {("ORGL", 2024)}


def test_a_statement_is_the_companys_own_lines_over_all_filings(store):
    found = lines(store, "statement", "Lumen", "income")
    labels = list(dict.fromkeys(each["measure"] for each in found))
    assert labels[:3] == ["Total net sales", "Cost of goods sold", "Gross profit"]
    assert amounts([each for each in found if each["measure"] == "Total net sales"])["LUMN", 2021] == 1_000_000_000
    standard = lines(store, "statement", "Lumen", "balance", "--standard", "--years", "2024")
    assert {each["measure"] for each in standard} >= {"cash", "total assets", "equity"}


def test_every_format_says_the_same(store, tmp_path):
    asked = ["compare", "revenue", "gross margin", "--store", str(store), "--years", "2023"]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").stdout)))
    assert {(each["ticker"], each["measure"]): each["value"] for each in rows}["LUMN", "revenue"] == "1400"
    page = run(*asked, "--format", "html").stdout
    assert "1,400*" in page and "<svg" in page
    table = run(*asked).stdout
    assert "1,400*" in table and "restated, 1,500 in lumen23" in table
    chart, book, lake = tmp_path / "c.svg", tmp_path / "c.xlsx", tmp_path / "c.parquet"
    assert run(*asked, "--format", "xlsx", "-o", str(book), "--chart", str(chart)).exit_code == 0
    assert "<svg" in chart.read_text() and "Lumen Works" in chart.read_text() and "1,400*" in chart.read_text()
    assert run(*asked, "--chart", str(tmp_path / "c.png")).exit_code == 0
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    assert run(*asked, "--format", "parquet", "-o", str(lake)).exit_code == 0
    from openpyxl import load_workbook
    from pyarrow import parquet

    sheet = load_workbook(book)
    formulas = {cell.value for row in sheet["measures"].iter_rows() for cell in row if str(cell.value).startswith("=")}
    assert any(re.fullmatch(r"=\(printed!\$B\$\d+/printed!\$B\$\d+\)", each) for each in formulas)
    assert 1_400_000_000 in {cell.value for cell in sheet["printed"]["B"]}
    values = {cell.value for row in load_workbook(book, data_only=True)["measures"].iter_rows() for cell in row}
    assert values >= {Decimal(each["amount"]) for each in rows if each["measure"] == "revenue"}
    assert parquet.read_table(lake).num_rows == len(rows)


def test_without_matplotlib_a_chart_is_refused_in_one_line_and_a_page_has_its_tables(store, tmp_path, monkeypatch):
    monkeypatch.setattr("tieout.data.output.chart.find_spec", lambda name: None)
    asked = ["compare", "revenue", "--store", str(store)]
    done = run(*asked, "--chart", str(tmp_path / "a.svg"))
    assert done.exit_code == 1 and "a chart needs matplotlib: pip install 'tieout[report]'" in done.output
    page = run(*asked, "--format", "html").stdout
    assert "<table>" in page and "<svg" not in page


def test_bad_input_gets_one_line_that_names_the_thing(store):
    for arguments, said in (
        (["statment", "Lumen", "income"], "No such command 'statment'. Did you mean 'statement'?"),
        (["compare", "revenu"], "no measure is called 'revenu'; did you mean 'revenue'"),
        (["compare", "revenue", "--company", "Nobody"], "no company 'Nobody' is kept"),
        (["screen", "revenue is high"], "'revenue is high' is no condition"),
        (["compare", "revenue + "], "ends where a measure is expected"),
        (["compare", "revenue", "--years", "1999"], "nothing that is kept states this"),
        (["compare", "revenue", "--format", "xlsx"], "name a file with --output"),
        (["compare", "revenue", "--chart", "a.pdf"], "drawn as .svg or .png, not as '.pdf'"),
        (["statement", "Lumen", "equity"], "has a statement that reads as 'equity'"),
    ):
        done = run(*arguments, "--store", str(store))
        assert done.exit_code != 0 and said in done.output, (arguments, done.output)


def test_python_gives_frames_whose_numbers_are_numbers(store):
    with tieout.library(store) as library:
        frame = library.compare(["revenue", "gross margin"], years=range(2022, 2025))
        assert frame["amount"].dtype == float and frame["value"].dtype == float
        income = library.company("Lumen").income()
        assert income.loc["Total net sales", "2023"] == 1.4e9
        assert list(library.screen("revenue > 3bn")["ticker"].unique()) == ["ORGL"]
        assert set(library.companies["company"]) == {"Lumen Works, Inc.", "Orion Glass Corporation"}
        with pytest.raises(tieout.LibraryError):
            library.company("Nobody")


def test_a_single_report_has_its_statements(tmp_path):
    path = tmp_path / "lumen.htm"
    path.write_text(LUMEN.annual(2023), encoding="utf-8")
    statements = tieout.read(path).statements
    assert statements.income.loc["Operating income", "2022"] == 240e6
    assert statements.balance.loc["Total assets", "2023"] == 1350e6
    assert statements.cash_flow.loc["Purchases of property and equipment", "2023"] == -105e6


def test_one_query_of_a_few_lines_asks_all_filings(store):
    def asked(query: str) -> list[list[str]]:
        done = run("sparql", query, "--store", str(store), "--format", "csv")
        assert done.exit_code == 0, done.output
        return [line.split(",") for line in done.stdout.splitlines()[1:]]

    revenue = asked(
        'SELECT ?ticker ?year ?amount { ?o kg:observes concept:revenue ; kg:fiscalPeriod "FY" ; kg:fiscalYear ?year ; '
        "kg:amount ?amount ; kg:of/kg:ticker ?ticker } ORDER BY ?ticker ?year"
    )
    assert ["LUMN", "2023", "1400000000"] in revenue and ["ORGL", "2024", "3300000000"] in revenue and len(revenue) == 7
    restated = asked(
        "SELECT ?concept ?now ?was { ?new prov:wasRevisionOf ?old ; kg:amount ?now . ?old kg:amount ?was . "
        "?o kg:reported ?new ; kg:observes ?concept } ORDER BY ?concept"
    )
    assert ["urn:tieout:concept:revenue", "1400000000", "1500000000"] in restated
    tags = asked('SELECT DISTINCT ?report { ?r kg:concept "us-gaap:Revenues" ; kg:filing ?report } ORDER BY ?report')
    assert tags == [[f"urn:tieout:doc:{name}"] for name in ("lumen22", "lumen23", "lumen24", "orion23")]
    printed = asked(
        'SELECT ?raw { ?o kg:observes concept:revenue ; kg:fiscalYear 2024 ; kg:of/kg:ticker "LUMN" ; '
        "kg:reported/prov:wasDerivedFrom ?fact . ?fact kg:raw ?raw }"
    )
    assert printed == [['"1', '600"']]


def test_adding_and_forgetting_a_filing_touches_no_other_company(tmp_path):
    reports, place = tmp_path / "reports", tmp_path / "store"
    reports.mkdir()
    write_all(reports)
    first = ["lumen23", "orion23"]
    assert run("index", *(str(reports / f"{name}.htm") for name in first), "--store", str(place)).exit_code == 0
    before = lines(place, "compare", "revenue", "--company", "ORGL")
    assert run("index", str(reports / "lumen22.htm"), "--store", str(place)).exit_code == 0
    assert lines(place, "compare", "revenue", "--company", "ORGL") == before
    assert len(lines(place, "compare", "revenue", "--company", "LUMN")) == 3
    assert run("index", "--forget", "lumen22", "--forget", "lumen23", "--store", str(place)).exit_code == 0
    assert [each["ticker"] for each in lines(place, "companies")] == ["ORGL"]
    left = run("sparql", "ASK { ?c kg:ticker 'LUMN' }", "--store", str(place)).stdout
    assert left.strip() == "no"


@pytest.mark.parametrize(
    ("name", "called", "letters"),
    [
        ("The Coca-Cola Company", "coca cola", "CC"),
        ("COCA COLA CO", "coca cola", "CC"),
        ("Advanced Micro Devices, Inc.", "advanced micro devices", "AMD"),
        ("Intel Corporation", "intel", ""),
        ("McDONALD’S CORPORATION", "mcdonalds", ""),
        ("S.A.P. SE", "sap", ""),
        ("Orris Chase & Co.", "orris chase", "OC"),
    ],
)
def test_a_name_is_shortened_as_people_do(name, called, letters):
    assert (short(name), initials(name)) == (called, letters)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("ORX Corporation", "how much did orx spend", "orx"),
        ("Orris Companies, Inc.", "revenue of Orris Companies as of 2023", "Orris Companies"),
        ("Orris Companies, Inc.", "revenue of orris companies", "orris companies"),
        ("Orris Companies, Inc.", "whats orriss revenue", "orriss"),
        ("Orris Mills, Inc.", "where is Orris incorporated", "Orris"),
        ("Orris Corporation", "revenue of Orris Corp in 2023", "Orris Corp"),
        ("Orris Mills, Inc.", "orris mills co. sales", "orris mills co"),
        ("Orris Mills, Inc.", "orr mills sales", "orr mills"),
        ("Orris Mills, Inc.", "orrismills sales", "orrismills"),
        ("O3.mill, Inc.", "o3mill sales", "o3mill"),
        ("Orris Mills, Inc.", "or mills or an orr", ""),
        ("Big Lots, Inc.", "how big is its debt", ""),
        ("Orris Inc.", "compare Orris the new way", "Orris"),
        ("D7.works, Inc.", "d7 total revenue", "d7"),
        ("Q2 Lanterns, Inc.", "sales in the quarter", ""),
    ],
)
def test_a_name_is_found_as_it_is_typed_and_no_further(name, text, named):
    found = list(Directory({name: (name,)}, {}).mentions(text))
    assert [text[each.start : each.end] for each in found] == [named] * bool(named)


def test_companies_are_found_in_the_words_of_a_question(store):
    from tieout.kg.companies.library import open_library

    with open_library(store) as library:
        text = "Compare Lumen's gross margin with ORGL's and orion glass since 2021; who leads?"
        found = library.companies_in(text)
        assert [(company.ticker, text[each.start : each.end]) for company, each in found] == [
            ("LUMN", "Lumen's"),
            ("ORGL", "ORGL's"),
            ("ORGL", "orion glass"),
        ]
        assert not library.companies_in("how much inc corporation works were there in the company")


@given(st.text(max_size=40))
def test_no_text_does_anything_but_be_a_measure_or_be_refused(text):
    try:
        assert read_measure(text).items is not None
    except MeasureError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{'(' * 5_000}revenue{')' * 5_000}", "at most 1000 characters, and this one 10,007"),
        (f"{'(1+' * 200}revenue{')' * 200}", "at most 100 parts, and this one 801"),
        ("revenue" + " +revenue" * 100, "at most 100 parts, and this one 201"),
    ],
)
def test_a_measure_without_end_is_refused(text, said):
    with pytest.raises(MeasureError, match=said):
        read_measure(text)


@pytest.mark.parametrize("text", ["(1 + revenue)", "(revenue*2)", "(revenue - 5)", "(1 + revenue) * 2"])
def test_a_number_in_brackets_is_calculated_with(text):
    assert isinstance(read_measure(text).formula, Apply)


@pytest.mark.parametrize("years", ["9" * 5_000, "²023"])
def test_what_names_no_years_is_told(years):
    done = CliRunner().invoke(tieout.main, ["compare", "revenue", "--years", years])
    assert done.exit_code == 2 and "names no years" in done.stderr and len(done.stderr) < 400


def test_a_program_is_a_formula_of_a_spreadsheet():
    cells = {"a:t1r2c3": "printed!$B$2", "a:t1r2c3b": "printed!$B$3"}
    assert formula("divide(magnitude(a:t1r2c3b), average(a:t1r2c3, 2))", cells) == (
        "(ABS(printed!$B$3)/AVERAGE(printed!$B$2,2))"
    )


def test_a_report_that_says_nobodys_name_is_of_a_company_of_its_own(tmp_path):
    page = re.sub(
        r"<p>Nobody Knows[^<]*</p>|<p>\(Exact name[^<]*</p>",
        "",
        replace(ORION, name="Nobody Knows", tagged=False).annual(2024),
    )
    (tmp_path / "orphan.htm").write_text(page, encoding="utf-8")
    place = tmp_path / "store"
    assert run("index", str(tmp_path / "orphan.htm"), "--store", str(place)).exit_code == 0
    (found,) = lines(place, "companies")
    assert (found["name"], found["identifier"]) == ("unnamed, of orphan", None)
    assert [each["amount"] for each in lines(place, "compare", "revenue", "--years", "2024")] == ["3300000000"]


@pytest.mark.parametrize(
    ("unit", "new", "old", "times"),
    [
        ("USD/share", "1.19", "11.93", 10),
        ("USD/share", "0.17", "1.74", 10),
        ("shares", "24690", "2469", 10),
        ("shares", "100", "1000", -10),
        ("USD/share", "1.19", "1.93", None),
        ("USD", "10", "100", None),
    ],
)
def test_a_split_of_shares_accounts_for_what_is_stated_otherwise(unit, new, old, times):
    def stated(value: str) -> Observed:
        amount = Decimal(value)
        day = date(2024, 1, 28)
        return Observed("eps_diluted", day, day, amount, unit, amount, 1, "t1r1c1", "", "", "", "tag", 0.99)

    assert split_between(stated(new), stated(old)) == times


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two companies that state amounts per share: one has split its shares."""
    folder, year = tmp_path_factory.mktemp("split"), replace(LUMEN, per_share=True)
    pages = {"a22": year.annual(2022), "a23": year.annual(2023), "a24": replace(year, split=10).annual(2024)}
    pages["b24"] = replace(ORION, per_share=True).annual(2024)
    for name, text in pages.items():
        (folder / f"{name}.htm").write_text(text, encoding="utf-8")
    place = folder / "store"
    assert run("index", *(str(folder / f"{name}.htm") for name in pages), "--store", str(place)).exit_code == 0
    return place


def test_a_comparison_looks_into_the_index_as_often_for_many_companies_as_for_one(split, monkeypatch):
    looks: list[object] = []
    observed = Index.observed
    monkeypatch.setattr(Index, "observed", lambda *given: looks.append(given) or observed(*given))
    for names in (["LUMN"], ["LUMN", "ORGL"]):
        with open_library(split) as library:
            found = compare(library, ["diluted EPS"], [library.company(name) for name in names], [2024])
        assert len(found) == len(names)
        looks.append(None)
    assert looks.index(None) == len(looks) // 2 - 1 > 0


def test_amounts_per_share_of_before_a_split_are_flagged_as_such(split):
    found = {each["fiscal_year"]: each for each in lines(split, "compare", "diluted EPS", "--company", "LUMN")}
    assert {year: (each["value"], each["flags"]) for year, each in found.items()} == {
        2021: ("1", ["as stated before shares were split 10 for 1"]),
        2022: ("1.2", ["as stated before shares were split 10 for 1"]),
        2023: ("0.15", ["restated", "shares were split 10 for 1"]),
        2024: ("0.16", []),
    }


def test_a_line_whose_tag_was_another_before_is_one_line_of_a_statement(tmp_path):
    (tmp_path / "new.htm").write_text(LUMEN.annual(2023))
    (tmp_path / "old.htm").write_text(
        LUMEN.annual(2022).replace("us-gaap:InterestExpense", "us-gaap:InterestExpenseDebt")
    )
    assert run("index", str(tmp_path), "--store", str(tmp_path / "store")).exit_code == 0
    found = lines(tmp_path / "store", "statement", "Lumen", "income")
    interest = [each["fiscal_year"] for each in found if "interest" in str(each["measure"]).lower()]
    assert interest == [2021, 2022, 2023] and not any(":" in str(each["measure"]) for each in found)


def _shown(store, kind: str) -> dict[tuple[str, int], str]:
    found = lines(store, "statement", "Harrow Glass", kind, "--exact")
    return {(str(each["measure"]), int(each["fiscal_year"])): str(each["value"]) for each in found}


def test_the_statement_that_is_shown_is_the_one_of_the_company_as_a_whole(tmp_path):
    """Not a table of fair values under a sentence that names the balance sheet, nor that of the parent alone."""
    years = header("2023", "2022")
    whole = "(in millions, except per share data)"
    store = kept(
        tmp_path,
        cover("Harrow Glass plc"),
        titled(
            f"Harrow Glass plc and Subsidiaries Consolidated Statements of Income {whole}",
            *(years, row("Net sales", "$ 900", "$ 800"), row("Cost of sales", "(500)", "(450)")),
            *(row("Gross profit", "400", "350"), row("Operating income", "200", "170")),
            row("Income before income taxes and equity in income of affiliated companies", "180", "150"),
            *(row("Income tax expense", "(40)", "(35)"), row("Equity in income of affiliated companies", "2", "1")),
            *(row("Net income", "142", "116"), row("Diluted earnings per share", "1.42", "1.16")),
        ),
        titled(
            "Consolidated Balance Sheets (in millions)",
            *(years, row("Cash and cash equivalents", "$ 60", "$ 50")),
            row("Trade receivables, net of allowance of $6 and $5, respectively", "110", "100"),
            *(row("Total current assets", "250", "230"), row("Total assets", "700", "640")),
            *(row("Total liabilities", "400", "360"), row("Total shareholders' equity", "300", "280")),
            row("Total liabilities and shareholders' equity", "700", "640"),
        ),
        "<p><b>Note 2. Fair Value Measures</b></p>"
        "<p>The following table summarizes what is measured at fair value in the balance sheet (in millions):</p>",
        titled(
            "",
            *(years, row("Equity securities", "31", "29"), row("Interest rate swaps", "3", "4")),
            *(row("Currency forward contracts", "7", "5"), row("Total assets", "41", "38")),
            *(row("Fair value of hedged long-term debt", "21", "19"), row("Other", "1", "2")),
            *(row("Contingent consideration", "2", "3"), row("Total liabilities", "24", "24")),
        ),
        "<p><b>Schedule I: Parent Company</b></p>",
        titled(
            "Consolidated Statements of Income (in millions)",
            *(years, row("Net sales", "$ 30", "$ 28"), row("Cost of sales", "(20)", "(19)")),
            *(row("Gross profit", "10", "9"), row("Operating income", "6", "5")),
            *(row("Interest income", "2", "1"), row("Interest expense", "(1)", "(1)")),
            *(row("Income before income taxes", "7", "5"), row("Income tax expense", "(1)", "(1)")),
            row("Net income", "6", "4"),
        ),
    )
    income, balance = _shown(store, "income"), _shown(store, "balance")
    assert income["Net sales", 2023] == "900" and income["Net income", 2022] == "116"
    assert balance["Total assets", 2023] == "700" and not any("Equity securities" in name for name, _ in balance)
    receivables = {year: value for (name, year), value in balance.items() if name.startswith("Trade receivables")}
    assert receivables == {2023: "110", 2022: "100"}  # not what is allowed for, which the label says
    found = lines(store, "compare", "revenue", "income tax", "effective tax rate", "--years", "2023")
    assert [each["value"] for each in found][:2] == ["900", "40"] and str(found[2]["value"]).startswith("22.2")


def test_a_note_on_figures_in_a_title_is_no_sentence_about_the_table():
    whole = "Harrow Glass plc and Subsidiaries Consolidated Statements of Income (in millions, except per share data)"
    parent = "Consolidated Statements of Income"
    tables = [TableEntry(3, whole, "", "", "income", 1.0, (), 60), TableEntry(9, parent, "", "", "income", 1.0, (), 60)]
    assert primary_tables(tables, [])["income"][0] == 3


def test_a_statement_of_equity_is_shown_with_all_of_its_tables_and_an_unnamed_total_by_its_concept(tmp_path):
    equity = [
        titled(
            "Consolidated Statements of Equity",
            header(
                *(
                    f"Year Ended {closed} {part}"
                    for part in ("Common Stock Shares", "Retained Earnings", "Total Equity")
                )
            ),
            row(f"Balance at {opened}", "30", str(before), str(before)),
            row("Net income", "", str(after - before), str(after - before)),
            row(f"Balance at {closed}", "30", str(after), str(after)),
        )
        for opened, closed, before, after in (
            ("January 1, 2021", "December 31, 2021", 200, 230),
            ("January 1, 2022", "December 31, 2022", 230, 280),
            ("January 1, 2023", "December 31, 2023", 280, 300),
        )
    ]
    store = kept(
        *(tmp_path, cover("Harrow Glass plc"), "<p>(in millions)</p>", *equity),
        titled(
            "Consolidated Balance Sheets",
            *(header("December 31, 2023", "December 31, 2022"), row("Cash and cash equivalents", "$ 60", "$ 50")),
            *(row("Total current assets", "250", "230"), row("Property, plant and equipment", "450", "410")),
            *(row("", "$ 700", "$ 640"), row("Total current liabilities", "90", "80")),
            *(row("Long-term debt", "310", "280"), row("Total equity", "300", "280"), row("", "$ 700", "$ 640")),
        ),
    )
    shown = _shown(store, "equity")
    assert {name for name, _ in shown} == {
        *(
            "Common Stock Shares: balance at the end",
            "Retained Earnings: balance at the end",
            "Retained Earnings: Net income",
        ),
        *("Total Equity: balance at the end", "Total Equity: Net income"),
    }
    total = {year: value for (name, year), value in shown.items() if name == "Total Equity: balance at the end"}
    assert total == {2020: "200", 2021: "230", 2022: "280", 2023: "300"}
    assert _shown(store, "balance")["Total assets", 2023] == "700"


def test_a_year_that_a_tag_alone_tells_is_called_as_the_report_calls_it(tmp_path):
    """Fiscal 2023 ended in January 2024, and no header says of which year a column is."""
    page = replace(LUMEN, month=1, day=31, focus=-1).annual(2024).replace("3>2024<", "3>A<").replace("3>2023<", "3>B<")
    (tmp_path / "lumen.htm").write_text(page)
    found = run("kg", "facts", str(tmp_path / "lumen.htm"), "--format", "jsonl")
    told = [json.loads(line) for line in found.stdout.splitlines()]
    periods = {each["amount"]: each["period"] for each in told if each["label"] == "Total net sales"}
    assert periods == {"1600000000": "FY2023", "1500000000": "FY2022"}
    with tieout.open([tmp_path / "lumen.htm"]) as talk:
        answer = talk.ask("what were total net sales?")
    assert (answer.value, answer.flags) == (Decimal(1600), ())


def test_a_year_that_ends_with_the_calendar_year_is_called_as_that_is_whatever_the_file_says(tmp_path):
    (tmp_path / "lumen.htm").write_text(replace(LUMEN, focus=-1).annual(2023))
    assert run("index", str(tmp_path), "--store", str(tmp_path / "store")).exit_code == 0
    (sales, *_) = lines(tmp_path / "store", "compare", "revenue", "--years", "2023")
    assert (sales["value"], sales["period_end"]) == ("1500", "2023-12-31")


def test_a_statement_has_lines_of_parts_and_one_line_of_a_balance_at_both_ends_of_a_year(tmp_path):
    cash, sales = "us-gaap:CashAndCashEquivalentsAtCarryingValue", "us-gaap:Revenues"
    period = "<xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate>"
    member = '<xbrldi:explicitMember dimension="srt:ProductOrServiceAxis">lumn:LampsMember</xbrldi:explicitMember>'
    lamps = (
        '<xbrli:context id="lamps"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000071'
        f"</xbrli:identifier><xbrli:segment>{member}</xbrli:segment></xbrli:entity><xbrli:period>{period}"
        "</xbrli:period></xbrli:context>"
    )
    page = LUMEN.annual(2023).replace("</ix:resources>", f"{lamps}</ix:resources>")
    first = page.index("<tr", page.index("Consolidated Statements of Income"))
    second = page.index("<tr", first + 1)
    page = page[:second] + row("Lamps", number("900", sales, "lamps"), "") + page[second:]
    ends = row("Cash at beginning of year", number("120", cash, "d2022"), "") + row(
        "Cash at end of year", number("150", cash, "d2023"), number("120", cash, "d2022")
    )
    (tmp_path / "lumen.htm").write_text(page.replace("</table></body>", f"{ends}</table></body>"))
    assert run("index", str(tmp_path / "lumen.htm"), "--store", str(tmp_path / "store")).exit_code == 0
    income = {str(each["measure"]): each["value"] for each in lines(tmp_path / "store", "statement", "LUMN", "income")}
    assert income["Lamps"] == "900"
    flows = lines(tmp_path / "store", "statement", "LUMN", "cash-flow", "--exact")
    told = {(each["measure"], each["fiscal_year"]): each["value"] for each in flows if "Cash at" in each["measure"]}
    assert told == {("Cash at end of year", 2023): "150", ("Cash at end of year", 2022): "120"}


def test_cash_flows_are_told_from_the_statement_whose_title_stands_above_them(tmp_path):
    store = kept(
        tmp_path,
        cover("Harrow Glass plc"),
        titled(
            "Consolidated Statements of Income (in millions)",
            *(header("2023", "2022"), row("Net sales", "$ 900", "$ 800"), row("Operating income", "200", "170")),
            *(row("Income before income taxes", "180", "150"), row("Income taxes", "40", "35")),
            *(row("Net income", "140", "115"), row("Diluted earnings per share", "1.40", "1.15")),
        ),
        titled(
            "",
            *(header("2023", "2022"), row("Net income", "$ 140", "$ 115"), row("Income taxes", "40", "35")),
            *(row("Depreciation and amortization", "20", "18"), row("Stock-based compensation", "9", "8")),
            row("Net cash provided by operating activities", "169", "141"),
            *(
                row("Capital expenditures", "(30)", "(28)"),
                row("Net cash used in investing activities", "(30)", "(28)"),
            ),
            *(row("Dividends paid", "(15)", "(12)"), row("Net cash used in financing activities", "(15)", "(12)")),
        ),
    )
    assert _shown(store, "cash-flow")["Capital expenditures", 2023] == "-30"
    assert _shown(store, "income")["Net sales", 2023] == "900"


def test_cash_flows_of_quarterly_reports_are_shown_from_the_beginning_of_the_year(tmp_path):
    store = kept(
        tmp_path,
        cover("Harrow Glass plc", "FORM 10-Q</p><p>For the quarterly period ended September 30, 2023"),
        titled(
            "Consolidated Statements of Cash Flows (in millions)",
            header("Nine Months Ended September 30, 2023", "Nine Months Ended September 30, 2022"),
            *(row("Net income", "$ 90", "$ 80"), row("Depreciation and amortization", "20", "18")),
            row("Net cash provided by operating activities", "110", "98"),
            *(
                row("Capital expenditures", "(30)", "(28)"),
                row("Net cash used in investing activities", "(30)", "(28)"),
            ),
            *(row("Dividends paid", "(15)", "(12)"), row("Net cash used in financing activities", "(15)", "(12)")),
        ),
        titled(
            "Consolidated Balance Sheets (in millions)",
            *(header("September 30, 2023", "December 31, 2022"), row("Cash and cash equivalents", "$ 60", "$ 50")),
            *(row("Total assets", "400", "380"), row("Total equity", "200", "190")),
        ),
    )
    found = lines(store, "statement", "Harrow Glass", "cash-flow", "--quarters", "--exact")
    spent = {
        (each["fiscal_year"], each["fiscal_period"]): each["value"] for each in found if "Capital" in each["measure"]
    }
    assert spent == {(2023, "9M"): "-30", (2022, "9M"): "-28"}


def test_print_alone_tells_equity_by_its_column_and_whose_income_it_is(tmp_path):
    """A quarterly report without tags: balances of equity under `Total Equity`, income of owners named beside it."""
    income = (
        header("Three Months Ended July 2, 2023", "Three Months Ended July 3, 2022"),
        row("Revenues", "$ 120", "$ 100"),
        row("Cost of sales", "70", "60"),
        row("Operating income", "20", "15"),
        row("Provision for income taxes", "4", "3"),
        row("Net income attributable to Harrow Glass Corporation common shareholders", "$ 14", "$ 11"),
    )
    balance = (
        header("July 2, 2023", "December 31, 2022"),
        row("Cash and cash equivalents", "$ 50", "$ 40"),
        row("Total current assets", "90", "80"),
        row("Total assets", "400", "380"),
    )
    equity = (
        header("Common Stock", "Retained Earnings", "Total Equity"),
        row("Balance at April 2, 2023", "30", "170", "200"),
        row("Net income", "", "14", "14"),
        row("Balance at July 2, 2023", "30", "184", "214"),
    )
    told = "FORM 10-Q</p><p>For the quarterly period ended July 2, 2023"
    store = kept(
        tmp_path,
        cover("Harrow Glass Corporation", told).replace("name of registrant", "name ofregistrant"),
        titled("Consolidated Statements of Income", *income, scale="(in millions)"),
        titled("Consolidated Balance Sheets", *balance, scale="(in millions)"),
        titled("Consolidated Statements of Equity", *equity, scale="(in millions)"),
    )
    asked = ("revenue", "net income", "total equity")
    found = lines(store, "compare", *asked, "--quarters", "--company", "Harrow Glass", "--years", "2023")
    assert {(each["measure"], each["period_end"]): each["amount"] for each in found} == {
        ("revenue", "2023-07-02"): "120000000",
        ("net income", "2023-07-02"): "14000000",
        ("total equity", "2023-04-02"): "200000000",
        ("total equity", "2023-07-02"): "214000000",
    }


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sales = (row("Total revenues", "$ 700"), row("Cost of sales", "400"), row("Net income", "60"))
    owned = (header("September 30, 2023", "December 31, 2022"), row("Total assets", "$ 390", "$ 380"))
    quarter = (
        cover("Tarn Paper Corporation", "FORM 10-Q</p><p>For the quarterly period ended September 30, 2023"),
        titled("Statements of Income", header("Nine Months Ended September 30, 2023"), *sales, scale="(in millions)"),
        titled("Balance Sheets", *owned, scale="(in millions)"),
    )
    return kept(
        tmp_path_factory.mktemp("printed"),
        cover("Tarn Paper Corporation"),
        titled(
            "Consolidated Statements of Income",
            header("2023", "2022"),
            row("Total revenues", "$ 900", "$ 800"),
            row("Cost of sales", "500", "450"),
            row("Operating income", "100", "90"),
            row("Provision for income taxes", "20", "18"),
            row("Net income", "80", "72"),
            row("Less: Net income attributable to noncontrolling interests", "8", "6"),
            row("Net income attributable to common stockholders", "$ 72", "$ 66"),
            scale="(in millions)",
        ),
        titled(
            "Consolidated Balance Sheets",
            header("December 31, 2023", "December 31, 2022"),
            row("Current assets:"),
            row("Cash and cash equivalents", "$ 50", "$ 40"),
            row("Other", "40", "40"),
            row("Total current assets", "90", "80"),
            row("Total assets", "400", "380"),
            row("Current liabilities:"),
            row("Accounts payable", "30", "28"),
            row("Current installments of long-term debt", "12", "10"),
            row("Other", "18", "17"),
            row("Total current liabilities", "60", "55"),
            row("Long-term debt, excluding current installments", "110", "105"),
            row("Total liabilities", "200", "190"),
            row("Total stockholders’ equity", "200", "190"),
            scale="(in millions)",
        ),
        titled(
            "Consolidated Statements of Stockholders’ Equity",
            header("Common Stock", "Retained Earnings", "Treasury Stock", "Total Stockholders’ Equity"),
            row("Balance at December 31, 2022", "30", "180", "(20)", "190"),
            row("Net income", "", "72", "", "72"),
            row("Dividends", "", "(65)", "", "(65)"),
            row("Shares issued", "3", "", "", "3"),
            row("Balance at December 31, 2023", "33", "187", "(20)", "200"),
            scale="(in millions)",
        ),
        titled(
            "Note 9. Earnings per share",
            header("Net income 2023", "Shares (millions) 2023", "Per share 2023"),
            row("Basic EPS", "$ 72", "36.0", "$ 2.00"),
            row("Diluted EPS", "$ 72", "37.5", "$ 1.92"),
            scale="(in millions, except per share amounts)",
        ),
        titled(
            "Earnings per share of the year before",
            header("Net income 2022", "Shares (millions) 2022", "Per share 2022"),
            row("Basic EPS", "$ 66", "33.0", "$ 2.00"),
            row("Diluted EPS", "$ 66", "34.5", "$ 1.91"),
            scale="(in millions, except per share amounts)",
        ),
        titled(
            "Quarters (per-share amounts in dollars)",
            *(header("Three Months Ended March 31, 2023"), row("Total revenues", "210"), row("Operating income", "22")),
        ),
        "<p>As of December 31, 2023 and 2022, we had approximately 4,100 and 3,900 employees, respectively.</p><p>At "
        "December 31, 2023, the Pulp Segment employed 900 people, and we had 1,200 employees in Norway.</p>",
        name="tarn",
        tarnq="".join(quarter),
    )


@pytest.mark.parametrize(
    ("measure", "amounts"),
    [
        ("net income", [66_000_000, 72_000_000]),
        ("long-term debt", [105_000_000, 110_000_000]),
        ("total debt", [115_000_000, 122_000_000]),
        ("basic shares", [33_000_000, 36_000_000]),
        ("diluted shares", [34_500_000, 37_500_000]),
        ("employees", [3_900, 4_100]),
    ],
)
def test_print_alone_tells_a_line_by_what_stands_around_it(printed, measure, amounts):
    assert [Decimal(str(each["amount"])) for each in lines(printed, "compare", measure)] == amounts


def test_a_statement_of_equity_is_told_by_its_components(printed):
    stated = lines(printed, "statement", "Tarn Paper", "equity", "--years", "2022-2023")
    of_earnings = {
        (str(each["measure"]).partition(": ")[2], each["fiscal_year"]): each["amount"]
        for each in stated
        if str(each["measure"]).startswith("Retained Earnings: ")
    }
    assert of_earnings == {
        ("balance at the end", 2022): "180000000",
        ("balance at the end", 2023): "187000000",
        ("Net income", 2023): "72000000",
        ("Dividends", 2023): "-65000000",
    }


def test_lines_of_one_label_all_have_their_headings_in_front(printed):
    told = run("statement", "Tarn", "balance", "--store", str(printed)).output
    assert "Current assets: Other" in told and "Current liabilities: Other" in told


def test_months_that_end_on_another_day_are_not_those_that_are_kept(printed):
    asked = (
        f"what was Tarn's revenue for the nine months ended {day}?"
        for day in ("September 30, 2023", "December 31, 2023")
    )
    kept, other = (run("ask", each, "--store", str(printed)).output for each in asked)
    assert "$700 million" in kept and "$700 million" not in other


def test_a_quarter_that_follows_has_its_days_and_one_without_a_scale_that_of_the_statement(printed):
    found = {each["fiscal_period"]: each for each in lines(printed, "compare", "revenue", "--quarters")}
    assert (found["Q1"]["amount"], found["Q1"]["derived"]) == ("210000000", False)
    last = found["Q4"]
    assert (last["amount"], last["program"]) == ("200000000", "subtract(tarn:t1r1c1, tarnq:t1r1c1)")
    assert (last["period_start"], last["period_end"]) == ("2023-10-01", "2023-12-31")


def test_a_table_can_show_all_digits_and_says_who_states_nothing(store):
    asked = ["compare", "net margin", "goodwill", "--years", "2024", "--store", str(store)]
    assert (
        "16.6%" not in run(*asked, "--exact").stdout and "no filing that is kept states goodwill" in run(*asked).stdout
    )
    assert "goodwill" in run(*asked, "--format", "html").stdout
    assert "1,600" in run("statement", "Lumen", "income", "--exact", "--store", str(store)).stdout


def write_gold(folder: Path, name: str, maker: Maker, year: int, **changed: int) -> None:
    """What the tags of a report state, as a gold file. changed: what it says of a concept instead, in millions."""
    rows = []
    for of_year in (each for each in (year, year - 1) if each in maker.sales):
        for kind, told in (("flow", INCOME), ("day", BALANCE), ("flow", CASH)):
            for line, (_, concept) in told.items():
                printed = Figures(maker.sales[of_year]).of(line)
                value = changed.get(concept.partition(":")[2], printed) * 10**6
                start = f"{of_year}-01-01" if kind == "flow" else None
                end = maker.end(of_year).isoformat()
                about = {"concept": concept, "start": start, "end": end, "dims": [], "unit": "USD"}
                rows.append(about | {"value": str(value), "shown": f"{printed:,}"})
    text = "".join(f"{json.dumps(each)}\n" for each in rows)
    (folder / f"{name}.facts.jsonl").write_text(text, encoding="utf-8")


def test_measures_are_held_against_the_tags_of_the_same_filings(store):
    folder = store.parent / "reports"
    write_gold(folder, "lumen23", LUMEN, 2023)
    write_gold(folder, "lumen24", replace(LUMEN, sales=LUMEN.sales | {2023: 1400}), 2024)
    files = [str(folder / f"{name}.htm") for name in ("lumen23", "lumen24")]
    done = CliRunner().invoke(measures.main, [*files, "--store", str(store), "--misses"])
    said = done.output.splitlines()
    assert said[-1] == "restated by two filings' tags: 21, marked 21; marked without: 0"
    assert [line.split(" (")[0].split() for line in said if line.startswith("revenue ")] == [
        ["revenue", "3", "of", "4", "75.0%"]  # the older report says 1,500 of 2023, and what the newer says counts
    ]
    write_gold(folder, "lumen24", LUMEN, 2024, Revenues=1)
    done = CliRunner().invoke(measures.main, [files[1], "--store", str(store), "--misses"])
    assert "silent: lumen24 revenue FY 2024-12-31: tags 1000000, read 1600000000 lumen24:" in done.output


def test_what_tells_of_years_to_come_and_has_no_form_is_no_filing_of_the_company_it_names():
    def filing(report: str, form: str, ended: date) -> Filing:
        return Filing(
            report, "Orris Mills, Inc.", "", (), "", form, ended, ended.year, "FY", False, FiscalYears(12, 31, 0)
        )

    year, release = filing("year", "10-K", date(2023, 12, 31)), filing("release", "", date(2024, 12, 31))
    model = filing("model", "", date(2028, 12, 31))
    companies = {each.name: [one.report for one in each.filings] for each in companies_of([year, model, release])}
    assert companies == {"Orris Mills, Inc.": ["release", "year"], "unnamed, of model": ["model"]}
    assert [each.name for each in companies_of([model, release])] == ["Orris Mills, Inc."]  # nothing says what it is


def test_a_line_that_is_qualified_or_signed_in_another_way_is_not_restated_by_it():
    def stated(label: str, amount: int, tag: str = "") -> Observed:
        value = Decimal(amount)
        day = date(2024, 12, 31)
        return Observed(
            "interest_expense", day, day, value * 10**6, "USD", value, 10**6, "", label, "", tag, "label", 0.9
        )

    assert revises(stated("Interest expense", 290), stated("Total interest expense", 259))
    assert not revises(stated("Interest expense", 290), stated("Interest expense, net", 259))
    assert not revises(stated("Interest expense", 290), stated("Interest expense", -290))
    tagged = stated("Interest expense", 290, "us-gaap:InterestExpense")
    assert revises(tagged, stated("Interest expense", 259))
    assert not revises(tagged, stated("Interest and debt expense", 259))


@pytest.mark.parametrize(
    ("form", "balances", "told"),
    [
        ("8-K", [], (None, "")),  # what happened on a day closes no period
        ("8-K", [date(2025, 6, 30), date(2024, 12, 31)], (2025, "Q2")),
        ("Earnings release", [date(2025, 6, 30), date(2024, 12, 31)], (2025, "Q2")),
        ("Earnings release", [date(2025, 12, 31), date(2024, 12, 31)], (2025, "FY")),
    ],
)
def test_a_report_of_a_day_and_a_release_are_of_the_period_that_their_balances_close(form, balances, told):
    rows = (("", *(f"{day:%B %d, %Y}" for day in balances)), ("Cash", *("5,000" for _ in balances)))
    ended = date(2025, 7, 20) if form == "8-K" else None
    document = Document(
        id="d", form=form, ended=ended, paragraphs=(), before=0, tables=(Table(rows=rows),) if balances else ()
    )
    filing = read_filing(document, build(document, TBOX).facts())
    assert (filing.fiscal_year, filing.fiscal_period) == told


@pytest.mark.parametrize(
    "named", ["Net income attributable to common stockholders", "Net (loss)/income for common shares"]
)
def test_net_income_is_doubted_where_common_shares_get_what_others_leave(tmp_path, named):
    page = replace(LUMEN, tagged=False).annual(2024)
    row = next(each for each in re.findall(r"<tr>.*?</tr>", page, re.S) if "Net income attributable" in each)
    made = [
        re.sub(
            r"(?<=>)[0-9,]+(?=<)", amount, row.replace(re.search(r"Net income attributable to [^<]*", row)[0], label)
        )
        for label, amount in (("Net income", "231"), ("Net income attributable to noncontrolling interests", "7"))
    ]
    own = row.replace(re.search(r"Net income attributable to [^<]*", row)[0], named)
    for name, rows in (("alone", row), ("others", "".join((*made, own)))):
        (tmp_path / f"{name}.htm").write_text(page.replace(row, rows), encoding="utf-8")
        run("index", str(tmp_path / f"{name}.htm"), "--store", str(tmp_path / name))
    told = {
        name: json.loads(
            run("compare", "net income", "--format", "jsonl", "--store", str(tmp_path / name)).stdout.split("\n")[0]
        )
        for name in ("alone", "others")
    }
    assert told["alone"]["probability"] > 0.9 and told["others"]["probability"] <= 0.5
