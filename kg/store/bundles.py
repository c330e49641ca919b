"""The bundles of a store: one file for each file that was read, named by what it was made of, never written again.

Who makes a bundle puts it here, whole or not at all, and who keeps reports takes it from here: what was read is not
read again, wherever the process was ended. Nothing but the index says which reports are kept: who reads asks the
bundles of the index that it began with, so that one of which nothing is kept any more stays for a day.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import time

import pyoxigraph as ox

from tieout.data.document import Document
from tieout.data.files import WriteError, write_whole
from tieout.kg.index.passage import Contents
from tieout.kg.store.bundle import Bundle, BundleError, is_whole
from tieout.kg.store.facts import Value
from tieout.kg.store.graph import Graph
from tieout.kg.store.lake import fetch, is_there, listed, put, put_file
from tieout.kg.store.manifest import BUNDLES, STAY
from tieout.kg.store.states import lake_folder
from tieout.kg.store.store import StoreError, damaged, origin_of

MOST_OPEN = 64 * 1024 * 1024  # bytes of N-Quads of the graphs that are in memory at a time: three filings or more


def bundles_path(store: Path) -> Path:
    """Where the bundles of a store are."""
    return store.with_name(f"{store.name}.bundles")


def key_of(mark: str, name: str, renamed: Mapping[str, str]) -> str:
    """The name of the bundle of a file. mark: what the file is known by; name: of the report in it, where it is called
    by its file; renamed: ids of pages that are others in the store."""
    return hashlib.sha256(json.dumps([mark, name, sorted(renamed.items())]).encode()).hexdigest()[:40]


class Bundles:
    """The bundles of a store. Several threads may share it."""

    def __init__(self, store: Path | str) -> None:
        """store: a folder, or the URL of a lake in a bucket, whose bundles are fetched as they are asked for."""
        self._url = store if isinstance(store, str) else origin_of(store)
        self._store = Path(store)
        self._folder = bundles_path(self._store) if isinstance(store, Path) else lake_folder(store) / "bundles"
        self._open: OrderedDict[tuple[str, str], Graph] = OrderedDict()
        self._lock = Lock()

    def has(self, key: str) -> bool:
        """Whether there is a bundle of this name, and will stay: in a bucket one that is whole. Raises StoreError."""
        if not self._url:
            self.left([key])
            return self.is_here(key)
        if not is_there(self._url, BUNDLES + key):
            return False
        fetch(self._url, BUNDLES + key, self._path(key))
        return is_whole(self._path(key))

    def is_here(self, key: str) -> bool:
        """Whether a bundle is on this machine."""
        return os.path.isfile(f"{self._folder}/{key[:2]}/{key}.zip")  # noqa: PTH113 - asked of thousands

    def is_told(self, key: str) -> bool:
        """The same, or that it can be fetched, as far as the index knows."""
        return bool(self._url and key) or self.is_here(key)

    def there(self) -> Container[str]:
        """The bundles that are there. Raises StoreError."""
        return listed(self._url, BUNDLES) if self._url else {file.name.removesuffix(".zip") for file in self._files()}

    def _files(self) -> Iterator[os.DirEntry[str]]:
        """All files of bundles on this machine."""
        for folder in os.scandir(self._folder) if self._folder.is_dir() else ():
            yield from os.scandir(folder) if folder.is_dir() else ()

    def put(self, key: str, content: bytes, file: Path | None = None) -> None:
        """Puts a bundle in; into a bucket with the file that it is made of. Raises StoreError where it cannot be."""
        try:
            write_whole(self._path(key), content)
            if self._url and file is not None:
                put_file(self._url, file.read_bytes())
        except (WriteError, OSError) as error:
            raise StoreError(str(error)) from error
        if self._url:
            put(self._url, BUNDLES + key, content)

    def left(self, keys: Iterable[str]) -> None:
        """Says of bundles that nothing refers to them from now on: the time of a file that is never written again."""
        for key in keys:
            with suppress(OSError):  # it is gone, or of somebody else: it is made again
                os.utime(self._path(key))

    def sweep(self, used: Collection[str]) -> None:
        """Takes the bundles away that were left, or made for nothing, more than a day ago. used: what is kept."""
        until = time() - STAY.total_seconds()
        left = (file for file in self._files() if file.name.removesuffix(".zip") not in used)
        for file in left:
            with suppress(OSError):  # it is gone, or of somebody else
                if file.stat().st_mtime < until:
                    Path(file).unlink()

    def contents(self, key: str) -> tuple[Contents, ...]:
        """What can be found in the reports of a bundle. Raises StoreError where it is gone or damaged."""
        with self._told(key):
            return Bundle(self._fetched(key)).contents()

    def about(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids of the reports of a bundle, and what of its file could not be read. Raises StoreError."""
        with self._told(key):
            bundle = Bundle(self._fetched(key))
            return bundle.reports, bundle.problems

    def digest(self, key: str) -> str:
        """A hash of the bytes of a bundle. Raises StoreError where it is gone."""
        with self._told(key), self._fetched(key).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def graph(self, key: str, report: str) -> Graph:
        """The graph of a report, made when it is asked for; those that were not asked for longest are let go of.

        Raises StoreError where it is gone or damaged."""
        with self._lock:
            if (key, report) not in self._open:
                with self._told(key):
                    self._open[key, report] = Bundle(self._fetched(key)).graph(report)
            self._open.move_to_end((key, report))
            size = sum(len(graph.quads) for graph in self._open.values())
            while size > MOST_OPEN and len(self._open) > 1:
                _, last = self._open.popitem(last=False)
                size -= len(last.quads)
            return self._open[key, report]

    def document(self, key: str, report: str) -> Document:
        """A report as it was read. Raises StoreError where its bundle is gone or damaged."""
        with self._told(key):
            return Bundle(self._fetched(key)).document(report)

    def _fetched(self, key: str) -> Path:
        """The path of a bundle, which is fetched where it is not here. Raises OSError."""
        path = self._path(key)
        if self._url and not path.is_file():
            fetch(self._url, BUNDLES + key, path)
        return path

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.zip"

    @contextmanager
    def _told(self, key: str) -> Iterator[None]:
        """Turns what is wrong with a bundle into a StoreError, which says the way out."""
        try:
            yield
        except StoreError:
            raise  # of the bucket
        except (BundleError, OSError) as error:
            why = getattr(error, "strerror", None) or error
            raise StoreError(damaged(self._store, f"{self._path(key).name} cannot be read: {why}")) from error


class KeptGraph(Graph):
    """The graph of a report that is kept: made in memory when it is asked, and let go of where others are.

    All that asks it raises StoreError where its bundle is gone or damaged.
    """

    def __init__(self, document_id: str, bundles: Bundles, key: str) -> None:
        super().__init__(document_id)
        self._bundles, self._key = bundles, key

    @property
    def store(self) -> ox.Store:
        """As Graph has it."""
        return self._bundles.graph(self._key, self.document_id).store

    @property
    def quads(self) -> bytes:
        """As Graph has it."""
        return self._bundles.graph(self._key, self.document_id).quads

    @property
    def triples(self) -> bytes:
        """As Graph has it."""
        return self._bundles.graph(self._key, self.document_id).triples

    def select_of(self, iri: str, query: str) -> list[dict[str, Value]]:
        """As Graph has it."""
        return self._bundles.graph(self._key, self.document_id).select_of(iri, query)
