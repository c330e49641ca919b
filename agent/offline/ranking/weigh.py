"""The weights of whole questions: scores of readings, their probabilities, the chance that the best is right."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.calculation.readings import Maker
from tieout.agent.offline.calculation.spans import Prose, quotes
from tieout.agent.offline.operands.fitting import Features, Place
from tieout.agent.question.question import Question
from tieout.data.arithmetic.chance import LEAST, alike, dot, share_of, softmax
from tieout.data.arithmetic.units import rounded
from tieout.data.system.compile_cache import read_json

WEIGHTS = Path(__file__).with_name("reading_weights.json")
Weights = Mapping[str, float]


class Weighed(NamedTuple):
    """A reading with the probability of all readings that come to the same."""

    reading: Reading
    probability: float


class Weigher:
    """Weights by name. reading: of the features of a reading. choice: of those of an answer that one or both of the
    readers come to. calibration: of what speaks for the best answer being right."""

    def __init__(self, reading: Weights, choice: Weights, calibration: Weights) -> None:
        self.reading, self.choice, self.calibration = reading, choice, calibration
        self.score = partial(dot, reading)

    def weighed(self, ask: Question, place: Place, prose: Prose) -> list[Weighed]:
        """The readings of a question, most probable first; those that come to the same answer are one."""
        made = all_readings(ask, place, prose, self.score)
        own: dict[int, float] = {}  # many readings share what is said for all of them
        for each in made:
            if id(each.own) not in own:
                own[id(each.own)] = self.score(each.own)
        chances = zip(made, softmax([own[id(each.own)] + each.worth for each in made]), strict=True)
        return [Weighed(reading, total) for _, reading, total in alike(chances, key_of, LEAST / 10)]

    def chance(self, signs: Features) -> float:
        """The probability that an answer is right, by what speaks for it; to two decimals."""
        return share_of(dot(self.calibration, signs))

    def worth(self, features: Features) -> float:
        """The score of an answer among those of both readers."""
        return dot(self.choice, features)


def all_readings(ask: Question, place: Place, prose: Prose, score: Any) -> list[Reading]:  # noqa: ANN401 - a function
    """Every reading of a question on a page."""
    made = list(Maker(ask, place, score).readings())
    return [*made, *quotes(ask, prose)] if "words" in ask.kinds else made


def key_of(reading: Reading) -> object:
    """Equal for readings that come to the same answer; None for one that comes to none."""
    if reading.operation == "lookup":
        return reading.points[0].view.answer
    value = reading.value()
    if isinstance(value, Decimal):
        return rounded(value)
    if value is None or value == ():
        return None
    return ("truth", value) if isinstance(value, bool) else (reading.kind, value)


@lru_cache(maxsize=1)
def load_weigher() -> Weigher:
    """Those that come with tieout."""
    weights = read_json(WEIGHTS)
    return Weigher(weights["reading"], weights["choice"], weights["calibration"])
