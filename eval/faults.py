"""Plants faults in the rules of the offline reading, one at a time, and says which of them the tests of behaviour find:
`python -m tieout.eval.faults [--count N] [--sample N] [TESTS...]`, or `make faults`.

A fault is one turned comparison, condition or `not` inside a function. Which are planted follows from the sources:
spread evenly over all that are possible, in each sample others. Nothing is written: the rules are loaded with all the
faults in them, each behind a switch that is off. The tests run once so, in as many processes as may run at a time,
which tells in which of them each fault makes a difference where it stands; then each fault is switched on in a process
of its own, forked from the first, in which only those tests run until one fails, or they have had their time: in the
others nothing would be otherwise.
"""

from __future__ import annotations

import ast
import functools
import gc
import io
import os
import pickle
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import _make_key
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import takewhile
from pathlib import Path
from select import select
from types import CodeType, ModuleType
from typing import Any, NoReturn

import click
import pytest
from _pytest.runner import runtestprotocol

from tieout.data.console import Failure, console
from tieout.kg.store import store

ROOT = Path(__file__).resolve().parents[1]
RULES = (
    "agent/question/*.py",
    "ontology/asked/*.py",
    "agent/offline/operands/figures.py",
    "agent/offline/operands/linking.py",
    "kg/sense.py",
    "kg/tables.py",
    "agent/offline/calculation/solve.py",
    "agent/offline/answer/*.py",
)  # what is decided by rule; what is weighed is judged by figures on questions that were held out
TESTS = tuple(
    f"tests/test_{name}.py"
    for name in (
        "agent_offline_*",
        "agent_question*",
        "agent_readings",
        "agent_claims",
        "agent_companies",
        "agent_definitions",
        "agent_derived",
        "agent_qualifiers",
        "agent_balance_days",
        "agent_told",
        "ontology_answered",
        "ontology_apart",
        "ontology_days",
        "ontology_listed",
        "ontology_polarity",
        "kg_awards",
        "kg_debts",
        "kg_schedules",
    )
)
SWITCH = "__as_planted__"  # the name by which the rules call `_Trial.as_planted`
SECONDS = 5  # of computing, within which the tests have to find a fault, the quickest first, and each has to end
PARTS = 3  # of the tests, for each job: some take far longer than others
WARM = 100  # tests that the process runs of which all are forked that look for a fault
REMEMBER = ("tieout.agent", "tieout.ontology.asked")  # what functions of these packages remember may come of a fault
# Calls that come to something else the second time, or add to a plan, which has it twice then.
_ONCE = ("next", "pop", "solve", "between_days", "value", "take", "calculate")
_NOTHING = ast.arguments([], [], None, [], [], None, [])
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


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. number: of its place in the file, as they are met."""

    path: Path
    number: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT).as_posix()}:{self.line} {self.what}"


class _Switches(ast.NodeTransformer):
    """Tells all places for faults in a source, and puts those that are wanted behind switches."""

    def __init__(self, wanted: Mapping[int, int]) -> None:
        """wanted: the numbers of places in the source, with the numbers of their switches."""
        self.wanted, self.places, self._depth = wanted, list[tuple[int, str]](), 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._depth += 1
        node.body = [self.visit(each) for each in node.body]
        self._depth -= 1
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        said, turned = ast.unparse(node), _TURNED.get(type(node.ops[0]))
        self.generic_visit(node)
        if turned is None:
            return node
        other = ast.Compare(node.left, [turned, *node.ops[1:]], node.comparators)
        return self._switched(node, other, f"comparison turned: {said}")

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        said = ast.unparse(node)
        self.generic_visit(node)
        if isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.Constant):
            return node  # what stands for a missing value is no condition: `scale or 1`
        other = ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        return self._switched(node, other, f"and for or: {said}")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        said = ast.unparse(node)
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return self._switched(node, node.operand, f"not taken off: {said}")

    def _switched(self, node: ast.expr, other: ast.expr, what: str) -> ast.expr:
        if not self._depth:
            return node  # it is run once, when the module is loaded
        self.places.append((node.lineno, what))
        number = self.wanted.get(len(self.places) - 1)
        if number is None:
            return node
        both = [ast.Lambda(_NOTHING, each) for each in (node, ast.copy_location(other, node))]
        call = ast.Call(ast.Name(SWITCH, ast.Load()), [ast.Constant(number), *both], [])
        if not any(map(_is_done_once, ast.walk(node))):
            return ast.copy_location(call, node)
        told = ast.Call(ast.Name(SWITCH, ast.Load()), [ast.Constant(number)], [])
        return ast.copy_location(ast.IfExp(told, ast.copy_location(other, node), node), node)


def _is_done_once(node: ast.AST) -> bool:
    """Whether an expression may not be evaluated twice: it names or takes something."""
    called = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
    return isinstance(node, ast.NamedExpr) or called in _ONCE


def possible(rules: Sequence[str] = RULES) -> Iterator[Fault]:
    """All faults that can be planted, in the order of the names of their files."""
    for path in [path for pattern in rules for path in sorted(ROOT.glob(pattern))]:
        switches = _Switches({})
        switches.visit(ast.parse(path.read_text(encoding="utf-8")))
        yield from (Fault(path, number, *place) for number, place in enumerate(switches.places))


def chosen(count: int, sample: int = 0) -> list[Fault]:
    """So many faults, evenly spread over all that are possible; each sample begins at another one."""
    faults = list(possible())
    step = max(1, len(faults) // count)
    return faults[(step // 2 + sample) % step :: step][:count]


class _Finder(MetaPathFinder):
    """Finds the modules with faults, to be loaded with their switches; what all ask is `as_planted`."""

    def __init__(self, trial: _Trial) -> None:
        self.trial = trial

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target)
        if found is not None and found.origin is not None and Path(found.origin).resolve() in self.trial.paths:
            found.loader = _Loader(name, found.origin, self.trial)
            return found
        return None


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, trial: _Trial) -> None:
        super().__init__(name, path)
        self.trial = trial

    def get_code(self, fullname: str) -> CodeType:
        switches = _Switches(self.trial.paths[Path(self.path).resolve()])
        tree = ast.fix_missing_locations(switches.visit(ast.parse(self.get_data(self.path))))
        return compile(tree, self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        vars(module)[SWITCH] = self.trial.as_planted
        super().exec_module(module)


class _Trial:
    """A plugin of pytest, which runs the tests once without and then for each fault."""

    def __init__(self, faults: Sequence[Fault], jobs: int) -> None:
        self.faults, self.jobs = faults, jobs
        self.paths: dict[Path, dict[int, int]] = defaultdict(dict)
        for switch, fault in enumerate(faults):
            self.paths[fault.path][fault.number] = switch
        self.survived = list[Fault]()
        self.failed = list[str]()  # of the tests, without any fault
        self._planted, self._met = -1, set[int]()
        self._remembered = list[dict[Any, tuple[Any, frozenset[int]]]]()  # what functions remember, of each

    def as_planted(
        self, switch: int, own: Callable[[], Any] = lambda: False, other: Callable[[], Any] = lambda: True
    ) -> Any:  # noqa: ANN401 - whatever the rule comes to
        """What a rule comes to, with this fault if it is on, asked wherever one may be."""
        if switch == self._planted:
            return other()
        value = own()
        if self._planted < 0 and switch not in self._met and _differs(value, other):
            self._met.add(switch)
        return value

    def load(self) -> None:
        """Loads the rules with their switches, and all that may remember what comes of one so that it tells of it."""
        own = functools.lru_cache

        def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:  # noqa: ANN401 - as the own one has it
            def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
                is_asked = str(function.__module__).startswith(REMEMBER)
                return self._telling(function, maxsize) if is_asked else own(maxsize, typed)(function)

            return lru_cache()(maxsize) if callable(maxsize) else decorated

        vars(functools).update(lru_cache=lru_cache, cache=lru_cache(None))
        sys.meta_path.insert(0, _Finder(self))
        for path in self.paths:
            import_module("tieout." + ".".join(path.relative_to(ROOT).with_suffix("").parts))

    def _telling(self, function: Callable[..., Any], most: int | None) -> Callable[..., Any]:
        """A function that remembers what it found, and the faults that made a difference as it did: they do so wherever
        it is asked for the same again, and where one of them is switched on, this alone is forgotten."""
        known = dict[Any, tuple[Any, frozenset[int]]]()
        self._remembered.append(known)

        @functools.wraps(function)
        def telling(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the function has it
            key = _make_key(given, named, False)
            if key not in known:
                if most is not None and len(known) >= most:
                    known.pop(next(iter(known)))
                before, self._met = self._met, set()
                try:
                    known[key] = function(*given, **named), frozenset(self._met)
                finally:
                    self._met |= before
            value, met = known[key]
            self._met |= met
            return value

        vars(telling)["cache_clear"] = known.clear
        return telling

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        came_by = self._come_by(session.items)
        if not self.failed:
            gc.freeze()  # what is there is shared by all that are forked
            found = dict(self._found(came_by))
            self.survived = [fault for switch, fault in enumerate(self.faults) if not found[switch]]
        return True

    def _come_by(self, items: Sequence[pytest.Item]) -> Mapping[int, Sequence[pytest.Item]]:
        """The tests in which each fault makes a difference, the quickest first, and last those of files that keep
        reports, which takes long: all, where it does as files of ours are read. All jobs run a part of the tests. This
        process runs none that keeps reports: then none that is forked from it could, and each of these tests would
        fail there, whatever the fault is."""
        loading = frozenset(self._met)
        size = -(-len(items) // (PARTS * self.jobs))
        parts = [range(start, min(start + size, len(items))) for start in range(0, len(items), size)]
        runs, running = list[tuple[int, bool, float, set[int], bool]](), set[int]()
        while parts or running:
            while parts and len(running) < self.jobs:
                running.add(self._forked(items, parts.pop()))
            for pipe in select(running, (), ())[0]:
                running.remove(pipe)
                with os.fdopen(pipe, "rb") as file:
                    runs += pickle.load(file)
                os.wait()
        keeping = {items[number].path for number, *_, keeps in runs if keeps}
        timed = defaultdict[int, list[tuple[bool, float, int]]](list)
        for number, passes, seconds, met, _ in runs:
            if not passes:
                self.failed.append(items[number].nodeid)
            for switch in met | loading:
                timed[switch].append((items[number].path in keeping, seconds, number))
        others = [item for item in items if item.path not in keeping]
        for item, following in _in_order(others[:: max(1, len(others) // WARM)]):  # what is remembered then all share
            _passes(item, following)
        return {switch: [items[number] for *_, number in sorted(each)] for switch, each in timed.items()}

    def _forked(self, items: Sequence[pytest.Item], part: range) -> int:
        """The end of a pipe through which a process of its own tells how the tests of a part ran."""
        end, start = os.pipe()
        if os.fork():
            os.close(start)
            return end
        try:
            gc.disable()
            with os.fdopen(start, "wb") as file:
                pickle.dump([*self._runs(items, part)], file)
        finally:
            os._exit(0)

    def _runs(self, items: Sequence[pytest.Item], part: range) -> Iterator[tuple[int, bool, float, set[int], bool]]:
        """Of each test of a part its number, whether it passes, the seconds it took, the faults that made a difference
        in it, and whether it kept a report."""
        for number, (item, following) in zip(part, _in_order(items[part.start : part.stop]), strict=True):
            self._met, store._opened_in, start = set(), None, time.process_time()
            passes = _passes(item, following)
            yield number, passes, time.process_time() - start, self._met, store._opened_in is not None

    def _found(self, came_by: Mapping[int, Sequence[pytest.Item]]) -> Iterator[tuple[int, bool]]:
        """Which faults are found, in the order in which that is known."""
        running: dict[int, int] = {}
        todo = sorted(range(len(self.faults)), key=lambda switch: -len(came_by.get(switch, ())))  # none at the end long
        while todo or running:
            while todo and len(running) < self.jobs:
                switch = todo.pop(0)
                child = os.fork()
                if not child:
                    self._find(switch, came_by.get(switch, ()))
                running[child] = switch
            child, status = os.wait()
            yield running.pop(child), os.waitstatus_to_exitcode(status) != 0

    def _find(self, switch: int, items: Sequence[pytest.Item]) -> NoReturn:
        """Ends this process, not with exit code 0 where a test finds the fault, or does not end."""
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        code = 1
        try:
            self._planted = switch
            gc.disable()
            for known in self._remembered:
                for key in [key for key, (_, met) in known.items() if switch in met]:
                    del known[key]
            in_time = takewhile(lambda _: time.process_time() < SECONDS, _in_order(items))  # counted from the fork
            code = int(not all(_ends(item, following) for item, following in in_time))
        finally:
            os._exit(code)


def _in_order(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the next one, None behind the last."""
    return zip(items, [*items[1:], None], strict=False)


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _ends(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Whether a test passes; one that does not end ends this process."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    return _passes(item, following)


def _differs(value: object, other: Callable[[], object]) -> bool:
    try:
        turned = other()
        return turned is not value and (type(turned) is not type(value) or bool(turned != value))
    except Exception:  # noqa: BLE001 - whatever a turned rule runs into
        return True


@click.command()
@click.argument("tests", nargs=-1)
@click.option("--count", default=60, show_default=True, help="How many faults are planted.")
@click.option("--sample", default=0, show_default=True, help="Which faults: each sample begins at another one.")
@click.option("--least", default=0, show_default=True, help="The least percentage that is to be found.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Processes at a time.")
def main(tests: tuple[str, ...], count: int, sample: int, least: int, jobs: int) -> None:
    """Plant faults in the rules of the offline reading, and say which ones TESTS find."""
    os.chdir(ROOT)
    trial = _Trial(chosen(count, sample), jobs)
    trial.load()
    named = [str(path) for each in tests or TESTS for path in sorted(ROOT.glob(each))]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        pytest.main(["-q", "--tb=no", "--override-ini", "addopts=-p no:xdist -p no:cacheprovider", *named], [trial])
    if trial.failed:
        raise Failure(f"{trial.failed[0]} fails without any fault: run it with pytest")
    for fault in trial.survived:
        console.print(f"not found: {fault}"[:200], markup=False, soft_wrap=True)
    planted = len(trial.faults)
    found = planted - len(trial.survived)
    console.print(f"{found} of {planted} faults are found, {100 * found / planted:.0f}%")
    if 100 * found / planted < least:
        raise click.exceptions.Exit(1)


if __name__ == "__main__":
    main()
