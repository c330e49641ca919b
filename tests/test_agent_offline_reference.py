"""What `that`, `and in 2006?` and `the year before` refer to."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from tieout.agent.offline.operands.context import placed, recall
from tieout.agent.offline.operands.grounding import Aim, aim
from tieout.agent.protocol.message import PriorTurn
from tieout.agent.question.read import read_question
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.page import Page
from tieout.ontology.asked.words import stem
from tieout.ontology.model import default_ontology

TABLE = Table(
    rows=(
        ("( in millions )", "2013", "2012"),
        ("net sales", "$ 4391.0", "$ 4480.5"),
        ("cost of sales", "2810.2", "2876.5"),
    ),
)


@pytest.fixture(scope="module")
def page() -> Page:
    document = Document(id="Single_NONE/2013/page_1.pdf", paragraphs=("net sales fell .",), before=1, tables=(TABLE,))
    return Page(build(document, default_ontology(None)[0]).facts())


def goal(page: Page, question: str, history: Sequence[PriorTurn]) -> Aim:
    return aim(read_question(question), recall(history, page.facts, page.known), page)


def prior(question: str, value: str, *facts: str, operation: str = "lookup") -> PriorTurn:
    return PriorTurn(
        question=question, answer=value, value=Decimal(value), entry="turn1", operation=operation, facts=facts
    )


def test_a_first_question_refers_to_nothing(page: Page) -> None:
    assert goal(page, "what were net sales in 2013?", []).gate == "first"


def test_a_question_without_measure_inherits_the_one_named_last(page: Page) -> None:
    asked = goal(page, "and in 2012?", [prior("what was the cost of sales in 2013?", "2810.2", "t1r2c1")])
    assert asked.gate == "bare"
    assert asked.years == {2012}
    assert asked.context.topic == (stem("sales"),)


def test_a_question_with_a_measure_of_its_own_follows(page: Page) -> None:
    asked = goal(page, "what about the cost of sales?", [prior("what were net sales in 2013?", "4391.0", "t1r1c1")])
    assert asked.gate == "follow"


def test_that_is_the_figure_of_the_turn_before(page: Page) -> None:
    asked = goal(page, "what is that in thousands?", [prior("what were net sales in 2013?", "4391.0", "t1r1c1")])
    assert [fact.name for fact in asked.context.last_facts] == ["t1r1c1"]


def test_these_two_are_the_figures_of_the_two_turns_before_the_latest_first(page: Page) -> None:
    history = [
        prior("what were net sales in 2013?", "4391.0", "t1r1c1"),
        prior("and in 2012?", "4480.5", "t1r1c2"),
    ]
    asked = goal(page, "what is the difference between these two?", history)
    assert [past.facts[0].name for past in asked.context.past] == ["t1r1c2", "t1r1c1"]
    assert [past.age for past in asked.context.past] == [1, 2]
    assert asked.context.used == {"t1r1c1", "t1r1c2"}


def test_only_calculated_answers_count_as_results(page: Page) -> None:
    history = [
        prior("what were net sales in 2013?", "4391.0", "t1r1c1"),
        prior("what was the change?", "-89.5", "t1r1c1", "t1r1c2", operation="subtract"),
    ]
    past = goal(page, "what is that as a percentage?", history).context.past
    assert [turn.calculated for turn in past] == [True, False]


@pytest.mark.parametrize(
    ("question", "years", "meant"),
    [
        ("and in the year before?", (2013,), (2012,)),
        ("what was it in the previous year?", (2013,), (2012,)),
        ("and in the next year?", (2012,), (2013,)),
        ("and in the previous year of this period?", (2012, 2013), (2012,)),
        ("and in 2010?", (2013,), (2010,)),
        ("what was it?", (2013,), ()),
        ("and in the year before?", (), ()),
    ],
)
def test_a_year_is_counted_from_the_ones_named_last(
    question: str, years: tuple[int, ...], meant: tuple[int, ...]
) -> None:
    assert placed(read_question(question), years).years == meant


def test_facts_that_the_report_does_not_have_are_left_out_of_the_past(page: Page) -> None:
    asked = goal(page, "and in 2012?", [prior("what were net sales?", "1", "t9r9c9")])
    assert asked.context.past[0].facts == ()
