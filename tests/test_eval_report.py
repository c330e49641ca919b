"""The report in a browser: it opens from disk, filters, shows a turn, and takes nothing in a document as markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browsing import SIZES, opened_tab
from conftest import SAMPLE
from eval_runs import Student, not_over, run

from tieout.agent.log.log import log_path
from tieout.eval.gold.errata import Errata
from tieout.eval.run.sample import Selection
from tieout.eval.score.score import Rule
from tieout.eval.show.report import page as report_page
from tieout.eval.show.report import write_report

ASK = SAMPLE / "ask.json"
EVIL = '</script><script>document.title="hacked"</script><img src=x onerror="document.title=\'hacked\'">'


def made(folder: Path, file: Path, selection: Selection = Selection(), name: str = "first") -> Path:  # noqa: B008
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(file))
        run(folder, file, name, selection=selection)
    return folder / name


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return made(tmp_path_factory.mktemp("report"), ASK)


@pytest.fixture(scope="module")
def errata(folder) -> Errata:
    first = json.loads(ASK.read_text())[0]["id"]
    return {(first, 0): "for the test"}


@pytest.fixture(scope="module")
def file(folder, errata) -> Path:
    write_report(folder, None, folder / "report.html", Rule.STRICT, errata)
    return folder / "report.html"


@pytest.fixture(scope="module", params=SIZES)
def window(request, browser):
    """A tab at desktop or phone width that fails on a message to the console or a request to the network."""
    with opened_tab(browser, SIZES[request.param], ("file:", "data:", "about:")) as opened:
        yield opened


@pytest.fixture
def tab(window):
    """It with nothing open, as new: a link into the page that is open would not load it again."""
    window.goto("about:blank")
    return window


def fits(tab) -> bool:
    wide = "[document.documentElement.scrollWidth, document.getElementById('turn').scrollWidth]"
    return max(tab.evaluate(wide)) <= tab.viewport_size["width"]


def test_it_opens_from_disk_and_the_filter_filters(tab, file, folder):
    tab.goto(file.as_uri())
    turns = sum(json.loads((folder / "run.json").read_text())["conversations"].values())
    assert tab.locator("#list li").count() == turns
    assert f"{turns} of {turns} turns" in tab.inner_text("#count")
    assert tab.locator("figure svg").count() >= 4
    assert fits(tab)
    tab.select_option("[name=result]", "right")
    right = tab.locator("#list li").count()
    tab.select_option("[name=result]", "wrong")
    wrong = tab.locator("#list li").count()
    assert 0 < wrong < right and wrong + right == turns
    tab.select_option("[name=result]", "suspect")
    assert tab.locator("#list li").count() == 1
    tab.click("#clear")
    tab.select_option("[name=dimension]", label="kind")
    tab.select_option("[name=slice]", "look-up")
    lookups = tab.locator("#list li").count()
    assert 0 < lookups < turns
    tab.fill("[name=text]", "no such words at all")
    assert tab.locator("#list li").count() == 0
    tab.click("#clear")
    assert tab.locator("#list li").count() == turns
    tab.fill("[name=slower]", "100000")
    assert tab.locator("#list li").count() == 0


def test_a_turn_opens_and_shows_what_led_to_its_answer(tab, file):
    tab.goto(file.as_uri())
    tab.select_option("[name=result]", "right")
    tab.select_option("[name=dimension]", label="kind")
    tab.select_option("[name=slice]", "program")
    question = tab.locator("#list .q").first.text_content().partition("?")[0]
    tab.locator("#list a").first.click()
    tab.wait_for_selector("dialog[open]")
    text = tab.inner_text("#detail")
    for part in (question, "Tie-out", "The page", "What happened", "calculate", "gold"):
        assert part in text
    assert tab.locator("#detail .tree li").count() >= 3
    lit = tab.locator("#detail .lit[data-facts]")
    assert lit.count() >= 1
    fact = tab.locator("#detail li[data-fact]").first
    fact.focus()
    assert tab.locator("#detail .strong").count() >= 1
    assert "SELECT" in tab.locator("#detail details pre").first.text_content()
    assert fits(tab)
    tab.keyboard.press("ArrowRight")
    assert tab.inner_text("#detail") != text
    tab.keyboard.press("Escape")
    assert tab.locator("dialog[open]").count() == 0


def test_it_is_used_with_the_keyboard_alone(tab, file):
    tab.goto(file.as_uri())
    tab.locator("#list a").first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("dialog[open]")
    assert "2 of" in tab.inner_text("#where")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.getAttribute('href')") == "#turn-1"
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.name") == "text"


def test_who_types_in_the_filter_as_a_turn_closes_stays_there(tab, file):
    tab.goto(f"{file.as_uri()}#turn-3")
    closed = tab.evaluate_handle("({ told: new Promise((done) => find('turn').addEventListener('close', done)) })")
    tab.wait_for_selector("dialog[open]")
    tab.evaluate("find('turn').close(), form.elements.text.focus()")
    closed.evaluate("async (close) => void (await close.told)")
    assert tab.evaluate("document.activeElement.name") == "text"


def test_a_link_opens_its_turn(tab, file):
    tab.goto(f"{file.as_uri()}#turn-3")
    tab.wait_for_selector("dialog[open]")
    assert "(4 of" in tab.inner_text("#where")


def test_the_reliability_table_stands_below_its_plot_and_fits(tab, file):
    tab.goto(file.as_uri())
    figure = tab.locator("figure", has_text="Calibration, rule main")
    assert figure.locator("svg").count() == 1
    assert figure.locator("thead").inner_text().split() == ["confidence", "mean", "right", "95%", "interval", "n"]
    rows = [row.split() for row in figure.locator("tbody tr").all_inner_texts()]
    assert [row[:4] for row in rows] == [["30", "to", "40%", "30.0%"], ["80", "to", "90%", "80.0%"]]
    assert figure.locator(".scroll").evaluate("each => each.scrollWidth <= each.clientWidth")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """A report whose id, cells, sentences, questions and printed answers all try to become part of the page."""
    record = json.loads(ASK.read_text())[0]
    record["id"] = f"Single_{EVIL}/2007/page_1.pdf-1"
    record["table"][0] = [EVIL + cell for cell in record["table"][0]]
    record["table"] = [[EVIL + row[0], *row[1:]] for row in record["table"]]
    record["pre_text"] = [EVIL, *record["pre_text"]]
    notes = record["annotation"]
    notes["dialogue_break"] = [f"{question} {EVIL}" for question in notes["dialogue_break"]]
    notes["answer_list"] = [EVIL for _ in notes["dialogue_break"]]
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "data.json").write_text(json.dumps([record]))
    made(folder / "runs", folder / "data.json")
    write_report(folder / "runs" / "first", None, folder / "report.html", Rule.MAIN, {})
    return folder / "report.html"


def test_a_hostile_report_is_shown_as_text(tab, hostile):
    tab.goto(hostile.as_uri())
    assert tab.title() == "first: tieout"
    assert EVIL in tab.text_content("#list")
    for number in range(tab.locator("#list a").count()):
        tab.goto(f"{hostile.as_uri()}#turn-{number}")
        tab.wait_for_selector(f"#turn-title:has-text('{number + 1}. ')")
        assert EVIL in tab.text_content("#detail")
    assert tab.locator("img").count() == 0
    assert tab.title() == "first: tieout"


def test_nothing_of_a_hostile_report_stands_in_the_file_as_markup(hostile):
    text = hostile.read_text()
    assert EVIL not in text
    assert "<img" not in text
    assert text.count("</script>") == text.count("<script")


def test_it_holds_everything_and_asks_for_nothing(file):
    text = file.read_text()
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "default-src 'none'" in text
    for section in ("Figures", "Plots", "Why turns are wrong", "Turns"):
        assert f">{section}</h2>" in text
    for rule in ("strict", "main", "lenient"):
        assert f'<p class="name">{rule}</p>' in text
    assert len(text) < 15_000_000


def test_the_same_run_gives_the_same_bytes(folder, file, errata):
    assert report_page(folder, None, Rule.STRICT, errata) == file.read_text()


def test_a_comparison_stands_in_it(folder, tmp_path):
    few = Selection(limit=4)
    made(tmp_path, ASK, few, "small")
    write_report(folder, tmp_path / "small", tmp_path / "report.html", Rule.MAIN, {})
    text = (tmp_path / "report.html").read_text()
    assert "Against small" in text and "p (McNemar)" in text and '"against":"small"' in text


def test_a_run_without_labels_or_without_an_end_still_has_a_report(tmp_path):
    records = json.loads(ASK.read_text())[:3]
    for record in records:
        notes = record["annotation"]
        (
            notes.pop("turn_program"),
            notes.pop("exe_ans_list"),
            notes.pop("answer_list", None),
            notes.pop("qa_split", None),
        )
    (tmp_path / "data.json").write_text(json.dumps(records))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Unlabelled())
        run(tmp_path, tmp_path / "data.json")
    log = log_path(tmp_path / "first", records[0]["id"])
    log.write_bytes(log.read_bytes()[:-400])
    not_over(tmp_path / "first")
    text = report_page(tmp_path / "first", None, Rule.MAIN, {})
    assert "Nothing in this run is labelled" in text
    assert "2 of 3 complete" in text


def test_without_matplotlib_the_report_has_tables_and_says_why(folder, monkeypatch):
    monkeypatch.setattr("tieout.data.output.chart.find_spec", lambda name: None)
    text = report_page(folder, None, Rule.MAIN, {})
    assert "<svg" not in text and "matplotlib is not installed (pip install &#x27;tieout[report]&#x27;)" in text
    assert "The same as tables" in text


class Unlabelled(Student):
    """Answers with the first figure."""

    def __init__(self) -> None:
        self.asked = 0

    def reply(self, request):
        from scripted import answers, says

        return says(answers(request.card.facts[0].name))
