"""What a house adds to tieout without changing it: packages of its own with entry points, found by group and name.

tieout.readers, tieout.measures, tieout.backends, tieout.exporters; what each has to be is said where it is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

GROUPS = ("readers", "measures", "backends", "exporters")
_installed = cache(entry_points)  # of all packages, which are looked through once


class PluginError(ValueError):
    """A plugin that cannot be used: the message names it, its package and what is wrong."""


@cache
def plugins(group: str) -> dict[str, EntryPoint]:
    """The plugins of a group, `readers`, by name, in the order of their names. Raises PluginError where two packages
    have one of the same name: which is meant would depend on the order in which they were installed."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(_installed().select(group=f"tieout.{group}"), key=lambda each: (each.name, each.value)):
        if point.name in found and found[point.name].value != point.value:
            packages = sorted(_package(each) for each in (found[point.name], point))
            raise PluginError(f"{group}: {' and '.join(packages)} both have {point.name!r}: remove one of them")
        found[point.name] = point
    return found


def spare_pydantic() -> None:
    """pydantic looks through what is installed for plugins of its own: where there are none, it need not."""
    if not _installed().select(group="pydantic"):
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def load(group: str, name: str) -> Any:  # noqa: ANN401 - what the plugin is
    """What a plugin is. Raises PluginError where it cannot be imported, whatever it raises meanwhile."""
    with blamed(group, name, "cannot be loaded"), redirect_stdout(sys.stderr):  # what it prints is no part of a reply
        return plugins(group)[name].load()


@contextmanager
def blamed(group: str, name: str, fault: str = "failed") -> Iterator[None]:
    """Names a plugin and its package in what its code raises: a PluginError of one line, but for what is a line of ours
    already, an error that a file or a backend is refused with."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, ValueError | RuntimeError) and type(error).__module__.startswith("tieout."):
            raise
        said = " ".join(str(error).split())[:300] or type(error).__name__
        raise PluginError(
            f"{group}: {name!r} of the package {packages(group).get(name, name)} {fault}: {said}"
        ) from error


def packages(group: str) -> dict[str, str]:
    """The plugins of a group by name, each with the package that it is of. Raises PluginError."""
    return {name: _package(point) for name, point in plugins(group).items()}


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
