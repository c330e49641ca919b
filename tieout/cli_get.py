"""The command `tieout get`: filings of a company from EDGAR into a folder, and kept from there like others.

edgartools (extra `get`) asks, with its own cache; the SEC wants to be told who does, in EDGAR_IDENTITY.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from tieout.data.console import Failure, one_line, working
from tieout.data.files import WriteError, write_whole
from tieout.data.printed.pattern import later
from tieout.kg.commands.index import index
from tieout.kg.options import lake_option
from tieout.ontology.options import ontology_option

IDENTITY = "EDGAR_IDENTITY"
YEARS = later(r"(\d{4})(?:-(\d{4}))?")


class GetError(ValueError):
    """A filing that cannot be had, in one line with the way out."""


@dataclass(frozen=True, slots=True)
class Filing:
    """A filing that EDGAR lists. name: of its file, `AAPL_10-K_2023-09-30.htm`; found: what edgartools has of it."""

    name: str
    found: Any

    def page(self) -> str:
        """The filing as a web page. Raises GetError where it is none."""
        with _named():
            text = self.found.html()
        if not text:
            raise GetError(f"{self.name}: the filing is no web page; see {self.found.homepage_url}")
        return str(text)


def _years(_: click.Context, __: click.Parameter, text: str | None) -> range | None:
    if text is None:
        return None
    found = YEARS.fullmatch(text)
    years = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    if not years:
        raise click.BadParameter(f"{text!r} is no year and no range of years, as 2021-2024")
    return years


@click.command()
@click.argument("company")
@click.argument("form")
@click.option(
    "--years", callback=_years, help="Of the last days that they are about: 2023, or 2021-2024; else the newest alone."
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("filings"),
    show_default=True,
    help="Folder of the files.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read.")
@ontology_option
@lake_option
@click.pass_context
def get(
    context: click.Context,
    company: str,
    form: str,
    years: range | None,
    folder: Path,
    jobs: int,
    ontology: Path | None,
    store: Path | str,
) -> None:
    """Get filings of a COMPANY (ticker or CIK) on a FORM (10-K, 10-Q, 20-F) from EDGAR, and keep them.

    What is in the folder is not fetched again. The SEC wants to know who asks: EDGAR_IDENTITY="Name name@example.com".
    """
    if find_spec("edgar") is None:
        raise Failure("get needs edgartools: pip install 'tieout[get]'")
    if "@" not in os.environ.get(IDENTITY, ""):
        raise Failure(f'the SEC wants to know who asks: set {IDENTITY}="Name name@example.com"')
    with one_line(GetError, WriteError):
        with working(f"asking EDGAR for {company} {form}"):
            listed = list(filings(company, form, years))
        for each in listed:
            target = folder / each.name
            if target.exists():
                click.echo(f"{target}: there already")
                continue
            with working(f"fetching {each.name}"):
                write_whole(target, each.page())
            click.echo(target)
    context.invoke(index, paths=(folder,), is_listed=False, forget=(), jobs=jobs, ontology=ontology, store=store)


def filings(company: str, form: str, years: range | None) -> Iterator[Filing]:
    """The filings that EDGAR lists, the newest first; of those without years the newest alone. Raises GetError."""
    os.environ.setdefault("EDGARTOOLS_STRICT_ERRORS", "1")  # else some errors are those of what it stands on
    import edgar

    with _named():
        found = edgar.Company(company).get_filings(form=form, amendments=False) or []
        days = {str(each.report_date or each.filing_date): each for each in found}
    chosen = [day for day in sorted(days, reverse=True) if years is None or int(day[:4]) in years]
    if not chosen:
        there = ", ".join(sorted({day[:4] for day in days})) or "none"
        raise GetError(f"EDGAR has no {form} of {company} for these years; it has: {there}")
    for day in chosen if years else chosen[:1]:
        parts = (re.sub(r"[^A-Za-z0-9.]+", "-", part) for part in (company.upper(), form, day))
        yield Filing(f"{'_'.join(parts)}.htm", days[day])


@contextmanager
def _named() -> Iterator[None]:
    """Turns what edgartools raises, and what it stands on where that is there twice, into a GetError of one line."""
    import httpx2
    from edgar.exceptions import EdgarError

    try:
        yield
    except httpx2.HTTPError as error:
        raise GetError(f"EDGAR cannot be reached ({error}): is there a network?") from error
    except EdgarError as error:
        raise GetError(f"EDGAR: {str(error).splitlines()[0]}") from error
