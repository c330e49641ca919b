"""A walk through the page: what is easily missed when only its main ways are tried."""

from __future__ import annotations

import httpx
import pytest
from browsing import SIZES, ask, opened_tab
from conftest import SAMPLE

pytest.importorskip("fastapi", reason="NO FASTAPI: the page was not looked at; pip install 'tieout[serve]'")
openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: no workbook was made")
from serving import TOKEN, served  # noqa: E402

from tieout.kg.reports.indexing import index_files  # noqa: E402
from tieout.ontology.model import default_ontology  # noqa: E402

SHEETS = {
    "Read me": [("Of two businesses",)],
    "Operations": [("In millions", "2024", "2023"), ("Net sales", 540, 500), ("Cost of sales", 300, 290)],
    "Segments": [("In millions", "2024", "2023"), ("Tools", 100, 90), ("Net sales", 340, 300)],
    "Words": [("Nothing else is said.",)],
}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in SHEETS.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    path = tmp_path_factory.mktemp("walk") / "model.xlsx"
    book.save(path)
    (path.parent / "kept").mkdir()
    (path.parent / "kept" / "harbour.csv").write_text("In millions,2024,2023\nBerths let,77,70\nBerths empty,5,6\n")
    assert len(list(index_files([path.parent / "kept"], default_ontology(None)[0], path.parent / "store"))) == 1
    with served(SAMPLE / "report.htm", path, share=True, lake=path.parent / "store") as opened:
        yield opened


@pytest.fixture
def tab(browser, address):
    with opened_tab(browser, SIZES["phone"], (address, "data:")) as opened:
        opened.goto(f"{address}/?token={TOKEN}")
        opened.wait_for_selector("#question:enabled")
        yield opened


def look_at(tab, name: str) -> None:
    tab.select_option("#report", tab.locator("#report option", has_text=name).get_attribute("value"))
    tab.locator("#about .chip", has_text=name).wait_for(state="attached")
    tab.click("#show-talk")


def focused(tab) -> str:
    return tab.evaluate("document.activeElement.id || document.activeElement.textContent")


def test_readings_with_the_same_words_say_on_which_sheet_each_is(tab):
    look_at(tab, "model")
    assert tab.get_attribute("#question", "placeholder") == "Ask about model"
    turn = ask(tab, "what were sales?")
    assert "Net sales (2024), Operations" in turn.locator(".taken").inner_text()
    other = turn.locator(".readings button")
    assert other.inner_text().endswith("Net sales (2024), Segments")
    other.click()
    assert "340" in tab.locator("#turns > li").nth(1).locator(".answer").inner_text()


def test_what_is_not_there_leads_to_what_there_is_and_to_the_report_that_is_named(tab):
    look_at(tab, "model")
    turn = ask(tab, "what was the occupancy?")
    turn.locator("button", has_text="Show what there is").click()
    contents = tab.locator("#outline[open]")
    contents.wait_for()
    assert contents.bounding_box()["y"] >= 0
    tab.click("#show-talk")
    ask(tab, "what was Brightmoor's operating income in 2024?").locator("button", has_text="Ask Brightmoor").click()
    assert "$685 million" in tab.locator("#turns > li").nth(2).locator(".answer").inner_text()
    assert tab.locator("#about .chip").count() == 2


def test_a_sentence_that_is_quoted_leads_to_where_it_stands_and_escape_step_by_step_back_to_the_question(tab):
    look_at(tab, "Brightmoor")
    ask(tab, "what was operating income in 2024?").locator(".tree .figure").click()
    tab.locator("#understood", has_text="685").wait_for()
    tab.click("#show-talk")
    quoted = ask(tab, "how is revenue recognized?")
    sentence = quoted.locator(".taken").inner_text().split(": ", 1)[-1].strip('"“”')
    assert sentence in quoted.locator(".tree").inner_text()
    quoted.locator(".tree .figure").click()
    lit = tab.locator("#shown .lit.strong", has_text=sentence)
    lit.wait_for()
    assert tab.locator("#understood b").count() == 0  # nothing is told there of the figure before
    tab.click("#as-printed")
    tab.frame_locator("#original iframe").locator(".tieout-strong").first.wait_for()
    printed = tab.frame_locator("#original iframe").locator(".tieout-strong").all_inner_texts()
    assert "".join("".join(printed).split()) == "".join(sentence.split())
    tab.fill("#words", "revenue")
    tab.locator("#found button").first.wait_for()
    tab.keyboard.press("Escape")  # what was found
    assert tab.locator("#found button").count() == 0 and focused(tab) == "words"
    tab.keyboard.press("Escape")
    assert focused(tab) == "question" and tab.locator("#talk").is_visible()


def test_a_report_that_the_store_keeps_is_found_by_its_name_and_asked_from_then_on(tab):
    look_at(tab, "Brightmoor")
    tab.click("#add")
    tab.fill("#adding-words", "harbour")
    entry = tab.locator("#adding-list li")
    tab.locator("#adding-list li", has_text="Brightmoor").wait_for(state="detached")
    assert entry.inner_text().split("\n") == ["harbour", "not open yet"]
    entry.locator("input").click()
    tab.locator("#adding-list li:not(:has-text('not open yet'))").wait_for()
    assert entry.locator("input").is_checked()
    tab.click("#adding-close")
    assert tab.locator("#about .chip").nth(1).inner_text().startswith("harbour")
    assert "77" in ask(tab, "how many berths were let in harbour in 2024?").locator(".tree .figure").first.inner_text()
    tab.locator("#turns .tree .figure").first.click()
    tab.locator("#understood", has_text="Berths let").wait_for()


def test_sheets_stand_in_one_line_in_the_order_of_the_workbook(tab):
    look_at(tab, "model")
    tab.click("#show-source")
    tab.click("#as-printed")
    sheets = tab.locator("#original .choice button")
    sheets.nth(3).wait_for()
    assert sheets.all_inner_texts() == list(SHEETS)
    assert len({round(each.bounding_box()["y"]) for each in sheets.all()}) == 1


def test_keys_and_clicks_in_the_frame_of_the_original_do_what_they_do_beside_it(tab):
    look_at(tab, "Brightmoor")
    tab.click("#show-source")
    tab.click("#as-printed")
    inside = tab.frame_locator("#original iframe").locator("[data-cell]").first
    inside.wait_for()
    tab.click("#open summary")
    inside.click()
    assert tab.locator("#open[open]").count() == 0
    tab.keyboard.press("Escape")
    assert focused(tab) == "question" and tab.locator("#talk").is_visible()


def test_a_list_or_a_menu_that_is_closed_leaves_the_keyboard_where_it_was_opened(tab):
    look_at(tab, "Brightmoor")
    ask(tab, "what was operating income in 2024?")
    tab.focus("#exports summary")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Escape")
    assert focused(tab) == "Save"
    tab.click("#list")
    tab.locator("#kept-list [title^=Rename]").first.click()
    tab.keyboard.press("Escape")
    tab.wait_for_function("() => document.activeElement.matches('#kept-list .link')")
    tab.locator("#kept-list [title^=Delete]").first.click()
    tab.locator("#kept-list button", has_text="Keep").click()
    tab.wait_for_function("() => document.activeElement.matches('#kept-list .link')")
    tab.keyboard.press("Escape")
    assert focused(tab) == "list" and tab.locator("#kept").is_hidden()


def test_a_reply_that_comes_late_takes_nothing_from_who_goes_on_meanwhile(tab):
    look_at(tab, "Brightmoor")
    figures = ask(tab, "how much did operating income change in 2024?").locator(".tree .figure")
    held = []

    def hold(pattern: str, does) -> None:
        tab.route(pattern, lambda route: held.append(route))
        with tab.expect_request(pattern):
            does()
        tab.evaluate("'what is routed is told behind what is requested'")

    def let_go(at: int = 0) -> None:
        url = held[at].request.url
        with tab.expect_event("requestfinished", lambda request: request.url == url):
            held.pop(at).continue_()

    tab.click("#list")
    tab.locator("#kept-list .link").first.wait_for()
    tab.click("#list-close")
    hold("**/api/conversations?*", lambda: tab.click("#list"))
    tab.locator("#kept-list [title^=Rename]").first.click()
    let_go()
    tab.unroute_all()
    tab.keyboard.type("Brightmoor, income")
    tab.keyboard.press("Enter")
    tab.locator("#kept-list .link", has_text="Brightmoor, income").wait_for()
    tab.click("#list-close")
    hold("**/ask", lambda: (tab.fill("#question", "and in 2023?"), tab.press("#question", "Enter")))
    tab.fill("#question", "and net income?")
    tab.click("#list")
    held.pop().continue_()
    tab.locator("#send:enabled").wait_for(state="attached")
    assert (focused(tab), tab.input_value("#question")) == ("kept-words", "and net income?")
    tab.click("#list-close")
    hold("**/facts/*", figures.first.click)
    tab.click("#show-talk")
    hold("**/facts/*", figures.last.click)
    let_go(1)
    tab.locator("#understood b").wait_for()
    said = tab.inner_text("#understood b")
    let_go()
    hold("**/search?*", lambda: tab.fill("#words", "revenue"))
    hold("**/search?*", lambda: tab.fill("#words", "nobody says this"))
    let_go(1)
    tab.locator("#found", has_text="Nothing has these words.").wait_for()
    let_go()
    assert tab.inner_text("#found") == "Nothing has these words."
    assert tab.inner_text("#understood b") == said and said in figures.last.text_content()


def test_a_link_to_share_is_seen_where_it_was_asked_for(tab):
    look_at(tab, "Brightmoor")
    ask(tab, "what was operating income in 2024?")
    ask(tab, "and in 2023?")
    tab.click("#exports summary")
    tab.click("#share")
    link = tab.locator("#working a")
    link.wait_for()
    assert tab.locator("#exports[open]").count() == 0
    assert link.evaluate(
        "node => { const box = node.getBoundingClientRect();"
        " return node.contains(document.elementFromPoint(box.left + 5, box.top + 5)); }"
    )


def test_what_another_tab_asked_is_there_after_the_next_question(tab, address):
    look_at(tab, "Brightmoor")
    ask(tab, "what was operating income in 2024?")
    other = tab.context.new_page()
    other.goto(tab.url)
    other.locator("#turns > li").wait_for()
    ask(other, "and in 2023?")
    other.close()
    ask(tab, "and in 2022?")
    tab.locator("#turns > li").nth(2).wait_for()
    assert tab.locator("#turns .answer").all_inner_texts() == ["$685 million", "$645 million", "$567 million"]


def test_an_empty_file_and_a_year_that_no_report_has_say_what_to_do(address):
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        sent = client.post("/api/reports?name=empty.csv", content=b"")
        assert "the file is empty" in sent.text
        asked = client.get("/api/statement", params={"company": "Brightmoor", "first": 1990, "last": 1991})
        assert asked.json()["error"].endswith("look at it by quarter")
