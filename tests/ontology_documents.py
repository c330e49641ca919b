"""Small reports for the tests of the ontology, whose companies and figures are invented."""

from __future__ import annotations

from tieout.data.document import Document, Table


def report(identifier: str, before: str, *rows: tuple[str, ...]) -> Document:
    return Document(id=identifier, paragraphs=(before,), before=1, tables=(Table(rows=rows),))


def reports() -> list[Document]:
    options = "the fair value of each stock option was estimated with a black scholes option pricing model ."
    income = "the results of operations of quarrelby corporation for the last two years were as follows ."
    return [
        report(
            "Single_QRBY/2009/page_1.pdf-1",
            income,
            ("( in millions )", "2009", "2008"),
            ("net sales", "$ 731.5", "$ 699.1"),
            ("cost of sales", "402.0", "388.8"),
            ("operating income ( loss )", "-66.1 ( 66.1 )", "71.0"),
            ("net income ( 1 )", "$ 40.2", "$ 41.9"),
        ),
        report(
            "Single_ZNTH/2012/page_7.pdf-2",
            "the results of operations were as follows .",
            ("year ended december 31", "2012", "2011"),
            ("total revenues", "$ 94.1", "$ 88.0"),
            ("cost of revenue", "51.3", "47.7"),
            ("income from operations", "12.6", "11.9"),
            ("net earnings", "8.8", "8.2"),
            ("zenithrope licence income", "1.1", "1.0"),
        ),
        report(
            "Single_QRBY/2009/page_2.pdf-1",
            options,
            ("", "2009", "2008"),
            ("expected volatility", "31% ( 31 % )", "29% ( 29 % )"),
            ("risk-free interest rate", "2.1% ( 2.1 % )", "3.9% ( 3.9 % )"),
            ("expected life ( in years )", "5.2", "5.0"),
        ),
        report(
            "Single_ZNTH/2012/page_9.pdf-1",
            options,
            ("", "2012"),
            ("volatility factor", "44% ( 44 % )"),
            ("weighted average risk free interest rate", "1.4% ( 1.4 % )"),
            ("expected term ( years )", "6.1"),
        ),
    ]
