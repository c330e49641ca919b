"""What something is made of, by the rows of a table, and how that is answered."""

from __future__ import annotations

import pytest
from eval_runs import run
from test_eval_tatqa import PAGE, written

TABLE = [
    ["", "Note", "2021", "2020"],
    ["Harbour gear:", "", "", ""],
    ["Net lofts", "3", "415", "440"],
    ["Buoys", "4", "-", "20"],
    ["Gross harbour gear", "", "415", "460"],
    ["Wear", "", "(15)", "(10)"],
    ["Fees by source:", "", "", ""],
    ["Ferries", "", "130", "127"],
    ["Moorings", "", "29", "30"],
    ["Pilotage", "", "-", "63"],
    ["Total dues", "", "159", "220"],
]


@pytest.mark.parametrize(
    ("question", "spans", "kind"),
    [
        ("What are the components under harbour gear?", ["Net lofts", "Buoys"], "multi-span"),
        ("How many components are there under harbour gear?", ["2"], "count"),
        ("What are the components of total dues?", ["Ferries", "Moorings", "Pilotage"], "multi-span"),
        ("What items do total dues consist of?", ["Ferries", "Moorings", "Pilotage"], "multi-span"),
    ],
)
def test_what_something_is_made_of_are_the_rows_under_it_or_those_that_add_up_to_it(
    tmp_path, question, spans, kind
) -> None:
    asked = PAGE["questions"][0] | {"question": question, "answer": spans, "scale": "", "answer_type": kind}
    page = PAGE | {"table": {"uid": "page-1", "table": TABLE}, "questions": [asked]}
    [result] = run(tmp_path / "runs", written(tmp_path, page), backend="offline").results
    assert result.official == (True, 1.0), result.text
    assert result.warned, "it is told with doubt"
