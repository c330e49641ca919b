"""The notes of an invented annual report."""

from __future__ import annotations

from collections.abc import Iterator

from annual_report import Printer, day, ends, heading, share, text


def notes(printer: Printer) -> Iterator[str]:
    """The notes with their tables."""
    yield heading("NOTES TO CONSOLIDATED FINANCIAL STATEMENTS")
    yield heading("Note 1. Summary of Significant Accounting Policies")
    yield text(
        "The consolidated statements include all companies that we control.",
        "Revenue from equipment is recognized when it is delivered, and from services over the term of the contract.",
        "Property, plant and equipment is depreciated over 3 to 40 years.",
    )
    yield from _revenue(printer)
    yield from _balances(printer)
    yield from _debt(printer)
    yield from _taxes(printer)
    yield from _compensation(printer)
    yield from _leases(printer)


def _revenue(printer: Printer) -> Iterator[str]:
    of, years = printer.figures, tuple(map(str, printer.company.years))
    americas = tuple(round(sales * 0.46) for sales in of["sales"])
    europe = tuple(round(sales * 0.31) for sales in of["sales"])
    asia = tuple(sales - one - two for sales, one, two in zip(of["sales"], americas, europe, strict=True))
    yield heading("Note 2. Revenue and Segments")
    yield text("Net sales by region, by the place of the customer, were as follows:")
    yield printer.table(
        years,
        [("Americas", americas), ("Europe", europe), ("Asia Pacific", asia), ("Total net sales", of["sales"])],
        "Years Ended",
        "(in millions)",
    )
    first = tuple(round(income * 0.63) for income in of["operating income"])
    second = tuple(all - one + 48 for all, one in zip(of["operating income"], first, strict=True))
    yield text(
        "We have two segments, Laboratory and Industrial. Costs of the head office are not part of their results."
    )
    yield printer.table(
        years,
        [
            ("Operating income:", ()),
            ("Laboratory", first),
            ("Industrial", second),
            ("Corporate", (-48, -48, -48)),
            ("Total operating income", of["operating income"]),
        ],
        "Years Ended",
        "(in millions)",
    )
    yield text(
        f"Revenue that is deferred was $141 million at {day(printer.company.ended)}, of which we "
        "recognize $118 million within a year."
    )


def _balances(printer: Printer) -> Iterator[str]:
    of, closing = printer.figures, ends(printer.company)
    heads = tuple(day(each) for each in closing[:2])
    yield heading("Note 3. Inventories and Property, Plant and Equipment")
    yield printer.table(
        heads,
        printer.of_years(
            ("Raw materials", "raw materials"),
            ("Work in process", "work in process"),
            ("Finished goods", "finished goods"),
            ("Total inventories", "inventories"),
            count=2,
        ),
        corner="(in millions)",
    )
    gross = of["gross property"]
    yield printer.table(
        heads,
        [
            ("Land", (52, 52)),
            ("Buildings", (418, 397)),
            ("Machinery and equipment", (gross[0] - 470, gross[1] - 449)),
            ("Gross property, plant and equipment", gross[:2]),
            ("Accumulated depreciation", of["accumulated"][:2]),
            ("Total property, plant and equipment, net", of["property"][:2]),
        ],
        corner="(in millions)",
    )
    yield heading("Note 4. Goodwill and Intangible Assets")
    yield printer.table(
        ("Laboratory", "Industrial", "Total"),
        [
            (f"Balance at {day(closing[1])}", (of["goodwill"][1] - 307, 307, of["goodwill"][1])),
            ("Acquisitions", (of["goodwill"][0] - of["goodwill"][1] + 6, 0, of["goodwill"][0] - of["goodwill"][1] + 6)),
            ("Currency translation", (-4, -2, -6)),
            (f"Balance at {day(closing[0])}", (of["goodwill"][0] - 305, 305, of["goodwill"][0])),
        ],
        corner="(in millions)",
    )
    yield text("Expected amortization of intangible assets in each of the next five years is:")
    first = printer.company.years[0]
    yield printer.table(
        ("Amortization",),
        [(str(first + ahead), (amount,)) for ahead, amount in enumerate((49, 45, 41, 37, 33), start=1)],
        corner="(in millions)",
    )


def _debt(printer: Printer) -> Iterator[str]:
    of, closing = printer.figures, ends(printer.company)
    first = printer.company.years[0]
    yield heading("Note 5. Debt")
    total = tuple(one + other for one, other in zip(of["debt"][:2], of["current debt"][:2], strict=True))
    yield printer.table(
        tuple(day(each) for each in closing[:2]),
        [
            (f"3.25% senior notes due {first + 1}", (75, 75)),
            (f"4.10% senior notes due {first + 3}", (150, 150)),
            (f"4.75% senior notes due {first + 6}", (total[0] - 225, total[1] - 225)),
            ("Total debt", total),
            ("Less current portion", (-of["current debt"][0], -of["current debt"][1])),
            ("Total long-term debt", of["debt"][:2]),
        ],
        corner="(in millions)",
    )
    yield text(
        f"Interest paid was $37 million, $34 million and $28 million in {first}, {first - 1} and {first - 2}, "
        "respectively.",
        "The fair value of the senior notes was $911 million.",
    )


def _taxes(printer: Printer) -> Iterator[str]:
    of, years = printer.figures, tuple(map(str, printer.company.years))
    yield heading("Note 6. Income Taxes")
    federal = tuple(round(tax * 0.71) for tax in of["current tax"])
    foreign = tuple(tax - one for tax, one in zip(of["current tax"], federal, strict=True))
    yield printer.table(
        years,
        [
            ("Current:", ()),
            ("Federal and state", federal),
            ("Foreign", foreign),
            ("Deferred", of["deferred tax"]),
            ("Total provision for income taxes", of["tax"]),
        ],
        "Years Ended",
        "(in millions)",
    )
    rates = tuple(share(tax, before) for tax, before in zip(of["tax"], of["pretax"], strict=True))
    yield printer.table(
        years,
        [
            ("Federal statutory rate", ("21.0%", "21.0%", "21.0%")),
            ("State taxes, net of federal benefit", ("2.1%", "1.9%", "2.2%")),
            ("Effective tax rate", rates),
        ],
        "Years Ended",
    )
    yield text(f"Unrecognized tax benefits were $29 million at {day(printer.company.ended)}.")


def _compensation(printer: Printer) -> Iterator[str]:
    closing = ends(printer.company)
    yield heading("Note 7. Stock-Based Compensation")
    yield text("Options vest over four years. The activity of stock options was as follows:")
    yield printer.table(
        ("Number of options (in thousands)", "Weighted average exercise price"),
        [
            (f"Outstanding at {day(closing[1])}", ("4,218", "$ 71.35")),
            ("Granted", ("612", "$ 112.90")),
            ("Exercised", ("(893)", "$ 58.14")),
            ("Forfeited", ("(107)", "$ 88.02")),
            (f"Outstanding at {day(closing[0])}", ("3,830", "$ 80.61")),
        ],
    )
    yield text("Unrecognized compensation cost was $54 million, to be recognized over 2.3 years.")


def _leases(printer: Printer) -> Iterator[str]:
    first = printer.company.years[0]
    yield heading("Note 8. Leases")
    yield text("We lease offices and vehicles. Operating lease cost was $43 million.", "Payments of leases are due:")
    amounts = (41, 36, 32, 26, 21)
    rows: list[tuple[object, ...]] = [(str(first + ahead), (amount,)) for ahead, amount in enumerate(amounts, start=1)]
    rows += [("Thereafter", (30,)), ("Total lease payments", (186,)), ("Less imputed interest", (-19,))]
    yield printer.table(("Operating leases",), [*rows, ("Total lease liabilities", (167,))], corner="(in millions)")
