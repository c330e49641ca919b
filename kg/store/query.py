"""Queries that a user or a model wrote: checked, then run in a worker process that can be stopped and comes back."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyoxigraph as ox

from tieout.data.system.lines import LineProcess
from tieout.kg.store.guard import QueryError, QueryStoppedError, check_query, readable
from tieout.kg.store.snapshots import make_folder
from tieout.kg.store.store import StoreError, check_folder, may_write, snapshot
from tieout.ontology.vocabulary import PREFIXES

WORKER = Path(__file__).with_name("worker.py")
DEFAULT_ROWS, DEFAULT_SECONDS = 1000, 5.0
MOST_ROWS, MOST_SECONDS = 1_000_000, 600.0
MEMORY = 2 * 1024**3  # address space: RocksDB and its threads map about half of it before the first query
START_SECONDS = 30.0

Term = dict[str, str]  # as in the SPARQL 1.1 Query Results JSON Format: type, value, datatype, xml:lang


def rdf_term(term: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """A term of a result as the store has it."""
    if term["type"] == "uri":
        return ox.NamedNode(term["value"])
    if term["type"] == "bnode":
        return ox.BlankNode(term["value"])
    if "xml:lang" in term:
        return ox.Literal(term["value"], language=term["xml:lang"])
    datatype = term.get("datatype")
    return ox.Literal(term["value"], datatype=ox.NamedNode(datatype)) if datatype else ox.Literal(term["value"])


@dataclass(frozen=True, slots=True)
class Result:
    """What a query gave.

    kind: `select`, `ask` (one row with a boolean) or `graph` (rows are triples). truncated: "" where this is all, else
    what stopped it: `rows`, as many as were asked for, or `size`, as much as a reply may hold.
    """

    kind: str
    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    truncated: str = ""


class QueryWorker:
    """A process with a read-only store. Use it in a `with`, or close it.

    directory: a store on disk, of which it reads a snapshot; or quads: N-Quads. memory: bytes of address space.
    Raises StoreError when the store cannot be read.
    """

    def __init__(self, directory: Path | None = None, quads: bytes = b"", memory: int = MEMORY) -> None:
        self._quads, self._memory = quads, memory
        self._process: LineProcess | None = None
        self._sockets_forbidden = False
        self._folder: Path | None = None
        self._store: Path | None = None  # what the process reads
        if directory is not None:
            check_folder(directory, must_exist=True)
            self._store = directory
            if may_write(directory):
                self._make_snapshot(directory)

    def _make_snapshot(self, directory: Path) -> None:
        """Beside the store, because it is made of hard links."""
        try:
            self._folder = make_folder(directory)
        except OSError as error:
            raise StoreError(f"the store at {str(directory)!r} cannot be copied to be read ({error})") from error
        try:
            snapshot(directory, self._folder / "store")
        except BaseException:
            self.close()
            raise
        self._store = self._folder / "store"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process and removes the snapshot."""
        self._stop()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def stop(self) -> None:
        """Ends the query that another thread waits for, which is told that it was stopped; the next one is served."""
        process = self._process
        if process is not None:
            process.kill()

    def forbids_sockets(self) -> bool:
        """Starts the process; whether the kernel refuses it every socket. Else only the check of the text of a query
        keeps it off the network. Raises QueryError when it does not start."""
        self._start()
        return self._sockets_forbidden

    def query(
        self,
        text: str,
        graphs: Sequence[str] | None = None,
        rows: int = DEFAULT_ROWS,
        seconds: float = DEFAULT_SECONDS,
        named: Sequence[str] | None = None,
    ) -> Result:
        """Runs one query. graphs: IRIs of the named graphs it sees, None for the union of all. named: those that it
        may name in GRAPH, None for the same.

        Raises QueryError when it is refused, wrong, too slow or too big; the next query is served none the less.
        """
        check_query(text)
        request = {
            "query": text,
            "prefixes": PREFIXES,
            "rows": rows,
            "seconds": seconds,
            "graphs": None if graphs is None else list(graphs),
            "named": None if named is None else list(named),
        }
        self._start()
        reply = self._exchange(json.dumps(request).encode() + b"\n", seconds)
        if "error" in reply:
            raise QueryError(readable(reply["error"], text))
        found = tuple(tuple(row) for row in reply["rows"])
        return _in_written_order(text, Result(reply["kind"], tuple(reply["variables"]), found, reply["truncated"]))

    def _start(self) -> None:
        if self._process is not None and self._process.is_running():
            return
        self._stop()
        place = "-" if self._store is None else str(self._store)
        self._process = LineProcess([sys.executable, "-I", str(WORKER), str(self._memory), place, str(os.getpid())])
        load = b"%d\n%s" % (len(self._quads), self._quads) if self._store is None else b""
        self._sockets_forbidden = self._exchange(load, START_SECONDS)["sockets_forbidden"]

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def _exchange(self, message: bytes, seconds: float) -> dict[str, Any]:
        assert self._process is not None
        try:
            line = self._process.exchange(message, seconds)
        except TimeoutError:
            raise QueryStoppedError(f"the query was stopped after {seconds:g} seconds") from None
        except EOFError:
            why = "it needs too much memory or is nested too deep"
            raise QueryStoppedError(f"the query ended its process: {why}") from None
        reply: dict[str, Any] = json.loads(line)
        return reply


def _in_written_order(text: str, result: Result) -> Result:
    """pyoxigraph does not keep the order of variables for `SELECT *`; here they come as the query first names them."""
    if result.kind != "select" or not re.search(r"select\s+(distinct\s+|reduced\s+)?\*", text, re.IGNORECASE):
        return result
    place = {name: at for at, name in reversed(list(enumerate(re.findall(r"[?$](\w+)", text))))}
    order = sorted(
        range(len(result.variables)), key=lambda at: (place.get(result.variables[at], len(text)), result.variables[at])
    )
    rows = tuple(tuple(row[at] for at in order) for row in result.rows)
    return Result(result.kind, tuple(result.variables[at] for at in order), rows, result.truncated)
