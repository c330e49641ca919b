"""A workbook (XLSX, XLSB, XLS, ODS) into a document: every sheet a section, every block of cells a table or text.

Values are those that the program which wrote the file worked out: of a formula its result. python-calamine reads them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tieout.data.document import CellValue, Document, Section, Table, counted
from tieout.data.limits import DATA
from tieout.data.readers.html.cover import read_ended, read_name
from tieout.data.readers.kinds import is_locked_xls, kind_of
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.sheets.blocks import Block, find_blocks, merge_labels
from tieout.data.readers.sheets.number_format import GENERAL
from tieout.data.readers.sheets.sheet import HIDDEN, Sheet, SheetCell, Value, make_cell
from tieout.data.readers.sheets.styles import MOST_CELLS, MOST_SPAN, Styles, read_styles

_COVER = frozenset(
    (
        *("Entity Registrant Name", "Document Type", "Document Period End Date", "Entity Central Index Key"),
        *("Trading Symbol", "Document Fiscal Year Focus", "Document Fiscal Period Focus", "Amendment Flag"),
    )
)
LONG_TEXT, PROSE = 400, 100  # characters of a cell that is prose: of any, and of one that is no label or header
HEADER_ROWS = 3
FIRST, MOST_NAME = 3, 40  # how many cells and sheets a message names, and letters of a sheet's name
_Place = tuple[int, int]


def read_workbook(content: bytes, identifier: str) -> Document:
    """The document of a workbook. Hidden sheets are read too, and said to be hidden in the titles of their sections.

    Raises UnreadableError for a file that is cut off, protected by a password, or holds nothing.
    """
    return document_of(identifier, read_sheets(content))


def document_of(identifier: str, sheets: Iterable[Sheet]) -> Document:
    """The document of these sheets; a sheet without a name is no section.

    Raises UnreadableError where all are empty.
    """
    reader = _Reader()
    for sheet in sheets:
        reader.add(sheet)
    unread = _without_results(reader.uncalculated)
    if not reader.tables and len(reader.paragraphs) == len(reader.sections):
        raise UnreadableError("a workbook whose sheets are empty" + "".join(f"; {each}" for each in unread))
    about = _about(reader.tables)
    return Document(
        id=identifier,
        coded=False,
        company=about.get("Entity Registrant Name", "") or read_name(reader.paragraphs),
        form=about.get("Document Type", ""),
        ended=read_ended([f"period ended {about.get('Document Period End Date', '')}"]),
        about=tuple(sorted((name.replace(" ", ""), text) for name, text in about.items() if text)),
        paragraphs=tuple(reader.paragraphs),
        before=0,
        tables=tuple(reader.tables),
        sections=tuple(reader.sections),
        places=tuple(reader.places),
        uncalculated=tuple(reader.uncalculated),
        unread=unread,
    )


def _without_results(places: Sequence[str]) -> tuple[str, ...]:
    """That formulas have no results, of which sheets, in one line; nothing where all have."""
    if not places:
        return ()
    sheets: dict[str, list[str]] = {}
    for place in places:
        sheet, _, cell = place.rpartition("!")
        sheets.setdefault(sheet, []).append(cell)
    told = [
        f"{counted(len(cells), 'formula')} of the sheet {sheet[:MOST_NAME]!r} ({_first(cells, 'more')})"
        for sheet, cells in sheets.items()
    ]
    are = "has no stored result and is" if len(places) == 1 else "have no stored results and are"
    return (f"{_first(told, 'sheets more')} {are} not read: open the file in a spreadsheet program and save it there",)


def _first(texts: Sequence[str], rest: str) -> str:
    more = [f"{len(texts) - FIRST:,} {rest}"] if len(texts) > FIRST else []
    return ", ".join([*texts[:FIRST], *more])


def _about(tables: Sequence[Table]) -> dict[str, str]:
    """What the cover page says that EDGAR puts first into the workbooks it renders, by the labels of `dei`."""
    rows = tables[0].rows if tables else ()
    return {row[0]: next(filter(None, row[1:]), "") for row in rows if row and row[0] in _COVER}


def read_sheets(content: bytes) -> Iterable[Sheet]:
    """The sheets of a workbook that hold cells, in order, those with charts alone left out. Raises UnreadableError."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    styles = read_styles(content, kind_of(content).name)
    found = 0
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            for number, about in enumerate(book.sheets_metadata):
                if about.typ is not SheetTypeEnum.WorkSheet:
                    continue
                sheet = book.get_sheet_by_index(number)
                if sheet.total_height * sheet.total_width > MOST_SPAN:
                    raise UnreadableError(f"its sheet {about.name[:40]!r} spans more than {MOST_SPAN:,} cells; {DATA}")
                rows = sheet.to_python(skip_empty_area=False)
                style = styles.get(about.name, Styles())
                cells = _cells(rows, style)
                found += len(cells)
                if found > MOST_CELLS:
                    raise UnreadableError(f"it holds more than {MOST_CELLS:,} cells; {DATA}")
                repeated = _spread(cells, sheet.merged_cell_ranges or ())
                if cells or style.uncalculated:
                    hidden = about.visible is not SheetVisibleEnum.Visible
                    uncalculated = tuple(style.uncalculated)
                    yield Sheet(about.name, hidden, dict(sorted(cells.items())), repeated, uncalculated)
    except PasswordError:
        raise UnreadableError("a workbook that is protected by a password; save it without one") from None
    except (CalamineError, OSError) as error:
        if is_locked_xls(content):
            raise UnreadableError("a workbook that is protected by a password; save it without one") from None
        raise UnreadableError(f"a workbook that is cut off or damaged ({error}); save it again") from None


def _cells(rows: list[list[Value]], styles: Styles) -> dict[_Place, SheetCell]:
    cells: dict[_Place, SheetCell] = {}
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            text = styles.texts.get((r, c))
            if value == "" and not text:
                continue
            if cell := make_cell(value, styles.formats.get((r, c), GENERAL), text):
                cells[r, c] = cell
    return cells


def _spread(cells: dict[_Place, SheetCell], merged: Iterable[tuple[_Place, _Place]]) -> frozenset[_Place]:
    """A heading that spans columns stands over each of them; a number that does, once. Returns where it is repeated."""
    repeated = set()
    for (top, left), (_, right) in merged:
        cell = cells.get((top, left))
        if cell is None or cell.is_number or len(cell.text) > LONG_TEXT or right - left > 256:
            continue
        under = any((row, column) in cells for row in range(top + 1, top + 4) for column in range(left + 1, right + 1))
        for column in range(left + 1, right + 1) if under else ():
            if (top, column) not in cells:
                cells[top, column] = cell
                repeated.add((top, column))
    return frozenset(repeated)


@dataclass(slots=True)
class _Reader:
    """The document as it grows, sheet by sheet."""

    paragraphs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    uncalculated: list[str] = field(default_factory=list)

    def add(self, sheet: Sheet) -> None:
        """One sheet: its name as a heading, then its blocks."""
        title = f"{sheet.name} ({HIDDEN})" if sheet.is_hidden else sheet.name
        if title:
            self.sections.append(Section(title=title, level=1, paragraph=len(self.paragraphs)))
            self._say(title, sheet.name)
        self.uncalculated += [sheet.place(row, column) for row, column in sheet.uncalculated]
        heading = ""
        for block in find_blocks(sheet):
            if block.has_numbers or len(block.columns) > 1:
                self._table(sheet, block, heading or title)
                heading = ""
            else:
                for row, column in sorted(block.cells):
                    text = block.cells[row, column].text
                    self._say_lines(text, sheet.place(row, column))
                    heading = text if len(text) < LONG_TEXT else ""

    def _say(self, text: str, place: str) -> None:
        self.paragraphs.append(text)
        self.places.append(place)

    def _say_lines(self, text: str, place: str) -> None:
        for line in text.splitlines():
            self._say(line, place)

    def _table(self, sheet: Sheet, block: Block, title: str) -> None:
        columns = merge_labels(block)
        rows = list(block.rows)
        while len(rows) > 1 and (heading := self._title_row(sheet, block, rows[0])):
            rows.pop(0)
            title = heading
        texts: list[tuple[str, ...]] = []
        places: list[tuple[str, ...]] = []
        values: list[CellValue] = []
        for row in rows:
            texts.append(tuple(self._text(sheet, block, row, group) for group in columns))
            places.append(tuple(_place(sheet, block, row, group) for group in columns))
            values += [
                CellValue(row=len(texts) - 1, column=at, value=cell.exact)
                for at, group in enumerate(columns)
                if len(group) == 1 and (cell := block.cells.get((row, group[0]))) and cell.exact is not None
            ]
        corner = texts[0][0].splitlines()[0] if texts[0][0] else ""
        title = corner if rows[0] == 0 and corner else title
        if sheet.is_hidden and HIDDEN not in title:
            title = f"{title} ({sheet.name}, {HIDDEN})"
        first, last = sheet.place(rows[0], block.columns[0]), sheet.place(rows[-1], block.columns[-1])
        self.tables.append(
            Table(
                rows=tuple(texts),
                after=len(self.paragraphs),
                section=len(self.sections) - 1 if self.sections else None,
                title=title,
                place=f"{first}:{last.rpartition('!')[2]}",
                places=tuple(places),
                values=tuple(values),
                repeated=tuple(
                    (r, c)
                    for r, row in enumerate(rows)
                    for c, group in enumerate(columns)
                    if any((row, each) in sheet.repeated for each in group)
                ),
            )
        )

    def _title_row(self, sheet: Sheet, block: Block, row: int) -> str:
        """The text of a row that holds nothing but a title above the table, which is said in front of it; else ""."""
        cells = [(column, block.cells[row, column]) for column in block.columns if (row, column) in block.cells]
        texts = {cell.text for _, cell in cells}
        if len(texts) != 1 or cells[0][1].is_number or cells[0][0] != block.columns[0]:
            return ""
        if all((row + 1, column) not in block.cells for column in block.columns):
            return ""
        text = cells[0][1].text
        self._say_lines(text, sheet.place(row, cells[0][0]))
        return text.splitlines()[0]

    def _text(self, sheet: Sheet, block: Block, row: int, group: tuple[int, ...]) -> str:
        """The text of a cell in one line. Prose goes in front of the table as paragraphs of its own."""
        cells = [(column, block.cells[row, column]) for column in group if (row, column) in block.cells]
        text = " ".join(cell.text for _, cell in cells)
        is_label = row in block.rows[:HEADER_ROWS] or (cells and cells[0][0] == block.columns[0])
        is_prose = len(text) > PROSE and not is_label
        if len(text) > LONG_TEXT or is_prose:
            self._say_lines(text, sheet.place(row, cells[0][0]))
            return ""
        return " ".join(text.split())


def _place(sheet: Sheet, block: Block, row: int, group: tuple[int, ...]) -> str:
    column = next((each for each in group if (row, each) in block.cells), group[0])
    return sheet.place(row, column)
