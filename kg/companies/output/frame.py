"""Lines as data frames whose numbers are numbers: they plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tieout.kg.companies.compare import COLUMNS, Line
from tieout.kg.companies.output.grid import period_name
from tieout.kg.companies.output.text import OutputError

if TYPE_CHECKING:
    import pandas


def _pandas() -> object:
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise OutputError(f"data frames need {error.name}: pip install pandas") from error
    return pandas


def long_frame(lines: Sequence[Line]) -> pandas.DataFrame:
    """A row for each value, with the columns of JSON lines; amounts are floats."""
    _pandas()
    import pandas

    frame = pandas.DataFrame([line.row() for line in lines], columns=list(COLUMNS))
    for name in ("value", "amount"):
        frame[name] = frame[name].astype(float)
    for name in ("period_start", "period_end"):
        frame[name] = pandas.to_datetime(frame[name])
    return frame


def wide_frame(lines: Sequence[Line]) -> pandas.DataFrame:
    """A statement: a row for each line, a column for each period, full amounts as floats."""
    _pandas()
    import pandas

    periods = sorted({(each.fiscal_year, each.fiscal_period, period_name(each)) for each in lines})
    labels = list(dict.fromkeys(each.measure for each in lines))
    at = {(each.measure, period_name(each)): float(each.value.amount) for each in lines}
    columns = [name for _, _, name in periods]
    data = {column: [at.get((label, column), float("nan")) for label in labels] for column in columns}
    return pandas.DataFrame(data, index=pandas.Index(labels, name="line"))
