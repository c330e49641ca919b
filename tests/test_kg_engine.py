"""Work on many files: by threads here or by the workers of Dask, with the same outcome."""

from __future__ import annotations

import gc
import os
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tieout.data.system.collecting import without_collecting
from tieout.data.system.engine import EngineError, Lost, _made, run_tasks
from tieout.kg.reports.indexing import index_files
from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.kept import open_kept
from tieout.ontology.model import default_ontology


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_done_once(jobs):
    done = list(run_tasks(lambda task, stop=None: task * 2, range(10), jobs))
    assert sorted(done) == [(task, task * 2) for task in range(10)]


@pytest.mark.parametrize("is_kept", [False, True])
def test_the_search_for_cycles_goes_on_where_it_was_on_whatever_happens_inside(is_kept):
    found = []
    gc.enable()
    with pytest.raises(KeyError), without_collecting(is_kept=is_kept):
        with without_collecting():
            pass
        found.append(gc.isenabled())
        raise KeyError
    assert found == [False] and gc.isenabled()


@pytest.mark.parametrize("engine", ["ray", "dask://", "dask:8786", "spark://host:1"])
def test_an_engine_that_there_is_not_is_told_before_anything_is_read(engine, tmp_path):
    with pytest.raises(EngineError, match="there is no engine"):
        list(index_files([tmp_path], default_ontology(None)[0], tmp_path / "store", engine=engine))
    assert not list(tmp_path.iterdir())


def test_without_its_extra_an_engine_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(EngineError, match=r"pip install 'tieout\[cluster\]'"):
        list(run_tasks(str, [1], engine="dask"))


def test_a_scheduler_that_is_not_there_is_told():
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}),
        pytest.raises(EngineError, match="not reached"),
    ):
        list(run_tasks(str, [1], engine="dask://127.0.0.1:1"))


def test_a_task_that_ends_its_workers_is_given_up_and_the_others_are_done():
    pytest.importorskip("distributed")
    done = dict(run_tasks(lambda task: os._exit(1) if task == "bad" else task, ["a", "bad", "b"], 1, "dask"))
    assert (done["a"], done["b"]) == ("a", "b")
    assert isinstance(done["bad"], Lost) and done["bad"] == "it ended its worker twice"


def test_what_a_cluster_reads_is_what_one_process_reads(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "in").mkdir()
    for number, name in enumerate(("alpha", "beta"), 1):
        (tmp_path / "in" / f"{name}.md").write_text(f"# {name}\n\n| | 2024 |\n|---|---|\n| Revenue | {number}01 |\n")
    stores: dict[str, Path] = {engine: tmp_path / f"store{engine}" for engine in ("", "dask")}
    for engine, store in stores.items():
        steps = list(index_files([tmp_path / "in"], default_ontology(None)[0], store, 1, engine))
        assert sorted(step.outcome for step in steps) == ["read", "read"]
    here, there = (
        {path.name: path.read_bytes() for path in bundles_path(store).glob("*/*.zip")} for store in stores.values()
    )
    assert here == there and len(here) == 2
    with open_kept(stores["dask"]) as kept:
        assert [each.id for each in kept.index.reports()] == ["alpha", "beta"]


def test_a_result_that_dask_loses_on_the_way_is_tried_again_and_an_error_of_a_task_is_raised():
    scope: dict[str, Any] = {"__name__": "distributed.cfexecutor"}
    exec("def handed_on(result):\n    kind, error, trace = result", scope)  # as it does where a worker ends just then
    made: dict[str, Future[str]] = {"lost": Future(), "wrong": Future()}
    for future, fails in ((made["lost"], lambda: scope["handed_on"](["cancelled"])), (made["wrong"], lambda: int("x"))):
        try:
            fails()
        except ValueError as error:
            future.set_exception(error)
    assert isinstance(_made(made["lost"]), Lost)
    with pytest.raises(ValueError, match="invalid literal"):
        _made(made["wrong"])
