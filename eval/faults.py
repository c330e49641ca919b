"""Plants faults in the rules of the offline reading, one at a time, and says which of them the tests of behaviour find:
`python -m tieout.eval.faults [--count N] [TESTS...]`, or `make faults`.

A fault is one turned comparison, condition or `not` of a module, or one word taken out of a language. Which are planted
follows from the sources alone: evenly spread over all that are possible. Nothing is written: each fault is planted in a
process of its own, forked from one in which the tests have run, so that all they need is loaded.
"""

from __future__ import annotations

import ast
import gc
import io
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn
from unittest.mock import patch

import click

from tieout.data.console import Failure, console

ROOT = Path(__file__).resolve().parents[1]
RULES = (
    "agent/question/*",
    "agent/offline/candidates/figure.py",
    "agent/offline/operands/linking.py",
    "agent/offline/operands/quantity.py",
    "agent/offline/operands/same_line.py",
    "agent/offline/calculation/solve.py",
    "agent/offline/answer/*",
)  # what is decided by rule; what is weighed is judged by figures on questions that were held out
TESTS = ("tests/test_agent_offline_sort.py", "tests/test_agent_readings.py")  # fast enough to be run for every fault
READ = ("tieout.agent.question", "tieout.agent.offline")  # what may hold words of a language in constants
CONSTANTS = (str, tuple, frozenset, set, dict, re.Pattern)
NOWHERE = -1
SECONDS = 120  # that the tests may take with one fault
_TURNED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Lt: ast.GtE(),
    ast.GtE: ast.Lt(),
    ast.Gt: ast.LtE(),
    ast.LtE: ast.Gt(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}
_WORDS = re.compile(r'^(?!#).*?(?:= "|= \[")(?P<first>[^"|()]*?[a-z]{4,}[^"|()]*?)\|', re.M)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. path: from the root; source: of the file with the fault in it."""

    path: str
    line: int
    what: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what}"


class _Plant(ast.NodeTransformer):
    """Turns the node of this number, counted in the order in which they are met."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.met, self.line, self.what = wanted, -1, 0, ""

    def _is_it(self, node: ast.expr, what: str) -> bool:
        self.met += 1
        if self.met == self.wanted:
            self.line, self.what = node.lineno, what
        return self.met == self.wanted

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if type(node.ops[0]) in _TURNED and self._is_it(node, f"comparison turned: {ast.unparse(node)}"):
            node.ops[0] = _TURNED[type(node.ops[0])]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._is_it(node, f"and for or: {ast.unparse(node)}"):
            node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self._is_it(node, f"not taken off: {ast.unparse(node)}"):
            return node.operand
        return node


def possible(rules: Sequence[str] = RULES) -> Iterator[tuple[Path, int]]:
    """Where a fault can be planted: the modules and language files, each as often as it has such a place, in the order
    of their names."""
    paths = [path for pattern in rules for path in sorted(ROOT.glob(pattern))]
    for path in (path for path in paths if path.suffix in (".py", ".toml")):
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            counted = _Plant(NOWHERE)
            counted.visit(ast.parse(source))
            count = counted.met + 1
        else:
            count = sum(1 for _ in _WORDS.finditer(source))
        yield from ((path, number) for number in range(count))


def made(path: Path, number: int) -> Fault:
    """The fault of this number in a file."""
    source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
    if path.suffix == ".py":
        plant = _Plant(number)
        tree = plant.visit(ast.parse(source))
        return Fault(name, plant.line, plant.what, ast.unparse(ast.fix_missing_locations(tree)))
    match = list(_WORDS.finditer(source))[number]
    start, end = match.span("first")
    line = source.count("\n", 0, start) + 1
    return Fault(name, line, f"word taken out: {match['first']}", f"{source[:start]}{source[end + 1 :]}")


def chosen(count: int) -> list[Fault]:
    """So many faults, evenly spread over all that are possible."""
    places = list(possible())
    step = max(1, len(places) // count)
    return [made(*place) for place in places[step // 2 :: step][:count]]


def plant(fault: Fault) -> None:
    """Plants a fault in the modules of this process, which are loaded: in every function, and in every constant that
    comes out otherwise."""
    path = ROOT / fault.path
    gc.unfreeze()  # what is frozen is not among the objects that there are
    if path.suffix == ".toml":
        as_it_was = Path.open

        def opened(here: Path, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as Path.open
            return (
                io.BytesIO(fault.source.encode())
                if here.resolve() == path.resolve()
                else as_it_was(here, *rest, **more)
            )

        patch.object(Path, "open", opened).start()
        _forget()
        for module in [module for name, module in sys.modules.items() if name.startswith(READ)]:
            _set_constants(module, Path(str(module.__file__)).read_text(encoding="utf-8"))
    else:
        module = sys.modules["tieout." + fault.path.removesuffix(".py").replace("/", ".")]
        _set_code(module, fault.source)
        _set_constants(module, fault.source)
    _forget()


def _set_code(module: ModuleType, source: str) -> None:
    """Gives the functions of a module, wherever they are held, the code that another source has for them."""
    codes: dict[str, list[CodeType]] = {}
    todo = [compile(source, str(module.__file__), "exec")]
    while todo:
        inner = [each for each in todo.pop(0).co_consts if isinstance(each, CodeType)]
        todo += inner
        for code in inner:
            codes.setdefault(code.co_qualname, []).append(code)
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    for function in sorted(functions, key=lambda each: each.__code__.co_firstlineno):
        if function.__module__ == module.__name__ and codes.get(function.__code__.co_qualname):
            function.__code__ = codes[function.__code__.co_qualname].pop(0)


def _set_constants(module: ModuleType, source: str) -> None:
    """Sets the constants of a module to what another source makes of them, also where others have imported them."""
    made: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(source, str(module.__file__), "exec"), made)
    for name, old in list(vars(module).items()):
        if not isinstance(old, CONSTANTS) or name.startswith("__") or made.get(name) == old:
            continue
        for other in [other for key, other in sys.modules.items() if key.startswith("tieout.")]:
            for key in [key for key, value in vars(other).items() if value is old]:
                setattr(other, key, made[name])


def _forget() -> None:
    """Forgets what functions of the agent remember."""
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and str(each.__module__).startswith("tieout.agent"):
            each.cache_clear()


def fails(tests: Sequence[str]) -> bool:
    """Whether one of these tests fails, run in this process."""
    import pytest

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return pytest.main(["-x", "-q", "--override-ini", "addopts=-p no:xdist -p no:cacheprovider", *tests]) != 0


def found(faults: Sequence[Fault], tests: Sequence[str], jobs: int) -> Iterator[tuple[Fault, bool]]:
    """Which faults these tests find, in the order in which that is known."""
    running: dict[int, Fault] = {}
    todo = list(faults)
    while todo or running:
        while todo and len(running) < jobs:
            fault = todo.pop(0)
            sys.stdout.flush()
            child = os.fork()
            if not child:
                _find(fault, tests)
            running[child] = fault
        child, status = os.wait()
        yield running.pop(child), os.waitstatus_to_exitcode(status) != 0


def _find(fault: Fault, tests: Sequence[str]) -> NoReturn:
    """Ends this process with exit code 1 where a test finds the fault, or does not end."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS)
    code = 1
    try:
        plant(fault)
        code = int(fails(tests))
    finally:
        os._exit(code)


@click.command()
@click.argument("tests", nargs=-1)
@click.option("--count", default=60, show_default=True, help="How many faults are planted.")
@click.option("--least", default=0, show_default=True, help="The least percentage that is to be found.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Processes at a time.")
def main(tests: tuple[str, ...], count: int, least: int, jobs: int) -> None:
    """Plant faults in the rules of the offline reading, and say which ones TESTS find."""
    os.chdir(ROOT)
    named = [str(path) for each in tests or TESTS for path in sorted(ROOT.glob(each))]
    if fails(named):
        raise Failure("the tests fail without any fault: run them with pytest")
    faults = chosen(count)
    survived = []
    for fault, is_found in found(faults, named, jobs):
        if not is_found:
            survived.append(fault)
            console.print(f"not found: {fault}"[:200], markup=False, soft_wrap=True)
    share = 100 * (len(faults) - len(survived)) / len(faults)
    console.print(f"{len(faults) - len(survived)} of {len(faults)} faults are found, {share:.0f}%")
    if share < least:
        raise click.exceptions.Exit(1)


if __name__ == "__main__":
    main()
