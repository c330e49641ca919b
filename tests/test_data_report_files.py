"""Report files of every kind: told by content, given as folders, patterns and standard input, refused in one line."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import zipfile

import openpyxl
import pytest
from click.testing import CliRunner

from tests.pdf_pages import PdfPage, make_pdf
from tests.test_data_workbook import ods
from tieout import main
from tieout.data.readers.read import DataError, find_conversation, read_conversations, read_files

HTML = b"<html><body><h1>Report</h1><p>Revenue was $ 5 million in 2024.</p></body></html>"
PAGE = {"pre_text": ["revenue rose ."], "table": [["", "2024"], ["revenue", "5"]]}
MEGABYTE = 1 << 20


def workbook():
    made = openpyxl.Workbook()
    for row in (("", 2024), ("Revenue", 5.5)):
        made.active.append(row)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def pdf():
    page = PdfPage()
    page.write(60, 100, "Revenue was $ 5 million in 2024.")
    return make_pdf([page])


FILES = {
    "page": HTML,
    "printed": pdf(),
    "book": workbook(),
    "values": b"Category,2024,2023\nRevenue,5,4\n",
    "notes": b"# Report\n\n| | 2024 |\n|--|--|\n| Revenue | 5 |\n",
    "plain": b"Revenue was $ 5 million in 2024.\n",
    "facts": json.dumps(
        {"cik": 1, "entityName": "A", "facts": {"a": {"B": {"units": {"USD": [{"end": "2024-12-31", "val": 5}]}}}}}
    ).encode(),
    "one": json.dumps(PAGE).encode(),
    "rows": json.dumps(PAGE["table"]).encode(),
}


def read(path):
    problems = []
    return list(read_conversations(path, problems.append)), [str(each) for each in problems]


def digits_in(document):
    texts = [*document.paragraphs, *(cell for table in document.tables for row in table.rows for cell in row)]
    return "5" in " ".join(texts) or any(tag.value == 5 for tag in document.unprinted)


@pytest.mark.parametrize("suffix", ["", ".txt", ".json", ".pdf", ".xlsx", ".htm"])
@pytest.mark.parametrize("name", FILES)
def test_what_a_file_is_is_told_by_its_content_and_its_name_is_that_of_the_report(tmp_path, name, suffix):
    if suffix in (".txt", ".json") and name in ("values", "notes", "plain"):
        suffix = ""  # text that could be either is what its name says
    path = tmp_path / f"{name}{suffix}"
    path.write_bytes(FILES[name])
    (conversation,), problems = read(path)
    assert (conversation.id, conversation.questions, problems) == (name, (), [])
    assert digits_in(conversation.document)


def test_the_suffix_decides_where_a_text_could_be_several_kinds(tmp_path):
    for suffix, tables in ((".txt", 0), (".csv", 1)):
        path = tmp_path / f"x{suffix}"
        path.write_bytes(b"Category,2024,2023\nRevenue,5,4\n")
        assert len(read(path)[0][0].document.tables) == tables


def test_json_may_be_one_object_have_several_tables_and_no_id(tmp_path):
    path = tmp_path / "loose.json"
    tables = [PAGE["table"], {"title": "Debt", "rows": [["", 2024], ["notes", 7]]}]
    path.write_text(json.dumps({"pre_text": ["text ."], "tables": tables}))
    (conversation,), problems = read(path)
    assert (conversation.id, problems) == ("loose", [])
    assert [table.title for table in conversation.document.tables] == ["", "Debt"]
    assert conversation.document.tables[1].rows == (("", "2024"), ("notes", "7"))
    path.write_text(json.dumps([PAGE, PAGE]))
    assert [each.id for each in read(path)[0]] == ["loose", "loose-2"]


def test_a_key_that_is_not_known_is_named_once(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps([PAGE | {"id": "a", "colour": 1}, PAGE | {"id": "b", "colour": 2, "note": "n"}]))
    found, problems = read(path)
    assert len(found) == 2
    assert problems == [
        f"{path}: 2 of 2 reports, field colour: not a key that is known",
        f"{path}: 1 of 2 reports, field note: not a key that is known",
    ]


def test_a_folder_and_a_pattern_stand_for_the_files_in_them(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    for name in ("b.csv", "a.md", "sub/c.csv", ".hidden.csv", "~$lock.xlsx", "other.bin"):
        (tmp_path / name).write_bytes(FILES["values"] if name.endswith("csv") else FILES["notes"])
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4")
    problems = []
    assert [each.id for each in read_files([tmp_path], problems.append)] == ["a", "b", "c"]
    (problem,) = problems
    assert str(problem).startswith(f"{tmp_path / 'broken.pdf'}: the file: a PDF that is cut off")
    assert [each.id for each in read_files([tmp_path / "*.csv"])] == ["b"]
    monkeypatch.chdir(tmp_path)
    assert [each.id for each in read_files(["**/c.csv"])] == ["c"]
    for path, said in ((tmp_path / "*.xyz", "no file matches"), (tmp_path / "sub" / "none", "no such file")):
        with pytest.raises(DataError, match=said):
            list(read_files([path]))


def test_files_of_one_name_are_told_apart(tmp_path):
    for name in ("x.csv", "x.md"):
        (tmp_path / name).write_bytes(FILES["values" if name.endswith("csv") else "notes"])
    assert [each.id for each in read_files([tmp_path])] == ["x", "x.md"]
    assert find_conversation([tmp_path], "x.md").document.sections


@pytest.mark.parametrize(("name", "kind"), [("page", "html"), ("values", "csv"), ("book", "xlsx"), ("facts", None)])
def test_a_report_is_read_from_standard_input(name, kind):
    arguments = ["list", "-", *(["--as", kind] if kind else [])]
    result = CliRunner().invoke(main, arguments, input=FILES[name])
    assert result.exit_code == 0
    assert "stdin" in result.output
    twice = CliRunner().invoke(main, ["list", "-", "-"], input=FILES[name])
    assert (twice.exit_code, twice.output) == (1, "tieout: standard input can be read once: give `-` once\n")


def changed(part, *pairs):
    """The workbook with one of its parts changed: what to replace, and by what, in turn."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            for old, new in zip(pairs[::2], pairs[1::2], strict=True) if part in name else ():
                assert old in content
                content = content.replace(old, new, 1)
            target.writestr(name, content)
    return file.getvalue()


BOMB = b"<!DOCTYPE worksheet [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)
)


def stamped_scan():
    """Pages that are pictures, on which a program has printed their numbers."""
    pages = [PdfPage(picture=True), PdfPage(picture=True)]
    for number, page in enumerate(pages, start=1):
        page.write(280, 760, f"Page {number} of 2")
    return make_pdf(pages)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
REFUSED = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\n ", "the file is empty"),
    "picture": (b"\x89PNG\r\n\x1a\n....", "a picture"),
    "gzip": (b"\x1f\x8b....", "a gzip archive; unpack it first"),
    "binary": (bytes(range(256)) * 20, "binary data of no kind that is known; tieout reads HTML"),
    "zeros": (bytes(4096), "binary data"),
    "instance": (
        b'<?xml version="1.0"?><xbrl xmlns="x"/>',
        "an XBRL instance in XML; give the filing with inline XBRL",
    ),
    "xml": (b'<?xml version="1.0"?><data/>', "XML of a kind that is not known"),
    "word": (OLE + "WordDocument".encode("utf-16-le"), "a Word document; save it as PDF or HTML"),
    "locked": (OLE + "EncryptedPackage".encode("utf-16-le"), "protected by a password"),
    "locked xls": (
        OLE[:512] + b"\x09\x08\x10\0" + bytes(16) + b"\x2f\0\6\0" + bytes(600) + "Workbook".encode("utf-16-le"),
        "a workbook that is protected by a password",
    ),
    "counts of ods": (
        ods([(("float", '1" table:number-columns-repeated="x', "1"),)]),
        "number-columns-repeated is 'x'",
    ),
    "long table": (b"day,a\n" + b"1,2\n" * 10_001, "table 1 has 10,002 rows, more than the 10,000"),
    "wide table": (b"a," * 2_001 + b"b\n" + b"1," * 2_001 + b"2\n", "table 1 has 2,002 columns, more than the 2,000"),
    "stamped scan": (stamped_scan(), "a scanned PDF: its 2 pages are pictures without text"),
    "rtf": (b"{\\rtf1 text}", "a Rich Text file"),
    "cut workbook": (workbook()[:1500], "cut off or damaged"),
    "cut pdf": (pdf()[:300], "a PDF that is cut off or damaged"),
    "locked pdf": (make_pdf([PdfPage(picture=True)], encrypted=True), "a PDF that is protected by a password"),
    "scanned": (make_pdf([PdfPage(picture=True)]), "a scanned PDF"),
    "far cell": (
        changed("sheet1", b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
        "spans more than 3,000,000 cells",
    ),
    "not pages": (b'{"a": 1}', "not a file of reports"),
    "deep": (b'{"facts": ' + b"[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_one_line_that_says_what_it_is(tmp_path, name):
    content, said = REFUSED[name]
    path = tmp_path / "file"
    path.write_bytes(content)
    result = CliRunner().invoke(main, ["list", str(path)])
    assert result.exit_code == 1
    assert said in result.output
    assert result.output.startswith(f"tieout: {path}: ") and result.output.count("\n") == 1


def test_a_sheet_with_entities_that_grow_is_refused(tmp_path):
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(changed("sheet1", b"<worksheet", BOMB + b"]><worksheet", b"<v>5.5</v>", b"<v>&j;</v>"))
    with pytest.raises(DataError, match="cut off or damaged"):
        list(read_conversations(path))


def test_entities_from_outside_are_not_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("a connection was opened"))
    secret = tmp_path / "secret"
    secret.write_text("424242")
    outside = f"<!DOCTYPE x [<!ENTITY x SYSTEM 'file://{secret}'>]>".encode()
    sheet = changed("sheet1", b"<worksheet", outside + b"<worksheet")
    page = (
        b"<?xml version='1.0'?>"
        + outside
        + b"<html><body><p>Revenue &x; 5</p><img src='http://192.0.2.1/x'></body></html>"
    )
    for name, content in (("x.xlsx", sheet), ("x.htm", page)):
        path = tmp_path / name
        path.write_bytes(content)
        (conversation,), _ = read(path)
        assert "424242" not in conversation.document.model_dump_json()


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
from tieout.data.readers.read import DataError, read_conversations
try:
    list(read_conversations(sys.argv[1]))
except DataError as error:
    print(error)
"""


@pytest.mark.parametrize(
    "start",
    [b"%PDF-1.4\n", b"a,b\n1,2\n", b"<html>", b'{"facts": {', b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
)
def test_half_a_gigabyte_is_refused_in_bounded_memory(tmp_path, start):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.write(start + b" " * (1 << 16))
        file.truncate(500 * MEGABYTE)
    ended = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True)
    assert "MB" in ended.stdout and ended.stdout.count("\n") == 1


def test_a_sheet_of_fifty_thousand_rows_is_refused_as_data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("day,a,b,c,d,e\n" + "".join(f"{n},1,2,3,4,5\n" for n in range(50_000)))
    with pytest.raises(DataError, match="more than 250,000 values; it is a table of data"):
        list(read_conversations(path))


def test_a_hundred_thousand_nested_elements_are_read(tmp_path):
    path = tmp_path / "deep.htm"
    path.write_text("<html><body>" + "<div>" * 100_000 + "Revenue was $ 5 million." + "</div>" * 100_000)
    result = CliRunner().invoke(main, ["list", str(path)])
    assert "Traceback" not in result.output
    assert result.exit_code == 0 or result.output.count("\n") == 1


def test_a_statement_with_a_title_over_its_header_is_a_table_of_its_own(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text(
        '"Income statement, in thousands",,\n,2024,2023\nRevenue,120,110\nGross profit,50,45\n\n'
        '"Balance sheet, in millions",,\n,2024,2023\nCash,2,1\n\nTotal current assets,4,3\n'
        "Total current liabilities,2,2\n"
    )
    (read,) = read_conversations(path)
    income, balance = read.document.tables
    assert [len(income.rows), len(balance.rows)] == [3, 4]  # each under its title
    asked = ["what was gross profit in 2024?", "what was the current ratio in 2024?"]
    done = CliRunner().invoke(main, ["ask", str(path), *asked, "--store", str(tmp_path / "s")])
    assert "Gross profit (2024)" in done.stdout and "divide(4 million" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux alone")
@pytest.mark.parametrize("command", ["index", "kg build"])
def test_a_file_whose_name_is_no_text_is_told_and_keeps_no_other_from_being_read(tmp_path, command):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (b"a.htm", b"\xff\xfe.htm", b"z.htm"):
        (folder / os.fsdecode(name)).write_bytes(HTML + name[:1])
    done = CliRunner().invoke(main, [*command.split(), str(folder), "--store", str(tmp_path / "store")])
    assert done.exit_code == 1 and "Traceback" not in done.output
    assert done.stderr.count("bytes of its name are no text; give it another") == 1
    assert "2 read" in done.stdout or "2 documents" in done.stdout
    named = CliRunner().invoke(main, ["index", str(folder / "a.htm"), "--store", str(tmp_path / os.fsdecode(b"\xff"))])
    assert named.exit_code == 1 and "can be no store: bytes of its name are no text" in named.stderr
