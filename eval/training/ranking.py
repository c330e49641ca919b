"""Fits the weights of whole questions: `python -m tieout.eval.training.ranking FILES... --folds FOLDER`.

FILES: the labelled ones of TAT-QA and of ConvFinQA that `tieout.eval.training` was given, FOLDER the one it wrote. The
weights of readings are fitted to the questions of TAT-QA and to those of conversations that lean on none before; those
of the choice between the readers, and of the chances of being right, to all turns, each answered by weights that were
fitted without its page (TAT-QA) or its company (ConvFinQA). The same files give the same weights file, to the byte.
What is told of parts held out is answered by weights of which none, also not those of the choice and of the chances,
has seen the part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.ranking.model import Model
from tieout.agent.offline.ranking.reader import WholeReader
from tieout.agent.offline.ranking.weigh import WEIGHTS, Weigher, all_readings
from tieout.agent.question.read import read_question
from tieout.data.console import console, files_argument
from tieout.data.document import Gold
from tieout.eval.training.__main__ import PRACTICE, Report, owner, read_ours, read_reports
from tieout.eval.training.choice import fit_chance, fit_choice
from tieout.eval.training.fit import Array, Names, Rows, likelihood, matrix_of
from tieout.eval.training.held_out import ask_all, reading_right
from tieout.eval.training.summary import tell
from tieout.kg.page import Page
from tieout.kg.store.quoted import SENTENCES

ALWAYS_FITTED = -1  # the part of what is never held out
PENALTY = 2.0
ITERATIONS = 120
LEAST_WEIGHT = 0.02
START = {"whole": 1.0, "conversation": 1.0}  # the choice by which the turns are asked that the choice is fitted to


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One labelled question that stands for itself. part: the part it belongs to."""

    part: int
    reader: WholeReader
    question: str
    gold: Gold

    def right(self, reading: Reading) -> bool:
        """Whether a reading comes to the gold answer, by the rule main."""
        return reading_right(reading, self.gold)


def own_turns(reports: Sequence[Report], part: dict[str, int], weigher: Weigher) -> Iterator[Turn]:
    """The labelled questions that lean on none before them: also later ones of a conversation that do not."""
    for conversation, graph in reports:
        rows = sorted(graph.select(SENTENCES), key=lambda row: int(str(row["number"])))
        reader = WholeReader(Page(graph.facts()), [str(row["text"]) for row in rows], weigher)
        asked = zip(conversation.questions, conversation.gold, strict=True)
        for number, (question, gold) in enumerate(asked):
            if number == 0 or conversation.independent or _stands_alone(question.text, gold, reader.place.page):
                yield Turn(part.get(owner(conversation), ALWAYS_FITTED), reader, question.text, gold)


def _stands_alone(question: str, gold: Gold, page: Page) -> bool:
    """Whether a later question of a conversation names its figure and year itself."""
    asked = read_question(question)
    names = bool(asked.years) and not page.known.isdisjoint(asked.topic)
    return names and "points back" not in asked.cues and "(" not in gold.program


@dataclass
class Candidates:
    """Every reading of every turn as a row of features."""

    turns: Sequence[Turn]
    weigher: Weigher

    def __post_init__(self) -> None:
        self.names, rows, owner, right = Names(), Rows(), [], []
        for number, turn in enumerate(self.turns):
            ask = read_question(turn.question)
            for reading in all_readings(ask, turn.reader.place, turn.reader.prose, self.weigher.score):
                found = reading.features()
                rows.append([(self.names.number(name), value) for name, value in found.items() if value])
                owner.append(number)
                right.append(turn.right(reading))
        self.matrix = matrix_of(rows, len(self.names))
        self.owner, self.right = np.array(owner), np.array(right)

    def weights(self, kept: Array) -> dict[str, float]:
        """Fitted to the kept turns of which some reading is right."""
        from scipy.optimize import minimize

        chosen = kept[self.owner]
        matrix, right, owner = self.matrix[chosen], self.right[chosen], self.owner[chosen]
        _, starts, owner = np.unique(owner, return_index=True, return_inverse=True)
        reached = (np.add.reduceat(right.astype(float), starts) > 0).astype(float)
        turned = matrix.T.tocsr()

        def objective(weights: Array) -> tuple[float, Array]:
            loss, slope = likelihood(matrix @ weights, right, starts, owner, reached)
            return loss + 0.5 * PENALTY * weights @ weights, turned @ slope + PENALTY * weights

        found = minimize(
            objective, np.zeros(len(self.names)), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
        ).x
        return {
            name: round(float(found[number]), 3)
            for name, number in sorted(self.names.items())
            if abs(found[number]) >= LEAST_WEIGHT
        }


@click.command()
@files_argument
@click.option(
    "--folds",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="The folder that `tieout.eval.training --folds` wrote.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), default=WEIGHTS, help="The weights file to write.")
def main(files: tuple[Path, ...], folds: Path, output: Path) -> None:
    """Fit the weights of whole questions to labelled FILES."""
    part = json.loads((folds / "part.json").read_text(encoding="utf-8"))
    models = [Model.of(_read(path)) for path in sorted(folds.glob("without*.json"))]
    reports = read_reports(files)
    weigher = Weigher(_read(WEIGHTS)["reading"] if WEIGHTS.exists() else {}, START, {})
    turns = list(own_turns([*reports, *read_ours(files), *read_reports(PRACTICE)], part, weigher))
    parts = np.array([turn.part for turn in turns])
    candidates = Candidates(turns, weigher)
    reading = candidates.weights(np.ones(len(turns), bool))
    without = [candidates.weights(parts != number) for number in range(len(models))]
    asked = list(ask_all(reports, part, models, [Weigher(each, START, {}) for each in without]))
    weighers = []
    for number, weights in enumerate(without):
        others = [each for each in asked if each.part != number]
        choice = fit_choice(others)
        weighers.append(Weigher(weights, choice, fit_chance(others, choice)))
    choice = fit_choice(asked)
    made = {"reading": reading, "choice": choice, "calibration": fit_chance(asked, choice)}
    output.write_text(json.dumps(made, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    tell(list(ask_all(reports, part, models, weighers)))
    console.print(f"wrote {output}")


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    main()
