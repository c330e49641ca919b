"""What a file is, told by its content: the suffix of its name decides only where the content fits several kinds."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tieout.data.limits import DATA, MOST_UNPACKED
from tieout.data.plugins import PluginError, blamed, load, plugins
from tieout.data.printed.pattern import later
from tieout.data.readers.delimiter import find_delimiter
from tieout.data.readers.encoding import decode_start, is_text
from tieout.data.readers.refusal import READS, UnreadableError

if TYPE_CHECKING:
    from tieout.data.document import Document

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file. name: as `--as` takes it; reader: `module:function` from (bytes, id) to a Document, imported
    when it is needed; most: the bytes of the largest file that is read; begins: whether a file with such first bytes is
    one, for kinds that packages add (entry points `tieout.readers`, each a Kind)."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reader: str
    most: int
    begins: Callable[[bytes], bool] | None = None

    def read(self, content: bytes, identifier: str) -> Document:
        """The document in these bytes. Raises UnreadableError, PluginError."""
        module, _, function = self.reader.partition(":")
        with blamed("readers", self.name) if self.begins else nullcontext():
            read: Callable[[bytes, str], Document] = getattr(import_module(module), function)
            return read(content, identifier)


_READERS = "tieout.data.readers"
KINDS = {
    kind.name: kind
    for kind in (
        Kind("html", "a web page", ("htm", "html", "xhtml"), f"{_READERS}.placed.report:read_web_page", 64 * _MEGABYTE),
        Kind(
            "package",
            "a report package",
            ("zip", "xbri", "xbr"),
            f"{_READERS}.package:read_package",
            256 * _MEGABYTE,
        ),
        Kind("pdf", "a PDF file", ("pdf",), f"{_READERS}.pdf.report:read_pdf", 256 * _MEGABYTE),
        Kind(
            "xlsx",
            "a workbook",
            ("xlsx", "xlsm", "xltx", "xlsb"),
            f"{_READERS}.sheets.workbook:read_workbook",
            64 * _MEGABYTE,
        ),
        Kind("xls", "a workbook", ("xls", "xlt"), f"{_READERS}.sheets.workbook:read_workbook", 64 * _MEGABYTE),
        Kind("ods", "a workbook", ("ods",), f"{_READERS}.sheets.workbook:read_workbook", 64 * _MEGABYTE),
        Kind(
            "csv",
            "separated values",
            ("csv", "tsv", "tab"),
            f"{_READERS}.text.delimited:read_delimited",
            64 * _MEGABYTE,
        ),
        Kind("md", "Markdown", ("md", "markdown"), f"{_READERS}.text.plain:read_markdown", 64 * _MEGABYTE),
        Kind("txt", "text", ("txt", "text"), f"{_READERS}.text.plain:read_plain", 64 * _MEGABYTE),
        Kind("json", "JSON", ("json", "jsonld"), f"{_READERS}.xbrl.facts:read_facts", 128 * _MEGABYTE),
    )
}


def kinds() -> dict[str, Kind]:
    """All kinds of files that are read, those that packages add behind ours. Raises PluginError."""
    return KINDS | {kind.name: kind for kind in map(_added, plugins("readers"))}


def _added(name: str) -> Kind:
    kind = load("readers", name)
    if not isinstance(kind, Kind) or kind.begins is None or kind.name != name or name in KINDS:
        raise PluginError(f"readers: {name!r} is no Kind of that name, new and with `begins`")
    return kind


# What a file is that begins like this, and the way out.
_FOREIGN = (
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\xfd7zXZ", "an xz archive; unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"\x89PNG", "a picture; tieout does not read text out of pictures: run it through OCR to a PDF or text first"),
    (
        b"\xff\xd8\xff",
        "a picture; tieout does not read text out of pictures: run it through OCR to a PDF or text first",
    ),
    (b"GIF8", "a picture; tieout does not read text out of pictures: run it through OCR to a PDF or text first"),
    (b"II*\0", "a picture; tieout does not read text out of pictures: run it through OCR to a PDF or text first"),
    (b"MM\0*", "a picture; tieout does not read text out of pictures: run it through OCR to a PDF or text first"),
    (b"PAR1", "a Parquet table and no report; save it as CSV"),
    (b"SQLite format 3\0", "a SQLite database and no report; save the table as CSV"),
    (b"{\\rtf", "a Rich Text file; save it as PDF or HTML"),
    (b"%!PS", "a PostScript file; convert it to PDF"),
)
_WORD = "a Word document; save it as PDF or HTML"
_SLIDES = "a presentation; save it as PDF"
_HTML = later(
    r"<(?:!doctype\s+html|html|head|body|tr|td|div|p|span|font|center|h[1-6]|ix:\w+)\b|"
    r"<!doctype[^<]{0,200}\bx?html\b",
    re.IGNORECASE,
)
# What filings in plain text mark their parts and tables with.
_OLD_FILING = later(
    r"\s*(?:-----BEGIN[^\n]*\n|<(?:SEC-DOCUMENT|SEC-HEADER|DOCUMENT|TABLE|PAGE|TYPE|TEXT)\b)", re.IGNORECASE
)
_XBRL = later(r"<(?:\w+:)?xbrl\b")
_JSON = later(r"""\s*(?:\{\s*["}]|\[\s*[\[\]{"\d-]|\{\s*$|\[\s*$)""")
_MARKED = later(r"^ {0,3}(?:#{1,6} |\|.*\|\s*$|[-*] |```|\d+\. )", re.MULTILINE)
_PAGES = frozenset((".xhtml", ".htm", ".html"))
_MANIFESTS = frozenset(("reports.xml", "reportPackage.json", "taxonomyPackage.xml"))
_SECTOR = 512  # bytes of an OLE file, in which a stream begins
_BEGINS_WORKBOOK = (b"\x09\x08\x10\0", b"\x09\x08\x08\0")
_FILE_PASS = 0x2F
_START = 1 << 16  # bytes that tell the kind of a text


def kind_of(content: bytes, suffix: str = "") -> Kind:
    """The kind of a file by its bytes. suffix: that of its name, for texts that could be several.

    Raises UnreadableError for what tieout does not read, with what it is.
    """
    suffix = suffix.lower().lstrip(".")
    for kind in kinds().values():
        with blamed("readers", kind.name):
            if kind.begins is not None and kind.begins(content[:_START]):
                return kind
    if b"%PDF-" in content[:1024]:
        return KINDS["pdf"]
    if content[:4] == b"PK\x03\x04":
        return _zipped(content)
    if content[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return _compound(content)
    for start, what in _FOREIGN:
        if content.startswith(start):
            raise UnreadableError(what)
    start_bytes = content[:_START]
    if not is_text(start_bytes):
        raise UnreadableError(f"binary data of no kind that is known; {READS}")
    return _text_kind(decode_start(start_bytes), suffix)


def _text_kind(text: str, suffix: str) -> Kind:
    if not text.strip():
        raise UnreadableError("the file is empty")
    if text.lstrip().startswith("<"):
        if _HTML.search(text):
            return KINDS["html"]
        if _XBRL.search(text):
            raise UnreadableError(
                "an XBRL instance in XML; give the filing with inline XBRL (.htm), or its facts as JSON (companyfacts)"
            )
        if not _OLD_FILING.match(text) and suffix not in ("md", "markdown", "txt"):
            raise UnreadableError("XML of a kind that is not known; save it as HTML or CSV")
    if suffix == "json" or _JSON.match(text):
        return KINDS["json"]
    for kind in KINDS.values():
        if suffix in kind.suffixes and kind.name in ("csv", "md", "txt", "html"):
            return kind
    if find_delimiter(text):
        return KINDS["csv"]
    if _HTML.search(text[:4096]):
        return KINDS["html"]
    return KINDS["md" if _MARKED.search(text) else "txt"]


def _zipped(content: bytes) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            if unpacked > MOST_UNPACKED:
                raise UnreadableError(
                    f"a workbook or ZIP archive that unpacks to {unpacked >> 20:,} MB, more than the "
                    f"{MOST_UNPACKED >> 20} MB that a report may have; {DATA}"
                )
            names = set(archive.namelist())
            kind = _member(archive, "mimetype")[:100].decode("ascii", "replace") if "mimetype" in names else ""
            manifest = _member(archive, "META-INF/manifest.xml") if kind and "META-INF/manifest.xml" in names else b""
    except UnreadableError:
        raise
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UnreadableError(
            f"a workbook or ZIP archive that is cut off or damaged ({error}); fetch it again"
        ) from None
    if names & {"xl/workbook.xml", "xl/workbook.bin"}:
        return KINDS["xlsx"]
    if "opendocument.spreadsheet" in kind:
        if b"encryption-data" in manifest:
            raise UnreadableError("a workbook that is protected by a password; save it without one")
        return KINDS["ods"]
    if "word/document.xml" in names or "opendocument.text" in kind:
        raise UnreadableError(_WORD)
    if "ppt/presentation.xml" in names or "opendocument.presentation" in kind:
        raise UnreadableError(_SLIDES)
    if report_pages(names):
        return KINDS["package"]
    raise UnreadableError("a ZIP archive without a report; unpack it and give the files in it")


def report_pages(names: Iterable[str]) -> list[str]:
    """The pages of the report in an archive with members of these names; [] for an archive that is no report package
    and no filing of EDGAR."""
    paths = [PurePosixPath(name) for name in sorted(names)]
    pages = [path for path in paths if path.suffix.lower() in _PAGES]
    reports = [path for path in pages if "reports" in path.parts[:-1]]
    is_package = any(path.name in _MANIFESTS and path.parent.name == "META-INF" for path in paths)
    is_filing = any(path.suffix.lower() == ".xsd" for path in paths)
    found = (reports or pages) if is_package or is_filing else []
    return [str(path) for path in found]


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The first bytes of a part of an archive, which may say of itself that it is small."""
    with archive.open(name) as file:
        return file.read(_MEGABYTE)


def is_locked_xls(content: bytes) -> bool:
    """Whether a workbook of Excel 5 to 2003 is protected: a record `FilePass` stands among the first of its stream,
    whose heads are not encrypted ([MS-XLS] 2.4.117)."""
    for start in range(0, len(content), _SECTOR):
        at = start
        if content[at : at + 4] not in _BEGINS_WORKBOOK:
            continue
        while at + 4 <= min(start + _SECTOR, len(content)):
            record, length = struct.unpack_from("<HH", content, at)
            if record == _FILE_PASS:
                return True
            at += 4 + length
    return False


def _compound(content: bytes) -> Kind:
    """OLE compound files: the names of their streams are written in UTF-16 in the directory."""
    if "EncryptedPackage".encode("utf-16-le") in content or "EncryptionInfo".encode("utf-16-le") in content:
        raise UnreadableError("a workbook or document that is protected by a password; save it without one")
    for stream, what in (("WordDocument", _WORD), ("PowerPoint Document", _SLIDES)):
        if stream.encode("utf-16-le") in content:
            raise UnreadableError(what)
    if any(name.encode("utf-16-le") in content for name in ("Workbook", "Book")):
        return KINDS["xls"]
    raise UnreadableError(f"an OLE file that is no workbook; {READS}")
