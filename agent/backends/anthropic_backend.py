"""The backend `anthropic:<model>`: sends a Request through the Messages API and reads the Message that comes back.

The vendor's SDK is imported here, by `anthropic_client` and by `batch`, and only inside the functions that need it:
the import takes two seconds.
Any endpoint that speaks the Messages API works through ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any

from tieout.agent.backends.anthropic_options import Options
from tieout.agent.backends.anthropic_request import encode
from tieout.agent.backends.redact import Redaction, encodable
from tieout.agent.protocol.message import BackendError, Reply, Request, StopReason, ToolCall, Usage

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message

    from tieout.agent.backends.bounds import Bounds

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")  # in the order in which the SDK takes them

# Outcomes, by the `type` of an error of the API and else by HTTP status: https://docs.anthropic.com/en/api/errors
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
OUTCOME_OF_STATUS = {
    401: "unauthorized",
    403: "forbidden",
    404: "not found",
    408: "timeout",
    413: "too large",
    429: "rate limited",
    504: "timeout",
    529: "overloaded",
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


def key_from_environment() -> str:
    """The key. Raises BackendError `no key` where there is none that could be sent."""
    name = next((name for name in KEYS if os.environ.get(name, "").strip()), None)
    if name is None:
        raise BackendError("no key", f"no API key: set {KEYS[0]} in the environment")
    key = os.environ[name].strip()
    if not key.isascii() or not key.isprintable():
        raise BackendError("no key", f"{name} holds characters that cannot be part of a key")
    return key


class AnthropicBackend:
    """Asks a model through the Messages API. Raises BackendError `no key` at once where the environment holds none.

    on_text: is given every piece of text while the reply is being written; the reply is streamed if it is set.
    asked: False for one that is only to show what it would be asked; it takes no key.
    """

    def __init__(
        self,
        options: Options,
        *,
        name: str | None = None,
        on_text: Callable[[str], None] | None = None,
        asked: bool = True,
    ) -> None:
        self.name = name or f"anthropic:{options.model}"
        self.options = options
        self.on_text = on_text
        self._key = key_from_environment() if asked else ""
        self._redaction = Redaction([self._key, *(os.environ.get(name, "").strip() for name in KEYS)])
        self._open: anthropic.Anthropic | None = None
        self._opening = threading.Lock()
        self._bounds: Bounds | None = None

    @classmethod
    def parse(cls, text: str, on_text: Callable[[str], None] | None = None, *, asked: bool = True) -> AnthropicBackend:
        """The backend that `anthropic:<text>` names. Raises BackendNameError and BackendError `no key`."""
        return cls(Options.parse(text), name=f"anthropic:{text}", on_text=on_text, asked=asked)

    @property
    def bounds(self) -> Bounds:
        """How long is waited, and how much is read."""
        with self._opening:
            if self._bounds is None:
                from tieout.agent.backends.bounds import Bounds

                self._bounds = Bounds(self.options.total)
            return self._bounds

    @property
    def client(self) -> anthropic.Anthropic:
        """The SDK's client, made at the first use."""
        bounds = self.bounds
        with self._opening:
            if self._open is None:
                from tieout.agent.backends.anthropic_client import open_client

                taken = "api_key" if os.environ.get(KEYS[0], "").strip() else "auth_token"
                self._open = open_client({taken: self._key}, self.options, bounds)
            return self._open

    def close(self) -> None:
        """Closes the connections, where there are any."""
        if self._open is not None:
            self._open.close()

    def reply(self, request: Request) -> Reply:
        """Sends the request and waits. Raises BackendError with the outcomes named at the top of this file, and
        `no key`, `unreachable`, `connection cut`, `timeout`, `limit`, `bad reply`, `bad request`."""
        with self.named_errors():
            return self.read(self._message(encode(request, self.options)))

    def read(self, message: Message) -> Reply:
        """A Message as a Reply, without the key, should someone have sent it back. Raises BackendError."""
        return decode(message, self.options.model, self._redaction.clean)

    @contextmanager
    def named_errors(self, *, batch: bool = False) -> Iterator[None]:
        """Turns whatever the SDK raises into a BackendError with the name of its outcome, and without the key, and
        keeps to the bounds of one reply. batch: to those of a batch, which may take a day."""
        import anthropic
        import httpx2

        from tieout.agent.backends.bounds import MOST_BYTES, MOST_BYTES_OF_A_BATCH, BoundsError

        bounds = (inf, MOST_BYTES_OF_A_BATCH) if batch else (self.options.total, MOST_BYTES)
        try:
            self.client  # noqa: B018 - made before time is taken: loading the SDK is no waiting for a reply
            with self.bounds.reply(*bounds):
                yield
        except BackendError as error:
            raise BackendError(error.outcome, self._clean(str(error)), self._redaction.clean(error.detail)) from None
        except BoundsError as error:
            raise error.named() from None
        except anthropic.APIError as error:
            raise self._named(error) from None
        except httpx2.TimeoutException:
            raise BackendError("timeout", f"no byte for {self.options.timeout:g} s in the middle of a reply") from None
        except httpx2.HTTPError as error:
            said = self._clean(f"the connection broke in the middle of a reply: {error}")
            raise BackendError("connection cut", said) from None
        except (ValueError, TypeError, RuntimeError, AssertionError) as error:
            # what the SDK raises on JSON that does not parse, or on a stream out of order
            raise BackendError("bad reply", self._clean(f"the reply is not one of the Messages API: {error}")) from None

    def _message(self, arguments: dict[str, Any]) -> Message:
        from anthropic.types import Message

        if self.on_text is None:
            message = self.client.messages.create(**arguments)
        else:
            with self.client.messages.stream(**arguments) as stream:
                pieces = self._redaction.in_pieces(self.on_text)
                for text in stream.text_stream:
                    pieces.add(text)
                pieces.end()
                message = stream.get_final_message()
        if not isinstance(message, Message):
            raise BackendError("bad reply", "the reply is empty")
        return message

    def _named(self, error: anthropic.APIError) -> BackendError:
        import anthropic
        import httpx2

        if isinstance(error, anthropic.APIStatusError):
            status = error.status_code
            outcome = OUTCOME_OF_TYPE.get(error.type or "") or OUTCOME_OF_STATUS.get(status)
            outcome = outcome or ("server error" if status >= 500 else "bad request")
            said = self._clean(error.api_message or f"HTTP status {status}")
            detail = {"status": status, "request": self._redaction.clean(error.request_id)}
            return BackendError(outcome, f"the endpoint says {said!r}", detail)
        if isinstance(error, anthropic.APITimeoutError):
            return BackendError("timeout", f"no reply within {self.options.timeout:g} s")
        if isinstance(error, anthropic.APIConnectionError):
            host = self.client.base_url.host
            if isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol):
                return BackendError("unreachable", f"no connection to {host!r}")
            return BackendError("connection cut", f"the connection to {host!r} broke before the reply was complete")
        return BackendError("bad reply", "the reply is not one of the Messages API")

    def _clean(self, text: str) -> str:
        """Text from outside without the key, should someone have sent it back, and short."""
        return " ".join(self._redaction.clean(text).split())[:500]
