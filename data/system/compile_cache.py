"""What takes long to make of the program's own texts, kept beside what Python compiles of its modules.

One file in `__pycache__` holds all of it, for one version of Python; where it may not be written, all is made anew each
time, as modules are compiled anew.
"""

from __future__ import annotations

import atexit
import dataclasses
import hashlib
import json
import marshal
import os
import sys
import tomllib
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from itertools import accumulate, pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

FILE = Path(cache_from_source(__file__)).with_suffix(".kept")  # HEAD, how long the contents are, contents, things
HEAD = f"{sys.version}\n".encode()  # of another Python nothing is taken
LENGTH = 8  # bytes
MOST = 8_000  # things that are kept
_new: dict[bytes, bytes] = {}


def cached(name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - of texts, numbers, tuples, lists, dicts and code
    """What was made under a name before, else what is made now. The name says all that it depends on."""
    key = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=16).digest()
    text = _new.get(key) or _known().get(key)
    if text is None:
        if not _new:
            atexit.register(_keep)
        text = _new[key] = marshal.dumps(make())
    return marshal.loads(text)


def keep_methods_of_dataclasses() -> None:
    """From here on what `dataclasses` writes as source for each class is compiled once, not in each process: a tenth
    of a first answer goes there. For a process that is this program's own; Python runs the same code either way."""

    def run(text: str, module: dict[str, Any], made: dict[str, Any]) -> None:
        exec(cached(f"methods {text}", lambda: compile(text, "<string>", "exec")), module, made)

    vars(dataclasses)["exec"] = run  # found before the builtin one


def keep_annotations() -> None:
    """From here on what annotations say in text, the same again and again in packages that describe others, is compiled
    once. As `keep_methods_of_dataclasses`."""
    vars(typing)["compile"] = cache(compile)


def read_toml(file: Path | Traversable) -> dict[str, Any]:
    """What a file of the program says. Raises TOMLDecodeError, OSError."""
    text = file.read_bytes()
    read: dict[str, Any] = cached(f"toml {hashlib.sha256(text).hexdigest()}", lambda: tomllib.loads(text.decode()))
    return read


def read_json(file: Path | Traversable) -> Any:  # noqa: ANN401 - whatever it holds
    """What a file of the program holds. Raises JSONDecodeError, OSError."""
    text = file.read_bytes()
    return cached(f"json {hashlib.sha256(text).hexdigest()}", lambda: json.loads(text))


def files_mark(*folders: Path) -> str:
    """Differs wherever a file in these folders does, as Python knows whether a module has changed: by its size and by
    when it was written."""

    def told(folder: Path) -> Iterator[tuple[str, int, int]]:
        for each in sorted(os.scandir(folder), key=lambda each: each.name):
            if not each.is_dir():
                yield each.name, each.stat().st_size, each.stat().st_mtime_ns
            elif each.name != "__pycache__":
                yield from told(Path(each.path))

    return hashlib.sha256(repr([*map(list, map(told, folders))]).encode()).hexdigest()


@cache
def _known() -> dict[bytes, memoryview]:
    """What is kept, by name. The file is mapped, not read: of thousands of things a process needs a few hundred."""
    with suppress(OSError, ValueError, EOFError, TypeError), FILE.open("rb") as file:  # cut off: all is made anew
        text = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        if text[: len(HEAD)] == HEAD:
            start = len(HEAD) + LENGTH
            things = start + int.from_bytes(text[len(HEAD) : start], "big")
            contents, length = marshal.loads(text[start:things])
            if things + length == len(text):
                return {key: text[things + first : things + last] for key, (first, last) in contents.items()}
    return {}


def _keep() -> None:
    """Writes what is new beside what others have written meanwhile, whole or not at all."""
    if sys.dont_write_bytecode:
        return
    with suppress(OSError):  # of a folder that may not be written, which is nothing odd to Python either
        _known.cache_clear()
        others = _known()
        kept: dict[bytes, bytes | memoryview] = {**(others if len(others) < MOST else {}), **_new}
        ends = list(accumulate(map(len, kept.values())))
        contents = marshal.dumps((dict(zip(kept, pairwise((0, *ends)), strict=True)), ends[-1]))
        part = FILE.with_suffix(f".{os.getpid()}")
        FILE.parent.mkdir(exist_ok=True)
        part.write_bytes(b"".join((HEAD, len(contents).to_bytes(LENGTH, "big"), contents, *kept.values())))
        part.replace(FILE)
