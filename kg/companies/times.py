"""The times that a text names where it names several: halves, quarters, years, last days; and of which company each is.

The patterns are in times.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import PeriodKind, find_periods

_DAYS = later(r"[a-z].* to ", re.IGNORECASE)  # `June 2023 to March 2024`; `2022 to 2024` are years
CENTURY = 2000  # of a year whose last two digits alone are said
NEAR, ABOUT = 10, 46  # days between a day that is named, or the middle of a year, and that of a balance


@dataclass(frozen=True, slots=True)
class Time:
    """A time of which values are asked. year: fiscal, or of the day; 0 where that of another time is meant. period: the
    fiscal period. day: of which a balance is asked, however fiscal periods lie; near: how many days it may be off.
    start, end: where in the question it stands."""

    year: int
    period: str = "FY"
    day: date | None = None
    near: int = NEAR
    start: int = 0
    end: int = 0

    @property
    def key(self) -> tuple[int, str, date | None]:
        """What tells it from other times."""
        return self.year, self.period, self.day

    def is_of(self, year: int, period: str, ended: date | None) -> bool:
        """Whether a value of a fiscal year and period that ended on a day is of this time."""
        if self.day is None:
            return (year, period) == (self.year, self.period)
        return ended is not None and abs((ended - self.day).days) <= self.near

    @property
    def look_ups(self) -> Iterator[tuple[str, str]]:
        """The fiscal years and periods in which it may lie, as filters say them."""
        if self.day is None:
            yield str(self.year), self.period
        else:
            years = f"{self.year - 1}-{self.year + 1}"
            yield from ((years, period) for period in ("FY", "quarters"))


@lru_cache(maxsize=1)
def _words() -> tuple[re.Pattern[str], dict[str, int]]:
    """What names a time, and the number that each word of an order, `second`, stands for."""
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return re.compile("|".join(read["times"]), re.IGNORECASE), read["order"]


def times_in(text: str) -> tuple[Time, ...]:
    """The times that a text names, from left to right, each once; one without a year has that of the others."""
    return tuple({each.key: each for each in every_time(text)}.values())


def every_time(text: str) -> list[Time]:
    """The times that a text names, as often as it names them."""
    found = sorted((*_days(text), *_periods(text)), key=lambda each: (each.start, -each.end))
    kept: list[Time] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    years = [each.year for each in kept if each.year]
    dated = [each if each.year or not years else replace(each, year=years[0]) for each in kept]
    return [each for each in dated if each.year]


def _days(text: str) -> Iterator[Time]:
    for period, start, end in find_periods(text):
        if period.kind in (PeriodKind.DATE, PeriodKind.MONTH) and period.end is not None:
            yield Time(period.end.year, day=period.end, start=start, end=end)
        elif period.kind is PeriodKind.SPAN and period.start and period.end and _DAYS.search(period.label):
            middle = start + period.label.index(" to ")
            yield Time(period.start.year, day=period.start, start=start, end=middle)
            yield Time(period.end.year, day=period.end, start=middle, end=end)


def _periods(text: str) -> Iterator[Time]:
    for each in _words()[0].finditer(text):
        start, end = each.span()
        half, quarter = each["h"] or each["half"], each["q"] or each["quarter"]
        if half is not None:
            yield Time(int(each["of_half"] or 0), f"H{_number(half)}", start=start, end=end)
        elif quarter is not None:
            yield Time(int(each["of_quarter"] or 0), f"Q{_number(quarter)}", start=start, end=end)
        elif each["of_short"] is not None:
            quarter = each["before"] or each["behind"]
            yield Time(CENTURY + int(each["of_short"]), f"Q{quarter}", start=start, end=end)
        elif each["mid"] is not None:
            year = int(each["mid"])
            yield Time(year, day=date(year, 6, 30), near=ABOUT, start=start, end=end)
        else:
            yield Time(int(each["year"] or CENTURY + int(each["short"])), start=start, end=end)


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _words()[1][said.lower()]


def by_company(text: str, mentions: Sequence[tuple[str, int]]) -> tuple[tuple[str, Time], ...]:
    """Which company is asked of which time, where each has its own beside it: `Acme in 2023 or Orion in 2020`, `2023 of
    Acme and 2020 of Orion`; () where that is not so, or all have one. mentions: the companies, with where they stand,
    one that is named again without a time of its own too."""
    times = every_time(text)
    if len({each.key for each in times}) < 2:
        return ()
    marks: list[tuple[int, str | Time]] = [
        *((at, name) for name, at in mentions),
        *((each.start, each) for each in times),
    ]
    ordered = [mark for _, mark in sorted(marks, key=lambda each: each[0])]
    for step in (-1, 1):
        found: dict[str, Time] = {}
        for at, mark in enumerate(ordered):
            beside = ordered[at + step] if 0 <= at + step < len(ordered) else None
            if isinstance(mark, Time) and not (
                isinstance(beside, str) and found.setdefault(beside, mark).key == mark.key
            ):
                break
        else:
            if found.keys() == {name for name, _ in mentions}:
                return tuple(found.items())
    return ()
