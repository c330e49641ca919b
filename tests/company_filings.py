"""Filings of invented companies, with the tags of Inline XBRL or without: annual reports of years that overlap, and a
quarterly one; what one filing states of a year may differ from what an earlier one stated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from filing import header, number, row

# What is printed, by line: label, concept, whether of a day.
INCOME = {
    "revenue": ("Total net sales", "us-gaap:Revenues"),
    "cost": ("Cost of goods sold", "us-gaap:CostOfRevenue"),
    "gross": ("Gross profit", "us-gaap:GrossProfit"),
    "operating": ("Operating income", "us-gaap:OperatingIncomeLoss"),
    "interest": ("Interest expense", "us-gaap:InterestExpense"),
    "pretax": (
        "Income before income taxes",
        "us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
    ),
    "tax": ("Provision for income taxes", "us-gaap:IncomeTaxExpenseBenefit"),
    "net": ("Net income attributable to {name}", "us-gaap:NetIncomeLoss"),
}
BALANCE = {
    "cash": ("Cash and cash equivalents", "us-gaap:CashAndCashEquivalentsAtCarryingValue"),
    "current": ("Total current assets", "us-gaap:AssetsCurrent"),
    "assets": ("Total assets", "us-gaap:Assets"),
    "payable": ("Accounts payable", "us-gaap:AccountsPayableCurrent"),
    "due": ("Total current liabilities", "us-gaap:LiabilitiesCurrent"),
    "debt": ("Long-term debt", "us-gaap:LongTermDebtNoncurrent"),
    "equity": ("Total stockholders’ equity", "us-gaap:StockholdersEquity"),
    "both": ("Total liabilities and stockholders’ equity", "us-gaap:LiabilitiesAndStockholdersEquity"),
}
CASH = {
    "operations": ("Net cash provided by operating activities", "us-gaap:NetCashProvidedByUsedInOperatingActivities"),
    "capex": ("Purchases of property and equipment", "us-gaap:PaymentsToAcquirePropertyPlantAndEquipment"),
    "investing": ("Net cash used in investing activities", "us-gaap:NetCashProvidedByUsedInInvestingActivities"),
    "financing": ("Net cash used in financing activities", "us-gaap:NetCashProvidedByUsedInFinancingActivities"),
    "taxes": ("Income taxes paid", "us-gaap:IncomeTaxesPaidNet"),
}
PAID = ("capex", "investing", "financing")


@dataclass(frozen=True)
class Figures:
    """What a company did in a year, in millions: all that is printed follows from sales."""

    sales: int

    def of(self, line: str) -> int:
        share = {
            "revenue": 100,
            "cost": 60,
            "gross": 40,
            "operating": 20,
            "interest": 2,
            "pretax": 18,
            "tax": 4,
            "net": 14,
        }
        share |= {
            "cash": 10,
            "current": 30,
            "assets": 90,
            "payable": 5,
            "due": 20,
            "debt": 30,
            "equity": 40,
            "both": 90,
        }
        share |= {"operations": 22, "capex": 7, "investing": 9, "financing": 8, "taxes": 3}
        return self.sales * share[line] // 100


@dataclass(frozen=True)
class Maker:
    """A company. sales: by fiscal year. month, day: on which its years end."""

    name: str
    cik: str
    ticker: str
    sales: dict[int, int] = field(default_factory=dict)
    month: int = 12
    day: int = 31
    tagged: bool = True
    called: str = ""
    per_share: bool = False
    split: int = 1
    focus: int = 0  # what is added to the calendar year of its end to call a fiscal year

    def end(self, year: int) -> date:
        return date(year, self.month, self.day)

    def annual(self, year: int, **restated: int) -> str:
        """The annual report of a year with the year before. restated: sales of other years as this report has them."""
        sales = self.sales | {int(key.removeprefix("y")): value for key, value in restated.items()}
        maker = replace(self, sales=sales)
        return maker._page("10-K", year, f"For the fiscal year ended {self._said(self.end(year))}")

    def _said(self, day: date) -> str:
        return f"{day:%B} {day.day}, {day.year}"

    def _page(self, form: str, year: int, ended: str) -> str:
        tables = "".join(
            f"<p><b>{title}</b></p><p>(in millions)</p>{self._table(lines, year, of_day)}"
            for title, lines, of_day in (
                ("Consolidated Statements of Income", INCOME, False),
                ("Consolidated Balance Sheets", BALANCE, True),
                ("Consolidated Statements of Cash Flows", CASH, False),
            )
        )
        return f"""<html><body>{self._hidden(form, year) if self.tagged else ""}
<p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM {form}</p><p>{ended}</p>
<p>{self.name}</p><p>(Exact name of registrant as specified in its charter)</p>
<p>{self.name} {f"(“{self.called}”)" if self.called else ""} makes and sells lamps in many countries.</p>
<p>Item 8. Financial Statements and Supplementary Data</p>{tables}</body></html>"""

    def _hidden(self, form: str, year: int) -> str:
        days = {f"d{each}": f"<xbrli:instant>{self.end(each)}</xbrli:instant>" for each in (year, year - 1)}
        for each in (year, year - 1):
            first = date.fromordinal(self.end(each - 1).toordinal() + 1)
            days[f"y{each}"] = (
                f"<xbrli:startDate>{first}</xbrli:startDate><xbrli:endDate>{self.end(each)}</xbrli:endDate>"
            )
        contexts = "".join(
            f'<xbrli:context id="{name}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">{self.cik}'
            f"</xbrli:identifier></xbrli:entity><xbrli:period>{period}</xbrli:period></xbrli:context>"
            for name, period in days.items()
        )
        about = {
            "EntityRegistrantName": self.name,
            "EntityCentralIndexKey": self.cik,
            "TradingSymbol": self.ticker,
            "DocumentType": form,
            "DocumentPeriodEndDate": self._said(self.end(year)),
            "DocumentFiscalYearFocus": str(year + self.focus),
            "DocumentFiscalPeriodFocus": "FY",
            "AmendmentFlag": "false",
        }
        texts = "".join(
            f'<ix:nonNumeric name="dei:{key}" contextRef="y{year}">{text}</ix:nonNumeric>'
            for key, text in about.items()
        )
        usd, shares = (f"<xbrli:measure>{name}</xbrli:measure>" for name in ("iso4217:USD", "xbrli:shares"))
        per_share = (
            f'<xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator>{usd}</xbrli:unitNumerator>'
            f"<xbrli:unitDenominator>{shares}</xbrli:unitDenominator></xbrli:divide></xbrli:unit>"
        )
        unit = f'<xbrli:unit id="usd">{usd}</xbrli:unit>{per_share}'
        inside = f"<ix:hidden>{texts}</ix:hidden><ix:resources>{contexts}{unit}</ix:resources>"
        return f'<div style="display:none"><ix:header>{inside}</ix:header></div>'

    def _table(self, lines: dict[str, tuple[str, str]], year: int, of_day: bool) -> str:
        years = [each for each in (year, year - 1) if each in self.sales]
        head = header(*(self._said(self.end(each)) if of_day else str(each) for each in years))
        rows = [
            row(
                label.format(name=self.name.split()[0]),
                *(self._cell(line, concept, each, "d" if of_day else "y") for each in years),
            )
            for line, (label, concept) in lines.items()
        ]
        if self.per_share and lines is INCOME:
            rows.append(row("Diluted earnings per share", *(self._per_share(each) for each in years)))
        return f"<table>{head}{''.join(rows)}</table>"

    def _per_share(self, year: int) -> str:
        """A thousandth of sales in millions, over the shares that there are after a split."""
        amount = f"{self.sales[year] / 1000 / self.split:.2f}"
        return number(amount, "us-gaap:EarningsPerShareDiluted", f"y{year}", unit="eps", scale=0)

    def _cell(self, line: str, concept: str, year: int, kind: str) -> str:
        amount = f"{Figures(self.sales[year]).of(line):,}"
        if self.tagged:
            amount = number(amount, concept, f"{kind}{year}", sign="-" if line in PAID[1:] else "")
        return f"({amount})" if line in PAID else amount


LUMEN = Maker(
    "Lumen Works, Inc.", "0000000071", "LUMN", {2021: 1000, 2022: 1200, 2023: 1500, 2024: 1600}, called="Lumen"
)
ORION = Maker("Orion Glass Corporation", "0000000072", "ORGL", {2022: 4000, 2023: 3000, 2024: 3300}, month=6, day=30)


def write_all(folder: Path) -> Path:
    """Three reports of Lumen Works, of which the last restates the sales of the year before, and two of Orion Glass."""
    pages = {
        "lumen22": LUMEN.annual(2022),
        "lumen23": LUMEN.annual(2023),
        "lumen24": LUMEN.annual(2024, y2023=1400),
        "orion23": ORION.annual(2023),
        "orion24": replace(ORION, tagged=False).annual(2024),
    }
    for name, text in pages.items():
        (folder / f"{name}.htm").write_text(text, encoding="utf-8")
    return folder
