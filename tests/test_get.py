"""`tieout get` against an EDGAR by script: what is listed, fetched once, kept; without a network one line."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType

import httpx2
import pytest
from click.testing import CliRunner
from conftest import SAMPLE

import tieout
from tieout import cli_get

PAGE = (SAMPLE / "report.htm").read_text(encoding="utf-8")


class EdgarError(Exception):
    """As edgartools has it."""


@dataclass
class Filed:
    report_date: str
    filing_date: str = "2025-02-20"
    homepage_url: str = "https://example.com/filing"
    text: str | None = PAGE
    fetched: int = 0

    def html(self):
        self.fetched += 1
        return self.text


@pytest.fixture
def edgar(monkeypatch, tmp_path):
    """An edgar with these filings of one company, by form; in place of edgartools."""
    listed: dict[str, list[Filed]] = {}

    class Company:
        def __init__(self, name):
            if name == "NOBODY":
                raise EdgarError("no company is called NOBODY\n  Suggestions: ...")

        def get_filings(self, *, form, amendments):
            assert amendments is False
            if form == "S-1":
                raise httpx2.ConnectError("Name or service not known")
            return listed.get(form)

    module, exceptions = ModuleType("edgar"), ModuleType("edgar.exceptions")
    module.Company, exceptions.EdgarError = Company, EdgarError
    monkeypatch.setitem(sys.modules, "edgar", module)
    monkeypatch.setitem(sys.modules, "edgar.exceptions", exceptions)
    monkeypatch.setattr(cli_get, "find_spec", lambda name: module)
    monkeypatch.setenv("EDGAR_IDENTITY", "A Name name@example.com")
    monkeypatch.setenv("EDGARTOOLS_STRICT_ERRORS", "1")
    monkeypatch.chdir(tmp_path)
    return listed


def run(*arguments: str):
    return CliRunner().invoke(tieout.main, ["get", *arguments])


def test_filings_of_some_years_are_fetched_once_and_kept(edgar, tmp_path):
    edgar["10-K"] = [Filed("2024-12-31"), Filed("2023-12-31"), Filed("2019-12-31")]
    done = run("bmi", "10-K", "--years", "2021-2024")
    assert done.exit_code == 0, done.output
    assert {path.name for path in (tmp_path / "filings").iterdir()} == {
        "BMI_10-K_2024-12-31.htm",
        "BMI_10-K_2023-12-31.htm",
    }
    assert "2 files in .tieout/store: 2 read" in done.output
    answer = CliRunner().invoke(tieout.main, ["ask", "what was revenue of BMI_10-K_2024-12-31 in 2024?"])
    assert "$3.282 billion" in answer.output
    again = run("bmi", "10-K", "--years", "2021-2024")
    assert again.output.count("there already") == 2 and "2 kept already" in again.output
    assert [each.fetched for each in edgar["10-K"]] == [1, 1, 0]


def test_without_years_the_newest_is_fetched(edgar, tmp_path):
    edgar["10-Q"] = [Filed("2024-03-31"), Filed("2024-09-30"), Filed("2024-06-30")]
    assert run("BMI", "10-Q", "--to", "q").exit_code == 0
    assert [path.name for path in (tmp_path / "q").iterdir()] == ["BMI_10-Q_2024-09-30.htm"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("NOBODY", "10-K"), "EDGAR: no company is called NOBODY"),
        (("BMI", "S-1"), "EDGAR cannot be reached (Name or service not known): is there a network?"),
        (("BMI", "20-F"), "EDGAR has no 20-F of BMI for these years; it has: none"),
        (("BMI", "10-K", "--years", "2001"), "it has: 2024"),
        (("BMI", "8-K"), "the filing is no web page; see https://example.com/filing"),
        (("BMI", "10-K", "--years", "2024-2021"), "is no year and no range of years, as 2021-2024"),
    ],
)
def test_what_cannot_be_had_is_one_line(edgar, tmp_path, arguments, says):
    edgar |= {"10-K": [Filed("2024-12-31")], "8-K": [Filed("2024-12-31", text=None)]}
    done = run(*arguments)
    assert done.exit_code != 0 and says in done.output
    assert not (tmp_path / "filings").exists()


def test_who_asks_has_to_be_said_and_the_extra_be_there(edgar, monkeypatch):
    monkeypatch.setenv("EDGAR_IDENTITY", " ")
    assert 'set EDGAR_IDENTITY="Name name@example.com"' in run("BMI", "10-K").output
    monkeypatch.setattr(cli_get, "find_spec", lambda name: None)
    assert "pip install 'tieout[get]'" in run("BMI", "10-K").output
