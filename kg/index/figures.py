"""The figures of a line, a sentence or a table as text, as the index keeps them: written once, read in microseconds.

What the figures of one line have in common is written once, the rest as one list for each field:
`8d1f6c02{"same": {"label": "Net income", "unit": "USD"}, "name": ["t5r5c1", "t5r5c2"], "value": ["3282", "2987"]}`.
In front stands a checksum: a disk that loses bits is found when they are read. The graph stays what a figure is asked
of: these are what a reader is shown before it chooses.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import date
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Any

from tieout.data.printed.periods.timespan import Period, PeriodKind
from tieout.kg.fact import Cell, Fact, FactKind, Reading, made_fact, unit_named, whole

SAME = "same"
_SUM = 8  # digits of the checksum
MOST_TEXTS = 16_000  # lines and sentences whose figures stay read
# What a field has that is left out; one that is required never is.
_USUAL = {each.name: ... if each.default is MISSING else each.default for each in fields(Fact)}
_FIELDS = itemgetter(*_USUAL)


def figures_text(facts: Sequence[Fact]) -> str:
    """Figures as text, "" for none."""
    if not facts:
        return ""
    if len(facts) == 1:  # as most sentences and lines that have any
        only = zip(_USUAL.items(), _FIELDS(facts[0].__dict__), strict=True)
        same = {name: value for (name, usual), value in only if value is not usual and value != usual}
        return _summed({SAME: same})
    told: dict[str, Any] = {SAME: {}}
    columns = zip(*(_FIELDS(fact.__dict__) for fact in facts), strict=True)
    for (name, usual), values in zip(_USUAL.items(), columns, strict=True):
        first = values[0]
        if values.count(first) < len(values):
            told[name] = values
        elif first is not usual and first != usual:
            told[SAME][name] = first
    return _summed(told)


def _summed(told: Mapping[str, Any]) -> str:
    text = _ENCODER.encode(told)
    return f"{_sum(text)}{text}"


@lru_cache(maxsize=MOST_TEXTS)
def read_figures(text: str) -> tuple[Fact, ...]:
    """The figures of such a text, in the order in which they were given. Raises ValueError for one that is not as it
    was written."""
    if not text:
        return ()
    if _sum(text[_SUM:]) != text[:_SUM]:
        raise ValueError("a checksum that does not fit")
    told = json.loads(text[_SUM:])
    same = {name: _column(name, (value,))[0] for name, value in told.pop(SAME).items()}
    if not told:
        return (made_fact(same),)
    names = tuple(told)
    columns = [_column(name, values) for name, values in told.items()]
    rest, rows = whole(same), zip(*columns, strict=True)
    return tuple([made_fact(rest | dict(zip(names, values, strict=True)), is_whole=True) for values in rows])


def _column(name: str, values: Sequence[Any]) -> Sequence[Any]:
    """The values of a field, typed."""
    read = _TYPES.get(name)
    return values if read is None else [None if value is None else read(value) for value in values]


def cells_text(cells: Sequence[Cell]) -> str:
    """The printed cells of a table as text."""
    return json.dumps(cells, ensure_ascii=False, separators=(",", ":"))


def cells_blob(cells: str) -> bytes:
    """Such cells, compressed: the labels of a row stand in each of its cells."""
    return zlib.compress(cells.encode(), 6)


def read_cells(blob: bytes) -> tuple[Cell, ...]:
    """The cells of such bytes."""
    return tuple(Cell(*each) for each in json.loads(zlib.decompress(blob)))


def _sum(text: str) -> str:
    return f"{zlib.crc32(text.encode(errors='surrogatepass')):0{_SUM}x}"


def _plain(value: object) -> Any:  # noqa: ANN401 - what JSON has none of
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Period):
        start, end = (day and day.isoformat() for day in (value.start, value.end))
        return [value.key, value.kind, value.label, value.year, start, end]
    if isinstance(value, Reading):
        return [value.unit, value.scale, value.period]
    raise TypeError(f"{value!r} is in no field of a fact")


def _period(told: Sequence[Any]) -> Period:
    return _period_of(*told)


@lru_cache(maxsize=4096)
def _period_of(key: str, kind: str, label: str, year: int | None, start: str | None, end: str | None) -> Period:
    first, last = (date.fromisoformat(day) if day else None for day in (start, end))
    return Period(key, PeriodKind(kind), label, year, first, last)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)
_TYPES: Mapping[str, Callable[[Any], Any]] = {
    "kind": FactKind,
    "value": Decimal,
    "exact": Decimal,
    "unit": unit_named,
    "period": _period,
    "parts": tuple,
    "marks": tuple,
    "doubts": tuple,
    "recognised": Decimal,
    "dimensions": lambda pairs: tuple((axis, member) for axis, member in pairs),
    "reading": lambda told: Reading(unit=told[0], scale=told[1], period=told[2]),
}
