"""Hostile web pages and texts: each a name and its bytes, of the size that makes a reader slow that is not linear."""

from __future__ import annotations

from collections.abc import Callable

Made = Callable[[], bytes]
TAG = ' xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'


def page(body: str, head: str = "") -> bytes:
    """A web page."""
    return f"<html{TAG}><head>{head}</head><body><h1>Report</h1><p>revenue was $ 5</p>{body}</body></html>".encode()


def table(*rows: str) -> bytes:
    """A page of one table of these rows."""
    return page(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")


def cells(count: int, text: str = "5.1") -> str:
    """A row of so many cells."""
    return f"<td>{text}</td>" * count


def tag(number: int, more: str = "", content: str = "5") -> str:
    """A tagged number."""
    return (
        f'<ix:nonFraction id="f{number}" name="us-gaap:Revenues" contextRef="c{number}" unitRef="usd" decimals="0"'
        f"{more}>{content}</ix:nonFraction>"
    )


PAGES: dict[str, Made] = {
    "attributes of one element": lambda: page(f"<p {' '.join(f'a{n}=1' for n in range(64_000))}>revenue 5</p>"),
    "attributes without values": lambda: page(f"<p {' '.join(f'a{n}' for n in range(200_000))}>revenue 5</p>"),
    "one attribute again and again": lambda: page(f"<p {'a=1 ' * 200_000}>revenue 5</p>"),
    "a long attribute": lambda: page(f"<p style='{'color:red;' * 300_000}'>revenue 5</p>"),
    "a long class": lambda: page(f"<p class='{'x ' * 500_000}'>revenue 5</p>"),
    "deep elements": lambda: page("<div>" * 100_000 + "5"),
    "deep tables": lambda: page("<table><tr><td>" * 2_000 + "5"),
    "deep lists": lambda: page("<ul><li>" * 20_000 + "5"),
    "deep letters": lambda: page("<b><i>" * 30_000 + "5" + "</b></i>" * 30_000),
    "crossed letters": lambda: page("<b><p>5</b>" * 20_000),
    "open letters": lambda: page("<b>5" * 30_000),
    "open anchors": lambda: page("<a href=x>5" * 30_000),
    "a wide span": lambda: table('<td colspan="99999999">5</td>', cells(5)),
    "spans of columns": lambda: table(*['<td colspan="1000">5</td>' * 20] * 200),
    "spans of rows": lambda: table(*['<td rowspan="65000">5</td>' * 40] * 500),
    "spans of both": lambda: table(*['<td rowspan="1000" colspan="1000">5</td>'] * 300),
    "a negative span": lambda: table('<td colspan="-5" rowspan="-1">5</td>' + cells(3)),
    "a wide row": lambda: table(cells(100_000)),
    "many rows": lambda: table(*[cells(3)] * 60_000),
    "many cells": lambda: table(*[cells(400)] * 600),
    "many tables": lambda: page("<table><tr><td>revenue</td><td>5</td></tr></table>" * 20_000),
    "empty tables": lambda: page("<table><tr><td></td></tr></table>" * 100_000),
    "a long cell": lambda: table("<td>revenue</td><td>" + "5 " * 1_000_000 + "</td>"),
    "a long label": lambda: table("<td>" + "revenue of " * 200_000 + "</td><td>5</td>"),
    "headers over headers": lambda: table(*[cells(20, "Year ended December 31, 2023")] * 3_000),
    "years": lambda: table(*[cells(200, "2014")] * 200),
    "brackets": lambda: page(f"<p>{'(' * 500_000}5{')' * 500_000}</p>"),
    "digits": lambda: page(f"<p>{'9' * 5_000_000}</p>"),
    "digits and commas": lambda: page(f"<p>{'1,' * 2_000_000}</p>"),
    "dates": lambda: page(f"<p>{'December 31, 2014, ' * 100_000}</p>"),
    "slashes": lambda: page(f"<p>{'2014/' * 400_000}</p>"),
    "amounts": lambda: page(f"<p>{'$ 5 million and ' * 100_000}</p>"),
    "respectively": lambda: page(f"<p>{'$ 5 , ' * 50_000}and $ 6 for {'2014 , ' * 50_000} respectively .</p>"),
    "small paragraphs": lambda: page("<p>5</p>" * 300_000),
    "breaks": lambda: page("5<br>" * 300_000),
    "headings": lambda: page("".join(f"<h2>Note {n} Debt</h2><p>5</p>" for n in range(50_000))),
    "bold lines": lambda: page("<p><b>Item 7. Results</b></p>" * 50_000),
    "rules of style": lambda: page(
        "", "<style>" + "".join(f".x{n}{{left:{n}px}}" for n in range(200_000)) + "</style>"
    ),
    "open style": lambda: page("", "<style>" + "a{" * 500_000),
    "open comment": lambda: page("<!--" * 200_000),
    "open script": lambda: page("<script>" + "5" * 3_000_000),
    "angle brackets": lambda: page("<" * 2_000_000),
    "an element without end": lambda: page("<a" * 500_000),
    "references": lambda: page("&amp;" * 1_000_000 + "&#49;" * 500_000),
    "long reference": lambda: page("&" + "a" * 2_000_000 + ";"),
    "large references": lambda: page("&#99999999999999999999;" * 100_000),
    "entities that grow": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "5555555555">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
        + b"]><html><body><p>&j;</p></body></html>"
    ),
    "entity of a file": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
        b"<html><body><p>5 &a;</p></body></html>"
    ),
    "declarations": lambda: b"<!DOCTYPE html [" + b'<!ENTITY a "5">' * 100_000 + b"]><html><body>5</body></html>",
    "zeros": lambda: page("\0" * 1_000_000 + "5"),
    "right to left": lambda: page("<p>\u202e5 \u202d6</p>" * 50_000),
    "combining letters": lambda: page("<p>e" + "\u0301" * 500_000 + " 5</p>"),
    "wide digits": lambda: page("<p>" + "\uff15" * 500_000 + "</p>"),
    "a false encoding": lambda: page("5" * 10_000, '<meta charset="utf-16">'),
    "an encoding that shifts": lambda: page("+AGE-5" * 100_000, '<meta charset="utf-7">'),
    "tags": lambda: page("".join(tag(n) for n in range(20_000))),
    "tags in tags": lambda: page("".join(f"<ix:nonNumeric id='n{n}'>" for n in range(5_000)) + "5"),
    "one id": lambda: page(tag(1) * 20_000),
    "a large scale": lambda: page(tag(1, ' scale="999999999"') + tag(2, ' scale="-999999999"')),
    "large decimals": lambda: page(tag(1, ' decimals="-99999999999999"') + tag(2, "", "9" * 100_000)),
    "a circle of continuations": lambda: page(
        "".join(f'<ix:continuation id="k{n}" continuedAt="k{(n + 1) % 9}">5</ix:continuation>' for n in range(9))
        + '<ix:nonNumeric name="dei:X" contextRef="c" continuedAt="k0">5</ix:nonNumeric>'
    ),
    "contexts": lambda: page(
        "<ix:header><ix:resources>"
        + "".join(
            f'<xbrli:context id="c{n}"><xbrli:period><xbrli:instant>2014-02-31</xbrli:instant></xbrli:period>'
            "</xbrli:context>"
            for n in range(20_000)
        )
        + "</ix:resources></ix:header>"
        + tag(1)
    ),
    "hidden in hidden": lambda: page("<div style='display:none'>" * 20_000 + "5"),
    "pictures in the page": lambda: page(f"<img src='data:image/png;base64,{'A' * 5_000_000}'>"),
    "lists of choices": lambda: page("<select>" + "<option>5" * 100_000),
    "frames": lambda: page("<svg><text>5</text>" * 20_000),
    "cut off": lambda: table(*[cells(5)] * 500)[:-4_321],
    # Of so few bytes that they are read in the program itself.
    **{
        f"a cell of {name}": (lambda said=said: table("<td></td><td>2023</td>", f"<td>revenue</td>{said}"))
        for name, said in (
            ("months", f"<td>{'0月' * 30_000}</td>"),
            ("days", f"<td>{'年E+9 31.12.2023 ' * 5_500}</td>"),
            ("items", f"<td>{', one Item 7. ' * 9_000}</td>"),
            ("halves", f"<td>{'1/2 ) not 5–6 ' * 8_000}</td>"),
            ("notes", f"<td>{'5 (1) , ' * 15_000}</td>"),
            ("quotes", f"<th>{'5`' * 60_000}</th>"),
        )
    },
}


def lines(*texts: str) -> bytes:
    """Text of these lines."""
    return "\n".join(texts).encode()


TEXTS: dict[str, Made] = {
    "wide.csv": lambda: lines(",".join("5" * 200_000), ",".join("6" * 200_000)),
    "long.csv": lambda: lines("a,b", *["x,5"] * 400_000),
    "large.csv": lambda: lines(*[",".join(["5.1"] * 300)] * 900),
    "ragged.csv": lambda: lines(*[",".join(["5"] * (n % 900)) for n in range(3_000)]),
    "open quote.csv": lambda: lines("a,b", '"' + "x,5\n" * 300_000),
    "quotes.csv": lambda: lines("a,b", '"' * 2_000_001),
    "quotes and cells.csv": lambda: lines("a,b", *['"5""","""'] * 100_000),
    "separators.csv": lambda: lines(",;\t|" * 500_000),
    "lines of separators.csv": lambda: lines(*[",,,,,"] * 300_000),
    "zeros.csv": lambda: lines("a,b", "x\0,5" * 100_000),
    "returns.csv": lambda: b"a,b\rx,5\r" * 100_000,
    "sixteen bits.csv": lambda: "a,b\nx,5\n".encode("utf-16") * 50_000,
    "half of sixteen bits.csv": lambda: b"\xff\xfe" + b"5" * 1_000_001,
    "long cells.csv": lambda: lines("a,b", *["x" * 500_000 + ",5"] * 20),
    "amounts in a cell.csv": lambda: lines("a,b", *["revenue," + "$ 5 " * 20_000] * 5),
    "dates.csv": lambda: lines("a,b", *["2014-02-31 31/02/2014,5"] * 60_000),
    "exponents.csv": lambda: lines("a,b", *["x,1e999999999", "y,-1e-999999999", "z,0x" + "f" * 9_999] * 900),
    "digits.csv": lambda: lines("a,b", "x," + "9" * 4_000_000),
    "years.csv": lambda: lines(",".join(map(str, range(1000, 3000))), *[",".join(["5"] * 2000)] * 90),
    "tabs.tsv": lambda: lines("a\tb", *["x\t5"] * 200_000),
    "pipes.md": lambda: lines("# R", "|" * 500_000, "|-" * 250_000, "|5" * 250_000),
    "rows.md": lambda: lines("# R", "|a|b|", "|-|-|", *["|x|5|"] * 100_000),
    "tables.md": lambda: lines("# R", *["|a|b|", "|-|-|", "|x|5|", ""] * 30_000),
    "headings.md": lambda: lines(*["#" * 6 + " Note 5", "5"] * 100_000),
    "marks.md": lambda: lines("#" * 2_000_000 + " 5"),
    "quotes.md": lambda: lines(">" * 1_000_000 + " 5"),
    "stars.md": lambda: lines("*" * 1_000_000 + "5", "_" * 1_000_000, "`" * 1_000_000),
    "brackets.md": lambda: lines("[" * 500_000 + "5" + "](" * 500_000),
    "lists.md": lambda: lines(*["  " * (n % 500) + "- 5" for n in range(20_000)]),
    "fences.md": lambda: lines(*["```", "5"] * 150_001),
    "rules.md": lambda: lines("a", *["---"] * 300_000, "5"),
    "comments.md": lambda: lines("# R", "<!--" * 400_000 + "5"),
    "a long line.txt": lambda: lines("revenue of 5 " * 300_000),
    "spaces.txt": lambda: lines("revenue" + " " * 3_000_000 + "5"),
    "lines of spaces.txt": lambda: lines(*["   "] * 500_000, "5"),
    "columns.txt": lambda: lines(*["revenue" + "   5" * 500] * 500),
    "two columns.txt": lambda: lines(*["Total revenue         5,123      4,321"] * 60_000),
    "a column.txt": lambda: lines(*["a  5"] * 60_000),
    "twenty columns.txt": lambda: lines(*["revenue" + "   5" * 20] * 20_000),
    "headers with spaces.txt": lambda: lines(*[*["   2013" * 40] * 12, "a" + "   5" * 40, "a" + "   5" * 40] * 900),
    "labels with spaces.md": lambda: lines(*["a,", "b  5"] * 60_000),
    "dots.txt": lambda: lines(*["revenue" + "." * 5_000 + "5"] * 300),
    "feeds.txt": lambda: b"5\f" * 500_000,
    "rules.txt": lambda: lines(*["-" * 80, "revenue  5"] * 30_000),
    "dashes.txt": lambda: lines("-" * 3_000_000, "=" * 3_000_000, "5"),
    "filing.txt": lambda: lines("<SEC-DOCUMENT>", *["<TABLE>", "<CAPTION>", "<S>   <C>", "a    5"] * 30_000),
    "sentences.txt": lambda: lines("Revenue was 5. " * 200_000),
    "no sentences.txt": lambda: lines("a.b.c.1." * 400_000),
    "letters of all kinds.txt": lambda: "".join(map(chr, [*range(32, 0xD800), *range(0xE000, 0x20000)])).encode() * 4,
    "steering.txt": lambda: lines("\x1b[2J\x1b]0;x\x07 5" * 100_000),
}
