"""A day of work on the page: a folder of files, questions, their originals, two companies, a correction, and all of it
found again in another tab. At a desk and on a phone, in light and dark; `--basetemp FOLDER` keeps pictures of it there.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from browsing import COLORS, ask, opened_tab, violations
from company_filings import write_all
from conftest import SAMPLE

pytest.importorskip("fastapi", reason="NO FASTAPI: the page was not looked at; pip install 'tieout[serve]'")
pdfium = pytest.importorskip("pypdfium2", reason="NO PYPDFIUM2: pages of a PDF were not looked at")
openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: no workbook was made")
from pdf_pages import PdfPage, make_pdf  # noqa: E402
from scanned import make_scan  # noqa: E402
from serving import TOKEN, served  # noqa: E402

WIDTHS = {"desk": ((1440, 900), "light"), "phone": ((390, 844), "dark")}
# Where a box stands on its page, as shares of it.
PLACE = """box => {
  const over = box.getBoundingClientRect(), page = box.parentElement.getBoundingClientRect();
  const x = (value) => (value - page.left) / page.width, y = (value) => (value - page.top) / page.height;
  return [x(over.left), y(over.top), x(over.right), y(over.bottom)];
}"""
DRAWN = "page => document.querySelector(`#original [data-page='${page}'] img`)?.naturalWidth > 0"
ROWS = (
    ("In millions", "2013", "2012"),
    ("Net sales", "4,391", "4,000"),
    ("Cost of sales", "(3,000)", "(2,900)"),
    ("Gross profit", "1,391", "1,100"),
)
CAN_RECOGNISE = find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None
NEEDS_OCR = pytest.mark.skipif(
    not CAN_RECOGNISE, reason="NO RAPIDOCR: no scan was looked at on the page; pip install 'tieout[ocr]'"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Filings of two companies, a report, a PDF whose table is on its second page, a workbook whose figures are on its
    second sheet."""
    made = tmp_path_factory.mktemp("day") / "reports"
    (made / "filings").mkdir(parents=True)
    write_all(made / "filings")
    (made / "report.htm").write_bytes((SAMPLE / "report.htm").read_bytes())
    first, second = PdfPage(), PdfPage()
    first.write(60, 100, "Annual report")
    for y, (label, *figures) in enumerate(ROWS):
        second.write(60, 100 + 16 * y, label)
        for x, text in zip((400, 500), figures, strict=True):
            second.write_right(x, 100 + 16 * y, text)
    (made / "annual.pdf").write_bytes(make_pdf([first, second]))
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active["A1"] = "A model of two years"
    sheet = book.create_sheet("P & L")
    for row in (("In millions", 2013, 2012), ("Net sales", 5391, 5000), ("Cost of sales", 3000, 2900)):
        sheet.append(row)
    book.save(made / "model.xlsx")
    return made


class Desk:
    """The page in a tab, used as a person would on a screen of its size."""

    def __init__(self, tab, pictures: Path | None = None) -> None:
        self.tab, self.pictures = tab, pictures
        self.number = 0

    @property
    def is_phone(self) -> bool:
        return self.tab.viewport_size["width"] < 800

    def turn(self, name: str) -> None:
        """To the conversation, the report or the companies, where they are not beside each other."""
        if self.is_phone or name == "companies":
            self.tab.click(f"#show-{name}")

    def begin(self, name: str) -> None:
        """A conversation of its own about one report."""
        if self.is_phone or self.tab.locator("#kept").is_hidden():
            self.tab.click("#list")
        self.tab.click("#anew")
        self.tab.select_option("#report", self.tab.locator("#report option", has_text=name).get_attribute("value"))
        self.tab.locator("#about .chip").nth(1).wait_for(state="detached")

    def ask(self, question: str, shown: str):
        self.turn("talk")
        turn = ask(self.tab, question)
        assert shown in turn.locator(".reply").inner_text(), question
        return turn

    def follow(self, turn, printed: str):
        """To where the figure of an answer is printed, as which text: what is boxed there."""
        turn.locator(".tree .figure").first.click()
        self.tab.locator("#understood b").get_by_text(printed, exact=True).wait_for()
        if self.tab.locator("#as-printed[aria-pressed=false]").count():
            self.tab.click("#as-printed")
        original = self.tab.locator("#original")
        original.locator("iframe, .page, .sheet").first.wait_for()
        if original.locator("iframe").count():
            return self.tab.frame_locator("#original iframe").locator(".tieout-strong").first
        return original.locator(".strong").first

    def look(self, name: str) -> None:
        """What axe finds, at a desk in both modes; a picture of each for an eye, where they are asked for."""
        assert self.tab.evaluate("document.documentElement.scrollWidth") <= self.tab.viewport_size["width"]
        self.number += 1
        for scheme, options in (("light", None), ("dark", COLORS)):
            self.tab.emulate_media(color_scheme=scheme)
            if not (self.is_phone and options):
                assert violations(self.tab, options) == [], (name, scheme)
            if self.pictures is not None:
                self.tab.screenshot(path=self.pictures / f"{self.number:02}-{name}-{scheme}.png")


def words_in(path: Path, place: list[float], number: int) -> str:
    """The words of a page of a PDF that stand inside a box."""
    page = pdfium.PdfDocument(path)[number - 1]
    wide, high = page.get_size()
    left, top, right, bottom = place
    inside = (left * wide, high - bottom * high, right * wide, high - top * high)
    return page.get_textpage().get_text_bounded(*inside).strip()


@pytest.fixture
def pictures(pytestconfig, tmp_path) -> Path | None:
    """Where pictures are kept, None where nobody said that they are to be."""
    return tmp_path if pytestconfig.getoption("basetemp") and not hasattr(pytestconfig, "workerinput") else None


@pytest.mark.parametrize("width", ["desk", pytest.param("phone", marks=pytest.mark.thorough)])
def test_a_day_of_work(width, folder, browser, pictures):
    size, scheme = WIDTHS[width]
    with served(share=True) as address:
        inside = (address, "data:")
        with opened_tab(browser, size, inside, color_scheme=scheme) as tab:
            desk = Desk(tab, pictures)
            tab.goto(f"{address}/?token={TOKEN}")
            kept = morning(desk, folder)
            companies(desk)
        with opened_tab(browser, size, inside, color_scheme=scheme) as tab:
            tab.goto(f"{address}/?token={TOKEN}")
            evening(Desk(tab, pictures), kept)


def morning(desk: Desk, folder: Path) -> str:
    """Opens a folder, asks, looks at each source, corrects a reading, reloads. The address of the conversation."""
    tab = desk.tab
    tab.locator("#progress:empty").wait_for(state="attached")
    tab.set_input_files("#folder", folder)
    tab.locator("#report option").nth(7).wait_for(state="attached")
    tab.locator("#progress:empty").wait_for(state="attached")
    tab.locator("#about .chip").nth(7).wait_for(state="attached")  # what was opened together is asked together

    desk.begin("annual")
    box = desk.follow(desk.ask("what was gross profit in 2013?", "1.391 billion"), "1,391")
    tab.wait_for_function(DRAWN, arg="2")
    assert words_in(folder / "annual.pdf", box.evaluate(PLACE), 2) == "1,391"
    assert tab.locator(".flags .figure").all_inner_texts() == ["t1r3c1"]  # what is odd leads to where it is printed
    desk.look("pdf")
    box = desk.follow(desk.ask("what was cost of sales in 2012?", "2.9 billion"), "(2,900)")
    assert words_in(folder / "annual.pdf", box.evaluate(PLACE), 2) == "(2,900)"

    desk.begin("model")
    lit = desk.follow(desk.ask("what were net sales in 2012?", "5 billion"), "5000")
    assert (lit.inner_text(), lit.get_attribute("data-at")) == ("5000", "C2")
    lit = desk.follow(desk.ask("and in 2013?", "5.391 billion"), "5391")
    assert (lit.inner_text(), lit.get_attribute("data-at")) == ("5391", "B2")
    desk.look("workbook")

    desk.begin("lumen24")
    assert desk.follow(desk.ask("what was net income in 2024?", "$224 million"), "224").inner_text() == "224"
    desk.begin("Brightmoor")
    assert (
        desk.follow(desk.ask("what was operating income in 2024?", "$685 million"), "685").inner_text().strip() == "685"
    )
    assert desk.follow(desk.ask("and in 2023?", "$645 million"), "645").inner_text().strip() == "645"
    lit = desk.follow(desk.ask("how much interest was paid in 2023?", "$34 million"), "$34 million")
    assert (lit.inner_text(), lit.locator("xpath=..").inner_text()[:17]) == ("34", "Interest paid was")
    desk.look("filing")
    doubted = desk.ask("what was income?", "Not sure")
    desk.look("doubt")
    doubted.locator(".readings button", has_text="Net income").click()
    corrected = tab.locator("#turns > li").nth(4)
    assert corrected.locator(".answer").inner_text() == "$473 million"
    tab.locator("#send:enabled").wait_for()
    assert desk.ask("what were total assets at the end of 2024?", "$4.538 billion").count() == 1
    tab.reload()
    tab.locator("#turns > li").nth(5).wait_for()
    assert corrected.locator(".answer").inner_text() == "$473 million"
    return str(tab.url)


def companies(desk: Desk) -> None:
    """A statement with its filings, and two companies compared with a chart, a value of which leads to its print."""
    tab = desk.tab
    desk.turn("companies")
    tab.locator("#compared caption", has_text="Brightmoor").wait_for()  # the company of the report that is looked at
    tab.select_option("#asked-of [name=company]", "Lumen Works, Inc.")
    tab.locator("#timeline li").nth(2).wait_for()
    assert [each.inner_text() for each in tab.locator("#timeline b").all()] == ["2022", "2023", "2024"]
    tab.locator("#compared caption", has_text="Lumen Works").wait_for()
    tab.locator("#compared td.restated .figure", has_text="1,400").click()
    assert "1,500 million USD" in tab.inner_text("#fact-text")
    tab.keyboard.press("Escape")
    desk.look("statement")
    tab.click("#views-of [value=compare]")
    tab.fill("#asked-of [name=measure]", "revenue; gross margin")
    tab.click("#among")
    for name in ("Lumen", "Orion"):
        tab.locator("#among-all label", has_text=name).click()
    tab.keyboard.press("Escape")
    tab.locator("#compared .grid").nth(1).wait_for()
    margins = tab.locator("#compared .grid").nth(1)
    margins.locator("tbody tr").nth(2).wait_for(state="detached")  # those of all companies are there before
    margins.locator("tbody tr", has_text="Orion").wait_for()
    assert [row.inner_text().split("\t")[0] for row in margins.locator("tbody tr").all()] == [
        "Lumen Works, Inc.",
        "Orion Glass Corporation",
    ]
    sales = tab.locator("#compared .grid").first
    sales.locator("button", has_text="Lines").click()
    sales.locator("svg[aria-label$=lines] a").nth(6).wait_for()
    desk.look("compare")
    sales.locator("button", has_text="Bars").click()
    sales.locator("svg[aria-label$=bars]").wait_for()
    assert sales.locator("svg a").count() == 7
    margins.locator("td .figure").last.click()  # it is calculated: from what, and where that is printed
    tab.locator("#fact-text .tree .figure", has_text="1,320").click()
    tab.frame_locator("#original iframe").locator(".tieout-strong").get_by_text("1,320", exact=True).wait_for()
    assert tab.locator("#report option:checked").inner_text().endswith("(orion24)")
    desk.turn("companies")
    tab.click("#views-of [value=screen]")
    tab.fill("#asked-of [name=conditions]", "revenue > 2bn")
    tab.press("#asked-of [name=conditions]", "Enter")
    tab.locator("#compared caption", has_text="revenue").wait_for()
    tab.locator("#compared .grid").nth(1).wait_for(state="detached")
    assert tab.locator("#compared tbody th").all_inner_texts() == ["Orion Glass Corporation"]
    desk.look("screen")


def evening(desk: Desk, kept: str) -> None:
    """The conversation is found by what was answered in it, saved, and deleted."""
    tab = desk.tab
    tab.wait_for_selector("#question:enabled", state="attached")
    tab.click("#list")
    tab.locator("#kept-list li").nth(3).wait_for()
    desk.look("conversations")
    tab.fill("#kept-words", "685 income")
    tab.locator("#kept-list li").nth(1).wait_for(state="detached")
    tab.locator("#kept-list .link").click()
    tab.locator("#turns > li").nth(5).wait_for(state="attached")
    assert tab.url == kept
    desk.turn("talk")
    beside(desk, kept)
    desk.turn("talk")
    tab.click("#exports summary")
    for form, there in (("html", b"$685 million"), ("xlsx", b"PK")):
        with tab.expect_download() as saved:
            tab.click(f"#as-{form}")
        assert there in saved.value.path().read_bytes()
    tab.keyboard.press("Escape")
    if tab.locator("#kept").is_hidden():
        tab.click("#list")
    tab.locator("#kept-list .current [title^=Delete]").click()
    tab.locator("#kept-list .danger").click()
    tab.locator("#turns > li").first.wait_for(state="detached")
    tab.fill("#kept-words", "")
    tab.locator("#kept-list li", has_text="operating income").wait_for(state="detached")
    tab.locator("#kept-list li").nth(2).wait_for()


def beside(desk: Desk, kept: str) -> None:
    """What is beside the page: a link that shows the conversation, the page for queries, the page about the API."""
    tab = desk.tab
    tab.click("#exports summary")
    tab.click("#share")
    address, link = kept.partition("/?")[0], tab.locator("#working a").get_attribute("href")
    for name, path, there in (
        ("shared", link, "text=operating income"),
        ("query", f"{address}/query", ".yasqe_queryButton:not(.busy)"),
        ("api", f"{address}/api", "details"),
    ):
        tab.goto(path)
        tab.locator(there).first.wait_for()
        desk.look(name)
    tab.goto(kept)
    tab.locator("#turns > li").nth(5).wait_for(state="attached")


@NEEDS_OCR
@pytest.mark.parametrize("width", WIDTHS)
def test_a_scan_is_asked_and_the_boxes_hold_the_words_of_its_picture(width, browser, tmp_path):
    size, scheme = WIDTHS[width]
    drawn = make_scan(tmp_path / "scan.pdf", ROWS)
    wide, high = 432, 0.48 * (45 * len(ROWS) + 90)
    with (
        served(tmp_path / "scan.pdf") as address,
        opened_tab(browser, size, (address, "data:"), color_scheme=scheme) as tab,
    ):
        desk = Desk(tab)
        tab.goto(f"{address}/?token={TOKEN}")
        for question, printed in (("gross profit in 2012", "1,100"), ("net sales in 2013", "4,391")):
            turn = desk.ask(f"what was {question}?", "recognised on a picture")
            left, top, right, bottom = desk.follow(turn, printed).evaluate(PLACE)
            tab.wait_for_function(DRAWN, arg="1")
            x0, y0, x1, y1 = drawn[printed]
            assert left * wide <= x0 + 1 and right * wide >= x1 - 1
            assert top * high <= y0 + 1 and bottom * high >= y1 - 1
            assert (right - left) * wide < x1 - x0 + 20 and (bottom - top) * high < y1 - y0 + 20  # and no others
        desk.look("scan")
