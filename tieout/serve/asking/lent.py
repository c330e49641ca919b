"""The reports of a store as they stand on the shelf: asked and shown without a look at their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tieout.agent.opening import LARGEST_PAGE
from tieout.data.readers.kinds import KINDS
from tieout.kg.index.words import Index
from tieout.kg.store.bundles import Bundles
from tieout.kg.store.kept import is_as_read
from tieout.kg.store.lake import original
from tieout.kg.store.store import StoreError, index_path, origin_of
from tieout.serve.asking.reading import is_page
from tieout.serve.asking.shelf import WORDS, Shelf, Source

FORMS: Mapping[str, str] = {  # how the original is shown, by the suffix of a file
    f".{suffix}": form
    for form, names in (("pdf", ("pdf",)), ("html", ("html",)), ("sheets", ("xlsx", "xls", "ods")))
    for name in names
    for suffix in KINDS[name].suffixes
}


class File(NamedTuple):
    """The file that a report of a store is from: its path, and what it was known by when it was read."""

    path: str
    mark: str


def lend(store: Path, shelf: Shelf, most: int, told: Callable[[str], None]) -> Iterator[tuple[Source, File]]:
    """The reports that a store keeps, each with its file, in the order of their ids.

    most: reports that may be open: where more can be added beside those of the store, its index is copied for them,
    and which reports are pages is looked at. told: of what is lost. Raises StoreError, WordIndexError.
    """
    bundles = Bundles(store)
    with closing(Index(index_path(store))) as index:
        index.stay()
        keys, seen, entries = index.bundle_of(), index.seen(), index.reports()
        if is_few := len(entries) < most:
            index.copy(shelf.folder / WORDS)
    number = 0
    for entry in entries:
        key, (path, mark, *_) = keys[entry.id], seen.get(entry.id, ("", "", 0, 0))
        if not bundles.is_told(key):
            told(f"what is kept of {entry.id!r} is gone: `tieout index` with its file makes it again")
            continue
        number += 1
        form = FORMS.get(Path(path).suffix.lower(), "")
        source = Source(f"r{number}", entry.id, False, key, form, company=entry.company, bundle=key)
        if is_few and entry.facts < LARGEST_PAGE and _is_page(shelf, source):
            source = replace(source, is_page=True)
        yield source, File(path, mark)


def _is_page(shelf: Shelf, source: Source) -> bool:
    try:
        return is_page(shelf.document(source), shelf.loaded(source))
    except StoreError:
        return False  # told when it is asked


def file_as_read(store: Path, file: File) -> Path:
    """The file of a report, as it was when it was read: that of a lake in a bucket is fetched. Raises StoreError."""
    if url := origin_of(store):
        return original(url, file.path, file.mark)
    try:
        if is_as_read(Path(file.path), file.mark):
            return Path(file.path)
        what = "was changed"
    except OSError:
        what = "is gone"
    raise StoreError(f"{file.path} {what}: what was understood of it is shown, as it is kept")
