"""What is let in: requests with the token, to this host, from no other site, of a size; and what every reply says."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import time
from collections.abc import Callable, Collection, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from tieout.data.console import printable

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024  # of a request that is no report
BODY_SECONDS = 30.0  # for a request that is no report, and for each piece of one
MOST_UPLOAD = 64 * 1024 * 1024
UPLOAD = ("POST", "/api/reports")
PAGES = ("/", "/query", "/api")
ORIGINAL = "/api/reports/{key}/original"  # a page of somebody else, shown in a frame of ours
SHARED = "/shared/"  # begins the path of a page that needs no token, but a signed link
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FRAMED = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
WITH_STYLES = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Guard:
    """The ASGI application behind which all others stand.

    token: what a request has to bring, as `Authorization: Bearer`, or as a cookie that a page sets from `?token=`.
    names: by which this host may be called, besides any address of numbers (no other site can have one of ours).
    told: hears one line for each request; the token, a link and what is asked do not stand in it. share: pages at
    SHARED need no token.
    """

    def __init__(
        self,
        app: ASGIApp,
        token: str,
        port: int,
        names: Collection[str] = LOOPBACK,
        told: Callable[[str], None] = lambda line: None,
        share: bool = False,
    ) -> None:
        self._app, self._token, self._told = app, token, told
        self._names, self._cookie = frozenset(names), f"tieout-{port}"
        self._port, self._share = port, share

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no other kind of connection is served: the server refuses it
        started, status = time.perf_counter(), 0

        async def reply(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"content-security-policy", policy_of(scope["path"]).encode()),
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        try:
            await self._let_in(scope, receive, reply)
        finally:
            took = 1000 * (time.perf_counter() - started)
            path = SHARED if scope["path"].startswith(SHARED) else printable(scope["path"])[:120]  # a link lets in too
            self._told(f"{scope['method'][:10]} {path} {status or 'broken off'} {took:.0f} ms")

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        path, method = scope["path"], scope["method"]
        if not self._is_ours(headers.get("host", "")):
            return await _refuse(send, 421, "this is not a name of this server")
        if "origin" in headers and urlsplit_host(headers["origin"]) != headers.get("host", "").lower():
            return await _refuse(send, 403, "requests of other sites are not answered")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            # Other ports of this host are the same site: their pages send our cookie.
            return await _refuse(send, 403, "requests of other sites are not answered: type or paste the address")
        if method == "GET" and path in PAGES and (brought := _query(scope).get("token")) is not None:
            return await self._set_cookie(scope, send, brought)
        if self._share and method == "GET" and path.startswith(SHARED):
            return await self._bounded(scope, receive, send, headers)  # the link itself says who may see it
        if not self._has_token(headers):
            return await _refuse(send, 401, "open the address that `tieout serve` printed, with its token")
        if (method, path) == UPLOAD:
            return await self._app(scope, receive, send)
        return await self._bounded(scope, receive, send, headers)

    def _is_ours(self, host: str) -> bool:
        name, port = split_host(host)
        if port is not None and port != self._port:
            return False
        return name in self._names or _is_address(name)

    def _has_token(self, headers: dict[str, str]) -> bool:
        kind, _, brought = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self._fits(brought.strip())
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return cookie is not None and self._fits(cookie.value)

    def _fits(self, brought: str) -> bool:
        return secrets.compare_digest(brought.encode("utf-8", "replace"), self._token.encode())

    async def _set_cookie(self, scope: Scope, send: Send, brought: str) -> None:
        """A page opened with its token is opened again without: it stays in no history and no address bar."""
        if not self._fits(brought):
            await _refuse(send, 401, "this is not the token of this server")
            return
        rest = urlencode([(name, value) for name, value in _pairs(scope) if name != "token"])
        cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        location = quote(scope["path"]) + (f"?{rest}" if rest else "")
        headers = [(b"location", location.encode()), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            await _refuse(send, 413, f"a request has {MOST_BYTES} bytes at most")
            return
        body = b""
        more = True
        deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        while more:
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                await _refuse(send, 408, "the rest of the request did not come")
                return
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > MOST_BYTES:
                await _refuse(send, 413, f"a request has {MOST_BYTES} bytes at most")
                return
        given = False

        async def again() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)


def policy_of(path: str) -> str:
    """What a page may load. YASGUI writes styles of its own while it runs, and a page that is shared has them in it; no
    other may. Scripts are the same everywhere, and a page that is shared has none."""
    if path.startswith(ORIGINAL.partition("{")[0]) and path.endswith(ORIGINAL.rpartition("}")[2]):
        return FRAMED
    if path.startswith(SHARED):
        return WITH_STYLES.replace("script-src 'self'", "script-src 'none'")
    return WITH_STYLES if path == "/query" else POLICY


def split_host(host: str) -> tuple[str, int | None]:
    """The name and the port of a Host header; the port None where there is none, -1 where it is no number."""
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not colon:
        name, port = host, ""
    number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else -1
    return name.strip("[]").lower(), number if colon else None


def urlsplit_host(origin: str) -> str:
    """The host and port of an origin, "" where it is none of the web."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _pairs(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _query(scope: Scope) -> dict[str, str]:
    return dict(_pairs(scope))


async def _refuse(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
