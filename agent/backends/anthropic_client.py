"""The SDK's client as we use it: within bounds, without compression, and its key kept out of what comes back."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import anthropic
import httpx2

from tieout.agent.backends.anthropic_options import Options
from tieout.agent.backends.bounds import Bounds, BoundsError, bound


def open_client(key: dict[str, str], options: Options, bounds: Bounds) -> anthropic.Anthropic:
    """A client of the endpoint that the environment names. key: `api_key` or `auth_token`, as the SDK calls it."""
    http = _Http(
        verify=_certificates(),
        timeout=options.timeout,
        event_hooks={"response": [_refuse_compressed]},
        headers={"accept-encoding": "identity"},
    )
    bound(http, bounds)
    return _client_within(bounds)(
        **key,  # type: ignore[arg-type]
        timeout=options.timeout,
        max_retries=options.retries,
        http_client=http,
        _strict_response_validation=True,
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Whom the SDK trusts when nothing else is said; read once for all conversations, as it takes long."""
    return httpx2.create_ssl_context()


class _Http(anthropic.DefaultHttpxClient):
    """Closes its connections when nobody holds it any more, as the one that the SDK makes itself."""

    def __del__(self) -> None:
        if not self.is_closed:
            self.close()


def _client_within(bounds: Bounds) -> type[anthropic.Anthropic]:
    class Client(anthropic.Anthropic):
        """Waits before another attempt within the bounds; the SDK alone would wait as long as the endpoint says."""

        def _calculate_retry_timeout(self, *arguments: Any, **more: Any) -> float:  # noqa: ANN401 - the SDK's own
            bounds.sleep(super()._calculate_retry_timeout(*arguments, **more))
            return 0.0

    return Client


def _refuse_compressed(response: httpx2.Response) -> None:
    """A few bytes can unpack to any number, so that what is compressed though it was asked not to be is not read."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise BoundsError("bad reply", f"the reply is compressed ({coding[:20]}), which was not asked for")
