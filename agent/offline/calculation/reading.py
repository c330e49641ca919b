"""One possible answer to a whole question: the figures under it, what it comes to, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tieout.agent.offline.operands.fitting import Features
from tieout.agent.question.question import Kind
from tieout.data.arithmetic.plain import result_of
from tieout.kg.fact import Fact
from tieout.kg.lines import Line, Point
from tieout.kg.page import amount

Part = tuple[Features, Features]  # of a figure: what its line has, and what it has itself


@dataclass(slots=True, eq=False)
class Reading:
    """One possible answer.

    operation: as in `tieout.data.arithmetic.operations`, or `lookup`, `list`, `where`, `extreme`, `names`, `quote`.
    points: the figures under it, operands in order. texts: what is said, for an answer in words.
    own: features of the reading itself; parts: those of its figures, averaged into one. worth: the mean score of these
    under the weights at hand, which are worked out once for each figure.
    """

    kind: Kind
    operation: str
    points: tuple[Point, ...]
    texts: tuple[str, ...] = ()
    own: Features = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    lines: tuple[Line, ...] = ()
    worth: float = 0.0

    @property
    def facts(self) -> list[Fact]:
        """Its figures."""
        return [point.fact for point in self.points]

    def features(self) -> Features:
        """All of it: its own, and the mean of those of its figures; absent is 0."""
        found = dict(self.own)
        for name, value in (each for part in self.parts for half in part for each in half.items()):
            if value:
                found[name] = found.get(name, 0.0) + value / len(self.parts)
        return found

    def value(self) -> Decimal | bool | tuple[str, ...] | None:
        """What it comes to: an amount (percentages as decimals), a truth, or texts; None where it is not defined."""
        if self.kind in ("period", "name", "names", "words"):
            return self.texts
        if self.kind == "list":
            return tuple(f"{amount(point.fact).normalize():f}" for point in self.points)
        if self.kind == "count":
            return Decimal(len(self.points) or len(self.texts))
        return calculated(self.operation, self.facts)


def calculated(operation: str, facts: Sequence[Fact]) -> Decimal | bool | None:
    """The result of an operation over figures, brought to one scale where they differ."""
    if operation == "lookup":
        return amount(facts[0])
    least = min(fact.scale for fact in facts)
    return result_of(operation, [amount(fact) * (fact.scale // least) for fact in facts])
