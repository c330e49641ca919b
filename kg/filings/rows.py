"""What was decided when a filing was read, as rows of the index beside the store: filings, and concepts in periods."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any
from zlib import crc32

from tieout.kg.filings.filing import Filing
from tieout.kg.filings.fiscal import FiscalYears
from tieout.kg.filings.observed import Observed

TABLES = ("filings", "observed")
SCHEMA = """CREATE TABLE filings (report INTEGER PRIMARY KEY, company TEXT, identifier TEXT, names TEXT, ticker TEXT,
                      form TEXT, ended TEXT, fiscal_year INTEGER, fiscal_period TEXT, is_amendment INTEGER,
                      last_month INTEGER, last_day INTEGER, year_offset INTEGER);
CREATE TABLE observed (report INTEGER, item TEXT, first TEXT, last TEXT, fiscal_year INTEGER, fiscal_period TEXT,
                       amount TEXT, unit TEXT, value TEXT, scale INTEGER, fact TEXT, label TEXT, place TEXT,
                       concept TEXT, found TEXT, probability REAL, sum INTEGER);
CREATE INDEX observed_by_item ON observed (item, report);
CREATE INDEX observed_by_report ON observed (report);
"""
OBSERVED = "SELECT observed.rowid, reports.id, observed.* FROM observed JOIN reports ON reports.key = observed.report"


@dataclass(frozen=True, slots=True)
class Named:
    """An observation with what its company calls the period: the fiscal year, and `FY`, `Q1` to `Q4`, `H1`, `9M`."""

    observed: Observed
    fiscal_year: int
    fiscal_period: str


@dataclass(frozen=True, slots=True)
class FilingEntry:
    """A filing and its standard concepts, as they are kept."""

    filing: Filing
    observed: tuple[Named, ...]


def keep(db: sqlite3.Connection, report: int, entry: FilingEntry) -> None:
    """Puts a filing in. report: its key in the table of reports."""
    filing = entry.filing
    db.execute(
        "INSERT INTO filings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(report, filing.company, filing.identifier, json.dumps(filing.names, ensure_ascii=False), filing.ticker),
            *(filing.form, filing.ended and filing.ended.isoformat(), filing.fiscal_year, filing.fiscal_period),
            *(int(filing.is_amendment), filing.years.month, filing.years.day, filing.years.offset),
        ),
    )
    observed = (
        (
            *(report, each.item, each.start and each.start.isoformat(), each.end.isoformat()),
            *(named.fiscal_year, named.fiscal_period, str(each.amount), each.unit, str(each.value), each.scale),
            *(each.fact, each.label, each.place, each.concept, each.found, each.probability),
        )
        for named in entry.observed
        for each in (named.observed,)
    )
    db.executemany(
        "INSERT INTO observed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((*row, _sum(row)) for row in observed),
    )


def _sum(row: tuple[object, ...]) -> int:
    """A checksum of a row, held against it whenever it is read: its amount is shown as it is."""
    return crc32(json.dumps(row).encode())


def remove(db: sqlite3.Connection, report: int) -> None:
    """Takes a filing out by the key of its report."""
    for table in TABLES:
        db.execute(f"DELETE FROM {table} WHERE report = ?", (report,))


def read_filings(db: sqlite3.Connection) -> Iterator[Filing]:
    """All filings, in the order of the ids of their reports."""
    rows = db.execute(
        "SELECT reports.id, filings.company, identifier, names, ticker, filings.form, filings.ended, fiscal_year, "
        "fiscal_period, is_amendment, last_month, last_day, year_offset FROM filings "
        "JOIN reports ON reports.key = filings.report ORDER BY reports.id"
    ).fetchall()
    for report, company, identifier, names, ticker, form, ended, year, period, amends, *years in rows:
        yield Filing(
            *(report, company, identifier, _listed(names), ticker, form),
            *(day(ended), year, period, bool(amends), FiscalYears(*years)),
        )


def read_observed(
    db: sqlite3.Connection,
    items: Iterable[str] | None,
    reports: Sequence[str] | None = None,
    years: Iterable[int] | None = None,
) -> Iterator[tuple[str, Named]]:
    """What filings state of these line items, each with the id of its report. None: of all items, reports, years.

    Raises ValueError for a row that is not as it was written.
    """
    where: list[str] = []
    given: list[object] = []
    for column, wanted in (("item", items), ("reports.id", reports), ("fiscal_year", years)):
        if wanted is not None:
            listed: list[object] = list(wanted)
            where.append(f"{column} IN ({', '.join('?' * len(listed))})")
            given += listed
    rows = db.execute(f"{OBSERVED}{' WHERE ' + ' AND '.join(where) if where else ''} ORDER BY observed.rowid", given)
    for _, *row in rows.fetchall():
        yield _observed(row)


def read_rows(db: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, Named]]:
    """What filings state in rows of these numbers, each as `read_observed` has it. Raises ValueError as that."""
    rows = db.execute(
        f"{OBSERVED} WHERE observed.rowid IN (SELECT value FROM json_each(?))", (json.dumps(list(numbers)),)
    )
    return {number: _observed(row) for number, *row in rows.fetchall()}


def _observed(row: Sequence[Any]) -> tuple[str, Named]:
    report, *told, written = row
    if _sum(tuple(told)) != written:
        raise ValueError(f"a row of {report!r} is not what was written")
    _, item, first, last, year, period, amount, unit, value, *rest = told
    end = day(last)
    assert end is not None
    observed = Observed(item, day(first), end, Decimal(amount), unit, Decimal(value), *rest)
    return report, Named(observed, year, period)


def read_amounts(
    db: sqlite3.Connection, items: Sequence[str], reports: Sequence[str] | None = None
) -> list[tuple[int, str, str, int, str, float]]:
    """Of what filings state of line items no more than the number of the row, the id of the report, the item, the
    fiscal year and period, and the amount without its sign, roughly: to find the few rows that are read. reports: of
    these alone, where given."""
    named = [("item", items)] if reports is None else [("item", items), ("reports.id", reports)]
    where = " AND ".join(f"{column} IN ({', '.join('?' * len(listed))})" for column, listed in named)
    rows = db.execute(
        "SELECT observed.rowid, reports.id, item, fiscal_year, fiscal_period, abs(CAST(amount AS REAL)) FROM observed "
        f"JOIN reports ON reports.key = observed.report WHERE {where}",
        [each for _, listed in named for each in listed],
    )
    return rows.fetchall()


@lru_cache(maxsize=4096)  # the filings of a company have the same
def _listed(names: str) -> tuple[str, ...]:
    return tuple(json.loads(names))


@lru_cache(maxsize=4096)
def day(text: str | None) -> date | None:
    """A day as it is kept; None where there is none."""
    return date.fromisoformat(text) if text else None
