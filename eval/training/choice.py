"""Fits the choice between the answers of both readers, and the chance that the one chosen is right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.ranking.choose import signs_of, weigh
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.weigh import Weigher
from tieout.eval.training.fit import Array, Names, Rows, likelihood, matrix_of
from tieout.eval.training.held_out import Asked

PENALTY, CHANCE_PENALTY = 4.0, 2.0
ITERATIONS = 200
OF_CONVERSATION = 2.0  # what a turn of a conversation counts in the choice, against a question for itself


def fit_choice(asked: Sequence[Asked]) -> dict[str, float]:
    """Weights of the features of options, by penalised likelihood of those that are right."""
    from scipy.optimize import minimize

    known = [each for each in asked if any(each.right) and not all(each.right)]
    names, rows, right, starts = Names(), Rows(), [], [0]
    for each in known:
        for option, is_right in zip(each.options, each.right, strict=True):
            rows.append([(names.number(name), value) for name, value in option.features.items() if value])
            right.append(is_right)
        starts.append(len(right))
    matrix, positive = matrix_of(rows, len(names)), np.array(right)
    owner = np.repeat(np.arange(len(known)), np.diff(starts))
    weight = np.array([1.0 if each.independent else OF_CONVERSATION for each in known])
    turned = matrix.T.tocsr()

    def objective(weights: Array) -> tuple[float, Array]:
        loss, slope = likelihood(matrix @ weights, positive, np.array(starts[:-1]), owner, weight)
        return loss + 0.5 * PENALTY * weights @ weights, turned @ slope + PENALTY * weights

    start = np.zeros(len(names))
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x
    return {name: round(float(found[number]), 3) for name, number in sorted(names.items())}


def fit_chance(asked: Sequence[Asked], choice: dict[str, float]) -> dict[str, float]:
    """Weights of what speaks for the chosen answer being right, by logistic regression."""
    from sklearn.linear_model import LogisticRegression

    signs, right = zip(*(_chosen(each, Weigher({}, choice, {})) for each in asked if each.options), strict=True)
    names, rows = Names(), Rows()
    for each in signs:
        rows.append([(names.number(name), value) for name, value in each.items() if value])
    found = LogisticRegression(C=1 / CHANCE_PENALTY, max_iter=3000, fit_intercept=False)
    found.fit(matrix_of(rows, len(names)), right)
    return {name: round(float(found.coef_[0, number]), 3) for name, number in sorted(names.items())}


def _chosen(each: Asked, weigher: Weigher) -> tuple[Features, bool]:
    """What speaks for the option that is chosen, and whether it is right."""
    assert each.goal is not None
    weighed = weigh(each.options, weigher)
    best: Option = weighed[0][0]
    index = next(index for index, option in enumerate(each.options) if option is best)
    return signs_of(weighed, each.found, each.goal, each.named), each.right[index]
