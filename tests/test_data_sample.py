"""The reports that ship with tieout: enough of them, every trap and every operation in them, every answer right."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import pytest
from annual_report import BRIGHTMOOR, CASTELLAN, report
from click.testing import CliRunner
from conftest import SAMPLE
from filing_figures import Figures

import tieout
from tieout.eval.gold.executed import execute
from tieout.eval.score.score import Rule, correct

RECORDS = [record for name in ("train", "ask") for record in json.loads((SAMPLE / f"{name}.json").read_text())]
TURNS = [
    (record, question, program, answer)
    for record in RECORDS
    for question, program, answer in zip(
        record["annotation"]["dialogue_break"],
        record["annotation"]["turn_program"],
        record["annotation"]["exe_ans_list"],
        strict=True,
    )
]

TRAPS = {
    "an em dash glyph in a sentence": r"\w 2014 [a-z]",
    "an en dash glyph in a span": r"20\d\d 2013 ?20\d\d",
    "an apostrophe glyph": r"2019s",
    "quote glyphs": r"201c\w.*201d",
    "a euro glyph": r"20ac\d",
    "a registered glyph": r"\bae\b",
    "a pound glyph": r"a3\d",
    "a doubled negative": r"(?<![\w$] )-[\d.]+ \( [\d.]+ \)",
    "a doubled percent": r"\d+% \( \d+ % \)",
    "a doubled negative with a currency": r"\$ -[\d.]+ \( ",
    "a percent with empty brackets": r"\( [\d.]+ \) % \(  % \)",
    "a doubled negative percent": r"-[\d.]+% \(",
    "a fraction without its zero": r"(?<!\d)\.\d\d",
    "a footnote mark": r"\d{5,} \( [a-z] \)",
    "a range of percents": r"% \) to \d",
    "two percents in brackets": r"%/\d",
    "two currencies in a cell": r"/\$",
    "an approximate conversion": r"chf\d",
    "a range of numbers": r"\d+-\d+$",
    "two named amounts in a cell": r"\d \( [a-z]+ \) \d",
    "two prices in a cell": r"\d 2013 \$",
    "a header of two levels": r"june 30 2009 2008",
    "an abbreviated month": r"dec \. 31 2011",
    "a month and year in figures": r"12/12$",
    "a date in figures": r"1/2/2010",
    "a fiscal year": r"^fy12",
    "an amount in a row label": r"due 2021 5\.000%",
    "a respectively list": r"respectively",
    "two parallel lists": r"respectively , (and|of which)",
    "a spelled number": r"\b(two million|one-third|two-thirds|three million)\b",
}


def texts(record) -> list[str]:
    return [*record["pre_text"], *record["post_text"], *(cell for row in record["table"] for cell in row)]


def test_there_are_enough_reports_and_turns():
    assert len(RECORDS) >= 24
    assert len(TURNS) >= 90
    assert len({record["id"] for record in RECORDS}) == len(RECORDS)


@pytest.mark.parametrize("trap", TRAPS)
def test_the_sample_shows_the_trap(trap):
    assert any(re.search(TRAPS[trap], text) for record in RECORDS for text in texts(record))


def test_a_dash_stands_under_a_year_and_2014_is_also_a_year():
    below_headers = [cell for record in RECORDS for row in record["table"][1:] for cell in row[1:]]
    labels = [cell for record in RECORDS for cell in record["table"][0] + [row[0] for row in record["table"]]]
    assert "2014" in below_headers
    assert "2014" in labels


def test_every_operation_and_the_usual_constants_occur():
    programs = " ".join(program for _, _, program, _ in TURNS)
    assert set(re.findall(r"[a-z]+(?=\()", programs)) == {"add", "subtract", "multiply", "divide", "exp", "greater"}
    assert {"const_2", "const_3", "const_100", "const_1000", "const_1000000", "const_m1"} <= set(
        re.findall(r"const_\w+", programs)
    )
    assert any("(" not in program for _, _, program, _ in TURNS)


def test_the_gold_program_gives_the_gold_answer_from_printed_operands():
    for record, question, program, answer in TURNS:
        result = execute(program)
        is_right = answer == result if isinstance(answer, str) else correct(Rule.STRICT, result, Decimal(str(answer)))
        assert is_right, (question, result)
        printed = " | ".join(texts(record))
        literals = re.findall(r"(?<![\w#.])\.?\d[\d.]*%?", re.sub(r"const_\w+|#\d+", "", program))
        for literal in literals:
            is_printed = re.search(r"(?<![\d.])" + re.escape(literal.rstrip("%")) + r"(?!\.?\d)", printed)
            assert is_printed, (question, literal)


def test_the_whole_report_is_what_its_script_writes():
    assert (SAMPLE / "report.htm").read_text(encoding="utf-8") == report(BRIGHTMOOR)


def test_the_printed_statements_of_the_whole_report_add_up():
    for company in (BRIGHTMOOR, CASTELLAN):
        of = Figures(company)
        assert all(of["other assets"][at] > 0 for at in range(3))
        for at in range(3):
            assert of["total"][at] == of["liabilities"][at] + of["equity"][at]
            flows = (of[f"{kind} cash"][at] for kind in ("operating", "investing", "financing"))
            assert of["cash before"][at] + sum(flows) + of["exchange"][at] == of["cash"][at]


def test_the_sample_is_written_where_the_documents_name_it_and_never_over_what_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(tieout.main, ["sample"]).exit_code == 0
    written = tmp_path / "data" / "sample"
    assert {each.name: each.read_bytes() for each in written.iterdir()} == {
        each.name: each.read_bytes() for each in SAMPLE.iterdir()
    }
    (written / "ask.json").write_text("mine")
    assert "ask.json is there already" in CliRunner().invoke(tieout.main, ["sample"]).output
    assert (written / "ask.json").read_text() == "mine"
