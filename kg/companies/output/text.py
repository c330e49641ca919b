"""Lines as CSV, JSON lines and Parquet, a line for each value."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

from tieout.kg.companies.compare import COLUMNS, Line

DIGITS, PLACES = 76, 20  # of amounts in Parquet
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class OutputError(RuntimeError):
    """A form of output needs a package that is not installed."""


def write_jsonl(lines: Iterable[Line]) -> Iterator[str]:
    """One JSON object a line; amounts as text, so that they stay exact."""
    for line in lines:
        yield json.dumps(line.row(), ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    assert isinstance(value, date)
    return value.isoformat()


def write_csv(lines: Iterable[Line]) -> Iterator[str]:
    """Lines of CSV, the header first. Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    yield ",".join(COLUMNS)
    for line in lines:
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow([_cell(value) for value in line.row().values()])
        yield out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list):
        return "; ".join(map(_said, value))
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _said(value: object) -> str:
    return f"{value['amount']} [{value['fact']}]" if isinstance(value, dict) else str(value)


def write_parquet(lines: Iterable[Line], target: Path) -> None:
    """Writes lines as Parquet: amounts as decimals, days as dates. Raises OutputError without pyarrow, OSError."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise OutputError(f"Parquet needs {error.name}: pip install 'tieout[parquet]'") from error
    amount, text = pyarrow.decimal256(DIGITS, PLACES), pyarrow.string()
    kinds: dict[str, Any] = {
        "value": amount,
        "amount": amount,
        "scale": pyarrow.int64(),
        "fiscal_year": pyarrow.int64(),
    }
    kinds |= {"period_start": pyarrow.date32(), "period_end": pyarrow.date32(), "derived": pyarrow.bool_()}
    kinds |= {"probability": pyarrow.float64(), "facts": pyarrow.list_(text), "flags": pyarrow.list_(text)}
    kinds["restated"] = pyarrow.list_(pyarrow.struct([(name, text) for name in ("amount", "fact", "place")]))
    schema = pyarrow.schema([(name, kinds.get(name, text)) for name in COLUMNS])
    rows = [_rounded(line.row()) for line in lines]
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), target)


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    """Decimals of as many places as the schema has."""
    with localcontext(prec=DIGITS):
        place = Decimal(1).scaleb(-PLACES)
        return {name: value.quantize(place) if isinstance(value, Decimal) else value for name, value in row.items()}
