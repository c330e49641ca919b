"""Hostile PDFs and JSON: each a name and its bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence

Made = Callable[[], bytes]
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
BOX = b"[0 0 612 792]"


def stream(content: bytes, more: bytes = b"", packed: bool = True) -> bytes:
    """A stream object."""
    data = zlib.compress(content, 9) if packed else content
    return b"<< /Length %d %s %s >>\nstream\n%s\nendstream" % (
        len(data),
        b"/Filter /FlateDecode" if packed else b"",
        more,
        data,
    )


def pdf(
    contents: Sequence[bytes],
    more: Sequence[bytes] = (),
    resources: bytes = b"",
    kids: bytes = b"",
    count: int = 0,
    page: bytes = b"",
    box: bytes = BOX,
    trailer: bytes = b"",
) -> bytes:
    """A PDF of one page for each of these stream objects; more: further objects, from number 4 on."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", FONT, *more]
    pages = []
    for each in contents:
        objects.append(each)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R %s /Resources << /Font << /F 3 0 R >> %s >> >>"
            % (box, len(objects), page, resources)
        )
        pages.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids or b" ".join(pages), count or len(pages))
    written, places = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer << /Root 1 0 R /Size %d %s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)
    return bytes(written)


def text(lines: str) -> bytes:
    """A page of these operators of text."""
    return stream(f"BT /F 10 Tf {lines} ET".encode())


def placed(numbers: int, width: int = 60, step: float = 9) -> str:
    """So many numbers, each put at a place of its own."""
    return " ".join(
        f"1 0 0 1 {10 + n % width * step:.1f} {780 - n // width % 770:.1f} Tm ({n}.5) Tj" for n in range(numbers)
    )


def bomb(size: int) -> bytes:
    """A stream packed twice, of which each byte unpacks to about a million."""
    inner = zlib.compressobj(9)
    once = b"".join([*(inner.compress(b" " * (1 << 20)) for _ in range(size >> 20)), inner.flush()])
    data = zlib.compress(once, 9)
    return b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(data), data)


def form(content: bytes, uses: bytes = b"") -> bytes:
    """A part of a page that others may draw."""
    return stream(content, b"/Type /XObject /Subtype /Form /BBox %s /Resources << /XObject << %s >> >>" % (BOX, uses))


GOOD = text("20 700 Td (revenue 5) Tj")
DRAWN = stream(b"/X4 Do BT /F 10 Tf 20 700 Td (revenue 5) Tj ET")

PDFS: dict[str, Made] = {
    "placed numbers": lambda: pdf([text(placed(300_000))]),
    "placed numbers on pages": lambda: pdf([text(placed(3_000))] * 100),
    "numbers at one place": lambda: pdf([text("20 700 Td (5) Tj " + "0 0 Td (5) Tj " * 60_000)]),
    "numbers of no size": lambda: pdf([stream(b"BT /F 0 Tf 20 700 Td " + b"(5) Tj 1 0 Td " * 60_000 + b"ET")]),
    "large letters": lambda: pdf([stream(b"BT /F 1e30 Tf 20 700 Td (5) Tj ET")]),
    "one line": lambda: pdf([text("20 700 Td " + "(5 ) Tj 4 0 Td " * 60_000)]),
    "one column": lambda: pdf([text("20 700 Td " + "(5) Tj 0 -0.01 Td " * 60_000)]),
    "a long text": lambda: pdf([text(f"20 700 Td ({'5 ' * 1_000_000}) Tj")]),
    "turned text": lambda: pdf([text(" ".join(f"0 1 -1 0 {n % 600} {n % 700} Tm (5) Tj" for n in range(30_000)))]),
    "far text": lambda: pdf([text("1e9 -1e9 Td (5) Tj -9e99 9e99 Td (6) Tj")]),
    "no numbers as places": lambda: pdf([text("nan inf Td (5) Tj 1e400 -1e400 Td (6) Tj")]),
    "rules": lambda: pdf([stream(b"".join(b"0 %d m 600 %d l S " % (n % 790, n % 790) for n in range(200_000)))]),
    "rules and numbers": lambda: pdf(
        [stream(b"".join(b"0 %d m 600 %d l S BT /F 9 Tf 9 %d Td (5) Tj ET " % ((n % 790,) * 3) for n in range(20_000)))]
    ),
    "boxes": lambda: pdf([stream(b"".join(b"%d %d 9 9 re f " % (n % 600, n % 790) for n in range(200_000)))]),
    "a path": lambda: pdf(
        [stream(b"0 0 m " + b"".join(b"%d %d l " % (n % 600, n % 790) for n in range(500_000)) + b"S")]
    ),
    "saved states": lambda: pdf([stream(b"q " * 1_000_000)]),
    "clips": lambda: pdf([stream(b"q 0 0 99 99 re W n " * 100_000)]),
    "a page that unpacks to 6 GB": lambda: pdf([bomb(6 << 30)]),
    "a page that unpacks to 1 GB": lambda: pdf([bomb(1 << 30)]),
    "pages of one stream": lambda: pdf([bomb(200 << 20)], kids=b" ".join([b"5 0 R"] * 300), count=300),
    "many pages": lambda: pdf([GOOD] * 20_000),
    "one page many times": lambda: pdf([GOOD], kids=b" ".join([b"5 0 R"] * 100_000), count=100_000),
    "a false count": lambda: pdf([GOOD], count=2_000_000_000),
    "a negative count": lambda: pdf([GOOD], count=-5),
    "pages in a circle": lambda: pdf([GOOD], kids=b"2 0 R 2 0 R", count=9),
    "a page that is its own parent": lambda: pdf([GOOD], kids=b"5 0 R 5 0 R 2 0 R", count=3),
    "a part that draws itself": lambda: pdf([DRAWN], [form(b"/X4 Do", b"/X4 4 0 R")], b"/XObject << /X4 4 0 R >>"),
    "parts that draw parts": lambda: pdf(
        [DRAWN],
        [form(b"/X Do " * 10, b"/X %d 0 R" % (n + 1)) for n in range(4, 14)] + [form(b"0 0 m 9 9 l S " * 10)],
        b"/XObject << /X4 4 0 R >>",
    ),
    "letters that draw": lambda: pdf(
        [stream(b"BT /G 10 Tf 20 700 Td (aaaa) Tj ET")],
        [
            b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 "
            b"/Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 5 0 R >> "
            b"/Resources << /Font << /G 4 0 R >> >> >>",
            stream(b"9 0 d0 BT /G 9 Tf (aaaaaaaaaa) Tj ET"),
        ],
        b"/Font << /G 4 0 R >>",
    ),
    "a map of letters": lambda: pdf(
        [stream(b"BT /G 10 Tf 20 700 Td (555) Tj ET")],
        [
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>",
            stream(
                b"1 begincodespacerange <00> <ff> endcodespacerange "
                + b"1 beginbfrange <00> <ff> <0000> endbfrange " * 200_000
            ),
        ],
        b"/Font << /G 4 0 R >>",
    ),
    "letters of many letters": lambda: pdf(
        [stream(b"BT /G 10 Tf 20 700 Td (%s) Tj ET" % (b"5" * 20_000))],
        [
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>",
            stream(
                b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <35> <%s> endbfchar" % (b"0035" * 500)
            ),
        ],
        b"/Font << /G 4 0 R >>",
    ),
    "a large page": lambda: pdf([GOOD], box=b"[0 0 1e9 1e9]"),
    "a page of no size": lambda: pdf([GOOD], box=b"[0 0 0 0]"),
    "a page inside out": lambda: pdf([GOOD], box=b"[612 792 -99999 -99999]"),
    "a turned page": lambda: pdf([GOOD], page=b"/Rotate 123456789"),
    "a large picture": lambda: pdf(
        [stream(b"q 612 0 0 792 0 0 cm /I Do Q")],
        [
            stream(
                b"\0" * 1_000,
                b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 "
                b"/ColorSpace /DeviceRGB",
            )
        ],
        b"/XObject << /I 4 0 R >>",
    ),
    "pictures within": lambda: pdf([stream(b"BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI " * 50_000)]),
    "lists in lists": lambda: pdf([GOOD], [b"[" * 200_000]),
    "names of names": lambda: pdf([GOOD], [b"<<" + b"/A" * 500_000 + b">>"]),
    "brackets": lambda: pdf([stream(b"BT /F 9 Tf " + b"(" * 500_000)]),
    "notes": lambda: pdf(
        [GOOD], page=b"/Annots [%s]" % (b"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (5) >> " * 30_000)
    ),
    "a circle of tables": lambda: pdf([GOOD], trailer=b"/Prev 9"),
    "no table": lambda: pdf([text(placed(2_000))] * 20).replace(b"startxref", b"startxxxx"),
    "an object that is its own length": lambda: pdf([b"<< /Length 4 0 R >>\nstream\n5\nendstream"]),
    "a wrong length": lambda: pdf([GOOD]).replace(b"/Length ", b"/Length 9999999"),
    "filters": lambda: pdf([b"<< /Length 1 /Filter [%s] >>\nstream\n5\nendstream" % (b"/FlateDecode " * 5_000)]),
    "a filter of its own": lambda: pdf([b"<< /Length 3 /Filter /Nothing >>\nstream\n(5)\nendstream"]),
    "pairs of hex": lambda: pdf(
        [b"<< /Length 2000000 /Filter /ASCIIHexDecode >>\nstream\n%s\nendstream" % (b"35" * 1_000_000)]
    ),
    "a password": lambda: pdf([GOOD], trailer=b"/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 >>"),
    "nothing but a head": lambda: b"%PDF-1.7\n" + b"5" * 100_000,
    "heads": lambda: b"%PDF-1.7\n" * 100_000,
    "objects": lambda: b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n5\nendobj\n" % n for n in range(300_000)),
    "cut off": lambda: pdf([text(placed(2_000))] * 20)[:-30_000],
}


def facts(**concepts: object) -> bytes:
    """SEC's companyfacts of these concepts."""
    return json.dumps({"cik": 1, "entityName": "X", "facts": {"us-gaap": concepts}}).encode()


def concept(*values: object, unit: str = "USD") -> dict[str, object]:
    """A concept with these values of a year."""
    made = [
        {"start": "2023-01-01", "end": "2023-12-31", "val": each, "accn": "a", "fy": 2023, "fp": "FY", "form": "10-K"}
        for each in values
    ]
    return {"label": "Revenue", "description": "", "units": {unit: made}}


def record(**more: object) -> dict[str, object]:
    """A page as JSON."""
    return {
        "id": "report",
        "pre_text": ["revenue was $ 5 ."],
        "post_text": [],
        "table": [["", "2009"], ["a", "5"]],
    } | more


JSONS: dict[str, Made] = {
    "many facts": lambda: facts(**{f"Concept{n}": concept(*range(40)) for n in range(2_000)}),
    "many concepts": lambda: facts(**{f"Concept{n}": concept(5) for n in range(40_000)}),
    "units": lambda: facts(A={"units": {f"U{n}": [{"end": "2023-12-31", "val": 5}] for n in range(30_000)}}),
    "a long concept": lambda: facts(**{"A" * 2_000_000: concept(5)}),
    "a large value": lambda: facts(A=concept(5)).replace(b'"val": 5', b'"val": 1e999999999'),
    "many digits": lambda: facts(A=concept(5)).replace(b'"val": 5', b'"val": ' + b"9" * 3_000_000),
    "no number": lambda: facts(A=concept(5)).replace(b'"val": 5', b'"val": NaN'),
    "a value of no kind": lambda: facts(A=concept([], {}, None, True, "5")),
    "no dates": lambda: facts(A=concept(5)).replace(b"2023-12-31", b"2023-02-31"),
    "facts of no kind": lambda: b'{"cik": 1, "entityName": "X", "facts": [[[1]]]}',
    "a key twice": lambda: facts(A=concept(5)).replace(b'"val": 5', b'"val": 5, "val": 6'),
    "deep lists": lambda: b'{"cik": 1, "facts": ' + b"[" * 200_000,
    "deep objects": lambda: b'{"a":' * 100_000,
    "deep facts": lambda: b'{"cik": 1, "facts": ' + b'{"a":' * 900 + b"5" + b"}" * 900 + b"}",
    "documents of facts": lambda: json.dumps(
        {
            "documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json"},
            "facts": {
                f"f{n}": {"value": "5", "dimensions": {"concept": "a:B", "period": "2023"}} for n in range(40_000)
            },
        }
    ).encode(),
    "many pages": lambda: json.dumps([record(id=f"r{n}") for n in range(3_000)]).encode(),
    "an open page": lambda: b'[{"id": "x", "pre_text": ["' + b"x" * 40_000_000,
    "an endless number": lambda: b'[{"id": "x", "table": [[' + b"9" * 3_000_000 + b"]]}]",
    "many paragraphs": lambda: json.dumps([record(pre_text=["revenue was $ 5 ."] * 60_000)]).encode(),
    "a wide table": lambda: json.dumps([record(table=[["5"] * 50_000])]).encode(),
    "deep cells": lambda: b'[{"id": "x", "table": ' + b"[" * 50_000 + b"]" * 50_000 + b"}]",
    "keys twice": lambda: b'[{"id": "x", "table": [], ' + b'"k": 1, ' * 300_000 + b'"l": 1}]',
    "half letters": lambda: b'[{"id": "x", "pre_text": ["' + b"\\ud800" * 100_000 + b' 5"], "table": []}]',
    "many lists": lambda: b"[" + b"[]," * 500_000 + b"[]]",
}
