"""Companies over all the reports that are open: who they are, their statements, measures compared, and screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from tieout.kg.companies.compare import QUARTERS, Line, compare, screen
from tieout.kg.companies.evaluate import LTM
from tieout.kg.companies.library import LibraryError
from tieout.kg.companies.output.chart import number
from tieout.kg.companies.output.grid import RESTATED, Grid, grids, notes
from tieout.kg.companies.output.text import write_csv
from tieout.kg.companies.output.workbook import workbook
from tieout.kg.companies.statement import own_statement, standard_statement
from tieout.kg.filings.company import Company
from tieout.kg.filings.observation import Source
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics
from tieout.serve.api import schema
from tieout.serve.api.exports import EXPORTS
from tieout.serve.api.reply import Json
from tieout.serve.library import Library

Name = Annotated[str, Query(min_length=1, max_length=200, description="Any of its names, its ticker, CIK or LEI.")]
Names = Annotated[
    list[Annotated[str, Query(max_length=200)]] | None, Query(max_length=100, description="None for all.")
]
Measures = Annotated[
    list[Annotated[str, Query(max_length=400)]],
    Query(min_length=1, max_length=20, description="A line item, a metric, or an expression: `net debt / EBITDA`."),
]
Year = Annotated[int | None, Query(ge=1900, le=2100, description="As the company counts its fiscal years.")]
Form = Literal["json", "csv", "xlsx"]
SCALES = {10**3: "thousand", 10**6: "million", 10**9: "billion"}
OTHER: dict[int | str, dict[str, Any]] = {200: {"content": {EXPORTS["xlsx"]: {}, "text/csv": {}}}}


def add_companies(router: APIRouter, library: Library) -> None:
    """Adds the paths."""
    _add_known(router, library)
    _add_measured(router, library)


def _add_known(router: APIRouter, library: Library) -> None:
    @router.get("/api/companies", response_model=schema.Companies)
    def list_companies() -> Response:
        """The companies by name, each with its filings, the newest first."""
        keys = library.keys()
        return Json({"companies": [_company(each, keys) for each in library.companies().companies]})

    @router.get("/api/measures", response_model=schema.Measures)
    def list_measures() -> Response:
        """What can be compared by name: line items, with the statement each stands in, and metrics."""
        items = [
            {"name": name.replace("_", " "), "statement": each.statement, "unit": each.unit}
            for name, each in line_items().items()
        ]
        calculated = [
            {"name": name.replace("_", " "), "statement": "", "unit": each.unit} for name, each in metrics().items()
        ]
        return Json({"measures": [*items, *calculated]})

    @router.get("/api/statement", response_model=schema.Grids, responses=OTHER)
    def statement(
        company: Name,
        kind: Literal["income", "balance", "cash-flow", "equity", "comprehensive"] = "income",
        quarters: bool = False,
        standard: Annotated[bool, Query(description="In standard concepts, not in the company's own lines.")] = False,
        first: Year = None,
        last: Year = None,
        form: Form = "json",
    ) -> Response:
        """One statement of a company over years, from all of its filings; what a newer one revised is marked."""
        kept = library.companies()
        periods = (*QUARTERS, "FY") if quarters and kind == "balance" else QUARTERS if quarters else ("FY",)
        make = standard_statement if standard else own_statement
        lines = make(kept, kept.company(company), kind, _years(first, last), periods)
        if not lines and not quarters:
            raise LibraryError("no report that is open states this of a whole year: look at it by quarter")
        return _told(lines, library, form, "company")


def _add_measured(router: APIRouter, library: Library) -> None:
    @router.get("/api/compare", response_model=schema.Grids, responses=OTHER)
    def compare_measures(
        measure: Measures,
        company: Names = None,
        period: Annotated[
            Literal["years", "quarters", "ltm"], Query(description="ltm: the last twelve months.")
        ] = "years",
        first: Year = None,
        last: Year = None,
        form: Form = "json",
    ) -> Response:
        """Measures by company and period: a grid for each measure, a row for each company."""
        kept = library.companies()
        periods = {"years": ("FY",), "quarters": QUARTERS, "ltm": (LTM,)}[period]
        chosen = [kept.company(each) for each in company] if company else None
        return _told(compare(kept, measure, chosen, _years(first, last), periods), library, form)

    @router.get("/api/screen", response_model=schema.Grids, responses=OTHER)
    def screen_companies(
        conditions: Annotated[str, Query(min_length=1, max_length=1000, description="gross margin > 40% and ...")],
        company: Names = None,
        first: Year = None,
        last: Year = None,
        form: Form = "json",
    ) -> Response:
        """The companies that fulfil conditions, with the figures: by default in the newest year of each."""
        kept = library.companies()
        chosen = [kept.company(each) for each in company] if company else None
        return _told(screen(kept, conditions, chosen, _years(first, last)), library, form)


def _years(first: int | None, last: int | None) -> range | None:
    return None if first is None and last is None else range(first or 1900, (last or 2100) + 1)


def _told(lines: Sequence[Line], library: Library, form: Form, by: str = "measure") -> Response:
    """Lines as grids, or as a file. Raises LibraryError where there are none, OutputError."""
    if not lines:
        raise LibraryError("no report that is open states this")
    if form == "csv":
        return _file("".join(f"{line}\n" for line in write_csv(lines)).encode(errors="replace"), "csv", "text/csv")
    if form == "xlsx":
        return _file(workbook(lines, by), "xlsx", EXPORTS["xlsx"])
    keys = library.keys()
    return Json({"grids": [_grid(each, keys) for each in grids(lines, by)], "notes": notes(lines)})


def _file(content: bytes, form: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="companies.{form}"'}
    return Response(content, 200, headers, media_type=media_type)


def _company(company: Company, keys: Mapping[str, str]) -> dict[str, Any]:
    return {
        "company": company.iri,
        "name": company.name,
        "names": company.names,
        "ticker": company.ticker or None,
        "identifier": company.key,
        "filings": [
            {
                "report": keys.get(each.report),
                "id": each.report,
                "form": each.form,
                "fiscal_year": each.fiscal_year,
                "fiscal_period": each.fiscal_period,
                "ended": each.ended.isoformat() if each.ended else None,
                "amendment": each.is_amendment,
            }
            for each in company.filings
        ],
    }


def _grid(grid: Grid, keys: Mapping[str, str]) -> dict[str, Any]:
    rows = [
        {
            "label": said[0],
            "cells": [
                _cell(line, text, grid, keys) if line else None for line, text in zip(lines, said[1:], strict=True)
            ],
        }
        for said, lines in zip(grid.rows, grid.values, strict=True)
    ]
    return {"title": grid.title, "columns": grid.head[1:], "rows": rows}


def _cell(line: Line, shown: str, grid: Grid, keys: Mapping[str, str]) -> dict[str, Any]:
    value = line.value
    return {
        "shown": shown.removesuffix(RESTATED),
        "amount": f"{value.amount:f}",
        "drawn": float(number(line, grid)),
        "unit": value.unit,
        "program": value.program if value.derived else None,
        "probability": value.probability,
        "flags": value.flags,
        "stated": [_stated(each, keys) for each in value.sources],
        "restated": [_stated(each, keys) for each in value.restated],
    }


def _stated(source: Source, keys: Mapping[str, str]) -> dict[str, Any]:
    stated = source.observed
    return {
        "report": keys.get(source.filing.report),
        "id": source.filing.report,
        "fact": stated.fact,
        "label": stated.label,
        "shown": " ".join(part for part in (f"{stated.value:,f}", SCALES.get(stated.scale, ""), stated.unit) if part),
        "amount": f"{stated.amount:f}",
        "place": stated.place,
    }
