"""A graph for the eye: each table as it was understood, next to what is printed, and the text facts under their
sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rich.markup import escape
from rich.table import Table

from tieout.data.console import console, print_fitted, printable
from tieout.data.printed.unit import Unit
from tieout.kg.fact import NUMERAL, Fact, FactKind
from tieout.kg.reports.part import Part
from tieout.kg.store.graph import Graph

CELLS = """
SELECT ?table ?orientation ?corner ?caption ?row ?column ?text ?rowLabel ?columnLabel ?section
WHERE {
  ?printed a kg:Table ; kg:table ?table ; kg:orientation ?orientation .
  ?cell kg:table ?table ; kg:row ?row ; kg:column ?column ; kg:text ?text .
  OPTIONAL { ?printed kg:corner ?corner }
  OPTIONAL { ?printed kg:caption ?caption }
  OPTIONAL { ?cell kg:rowLabel ?rowLabel }
  OPTIONAL { ?cell kg:columnLabel ?columnLabel }
  OPTIONAL { ?cell kg:section ?section }
}
ORDER BY ?table ?row ?column
"""
FOOTNOTES = """
SELECT ?mark ?text
WHERE {{ ?printed a kg:Table ; kg:table {number} ; kg:footnote ?note . ?note kg:mark ?mark ; kg:text ?text }}
ORDER BY ?mark
"""
TYPE = """
SELECT ?type ?matchedBy ?evidence
WHERE {
  ?document a kg:Document ; kg:entityType ?type
  OPTIONAL { ?document kg:matchedBy ?matchedBy ; kg:evidence ?evidence }
}
ORDER BY ?evidence
"""


def safe(text: str) -> str:
    """Text of a report, so that it can steer neither the terminal nor the markup."""
    return escape(printable(text, "·"))


def reading(fact: Fact) -> str:
    """A fact in short, as it was understood: `60.94 USD/share`, `2.2 USD ×1,000,000`; `?` for what is not printed."""
    value = f"{fact.value:f}" if fact.entity_type == NUMERAL else f"{fact.value:,f}"
    parts = [value, str(fact.unit) if fact.unit else "(no unit)"]
    if fact.scale != 1:
        parts.append(f"×{fact.scale:,}")
    elif not fact.scale_known:
        parts.append("×?")
    return " ".join(parts)


def show(graph: Graph) -> None:
    """Prints a graph: entity type, tables, text facts."""
    facts = graph.facts()
    about = graph.select(TYPE)
    kind = str(about[0]["type"]).rpartition("#")[2]
    evidence = ", ".join(str(row["evidence"]) for row in about)
    why = f" ({about[0]['matchedBy']}: {safe(evidence)})" if about[0]["matchedBy"] else " (no class fits)"
    console.print(f"[bold]{safe(graph.document_id)}[/bold]")
    console.print(f"entity type [cyan]{kind}[/cyan]{why}, {len(facts)} facts\n")
    for _, cells in groupby(graph.select(CELLS), key=lambda cell: cell["table"]):
        _show_table(list(cells), facts)
    _show_text([fact for fact in facts if fact.kind is FactKind.TEXT])


def show_part(graph: Graph, part: Part) -> None:
    """Prints some of a report: the tables of a part and the facts of its text."""
    console.print(f"[bold]{safe(graph.document_id)}[/bold], {safe(part.title)}\n")
    facts = graph.facts()
    for number, cells in groupby(graph.select(CELLS), key=lambda cell: cell["table"]):
        if number in part.tables:
            _show_table(list(cells), facts)
            for note in graph.select(FOOTNOTES.format(number=number)):
                console.print(f"{safe(str(note['mark']))} {safe(str(note['text']))}\n", soft_wrap=True)
    if part.text or not part.tables:
        _show_text(part.text)


def _show_table(cells: Sequence[Mapping[str, object]], facts: Iterable[Fact]) -> None:
    number, orientation = cells[0]["table"], cells[0]["orientation"]
    here: dict[tuple[object, object], list[Fact]] = {}
    for fact in facts:
        if fact.table == number:
            here.setdefault((fact.row, fact.column), []).append(fact)
    across = orientation == "instances across"
    last = max(int(str(cell["column"])) for cell in cells)
    caption = f": {safe(str(cells[0]['caption']))}" if cells[0]["caption"] else ""
    table = Table(
        title=f"table {number}, {orientation}{caption}", title_justify="left", show_lines=True, show_header=False
    )
    table.add_column("row", style="dim", justify="right")
    order = sorted(range(last + 1), key=lambda column: _is_of_notes(column, here))  # what explains a line comes last
    for _ in order:
        table.add_column(overflow="fold")
    for row, printed in groupby(cells, key=lambda cell: cell["row"]):
        texts = {int(str(cell["column"])): str(cell["text"]) for cell in printed}
        line = []
        for column in order:
            found = here.get((row, column), [])
            line.append(_cell(texts.get(column, ""), found, _names(column, row, here, across)))
        table.add_row(str(row), *line)
    print_fitted(table, fixed=2, told=True)
    console.print()


def _is_of_notes(column: int, here: dict[tuple[object, object], list[Fact]]) -> bool:
    """Whether a column holds numbers of notes alone."""
    found = [fact for (_, at), facts in here.items() if at == column and column for fact in facts]
    return any(fact.unit is Unit.REFERENCE for fact in found) and all(fact.entity_type == NUMERAL for fact in found)


def _names(column: int, row: object, here: dict[tuple[object, object], list[Fact]], across: bool) -> str:
    """Under a row label or a header: the properties or instances that its line stands for, and the period."""
    if column and row != 0:
        return ""
    line = [found for (r, c), found in sorted(here.items(), key=str) if (c == column if column else r == row and c)]
    measured = [fact for found in line for fact in found if fact.entity_type != NUMERAL]
    of_instance = across == bool(column)
    names = sorted({f"{fact.instance}" if of_instance else f"{fact.property} [{fact.matched_by}]" for fact in measured})
    periods = sorted({f"{fact.period.key} from {fact.period_from}" for fact in measured if fact.period})
    return "\n".join(names[:3] + (periods[:1] if of_instance and len(periods) == 1 else []))


def _cell(text: str, facts: Sequence[Fact], names: str) -> str:
    said = [safe(text)]
    for fact in facts:
        where = ", ".join(
            f"{what} from {place}"
            for what, place in (("unit", fact.unit_from), ("scale", fact.scale_from))
            if place and place != "cell"
        )
        if fact.marks:
            where = ", ".join([*filter(None, [where]), f"marked {safe(' '.join(fact.marks))}"])
        if fact.recognised is not None:
            where = ", ".join([*filter(None, [where]), f"recognised, {fact.recognised:.0%} sure"])
        if fact.doubts:
            where = ", ".join([*filter(None, [where]), f"doubtful: {safe('; '.join(fact.doubts))}"])
        if fact.parts:
            where = ", ".join([*filter(None, [where]), f"of {safe(', '.join(fact.parts))}"])
        style = "dim" if fact.entity_type == NUMERAL else "green"
        said.append(f"[{style}]{safe(reading(fact))}[/{style}]" + (f" [dim]{where}[/dim]" if where else ""))
    if names:
        said.append(f"[cyan]{escape(names)}[/cyan]")
    return "\n".join(said)


def _show_text(facts: Sequence[Fact]) -> None:
    measured = [fact for fact in facts if fact.entity_type != NUMERAL]
    if not measured:
        console.print("no amounts in the text")
        return
    table = Table(title="text, sentence by sentence", title_justify="left", show_lines=False)
    for name in ("fact", "printed", "read as", "period", "measures", "property"):
        table.add_column(name, overflow="fold")
    for number, group in groupby(measured, key=lambda fact: fact.sentence):
        sentence = list(group)
        table.add_section()
        table.add_row(f"[bold]s{number}[/bold]", "", "", "", f"[italic]{safe(sentence[0].context)}[/italic]", "")
        for fact in sentence:
            period = f"{fact.period.key}" if fact.period else "-"
            if fact.period_from == "sentence before":
                period += " (sentence before)"
            table.add_row(
                fact.name,
                safe(fact.raw),
                f"[green]{safe(reading(fact))}[/green]",
                safe(period),
                safe(fact.label),
                f"[cyan]{safe(fact.property)} [dim]{escape(f'[{fact.matched_by}]')}[/dim][/cyan]",
            )
    print_fitted(table)
