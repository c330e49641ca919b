"""Lines as one SVG: a chart for each measure, a curve over the periods for each company; bars where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape

from tieout.kg.companies.compare import Line
from tieout.kg.companies.output.grid import Grid, grids, shown

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 80, 180, 36, 34
COLOURS = (
    "#1f5fa8",
    "#c2571a",
    "#2f7d4f",
    "#8a3b9c",
    "#9a7b16",
    "#b03a48",
    "#33808c",
    "#6b6b6b",
)  # told apart in grey too
MOST_CURVES = 8


def write_svg(lines: Sequence[Line]) -> str:
    """The charts below each other. Empty axes where there is nothing to draw."""
    charts = grids(lines)
    height = HEIGHT * max(len(charts), 1)
    inside = "".join(_chart(each, number * HEIGHT) for number, each in enumerate(charts))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>{inside}</svg>\n'
    )


def _chart(grid: Grid, top: int) -> str:
    rows = [(name[0], row) for name, row in zip(grid.rows, grid.values, strict=True)][:MOST_CURVES]
    amounts = [_amount(line) for _, row in rows for line in row if line]
    low, high = min([*amounts, 0.0]), max([*amounts, 0.0])
    high = high if high > low else low + 1
    columns = grid.head[1:]
    left_out = len(grid.rows) - len(rows)
    title = grid.title + (f" (the first {len(rows)} of {len(grid.rows)})" if left_out else "")
    parts = [f'<g transform="translate(0 {top})"><text x="{LEFT}" y="20" font-weight="bold">{escape(title)}</text>']
    parts += _axis(grid, low, high)
    for number, name in enumerate(columns):
        parts.append(
            f'<text x="{_x(number, len(columns)):.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(name)}</text>'
        )
    for number, (name, row) in enumerate(rows):
        parts += _curve(name, row, number, len(rows), low, high)
    return "".join(parts) + "</g>"


def _axis(grid: Grid, low: float, high: float) -> Iterator[str]:
    for level in sorted({low, 0.0, high}):
        y = _y(level, low, high)
        line = (
            next(line for row in grid.values for line in row if line) if any(any(row) for row in grid.values) else None
        )
        ink = "#ccc" if level else "#555"
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{ink}"/>'
        text = f"{level:.4g}" if line is None else _level(level, line)
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>'


def _level(level: float, line: Line) -> str:
    if line.value.unit == "percent":
        return f"{level * 100:.1f}%"
    for size, word in ((1e9, "bn"), (1e6, "m"), (1e3, "k")):
        if abs(level) >= size:
            return f"{level / size:,.1f}{word}"
    return f"{level:,.2f}" if level else "0"


def _curve(name: str, row: Sequence[Line | None], number: int, of: int, low: float, high: float) -> Iterator[str]:
    colour = COLOURS[number % len(COLOURS)]
    points = [(_x(at, len(row)), _y(_amount(line), low, high), line) for at, line in enumerate(row) if line]
    if len(row) == 1:
        width = 0.7 * (WIDTH - LEFT - RIGHT) / max(of, 1)
        x = LEFT + (number + 0.15) * (WIDTH - LEFT - RIGHT) / max(of, 1)
        for _, y, line in points:
            zero = _y(0.0, low, high)
            yield (
                f'<rect x="{x:.1f}" y="{min(y, zero):.1f}" width="{width:.1f}" height="{abs(zero - y):.1f}" '
                f'fill="{colour}"><title>{_told(line)}</title></rect>'
            )
    else:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for x, y, line in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{_told(line)}</title></circle>'
    y = TOP + 16 * number
    yield f'<rect x="{WIDTH - RIGHT + 10}" y="{y}" width="10" height="10" fill="{colour}"/>'
    yield f'<text x="{WIDTH - RIGHT + 26}" y="{y + 9}">{escape(name[:24])}</text>'


def _told(line: Line) -> str:
    return escape(
        f"{line.company.name}, {line.fiscal_year} {line.fiscal_period}: {shown(line, Decimal(1), line.value.unit)}"
    )


def _amount(line: Line) -> float:
    return float(line.value.amount)


def _x(at: int, count: int) -> float:
    return LEFT + (at + 0.5) * (WIDTH - LEFT - RIGHT) / max(count, 1)


def _y(amount: float, low: float, high: float) -> float:
    return TOP + (high - amount) / (high - low) * (HEIGHT - TOP - BOTTOM)
