"""A question in other words of its own, and what a question that nothing accounts for is answered by them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from test_agent_offline_backend import graph

from tieout.agent.offline.answer.reply import GUESS
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.ontology.asked.wording.otherwise import otherwise


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("how much did the goods on the quay (inventory) fall in 2023?", "how much did the inventory fall in 2023?"),
        ("loading & stowing (stevedoring) earnings in 2023", "stevedoring earnings in 2023"),
        ("R&D intensity of Alder in 2023 - R&D as a percentage of revenue", "R&D intensity of Alder in 2023"),
        ("what did sailors spend - i.e. the revenue of Birch in 2023?", "the revenue of Birch in 2023"),
        ("pretax income from Peru in 2023, per the income tax note?", "pretax income from Peru in 2023"),
        ("which rate did Alder plug into its model in 2023?", "which rate did Alder into its model in 2023?"),
        ("sales of the seasick pill Alderin in 2023", "sales of the Alderin in 2023"),
        ("sales of gull food in 2023", "sales of gull in 2023"),
    ],
)
def test_a_question_is_put_in_other_words_of_its_own(asked: str, other: str) -> None:
    assert other in {*otherwise(asked, ())}


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ("net debt (excluding leases) of Alder in 2023", "excluding"),
        ("revenue of Alder (year to July 2023)", "July 2023"),
        ("Birch Ferries - size of the operating loss in 2023?", "Birch Ferries"),
        ("how much did Alder spend on hulls (steel) in 2023", "Alder"),
        ("how many hulls did the yards of Alder weld in 2023", "hulls"),
        ("net sales of Alder for the quarter ended June 2023", "quarter ended June"),
        ("growth of the operating income Alder made", "operating income"),
        ("operating income in the Puffin market in 2023", "market"),
    ],
)
def test_what_narrows_a_question_or_names_a_part_stays(asked: str, lost: str) -> None:
    assert all(lost in each for each in otherwise(asked, ()))


def test_a_verb_that_the_lines_of_a_report_have_stays() -> None:
    asked = "how many hulls did Alder weld in 2023"
    assert not [*otherwise(asked, {"weld"})]
    assert [*otherwise(asked, ())] == ["how many hulls did Alder in 2023"]


HARBOUR = graph(
    ("( in millions )", "2013", "2012"),
    ("stevedoring earnings", "$ 4391.0", "$ 4480.5"),
    ("cost of towage", "57.0", "59.9"),
    ("gull sales", "100.0", "120.0"),
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("cost of pulling ships (towage) in 2013", 57),
        ("cost of towage in 2012, given in the segment note", Decimal("59.9")),
        ("sales of gull food in 2013", 100),
    ],
)
def test_what_nothing_accounts_for_is_answered_in_its_other_words_with_a_doubt(asked: str, answer: Decimal) -> None:
    turn = Session(HARBOUR, OfflineBackend()).ask(asked)
    assert turn.number == answer and turn.probability is not None and turn.probability <= GUESS
    assert any("it is read as" in flag.message for flag in turn.flags)


@pytest.mark.parametrize("asked", ["how many gulls did the port feed in 2013?", "sales of puffin food in 2013"])
def test_what_no_other_words_account_for_is_asked_back(asked: str) -> None:
    assert Session(HARBOUR, OfflineBackend()).ask(asked).clarification is not None
