"""A small filing as web page, made the way filers' software makes them: a cover, contents, statements laid out over
columns with signs in cells of their own, notes, tags of Inline XBRL, page numbers."""

from __future__ import annotations

_CONTEXTS = """
<xbrli:context id="y25"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2024-09-29</xbrli:startDate><xbrli:endDate>2025-09-27</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:context id="y24"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2023-10-01</xbrli:startDate><xbrli:endDate>2024-09-28</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:context id="east"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
<xbrli:segment>
<xbrldi:explicitMember dimension="us-gaap:StatementGeographicalAxis">zeph:EastMember</xbrldi:explicitMember>
</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>2024-09-29</xbrli:startDate>
<xbrli:endDate>2025-09-27</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="d25"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:instant>2025-09-27</xbrli:instant></xbrli:period></xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
<xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>
"""


def number(
    text: str,
    concept: str,
    context: str,
    *,
    unit: str = "usd",
    scale: int = 6,
    rule: str = "num-dot-decimal",
    sign: str = "",
) -> str:
    """A tagged number."""
    negative = f' sign="{sign}"' if sign else ""
    return (
        f'<ix:nonFraction name="{concept}" contextRef="{context}" unitRef="{unit}" scale="{scale}" decimals="-6" '
        f'format="ixt:{rule}"{negative}>{text}</ix:nonFraction>'
    )


def row(label: str, *values: str) -> str:
    """A row as pages lay it out: each value over a column for `$`, one for the digits and one for what closes it."""
    cells = []
    for value in values:
        sign = "$" if value.startswith("$") else ""
        rest = value.removeprefix("$")
        close = ")" if rest.endswith(")") else "%" if rest.endswith("%") else ""
        digits = rest[: len(rest) - len(close)] if close else rest
        cells.append(
            f'<td style="width:1%">{sign}</td><td style="text-align:right">{digits}</td><td>{close}</td><td></td>'
        )
    return f'<tr><td colspan="3">{label}</td><td></td>{"".join(cells)}</tr>'


def header(*titles: str, label: str = "") -> str:
    """A header row: each title over the three columns of a value."""
    cells = "".join(f"<td colspan=3>{title}</td><td></td>" for title in titles)
    return f'<tr><td colspan="3">{label}</td><td></td>{cells}</tr>'


BREAK = '<hr style="page-break-after:always">'


def foot(page: int) -> str:
    return f'<div style="text-align:center">Zephant Corp | 2025 Form 10-K | {page}</div>{BREAK}'


def filing() -> str:
    sales, fees, east = "us-gaap:Revenues", "zeph:Fees", "us-gaap:Revenues"
    loss = "(" + number("12", fees, "y24", sign="-") + ")"
    return f"""<html><head><title>zeph</title><style>b {{ margin: 12px }}</style></head><body>
<div style="display:none"><ix:header><ix:hidden>{number("7", "zeph:Stores", "d25", unit="pure", scale=0)}
<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="y25">Zephant Corp</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentType" contextRef="y25">10-K</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="y25">September 27, 2025</ix:nonNumeric></ix:hidden>
<ix:resources>{_CONTEXTS}</ix:resources></ix:header></div>
<div style="text-align:center"><b>FORM 10-K</b></div>
<div>For the fiscal year ended September 27, 2025</div>
<div style="text-align:center"><b>Zephant Corp</b></div>
<div>(Exact name of Registrant as specified in its charter)</div>
{foot(1)}
<div><b>TABLE OF CONTENTS</b></div>
<table><tr><td></td><td>Page</td></tr><tr><td>Item 7. Discussion</td><td>3</td></tr>
<tr><td>Item 8. Statements</td><td>4</td></tr><tr><td>Note 1. Debt</td><td>5</td></tr></table>
{foot(2)}
<div><span style="font-weight:700">Item 7. Management’s Discussion</span></div>
<div>Sales grew to {number("416.2", sales, "y25", scale=6)} million in 2025, or 6%, from 391.0 million in 2024.</div>
<table><tr><td>•</td><td>We opened 12 stores.</td></tr></table>
{foot(3)}
<div><b>Item 8. Financial Statements</b></div>
<div style="text-align:center"><b>Zephant Corp</b></div>
<div style="text-align:center"><b>CONSOLIDATED STATEMENTS OF OPERATIONS</b></div>
<div style="text-align:center">(In millions, except per-share amounts)</div>
<table>{header("Years ended", "Years ended")}{header("September 27, 2025", "September 28, 2024")}
{row("Net sales:")}{row("East", "$" + number("250", east, "east"), "$240")}
{row("Total net sales<sup>1</sup>", number("416", sales, "y25"), number("391", sales, "y24"))}
{row("Other income/(expense)", number("—", fees, "y25", rule="fixed-zero"), loss)}
{row("Earnings per share", "$" + number("7.49", "us-gaap:EarningsPerShareBasic", "y25", unit="eps", scale=0), "$6.11")}
{row("Tax rate", number("15.6", "us-gaap:TaxRate", "y25", unit="pure", scale=-2) + "%", "24.1%")}</table>
{foot(4)}
<div><b>Note 1. Debt</b></div>
<div>The following table shows maturities of debt as of September 27, 2025:</div>
<table>{row("2026", "$100")}{row("2027", "50")}{row("Thereafter", "25")}{row("Total", "$175")}</table>
{foot(5)}</body></html>"""
