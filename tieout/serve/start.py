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
from tieout.data.document import counted
from tieout.data.files import unreadable
from tieout.data.readers.paths import find_files
from tieout.data.readers.records import DataError
from tieout.kg.index.words import Index
from tieout.kg.store.endpoint import Endpoint, Place
from tieout.kg.store.kept import read_otherwise, stale_notes
from tieout.kg.store.store import DEFAULT_STORE, check_folder, index_path, origin_of
from tieout.ontology.model import Ontology, default_ontology
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
    read_only: bool = False,
) -> Iterator[Library]:
    """The reports in files, being read, beside which those that a store keeps can be opened; where there is no file all
    of these are.

    endpoint: only looked at. forget: keep nothing of what is read for the next time. read_only: open no more than
    these. Raises DataError, DataFileError, KeepError, StoreError, OntologyError, BackendNameError, BackendError.
    """
    paths = [path for path, _ in find_files(files)]
    for path in paths:
        try:
            path.stat()
        except OSError as error:
            raise DataError(unreadable(path, error)) from None
    tbox, _ = default_ontology(ontology)
    if store is not None:
        check_folder(store, must_exist=True)
    place = store or DEFAULT_STORE.absolute()
    is_opened = store is not None and not files
    has_lake = index_path(place).is_file()  # else it is one of graphs alone, which /sparql can ask
    lake = place if has_lake and (is_opened or not read_only) else None
    if lake is not None and is_opened:
        _say_what_is_old(lake, tbox, told)
    if endpoint:
        Place.read(endpoint)
    make_backend(backend_name(plan["backend"]))
    _check_data(plan["data"], plan["memory"])
    readings = None if forget else readings_path(own_place(store or DEFAULT_STORE)).absolute()
    say = lambda message: told(f"tieout: {message}")  # noqa: E731
    with Library(tbox, say, apart=True, kept=readings, lake=lake, opened=is_opened) as library:
        for path in paths:
            library.add(path)
        yield library


def _say_what_is_old(store: Path, tbox: Ontology, told: Tell) -> None:
    """Tells which reports of a store were kept by another version."""
    with closing(Index(index_path(store))) as index:
        for note in stale_notes(index):
            told(f"tieout: {note}")
        if others := read_otherwise(index, tbox):
            told(
                f"tieout: {counted(others, 'report')} kept by another version of tieout, or with another TBox: "
                "`tieout index` with their folder reads them again, and then shows what they print"
            )


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
