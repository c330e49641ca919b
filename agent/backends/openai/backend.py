"""The backend `openai:<model>`: any endpoint that speaks Chat Completions or Responses, named in OPENAI_BASE_URL.

The vendor's SDK (extra `openai`) sends, tries again and names errors. What is said is ours: endpoints differ in what
they add and leave out, so that replies are read by what is needed of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tieout.agent.backends.endpoint import Endpoint
from tieout.agent.backends.openai import chat, responses
from tieout.agent.backends.openai.request import Options
from tieout.agent.backends.options import BackendNameError
from tieout.agent.protocol.message import BackendError, Reply, Request

if TYPE_CHECKING:
    import openai

    from tieout.agent.backends.bounds import Bounds

PLACE = "OPENAI_BASE_URL"
NO_KEY = "none"  # what an endpoint of one's own is sent where it wants no key
# Outcomes, by the code or type of an error: https://platform.openai.com/docs/guides/error-codes
OUTCOME_OF_CODE = {
    "context_length_exceeded": "too large",
    "insufficient_quota": "rate limited",
    "invalid_api_key": "unauthorized",
    "model_not_found": "not found",
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate limited",
    "rate_limit_exceeded": "rate limited",
    "request_too_large": "too large",
    "server_error": "server error",
}


class OpenAIBackend(Endpoint):
    """Asks a model through Chat Completions or Responses. As Endpoint has it."""

    KIND, API = "openai", "Chat Completions or Responses API"
    KEYS = ("OPENAI_API_KEY",)
    OUTCOMES = OUTCOME_OF_CODE
    options: Options
    client: openai.OpenAI

    @classmethod
    def parse(cls, text: str, on_text: Callable[[str], None] | None = None, *, asked: bool = True) -> OpenAIBackend:
        """The backend that `openai:<text>` names. Raises BackendNameError, also where the extra is not installed, and
        BackendError `no key`."""
        if find_spec("openai") is None:
            raise BackendNameError(f"the backend openai:{text} needs openai: pip install 'tieout[openai]'")
        return cls(Options.parse(text), name=f"openai:{text}", on_text=on_text, asked=asked)

    def _key_from_environment(self) -> str:
        if os.environ.get(PLACE, "").strip() and not os.environ.get(self.KEYS[0], "").strip():
            return NO_KEY
        return super()._key_from_environment()

    def _sdk(self) -> ModuleType:
        import openai

        return openai

    def _client(self, key: str, bounds: Bounds) -> openai.OpenAI:
        import openai

        from tieout.agent.backends.client import open_client

        client: openai.OpenAI = open_client(openai.OpenAI, {"api_key": key}, self.options, bounds)
        return client

    def _ask(self, request: Request) -> Reply:
        spoken = responses if self.options.api == "responses" else chat
        body = self._post(spoken, spoken.encode(request, self.options))
        if not isinstance(body, dict):
            raise BackendError("bad reply", "the reply is no JSON object")
        reply: Reply = spoken.decode(self._redaction.clean(body), self.options.model)
        return reply

    def _post(self, spoken: ModuleType, body: dict[str, Any]) -> object:
        import openai

        if self.on_text is None:
            return self.client.post(spoken.PATH, body=body, cast_to=object)
        stream = self.client.post(
            spoken.PATH, body=spoken.streamed(body), cast_to=object, stream=True, stream_cls=openai.Stream[object]
        )
        with stream, self._pieces() as pieces:
            return spoken.gather(stream, pieces)

    def _named(self, error: Any) -> BackendError:  # noqa: ANN401 - APIError of the SDK
        if not isinstance(error, self._sdk().APIConnectionError) and (outcome := self._outcome(error)):
            status = getattr(error, "status_code", None)
            return BackendError(outcome, f"the endpoint says {self._clean(self._said(error))!r}", {"status": status})
        if type(error) is self._sdk().APIError and error.body is not None:  # in the middle of a stream
            return BackendError("server error", f"the endpoint says {self._clean(self._said(error))!r}")
        return super()._named(error)

    def _outcome(self, error: Any) -> str | None:  # noqa: ANN401 - APIError of the SDK
        return OUTCOME_OF_CODE.get(error.code or "") or OUTCOME_OF_CODE.get(error.type or "")

    def _said(self, error: Any) -> str:  # noqa: ANN401 - APIError of the SDK
        """What the endpoint says, where it says it as is usual; else as the SDK has it."""
        said = error.body.get("message") if isinstance(error.body, dict) else None
        return str(said or error.message)
