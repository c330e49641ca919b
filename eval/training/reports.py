"""Fits what is added to the weights of whole questions for views of reports:

    python -m tieout.eval.training.reports QUESTIONS.jsonl FOLDER --store DIR

QUESTIONS: as in `tieout.eval.gold.report_questions`, one report each, answered by a number. FOLDER: the reports, of
which the name begins with the company (`NAME_10K_...`). Readings, the choice between answers and the chance of being
right are fitted one after the other, each to what weights say that have not seen the company.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from tieout.agent.offline.candidates.figure import in_fiscal_years
from tieout.agent.offline.candidates.page import Page
from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.ranking.choose import signs_of, weigh
from tieout.agent.offline.ranking.model import load_model
from tieout.agent.offline.ranking.options import options
from tieout.agent.offline.ranking.reader import WholeReader
from tieout.agent.offline.ranking.weigh import WEIGHTS, Weigher, all_readings
from tieout.agent.opening import open_files
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.data.console import console
from tieout.eval.gold.report_questions import ReportQuestion, find_report, gold_of, read_questions
from tieout.eval.training.fit import Array, Names, Rows, likelihood, matrix_of
from tieout.eval.training.held_out import Watched, option_right, reading_right
from tieout.ontology.model import default_ontology

FOLDS, MOST_KEPT = 3, 400  # parts of the companies, and readings of a question: the likeliest, and those that are right
PENALTIES = {"reading": 3.0, "choice": 4.0, "calibration": 2.0}
ITERATIONS, LEAST = 150, 0.02
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """One question with what there is to choose from. start: the score of each under the weights that stay."""

    fold: int
    features: tuple[Features, ...]
    right: tuple[bool, ...]
    start: tuple[float, ...]


class Watching(Watched):
    """The backend, with the request that it had last."""

    request: Request | None = None

    def reply(self, request: Request) -> Reply:
        self.request = request
        return super().reply(request)


def fold_of(question: ReportQuestion) -> int:
    """The part that the company of a question belongs to."""
    return zlib.crc32(question.docs[0].partition("_")[0].encode()) % FOLDS


def added(choices: Sequence[Choice], penalty: float) -> Weights:
    """What is added to the weights that stay, so that what is right is chosen."""
    from scipy.optimize import minimize

    known = [each for each in choices if any(each.right) and not all(each.right)]
    names, rows = Names(), Rows()
    for each in known:
        for found in each.features:
            rows.append([(names.number(name), value) for name, value in found.items() if value])
    counts = [len(each.right) for each in known]
    starts, owner = np.cumsum([0, *counts[:-1]]), np.repeat(np.arange(len(known)), counts)
    matrix, turned = matrix_of(rows, len(names)), matrix_of(rows, len(names)).T.tocsr()
    right = np.array([every for each in known for every in each.right], float)
    before, weight = np.array([every for each in known for every in each.start]), np.ones(len(known))

    def objective(weights: Array) -> tuple[float, Array]:
        loss, slope = likelihood(matrix @ weights + before, right, starts, owner, weight)
        return loss + 0.5 * penalty * weights @ weights, turned @ slope + penalty * weights

    found = minimize(objective, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x
    return {name: round(float(found[at]), 3) for name, at in sorted(names.items()) if abs(found[at]) >= LEAST}


def shown_for(
    questions: Sequence[ReportQuestion], folder: Path, store: Path
) -> Iterator[tuple[ReportQuestion, Request]]:
    """Each question with what is shown for it."""
    by_doc: dict[str, list[ReportQuestion]] = defaultdict(list)
    for each in questions:
        by_doc[each.docs[0]].append(each)
    weigher = Weigher({}, {}, {})
    for doc, own in by_doc.items():
        with open_files([find_report(folder, doc)], default_ontology(None)[0], store=store) as opened:
            for each in own:
                backend = Watching(load_model(), weigher)
                Session(opened.source, backend, document=opened.document).ask(each.question)
                if backend.request is not None and backend.request.view is not None:
                    yield each, backend.request


def reading_choice(question: ReportQuestion, request: Request, weigher: Weigher) -> Choice:
    """The readings of a question."""
    shown = request.shown
    reader = WholeReader(Page(shown.facts), shown.sentences, weigher, of_reports=True)
    ask, _ = reader.place.spelled(in_fiscal_years(read_question(request.question), shown.facts))
    gold = gold_of(question)
    made = all_readings(ask, reader.place, reader.prose, weigher.score)
    found = [(each.features(), reading_right(each, gold)) for each in made]
    likeliest = sorted(((each, is_right, weigher.score(each)) for each, is_right in found), key=lambda each: -each[2])
    kept = [*likeliest[:MOST_KEPT], *(each for each in likeliest[MOST_KEPT:] if each[1])]
    return Choice(
        fold_of(question),
        tuple(each for each, _, _ in kept),
        tuple(is_right for _, is_right, _ in kept),
        tuple(score for _, _, score in kept),
    )


def answer_choices(question: ReportQuestion, request: Request, weigher: Weigher) -> Iterator[tuple[Choice, Any]]:
    """The answers of both readers, and what signs need of them; none where the question is answered by rule."""
    backend = Watched(load_model(), weigher)
    backend.reply(request)
    if backend.seen is None:
        return
    found, ranked, goal, named = backend.seen
    made = options(found, ranked, goal, named)
    right = tuple(option_right(each, gold_of(question)) for each in made)
    start = tuple(weigher.worth(each.features) for each in made)
    if made:
        yield Choice(fold_of(question), tuple(each.features for each in made), right, start), (made, found, goal, named)


def chance_choice(choice: Choice, seen: Any, weigher: Weigher) -> Choice:  # noqa: ANN401 - what a backend had seen
    """Whether the answer that weights choose is right, as a choice between that and nothing."""
    made, found, goal, named = seen
    weighed = weigh(made, weigher)
    is_right = choice.right[next(at for at, each in enumerate(made) if each is weighed[0][0])]
    signs = signs_of(weighed, found, goal, named)
    odds = sum(weigher.calibration.get(name, 0.0) * value for name, value in signs.items())
    return Choice(choice.fold, (signs, {}), (is_right, not is_right), (odds, 0.0))


def _held_out(choices: Sequence[Choice], penalty: float) -> list[Weights]:
    """The weights that have not seen each part of the companies."""
    return [added([each for each in choices if each.fold != part], penalty) for part in range(FOLDS)]


@click.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--store", required=True, type=click.Path(path_type=Path), help="Where the reports are kept.")
@click.option("--output", "-o", type=click.Path(path_type=Path), default=WEIGHTS, help="The weights file to write.")
def main(questions: Path, folder: Path, store: Path, output: Path) -> None:
    """Fit what is added to the weights of whole questions for views of reports."""
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    stay = [weights[part] for part in PENALTIES]
    asked = list(shown_for(list(read_questions(questions)), folder, store))
    readings = [reading_choice(question, request, Weigher(*stay)) for question, request in asked]
    reading = _held_out(readings, PENALTIES["reading"])
    seen: list[tuple[Choice, Any]] = []
    for question, request in asked:
        weigher = Weigher(*stay, reports={"reading": reading[fold_of(question)]})
        seen += answer_choices(question, request, weigher)
    choices = [choice for choice, _ in seen]
    chosen = _held_out(choices, PENALTIES["choice"])
    chances = [
        chance_choice(choice, each, Weigher(*stay, reports={"choice": chosen[choice.fold]}).of_reports)
        for choice, each in seen
    ]
    told = sum(each.right[0] for each in chances) / max(len(chances), 1)
    console.print(f"{len(asked)} questions; of {len(chances)} that words answer {told:.1%} right, held out")
    made = {"reading": readings, "choice": choices, "calibration": chances}
    weights["reports"] = {part: added(each, PENALTIES[part]) for part, each in made.items()}
    output.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    console.print(f"wrote {output}")


if __name__ == "__main__":
    main()
