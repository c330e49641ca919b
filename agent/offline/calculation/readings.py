"""Which answers are possible: amounts; and figures listed, compared, counted, or named by their period or line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product

from tieout.agent.offline.calculation.amounts import Amounts
from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.calculation.ways import LINES
from tieout.agent.question.question import Kind, Question
from tieout.data.printed.periods.spans import months_of, span_of
from tieout.kg.lines import Point, by_section, groups
from tieout.kg.page import amount
from tieout.kg.sums import full
from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import content, manner_stems
from tieout.ontology.metrics.line_item import find_line_item, line_items

_LENGTHS = {"month": 1, "months": 1, "quarter": 3, "quarters": 3}  # in months


class Maker(Amounts):
    """Makes the readings of one question on one page."""

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

    def _lists(self) -> Iterator[Reading]:
        """Several figures as they are printed: of one line for the periods named, or of several lines for one."""
        ask, wanted = self.ask, self.whole
        if not (
            "respective" in ask.cues or len(ask.years) > 1 or len(ask.parts) > 1 or ask.cues & {"each"} or ask.when.last
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
                found = self.best_figures(self.side(stems), 1)
                if found and found[0][1] not in [point for _, point, _ in used]:
                    used.append(found[0])
            if len(used) > 1:
                yield self._made(
                    "list", "list", used, own={"of_parts": 1.0, "respective": float("respective" in ask.cues)}
                )

    def _in_order(self, points: Sequence[Point]) -> list[Point]:
        """In the order in which their periods are named, one for each."""
        years = self.ask.years
        if len(years) < 2 or any(point.year not in self.ask.when.expanded for point in points):
            return list(points)
        order = list(years) if set(self.ask.when.expanded) == set(years) else list(self.ask.when.expanded)
        if len(years) == 2 and years[0] > years[1] and len(order) > 2:
            order.reverse()
        first = {point.year: point for point in reversed(points)}
        return [first[year] for year in order if year in first]

    def _truths(self) -> Iterator[Reading]:
        """Whether one figure is greater than another: of two periods of one line, of two lines, or than a bound."""
        ask, wanted = self.ask, self.whole
        down = bool(ask.cues & {"below", "lowest", "down"})
        for line in self.best_lines(wanted, LINES):
            for series in groups(line):
                for new, old, why in self._pairs(series):
                    pair = [(line, new, wanted), (line, old, wanted)]
                    yield self._made("boolean", "greater", pair[::-1] if down else pair, own={why: 1.0})
        left, right = ask.sides
        if left and right:
            for first, second in product(self.best_figures(self.side(left)), self.best_figures(self.side(right))):
                if first[1] is not second[1]:
                    yield self._made(
                        "boolean", "greater", [second, first] if down else [first, second], own={"of_sides": 1.0}
                    )

    def _periods(self) -> Iterator[Reading]:
        """The periods of a line: those where its figure is the highest or lowest, or beyond a bound, or all of them."""
        ask, wanted = self.ask, self.whole
        for line in self.best_lines(wanted, 2 * LINES):
            for series in groups(line):
                points = [p for p in series if not p.is_change and (p.order is not None or p.head)]
                if ask.years and len(ask.when.expanded) > 1:
                    points = [point for point in points if point.year in ask.when.expanded] or points
                if length := _length(ask):
                    points = [point for point in points if _months(point) in (length, None)]
                is_extreme = bool(ask.cues & {"highest", "lowest"}) and ask.bound is None
                times = {point.fact.period for point in points}
                if not points or (is_extreme and (len(points) == 1 or (len(times) == 1 and None not in times))):
                    continue  # of one time, there is none to choose
                for chosen, why in self._where(points):
                    texts = tuple(dict.fromkeys(said(point, ask) for point in chosen))
                    used = [(line, point, wanted) for point in chosen or points[:1]]
                    dated = float(all(point.order is not None for point in points))
                    if "count" in ask.kinds:
                        counted = self._made(
                            "count",
                            "where",
                            used,
                            texts,
                            own={"dated": dated, why: 1.0, "of one": float(len(chosen) == 1)},
                        )
                        counted.points = tuple(chosen)
                        yield counted
                    else:
                        yield self._made("period", why, used, texts, own={"dated": dated})

    def _where(self, points: Sequence[Point]) -> Iterator[tuple[list[Point], str]]:
        """The points that a filter leaves, and its name."""
        ask = self.ask
        if ask.bound is not None:
            yield [point for point in points if beyond(point, ask.bound)], "where"
        elif ask.cues & {"highest", "lowest"}:
            best = (max if "highest" in ask.cues else min)(amount(point.fact) for point in points)
            yield [point for point in points if amount(point.fact) == best][:1], "extreme"
        else:
            yield list(points), "all"

    def _extremes(self) -> Iterator[Reading]:
        """The line, or the column, whose figure is the highest or lowest."""
        ask, wanted = self.ask, self.whole
        pick = max if "highest" in ask.cues else min
        for line in self.best_lines(wanted, 2 * LINES, dated=True):
            for series in groups(line) if line.name[0] == "row" else by_section(line):
                points = _parts([p for p in series if p.head and not p.is_change and not _is_sum(p)], ask)
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
                if "count" in ask.kinds and ask.bound is not None:
                    members = [p for p in members if beyond(p, ask.bound)]
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


def _is_sum(point: Point) -> bool:
    stems = content(point.head)
    return "total" in stems[:2] or point.head.lower().startswith("net ")


_ADJUSTED = frozenset(content("GAAP non-GAAP adjusted reported"))  # which make no part of what is measured


def _parts(points: Sequence[Point], ask: Question) -> list[Point]:
    """The figures of parts that may be asked for by name: without headings that say what is measured or of what they
    are the parts, and without what the rows above it add up to. Of several that the question itself names, those."""
    heads = {point.head: frozenset(content(point.head)) for point in points}
    said = frozenset(ask.stems)
    named = [point for point in points if heads[point.head] and heads[point.head] <= said - _measured(ask)]
    if len({point.head for point in named}) > 1:
        return named
    told = said | _measured(ask) | manner_stems()
    of_parts = language().forms["of which part"].search(ask.lower) is not None
    return [
        point
        for at, point in enumerate(points)
        if not heads[point.head] <= told
        and not _adds_up(points[:at], point)
        and not (of_parts and (find_line_item(point.head) is not None or heads[point.head] <= told | _ADJUSTED))
    ]


def _measured(ask: Question) -> frozenset[str]:
    """The stems of the measures that a question names, under all their names."""
    labels = [label for each in ask.named if each.name in line_items() for label in line_items()[each.name].labels]
    return frozenset(content(" ".join((*labels, *(each.said for each in ask.named)))))


def _adds_up(above: Sequence[Point], point: Point) -> bool:
    """Whether a figure is the sum of at least two directly above it, to the digit."""
    total, rest = Decimal(0), amount(point.fact)
    for count, each in enumerate(reversed(above), start=1):
        total += amount(each.fact)
        if count > 1 and rest and total == rest:
            return True
    return False


def beyond(point: Point, bound: Bound) -> bool:
    """Whether a figure is beyond a bound. Where the page states no scale, the bound is taken at the scale it has."""
    value, scale = bound.value, bound.scale
    fact = point.fact
    if scale is None or scale == 1:
        here = fact.value if scale is None or value < 10**5 or fact.scale == 1 else full(fact)
    else:
        here = full(fact) if fact.scale != 1 else fact.value * scale
        value = value * scale
    return here > value if bound.above else here < value


def said(point: Point, ask: Question) -> str:
    """How the period of a figure is told: its year, its quarter, or the header as printed."""
    if _length(ask) == 1:
        return point.head.strip()
    if point.quarter is not None and "quarter" in ask.lower:
        return point.head.strip()
    if point.year is not None and (point.quarter is None or "year" in ask.lower):
        return str(point.year)
    return point.head.strip()


def _length(ask: Question) -> int | None:
    """How many months the periods have among which one is asked for; None where the question says years, or not."""
    which = language().forms["which period"].search(ask.lower)
    return _LENGTHS.get(which[1] or "") if which else None


def _months(point: Point) -> int | None:
    days = span_of(point.fact.period)
    return None if days is None else months_of(days)
