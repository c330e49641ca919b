"""A request as a person reads it: what a language model is told, in the order in which it is sent."""

from __future__ import annotations

import json

from tieout.agent.protocol.message import Request, ToolSpec
from tieout.agent.view.history import asked


def sections(request: Request) -> dict[str, str]:
    """The parts of a request by name, as they are sent; only the schemas of the tools are told in short."""
    lasting, passing = asked(request)
    if request.must_call:
        passing.append(f"(The tool `{request.must_call}` has to be called.)")
    for exchange in request.exchanges:
        passing += [exchange.reply.text] if exchange.reply.text else []
        passing += [f"{call.tool}({_arguments(call.arguments)})" for call in exchange.reply.calls]
        passing += [f"-> {result.content}" for result in exchange.results]
        passing += [exchange.feedback] if exchange.feedback else []
    return {
        "instructions": request.instructions,
        "tools": "\n".join(map(_signature, request.tools)),
        "card": request.card.text,
        "conversation": "\n".join([*lasting, *passing]),
    }


def _signature(tool: ToolSpec) -> str:
    required = tool.parameters.get("required", [])
    names = tool.parameters.get("properties", {})
    shown = ", ".join(name if name in required else f"{name}?" for name in names)
    return f"{tool.name}({shown})\n    {' '.join(tool.description.split())}"


def _arguments(arguments: dict[str, object]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
