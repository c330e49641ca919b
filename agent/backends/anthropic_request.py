"""A Request as the arguments of `messages.create`: pure data, put together so that the cache finds its bytes again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tieout.agent.backends.options import COMMON, Common, one_of, positive, read_settings
from tieout.agent.protocol.message import Exchange, Reply, Request
from tieout.agent.view.history import asked

CACHED = {"type": "ephemeral"}


def _sorted(value: Any) -> Any:  # noqa: ANN401 - JSON
    """The same JSON value with the keys of every object in order: the cache is found again only by equal bytes."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


def _text(text: str, *, cached: bool = False) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    return block | {"cache_control": dict(CACHED)} if cached else block


def _asked(request: Request, *, told: bool) -> list[dict[str, Any]]:
    """The conversation as blocks of one user message, growing at its end: what was asked and answered, then what is
    asked now.

    Earlier answers are records in the words of the program, not replies of the model: a model that sees replies of its
    own without a tool call soon makes none.
    """
    lasting, passing = asked(request)
    before = 2 * len(request.history)
    blocks = [_text(text, cached=number == before) for number, text in enumerate(lasting, 1)]
    if told and request.must_call:
        passing.append(f"Reply with one call of the tool `{request.must_call}` and nothing else.")
    return blocks + [_text(text) for text in passing]


def _said(reply: Reply) -> list[dict[str, Any]]:
    if reply.blocks:
        return [dict(block) for block in reply.blocks]
    text = [_text(reply.text)] if reply.text.strip() else []
    calls = ({"type": "tool_use", "id": call.id, "name": call.tool, "input": call.arguments} for call in reply.calls)
    return [*text, *calls]


def _answered(exchange: Exchange) -> list[dict[str, Any]]:
    results = {result.id: result for result in exchange.results}
    blocks = []
    for call in exchange.reply.calls:  # the API wants a result for every call
        result = results.get(call.id)
        content = result.content if result else "not run"
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call.id, "content": content}
        blocks.append(block | {"is_error": True} if result is None or result.error else block)
    return [*blocks, _text(exchange.feedback)] if exchange.feedback else blocks


def _messages(request: Request, *, told: bool) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": _asked(request, told=told)}]
    for exchange in request.exchanges:
        for role, content in (("assistant", _said(exchange.reply)), ("user", _answered(exchange))):
            if content and messages[-1]["role"] == role:
                messages[-1]["content"] += content
            elif content:
                messages.append({"role": role, "content": content})
    return messages


def _tool_choice(request: Request, options: Options) -> dict[str, str]:
    if not options.forced:
        return {"type": "auto"}
    return {"type": "tool", "name": request.must_call} if request.must_call else {"type": "any"}


def encode(request: Request, options: Options) -> dict[str, Any]:
    """The arguments of `messages.create`.

    What is equal for many requests comes first, and ends in a breakpoint of the cache: tools and instructions (equal
    for a run), the card (for a conversation), the history (up to the last turn).
    """
    arguments: dict[str, Any] = {
        "model": options.model,
        "max_tokens": options.max_tokens,
        "system": [_text(request.instructions, cached=True)],
        "messages": _messages(request, told=not options.forced),
    }
    if request.card.text:
        arguments["system"].append(_text(request.card.text, cached=True))
    if request.tools:
        arguments["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": _sorted(tool.parameters)}
            for tool in request.tools
        ]
        arguments["tool_choice"] = _tool_choice(request, options)
    if options.effort:
        arguments["output_config"] = {"effort": options.effort}
    if options.thinking:
        budget = {"type": "enabled", "budget_tokens": int(options.thinking)} if options.thinking.isdecimal() else None
        arguments["thinking"] = budget or {"type": options.thinking}
    return arguments


@dataclass(frozen=True, slots=True)
class Options(Common):
    """What can be said behind `anthropic:`, as in `anthropic:claude-sonnet-5-5,effort=low,thinking=between_tools`.

    effort: low, medium, high, xhigh, max, or None for the model's own. thinking: adaptive, between_tools, disabled, a
    budget in tokens, or None for the model's own. max_tokens: of one reply, thinking included.
    """

    effort: str | None = None
    thinking: str | None = None
    max_tokens: int = 16_000

    @classmethod
    def parse(cls, text: str) -> Options:
        """Reads `MODEL[,name=value]...`. Raises BackendNameError."""
        model, values = read_settings("anthropic", text, READ_OPTION)
        return cls(model, **values)


def _thinking(text: str) -> str:
    kinds = ("adaptive", "between_tools", "disabled")
    if text not in kinds and not text.isdecimal():
        raise ValueError(f"thinking is one of {', '.join(kinds)}, or a number of tokens")
    return text


READ_OPTION: dict[str, Callable[[str], Any]] = {
    "effort": one_of("effort", "low", "medium", "high", "xhigh", "max"),
    "thinking": _thinking,
    "max_tokens": positive,
    **COMMON,
}
