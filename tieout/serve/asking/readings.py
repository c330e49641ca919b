"""What was read of files, kept beside the store: a server that is started again reads none of them again.

A reading is known by the bytes of its file, its name, the TBox and the version that read it: a file that was changed is
read. It is a bundle as stores have them, and beside its report what a page needs: its figures, and what of a web page
can be shown.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tieout.data.document import Document
from tieout.data.files import write_whole
from tieout.kg.index.passage import Contents
from tieout.kg.store.bundle import Bundle, Ready, json_of, pack
from tieout.kg.store.bundles import key_of
from tieout.kg.store.graph import Graph
from tieout.kg.store.kept import mark_of
from tieout.ontology.model import Ontology
from tieout.serve.asking.shelf import facts_json, read_facts

MOST = 2 << 30  # bytes of all that is kept: what was opened longest ago goes first
FACTS, ORIGINAL = "facts.json", "original.html"


def readings_path(store: Path) -> Path:
    """Where readings are kept."""
    return store.with_name(f"{store.name}.readings")


@dataclass(frozen=True, slots=True)
class Reading:
    """One report as it was read. problems: what of its file could not be. original: as a web page, "" for none."""

    document: Document
    contents: Contents
    graph: Graph
    problems: tuple[str, ...] = ()
    original: str = ""

    @classmethod
    def of(cls, bundle: Bundle) -> Reading:
        """What a bundle holds. Raises BundleError, ValueError."""
        (contents,) = bundle.contents()
        graph = bundle.graph(contents.report.id)
        facts = bundle.beside(FACTS)
        return cls(
            bundle.document(contents.report.id),
            contents,
            Graph(graph.document_id, quads=graph.quads, terms=graph.terms, facts=lambda: read_facts(facts)),
            bundle.problems,
            bundle.beside(ORIGINAL).decode(),
        )

    def packed(self) -> bytes:
        """The bundle."""
        ready = Ready(self.graph.quads, self.graph.terms, self.contents, json_of(self.document))
        beside = {
            FACTS: facts_json(self.graph.facts()),
            ORIGINAL: self.original.encode(errors="replace"),
        }
        return pack([ready], self.problems, beside)


class Readings:
    """The readings in a folder; none are kept where it is None."""

    def __init__(self, folder: Path | None, ontology: Ontology) -> None:
        self._folder, self._ontology = folder, ontology

    def place(self, path: Path, name: str) -> Path | None:
        """Where the reading of a file is, or belongs. name: what its report is called. Raises DataError, OSError."""
        if self._folder is None:
            return None
        return self._folder / f"{key_of(mark_of(path, self._ontology).text, name, {})}.zip"

    def find(self, place: Path | None) -> Reading | None:
        """The reading that is kept there; None for none, and for one that is damaged: the file is read again."""
        with suppress(ValueError, OSError):  # BundleError among them
            if place is not None and place.is_file():
                found = Reading.of(Bundle(place))
                os.utime(place)
                return found
        return None

    def keep(self, place: Path | None, reading: Reading) -> None:
        """Keeps a reading, where that can be done: nothing depends on it."""
        if place is None:
            return
        with suppress(OSError, ValueError):  # such as half of a surrogate pair, which no encoding can carry
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # what was sent is for nobody else
            write_whole(place, reading.packed())
            self._clear(place.parent)

    def _clear(self, folder: Path) -> None:
        there = [(status.st_mtime_ns, status.st_size, path) for path in folder.iterdir() for status in (path.stat(),)]
        left = sum(size for _, size, _ in there)
        for _, size, path in sorted(there):
            if left <= MOST:
                return
            path.unlink(missing_ok=True)
            left -= size
