"""Which answers are possible: figures of lines looked up, calculated with, listed, counted, or named by their
period."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from typing import Literal

from tieout.agent.offline.question import sides as sides_of_share
from tieout.agent.offline.whole.asked import Ask, content
from tieout.agent.offline.whole.fitting import (
    Features,
    Place,
    Wanted,
    line_features,
    point_features,
    side,
    whole,
)
from tieout.agent.offline.whole.lines import Line, Point, amount, full
from tieout.data.printed.amount import Unit
from tieout.kg.fact import Fact

Kind = Literal["number", "boolean", "count", "period", "name", "names", "list", "words"]
LINES, OF_A_SIDE = 8, 4  # the best ones that are calculated with
Score = Callable[[Features], float]


@dataclass(slots=True, eq=False)
class Reading:
    """One possible answer.

    operation: as in `tieout.agent.arithmetic.operations`, or `lookup`, `list`, `where`, `extreme`, `names`, `quote`.
    points: the figures under it, operands in order. texts: what is said, for an answer in words.
    own: features of the reading itself; parts: those of its figures, averaged into one.
    """

    kind: Kind
    operation: str
    points: tuple[Point, ...]
    texts: tuple[str, ...] = ()
    own: Features = field(default_factory=dict)
    parts: tuple[Features, ...] = ()
    lines: tuple[Line, ...] = ()

    def features(self) -> Features:
        """All of it: its own, and the mean of those of its figures."""
        found = dict(self.own)
        for part in self.parts:
            for name, value in part.items():
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
        return calculated(self.operation, [point.fact for point in self.points])


def calculated(operation: str, facts: Sequence[Fact]) -> Decimal | bool | None:
    """The result of an operation over figures, brought to one scale where they differ."""
    least = min(fact.scale for fact in facts)
    values = [amount(fact) * (fact.scale // least if operation != "lookup" else 1) for fact in facts]
    match operation:
        case "lookup":
            return values[0]
        case "subtract":
            return values[0] - values[1]
        case "percentage_change":
            return (values[0] - values[1]) / values[1] if values[1] else None
        case "divide":
            return values[0] / values[1] if values[1] else None
        case "greater":
            return values[0] > values[1]
        case "sum":
            return sum(values, Decimal(0))
        case "average":
            return sum(values, Decimal(0)) / len(values)
        case "median":
            ordered = sorted(values)
            middle = len(ordered) // 2
            return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
        case "multiply":
            return values[0] * values[1]
    raise ValueError(f"no operation {operation!r}")


class Maker:
    """Makes the readings of one question on one page.

    score: what a figure is worth by its features, under the weights at hand.
    """

    def __init__(self, ask: Ask, place: Place, score: Score) -> None:
        self.ask, self.place, self.score = ask, place, score
        self._figures: dict[tuple[int, Wanted], tuple[Features, float]] = {}
        self._lines: dict[tuple[int, Wanted], Features] = {}
        self.whole = whole(ask)

    def figure(self, line: Line, point: Point, wanted: Wanted) -> tuple[Features, float]:
        """The features of a figure for what is wanted, and its score."""
        key = (id(point), wanted)
        if key not in self._figures:
            of_line = (id(line), wanted)
            if of_line not in self._lines:
                self._lines[of_line] = line_features(line, wanted, self.place)
            found = self._lines[of_line] | point_features(point, line, wanted, self.ask, self.place)
            found = {name: value for name, value in found.items() if value}
            self._figures[key] = (found, self.score(found))
        return self._figures[key]

    def best_lines(self, wanted: Wanted, count: int, dated: bool = False) -> list[Line]:
        """The lines whose best figure is worth most. dated: also columns of a period."""
        scored = [
            (max(self.figure(line, point, wanted)[1] for point in line.points), -number, line)
            for number, line in enumerate(self.place.lines)
            if dated or not line.is_dated
        ]
        return [line for _, _, line in sorted(scored, key=lambda each: each[:2], reverse=True)[:count]]

    def readings(self) -> Iterator[Reading]:
        """All of them, in an order that is always the same."""
        kinds = self.ask.kinds
        if "number" in kinds:
            yield from self._lookups()
            yield from self._along()
            yield from self._across()
            yield from self._lists()
        if "boolean" in kinds:
            yield from self._truths()
        if "period" in kinds or "count" in kinds:
            yield from self._periods()
        if "name" in kinds:
            yield from self._extremes()
        if "names" in kinds or "count" in kinds:
            yield from self._names()

    def _made(
        self,
        kind: Kind,
        operation: str,
        used: Sequence[tuple[Line, Point, Wanted]],
        texts: tuple[str, ...] = (),
        own: Mapping[str, float] | None = None,
    ) -> Reading:
        ask = self.ask
        name = f"{kind} {operation}"
        years = f"{min(len(ask.years), 3)} years"
        found: Features = {f"is {name}": 1.0, f"is {name}, {years}": 1.0}
        for sign in ask.signs:
            found[f"is {name}, {sign}"] = 1.0
        if not ask.signs:
            found[f"is {name}, no sign"] = 1.0
        found[f"is {name}, asked for a {ask.kinds[0]}"] = 1.0
        if used and ask.years:
            there = {point.year for _, point, _ in used}
            found["all years"] = float(set(ask.years) <= there)
            found["only years"] = float(there <= set(ask.expanded))
        for each, value in (own or {}).items():
            found[f"{name}: {each.replace('_', ' ')}"] = value
        parts = tuple(self.figure(line, point, wanted)[0] for line, point, wanted in used)
        lines = tuple(dict.fromkeys(line for line, _, _ in used))
        return Reading(kind, operation, tuple(point for _, point, _ in used), texts, found, parts, lines)

    # Numbers

    def _lookups(self) -> Iterator[Reading]:
        for line in self.place.lines:
            if line.name[0] != "column":
                for point in line.points:
                    own = self._of_a_change(point) if self.ask.asks_change else None
                    yield self._made("number", "lookup", [(line, point, self.whole)], own=own)

    def _of_a_change(self, point: Point) -> dict[str, float]:
        """How a figure fits a question for a change: printed as one, and in percent where that is asked."""
        in_percent = point.fact.unit == Unit.PERCENT
        return {
            "of_a_change": float(point.is_change),
            "of_a_change_as_asked": float(point.is_change and in_percent == ("percentage change" in self.ask.signs)),
        }

    def _along(self) -> Iterator[Reading]:
        """Calculations with figures of one line: changes between two periods, sums and averages over several."""
        ask, wanted = self.ask, self.whole
        for line in self.best_lines(wanted, LINES):
            for series in groups(line):
                used = [(line, point, wanted) for point in series]
                if ask.signs & {"change", "percentage change", "ratio", "share", "percent"}:
                    for new, old, why in self._pairs(series):
                        pair = [(line, new, wanted), (line, old, wanted)]
                        yield self._made("number", "subtract", pair, own={why: 1.0})
                        yield self._made("number", "percentage_change", pair, own={why: 1.0})
                        if ask.signs & {"ratio", "share"}:
                            yield self._made("number", "divide", pair, own={why: 1.0})
                if ask.signs & {"average", "sum", "total", "median"} and len(used) > 1:
                    chosen = self._chosen(series)
                    if len(chosen) > 1 and len({point.order for point in chosen}) in (1, len(chosen)):
                        over = [(line, point, wanted) for point in chosen]
                        for sign, operation in (("average", "average"), ("median", "median")):
                            if sign in ask.signs:
                                yield self._made("number", operation, over)
                        if ask.signs & {"sum", "total"}:
                            yield self._made("number", "sum", over, own={f"over_{line.name[0]}": 1.0})

    def _pairs(self, series: Sequence[Point]) -> Iterator[tuple[Point, Point, str]]:
        """Two figures that are compared, the later one first, and by what they were chosen."""
        ask = self.ask
        dated = sorted((p for p in series if p.order is not None and not p.is_change), key=lambda p: p.order or ())
        named = [point for point in dated if point.year in ask.years]
        if ask.quarters:
            named = [point for point in named or dated if point.quarter in ask.quarters]
        if len({point.order for point in named}) > 1:
            yield named[-1], named[0], "named"
        elif len(named) == 1 and len(dated) > 1:
            place = dated.index(named[0])
            if place:
                yield dated[place], dated[place - 1], "year before"
        elif len(dated) > 1 and not ask.years:
            yield dated[-1], dated[-2], "latest two"
            if len(dated) > 2:
                yield dated[-1], dated[0], "first and last"
        asked = [p for p in series if p.heads and (p.heads & self.whole.stems) and not p.is_change]
        if len(asked) > 1 and len({point.order for point in asked}) == 1:
            first, second = sorted(asked, key=lambda p: -self._share(p))[:2]
            one, other = sorted((first, second), key=lambda p: _where(p, ask))
            yield one, other, "named columns"
            yield other, one, "named columns turned"

    def _share(self, point: Point) -> float:
        return len(point.heads & self.whole.stems) / len(point.heads)

    def _chosen(self, series: Sequence[Point]) -> list[Point]:
        """The figures of a line that are asked for: of the periods named, the last so many, the heads named, or all."""
        ask = self.ask
        kept = [point for point in series if not point.is_change]
        dated = [point for point in kept if point.year is not None]
        if ask.last is not None and dated:
            return sorted(dated, key=lambda p: p.order or (), reverse=True)[: ask.last]
        if ask.years and dated:
            return [point for point in dated if point.year in ask.expanded]
        asked = [point for point in kept if point.heads and point.heads <= self.whole.stems]
        return asked if len(asked) > 1 else [p for p in kept if "total" not in p.heads]

    def _across(self) -> Iterator[Reading]:
        """Calculations with figures of several lines: shares, ratios, differences and sums of measures."""
        ask = self.ask
        left, right = (ask.left, ask.right) if ask.left and ask.right else _both(ask)
        if left and right and ask.signs & {"change", "ratio", "share", "percent", "product", "sum", "total", "average"}:
            yield from self._of_sides(side(left, ask), side(right, ask))
        if ask.signs & {"share", "percent"}:
            yield from self._of_total()
        if len(ask.parts) > 1 and ask.signs & {"sum", "total", "average"}:
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
            if ask.signs & {"ratio", "share", "percent"}:
                yield self._made("number", "divide", pair, own=own)
            if "change" in ask.signs:
                yield self._made("number", "subtract", pair, own=own)
                yield self._made("number", "subtract", pair[::-1], own={"turned": 1.0} | own)
                if "percentage change" in ask.signs:
                    yield self._made("number", "percentage_change", pair, own=own)
            if ask.signs & {"sum", "total"}:
                yield self._made("number", "sum", pair, own=own)
            if "average" in ask.signs:
                yield self._made("number", "average", pair, own=own)

    def best_figures(self, wanted: Wanted, count: int = OF_A_SIDE) -> list[tuple[Line, Point, Wanted]]:
        """The figures that are worth most, of rows and sentences."""
        scored = [
            (self.figure(line, point, wanted)[1], -number, line, point)
            for number, (line, point) in enumerate(
                (line, point) for line in self.place.lines if line.name[0] != "column" for point in line.points
            )
        ]
        best = sorted(scored, key=lambda each: each[:2], reverse=True)[:count]
        return [(line, point, wanted) for _, _, line, point in best]

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
                    for each in self.best_figures(side(stems, self.ask), 8)
                    if not years or each[1].year in years or each[1].year is None
                ]
                if found and found[0][1] not in [point for _, point, _ in used]:
                    used.append(found[0])
            if len(used) > 1:
                for operation in ("sum", "average"):
                    if self.ask.signs & ({"sum", "total"} if operation == "sum" else {"average"}):
                        yield self._made(
                            "number", operation, used, own={"of_parts": 1.0, "parts": min(len(used), 4) / 4}
                        )

    # Lists

    def _lists(self) -> Iterator[Reading]:
        """Several figures as they are printed: of one line for the periods named, or of several lines for one."""
        ask, wanted = self.ask, self.whole
        if not (
            "respective" in ask.signs or len(ask.years) > 1 or len(ask.parts) > 1 or ask.signs & {"each"} or ask.last
        ):
            return
        for line in self.best_lines(wanted, LINES):
            for series in groups(line):
                chosen = self._in_order(self._chosen(series))
                if len(chosen) > 1:
                    used = [(line, point, wanted) for point in chosen]
                    yield self._made("list", "list", used, own={f"of_{line.name[0]}": 1.0})
        if len(ask.parts) > 1:
            used = []
            for stems in ask.parts:
                found = self.best_figures(side(stems, ask), 1)
                if found and found[0][1] not in [point for _, point, _ in used]:
                    used.append(found[0])
            if len(used) > 1:
                yield self._made(
                    "list", "list", used, own={"of_parts": 1.0, "respective": float("respective" in ask.signs)}
                )

    def _in_order(self, points: Sequence[Point]) -> list[Point]:
        """In the order in which their periods are named, one for each."""
        years = self.ask.years
        if len(years) < 2 or any(point.year not in self.ask.expanded for point in points):
            return list(points)
        order = list(years) if set(self.ask.expanded) == set(years) else list(self.ask.expanded)
        if len(years) == 2 and years[0] > years[1] and len(order) > 2:
            order.reverse()
        first = {point.year: point for point in reversed(points)}
        return [first[year] for year in order if year in first]

    # Truths

    def _truths(self) -> Iterator[Reading]:
        """Whether one figure is greater than another: of two periods of one line, of two lines, or than a bound."""
        ask, wanted = self.ask, self.whole
        down = bool(ask.signs & {"below", "lowest"}) or any(
            word in ask.lower
            for word in ("decreas", "declin", "fall", "fell", "drop", "reduc", "shrink", "less", "lower")
        )
        for line in self.best_lines(wanted, LINES):
            for series in groups(line):
                for new, old, why in self._pairs(series):
                    pair = [(line, new, wanted), (line, old, wanted)]
                    yield self._made("boolean", "greater", pair[::-1] if down else pair, own={why: 1.0})
        if ask.left and ask.right:
            for first, second in product(
                self.best_figures(side(ask.left, ask)), self.best_figures(side(ask.right, ask))
            ):
                if first[1] is not second[1]:
                    yield self._made(
                        "boolean", "greater", [second, first] if down else [first, second], own={"of_sides": 1.0}
                    )

    # Periods and counts

    def _periods(self) -> Iterator[Reading]:
        """The periods of a line: those where its figure is the highest or lowest, or beyond a bound, or all of them."""
        ask, wanted = self.ask, self.whole
        for line in self.best_lines(wanted, 2 * LINES):
            for series in groups(line):
                points = [p for p in series if not p.is_change and (p.order is not None or p.head)]
                if ask.years and len(ask.expanded) > 1:
                    points = [point for point in points if point.year in ask.expanded] or points
                if not points:
                    continue
                for chosen, why in self._where(points):
                    texts = tuple(dict.fromkeys(said(point, ask) for point in chosen))
                    used = [(line, point, wanted) for point in chosen or points[:1]]
                    dated = float(all(point.order is not None for point in points))
                    if "count" in ask.kinds:
                        counted = self._made("count", "where", used, texts, own={"dated": dated, why: 1.0})
                        counted.points = tuple(chosen)
                        yield counted
                    else:
                        yield self._made("period", why, used, texts, own={"dated": dated})

    def _where(self, points: Sequence[Point]) -> Iterator[tuple[list[Point], str]]:
        """The points that a filter leaves, and its name."""
        ask = self.ask
        if ask.bound is not None and ask.signs & {"above", "below"}:
            above = "above" in ask.signs
            yield [point for point in points if beyond(point, ask.bound, above)], "where"
        elif ask.signs & {"highest", "lowest"}:
            best = (max if "highest" in ask.signs else min)(amount(point.fact) for point in points)
            yield [point for point in points if amount(point.fact) == best][:1], "extreme"
        else:
            yield list(points), "all"

    # Names

    def _extremes(self) -> Iterator[Reading]:
        """The line, or the column, whose figure is the highest or lowest."""
        ask, wanted = self.ask, self.whole
        pick = max if "highest" in ask.signs else min
        for line in self.best_lines(wanted, 2 * LINES, dated=True):
            for series in groups(line) if line.name[0] == "row" else by_section(line):
                points = [p for p in series if p.head and not p.is_change and not _is_sum(p)]
                if any(point.year is not None and not point.heads for point in points):
                    continue  # these are periods, and no names
                if ask.years:
                    points = [p for p in points if p.year in ask.years or p.year is None]
                if len(points) > 1:
                    best = pick(points, key=lambda point: amount(point.fact))
                    section = content(best.fact.section)
                    own = {
                        f"of_{line.name[0]}": 1.0,
                        "dated": float(line.is_dated),
                        "section_asked": len(set(section) & wanted.stems) / max(len(section), 1),
                        "units_differ": float(len({point.fact.unit for point in points}) > 1),
                        "many": float(len(points) > 8),
                    }
                    yield self._made("name", "extreme", [(line, best, wanted)], (best.head.strip(),), own=own)

    def _names(self) -> Iterator[Reading]:
        """The labels of the rows under a heading, or of all rows, or of the columns; counted where that is asked."""
        ask, wanted = self.ask, self.whole
        for line in self.place.lines:
            if line.is_text:
                continue
            for series in by_section(line):
                rows = [p for p in series if p.head.strip() and not p.is_change]
                if line.name[0] == "row" and any(point.year is not None for point in rows):
                    continue
                members = [point for point in rows if not _is_sum(point)]
                if len(members) < 2:
                    continue
                if "count" in ask.kinds and ask.bound is not None and ask.signs & {"above", "below"}:
                    members = [p for p in members if beyond(p, ask.bound, "above" in ask.signs)]
                texts = tuple(dict.fromkeys(point.head.strip() for point in members))
                section = members[0].fact.section if members else ""
                own = {
                    "section_asked": len(frozenset(content(section)) & wanted.stems) / max(len(content(section)), 1),
                    "no_section": float(not section),
                    "of_column": float(line.name[0] == "column"),
                    "sum_asked": max((_overlap(p.head, wanted.stems) for p in rows if _is_sum(p)), default=0.0),
                    "title_asked": len(line.captions & frozenset(ask.core)) / max(len(ask.core), 1),
                    "many": float(len(texts) > 7),
                    "first_column": float(line.name[2] == 1),
                }
                used = [(line, point, wanted) for point in members[:3] or rows[:1]]
                kind: Kind = "count" if "count" in ask.kinds else "names"
                made = self._made(kind, "names", used, texts, own=own)
                made.points = tuple(members)
                yield made


def _overlap(text: str, stems: frozenset[str]) -> float:
    own = frozenset(content(text))
    return len(own & stems) / len(own) if own else 0.0


def _both(ask: Ask) -> tuple[tuple[str, ...], tuple[str, ...]]:
    left, right = sides_of_share(ask.lower)
    return content(left), content(right)


def _where(point: Point, ask: Ask) -> int:
    """Where in the question the header of a figure is first named."""
    words = [ask.stems.index(each) for each in point.heads if each in ask.stems]
    return min(words, default=99)


def _is_sum(point: Point) -> bool:
    stems = content(point.head)
    return "total" in stems[:2] or point.head.lower().startswith("net ")


def beyond(point: Point, bound: tuple[Decimal, int | None], above: bool) -> bool:
    """Whether a figure is beyond a bound. Where the page states no scale, the bound is taken at the scale it has."""
    value, scale = bound
    fact = point.fact
    if scale is None or scale == 1:
        here = fact.value if scale is None or value < 10**5 or fact.scale == 1 else full(fact)
    else:
        here = full(fact) if fact.scale != 1 else fact.value * scale
        value = value * scale
    return here > value if above else here < value


def groups(line: Line) -> Iterator[list[Point]]:
    """The figures of a line that differ in period alone: those under the same words; else all of them."""
    by_head: defaultdict[frozenset[str], list[Point]] = defaultdict(list)
    for point in line.points:
        by_head[point.heads if point.order is not None else frozenset()].append(point)
    yield from by_head.values()
    if len(by_head) > 1:
        yield list(line.points)


def by_section(line: Line) -> Iterator[list[Point]]:
    """The figures of a column by the heading above their rows; and all of them."""
    found: defaultdict[str, list[Point]] = defaultdict(list)
    for point in line.points:
        found[point.fact.section].append(point)
    yield from found.values()
    if len(found) > 1:
        yield list(line.points)


def said(point: Point, ask: Ask) -> str:
    """How the period of a figure is told: its year, its quarter, or the header as printed."""
    if point.quarter is not None and "quarter" in ask.lower:
        return point.head.strip()
    if point.year is not None and (point.quarter is None or "year" in ask.lower):
        return str(point.year)
    return point.head.strip()


def facts_of(readings: Iterable[Reading]) -> tuple[str, ...]:
    """Names of the figures under readings."""
    return tuple(dict.fromkeys(point.fact.name for each in readings for point in each.points))
