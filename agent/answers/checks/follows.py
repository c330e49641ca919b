"""Checks of periods that are not printed but follow from printed ones: told, and refused trust where nothing flows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tieout.agent.ledger.ledger import FromFact, FromOperation, Ledger, Step
from tieout.data.printed.periods.period import Period
from tieout.data.printed.periods.spans import is_of_a_day, is_part_of_year
from tieout.kg.derived import why_no_flow
from tieout.kg.fact import Fact

QUOTIENTS = ("divide", "percentage")


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


def parts_of_a_year_over_balances(ledger: Ledger, steps: Iterable[Step], facts: Mapping[str, Fact]) -> Iterator[str]:
    """Each quotient of what flowed in a part of a year and of balances: it is no rate of a year."""
    for step in steps:
        source = step.entry.source
        if step.turn != ledger.turn or not isinstance(source, FromOperation) or source.operation not in QUOTIENTS:
            continue
        flows = [_part_of_year(ledger, name, facts) for name in source.operands]
        if any(flows) and any(_of_days_alone(ledger, name, facts) for name in source.operands):
            part = next(label for label in flows if label)
            yield f"{source.operation} of what flowed in {part} and of a balance: it is of {part}, not annualised"


def _part_of_year(ledger: Ledger, name: str, facts: Mapping[str, Fact]) -> str:
    """The part of a year that all figures under an entry are of, "" where they are of something else, or where it was
    reckoned with other numbers too, as what is brought to a year is."""
    periods = _periods_alone(ledger, name, facts)
    parts = [period for period in periods if period is not None and is_part_of_year(period)]
    return parts[0].told if parts and len(parts) == len(periods) else ""


def _of_days_alone(ledger: Ledger, name: str, facts: Mapping[str, Fact]) -> bool:
    periods = _periods_alone(ledger, name, facts)
    return bool(periods) and all(period is not None and is_of_a_day(period) for period in periods)


def _periods_alone(ledger: Ledger, name: str, facts: Mapping[str, Fact]) -> list[Period | None]:
    """The periods of the figures under an entry; none where it does not rest on figures alone."""
    sources = [step.entry.source for step in ledger.way_to(name)]
    if not all(isinstance(source, FromFact | FromOperation) for source in sources):
        return []
    return [facts[source.fact].period for source in sources if isinstance(source, FromFact)]
