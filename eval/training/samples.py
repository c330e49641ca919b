"""Labelled turns as the offline backend would meet them: the conversation before, and the figures that are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.offline.operands.context import recall
from tieout.agent.offline.operands.grounding import Aim, aim
from tieout.agent.protocol.message import PriorTurn
from tieout.agent.question.read import read_question
from tieout.data.document import Conversation
from tieout.data.printed.amount import Unit
from tieout.eval.gold.executed import execute
from tieout.eval.gold.program import parse
from tieout.kg.fact import Fact
from tieout.kg.page import Page, View, amount
from tieout.ontology.asked.similarity import coverage

Tree = str | tuple[str, "Tree", "Tree"]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One labelled turn.

    operation: the last one of the gold program. needed: for each printed operand that no earlier turn has calculated
    with, the indices of the facts of the page that print it. weight: how much the turn counts.
    """

    conversation: str
    company: str
    page: Page
    goal: Aim
    operation: str
    value: Decimal | bool
    needed: tuple[tuple[int, ...], ...]
    weight: float


def company(conversation_id: str) -> str:
    """Whose report it is: MRO of `Single_MRO/2007/page_134.pdf-1`."""
    return conversation_id.partition("_")[2].partition("/")[0]


def tree(program: str) -> Tree:
    """A program as nested operations: `subtract(a, b), divide(#0, b)` is (divide, (subtract, a, b), b)."""
    read = parse(program)
    if read.value is not None:
        return read.value
    nodes: list[Tree] = []
    for step in read.steps:
        first, second = (nodes[int(each[1:])] if each.startswith("#") else each for each in step.arguments)
        nodes.append((step.operation, first, second))
    return nodes[-1]


def leaves(node: Tree, known: Sequence[Tree] = ()) -> Iterator[str]:
    """The printed operands under a node, in order, but for what stands under a node that is known."""
    if isinstance(node, tuple):
        if node not in known:
            for part in node[1:]:
                yield from leaves(part, known)
    elif not node.startswith("const_"):
        yield node


def samples(conversation: Conversation, facts: Sequence[Fact], weight: float = 1.0) -> Iterator[Sample]:
    """The turns of a labelled conversation, each with the gold answers before it as its history."""
    page = Page(facts)
    history: list[PriorTurn] = []
    trees: list[Tree] = []
    for question, gold in zip(conversation.questions, conversation.gold, strict=True):
        goal = aim(read_question(question.text), recall(history, page.facts, page.known), page)
        node = tree(gold.program)
        result = execute(gold.program)
        value = result if isinstance(result, Decimal) else result == "yes"
        operation = node[0] if isinstance(node, tuple) else "lookup"
        needed = [printing(page, leaf) for leaf in dict.fromkeys(leaves(node, trees))]
        yield Sample(
            conversation.id,
            company(conversation.id),
            page,
            goal,
            operation,
            value,
            tuple(indices for indices in needed if indices),
            weight,
        )
        under = tuple(dict.fromkeys(name for leaf in leaves(node) if (name := _meant(page, goal, leaf, history))))
        history.append(
            PriorTurn(
                question=question.text,
                answer=str(result),
                value=value,
                entry=f"turn{len(history) + 1}",
                operation=operation,
                facts=under,
            )
        )
        trees.append(node)


def _number(leaf: str) -> Decimal:
    result = execute(leaf)
    assert isinstance(result, Decimal)
    return result


def printing(page: Page, leaf: str) -> tuple[int, ...]:
    """Which facts print an operand: with its sign, else without."""
    value = _number(leaf)
    exact = [index for index, view in enumerate(page.views) if amount(view.fact) == value]
    if exact:
        return tuple(exact)
    size = value.copy_abs()
    return tuple(
        index
        for index, view in enumerate(page.views)
        if size in (amount(view.fact).copy_abs(), view.fact.value.copy_abs())
    )


def _meant(page: Page, goal: Aim, leaf: str, history: Sequence[PriorTurn]) -> str | None:
    """Of the facts that print an operand the likely one: used before, else nearest to the question."""
    indices = printing(page, leaf)
    names = {page.views[index].fact.name for index in indices}
    for turn in reversed(history):
        if used := names & set(turn.facts):
            return min(used)
    if not indices:
        return None
    wanted = goal.own + goal.context.topic
    best = max(indices, key=lambda index: (_nearness(page.views[index], goal, wanted, page.weight), -index))
    return page.views[best].fact.name


def _nearness(view: View, goal: Aim, wanted: tuple[str, ...], weight: Mapping[str, float]) -> float:
    """A rough measure for a choice among equal figures: shared words, the year asked for, tables before text."""
    years = (1.0 if view.year in goal.years else -0.3) if goal.years else 0.0
    dates = -2.0 if view.fact.unit == Unit.CALENDAR_YEAR else 0.0
    return coverage(wanted, view.bag, dict(weight)) + years + dates + (0.0 if view.is_text else 0.3)
