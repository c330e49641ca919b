"""Checks of an answer without a model: what each rule flags, what it lets pass, and that none changes the answer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.answers.checks.check import RULES, check, confidence
from tieout.agent.log.events import Flag
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Table
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.kg.build import build
from tieout.ontology.model import Ontology

REPORT = Document(
    id="Single_BRINDLE/2012/page_3.pdf-1",
    paragraphs=(
        "all amounts are in millions of dollars unless otherwise noted .",
        "net revenue was $ 4.1 billion in 2012 .",
        "gross margin was $ 151 million in 2012 .",
        "operating cost was $ 40 million in 2012 .",
        "the company had 12000000 shares outstanding .",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("( in millions )", "2012", "2011", "2010"),
                ("net revenue", "$ 500.0", "$ 400.0", "$ 20.0"),
                ("gross margin", "$ 150.0", "$ 120.0", "$ -5.0 ( 5.0 )"),
                ("operating cost", "$ 39.0", "$ 38.0", "$ 37.0"),
                ("tax rate", "30% ( 30 % )", "31% ( 31 % )", "32% ( 32 % )"),
            )
        ),
    ),
)


@pytest.fixture(scope="module")
def graph():
    return build(REPORT, Ontology((), ()))


def turn_of(graph, *calls, before=()):
    replies = [says(*each) for each in (*before, calls)]
    session = Session(graph, ScriptedBackend(replies))
    turns = [session.ask("what?") for _ in replies]
    assert turns[-1].outcome == "answer", turns[-1].message
    return turns[-1]


def rules(turn) -> set[str]:
    return {flag.rule for flag in turn.flags}


def test_an_answer_with_nothing_odd_has_full_confidence(graph):
    turn = turn_of(graph, calculates("d", "percentage_change", "t1r3c1", "t1r3c2"), answers("d"))
    assert (turn.flags, turn.check_score) == ((), 100)


def test_a_typed_number_is_ungrounded(graph):
    turn = turn_of(graph, calculates("d", "divide", "t1r3c1", "61.7"), answers("d"))
    assert rules(turn) == {"ungrounded"} and "61.7" in turn.flags[0].message


def test_a_typed_number_of_an_earlier_turn_is_found_under_a_later_answer(graph):
    typed = (calculates("d", "divide", "t1r3c1", "61.7"), answers("d"))
    turn = turn_of(graph, calculates("e", "multiply", "prev_1", "t1r3c1"), answers("e"), before=[typed])
    assert "ungrounded" in rules(turn)


def test_amounts_of_different_units_are_not_added(graph):
    turn = turn_of(graph, calculates("d", "add", "t1r3c1", "s4a1"), answers("d"))
    assert "units differ" in rules(turn)
    assert "units differ" not in rules(turn_of(graph, calculates("d", "divide", "t1r3c1", "s4a1"), answers("d")))
    assert "units differ" not in rules(turn_of(graph, calculates("d", "subtract", "t1r4c1", "t1r4c2"), answers("d")))


@pytest.mark.parametrize(
    ("operation", "one", "other", "odd"),
    [
        ("multiply", "t1r1c1", "t1r2c1", True),
        ("divide", "t1r4c1", "t1r2c1", True),
        ("multiply", "t1r1c1", "t1r4c1", False),
        ("multiply", "t1r1c1", "const_1000", False),
        ("divide", "t1r1c1", "t1r2c1", False),
    ],
)
def test_a_product_or_quotient_without_a_unit_is_flagged(graph, operation, one, other, odd):
    turn = turn_of(graph, calculates("d", operation, one, other), answers("d"))
    assert ("no such unit" in rules(turn)) == odd


def test_amounts_printed_at_different_scales_are_told(graph):
    turn = turn_of(graph, calculates("d", "subtract", "s1a1", "t1r3c1"), answers("d"))
    assert "scales differ" in rules(turn)
    assert "scales differ" not in rules(turn_of(graph, calculates("d", "subtract", "s3a1", "t1r3c1"), answers("d")))


@pytest.mark.parametrize(("other", "odd"), [("t1r1c1", True), ("t1r1c2", False)])
@pytest.mark.parametrize("operation", ["subtract", "divide", "greater"])
def test_one_amount_that_is_held_against_itself_makes_no_sense(graph, operation: str, other: str, odd: bool) -> None:
    turn = turn_of(graph, calculates("d", operation, "t1r1c1", other), answers("d"))
    assert ("makes no sense" in rules(turn)) is odd


@pytest.mark.parametrize("operation", ["subtract", "percentage_change"])
def test_a_change_that_runs_backwards_in_time_is_flagged(graph, operation):
    turn = turn_of(graph, calculates("d", operation, "t1r3c2", "t1r3c1"), answers("d"))
    assert rules(turn) == {"time runs backwards"}


def test_a_difference_of_two_things_has_no_order_in_time(graph):
    turn = turn_of(graph, calculates("d", "subtract", "t1r3c3", "t1r4c1"), answers("d"))
    assert "time runs backwards" not in rules(turn)


@pytest.mark.parametrize(
    ("new", "old", "odd"), [("t1r1c1", "t1r1c3", True), ("t1r2c3", "t1r2c2", False), ("t1r1c1", "t1r1c2", False)]
)
def test_a_change_beyond_ten_times_is_flagged_and_one_to_the_other_side_of_nothing_is_not(graph, new, old, odd):
    in_one = turn_of(graph, calculates("d", "percentage_change", new, old), answers("d"))
    in_two = turn_of(graph, calculates("d", "subtract", new, old), calculates("e", "divide", "d", old), answers("e"))
    assert ("extreme change" in rules(in_one)) == ("extreme change" in rules(in_two)) == odd


def test_a_figure_found_by_a_near_name_is_flagged(graph):
    fuzzy = ("query_kg", {"property": "operating costs", "filters": {"year": "2011"}, "name": "cost"})
    exact = ("query_kg", {"property": "operating cost", "filters": {"year": "2011"}, "name": "cost"})
    assert rules(turn_of(graph, fuzzy, answers("cost"))) == {"matched fuzzily"}
    assert rules(turn_of(graph, exact, answers("cost"))) == set()


def test_a_look_up_that_the_answer_does_not_use_is_not_flagged(graph):
    fuzzy = ("query_kg", {"property": "operating costs", "filters": {"year": "2011"}, "name": "cost"})
    assert rules(turn_of(graph, fuzzy, answers("t1r3c1"))) == set()


def test_checks_never_change_the_answer(graph):
    turn = turn_of(graph, calculates("d", "percentage_change", "t1r1c3", "t1r1c1"), answers("d"))
    assert turn.flags and turn.number == Decimal(20 - 500) / Decimal(500)


def test_the_confidence_is_a_hundred_less_the_points_of_each_rule_once_and_never_below_nothing():
    flags = tuple(Flag(rule="scales differ", message=text) for text in ("a", "b"))
    assert confidence(()) == 100
    assert confidence(flags) == 90
    assert confidence(tuple(Flag(rule=rule.name, message="") for rule in RULES)) == 0


def test_every_rule_says_what_it_is_about():
    assert len({rule.name for rule in RULES}) == len(RULES) >= 8
    assert all(rule.says and 0 < rule.points <= 100 for rule in RULES)


@pytest.mark.parametrize(
    ("begins", "apart"), [(date(2022, 7, 1), True), (date(2022, 7, 3), True), (date(2023, 1, 1), False)]
)
def test_only_years_that_end_in_different_months_are_years_apart(graph, begins, apart):
    from tieout.agent.answers.checks.check import Checked
    from tieout.agent.ledger.ledger import Entry, FromFact, Ledger

    spans = {"a:t1r1c1": (date(2023, 1, 1), date(2023, 12, 31)), "b:t1r1c1": (begins, date(2023, 6, 30))}
    known = graph.facts()[0]
    facts, ledger, entries = {}, Ledger(), []
    for name, (start, end) in spans.items():
        period = Period(key=name, kind=PeriodKind.SPAN, label="", year=2023, start=start, end=end)
        facts[name] = known.changed(name=name, period=period)
        entries.append(
            Entry(
                name=name, value=Decimal(5), unit="USD", source=FromFact(fact=name, raw="5", label="revenue", place="")
            )
        )
        ledger.add(entries[-1])
    found = {flag.rule for flag in check(Checked(None, ledger, facts, roots=entries))}
    assert ("fiscal years apart" in found) == apart


@pytest.mark.parametrize(("probability", "flags"), [(None, []), (0.9, []), (0.2, ["unsure"])])
def test_an_answer_that_its_backend_finds_unlikely_is_flagged(graph, probability, flags):
    reply = says(answers("t1r3c1"), confidence=probability)
    turn = Session(graph, ScriptedBackend([reply])).ask("what was the operating cost in 2012?")
    assert [flag.rule for flag in turn.flags if flag.rule == "unsure"] == flags


@pytest.mark.parametrize(
    "calls",
    [
        (calculates("a", "add", "const_1000", "7"), answers("a")),
        (calculates("a", "greater", "const_1", "0"), answers("a")),
        (answers("const_100"),),
    ],
)
def test_an_answer_made_of_constants_alone_is_ungrounded(graph, calls):
    turn = turn_of(graph, *calls)
    assert rules(turn) == {"ungrounded"} and "constants alone" in turn.flags[0].message


def test_under_strict_grounding_an_answer_made_of_constants_alone_is_refused(graph):
    talk = Session(
        graph,
        ScriptedBackend([says(calculates("a", "greater", "const_1", "0"), answers("a")), says(answers("t1r1c1"))]),
        Settings(strict_grounding=True),
    )
    turn = talk.ask("what?")
    assert turn.text == "500.0" or turn.answer.source.kind == "fact"


def test_a_question_or_an_earlier_answer_grounds_what_constants_are_used_with(graph):
    backend = ScriptedBackend(
        [says(calculates("a", "multiply", "250", "const_2"), answers("a")), says(answers("prev_1"))]
    )
    talk = Session(graph, backend)
    assert talk.ask("what is twice 250?").flags == () and talk.ask("and again?").flags == ()


def asks_back(question, *options):
    return ("clarify", {"question": question, "options": list(options)})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("revenue of 500.0 in 2012, or of 400.0 in 2011?", []),
        ("one of the 2 years, 30% or $ 4.1 billion?", []),
        ("is it 61.5 that you mean?", ["61.5"]),
        ("the 1,234 of 2012 or the 77% of 2011?", ["1,234", "77%"]),
        ("as in 1987?", ["1987"]),
    ],
)
def test_a_figure_in_a_question_back_that_nothing_accounts_for_is_flagged(graph, text, told):
    for question, options in ((text, ()), ("which?", (text,))):
        turn = Session(graph, ScriptedBackend([says(asks_back(question, *options))])).ask("what?")
        assert turn.outcome == "clarify"
        assert [flag.message for flag in turn.flags] == [f"nothing accounts for {each}" for each in told]
