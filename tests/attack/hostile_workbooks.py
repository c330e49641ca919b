"""Hostile workbooks (XLSX, XLSB, XLS, ODS): each a name and its bytes."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from collections.abc import Callable, Iterable

Made = Callable[[], bytes]
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
CELL = '<row r="1"><c r="A1" t="inlineStr"><is><t>revenue</t></is></c><c r="B1"><v>5</v></c></row>'
REPEATED = 1 << 20


def packed(parts: Iterable[tuple[str, str | bytes | Iterable[bytes]]], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these parts."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", kind, compresslevel=1) as archive:
        for name, content in parts:
            if isinstance(content, str | bytes):
                archive.writestr(name, content)
                continue
            with archive.open(name, "w", force_zip64=True) as part:
                for block in content:
                    part.write(block)
    return written.getvalue()


def xlsx(
    rows: str = CELL,
    styles: str = "",
    shared: str | Iterable[bytes] = "",
    sheets: int = 1,
    before: str = "",
    after: str = "",
    one_part: bool = False,
    more: Iterable[tuple[str, str | bytes]] = (),
    sheet: Iterable[bytes] | None = None,
) -> bytes:
    """A workbook. one_part: all sheets are one part of the archive. sheet: the part of the first, block by block."""
    names = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in range(1, sheets + 1))
    part = (lambda n: 1) if one_part else (lambda n: n)
    links = "".join(
        f'<Relationship Id="r{n}" Type="{REL}/worksheet" Target="worksheets/sheet{part(n)}.xml"/>'
        for n in range(1, sheets + 1)
    )
    links += f'<Relationship Id="s" Type="{REL}/styles" Target="styles.xml"/>'
    links += f'<Relationship Id="t" Type="{REL}/sharedStrings" Target="sharedStrings.xml"/>'
    body = f"{HEAD}{before}<worksheet {MAIN}><sheetData>{rows}</sheetData>{after}</worksheet>"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    return packed(
        [
            (
                "[Content_Types].xml",
                f'{HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            ),
            (
                "_rels/.rels",
                f'{HEAD}<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{REL}/officeDocument" '
                'Target="xl/workbook.xml"/></Relationships>',
            ),
            ("xl/workbook.xml", f'{HEAD}<workbook {MAIN} xmlns:r="{REL}"><sheets>{names}</sheets></workbook>'),
            ("xl/_rels/workbook.xml.rels", f'{HEAD}<Relationships xmlns="{relations}">{links}</Relationships>'),
            ("xl/styles.xml", f"{HEAD}<styleSheet {MAIN}>{styles}</styleSheet>"),
            ("xl/sharedStrings.xml", f"{HEAD}<sst {MAIN}>{shared}</sst>" if isinstance(shared, str) else shared),
            *(
                (f"xl/worksheets/sheet{part(n)}.xml", body)
                for n in range(1, 2 if one_part or sheet else sheets + 1)
                if not sheet
            ),
            *((("xl/worksheets/sheet1.xml", sheet),) if sheet else ()),
            *more,
        ]
    )


def formatted(code: str, value: str = "1234.5", cells: int = 200) -> bytes:
    """A workbook of numbers shown by a format."""
    quoted = code.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    row = "".join(f'<row r="{n}"><c r="A{n}" s="1"><v>{value}</v></c></row>' for n in range(1, cells + 1))
    styles = (
        f'<numFmts count="1"><numFmt numFmtId="200" formatCode="{quoted}"/></numFmts>'
        '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs>'
    )
    return xlsx(row, styles)


def blocks(head: str, block: str, times: int, tail: str) -> Iterable[bytes]:
    """A part of an archive that is long."""
    yield head.encode()
    many = block.encode() * max(1, REPEATED // len(block))
    for _ in range(times):
        yield many
    yield tail.encode()


def ods(rows: str) -> bytes:
    """A workbook of OpenDocument."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = (
        f"{HEAD}<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    return packed([("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content)])


def ods_cell(more: str = "", text: str = "5") -> str:
    """A row of one cell."""
    return (
        f'<table:table-row><table:table-cell office:value-type="float" office:value="5" {more}><text:p>{text}</text:p>'
        "</table:table-cell></table:table-row>"
    )


def xls(change: Callable[[bytearray], None]) -> bytes:
    """A workbook of Excel 97, changed."""
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("S")
    for row in range(60):
        sheet.write(row, 0, f"revenue {row}")
        sheet.write(row, 1, row + 0.5)
    written = io.BytesIO()
    book.save(written)
    content = bytearray(written.getvalue())
    change(content)
    return bytes(content)


def _at(place: int, form: str, value: int) -> Callable[[bytearray], None]:
    return lambda content: struct.pack_into(form, content, place, value)


def _noise(seed: int) -> Callable[[bytearray], None]:
    def change(content: bytearray) -> None:
        chance = random.Random(seed)
        for _ in range(40):
            content[chance.randrange(512, len(content))] = chance.randrange(256)

    return change


def overlapping(members: int) -> bytes:
    """An archive many of whose members are the same bytes: it unpacks to many times what it says (Fifield 2019)."""
    made = bytearray(packed([("xl/workbook.xml", "<workbook/>"), ("big", b" " * (60 << 20))]))
    end = made.rindex(b"PK\x05\x06")
    (start,) = struct.unpack_from("<I", made, end + 16)
    second = made.index(b"PK\x01\x02", start + 4)
    entry = bytes(made[second:end])
    directory = bytes(made[start:end]) + b"".join(entry.replace(b"big", b"%03d" % (n % 1000)) for n in range(members))
    tail = bytearray(made[end:])
    struct.pack_into("<HHII", tail, 8, members + 2, members + 2, len(directory), start)
    return bytes(made[:start]) + directory + bytes(tail)


def says_less(content: bytes, part: bytes) -> bytes:
    """The archive, of which one part says that it unpacks to ten bytes."""
    made = bytearray(content)
    at = -1
    while (at := made.find(b"PK\x01\x02", at + 1)) >= 0:
        (length,) = struct.unpack_from("<H", made, at + 28)
        if made[at + 46 : at + 46 + length] == part:
            struct.pack_into("<I", made, at + 24, 10)
    return bytes(made)


STRING = "<si><t>revenue of the year</t></si>"
WORKBOOKS: dict[str, Made] = {
    **{
        f"format {number}.xlsx": (lambda code=code: formatted(code))
        for number, code in enumerate(
            (
                "#" * 250 + ",##0",
                "0" * 60_000,
                "#,##0" * 20_000,
                "?" * 60_000 + "/" + "?" * 60_000,
                "[" * 60_000,
                "[Red]" * 20_000 + "0",
                "[>1]" * 20_000 + "0",
                ";" * 60_000,
                '"' * 60_001,
                '"a"' * 20_000 + "0",
                "\\" * 60_001,
                "_(" * 30_000 + "0",
                "* " * 30_000 + "0",
                "," * 60_000 + "0",
                "." * 60_000 + "0",
                "%" * 60_000 + "0",
                "E+" * 30_000 + "0",
                "yyyy" * 15_000,
                "[h]:mm" * 10_000,
                "General" * 10_000,
                "@" * 60_000,
                "0." + "0" * 60_000,
                "[$-409]" * 9_000 + "0",
                "[$" * 20_000 + "0",
                "(0)" * 20_000,
                "-" * 60_000 + "0",
                " " * 60_000 + "0",
            )
        )
    },
    "many formats.xlsx": lambda: xlsx(
        "".join(f'<row r="{n}"><c r="A{n}" s="{n}"><v>5</v></c></row>' for n in range(1, 20_001)),
        "<numFmts>"
        + "".join(f'<numFmt numFmtId="{n + 200}" formatCode="0.0{n}"/>' for n in range(20_001))
        + "</numFmts><cellXfs>"
        + "".join(f'<xf numFmtId="{n + 200}"/>' for n in range(20_001))
        + "</cellXfs>",
    ),
    "many sheets.xlsx": lambda: xlsx(sheets=5_000),
    "many sheets of one part.xlsx": lambda: xlsx(
        "".join(f'<row r="{n}"><c r="A{n}"><v>5</v></c></row>' for n in range(1, 2_001)), sheets=4_000, one_part=True
    ),
    "shared strings that unpack.xlsx": lambda: xlsx(shared=blocks(f"{HEAD}<sst {MAIN}>", STRING, 4_100, "</sst>")),
    "many shared strings.xlsx": lambda: xlsx(shared=blocks(f"{HEAD}<sst {MAIN}>", STRING, 400, "</sst>")),
    "shared strings that say less.xlsx": lambda: says_less(
        xlsx(shared=blocks(f"{HEAD}<sst {MAIN}>", STRING, 2_000, "</sst>")), b"xl/sharedStrings.xml"
    ),
    "empty shared strings.xlsx": lambda: xlsx(shared=blocks(f"{HEAD}<sst {MAIN}>", "<si/>", 200, "</sst>")),
    "a sheet that unpacks.xlsx": lambda: xlsx(
        sheet=blocks(f"{HEAD}<worksheet {MAIN}><sheetData>", CELL, 480, "</sheetData></worksheet>")
    ),
    "a sheet of spaces.xlsx": lambda: xlsx(
        sheet=blocks(f"{HEAD}<worksheet {MAIN}><sheetData>", " ", 500, "</sheetData></worksheet>")
    ),
    "a long string.xlsx": lambda: xlsx(
        f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"5 " * 3_000_000}</t></is></c></row>'
    ),
    "runs of a string.xlsx": lambda: xlsx(
        f'<row r="1"><c r="A1" t="inlineStr"><is>{"<r><t>5</t></r>" * 200_000}</is></c></row>'
    ),
    "many cells.xlsx": lambda: xlsx("".join(f'<row r="{r}">{"<c><v>5</v></c>" * 200}</row>' for r in range(1, 1_201))),
    "too many cells.xlsx": lambda: xlsx(
        "".join(f'<row r="{r}">{"<c><v>5</v></c>" * 200}</row>' for r in range(1, 3_001))
    ),
    "far cells.xlsx": lambda: xlsx(CELL + '<row r="1048576"><c r="XFD1048576"><v>5</v></c></row>'),
    "a far row.xlsx": lambda: xlsx(CELL + '<row r="1048576"><c r="B1048576"><v>5</v></c></row>'),
    "a far column.xlsx": lambda: xlsx(CELL + '<row r="2"><c r="XFD2"><v>5</v></c></row>'),
    "no place.xlsx": lambda: xlsx('<row r="99999999999"><c r="ZZZZZZ99999999999"><v>5</v></c></row>'),
    "merged cells.xlsx": lambda: xlsx(
        after="<mergeCells>" + "".join(f'<mergeCell ref="A{n}:Z{n + 9}"/>' for n in range(1, 50_000)) + "</mergeCells>"
    ),
    "merged wide.xlsx": lambda: xlsx(after='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
    "merged false.xlsx": lambda: xlsx(after='<mergeCells><mergeCell ref="Z9:A1"/><mergeCell ref="::"/></mergeCells>'),
    "a string that is not there.xlsx": lambda: xlsx('<row r="1"><c r="A1" t="s"><v>999999999</v></c></row>'),
    "a style that is not there.xlsx": lambda: xlsx('<row r="1"><c r="A1" s="999999999"><v>5</v></c></row>'),
    "large values.xlsx": lambda: xlsx(
        "".join(f"<row><c><v>{v}</v></c></row>" for v in ("1e308", "-1e308", "1e999", "nan", "-0", "5e-324"))
    ),
    "large dates.xlsx": lambda: formatted("yyyy-mm-dd", "1e300"),
    "negative dates.xlsx": lambda: formatted("yyyy-mm-dd", "-99999999"),
    "long values.xlsx": lambda: xlsx(f"<row><c><v>{'9' * 3_000_000}</v></c></row>"),
    "formulas.xlsx": lambda: xlsx(
        "".join(f'<row r="{n}"><c r="A{n}"><f>A{n}+1</f></c></row>' for n in range(1, 60_000))
    ),
    "entities that grow.xlsx": lambda: xlsx(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>&j;</t></is></c></row>',
        before='<!DOCTYPE x [<!ENTITY a "5555555555">'
        + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
        + "]>",
    ),
    "deep elements.xlsx": lambda: xlsx("<a>" * 200_000),
    "attributes.xlsx": lambda: xlsx(
        '<row r="1"><c r="A1" {}><v>5</v></c></row>'.format(" ".join(f'a{n}="1"' for n in range(60_000)))
    ),
    "parts.xlsx": lambda: xlsx(more=[(f"x{n}", b"") for n in range(60_000)]),
    "parts of one name.xlsx": lambda: xlsx(more=[(f"x/{n % 3}/../../y", b"5") for n in range(300)]),
    "a long name.xlsx": lambda: xlsx(more=[("x" * 60_000, b"")]),
    "parts over parts.xlsx": lambda: overlapping(60_000),
    "cut off.xlsx": lambda: xlsx()[:-200],
    "no end.xlsx": lambda: xlsx()[:400],
    "no sheets.xlsx": lambda: xlsx(sheets=0),
    "no data.xlsx": lambda: xlsx(""),
    "nothing packed.xlsx": lambda: packed([]) + b"5" * 1_000,
    "binary.xlsb": lambda: packed([("xl/workbook.bin", random.Random(7).randbytes(100_000))]),
    "repeated rows.ods": lambda: ods(
        ods_cell().replace("<table:table-row", '<table:table-row table:number-rows-repeated="1048576"')
    ),
    "repeated columns.ods": lambda: ods(ods_cell('table:number-columns-repeated="2147483647"')),
    "repeated both.ods": lambda: ods(
        ods_cell('table:number-columns-repeated="16000"').replace(
            "<table:table-row", '<table:table-row table:number-rows-repeated="16000"'
        )
    ),
    "repeated spaces.ods": lambda: ods(ods_cell("", '<text:s text:c="2147483647"/>5')),
    "spans.ods": lambda: ods(
        ods_cell('table:number-columns-spanned="99999999" table:number-rows-spanned="99999999"') * 900
    ),
    "deep text.ods": lambda: ods(ods_cell("", "<text:span>" * 50_000 + "5")),
    "many rows.ods": lambda: ods(ods_cell() * 150_000),
    "long text.ods": lambda: ods(ods_cell("", "5 " * 2_000_000)),
    "a long kind.ods": lambda: packed([("mimetype", b"a" * (300 << 20)), ("content.xml", b"")]),
    "sectors in a circle.xls": lambda: xls(_at(512, "<I", 0)),
    "a directory in a circle.xls": lambda: xls(_at(48, "<I", 48)),
    "many sectors.xls": lambda: xls(_at(44, "<I", 0xFFFFFF)),
    "large sectors.xls": lambda: xls(_at(30, "<H", 31)),
    "no sectors.xls": lambda: xls(_at(30, "<H", 0)),
    "small sectors.xls": lambda: xls(_at(56, "<I", 0xFFFFFFFF)),
    "a table of tables in a circle.xls": lambda: xls(_at(68, "<I", 0)),
    "half.xls": lambda: xls(lambda content: content.__delitem__(slice(len(content) // 2, None))),
    **{f"noise {seed}.xls": (lambda seed=seed: xls(_noise(seed))) for seed in range(20)},
}
