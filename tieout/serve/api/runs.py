"""Runs of an evaluation: listed, their scores, their turns. They are read, and their logs checked, when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import Response

from tieout.serve.api import schema
from tieout.serve.api.reply import Json

if TYPE_CHECKING:
    from tieout.eval.show.opened import OpenRun

MOST_TURNS = 1000


def add_runs(router: APIRouter, folder: Path | None) -> None:
    """Adds the paths. folder: of the runs that are shown, None for none."""

    @router.get("/api/runs", response_model=schema.Runs)
    def list_runs() -> Response:
        """The runs by name: what each was made of or, where it cannot be read, why."""
        return Json({"runs": [_about(folder, name) for name in _names(folder)] if folder else []})

    @router.get("/api/runs/{name}", response_model=schema.Run)
    def one_run(name: str) -> Response:
        """The numbers of `tieout eval show --json`: rates with counts and intervals, outcomes, cost."""
        with _opened(folder, name) as run:
            return Json({**_about(run.folder.parent, name), "status": run.status, "scores": run.scores()})

    @router.get("/api/runs/{name}/turns", response_model=schema.RunTurns)
    def turns_of_a_run(
        name: str,
        first: Annotated[int, Query(ge=0)] = 0,
        most: Annotated[int, Query(ge=1, le=MOST_TURNS)] = 100,
    ) -> Response:
        """Its turns beside their gold labels, `most` from number `first` on: the columns of `tieout eval export`."""
        with _opened(folder, name) as run:
            turns = run.turns().to_dicts()
        return Json({"run": name, "count": len(turns), "turns": turns[first : first + most]})


@contextmanager
def _opened(folder: Path | None, name: str) -> Iterator[OpenRun]:
    """A run of the folder. What is wrong with it is told with status 409, as where its logs were altered."""
    # Imported here: most servers show no run, and are to be there at once.
    from tieout.agent.log.log import LogError
    from tieout.data.readers.records import DataError
    from tieout.eval.run.manifest import RunError
    from tieout.eval.show.opened import OpenRun

    if folder is None or name not in _names(folder):
        raise HTTPException(404, f"there is no run {name[:60]!r}")
    try:
        yield OpenRun(folder / name)
    except (LogError, RunError, DataError) as error:
        raise HTTPException(409, str(error).replace(f"{folder}/", "")) from None  # where it lies is not told


def _names(folder: Path) -> list[str]:
    from tieout.eval.run.manifest import MANIFEST

    return sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}"))


def _about(folder: Path, name: str) -> dict[str, Any]:
    from tieout.eval.run.manifest import RunError, read_manifest

    try:
        manifest = read_manifest(folder / name)
    except RunError as error:
        return {"run": name, "error": str(error).replace(f"{folder}/", "")}
    return {
        "run": name,
        "backend": manifest.backend,
        "settings": manifest.settings,
        "conversations": len(manifest.conversations),
        "turns": manifest.turns,
        "completed": manifest.completed is not None,
    }
