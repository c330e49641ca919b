"""The offline backend over whole reports: values, metrics, changes, comparisons, and what it does not know."""

from __future__ import annotations

import pytest
from filed import opened
from test_agent_values import fact

import tieout
from tieout.agent.log.turn import Turn
from tieout.agent.offline.answer.beside import held_against, is_same
from tieout.agent.offline.answer.reply import reply_of
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.calculation.solve import MOST_SURE
from tieout.agent.protocol.message import Card, Reply, Request
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.agent.view import reports
from tieout.agent.view.reports import Reports
from tieout.kg.reports.outline import companies_in
from tieout.ontology.asked.answered import cause_in

NAMES = ("brightmoor", "castellan")


def ask(question: str, *names: str) -> Turn:
    """The turn that answers a question about reports, about the first one unless told otherwise."""
    return Session(opened(*(names or NAMES[:1])), OfflineBackend()).ask(question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was net income in 2023?", "$473 million"),
        ("what were total assets at the end of 2024?", "$4.538 billion"),
        ("what was diluted EPS in 2022?", "$2.70 per share"),
        ("what was R&D in fiscal 2024?", "$229 million"),
        ("what was the goodwill as of December 31, 2023?", "$845 million"),
        ("how much were finished goods at the end of 2023?", "$127 million"),
        ("what was free cash flow in 2024?", "$492 million"),
        ("what was the change in operating income in 2023?", "$78 million"),
        ("by how many percent did revenue grow in 2024?", "8.4%"),
        ("R&D as a percentage of revenue in 2023", "7.0%"),
        ("what was the gross margin in 2024?", "43.3%"),
        ("what was net income?", "$505 million"),
        ("what was capex in 2024?", "$148 million"),
        ("what was net income in the prior year?", "$473 million"),
        ("what was Europe revenue in 2024?", "$1.017 billion"),
        ("what were net sales in Asia Pacific in 2023?", "$697 million"),
    ],
)
def test_a_question_is_answered_from_the_statement_it_is_about(question: str, answer: str) -> None:
    turn = ask(question)
    assert (turn.outcome, turn.text) == ("answer", answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("did net sales increase in 2024?", "yes"),
        ("did revenue fall in 2023?", "no"),
        ("was net income higher in 2022 than in 2024?", "no"),
        ("was net income lower in 2022 than in 2024?", "yes"),
        ("did gross margin improve?", "yes"),
        ("list net income by year", "2024: $505 million; 2023: $473 million; 2022: $407 million"),
        ("what was net income in 2022 and 2024?", "2024: $505 million; 2022: $407 million"),
        ("in which year was net income lowest?", "2022"),
        ("which year had the highest revenue?", "2024"),
        ("what was total debt in 2024?", "$950 million"),  # the current part is not in it twice
    ],
)
def test_an_answer_has_the_form_that_is_asked_for(question: str, answer: str) -> None:
    turn = ask(question)
    assert (turn.outcome, turn.text, turn.flags) == ("answer", answer, ())


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("what was revenue of Cruise in 2024?", "cruise"),
        ("what was Antarctica revenue in 2024?", "antarctica"),
        ("what was net income in euros in 2023?", "euro"),
        ("why did gross margin decline?", "why"),
    ],
)
def test_what_no_figure_or_sentence_accounts_for_is_asked_back_by_name(question: str, word: str) -> None:
    turn = ask(question)
    assert turn.clarification is not None
    assert word in turn.clarification.question.lower()


def test_why_is_answered_with_the_cause_that_a_sentence_names() -> None:
    text = "s3: Net sales rose by 8.4% {1} , driven by orders of hospitals.\ns4: Net income fell because of taxes."
    assert cause_in(["net sales"], (), (), text) == "driven by orders of hospitals"
    assert cause_in(["operating income"], (), (), text) == ""


def test_a_question_that_asks_on_takes_what_it_leaves_out_from_the_one_before() -> None:
    session = Session(opened(NAMES[0]), OfflineBackend())
    asked = (
        ("what was free cash flow in 2024?", "$492 million"),
        ("and in 2023?", "$486 million"),
        ("and revenue?", "$3.029 billion"),
        ("how did it change?", "$228 million"),
        ("what was the gross margin?", "43.2%"),  # of 2023, of which it was asked last
        ("and the year after?", "43.3%"),
        ("by how many percent did revenue grow in 2024?", "8.4%"),
        ("and R&D?", "7.5%"),
    )
    assert [(question, session.ask(question).text) for question, _ in asked] == list(asked)


def test_a_question_that_stands_alone_takes_nothing_from_the_one_before() -> None:
    session = Session(opened(NAMES[0]), OfflineBackend())
    session.ask("what was net income in 2022?")
    assert session.ask("what were total assets?").text == "$4.538 billion"


def test_a_report_without_statements_says_so_and_what_it_has() -> None:
    outline = "Some Company; 2 tables, 9 figures\n[ITEM 2]\nt1 Properties\nt2 Purchases of shares in 2024"
    request = Request(
        instructions="",
        tools=(),
        card=Card(document_id="a", facts=(), text=outline),
        view=Card(document_id="a", facts=(), text=""),
        question="what was net income in 2024?",
    )
    reply = OfflineBackend().reply(request)
    assert reply.calls[0].tool == "clarify"
    told = reply.calls[0].arguments
    assert "net income" in told["question"] and "no table of the report is an income statement" in told["question"]
    assert told["options"] == ["Properties"]


def test_a_metric_is_made_from_its_parts() -> None:
    turn = ask("what was the gross margin in 2024?")
    assert turn.program == "divide(1422, 3282)"


@pytest.mark.parametrize("question", ["what was the unicorn reserve in 2024?", "what was net income in 2015?"])
def test_what_the_report_does_not_have_is_asked_back_with_its_name(question: str) -> None:
    turn = ask(question)
    assert turn.outcome == "clarify"
    assert turn.clarification is not None
    assert "unicorn" in turn.clarification.question or "2015" in turn.clarification.question


def test_whose_is_answered_with_a_name_and_the_figures_of_all_reports() -> None:
    turn = ask("whose revenue grew faster in 2023?", *NAMES)
    assert turn.text == "Castellan Optics Corporation"
    assert [item.text for item in turn.items] == ["Castellan Optics Corporation", "8.1%"]
    under = {name for root in turn.roots for name in turn.ledger.facts_under(root)}
    assert under == {f"{alias}:t5r5c{column}" for alias in ("brightmo24", "castella24") for column in (2, 3)}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("which of these had the highest gross margin in fiscal 2024?", "Brightmoor Instruments, Inc."),
        ("which of these had the lowest gross margin in fiscal 2024?", "Castellan Optics Corporation"),
        ("who had the lower net income in 2022?", "Castellan Optics Corporation"),
        ("which company spent more on R&D in 2024?", "Brightmoor Instruments, Inc."),
    ],
)
def test_the_highest_and_the_lowest_are_told_apart(question: str, name: str) -> None:
    assert ask(question, *NAMES).text == name


def test_a_question_that_names_no_report_is_answered_for_each() -> None:
    turn = ask("what was revenue in 2024?", *NAMES)
    assert turn.text == ("Brightmoor Instruments, Inc.: $3.282 billion; Castellan Optics Corporation: $1.788 billion")


def test_a_question_that_names_one_report_is_answered_from_it_alone() -> None:
    turn = ask("what was Castellan's net income in 2023?", *NAMES)
    assert turn.text == "$230 million"
    assert (turn.probability or 0) > 0.9


def test_years_that_end_in_different_months_are_said() -> None:
    flags = {flag.rule: flag.message for flag in ask("who had more revenue in 2024?", *NAMES).flags}
    assert "June 2024" in flags["fiscal years apart"] and "December 2024" in flags["fiscal years apart"]
    assert "fiscal years apart" not in {
        flag.rule for flag in ask("what was Castellan's revenue in 2024?", *NAMES).flags
    }


def test_a_year_that_one_report_lacks_is_asked_back_by_name_of_its_company() -> None:
    turn = ask("which had the highest net income in 2015?", *NAMES)
    assert turn.outcome == "clarify" and turn.clarification is not None
    assert "Castellan" in turn.clarification.question


def test_the_outline_is_read_for_the_names_of_the_companies() -> None:
    assert companies_in(opened(*NAMES).card().text) == {
        "brightmo24": "Brightmoor Instruments, Inc.",
        "castella24": "Castellan Optics Corporation",
    }
    assert companies_in(opened("brightmoor").card().text) == {"": "Brightmoor Instruments, Inc."}


def test_each_of_several_reports_has_its_share_of_the_view() -> None:
    for budget in (1000, 6000):
        reports: Reports = opened(*NAMES, budget=budget)
        shown = {
            fact.name.partition(":")[0] for fact in reports.view(read_question("what was net income in 2023?")).facts
        }
        assert shown == {"brightmo24", "castella24"}


def test_of_many_reports_only_the_lines_that_are_needed_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_WITH_TABLES", 1)
    open_reports = opened(*NAMES)
    session = Session(open_reports, OfflineBackend())
    highest = session.ask("which of these had the highest gross margin in fiscal 2024?")
    assert highest.text == "Brightmoor Instruments, Inc."
    faster = session.ask("whose revenue grew faster in 2023?")
    assert faster.text == "Castellan Optics Corporation"
    view = open_reports.view(read_question("whose revenue grew faster in 2023?"))
    assert {fact.period.year for fact in view.facts if fact.period} <= {2022, 2023}
    assert len(view.facts) < 20 and all(fact.name in view.text for fact in view.facts)


PAGE = {
    "pre_text": ["consolidated statements of income ( in thousands )"],
    "table": [
        ["", "2023", "2022", "2021"],
        ["net sales", "$ 912,400", "$ 814,300", "$ 700,100"],
        ["cost of sales", "600,200", "540,100", "470,000"],
        ["gross profit", "312,200", "274,200", "230,100"],
        ["operating income", "139,786", "120,100", "98,000"],
        ["net income", "99,504", "88,000", "73,708"],
    ],
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was the operating margin in 2023?", "15.3%"),  # not printed: from its parts
        ("did net income fall in 2022?", "no"),
        ("list net income by year", "2023: $99.504 million; 2022: $88 million; 2021: $73.708 million"),
    ],
)
def test_a_page_is_asked_for_what_follows_from_its_lines(question: str, answer: str) -> None:
    turn = tieout.chat(PAGE).ask(question)
    assert (turn.outcome, turn.text) == ("answer", answer)


def test_an_answer_is_the_less_sure_the_more_ways_to_read_the_question_come_to_something_else() -> None:
    facts = {name: fact(name, value) for name, value in (("t1r1c1", "504"), ("t1r2c1", "31"), ("t2r1c1", "504"))}

    def of(name: str) -> Reply:
        understood = ("understand", {"description": f"look up {name}"})
        return reply_of([understood, ("query_kg", {"fact": name}), ("answer", {"value": name})], 0.9)

    reply, other = of("t1r1c1"), of("t1r2c1")
    assert held_against(reply, {"named": of("t2r1c1"), "words": None}, facts) == reply
    once = held_against(reply, {"named": of("t2r1c1"), "words": other}, facts)
    twice = held_against(reply, {"named": other, "words": other}, facts)
    assert (twice.confidence or 0) < (once.confidence or 0) < 0.9
    assert once.alternative == "look up t1r2c1"


def made_of(operation: str, *names: str) -> Reply:
    looked_up = [("query_kg", {"fact": name}) for name in names]
    made = [("calculate", {"operation": operation, "values": [*names], "name": "made"})] if operation else []
    return reply_of([*looked_up, *made, ("answer", {"value": "made" if made else names[0]})], 0.9)


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        (("", "t1r1c1"), ("", "t2r1c1"), True),  # the same amount in two tables
        (("", "t1r1c1"), ("", "t1r2c1"), False),
        (("", "t1r1c1"), ("", "t1r3c1"), True),  # within half a percent
        (("divide", "t1r1c1", "t1r2c1"), ("percentage", "t2r1c1", "t1r2c1"), True),
        (("greater", "t1r1c1", "t1r2c1"), ("greater", "t2r1c1", "t1r2c1"), True),
        (("greater", "t1r1c1", "t1r2c1"), ("greater", "t1r2c1", "t2r1c1"), False),
        (("greater", "t1r1c1", "t1r2c1"), ("", "t1r4c1"), False),  # `yes` is not 1
        (("", "t1r1c1"), ("", "t9r9c9"), False),  # of which nothing is known
        (("", "t9r9c9"), ("", "t9r9c9"), True),
    ],
)
def test_two_replies_are_one_where_they_come_to_the_same_or_rest_on_the_same(one, other, is_one: bool) -> None:
    amounts = (("t1r1c1", "504"), ("t1r2c1", "31"), ("t2r1c1", "504"), ("t1r3c1", "505"), ("t1r4c1", "1"))
    facts = {name: fact(name, value) for name, value in amounts}
    assert is_same(made_of(*one), made_of(*other), facts) is is_one


def test_a_line_of_the_statements_is_as_sure_in_talk_as_first_where_the_question_says_all_itself() -> None:
    talk = Session(opened(*NAMES[:1]), OfflineBackend())
    first = talk.ask("how much did receivables grow in 2024?")
    talk.ask("and inventories?")
    then = talk.ask("how much did receivables grow in 2024?")
    assert first.text == then.text == "8.6% ($40 million)"
    assert then.probability == first.probability >= MOST_SURE
