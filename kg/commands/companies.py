"""The commands over companies: `tieout companies`, `compare`, `screen` and `statement`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from tieout.data.console import console, errors, one_line, print_table, printable
from tieout.data.files import WriteError, check_folder, write_whole
from tieout.data.output.chart import ChartError, draw, form_of
from tieout.data.printed.pattern import later
from tieout.kg.companies.compare import QUARTERS, Line, compare, screen, unstated
from tieout.kg.companies.evaluate import LTM
from tieout.kg.companies.library import Library, LibraryError, open_library
from tieout.kg.companies.measure import MeasureError
from tieout.kg.companies.output.chart import charts_of
from tieout.kg.companies.output.grid import grids, notes
from tieout.kg.companies.output.page import write_html
from tieout.kg.companies.output.text import OutputError, write_csv, write_jsonl, write_parquet
from tieout.kg.companies.output.workbook import write_xlsx
from tieout.kg.companies.statement import KINDS, own_statement, periods_of, standard_statement
from tieout.kg.filings.company import Company
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import store_option
from tieout.kg.store.store import StoreError

FORMATS = ("table", "csv", "jsonl", "parquet", "xlsx", "html")
_FAULTS = (StoreError, WordIndexError, LibraryError, MeasureError, OutputError, ChartError, WriteError, OSError)
Command = Callable[..., Any]


_YEAR = later("19[0-9]{2}|20[0-9]{2}|2100")


class Years(click.ParamType[tuple[int, ...]]):
    """`2023`, `2020-2024`, `2021,2023`."""

    name = "years"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:  # noqa: ANN401
        found: list[int] = []
        for part in str(value).split(","):
            first, _, last = part.strip().partition("-")
            if not (_YEAR.fullmatch(first) and _YEAR.fullmatch(last or first) and int(first) <= int(last or first)):
                self.fail(f"{str(value)[:60]!r} names no years: write 2023, 2020-2024 or 2021,2023", param, ctx)
            found += range(int(first), int(last or first) + 1)
        return tuple(found)


@contextmanager
def _opened(store: Path) -> Iterator[Library]:
    """The library of a store; what is wrong with it or with what is asked of it is told in a line, and so is that files
    are others by now than those that were read."""
    with one_line(*_FAULTS), open_library(store) as library:
        for note in library.notes:
            errors.print(printable(f"tieout: {note}"), markup=False, soft_wrap=True)
        yield library


@dataclass(frozen=True, slots=True)
class Shown:
    """How lines are shown, as options say."""

    years: tuple[int, ...] | None
    form: str
    output: Path | None
    chart: Path | None
    exact: bool
    store: Path

    @contextmanager
    def library(self) -> Iterator[Library]:
        """As `_opened`."""
        with _opened(self.store) as library:
            yield library


def _shown(command: Command) -> Command:
    """The options by which lines are shown, given to a command as one."""

    @wraps(command)
    def run(**given: Any) -> Any:  # noqa: ANN401
        options = {each.name: given.pop(each.name) for each in fields(Shown)}
        return command(**given, shown=Shown(**options))

    for option in (
        store_option,
        click.option("--exact", is_flag=True, help="Show all digits in tables."),
        click.option("--chart", type=click.Path(path_type=Path), metavar="FILE.svg|png", help="Draw them, too."),
        click.option(
            "--output", "-o", type=click.Path(path_type=Path), help="Write to this file; parquet and xlsx need it."
        ),
        click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True),
        click.option(
            "--years", type=Years(), help="Fiscal years, as the company counts them: 2023, 2020-2024, 2021,2023."
        ),
    ):
        run = option(run)
    return run


@click.command()
@click.option("--format", "form", type=click.Choice(("table", "jsonl")), default="table", show_default=True)
@store_option
def companies(form: str, store: Path) -> None:
    """List the companies whose reports are kept, with their names, identifiers and filings."""
    with _opened(store) as library:
        if form == "jsonl":
            for company in library.companies:
                click.echo(json.dumps(_told(company), ensure_ascii=False))
            return
        for company in library.companies:
            also = ", ".join(part for part in (company.ticker, company.key, *company.names[1:]) if part)
            click.echo(printable(f"{company.name} ({also})"))
            for filing in company.filings:
                ended = f"ended {filing.ended}" if filing.ended else "end unknown"
                period = f"{filing.fiscal_period} {filing.fiscal_year}" if filing.fiscal_year else "period unknown"
                click.echo(printable(f"  {filing.form or 'form unknown'}  {period}, {ended}  {filing.report}"))


def _told(company: Company) -> dict[str, Any]:
    return {
        "company": company.iri,
        "name": company.name,
        "names": list(company.names),
        "ticker": company.ticker or None,
        "identifier": company.key if company.key.startswith(("CIK ", "LEI ")) else None,
        "filings": [
            {
                "report": each.report,
                "form": each.form or None,
                "fiscal_year": each.fiscal_year,
                "fiscal_period": each.fiscal_period or None,
                "ended": each.ended.isoformat() if each.ended else None,
                "amendment": each.is_amendment,
            }
            for each in company.filings
        ],
    }


@click.command("compare")
@click.argument("measures", nargs=-1, required=True, metavar="MEASURE...")
@click.option(
    "--company", multiple=True, metavar="NAME", help="Of this company only, by any of its names; can be repeated."
)
@click.option("--quarters", is_flag=True, help="By quarter; one that no filing prints follows from others.")
@click.option("--ltm", is_flag=True, help="Of the last twelve months to the newest quarter.")
@_shown
def compare_measures(
    measures: tuple[str, ...],
    company: tuple[str, ...],
    quarters: bool,
    ltm: bool,
    shown: Shown,
) -> None:
    """Compare MEASURES by company and fiscal year: a line item, a metric, or an expression of them.

    For example: tieout compare revenue "gross margin" "net debt / EBITDA" "revenue growth" --years 2020-2024
    """
    if quarters and ltm:
        raise click.UsageError("give either --quarters or --ltm")
    periods = QUARTERS if quarters else (LTM,) if ltm else ("FY",)
    with shown.library() as library:
        chosen = _chosen(library, company)
        lines = compare(library, measures, chosen, shown.years, periods)
        _write(lines, shown, also=unstated(lines, measures, library.companies if chosen is None else chosen))


@click.command("screen")
@click.argument("conditions")
@click.option("--company", multiple=True, metavar="NAME", help="Among these companies only; can be repeated.")
@_shown
def screen_companies(
    conditions: str,
    company: tuple[str, ...],
    shown: Shown,
) -> None:
    """Show the companies that fulfil CONDITIONS, with the figures: by default in the newest year of each.

    For example: tieout screen "gross margin > 40% and revenue growth > 10%" --years 2023
    """
    with shown.library() as library:
        _write(screen(library, conditions, _chosen(library, company), shown.years), shown)


class _Statement(click.Choice[str]):
    """A statement by its name, in one word or two: `cash flow`."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(value.replace(" ", "-"), param, ctx)


@click.command("statement")
@click.argument("company")
@click.argument("kind", type=_Statement(KINDS))
@click.option("--quarters", is_flag=True, help="By quarter, not by year.")
@click.option("--standard", is_flag=True, help="In standard concepts, not in the company's own lines.")
@_shown
def show_statement(
    company: str,
    kind: str,
    quarters: bool,
    standard: bool,
    shown: Shown,
) -> None:
    """Show one statement of COMPANY over years, from all of its filings; what a newer one revised has a mark."""
    periods = periods_of(kind, quarters, standard)
    with shown.library() as library:
        make = standard_statement if standard else own_statement
        _write(make(library, library.company(company), kind, shown.years, periods), shown, "company")


def _chosen(library: Library, names: Sequence[str]) -> list[Company] | None:
    return [library.company(name) for name in names] or None


def _write(lines: Sequence[Line], shown: Shown, by: str = "measure", also: Iterable[str] = ()) -> None:
    """Shows lines as options say. also: what is said below a table or page, beside their notes."""
    form, output, chart = shown.form, shown.output, shown.chart
    if form in ("parquet", "xlsx") and output is None:
        raise click.UsageError(f"--format {form} is no text: name a file with --output")
    for path in (output, chart):
        if path is not None:
            check_folder(path)
    picture = None if chart is None else form_of(chart)
    if not lines:
        raise LibraryError(
            "nothing that is kept states this: `tieout companies` shows what is kept, and of which years"
        )
    if chart is not None and picture is not None:
        write_whole(chart, draw(charts_of(lines), picture))
    if form == "table" and output is None:
        _show(lines, by, shown.exact, also)
    elif form == "parquet" and output is not None:
        write_parquet(lines, output)
    elif form == "xlsx" and output is not None:
        write_xlsx(lines, output, by)
    elif form == "html":
        _print([write_html(lines, by, exact=shown.exact, also=also).rstrip("\n")], output)
    else:
        _print(write_jsonl(lines) if form == "jsonl" else write_csv(lines), output)


def _print(text: Iterable[str], output: Path | None) -> None:
    if output is not None:
        write_whole(output, "".join(f"{line}\n" for line in text))
        return
    for line in text:
        click.echo(line)


def _show(lines: Sequence[Line], by: str, exact: bool, also: Iterable[str]) -> None:
    from rich.table import Table

    for grid in grids(lines, by, exact=exact):
        table = Table(box=None, pad_edge=False, title=printable(grid.title), title_justify="left", title_style="bold")
        for number, name in enumerate(grid.head):
            table.add_column(printable(name), justify="right" if number else "left")
        for row in grid.rows:
            table.add_row(*map(printable, row))
        print_table(table)
    for note in (*notes(lines), *also):
        click.echo(click.wrap_text(printable(note), console.width) if console.is_terminal else printable(note))
