"""How real filings are read, measured against their tags."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from filing import filing

import tieout
from tieout.data.readers.html.report import read_html
from tieout.eval.reading import read_gold, score_report, untagged
from tieout.kg.build import build
from tieout.kg.check import find_loss
from tieout.kg.proof import lost_numbers, page_text

FILINGS = ROOT.parent / "shared" / "data" / "reports" / "html"


@pytest.fixture(scope="module")
def tbox():
    return tieout.tbox()


def real(name: str) -> Path:
    path = FILINGS / name
    if not path.is_file():
        pytest.skip(f"REAL DATA NOT FOUND: {path.name} is missing, so this test on a real filing did not run")
    return path


def share(score, step):
    return score.right[step] / score.total


def test_taking_tags_out_leaves_what_is_seen():
    plain = read_html(untagged(filing().encode()), "zeph")
    tagged = read_html(filing().encode(), "zeph")
    assert plain.paragraphs == tagged.paragraphs
    assert [table.rows for table in plain.tables] == [table.rows for table in tagged.tables]
    assert not plain.tags and not plain.unprinted and not any(table.tags for table in plain.tables)


def test_a_real_filing_is_read_with_its_tags_and_without(tbox):
    path = real("AAPL_FY2025_10K.htm")
    content, golds = path.read_bytes(), read_gold(path.with_suffix(".facts.jsonl"))
    tagged = score_report(golds, build(read_html(content, "a"), tbox).facts(), True)
    assert tagged.total > 700 and all(share(tagged, step) > 0.998 for step in ("value", "unit", "period", "concept"))
    plain = score_report(golds, build(read_html(untagged(content), "a"), tbox).facts(), False)
    assert share(plain, "value") >= 0.995 and share(plain, "unit") >= 0.98 and share(plain, "period") >= 0.95


def test_a_filing_made_with_old_software_loses_no_number(tbox):
    content = real("LONCOR_FY2015_20F.htm").read_bytes()
    document = read_html(content, "l")
    assert lost_numbers(page_text(content), document) == []
    assert find_loss(document, build(document, tbox).facts()).missing == ()
