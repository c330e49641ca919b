"""What takes long to make of the program's own texts, kept beside what Python compiles of its modules.

One file in `__pycache__` holds all of it, for one version of Python; where it may not be written, all is made anew each
time, as modules are compiled anew.
"""

from __future__ import annotations

import atexit
import hashlib
import marshal
import os
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

FILE = Path(cache_from_source(__file__)).with_suffix(".kept")
HEAD = f"{sys.version}\n".encode()  # of another Python nothing is taken
MOST = 8_000  # things that are kept
_new: dict[str, bytes] = {}


def cached(name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - of texts, numbers, tuples, lists and dicts
    """What was made under a name before, else what is made now. The name says all that it depends on."""
    text = _known().get(name)
    if text is None:
        if not _new:
            atexit.register(_keep)
        text = _known()[name] = _new[name] = marshal.dumps(make())
    return marshal.loads(text)


def read_toml(file: Path | Traversable) -> dict[str, Any]:
    """What a file of the program says. Raises TOMLDecodeError, OSError."""
    text = file.read_bytes()
    read: dict[str, Any] = cached(f"toml {hashlib.sha256(text).hexdigest()}", lambda: tomllib.loads(text.decode()))
    return read


@cache
def _known() -> dict[str, bytes]:
    return _read()


def _read() -> dict[str, bytes]:
    with suppress(OSError, ValueError, EOFError, TypeError):  # cut off, or of another Python: it is made anew
        text = FILE.read_bytes()
        found = marshal.loads(text[len(HEAD) :]) if text.startswith(HEAD) else {}
        return found if isinstance(found, dict) else {}
    return {}


def _keep() -> None:
    """Writes what is new beside what others have written meanwhile, whole or not at all."""
    if sys.dont_write_bytecode:
        return
    with suppress(OSError):  # of a folder that may not be written, which is nothing odd to Python either
        others, part = _read(), FILE.with_suffix(f".{os.getpid()}")
        FILE.parent.mkdir(exist_ok=True)
        part.write_bytes(HEAD + marshal.dumps({**(others if len(others) < MOST else {}), **_new}))
        part.replace(FILE)
