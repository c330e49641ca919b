"""What a program holds in memory into a Document: a page as a dict, or a pandas DataFrame."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from datetime import datetime, time
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from tieout.data.document import Conversation, Document
from tieout.data.readers.layouts import Flaw, cleaned, official

UNNAMED = "report"  # the id of a page that brings none
KEYS = ("table", "pre_text", "post_text", "doc")
NEEDED = (
    "a report is needed: a Document or a Conversation, as tieout.conversation(path, id) gives one, a dict with 'table' "
    "(rows of cells), 'pre_text' or 'post_text' (sentences), or a pandas DataFrame"
)


def given_document(report: object) -> Document:
    """The document that a caller means: the one of a Conversation, a dict of the keys of a ConvFinQA record (of which
    a table or a text is enough), or the one table of a DataFrame.

    Raises TypeError, in one line that says what is needed, for anything else.
    """
    if isinstance(report, Conversation):
        return report.document
    if isinstance(report, Document):
        return report
    if isinstance(report, Mapping):
        return _of_mapping(report)
    pandas = sys.modules.get("pandas")  # whoever has a DataFrame has imported it
    if pandas is not None and isinstance(report, pandas.DataFrame):
        return _of_mapping({"table": _rows(report, pandas)})
    raise TypeError(f"{NEEDED}; not {type(report).__name__}")


def _of_mapping(report: Mapping[Any, Any]) -> Document:
    if not any(key in report for key in KEYS):
        raise TypeError(f"{NEEDED}; not a dict with {', '.join(map(repr, list(report)[:5])) or 'nothing in it'}")
    try:
        record: dict[str, Any] = {str(key): _plain(value, str(key)) for key, value in report.items() if key in KEYS}
        for name in ("pre_text", "post_text"):
            text = record.get(name, [])
            record[name] = [text] if isinstance(text, str) else text
        identifier = str(report.get("id", UNNAMED)) or UNNAMED
        return (cleaned if "doc" in record else official)(identifier, record).document
    except Flaw as flaw:
        field = f"field {flaw.field}: " if flaw.field else ""
        raise TypeError(f"the report cannot be read: {field}{flaw.message}") from None


def _plain(value: object, name: str) -> object:
    """A value as JSON would bring it, numbers as Decimal; what is no number in a cell of numbers is a blank.

    Raises Flaw for what has no such form.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(each, f"{name}[{key!r}]") for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, f"{name}[{number}]") for number, each in enumerate(value)]
    if isinstance(value, Integral):
        return Decimal(int(value))
    if isinstance(value, Real | Decimal) and not math.isnan(value):
        number = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
        if number.is_finite():
            return number
        raise Flaw(name, f"{value!r} is no amount")
    if isinstance(value, Real | Decimal):
        return None
    raise Flaw(name, f"a text or a number expected, not {type(value).__name__}")


def _rows(frame: Any, pandas: Any) -> list[list[object]]:  # noqa: ANN401 - pandas is not needed to read anything else
    """The names of the columns, then the rows, each under the label that the index gives it: an index that only counts
    gives none."""
    counted = isinstance(frame.index, pandas.RangeIndex) and frame.index.name is None
    labels = [[] if counted else [_label(label)] for label in frame.index]
    corner = [] if counted else [" ".join(str(name) for name in frame.index.names if name is not None)]
    cells = [[None if pandas.isna(cell) else _cell(cell) for cell in row] for row in frame.itertuples(False, None)]
    header: list[object] = [*corner, *map(_label, frame.columns)]
    return [header, *([*label, *row] for label, row in zip(labels, cells, strict=True))]


def _label(label: object) -> str:
    """The name of a row or a column as it would be printed; one on several levels with all of them."""
    if isinstance(label, tuple):
        return " ".join(map(_label, label))
    return str(_cell(label))


def _cell(cell: object) -> object:
    """A day as a date, without the time that pandas gives it."""
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell if isinstance(cell, str | Real | Decimal) else str(cell)
