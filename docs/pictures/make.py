"""Makes the pictures of the documentation: serves the sample and invented filings, asks, compares, and looks."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
REPORT = ROOT / "data" / "sample" / "report.htm"
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")
DESK, PHONE = {"width": 1440, "height": 860}, {"width": 390, "height": 844}


@contextmanager
def page_of(browser: Browser, address: str, size: dict[str, int], scheme: str = "light") -> Iterator[Page]:
    """The page of the server in a tab of its own, with all reports read."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("#question:enabled")
    page.locator("#progress:empty").wait_for(state="attached")
    yield page
    context.close()


def ask(page: Page, question: str) -> None:
    """Asks, and waits for the answer."""
    count = page.locator("#turns > li").count()
    page.fill("#question", question)
    page.press("#question", "Enter")
    page.locator("#turns > li").nth(count).wait_for()
    page.locator("#send:enabled").wait_for()


def compare(page: Page, measures: str) -> None:
    """Compares all companies, with the first measure drawn."""
    page.click("#show-companies")
    page.click("#views-of [value=compare]")
    page.fill("#asked-of [name=measure]", measures)
    page.press("#asked-of [name=measure]", "Enter")
    page.locator("#compared .grid button", has_text="Lines").first.click()
    page.locator("#compared .grid svg").wait_for()


def shoot(page: Page, name: str) -> None:
    """Writes a picture, once all has come to rest."""
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(800)
    page.screenshot(path=FOLDER / f"{name}.png")


def take(browser: Browser, address: str) -> None:
    """All pictures."""
    with page_of(browser, address, DESK) as page:
        for question in (
            "what was operating income in 2024?",
            "how much did operating income change from 2023 to 2024?",
        ):
            ask(page, question)
        page.locator("#shown .lit.strong").wait_for()
        shoot(page, "page")
        page.click("#as-printed")
        page.frame_locator("#original iframe").locator(".tieout-strong").wait_for()
        page.click("#list")
        shoot(page, "original")
        page.evaluate("localStorage.clear()")
    with page_of(browser, address, DESK, "dark") as page:
        ask(page, "what was income?")
        page.locator("#turns .doubt").wait_for()
        shoot(page, "doubt")
    with page_of(browser, address, PHONE) as page:
        ask(page, "what was free cash flow in 2024?")
        shoot(page, "phone")
        page.locator("#turns .figure").first.click()
        page.locator("#shown .lit.strong").wait_for()
        shoot(page, "phone-source")
    with page_of(browser, address, DESK) as page:
        compare(page, "revenue; gross margin")
        shoot(page, "compare")
    with page_of(browser, address, PHONE, "dark") as page:
        page.click("#show-companies")
        page.select_option("#asked-of [name=company]", "Lumen Works, Inc.")
        page.locator("#timeline li").nth(2).wait_for()
        shoot(page, "phone-statement")
    with page_of(browser, address, DESK) as page:
        page.goto(address.partition("?")[0] + "query")
        page.click(".yasqe_queryButton:not(.busy)")
        page.locator(".yasr_response_chip").wait_for()
        shoot(page, "query")


def main() -> None:
    """Writes the pictures. Exits with a line where there is no browser."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("no Chromium: `make browser` installs one")
    sys.path.insert(0, str(ROOT / "tests"))
    from company_filings import write_all

    with tempfile.TemporaryDirectory() as folder:
        filings = Path(folder) / "filings"
        filings.mkdir()
        write_all(filings)
        command = [sys.executable, "-m", "tieout", "serve", str(REPORT), str(filings), "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with sync_playwright() as play:
                opened = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
                take(opened, address)
                opened.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
