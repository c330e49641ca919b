"""edgartools beside this package on the same filings, without a network: what each has of the tags, by company.

`python -m tieout.eval.edgartools FOLDER --store DIR` (needs edgartools, the extra `get`). FOLDER has NAME.facts.jsonl;
the store keeps the same filings. edgartools is given the facts as the Commission's interface of company facts has them,
of which it makes its statements over years; that it also reads linkbases, which pages do not hold, is left aside.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from tieout.eval.companies import NEAR, Gold, kind_of, made_of, read_tags
from tieout.kg.companies.evaluate import Evaluator
from tieout.kg.companies.library import Library, open_library
from tieout.kg.companies.measure import read_measure
from tieout.kg.options import store_option

FEW = 7  # facts of a year
FILED = timedelta(days=45)  # after the last day of a filing, where nothing tells
MEASURES: Mapping[str, str] = {
    "revenue": "Revenues|RevenueFromContractWithCustomerExcludingAssessedTax",
    "cost_of_revenue": "CostOfRevenue|CostOfGoodsAndServicesSold",
    "gross_profit": "GrossProfit",
    "research_and_development": "ResearchAndDevelopmentExpense",
    "operating_income": "OperatingIncomeLoss",
    "income_tax": "IncomeTaxExpenseBenefit",
    "net_income": "NetIncomeLoss|ProfitLoss",
    "eps_diluted": "EarningsPerShareDiluted",
    "operating_cash_flow": "NetCashProvidedByUsedInOperatingActivities",
    "capital_expenditures": "PaymentsToAcquirePropertyPlantAndEquipment|PaymentsToAcquireProductiveAssets",
    "share_repurchases": "PaymentsForRepurchaseOfCommonStock",
    "dividends_paid": "PaymentsOfDividends|PaymentsOfDividendsCommonStock",
    "total_assets": "Assets",
    "current_liabilities": "LiabilitiesCurrent",
    "equity": "StockholdersEquity|StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
    "cash": "CashAndCashEquivalentsAtCarryingValue",
    "inventory": "InventoryNet",
    "goodwill": "Goodwill",
}
STATEMENTS = ("income_statement", "balance_sheet", "cash_flow_statement")
MOST_YEARS = 8


def company_facts(paths: list[Path]) -> dict[str, Any]:
    """The facts of a company's filings as `companyfacts` of the Commission has them."""
    facts: dict[str, dict[str, Any]] = {}
    for number, path in enumerate(paths, 1):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        form = "10-K" if "10K" in path.name else "10-Q"
        ended = _ended(rows, form)
        told = {"accn": f"0000000000-{ended.year % 100}-{number:06}", "fy": ended.year, "form": form}
        told |= {"fp": "FY" if form == "10-K" else "Q2", "filed": (ended + FILED).isoformat()}
        for row in rows:
            taxonomy, _, concept = row["concept"].partition(":")
            if row["dims"] or taxonomy not in ("us-gaap", "dei") or row["value"] is None:
                continue
            unit = row["unit"].replace("iso4217:", "")
            kept = facts.setdefault(taxonomy, {}).setdefault(concept, {"label": concept, "units": {}})
            span = {"start": row["start"]} if row["start"] else {}
            value = {**span, "end": row["end"], "val": float(row["value"]), **told}
            kept["units"].setdefault(unit, []).append(value)
    return {"cik": 1, "entityName": paths[0].name.split("_")[0], "facts": facts}


def _ended(rows: Sequence[Mapping[str, Any]], form: str) -> date:
    """The last day of the period of a filing: of an annual one that of its years, as some facts are of later days."""
    if form == "10-Q":
        return date.fromisoformat(made_of(rows))
    annual = Counter(row["end"] for row in rows if kind_of(row) == "FY")
    return date.fromisoformat(max(end for end, count in annual.items() if count > FEW))


def _annual(path: Path) -> date | None:
    """The last day of the year of an annual filing."""
    if "10K" not in path.name:
        return None
    return _ended([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()], "10-K")


def theirs(paths: list[Path]) -> dict[tuple[str, int], Decimal]:
    """What their statements over years have, by concept and fiscal year."""
    from edgar.entity.parser import EntityFactsParser

    parsed = EntityFactsParser.parse_company_facts(company_facts(paths))
    found: dict[tuple[str, int], Decimal] = {}
    for name in STATEMENTS:
        statement = getattr(parsed, name)(periods=MOST_YEARS, annual=True)
        frame = statement.to_dataframe() if statement is not None else None
        for concept, row in frame.iterrows() if frame is not None else ():
            for column, value in row.items():
                if str(column).startswith("FY ") and isinstance(value, int | float) and value == value:
                    found.setdefault((str(concept), int(str(column)[3:7])), Decimal(str(value)))
    return found


def ours(library: Library, ticker: str, ends: Mapping[int, date]) -> Iterator[tuple[tuple[str, int], Decimal]]:
    """What is kept here of the measures. ends: the last days of fiscal years, by the calendar years that they are in;
    a company may call them otherwise."""
    company = next(each for each in library.companies if each.filings[0].report.split("_")[0] == ticker)
    evaluator = Evaluator(library, company)
    for name in MEASURES:
        for year, end in ends.items():
            value = evaluator.value(read_measure(name), company.filings[0].years.of_day(end)[0])
            if value is not None:
                yield (name, year), value.amount


def _outcome(value: Decimal | None, gold: Decimal) -> str:
    if value is None:
        return "missing"
    return "right" if abs(abs(value) - abs(gold)) <= max(NEAR * abs(gold), Decimal("0.000001")) else "wrong"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--verbose", is_flag=True, help="Each value that one of the two has not right.")
@store_option
def main(folder: Path, verbose: bool, store: Path) -> None:
    """Counts by company what edgartools and this package have right of the annual values that tags state."""
    tags = read_tags(folder)
    gold = Gold(tags, {name: [formula] for name, formula in MEASURES.items()})
    total: Counter[str] = Counter()
    click.echo(
        "| company | years with an annual report: values | edgartools: right | missing | wrong "
        "| all years: values | edgartools: right | missing | wrong | here: right | missing | wrong |"
    )
    click.echo(f"|{'---|' * 12}")
    with open_library(store) as library:
        for ticker, each in tags.items():
            if not each.ends:
                continue
            counts: Counter[str] = Counter()
            paths = sorted(folder.glob(f"{ticker}_*.facts.jsonl"))
            have, annual = theirs(paths), set(map(_annual, paths))
            own = dict(ours(library, ticker, each.ends))
            for name, tagged in MEASURES.items():
                for year in each.ends:
                    wanted = gold.value(ticker, name, year)
                    if wanted is None:
                        continue
                    there = next((have[tag, year] for tag in tagged.split("|") if (tag, year) in have), None)
                    outcomes = _outcome(there, wanted), _outcome(own.get((name, year)), wanted)
                    counts.update(("n", f"theirs {outcomes[0]}", f"ours {outcomes[1]}"))
                    if each.ends[year] in annual:
                        counts.update(("own", f"own {outcomes[0]}"))
                    if verbose and outcomes != ("right", "right"):
                        click.echo(
                            f"{ticker} {name} {year}: tags {wanted}, edgartools {there}, here {own.get((name, year))}"
                        )
            total.update(counts)
            _line(ticker, counts)
    _line("all", total)


def _line(name: str, counts: Counter[str]) -> None:
    own, there, here = (
        " | ".join(str(counts[f"{whose} {what}"]) for what in ("right", "missing", "wrong"))
        for whose in ("own", "theirs", "ours")
    )
    click.echo(f"| {name} | {counts['own']} | {own} | {counts['n']} | {there} | {here} |")


if __name__ == "__main__":
    main()
