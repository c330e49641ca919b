"""The backend `anthropic:<model>`: sends a Request through the Messages API and reads the Message that comes back.

The vendor's SDK is imported here and by `batch`, and only inside the functions that need it: the import takes two
seconds. Any endpoint that speaks the Messages API works through ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tieout.agent.backends.anthropic_request import Options, encode
from tieout.agent.backends.endpoint import Endpoint
from tieout.agent.protocol.message import BackendError, Reply, Request, StopReason, ToolCall, Usage
from tieout.data.system.redact import encodable

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message

    from tieout.agent.backends.bounds import Bounds

# Outcomes, by the `type` of an error of the API: https://docs.anthropic.com/en/api/errors
OUTCOME_OF_TYPE = {
    "authentication_error": "unauthorized",
    "permission_error": "forbidden",
    "not_found_error": "not found",
    "request_too_large": "too large",
    "rate_limit_error": "rate limited",
    "api_error": "server error",
    "timeout_error": "timeout",
    "overloaded_error": "overloaded",
}
STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "pause_turn": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


def decode(message: Message, asked: str, clean: Callable[[Any], Any] = encodable) -> Reply:
    """A Message as a Reply; asked: the model that was asked for. clean: makes a JSON value one that can be kept.

    Raises BackendError: `connection cut` where it has no stop reason, as a stream that was cut does not, `bad reply`
    where that is none of the API.
    """
    if message.stop_reason is None:
        raise BackendError("connection cut", "the reply broke off before its end")
    if message.stop_reason not in STOPS:
        raise BackendError("bad reply", f"the reply has an unknown stop reason: {message.stop_reason!r}")
    blocks: tuple[dict[str, Any], ...] = tuple(clean(block.to_dict(warnings=False)) for block in message.content)
    return Reply(
        text="\n".join(block["text"] for block in blocks if block["type"] == "text"),
        calls=tuple(
            ToolCall(id=block["id"], tool=block["name"], arguments=block["input"])
            for block in blocks
            if block["type"] == "tool_use"
        ),
        stop=STOPS[message.stop_reason],
        usage=Usage(
            input=message.usage.input_tokens,
            output=message.usage.output_tokens,
            cache_write=message.usage.cache_creation_input_tokens or 0,
            cache_read=message.usage.cache_read_input_tokens or 0,
        ),
        model=clean(str(message.model)),
        asked=asked,
        blocks=blocks,
    )


class AnthropicBackend(Endpoint):
    """Asks a model through the Messages API. As Endpoint has it."""

    KIND, API = "anthropic", "Messages API"
    KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")  # in the order in which the SDK takes them
    OUTCOMES = OUTCOME_OF_TYPE
    options: Options
    client: anthropic.Anthropic

    @classmethod
    def parse(cls, text: str, on_text: Callable[[str], None] | None = None, *, asked: bool = True) -> AnthropicBackend:
        """The backend that `anthropic:<text>` names. Raises BackendNameError and BackendError `no key`."""
        return cls(Options.parse(text), name=f"anthropic:{text}", on_text=on_text, asked=asked)

    def read(self, message: Message) -> Reply:
        """A Message as a Reply, without the key, should someone have sent it back. Raises BackendError."""
        return decode(message, self.options.model, self._redaction.clean)

    def _sdk(self) -> ModuleType:
        import anthropic

        return anthropic

    def _client(self, key: str, bounds: Bounds) -> anthropic.Anthropic:
        import anthropic

        from tieout.agent.backends.client import open_client

        taken = "api_key" if os.environ.get(self.KEYS[0], "").strip() else "auth_token"
        client: anthropic.Anthropic = open_client(anthropic.Anthropic, {taken: key}, self.options, bounds)
        return client

    def _ask(self, request: Request) -> Reply:
        return self.read(self._message(encode(request, self.options)))

    def _message(self, arguments: dict[str, Any]) -> Message:
        from anthropic.types import Message

        if self.on_text is None:
            message = self.client.messages.create(**arguments)
        else:
            with self.client.messages.stream(**arguments) as stream, self._pieces() as pieces:
                for text in stream.text_stream:
                    pieces.add(text)
                message = stream.get_final_message()
        if not isinstance(message, Message):
            raise BackendError("bad reply", "the reply is empty")
        return message
