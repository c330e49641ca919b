"""The log-linear model: weights from a file, scores of facts and candidates, probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from tieout.agent.offline.calculation.compose import Candidate, Made, Operand, pool, possible
from tieout.agent.offline.operands.grounding import Aim, features, gated
from tieout.agent.offline.ranking.score import cues, group, pair, unary
from tieout.data.arithmetic.chance import alike, dot, log_softmax, softmax
from tieout.data.arithmetic.units import rounded
from tieout.data.system.compile_cache import read_json
from tieout.kg.page import Page

WEIGHTS = Path(__file__).with_name("weights.json")
PARTS = ("ground", "cue", "fit", "operand", "pair")
MOST_WEIGHED = 250  # candidates
LEAST_PROBABILITY = 1e-5
Weights = Mapping[str, float]
Table = Mapping[str, Weights]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A reading of the question: its best candidate, its value, and the probability of all candidates of that value."""

    candidate: Candidate
    value: Decimal | bool
    probability: float


class Model:
    """Weights by name.

    ground: of fact features. cue: of question features, by concept. fit: of fact features, by kind of operand.
    operand: of operand features, by frame and slot (`change/0`), with `*/0` for all frames. pair: of pair features,
    by frame, with `*` for all.
    """

    def __init__(self, ground: Weights, cue: Table, fit: Table, operand: Table, pair: Table) -> None:
        self.ground, self.cue, self.fit = ground, cue, fit
        self._of_gates: dict[str, tuple[Weights, Table]] = {}
        self.operand = _with_common(operand, lambda name: f"*/{name[-1]}")
        self.pair = _with_common(pair, lambda name: "*")

    @classmethod
    def of(cls, weights: Mapping[str, Any]) -> Model:
        """The model of a weights file, read as JSON."""
        return cls(*(weights[part] for part in PARTS))

    def of_gate(self, gate: str) -> tuple[Weights, Table]:
        """`ground` and `fit` for the questions of a gate: the weight of a feature for all and that for these in one."""
        if gate not in self._of_gates:
            fit = {kind: _joined(weights, gate) for kind, weights in self.fit.items()}
            self._of_gates[gate] = _joined(self.ground, gate), fit
        return self._of_gates[gate]

    def readings(self, goal: Aim, page: Page) -> list[Ranked]:
        """The readings of the question, most probable first; candidates of the same value are one reading."""
        scored = self.scores(goal, page)
        chances = zip((each for each, _ in scored), softmax([score for _, score in scored]), strict=True)
        return [Ranked(kept, value, total) for value, kept, total in alike(chances, _value_of, LEAST_PROBABILITY)]

    def scores(self, goal: Aim, page: Page) -> list[tuple[Candidate, float]]:
        """The candidates that are worth it with their scores, in the order in which they were made.

        How two operands go together is weighed only for those that look best without: it is the costly part.
        """
        scoring = _Scoring(self, goal, page)
        made = list(possible(scoring.operands, goal))
        alone = scoring.alone(made)
        least = sorted(alone)[-MOST_WEIGHED] if len(alone) > MOST_WEIGHED else -math.inf
        worth = [(Candidate(*each), score) for each, score in zip(made, alone, strict=True) if score >= least]
        return [(candidate, score + scoring.together(candidate)) for candidate, score in worth]


class _Made(dict[Any, Any]):
    """What is made of a key when it is first asked for."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:  # noqa: ANN401 - whatever is made
        self[key] = made = self._make(key)
        return made


class _Scoring:
    """The scores of one question's operands, each worked out once."""

    def __init__(self, model: Model, goal: Aim, page: Page) -> None:
        self.model, self.goal, self.page = model, goal, page
        ground, self.fit = model.of_gate(goal.gate)
        found = features(goal, page, partial(dot, ground))
        self.operands = pool(goal, page, log_softmax([score for _, score in found]))
        self.found = dict(zip(map(id, page.views), found, strict=True))
        known = dict.fromkeys(cues(goal))
        self.concepts = {name: sum([weights.get(cue, 0.0) for cue in known]) for name, weights in model.cue.items()}
        self.unaries: dict[Operand | Decimal, dict[str, float]] = {}
        self.fits: dict[tuple[str, Operand], float] = {}
        self.slots = [_Made(partial(self._slot, slot)) for slot in (0, 1)]
        self.pairs: dict[tuple[Operand, Operand], dict[str, float]] = {}

    def alone(self, made: Sequence[Made]) -> list[float]:
        """The score of each candidate by what is asked for, and by each operand in its place."""
        (first, second), concepts, scores = self.slots, self.concepts, list[float]()
        for concept, _, operands, frame in made:
            score = concepts.get(concept, 0.0) + first[frame][operands[0]]
            scores.append(score + second[frame][operands[1]] if len(operands) > 1 else score)
        return scores

    def _slot(self, slot: int, frame: str) -> _Made:
        return _Made(partial(self._operand, frame, slot))

    def _operand(self, frame: str, slot: int, operand: Operand) -> float:
        key = operand.value if operand.kind == "number" else operand  # the same numbers come with every figure
        unaries = self.unaries.get(key)
        if unaries is None:
            unaries = self.unaries[key] = unary(operand, self.goal, self.page)
        table = self.model.operand.get(f"{frame}/{slot}") or self.model.operand[f"*/{slot}"]
        score = dot(table, unaries)
        if operand.view is not None:
            kind = group(frame, slot)
            fit = self.fits.get((kind, operand))
            if fit is None:
                words, form, place = self.found[id(operand.view)][0]
                fit = self.fits[kind, operand] = dot(self.fit[kind], {**words, **form, **place})
            score += fit
        return score

    def together(self, candidate: Candidate) -> float:
        """The score of how two operands go together; 0 for a single one."""
        if len(candidate.operands) < 2:
            return 0.0
        x, y = candidate.operands
        found = self.pairs.get((x, y))
        if found is None:
            found = self.pairs[x, y] = pair(candidate, self.goal)
        return dot(self.model.pair.get(candidate.frame) or self.model.pair["*"], found)


def _value_of(candidate: Candidate) -> Decimal | bool | None:
    value = candidate.value()
    return rounded(value) if isinstance(value, Decimal) else value


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model whose weights come with tieout."""
    return Model.of(read_json(WEIGHTS))


def _joined(weights: Weights, gate: str) -> dict[str, float]:
    """The weights of features for the questions of a gate, which count beside those for all."""
    end = gated("", gate)
    return _sum(weights, {name.removesuffix(end): weight for name, weight in weights.items() if name.endswith(end)})


def _with_common(table: Table, common: Callable[[str], str]) -> dict[str, dict[str, float]]:
    """Each table with the weights that it shares with others added to its own."""
    shared = {name: {} if name.startswith("*") else table.get(common(name), {}) for name in table}
    return {name: _sum(weights, shared[name]) for name, weights in table.items()}


def _sum(weights: Weights, more: Weights) -> dict[str, float]:
    """The sums of two weights of each feature, of which few have both."""
    return {**weights, **more, **{name: weights[name] + more[name] for name in weights.keys() & more.keys()}}
