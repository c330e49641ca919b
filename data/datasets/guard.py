"""Which queries are let through: one SELECT over the tables at hand, as DuckDB's own parser and catalogue see it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest"})
LONGEST = 20_000
DEEPEST = 200
CONSISTENT = "CONSISTENT"
CLOCK = frozenset({"current_date", "current_time", "current_timestamp", "current_user", "localtime", "localtimestamp"})


class RefusedError(ValueError):
    """What is asked of the tables and is not let through, or cannot be done. The message says why."""


class Guard:
    """Looks at queries before they run. connection: any of the engine's, for its parser and its catalogue."""

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self._connection = connection
        self._stability: dict[str, str | None] = {}
        self._macros: dict[str, list[str]] = {}
        rows = connection.execute(
            "SELECT function_name, stability, macro_definition FROM duckdb_functions()"
        ).fetchall()
        for name, stability, macro in rows:
            if macro is not None:
                self._macros.setdefault(name.lower(), []).append(macro)
            elif stability is not None:
                self._stability[name.lower()] = stability

    def check(self, text: str, tables: set[str]) -> tuple[str, ...]:
        """The tables that a query reads. tables: those there are. Raises RefusedError for anything but one SELECT
        over them whose result depends on nothing else."""
        if len(text) > LONGEST:
            raise RefusedError(f"the query is longer than {LONGEST} characters")
        tree = self._tree(text)
        known = {name.lower(): name for name in tables}
        named = {entry["key"].lower() for node in _nodes(tree) for entry in _ctes(node)}
        read = []
        for node in _nodes(tree):
            kind = node.get("type")
            if kind == "BASE_TABLE":
                name = str(node["table_name"])
                if node.get("schema_name") or node.get("catalog_name") or name.lower() not in {*known, *named}:
                    raise RefusedError(_no_table(node, tables))
                if name.lower() in known:
                    read.append(known[name.lower()])
            elif kind == "TABLE_FUNCTION":
                function = str(node["function"].get("function_name", "")).lower()
                if function not in TABLE_FUNCTIONS:
                    raise RefusedError(f"{function!r} reads something else than the tables that are open")
            elif isinstance(kind, str) and kind.endswith("_QUERY_NODE"):
                raise RefusedError("only SELECT is run, and this changes data")
            self._check_function(node)
            if node.get("sample"):
                raise RefusedError("a sample is drawn anew each time: it cannot be repeated")
        return tuple(dict.fromkeys(read))

    def _tree(self, text: str) -> dict[str, Any]:
        try:
            found = self._connection.execute("SELECT json_serialize_sql(?)", [text]).fetchone()
        except Exception as error:
            raise RefusedError(_first_line(error)) from error
        try:
            tree: dict[str, Any] = json.loads(found[0] if found else "{}")
        except RecursionError as error:
            raise RefusedError("the query is nested too deep") from error
        if tree.get("error"):
            raise RefusedError(
                str(tree.get("error_message", "no SELECT")).replace("can be serialized to json!", "are run")
            )
        if len(tree.get("statements", ())) != 1:
            raise RefusedError("one SELECT at a time")
        return tree

    def _check_function(self, node: dict[str, Any]) -> None:
        name = _called(node)
        if name and not self._is_consistent(name):
            raise RefusedError(f"{name!r} depends on more than the tables: it is not the same each time")

    def _is_consistent(self, name: str, depth: int = 0) -> bool:
        """Whether a function gives the same for the same arguments, as the engine's catalogue says; macros are looked
        into."""
        if name in CLOCK:
            return False
        if name in self._stability or name not in self._macros:
            return self._stability.get(name, CONSISTENT) == CONSISTENT
        if depth > 5 or name.startswith(("pg_", "has_", "inet_", "current_")):
            return False
        for definition in self._macros[name]:
            try:
                tree = self._tree(f"SELECT {definition}")
            except RefusedError:
                return False
            if any(node.get("class") == "SUBQUERY" for node in _nodes(tree)):
                return False
            names = [name for node in _nodes(tree) if (name := _called(node))]
            if not all(self._is_consistent(each, depth + 1) for each in names):
                return False
        return True


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every object of a syntax tree, outer ones first. Raises RefusedError for one that is too deep."""
    waiting: list[tuple[object, int]] = [(tree, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > DEEPEST:
            raise RefusedError("the query is nested too deep")
        if isinstance(part, dict):
            yield part
            waiting += [(value, depth + 1) for value in reversed(part.values())]
        elif isinstance(part, list):
            waiting += [(value, depth + 1) for value in reversed(part)]


def _called(node: dict[str, Any]) -> str:
    """The function that a node calls, with brackets or, as `current_date`, without; "" for another node."""
    if node.get("class") == "FUNCTION":
        return str(node.get("function_name", "")).lower()
    if node.get("class") == "COLUMN_REF" and len(node.get("column_names", ())) == 1:
        name = str(node["column_names"][0]).lower()
        return name if name in CLOCK else ""
    return ""


def _ctes(node: dict[str, Any]) -> list[dict[str, Any]]:
    entries = node.get("cte_map")
    found = entries.get("map") if isinstance(entries, dict) else None
    return [entry for entry in found if isinstance(entry, dict) and "key" in entry] if isinstance(found, list) else []


def _no_table(node: dict[str, Any], tables: set[str]) -> str:
    parts = (node.get("catalog_name"), node.get("schema_name"), node["table_name"])
    name = ".".join(str(part) for part in parts if part)
    return f"there is no table {name!r}; {near_names(name, tables)}"


def near_names(name: str, names: set[str]) -> str:
    """The names that one may have been meant for, else all there are."""
    near = difflib.get_close_matches(name.lower(), sorted(names), n=5, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(sorted(names)[:40]) or 'none'}"


def _first_line(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)


def run_guarded(function: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the function gives
    """What function gives; duckdb's own errors as RefusedError, with the engine's words and without its long tail."""
    import duckdb

    try:
        return function()
    except duckdb.Error as error:
        said = str(error).partition("Traceback")[0]
        lines = [line.rstrip() for line in said.splitlines() if line.strip()]
        raise RefusedError("\n".join(lines[:6])[:1500]) from error
    except MemoryError as error:
        raise RefusedError("the query needs more memory than it may have") from error
