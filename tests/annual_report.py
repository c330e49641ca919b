"""The annual report of an invented company as web page, printed as filers' software prints it: the sample is made here.

`python tests/annual_report.py` writes data/sample/report.htm. Currency signs and closing brackets have cells of their
own, columns are held apart by empty ones, headers are in two rows, and the statements carry Inline XBRL tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from conftest import SAMPLE
from filing_figures import Company, Figures, Years

BRIGHTMOOR = Company("Brightmoor Instruments, Inc.", date(2024, 12, 31), (2318, 2187, 2046), (964, 842, 755))
CASTELLAN = Company("Castellan Optics Corporation", date(2024, 6, 30), (1411, 1398, 1205), (377, 298, 301), seed=3)
GAP = '<td style="width:1%"></td>'
LABEL, INDENTED = '<td style="vertical-align:bottom">', '<td style="padding-left:12pt">'
Row = tuple[str, Sequence[object]]  # a label and its amounts; a sub-heading has none


class Printer:
    """Prints figures of one company."""

    def __init__(self, company: Company) -> None:
        self.company, self.figures = company, Figures(company)
        self.units = 0

    def context(self, at: int, instant: bool) -> str:
        """The id of the context of a year, the latest first."""
        return f"{'i' if instant else 'd'}{self.company.years[at]}"

    def tagged(self, text: str, concept: str, at: int, instant: bool, unit: str, negative: bool) -> str:
        """A printed amount in its Inline XBRL tag."""
        sign = ' sign="-"' if negative else ""
        scale, decimals = ("0", "2") if unit == "perShare" else ("6", "-6")
        return (
            f'<ix:nonFraction unitRef="{unit}" contextRef="{self.context(at, instant)}" decimals="{decimals}" '
            f'name="us-gaap:{concept}" format="ixt:num-dot-decimal" scale="{scale}"{sign}>{text}</ix:nonFraction>'
        )

    def row(self, label: str, values: Sequence[object], signs: bool, concept: str = "", instant: bool = False) -> str:
        """One row. concept: of its tag, `-Name` where the tag states the amount with the other sign."""
        cells = [f"{INDENTED if values else LABEL}{label}</td>"]
        unit = "perShare" if "PerShare" in concept else "shares" if "Shares" in concept else "usd"
        for at, value in enumerate(values):
            text, closing = printed(value)
            if concept and isinstance(value, int | Decimal) and value:
                stated = -value if concept.startswith("-") else value
                name = concept.lstrip("-")
                text = ("(" if text.startswith("(") else "") + self.tagged(
                    text.lstrip("("), name, at, instant, unit, stated < 0
                )
            dollar = "$" if signs and isinstance(value, int | Decimal) else ""
            cells.append(f'{GAP}<td>{dollar}</td><td style="text-align:right">{text}</td><td>{closing}</td>')
        return f"<tr>{''.join(cells)}</tr>"

    def table(
        self,
        heads: Sequence[str],
        rows: Sequence[tuple[object, ...]],
        over: str = "",
        corner: str = "",
        instant: bool = False,
    ) -> str:
        """A table. heads: one for each column of amounts; over: a header above all of them.

        rows: (label, amounts), with the concept of their tags as third. The first amounts of a block carry signs.
        """
        lines = []
        if over:
            lines.append(
                f'<tr><td></td>{GAP}<td colspan="{len(heads) * 4 - 1}" style="text-align:center">{over}</td></tr>'
            )
        named = "".join(f'{GAP}<td colspan="3" style="text-align:center">{head}</td>' for head in heads)
        lines.append(f"<tr><td>{corner}</td>{named}</tr>")
        signs = True
        for label, values, *rest in rows:
            assert isinstance(label, str) and isinstance(values, Sequence)
            total = label.lower().startswith(("total", "net income", "cash at end"))
            lines.append(self.row(label, values, signs or total, str(rest[0]) if rest else "", instant))
            signs = not values
        return f'<table style="border-collapse:collapse;width:100%">{"".join(lines)}</table>\n'

    def of_years(self, *names: tuple[str, ...], count: int = 3) -> list[tuple[object, ...]]:
        """Rows of figures by (label, name of the figures, concept); only a label is a sub-heading, `-` turns signs."""
        rows: list[tuple[object, ...]] = []
        for label, *rest in names:
            if not rest:
                rows.append((label, ()))
                continue
            values = self.figures[rest[0].lstrip("-")][:count]
            rows.append((label, tuple(-each for each in values) if rest[0].startswith("-") else values, *rest[1:]))
        return rows


def printed(value: object) -> tuple[str, str]:
    """An amount as it stands in its cell, and what stands in the cell behind it."""
    if value is None or value == 0:
        return "&#8212;", ""
    if isinstance(value, str):
        return (value[:-1], "%") if value.endswith("%") else (value, "")
    assert isinstance(value, int | Decimal)
    return (f"({-value:,}", ")") if value < 0 else (f"{value:,}", "")


def share(one: int, other: int) -> str:
    """One as percent of the other, with one digit."""
    return f"{Decimal(one * 100) / other:.1f}%"


def per_share(amounts: Years, shares: Years) -> tuple[Decimal, ...]:
    """Dollars a share, in cents."""
    return tuple((Decimal(one) / count).quantize(Decimal("0.01")) for one, count in zip(amounts, shares, strict=True))


def day(of: date) -> str:
    """`December 31, 2024`."""
    return f"{of:%B} {of.day}, {of.year}"


def ends(company: Company) -> list[date]:
    """The last days of the three fiscal years and of the one before, the latest first."""
    return [company.ended.replace(year=company.ended.year - back) for back in range(4)]


def header(printer: Printer) -> str:
    """The part of Inline XBRL that no browser shows."""
    closing = ends(printer.company)
    contexts = []
    cik = f"{9_999_999 - printer.company.seed:010}"
    entity = f'<xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">{cik}</xbrli:identifier></xbrli:entity>'
    for at in range(3):
        start = closing[at + 1] + timedelta(days=1)
        for instant in (False, True):
            period = (
                f"<xbrli:instant>{closing[at]}</xbrli:instant>"
                if instant
                else f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{closing[at]}</xbrli:endDate>"
            )
            contexts.append(
                f'<xbrli:context id="{printer.context(at, instant)}">{entity}<xbrli:period>{period}</xbrli:period>'
                "</xbrli:context>"
            )
    units = (
        '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
        '<xbrli:unit id="shares"><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unit>'
        '<xbrli:unit id="perShare"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure>'
        "</xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure>"
        "</xbrli:unitDenominator></xbrli:divide></xbrli:unit>"
    )
    told = f"<ix:resources>{''.join(contexts)}{units}</ix:resources>"
    return f'<div style="display:none"><ix:header>{told}</ix:header></div>\n'


def report(company: Company) -> str:
    """The whole report as HTML."""
    from filing_notes import notes
    from filing_parts import front, statements

    printer = Printer(company)
    body: Iterator[str] = (part for parts in (front(printer), statements(printer), notes(printer)) for part in parts)
    spaces = (
        'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:xbrli="http://www.xbrl.org/2003/instance" '
        'xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" '
        'xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"'
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" {spaces}>\n'
        f"<head><title>{company.name} annual report</title></head>\n"
        f"<body>\n{header(printer)}{''.join(body)}</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """A heading in bold, as filers print it."""
    return f'<div style="font-weight:700">{text}</div>\n'


def text(*sentences: str) -> str:
    """A paragraph."""
    return f"<div>{' '.join(sentences)}</div>\n"


if __name__ == "__main__":
    (SAMPLE / "report.htm").write_text(report(BRIGHTMOOR), encoding="utf-8")
