"""Whole reports as graphs: what tags and print say of each figure, and the commands that build, list and show them."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from filing import BREAK, filing, header, number, row

import tieout
from tieout.data.console import console
from tieout.data.printed.unit import Unit
from tieout.data.readers.html.report import read_html
from tieout.data.readers.read import Problem
from tieout.eval.reading import full_value, untagged
from tieout.kg.build import build
from tieout.kg.check import find_loss, find_violations
from tieout.kg.fact import FactKind
from tieout.kg.proof import lost_numbers, page_text
from tieout.kg.reports.part import PartError, find_part
from tieout.kg.store.graph import Graph


@pytest.fixture(scope="module")
def tbox():
    return tieout.tbox()


@pytest.fixture(scope="module")
def tagged(tbox):
    return build(read_html(filing().encode(), "zeph"), tbox)


@pytest.fixture(scope="module")
def plain(tbox):
    return build(read_html(untagged(filing().encode()), "zeph"), tbox)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "zeph.htm"
    path.write_text(filing(), encoding="utf-8")
    return path


def run(*arguments):
    return CliRunner().invoke(tieout.main, [str(argument) for argument in arguments])


def of(graph, label, header=""):
    return next(f for f in graph.facts() if f.label.startswith(label) and header in f.header and f.table == 1)


def test_a_tag_gives_a_fact_its_concept_days_dimensions_and_exact_value(tagged):
    east = of(tagged, "East", "2025")
    assert east.concept == "us-gaap:Revenues" and east.exact == Decimal(250_000_000)
    assert (east.period.start, east.period.end) == (date(2024, 9, 29), date(2025, 9, 27))
    assert east.dimensions == (("us-gaap:StatementGeographicalAxis", "zeph:EastMember"),)
    assert east.heading.endswith("Item 8. Financial Statements > CONSOLIDATED STATEMENTS OF OPERATIONS")
    assert east.place == "page 4"


def test_a_tag_on_a_dash_is_a_fact_of_nothing(tagged):
    fees = of(tagged, "Other income", "2025")
    assert fees.raw == "—" and fees.value == 0 and fees.exact == 0 and fees.concept == "zeph:Fees"


def test_the_value_of_a_fact_stays_as_it_is_printed(tagged):
    loss = of(tagged, "Other income", "2024")
    assert loss.value == -12 and loss.exact == Decimal(-12_000_000) and loss.scale == 10**6


def test_hidden_tags_are_facts_without_a_page(tagged):
    stores = next(fact for fact in tagged.facts() if fact.kind is FactKind.STATED)
    assert stores.concept == "zeph:Stores" and stores.value == 7 and stores.table is None


def test_print_alone_gives_scale_unit_and_fiscal_days(plain):
    east, earnings, rate = (
        of(plain, "East", "2025"),
        of(plain, "Earnings per share", "2025"),
        of(plain, "Tax rate", "2025"),
    )
    assert (east.unit, east.scale, east.scale_from) == ("USD", 10**6, "sentence")
    assert (earnings.unit, earnings.scale) == ("USD/share", 1) and rate.unit is Unit.PERCENT
    assert (east.period.start, east.period.end) == (date(2024, 9, 29), date(2025, 9, 27))
    total = of(plain, "Total net sales", "2024")
    assert total.unit == "USD" and full_value(total) == Decimal(391_000_000)


def test_tags_and_print_agree_in_the_filing(tagged):
    assert [fact for fact in tagged.facts() if fact.reading] == []


def test_what_falls_due_in_a_year_is_as_of_the_day_that_is_named(plain):
    due = [fact for fact in plain.facts() if fact.table == 2 and fact.unit == "USD"]
    assert {fact.period.key for fact in due} == {"2025-09-27"} and len(due) == 4
    assert {fact.scale_from for fact in due} == {"document"}


def test_numbers_of_feet_and_contents_measure_nothing(plain):
    document = read_html(untagged(filing().encode()), "zeph")
    furniture = {fact.paragraph for fact in plain.facts() if fact.paragraph in document.furniture}
    assert furniture and all(fact.entity_type == "Numeral" for fact in plain.facts() if fact.paragraph in furniture)


def test_where_tag_and_print_differ_the_tag_decides_and_the_reading_is_kept(tbox):
    page = filing().replace("(In millions, except per-share amounts)", "(In thousands, except per-share amounts)")
    fact = of(build(read_html(page.encode(), "zeph"), tbox), "East", "2025")
    assert fact.scale == 10**6 and fact.scale_from == "tag" and fact.reading.scale == 10**3


def test_statements_that_say_no_scale_leave_it_unknown(tbox):
    page = untagged(filing().encode()).replace(b"(In millions, except per-share amounts)", b"")
    fact = of(build(read_html(page, "zeph"), tbox), "East", "2025")
    assert fact.scale == 1 and not fact.scale_known


def test_the_facts_of_a_graph_that_was_just_written_are_those_that_its_triples_hold(tagged, plain):
    for graph in (tagged, plain):
        kept = Graph(graph.document_id, graph.triples).facts()
        assert list(map(repr, graph.facts())) == list(map(repr, kept))


def test_graphs_of_reports_keep_to_the_shapes(tagged, plain):
    pytest.importorskip("pyshacl")
    assert find_violations(tagged) == () and find_violations(plain) == ()


def test_every_number_of_the_page_is_in_the_document_and_in_a_fact(tagged):
    content = filing().encode()
    document = read_html(content, "zeph")
    assert lost_numbers(page_text(content), document) == []
    loss = find_loss(document, tagged.facts())
    assert loss.missing == () and loss.wrong == () and loss.furniture > 5


def test_a_number_that_the_document_has_not_is_found_missing():
    content = filing().encode()
    document = read_html(content.replace(b"12 stores", b"many stores"), "zeph")
    assert [number for number, _ in lost_numbers(page_text(content), document)] == ["12"]


def test_columns_of_quarters_and_of_balances_have_their_days(tbox):
    statement = header("Three Months Ended June 30,", "Three Months Ended June 30,") + header("2025", "2024")
    balance = header("June 30, 2025", "December 31, 2024")
    page = f"""<p>FORM 10-Q</p><p>For the quarterly period ended June 30, 2025</p>
<p><b>Item 1. Financial Statements</b></p><p><b>CONSOLIDATED STATEMENTS OF OPERATIONS</b></p><p>(in thousands)</p>
<table>{statement}{row("Revenue", "$760,866", "$637,230")}</table>
<p><b>CONSOLIDATED BALANCE SHEETS</b></p><p>(in thousands)</p>
<table>{balance}{row("Cash", "$601,196", "$512,667")}</table>"""
    facts = {fact.raw: fact for fact in build(read_html(page.encode(), "q"), tbox).facts() if fact.unit == "USD"}
    revenue, cash = facts["$ 637,230"].period, facts["$ 512,667"].period
    assert (revenue.start, revenue.end) == (date(2024, 4, 1), date(2024, 6, 30))
    assert cash.end == date(2024, 12, 31) and full_value(facts["$ 512,667"]) == 512_667_000


def test_a_balance_at_the_beginning_of_a_year_is_that_of_the_day_before(tbox):
    page = f"""<p>FORM 10-K</p><p>For the fiscal year ended December 31, 2025</p><p><b>Item 8. Statements</b></p>
<p><b>Note 3. Allowance</b></p><p>Changes in the allowance were as follows (in millions):</p>
<table>{header("2025", "2024")}{row("Beginning balance", "$16", "$14")}{row("Additions", "3", "2")}
{row("Ending balance", "$19", "$16")}</table>"""
    facts = [fact for fact in build(read_html(page.encode(), "k"), tbox).facts() if fact.unit == "USD"]
    ends = [fact.period.end.isoformat() for fact in facts]
    assert ends == ["2024-12-31", "2023-12-31", "2025-12-31", "2024-12-31", "2025-12-31", "2024-12-31"]


def ends(facts, raw):
    """The years in which the periods of the facts of a printed number end."""
    return [fact.period.end.year for fact in facts if fact.raw == raw and fact.period]


def test_amounts_in_a_row_label_are_on_the_basis_of_the_table(tbox):
    label = "Receivables, net of allowance of $906 and $869"
    page = f"""<p>For the fiscal year ended December 31, 2023</p><p><b>Item 8. Statements</b></p>
<p><b>CONSOLIDATED BALANCE SHEETS</b></p><p>(In millions)</p>
<table>{header("December 31, 2023", "December 31, 2022")}{row(label, "$12,378", "$13,333")}
<tr><td>Common stock, par value $0.01, 500 shares authorized, 405 and 406 shares issued</td></tr></table>"""
    facts = build(read_html(page.encode(), "k"), tbox).facts()
    assert {fact.scale for fact in facts if fact.raw in ("$906", "$869")} == {10**6}
    found = {raw: ends(facts, raw) for raw in ("$906", "$869", "$0.01", "500", "405", "406")}
    once, both = [[2023], [2022]], [2023, 2022]  # what is so on both days, and what is said of each
    assert list(found.values()) == [*once, both, both, *once]


def test_amounts_of_a_row_label_are_from_when_it_says_of_each(tbox):
    labels = (
        "Receivables, less allowance: 2023 – $424; 2022 – $457",
        "Common shares, 9,000 authorized. Shares: 2023: 812; 2022: 811",
        "Common stock; 1,796 shares issued at December 31, 2023 and 1,794 shares issued at December 31, 2022",
        "Preferred stock; 70 shares authorized as of December 31, 2023 and 2022, respectively; 36 and 34 shares issued",
        "Class A stock: Authorized 45 shares; 29 issued in 2023 and 2022",
        "Class B stock: Authorized shares: 52,700 Issued shares: (12/31/23 and 12/31/22 – 51,900) at par",
        "Class C: 61 at December 31, 2023, 60 at December 31, 2022 (net of 44 and 42 treasury shares, respectively)",
    )
    page = f"""<p>For the fiscal year ended December 31, 2023</p><p><b>Item 8. Statements</b></p>
<p><b>CONSOLIDATED BALANCE SHEETS</b></p><p>(In millions)</p><table>{header("December 31, 2023", "December 31, 2022")}
{"".join(row(label, f"$1{at}1", f"$1{at}2") for at, label in enumerate(labels))}</table>"""
    facts = build(read_html(page.encode(), "k"), tbox).facts()
    found = [ends(facts, raw) for raw in ("$424", "$457", "9,000", "812", "811", "1,796", "1,794", "70", "36", "34")]
    both = [2023, 2022]
    assert found == [[2023], [2022], both, [2023], [2022], [2023], [2022], both, [2023], [2022]]
    assert [ends(facts, raw) for raw in ("45", "29", "52,700", "51,900")] == [both] * 4
    assert [ends(facts, raw) for raw in ("61", "60", "44", "42")] == [[2023], [2022]] * 2


# What a cell prints, and the amount, unit and scale that a person reads, whose table is in millions.
READ = {
    "4,321<sup>1,2</sup>": ("4321", None, 10**6),
    "4,321a": ("4321", None, 10**6),
    "[4,321]": ("4321", None, 10**6),
    "4,321K": ("4321", None, 10**3),
    "4½": ("4.5", None, 10**6),
    "7-1/8%": ("7.125", "percent", 1),
    "<s>4,300</s> 4,321": ("4321", None, 10**6),
    "<del>4,300</del><ins>4,321</ins>": ("4321", None, 10**6),
}


def test_figures_with_something_glued_to_them_are_read_as_a_person_reads_them(tbox):
    rows = [f"<tr><td>Line {at}</td><td>{cell}</td><td>1</td></tr>" for at, cell in zip("abcdefgh", READ, strict=True)]
    rows += ["<tr><td>(in thousands)</td></tr>", "<tr><td>Line</td><td>4,321-5,432</td><td>1</td></tr>"]
    page = f"""<p>For the fiscal year ended December 31, 2023</p><p><b>Item 8. Statements</b></p><p><b>Costs</b></p>
<p>(In millions)</p><table><tr><td></td><td>'23</td><td>'22</td></tr>{"".join(rows)}</table>"""
    facts = [fact for fact in build(read_html(page.encode(), "k"), tbox).facts() if fact.label.startswith("Line")]
    found = [(str(fact.value), fact.unit, fact.scale) for fact in facts if fact.period and fact.period.year == 2023]
    assert found == [*READ.values(), ("4321", None, 10**3), ("5432", None, 10**3)]
    assert {fact.raw for fact in facts if fact.doubts} == {"4,321"}  # of `4,321a` and `[4,321]`


def test_a_header_that_comes_again_with_other_periods_begins_another_table(tbox):
    rows = [header("2023", "2022"), row("Revenue", "$ 10", "$ 9"), header("2021", "2020"), row("Revenue", "8", "7")]
    page = f"""<p>For the fiscal year ended December 31, 2023</p><p><b>Item 8. Statements</b></p><p><b>Revenue</b></p>
<p>(In millions)</p><table>{"".join(rows)}</table>"""
    document = read_html(page.encode(), "k")
    facts = [fact for fact in build(document, tbox).facts() if fact.label == "Revenue"]
    assert [(fact.period.year, fact.value, fact.unit) for fact in facts] == [
        (2023, 10, "$"),
        (2022, 9, "$"),
        (2021, 8, "$"),
        (2020, 7, "$"),
    ]
    assert len(read_html(page.replace("2021", "2023").replace("2020", "2022").encode(), "k").tables) == 1
    assert len(document.tables) == 2


def test_rows_by_when_debt_falls_due_do_not_date_its_interest_rate(tbox):
    rows = [
        row(f"{month} {year}", f"{year - 2020}.5%", f"${year:,}") for month, year in (("May", 2026), ("June", 2028))
    ]
    page = f"""<p>For the fiscal year ended December 31, 2023</p><p><b>Item 8. Statements</b></p><p><b>Debt</b></p>
<p>Debt was as follows (in millions):</p><table>{header("Interest rate", "December 31, 2023")}{"".join(rows)}</table>"""
    facts = {fact.raw: fact for fact in build(read_html(page.encode(), "k"), tbox).facts()}
    assert {facts[each].period.end for each in ("6.5%", "8.5%", "$ 2,028")} == {date(2023, 12, 31)}


def test_a_file_is_read_once_and_kept(file, tmp_path):
    store = ("--store", tmp_path / "store")
    first = run("kg", "build", file, *store, "--json")
    assert first.exit_code == 0, first.stderr
    assert json.loads(first.stdout)["documents"] == 1 and "missing" not in json.loads(first.stdout)
    again = json.loads(run("kg", "build", file, *store, "--json").stdout)
    assert again["documents"] == 0 and again["kept"] == ["zeph"]
    file.write_text(filing().replace("12 stores", "13 stores"), encoding="utf-8")
    assert json.loads(run("kg", "build", file, *store, "--json").stdout)["documents"] == 1


def test_several_processes_build_what_one_builds(file, tmp_path):
    other = tmp_path / "two.htm"
    other.write_text(filing().replace("416", "417"), encoding="utf-8")
    one = run("kg", "build", file, other, "--store", tmp_path / "a", "--json")
    two = run("kg", "build", file, other, "--store", tmp_path / "b", "--jobs", "2", "--json")
    said, same = json.loads(one.stdout), json.loads(two.stdout)
    assert two.exit_code == 0, two.stderr
    assert {**said, "store": ""} == {**same, "store": ""} and said["documents"] == 2


def test_one_of_several_files_that_cannot_be_read_is_left_out_and_told(file, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.htm").write_text(filing(), encoding="utf-8")
    (folder / "deep.htm").write_text("<html>" + "<div>" * 100_000, encoding="utf-8")
    done = run("kg", "build", folder, "--store", tmp_path / "store", "--json")
    assert done.exit_code == 1 and json.loads(done.stdout)["documents"] == 1
    assert "deep.htm" in done.stderr and "nested deeper" in done.stderr


def test_facts_are_listed_in_every_form(file, tmp_path):
    lines = run("kg", "facts", file, "--format", "jsonl").stdout.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    east = next(each for each in rows if each["label"] == "East" and "2025" in each["header"])
    assert (east["value"], east["scale"], east["unit"], east["exact"]) == ("250", 1_000_000, "USD", "250000000")
    assert (east["period_start"], east["period_end"], east["place"][:6]) == ("2024-09-29", "2025-09-27", "page 4")
    table = run("kg", "facts", file, "--format", "csv").stdout.splitlines()
    assert table[0].startswith("fact,value,scale,unit,raw,label,header,section,instance")
    assert len(table) == len(rows) + 1
    pytest.importorskip("pyarrow")
    for form in ("parquet", "xlsx"):
        target = tmp_path / f"facts.{form}"
        assert run("kg", "facts", file, "--format", form, "--output", target).exit_code == 0
        assert target.stat().st_size > 1000
    assert run("kg", "facts", file, "--format", "parquet").exit_code == 2


def test_python_reads_a_report_into_a_list_and_a_data_frame(file):
    pytest.importorskip("pandas")
    report = tieout.read(file)
    facts = report.facts()
    assert isinstance(facts, list) and report.document.company == "Zephant Corp"
    frame = facts.to_pandas()
    total = frame[(frame.label.str.startswith("Total net sales")) & (frame.period_end == date(2025, 9, 27))]
    assert list(total.exact) == [Decimal(416_000_000)] and list(total.concept) == ["us-gaap:Revenues"]


def test_a_graph_is_exported_as_rdf_from_a_file_a_page_and_the_store(file, tmp_path, sample):
    target = tmp_path / "graph.ttl"
    assert run("kg", "export", file, "-o", target).exit_code == 0
    turtle = target.read_text()
    assert "us-gaap" in turtle and "kg:TableFact" in turtle
    page = (sample / "ask.json", "Single_NORVALE/2013/page_35.pdf-1")
    quads = run("kg", "export", *page, "--format", "nq").stdout
    assert quads == run("kg", "show", *page, "--format", "nq").stdout and quads.count("\n") > 500
    assert run("kg", "build", file, "--store", tmp_path / "store").exit_code == 0
    kept = run("kg", "export", file.stem, "--store", tmp_path / "store")
    assert kept.exit_code == 0 and "kg:TableFact" in kept.stdout
    assert run("kg", "export", sample / "ask.json").exit_code == 2 and run("kg", "export").exit_code == 2


def test_the_outline_names_sections_and_tables(file):
    said = run("kg", "outline", file).stdout
    assert "Zephant Corp, 10-K, ended 2025-09-27" in said
    assert re.search(
        r"t1 CONSOLIDATED STATEMENTS OF OPERATIONS \[USD ×1,000,000; FY2025, FY2024; \d+ figures; page 4\]", said
    )
    outline = json.loads(run("kg", "outline", file, "--json").stdout)
    assert [each["title"] for each in outline["sections"]][-1] == "Note 1. Debt"


def test_periods_of_a_table_are_outlined_as_they_are_printed_from_left_to_right(tmp_path):
    path = tmp_path / "years.csv"
    path.write_text("(in thousands),2024,2022,2023\nNet sales,,101,102\nCost of sales,50,51,\nTax,,7,8\n")
    assert json.loads(run("kg", "outline", path, "--json").stdout)["tables"][0]["periods"] == ["2024", "2022", "2023"]


def test_columns_that_go_below_a_table_are_announced(tmp_path, monkeypatch):
    path = tmp_path / "years.csv"
    path.write_text("(in thousands),2024,2023,2022\nNet sales,101,102,103\nCost of sales,50,51,52\n")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(console, "_width", 60)
    said = run("kg", "show", path, "t1").stdout
    assert "2 of 3 columns do not fit beside the others and follow below" in said and "103" in said
    monkeypatch.setattr(console, "_width", 200)
    assert "do not fit" not in run("kg", "show", path, "t1").stdout


def test_the_outline_of_a_kept_report_is_the_one_of_its_file_and_takes_no_reading(file, tmp_path, monkeypatch):
    store = ["--store", str(tmp_path / "store")]
    fresh = run("kg", "outline", file, *store).stdout
    run("kg", "build", file, *store)
    monkeypatch.setattr("tieout.data.readers.read.read_files", None)
    assert run("kg", "outline", file, *store).stdout == fresh


def test_a_part_of_a_report_is_shown_by_its_name(file, tagged):
    assert "Total net sales" in run("kg", "show", file, "t1").stdout
    assert "Thereafter" in run("kg", "show", file, "note", "1").stdout
    assert find_part(tagged, "debt").tables == {2} and find_part(tagged, "t1r4c1").tables == {1}
    with pytest.raises(PartError, match="Note 1"):
        find_part(tagged, "leases of aircraft")
    assert "t1 CONSOLIDATED" in run("kg", "show", file).stdout


def test_a_statement_is_found_by_what_it_is_called_whatever_it_is_printed_under(tmp_path):
    lines = ("Cash", "Receivables", "Current assets", "Goodwill", "Total assets", "Current liabilities")
    lines += ("Total liabilities", "Retained earnings", "Total equity", "Total liabilities and equity")
    stated = "".join(f"| {line} | {5000 + at} | {4000 + at} |\n" for at, line in enumerate(lines))
    head = "| | 2024 | 2023 |\n|---|---|---|\n"
    pension = f"# Pensions in the consolidated balance sheets\n\n{head}| Accrued pensions | 31 | 29 |\n"
    path = tmp_path / "r.md"
    path.write_text(f"{pension}\n# Consolidated statement of financial position\n\n{head}{stated}")
    graph = tieout.read(path).graph
    for name in ("balance sheets", "Consolidated Balance Sheet", "the statement of financial position"):
        assert find_part(graph, name).tables == {2}, name
    assert find_part(graph, "pensions").tables == {1}


def test_a_table_is_shown_with_its_caption_and_the_column_of_notes_last(tmp_path):
    table = "| | Note | 2024 | 2023 |\n|---|---|---|---|\n| Revenue | 3 | 842.6 | 791.3 |\n| Costs | 4 | 5.1 | 4.9 |\n"
    (tmp_path / "r.md").write_text(f"# Income statement\n\n{table}")
    shown = run("kg", "show", str(tmp_path / "r.md"), "t1").stdout
    header = next(line for line in shown.splitlines() if "Note" in line)
    assert "Income statement" in shown and header.index("2024") < header.index("2023") < header.index("Note")


def test_a_file_of_which_a_part_is_not_read_is_not_said_to_be_left_out():
    part = Problem(Path("r.xlsx"), "r", "", "5 formulas are not read", is_part=True)
    assert part.line == "not all of r.xlsx is read: 5 formulas are not read"
    assert Problem(Path("r.xlsx"), "r", "", "empty").line.startswith("left out r.xlsx")


def test_check_reads_a_report_a_second_time(file):
    done = run("kg", "check", file)
    assert done.exit_code == 0, done.stdout
    assert "1 files read a second time: 0 numbers lost" in done.stdout and "page numbers" in done.stdout


def test_pages_break_tables_into_two(tbox):
    page = f"<p>x</p><table>{row('Sales', '$1', '$2')}{row('Costs', '3', '4')}</table>{BREAK}<p>y 5</p>"
    assert len(read_html(page.encode(), "p").tables) == 1


def test_two_tags_on_one_number_are_two_facts(tbox):
    inner = number("5", "a:Inner", "y25")
    page = filing().replace("We opened 12 stores.", f"We spent ${number(inner, 'a:Outer', 'y25')} million.")
    facts = build(read_html(page.encode(), "zeph"), tbox).facts()
    assert {fact.concept for fact in facts if fact.raw.startswith("$5")} == {"a:Inner", "a:Outer"}
