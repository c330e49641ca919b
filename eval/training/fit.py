"""The fit: two log-linear models by penalised marginal likelihood, first of figures, then of whole calculations.

Several facts print the same figure and several calculations come to the same value, so the likelihood of a turn is the
sum over all of those that agree with the gold answer (marginal likelihood, as in Liang et al. 2013 for semantic
parsing).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from tieout.agent.offline.calculation.compose import Candidate, Operand, pool, possible
from tieout.agent.offline.operands.context import LAST_STEP
from tieout.agent.offline.operands.grounding import features, gated
from tieout.agent.offline.ranking.model import Model
from tieout.agent.offline.ranking.score import cues, group, pair, unary
from tieout.data.arithmetic.chance import log_softmax
from tieout.data.arithmetic.units import rounded
from tieout.eval.training.samples import Sample

Array = Any  # numpy's arrays, whose types say little here

GROUND_PENALTY = 5.0
PENALTIES = {"cue": 7.0, "operand": 1.5, "fit": 7.0, "pair": 1.5}
ITERATIONS = 70  # more of them fit the training turns better and no others
LEAST_COMPANIES = 5  # a cue seen at fewer companies is one of a report, not of the language


class Names(dict[Any, int]):
    """Numbers the features as they are met."""

    number = dict.__getitem__

    def __missing__(self, name: object) -> int:
        self[name] = number = len(self)
        return number


class Rows:
    """Sparse rows, kept in flat arrays while they are gathered: a tenth of the memory of lists of pairs."""

    def __init__(self, *rows: Sequence[tuple[int, float]]) -> None:
        self.columns, self.values, self.ends = array("i"), array("f"), array("q", [0])
        for row in rows:
            self.append(row)

    def append(self, row: Sequence[tuple[int, float]]) -> None:
        self.columns.extend(column for column, _ in row)
        self.values.extend(value for _, value in row)
        self.ends.append(len(self.columns))

    def __len__(self) -> int:
        return len(self.ends) - 1


def _numbered(names: Names, tables: Sequence[str], found: Mapping[str, float]) -> list[tuple[int, float]]:
    """The features found, but for those of nothing, as a row: each once for every table of weights it counts in."""
    return [(names.number((table, name)), value) for name, value in found.items() if value for table in tables]


def _sparse(entries: tuple[Any, ...], shape: tuple[int, int]) -> Array:
    """A sparse matrix in rows. scipy takes as long to load as all else that fits."""
    from scipy.sparse import csr_matrix

    return csr_matrix(entries, shape=shape)


def matrix_of(rows: Rows, width: int) -> Array:
    columns, values = np.frombuffer(rows.columns, np.int32), np.frombuffer(rows.values, np.float32)
    return _sparse((values, columns, np.frombuffer(rows.ends, np.int64)), shape=(len(rows), width))


def _common(names: Names, matrix: Array, companies: Sequence[str]) -> tuple[Names, Array]:
    """Only the features that are met at enough companies. companies: of each row of the matrix, whose it is."""
    number = Names()
    of_row = np.array([number.number(company) for company in companies])
    by_company = _sparse((np.ones(len(of_row)), (of_row, np.arange(len(of_row)))), shape=(len(number), len(of_row)))
    met = np.asarray(((by_company @ (matrix != 0).astype(float)) > 0).sum(axis=0)).ravel()
    kept = np.where(met >= LEAST_COMPANIES)[0]
    place = {old: new for new, old in enumerate(kept.tolist())}
    return Names((name, place[old]) for name, old in names.items() if old in place), matrix[:, kept].tocsr()


def likelihood(scores: Array, positive: Array, starts: Array, owner: Array, weight: Array) -> tuple[float, Array]:
    """Minus the log of the marginal likelihood, and its gradient by score.

    owner: of each score its turn. weight: of each turn, 0 for one that is left out.
    """
    most = np.maximum.reduceat(scores, starts)
    power = np.exp(scores - most[owner])
    total = np.add.reduceat(power, starts)
    agreeing = np.add.reduceat(power * positive, starts)
    agreeing = np.where(weight > 0, agreeing, 1) + 1e-300
    loss = weight @ (np.log(total) - np.log(agreeing))
    return float(loss), (power / total[owner] - power * positive / agreeing[owner]) * weight[owner]


def _minimum(objective: Any, size: int) -> Array:  # noqa: ANN401 - a function for scipy
    from scipy.optimize import minimize

    found = minimize(objective, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return found.x


def _twice(found: dict[str, float], gate: str) -> dict[str, float]:
    """Features with those for the questions of the gate alone."""
    return found | {gated(name, gate): value for name, value in found.items()}


def _nothing(_: dict[str, float]) -> float:
    """What features are worth as long as their weights are not fitted."""
    return 0.0


@dataclass
class Figures:
    """Stage one: how well each fact of its page fits a question."""

    samples: Sequence[Sample]
    names: Names = field(default_factory=Names)

    def __post_init__(self) -> None:
        self.found = [
            [_twice(reduce(or_, parts), sample.goal.gate) for parts, _ in features(sample.goal, sample.page, _nothing)]
            for sample in self.samples
        ]
        rows = Rows()
        for page in self.found:
            for found in page:
                rows.append([(self.names.number(name), value) for name, value in found.items()])
        companies = [sample.company for sample, page in zip(self.samples, self.found, strict=True) for _ in page]
        self.names, self.matrix = _common(self.names, matrix_of(rows, len(self.names)), companies)
        self.start = np.cumsum([0] + [len(page) for page in self.found])

    def weights(self, kept: Array) -> Array:
        """Fitted to the kept turns; one term of the likelihood for each operand that a turn needs."""
        blocks, positive, weight = [], [], []
        for index, sample in enumerate(self.samples):
            for needed in sample.needed if kept[index] else ():
                first, last = self.start[index], self.start[index + 1]
                weight.append(sample.weight)
                blocks.append(np.arange(first, last))
                positive.append(np.isin(np.arange(last - first), needed))
        owner = np.concatenate([np.full(len(block), number) for number, block in enumerate(blocks)])
        starts = np.cumsum([0] + [len(block) for block in blocks])[:-1]
        matrix = self.matrix[np.concatenate(blocks)]
        turned, wanted, weighed = matrix.T.tocsr(), np.concatenate(positive), np.array(weight)

        def objective(weights: Array) -> tuple[float, Array]:
            loss, gradient = likelihood(matrix @ weights, wanted, starts, owner, weighed)
            return (
                loss + 0.5 * GROUND_PENALTY * weights @ weights,
                turned @ gradient + GROUND_PENALTY * weights,
            )

        return _minimum(objective, len(self.names))

    def log_probabilities(self, index: int, weights: Array) -> list[float]:
        scores = self.matrix[self.start[index] : self.start[index + 1]] @ weights
        return log_softmax([float(score) for score in scores])


def _agreeing(sample: Sample, made: Sequence[Candidate]) -> list[bool]:
    """Which candidates come to the gold value, by the gold operation where one does."""
    right = [agrees(candidate.value(), sample.value) for candidate in made]
    same = [yes and _last_step(candidate) == sample.operation for yes, candidate in zip(right, made, strict=True)]
    return same if any(same) else right


def _last_step(made: Candidate) -> str:
    """The last operation that a candidate takes in the language of FinQA, `lookup` for none."""
    if made.operation.startswith("in_"):
        return "multiply" if (made.operands[0].scale or 1) > made.operands[-1].value else "divide"
    return LAST_STEP.get(made.operation, made.operation)


class Calculations:
    """Stage two: every candidate calculation of every turn, as rows of features."""

    def __init__(self, figures: Figures, log_probabilities: Sequence[Sequence[float]]) -> None:
        self.figures = figures
        self.cue, self.operand, self.fit, self.pair, self.concept = (Names() for _ in range(5))
        cue_rows = Rows()
        self._owners: dict[str, list[str]] = {"operand": [""], "fit": [""], "pair": [""]}
        self._operands = Rows(())
        self._fits = Rows(())
        self._pairs = Rows(())
        self._first: list[tuple[int, int, int]] = []
        self._second: list[tuple[int, int]] = []
        concepts: list[int] = []
        owner: list[int] = []
        positive: list[bool] = []
        self.made: list[list[Candidate]] = []
        common = self._common_cues()
        for index, sample in enumerate(figures.samples):
            made = [
                Candidate(*each)
                for each in possible(pool(sample.goal, sample.page, log_probabilities[index]), sample.goal)
            ]
            cue_rows.append(
                [(self.cue.number(name), 1.0) for name in dict.fromkeys(cues(sample.goal)) if name in common]
            )
            self._add(index, sample, made)
            self.made.append(made)
            concepts += [self.concept.number(candidate.concept) for candidate in made]
            owner += [index] * len(made)
            positive += _agreeing(sample, made)
        self.owner, self.concepts, self.positive = np.array(owner), np.array(concepts), np.array(positive)
        self.start = np.searchsorted(self.owner, np.arange(len(figures.samples)))
        self._matrices(cue_rows)

    def _common_cues(self) -> set[str]:
        companies: dict[str, set[str]] = defaultdict(set)
        for sample in self.figures.samples:
            for name in cues(sample.goal):
                companies[name].add(sample.company)
        return {name for name, seen in companies.items() if len(seen) >= LEAST_COMPANIES}

    def _add(self, index: int, sample: Sample, made: Sequence[Candidate]) -> None:
        """The rows of one turn's candidates; what several of them share is one row."""
        place = {id(view): number for number, view in enumerate(sample.page.views)}
        found: dict[int, dict[str, float]] = {}
        operand_rows: dict[tuple[str, int, int], int] = {}
        fit_rows: dict[tuple[str, int], int] = {}
        pair_rows: dict[tuple[str, int, int], int] = {}
        pair_found: dict[tuple[int, int], dict[str, float]] = {}

        def of_operand(frame: str, slot: int, operand: Operand) -> int:
            key = (frame, slot, id(operand))
            if key not in operand_rows:
                if id(operand) not in found:
                    found[id(operand)] = unary(operand, sample.goal, sample.page)
                operand_rows[key] = len(self._operands)
                self._owners["operand"].append(sample.company)
                tables = (f"{frame}/{slot}", f"*/{slot}")
                self._operands.append(_numbered(self.operand, tables, found[id(operand)]))
            return operand_rows[key]

        def of_fit(frame: str, slot: int, operand: Operand) -> int:
            if operand.view is None:
                return 0
            key = (group(frame, slot), id(operand))
            if key not in fit_rows:
                fit_rows[key] = len(self._fits)
                self._owners["fit"].append(sample.company)
                by_name = self.figures.found[index][place[id(operand.view)]]
                self._fits.append(_numbered(self.fit, key[:1], by_name))
            return fit_rows[key]

        def of_pair(candidate: Candidate) -> int:
            a, b = candidate.operands
            key = (candidate.frame, id(a), id(b))
            if key not in pair_rows:
                if key[1:] not in pair_found:
                    pair_found[key[1:]] = pair(candidate, sample.goal)
                pair_rows[key] = len(self._pairs)
                self._owners["pair"].append(sample.company)
                self._pairs.append(_numbered(self.pair, (candidate.frame, "*"), pair_found[key[1:]]))
            return pair_rows[key]

        for candidate in made:
            first, *second = candidate.operands
            frame = candidate.frame
            both = of_pair(candidate) if second else 0
            self._first.append((of_operand(frame, 0, first), of_fit(frame, 0, first), both))
            self._second.append((of_operand(frame, 1, second[0]), of_fit(frame, 1, second[0])) if second else (0, 0))

    def _matrices(self, cue_rows: Rows) -> None:
        first, second = np.array(self._first), np.array(self._second)
        self.cues = matrix_of(cue_rows, len(self.cue))
        owners = self._owners
        self.operand, operands = _common(self.operand, matrix_of(self._operands, len(self.operand)), owners["operand"])
        self.fit, fits = _common(self.fit, matrix_of(self._fits, len(self.fit)), owners["fit"])
        self.pair, pairs = _common(self.pair, matrix_of(self._pairs, len(self.pair)), owners["pair"])
        self.tables = [operands, fits, pairs]
        chosen = [(first[:, 0], second[:, 0]), (first[:, 1], second[:, 1]), (first[:, 2],)]
        self.choices = [_selection(picks, table.shape[0]) for picks, table in zip(chosen, self.tables, strict=True)]
        self.sizes = [len(self.cue) * len(self.concept), len(self.operand), len(self.fit), len(self.pair)]

    def scores(self, weights: Array) -> Array:
        """The score of every candidate of every turn."""
        by_cue, *others = np.split(weights, np.cumsum(self.sizes)[:-1])
        total = (self.cues @ by_cue.reshape(-1, len(self.concept)))[self.owner, self.concepts]
        for choice, table, part in zip(self.choices, self.tables, others, strict=True):
            total = total + choice @ (table @ part)
        return total

    def weights(self, kept: Array) -> Array:
        """Fitted to the kept turns."""
        reached = np.add.reduceat(self.positive.astype(float), self.start) > 0
        weighed = (reached & kept) * np.array([sample.weight for sample in self.figures.samples])
        turned = [matrix.T.tocsr() for matrix in (self.cues, *self.tables, *self.choices)]
        cues_turned, tables_turned, choices_turned = turned[0], turned[1:4], turned[4:]
        penalty = np.concatenate(
            [np.full(size, PENALTIES[name]) for size, name in zip(self.sizes, PENALTIES, strict=True)]
        )
        turns, concepts = len(self.start), len(self.concept)
        key = self.owner * concepts + self.concepts

        def objective(weights: Array) -> tuple[float, Array]:
            loss, slope = likelihood(self.scores(weights), self.positive, self.start, self.owner, weighed)
            by_turn = np.bincount(key, weights=slope, minlength=turns * concepts).reshape(turns, concepts)
            gradient = [(cues_turned @ by_turn).ravel()]
            gradient += [table @ (choice @ slope) for table, choice in zip(tables_turned, choices_turned, strict=True)]
            return loss + 0.5 * (penalty * weights) @ weights, np.concatenate(gradient) + penalty * weights

        return _minimum(objective, sum(self.sizes))

    def named(self, ground: Array, weights: Array) -> dict[str, Any]:
        """The weights by name, as the weights file holds them."""
        by_cue, *others = np.split(weights, np.cumsum(self.sizes)[:-1])
        by_cue = by_cue.reshape(-1, len(self.concept))
        named: dict[str, Any] = {"ground": _flat(self.figures.names, ground)}
        named["cue"] = {concept: _flat(self.cue, by_cue[:, number]) for concept, number in self.concept.items()}
        for table, names, part in zip(
            ("operand", "fit", "pair"), (self.operand, self.fit, self.pair), others, strict=True
        ):
            named[table] = _nested(names, part)
        return named


def _selection(picks: Sequence[Array], width: int) -> Array:
    count = len(picks[0])
    rows = np.tile(np.arange(count), len(picks))
    return _sparse((np.ones(count * len(picks)), (rows, np.concatenate(picks))), shape=(count, width))


LEAST_WEIGHT = 0.05  # smaller ones are left out of the file


def _flat(names: Mapping[Any, int], weights: Array) -> dict[str, float]:
    return {
        name: round(float(weights[number]), 3)
        for name, number in sorted(names.items())
        if abs(weights[number]) >= LEAST_WEIGHT
    }


def _nested(names: Mapping[Any, int], weights: Array) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {table: {} for table, _ in sorted(names)}
    for (table, name), number in sorted(names.items()):
        if abs(weights[number]) >= LEAST_WEIGHT:
            nested[table][name] = round(float(weights[number]), 3)
    return nested


def fit(figures: Figures, fold: Array) -> tuple[Calculations, Array]:
    """Both stages prepared: stage two sees of stage one only what it says of companies it was not fitted to.

    fold: of each turn the part it belongs to. Returns the calculations, and stage one's weights fitted to all turns.
    """
    log_probabilities: list[list[float]] = [[] for _ in figures.samples]
    for part in sorted(set(fold.tolist())):
        weights = figures.weights(fold != part)
        for index in np.where(fold == part)[0]:
            log_probabilities[index] = figures.log_probabilities(index, weights)
    return Calculations(figures, log_probabilities), figures.weights(np.ones(len(figures.samples), bool))


def model(calculations: Calculations, ground: Array, weights: Array) -> Model:
    """The model of these weights."""
    return Model.of(calculations.named(ground, weights))


def agrees(one: Decimal | bool | None, other: Decimal | bool) -> bool:
    """Whether two values are the same answer: both yes, both no, or equal after rounding to 5 decimals."""
    if one is None or isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return rounded(one) == rounded(other)
