"""A day of work on the page: several files, their originals, a correction, and all of it found again in another tab."""

from __future__ import annotations

import re

import pytest
from browsing import SIZES, ask, launched, opened_tab
from conftest import SAMPLE

pytest.importorskip("fastapi", reason="NO FASTAPI: the page was not looked at; pip install 'tieout[serve]'")
pytest.importorskip("pypdfium2", reason="NO PYPDFIUM2: pages of a PDF were not looked at")
openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: no workbook was made")
from pdf_pages import PdfPage, make_pdf  # noqa: E402
from serving import TOKEN, served  # noqa: E402

# Where a box stands on its page, in points.
PLACE = """box => {
  const over = box.getBoundingClientRect(), page = box.parentElement.getBoundingClientRect();
  const x = (value) => ((value - page.left) * 612) / page.width;
  const y = (value) => ((value - page.top) * 792) / page.height;
  return [x(over.left), y(over.top), x(over.right), y(over.bottom)];
}"""
ROWS = (("Net sales", "4,391", "4,000"), ("Cost of sales", "(3,000)", "(2,900)"), ("Gross profit", "1,391", "1,100"))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A PDF whose table is on its second page, and a workbook whose figures are on its second sheet."""
    folder = tmp_path_factory.mktemp("day")
    first, second = PdfPage(), PdfPage()
    first.write(60, 100, "Annual report")
    for y, cells in enumerate((("In millions", "2013", "2012"), *ROWS)):
        second.write(60, 100 + 16 * y, cells[0])
        for x, text in zip((400, 500), cells[1:], strict=True):
            second.write_right(x, 100 + 16 * y, text)
    (folder / "annual.pdf").write_bytes(make_pdf([first, second]))
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active["A1"] = "A model of two years"
    sheet = book.create_sheet("P & L")
    for row in (("In millions", 2013, 2012), ("Net sales", 5391, 5000), ("Cost of sales", 3000, 2900)):
        sheet.append(row)
    book.save(folder / "model.xlsx")
    return [SAMPLE / "report.htm", folder / "annual.pdf", folder / "model.xlsx"]


def choose(tab, name: str) -> None:
    """Shows a report, in a conversation of its own."""
    tab.click("#anew")
    tab.select_option("#report", tab.locator("#report option", has_text=name).get_attribute("value"))
    tab.locator("#about .chip", has_text=re.compile(name, re.IGNORECASE)).wait_for()


def test_a_day_of_work(files):
    with served(*files) as address, launched() as browser:
        with opened_tab(browser, SIZES["desktop"], (address, "data:")) as tab:
            tab.goto(f"{address}/?token={TOKEN}")
            tab.wait_for_selector("#question:enabled")
            tab.click("#list")
            choose(tab, "annual")
            ask(tab, "what was gross profit in 2013?").locator(".answer button").click()
            tab.click("#as-printed")
            box = tab.locator("#original .page[data-page='2'] .boxed.strong")
            box.wait_for()
            tab.locator("#original .page[data-page='2'] img").wait_for()
            left, top, right, bottom = box.evaluate(PLACE)
            # The figure ends at x 400 and stands on the baseline y 148 of a page of 612 by 792 points.
            assert left < 400 < right < 410 and 130 < top < 145 < 148 < bottom < 160

            choose(tab, "model")
            ask(tab, "what were net sales in 2012?").locator(".answer button").click()
            lit = tab.locator("#original .sheet td.strong")
            lit.wait_for()
            assert (lit.inner_text(), lit.get_attribute("data-at")) == ("5000", "C2")

            choose(tab, "Brightmoor")
            ask(tab, "what was operating income in 2024?")
            frame = tab.frame_locator("#original iframe")
            assert frame.locator(".tieout-strong").inner_text().strip() == "685"
            doubted = ask(tab, "what was income?")
            doubted.locator(".readings button", has_text="Net income").click()
            corrected = tab.locator("#turns > li").nth(2)
            assert corrected.locator(".answer").inner_text() == "$505 million"
            tab.locator("#send:enabled").wait_for()
            tab.click("#exports summary")
            with tab.expect_download() as saved:
                tab.click("#as-html")
            assert "$505 million" in saved.value.path().read_text()
            kept = tab.url
        with opened_tab(browser, SIZES["desktop"], (address, "data:")) as again:
            again.goto(f"{address}/?token={TOKEN}")
            again.wait_for_selector("#question:enabled")
            again.click("#list")
            again.locator("#kept-list li").nth(2).wait_for()
            again.fill("#kept-words", "505 income")
            again.locator("#kept-list li").nth(1).wait_for(state="detached")
            again.locator("#kept-list .link").click()
            again.locator("#turns > li").nth(2).wait_for()
            assert again.url == kept
            again.locator("#kept-list .current button", has_text="Delete").click()
            again.locator("#kept-list .danger").click()
            again.locator("#turns > li").first.wait_for(state="detached")
            again.fill("#kept-words", "")
            again.locator("#kept-list li").nth(1).wait_for()
            assert again.locator("#kept-list li", has_text="operating income").count() == 0
