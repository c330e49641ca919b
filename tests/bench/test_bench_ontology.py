"""How long the TBox of all training reports takes: what people wait for once."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from ontology_documents import training

from tieout.ontology.build import build


def test_deriving_the_ontology(benchmark, measured, shared):
    """Asked for: 534 reports in at most 30 s."""
    documents = list(training(shared))[: None if measured else 10]
    made = benchmark.pedantic(build, (documents,), rounds=3 if measured else 1)
    assert made.properties
