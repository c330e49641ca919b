"""Pages in a headless browser, at a desk and on a phone, for tests that look at them as a person would."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

# The first of these that is there. The first one is made for this: it takes half the time of the others.
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
MOST_WAITING = 300_000  # milliseconds: far more than any machine needs, however busy


@contextmanager
def launched() -> Iterator[Any]:
    """A browser. Skips the test, and says so, where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("NO CHROMIUM: pages were not looked at in a browser; `make browser` installs one")
    api = pytest.importorskip("playwright.sync_api", reason="NO PLAYWRIGHT: pages were not looked at in a browser")
    with api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=ARGUMENTS, headless=True, timeout=MOST_WAITING)
        with closing(opened):
            yield opened


@contextmanager
def opened_tab(browser: Any, size: tuple[int, int], inside: tuple[str, ...], **options: Any) -> Iterator[Any]:
    """A tab of this width and height, in a context of its own. inside: as for `silent`. options: as for a context of
    Playwright."""
    still = {"reduced_motion": "reduce", **options}  # a page that scrolls in steps is drawn at each of them
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **still)
    tab = context.new_page()
    tab.set_default_timeout(MOST_WAITING)
    with silent(tab, inside), closing(context):  # what it says on leaving is heard too
        yield tab


@contextmanager
def silent(tab: Any, inside: tuple[str, ...]) -> Iterator[None]:
    """A message to the console of a tab meanwhile, or a request to what does not begin with one of `inside`, fails the
    test."""
    said: list[str] = []
    heard = {
        "console": lambda message: said.append(message.text),
        "pageerror": lambda error: said.append(str(error)),
        "request": lambda made: None if made.url.startswith(inside) else said.append(made.url),
    }
    for event, hear in heard.items():
        tab.on(event, hear)
    try:
        yield
    finally:
        for event, hear in heard.items():
            tab.remove_listener(event, hear)
    assert not said, said


# Of a long table the first rows are looked at, and those in which something is lit: the others are drawn alike.
VIOLATIONS = """options => axe.run(
  { exclude: [["tr:nth-child(n+7):not(:has(.lit))"]] },
  { resultTypes: ["violations"], preload: false, ...options }
).then(({ violations }) =>
  violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`))"""
COLORS = {"runOnly": ["color-contrast"]}  # the rules that another scheme of colors can break


def violations(tab: Any, options: dict[str, Any] | None = None) -> list[str]:
    """What axe-core finds. It is put in once: to read it takes as long as to look at a page."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="NO AXE: its rules were not checked")
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(axe.AXE_SCRIPT)
    found: list[str] = tab.evaluate(VIOLATIONS, options or {})
    return found


def ask(tab: Any, question: str) -> Any:
    """Asks on the page of `tieout serve` by the keyboard; the turn that comes of it."""
    turns = tab.locator("#turns > li")
    count = turns.count()
    tab.fill("#question", question)
    tab.press("#question", "Enter")
    turns.nth(count).wait_for()
    tab.locator("#send:enabled").wait_for()
    return turns.nth(count)
