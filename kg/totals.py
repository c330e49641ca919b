"""The totals of tables of figures: which stands below a figure, what it is called, and what it comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from decimal import Decimal
from functools import cached_property

from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, column_of, row_of, table_of, words_of
from tieout.ontology.labels.label import normalise

OF_ALL = frozenset(("total", "consolidated", "worldwide"))  # words of the line of all parts


class Totals:
    """The totals of some figures of tables."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = tuple(facts)

    def under(self, fact: Fact) -> str:
        """The sub-heading of a figure in lower case, no item's behind the line that is its total, `Total assets`."""
        section = fact.section.lower().rstrip(": ")
        total = self._totals.get((*table_of(fact), section))
        return "(behind its total)" if total is not None and row_of(fact) > total else section

    @cached_property
    def _totals(self) -> Mapping[tuple[str, int, str], int]:
        """The row of the total of each sub-heading, by report, table and sub-heading."""
        found: dict[tuple[str, int, str], int] = {}
        for fact in self.facts:
            section = fact.section and "total" in fact.label.lower() and fact.section.lower().rstrip(": ")
            if section and normalise(fact.label) == normalise(f"total {section}"):
                found.setdefault((*table_of(fact), section), row_of(fact))
        return found

    def total_of(self, fact: Fact) -> str:
        """The label of the next total below a figure in its table, "" for none: `Total net sales`."""
        rows = self._rows_of_totals.get(table_of(fact), ())
        return next((label for row, label in rows if row > row_of(fact)), "")

    @cached_property
    def _rows_of_totals(self) -> Mapping[tuple[str, int], Sequence[tuple[int, str]]]:
        """The rows of totals with their labels, in order, by report and table."""
        found: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
        for fact in self.facts:
            if fact.label.lower().startswith("total "):
                found[table_of(fact)][row_of(fact)] = fact.label
        return {key: sorted(rows.items()) for key, rows in found.items()}

    def adds_up_to(self, fact: Fact, wholes: Set[Decimal]) -> bool | None:
        """Whether one of these amounts is that of the next total below a figure in its column, as of `Total` under
        segments; None where it is none of a total there."""
        below = [amount for row, amount in self._totals_of_columns.get(column_of(fact), ()) if row > row_of(fact)]
        return None if wholes.isdisjoint(below) else below[0] in wholes

    @cached_property
    def _totals_of_columns(self) -> Mapping[tuple[str, int, int], Sequence[tuple[int, Decimal]]]:
        """The amounts of totals with their rows, in order, by report, table and column."""
        found: dict[tuple[str, int, int], dict[int, Decimal]] = defaultdict(dict)
        for fact in self.facts:
            if not OF_ALL.isdisjoint(words_of(fact.label)):
                found[column_of(fact)][row_of(fact)] = amount_of(fact)
        return {key: sorted(rows.items()) for key, rows in found.items()}
