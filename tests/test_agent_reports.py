"""Whole reports in a conversation: what is shown of them, what opens more, and the names of their figures."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NoReturn

import pytest
from filed import indexed, ontology, opened, read
from pyoxigraph import RdfFormat, Store
from scripted import ScriptedBackend, answers, calculates, says

import tieout.agent.view.reports as view_of_reports
from tieout.agent.answers.sheet import plain_text
from tieout.agent.log.events import ConversationStarted, ToolCalled
from tieout.agent.log.log import Log, read_events
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_files
from tieout.agent.protocol.tool import ToolError
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.view.reports import CHARACTERS_PER_TOKEN, FACT, Reports
from tieout.eval.show.provenance import run_quads
from tieout.kg.index.aliases import aliases
from tieout.kg.index.passage import ReportEntry
from tieout.kg.index.words import Index
from tieout.kg.reports.outline import companies_in
from tieout.kg.store.graph import Graph
from tieout.ontology.vocabulary import document_graph

QUESTION = "what was net income in 2023?"
NAMES = ("brightmoor", "castellan")


def figures_in(text: str) -> set[str]:
    """The rows that a view shows."""
    return set(re.findall(r"(?m)^(?:[a-z0-9]+:)?(t\d+)r\d+ ", text))


def test_the_outline_tells_what_the_report_is_and_names_its_statements() -> None:
    text = opened("brightmoor").card().text
    assert "Brightmoor Instruments, Inc., 10-K, period ended 2024-12-31; 20 tables" in text
    assert "CONSOLIDATED BALANCE SHEETS (balance statement)" in text
    assert "Note 5. Debt" in text


def test_a_view_stays_within_its_budget() -> None:
    for budget in (500, 1500, 6000):
        reports = opened("brightmoor", budget=budget)
        for question in (
            QUESTION,
            "what was long-term debt?",
            "how did sales, margins, cash flow, debt and taxes change?",
        ):
            assert len(reports.view(read_question(question)).text) <= budget * CHARACTERS_PER_TOKEN + 200


def test_the_statement_that_a_question_needs_is_shown_whole() -> None:
    view = opened("brightmoor").view(read_question(QUESTION))
    shown = {fact.name for fact in view.facts}
    _, graph, contents = read("brightmoor")
    (income,) = (table.number for table in contents.tables if table.statement == "income" and table.certainty >= 0.9)
    measures = {fact.name for fact in graph.facts() if fact.table == income}
    assert measures <= shown
    assert min(figures_in(view.text), key=lambda name: view.text.index(f"\n{name}r")) == f"t{income}"


def test_a_table_is_shown_once_and_a_sentence_too() -> None:
    lines = [
        line
        for line in opened("brightmoor").view(read_question("what were net sales?")).text.splitlines()
        if line[:1] in "ts"
    ]
    assert len(lines) == len(set(lines))


def test_a_table_that_is_too_long_keeps_its_head_and_the_rows_that_are_asked_for() -> None:
    whole = opened("brightmoor").opened("t8").text
    cut = opened("brightmoor", budget=700).view(read_question("what were dividends paid in 2023?")).text
    assert "2023" in cut and "Dividends paid" in cut
    assert "..." in cut.splitlines() and "..." not in whole.splitlines()
    assert len(re.findall(r"(?m)^t8r", cut)) < len(re.findall(r"(?m)^t8r", whole))


def test_figures_of_earlier_turns_stay_in_reach() -> None:
    reports = opened("brightmoor", budget=1500)
    alone = figures_in(reports.view(read_question("and its change?")).text)
    inventory = next(fact for fact in read("brightmoor")[1].facts() if fact.label == "Finished goods").name
    assert inventory.partition("r")[0] not in alone
    assert inventory.partition("r")[0] in figures_in(reports.view(read_question("and its change?"), [inventory]).text)


def test_the_card_is_the_same_in_all_turns_and_only_the_view_changes() -> None:
    backend = ScriptedBackend([says(answers("t5r21c2")), says(answers("t7r9c1"))])
    session = Session(opened("brightmoor"), backend)
    session.ask(QUESTION)
    session.ask("what was goodwill at the end of 2024?")
    first, second = backend.requests
    assert first.card == second.card
    assert first.view is not None and second.view is not None and first.view.text != second.view.text


def test_aliases_are_of_company_and_year_and_none_is_given_twice() -> None:
    def entry(name: str, year: int) -> ReportEntry:
        from datetime import date

        return ReportEntry(f"{name}{year}", name, "10-K", date(year, 12, 31), 1)

    entries = [entry("The Coca-Cola Company", 2024), entry("General Motors", 2023), entry("Coca-Cola", 2024)] * 4
    given = aliases(entries)
    assert given[:2] == ["coca24", "general23"]
    assert len(set(given)) == len(entries)
    assert aliases(entries[:1]) == [""]
    many = aliases([entry("General Motors", 2023)] * 40)
    assert many[:3] == ["general23", "general23b", "general23c"] and len(set(many)) == 40
    assert all(FACT.fullmatch(f"{alias}:t1r2c3") for alias in many)


def test_what_is_shown_needs_no_look_at_the_graph_and_what_is_chosen_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> NoReturn:
        raise AssertionError("the graph was asked")

    reports = opened("brightmoor")
    with monkeypatch.context() as patched:
        for name in ("select", "describe", "facts"):
            patched.setattr(Graph, name, refused)
        assert reports.card().text and reports.view(read_question(QUESTION)).facts
        assert reports.search(["senior", "notes"]).text and reports.opened("t5").text
        assert reports.prints("4.75% senior notes due 2030") and not reports.prints("5.75% senior notes due 2030")
        said = next(each.text for each in read("brightmoor")[2].sentences if each.figures)
        named = reports.sentence_with(f"  {said[:40]}")
        assert named is not None and said[:40].strip() in (reports.sentence(named) or "")
        assert reports.sentence("s99999") is None and reports.sentence_with("nobody ever wrote this") is None
        with pytest.raises(AssertionError, match="the graph was asked"):
            reports.value(reports.facts["t5r5c1"])
    assert reports.value(reports.facts["t5r5c1"]) == 3282
    with pytest.raises(ToolError, match="another figure in the graph"):
        reports.value(reports.facts["t5r5c1"].changed(value=Decimal(3283)))


def many_reports(count: int) -> Reports:
    """One report under many ids, in an index and in memory."""
    _, graph, contents = read("castellan")
    index, graphs = Index(), []
    for number in range(count):
        name = f"castellan{number}"
        filing = replace(contents.filing.filing, company=f"Castellan {'ABCDEF'[number]}", identifier="", names=())
        report = replace(contents.report, id=name, company=filing.company)
        index.keep(replace(contents, report=report, filing=replace(contents.filing, filing=filing)))
        graphs.append(
            Graph(name, graph.triples.replace(graph.iri.encode(), document_graph(name).encode()), graph.terms)
        )
    return Reports(graphs, index)


def test_many_reports_are_outlined_by_their_statements_and_asked_like_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_of_reports, "MOST_WITH_TABLES", 2)  # those that are many
    reports = many_reports(3)
    text = reports.card().text
    assert text.count("(income statement)") == text.count("(balance statement)") == len(companies_in(text)) == 3
    assert "Note" not in text
    turn = Session(reports, OfflineBackend()).ask("what was revenue in 2024?")
    assert turn.text is not None and turn.text.count("$1.788 billion") == 3


def test_figures_of_several_reports_carry_their_alias() -> None:
    reports = opened(*NAMES)
    assert list(reports.open) == ["brightmo24", "castella24"]
    view = reports.view(read_question("what was revenue in 2024?"))
    assert {fact.name.partition(":")[0] for fact in view.facts} == {"brightmo24", "castella24"}
    assert all(
        re.match(r"(brightmo24|castella24):t", line) for line in view.text.splitlines() if re.match(r"\w+:t", line)
    )


def test_a_company_that_a_question_names_narrows_the_view() -> None:
    view = opened(*NAMES).view(read_question("what was the revenue of Castellan in 2024?"))
    assert {fact.name.partition(":")[0] for fact in view.facts} == {"castella24"}


def test_a_figure_of_one_report_is_not_that_of_the_other() -> None:
    reports = opened(*NAMES)
    one, other = reports.facts["brightmo24:t5r5c1"], reports.facts["castella24:t5r5c1"]
    assert (str(one.value), str(other.value)) == ("3282", "1788")
    assert "t5r5c1" not in reports.facts and "nobody24:t5r5c1" not in reports.facts


def two_reports(log: Path) -> Session:
    """A conversation over two reports in which sales are compared."""
    script = says(
        ("query_kg", {"fact": "brightmo24:t5r5c1", "name": "here"}),
        ("query_kg", {"fact": "castella24:t5r5c1", "name": "there"}),
        calculates("more", "subtract", "here", "there"),
        answers("more"),
    )
    session = Session(opened(*NAMES), ScriptedBackend([script]), log=Log(log))
    session.ask("how much more did Brightmoor sell than Castellan?")
    session.close()
    return session


def test_a_model_answers_over_two_reports_and_the_sheet_names_both(tmp_path: Path) -> None:
    (turn,) = two_reports(tmp_path / "log.jsonl").turns
    assert turn.text == "$1.494 billion"
    sheet = plain_text(turn)
    assert "brightmo24:t5r5c1" in sheet and "castella24:t5r5c1" in sheet


def test_the_log_says_which_reports_the_aliases_are_and_the_query_of_each_figure(tmp_path: Path) -> None:
    two_reports(tmp_path / "log.jsonl")
    events = list(read_events(tmp_path / "log.jsonl"))
    (began,) = (event for event in events if isinstance(event, ConversationStarted))
    assert began.reports == {"brightmo24": "brightmoor", "castella24": "castellan"}
    looked_up = [event for event in events if isinstance(event, ToolCalled) and event.tool == "query_kg"]
    for event, name in zip(looked_up, NAMES, strict=True):
        assert f"urn:tieout:doc:{name}#t5r5c1" in event.sparql[-1]
        value = json.loads(event.output)["value"]
        assert value in {str(row["value"]) for row in read(name)[1].select(event.sparql[-1])}


def test_provenance_leads_to_the_facts_of_each_report(tmp_path: Path) -> None:
    two_reports(tmp_path / "log.jsonl")
    _, quads = run_quads("test", [list(read_events(tmp_path / "log.jsonl"))])
    store = Store()
    store.load(quads, format=RdfFormat.N_QUADS)
    for name in NAMES:
        store.load(read(name)[1].quads, format=RdfFormat.N_QUADS)
    found = store.query(
        """PREFIX kg: <urn:tieout:kg#> PREFIX prov: <http://www.w3.org/ns/prov#>
        SELECT ?document ?raw WHERE { GRAPH ?run { ?turn kg:answer ?answer . ?answer prov:wasDerivedFrom+ ?fact .
        ?talk kg:document ?document } GRAPH ?document { ?fact kg:raw ?raw } }"""
    )
    assert {(str(row["document"].value), str(row["raw"].value)) for row in found} == {  # type: ignore[union-attr]
        ("urn:tieout:doc:brightmoor", "$ 3,282"),
        ("urn:tieout:doc:castellan", "$ 1,788"),
    }


def tools(reports: object) -> set[str]:
    """The tools that a backend is offered."""
    backend = ScriptedBackend([says(answers("t1r1c1"))])
    request = Session(reports, backend).request(QUESTION)  # type: ignore[arg-type]
    return {tool.name for tool in request.tools}


def test_search_and_open_are_offered_for_reports_alone() -> None:
    assert tools(opened("brightmoor")) - tools(read("brightmoor")[1]) == {"search", "open"}


def test_search_brings_tables_and_sentences_in_the_notation_of_the_view() -> None:
    found = opened("brightmoor").search(["senior", "notes"])
    assert "4.75% senior notes due 2030" in found.text
    assert re.search(r"(?m)^t\d+r\d+ ", found.text) and re.search(r"(?m)^s\d+", found.text)


def test_search_is_narrowed_by_section_and_report() -> None:
    reports = opened(*NAMES)
    found = reports.search(["total"], report="castella24", section="Income Taxes")
    assert {fact.name.partition(":")[0] for fact in found.facts} == {"castella24"}
    assert all("Income Taxes" in fact.heading for fact in found.facts)


@pytest.mark.parametrize("words", [["zyzzyva"], ["---"]])
def test_a_search_that_finds_nothing_says_so(words: list[str]) -> None:
    with pytest.raises(ToolError, match="nothing has any of"):
        opened("brightmoor").search(words)


def test_a_search_in_a_report_that_is_not_open_names_those_that_are() -> None:
    with pytest.raises(ToolError) as error:
        opened(*NAMES).search(["sales"], report="acme20")
    assert "acme20" in str(error.value) and "brightmo24" in json.dumps(error.value.detail)


def test_a_table_is_opened_whole_and_its_figures_can_be_used() -> None:
    backend = ScriptedBackend([says(("open", {"name": "t16"})), says(answers("t16r3c1"))])
    turn = Session(opened("brightmoor"), backend).ask("how much of the notes due 2030 is there?")
    assert turn.text == "$725 million"
    told = next(event.output for event in turn.events if isinstance(event, ToolCalled) and event.tool == "open")
    assert "Less current portion" in told


def test_a_sentence_is_opened_with_those_around_it() -> None:
    reports = opened("brightmoor")
    name = next(fact.name for fact in read("brightmoor")[1].facts() if "911" in fact.raw and fact.sentence is not None)
    number = int(re.findall(r"\d+", name)[0])
    text = reports.opened(f"s{number}").text
    assert "911" in text and "Interest paid" in text.replace("interest paid", "Interest paid")


@pytest.mark.parametrize("name", ["t99", "s99999", "nothing", "x24:t1", ""])
def test_what_is_not_there_cannot_be_opened(name: str) -> None:
    with pytest.raises(ToolError):
        opened("brightmoor").opened(name)


def test_a_figure_that_was_not_shown_is_looked_up_by_its_label() -> None:
    call = ("query_kg", {"property": "Finished goods", "filters": {"year": "2024"}, "name": "found"})
    turn = Session(opened("brightmoor"), ScriptedBackend([says(call, answers("found"))])).ask("what was net income?")
    assert turn.text == "$136 million"


def test_terms_are_read_longest_first() -> None:
    assert [each.name for each in read_question("what was the net income margin in FY23?").named] != ["net_income"]
    assert read_question("sales in FY23 and 2021").years == (2023, 2021)


def test_a_report_that_lacks_what_most_have_is_named_beside_the_answer() -> None:
    index = indexed(*NAMES)
    contents = read("castellan")[2]
    bare = replace(contents.report, id="bare", company="Bare Holdings")
    filing = replace(contents.filing.filing, company="Bare Holdings", identifier="", names=())
    entry = replace(contents.filing, filing=filing, observed=())
    index.keep(replace(contents, report=bare, filing=entry, tables=(), lines=(), sentences=()))
    reports = Reports([read(NAMES[0])[1], read(NAMES[1])[1], Graph("bare", b"")], index)
    turn = Session(reports, OfflineBackend()).ask("which of these had the highest revenue in 2024?")
    assert turn.text is not None and turn.text.startswith("Brightmoor")
    assert [flag.message for flag in turn.flags if flag.rule == "left open"] == [
        "nothing was found of it for Bare Holdings"
    ]
    named = Session(reports, OfflineBackend()).ask("what was the revenue of Brightmoor and Castellan in 2024?")
    assert not [flag for flag in named.flags if flag.rule == "left open"]


def test_what_one_of_two_reports_lacks_is_answered_for_the_other_and_asked_back_where_they_are_compared(
    tmp_path: Path,
) -> None:
    (tmp_path / "harbor.csv").write_text("EUR in thousands,2023,2022\nRevenue,1500,1400\nTotal assets,1912,14\n")
    sales = "USD in millions,2023,2022\nCost of revenue,10,12\nRevenue per store,9,8\nTotal assets,9,8\n"
    (tmp_path / "sales.csv").write_text(sales)
    with open_files([tmp_path], ontology(), store=tmp_path / "store") as there:
        session = Session(there.source, OfflineBackend())
        lacking = session.ask("what was revenue in 2023?")
        compared = session.ask("whose revenue was higher in 2023?").clarification
        money = session.ask("whose total assets were higher in 2023?").clarification
    assert lacking.text == "harbor: €1.5 million"
    assert "nothing was found of it for sales" in [flag.message for flag in lacking.flags]
    assert compared is not None and compared.question.startswith("Nothing was found of revenue for sales.")
    assert money is not None and "harbor: €1.912 million; sales: $9 million" in money.question


def test_reports_that_have_nothing_of_what_is_compared_are_named_beside_the_answer_for_the_others(
    tmp_path: Path,
) -> None:
    for name, revenue in (("harbor", 1500), ("brook", 1700)):
        (tmp_path / f"{name}.csv").write_text(f"USD in thousands,2023,2022\nRevenue,{revenue},1400\nTotal assets,9,8\n")
    (tmp_path / "sales.csv").write_text("USD in thousands,2023,2022\nRevenue per store,9,8\nTotal assets,9,8\n")
    (tmp_path / "stray.htm").write_text("hi there")
    with open_files([tmp_path], ontology(), store=tmp_path / "store") as there:
        turn = Session(there.source, OfflineBackend()).ask("which company had the highest revenue in 2023?")
    assert turn.text == "brook"
    assert [flag.message for flag in turn.flags if flag.rule == "left open"] == [
        "nothing was found of it for sales, stray"
    ]
