"""The facts of a report as rows of plain columns: for the eye, for CSV, JSON lines, Parquet, XLSX and data frames."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.data.datasets.frames import MOST_ROWS, Frame, Origin, make_frame
from tieout.data.output.workbook import Book, WorkbookError
from tieout.kg.drafts.outline import JOIN
from tieout.kg.fact import Fact

if TYPE_CHECKING:
    import pandas
    import pyarrow

COLUMNS = (
    "fact",
    "value",
    "scale",
    "unit",
    "raw",
    "label",
    "header",
    "section",
    "instance",
    "entity_type",
    "property",
    "matched_by",
    "concept",
    "dimensions",
    "exact",
    "period",
    "period_start",
    "period_end",
    "period_kind",
    "document",
    "place",
    "context",
    "marks",
    "doubts",
    "recognised",
    "amount",
)
WIDTHS = {"label": 40, "section": 40, "context": 60, "place": 30, "instance": 24}  # of columns in a workbook
EXACT = Context(prec=100)
FRAME, MOST_DECIMALS = "facts", 38  # of a frame of facts: its name, and the digits that its engine keeps
FORMATS = ("table", "jsonl", "csv", "parquet", "xlsx")
PART = "kg:part"  # the axis of the parts that print says
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ListingError(RuntimeError):
    """A form of listing needs a package that is not installed."""


def row_of(fact: Fact, document: str) -> dict[str, Any]:
    """A fact as one row. value, exact: Decimal; scale: None where it is not known, and so is amount then, the value
    times its scale; dimensions: `axis=member`, joined
    by a semicolon: those of the tag, then the parts that print says, as `kg:part=member`; section: the headings of the
    report, then the sub-heading of the table."""
    period = fact.period
    return {
        "fact": fact.name,
        "value": fact.value,
        "scale": fact.scale if fact.scale_known else None,
        "unit": str(fact.unit) if fact.unit else None,
        "raw": fact.raw,
        "label": fact.label,
        "header": fact.header or None,
        "section": JOIN.join(part for part in (fact.heading, fact.section) if part) or None,
        "instance": fact.instance,
        "entity_type": fact.entity_type,
        "property": fact.property,
        "matched_by": fact.matched_by,
        "concept": fact.concept or None,
        "dimensions": "; ".join(f"{axis}={member}" for axis, member in dimensions_of(fact)) or None,
        "exact": fact.exact,
        "period": period.key if period else None,
        "period_start": period.start if period else None,
        "period_end": period.end if period else None,
        "period_kind": period.kind.value if period else None,
        "document": document,
        "place": place_of(fact),
        "context": fact.context,
        "marks": " ".join(fact.marks) or None,
        "doubts": "; ".join(fact.doubts) or None,
        "recognised": fact.recognised,
        "amount": EXACT.multiply(fact.value, fact.scale) if fact.scale_known else None,
    }


def facts_frame(facts: Sequence[Fact]) -> Frame:
    """One row a fact, in the order of the report; a value of more digits than the engine keeps is a gap."""
    facts = facts[:MOST_ROWS]
    values = [fact.value if len(fact.value.as_tuple().digits) <= MOST_DECIMALS // 2 else None for fact in facts]
    columns: dict[str, Sequence[object]] = {
        "fact": [fact.name for fact in facts],
        "label": [fact.label for fact in facts],
        "header": [fact.header for fact in facts],
        "section": [fact.section for fact in facts],
        "property": [fact.property for fact in facts],
        "entity_type": [fact.entity_type for fact in facts],
        "instance": [fact.instance for fact in facts],
        "value": values,
        "unit": [None if fact.unit is None else str(fact.unit) for fact in facts],
        "scale": [fact.scale for fact in facts],
        "period": [fact.period.key if fact.period else None for fact in facts],
        "year": [fact.period.year if fact.period else None for fact in facts],
        "raw": [fact.raw for fact in facts],
    }
    return make_frame(FRAME, columns, Origin(tables=(FRAME,)))


def dimensions_of(fact: Fact) -> Iterator[tuple[str, str]]:
    """What a fact is of, as (axis, member): by its tag, and by print on an axis of its own."""
    yield from fact.dimensions
    yield from ((PART, part) for part in fact.parts)


def place_of(fact: Fact) -> str:
    """Where a person finds a fact: `page 34, table 12, row 5, column 2`; `page 40, paragraph 512`."""
    if fact.table is not None:
        own = f"table {fact.table}, row {fact.row}, column {fact.column}"
    elif fact.paragraph is not None:
        own = f"paragraph {fact.paragraph}"
    else:
        own = ""
    return ", ".join(part for part in (fact.place, own) if part)


def _plain(value: object) -> object:
    return None if value is None else value if isinstance(value, int) else str(value)


def write_jsonl(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One JSON object a line; amounts as text, so that they stay exact."""
    return (json.dumps({name: _plain(value) for name, value in row.items()}, ensure_ascii=False) for row in rows)


def write_csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Lines of CSV, the header first. Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    for row in (dict(zip(COLUMNS, COLUMNS, strict=True)), *rows):
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow([_safe(name, row[name]) for name in COLUMNS])
        yield out.getvalue()


def _safe(name: str, value: object) -> object:
    if isinstance(value, str) and name not in ("fact", "value", "amount") and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def frame(rows: Iterable[dict[str, Any]]) -> pandas.DataFrame:
    """A data frame of the rows. Raises ListingError where pandas is not installed."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise ListingError(f"data frames need {error.name}: pip install pandas") from error
    return pandas.DataFrame(list(rows), columns=list(COLUMNS))


def arrow_table(rows: Iterable[dict[str, Any]]) -> pyarrow.Table:
    """An Arrow table of the rows: amounts as decimals, days as dates. Raises ListingError without pyarrow."""
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise ListingError(f"Arrow and Parquet need {error.name}: pip install 'tieout[parquet]'") from error
    amount = pyarrow.decimal256(76, 30)
    kinds = {"value": amount, "amount": amount, "exact": amount, "recognised": amount, "scale": pyarrow.int64()}
    kinds |= {"period_start": pyarrow.date32(), "period_end": pyarrow.date32()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    return pyarrow.Table.from_pylist(list(rows), schema=schema)


def write_parquet(rows: Iterable[dict[str, Any]], target: Path) -> None:
    """Writes rows as Parquet: amounts as decimals where they fit, days as dates. Raises ListingError, OSError."""
    table = arrow_table(rows)
    from pyarrow import parquet

    parquet.write_table(table, target)


def write_xlsx(rows: Iterable[dict[str, Any]], target: Path) -> None:
    """Writes rows as a workbook of one sheet, its columns named, kept in view and filtered; amounts as numbers, days as
    days. Raises ListingError, OSError."""
    try:
        book = Book(rows_in_order=True)
    except WorkbookError as error:
        raise ListingError(f"{error}, or take --format csv") from error
    sheet, number = book.sheet("facts", [(name, WIDTHS.get(name, 14)) for name in COLUMNS]), 0
    for number, row in enumerate(rows, start=1):
        for column, name in enumerate(COLUMNS):
            sheet.write(number, column, row[name])
    sheet.filter(number)
    target.write_bytes(book.content())
