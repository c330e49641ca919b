"""Which figures of a report or a page are standard concepts, by the line item that they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache

from tieout.kg.fact import Fact
from tieout.kg.figure import table_of
from tieout.kg.filings.concepts import observe
from tieout.kg.filings.observed import Observed
from tieout.kg.index.statement import Guess, SeenTable

MOST_PAGES = 16  # of which the standard concepts stay found


@lru_cache(maxsize=MOST_PAGES)
def observed_in(
    facts: tuple[Fact, ...], statements: tuple[tuple[tuple[str, int], Guess], ...]
) -> dict[str, dict[str, float]]:
    """The standard concepts of a page, found once for all conversations over it: by the name of a line item, the
    figures that are it, each with its probability. statements: what each table is, by report and number."""
    known = dict(statements)
    inside: dict[tuple[str, int], list[Fact]] = defaultdict(list)
    for fact in facts:
        inside[table_of(fact)].append(fact)
    tables = [
        SeenTable(key[1], each[0].caption, known[key].statement, known[key].score, len(each))
        for key, each in inside.items()
    ]
    return by_item(observe(facts, tables))


def by_item(observed: Iterable[Observed], called: Callable[[str], str] = str) -> dict[str, dict[str, float]]:
    """Figures by the line item that they are, each with its probability. called: names a figure."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for each in observed:
        found[each.item][called(each.fact)] = each.probability
    return dict(found)
