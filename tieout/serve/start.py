"""From options to a server that runs: what is wrong with them is found first, and reports are read meanwhile."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tieout.agent.backends.choose import backend_name, make_backend
from tieout.data.readers.paths import find_files
from tieout.kg.index.words import Index
from tieout.kg.store.endpoint import Endpoint, Place
from tieout.kg.store.lake import original
from tieout.kg.store.store import DEFAULT_STORE, StoreError, check_folder, index_path, origin_of, shown
from tieout.ontology.model import default_ontology
from tieout.serve.asking.kept import Kept
from tieout.serve.asking.readings import readings_path
from tieout.serve.library import Library

Tell = Callable[[str], None]


@contextmanager
def open_library(
    files: Sequence[Path],
    store: Path | None,
    endpoint: str | None,
    ontology: Path | None,
    plan: Mapping[str, Any],
    told: Tell,
    forget: bool = True,
) -> Iterator[Library]:
    """The reports in files, or those that a store keeps where there is none, being read.

    endpoint: only looked at. forget: keep nothing of what is read for the next time. Raises DataError, DataFileError,
    KeepError, StoreError, OntologyError, BackendNameError, BackendError.
    """
    paths = [path for path, _ in find_files(files)]
    if store is not None:
        check_folder(store, must_exist=True)
        if not files:
            paths = _kept(store, told)
    if endpoint:
        Place.read(endpoint)
    make_backend(backend_name(plan["backend"]))
    _check_data(plan["data"], plan["memory"])
    tbox, _ = default_ontology(ontology)
    readings = None if forget else readings_path(own_place(store or DEFAULT_STORE)).absolute()
    with Library(tbox, lambda message: told(f"tieout: {message}"), apart=True, kept=readings) as library:
        for path in paths:
            library.add(path)
        yield library


def _kept(store: Path, told: Tell) -> list[Path]:
    """The files that the reports of a store are from. Raises StoreError where none of them is there."""
    if not index_path(store).is_file():
        return []  # a store of graphs alone: /sparql can ask it
    with closing(Index(index_path(store))) as index:
        kept = index.sources().values()
    url = origin_of(store)
    sources = [original(url, source, mark) if url else Path(source) for source, mark in kept]
    there = [path for path in sources if path.is_file()]
    for path in sources:
        if path not in there:
            told(f"tieout: {path} is no longer there: the report that is kept of it cannot be shown")
    if sources and not there:
        raise StoreError(f"none of the files that {shown(store)!r} keeps reports of is still there")
    return there


def open_kept(store: Path | None, forget: bool) -> Kept:
    """Where conversations are kept: beside the store, or in memory. Raises KeptError."""
    return Kept(None if forget else conversations_path(store or DEFAULT_STORE))


def own_place(store: Path) -> Path:
    """What a server keeps lies beside this: beside the store, or for a lake in a bucket beside that of this folder."""
    url = origin_of(store)
    return DEFAULT_STORE.with_name(re.sub(r"\W+", "-", url)) if url else store


def conversations_path(store: Path) -> Path:
    """Where the conversations about a store's reports are."""
    place = own_place(store)
    return place.with_name(f"{place.name}.conversations")


def _check_data(data: Sequence[Path], memory: Path | None) -> None:
    """Raises what opening them would, before anything is served."""
    if data:
        from tieout.data.datasets.engine import need
        from tieout.data.datasets.files import find_sources

        need("duckdb")
        find_sources(data)
    if memory is not None:
        from tieout.agent.memory.memory import Memory

        Memory(memory).terms()
        Memory(memory).recipes()


def run(
    library: Library,
    listening: socket.socket,
    token: str,
    names: Sequence[str],
    plan: Mapping[str, Any],
    *,
    told: Tell,
    endpoint: str | None = None,
    **more: Any,  # noqa: ANN401 - those of Serving
) -> None:
    """Serves until it is told to end."""
    import uvicorn

    from tieout.serve.app import Serving, make_app
    from tieout.serve.asking.desk import Plan
    from tieout.serve.asking.process import processes
    from tieout.serve.connections import make_config
    from tieout.serve.guard import LOOPBACK

    chosen = replace(Plan(**plan), backend=backend_name(plan["backend"]))
    serving = Serving(
        library=library,
        token=token,
        port=listening.getsockname()[1],
        plan=chosen,
        processes=processes() if chosen.calculates else 0,
        beyond=Endpoint(Place.read(endpoint)) if endpoint else None,
        names=(*LOOPBACK, *names),
        told=told,
        **more,
    )
    uvicorn.Server(make_config(make_app(serving))).run(sockets=[listening])
