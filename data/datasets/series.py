"""What series need, as functions for scripts: plain lists in, plain lists and numbers out, a gap is None.

Columns of decimals stay decimals where only the four operations are used; all else works in binary floats, by numpy.
Raises SeriesError, told to whoever wrote the script, for what makes no sense.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from decimal import Decimal
from typing import Any

Number = int | float | Decimal
Values = Sequence[Number | None]
MOST = 1_000_000
MOST_BITS = 4096  # of a whole number: a product of whole numbers grows without end
_until: ContextVar[float] = ContextVar("until", default=math.inf)


GROUPS = {"month": 1, "quarter": 3, "year": 12}  # months in each


@contextmanager
def deadline(until: float) -> Iterator[None]:
    """Until when what is called here may work, by time.monotonic; then it raises TimeoutError."""
    before = _until.set(until)
    try:
        yield
    finally:
        _until.reset(before)


def still() -> None:
    """Is called wherever work goes on for as long as there are values. Raises TimeoutError."""
    if time.monotonic() > _until.get():
        raise TimeoutError("the script was stopped: its time is used up")


class SeriesError(ValueError):
    """A call that makes no sense: lists of unequal length, a window of nothing, a word that is not known."""


def numbers(values: object, what: str = "the values") -> list[Number | None]:
    """A list of numbers and gaps. Raises SeriesError for anything else, and for decimals beside binary floats."""
    still()
    if not isinstance(values, list | tuple) or len(values) > MOST:
        raise SeriesError(f"{what} must be a list of at most {MOST} numbers")
    for value in values:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | Decimal)):
            raise SeriesError(f"{what} hold {value!r:.60}, which is no number")
        _check_size(value)
    found = [None if isinstance(value, float) and not math.isfinite(value) else value for value in values]
    if any(isinstance(value, float) for value in found) and any(isinstance(value, Decimal) for value in found):
        raise SeriesError(f"{what} mix decimals and binary floats: convert one of them")
    return found


def _check_size(value: object) -> None:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise SeriesError(f"a whole number of more than {MOST_BITS} bits is too large")


def _same_length(**lists: Sequence[object]) -> None:
    if len({len(each) for each in lists.values()}) > 1:
        raise SeriesError(
            "lists of unequal length: " + ", ".join(f"{name} {len(each)}" for name, each in lists.items())
        )


def _positive(count: object, what: str) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
        raise SeriesError(f"{what} must be a whole number from 1")
    return count


def dates_of(dates: object) -> list[date]:
    """A list of dates without gaps. Raises SeriesError."""
    if not isinstance(dates, list | tuple) or not all(isinstance(each, date) for each in dates):
        raise SeriesError("the dates must be a list of dates without gaps")
    return list(dates)


def _present(values: object, what: str = "the values") -> list[Number]:
    found = [value for value in numbers(values, what) if value is not None]
    if not found:
        raise SeriesError(f"{what} are all gaps")
    return found


# One list


def lag(values: Values, n: int = 1) -> list[Number | None]:
    """Each value n places later."""
    found, n = numbers(values), _positive(n, "n")
    return [*[None] * min(n, len(found)), *found[: max(0, len(found) - n)]]


def diff(values: Values, n: int = 1) -> list[Any]:
    """Each value less the one n places before."""
    found = numbers(values)
    return [
        None if new is None or old is None else new - old  # type: ignore[operator]
        for new, old in zip(found, lag(found, n), strict=True)
    ]


def pct_change(values: Values, n: int = 1) -> list[Any]:
    """The change from n places before, as a part of it: 0.02 is 2 percent."""
    found = numbers(values)
    return [
        None if new is None or old is None or old == 0 else new / old - 1  # type: ignore[operator]
        for new, old in zip(found, lag(found, n), strict=True)
    ]


def total(values: Values) -> Number:
    """The sum of what is there; floats are added without loss on the way."""
    found = _present(values)
    return math.fsum(found) if any(isinstance(value, float) for value in found) else sum(found)


def mean(values: Values) -> Number:
    """The average of what is there."""
    found = _present(values)
    return total(found) / len(found)


def _extreme(choose: Callable[[list[Number]], Number]) -> Callable[[Values], Number]:
    return lambda values: choose(_present(values))


HOW: dict[str, Callable[[Values], Number]] = {
    "mean": mean,
    "sum": total,
    "min": _extreme(min),
    "max": _extreme(max),
    "last": _extreme(lambda found: found[-1]),
    "first": _extreme(lambda found: found[0]),
}


def _how(how: object) -> Callable[[Values], Number]:
    if not isinstance(how, str) or how not in HOW:
        raise SeriesError(f"how {how!r:.40} is not known; there are: {', '.join(HOW)}")
    return HOW[how]


def rolling(values: Values, window: int, how: str = "mean") -> list[Number | None]:
    """Over the window that ends at each place; None where it has a gap or is not full."""
    found, window, apply = numbers(values), _positive(window, "window"), _how(how)
    if window * len(found) > 50 * MOST:
        raise SeriesError(f"a window of {window} over {len(found)} values is too much work")
    out: list[Number | None] = []
    for end in range(1, len(found) + 1):
        part = found[max(0, end - window) : end]
        out.append(apply(part) if len(part) == window and None not in part else None)
    return out


def cumulative(values: Values, how: str = "sum") -> list[Any]:
    """The sum, product, min or max of all up to each place; a gap stays one."""
    steps: dict[str, Callable[[Any, Any], Any]] = {
        "sum": lambda a, b: a + b,
        "product": lambda a, b: a * b,
        "min": min,
        "max": max,
    }
    if how not in steps:
        raise SeriesError(f"how {how!r:.40} is not known; there are: {', '.join(steps)}")
    out: list[Any] = []
    held: Any = None
    for value in numbers(values):
        held = value if held is None else held if value is None else steps[how](held, value)
        _check_size(held)
        out.append(None if value is None else held)
    return out


def drawdown(values: Values) -> list[Any]:
    """How far each value is below the highest before it, as a part of that: -0.2 is 20 percent below."""
    found = numbers(values)
    return [
        None if value is None or peak == 0 else value / peak - 1
        for value, peak in zip(found, cumulative(found, "max"), strict=True)
    ]


def percentile(values: Values, percent: Number) -> float:
    """The percentile of what is there, between the nearest two by straight line. percent: 0 to 100."""
    import numpy as np

    if isinstance(percent, bool) or not isinstance(percent, int | float | Decimal) or not 0 <= percent <= 100:
        raise SeriesError("percent must be from 0 to 100")
    return float(np.percentile([float(value) for value in _present(values)], float(percent)))


def deviation(values: Values) -> float:
    """The standard deviation of a sample (n - 1)."""
    import numpy as np

    found = [float(value) for value in _present(values)]
    if len(found) < 2:
        raise SeriesError("a deviation needs two values")
    return float(np.std(found, ddof=1))


# Two lists


def _pairs(x: Values, y: Values, least: int) -> tuple[list[float], list[float]]:
    one, other = numbers(x, "x"), numbers(y, "y")
    _same_length(x=one, y=other)
    both = [(float(a), float(b)) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(both) < least:
        raise SeriesError(f"{len(both)} places have both values, {least} are needed")
    return [a for a, _ in both], [b for _, b in both]


def correlation(x: Values, y: Values) -> float:
    """Pearson's correlation over the places where both are there."""
    import numpy as np

    one, other = _pairs(x, y, 2)
    if len(set(one)) == 1 or len(set(other)) == 1:
        raise SeriesError("a list that never changes correlates with nothing")
    return float(np.corrcoef(one, other)[0, 1])


def regression_line(x: Values, y: Values) -> dict[str, float]:
    """The line through the points by least squares: slope, intercept, and r2, the share of variance it explains."""
    import numpy as np

    one, other = _pairs(x, y, 2)
    if len(set(one)) == 1:
        raise SeriesError("x never changes: there is no line")
    slope, intercept = np.polyfit(one, other, 1)
    r2 = 1.0 if len(set(other)) == 1 else float(np.corrcoef(one, other)[0, 1]) ** 2
    return {"slope": float(slope), "intercept": float(intercept), "r2": r2}


# Dates


def resample(dates: Sequence[date], values: Values, to: str, how: str = "mean") -> dict[str, list[Any]]:
    """By month, quarter or year: {"date": first days, "value": mean, sum, last, first, min or max of what is there}.
    A group without a value is a gap; one that is not there at all stays out."""
    days, found, apply = dates_of(dates), numbers(values), _how(how)
    _same_length(dates=days, values=found)
    if to not in GROUPS:
        raise SeriesError(f"to {to!r:.40} is not known; there are: {', '.join(GROUPS)}")
    groups: dict[date, list[Number | None]] = {}
    for day, value in sorted(zip(days, found, strict=True), key=lambda pair: pair[0]):
        groups.setdefault(group_start(day, to), []).append(value)
    return {
        "date": list(groups),
        "value": [apply(group) if any(each is not None for each in group) else None for group in groups.values()],
    }


def align(dates_a: Sequence[date], a: Values, dates_b: Sequence[date], b: Values) -> dict[str, list[Any]]:
    """The days that both have: {"date", "a", "b"}."""
    one, other = dates_of(dates_a), dates_of(dates_b)
    first, second = numbers(a, "a"), numbers(b, "b")
    _same_length(dates_a=one, a=first)
    _same_length(dates_b=other, b=second)
    left, right = dict(zip(one, first, strict=True)), dict(zip(other, second, strict=True))
    days = sorted(left.keys() & right.keys())
    return {"date": days, "a": [left[day] for day in days], "b": [right[day] for day in days]}


def crossings(dates: Sequence[date], values: Values, level: Any = 0, way: str = "both") -> list[dict[str, Any]]:  # noqa: ANN401
    """Where values cross a level, or another list: [{"date", "index", "way": "up" or "down"}].

    Up is from at or below it to above, down from at or above to below, gaps looked through. way: up, down or both.
    """
    days, found = dates_of(dates), numbers(values)
    levels = numbers(level, "level") if isinstance(level, list | tuple) else [level] * len(found)
    numbers([value for value in levels if value is not None], "level")
    _same_length(dates=days, values=found, level=levels)
    if way not in ("up", "down", "both"):
        raise SeriesError("way must be up, down or both")
    out: list[dict[str, Any]] = []
    side = 0
    for index, (day, value, mark) in enumerate(zip(days, found, levels, strict=True)):
        if value is None or mark is None or value == mark:
            continue
        now = 1 if value > mark else -1
        if side and now != side and way in ("both", "up" if now > 0 else "down"):
            out.append({"date": day, "index": index, "way": "up" if now > 0 else "down"})
        side = now
    return out


def runs(flags: Sequence[bool | None], least: int = 1) -> list[dict[str, int]]:
    """Stretches of places in a row where flags are true: [{"start", "end", "length"}], places counted from 0.

    least: the shortest that counts.
    """
    if not isinstance(flags, list | tuple) or len(flags) > MOST:
        raise SeriesError("the flags must be a list of True, False and None")
    least = _positive(least, "least")
    out: list[dict[str, int]] = []
    start = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            if index - start >= least:
                out.append({"start": start, "end": index - 1, "length": index - start})
            start = None
    return out


# Money over time


def _rate(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        raise SeriesError(f"{what} must be a number")
    return float(value)


def cagr(first: Number, last: Number, periods: Number) -> float:
    """The rate at which first grows to last in so many periods."""
    a, b, count = _rate(first, "first"), _rate(last, "last"), _rate(periods, "periods")
    if a <= 0 or b < 0 or count <= 0:
        raise SeriesError("a rate of growth needs a first value and a time above nothing, and a last one not below")
    return float((b / a) ** (1 / count) - 1)


def annualise(rate: Number, periods_per_year: Number) -> float:
    """A rate per period as the rate of a year: 0.01 a month, 12 periods, is 0.1268."""
    one, count = _rate(rate, "rate"), _rate(periods_per_year, "periods_per_year")
    if one <= -1 or not 0 < count <= 1000:
        raise SeriesError("the rate must be above -1, and the periods of a year from 0 to 1000")
    return float((1 + one) ** count - 1)


def npv(rate: Number, flows: Values) -> float:
    """Net present value, the first flow today."""
    import pyxirr

    one = _rate(rate, "rate")
    if one <= -1:
        raise SeriesError("the rate must be above -1")
    value = pyxirr.npv(one, [float(flow) for flow in _present(flows, "the flows")])
    if value is None:
        raise SeriesError("these flows have no net present value")
    return float(value)


def irr(flows: Values) -> float:
    """The rate at which the net present value is nothing."""
    import pyxirr

    try:
        rate = pyxirr.irr([float(flow) for flow in _present(flows, "the flows")])
    except pyxirr.InvalidPaymentsError as error:
        raise SeriesError(str(error)) from error
    if rate is None:
        raise SeriesError("these flows have no single rate of return")
    return float(rate)


LIBRARY: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        align,
        annualise,
        cagr,
        correlation,
        crossings,
        cumulative,
        deviation,
        diff,
        drawdown,
        irr,
        lag,
        mean,
        npv,
        pct_change,
        percentile,
        regression_line,
        resample,
        rolling,
        runs,
        total,
    )
}


def group_start(day: date, group: str) -> date:
    """The first day of the month, quarter or year that a day is in."""
    months = GROUPS[group]
    return date(day.year, (day.month - 1) // months * months + 1, 1)
