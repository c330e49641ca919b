"""Figures of periods that are not printed but follow from printed ones: only of what flows, and as a calculation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation, Ledger
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import candidates, choose, narrow, plain
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.printed.periods.spans import Wanted, period_of, read_wanted, span_of, together
from tieout.kg.derived import Derivation, amount_of, derived_from, why_no_flow
from tieout.kg.fact import Fact, FactKind


def derive(facts: Sequence[Fact], wanted: Wanted) -> Derivation | None:
    """The figures of a line that come to what is wanted; None where none do.

    facts: those that may be the line. Where several lines are among them, each is tried by itself. Raises ToolError
    where they do not flow, or where two lines come to different amounts.
    """
    printed = [fact for fact in facts if fact.kind is not FactKind.TEXT]
    flows = [fact for fact in printed if why_no_flow(fact) is None and span_of(fact.period) is not None]
    for key in _KEYS:
        groups: dict[object, list[Fact]] = defaultdict(list)
        for fact in flows:
            groups[key(fact)].append(fact)
        found = [made for each in groups.values() if (made := derived_from(each, wanted)) is not None]
        if len({amount_of(made) for made in found}) > 1:
            raise ToolError(
                f"{wanted.text!r} is not printed, and follows for several lines with different amounts",
                candidates=candidates([made.facts[0] for made in found]),
                suggestion="say which line: add a filter, or calculate it from the facts of one",
            )
        if found:
            return found[0]
    if (
        not flows
        and len(printed) > 1
        and (why := why_no_flow(printed[0]))
        and derived_from(printed, wanted, flows_only=False) is not None
    ):
        raise ToolError(f"{wanted.text!r} is not printed, and cannot be had from other periods: {why}")
    return None


_KEYS: tuple[Callable[[Fact], object], ...] = (
    lambda fact: "",
    lambda fact: plain(fact.label),
    lambda fact: (plain(fact.label), plain(fact.section), fact.dimensions),
    lambda fact: (plain(fact.label), plain(fact.section), fact.dimensions, fact.name.rpartition("r")[0], fact.row),
)


def find_derivation(
    facts: Sequence[Fact],
    entity_type: str | None,
    property: str | None,
    filters: Mapping[str, str],
    labels: Mapping[str, Iterable[str]],
) -> Derivation | None:
    """The derivation of what `find` did not find, by the period or year of its filters; None where none is named, or
    where it does not follow. Raises ToolError as `derive`."""
    named = " ".join(filters[key] for key in ("period", "year") if key in filters)
    wanted = read_wanted(named) if property is not None else None
    if wanted is None or property is None:
        return None
    left = [fact for fact in facts if entity_type is None or plain(fact.entity_type) == plain(entity_type)]
    known: dict[str, set[str]] = defaultdict(set)
    for fact in left:
        known[fact.property].add(fact.label)
    try:
        names = choose("property", property, {name: (*own, *labels.get(name, ())) for name, own in known.items()}).names
        left = [fact for fact in left if fact.property in names]
        for key, text in sorted(filters.items()):
            left = left if key in ("period", "year") else narrow(left, key, text)
    except ToolError:
        return None
    exact = [fact for fact in left if plain(fact.label) == plain(property)]
    return derive(exact or left, wanted)


def carried_out(
    made: Derivation, entry: Callable[[Fact], Entry], ledger: Ledger, name: str | None = None
) -> tuple[Entry, tuple[str, ...]]:
    """The result of a derivation, its figures and its calculation added to the ledger; and the names of its figures."""
    entries = {fact.name: entry(fact) for fact in made.facts}
    steps = list(made.steps())
    results: list[Entry] = []
    for number, (operation, operands) in enumerate(steps, 1):
        values = [results[int(each[1:]) - 1] if each[0] == "#" else entries[each] for each in operands]
        is_last = number == len(steps)
        period = period_of(made.wanted).key if is_last else None
        results.append(calculate(ledger, find_operation(operation), values, name if is_last else None, period))
    return results[-1], tuple(each.name for each in entries.values())


def period_that_follows(
    ledger: Ledger, operation: str, operands: Sequence[Entry], facts: Mapping[str, Fact]
) -> str | None:
    """The key of the period that a difference of figures of one line is of, where none of them is of it; else None."""
    if operation != "subtract":
        return None
    terms = list(_terms(ledger, operands))
    used = [facts[source.fact] for entry, _ in terms if isinstance(source := entry.source, FromFact)]
    if len(used) != len(terms) or len({plain(fact.label) for fact in used}) != 1:
        return None
    days = [span_of(fact.period) for fact in used]
    known = [each for each in days if each is not None]
    if len(known) != len(days):
        return None
    left = together((each, added) for each, (_, added) in zip(known, terms, strict=True))
    return None if left is None else period_of(left).key


def _terms(ledger: Ledger, operands: Sequence[Entry]) -> Iterator[tuple[Entry, bool]]:
    """The figures under a difference, and whether each is added, sums and conversions looked through."""
    waiting = [(entry, index == 0) for index, entry in enumerate(operands)]
    while waiting:
        entry, added = waiting.pop(0)
        source = entry.source
        if isinstance(source, FromOperation) and (source.operation in ("sum", "add") or source.operation[:3] == "in_"):
            waiting += [(ledger[name], added) for name in source.operands]
        elif isinstance(source, FromOperation) and source.operation == "subtract":
            waiting += [(ledger[name], added == (index == 0)) for index, name in enumerate(source.operands)]
        else:
            yield entry, added
