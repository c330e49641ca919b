"""The process that runs queries nobody here wrote: read-only, without sockets, bounded in memory, and free to die.

Runs as a script (`python -I worker.py MEMORY STORE PARENT`, STORE `-` for N-Quads on standard input, PARENT the id of
the process it ends with) and imports nothing of
tieout, so that it starts quickly. One JSON object per line comes in, one goes out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph as ox

if __name__ == "__main__":  # all of tieout would take twice as long to start
    sys.path.insert(0, str(Path(__file__).parents[2] / "data" / "system"))
    from confined import die_with, forbid_sockets, limit_memory, limit_seconds  # type: ignore[import-not-found]

    sys.path.pop(0)
else:
    from tieout.data.system.confined import die_with, forbid_sockets, limit_memory, limit_seconds

REPLY_CHARACTERS = (
    8 * 1024 * 1024
)  # with names and datatypes: as JSON or XML a reply has about three times as many bytes


def term_json(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None) -> dict[str, str] | None:
    """A term as in the SPARQL 1.1 Query Results JSON Format."""
    if term is None:
        return None
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, ox.Literal):
        found = {"type": "literal", "value": term.value}
        if term.language:
            return found | {"xml:lang": term.language}
        if term.datatype.value != "http://www.w3.org/2001/XMLSchema#string":
            return found | {"datatype": term.datatype.value}
        return found
    return {"type": "triple", "value": str(term)}


def answer(store: ox.Store, request: dict[str, Any]) -> dict[str, Any]:
    """Runs one query. request: query, prefixes, rows (the most to return), graphs and named (IRIs, null for
    the union of all)."""
    graphs: list[Any] | None = (
        [ox.NamedNode(iri) for iri in request["graphs"]] if request["graphs"] is not None else None
    )
    named = graphs if request.get("named") is None else [ox.NamedNode(iri) for iri in request["named"]]
    result = store.query(
        request["query"],
        prefixes=request["prefixes"],
        use_default_graph_as_union=graphs is None,
        default_graph=graphs,
        named_graphs=named,
    )
    if isinstance(result, ox.QueryBoolean):
        return {"kind": "ask", "variables": [], "rows": [[term_json(ox.Literal(bool(result)))]], "truncated": ""}
    found: Iterator[list[dict[str, str] | None]]
    if isinstance(result, ox.QueryTriples):
        kind, variables = "graph", ["subject", "predicate", "object"]
        found = ([term_json(term) for term in triple] for triple in result)
    else:
        kind, variables = "select", [variable.value for variable in result.variables]
        found = ([term_json(term) for term in solution] for solution in result)
    rows: list[list[dict[str, str] | None]] = []
    names = sum(map(len, variables))  # a reply repeats them in every row
    size, truncated = 0, ""
    for row in islice(found, request["rows"] + 1):
        size += names + sum(len(part) for term in row if term for part in (*term, *term.values()))
        if len(rows) == request["rows"] or size > REPLY_CHARACTERS:
            truncated = "rows" if len(rows) == request["rows"] else "size"
            break
        rows.append(row)
    return {"kind": kind, "variables": variables, "rows": rows, "truncated": truncated}


def serve(store: ox.Store, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answers line after line until the other end closes. Only what the library says of a query goes back as error."""
    for line in requests:
        try:
            request = json.loads(line)
            limit_seconds(request["seconds"])
            reply = answer(store, request)
        except (SyntaxError, ValueError, OSError, RuntimeError) as error:  # the last as of a function that is none
            reply = {"error": str(error)}
        except MemoryError:
            reply = {"error": "the query needs more memory than it may have"}
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()


def main() -> None:
    """Opens the store first: with the limits in force it could not read its lock or make its threads."""
    memory, place = int(sys.argv[1]), sys.argv[2]
    die_with(int(sys.argv[3]))
    if place == "-":
        store = ox.Store()
        length = int(sys.stdin.buffer.readline())
        store.load(sys.stdin.buffer.read(length), ox.RdfFormat.N_QUADS)
    else:
        store = ox.Store.read_only(place)
    limit_memory(memory)
    ready = {"ready": True, "sockets_forbidden": forbid_sockets()}
    sys.stdout.buffer.write(json.dumps(ready).encode() + b"\n")
    sys.stdout.buffer.flush()
    serve(store, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
