"""What is built and installed: one package, also in a folder whose own files have names as general as our parts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLE

PARTS = ("data", "ontology", "kg", "agent", "eval")
REPORT = "Single_NORVALE/2013/page_35.pdf-1"
QUESTION = "what was the operating income in 2013?"
FROM_PYTHON = f"""
import data, eval, kg, agent.thing
assert (data.own, eval.own, kg.own, agent.thing.own) == ("data", "eval", "kg", "agent"), (data, eval, kg, agent)
import tieout, tieout.data.document, tieout.eval.score.score
assert not tieout.__file__.startswith({str(ROOT)!r}), tieout.__file__
report = tieout.conversation("report.json", {REPORT!r})
print(tieout.chat(report).ask({QUESTION!r}).text)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, Path]:
    """The wheel and the source distribution, and each as pip installs it where nothing else is."""
    out = tmp_path_factory.mktemp("dist")
    _python("-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(out))
    made = {"wheel": next(out.glob("*.whl")), "sdist": next(out.glob("*.tar.gz"))}
    installed = {f"installed {name}": out / name for name in made}
    for name, path in made.items():
        options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", "--target")
        _python("-m", "pip", "install", *options, str(out / name), str(path))
    return made | installed


def _python(*arguments: str, here: Path = ROOT) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_file_of_the_parts_and_nothing_at_its_top_but_tieout(built):
    found = names(built["wheel"])
    assert {name.split("/")[0] for name in found} == {"tieout", "tieout-0.2.0.dist-info"}
    tracked = subprocess.run(["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("NO GIT: what the wheel should hold was not compared with what is under version control")
    wanted = {f"tieout/{name}" for name in tracked.stdout.split() if not name.endswith("practice.json")}
    assert {Path(name).suffix for name in wanted} >= {".py", ".toml", ".json", ".ttl", ".md", ".css", ".js", ".html"}
    assert wanted <= found
    assert {"tieout/__init__.py", "tieout/__main__.py", "tieout/py.typed"} <= found


def installed(folder: Path) -> dict[str, bytes]:
    """The files of an installation by their names, without what Python compiles of them."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_the_source_distribution_installs_the_same_files(built):
    wheel, source = (installed(built[f"installed {name}"]) for name in ("wheel", "sdist"))
    assert wheel.keys() - source.keys() == set()
    assert {name for name in source.keys() - wheel.keys() if "dist-info" not in name} == set()
    assert [name for name in wheel if "dist-info" not in name and wheel[name] != source[name]] == []
    with tarfile.open(built["sdist"]) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
    assert {"README.md", "Makefile", "docs/json.md", "tests/test_package.py", "requirements-dev.lock"} <= held


@pytest.fixture
def here(tmp_path) -> Path:
    """A folder with a `data.py`, an `eval.py`, a `kg.py` and an `agent/` of its own, and a report."""
    (tmp_path / "agent").mkdir()
    for name in ("data", "eval", "kg"):
        (tmp_path / f"{name}.py").write_text(f'own = "{name}"\n')
    (tmp_path / "agent" / "thing.py").write_text('own = "agent"\n')
    reports = [record for record in json.loads((SAMPLE / "ask.json").read_text()) if record["id"] == REPORT]
    (tmp_path / "report.json").write_text(json.dumps(reports))
    return tmp_path


def test_it_answers_from_a_folder_that_has_a_data_an_eval_an_agent_and_a_kg_of_its_own(built, here):
    site = built["installed wheel"]  # the source distribution installs the same files
    # Python as it comes, without the environment of the tests, in which the checkout itself is installed; what tieout
    # stands on is found on the path behind it.
    python, paths = getattr(sys, "_base_executable", sys.executable), [each for each in sys.path if "-packages" in each]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PYTHONPATH"] = os.pathsep.join([str(site), *paths])

    def run(*arguments: str) -> str:
        done = subprocess.run([python, *arguments], cwd=here, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("-c", FROM_PYTHON) == "$559.5 million\n"
    assert run("-m", "tieout", "ask", "report.json", REPORT, QUESTION).startswith("$559.5 million\n")
    assert run(str(site / "bin" / "tieout"), "kg", "show", "report.json", REPORT).count("559.5") == 2


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    """A clone as systems without symbolic links have it: each link of the source tree is a file with what it names."""
    clone = tmp_path_factory.mktemp("clone")
    for name in (*PARTS, "tieout"):
        shutil.copytree(ROOT / name, clone / name, symlinks=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, clone)
    for name in PARTS:
        (clone / "tieout" / name).unlink(missing_ok=True)
        (clone / "tieout" / name).write_text(f"../{name}")
    return clone


def test_a_clone_whose_links_are_plain_files_builds_the_same_wheel(built, plain):
    _python("-m", "hatchling", "build", "-t", "wheel", "-d", str(plain / "dist"), here=plain)
    assert names(next(plain.glob("dist/*.whl"))) == names(built["wheel"])


def test_a_clone_whose_links_are_plain_files_runs_as_it_stands(plain, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(plain), "PYTHONDONTWRITEBYTECODE": "1"}
    code = (
        "import sys, tieout; from tieout.kg.store import query; print(tieout.__file__, query.__file__); tieout.main()"
    )
    command = [sys.executable, "-c", code, "ask", str(SAMPLE / "ask.json"), REPORT, QUESTION]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    where, answer = done.stdout.splitlines()[:2]
    assert where == f"{plain / 'tieout' / '__init__.py'} {plain / 'kg' / 'store' / 'query.py'}", done.stderr
    assert answer == "$559.5 million"
