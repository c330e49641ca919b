"""A local server that keeps the objects of one bucket, for tests: it speaks what a store asks of S3, with conditions.

with serving() as server:
    ...                       # AWS_ENDPOINT_URL is server.url, the bucket is `lake`
server.fails_from = 3         # the third PUT from now, and all that is asked after it, is cut off
server.objects["a/lake.json"]

It looks at who asks (the key id that a signature names), and counts what it is asked.
"""

from __future__ import annotations

import hashlib
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

BUCKET, KEY, SECRET = "lake", "reader-and-writer", "never-to-be-shown"


@dataclass(frozen=True)
class Object:
    content: bytes
    modified: datetime

    @property
    def tag(self) -> str:
        return f'"{hashlib.md5(self.content).hexdigest()}"'


@dataclass
class Server:
    """url: its address. cut: PUTs that are still done before all is cut off, None for no end; lost: whether the one
    that is cut off was done all the same. age: how long ago what is put in now was put in."""

    url: str = ""
    objects: dict[str, Object] = field(default_factory=dict)
    cut: int | None = None
    lost: bool = False
    age: timedelta = timedelta(0)
    asked: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def environment(self) -> dict[str, str]:
        """What a client is told of it."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }


@contextmanager
def serving() -> Iterator[Server]:
    """The server, on a free port of this machine, until the end of the block."""
    server = Server()

    class Handler(_Handler):
        of = server

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        server.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    of: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *told: object) -> None:
        pass

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _cut_off(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _said(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _failed(self, status: int, code: str) -> None:
        self._said(status, f"<Error><Code>{code}</Code><Message>{SECRET} {code}</Message></Error>".encode())

    def _begun(self) -> str | None:
        """The key that is asked for, where who asks may and the bucket is there."""
        self.of.asked[self.command] += 1
        bucket, _, key = unquote(urlsplit(self.path).path).lstrip("/").partition("/")
        if f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
            self._failed(403, "InvalidAccessKeyId")
        elif bucket != BUCKET:
            self._failed(404, "NoSuchBucket")
        elif self.of.cut is not None and self.of.cut < 0:
            self._cut_off()
        else:
            return key
        return None

    def do_GET(self) -> None:
        if (key := self._begun()) is None:
            return
        if not key:
            self._list()
        elif (found := self.of.objects.get(key)) is None:
            self._failed(404, "NoSuchKey")
        else:
            modified = format_datetime(found.modified, usegmt=True)
            self._said(200, found.content, ETag=found.tag, Last_Modified=modified)

    do_HEAD = do_GET  # noqa: N815 - as http.server calls it

    def _list(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        prefix, after = asked.get("prefix", [""])[0], asked.get("continuation-token", [""])[0]
        names = [name for name in sorted(self.of.objects) if name.startswith(prefix) and name > after]
        some, more = names[:50], len(names) > 50
        rows = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>{each.modified:%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
            f"<ETag>{escape(each.tag)}</ETag><Size>{len(each.content)}</Size></Contents>"
            for name in some
            for each in (self.of.objects[name],)
        )
        token = f"<NextContinuationToken>{escape(some[-1])}</NextContinuationToken>" if more else ""
        told = f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>"
        self._said(200, told.encode())

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if (key := self._begun()) is None:
            return
        with self.of.lock:
            is_cut = False
            if self.of.cut is not None:
                self.of.cut -= 1
                is_cut = self.of.cut < 0
            there = self.of.objects.get(key)
            wanted, none = self.headers.get("If-Match"), self.headers.get("If-None-Match")
            fails = (wanted and (there is None or there.tag != wanted)) or (none == "*" and there is not None)
            put = Object(content, datetime.now(UTC) - self.of.age)
            if not fails and (not is_cut or self.of.lost):
                self.of.objects[key] = put
        if is_cut:
            self._cut_off()
        elif fails:
            self._failed(412, "PreconditionFailed")
        else:
            self._said(200, ETag=put.tag)

    def do_POST(self) -> None:
        """Takes objects away, as DeleteObjects does."""
        content = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self._begun() is not None:
            gone = re.findall(r"<Key>(.*?)</Key>", content)
            for name in gone:
                self.of.objects.pop(unescape(name), None)
            told = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in gone)
            self._said(200, f"<DeleteResult>{told}</DeleteResult>".encode())
