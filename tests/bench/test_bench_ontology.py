"""How long the TBox of all training reports takes: what people wait for once."""

from __future__ import annotations

from tieout.data.readers.read import read_conversations
from tieout.ontology.build import build


def test_deriving_the_ontology(benchmark, measured, shared):
    """Asked for: 534 reports in at most 30 s."""
    names = ("train_100.json", "test_inputs.json") if measured else ("train_100.json",)
    documents = [each.document for name in names for each in read_conversations(shared / name)]
    made = benchmark.pedantic(build, (documents if measured else documents[:10],), rounds=3 if measured else 1)
    assert made.properties
