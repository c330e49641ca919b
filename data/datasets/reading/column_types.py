"""Types that the reader of a file does not find: dates as people write them, thousands separated, year and quarter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tieout.data.datasets.naming import quoted, text_literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

GAPS = ("", ".", "..", "...", "-", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None")
EXACT = 2**53  # whole numbers up to here are floats without loss
DATES = ("%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%Y-%m", "%YM%m", "%b-%y", "%b-%Y", "%b %Y",
         "%B %Y", "%d-%b-%Y", "%b %d, %Y", "%d %B %Y")  # fmt: skip
QUARTERS = (r"^(?P<year>\d{4})[-: ]?Q(?P<quarter>[1-4])$", r"^Q(?P<quarter>[1-4])[-: /]?(?P<year>\d{4})$")
WHOLE = r"-?(0|[1-9]\d{0,17})"
TIME = r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
NUMBER = r"-?\$?(\d{1,3}(,\d{3})+|\d*)(\.\d*)?([eE][+-]?\d{1,3})?"


def find_types(connection: DuckDBPyConnection, table: str) -> None:
    """Gives the columns of text of a table the types that all of their values have, those that stand for a gap left
    out."""
    columns = {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {quoted(table)}").fetchall()}
    for name, kind in columns.items():
        if kind == "VARCHAR" and (reading := _reading(connection, table, name)):
            kind, expression = reading
            column = quoted(name)
            connection.execute(f"ALTER TABLE {quoted(table)} ALTER {column} TYPE {kind} USING {expression}")
            columns[name] = kind
    _add_date(connection, table, columns)


def drop_empty_rows(connection: DuckDBPyConnection, table: str) -> None:
    """Takes rows without any value out: lines of delimiters alone are no rows."""
    columns = [name for name, *_ in connection.execute(f"DESCRIBE {quoted(table)}").fetchall()]
    empty = " AND ".join(f"{quoted(name)} IS NULL" for name in columns)
    connection.execute(f"DELETE FROM {quoted(table)} WHERE {empty}")


def narrow(connection: DuckDBPyConnection, table: str, names: Iterable[str]) -> list[str]:
    """Makes columns of floats whole where all of their values are. Gives those that may have lost digits as floats."""
    large = []
    for name in sorted(names):
        column = quoted(name)
        query = f"SELECT bool_and({column} = trunc({column})), max(abs({column})) FROM {quoted(table)}"
        ((whole, highest),) = connection.execute(query).fetchall()
        if highest is not None and highest >= EXACT:
            large.append(name)
        elif whole is not False:
            connection.execute(f"ALTER TABLE {quoted(table)} ALTER {column} TYPE BIGINT")
    return large


def _reading(connection: DuckDBPyConnection, table: str, name: str) -> tuple[str, str] | None:
    """The type of a column of text, and the expression that reads it, where every value of it can be read."""
    gaps = ", ".join(map(text_literal, GAPS))
    text = f"(CASE WHEN {quoted(name)} NOT IN ({gaps}) THEN {quoted(name)} END)"
    ways = _ways(text)
    some = f"(SELECT {quoted(name)} FROM {quoted(table)} WHERE {text} IS NOT NULL LIMIT 50)"
    likely = _fitting(connection, [way for each in ways.values() for way in each], text, some)
    for kind, each in ways.items():
        fitting = _fitting(connection, [way for way in each if way in likely], text, quoted(table))
        if len(fitting) > 1:  # month first, or day first?
            fitting = [way for way in fitting if _same_day(connection, way, table)]
        if len(fitting) == 1:
            return kind, fitting[0]
    return None


def _ways(text: str) -> dict[str, list[str]]:
    """By type the expressions that may read a text; NULL for one that they do not read."""
    return {
        "BOOLEAN": [f"CASE WHEN lower{text} IN ('true', 'false') THEN lower{text} = 'true' END"],
        "BIGINT": [f"CASE WHEN regexp_full_match({text}, '{WHOLE}') THEN try_cast({text} AS BIGINT) END"],
        "DOUBLE": [_number(text)],
        "DATE": _days(text),
        "TIMESTAMP": [f"CASE WHEN regexp_full_match({text}, '{TIME}') THEN try_cast({text} AS TIMESTAMP) END"],
    }


def _number(text: str) -> str:
    plain = f"regexp_replace({text}, '[$,]', '', 'g')"
    number = f"try_cast({plain} AS DOUBLE)"
    is_exact = f"(abs({number}) < {EXACT} OR NOT regexp_full_match({plain}, '-?[0-9]+'))"
    is_code = f"regexp_matches({plain}, '^-?0[0-9]')"
    return f"CASE WHEN regexp_full_match({text}, '{NUMBER}') AND {is_exact} AND NOT {is_code} THEN {number} END"


def _days(column: str) -> list[str]:
    days = [f"try_strptime({column}, {text_literal(form)})::DATE" for form in DATES]
    return [*days, *(_quarter(column, pattern) for pattern in QUARTERS)]


def _quarter(column: str, pattern: str) -> str:
    plain = re.sub(r"\?P<\w+>", "", pattern)
    year, quarter = (1, 2) if pattern.index("year") < pattern.index("quarter") else (2, 1)
    parts = [f"try_cast(regexp_extract({column}, '{plain}', {group}) AS INTEGER)" for group in (year, quarter)]
    return f"make_date({parts[0]}, {parts[1]} * 3 - 2, 1)"


def _fitting(connection: DuckDBPyConnection, ways: list[str], text: str, source: str) -> list[str]:
    """Those of the expressions that read every value."""
    if not ways:
        return []
    counts = ", ".join(f"count({way})" for way in ways)
    ((every, *found),) = connection.execute(f"SELECT count({text}), {counts} FROM {source}").fetchall()
    return [way for way, number in zip(ways, found, strict=True) if number == every > 0]


def _same_day(connection: DuckDBPyConnection, expression: str, table: str) -> bool:
    found = connection.execute(f"SELECT count(DISTINCT day({expression})) FROM {quoted(table)}").fetchall()
    return found == [(1,)]


def _add_date(connection: DuckDBPyConnection, table: str, columns: dict[str, str]) -> None:
    """Adds a column `date` where a table has none but says year and quarter or month in whole numbers."""
    if any(kind in ("DATE", "TIMESTAMP") for kind in columns.values()) or "date" in {name.lower() for name in columns}:
        return
    by_name = {name.lower(): name for name in columns}
    for part, most, months in (("quarter", 4, 3), ("month", 12, 1)):
        if part in by_name and "year" in by_name:
            year, number = quoted(by_name["year"]), quoted(by_name[part])
            fits = f"bool_and({number} BETWEEN 1 AND {most} AND {number} % 1 = 0 AND {year} BETWEEN 1000 AND 9999)"
            if connection.execute(f"SELECT {fits} FROM {quoted(table)}").fetchall() == [(True,)]:
                day = f"make_date({year}::INTEGER, ({number}::INTEGER - 1) * {months} + 1, 1)"
                connection.execute(
                    f"CREATE OR REPLACE TABLE {quoted(table)} AS SELECT {day} AS date, * FROM {quoted(table)}"
                )
            return
