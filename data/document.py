"""The values every other part starts from: a report, and a conversation about it."""

from datetime import date
from decimal import Decimal

from tieout.data.frozen import Frozen
from tieout.data.markup import muted_html, safe_html, table_html

RELEASE = "Earnings release"  # a form: what a company tells of its results before it files them

# Where something is printed: the page, from 1, then left, top, right and bottom in points from its top left corner.
Box = tuple[int, float, float, float, float]


def brief(text: str, most: int = 60) -> str:
    """A text in one line for a repr, cut where it is long."""
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")


def counted(number: int, noun: str) -> str:
    """`1 table`, `2 tables`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class Tag(Frozen):
    """What a file itself says that a printed number is: one fact of Inline XBRL 1.1, of xBRL-JSON or of companyfacts.

    concept: prefixed name (`us-gaap:NetIncomeLoss`). value: signed, in full units, exact; None where the file says nil.
    unit: as in `tieout.data.printed.unit` (`USD`, `USD/share`, `shares`); None for a pure number. start: first day,
    None for an instant. end: last day. decimals: as stated, None for exact. dimensions: (axis, member), sorted.
    printed: the span of the number in the text of its cell or paragraph, None where it is printed nowhere.
    label: what the file calls the concept. filing: the accession number of the filing that states it, of facts gathered
    from several; form: of that filing; fiscal: the year and period that the filing is for, as the file gives them
    (`FY2024`, `Q2 2025`), which is not that of the fact.
    """

    concept: str
    value: Decimal | None
    unit: str | None = None
    start: date | None = None
    end: date | None = None
    decimals: int | None = None
    dimensions: tuple[tuple[str, str], ...] = ()
    printed: tuple[int, int] | None = None
    label: str = ""
    filing: str = ""
    form: str = ""
    fiscal: str = ""


class Remark(Frozen):
    """What a reader says of a span of print, `text[start:end]` of a cell or a paragraph: how sure it is of it.

    doubt: why a person may see something else there, in words, "" for no reason. recognised: where the print is a
    picture, how sure the recognition is of it, from 0 to 1.
    """

    start: int
    end: int
    doubt: str = ""
    recognised: Decimal | None = None


class CellRemark(Frozen):
    """A remark on a cell of a table. row, column: in `Table.rows`."""

    row: int
    column: int
    remark: Remark


class ParagraphRemark(Frozen):
    """A remark on a paragraph. paragraph: index in `Document.paragraphs`."""

    paragraph: int
    remark: Remark


class CellTag(Frozen):
    """A tag on a cell of a table. row, column: in `Table.rows`."""

    row: int
    column: int
    tag: Tag


class ParagraphTag(Frozen):
    """A tag in a paragraph. paragraph: index in `Document.paragraphs`."""

    paragraph: int
    tag: Tag


class CellValue(Frozen):
    """What a cell of a workbook holds where it shows a rounded number. row, column: in `Table.rows`. value: in the unit
    that is shown (63.947 where `64%` is shown)."""

    row: int
    column: int
    value: Decimal


class Table(Frozen):
    """One table as printed.

    rows: every row from the top, headers included, each a tuple of cell texts; rows may be of different length.
    after: how many paragraphs of the document stand in front of it; None where the document keeps no order
        (`Document.before` then). section: index in `Document.sections`. title: its own title, where the file prints one
        (a title above it, the name of a sheet). place: where it is, in words that a person can follow (`page 34`,
        `Balance Sheet!A3:F41`); places: that of every cell in the shape of `rows`, empty where row and column say it.
    values: the exact numbers of cells that show rounded ones. remarks: how sure the reader is of cells.
    repeated: (row, column) of cells whose text is printed once, further left, over several columns: a header over the
        years below it stands in `rows` over each of them.
    boxes: where each cell stands on its page, in the shape of `rows`, None for an empty one; empty where the file has
        no pages.
    """

    rows: tuple[tuple[str, ...], ...]
    after: int | None = None
    section: int | None = None
    title: str = ""
    place: str = ""
    places: tuple[tuple[str, ...], ...] = ()
    tags: tuple[CellTag, ...] = ()
    values: tuple[CellValue, ...] = ()
    remarks: tuple[CellRemark, ...] = ()
    repeated: tuple[tuple[int, int], ...] = ()
    boxes: tuple[tuple[Box | None, ...], ...] = ()

    def __repr__(self) -> str:
        title = f"{brief(self.title)}, " if self.title else ""
        return f"Table({title}{counted(len(self.rows), 'row')}, {counted(sum(map(len, self.rows)), 'cell')})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What a notebook shows: the table as it is printed."""
        title = ", ".join(part for part in (self.title, self.place) if part)
        return muted_html(title) + table_html(self.rows, most=len(self.rows))


class Section(Frozen):
    """One heading of a report with what stands under it (`Item 7`, `Note 5 Debt`, `Consolidated Balance Sheets`).

    level: 1 for the parts of the report, deeper below. paragraph: index of its first paragraph, that of the heading;
    it ends where the next section begins.
    """

    title: str
    level: int
    paragraph: int
    concept: str = ""


class Document(Frozen):
    """One report, or one page of one.

    paragraphs: the text in reading order; the first `before` of them stand before the tables, the rest behind, where
        the tables do not say themselves where they stand. places: of the paragraphs, as in `Table.place`; empty where
        the file has none. sections: in reading order. tags, remarks: those of the paragraphs.
    form: `10-K`, `10-Q`, `20-F`, "" where not known. company, ended: whose report, and the last day of its period,
        where the file says so. unprinted: what the file states without a page (XBRL JSON, hidden tags). unread: what
        of the file could not be read, in words; unseen: the texts with digits in the file that a person does not see;
        uncalculated: the cells of a workbook whose formulas have no results.
    about: what the file says of itself in tags, as (name, text): the terms of the taxonomy `dei` without their prefix
        (`TradingSymbol`, `DocumentFiscalYearFocus`), and who `EntityIdentifier` is, by scheme and identifier.
    boxes: for each paragraph its printed lines, each with where it begins in the text; empty where the file has no
        pages. pages: width and height of each page in points.
    """

    id: str
    paragraphs: tuple[str, ...]
    before: int
    tables: tuple[Table, ...]
    sections: tuple[Section, ...] = ()
    places: tuple[str, ...] = ()
    tags: tuple[ParagraphTag, ...] = ()
    remarks: tuple[ParagraphRemark, ...] = ()
    unprinted: tuple[Tag, ...] = ()
    furniture: tuple[int, ...] = ()
    coded: bool = True
    unread: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    uncalculated: tuple[str, ...] = ()
    company: str = ""
    form: str = ""
    ended: date | None = None
    about: tuple[tuple[str, str], ...] = ()
    boxes: tuple[tuple[tuple[int, Box], ...], ...] = ()
    pages: tuple[tuple[float, float], ...] = ()

    def boxes_of(self, paragraph: int, start: int, end: int) -> list[Box]:
        """Where characters start to end of a paragraph are printed, a box for each line; [] where the file has no
        pages. Within a line a character stands where it would if all were equally wide."""
        if not self.boxes:
            return []
        lines = self.boxes[paragraph]
        ends = [*(begin for begin, _ in lines[1:]), len(self.paragraphs[paragraph])]
        found: list[Box] = []
        for (first, box), last in zip(lines, ends, strict=True):
            if first < end and start < last:
                page, left, top, right, bottom = box
                wide = (right - left) / max(1, last - first)
                x0, x1 = left + wide * (max(start, first) - first), left + wide * (min(end, last) - first)
                found.append((page, round(x0, 2), top, round(x1, 2), bottom))
        return found

    def __repr__(self) -> str:
        holds = f"{counted(len(self.paragraphs), 'paragraph')}, {counted(len(self.tables), 'table')}"
        return f"Document({brief(self.id)}, {holds})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What a notebook shows: whose report it is, and its tables, one line each."""
        ended = f"ended {self.ended.isoformat()}" if self.ended else ""
        about = ", ".join(part for part in (self.company, self.form, ended) if part)
        said = f"{counted(len(self.tables), 'table')}, {counted(len(self.paragraphs), 'paragraph')}"
        lines = [
            (f"t{number}", table.title or self._heading(table), table.place, f"{len(table.rows)}")
            for number, table in enumerate(self.tables, start=1)
        ]
        listed = table_html(lines, ("table", "title", "place", "rows")) if lines else ""
        return f"<div><b>{safe_html(self.id)}</b></div>{muted_html(about)}{muted_html(said)}{listed}"

    def _heading(self, table: Table) -> str:
        return "" if table.section is None else self.sections[table.section].title


class Question(Frozen):
    """What is asked in one turn. This is all that anything which answers gets to see."""

    text: str


class Gold(Frozen):
    """What the annotators say of one turn. For scoring alone.

    answer: the executed answer, a number or `yes`/`no`. program: in the language of FinQA (Chen et al. 2021).
    printed: the answer as a reader wrote it, e.g. `14.2%`. source: 0 or 1, which source question the turn is from
    (`qa_split`).
    spans, scale, kind, derivation: of TAT-QA (Zhu et al. 2021) alone: the texts of the answer, all of them wanted; the
    scale of its numbers (`thousand`, `percent`, "" for none); `arithmetic`, `count`, `span` or `multi-span`; and how it
    was worked out. kind is `over data: number`, `over data: count` or `over data: date` for a question over data beside
    reports: answer is a number then, or a date as ISO 8601 has it.
    """

    answer: Decimal | str
    program: str
    printed: str | None = None
    source: int = 0
    spans: tuple[str, ...] = ()
    scale: str = ""
    kind: str = ""
    derivation: str = ""


class Conversation(Frozen):
    """A report and the questions asked about it, turn by turn. `gold` is empty where nothing is labelled.

    independent: every question stands for itself, and none is told of the others. reports: names of the files of whole
    reports that are asked about, where the document is none of them and empty.
    """

    document: Document
    questions: tuple[Question, ...]
    gold: tuple[Gold, ...] = ()
    independent: bool = False
    reports: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the conversation, which is that of its document: every record has a document of its own."""
        return self.document.id

    def __repr__(self) -> str:
        labelled = ", labelled" if self.gold else ""
        return f"Conversation({brief(self.id)}, {counted(len(self.questions), 'question')}{labelled})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What a notebook shows: the report, and what is asked about it."""
        asked = [(str(number), question.text) for number, question in enumerate(self.questions, start=1)]
        return self.document._repr_html_() + (table_html(asked, ("", "question")) if asked else "")
