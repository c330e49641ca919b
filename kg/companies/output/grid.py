"""Lines as grids: a row for each company or measure, a column for each period; and how a figure is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from tieout.kg.companies.compare import Line

RESTATED = "*"
UNSTATED = "?"  # of which unit no filing says
_SCALES = ((Decimal(10) ** 6, "million"), (Decimal(10) ** 3, "thousand"), (Decimal(1), ""))


@dataclass(frozen=True, slots=True)
class Grid:
    """title: what all of it is of, with the unit. head: of the columns, the labels' first. rows: label and cells;
    values: the lines in the shape of the cells, None where there is none. scale: that amounts of money are shown in."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    values: tuple[tuple[Line | None, ...], ...]
    scale: Decimal = Decimal(1)


def period_name(line: Line) -> str:
    """`2023`, `2023 Q2`, `LTM 2023 Q2`."""
    year, period = line.fiscal_year, line.fiscal_period
    if period.startswith("LTM"):
        return f"LTM {year}{period.removeprefix('LTM').replace(' FY', '')}"
    return str(year) if period == "FY" else f"{year} {period}"


def grids(lines: Sequence[Line], by: str = "measure", *, exact: bool = False) -> tuple[Grid, ...]:
    """A grid of companies for each measure; by `company`, one of measures for each company, as a statement is. exact:
    no figure is rounded."""
    titles = list(dict.fromkeys(_side(each, by) for each in lines))
    return tuple(_grid(title, [each for each in lines if _side(each, by) == title], by, exact) for title in titles)


def _side(line: Line, by: str) -> str:
    return line.measure if by == "measure" else line.company.name


def _grid(title: str, lines: Sequence[Line], by: str, exact: bool) -> Grid:
    other = "company" if by == "measure" else "measure"
    periods = sorted({(each.fiscal_year, each.fiscal_period, period_name(each)) for each in lines})
    labels = list(dict.fromkeys(_side(each, other) for each in lines))
    at = {(_side(each, other), period_name(each)): each for each in lines}
    columns = [name for _, _, name in periods]
    unit, scale, word = _unit(lines)
    values = tuple(tuple(at.get((label, column)) for column in columns) for label in labels)
    rows = tuple(
        (label, *(shown(line, scale, unit, exact=exact) if line else "" for line in row))
        for label, row in zip(labels, values, strict=True)
    )
    said = ", ".join(part for part in (title, f"{word} {unit}".strip()) if part)
    return Grid(said, ("", *columns), rows, values, scale)


def _unit(lines: Sequence[Line]) -> tuple[str, Decimal, str]:
    """The unit of most lines, and the scale that amounts of money are shown in."""
    units = [each.value.unit for each in lines if each.value.unit not in ("ratio", "percent", "days", "shares", "")]
    unit = max(units, key=units.count, default="")
    money = [abs(each.value.amount) for each in lines if each.value.unit == unit and "/" not in unit]
    if not money or not unit:
        kinds = {each.value.unit for each in lines}
        return (next(iter(kinds)) if len(kinds) == 1 else ""), Decimal(1), ""
    scale, word = next((pair for pair in _SCALES if max(money) >= pair[0] * 10), _SCALES[-1])
    return unit, scale, word


def shown(line: Line, scale: Decimal, unit: str, *, exact: bool = False) -> str:
    """A figure for the eye, with its unit where it is another than that of the grid; restated ones have a mark."""
    value = line.value
    rounded = _exact if exact else _rounded
    mark = RESTATED if value.restated else ""
    if value.unit == "percent":
        return f"{rounded(value.amount * 100, 1)}%{mark}"
    if value.unit in ("ratio", "days"):
        return f"{rounded(value.amount, 2 if value.unit == 'ratio' else 1)}{mark}"
    if value.unit == "shares":
        return f"{rounded(value.amount / 1_000_000, 1)}m{mark}" if unit != "shares" else f"{value.amount:,f}{mark}"
    if "/" in value.unit:
        return f"{rounded(value.amount, 2)}{mark}"
    digits = 0 if scale == 1 or value.amount % scale == 0 or abs(value.amount) >= scale * 1000 else 1
    other = "" if value.unit == unit != "" else f" {value.unit or UNSTATED}"
    return f"{rounded(value.amount / scale, digits)}{other}{mark}"


def _rounded(number: Decimal, digits: int) -> str:
    return f"{number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN):,f}"


def _exact(number: Decimal, digits: int) -> str:
    """All digits, and as many as a rounded one has at least."""
    least = Decimal(1).scaleb(-digits)
    return f"{number.quantize(least) if number == number.quantize(least) else number.normalize():,f}"


def notes(lines: Sequence[Line]) -> tuple[str, ...]:
    """What is to be said below: flags of companies once each, what was restated from what, and where it follows."""
    told: dict[str, None] = {}
    for line in lines:
        for flag in line.value.flags:
            if flag != "restated":
                told[f"{line.company.name}: {flag}"] = None
    for line in lines:
        if not line.value.unit:
            told[f"{UNSTATED} {line.company.name}: the unit is not stated"] = None
        for each in line.value.restated:
            was = (
                f"{each.observed.value:,f}" if each.observed.scale == line.value.scale else f"{each.observed.amount:,f}"
            )
            told[
                f"{RESTATED} {line.company.name}, {line.measure}, {period_name(line)}: restated, "
                f"{was} in {each.filing.report} [{each.observed.fact}]"
            ] = None
    return tuple(told)
