"""States of lakes on this machine: each in a folder of its own, locked by all who use it, and a store as any other.

A state never changes. The next one is made of a copy of it and of the parts that are new.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from tieout.data.files import write_whole
from tieout.data.system import locks
from tieout.kg.store.bucket import Bucket, endpoint
from tieout.kg.store.manifest import MANIFEST, PARTS, TBOX, State, damaged, hash_of
from tieout.kg.store.pages import write_part
from tieout.kg.store.store import WORK, index_path, open_store, origin_path, replace_graphs
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH

NAME, LOCK = "store", "lock"  # of what a state is here, and of the file that is locked while it is used
AT_ONCE = 8  # objects that are fetched
MOST = 2 << 30  # bytes of bundles and of files that stay here: what was fetched longest ago goes first
_held: dict[Path, int] = {}  # the locks of this process


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Nobody else on this machine begins or takes away a state of a lake."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as file:
        locks.hold(file.fileno())
        yield


def _hold(place: Path) -> bool:
    """Keeps a state here until this process ends, if it is there."""
    with _locked(place.parent):
        if place.is_dir() and place not in _held:
            _held[place] = _lock(place)
        return place.is_dir()


def _lock(place: Path) -> int:
    lock = os.open(place / LOCK, os.O_RDONLY | os.O_CREAT, 0o600)
    locks.share(lock)
    return lock


def begin(folder: Path) -> tuple[Path, int]:
    """A folder for a state, locked; what nobody uses any more is taken away."""
    with _locked(folder):
        for place in folder.iterdir():
            if (place / LOCK).exists():
                with (place / LOCK).open() as file, suppress(BlockingIOError):
                    locks.hold(file.fileno(), wait=False)
                    shutil.rmtree(place)
        place = Path(tempfile.mkdtemp(prefix=WORK, dir=folder))
        return place, _lock(place)


def here(bucket: Bucket, state: State) -> Path:
    """The folder of a state, made where it is not there, and kept until this process ends."""
    folder = lake_folder(bucket.url)
    place = folder / state.name
    if _hold(place):
        return place
    near = _nearest(folder, state)
    made, lock = begin(folder)
    try:
        fill(bucket, state, made, near)
        with _locked(folder):
            if not place.exists():
                made.rename(place)
                _held[place] = lock
        _hold(place)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return place


def _nearest(folder: Path, state: State) -> tuple[Path | None, int]:
    """The state here that has most of the parts of another, and how many."""
    best: tuple[Path | None, int] = None, 0
    for text in folder.glob(f"[!{WORK[0]}]*/{MANIFEST}"):
        with suppress(ValueError, TypeError, KeyError, OSError):
            own = State.read(text.read_bytes())
            is_part = own.parts == state.parts[: len(own.parts)] and own.page == state.page
            if is_part and len(own.parts) > best[1] and _hold(text.parent):
                best = text.parent, len(own.parts)
    return best


def fill(bucket: Bucket, state: State, made: Path, near: tuple[Path | None, int]) -> None:
    """Makes a state in a folder. near: what is there of it already. Raises StoreError."""
    store, (base, count_there) = made / NAME, near
    if base is not None:
        shutil.copyfile(index_path(base / NAME), index_path(store))
    else:
        index_path(store).touch()
    with index_path(store).open("r+b") as file:
        for name, part in _fetched(bucket, [PARTS + each for each in state.parts[count_there:]]):
            try:
                write_part(part, state.page, file)
            except (ValueError, zlib.error) as error:
                raise damaged(bucket.url, f"{name} cannot be read") from error
        file.truncate(state.size)
    (_, quads), *_ = _fetched(bucket, [TBOX + state.tbox])
    begin_store(store, bucket.url, quads)
    write_whole(made / MANIFEST, state.text())


def begin_store(store: Path, url: str, tbox: bytes = b"") -> None:
    """Makes a store in a folder, without reports."""
    origin_path(store).write_text(url)
    (store.parents[1] / "bundles").mkdir(exist_ok=True)
    store.with_name(f"{store.name}.bundles").symlink_to(Path("..") / "bundles")
    if tbox:
        with open_store(store) as opened:
            replace_graphs(opened, [(ONTOLOGY_GRAPH, tbox)])


def _fetched(bucket: Bucket, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Objects that are called by their hash, held against it. Raises StoreError."""
    left = iter(names)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while some := list(islice(left, AT_ONCE)):
            for name, (content, _) in zip(some, threads.map(bucket.get, some), strict=True):
                if content is None:
                    raise damaged(bucket.url, f"{name} is gone")
                if hash_of(content) != name.rpartition("/")[2]:
                    raise damaged(bucket.url, f"{name} holds other bytes than were written")
                yield name, content


def trim(new: Path) -> None:
    """Keeps what was fetched within bounds."""
    there = [(each, each.stat()) for each in new.parents[1].rglob("*") if each.is_file()]
    size = sum(status.st_size for _, status in there)
    for each, status in sorted(there, key=lambda one: one[1].st_mtime_ns):
        if size <= MOST:
            return
        if each != new:
            each.unlink(missing_ok=True)
            size -= status.st_size


def lake_folder(url: str) -> Path:
    """Where states, bundles and files of a lake lie on this machine: all of it can be fetched again."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "tieout" / hash_of(f"{endpoint()} {url}".encode())[:24]
