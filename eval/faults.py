"""Plants faults in the rules of the offline reading, one at a time, and says which of them the tests of behaviour find:
`python -m tieout.eval.faults [--count N] [TESTS...]`.

A fault is one turned comparison, condition, number or returned truth of a module, or one word taken out of a language.
Which are planted follows from the sources alone: evenly spread over all that are possible. Each is planted in a copy.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from tieout.data.console import console

ROOT = Path(__file__).resolve().parents[1]
RULES = ("agent/question", "agent/offline/operands", "agent/offline/calculation", "agent/offline/answer")
TESTS = ("tests/test_agent_question.py", "tests/test_agent_offline_*.py")
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
_WORDS = re.compile(r'^(?!#).*?(?:= "|= \[")(?P<first>[^"|]*?[a-z]{4,}[^"|]*?)\|', re.M)
SECONDS = 300  # that the tests may take with one fault


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. path: from the root; source: of the file with the fault in it."""

    path: str
    line: int
    what: str
    source: str


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


def possible(folders: Sequence[str]) -> Iterator[Fault]:
    """Every fault of the modules and language files in these folders, in the order of their names."""
    for path in sorted(path for folder in folders for path in (ROOT / folder).glob("*.py")):
        source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        number = 0
        while True:
            plant = _Plant(number)
            tree = plant.visit(ast.parse(source))
            if not plant.what:
                break
            yield Fault(name, plant.line, plant.what, ast.unparse(ast.fix_missing_locations(tree)))
            number += 1
    for path in sorted(path for folder in folders for path in (ROOT / folder).glob("*.toml")):
        source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        for match in _WORDS.finditer(source):
            start, end = match.span("first")
            line = source.count("\n", 0, start) + 1
            yield Fault(name, line, f"word taken out: {match['first']}", f"{source[:start]}{source[end + 1 :]}")


def chosen(faults: Sequence[Fault], count: int) -> list[Fault]:
    """So many faults, evenly spread."""
    step = max(1, len(faults) // count)
    return list(faults[step // 2 :: step])[:count]


def is_found(fault: Fault, tests: Sequence[str], copy: Path) -> bool:
    """Whether a test fails with the fault planted in a copy of the project, which is put right again."""
    path = copy / fault.path
    before = path.read_text(encoding="utf-8")
    path.write_text(fault.source, encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *tests]
        return subprocess.run(command, cwd=copy, capture_output=True, timeout=SECONDS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")


@click.command()
@click.argument("tests", nargs=-1)
@click.option("--count", default=60, show_default=True, help="How many faults are planted.")
def main(tests: tuple[str, ...], count: int) -> None:
    """Plant faults in the rules of the offline reading, and say which ones TESTS find."""
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(".venv", ".git", ".tieout", "runs"))
        named = [path.relative_to(copy).as_posix() for each in tests or TESTS for path in sorted(copy.glob(each))]
        faults = chosen(list(possible(RULES)), count)
        for fault in faults:
            seen = is_found(fault, named, copy)
            found += seen
            console.print(
                f"{'found   ' if seen else 'SURVIVED'} {fault.path}:{fault.line} {fault.what}"[:200], markup=False
            )
    console.print(f"{found} of {len(faults)} faults are found")


if __name__ == "__main__":
    main()
