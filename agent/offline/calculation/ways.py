"""What all ways to a reading share: how well figures fit, pairs of periods, and how a reading is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from tieout.agent.offline.calculation.reading import Part, Reading
from tieout.agent.offline.operands.fitting import Features, Place, Wanted, line_features, point_features, side, whole
from tieout.agent.question.question import Kind, Question
from tieout.kg.lines import Line, Point
from tieout.ontology.labels.alike import spelled

LINES, OF_A_SIDE = 8, 4  # the best ones that are calculated with
Score = Callable[[Features], float]


class Ways:
    """The figures of one page for one question.

    score: what features are worth under the weights at hand.
    """

    def __init__(self, ask: Question, place: Place, score: Score) -> None:
        self.ask, self.place, self.score = ask, place, score
        self._points: dict[object, tuple[Features, float]] = {}
        self._lines: dict[object, tuple[Features, float]] = {}
        self._is_said = cache(ask.says)
        self.whole = whole(ask)
        self._sides: dict[tuple[str, ...], Wanted] = {}

    def side(self, stems: Iterable[str]) -> Wanted:
        """One side of what the question compares or adds up."""
        key = tuple(stems)
        if key not in self._sides:
            self._sides[key] = side(key, self.ask)
        return self._sides[key]

    def figure(self, line: Line, point: Point, wanted: Wanted) -> tuple[Part, float]:
        """The features of a figure for what is wanted, those of its line apart, and its score."""
        under = line, point.heads, wanted
        at_line = self._lines.get(under)
        if at_line is None:
            at_line = self._lines[under] = self._of_line(*under)
        key = (point, wanted) if line.is_text else (point.sort, self._is_said(point.head))
        at_point = self._points.get(key)
        if at_point is None:  # what it adds: of a table whatever is wanted, and alike for all of its sort
            own = point_features(point, line, wanted, self.ask, self.place)
            at_point = self._points[key] = own, self.score(own)
        return (at_line[0], at_point[0]), at_line[1] + at_point[1]

    def _of_line(self, line: Line, heads: frozenset[str], wanted: Wanted) -> tuple[Features, float]:
        """What a line says for all its figures that stand under the same, and the score of that: alike for all lines
        that are spelled as much as what is wanted, and have the same where they have a word of it."""
        parts = (line.labels, heads, line.sections, line.captions)
        said = [bool(each) if wanted.words.isdisjoint(each) else each for each in parts]
        sort = (*said, spelled(line.label, wanted.text), line.is_total, line.is_text, wanted)
        found = self._lines.get(sort)
        if found is None:
            features = line_features(line, heads, wanted, self.place)
            found = self._lines[sort] = features, self.score(features)
        return found

    def best_lines(self, wanted: Wanted, count: int, dated: bool = False) -> list[Line]:
        """The lines whose best figure is worth most. dated: also columns of a period."""
        scored = [
            (max([self.figure(line, point, wanted)[1] for point in line.points]), -number, line)
            for number, line in enumerate(self.place.lines)
            if dated or not line.is_dated
        ]
        return [line for _, _, line in sorted(scored, key=lambda each: each[:2], reverse=True)[:count]]

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

    def _made(
        self,
        kind: Kind,
        operation: str,
        used: Sequence[tuple[Line, Point, Wanted]],
        texts: tuple[str, ...] = (),
        own: Mapping[str, float] | None = None,
    ) -> Reading:
        name = f"{kind} {operation}"
        found = self._own(name, used)
        if own:
            found = found | {f"{name}: {each.replace('_', ' ')}": value for each, value in own.items()}
        figures = [self.figure(*each) for each in used]
        worth = sum([score for _, score in figures]) / len(figures) if figures else 0.0
        lines = tuple(dict.fromkeys([line for line, _, _ in used]))
        points = tuple([point for _, point, _ in used])
        return Reading(kind, operation, points, texts, found, tuple([each for each, _ in figures]), lines, worth)

    def _own(self, name: str, used: Sequence[tuple[Line, Point, Wanted]]) -> Features:
        """What the question says for a kind of answer and an operation of figures of these years."""
        ask, found = self.ask, self._of_name(name)
        if not used or not ask.years:
            return found
        there = frozenset([point.year for _, point, _ in used])
        found["all years"] = float(there.issuperset(ask.years))
        found["only years"] = float(there.issubset(ask.when.expanded))
        return found

    def _of_name(self, name: str) -> Features:
        """What the question says for a kind of answer and an operation, whatever the figures."""
        ask = self.ask
        found: Features = {f"is {name}": 1.0, f"is {name}, {min(len(ask.years), 3)} years": 1.0}
        for sign in ask.cues or ("no sign",):
            found[f"is {name}, {sign}"] = 1.0
        found[f"is {name}, asked for a {ask.kinds[0]}"] = 1.0
        return found

    def _pairs(self, series: Sequence[Point]) -> Iterator[tuple[Point, Point, str]]:
        """Two figures that are compared, the later one first, and by what they were chosen."""
        ask = self.ask
        dated = sorted((p for p in series if p.order is not None and not p.is_change), key=lambda p: p.order or ())
        named = [point for point in dated if point.year in ask.years]
        if ask.when.quarters:
            named = [point for point in named or dated if point.quarter in ask.when.quarters]
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
            first, second = sorted(asked, key=lambda p: -len(p.heads & self.whole.stems) / len(p.heads))[:2]
            one, other = sorted((first, second), key=lambda p: _where(p, ask))
            yield one, other, "named columns"
            yield other, one, "named columns turned"

    def _chosen(self, series: Sequence[Point]) -> list[Point]:
        """The figures of a line that are asked for: of the periods named, the last so many, the heads named, or all."""
        ask = self.ask
        kept = [point for point in series if not point.is_change]
        dated = [point for point in kept if point.year is not None]
        if ask.when.last and dated:
            return sorted(dated, key=lambda p: p.order or (), reverse=True)[: ask.when.last]
        if ask.years and dated:
            return [point for point in dated if point.year in ask.when.expanded]
        asked = [point for point in kept if point.heads and point.heads <= self.whole.stems]
        return asked if len(asked) > 1 else [p for p in kept if "total" not in p.heads]


def _where(point: Point, ask: Question) -> int:
    """Where in the question the header of a figure is first named."""
    words = [ask.stems.index(each) for each in point.heads if each in ask.stems]
    return min(words, default=99)
