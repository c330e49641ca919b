"""Every command that the README shows is run, and has to print what the README shows.

`python tests/test_readme.py` writes into the README what the commands print now.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
# What differs from run to run: seconds, and so the digest of a log. They are shown as `...`.
SECONDS = re.compile(r"(?m)(?<=^seconds per turn  ).*$|\b0\.\d{4,} +(?=│$)|(?<=digest )[0-9a-f]{64}")
NOT_RUN = ("make test", "git ", "pip ")


def shown(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that follows it. A command goes on until its quotes are closed."""
    found: list[tuple[str, list[str]]] = []
    command = ""
    for line in block.splitlines():
        if command or line.startswith("$ "):
            command = f"{command}\n{line}" if command else line.removeprefix("$ ")
            if whole(command):
                found.append((command, []))
                command = ""
        else:
            found[-1][1].append(line)
    assert not command, f"this command does not end: {command}"
    return [(command, "\n".join(lines).strip("\n")) for command, lines in found]


def whole(command: str) -> bool:
    """Whether the shell would wait for no further line."""
    try:
        shlex.split(command)
    except ValueError:
        return False
    return not command.endswith("\\")


def examples() -> list[tuple[str, str]]:
    return [example for block in BLOCK.findall(README.read_text()) for example in shown(block)]


def printed(command: str, folder: Path) -> str:
    """What a command prints in a folder that is laid out like a fresh clone."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "110",
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "default",
    }
    if command.startswith("make demo"):
        command = f"make -s -f {ROOT}/Makefile -o .venv/.ready demo"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=-1,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return SECONDS.sub(_dots, "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n"))


def _dots(match: re.Match[str]) -> str:
    """As wide as what they stand for in a cell of a table, whose borders stay in line."""
    return "...".ljust(len(match[0])) if match[0].endswith(" ") else "..."


def clone(folder: Path) -> Path:
    """The parts of a checkout that the examples read, so that what they write stays out of it."""
    shutil.copytree(ROOT / "data" / "sample", folder / "data" / "sample")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


def pattern(expected: str) -> re.Pattern[str]:
    """The shown output, in which `...` stands for anything."""
    return re.compile(re.escape(expected).replace(r"\.\.\.", r".*?"), re.S)


def test_the_readme_shows_examples():
    assert len(examples()) >= 15
    assert "@@" not in README.read_text()


def test_the_readme_commands_print_what_is_shown(tmp_path: Path):
    clone(tmp_path)
    for command, expected in examples():
        if not command.startswith(NOT_RUN):
            text = printed(command, tmp_path)
            assert "bash:" not in text and "Traceback" not in text, f"$ {command}\nprints:\n{text}"
            assert pattern(expected).fullmatch(text), f"$ {command}\nprints:\n{text}\n\nthe README shows:\n{expected}"


def refresh() -> None:
    """Writes what the commands print into the README; a shown output with a line of dots only is cut there."""
    with tempfile.TemporaryDirectory() as name:
        folder = clone(Path(name))

        def block(match: re.Match[str]) -> str:
            lines = []
            for command, expected in shown(match[1]):
                text = expected if command.startswith(NOT_RUN) else printed(command, folder)
                if expected.endswith("\n..."):
                    text = "\n".join([*text.splitlines()[: max(expected.count("\n"), 3)], "..."])
                lines.append(f"$ {command}\n{text}\n" if text else f"$ {command}\n")
            return "```console\n" + "".join(lines) + "```"

        README.write_text(BLOCK.sub(block, README.read_text()))


if __name__ == "__main__":
    refresh()
