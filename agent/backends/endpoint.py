"""What backends behind an endpoint share: key, bounds, connections, and a name for all that goes wrong there.

The SDKs of vendors are of one make: their errors have the same names and the same parts.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from tieout.agent.backends.options import Common
from tieout.agent.protocol.message import BackendError, Reply, Request
from tieout.data.system.redact import Pieces, Redaction

if TYPE_CHECKING:
    from tieout.agent.backends.bounds import Bounds

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


class Endpoint(ABC):
    """Asks a model behind an endpoint. Raises BackendError `no key` at once where the environment holds none.

    on_text: is given every piece of text while the reply is being written; the reply is streamed if it is set.
    asked: False for one that is only to show what it would be asked; it takes no key.
    """

    KIND: ClassVar[str]  # how the names of such backends begin
    API: ClassVar[str]  # what the endpoint speaks
    KEYS: ClassVar[tuple[str, ...]]  # variables of the environment that may hold the key, the first that does
    OUTCOMES: ClassVar[Mapping[str, str]]  # by the type or code of an error of the API; else by status

    def __init__(
        self,
        options: Common,
        *,
        name: str | None = None,
        on_text: Callable[[str], None] | None = None,
        asked: bool = True,
    ) -> None:
        self.name = name or f"{self.KIND}:{options.model}"
        self.options = options
        self.on_text = on_text
        self._key = self._key_from_environment() if asked else ""
        self._redaction = Redaction([self._key, *(os.environ.get(name, "").strip() for name in self.KEYS)])
        self._open: Any = None
        self._opening = threading.Lock()
        self._bounds: Bounds | None = None

    @property
    def bounds(self) -> Bounds:
        """How long is waited, and how much is read."""
        with self._opening:
            if self._bounds is None:
                from tieout.agent.backends.bounds import Bounds

                self._bounds = Bounds(self.options.total)
            return self._bounds

    @property
    def client(self) -> Any:  # noqa: ANN401 - that of the SDK
        """The SDK's client, made at the first use."""
        bounds = self.bounds
        with self._opening:
            if self._open is None:
                self._open = self._client(self._key, bounds)
            return self._open

    def close(self) -> None:
        """Closes the connections, where there are any."""
        if self._open is not None:
            self._open.close()

    def reply(self, request: Request) -> Reply:
        """Sends the request and waits. Raises BackendError with the outcomes named at the top of these files, and
        `no key`, `unreachable`, `connection cut`, `timeout`, `limit`, `bad reply`, `bad request`."""
        with self.named_errors():
            return self._ask(request)

    @abstractmethod
    def _sdk(self) -> ModuleType:
        """The vendor's SDK, which has the classes of its errors."""

    @abstractmethod
    def _client(self, key: str, bounds: Bounds) -> Any:  # noqa: ANN401 - that of the SDK
        """A client of the SDK within bounds."""

    @abstractmethod
    def _ask(self, request: Request) -> Reply:
        """Sends the request. Raises what the SDK raises."""

    def _key_from_environment(self) -> str:
        """The key. Raises BackendError `no key` where there is none that could be sent."""
        name = next((name for name in self.KEYS if os.environ.get(name, "").strip()), None)
        if name is None:
            raise BackendError("no key", f"no API key: set {self.KEYS[0]} in the environment")
        key = os.environ[name].strip()
        if not key.isascii() or not key.isprintable():
            raise BackendError("no key", f"{name} holds characters that cannot be part of a key")
        return key

    @contextmanager
    def _pieces(self) -> Iterator[Pieces]:
        """Takes in a reply piece by piece, for who listens; what is held back is shown at the end."""
        assert self.on_text is not None
        pieces = self._redaction.in_pieces(self.on_text)
        yield pieces
        pieces.end()

    @contextmanager
    def named_errors(self, *, batch: bool = False) -> Iterator[None]:
        """Turns whatever the SDK raises into a BackendError with the name of its outcome, and without the key, and
        keeps to the bounds of one reply. batch: to those of a batch, which may take a day."""
        import httpx2

        from tieout.agent.backends.bounds import MOST_BYTES, MOST_BYTES_OF_A_BATCH, BoundsError

        sdk = self._sdk()
        bounds = (inf, MOST_BYTES_OF_A_BATCH) if batch else (self.options.total, MOST_BYTES)
        try:
            self.client  # noqa: B018 - made before time is taken: loading the SDK is no waiting for a reply
            with self.bounds.reply(*bounds):
                yield
        except BackendError as error:
            raise BackendError(error.outcome, self._clean(str(error)), self._redaction.clean(error.detail)) from None
        except BoundsError as error:
            raise error.named() from None
        except sdk.APIError as error:
            raise self._named(error) from None
        except httpx2.TimeoutException:
            raise BackendError("timeout", f"no byte for {self.options.timeout:g} s in the middle of a reply") from None
        except httpx2.HTTPError as error:
            said = self._clean(f"the connection broke in the middle of a reply: {error}")
            raise BackendError("connection cut", said) from None
        except (ValueError, TypeError, RuntimeError, AssertionError) as error:
            # what the SDK raises on JSON that does not parse, or on a stream out of order
            raise BackendError("bad reply", self._clean(f"the reply is not one of the {self.API}: {error}")) from None

    def _named(self, error: Any) -> BackendError:  # noqa: ANN401 - APIError of an SDK
        import httpx2

        sdk = self._sdk()
        if isinstance(error, sdk.APIStatusError):
            status = error.status_code
            outcome = self._outcome(error) or OUTCOME_OF_STATUS.get(status)
            outcome = outcome or ("server error" if status >= 500 else "bad request")
            said = self._clean(self._said(error) or f"HTTP status {status}")
            detail = {"status": status, "request": self._redaction.clean(error.request_id)}
            return BackendError(outcome, f"the endpoint says {said!r}", detail)
        if isinstance(error, sdk.APITimeoutError):
            return BackendError("timeout", f"no reply within {self.options.timeout:g} s")
        if isinstance(error, sdk.APIConnectionError):
            host = self.client.base_url.host
            if isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol):
                return BackendError("unreachable", f"no connection to {host!r}")
            return BackendError("connection cut", f"the connection to {host!r} broke before the reply was complete")
        return BackendError("bad reply", f"the reply is not one of the {self.API}")

    def _outcome(self, error: Any) -> str | None:  # noqa: ANN401 - APIError of an SDK
        """The outcome that the type of an error names."""
        return self.OUTCOMES.get(error.type or "")

    def _said(self, error: Any) -> str:  # noqa: ANN401 - APIStatusError of an SDK
        """What the endpoint says of an error."""
        return str(error.api_message or "")

    def _clean(self, text: str) -> str:
        """Text from outside without the key, should someone have sent it back, and short."""
        return " ".join(self._redaction.clean(text).split())[:500]
