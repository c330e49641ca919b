"""One possible answer, as one of the readers or both come to it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.offline.calculation.compose import said_of
from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.ranking.account import Open
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.reader import in_words
from tieout.kg.fact import Fact

STEPS = {"add": "sum", "percentage_change": "rate"}


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer, as one of the readers or both come to it, with what speaks for and against it."""

    whole: Reading | None
    ranked: Ranked | None
    left: Open
    features: Features

    @property
    def kind(self) -> str:
        """The kind of answer."""
        if self.whole is not None:
            return self.whole.kind
        return "boolean" if self.ranked is not None and isinstance(self.ranked.value, bool) else "number"

    @property
    def operation(self) -> str:
        """The operation it is made by, as the reader of conversations knows them where it has it."""
        if self.ranked is not None:
            return self.ranked.candidate.operation
        return self.whole.operation if self.whole is not None else ""

    @property
    def step(self) -> str:
        """What it is made by, the same for both readers: a rate of change is one, in one step or in two."""
        if self.ranked is not None and self.ranked.candidate.concept == "rate":
            return "rate"
        return STEPS.get(self.operation, self.operation)

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the printed figures that it looks up itself."""
        if self.whole is not None:
            return tuple(point.fact.name for point in self.whole.points)
        return tuple(fact.name for fact in self.ranked.candidate.facts) if self.ranked is not None else ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The printed figures that it is made of, () where it rests on an earlier answer or a number."""
        if self.whole is not None:
            return tuple(self.whole.facts)
        candidate = self.ranked.candidate if self.ranked is not None else None
        is_all = candidate is not None and len(candidate.facts) == len(candidate.operands)
        return tuple(candidate.facts) if candidate is not None and is_all else ()

    @property
    def of_rates(self) -> bool:
        """Whether all figures that it is made of are percentages."""
        if self.whole is not None:
            return all(point.fact.unit == "percent" for point in self.whole.points)
        operands = self.ranked.candidate.operands if self.ranked is not None else ()
        facts = [operand.view.fact for operand in operands if operand.view is not None]
        facts += [fact for operand in operands if operand.past is not None for fact in operand.past.facts]
        return all(fact.unit == "percent" for fact in facts)

    @property
    def is_printed_rate(self) -> bool:
        """Whether it is a percentage that is printed."""
        if self.operation != "lookup" or self.kind != "number" or self.is_amount:
            return False
        return self.whole is not None or (
            self.ranked is not None and self.ranked.candidate.operands[0].view is not None
        )

    @property
    def looked_up(self) -> Fact:
        """The figure of a look-up."""
        if self.whole is not None:
            return self.whole.points[0].fact
        assert self.ranked is not None
        view = self.ranked.candidate.operands[0].view
        assert view is not None
        return view.fact

    @property
    def number(self) -> Decimal | None:
        """What it comes to, percentages as decimals; None where it is no number."""
        value = self.whole.value() if self.whole is not None else self.ranked.value if self.ranked else None
        return value if isinstance(value, Decimal) else None

    @property
    def is_text(self) -> bool:
        """Whether its first figure stands in a sentence."""
        if self.whole is not None:
            return bool(self.whole.lines) and self.whole.lines[0].is_text
        view = self.ranked.candidate.operands[0].view if self.ranked is not None else None
        return view is not None and view.is_text

    @property
    def is_amount(self) -> bool:
        """Whether it is a printed figure that is no percentage."""
        if self.operation != "lookup":
            return False
        if self.whole is not None:
            return all(point.fact.unit != "percent" for point in self.whole.points)
        view = self.ranked.candidate.operands[0].view if self.ranked is not None else None
        return view is not None and view.fact.unit != "percent"

    @property
    def said(self) -> str:
        """It in words: what is looked up, or done with which figures."""
        if self.whole is not None:
            return in_words(self.whole)
        assert self.ranked is not None
        return said_of(self.ranked.candidate)
