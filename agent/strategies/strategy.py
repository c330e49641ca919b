"""How replies become an answer. A strategy is a class as below; `tieout.agent.strategies.choose` lists them.

    class Guess:
        name = "guess"
        instructions = "..."                     what the backend is told
        tools = tuple(TOOLS.values())            what the backend may call, and nothing else

        def card(self, graph, document):         what it is shown of the report
            return make_card(graph)

        def opening(self, workspace: Workspace) -> Request:
            return workspace.request()           the first request of a turn

        def solve(self, workspace: Workspace) -> None:
            reply = workspace.reply(self.opening(workspace))
            for call in reply.calls:
                workspace.call(call)             until workspace.over, or raise TurnOver(outcome, message)

`workspace.reply` logs and counts a call of the backend, `workspace.call` one of a tool; both keep to the limits. A
strategy that calls tools of its own accord (to execute a plan, say) hands a ToolCall to
`workspace.call(call, own=True)`: log and ledger show it.
"""

from __future__ import annotations

from typing import Protocol

from tieout.agent.protocol.message import Card, Exchange, Reply, Request, ToolCall, ToolResult
from tieout.agent.protocol.tool import Tool
from tieout.agent.strategies.prompt import instructions
from tieout.agent.tools.toolbox import TOOLS
from tieout.agent.view.card import make_card
from tieout.agent.workspace import Settings, TurnOver, Workspace, call_key
from tieout.data.document import Document
from tieout.kg.store.graph import Graph

MOST_CALLS = 64  # in one reply
MOST_IDLE = 2  # replies in a row that bring nothing new
CORRECTED = "The user says that this is not what was meant: {}"


class Strategy(Protocol):
    """See the module."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]

    def card(self, graph: Graph, document: Document | None) -> Card: ...

    def opening(self, workspace: Workspace) -> Request: ...

    def solve(self, workspace: Workspace) -> None: ...


class ToolsStrategy:
    """Understand, then call tools until `answer`; a typical turn is one reply."""

    name = "tools"

    def __init__(self, settings: Settings) -> None:
        self.instructions = instructions("tools")
        self.tools: tuple[Tool, ...] = tuple(TOOLS.values())
        self.first_call = "understand" if settings.two_phase else None

    def card(self, graph: Graph, document: Document | None) -> Card:
        """What the graph knows of the report, to choose from."""
        return make_card(graph)

    def opening(self, workspace: Workspace) -> Request:
        """In two phases, the understanding is asked for alone."""
        return workspace.request((), self.first_call)

    def solve(self, workspace: Workspace) -> None:
        """Asks and calls until the question is answered. Raises TurnOver when the backend gets nowhere."""
        exchanges: list[Exchange] = []
        idle = 0
        while not workspace.over:
            reply = workspace.reply(workspace.request(exchanges) if exchanges else self.opening(workspace))
            made = workspace.tool_calls
            exchanges.append(carry_out(workspace, reply))
            idle = 0 if workspace.tool_calls > made else idle + 1
            if idle == MOST_IDLE and not workspace.over:
                raise TurnOver(*_why_idle(reply))


def carry_out(workspace: Workspace, reply: Reply) -> Exchange:
    """Makes the calls of a reply in order, and gives their results. One that would only repeat itself is not made."""
    if not reply.calls:
        return Exchange(reply=reply, feedback="Nothing was called. Call tools, and end with `answer` or `clarify`.")
    contradictory = _contradicts(reply)
    results: list[ToolResult] = []
    correction = None
    for index, call in enumerate(reply.calls):
        if correction is not None:
            results.append(_refused(call, "not made: the user corrected the understanding"))
        elif index >= MOST_CALLS:
            results.append(_refused(call, f"not made: more than {MOST_CALLS} calls in one reply"))
        elif contradictory and call.tool == "answer":
            results.append(_refused(call, "two different answers in one reply: neither was taken, call `answer` once"))
        elif (earlier := workspace.result_of(call)) is not None:
            results.append(_refused(call, f"this very call was made before; its result was: {earlier[:1000]}"))
        else:
            results.append(workspace.call(call))
            correction = workspace.take_correction()
    feedback = "" if correction is None else CORRECTED.format(correction)
    return Exchange(reply=reply, results=tuple(results), feedback=feedback)


def _refused(call: ToolCall, why: str) -> ToolResult:
    return ToolResult(id=call.id, content=why, error=True)


def _contradicts(reply: Reply) -> bool:
    return len({call_key(call) for call in reply.calls if call.tool == "answer"}) > 1


def _why_idle(reply: Reply) -> tuple[str, str]:
    if not reply.calls:
        return "no answer", f"the backend called no tool, {MOST_IDLE} times in a row"
    if _contradicts(reply):
        return "no answer", f"the backend gave two different answers in one reply, {MOST_IDLE} times in a row"
    return "repeated call", f"the backend only repeated calls, {MOST_IDLE} times in a row"
