"""Pages that are pictures: what is recognised on them goes the way of all words, and says how sure it is."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest

import tieout
from tieout.data.readers import apart
from tieout.data.readers.geometry.grid import read_grid
from tieout.data.readers.geometry.lines import read_lines
from tieout.data.readers.geometry.tables import Region, find_tables
from tieout.data.readers.geometry.words import Page, Word
from tieout.data.readers.pdf.parts import parts_of
from tieout.data.readers.pdf.report import read_pdf
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.scans import recognise
from tieout.data.readers.scans.engine import Boxed, Sign, default_engine, lines_of
from tieout.data.readers.scans.ink import Ink
from tieout.data.readers.scans.recognise import Recognised, with_recognised
from tieout.kg.build import build
from tieout.kg.fact import FactKind
from tieout.ontology.model import default_ontology

numpy = pytest.importorskip("numpy")
LINES = [
    [("in", 60, 0.99), ("millions", 95, 0.99), ("2024", 400, 0.99), ("2023", 500, 0.99)],
    [("Net", 60, 0.99), ("sales", 105, 0.99), ("4,321", 400, 0.97), ("4,000", 500, 0.99)],
    [("Costs", 60, 0.99), ("87", 425, 0.62), ("80", 525, 0.99)],
    [("Operating", 60, 0.99), ("income", 160, 0.99), ("(432)", 395, 0.95), ("400", 510, 0.99)],
]


def signs(turned: bool = False) -> list[list[Sign]]:
    found = []
    for number, line in enumerate(LINES):
        y = 100 + 40 * number
        boxes = [(text, x, y + number % 2, x + 11 * len(text), y + 22, Decimal(str(sure))) for text, x, sure in line]
        found.append(
            [Sign(t, y0, x0, y1, x1, s) if turned else Sign(t, x0, y0, x1, y1, s) for t, x0, y0, x1, y1, s in boxes]
        )
    return found


def picture() -> bytes:
    """A PDF of one page that is a picture without a word of text."""
    pdfium = pytest.importorskip("pypdfium2")
    import pypdfium2.raw as raw

    pdf = pdfium.PdfDocument.new()
    page = pdf.new_page(400, 300)
    image = pdfium.PdfImage.new(pdf)
    bitmap = pdfium.PdfBitmap.new_native(40, 30, raw.FPDFBitmap_BGR)
    bitmap.fill_rect((200, 200, 200, 255), 0, 0, 40, 30)
    image.set_bitmap(bitmap)
    image.set_matrix(pdfium.PdfMatrix().scale(400, 300))
    page.insert_obj(image)
    page.gen_content()
    out = BytesIO()
    pdf.save(out)
    return out.getvalue()


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(recognise, "default_engine", lambda: lambda pixels: signs())
    monkeypatch.setattr(apart, "is_apart", lambda: True)  # read here, where the engine is this one


def test_a_scanned_page_is_refused_with_the_way_out_where_nothing_recognises(monkeypatch):
    monkeypatch.setattr(recognise, "default_engine", lambda: None)
    with pytest.raises(UnreadableError, match=r"pip install 'tieout\[ocr\]'"):
        read_pdf(picture(), "scan")


def test_a_recognised_table_is_one_and_each_figure_says_how_sure_it_is(engine):
    document = read_pdf(picture(), "scan")
    (table,) = document.tables
    assert table.rows[1] == ("Net sales", "4,321", "4,000")
    sure = {table.rows[each.row][each.column]: each.remark.recognised for each in table.remarks if each.column}
    assert (sure["4,321"], sure["87"], sure["(432)"]) == (Decimal("0.97"), Decimal("0.62"), Decimal("0.95"))
    assert document.unread == ()


def test_an_answer_tells_that_it_was_recognised_and_is_flagged_below_ninety_percent(engine, tmp_path):
    (tmp_path / "scan.pdf").write_bytes(picture())
    with tieout.open(tmp_path / "scan.pdf", store=tmp_path / "store") as talk:
        sure, unsure = talk.ask("what were net sales in 2024?"), talk.ask("what were costs in 2024?")
    assert (sure.value, "recognised on a picture, 97% sure" in sure.tree()) == (4321, True)
    assert "unsure picture" not in [flag.rule for flag in sure.flags]
    assert (unsure.value, "unsure picture" in [flag.rule for flag in unsure.flags]) == (87, True)


def doubts_of(monkeypatch, rows, sure=None, heads=("2024", "2023")):
    """The doubts on each figure of a balance sheet in two columns that was recognised on a picture."""
    lines = [
        [
            Sign(text, x, 80 + 40 * n, x + 11 * len(text), 102 + 40 * n, Decimal((sure or {}).get(text, "0.99")))
            for text, x in zip(cells, (60, 400, 500), strict=True)
            if text
        ]
        for n, cells in enumerate([("in millions", *heads), *rows])
    ]
    monkeypatch.setattr(recognise, "default_engine", lambda: lambda pixels: lines)
    facts = build(read_pdf(picture(), "scan"), default_ontology(None)[0]).facts()
    return {fact.raw: fact.doubts for fact in facts if fact.kind is FactKind.TABLE}


def test_recognised_figures_are_doubtful_where_their_sum_does_not_hold_or_a_word_of_the_label_is_none(monkeypatch):
    rows = [
        ("Cash", "321", "300"),
        ("Inventories", "455", "410"),
        ("Land", "224", "290"),
        ("Total assets", "1,000", "1,000"),
    ]
    assert not any(doubts_of(monkeypatch, rows).values())
    found = doubts_of(monkeypatch, [("Cash", "821", "300"), *rows[1:]])
    assert {raw for raw, doubts in found.items() if doubts} >= {"821"}
    assert not any(found[right] for right in ("300", "410", "290"))
    assert "does not add up ('Total assets'" in found["821"][0]
    found = doubts_of(monkeypatch, [rows[0], ("Lnventories", "455", "410"), *rows[2:]], {"Lnventories": "0.71"})
    assert [raw for raw, doubts in found.items() if doubts] == ["455", "410"]
    assert found["455"] == ("on a picture, beside a label recognised as 'Lnventories', 71% sure",)
    found = doubts_of(monkeypatch, [rows[0], ("0ther", "455", "410"), ("", "224", "290"), rows[3]])
    assert [raw for raw, doubts in found.items() if doubts] == ["455", "410", "224", "290"]
    assert found["224"] == ("on a picture, in a row without a label",)
    found = doubts_of(monkeypatch, rows, {"2023": "0.71"})
    assert {raw for raw, doubts in found.items() if doubts} >= {"300", "410", "290"} and not found["455"]
    assert found["300"] == ("on a picture, below a header recognised as '2023', 71% sure",)
    again = [
        ("Inventories", "455", "410"),
        ("Inventories, old", "224", "290"),
    ]  # what is read surely elsewhere is a word
    assert not any(doubts_of(monkeypatch, [rows[0], *again, rows[3]], {"INVENTORIES": "0.71"}).values())


def test_a_recognised_figure_of_a_column_that_has_lost_its_mark_is_doubtful_among_money(monkeypatch):
    found = doubts_of(monkeypatch, [("Derivatives", "$ 12", "30"), ("Loans", "$ 44", "17")], heads=("Gross", "Other"))
    assert found["30"] == ("on a picture, where no mark says of what it is",) and not found["$ 44"]


def test_the_number_of_a_page_at_its_foot_is_no_row_of_the_table_above():
    rows = [("in millions", "2024", "2023"), ("Sales", "321", "300"), ("Costs", "255", "210"), ("Land", "24", "90")]
    words = [
        Word(t, x, x + 40, 100 + 20 * n, 10)
        for n, row in enumerate(rows)
        for t, x in zip(row, (60, 300, 500), strict=True)
    ]
    foot = [Word("Annual report", 60, 130, 184, 10), Word("7", 334, 340, 184, 10)]
    *_, table, last = parts_of(Page(1, 674, 800, words + foot, []))
    assert (table.grid.rows[-1][0], last.words) == ("Land", "Annual report 7")


def test_a_page_on_its_side_is_turned_until_it_reads_best():
    seen = []

    def engine(pixels):
        seen.append(pixels.shape[:2])
        return signs(turned=len(seen) < 3)

    told = Recognised()
    (page,) = with_recognised([Page(1, 400, 300, [], [], has_picture=True)], picture(), told, engine)
    assert len(seen) == 3 and seen[0] == seen[1][::-1]
    assert page.words[0].text == "in" and told.pages[1]["87"] == Decimal("0.62")


def test_words_of_one_line_have_one_baseline_and_pages_with_text_stay_as_they_are():
    told = Recognised()
    page = Page(1, 400, 300, [Word("Sales", 10, 40, 50, 10)], [])
    scan = Page(1, 400, 300, [], [], has_picture=True)
    same, other = with_recognised([page, scan], picture(), told, lambda pixels: signs())
    assert same is page
    assert len({word.y for word in other.words}) == len(LINES)


def test_a_letter_that_stands_for_a_dollar_sign_and_a_lost_bracket_between_marks_are_mended():
    def line(y, *texts):
        return [Sign(text, 40.0 * at, y, 40.0 * at + 20, y + 20, Decimal("0.9")) for at, text in enumerate(texts)]

    scan = Page(1, 400, 300, [], [], has_picture=True)
    rows = [line(10, "Form", "S", "3", "2018", "(2(3)"), line(60, "Balance", "s", "16", "$", "246", "S", "(1,049)")]
    rows.append(line(110, "Cash", "S", "689", "775S", "850"))
    rows.append(line(160, "(S2.08", "per", "share)", "一", "5"))
    rows.append(line(210, "Margin", "22.4", "%$", "1,672"))
    rows.append(line(260, "Add'1", "1", "'19", "1"))
    (page,) = with_recognised([scan], picture(), Recognised(), lambda pixels: rows)
    texts = [word.text for word in page.words]
    assert texts[:12] == ["Form", "S", "3", "2018", "(2)(3)", "Balance", "$", "16", "$", "246", "$", "(1,049)"]
    assert texts[12:18] == ["Cash", "$", "689", "775", "$", "850"]
    assert texts[18:28] == ["($2.08", "per", "share)", "—", "5", "Margin", "22.4", "%", "$", "1,672"]
    assert texts[28:] == ["Add'l", "1", "'19", "1"]


def test_ink_tells_rules_dashes_and_how_large_letters_are_whatever_their_boxes():
    pixels = numpy.full((120, 300), 255)
    for x in (20, 31, 42, 60, 71):  # two words of letters 14 pixels high, boxed loosely
        pixels[33:47, x : x + 8] = 0
    pixels[60:62, 20:200] = 0  # a rule
    pixels[60, 210:222] = 0  # too short for one
    pixels[39:41, 150:165] = 0  # a dash that was not read
    pixels[39:41, 240:247] = 0  # a hyphen in place of one
    pixels[39:41, 270:273] = 0  # a fleck
    pixels[46:48, 180:190] = 0  # at the foot of letters
    pixels[28:31, 152:155] = 0  # of a letter above the dash
    ink = Ink(pixels, 0.48)
    line = [Sign("100", 15, 28, 54, 54, Decimal(1)), Sign("82", 54, 28, 84, 54, Decimal(1))]
    assert [(round(each.x0 / 0.48), round(each.x1 / 0.48)) for each in ink.rules] == [(20, 200)]
    first, second = ink.letters(line)
    assert (first.x0, first.x1, second.x0, second.x1, first.foot) == (20, 50, 60, 79, 47)
    assert round(first.size or 0) == round(14 * 1.62)
    assert [(each.text, each.x0, each.x1) for each in ink.dashes(line)] == [("—", 150, 165), ("—", 240, 247)]


def test_marks_of_money_that_were_passed_over_are_found_by_their_shape():
    pixels = numpy.full((140, 300), 255)
    for y, x in ((20, 101), (60, 100), (60, 160), (100, 100)):  # signs 7 pixels wide, with a stroke above and below
        pixels[y + 2 : y + 12, x : x + 7 : 2] = 0
        pixels[y : y + 14, x + 3] = pixels[y + 6, x : x + 7] = 0
    pixels[60:74, 220:227] = 0  # as large, but no sign
    ink = Ink(pixels, 0.48)

    def words(y, *texts):
        return [Sign(text, x, y - 5, x + 7 * len(text), y + 19, Decimal("0.97")) for x, text in texts]

    read = words(20, (101, "$"))
    line = words(60, (20, "Cash"), (130, "87"), (190, "25"), (250, "3"))
    assert [(each.text, each.x0, each.x1) for each in ink.marks(line, read)] == [("$", 100, 107), ("$", 160, 167)]
    assert not ink.marks(line, [])
    assert not ink.marks(words(60, (20, "Cash"), (100, "5"), (130, "87")), read)  # it was read
    assert not ink.marks(words(100, (20, "Cash"), (130, "lost")), read)  # it is in front of no amount


def test_letters_of_rows_beside_each_other_are_one_size_and_reach_beyond_their_ink():
    from PIL import Image

    pixels = numpy.full((500, 600), 255, numpy.uint8)
    rows = []
    for number, high in enumerate((14, 14, 15, 14, 14, 28)):
        top = 60 + 60 * number
        for x in (60, 71, 82, 93):
            pixels[top : top + high, x : x + 7] = 0
        rows.append([Sign("Cash", 55, top - 4, 105, top + high + 4, Decimal("0.99"))])
    saved = BytesIO()
    Image.fromarray(pixels).convert("1").save(saved, "PDF", resolution=150)
    (page,) = with_recognised(
        [Page(1, 288, 240, [], [], has_picture=True)], saved.getvalue(), Recognised(), lambda seen: rows
    )
    sizes = [round(word.size, 1) for word in page.words]
    assert max(sizes[:5]) - min(sizes[:5]) < 0.4 and sizes[5] > 1.8 * sizes[0]
    assert all(word.x0 < 60 * 0.48 and word.x1 > 100 * 0.48 for word in page.words)


def test_each_page_that_is_recognised_asks_for_time_and_no_other(monkeypatch):
    asked: list[float] = []
    monkeypatch.setattr(recognise, "ask_for", asked.append)
    page, scan = Page(2, 400, 300, [Word("revenue", 30, 60, 100, 10)], []), Page(1, 400, 300, [], [], has_picture=True)
    assert len([*with_recognised([page, scan, scan], picture(), Recognised(), lambda pixels: signs())]) == 3
    assert len(asked) == 2 and min(asked) > 30  # seconds: a page takes some ten


@pytest.mark.skipif(default_engine() is None, reason="rapidocr is not installed")
def test_digits_of_a_picture_are_recognised():
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (420, 60), "white")
    ImageDraw.Draw(image).text((20, 10), "Net sales 51,217", font=ImageFont.load_default(30), fill="black")
    engine = default_engine()
    assert engine is not None
    words = [sign.text for line in engine(numpy.asarray(image)) for sign in line]
    assert "51,217" in words


def test_a_header_over_two_columns_stays_one_however_loosely_its_words_were_boxed():
    def line(y, *cells):
        return [Word(text, x, x + 5 * len(text), y, 10) for x, text in cells]

    words = [
        *line(20, (100, "Six"), (120, "Months"), (154, "Ended"), (220, "Nine"), (245, "Months"), (280, "Ended")),
        *line(32, (108, "2023"), (158, "2022"), (228, "2023"), (278, "2022")),
        *line(50, (10, "Sales"), (103, "1,234"), (153, "1,111"), (223, "2,345"), (273, "2,222")),
        *line(62, (10, "Costs"), (108, "234"), (158, "111"), (228, "345"), (278, "222")),
    ]
    (table,) = find_tables(read_lines(words))
    assert read_grid(table, ()).rows[0] == ("", *["Six Months Ended"] * 2, *["Nine Months Ended"] * 2)


def test_a_title_and_a_change_in_percent_are_one_header_each_however_loosely_they_were_boxed():
    def row(y, *cells):
        return [Word(text, x, x + 5 * len(text), y, 10) for x, text in cells]

    words = [
        *row(20, (232, "FINANCIAL"), (282, "HISTORY")),
        *row(32, (150, "2024"), (250, "2023"), (340, "%"), (352, "CHANGE")),
        *row(50, (10, "Sales"), (145, "1,234"), (245, "1,111"), (366, "11%")),
        *row(62, (10, "Costs"), (150, "234"), (250, "111"), (361, "110%")),
        *row(74, (10, "Profit"), (145, "1,000"), (245, "1,000"), (371, "0%")),
    ]
    (table,) = find_tables(read_lines(words))
    assert read_grid(table, ()).rows[0] == ("", "2024", "FINANCIAL HISTORY 2023", "% CHANGE")


def test_headers_close_above_a_row_within_a_table_are_no_part_of_it():
    def row(y, label, *amounts):
        cells = [(label, 10), *((text, 200 + 80 * at - 5 * len(text)) for at, text in enumerate(amounts))]
        return [Word(text, x, x + 5 * len(text), y, 10) for text, x in cells]

    words = [
        *row(38, "Of all", "Sales", "Costs"),
        *(word for at in range(4) for word in row(50 + 12 * at, f"Part {at}", f"{at}1,234", f"{at}0,111")),
        *row(100, "of shares)", "Sales", "Costs"),
        *row(109, "Full year", "52,345", "42,222"),
        *row(121, "Half year", "12,345", "12,222"),
    ]
    (table,) = find_tables(read_lines(words))
    assert read_grid(table, ()).rows[-3:-1] == (("of shares)", "Sales", "Costs"), ("Full year", "52,345", "42,222"))


def test_headers_at_one_end_of_their_columns_stand_over_all_of_them_and_one_over_a_part_of_them_does_not():
    def row(y, *ends):
        found = []
        for end, text in ends:
            for word in reversed(text.split()):
                found.append(Word(word, end - 5 * len(word), end, y, 10))
                end -= 5 * len(word) + 3
        return found

    def heads(*lines, count=4):
        rows = [
            row(100 + 12 * at, (60, "Sales"), *((100 * n + 100, f"{at}5,{n}12") for n in (1, 2, 3, 4))) for at in (1, 2)
        ]
        words = [word for at, line in enumerate(lines) for word in row(88 + 12 * at, *line)]
        (table,) = find_tables(read_lines([*words, *(word for each in rows for word in each)]))
        return [each[1:] for each in read_grid(table, ()).rows[:count]]

    days = ((300, "June 30, 2023"), (500, "December 31, 2022"))
    names = tuple((100 * n + 100, "Shares" if n % 2 else "Amount") for n in (1, 2, 3, 4))
    assert heads(days, names)[0] == ("June 30, 2023",) * 2 + ("December 31, 2022",) * 2
    years = tuple((100 * n + 100, f"202{n}") for n in (4, 3, 2, 1))
    assert heads(((500, "Years ended"),), years)[0] == ("Years ended",) * 4
    assert heads(((200, "2023"), (400, "2022")), names)[0] == ("2023", "2023", "2022", "2022")
    split = ((200, "June 30, 2023"), (300, "2022"), (400, "June 30, 2023"), (500, "2022"))
    assert heads(((300, "December 31,"), (500, "December 31,")), split)[-1] != ("December 31,",) * 4


def test_headers_in_several_lines_each_stay_over_their_own_column():
    lines = (
        ("", "", "", "Accumulated", "", "", ""),
        ("", "Additional", "", "Other", "", "Non-", ""),
        ("Ordinary", "Paid-In", "Retained", "Comprehensive", "Treasury", "controlling", ""),
        ("Shares", "Capital", "Earnings", "Loss", "Shares", "Interest", "Total"),
        *(tuple(str(1000 + 100 * row + at) for at in range(7)) for row in range(3)),
    )
    words = [
        Word(text, 200 + 70 * at - 2 * len(text), 200 + 70 * at + 2 * len(text), 20 + 12 * number, 10)
        for number, line in enumerate(lines)
        for at, text in enumerate(line)
        if text
    ]
    words += [Word(text, 10, 80, 20 + 12 * number, 10) for number, text in enumerate(("Balance", "Profit", "Paid"), 4)]
    (table,) = find_tables(read_lines(words))
    heads = "Ordinary Shares|Additional Paid-In Capital|Retained Earnings|Accumulated Other Comprehensive Loss"
    (row, *_) = read_grid(table, ()).rows
    assert row == ("", *heads.split("|"), "Treasury Shares", "Non- controlling Interest", "Total")


def test_two_lines_that_the_engine_took_for_one_are_read_apart_at_their_places():
    page = numpy.full((200, 300, 3), 255, numpy.uint8)
    page[50:60, 40:90] = page[66:76, 40:90] = 0  # two lines of ink close together
    page[100:110, 40:90] = page[130:140, 40:90] = 0  # and two that are not

    def read(pixels):
        ink = numpy.flatnonzero((pixels < 128).any(axis=(1, 2)))
        parts = numpy.split(ink, numpy.flatnonzero(numpy.diff(ink) > 15) + 1)  # what is closer is one line to it
        return [boxed(pixels, part[0] - 5, part[-1] + 5) for part in parts]

    def boxed(pixels, top, foot):
        across = numpy.flatnonzero((pixels[top:foot] < 128).any(axis=(0, 2)))
        left, right, sure = across[0] - 5, across[-1] + 5, "0.99" if foot - top < 25 else "0.6"
        word = Sign("2022", left, top, right, foot, Decimal(sure))
        return Boxed(left, top, right, foot, [word])

    (upper,), (lower,), (other,), _ = lines_of(page, read)
    assert (upper.y0, upper.y1, lower.y0, lower.y1, other.y0) == (45, 64, 61, 80, 95)
    assert (upper.x0, lower.x0, upper.sure) == (35, 35, Decimal("0.99"))


def test_a_dash_in_a_label_does_not_part_it_from_the_number_behind_it():
    loose = [Word(text, x, x + 5 * len(text), 40, 14) for text, x in (("issued", 10), ("—", 45), ("7,040", 58))]
    (line,) = read_lines([*loose, Word("1,760", 300, 325, 40, 14)])
    assert [segment.text for segment in line.segments] == ["issued — 7,040", "1,760"]
    close = [Word("allowance:", 10, 60, 40, 14), Word("2024—", 63, 93, 40, 14), Word("$471;", 93, 123, 40, 14)]
    (line,) = read_lines([*close, Word("1,760", 300, 325, 40, 14)])
    assert len(line.segments) == 2


def test_a_heading_right_above_a_row_that_leaves_room_for_its_first_word_is_no_part_of_its_label():
    rows = [("Cash and cash equivalents of all", 20, "11"), ("Loans", 40, "12"), ("Total of both", 60, "23")]
    rows += [("Current liabilities", 80, ""), ("Debt due soon", 95, "5"), ("Payables, trade and", 115, "")]
    rows += [("Other of both", 130, "6"), ("Accruals", 150, "7"), ("Redeemable shares of all Dutch", 170, "")]
    rows += [("Subsidiaries", 185, "9")]
    words = [Word(text, x, x + 5 * len(text), y, 10) for label, y, amount in rows for text, x in spread(label, amount)]
    (region,) = [each for each in find_tables(read_lines(words)) if isinstance(each, Region)]
    labels = [row[0] for row in read_grid(region, ()).rows]
    assert "Debt due soon" in labels and "Current liabilities" in labels
    assert {"Payables, trade and Other of both", "Redeemable shares of all Dutch Subsidiaries"} <= {*labels}


def spread(label, amount):
    """The words of a row with the places at which they begin."""
    x = 10
    for word in label.split():
        yield word, x
        x += 5 * len(word) + 3
    if amount:
        yield amount, 300
