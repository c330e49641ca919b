"""The front of an invented annual report (cover, business, discussion) and its four statements."""

from __future__ import annotations

from collections.abc import Iterator

from annual_report import Printer, day, ends, heading, per_share, share, text


def front(printer: Printer) -> Iterator[str]:
    """Cover, business, purchases of shares, and the discussion of results."""
    company, of = printer.company, printer.figures
    yield text("UNITED STATES SECURITIES AND EXCHANGE COMMISSION")
    yield heading("FORM 10-K")
    yield text(f"For the fiscal year ended {day(company.ended)}")
    yield heading(company.name)
    yield text("(Exact name of registrant as specified in its charter)")
    yield heading("PART I")
    yield heading("Item 1. Business")
    yield text(
        f"{company.name} makes measuring equipment for laboratories and factories and services it.",
        f"In {company.years[0]} it spent ${of['research'][0]} million on research and development and employed about "
        "11,400 people in 23 countries.",
        "No customer accounted for more than 10% of net sales.",
    )
    yield heading("PART II")
    yield heading("Item 5. Market for Registrant's Common Equity and Issuer Purchases of Equity Securities")
    yield printer.table(
        ("Total number of shares purchased", "Average price paid per share"),
        (
            ("First month of the quarter", ("214,300", "$ 118.42")),
            ("Second month of the quarter", ("187,050", "$ 121.07")),
            ("Third month of the quarter", ("163,900", "$ 124.66")),
            ("Total", ("565,250", "$ 121.11")),
        ),
        corner="Period",
    )
    yield from _discussion(printer)


def _discussion(printer: Printer) -> Iterator[str]:
    of, years = printer.figures, printer.company.years
    sales = of["sales"]
    yield heading("Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations")
    yield heading("Results of Operations")
    yield text(
        f"Net sales in {years[0]} were ${sales[0]:,} million, an increase of {share(sales[0] - sales[1], sales[1])} "
        f"over {years[1]}, of which acquisitions contributed 1.1%.",
        f"Services grew to ${of['services'][0]} million as the installed base rose to about 96,000 instruments.",
        f"Gross profit was {share(of['gross profit'][0], sales[0])} of net sales, compared with "
        f"{share(of['gross profit'][1], sales[1])} in {years[1]}.",
    )
    yield heading("Summary of Results")
    changes = [
        (label, (of[name][0], of[name][1], share(of[name][0] - of[name][1], of[name][1])))
        for label, name in (
            ("Equipment", "equipment"),
            ("Services", "services"),
            ("Net sales", "sales"),
            ("Gross profit", "gross profit"),
            ("Operating income", "operating income"),
            ("Net income", "net income"),
        )
    ]
    yield printer.table((str(years[0]), str(years[1]), "Change"), changes, corner="(in millions)")
    yield heading("Liquidity and Capital Resources")
    yield text(
        f"Cash and cash equivalents were ${of['cash'][0]:,} million at {day(printer.company.ended)}, of which "
        "$311 million was held outside the United States.",
        "We have a revolving credit facility of $750 million, which was not drawn.",
        f"Capital expenditures are expected to be about ${of['capital expenditures'][0] + 17} million in "
        f"{years[0] + 1}.",
    )
    yield heading("Summary of Cash Flows")
    yield printer.table(
        tuple(map(str, years)),
        printer.of_years(
            ("Net cash provided by operating activities", "operating cash"),
            ("Net cash used in investing activities", "investing cash"),
            ("Net cash used in financing activities", "financing cash"),
        ),
        over="Years Ended",
        corner="(in millions)",
    )
    yield heading("Contractual Obligations")
    debt = of["debt"][0] + of["current debt"][0]
    yield printer.table(
        ("Total", "Less than 1 year", "1 to 3 years", "More than 3 years"),
        (
            ("Long-term debt", (debt, of["current debt"][0], 150, of["debt"][0] - 150)),
            ("Interest on debt", (214, 37, 66, 111)),
            ("Operating leases", (186, 41, 68, 77)),
            ("Purchase obligations", (263, 198, 65, 0)),
            ("Total", (debt + 663, of["current debt"][0] + 276, 349, of["debt"][0] + 38)),
        ),
        over="Payments due by period",
        corner="(in millions)",
    )


def statements(printer: Printer) -> Iterator[str]:
    """Statements of operations, comprehensive income, balance sheets, cash flows and equity."""
    yield heading("Item 8. Financial Statements and Supplementary Data")
    yield from _operations(printer)
    yield from _balance_sheets(printer)
    yield from _cash_flows(printer)
    yield from _equity(printer)


def _operations(printer: Printer) -> Iterator[str]:
    of, years = printer.figures, tuple(map(str, printer.company.years))
    over = f"Years Ended {day(printer.company.ended).rpartition(',')[0]},"
    yield heading("CONSOLIDATED STATEMENTS OF OPERATIONS")
    rows = printer.of_years(
        ("Net sales:",),
        ("Equipment", "equipment"),
        ("Services", "services"),
        ("Total net sales", "sales", "Revenues"),
        ("Cost of sales:",),
        ("Equipment", "cost of equipment"),
        ("Services", "cost of services"),
        ("Total cost of sales", "cost", "CostOfRevenue"),
        ("Gross profit", "gross profit", "GrossProfit"),
        ("Operating expenses:",),
        ("Research and development", "research", "ResearchAndDevelopmentExpense"),
        ("Selling, general and administrative", "selling", "SellingGeneralAndAdministrativeExpense"),
        ("Restructuring charges", "restructuring", "RestructuringCharges"),
        ("Total operating expenses", "operating expenses", "OperatingExpenses"),
        ("Operating income", "operating income", "OperatingIncomeLoss"),
        ("Interest expense", "interest", "-InterestExpense"),
        ("Other income (expense), net", "other", "OtherNonoperatingIncomeExpense"),
        ("Income before income taxes", "pretax"),
        ("Provision for income taxes", "tax", "IncomeTaxExpenseBenefit"),
        ("Net income", "net income", "NetIncomeLoss"),
    )
    income = of["net income"]
    dividends = tuple(-each for each in of["dividends"])
    rows += [
        ("Net income per share:", ()),
        ("Basic", per_share(income, of["shares"]), "EarningsPerShareBasic"),
        ("Diluted", per_share(income, of["diluted shares"]), "EarningsPerShareDiluted"),
        ("Weighted average shares outstanding:", ()),
        ("Basic", of["shares"], "WeightedAverageNumberOfSharesOutstandingBasic"),
        ("Diluted", of["diluted shares"], "WeightedAverageNumberOfDilutedSharesOutstanding"),
        ("Cash dividends declared per share", per_share(dividends, of["shares"])),
    ]
    yield printer.table(years, rows, over, "(in millions, except per share data)")
    yield heading("CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME")
    total = tuple(one + other for one, other in zip(income, of["other comprehensive"], strict=True))
    yield printer.table(
        years,
        [
            ("Net income", income),
            ("Foreign currency translation, net of tax", of["other comprehensive"]),
            ("Total comprehensive income", total, "ComprehensiveIncomeNetOfTax"),
        ],
        over,
        "(in millions)",
    )


def _balance_sheets(printer: Printer) -> Iterator[str]:
    yield heading("CONSOLIDATED BALANCE SHEETS")
    rows = printer.of_years(
        ("ASSETS",),
        ("Current assets:",),
        ("Cash and cash equivalents", "cash", "CashAndCashEquivalentsAtCarryingValue"),
        ("Accounts receivable, net", "receivables", "AccountsReceivableNetCurrent"),
        ("Inventories", "inventories", "InventoryNet"),
        ("Prepaid expenses and other current assets", "prepaid"),
        ("Total current assets", "current assets", "AssetsCurrent"),
        ("Property, plant and equipment, net", "property", "PropertyPlantAndEquipmentNet"),
        ("Goodwill", "goodwill", "Goodwill"),
        ("Intangible assets, net", "intangibles"),
        ("Other assets", "other assets"),
        ("Total assets", "total", "Assets"),
        ("LIABILITIES AND SHAREHOLDERS' EQUITY",),
        ("Current liabilities:",),
        ("Accounts payable", "payables", "AccountsPayableCurrent"),
        ("Accrued liabilities", "accrued"),
        ("Current portion of long-term debt", "current debt", "LongTermDebtCurrent"),
        ("Total current liabilities", "current liabilities", "LiabilitiesCurrent"),
        ("Long-term debt", "debt", "LongTermDebtNoncurrent"),
        ("Other liabilities", "other liabilities"),
        ("Total liabilities", "liabilities", "Liabilities"),
        ("Shareholders' equity:",),
        ("Common stock", "common stock"),
        ("Additional paid-in capital", "paid-in"),
        ("Retained earnings", "retained", "RetainedEarningsAccumulatedDeficit"),
        ("Accumulated other comprehensive loss", "accumulated other"),
        ("Total shareholders' equity", "equity", "StockholdersEquity"),
        ("Total liabilities and shareholders' equity", "total", "LiabilitiesAndStockholdersEquity"),
        count=2,
    )
    heads = tuple(day(each) for each in ends(printer.company)[:2])
    yield printer.table(heads, rows, corner="(in millions)", instant=True)


def _cash_flows(printer: Printer) -> Iterator[str]:
    yield heading("CONSOLIDATED STATEMENTS OF CASH FLOWS")
    rows = printer.of_years(
        ("Operating activities:",),
        ("Net income", "net income"),
        ("Depreciation", "depreciation"),
        ("Amortization of intangible assets", "amortization"),
        ("Stock-based compensation", "compensation", "ShareBasedCompensation"),
        ("Deferred income taxes", "deferred tax"),
        ("Accounts receivable", "change in receivables"),
        ("Inventories", "change in inventories"),
        ("Accounts payable", "change in payables"),
        ("Other operating activities", "other operating"),
        (
            "Net cash provided by operating activities",
            "operating cash",
            "NetCashProvidedByUsedInOperatingActivities",
        ),
        ("Investing activities:",),
        ("Capital expenditures", "-capital expenditures", "-PaymentsToAcquirePropertyPlantAndEquipment"),
        ("Acquisitions, net of cash acquired", "acquisitions"),
        ("Other investing activities", "other investing"),
        ("Net cash used in investing activities", "investing cash", "NetCashProvidedByUsedInInvestingActivities"),
        ("Financing activities:",),
        ("Proceeds from long-term debt", "borrowed"),
        ("Repayments of long-term debt", "repaid"),
        ("Dividends paid", "dividends", "-PaymentsOfDividends"),
        ("Repurchases of common stock", "repurchases", "-PaymentsForRepurchaseOfCommonStock"),
        ("Proceeds from employee stock plans", "issued"),
        ("Net cash used in financing activities", "financing cash", "NetCashProvidedByUsedInFinancingActivities"),
        ("Effect of exchange rates on cash", "exchange"),
        ("Increase in cash and cash equivalents", "cash change"),
        ("Cash at beginning of year", "cash before"),
        ("Cash at end of year", "cash"),
    )
    over = f"Years Ended {day(printer.company.ended).rpartition(',')[0]},"
    yield printer.table(tuple(map(str, printer.company.years)), rows, over, "(in millions)")


def _equity(printer: Printer) -> Iterator[str]:
    of, closing = printer.figures, ends(printer.company)
    parts = ("common stock", "paid-in", "retained", "accumulated other", "equity")
    rows: list[tuple[object, ...]] = [(f"Balance at {day(closing[2])}", tuple(of[part][2] for part in parts))]
    for at in (1, 0):
        income, compensation, issued = of["net income"][at], of["compensation"][at], of["issued"][at]
        other, dividends, bought = of["other comprehensive"][at], of["dividends"][at], of["repurchases"][at]
        rows += [
            ("Net income", (0, 0, income, 0, income)),
            ("Other comprehensive income (loss)", (0, 0, 0, other, other)),
            ("Stock-based compensation", (0, compensation, 0, 0, compensation)),
            ("Shares issued to employees", (0, issued, 0, 0, issued)),
            ("Dividends", (0, 0, dividends, 0, dividends)),
            ("Repurchases of common stock", (0, 0, bought, 0, bought)),
            (f"Balance at {day(closing[at])}", tuple(of[part][at] for part in parts)),
        ]
    yield heading("CONSOLIDATED STATEMENTS OF SHAREHOLDERS' EQUITY")
    yield printer.table(
        (
            "Common stock",
            "Additional paid-in capital",
            "Retained earnings",
            "Accumulated other comprehensive loss",
            "Total",
        ),
        rows,
        corner="(in millions)",
    )
