"""A SPARQL 1.1 server over a store in memory, for tests: Query, Update and Graph Store protocols, as other engines have
them; it keeps the size of the largest request."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest

HEADER = "Bearer of-the-tests"


class SparqlServer(ThreadingHTTPServer):
    """The server. largest: bytes of the largest request. asked: the path of each."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.store = ox.Store()
        self.largest = 0
        self.asked: list[str] = []
        self.authorization: str | None = None
        self.address = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: SparqlServer

    def log_message(self, *_: object) -> None:
        """Tests say enough."""

    def do_POST(self) -> None:
        self._take("POST")

    def do_PUT(self) -> None:
        self._take("PUT")

    def _take(self, method: str) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        url = urlsplit(self.path)
        self.server.largest = max(self.server.largest, len(body))
        self.server.asked.append(f"{method} {url.path}")
        wanted = self.server.authorization
        if wanted is not None and self.headers["Authorization"] != wanted:
            return self._reply(401, b"who are you?")
        try:
            if url.path == "/query":
                return self._query(parse_qs(body.decode()))
            if url.path == "/update" and self.headers["Content-Type"] == "application/sparql-update":
                self.server.store.update(body.decode())
                return self._reply(204)
            if url.path == "/store":
                graph = ox.NamedNode(parse_qs(url.query)["graph"][0])
                if method == "PUT":
                    self.server.store.remove_graph(graph)
                self.server.store.load(body, ox.RdfFormat.TURTLE, to_graph=graph)
                return self._reply(204)
            if url.path == "/moved":
                return self._reply(302, b"", location="/query")
            return self._reply(404, b"not here")
        except (SyntaxError, ValueError, OSError) as error:
            return self._reply(400, str(error).encode())

    def _query(self, values: dict[str, list[str]]) -> None:
        named = [ox.NamedNode(iri) for iri in values.get("named-graph-uri", ())]
        default = [ox.NamedNode(iri) for iri in values.get("default-graph-uri", ())]
        scope = {"default_graph": default, "named_graphs": named} if default or named else {}
        found = self.server.store.query(values["query"][0], use_default_graph_as_union=not scope, **scope)
        if isinstance(found, ox.QueryTriples):
            return self._reply(200, ox.serialize(found, format=ox.RdfFormat.N_TRIPLES), "application/n-triples")
        return self._reply(200, found.serialize(format=ox.QueryResultsFormat.JSON), "application/sparql-results+json")

    def _reply(self, status: int, body: bytes = b"", kind: str = "text/plain", location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def sparql_server() -> Iterator[SparqlServer]:
    """The server, running in a thread."""
    with SparqlServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def oxigraph_server() -> Iterator[str]:
    """The address of an Oxigraph server, a program of its own; where it is missing the test is skipped, loudly."""
    program = Path(sys.executable).with_name("oxigraph")
    if not program.is_file():
        pytest.skip("NO OXIGRAPH SERVER: no graph was put to a real endpoint; pip install oxigraph")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "serve", "--bind", f"127.0.0.1:{port}", "--union-default-graph"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None and not _listens(port):
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
