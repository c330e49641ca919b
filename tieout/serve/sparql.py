"""SPARQL 1.1 Protocol (W3C Recommendation of 2013) for queries: read-only, in a worker with limits.

Where the protocol leaves it open: a query that is refused is a 400 that says why; one that took too much is a 500.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

from tieout.kg.index.words import WordIndexError
from tieout.kg.output import WRITERS
from tieout.kg.store.dataset import open_dataset
from tieout.kg.store.endpoint import Endpoint as Beyond
from tieout.kg.store.guard import QueryError, QueryStoppedError
from tieout.kg.store.query import QueryWorker, Result
from tieout.kg.store.store import StoreError
from tieout.serve.library import Library

MOST_ROWS, SECONDS = 100_000, 5.0
MOST_WAITING = 32  # queries; who comes then is told to ask again
BEYOND = 4  # queries under way at another endpoint
FORM, QUERY, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
SOLUTIONS = {
    "application/sparql-results+json": "json",
    "application/json": "json",
    "application/sparql-results+xml": "xml",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}
GRAPHS = {
    "text/turtle": "ttl",
    "application/turtle": "ttl",
    "application/x-turtle": "ttl",
    "application/n-triples": "nt",
    "text/plain": "nt",
    "application/rdf+xml": "rdf",
}
PLAIN = "text/plain; charset=utf-8"


class ProtocolError(ValueError):
    """A request that is not as the protocol has it. status: of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Operation:
    """A query with the graphs it is to see, None for all."""

    query: str
    default: tuple[str, ...] | None
    named: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back. truncated: there was more."""

    status: int
    media_type: str
    body: str
    truncated: bool = False


def read_operation(method: str, query_string: str, media_type: str, body: bytes) -> Operation:
    """The query of a request, in one of the three ways that the protocol has. Raises ProtocolError."""
    try:
        values = parse_qs(query_string, keep_blank_values=True, max_num_fields=50, errors="strict")
        if method == "POST":
            kind = media_type.partition(";")[0].strip().lower()
            if kind == FORM:
                text = body.decode()
                values = parse_qs(text, keep_blank_values=True, max_num_fields=50, errors="strict")
            elif kind == QUERY:
                values["query"] = [*values.get("query", []), body.decode()]
            elif kind == UPDATE:
                raise ProtocolError(403, "this endpoint is read-only: it takes no updates")
            else:
                raise ProtocolError(415, f"a query comes as {FORM} or {QUERY}, not as {kind[:60]!r}")
    except ProtocolError:
        raise
    except ValueError as error:  # text that is no UTF-8, too many fields
        raise ProtocolError(400, f"the request cannot be read: {str(error)[:100]}") from error
    if "update" in values:
        raise ProtocolError(403, "this endpoint is read-only: it takes no updates")
    if len(values.get("query", [])) != 1:
        raise ProtocolError(400, "a request has exactly one `query`")
    return Operation(values["query"][0], _graphs(values, "default-graph-uri"), _graphs(values, "named-graph-uri"))


def _graphs(values: dict[str, list[str]], name: str) -> tuple[str, ...] | None:
    return tuple(values[name]) if name in values else None


def choose(accept: str, offered: dict[str, str]) -> str | None:
    """The best media type of those offered, by RFC 9110, section 12.5.1; None where none will do.

    Of types that are as welcome as each other the first that is offered is taken.
    """
    ranges: list[tuple[str, float]] = []
    for part in accept.split(",") if accept.strip() else ["*/*"]:
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        try:
            ranges.append((kind, min(1.0, max(0.0, float(quality)))))
        except ValueError:
            ranges.append((kind, 0.0))
    best: str | None = None
    most = 0.0
    for media_type in offered:
        closest, welcome = max((_closeness(kind, media_type), quality) for kind, quality in ranges)
        if closest and welcome > most:
            best, most = media_type, welcome
    return best


def _closeness(kind: str, media_type: str) -> int:
    if kind == media_type:
        return 3
    if kind.endswith("/*") and media_type.startswith(kind[:-1]):
        return 2
    return 1 if kind == "*/*" else 0


def write(result: Result, accept: str) -> Reply:
    """A result in the form that is accepted. Raises ProtocolError 406."""
    offered = GRAPHS if result.kind == "graph" else SOLUTIONS
    chosen = choose(accept, offered)
    if chosen is None:
        raise ProtocolError(406, f"the result can be had as {', '.join(offered)}")
    try:
        body = WRITERS[offered[chosen]](result)
    except ValueError as error:  # a property that RDF/XML has no name for
        raise ProtocolError(406, f"the result cannot be written as {chosen}: {error}") from error
    return Reply(200, chosen, body, bool(result.truncated))


class Endpoint:
    """The endpoint over the reports that are open, a store on disk, or another endpoint. Close it.

    It is asked by one thread at a time, unless it is another endpoint.
    """

    def __init__(self, library: Library, store: Path | None = None, beyond: Beyond | None = None) -> None:
        self._library, self._store, self._beyond = library, store, beyond
        self._worker: QueryWorker | None = None
        self._version = -1
        self._seen: tuple[str, ...] | None = None
        self._running: Operation | None = None
        self._lock = threading.Lock()  # who has it knows that what runs goes on running

    @property
    def at_once(self) -> int:
        """How many queries can be under way."""
        return BEYOND if self._beyond is not None else 1

    def close(self) -> None:
        """Ends the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def stop(self, operation: Operation | None = None) -> None:
        """Ends the query that is under way here, if it is this one: nobody waits for it any more. None: whichever."""
        with self._lock:
            if self._worker is not None and (operation is None or operation is self._running):
                self._worker.stop()

    def answer(self, operation: Operation, accept: str, rows: int = MOST_ROWS) -> Reply:
        """Runs a query for so many rows at most; whatever is wrong with it is in the reply."""
        with self._lock:
            self._running = operation
        try:
            default, named = operation.default, operation.named
            if named is not None and default is None:
                default = ()  # a dataset that is described holds what is described and nothing else
            return write(self._run(operation.query, default, named, rows), accept)
        except ProtocolError as error:
            return Reply(error.status, PLAIN, f"{error}\n")
        except (StoreError, WordIndexError) as error:
            return Reply(502, PLAIN, f"{error}\n")
        except QueryStoppedError as error:
            return Reply(500, PLAIN, f"{error}\n")
        except QueryError as error:
            return Reply(400, PLAIN, f"{error}\n")
        finally:
            with self._lock:
                self._running = None

    def _run(self, query: str, default: Sequence[str] | None, named: Sequence[str] | None, rows: int) -> Result:
        if self._beyond is not None:
            return self._beyond.query(
                query, default, rows, SECONDS, () if default is not None and named is None else named
            )
        if named is None and default is not None:
            named = ()
        seen = None if default is None else tuple(sorted({*default, *(named or ())}))
        return self._ready(seen).query(query, default, rows, SECONDS, named)

    def _ready(self, seen: tuple[str, ...] | None) -> QueryWorker:
        """The worker, with the reports that are open now; of a store, with the graphs that the query sees."""
        is_current = seen == self._seen if self._store is not None else self._version == self._library.version
        if self._worker is None or not is_current:
            self.close()
            self._version, self._seen = self._library.version, seen
            self._worker = open_dataset(self._store, seen) if self._store else QueryWorker(quads=self._library.quads())
        return self._worker
