"""The strategy `plan`: one reply holds a typed plan, checked as a whole, then carried out without asking again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, Literal

from pydantic import Field

from tieout.agent.ledger.form import FORM_SAID, Format
from tieout.agent.protocol.message import Card, Exchange, Request, ToolCall, ToolResult
from tieout.agent.protocol.tool import Tool, ToolError, declare
from tieout.agent.strategies.prompt import instructions
from tieout.agent.strategies.strategy import CORRECTED
from tieout.agent.tools.lookup import Found, candidates, find_or_define, narrow, plain
from tieout.agent.tools.toolbox import TOOLS, Tools
from tieout.agent.tools.values import CONSTANT, LITERAL
from tieout.agent.view.card import make_card
from tieout.agent.workspace import Settings, TurnOver, Workspace
from tieout.data.arithmetic.operation import OperationError
from tieout.data.arithmetic.operations import catalogue
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.document import Document
from tieout.data.frozen import Frozen
from tieout.data.printed.periods.period import read_period
from tieout.kg.fact import Fact, FactKind
from tieout.kg.store.graph import Graph
from tieout.ontology.model import MatchedBy

MOST_STEPS = 32
TRIES = 2  # the plan, and one repair
Short = Annotated[str, Field(max_length=400)]


class Reference(Frozen):
    """The result of a step of this plan (1 is the first), or the answer of an earlier turn (-1 is the latest)."""

    step: int


class Number(Frozen):
    """A constant, as text: 12 months, 100 as the base of an index, -1 to turn a sign."""

    literal: Annotated[str, Field(max_length=50)]


class ExtractValue(Frozen):
    """Take one printed figure: by its name in the card, or else by describing where it stands."""

    action: Literal["extract_value"]
    fact: Annotated[Short | None, Field(description="Its short name: t1r2c3, s4a1.")] = None
    source: Annotated[Literal["table", "text"], Field(description="Where to look when `fact` is not given.")] = "table"
    row: Annotated[Short | None, Field(description="For a table: the row label as printed.")] = None
    column: Annotated[Short | None, Field(description="For a table: the column header, or the period.")] = None
    keywords: list[Short] = Field(default=[], max_length=8, description="For text: two to four words around it.")
    year: Annotated[Short | None, Field(description="For text: the year it is of.")] = None
    unit: Annotated[Short | None, Field(description="The unit expected: percent, USD, shares.")] = None


class Compute(Frozen):
    """Apply an operation to results of steps, earlier answers and constants, in order."""

    action: Literal["compute"]
    operation: Annotated[Short, Field(description=catalogue())]
    operands: Annotated[list[Reference | Number], Field(min_length=1, max_length=64)]


PlanStep = Annotated[ExtractValue | Compute, Field(discriminator="action")]


def plan(
    tools: Tools,
    thought: Annotated[str, Field(max_length=4000, description="What is asked, which figures it needs, and why.")],
    steps: Annotated[list[PlanStep], Field(max_length=MOST_STEPS, description="In the order in which you think.")] = [],  # noqa: B006
    answer: Annotated[int | None, Field(description="The step that is the answer; the last one if left out.")] = None,
    format: Annotated[Format | None, Field(description=FORM_SAID)] = None,
) -> dict[str, Any]:
    """Say in one go how the question is answered. Checked as a whole, then carried out."""
    return {"order": compiled(tools, steps, answer).order}


PLAN = declare(plan)


@dataclass(frozen=True)
class Compiled:
    """A plan that can be carried out. order: its steps by number, operands first. found: the fact that a step takes."""

    order: tuple[int, ...]
    found: dict[int, Found]
    answer: int


def compiled(tools: Tools, steps: Sequence[ExtractValue | Compute], answer: int | None) -> Compiled:
    """Checks a plan before anything runs. Raises ToolError with one line for each thing that is wrong with it."""
    wrong: list[str] = []
    found: dict[int, Found] = {}
    for number, step in enumerate(steps, 1):
        if isinstance(step, ExtractValue):
            try:
                found[number] = resolve(tools, step)
            except ToolError as error:
                wrong.append(f"step {number}: {error}{_told(error)}")
        else:
            wrong += [f"step {number}: {line}" for line in _wrong_with(step, tools, steps)]
    answer = len(steps) if answer is None else answer
    if answer == 0 or _missing(answer, tools, steps):
        wrong.append(
            "the plan has no step that is the answer" if answer == 0 else f"answer: {_missing(answer, tools, steps)}"
        )
    order = _in_order(steps)
    if order is None:
        wrong.append("the steps wait for each other in a circle")
    if wrong or order is None:
        raise ToolError("\n".join(wrong))
    return Compiled(order=order, found=found, answer=answer)


def _told(error: ToolError) -> str:
    shown = error.detail.get("candidates")
    return f"; there are: {shown[:5]}" if isinstance(shown, list) and shown else ""


def _wrong_with(step: Compute, tools: Tools, steps: Sequence[ExtractValue | Compute]) -> Iterator[str]:
    try:
        find_operation(step.operation).check_count(len(step.operands))
    except OperationError as error:
        yield str(error)
    for operand in step.operands:
        if isinstance(operand, Number):
            if not CONSTANT.fullmatch(operand.literal.strip()) and not LITERAL.fullmatch(operand.literal.strip()):
                yield f"{operand.literal!r} is no number"
        elif why := _missing(operand.step, tools, steps):
            yield why
        elif _is_truth(operand.step, tools, steps):
            yield f"the operand {operand.step} is yes or no, not a number"


def _missing(number: int, tools: Tools, steps: Sequence[ExtractValue | Compute]) -> str | None:
    priors = tools.values.priors
    if number == 0 or number > len(steps) or -number > len(priors):
        earlier = f"earlier turns -1 to -{len(priors)}" if priors else "there is no earlier turn"
        return f"there is no step {number}: steps are 1 to {len(steps)}, {earlier}"
    if number < 0 and priors[number].value is None:
        return f"the turn {number} ended without an answer"
    return None


def _is_truth(number: int, tools: Tools, steps: Sequence[ExtractValue | Compute]) -> bool:
    if number < 0:
        return isinstance(tools.values.priors[number].value, bool)
    step = steps[number - 1]
    return isinstance(step, Compute) and step.operation == "greater"


def _in_order(steps: Sequence[ExtractValue | Compute]) -> tuple[int, ...] | None:
    """The numbers of the steps with operands before what uses them; None where some wait for each other."""
    waiting = {number: _needs(step) & set(range(1, len(steps) + 1)) for number, step in enumerate(steps, 1)}
    order: list[int] = []
    while waiting:
        ready = [number for number, needs in waiting.items() if needs <= set(order)]
        if not ready:
            return None
        order += ready
        waiting = {number: needs for number, needs in waiting.items() if number not in ready}
    return tuple(order)


def _needs(step: ExtractValue | Compute) -> set[int]:
    if isinstance(step, ExtractValue):
        return set()
    return {operand.step for operand in step.operands if isinstance(operand, Reference)}


def resolve(tools: Tools, step: ExtractValue) -> Found:
    """The one fact that a step means. Raises ToolError where there is none, or several with different figures."""
    if step.fact is not None:
        if step.fact not in tools.values.facts:
            raise ToolError(f"there is no fact {step.fact!r}")
        return Found(tools.values.facts[step.fact], MatchedBy.EXACT, 100)
    if step.source == "table":
        return _in_table(tools, [fact for fact in tools.facts if fact.kind is FactKind.TABLE], step)
    return _in_text([fact for fact in tools.facts if fact.kind is FactKind.TEXT], step)


def _in_table(tools: Tools, facts: list[Fact], step: ExtractValue) -> Found:
    if step.row is None:
        raise ToolError("name the `fact`, or say which `row`")
    filters = {} if step.unit is None else {"unit": step.unit}
    if step.column is not None:
        is_period = read_period(step.column) is not None
        try:
            facts = narrow(facts, "period" if is_period else "header", step.column)
        except ToolError:
            facts = narrow(facts, "header", step.column)
    reader = tools.values.reader
    return find_or_define(facts, None, step.row, filters, reader.labels() if reader else {})


def _in_text(facts: list[Fact], step: ExtractValue) -> Found:
    if not step.keywords:
        raise ToolError("name the `fact`, or give `keywords`")
    for key, wanted in (("year", step.year), ("unit", step.unit)):
        facts = facts if wanted is None else narrow(facts, key, wanted)
    words = [plain(keyword) for keyword in step.keywords]
    scored = [(sum(word in plain(f"{fact.label} {fact.context}") for word in words), fact) for fact in facts]
    best = max((score for score, _ in scored), default=0)
    fitting = [fact for score, fact in scored if score == best]
    if best == 0:
        raise ToolError(f"no sentence has any of {', '.join(step.keywords)}", candidates=candidates(facts))
    if len({(fact.value, fact.unit, fact.scale) for fact in fitting}) > 1:
        raise ToolError(f"{len(fitting)} amounts stand beside these words", candidates=candidates(fitting))
    return Found(fitting[0], MatchedBy.EXACT, 100)


class PlanStrategy:
    """A plan in one reply, one repair where it cannot be carried out, no call of the backend after that."""

    name = "plan"

    def __init__(self, settings: Settings) -> None:
        self.instructions = instructions("plan")
        self.tools: tuple[Tool, ...] = (PLAN, TOOLS["clarify"])

    def card(self, graph: Graph, document: Document | None) -> Card:
        """What the graph knows of the report, to choose from."""
        return make_card(graph)

    def opening(self, workspace: Workspace) -> Request:
        """The question, with nothing before it."""
        return workspace.request()

    def solve(self, workspace: Workspace) -> None:
        """Asks for a plan and carries it out. Raises TurnOver `invalid plan` when the repair fails too."""
        exchanges: list[Exchange] = []
        why = ""
        numbers = count(1)
        for _ in range(TRIES):
            reply = workspace.reply(workspace.request(exchanges))
            results: list[ToolResult] = []
            for call in reply.calls:
                # what a plan that failed has named stays in the ledger: each has names of its own
                results.append(_carried_out(workspace, call, f"p{next(numbers)}_"))
                if workspace.over:
                    return
            why = "\n".join(result.content for result in results if result.error) or "no plan was made"
            exchanges.append(Exchange(reply=reply, results=tuple(results), feedback="" if results else "Call `plan`."))
        raise TurnOver("invalid plan", why)


def _carried_out(workspace: Workspace, call: ToolCall, stem: str) -> ToolResult:
    """The result of a call: for a plan, that of the first of its calls that fails, what the user says is wrong with its
    understanding, or that of its answer."""
    result = workspace.call(call)
    if result.error or call.tool != PLAN.name:
        return result
    for made in _calls(workspace, call, stem):
        result = workspace.call(made, own=True)
        if result.error:
            return ToolResult(id=call.id, content=f"{made.id}: {result.content}", error=True)
        if (correction := workspace.take_correction()) is not None:
            return ToolResult(id=call.id, content=CORRECTED.format(correction), error=True)
    return ToolResult(id=call.id, content=result.content)


def _calls(workspace: Workspace, call: ToolCall, stem: str) -> Iterator[ToolCall]:
    """The calls that carry a plan out, results named by stem and number of the step."""
    arguments = PLAN.check(call.arguments)
    steps: list[ExtractValue | Compute] = arguments["steps"]
    ready = compiled(Tools(workspace.values), steps, arguments["answer"])

    def named(number: int) -> str:
        return f"prev_{-number}" if number < 0 else f"{stem}{number}"

    last = steps[-1] if steps else None
    understood: dict[str, Any] = {
        "description": arguments["thought"][:400],
        "requires_calculation": isinstance(last, Compute),
    }
    if isinstance(last, Compute):
        understood["operation"] = last.operation
    yield ToolCall(id=f"{call.id}.0", tool="understand", arguments=understood)
    for number in ready.order:
        step = steps[number - 1]
        made: dict[str, Any] = {"name": named(number)}
        if isinstance(step, ExtractValue):
            found = ready.found[number]
            workspace.values.matched[named(number)] = found.by
            yield ToolCall(id=f"{call.id}.{number}", tool="query_kg", arguments=made | {"fact": found.fact.name})
        else:
            values = [each.literal if isinstance(each, Number) else named(each.step) for each in step.operands]
            made |= {"operation": step.operation, "values": values}
            yield ToolCall(id=f"{call.id}.{number}", tool="calculate", arguments=made)
    final: dict[str, Any] = {"value": named(ready.answer)}
    if arguments["format"] is not None:
        final["format"] = arguments["format"]
    yield ToolCall(id=f"{call.id}.answer", tool="answer", arguments=final)
