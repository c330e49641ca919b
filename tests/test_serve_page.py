"""The page in a browser, used as a person would: drop a report, ask, follow a figure to its cell, ask back, a phone."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing import SIZES, launched, opened_tab, silent
from conftest import ROOT, SAMPLE

pytest.importorskip("fastapi", reason="NO FASTAPI: the page was not looked at; pip install 'tieout[serve]'")
from scripted import ScriptedBackend, answers, says
from serving import TOKEN, served

from tieout.agent.memory.terms import Term, save_term
from tieout.serve.asking.desk import Plan

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"
CSV = f'In millions,2013,2012\nnet sales,"$ 4,391","$ 4,000"\n{EVIL},"3,000","2,900"\n'
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/csv" }));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
SERIOUS = ("serious", "critical")
# What a screen reader, and an eye, need: a name for each control, no id twice, and text that can be told from its
# ground (WCAG 2.1, success criteria 4.1.2, 4.1.1, 1.4.3).
FAULTS = Path(__file__).with_name("page_faults.js").read_text()


@pytest.fixture(scope="module")
def browser():
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def address():
    with served(SAMPLE / "ask.json", SAMPLE / "report.htm") as opened:
        yield opened


@pytest.fixture(scope="module")
def opened(browser):
    """The one tab of all tests: a new one takes far longer than to open the page in it anew."""
    with opened_tab(browser, SIZES["desktop"], ("",)) as tab:
        yield tab


@contextmanager
def looked_at(opened, address, size, scheme):
    """The page opened as in a browser that was never there; a message to its console or a request to elsewhere fails
    the test."""
    opened.set_viewport_size({"width": size[0], "height": size[1]})
    opened.emulate_media(color_scheme=scheme)
    opened.context.clear_cookies()
    with silent(opened, (address, "data:")):
        opened.goto(f"{address}/?token={TOKEN}")
        try:
            opened.wait_for_selector("#question:enabled")
            yield opened
        finally:
            opened.evaluate("localStorage.clear(), sessionStorage.clear()")


@pytest.fixture(params=[(size, scheme) for size, scheme in zip(SIZES, ("light", "dark"), strict=True)], ids=str)
def each_tab(request, opened, address):
    """The page as it is at a desk and on a phone, for what lies differently on them."""
    size, scheme = request.param
    with looked_at(opened, address, SIZES[size], scheme) as tab:
        yield tab


@pytest.fixture
def tab(opened, address):
    with looked_at(opened, address, SIZES["phone"], "light") as tab:
        yield tab


def ask(tab, question: str):
    """Asks by the keyboard; the turn that comes of it."""
    turns = tab.locator("#turns > li")
    count = turns.count()
    tab.fill("#question", question)
    tab.press("#question", "Enter")
    turns.nth(count).wait_for()
    tab.locator("#send:enabled").wait_for()
    return turns.nth(count)


def serious(tab) -> list[str]:
    """What axe-core finds that is serious or critical."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NO AXE: its rules were not checked")
    found = axe.Axe().run(tab).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found if each["impact"] in SERIOUS]


def fits(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollWidth") <= tab.viewport_size["width"]


def test_the_token_is_not_in_the_address_bar(tab):
    assert TOKEN not in tab.url


def test_a_figure_of_an_answer_leads_to_its_cell_and_the_cell_to_its_fact(each_tab):
    tab = each_tab
    assert ask(tab, "what was the operating income in 2013?").locator(".answer").inner_text() == "$559.5 million"
    assert ask(tab, "and in 2012?").locator(".answer").inner_text() == "$631.3 million"
    turn = ask(tab, "what was the change?")
    assert turn.locator(".answer").inner_text() == "-$71.8 million"
    assert "probability of being right" in turn.locator(".sure").inner_text()
    assert turn.locator(".tree li li").count() == 2
    turn.locator(".tree button.figure").nth(1).click()
    lit = tab.locator("#shown .lit.strong")
    lit.wait_for()
    assert lit.inner_text().strip() == "631.3"
    assert tab.locator("#shown .lit").count() == 2
    assert fits(tab)
    lit.locator("button").click()
    tab.wait_for_selector("dialog[open]")
    told = tab.inner_text("#fact-text")
    assert serious(tab) == []
    assert "what was the change?" in told and "kg:value" in told and "million" not in tab.inner_text("#fact-title")
    assert tab.evaluate(FAULTS) == []
    tab.keyboard.press("Escape")
    assert tab.locator("dialog[open]").count() == 0


def test_undo_takes_the_last_turn_back_and_a_new_conversation_all(tab):
    ask(tab, "what was the operating income in 2013?")
    ask(tab, "and in 2012?")
    tab.click("#undo")
    tab.locator("#turns > li").nth(1).wait_for(state="detached")
    assert ask(tab, "and in 2011?").locator(".answer").inner_text().startswith("$")
    tab.click("#anew")
    assert tab.locator("#turns > li").count() == 0
    assert tab.locator("#undo").is_disabled()


def test_a_dropped_report_is_read_and_asked_and_its_text_is_never_markup(tab):
    tab.evaluate(DROP, ["dropped.csv", CSV])
    tab.locator("#where", has_text="dropped").wait_for(state="attached")
    assert tab.input_value("#report") != "r1"
    assert ask(tab, "what were net sales in 2013?").locator(".answer").inner_text().startswith("$4.391 billion")
    assert EVIL in tab.text_content("#shown")
    assert tab.locator("#shown img, #shown script").count() == 0
    assert tab.evaluate(FAULTS) == []


def test_a_file_that_cannot_be_read_is_told(tab):
    tab.evaluate(DROP, ["nothing.xlsx", "PK\x03\x04 nothing"])
    tab.locator("#progress", has_text="nothing.xlsx").wait_for()
    tab.locator("#progress", has_text="workbook").wait_for()


def test_a_question_back_offers_readings_and_one_of_them_is_asked(tab):
    turn = ask(tab, "what were the sales in 1999?")
    readings = turn.locator(".readings button")
    assert readings.count() >= 1
    chosen = readings.first.inner_text()
    readings.first.click()
    tab.locator("#turns > li").nth(1).wait_for()
    assert chosen in tab.locator("#turns > li .asked").nth(1).inner_text()


def test_reports_are_asked_together_once_both_are_chosen(each_tab):
    tab = each_tab
    tab.locator("#report option").nth(1).wait_for(state="attached")
    chips = tab.locator("#about button")
    assert chips.count() >= 2
    assert [chip.get_attribute("aria-pressed") for chip in chips.all()].count("true") == 1
    brightmoor = tab.locator("#about button", has_text="Brightmoor")
    brightmoor.click()
    assert [chip.get_attribute("aria-pressed") for chip in chips.all()].count("true") == 2
    turn = ask(tab, "what was the operating income of Brightmoor in 2024?")
    assert turn.locator(".answer").inner_text() == "$685 million"
    turn.locator(".answer button").click()
    lit = tab.locator("#shown .lit.strong")
    lit.wait_for()
    assert lit.inner_text().strip() == "685"
    assert "Brightmoor" in tab.locator("#report option:checked").inner_text()
    assert serious(tab) == []
    assert tab.evaluate(FAULTS) == []


def test_search_finds_a_line_and_goes_to_its_table(each_tab):
    tab = each_tab
    if tab.viewport_size["width"] < 800:
        tab.click("#show-source")
    tab.fill("#words", "gross profit")
    tab.locator("#found button").first.click()
    assert tab.locator("#shown table").first.is_visible()
    assert fits(tab)


def test_queries_run_in_yasgui_on_any_width(each_tab, address):
    tab = each_tab

    def run(place: str, shown: str, query: str | None = None) -> None:
        if query:
            tab.evaluate("text => document.querySelector('.yasqe .CodeMirror').CodeMirror.setValue(text)", query)
        tab.click(".yasqe_queryButton:not(.busy)")
        tab.locator(place, has_text=shown).wait_for()

    tab.goto(f"{address}/query")
    run(".yasr_response_chip", "50 results")  # the first example
    assert tab.locator(".parseErrorIcon").count() == 0  # it declares its prefixes
    assert fits(tab)
    run(".yasr_results", "True", "ASK { ?fact kg:raw ?raw }")
    run("#working", "Cut at 1000 rows", "SELECT * { ?s ?p ?o }")
    tab.locator(".yasr_response_chip", has_text="1000 results").wait_for()
    tab.select_option("#example", index=4)
    run(".yasr_results", "kg:measures")  # triples


def test_the_page_works_by_keyboard_alone(each_tab):
    tab = each_tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the question"
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "words"


def test_terms_recipes_and_pictures_are_shown(opened, tmp_path, monkeypatch):
    pytest.importorskip("duckdb", reason="NO DUCKDB: data on the page was not tested; pip install 'tieout[expert]'")
    replies = [
        says(
            ("query_sql", {"select": "SELECT day, amount FROM sales ORDER BY day", "name": "s"}),
            ("plot", {"frame": "s", "x": "day", "y": ["amount"], "title": "sales"}),
            answers("s.amount[0]"),
        )
    ]
    monkeypatch.setattr("tieout.serve.asking.desk.make_backend", lambda name: ScriptedBackend(replies))
    (tmp_path / "sales.csv").write_text("day,amount\n2024-01-01,3\n2024-01-02,5\n")
    save_term(tmp_path / "memory", Term(label="free cash flow", others=("FCF",), meaning="what is left to pay out"))
    recipes = tmp_path / "memory" / "recipes"
    recipes.mkdir()
    shutil.copy(next((ROOT / "data" / "series" / "memory" / "recipes").glob("*.toml")), recipes)
    plan = Plan(data=(tmp_path / "sales.csv",), memory=tmp_path / "memory", plots=tmp_path / "plots")
    with served(plan=plan) as address, looked_at(opened, address, SIZES["desktop"], "light") as tab:
        tab.click("#house summary")
        assert "what is left to pay out" in tab.inner_text("#known")
        tab.locator("#known button", has_text="When did the latest recession start?").click()
        assert tab.input_value("#question") == "When did the latest recession start?"
        turn = ask(tab, "draw the sales, and say the FCF of the first day")
        assert "free cash flow" in turn.locator(".notes").inner_text()
        picture = turn.locator("img.picture")
        picture.wait_for()
        tab.wait_for_function("document.querySelector('img.picture').naturalWidth > 0")
        assert picture.get_attribute("alt") and turn.locator(".answer").inner_text() == "3"
        assert serious(tab) == []
        assert tab.evaluate(FAULTS) == []
