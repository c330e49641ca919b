"""Hostile report packages and pages in fixed layout, and what else was tried later: each a name and its bytes."""

from __future__ import annotations

import json
import random
import struct
import zipfile
from collections.abc import Callable, Iterable

from hostile_documents import BOX, FONT, GOOD, concept, facts, pdf, record, stream, text
from hostile_pages import TAG, lines, page, table, tag
from hostile_workbooks import overlapping, packed, says_less

Made = Callable[[], bytes]
PAGE = page("<table><tr><td>revenue</td><td>5</td></tr></table>")
MANIFEST = (
    "META-INF/reportPackage.json",
    b'{"documentInfo": {"documentType": "https://xbrl.org/report-package/2023"}}',
)


def package(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A report package of these members."""
    return packed([MANIFEST, *members], kind)


def placed(pieces: Iterable[str], style: str = "") -> bytes:
    """A page whose text stands where its style says, as programs make them of PDFs."""
    rules = f"<style>.p{{position:absolute}}.w{{position:relative;width:900px;height:9000px}}{style}</style>"
    return f"<html{TAG}><head>{rules}</head><body><div class='w'>{''.join(pieces)}</div></body></html>".encode()


def piece(left: float, top: float, said: str = "5.1", more: str = "") -> str:
    """A piece of text at a place."""
    return f"<div class='p' style='left:{left}px;top:{top}px;{more}'>{said}</div>"


def encrypted(content: bytes) -> bytes:
    """An archive that says that its members are encrypted."""
    made = bytearray(content)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := made.find(mark, place + 1)) >= 0:
            struct.pack_into("<H", made, place + at, 1)
    return bytes(made)


def in_archives(content: bytes, deep: int) -> bytes:
    """An archive in an archive, and so on."""
    for number in range(deep):
        content = package((f"reports/{number}.zip", content), ("reports/page.xhtml", PAGE))
    return content


def nested(kind: str, deep: int, inside: str) -> str:
    """Elements in elements."""
    return f"<{kind}>" * deep + inside + f"</{kind}>" * deep


def conversation(**more: object) -> bytes:
    """A page with questions, of which some are more than anybody asks."""
    about = {
        "dialogue_break": ["what was revenue?"],
        "turn_program": ["5"],
        "exe_ans_list": [5.0],
        "answer_list": ["5"],
        "qa_split": [0],
    }
    return json.dumps([record(annotation=about | more)]).encode()


def shaded() -> bytes:
    """A page that is painted by a program of its own."""
    program = b"{ " + b"dup mul sqrt " * 20_000 + b"}"
    function = b"<< /FunctionType 4 /Domain [0 1 0 1] /Range [0 1] /Length %d >>\nstream\n%s\nendstream"
    return pdf(
        [stream(b"/S4 sh BT /F 10 Tf 20 700 Td (revenue 5) Tj ET")],
        [
            b"<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Function 5 0 R >>",
            function % (len(program), program),
        ],
        b"/Shading << /S4 4 0 R >>",
    )


def pictured(name: bytes, data: bytes) -> bytes:
    """A page with a picture of a packing of its own."""
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceGray "
        b"/Filter /%s /Length %d >>\nstream\n%s\nendstream" % (name, len(data), data)
    )
    return pdf([stream(b"q 612 0 0 792 0 0 cm /I Do Q")], [picture], b"/XObject << /I 4 0 R >>")


NOISE = random.Random(7).randbytes(50_000)
PACKAGES: dict[str, Made] = {
    "many pages.zip": lambda: package(*((f"reports/{n}.xhtml", PAGE) for n in range(20_000))),
    "many large pages.zip": lambda: package(
        *((f"reports/{n}.xhtml", page("<p>5</p>" + " " * (60 << 20))) for n in range(8))
    ),
    "a page that unpacks to 70 MB.zip": lambda: package(("reports/a.xhtml", page(" " * (70 << 20)))),
    "a page that says less.zip": lambda: says_less(
        package(("reports/a.xhtml", page("<p>revenue 5</p>" * 2_000_000))), b"reports/a.xhtml"
    ),
    "a page that says more.zip": lambda: package(("reports/a.xhtml", PAGE)).replace(
        struct.pack("<I", len(PAGE)), struct.pack("<I", len(PAGE) + 9)
    ),
    "pages over pages.zip": lambda: overlapping(60_000).replace(b"xl/workbook.xml", b"reports/a.xhtml"),
    "names that lead out.zip": lambda: package(*((f"{'../' * n}reports/x{n}.xhtml", PAGE) for n in range(200))),
    "names of the root.zip": lambda: package(("/etc/reports/passwd.xhtml", PAGE), ("C:\\reports\\a.xhtml", PAGE)),
    "a long name.zip": lambda: package((f"reports/{'x/' * 30_000}a.xhtml", PAGE)),
    "steering names.zip": lambda: package(("reports/\x1b[2J\x1b]0;x\x07.xhtml", PAGE), ("reports/\u202e.xhtml", PAGE)),
    "one name many times.zip": lambda: package(*[("reports/a.xhtml", PAGE)] * 3_000),
    "an empty page.zip": lambda: package(("reports/a.xhtml", b"")),
    "no page.zip": lambda: package(("reports/a.txt", b"5")),
    "no page that is one.zip": lambda: package(("reports/a.xhtml", NOISE)),
    "archives in archives.zip": lambda: in_archives(b"", 40),
    "an encrypted page.zip": lambda: encrypted(package(("reports/a.xhtml", PAGE))),
    "a packing that nobody knows.zip": lambda: package(("reports/a.xhtml", PAGE), kind=zipfile.ZIP_STORED).replace(
        b"PK\x03\x04\x14\x00\x00\x00\x00\x00", b"PK\x03\x04\x14\x00\x00\x00\x63\x00"
    ),
    "packed by lzma.zip": lambda: package(("reports/a.xhtml", page(" " * (60 << 20))), kind=zipfile.ZIP_LZMA),
    "packed by bzip2.zip": lambda: package(("reports/a.xhtml", page(" " * (60 << 20))), kind=zipfile.ZIP_BZIP2),
    "tags.xbri": lambda: package(("reports/a.xhtml", page("".join(tag(n) for n in range(20_000))))),
    "a page of pages.zip": lambda: package(
        ("reports/a.xhtml", placed(piece(9, n % 900, "revenue 5") for n in range(20_000)))
    ),
    "half.zip": lambda: package(("reports/a.xhtml", PAGE))[:-60],
    "a filing.zip": lambda: packed([("a.xsd", b"<schema/>"), *((f"x{n}.htm", PAGE) for n in range(3_000))]),
}

PLACED: dict[str, Made] = {
    "pieces": lambda: placed(piece(n % 90 * 9, n // 90 % 900) for n in range(60_000)),
    "pieces at one place": lambda: placed([piece(9, 9)] * 30_000),
    "one column of pieces": lambda: placed(piece(9, n / 10) for n in range(30_000)),
    "one line of pieces": lambda: placed(piece(n / 10, 9) for n in range(30_000)),
    "far pieces": lambda: placed(piece(10**n, -(10**n)) for n in range(300)),
    "places that are none": lambda: placed(
        f"<div class='p' style='left:{x};top:{x}'>5</div>" for x in ("1e999px", "nan", "-")
    ),
    "pieces in pieces": lambda: placed([f"{piece(1, 1)[:-6]}" * 1_000]),
    "classes of places": lambda: placed(
        (f"<div class='p x{n} y{n}'>5.1</div>" for n in range(30_000)),
        "".join(f".x{n}{{left:{n % 900}px}}.y{n}{{bottom:{n % 9_000}px}}" for n in range(30_000)),
    ),
    "many classes of a piece": lambda: placed([f"<div class='p {' '.join(f'x{n}' for n in range(100_000))}'>5</div>"]),
    "letters turned": lambda: placed(
        piece(n, n, "revenue 5", "transform:matrix(1e9,2,3,1e-9,5,6)rotate(45deg)") for n in range(5_000)
    ),
    "large letters": lambda: placed([piece(9, 9, "5", "font-size:1e30px")] * 900),
    "a font of noise": lambda: placed(
        [piece(9, 9)] * 900, "@font-face{font-family:f;src:url(data:font/woff;base64," + "A" * 3_000_000 + ")}"
    ),
    "long pieces": lambda: placed([piece(9, n, "revenue was 5 " * 20) for n in range(6_000)]),
    "tagged pieces": lambda: placed(piece(n % 90 * 9, n // 90, tag(n)) for n in range(10_000)),
    "rules on rules": lambda: page("", "<style>" + "@media all{" * 50_000 + "</style>"),
    "selectors": lambda: page(
        "<p class='a'>5</p>" * 5_000, "<style>" + ",".join([".a .b>.c~.d+.e"] * 50_000) + "{display:none}</style>"
    ),
    "styles that hide": lambda: page(
        "<p class='a5'>5</p>" * 30_000,
        "<style>" + "".join(f".a{n}{{display:none;color:rgb({n % 256} 0 0/0%)}}" for n in range(50_000)) + "</style>",
    ),
    "colours": lambda: page(f"<p style='color:rgb({'1' * 500_000})'>5</p><p style='color:{'rgb(' * 50_000}'>6</p>"),
    "variables": lambda: page(
        "<p style='color:var(--a)'>5</p>" * 900, "<style>:root{--a:var(--b);--b:var(--a)}</style>"
    ),
    "amounts in words": lambda: page(f"<p>{'one hundred and twenty-three million ' * 50_000}</p>"),
    "fractions": lambda: page(f"<p>{'1/2 of 3/4 of ' * 100_000}</p>"),
    "notes of scale": lambda: table(*["<td>(in millions, except in thousands)</td><td>5</td>"] * 20_000),
    "minus signs": lambda: page(f"<p>{'-' * 500_000}5 {'−(' * 300_000}</p>"),
    "marks of notes": lambda: table(*["<td>revenue <sup>(1)(2)(3)</sup></td><td>5<sup>(1)</sup></td>"] * 20_000),
    "tables in cells": lambda: table(*[f"<td>{nested('table', 1, '<tr><td>5</td></tr>')}</td>" * 9] * 3_000),
    "ruby and bidi": lambda: page("<bdo dir=rtl>5<ruby>6<rt>7</rt></ruby></bdo>" * 50_000),
    "footnotes": lambda: page(
        "".join(
            f'<ix:footnote id="n{n}">5</ix:footnote><ix:relationship fromRefs="f{n}" toRefs="n{n}"/>{tag(n)}'
            for n in range(5_000)
        )
    ),
    "fractions of tags": lambda: page(
        "<ix:fraction name='a:b' contextRef='c' unitRef='u'><ix:numerator>1</ix:numerator>"
        "<ix:denominator>0</ix:denominator></ix:fraction>" * 9_000
    ),
    "units in a circle": lambda: page(
        "<ix:header><ix:resources>"
        + "".join(
            f"<xbrli:unit id='u{n}'><xbrli:measure>xbrli:u{n}</xbrli:measure></xbrli:unit>" for n in range(30_000)
        )
        + "</ix:resources></ix:header>"
        + tag(1)
    ),
    "a tag of tags": lambda: page(tag(1, "", "".join(tag(n) for n in range(2, 9_000)))),
    "a company of letters": lambda: page(
        f"<ix:nonNumeric name='dei:EntityRegistrantName' contextRef='c'>{'Ltd ' * 500_000}</ix:nonNumeric>"
    ),
    "dates of the cover": lambda: page(
        "<ix:nonNumeric name='dei:DocumentPeriodEndDate' contextRef='c' format='ixt:date-month-day'>--99-99"
        "</ix:nonNumeric>" * 2_000
    ),
}

LATER: dict[str, Made] = {
    "shaded.pdf": shaded,
    "a picture of jbig2.pdf": lambda: pictured(b"JBIG2Decode", NOISE),
    "a picture of jpeg 2000.pdf": lambda: pictured(b"JPXDecode", b"\x00\x00\x00\x0cjP  \r\n\x87\n" + NOISE),
    "a picture of jpeg.pdf": lambda: pictured(b"DCTDecode", b"\xff\xd8\xff\xe0" + NOISE),
    "a picture of runs.pdf": lambda: pictured(b"RunLengthDecode", b"\x81\x00" * 500_000),
    "pictures on pages.pdf": lambda: pdf(
        [stream(b"q 612 0 0 792 0 0 cm BI /W 9 /H 9 /BPC 8 /CS /G ID " + b"\x80" * 81 + b" EI Q")] * 3_000
    ),
    "fonts.pdf": lambda: pdf([text("20 700 Td (revenue 5) Tj")], [FONT] * 30_000),
    "a font of noise.pdf": lambda: pdf(
        [stream(b"BT /G 10 Tf 20 700 Td (555) Tj ET")],
        [
            b"<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor 5 0 R >>",
            b"<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 9 9] /FontFile2 6 0 R >>",
            stream(b"\x00\x01\x00\x00\x00\x09" + NOISE),
        ],
        b"/Font << /G 4 0 R >>",
    ),
    "an outline in a circle.pdf": lambda: pdf(
        [GOOD], [b"<< /Title (a) /First 4 0 R /Next 4 0 R /Parent 4 0 R >>"], trailer=b"/Outlines 4 0 R"
    ),
    "an object in a stream of itself.pdf": lambda: pdf(
        [GOOD], [stream(b"4 0 4 10 << /A 4 0 R >>", b"/Type /ObjStm /N 2 /First 8")]
    ),
    "a table that goes on.pdf": lambda: pdf([GOOD]).replace(b"0 6\n", b"0 999999999\n"),
    "boxes of no number.pdf": lambda: pdf([GOOD], box=b"[/A (b) null << >>]"),
    "spaced letters.pdf": lambda: pdf([text("9e9 Tc 1e9 Tw 20 700 Td " + "(1 2 3) Tj " * 20_000)]),
    "invisible text.pdf": lambda: pdf([text("3 Tr 20 700 Td " + "(5.1) Tj 0 -1 Td " * 30_000)]),
    "white text.pdf": lambda: pdf([stream(b"1 1 1 rg BT /F 9 Tf 20 700 Td " + b"(5.1) Tj 0 -1 Td " * 30_000 + b"ET")]),
    "text in forms.pdf": lambda: pdf(
        [stream(b"/X4 Do " * 20_000)],
        [
            stream(
                b"BT /F 9 Tf 20 700 Td (5.1) Tj ET",
                b"/Type /XObject /Subtype /Form /BBox %s /Resources << /Font << /F 3 0 R >> >>" % BOX,
            )
        ],
        b"/XObject << /X4 4 0 R >>",
    ),
    "a long program.json": lambda: conversation(turn_program=["add(" * 100_000]),
    "steps of a program.json": lambda: conversation(turn_program=[", ".join(["add(5, 6)"] * 50_000)]),
    "numbers of a program.json": lambda: conversation(turn_program=["1e999999999"], exe_ans_list=[1e308]),
    "questions.json": lambda: conversation(
        **{
            name: [value] * 20_000
            for name, value in (
                ("dialogue_break", "what?"),
                ("turn_program", "5"),
                ("exe_ans_list", 5.0),
                ("qa_split", 0),
            )
        }
    ),
    "a table of objects.json": lambda: json.dumps([record(table=[[{"a": [1]}] * 99] * 99)]).encode(),
    "tables.json": lambda: json.dumps([record(tables=[[["", "2009"], ["a", "5"]]] * 20_000)]).encode(),
    "one id.json": lambda: json.dumps([record()] * 30_000).encode(),
    "a long id.json": lambda: json.dumps([record(id="x" * 3_000_000)]).encode(),
    "an id of all kinds.json": lambda: json.dumps([record(id="\x1b[2J \u202e <script> ../../etc " * 900)]).encode(),
    "dimensions.json": lambda: json.dumps(
        {
            "documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json"},
            "facts": {
                "f": {
                    "value": "5",
                    "dimensions": {"concept": "a:B", "period": "2023"} | {f"a:D{n}": "x" for n in range(50_000)},
                }
            },
        }
    ).encode(),
    "periods.json": lambda: facts(A=concept(5)).replace(b"2023-01-01", b"9" * 500_000),
    "labels.json": lambda: facts(A=concept(5) | {"label": "revenue of " * 300_000, "description": "(" * 900_000}),
    "numbers that are text.json": lambda: facts(A=concept(*["5"] * 9_000)),
    "signs.md": lambda: lines("# R", "|a|2023|", "|-|-|", *[f"|x|{'(' * 40}5 CR DR {')' * 40}|"] * 3_000),
    "html in markdown.md": lambda: lines("# R", "<table><tr><td>" * 20_000 + "5"),
    "hidden elements.md": lambda: lines("# R", "<p hidden>" * 100_000),
    "an element without end.md": lambda: lines("# R", "<p" + " hidden" * 100_000),
    "styles.md": lambda: lines("# R", "<p style='display:none'>5</p>" * 30_000),
    "links.md": lambda: lines("# R", "[5](http://x " * 100_000, "![" * 100_000),
    "notes in notes.md": lambda: lines("# R", "<!-- <!-- -->" * 200_000 + " 5"),
    "documents.txt": lambda: lines("<SEC-DOCUMENT>", *["<DOCUMENT>", "<TYPE>10-K", "<TEXT>", "revenue 5"] * 20_000),
    "pages.txt": lambda: lines("<SEC-DOCUMENT>", *["<PAGE>", "revenue     5    6"] * 60_000),
    "a coded part.txt": lambda: lines("<SEC-DOCUMENT>", "begin 644 a.pdf", *["M" + "5" * 60] * 60_000, "end"),
    "captions.txt": lambda: lines(
        "<TABLE>", "<CAPTION>" + "  2023" * 5_000, "<S>" + " <C>" * 5_000, "a" + "   5" * 5_000
    ),
    "separators that change.csv": lambda: lines(*["a,b;c\td|e"[n % 9 :] for n in range(200_000)]),
    "words.csv": lambda: lines("a,b", *["one hundred million and five,(5)"] * 30_000),
}


def zipped_half(seed: int) -> Made:
    """A package with some bytes that are others."""

    def make() -> bytes:
        chance = random.Random(seed)
        made = bytearray(package(("reports/a.xhtml", PAGE), ("reports/b.xhtml", PAGE)))
        for _ in range(1 + seed):
            made[chance.randrange(4, len(made))] = chance.randrange(256)
        return bytes(made)

    return make


PACKAGES |= {f"altered {seed}.zip": zipped_half(seed) for seed in range(10)}
