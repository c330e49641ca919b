"""Graphs at a SPARQL 1.1 endpoint, in place of the store here: queries by its protocol, graphs put by Update or by the
Graph Store Protocol. Nothing is used that an engine adds to these."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit

import pyoxigraph as ox

from tieout.kg.fact import Fact
from tieout.kg.store.facts import Value, read_term
from tieout.kg.store.graph import Graph
from tieout.kg.store.guard import QueryError, QueryStoppedError, check_query
from tieout.kg.store.query import DEFAULT_ROWS, DEFAULT_SECONDS, MOST_SECONDS, Result
from tieout.kg.store.store import StoreError
from tieout.kg.store.worker import term_json
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, PREFIXES

MOST_SENT = 512 * 1024  # bytes of a request
MOST_RECEIVED = 256 * 1024 * 1024  # bytes of a reply
AT_ONCE = 200  # subjects that one query describes
AUTHORIZATION = "TIEOUT_ENDPOINT_AUTHORIZATION"  # the variable that holds the header of that name, such as `Bearer ...`
SOLUTIONS, TRIPLES = "application/sparql-results+json", "application/n-triples"
UPDATE, TURTLE = "application/sparql-update", "text/turtle"
DESCRIBED = "SELECT ?s ?p ?o WHERE {{ VALUES ?s {{ {subjects} }} ?s ?p ?o }}"
WHOLE = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


class EndpointError(StoreError):
    """An endpoint that cannot be, is not reached, or refuses what it is sent."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an endpoint takes what. graphs: URL of the Graph Store Protocol, "" where graphs are put by Update."""

    query: str
    update: str
    graphs: str = ""

    @classmethod
    def read(cls, text: str) -> Place:
        """A place as people write it: `URL`, with `,update=URL` and `,graphs=URL` where these are others.

        Raises EndpointError.
        """
        first, *more = (part.strip() for part in text.split(","))
        given = dict(part.partition("=")[::2] for part in more)
        if unknown := given.keys() - {"update", "graphs"}:
            raise EndpointError(f"an endpoint has update= and graphs= behind its URL, and no {sorted(unknown)[0]!r}")
        for url in (first, *given.values()):
            parts = urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise EndpointError(f"{url[:200]!r} is no URL of an endpoint: it begins with http:// or https://")
        return cls(first, given.get("update", first), given.get("graphs", ""))

    def index(self, store: Path) -> Path:
        """The store beside whose place the index of this endpoint's reports is kept: words stay on this machine."""
        return store.with_name(f"endpoint-{hashlib.sha256(_shown(self.query).encode()).hexdigest()[:12]}")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is sent to an endpoint goes to that endpoint alone."""

    def redirect_request(self, *_: object) -> None:
        """None: the redirect is told as an error."""


class Endpoint:
    """An endpoint. Use it in a `with`, or close it, as a QueryWorker."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing stays open between requests."""

    def forbids_sockets(self) -> bool:
        """A query runs elsewhere: what it may reach is a matter of the engine there."""
        return True

    def query(
        self,
        text: str,
        graphs: Sequence[str] | None = None,
        rows: int = DEFAULT_ROWS,
        seconds: float = DEFAULT_SECONDS,
        named: Sequence[str] | None = None,
    ) -> Result:
        """As a QueryWorker's. graphs: None for what the endpoint itself takes as default graph.

        Raises QueryError, EndpointError.
        """
        check_query(text)
        return self.ask(text, graphs, rows, seconds, named)

    def ask(
        self,
        text: str,
        graphs: Sequence[str] | None = None,
        rows: int | None = None,
        seconds: float = MOST_SECONDS,
        named: Sequence[str] | None = None,
    ) -> Result:
        """A query of our own, without a limit of rows unless given."""
        values = [("query", _with_prefixes(text))]
        values += [("default-graph-uri", graph) for graph in graphs or ()]
        values += [("named-graph-uri", graph) for graph in (named if named is not None else graphs) or ()]
        headers = {"Accept": f"{SOLUTIONS}, {TRIPLES};q=0.9"}
        body = urlencode(values).encode()
        kind, reply = self._send(self.place.query, body, "application/x-www-form-urlencoded", headers, seconds)
        return _result(kind, reply, rows)

    def holds(self, iri: str) -> bool:
        """Whether there is a graph of that name with something in it."""
        return bool(self.ask("SELECT ?s WHERE { ?s ?p ?o } LIMIT 1", [iri]).rows)

    def put(self, iri: str, triples: bytes) -> None:
        """Puts a graph, as N-Triples, in place of what has that name; in requests that stay small.

        By Update it is there whole or not at all; by the Graph Store Protocol, which cannot move a graph, part by part.
        Raises EndpointError.
        """
        parts = list(_parts(triples))
        if self.place.graphs:
            url = f"{self.place.graphs}{'&' if '?' in self.place.graphs else '?'}graph={quote(iri, safe='')}"
            for number, part in enumerate(parts):
                self._send(url, part, TURTLE, {}, MOST_SECONDS, "POST" if number else "PUT")
            return
        aside = f"urn:tieout:loading:{quote(iri, safe='')}"
        self._update(f"DROP SILENT GRAPH <{aside}>".encode())
        for part in parts:
            self._update(b"INSERT DATA { GRAPH <%b> {\n%b} }" % (aside.encode(), part))
        self._update(f"DROP SILENT GRAPH <{iri}> ; MOVE SILENT GRAPH <{aside}> TO GRAPH <{iri}>".encode())

    def _update(self, text: bytes) -> None:
        self._send(self.place.update, text, UPDATE, {}, MOST_SECONDS)

    def _send(
        self, url: str, body: bytes, media_type: str, headers: dict[str, str], seconds: float, method: str = "POST"
    ) -> tuple[str, bytes]:
        """The kind and the body of a reply. Raises EndpointError, QueryError."""
        plain, authorization = _apart(url)
        headers = {**headers, "Content-Type": media_type, **authorization}
        request = urllib.request.Request(plain, body, headers, method=method)
        try:
            with self._opener.open(request, timeout=seconds) as reply:
                received = reply.read(MOST_RECEIVED + 1)
                kind = reply.headers.get_content_type()
        except urllib.error.HTTPError as error:
            raise _refused(plain, error) from None
        except TimeoutError as error:
            raise QueryStoppedError(f"the endpoint did not answer within {seconds:g} seconds") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, socket.timeout):
                raise QueryStoppedError(f"the endpoint did not answer within {seconds:g} seconds") from error
            raise EndpointError(f"the endpoint {plain!r} is not reached: {str(reason)[:200]}") from error
        if len(received) > MOST_RECEIVED:
            raise QueryError(f"the reply has more than {MOST_RECEIVED >> 20} MB: limit the rows")
        return kind, received


class EndpointGraph(Graph):
    """The graph of one document at an endpoint: asked there, and never fetched whole but for all of its facts."""

    def __init__(self, document_id: str, endpoint: Endpoint) -> None:
        super().__init__(document_id, b"")
        self._endpoint = endpoint
        self._scope = [self.iri, ONTOLOGY_GRAPH]

    @property
    def store(self) -> ox.Store:
        """The graph in a store in memory, for what is done with all of it."""
        return self._whole().store

    def select(self, query: str, **substitutions: Value) -> list[dict[str, Value]]:
        """As Graph has it."""
        if substitutions:
            return self._whole().select(query, **substitutions)
        found = self._endpoint.ask(query, self._scope)
        return [dict(zip(found.variables, map(_read, row), strict=True)) for row in found.rows]

    def describe(self, iri: str) -> Iterator[tuple[str, Value]]:
        """As Graph has it."""
        for _, says, value in self.describe_all([iri]):
            yield says, value

    def describe_all(self, iris: Iterable[str]) -> Iterator[tuple[str, str, Value]]:
        """As Graph has it, some hundred subjects with each request."""
        wanted = sorted(set(iris))
        for at in range(0, len(wanted), AT_ONCE):
            subjects = " ".join(f"<{iri}>" for iri in wanted[at : at + AT_ONCE])
            for row in self._endpoint.ask(DESCRIBED.format(subjects=subjects), [self.iri]).rows:
                subject, says, value = map(_read, row)
                yield str(subject), str(says), value

    def facts(self) -> tuple[Fact, ...]:
        """Every fact; the one thing for which the graph is fetched whole."""
        return self._whole().facts()

    def _whole(self) -> Graph:
        rows = self._endpoint.ask(WHOLE, [self.iri]).rows
        lines = (" ".join(map(_term, row)) for row in rows)
        return Graph(self.document_id, "".join(f"{line} .\n" for line in lines).encode())


def _with_prefixes(text: str) -> str:
    """The query with the usual prefixes that it uses and does not declare."""
    declared = set(re.findall(r"\bPREFIX\s+([\w-]*):", text, re.IGNORECASE))
    used = [name for name in PREFIXES if name not in declared and re.search(rf"\b{name}:", text)]
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in used) + text


def _parts(triples: bytes) -> Iterator[bytes]:
    """Lines of N-Triples in parts that a request may hold: none of ours has a blank node, which could not be parted."""
    part: list[bytes] = []
    size = 0
    for line in triples.splitlines(keepends=True):
        if size + len(line) > MOST_SENT - 1024 and part:
            yield b"".join(part)
            part, size = [], 0
        part.append(line)
        size += len(line)
    yield b"".join(part)


def _result(kind: str, reply: bytes, rows: int | None) -> Result:
    try:
        if kind == TRIPLES:
            found = [
                (term_json(each.subject), term_json(each.predicate), term_json(each.object))
                for each in ox.parse(reply, format=ox.RdfFormat.N_TRIPLES)
            ]
            return Result("graph", ("subject", "predicate", "object"), tuple(found[:rows]), _cut(found, rows))
        told: dict[str, Any] = json.loads(reply)
        if "boolean" in told:
            return Result("ask", (), ((term_json(ox.Literal(bool(told["boolean"]))),),))
        names = tuple(told["head"]["vars"])
        solutions = [tuple(map(row.get, names)) for row in told["results"]["bindings"]]
        return Result("select", names, tuple(solutions[:rows]), _cut(solutions, rows))
    except (ValueError, KeyError, TypeError, AttributeError, SyntaxError) as error:
        raise QueryError(f"the endpoint's reply ({kind}) is cut off, or is no result of a query") from error


def _cut(found: Sequence[object], rows: int | None) -> str:
    return "rows" if rows is not None and len(found) > rows else ""


def _read(term: dict[str, str] | None) -> Value:
    return None if term is None else read_term(_ox(term))


def _ox(term: dict[str, str]) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if term["type"] == "uri":
        return ox.NamedNode(term["value"])
    if term["type"] == "bnode":
        return ox.BlankNode(term["value"])
    if "xml:lang" in term:
        return ox.Literal(term["value"], language=term["xml:lang"])
    return ox.Literal(term["value"], datatype=ox.NamedNode(term["datatype"]) if "datatype" in term else None)


def _term(term: dict[str, str] | None) -> str:
    return str(_ox(term)) if term is not None else ""


def _shown(url: str) -> str:
    """The URL without a password."""
    return _apart(url)[0]


def _apart(url: str) -> tuple[str, dict[str, str]]:
    """The URL without user and password, and the header that says them, or that of the environment."""
    parts = urlsplit(url)
    plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    if parts.username:
        said = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        return plain, {"Authorization": f"Basic {b64encode(said).decode()}"}
    header = os.environ.get(AUTHORIZATION, "").strip()
    return plain, {"Authorization": header} if header else {}


def _refused(url: str, error: urllib.error.HTTPError) -> Exception:
    said = " ".join(error.read(2000).decode(errors="replace").split())[:300]
    if error.code == 400:
        return QueryError(f"the endpoint refuses the query: {said}")
    if error.code in (408, 500, 503, 504):
        return QueryStoppedError(f"the endpoint could not answer ({error.code}): {said}")
    return EndpointError(f"the endpoint {url!r} says {error.code}: {said or error.reason}")
