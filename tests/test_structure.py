"""The shape of the project: imports run one way, every file says its job, no name hides one of Python's."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT

FLOW = ["data", "ontology", "kg", "agent", "eval", "tieout"]
# The other folders in it are links to those at the top.
OWN = [path for path in (ROOT / "tieout").iterdir() if path.is_dir() and not path.is_symlink()]
FRONT = sorted([*(ROOT / "tieout").glob("*.py"), *(path for room in OWN for path in room.rglob("*.py"))])
MODULES = sorted([*(path for folder in FLOW[:-1] for path in (ROOT / folder).rglob("*.py")), *FRONT])


@cache
def parsed(path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports(path) -> list[ast.Import | ast.ImportFrom]:
    """All that a module imports, also inside functions: they are statements, so expressions need not be looked into."""
    found: list[ast.Import | ast.ImportFrom] = []
    todo: list[ast.AST] = [parsed(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, inner, ())
    return found


def folder_of(path) -> str:
    return path.relative_to(ROOT).parts[0]


def folder_imported(module: str) -> str:
    """`tieout.kg.build` is in kg; what is in none of the five folders is the front door."""
    part = module.split(".")[1:2]
    return part[0] if part and part[0] in FLOW else "tieout"


def imported_folders(path) -> set[str]:
    names = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {folder_imported(name) for name in names if name.split(".")[0] == "tieout"}


def test_every_module_is_looked_at():
    assert len(MODULES) >= 30
    assert {folder_of(path) for path in MODULES} == set(FLOW)


def test_imports_run_one_way():
    for path in MODULES:
        here = FLOW.index(folder_of(path))
        backwards = {name for name in imported_folders(path) if FLOW.index(name) > here}
        assert not backwards, f"{path.relative_to(ROOT)} imports {backwards}, which comes later in {' <- '.join(FLOW)}"


def name_of(path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "tieout" else ("tieout", *parts)).removesuffix(".__init__")


PACKAGES = sorted(name_of(path) for path in MODULES if path.name == "__init__.py" and path.parent != ROOT / "tieout")


@cache
def imported_modules(path) -> set[str]:
    """Every name that is imported: modules, and what is taken from them."""
    names = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_no_module_imports_one_that_imports_it():
    names = {name_of(path) for path in MODULES}
    graph = {name_of(path): (imported_modules(path) & names) for path in MODULES}
    order = list(TopologicalSorter({name: found - {name} for name, found in graph.items()}).static_order())
    assert set(order) == names


def rooms(folder: str) -> list[str]:
    """The rooms of a folder in the order in which its docstring lists them, each at the beginning of a line."""
    text = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())) or ""
    return re.findall(r"^(\w+)/ ", text, re.M)


@cache
def arrows(package: str) -> dict[str, set[str]]:
    """For every folder and every module right in a package, what of the others it imports, also inside functions."""
    found: dict[str, set[str]] = {}
    inside, depth = f"{package}.", package.count(".") + 1
    for path in (path for path in MODULES if name_of(path).startswith(inside)):
        here = name_of(path).split(".")[depth]
        there = {name.split(".")[depth] for name in imported_modules(path) if name.startswith(inside)}
        found.setdefault(here, set()).update(there - {here})
    return found


@pytest.mark.parametrize("folder", FLOW[:-1])
def test_a_folder_lists_its_rooms_in_the_order_in_which_they_import_each_other(folder):
    order = rooms(folder)
    assert sorted(order) == sorted(path.parent.name for path in (ROOT / folder).glob("*/__init__.py"))
    found = arrows(f"tieout.{folder}")
    back = {(room, other) for room in order for other in found[room] & set(order[order.index(room) :])}
    assert not back, f"{folder}/__init__.py says that the rooms of {folder} stand in the order {order}"


def test_folders_and_the_modules_beside_them_form_no_circle_at_any_depth():
    for package in PACKAGES:
        found = arrows(package)
        assert set(TopologicalSorter(found).static_order()) >= found.keys(), package


def test_a_folder_is_looked_through_at_a_glance():
    """A folder is a thing of the field, which its docstring can tell: this bounds what nobody finds a way in."""
    for folder in {path.parent for path in MODULES}:
        assert len([path for path in folder.glob("*.py") if path.stem != "__init__"]) <= 30, folder


@pytest.mark.parametrize("init", sorted((ROOT / "agent").rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_a_folder_of_the_agent_says_what_each_of_its_modules_and_rooms_is_for(init):
    text, folder = ast.get_docstring(parsed(init)) or "", init.parent
    modules = {rf"\b{path.stem}\b" for path in folder.glob("*.py") if path.stem != "__init__"}
    inside = {rf"\b{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    assert not [name for name in sorted(modules | inside) if not re.search(name, text)]


def test_every_file_opens_with_its_job_and_an_init_holds_nothing_else():
    for path in MODULES:
        tree = parsed(path)
        assert ast.get_docstring(tree), f"{path.relative_to(ROOT)} does not say what it is for"
        if path.name == "__init__.py" and folder_of(path) != "tieout":
            assert len(tree.body) == 1, f"{path.relative_to(ROOT)} holds more than a docstring"


def test_no_module_hides_one_of_the_standard_library():
    hidden = {path.name for path in MODULES if path.stem in sys.stdlib_module_names}
    assert not hidden


def test_help_does_not_load_the_store_nor_the_sdk():
    code = (
        "import sys, tieout; from click.testing import CliRunner; "
        "assert CliRunner().invoke(tieout.main, ['--help']).exit_code == 0; "
        "heavy = {'anthropic', 'rdflib', 'pyoxigraph', 'matplotlib', 'fastapi', 'uvicorn', 'mcp'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert loaded.strip() == "[]"


def test_asking_offline_loads_neither_an_sdk_nor_what_only_checks_of_turtle_need(tmp_path):
    code = (
        "import sys, tieout; from click.testing import CliRunner; "
        "question = ['what was revenue in 2024?', '--store', sys.argv[2]]; "
        "done = CliRunner().invoke(tieout.main, ['ask', sys.argv[1], *question]); "
        "assert done.output.startswith('$3.282 billion'), done.output; "
        "heavy = {'anthropic', 'openai', 'httpx2', 'rdflib', 'prompt_toolkit', 'matplotlib', 'fastapi', 'duckdb'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(ROOT / "data" / "sample" / "report.htm"), str(tmp_path / "store")]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert loaded.strip() == "[]"
