"""Checks of periods that are not printed but follow from printed ones: told, and refused trust where nothing flows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tieout.agent.ledger.ledger import Ledger, Step
from tieout.agent.tools.derived import why_no_flow
from tieout.kg.fact import Fact


def periods_that_follow(ledger: Ledger, steps: Iterable[Step]) -> Iterator[str]:
    """Each figure of a period that is not printed, by the periods it was calculated from."""
    for step in steps:
        if ledger.follows(step):
            under = " and ".join(dict.fromkeys(ledger.periods_under(step)))
            yield f"no figure of {step.entry.period} is looked up: it is calculated from those of {under}"


def periods_of_no_flow(ledger: Ledger, steps: Iterable[Step], facts: Mapping[str, Fact]) -> Iterator[str]:
    """Each of a figure that is of no use for another period: per share, an average, a rate, a balance."""
    for step in steps:
        if step.turn != ledger.turn or not ledger.follows(step):
            continue
        for name in ledger.facts_under(step.entry.name):
            if why := why_no_flow(facts[name]):
                yield f"{step.entry.name} of {step.entry.period} cannot be had from other periods: {why}"
                break
