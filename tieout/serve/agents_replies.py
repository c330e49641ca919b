"""What all tools for agents share: how a reply is cut, how what is wrong is said, what arguments mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver.exceptions import ToolError as SaidError
from mcp.types import ToolAnnotations
from pydantic import Field

from tieout.agent.log.log import LogError
from tieout.agent.protocol.tool import ToolError
from tieout.agent.session import QuestionError
from tieout.data.console import json_text
from tieout.kg.companies.library import LibraryError
from tieout.kg.companies.measure import MeasureError
from tieout.kg.reports.part import PartError
from tieout.serve.agents_asking import AskingError

MOST = 8000  # bytes of a reply
T = TypeVar("T")
SAID = (AskingError, LogError, QuestionError, ToolError, PartError, LibraryError, MeasureError)
READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False, idempotentHint=True)
CALCULATES = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
Words = Annotated[str, Field(description="A few words.", min_length=1, max_length=400)]
First = Annotated[int, Field(description="Number of the first one to be shown, as `next` gave it.", ge=0)]


def said(work: Callable[[], T]) -> T:
    """What work gives; what is wrong with the request goes back to the agent in words."""
    try:
        return work()
    except SAID as error:
        detail = getattr(error, "detail", None)
        raise SaidError(json_text({"error": str(error), **detail}) if detail else str(error)) from error


def fitting(items: Sequence[Any], room: int) -> list[Any]:
    """As many of the items as fit into so many bytes, one at least."""
    shown: list[Any] = []
    for item in items:
        room -= len(json_text(item).encode()) + 2
        if room < 0 and shown:
            break
        shown.append(item)
    return shown


def page(key: str, items: Sequence[Any], first: int = 0, /, **more: Any) -> str:  # noqa: ANN401 - JSON
    """A reply: as many of the items as fit below MOST from number `first` on, and the number of the next one."""
    room = MOST - len(json_text({key: [], "count": len(items), "next": len(items), **more}).encode())
    shown = fitting(items[first:], room)
    rest = first + len(shown)
    return json_text({**more, "count": len(items), key: shown} | ({"next": rest} if rest < len(items) else {}))
