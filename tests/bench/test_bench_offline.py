"""How long the offline backend takes for a turn, from the question to its checked answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE, SHARED
from test_bench_kg import tell

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.ontology.model import default_ontology


def turns() -> Iterator[tuple[Session, str]]:
    """The turns of real conversations where they are, else of the sample, each in its conversation."""
    ontology = default_ontology(None)[0]
    real = SHARED / "dev_open.json"
    for conversation in read_conversations(real if real.exists() else SAMPLE / "ask.json"):
        session = Session(build(conversation.document, ontology), OfflineBackend())
        for question in conversation.questions:
            yield session, question.text


def test_answering_a_turn(benchmark, measured, capsys):
    """Asked for: at most 20 ms at the 95th percentile."""
    asked = turns()
    turn = benchmark.pedantic(
        lambda session, text: session.ask(text), setup=lambda: (next(asked), {}), rounds=100 if measured else 5
    )
    assert turn.outcome in ("answer", "clarify")
    tell(benchmark, capsys)
