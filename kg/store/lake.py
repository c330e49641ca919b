"""A lake in a bucket: its present state as a store to read, and what is written into it.

Who reads takes a state of the index, which never changes, and bundles as they are asked for. Who writes works on a
state of its own and puts in all that is new before the manifest: one that is cut off leaves the old state. Where
another was first, the same is done again on what that left. What nothing has referred to for a day is taken away by
who writes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from tieout.data.files import write_whole
from tieout.kg.index.schema import VERSION
from tieout.kg.store.bucket import SCHEMES, Bucket, endpoint
from tieout.kg.store.manifest import BUNDLES, FILES, MANIFEST, PARTS, STAY, TBOX, State, hash_of, read_manifest
from tieout.kg.store.pages import IN_PART, changed, count, page_size
from tieout.kg.store.states import AT_ONCE, NAME, begin, begin_store, fill, here, lake_folder, trim
from tieout.kg.store.store import StoreError, index_path, open_store, read_ontology

AGAIN = 5  # times that a state is written on which another was first
PER_PAGE = 2  # pages in parts for one that counts: beyond it, the index is put in anew
Made = TypeVar("Made")


def place_of(given: str | os.PathLike[str]) -> Path | str:
    """The store that is meant: a folder, or the URL of a lake in a bucket. Raises StoreError for another URL."""
    scheme = str(given).partition("://")[0] if "://" in str(given) else ""
    if scheme and scheme not in (*SCHEMES, "file"):
        raise StoreError(f"{scheme}:// is no store: it is a folder, or {', '.join(SCHEMES)}://BUCKET/PREFIX")
    return str(given) if scheme in SCHEMES else Path(str(given).removeprefix("file://"))


def read_store(given: str | os.PathLike[str]) -> Path:
    """The store that is meant: a folder, or the present state of a lake in a bucket.

    The state stays as it is until this process ends, whoever writes meanwhile. Raises StoreError.
    """
    place = place_of(given)
    if isinstance(place, Path):
        return place
    bucket = _bucket(place)
    state, _ = read_manifest(bucket)
    if state is None:
        raise StoreError(f"there is no store at {bucket.url!r}: `tieout index FOLDER --store {bucket.url}` makes one")
    return here(bucket, state) / NAME


def write_lake(url: str, work: Callable[[Path], Iterable[Made]], again: bool = False) -> Iterator[Made]:
    """Does some work on a store, and puts into the bucket what comes of it; yields what the work does.

    work: done once more where another was first, on what that left. again: all is made again, of whatever version or
    damaged it is. Raises StoreError, and what work raises.
    """
    bucket = _bucket(url)
    for attempt in range(AGAIN):
        state, tag = read_manifest(bucket, again)
        with _working(bucket, state, again) as (store, before):
            for made in work(store):
                if attempt == 0:
                    yield made
            written = _put_in(bucket, store, state, before)
            if written is None:
                return
            if bucket.replace(MANIFEST, written.text(), tag):
                with suppress(StoreError):  # the next one takes it away
                    _sweep(bucket, {*_used(index_path(store)), *written.objects(), *written.left})
                return
    raise StoreError(f"{bucket.url!r} was written by others {AGAIN} times meanwhile: do the same again")


def fetch(url: str, name: str, place: Path) -> None:
    """Puts an object of a lake into a file here. Raises StoreError; FileNotFoundError where there is none."""
    found, _ = _bucket(url).get(name)
    if found is None:
        raise FileNotFoundError(2, "it is not in the bucket", name)
    write_whole(place, found)
    trim(place)


def put(url: str, name: str, content: bytes) -> None:
    """Puts an object into a lake. Raises StoreError."""
    _bucket(url).put(name, content)


def is_there(url: str, name: str) -> bool:
    """Whether a lake has an object that will be there when it is referred to. Raises StoreError."""
    since = _bucket(url).modified(name)
    return since is not None and datetime.now(UTC) - since < STAY / 2


def listed(url: str, under: str) -> set[str]:
    """The names of the objects of a lake that begin so, without that. Raises StoreError."""
    return {each.name.removeprefix(under) for each in _bucket(url).listed(under)}


def put_file(url: str, content: bytes) -> None:
    """Puts in a file of which a report is made. Raises StoreError."""
    put(url, FILES + hash_of(content), zlib.compress(content))


def original(url: str, source: str, mark: str) -> Path:
    """A file of which a report was made, here, under its own name. Raises StoreError."""
    digest = mark.partition(".")[0]
    place = lake_folder(url) / "files" / digest / Path(source).name
    if not place.exists():
        found, _ = _bucket(url).get(FILES + digest)
        if found is None or hash_of(content := zlib.decompress(found)) != digest:
            raise StoreError(f"{url!r} does not hold the file {source!r} as it was read")
        write_whole(place, content)
        trim(place)
    return place


def _bucket(url: str) -> Bucket:
    return _bucket_at(url, endpoint())


@lru_cache(maxsize=8)
def _bucket_at(url: str, _: str) -> Bucket:
    """The bucket of a URL, whose connections stay open."""
    return Bucket(url)


@contextmanager
def _working(bucket: Bucket, state: State | None, again: bool) -> Iterator[tuple[Path, Path | None]]:
    """A store to write in, as a state is, and the index of that state."""
    before, folder = None, lake_folder(bucket.url)
    if state is not None:
        try:
            before = here(bucket, state)
        except StoreError:
            if not again:
                raise
    made, lock = begin(folder)
    try:
        if before is not None and state is not None:
            fill(bucket, state, made, (before, len(state.parts)))
        else:
            begin_store(made / NAME, bucket.url)
        yield made / NAME, before and index_path(before / NAME)
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def _put_in(bucket: Bucket, store: Path, state: State | None, before: Path | None) -> State | None:
    """Puts in what a store has and a state has not; returns what the manifest is to say, None where it is the same."""
    index = index_path(store)
    if not index.exists() or not store.exists():
        return None
    with closing(sqlite3.connect(index)) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open_store(store) as there:
        mark, graph = read_ontology(there)
    tbox = state.tbox if state and state.ontology == mark else hash_of(graph)
    size = page_size(index)
    if state is None or before is None or state.many > PER_PAGE * (index.stat().st_size // size) + IN_PART:
        many, parts = _put_parts(bucket, index, None)
    else:
        many, parts = _put_parts(bucket, index, before)
        if not parts and (state.tbox, state.index) == (tbox, VERSION):
            return None
        many, parts = many + state.many, (*state.parts, *parts)
    if state is None or tbox != state.tbox:
        bucket.put(TBOX + tbox, graph)
    written = State(mark, tbox, index.stat().st_size, size, many, parts)
    now, used = datetime.now(UTC), {*_used(index), *written.objects()}
    left: dict[str, Any] = {}
    if state is not None and before is not None:
        left = {**dict.fromkeys((*_used(before), *state.objects()), now.isoformat()), **state.left}
    kept = {
        name: since
        for name, since in sorted(left.items())
        if name not in used and now - datetime.fromisoformat(since) < STAY
    }
    return replace(written, left=kept)


def _put_parts(bucket: Bucket, index: Path, before: Path | None) -> tuple[int, tuple[str, ...]]:
    """Puts in the parts of an index that an earlier state has not; how many pages they have, and their hashes."""
    many = 0
    names: list[str] = []
    parts = changed(index, before)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while some := list(islice(parts, AT_ONCE)):
            own = [hash_of(part) for part in some]
            list(threads.map(bucket.put, [PARTS + name for name in own], some))
            many, names = many + sum(map(count, some)), [*names, *own]
    return many, tuple(names)


def _used(index: Path) -> Iterator[str]:
    """The objects that an index refers to."""
    with closing(sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro", uri=True)) as opened, suppress(sqlite3.Error):
        for bundle, mark in opened.execute("SELECT DISTINCT bundle, mark FROM reports"):
            yield from (BUNDLES + bundle, FILES + mark.partition(".")[0])


def _sweep(bucket: Bucket, used: set[str]) -> None:
    """Takes away what nothing refers to, and what was put in long enough ago for it to be referred to by now."""
    there = [each for each in bucket.listed() if each.name.startswith((PARTS, BUNDLES, FILES, TBOX, MANIFEST))]
    latest = max((each.modified for each in there), default=datetime.now(UTC))  # by the clock of the server
    bucket.delete(each.name for each in there if each.name not in used and latest - each.modified > STAY)
