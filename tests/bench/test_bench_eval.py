"""How fast a recorded run is replayed and scored: everything but the model, from the data file to the figures."""

from __future__ import annotations

import json
import sys
from itertools import cycle
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE
from eval_runs import Student, run

from tieout.eval.score.load import load


@pytest.fixture(scope="module")
def wanted(measured) -> int:
    """Turns of a run: as many as ConvFinQA's dev set has, or a few where nothing is timed."""
    return 1490 if measured else 20


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, wanted) -> Path:
    """A folder with a data file of at least so many turns, the sample over and over under new ids, and a run of it."""
    folder = tmp_path_factory.mktemp("bench")
    records, turns = [], 0
    for number, record in enumerate(cycle(json.loads((SAMPLE / "ask.json").read_text()))):
        if turns >= wanted:
            break
        records.append({**record, "id": f"{record['id']}-{number}"})
        turns += len(record["annotation"]["dialogue_break"])
    data = folder / "data.json"
    data.write_text(json.dumps(records))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(data))
        run(folder, data)
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_replaying_and_scoring_a_run(benchmark, recorded, workers, wanted):
    names = iter(f"replay-{workers}-{number}" for number in range(1000))
    backend = f"replay:{recorded / 'first'}"
    done = benchmark.pedantic(
        lambda: run(recorded, recorded / "data.json", next(names), backend, workers), rounds=2, warmup_rounds=0
    )
    benchmark.extra_info["turns"] = len(done.results)
    assert len(done.results) >= wanted


def test_scoring_a_run_again(benchmark, recorded, wanted):
    done = benchmark(load, recorded / "first")
    assert len(done.results) >= wanted
