"""Runs for tests: a backend that answers some turns right and some wrong, and what is made of its logs."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from pathlib import Path

import orris
from scripted import answers, calculates, says

from tieout.agent.protocol.message import BackendError, Reply, Request
from tieout.agent.workspace import Settings
from tieout.data.readers.read import read_conversations
from tieout.eval.gold.program import parse, printed
from tieout.eval.run.run import execute, plan
from tieout.eval.run.sample import Selection
from tieout.eval.score.coverage import by_value
from tieout.eval.score.load import Run, load
from tieout.ontology.model import Ontology

TBOX = Ontology.parse(orris.TBOX)
# The program, for `python -c`. Ctrl-C ends it also where the tests run in the background of a shell, which ignores it.
PROGRAM = (
    "import signal, sys, tieout; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "sys.argv[0] = 'tieout'; tieout.main()"
)


class Student:
    """Knows the programs of a file, and gets every fourth turn wrong in one way or another.

    What it does depends on the question alone, so that two of them answer alike. asked: how many replies it gave.
    """

    name = "student"

    def __init__(self, file: Path, cost: str = "0") -> None:
        self.programs = {
            (each.id, question.text): gold.program
            for each in read_conversations(file)
            for question, gold in zip(each.questions, each.gold, strict=True)
        }
        self.cost = Decimal(cost)
        self.asked = 0

    def reply(self, request: Request) -> Reply:
        self.asked += 1
        document = request.card.document_id
        luck = hashlib.sha256(f"{document} {request.question}".encode()).digest()[0]
        confidence = 0.3 if luck % 4 == 0 else 0.8
        if luck % 16 == 0:
            raise BackendError("overloaded", "too much to do")
        if luck % 16 == 4:
            return says(("clarify", {"question": "which one?", "options": ["this", "that"]}))
        if luck % 16 == 8:
            return says(answers("31415.9"), confidence=confidence)
        if luck % 16 == 12:
            return says(answers(request.card.facts[0].name), confidence=confidence)
        return self._right(request, self.programs[document, request.question], confidence)

    def _right(self, request: Request, text: str, confidence: float) -> Reply:
        held = by_value(request.card.facts)
        program = parse(text)

        def name(argument: str) -> str:
            if argument.startswith("#"):
                return f"step{argument[1:]}"
            return held[printed(argument)][0].name if not argument.startswith("const_") else argument

        if program.value is not None:
            return says(answers(name(program.value)), confidence=confidence)
        calls = [
            calculates(f"step{number}", step.operation, *map(name, step.arguments))
            for number, step in enumerate(program.steps)
        ]
        return says(*calls, answers(f"step{len(calls) - 1}"), confidence=confidence)


def run(
    runs: Path,
    file: Path,
    name: str = "first",
    backend: str = "student",
    workers: int = 1,
    selection: Selection = Selection(),  # noqa: B008 - it does not change
    **more,
) -> Run:
    """Runs a file to its end, and gives the scored run. The backend has to be one that `make_backend` gives."""
    history, repeat = more.pop("history", "own"), more.pop("repeat", 1)
    settings = Settings(**more.pop("settings", {}))
    wanted = plan(name, [file], TBOX, "a test", backend, settings, history, repeat, selection)
    for _ in execute(runs, wanted, TBOX, workers, **more):
        pass
    return load(runs / name)


def shortened(file: Path, to: Path, questions: int) -> Path:
    """Writes the conversations of a file with their first questions alone, and gives where they stand."""
    records = json.loads(file.read_text())
    for record in records:
        notes = record["annotation"]
        notes |= {name: value[:questions] for name, value in notes.items() if isinstance(value, list)}
    to.write_text(json.dumps(records))
    return to


def not_over(folder: Path) -> None:
    """Lets a run be one that is still under way, as its manifest has it, so that logs may be missing or cut."""
    manifest = folder / "run.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"completed": None}))


def outcome(run: Run) -> list[tuple]:
    """All that a run says, times apart."""
    return [
        (
            each.repeat,
            each.key,
            each.outcome,
            each.answer,
            each.text,
            each.program,
            each.right,
            each.probability,
            each.check_score,
        )
        for each in run.results
    ]
