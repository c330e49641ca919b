"""Readings that come to an amount: a figure looked up, calculations along a line and with figures of several lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.calculation.ways import LINES, Ways
from tieout.agent.offline.operands.fitting import Features, Wanted
from tieout.data.printed.amount import Unit
from tieout.kg.lines import Line, Point, groups
from tieout.kg.sums import full

# Signs of what is made of two measures.
OF_SIDES = frozenset({"change", "ratio", "share", "percent", "product", "sum", "total", "average", "less", "plus"})
# Signs of what is made of two figures of a line, and of more.
OF_PAIRS = frozenset({"change", "rate of change", "ratio", "share", "percent"})
OF_SERIES = frozenset({"average", "sum", "total", "median"})
OF_A_LINE = OF_PAIRS | OF_SERIES


class Amounts(Ways):
    """Makes the readings of one question that are one number."""

    def _lookups(self) -> Iterator[Reading]:
        alike, is_of_change = dict[object, Features](), self.ask.asks_change
        for line in self.place.lines:
            if line.name[0] != "column":
                for point in line.points:
                    own = self._of_a_change(point) if is_of_change else {}
                    key = (point.year, *own.values()) if own else point.year
                    if key not in alike:
                        alike[key] = self._made("number", "lookup", [(line, point, self.whole)], own=own).own
                    part, worth = self.figure(line, point, self.whole)
                    yield Reading("number", "lookup", (point,), (), alike[key], (part,), (line,), worth)

    def _of_a_change(self, point: Point) -> dict[str, float]:
        """How a figure fits a question for a change: printed as one, and in percent where that is asked."""
        in_percent = point.fact.unit == Unit.PERCENT
        return {
            "of_a_change": float(point.is_change),
            "of_a_change_as_asked": float(point.is_change and in_percent == ("rate of change" in self.ask.cues)),
        }

    def _along(self) -> Iterator[Reading]:
        """Calculations with figures of one line: changes between two periods, sums and averages over several."""
        ask, wanted = self.ask, self.whole
        for line in self.best_lines(wanted, LINES) if ask.cues & OF_A_LINE else ():
            for series in groups(line):
                used = [(line, point, wanted) for point in series]
                if ask.cues & OF_PAIRS:
                    for new, old, why in self._pairs(series):
                        pair = [(line, new, wanted), (line, old, wanted)]
                        yield self._made("number", "subtract", pair, own={why: 1.0})
                        yield self._made("number", "percentage_change", pair, own={why: 1.0})
                        if ask.cues & {"ratio", "share"}:
                            yield self._made("number", "divide", pair, own={why: 1.0})
                if ask.cues & OF_SERIES and len(used) > 1:
                    chosen = self._chosen(series)
                    if len(chosen) > 1 and len({point.order for point in chosen}) in (1, len(chosen)):
                        over = [(line, point, wanted) for point in chosen]
                        for sign, operation in (("average", "average"), ("median", "median")):
                            if sign in ask.cues:
                                yield self._made("number", operation, over)
                        if ask.cues & {"sum", "total"}:
                            yield self._made("number", "sum", over, own={f"over_{line.name[0]}": 1.0})

    def _across(self) -> Iterator[Reading]:
        """Calculations with figures of several lines: shares, ratios, differences and sums of measures."""
        ask = self.ask
        left, right = ask.sides
        if left and right and ask.cues & OF_SIDES:
            yield from self._of_sides(self.side(left), self.side(right))
        if ask.cues & {"share", "percent"}:
            yield from self._of_total()
        if len(ask.parts) > 1 and ask.cues & {"sum", "total", "average"}:
            yield from self._of_parts()

    def _of_sides(self, one: Wanted, other: Wanted) -> Iterator[Reading]:
        ask = self.ask
        for first, second in product(self.best_figures(one), self.best_figures(other)):
            a, b = first[1], second[1]
            if a is b:
                continue
            own = {
                "same_year": float(a.year == b.year),
                "same_column": float(a.view.column == b.view.column and a.view.row != b.view.row),
                "same_row": float(a.view.row == b.view.row and not first[0].is_text),
                "larger_by_smaller": float(abs(full(a.fact)) > abs(full(b.fact))),
            }
            pair = [first, second]
            if ask.cues & {"ratio", "share", "percent"}:
                yield self._made("number", "divide", pair, own=own)
            if "change" in ask.cues:
                yield self._made("number", "subtract", pair, own=own)
                yield self._made("number", "subtract", pair[::-1], own={"turned": 1.0} | own)
                if "rate of change" in ask.cues:
                    yield self._made("number", "percentage_change", pair, own=own)
            elif "less" in ask.cues:
                yield self._made("number", "subtract", pair, own=own)
            if ask.cues & {"sum", "total", "plus"}:
                yield self._made("number", "sum", pair, own=own)
            if "average" in ask.cues:
                yield self._made("number", "average", pair, own=own)

    def _of_total(self) -> Iterator[Reading]:
        """A figure as a share of the total that stands in its column, or at the end of its row."""
        totals: defaultdict[tuple[int, int], list[tuple[Line, Point]]] = defaultdict(list)
        for line in self.place.lines:
            if line.is_total and line.name[0] == "row":
                for point in line.points:
                    totals[point.view.column].append((line, point))
        for line, point, wanted in self.best_figures(self.whole, LINES):
            for whole_line, whole_point in totals.get(point.view.column, ()):
                if whole_point is not point:
                    yield self._made(
                        "number",
                        "divide",
                        [(line, point, wanted), (whole_line, whole_point, wanted)],
                        own={"of_total": 1.0},
                    )

    def _of_parts(self) -> Iterator[Reading]:
        """The best figure of each member of an enumeration, summed up or averaged."""
        for years in [[year] for year in self.ask.years] or [[]]:
            used: list[tuple[Line, Point, Wanted]] = []
            for stems in self.ask.parts:
                found = [
                    each
                    for each in self.best_figures(self.side(stems), 8)
                    if not years or each[1].year in years or each[1].year is None
                ]
                if found and found[0][1] not in [point for _, point, _ in used]:
                    used.append(found[0])
            if len(used) > 1:
                for operation in ("sum", "average"):
                    if self.ask.cues & ({"sum", "total"} if operation == "sum" else {"average"}):
                        yield self._made(
                            "number", operation, used, own={"of_parts": 1.0, "parts": min(len(used), 4) / 4}
                        )
