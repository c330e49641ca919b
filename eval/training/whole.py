"""Fits the weights of whole questions: `python -m tieout.eval.training.whole FILES... --folds FOLDER`.

FILES: labelled ones of TAT-QA and of ConvFinQA. The weights of readings are fitted to the questions of TAT-QA and to
the first ones of conversations; the chances of being right to all turns, each answered by weights that were fitted
without its page (TAT-QA) or its company (ConvFinQA). The same files give the same weights file, to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import click
import numpy as np

from tieout.agent.offline.choose import other_signs, same
from tieout.agent.offline.ground import Aim, aim
from tieout.agent.offline.model import Model, agrees
from tieout.agent.offline.page import Page
from tieout.agent.offline.question import read_question
from tieout.agent.offline.reference import Context, recall
from tieout.agent.offline.whole.asked import read_ask
from tieout.agent.offline.whole.fitting import Features
from tieout.agent.offline.whole.reader import Found, WholeReader
from tieout.agent.offline.whole.readings import Reading
from tieout.agent.offline.whole.weigh import WEIGHTS, Weigher, all_readings, signs_of
from tieout.agent.view.card import SENTENCES
from tieout.data.console import console, files_argument
from tieout.data.document import Conversation, Gold
from tieout.data.readers.read import read_conversations
from tieout.eval.score.score import Rule, correct
from tieout.eval.score.tatqa import judged
from tieout.eval.training.__main__ import reliability
from tieout.eval.training.fit import Array, Names, Rows, _likelihood, _matrix
from tieout.eval.training.samples import company, samples
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

PARTS = 4
PENALTY = 1.0
ITERATIONS = 120
ROUNDS = 1  # which lines are calculated with depends on the weights
CALIBRATION_PENALTY = 2.0
LEAST_WEIGHT = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One labelled question. goal, value: of a conversation, with the gold answers as its history; None of TAT-QA."""

    page: str
    reader: WholeReader
    question: str
    gold: Gold
    goal: Aim
    value: Decimal | bool | None

    @property
    def fitted(self) -> bool:
        """Whether the readings are fitted to it: it stands for itself."""
        return not self.goal.context.past

    def right(self, reading: Reading) -> bool:
        """Whether a reading comes to the gold answer, by the rule main."""
        value = reading.value()
        if not self.gold.spans:
            if isinstance(value, tuple) or value is None:
                return False
            return correct(Rule.MAIN, value, self.gold.answer)
        if isinstance(value, bool) or value is None:
            return False
        texts = value if isinstance(value, tuple) else (f"{value:f}",)
        return judged((texts, ""), self.gold)[Rule.MAIN]


def turns_of(conversation: Conversation, graph: Graph, weigher: Weigher) -> Iterator[Turn]:
    """The labelled questions of a report."""
    rows = sorted(graph.select(SENTENCES), key=lambda row: int(str(row["number"])))
    page = Page(graph.facts())
    reader = WholeReader(page, [str(row["text"]) for row in rows], weigher)
    if conversation.independent:
        empty: Context = recall((), page.facts, page.known)
        for question, gold in zip(conversation.questions, conversation.gold, strict=True):
            goal = aim(read_question(question.text), empty, page)
            yield Turn(conversation.id, reader, question.text, gold, goal, None)
        return
    known = zip(conversation.questions, conversation.gold, samples(conversation, graph.facts()), strict=True)
    for question, gold, sample in known:
        yield Turn(company(conversation.id), reader, question.text, gold, sample.goal, sample.value)


@dataclass
class Candidates:
    """Every reading of every turn as a row of features."""

    turns: Sequence[Turn]
    weigher: Weigher

    def __post_init__(self) -> None:
        self.names, rows, owner, right = Names(), Rows(), [], []
        for number, turn in enumerate(self.turns):
            ask, _ = turn.reader.place.spelled(read_ask(turn.question))
            for reading in all_readings(ask, turn.reader.place, turn.reader.prose, self.weigher.score):
                found = reading.features()
                rows.append([(self.names.number(name), value) for name, value in found.items() if value])
                owner.append(number)
                right.append(turn.right(reading))
        self.matrix = _matrix(rows, len(self.names))
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
            loss, slope = _likelihood(matrix @ weights, right, starts, owner, reached)
            return loss + 0.5 * PENALTY * weights @ weights, turned @ slope + PENALTY * weights

        found = minimize(
            objective, np.zeros(len(self.names)), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
        ).x
        return {
            name: round(float(found[number]), 3)
            for name, number in sorted(self.names.items())
            if abs(found[number]) >= LEAST_WEIGHT
        }


def parts_of_pages(turns: Sequence[Turn]) -> Array:
    """Which part each turn belongs to, by its page or company."""
    number = {page: place % PARTS for place, page in enumerate(dict.fromkeys(turn.page for turn in turns))}
    return np.array([number[turn.page] for turn in turns])


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn as both readers answered it, neither fitted to it."""

    turn: Turn
    signs: Features
    right: bool
    other: Features | None
    other_right: bool


def judge(turn: Turn, weights: Mapping[str, float], model: Model) -> Judged | None:
    """What both readers say of a turn, and whether they are right."""
    place, prose = turn.reader.place, turn.reader.prose
    reader = WholeReader.__new__(WholeReader)
    reader.place, reader.prose, reader.weigher = place, prose, Weigher(weights, {}, {})
    found: Found | None = reader.read(turn.question)
    if found is None:
        return None
    ranked = model.readings(turn.goal, place.page)
    of_conversation = model.confidence(ranked) if ranked else None
    is_same = bool(ranked) and same(found.best, ranked[0])
    gate = turn.goal.gate
    signs = signs_of(found.ranked, found.ask, found.left, of_conversation, is_same, gate)
    other = None if of_conversation is None else other_signs(found, ranked[0], of_conversation, is_same, gate)
    other_right = bool(ranked) and _other_right(turn, ranked[0].value)
    return Judged(turn, signs, turn.right(found.best), other, other_right)


def _other_right(turn: Turn, value: Decimal | bool) -> bool:
    if turn.value is not None:
        return agrees(value, turn.value) or correct(Rule.MAIN, value, turn.gold.answer)
    return not isinstance(value, bool) and judged(((f"{value:f}",), ""), turn.gold)[Rule.MAIN]


def chances(signs: Sequence[Features], right: Sequence[bool]) -> dict[str, float]:
    """Weights of what speaks for an answer being right, by logistic regression."""
    from sklearn.linear_model import LogisticRegression

    names, rows = Names(), Rows()
    for each in signs:
        rows.append([(names.number(name), value) for name, value in each.items() if value])
    matrix = _matrix(rows, len(names))
    found = LogisticRegression(C=1 / CALIBRATION_PENALTY, max_iter=2000, fit_intercept=False).fit(matrix, right)
    return {name: round(float(found.coef_[0, number]), 3) for name, number in sorted(names.items())}


@click.command()
@files_argument
@click.option("--folds", type=click.Path(path_type=Path, exists=True), required=True, help="See tieout.eval.training.")
@click.option("--output", "-o", type=click.Path(path_type=Path), default=WEIGHTS, help="The weights file to write.")
def main(files: tuple[Path, ...], folds: Path, output: Path) -> None:
    """Fit the weights of whole questions to labelled FILES."""
    weigher = (
        Weigher(json.loads(WEIGHTS.read_text(encoding="utf-8"))["reading"], {}, {})
        if WEIGHTS.exists()
        else Weigher({}, {}, {})
    )
    ontology = default_ontology(None)[0]
    reports = [(each, build(each.document, ontology)) for path in files for each in read_conversations(path)]
    turns = [turn for each, graph in reports for turn in turns_of(each, graph, weigher)]
    part = parts_of_pages(turns)
    fitted = np.array([turn.fitted for turn in turns])
    first = [turn for turn in turns if turn.fitted]
    for _ in range(ROUNDS):
        candidates = Candidates(first, weigher)
        weights = candidates.weights(np.ones(len(first), bool))
        weigher = Weigher(weights, {}, {})
    models, company_part = _models(folds)
    results: list[Judged] = []
    for number in range(PARTS):
        without = candidates.weights((part != number)[fitted])
        for index in np.where(part == number)[0]:
            turn = turns[index]
            model = models[company_part.get(turn.page, 0)]
            if (judged_ := judge(turn, without, model)) is not None:
                results.append(judged_)
    calibration = chances([each.signs for each in results], [each.right for each in results])
    known = [(each.other, each.other_right) for each in results if each.other is not None]
    other = chances([signs for signs, _ in known], [right for _, right in known])
    weights_file = {"reading": weights, "calibration": calibration, "other": other}
    output.write_text(json.dumps(weights_file, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    tell(results, Weigher(weights, calibration, other))


def _models(folder: Path) -> tuple[list[Model], dict[str, int]]:
    """The weights of the reader of conversations fitted without each part, and the part of each company."""
    part = json.loads((folder / "part.json").read_text(encoding="utf-8"))
    paths = sorted(folder.glob("wfold*.json"))
    return [Model.of(json.loads(path.read_text(encoding="utf-8"))) for path in paths], part


def tell(results: Sequence[Judged], weigher: Weigher) -> None:
    """How good both readers and the choice between them are, and how well the chances hold."""
    for name, kept in (
        ("TAT-QA", [each for each in results if each.turn.value is None]),
        ("ConvFinQA", [each for each in results if each.turn.value is not None]),
    ):
        if not kept:
            continue
        said = []
        for each in kept:
            chance, other = weigher.chance(each.signs), weigher.chance_of_other(each.other or {})
            said.append((each.right, chance) if chance >= other or each.other is None else (each.other_right, other))
        error, bands = reliability(said)
        bad = sum(not right and chance >= 0.6 for right, chance in said) / len(said)
        console.print(
            f"{name}: whole {sum(each.right for each in kept) / len(kept):.1%}, conversation "
            f"{sum(each.other_right for each in kept) / len(kept):.1%}, chosen "
            f"{sum(right for right, _ in said) / len(said):.1%}, n {len(kept)}; expected calibration error"
            f" {error:.3f}; "
            f"wrong at 0.6 or more {bad:.1%}"
        )
        for n, confidence, share in bands:
            console.print(f"  chance {confidence:.2f}  right {share:.2f}  n {n}")


if __name__ == "__main__":
    main()
