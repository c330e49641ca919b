"""What reading a file yields, in one file that is written once: of each of its reports its graph, and all that is found
in it. Indexes and stores are made of it, and what it prints is shown, without the file.

It is a zip archive: `about.json` says which reports there are, and of that number N `N/contents.json` holds the
contents, `N/document.json` the document as it was read, `N/graph.nq` the graph as N-Quads, `N/terms.nt` what the TBox
says of its properties; `beside/` has what else its maker wants to find there. Equal reports give equal bytes. Every
part has a checksum, which is looked at when it is read.
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from tieout.data.document import Document
from tieout.kg.index.passage import Contents, read_contents
from tieout.kg.store.graph import Graph

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORM = 1  # of the archive: one of another number is not read
BEGAN = (1980, 1, 1, 0, 0, 0)  # the time that every part has: the first that an archive can say
EFFORT = 3  # of zlib: less than half of the time that is usual, for archives a fifth larger
ABOUT, CONTENTS, DOCUMENT, GRAPH, TERMS = (
    "about.json",
    "{}/contents.json",
    "{}/document.json",
    "{}/graph.nq",
    "{}/terms.nt",
)
BESIDE = "beside/{}"
NOTHING: Mapping[str, bytes] = {}


class BundleError(ValueError):
    """A bundle that is not as it was written, or is of another version."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A report that was read, as it is kept: its graph as N-Quads, the terms of the TBox that it uses as N-Triples,
    what can be found in it, and the document as JSON."""

    quads: bytes
    terms: bytes
    contents: Contents
    document: bytes

    @classmethod
    def of(cls, document: Document, graph: Graph) -> Ready:
        """A document with its graph."""
        contents = read_contents(document, *graph.contents())
        return cls(graph.quads, graph.terms, contents, json_of(document))


def pack(reports: Iterable[Ready], problems: Sequence[str] = (), beside: Mapping[str, bytes] = NOTHING) -> bytes:
    """The bundle of a file. problems: what could not be read of it, in words. beside: further parts, by their names."""
    made = io.BytesIO()
    names = []
    with ZipFile(made, "w") as archive:

        def put(name: str, content: bytes) -> None:
            archive.writestr(ZipInfo(name, BEGAN), content, ZIP_DEFLATED, EFFORT)

        for number, report in enumerate(reports):
            names.append(report.contents.report.id)
            put(CONTENTS.format(number), _contents().dump_json(report.contents))
            put(DOCUMENT.format(number), report.document)
            put(GRAPH.format(number), report.quads)
            put(TERMS.format(number), report.terms)
        for name, content in beside.items():
            put(BESIDE.format(name), content)
        about = {"form": FORM, "reports": names, "problems": list(problems)}
        put(ABOUT, json.dumps(about, ensure_ascii=False).encode())
    return made.getvalue()


class Bundle:
    """A bundle, of which each part is read when it is asked for. Raises BundleError, also of every part; OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        about = json.loads(self._part(ABOUT))
        if about.get("form") != FORM:
            raise BundleError(f"it is of form {about.get('form')!r}, and {FORM} is read")
        self.reports: tuple[str, ...] = tuple(about["reports"])
        self.problems: tuple[str, ...] = tuple(about["problems"])

    def contents(self) -> tuple[Contents, ...]:
        """What can be found in its reports."""
        parts = (self._part(CONTENTS.format(number)) for number in range(len(self.reports)))
        return tuple(_contents().validate_json(part) for part in parts)

    def graph(self, report: str) -> Graph:
        """The graph of one of its reports. Raises BundleError for one that it has not."""
        number = self._number(report)
        return Graph(report, quads=self._part(GRAPH.format(number)), terms=self._part(TERMS.format(number)))

    def document(self, report: str) -> Document:
        """One of its reports as it was read. Raises BundleError for one that it has not."""
        name = DOCUMENT.format(self._number(report))
        with ZipFile(self._path) as archive:
            if name not in archive.namelist():
                raise BundleError("it is of another version, which did not keep what is printed")
        part = self._part(name)
        try:
            return Document.model_validate_json(part)
        except ValueError as error:  # of pydantic, in many lines
            raise BundleError("its document is of another form") from error

    def beside(self, name: str) -> bytes:
        """A further part. Raises BundleError where it is not there."""
        return self._part(BESIDE.format(name))

    def _number(self, report: str) -> int:
        if report not in self.reports:
            raise BundleError(f"it has no report {report!r}")
        return self.reports.index(report)

    def _part(self, name: str) -> bytes:
        try:
            with ZipFile(self._path) as archive:
                return archive.read(name)
        except (BadZipFile, zlib.error, KeyError, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
            raise BundleError(" ".join(str(error).split())[:200] or type(error).__name__) from error


def json_of(value: Any, adapter: TypeAdapter[Any] | None = None) -> bytes:  # noqa: ANN401 - a model, or what adapter knows
    """A value as JSON, without what it has anyway. A lone surrogate, which no encoding can carry, becomes `?`, so that
    spans stay as they are. adapter: of a value that is no model."""
    from pydantic import TypeAdapter
    from pydantic_core import PydanticSerializationError

    adapter = adapter or TypeAdapter(type(value))
    try:
        return adapter.dump_json(value, exclude_defaults=True)
    except PydanticSerializationError:
        plain = adapter.dump_python(value, mode="json", exclude_defaults=True)
        return json.dumps(plain, ensure_ascii=False).encode(errors="replace")


def is_whole(path: Path) -> bool:
    """Whether a file is a bundle of which every part is as it was written."""
    try:
        with ZipFile(path) as archive:
            return archive.testzip() is None
    except (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError):
        return False


@lru_cache(maxsize=1)
def _contents() -> TypeAdapter[Contents]:
    """What writes contents as JSON and reads them: made when it is first needed, which takes a moment."""
    from pydantic import TypeAdapter

    from tieout.kg.filings.rows import FilingEntry

    made = TypeAdapter(Contents)
    made.rebuild(_types_namespace={"FilingEntry": FilingEntry})  # which the module names for checkers of types alone
    return made
