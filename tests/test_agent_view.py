"""What a language model, which pays for what it reads, is shown of a report: what answers, and little else."""

from __future__ import annotations

import re

import pytest
from filed import ontology, opened
from scripted import ScriptedBackend, answers, says

from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.view.ranking import RankedTable, Ranking, in_turn
from tieout.agent.view.reports import BUDGET, BUDGET_OF_MODEL, Reports
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Section, Table
from tieout.kg.build import build
from tieout.kg.index.passage import TableEntry, read_contents
from tieout.kg.index.words import Index

YEARS = ("in millions", "2024", "2023")
PARTS = (
    ("Business", ("Lantern Works makes lamps for harbours and streets.",)),
    (
        "Operating Results",
        (
            "The following items moved operating income in 2024:",
            "• Lower demand for harbour lamps took $14 million.",
            "• Higher freight took $6 million.",
            "• Prices of glass fell again.",
            "Management expects the same of 2025.",
        ),
    ),
    ("Growth", ("The acquisition of Beamhouse closed in March.",)),
    (
        "Retirement Plans",
        ("What former divers are owed is paid as follows:", "Health is that of dependants."),
        Table(rows=(("in millions", "Pensions", "Health"), ("2025", "31", "7"), ("2026", "33", "8"))),
    ),
    (
        "Restructuring",
        ("Closing two sites was decided in 2022.",),
        Table(rows=(YEARS, ("Site in Aldmoor", "17", "3"), ("Site in Brack", "9", "2"))),
    ),
    (
        "Mine Safety Disclosures",
        ("Orders of harbour mines are listed here by demand.",),
        Table(rows=(("Mine", "Orders by demand", "Harbour demand"), ("Quarry at Aldmoor", "3", "1"))),
    ),
    (
        "Consolidated Balance Sheets",
        ("Consolidated balance sheets of Lantern Works.",),
        Table(
            title="Consolidated Balance Sheets",
            rows=(
                YEARS,
                ("Cash and cash equivalents", "210", "180"),
                ("Accounts receivable, net", "340", "310"),
                ("Lamp oil held for others", "11", "12"),
                ("Inventories", "150", "140"),
                ("Total current assets", "711", "642"),
                ("Total assets", "1,400", "1,300"),
                ("Current liabilities", "300", "290"),
                ("Retained earnings", "700", "650"),
                ("Total liabilities and stockholders' equity", "1,400", "1,300"),
            ),
        ),
    ),
)


def report(company: str = "Lantern Works, Inc.", name: str = "lantern", filler: int = 60) -> Document:
    """A report of the parts above, and of sections that answer nothing."""
    parts = [*PARTS, *((f"Note {number}. Property", (f"Warehouse {number} is let.",)) for number in range(1, filler))]
    paragraphs: list[str] = []
    sections, tables = [], []
    for title, said, *own in parts:
        sections.append(Section(title=title, level=2, paragraph=len(paragraphs)))
        paragraphs += [title, *said]
        tables += [each.model_copy(update={"after": len(paragraphs), "section": len(sections) - 1}) for each in own]
    return Document(
        id=name,
        company=company,
        paragraphs=tuple(paragraphs),
        before=len(paragraphs),
        sections=tuple(sections),
        tables=tuple(tables),
    )


def said_under(*parts: tuple[str, str]) -> Document:
    """A report of a sentence under each heading."""
    return Document(
        id="notes",
        paragraphs=tuple(text for part in parts for text in part),
        tables=(),
        before=2 * len(parts),
        sections=tuple(
            Section(title=title, level=2 + (title[1] == "."), paragraph=2 * at) for at, (title, _) in enumerate(parts)
        ),
    )


def of(*documents: Document, budget: int = 700) -> Reports:
    graphs = [build(each, ontology()) for each in documents]
    index = Index()
    for document, graph in zip(documents, graphs, strict=True):
        index.keep(read_contents(document, *graph.contents()))
    return Reports(graphs, index, budget)


@pytest.fixture(scope="module")
def lantern() -> Reports:
    return of(report())


def view(reports: Reports, question: str) -> str:
    return reports.view(read_question(question)).text


def test_a_table_is_found_by_the_sentence_that_leads_to_it(lantern):
    assert re.search(r"(?m)^t1r1 2025 \| 31 \| 7$", view(lantern, "how much are divers owed?"))


def test_a_sentence_comes_with_its_list_and_an_entry_with_what_leads_to_it(lantern):
    found = lantern.search(["moved", "items"], only="sentences").text
    assert [part in found for part in ("following items", "harbour lamps", "freight", "glass")] == [True] * 4
    found = lantern.search(["freight"], only="sentences").text
    assert "The following items moved operating income" in found and "Higher freight" in found
    assert not re.search(r"(?m)^t\d", found)


def test_the_best_sentence_comes_with_its_neighbours(lantern):
    found = lantern.search(["management", "expects"], only="sentences").text
    assert "Management expects" in found and "glass fell" in found


def test_what_drove_a_change_is_found_by_how_reports_say_it(lantern):
    text = view(lantern, "what drove operating income in 2024?")
    assert "Lower demand for harbour lamps" in text and "Higher freight" in text


def test_words_of_questions_that_no_report_has_are_looked_for_as_reports_say_them(lantern):
    assert "Beamhouse" in view(lantern, "what came of M&A?")


def test_a_view_with_much_room_is_of_what_is_said_in_other_words_too():
    roomy = of(report(), budget=BUDGET)
    assert re.search(r"(?m)^t1r1 2025 \| 31 \| 7$", view(roomy, "how much are divers owed?"))
    assert "Beamhouse" in view(roomy, "what came of M&A?")


def test_a_statement_that_is_not_asked_for_shows_the_rows_that_every_report_has(lantern):
    text = view(lantern, "what did closing the sites in Aldmoor and Brack cost, and what are divers owed?")
    assert "Total current assets | 711" in text and "Lamp oil" not in text
    assert text.index("Site in Aldmoor | 17") < text.index("Total current assets")
    assert "Lamp oil held for others | 11" in lantern.opened("t4").text


def test_what_answers_hardly_any_question_comes_last(lantern):
    text = view(lantern, "how was demand for harbour lamps in Aldmoor?")
    assert text.index("Site in Aldmoor") < text.index("Quarry at Aldmoor")
    text = view(lantern, "how many orders does mine safety list for Aldmoor?")
    assert text.index("Quarry at Aldmoor") < text.index("Site in Aldmoor")


def test_a_note_opens_with_all_under_its_own_headings_and_not_with_the_next():
    parts = (
        ("Note 2. Purchases and Sales", "Two deals were made."),
        ("A. Purchases", "Beamhouse was bought."),
        ("B. Sales", "Wickhouse was sold."),
        ("Note 3. Leases", "Nothing is leased."),
        ("Note 22. Later Events", "There were none."),
    )
    found = [words in of(said_under(*parts)).opened("Note 2").text for _, words in parts]
    assert found == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("does it comply with the terms of its loans?", "Every covenant was kept"),
        ("who sued over lamps?", "Filbert Glass filed a complaint in district court"),
        ("is it dependent on one large client?", "One customer was concentrated upon"),
        ("why did profit of lamps fall?", "due to freight"),
        ("could it be that lamps are not wanted?", "Lamps could be unwanted"),
    ],
)
def test_what_is_asked_in_words_is_told_where_reports_tell_of_it(question, told):
    parts = (
        ("Liquidity", "Every covenant was kept."),
        ("Legal Matters", "Filbert Glass filed a complaint in district court."),
        ("Sales", "One customer was concentrated upon."),
        ("Results", "Earnings fell due to freight."),
        ("Earlier Results", "Earnings fell due to freight."),
        ("Risk Factors", "Lamps could be unwanted, lenders could sue over covenants and profit of lamps may fall."),
        *((f"Note {number}. Loans", f"Terms of loan {number} of lamps are its own.") for number in range(1, 70)),
    )
    reports = of(said_under(*parts), budget=300)
    assert told in view(reports, question)
    assert told in reports.search(question.rstrip("?").split(), only="sentences").text


def test_a_short_report_is_shown_with_all_it_says():
    text = view(of(report(filler=1), budget=1500), "who runs it?")
    assert all(sentence in text for _, said, *_ in PARTS for sentence in said)


def test_a_company_that_is_called_otherwise_is_resolved_in_the_request():
    both = of(report("Alphabet Inc.", "abc"), report("Lantern Works, Inc."))
    request = Session(both, ScriptedBackend([])).request("what were Google's total current assets?")
    assert "(Google is Alphabet Inc.: alphabet)" in request.view.text
    assert {fact.name.partition(":")[0] for fact in request.view.facts} == {"alphabet"}
    assert "is Alphabet" not in view(both, "what were Alphabet's total current assets?")
    alone = view(of(report("Alphabet Inc.", "abc")), "what were Google's total current assets?")
    assert "(Google is Alphabet Inc.)" in alone


def test_the_outline_of_a_short_view_names_each_statement_once(lantern):
    text = lantern.card().text
    assert text.count("Consolidated Balance Sheets") == 1 and "Retirement Plans: t1" in text


@pytest.mark.parametrize(
    ("settings", "confirm", "offered"),
    [({}, None, False), ({"two_phase": True}, None, True), ({}, lambda understood: None, True)],
)
def test_to_say_what_is_asked_first_is_offered_where_someone_looks_at_it(lantern, settings, confirm, offered):
    session = Session(lantern, ScriptedBackend([]), Settings(**settings), confirm=confirm)
    assert ("understand" in {tool.name for tool in session.request("total assets?").tools}) == offered


def test_what_is_asked_may_be_said_first_all_the_same(lantern):
    backend = ScriptedBackend([says(("understand", {"description": "cash"}), answers("t4r1c1"))])
    turn = Session(lantern, backend).ask("how much cash was there in 2024?")
    assert turn.text == "$210 million" or turn.text.startswith("210")
    assert turn.understanding is not None and turn.understanding.description == "cash"


def test_a_request_about_reports_has_no_word_on_codes_of_pages():
    request = Session(opened("brightmoor", budget=BUDGET_OF_MODEL), ScriptedBackend([])).request("net income?")
    assert "201c" not in request.instructions and "one page of" not in request.instructions
    assert "outline" in request.instructions


def test_the_best_of_what_each_of_two_questions_needs_comes_first():
    entries = [TableEntry(number, f"Table {number}", "", "", "", 0.0, (), 1) for number in range(5)]
    one = Ranking(tuple(RankedTable("r", entries[at], 9 - at, {at}) for at in (0, 1, 2)), ())
    other = Ranking(tuple(RankedTable("r", entries[at], 2, {7}) for at in (4, 1)), ())
    made = in_turn([one, other])
    assert [each.entry.number for each in made.tables] == [0, 4, 1, 2]
    assert made.tables[2].rows == {1, 7}
    assert in_turn([one]).tables == one.tables
