"""The page in a browser, used as a person would: drop a report, ask, follow a figure to its cell, ask back, a phone."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from browsing import SIZES, ask, opened_tab, silent, violations
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
# What a screen reader, and an eye, need: a name for each control, no id twice, and text that can be told from its
# ground (WCAG 2.1, success criteria 4.1.2, 4.1.1, 1.4.3).
FAULTS = Path(__file__).with_name("page_faults.js").read_text()


@pytest.fixture(scope="module")
def address():
    with served(SAMPLE / "ask.json", SAMPLE / "report.htm") as opened:
        yield opened


@pytest.fixture
def scripts_of():
    """The scripts of the page by name, with all that they import."""

    def found(*names: str) -> dict[str, bytes]:
        scripts: dict[str, bytes] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in scripts:
                scripts[name] = (files("tieout.serve") / "assets" / name).read_bytes()
                waiting += re.findall(r'^import .* from "/([a-z]+\.js)"', scripts[name].decode(), re.MULTILINE)
        return scripts

    return found


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
    # The page that was there asks nothing more. What comes from the same server is drawn by the process that is there.
    opened.goto(f"{address}/page.css" if opened.url.startswith(address) else "about:blank")
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


def fits(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollWidth") <= tab.viewport_size["width"]


def test_a_click_on_a_conversation_is_not_lost_while_the_list_is_looked_through(tab, browser, address):
    ask(tab, "what was the operating income in 2012?")
    ask(tab, "and in 2013?")
    with opened_tab(browser, SIZES["desktop"], (address, "data:")) as other:
        other.goto(f"{address}/?token={TOKEN}")
        other.click("#list")
        entry = other.locator("#kept-list .link", has_text="operating income in 2012").first
        entry.wait_for()
        with other.expect_response(re.compile("words=operating")):
            other.fill("#kept-words", "operating")  # the list comes while the button of the mouse is down
            entry.click(delay=1500)
        other.locator("#turns .answer").first.wait_for(timeout=10_000)


def test_the_script_of_the_page_is_short(scripts_of):
    found = scripts_of(
        "page.js", "companies.js", "original.js"
    )  # the last two are loaded when they are looked at first
    assert len(found) == 9 and sum(map(len, found.values())) < 60_000


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
    assert violations(tab) == []
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
    tab.click("#list")
    tab.click("#anew")
    tab.locator("#turns > li").first.wait_for(state="detached")
    assert tab.locator("#undo").is_disabled()


def test_a_dropped_report_is_read_and_asked_and_its_text_is_never_markup(tab):
    tab.evaluate(DROP, ["dropped.csv", CSV])
    tab.locator("#where", has_text="dropped").wait_for(state="attached")
    assert tab.input_value("#report") != "r1"
    assert ask(tab, "what were net sales in 2013?").locator(".answer").inner_text().startswith("$4.391 billion")
    assert EVIL in tab.text_content("#shown")
    assert tab.locator("#shown img, #shown script").count() == 0
    assert tab.evaluate(FAULTS) == []


def test_a_file_that_cannot_be_read_is_told_where_it_was_dropped(tab, opened):
    tab.evaluate(DROP, ["nothing.xlsx", "PK\x03\x04 nothing"])
    tab.locator("#progress", has_text="nothing.xlsx").wait_for()
    tab.locator("#progress", has_text="workbook").wait_for()
    with opened.context.expect_page() as other:
        opened.evaluate("window.open('/')")
    other.value.wait_for_selector("#question:enabled")
    assert other.value.locator("#progress p").count() == 0  # nobody else is greeted by it
    other.value.close()
    tab.locator("#progress button", has_text="Dismiss").click()
    tab.locator("#progress p").wait_for(state="detached")


def test_a_question_back_offers_readings_and_one_of_them_is_asked(tab):
    turn = ask(tab, "what were the sales in 1999?")
    readings = turn.locator(".readings button")
    assert readings.count() >= 1
    chosen = readings.first.inner_text()
    readings.first.click()
    tab.locator("#turns > li").nth(1).wait_for()
    assert chosen in tab.locator("#turns > li .asked").nth(1).inner_text()


def add_report(tab, name: str) -> None:
    """Lets the conversation ask a further report."""
    tab.click("#add")
    tab.fill("#adding-words", name)
    tab.locator("#adding-list li", has_text=name).locator("input").first.check()
    tab.locator("#about .chip", has_text=name).wait_for()
    tab.click("#adding-close")


def test_reports_are_asked_together_once_both_are_chosen(each_tab):
    tab = each_tab
    assert tab.locator("#about .chip").count() == 1
    add_report(tab, "Brightmoor")
    assert tab.locator("#about .chip").count() == 2
    turn = ask(tab, "what was the operating income of Brightmoor in 2024?")
    assert turn.locator(".answer").inner_text() == "$685 million"
    assert "Brightmoor Instruments" in turn.locator(".tree").inner_text()
    turn.locator(".answer button").click()
    lit = tab.locator("#shown .lit.strong")
    lit.wait_for()
    assert lit.inner_text().strip() == "685"
    assert "Brightmoor" in tab.locator("#report option:checked").inner_text()
    tab.locator("#understood", has_text="685").wait_for()  # it is asked for at the same time as the part
    assert violations(tab) == []
    assert tab.evaluate(FAULTS) == []


def test_what_was_asked_is_there_again_whatever_is_looked_at_and_in_another_tab(tab, browser, address):
    ask(tab, "what was the operating income in 2013?")
    tab.fill("#question", "a question that is not")  # a draft
    if tab.viewport_size["width"] < 800:
        tab.click("#show-source")
    tab.select_option("#report", tab.locator("#report option", has_text="Brightmoor").get_attribute("value"))
    tab.locator("#where", has_text="Beginning").or_(tab.locator("#where", has_text="Brightmoor")).wait_for(
        state="attached"
    )
    tab.evaluate(DROP, ["other.csv", CSV])
    tab.locator("#report option", has_text="other").wait_for(state="attached")
    assert tab.locator("#turns > li").count() == 1
    tab.reload()
    tab.wait_for_selector("#question:enabled", state="attached")
    assert tab.locator("#turns .answer").inner_text() == "$559.5 million"
    assert tab.input_value("#question") == "a question that is not"
    with opened_tab(browser, SIZES["desktop"], (address, "data:")) as other:
        other.goto(f"{address}/?token={TOKEN}")
        other.click("#list")
        other.fill("#kept-words", "559.5")
        other.locator("#kept-list .link", has_text="operating income in 2013").first.click()
        other.locator("#turns .answer").wait_for()
        assert "c=" in other.url and other.url == tab.url
        assert ask(other, "and in 2012?").locator(".answer").inner_text() == "$631.3 million"
        add_report(other, "Brightmoor")
        assert other.locator("#turns > li").count() == 2
        other.locator("#about .chip button[title*=Brightmoor]").click()
        other.locator("#about .chip").nth(1).wait_for(state="detached")
        other.locator("#kept-list .current [title^=Rename]").click()
        other.fill("#kept-list input", "Norvale, margins")
        other.keyboard.press("Enter")
        other.locator("#title", has_text="Norvale, margins").wait_for()
        assert violations(other) == []
        assert other.evaluate(FAULTS) == []
        other.locator("#kept-list .current [title^=Delete]").click()
        other.locator("#kept-list .danger").click()
        other.locator("#turns > li").first.wait_for(state="detached")
        assert "c=" not in other.url


def test_an_answer_in_doubt_is_no_headline_and_says_what_each_flag_means(tab):
    turn = ask(tab, "what was income?")
    assert turn.locator(".doubt").count() == 1, turn.inner_text()
    assert turn.locator("p.answer").count() == 0
    assert "Not sure" in turn.locator(".reply").inner_text().splitlines()[0]
    for flag in turn.locator(".flags abbr").all():
        assert len(flag.get_attribute("title")) > 20
    assert tab.evaluate(FAULTS) == []
    other = turn.locator(".readings button")
    meant = {"net income": "$351.7 million", "operating income": "$559.5 million"}
    (answer,) = (shown for words, shown in meant.items() if words in other.inner_text())
    other.click()  # it is the answer then, and part of the conversation
    corrected = tab.locator("#turns > li").nth(1)
    assert corrected.locator(".answer").inner_text() == answer
    tab.locator("#send:enabled").wait_for()
    corrected.locator(".tree button.figure").first.click()
    tab.locator("#shown .lit.strong button").wait_for()
    tab.locator("#shown [data-fact=t1r7c1]").click()
    tab.locator("#fact-meant button").click()
    meant = tab.locator("#turns > li").nth(2)
    assert meant.locator(".answer").inner_text() == "$559.5 million"
    assert "I mean operating income" in meant.locator(".asked").inner_text()


def test_the_original_shows_the_cell_that_an_answer_is_from(tab):
    tab.select_option("#report", tab.locator("#report option", has_text="Brightmoor").get_attribute("value"))
    turn = ask(tab, "what was operating income in 2024?")
    turn.locator(".answer button").click()
    tab.click("#as-printed")
    frame = tab.frame_locator("#original iframe")
    lit = frame.locator(".tieout-strong")
    lit.wait_for()
    assert lit.inner_text().strip() == "685" and frame.locator("script").count() == 0
    assert fits(tab)
    box, over = lit.bounding_box(), tab.locator("#original iframe").bounding_box()
    assert over["y"] <= box["y"] and box["y"] + box["height"] <= over["y"] + over["height"]  # it is in view
    tab.reload()
    tab.locator("#original iframe").wait_for(state="attached")  # as it was left
    tab.evaluate("localStorage.clear()")


def test_a_question_is_recalled_and_the_reply_to_a_query_leads_to_the_cell(tab, address):
    ask(tab, "what was the operating income in 2013?")
    ask(tab, "and in 2012?")
    tab.focus("#question")
    for key, text in (
        ("ArrowUp", "and in 2012?"),
        ("ArrowUp", "what was the operating income in 2013?"),
        ("ArrowDown", "and in 2012?"),
    ):
        tab.keyboard.press(key)
        assert tab.input_value("#question") == text
    tab.goto(
        f"{address}/query?query="
        + "SELECT ?fact { ?fact kg:raw '685' ; kg:measures 'Operating income' } LIMIT 1".replace(" ", "%20")
    )
    tab.locator("#yasgui a.iri", has_text="urn:tieout:doc:").first.click()
    lit = tab.locator("#shown .lit.strong")
    lit.wait_for(state="attached")
    assert lit.text_content().strip() == "685"


def test_search_finds_a_line_and_goes_to_its_table(each_tab):
    tab = each_tab
    if tab.viewport_size["width"] < 800:
        tab.click("#show-source")
    tab.fill("#words", "gross profit")
    tab.locator("#found button").first.click()
    assert tab.locator("#shown table").first.is_visible()
    assert fits(tab)


def run_query(tab, place: str, shown: str, query: str | None = None) -> None:
    """Runs a query, else the one that is there, until its reply is shown."""
    if query:  # the field to write it in is made by a script, after the page is there
        tab.locator(".yasqe .CodeMirror").first.wait_for()
        tab.evaluate("text => document.querySelector('.yasqe .CodeMirror').CodeMirror.setValue(text)", query)
    tab.click(".yasqe_queryButton:not(.busy)")
    tab.locator(place, has_text=shown).wait_for()


def test_queries_run_in_yasgui_on_any_width(each_tab, address):
    each_tab.goto(f"{address}/query")
    run_query(each_tab, ".yasr_response_chip", "50 results")  # the first example
    assert each_tab.locator(".parseErrorIcon").count() == 0  # it declares its prefixes
    assert fits(each_tab) and violations(each_tab) == []


def test_replies_to_queries_of_all_kinds_are_shown(tab, address):
    tab.goto(f"{address}/query")
    run_query(tab, ".yasr_results", "True", "ASK { ?fact kg:raw ?raw }")
    run_query(tab, "#working", "Cut at 1000 rows", "SELECT * { ?s ?p ?o }")
    tab.locator(".yasr_response_chip", has_text="1000 results").wait_for()
    tab.select_option("#example", index=4)
    run_query(tab, ".yasr_results", "kg:measures")  # triples


TABLE = """async () => {
  const { card } = await import("/answer.js");
  const one = (fact, amount) => ({ shown: `${amount}`, amount, drawn: amount, unit: "USD", fact });
  const rows = [["A", one("A2023", 5), one("A2024", 7)], ["B", one("B2023", 3), one("B2024", -9)]];
  const lines = rows.map(([label, ...cells]) => ({ label, cells }));
  const grid = { unit: "$ million", columns: ["2023", "2024"], rows: lines };
  const none = { flags: [], readings: [], pictures: [], roots: [], queries: [], probability: null };
  const notes = { terms: [], recipes: [], unknown: [] }, marks = { A2024: { part: 0 } };
  const made = card({ ...none, notes, marks, grid, answer: "5, 7, 3, -9", question: "which?" }, () => {});
  document.getElementById("turns").append(made);
}"""


def test_a_table_of_figures_is_a_grid_that_is_sorted_drawn_and_leads_to_print(tab):
    tab.evaluate(TABLE)
    rows = lambda: [row.inner_text().split() for row in tab.locator(".grid tr").all()]  # noqa: E731
    assert rows() == [["$", "million", "2023", "2024"], ["A", "5", "7"], ["B", "3", "-9"]]
    year = tab.locator(".grid thead button", has_text="2023")
    year.click()
    year.click()
    assert [row[0] for row in rows()[1:]] == ["B", "A"]  # rising by 2023
    assert tab.locator(".grid svg").count() == 0
    for kind in ("Lines", "Bars"):
        tab.locator(".grid button", has_text=kind).click()
        drawn = tab.locator(f".grid svg[aria-label$='{kind.lower()}']")
        drawn.wait_for()
        assert {"$ million", "2023", "2024", "A", "B"} <= set(drawn.locator("text").all_text_contents())
        assert [each.get_attribute("aria-label") for each in drawn.locator("a").all()] == ["A, 2024: 7"]
        ink = drawn.locator("text").first.evaluate("node => getComputedStyle(node).fill")
        assert ink == tab.locator(".grid td.unit").evaluate("node => getComputedStyle(node).color")
    assert tab.locator(".grid td button").all_inner_texts() == ["7"]  # where a figure is printed
    assert fits(tab) and violations(tab) == [] and tab.evaluate(FAULTS) == []
    more = "document.getElementById('turns').append(...Array.from({ length: 9 }, () => made.cloneNode(true)))"
    tab.evaluate(f"{{ const made = document.querySelector('#turns > li'); {more}; }}")
    high = tab.evaluate("document.documentElement.scrollHeight")
    assert high <= tab.viewport_size["height"]  # the conversation scrolls, and the head of the page stays


def test_heads_of_a_table_stay_and_are_said_once(each_tab):
    tab = each_tab
    tab.select_option("#report", tab.locator("#report option", has_text="Brightmoor").get_attribute("value"))
    tab.locator("#where", has_text="Beginning").or_(tab.locator("#where", has_text="report")).first.wait_for(
        state="attached"
    )
    if tab.viewport_size["width"] < 800:
        tab.click("#show-source")
    tab.fill("#words", "gross profit")
    tab.locator("#found button", has_text="STATEMENTS OF OPERATIONS").click()
    head = tab.locator("#shown table thead tr")
    head.first.wait_for()
    assert head.count() == 2 and head.first.inner_text().strip() == "Years Ended December 31,"
    assert head.first.locator("th").get_attribute("colspan") == "3"
    assert fits(tab) and violations(tab) == []


def test_no_table_of_an_answer_is_painted_over_the_box_for_questions(each_tab):
    tab = each_tab
    tab.select_option("#report", tab.locator("#report option", has_text="Brightmoor").get_attribute("value"))
    for _ in range(3):
        turn = ask(tab, "show revenue, gross profit, net income and operating income for 2022 to 2024")
    assert turn.locator("table").count() == 1
    hit = tab.evaluate("""() => {
      const box = document.querySelector("#question").getBoundingClientRect(), hit = new Set();
      for (const cell of document.querySelectorAll("#turns tbody th, #turns thead th")) {
        cell.scrollIntoView({ block: "start", behavior: "instant" });
        const scrolls = [...document.querySelectorAll("*")].filter(each => each.contains(cell) && each.scrollTop > 0);
        const by = cell.getBoundingClientRect().top - box.top;
        (scrolls.pop() ?? document.scrollingElement).scrollBy({ top: by, behavior: "instant" });
        const over = document.querySelector("#question").getBoundingClientRect();
        const found = document.elementFromPoint(over.left + 20, over.top + 10);
        hit.add(document.querySelector("#ask").contains(found) ? "ask" : found?.outerHTML.slice(0, 80));
      }
      return [...hit];
    }""")
    assert hit == ["ask"]


def test_the_api_is_described_on_a_page_on_which_it_can_be_tried(each_tab, address):
    tab = each_tab
    tab.goto(f"{address}/api")
    entry = tab.locator("#paths details", has_text="/api/about")
    entry.locator("summary").click()
    entry.locator("form button").click()
    entry.locator("pre", has_text='"backend": "offline"').wait_for()
    assert '"state": "waiting | reading' in tab.locator("#paths details", has_text="/api/reports").first.text_content()
    assert fits(tab) and violations(tab) == [] and tab.evaluate(FAULTS) == []


def test_the_page_works_by_keyboard_alone(each_tab):
    tab = each_tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the question"
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "words"
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.id") == "question"
    ask(tab, "what was the operating income in 2013?").locator(".tree .figure").click()
    tab.wait_for_function("document.activeElement.matches('#shown .strong *')")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.id") == "question"


def test_what_is_looked_at_is_printed_dark_on_light(each_tab):
    tab = each_tab
    try:
        for view, printed, left in (("source", "#talk", "#companies"), ("companies", "#companies", "#talk")):
            tab.click(f"#show-{view}")
            tab.emulate_media(media="print", color_scheme="dark")
            assert tab.locator(printed).is_visible() and not tab.locator(left).is_visible()
            assert not tab.locator("header").is_visible() and tab.evaluate(FAULTS) == []
            assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(22, 25, 29)"
            tab.emulate_media(media="screen")
    finally:
        tab.emulate_media(media="screen")


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
        assert violations(tab) == []
        assert tab.evaluate(FAULTS) == []
