"""What python-calamine does not tell of cells: number formats of XLSX, shown texts of ODS, formulas without a result.

Both are ZIP archives of XML, read as a stream, without document types and entities.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from lxml import etree

from tieout.data.limits import DATA
from tieout.data.printed.pattern import later
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.sheets.number_format import BUILT_IN, GENERAL
from tieout.data.readers.sheets.sheet import column_number

MOST_SPAN = 3_000_000  # cells of one sheet, empty ones between its corners included: python-calamine keeps them all
MOST_CELLS = 250_000  # cells of one file that hold something: reports have some thousands
LONGEST_FORMAT = 255  # letters, in Excel
_SPACES = (  # of XLSX: as most programs write it, and its strict form
    "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}",
    "{http://purl.oclc.org/ooxml/spreadsheetml/main}",
)
_FORMULA = (b"<f", b":f")  # how an element `f` begins, without a prefix and with one
_BLOCK = 1 << 20  # bytes
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELL_NAME = later(r"([A-Z]{1,3})([0-9]{1,7})")
_Place = tuple[int, int]


@dataclass(slots=True)
class Styles:
    """How the cells of one sheet are shown. formats: number formats that are not General; texts: what is shown where
    the file says so itself (ODS), and errors such as `#DIV/0!`; both by (row, column) from 0. uncalculated: the cells
    with a formula of which the file holds no result, as of any that a program wrote which does not calculate."""

    formats: dict[_Place, str] = field(default_factory=dict)
    texts: dict[_Place, str] = field(default_factory=dict)
    uncalculated: list[_Place] = field(default_factory=list)


def read_styles(content: bytes, kind: str) -> dict[str, Styles]:
    """The styles of every sheet of a workbook by its name; of kinds that keep none in reach, {}.

    Raises UnreadableError where a sheet spans too many cells.
    """
    if kind not in ("xlsx", "ods"):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return dict(_ods(archive)) if kind == "ods" else dict(_xlsx(archive))
    except (
        zipfile.BadZipFile,
        etree.XMLSyntaxError,
        EOFError,
        OSError,
        KeyError,
        NotImplementedError,
        zlib.error,
    ) as error:
        raise UnreadableError(f"a workbook that is cut off or damaged ({error}); save it again") from None


def _elements(file: IO[bytes], tags: tuple[str, ...], events: tuple[str, ...] = ("end",)) -> Iterator[etree._Element]:
    """The elements of these tags as they end, each dropped when the next one comes."""
    walk = etree.iterparse(
        file, events=events, tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    for _, element in walk:
        yield element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def uncalculated_columns(path: Path) -> dict[str, Counter[int]]:
    """By the name of each sheet of an XLSX file how many formulas without a result its columns have, by their numbers
    from 0. Of any size, as cells without a formula are not looked at; {} for a file that is no such archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = [(name, part) for name, part in _sheet_parts(archive) if _has_formula(archive, part)]
            return {name: Counter(_uncalculated(archive, part)) for name, part in parts}
    except (zipfile.BadZipFile, etree.XMLSyntaxError, EOFError, OSError, KeyError, NotImplementedError, zlib.error):
        return {}  # who reads its cells tells


def _has_formula(archive: zipfile.ZipFile, part: str) -> bool:
    """Whether there may be an element `f` in a part, without parsing it."""
    with archive.open(part) as file:
        before = b""
        while block := file.read(_BLOCK):
            if any(mark in block or mark in before + block[:1] for mark in _FORMULA):
                return True
            before = block[-1:]
    return False


def _uncalculated(archive: zipfile.ZipFile, part: str) -> Iterator[int]:
    with archive.open(part) as file:
        for row in _elements(file, tuple(f"{space}row" for space in _SPACES)):
            for cell in row.iterfind("{*}c[{*}f]"):
                match = _CELL_NAME.fullmatch(cell.get("r", ""))
                if match is not None and _has_no_result(cell, cell.get("t", "n")):
                    yield column_number(match[1])


def _xlsx(archive: zipfile.ZipFile) -> Iterator[tuple[str, Styles]]:
    formats = _cell_formats(archive) if "xl/styles.xml" in archive.namelist() else []
    for name, part in _sheet_parts(archive):
        with archive.open(part) as file:
            yield name, _xlsx_sheet(file, formats, name)


def _sheet_parts(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The names of the sheets of cells of an XLSX file, each with its part of the archive."""
    names = set(archive.namelist())
    if "xl/workbook.xml" not in names:  # XLSB keeps its styles in binary parts
        return
    targets: dict[str, str] = {}
    if "xl/_rels/workbook.xml.rels" in names:
        with archive.open("xl/_rels/workbook.xml.rels") as file:
            relations = etree.parse(file, _parser()).getroot()
            targets = {each.get("Id", ""): each.get("Target", "") for each in relations}
    with archive.open("xl/workbook.xml") as file:
        sheets = [
            (each.get("name", ""), targets.get(each.get(_RELATION, ""), ""))
            for each in etree.parse(file, _parser()).getroot().iter("{*}sheet")
        ]
    for name, target in sheets:
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join("xl", target))
        if path in names and "worksheets" in path:
            yield name, path


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def _code(code: str) -> str:
    """A number format; one that is longer than a spreadsheet program takes says nothing."""
    return code if len(code) <= LONGEST_FORMAT else GENERAL


def _cell_formats(archive: zipfile.ZipFile) -> list[str]:
    """The number format of each style that a cell can name."""
    with archive.open("xl/styles.xml") as file:
        root = etree.parse(file, _parser()).getroot()
    own = {each.get("numFmtId"): _code(each.get("formatCode", GENERAL)) for each in root.iter("{*}numFmt")}
    styles = next(root.iter("{*}cellXfs"), None)
    numbers = [] if styles is None else [each.get("numFmtId", "0") for each in styles]
    return [own.get(number) or BUILT_IN.get(int(number) if number.isdigit() else 0, GENERAL) for number in numbers]


def _xlsx_sheet(file: IO[bytes], formats: list[str], name: str) -> Styles:
    styles = Styles()
    extent = _Extent(name)
    for cell in _elements(file, tuple(f"{space}c" for space in _SPACES)):
        match = _CELL_NAME.fullmatch(cell.get("r", ""))
        if match is None or not len(cell):
            continue
        place = int(match[2]) - 1, column_number(match[1])
        extent.add(*place)
        style = cell.get("s", "")
        kind = cell.get("t", "n")
        if str(cell[0].tag).endswith("}f") and _has_no_result(cell, kind):
            styles.uncalculated.append(place)
        elif kind == "e":
            styles.texts[place] = cell.findtext("{*}v", "")
        elif kind in ("n", "d") and style.isdigit() and int(style) < len(formats) and formats[int(style)] != GENERAL:
            styles.formats[place] = formats[int(style)]
    return styles


def _has_no_result(cell: etree._Element, kind: str) -> bool:
    """Whether a cell with a formula holds no value; the empty text, which a formula may result in, is one."""
    value = cell.find("{*}v")
    return value is None or (not value.text and kind != "str")


class _Extent:
    """The rectangle that the cells of a sheet span, which has to fit into memory."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.filled = 0
        self.rows, self.columns = (1 << 30, 0), (1 << 30, 0)

    def add(self, row: int, column: int) -> None:
        self.rows = min(self.rows[0], row), max(self.rows[1], row)
        self.columns = min(self.columns[0], column), max(self.columns[1], column)
        self.filled += 1
        if (self.rows[1] + 1) * (self.columns[1] + 1) > MOST_SPAN:
            raise UnreadableError(f"its sheet {self.name[:40]!r} spans more than {MOST_SPAN:,} cells; {DATA}")
        if self.filled > MOST_CELLS:
            raise UnreadableError(f"its sheet {self.name[:40]!r} has more than {MOST_CELLS:,} cells; {DATA}")


def _ods(archive: zipfile.ZipFile) -> Iterator[tuple[str, Styles]]:
    with archive.open("content.xml") as file:
        for sheet in _elements(file, (f"{_TABLE}table",)):
            name = sheet.get(f"{_TABLE}name", "")
            yield name, _ods_sheet(sheet, name)


def _times(element: etree._Element, name: str) -> int:
    """How often a row or cell stands there. Raises UnreadableError."""
    said = element.get(f"{_TABLE}{name}", "1")
    if not (said.isascii() and said.isdigit()):
        raise UnreadableError(f"a workbook that is cut off or damaged ({name} is {said[:20]!r}); save it again")
    return int(said[:12])


def _ods_sheet(sheet: etree._Element, name: str) -> Styles:
    styles, extent, row = Styles(), _Extent(name), 0
    for line in sheet.iter(f"{_TABLE}table-row"):
        rows = _times(line, "number-rows-repeated")
        column = 0
        for cell in line.iter(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            columns = _times(cell, "number-columns-repeated")
            kind = cell.get(f"{_OFFICE}value-type")
            is_formula = cell.get(f"{_TABLE}formula") is not None
            if kind is not None or is_formula:
                extent.add(row + rows - 1, column + columns - 1)
            if kind not in (None, "string"):
                text = "\n".join("".join(map(str, part.itertext())) for part in cell.iter(f"{_TEXT}p"))
                for at in ((row + r, column + c) for r in range(rows) for c in range(columns)):
                    styles.texts[at] = " ".join(text.split())
            if is_formula and kind is None:
                styles.uncalculated += [(row + r, column + c) for r in range(rows) for c in range(columns)]
            column += columns
        row += rows
    return styles
