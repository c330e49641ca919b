"""The client of an SDK as we use it: within bounds, without compression. The SDKs of all endpoints stand on httpx2."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx2

from tieout.agent.backends.bounds import Bounds, BoundsError, bound
from tieout.agent.backends.options import Common


def open_client(sdk: Any, key: dict[str, str], options: Common, bounds: Bounds) -> Any:  # noqa: ANN401 - of an SDK
    """A client of the endpoint that the environment names. sdk: its class. key: under the name that the SDK has for it.

    A reply with JSON that does not fit is for us to refuse, or for the SDK where it can: Anthropic's knows all replies.
    """
    http = _Http(
        verify=_certificates(),
        timeout=options.timeout,
        event_hooks={"response": [_refuse_compressed]},
        headers={"accept-encoding": "identity"},
        follow_redirects=True,  # as the SDKs' own clients
    )
    bound(http, bounds)
    return _client_within(sdk, bounds)(
        **key, timeout=options.timeout, max_retries=options.retries, http_client=http, _strict_response_validation=True
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Whom the SDKs trust when nothing else is said; read once for all conversations, as it takes long."""
    return httpx2.create_ssl_context()


class _Http(httpx2.Client):
    """Closes its connections when nobody holds it any more, as those that the SDKs make themselves."""

    def __del__(self) -> None:
        if not self.is_closed:
            self.close()


def _client_within(sdk: Any, bounds: Bounds) -> Any:  # noqa: ANN401 - of an SDK
    class Within(sdk):  # type: ignore[misc]
        """Waits before another attempt within the bounds; the SDK alone would wait as long as the endpoint says."""

        def _calculate_retry_timeout(self, *arguments: Any, **more: Any) -> float:  # noqa: ANN401 - the SDK's own
            bounds.sleep(super()._calculate_retry_timeout(*arguments, **more))
            return 0.0

    return Within


def _refuse_compressed(response: httpx2.Response) -> None:
    """A few bytes can unpack to any number, so that what is compressed though it was asked not to be is not read."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise BoundsError("bad reply", f"the reply is compressed ({coding[:20]}), which was not asked for")
