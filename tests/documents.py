"""The documents of the project as examples: the commands that they show, what is shown behind each, and running them.

`python tests/documents.py` writes into the documents what the commands print now.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner

from tieout import main
from tieout.data.console import console, errors

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
# What differs from run to run: seconds, and so the digest of a log. They are shown as `...`.
SECONDS = re.compile(r"(?m)(?<=^seconds per turn  ).*$|\b0\.\d{4,} +(?=│$)|(?<=digest )[0-9a-f]{64}")
NOT_RUN = ("make test", "git ", "pip ")
COLUMNS = 100  # of a terminal in which the examples are shown
OF_THE_SHELL = frozenset("|&;<>()")


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


def examples(path: Path) -> list[tuple[str, str]]:
    """The commands of a document with what it shows behind them, without those that are only told of."""
    found = [example for block in BLOCK.findall(path.read_text()) for example in shown(block)]
    return [(command, expected) for command, expected in found if not command.startswith(NOT_RUN)]


def chains() -> dict[str, list[tuple[str, str]]]:
    """The examples that need each other, in their order, by a name: those of a document, and each block of the README,
    which stands for itself."""
    blocks = [shown(block) for block in BLOCK.findall(DOCUMENTS[0].read_text())]
    found = {f"README.md block {number}": block for number, block in enumerate(blocks, start=1)}
    return found | {path.name: examples(path) for path in with_examples() if path != DOCUMENTS[0]}


def with_examples() -> list[Path]:
    """The documents that show commands."""
    return [path for path in DOCUMENTS if examples(path)]


@contextmanager
def clone() -> Iterator[Path]:
    """A working folder with the parts of a checkout that the examples read, and a terminal of a known width."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "data" / "sample", folder / "data" / "sample")
        ratio = re.search(r"^```toml\n(\[.*?)^```", (ROOT / "docs" / "extending.md").read_text(), re.M | re.S)
        assert ratio is not None
        (folder / "ratios.toml").write_text(ratio[1])
        widths = (patch.object(each, "_width", COLUMNS) for each in (console, errors))
        known = {"COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
        with chdir(folder), patch.dict(os.environ, known), next(widths), next(widths):
            yield folder


def printed(command: str) -> str:
    """What a command prints in the working folder, standard output and standard error as they come."""
    if command.startswith("make demo"):
        text = _demo()
    elif (arguments := _arguments(command)) is not None:
        text = _invoked(arguments)
    else:
        known = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
        shell = ["bash", "-c", command]
        text = subprocess.run(shell, stdout=-1, stderr=subprocess.STDOUT, text=True, timeout=600, env=known).stdout
    return SECONDS.sub(_dots, "\n".join(line.rstrip() for line in text.splitlines()).strip("\n"))


def _arguments(command: str) -> list[str] | None:
    """The arguments of a plain `tieout ...`, None for what needs a shell."""
    words = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=True)
    words.whitespace_split = True
    found = list(words)
    return found[1:] if found[0] == "tieout" and not OF_THE_SHELL & set(found) else None


def _invoked(arguments: list[str]) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def _demo() -> str:
    """What `make demo` prints: make says the commands, which are run here in place of new interpreters."""
    stand_in = Path("bin/tieout").absolute()
    stand_in.parent.mkdir()
    stand_in.write_text(f'#!{sys.executable}\nimport json, sys\nprint("@@" + json.dumps(sys.argv[1:]))\n')
    stand_in.chmod(0o755)
    command = ["make", "-s", "-f", ROOT / "Makefile", "-o", ".venv/.ready", f"BIN={stand_in.parent}", "demo"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
    text = re.sub(r"^@@(.*)\n", lambda match: _invoked(json.loads(match[1])), said, flags=re.M)
    return text.replace(str(stand_in.parent), ".venv/bin")


def _dots(match: re.Match[str]) -> str:
    """As wide as what they stand for in a cell of a table, whose borders stay in line."""
    return "...".ljust(len(match[0])) if match[0].endswith(" ") else "..."


def pattern(expected: str) -> re.Pattern[str]:
    """The shown output, in which `...` stands for anything."""
    return re.compile(re.escape(expected).replace(r"\.\.\.", r".*?"), re.S)


def refresh(path: Path) -> None:
    """Writes what the commands print into a document; a shown output that ends in a line of dots is cut there."""

    def block(match: re.Match[str]) -> str:
        lines = []
        for command, expected in shown(match[1]):
            text = expected if command.startswith(NOT_RUN) else printed(command)
            if expected.endswith("\n...") or expected == "...":
                text = "\n".join([*text.splitlines()[: expected.count("\n")], "..."])
            lines.append(f"$ {command}\n{text}\n" if text else f"$ {command}\n")
        return "```console\n" + "".join(lines) + "```"

    with clone():
        path.write_text(BLOCK.sub(block, path.read_text()))


if __name__ == "__main__":
    named = [Path(name).resolve() for name in sys.argv[1:]]
    for each in named or with_examples():
        refresh(each)
