"""A page of a graph as text, short enough to be read whole, every figure with its name.

    t1: StockOption; USD
    c1 2007 | c2 2006
    t1r1 exercise price | 60.94 | 25.14
    t1r2 expected volatility | 27% | 26%
    s4: the company paid $ 127.1 million {1} and $ 160 million {2} in 2007 and 2006 , respectively .

A figure is named by its place: `t1r2c1` is 27%, `s4a2` is $ 160 million.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tieout.data.arithmetic.units import SCALES_SHOWN, Measure
from tieout.data.printed.amount import Unit, is_dash
from tieout.data.printed.glyph import without_codes
from tieout.data.printed.harmless import harmless
from tieout.data.printed.periods.period import Period, label_period
from tieout.data.printed.unit import NOT_MEASURES
from tieout.kg.fact import Cell, Fact, FactKind
from tieout.kg.store.quoted import SENTENCES

if TYPE_CHECKING:
    from tieout.kg.store.graph import Graph

EMPTY = "-"
UNSTATED = "?"
UNMARKED = NOT_MEASURES | {Unit.PERCENT}  # units that a figure itself shows

TABLES = """
SELECT ?table ?corner WHERE { ?place a kg:Table ; kg:table ?table OPTIONAL { ?place kg:corner ?corner } }
"""
CELLS = """
SELECT ?row ?column ?text ?rowLabel ?columnLabel WHERE {{
  ?place kg:table {table} ; kg:row ?row ; kg:column ?column ; kg:text ?text
  OPTIONAL {{ ?place kg:rowLabel ?rowLabel }}
  OPTIONAL {{ ?place kg:columnLabel ?columnLabel }}
}}
"""


def page_lines(graph: Graph, facts: Sequence[Fact]) -> list[str]:
    """The tables of a page and its sentences, a line for each row and each sentence."""
    lines: list[str] = []
    for row in sorted(graph.select(TABLES), key=lambda row: int(str(row["table"]))):
        number = int(str(row["table"]))
        lines += table_lines(_cells(graph, number), number, str(row["corner"] or ""), facts)
    return lines + sentence_lines(facts, sentences_of(graph))


def sentences_of(graph: Graph) -> dict[int, str]:
    """The sentences of a page, by number."""
    return {int(str(row["number"])): str(row["text"]) for row in graph.select(SENTENCES)}


def _label(text: str) -> str:
    return harmless(text).replace("|", "/")


def _bare(corner: str) -> str:
    """A corner that stands in brackets as a whole, without them."""
    inside = corner[1:-1].strip()
    return inside if corner[:1] == "(" and corner[-1:] == ")" and not set(inside) & set("()") else corner


# Tables


def _cells(graph: Graph, table: int) -> list[Cell]:
    """The printed cells of a table in reading order."""
    cells = []
    for row in graph.select(CELLS.format(table=table)):
        texts = (without_codes(str(row[name] or "")) for name in ("text", "rowLabel", "columnLabel"))
        cells.append(Cell(int(str(row["row"])), int(str(row["column"])), *texts))
    return sorted(cells)


def table_lines(cells: Sequence[Cell], number: int, corner: str, facts: Sequence[Fact]) -> list[str]:
    values = {(cell.row, cell.column): cell for cell in cells if not cell.is_label}
    figures: dict[tuple[int, int], list[Fact]] = {place: [] for place in values}
    for fact in facts:
        place = (fact.row or 0, fact.column or 0)
        if fact.table == number and place in figures:
            figures[place].append(fact)
    if not values:
        return []
    measures = _Measures(figures)
    columns = {cell.column: cell.column_label for cell in values.values()}
    kinds = sorted({fact.entity_type for each in figures.values() for fact in each})
    about = [", ".join(map(_label, kinds)), _in_words(measures.usual), _bare(_label(corner))]
    lines = [f"t{number}: {'; '.join(part for part in about if part)}"]
    order = sorted(columns)
    lines.append(" | ".join(_head(column, columns[column], figures, measures) for column in order))
    headers = {cell.row for cell in cells if cell.is_label and cell.column} | {0}
    labels = {cell.row: cell.text for cell in cells if cell.is_label and cell.row not in headers}
    for row in sorted({*labels, *(row for row, _ in values)}):
        here = [values.get((row, column)) for column in order]
        printed = next((cell for cell in here if cell is not None), None)
        if printed is None:
            lines.append(f"[{_label(labels[row])}]")
            continue
        line = [f"t{number}r{row} {_label(printed.row_label)}{measures.of_row(row)}".rstrip()]
        for column, cell in zip(order, here, strict=True):
            line.append(_value(cell, figures.get((row, column), ()), measures.at(row, column)))
        lines.append(" | ".join(line))
    return lines


def _head(column: int, label: str, figures: Mapping[tuple[int, int], Sequence[Fact]], measures: _Measures) -> str:
    """The head of a column: its name, what is printed there, the period where that names no year, unit and scale."""
    facts = [fact for place, each in figures.items() if place[1] == column for fact in each]
    inside = {None if fact.period_from == "introduction" else fact.period for fact in facts}
    period: Period | None = inside.pop() if len(inside) == 1 else None
    dated = period is not None and period.year is not None and str(period.year) not in label
    known = f" [{_label(period.key)}]" if period is not None and dated else ""
    label = _undated(label) if known else label
    return f"{f'c{column} {_label(label)}'.rstrip()}{known}{measures.of_column(column)}".rstrip()


def _undated(label: str) -> str:
    """A header without a date of its own: what its figures are of is another one, and one date is shown."""
    found = label_period(label)
    if found is None or found[0].year is None:
        return label
    for start, end in reversed(found[1]):
        label = f"{label[:start]} {label[end:]}"
    return label


def _value(cell: Cell | None, facts: Sequence[Fact], known: _Said) -> str:
    """What a cell holds: its figures, with the words between them where there are any (`512 ( 61 {b} owned )`)."""
    if cell is None or not facts:
        return EMPTY if cell is None or is_dash(cell.text, coded=True) else _label(cell.text)
    if len(facts) == 1:
        return _figure(facts[0], known)
    ordered = sorted(facts, key=lambda fact: fact.start)
    starts, ends = [fact.start for fact in ordered], [fact.end for fact in ordered]
    between = [_label(cell.text[end:start]) for end, start in zip([0, *ends], [*starts, None], strict=True)]
    if not any(map(str.isalpha, "".join(between))):
        return "; ".join(_figure(fact, known) for fact in ordered)
    marked = [f"{_figure(fact, known)}{_mark(fact)}" for fact in ordered]
    return " ".join(part for pair in zip(between, [*marked, ""], strict=True) for part in pair if part)


def _mark(fact: Fact) -> str:
    """The letter that tells an amount from the first one of its cell, as it ends the name of the fact."""
    letter = fact.name.removeprefix(f"t{fact.table}r{fact.row}c{fact.column}")
    return f" {{{letter}}}" if letter else ""


class _Measures:
    """Where unit and scale are said: for the whole table, else for a row, else for a column, else at the figure."""

    def __init__(self, figures: Mapping[tuple[int, int], Sequence[Fact]]) -> None:
        facts = [fact for each in figures.values() for fact in each]
        said = [(fact, _measure(fact)) for fact in facts if fact.unit not in UNMARKED]
        counts = Counter(measure for _, measure in said)
        self.usual = counts.most_common(1)[0][0] if counts else _Said()
        rows: dict[int, set[_Said]] = {row: set() for row, _ in figures}
        columns: dict[int, set[_Said]] = {column: set() for _, column in figures}
        for fact, measure in said:
            rows[fact.row or 0].add(measure)
        self._rows = {row: _only(measures) for row, measures in rows.items()}
        for fact, measure in said:
            if self._rows[fact.row or 0] is None:
                columns[fact.column or 0].add(measure)
        self._columns = {column: _only(measures) for column, measures in columns.items()}

    def at(self, row: int, column: int) -> _Said:
        """What a figure at this place is taken to be of, if it says nothing else."""
        return self._rows[row] or self._columns[column] or self.usual

    def of_row(self, row: int) -> str:
        """What to say of a row, behind its label."""
        return self._unusual(self._rows.get(row))

    def of_column(self, column: int) -> str:
        """What to say of a column, behind its label."""
        return self._unusual(self._columns.get(column))

    def _unusual(self, measure: _Said | None) -> str:
        return (
            ""
            if measure is None or measure == self.usual
            else f" {_in_words(measure) or UNSTATED}"
            if measure.measure.unit is None
            else f" in {_in_words(measure)}"
        )


class _Said(NamedTuple):
    """What a figure is of, and whether the page says at which scale it is printed."""

    measure: Measure = Measure()
    known: bool = True


def _measure(fact: Fact) -> _Said:
    unit = None if fact.unit is None else str(fact.unit)
    return _Said(Measure(unit, fact.scale), fact.scale_known or unit is None)


def _only(measures: Collection[_Said]) -> _Said | None:
    return next(iter(measures)) if len(measures) == 1 else None


def _in_words(said: _Said) -> str:
    measure = said.measure
    scale = "" if measure.scale == 1 else SCALES_SHOWN.get(measure.scale, f"x {measure.scale}")
    return " ".join(part for part in (measure.unit or "", scale) if part) + ("" if said.known else UNSTATED)


def _figure(fact: Fact, known: _Said) -> str:
    figure = f"{fact.value:f}"
    if fact.unit == Unit.PERCENT:
        return f"{figure}%"
    measure = _measure(fact)
    return figure if measure == known or fact.unit in UNMARKED else f"{figure} {_in_words(measure) or UNSTATED}"


# Sentences


def sentence_lines(facts: Sequence[Fact], others: Mapping[int, str]) -> list[str]:
    amounts: dict[int, list[Fact]] = {}
    for fact in facts:
        if fact.kind is FactKind.TEXT and fact.sentence is not None:
            amounts.setdefault(fact.sentence, []).append(fact)
    texts = {number: harmless(text) for number, text in others.items()}
    texts |= {number: _marked(inside) for number, inside in amounts.items()}
    first: dict[str, int] = {}
    for number in sorted(texts):
        if first.setdefault(texts[number], number) != number:
            del texts[number]  # the page repeats it: it is shown where it comes first
    return [f"s{number}: {texts[number]}" for number in sorted(texts) if any(map(str.isalnum, texts[number]))]


def _marked(facts: Sequence[Fact]) -> str:
    """A sentence with its amounts numbered, but for a single first one. Years and dates are never marked."""
    text = facts[0].context
    amounts = sorted((fact for fact in facts if fact.unit not in NOT_MEASURES), key=lambda fact: fact.start)
    if [_number(fact) for fact in amounts] in ([], ["1"]):
        return harmless(text)
    parts, done = [], 0
    for fact in amounts:
        end = max(done, fact.end - fact.context_start)  # an amount may stand inside another
        parts.append(f"{harmless(text[done:end])} {{{_number(fact)}}}")
        done = end
    return " ".join([*parts, harmless(text[done:])])


def _number(fact: Fact) -> str:
    return fact.name.partition("a")[2]
