"""The reports of a store as they stand on the shelf: asked and shown without a look at their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tieout.agent.opening import LARGEST_PAGE
from tieout.data.readers.kinds import KINDS
from tieout.kg.index.passage import ReportEntry
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


class Lent(NamedTuple):
    """A report that a store keeps: what its index knows of it, the key of its bundle, and its file."""

    entry: ReportEntry
    bundle: str
    file: File

    def source(self, key: str, shelf: Shelf, *, may_be_page: bool) -> Source:
        """Where it stands on the shelf."""
        form = FORMS.get(Path(self.file.path).suffix.lower(), "")
        entry = self.entry
        source = Source(key, entry.id, False, self.bundle, form, company=entry.company, bundle=self.bundle)
        is_short = may_be_page and entry.facts < LARGEST_PAGE and _is_page(shelf, source)
        return replace(source, is_page=True) if is_short else source


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
        found = listed(index)
        if is_few := len(found) < most:
            index.copy(shelf.folder / WORDS)
    number = 0
    for each in found:
        if not bundles.is_told(each.bundle):
            told(f"what is kept of {each.entry.id!r} is gone: `tieout index` with its file makes it again")
            continue
        number += 1
        yield each.source(f"r{number}", shelf, may_be_page=is_few), each.file


def listed(index: Index) -> list[Lent]:
    """The reports of the index of a store, in the order of their ids."""
    keys, seen = index.bundle_of(), index.seen()
    files = {report: File(path, mark) for report, (path, mark, *_) in seen.items()}
    return [Lent(each, keys[each.id], files.get(each.id, File("", ""))) for each in index.reports()]


def lend_one(lent: Lent, store: Path, key: str, shelf: Shelf) -> Source:
    """One more report of a store, which can be asked from then on. Raises StoreError where what is kept is gone."""
    if shelf.is_lent:
        return lent.source(key, shelf, may_be_page=False)
    for contents in Bundles(store).contents(lent.bundle):
        if contents.report.id == lent.entry.id:
            shelf.index.keep(contents)
    return lent.source(key, shelf, may_be_page=True)


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
