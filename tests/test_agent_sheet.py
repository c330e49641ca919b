"""The tie-out sheet: every figure with its place and its printed text, every step, nothing twice."""

from __future__ import annotations

import json
from decimal import Decimal

from orris import session
from scripted import answers, calculates, says

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import make_sheet, plain_text

D = Decimal


def test_the_sheet_shows_steps_figures_places_and_printed_text() -> None:
    talk = session(
        says(calculates("change", "subtract", "t1r1c1", "t1r1c2"), answers("change")),
        says(calculates("rate", "percentage", "prev_1", "t1r1c2"), answers("rate")),
    )
    talk.ask("what was the change?")
    turn = talk.ask("and in percent?")
    assert plain_text(turn).splitlines() == [
        "142.4%  = percentage($35.80 per share, $25.14 per share)",
        "├── $35.80 per share  answer of question 1",
        "│   └── $35.80 per share  = subtract($60.94 per share, $25.14 per share)",
        '│       ├── $60.94 per share  exercise price (2007)  "$ 60.94"  table 1, row 1, column 1 [t1r1c1]',
        '│       └── $25.14 per share  exercise price (2006)  "$ 25.14"  table 1, row 1, column 2 [t1r1c2]',
        '└── $25.14 per share  exercise price (2006)  "$ 25.14"  table 1, row 1, column 2 [t1r1c2]',
    ]


def test_the_sheet_has_each_conversion_and_the_tree_draws_what_it_reads_as() -> None:
    turn = session(
        says(calculates("sum", "add", "s1a1", "s1a2"), calculates("part", "multiply", "s2a1", "sum"), answers("part"))
    ).ask("what is 12.5% of both?")
    sheet = make_sheet(turn)
    assert sheet is not None
    hows = {line.how: line.value for line in sheet.lines}
    assert (hows["in_millions(s1a1)"], hows["as_decimal(s2a1)"]) == ("2200.0", "0.125")
    drawn = plain_text(turn).splitlines()
    assert drawn[0] == "$315.6 million  = multiply(12.5%, $2.525 billion)"
    assert [line.lstrip("│├└─ ").split("  ")[0] for line in drawn[1:]] == [
        "12.5%",
        "$2.525 billion",
        "$2.2 billion",
        "$325 million",
    ]


def test_what_is_used_twice_is_unfolded_once() -> None:
    turn = session(
        says(
            calculates("a", "subtract", "t1r1c1", "t1r1c2"),
            calculates("b", "divide", "a", "a"),
            calculates("c", "add", "b", "b"),
            answers("c"),
        )
    ).ask("?")
    assert plain_text(turn).count("t1r1c1") == 1
    assert plain_text(turn).count("(as above)") == 2


def test_numbers_from_elsewhere_say_so() -> None:
    turn = session(
        says(calculates("a", "add", "50", "61.5"), calculates("b", "multiply", "a", "12"), answers("b"))
    ).ask("and with 50 more, over a year?")
    text = plain_text(turn)
    assert 'stated in question 1: "50"' in text
    assert "constant: months of a year" in text
    assert "NOT GROUNDED" in text


def test_a_report_cannot_write_to_the_terminal() -> None:
    turn = session(says(answers("t1r1c1"))).ask("?")
    (entry,) = turn.ledger
    source = entry.source.model_copy(update={"raw": "\x1b[2J$ 60.94\u202e"})
    turn.ledger._entries["t1r1c1"] = entry.model_copy(update={"source": source})
    object.__setattr__(turn, "answer", turn.ledger["t1r1c1"])
    assert "\x1b" not in plain_text(turn)
    assert "\u202e" not in plain_text(turn)


def test_the_sheet_as_json_holds_every_step_in_order() -> None:
    turn = session(says(calculates("c", "subtract", "t1r1c1", "t1r1c2"), answers("c"))).ask("?")
    sheet = make_sheet(turn)
    assert sheet is not None
    told = json.loads(sheet.model_dump_json())
    assert [line["name"] for line in told["lines"]] == ["t1r1c1", "t1r1c2", "c"]
    assert told["lines"][2]["operands"] == ["t1r1c1", "t1r1c2"]
    assert told["lines"][0]["fact"] == "t1r1c1"
    assert told["program"] == "subtract(60.94, 25.14)"


def test_without_an_answer_there_is_no_sheet() -> None:
    turn = session(says(), says()).ask("?")
    assert make_sheet(turn) is None
    assert plain_text(turn) == ""
    told = result(turn)
    assert (told["status"], told["outcome"], told["answer"], told["sheet"]) == ("failed", "no answer", None, None)


def test_the_result_says_what_a_program_wants_to_know() -> None:
    told = result(session(says(answers("t1r2c1"))).ask("what was the volatility?"))
    assert (told["status"], told["answer"], told["number"], told["exact"]) == ("success", "27%", D("0.27"), "0.27")
    asked = result(session(says(("clarify", {"question": "Which?"}))).ask("?"))
    assert asked["status"] == "ambiguous"
