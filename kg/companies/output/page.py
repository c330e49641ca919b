"""Lines as one HTML page: a table for each measure or company, a chart of each measure, and what was restated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tieout.data.markup import safe_html
from tieout.data.output.chart import can_draw, inline_svg
from tieout.data.output.look import look
from tieout.kg.companies.compare import Line
from tieout.kg.companies.output.chart import charts_of
from tieout.kg.companies.output.grid import Grid, grids, notes

_STYLE = """
body { margin: var(--space-7); background: var(--page); color: var(--ink); font: var(--text)/1.5 var(--sans); }
table { border-collapse: collapse; margin-bottom: var(--space-7); background: var(--card); font-size: var(--less);
  font-variant-numeric: tabular-nums; }
caption { padding: var(--space-4) 0; text-align: left; font-weight: 600; }
td, th { padding: var(--space-2) var(--space-5); border: solid var(--line); border-width: var(--thin) 0;
  text-align: right; }
th:first-child { text-align: left; } svg { background: #fff; }
"""


def write_html(lines: Sequence[Line], by: str = "measure", *, exact: bool = False, also: Iterable[str] = ()) -> str:
    """The page. Each figure says on hovering where it is printed, or how it comes about. exact: no figure is rounded;
    also: what is to be said beside the notes."""
    tables = "".join(map(_table, grids(lines, by, exact=exact)))
    told = "".join(f"<li>{safe_html(note)}</li>" for note in (*notes(lines), *also))
    below = f"<ul>{told}</ul>" if told else ""
    charts = inline_svg(charts_of(lines)) if by == "measure" and can_draw() else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tieout</title>'
        f"<style>{look()}{_STYLE}</style></head><body>{tables}{charts}{below}</body></html>\n"
    )


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{safe_html(name)}</th>" for name in grid.head)
    body = "".join(
        f"<tr><th>{safe_html(cells[0])}</th>"
        + "".join(
            f'<td title="{safe_html(_from(line))}">{safe_html(text)}</td>' if line else "<td></td>"
            for text, line in zip(cells[1:], row, strict=True)
        )
        + "</tr>"
        for cells, row in zip(grid.rows, grid.values, strict=True)
    )
    return f"<table><caption>{safe_html(grid.title)}</caption><tr>{head}</tr>{body}</table>"


def _from(line: Line) -> str:
    value = line.value
    place = value.sources[0].observed.place if value.sources else ""
    return value.program if value.derived else ", ".join(part for part in (value.program, place) if part)
