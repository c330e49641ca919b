"""Questions over series, run in layers: queries alone, with scripts, with further tries, with the memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.agent.beside import with_memory
from tieout.agent.expert.workbench import RETRIES, Workbench
from tieout.agent.ledger.display import exact
from tieout.agent.log.log import Log, log_path
from tieout.agent.log.turn import Turn
from tieout.agent.memory.memory import Memory
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document
from tieout.eval.run.manifest import RunError
from tieout.eval.series.questions import SeriesQuestion, is_right
from tieout.kg.build import build
from tieout.ontology.model import Ontology


@dataclass(frozen=True)
class Layer:
    """What is to hand. scripts: whether run_script is offered; retries: calls over data that may fail in a turn."""

    name: str
    scripts: bool
    retries: int
    memory: bool


LAYERS = (
    Layer("data", scripts=False, retries=0, memory=False),
    Layer("scripts", scripts=True, retries=0, memory=False),
    Layer("retries", scripts=True, retries=RETRIES, memory=False),
    Layer("memory", scripts=True, retries=RETRIES, memory=True),
)


@dataclass(frozen=True)
class SeriesResult:
    """What came of a question in a layer. given: the answer in full, None where there is none."""

    layer: str
    question: SeriesQuestion
    outcome: str
    given: str | None
    right: bool
    model_calls: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        own = {"layer": self.layer, "outcome": self.outcome, "given": self.given, "right": self.right}
        return {**self.question.model_dump(), **own, "model_calls": self.model_calls}


def run_series(
    questions: Sequence[SeriesQuestion],
    data: Sequence[Path],
    make: Callable[[], Backend],
    layers: Sequence[Layer],
    folder: Path,
    ontology: Ontology,
    settings: Settings,
    memory: Path,
    **options: Any,  # noqa: ANN401 - those of Workbench
) -> Iterator[SeriesResult]:
    """Asks every question in a conversation of its own, in every layer; logs go to folder/<layer>/. Raises RunError
    where folder is there already, DataFileError, KeepError, LogError."""
    if folder.exists():
        raise RunError(f"{str(folder)!r} is there already: give another --run")
    for layer in layers:
        desk = Workbench(data, retries=layer.retries, scripting=layer.scripts, **options)
        try:
            for question in questions:
                mind = Memory(memory, [desk.described()]) if layer.memory else None
                desk.memory = mind
                backend = with_memory(make(), desk, mind, has_report=False)
                yield _asked(question, layer, desk, mind, backend, folder, ontology, settings)
                desk.clear()
        finally:
            desk.close()


def _asked(
    question: SeriesQuestion,
    layer: Layer,
    desk: Workbench,
    mind: Memory | None,
    backend: Backend,
    folder: Path,
    ontology: Ontology,
    settings: Settings,
) -> SeriesResult:
    start = time.perf_counter()
    empty = Document(id=question.id, paragraphs=(), before=0, tables=())
    with Log(log_path(folder / layer.name, question.id)) as log:
        session = Session(build(empty, ontology), backend, settings, log, document=empty, bench=desk, memory=mind)
        turn = session.ask(question.question)
        session.close()
    return _result(layer, question, turn, time.perf_counter() - start)


def _result(layer: Layer, question: SeriesQuestion, turn: Turn, seconds: float) -> SeriesResult:
    given = None if turn.answer is None else exact(turn.answer)
    right = is_right(question, turn.answer)
    return SeriesResult(layer.name, question, turn.outcome, given, right, turn.model_calls, seconds)
