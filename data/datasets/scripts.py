"""Scripts over frames: Python in pydantic-monty, which has no files, network, environment or clock, and limits."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from tieout.data.datasets.engine import Variables, need
from tieout.data.datasets.frames import MOST_ROWS, Cell, Frame, kind_of
from tieout.data.datasets.series import LIBRARY, deadline, still
from tieout.data.printed.pattern import later

SECONDS = 4.0
MEMORY = 256 * 1024**2
DEEPEST = 200
MOST_CALLS = 10_000  # of the library, by a script
LONGEST_CODE = 20_000
LONGEST_TEXT = 2_000
MOST_VALUES = 50
# How the interpreter hands out what has no value outside of it, and a list that holds itself.
NO_TEXT = later(r"<(?:function|coroutine|generator|built-in|bound method|class|module)\b.*>|[\[{]\.\.\.[\]}]", re.S)
Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Result:
    """What a script gave. values: single ones by name, "" for an only one; frames: columns by name.

    lines: of the code, from 1, where each value is made.
    """

    values: dict[str, Cell] = field(default_factory=dict)
    frames: dict[str, Columns] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


class ScriptError(ValueError):
    """A script that fails, is stopped, or gives what no answer can be made of. The message names the line."""


def run(code: str, frames: Sequence[Frame], variables: Variables | None = None, seconds: float = SECONDS) -> Result:
    """Runs code over frames, each a dict of columns under its name, and gives its last expression.

    variables: names that stand for values. Raises ScriptError, ExpertMissing.
    """
    need("pydantic_monty")
    import pydantic_monty as monty

    if len(code) > LONGEST_CODE:
        raise ScriptError(f"the script is longer than {LONGEST_CODE} characters")
    inputs = {frame.name: {name: list(cells) for (name, _), cells in zip(frame.columns, frame.data, strict=True)}
              for frame in frames}  # fmt: skip
    limits: monty.ResourceLimits = {
        "max_feed_duration_secs": seconds,
        "max_memory": MEMORY,
        "max_recursion_depth": DEEPEST,
        "max_suspensions": MOST_CALLS,
    }
    policy: monty.OSPolicy = {"datetime": "call_host", "sleep": "zero", "random_start": {"seed": 0}}
    try:
        with (
            monty.Monty(max_processes=1, request_timeout=2 * seconds) as pool,
            pool.checkout(script_name="script", limits=limits, os_policy=policy) as session,
        ):
            given = session.feed_run(
                code,
                inputs=inputs | dict(variables or {}),
                external_lookup=_library(time.monotonic() + seconds),
                print_callback=lambda stream, text: None,
            )
    except monty.MontyError as error:
        raise ScriptError(_told(error, code)) from error
    except (ValueError, TypeError, OverflowError) as error:  # what it gave cannot leave the interpreter
        raise ScriptError(f"the result cannot be taken: {error}") from error
    return _result(given, code)


def _library(until: float) -> dict[str, Callable[..., Any]]:
    return {name: _bounded(function, until) for name, function in LIBRARY.items()}


def _bounded(function: Callable[..., Any], until: float) -> Callable[..., Any]:
    """A function of the library as a script may call it: until the deadline, and with errors that it can understand."""

    def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever a script gives
        try:
            with deadline(until):
                still()
                return function(*arguments, **named)
        except TimeoutError:
            raise
        except (ValueError, TypeError, ArithmeticError) as error:
            raise ValueError(f"{function.__name__}: {error}") from error
        except Exception as error:
            raise ValueError(f"{function.__name__}: {type(error).__name__}") from error

    return call


def _told(error: Any, code: str) -> str:  # noqa: ANN401 - MontyError and its kin
    """What went wrong, with the line of the script where that is known."""
    said = error.display("type-msg") if hasattr(error, "traceback") else str(error)
    frames = error.traceback() if hasattr(error, "traceback") else []
    here = [frame for frame in frames if frame.filename in ("script", "main.py") or frame.line]
    if not here:
        return str(said)[:500]
    line = here[-1].line
    lines = code.splitlines()
    quoted = f": {lines[line - 1].strip()[:200]}" if 0 < line <= len(lines) else ""
    return f"{str(said)[:500]} (line {line}{quoted})"


# The result: numbers, dates, text, lists and frames, and nothing else.


def _result(given: object, code: str) -> Result:
    lines = _Lines(code)
    if given is None:
        raise ScriptError("the script gives nothing: end it with an expression, such as a name or {'start': start}")
    if _is_single(given):
        return Result({"": _single(given, "the result")}, {}, {"": lines.last})
    if isinstance(given, list | tuple):
        return Result({}, {"": _rows(list(given), "the result")})
    if not isinstance(given, dict):
        raise ScriptError(f"the result is {type(given).__name__}: numbers, dates, text, lists and dicts can be taken")
    if not given or not all(isinstance(key, str) and key.isidentifier() for key in given):
        raise ScriptError("a result that is a dict has names as keys, letters and digits without blanks")
    if all(isinstance(part, list | tuple) for part in given.values()) and len({len(p) for p in given.values()}) == 1:
        return Result({}, {"": _columns(given, "the result")})
    values: dict[str, Cell] = {}
    frames: dict[str, Columns] = {}
    for key, part in given.items():
        if part is None:
            continue  # what is not there has no value
        if _is_single(part):
            values[key] = _single(part, key)
        elif isinstance(part, list | tuple):
            frames[key] = _rows(list(part), key)
        elif isinstance(part, dict):
            frames[key] = _columns(part, key)
        else:
            raise ScriptError(f"{key!r} is {type(part).__name__}: numbers, dates, text, lists and dicts can be taken")
    if not values and not frames:
        raise ScriptError("the script gives nothing but None")
    if len(values) + len(frames) > MOST_VALUES:
        raise ScriptError(f"more than {MOST_VALUES} results: make a frame of them")
    return Result(values, frames, {key: lines.of(key) for key in values})


def _is_single(value: object) -> bool:
    return isinstance(value, bool | int | float | Decimal | date | str)


def _single(value: object, what: str) -> Cell:
    match value:
        case float() if value - value != 0:
            raise ScriptError(f"{what} is {value}: no number")
        case Decimal() if not value.is_finite():
            raise ScriptError(f"{what} is {value}: no number")
        case str() if len(value) > LONGEST_TEXT:
            raise ScriptError(f"{what} is a text of more than {LONGEST_TEXT} characters")
        case str() if NO_TEXT.fullmatch(value):
            raise ScriptError(f"{what} is {value[:60]}: numbers, dates, text, lists and dicts can be taken")
        case str() if any("\ud800" <= char <= "\udfff" for char in value):
            raise ScriptError(f"{what} is not valid text")
        case int() if abs(value) >= 10**40:
            raise ScriptError(f"{what} is a whole number of more than 40 digits")
        case datetime() if value.tzinfo is not None:
            raise ScriptError(f"{what} is a time with a zone: give a date")
    return value  # type: ignore[return-value]


def _rows(rows: list[Any], what: str) -> Columns:
    """A list as a frame: of dicts with the same keys their columns, of single values a column `value`."""
    if len(rows) > MOST_ROWS:
        raise ScriptError(f"{what} has more than {MOST_ROWS} rows")
    if rows and all(isinstance(row, dict) for row in rows):
        keys = list(rows[0])
        if any(list(row) != keys for row in rows):
            raise ScriptError(f"{what}: every dict of a list needs the same keys")
        return _columns({key: [row[key] for row in rows] for key in keys}, what)
    return _columns({"value": rows}, what)


def _columns(columns: Mapping[Any, Any], what: str) -> Columns:
    made: Columns = {}
    for name, cells in columns.items():
        if not isinstance(name, str) or not name or len(name) > 100:
            raise ScriptError(f"{what}: a column needs a name")
        if not isinstance(cells, list | tuple):
            raise ScriptError(f"{what}: column {name!r} is no list")
        other = next((cell for cell in cells if cell is not None and kind_of(cell) is None), None)
        if other is not None:
            raise ScriptError(f"{what}: column {name!r} holds {type(other).__name__}")
        made[name] = [None if isinstance(c, float) and c - c != 0 else _single(c, name) if c is not None else None
                      for c in cells]  # fmt: skip
    return made


class _Lines:
    """Where in a script its values are made: the last assignment of the name that a result is given by."""

    def __init__(self, code: str) -> None:
        self.last = len(code.splitlines())
        self._keys: dict[str, int] = {}
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return  # monty ran it: its Python is not always ours
        if not tree.body or not isinstance(tree.body[-1], ast.Expr):
            return
        end = tree.body[-1].value
        self.last = end.lineno
        made = {target.id: node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assign)
                for target in node.targets if isinstance(target, ast.Name)}  # fmt: skip
        if isinstance(end, ast.Name):
            self.last = made.get(end.id, self.last)
        if isinstance(end, ast.Dict):
            for key, value in zip(end.keys, end.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    named = made.get(value.id) if isinstance(value, ast.Name) else None
                    self._keys[key.value] = named or value.lineno

    def of(self, key: str) -> int:
        """The line for a key of a dict, else that of the result."""
        return self._keys.get(key, self.last)
