"""What a person does not see of a page is not read, however it is hidden; what a person sees is, however it is made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.document import Document
from tieout.data.printed.amount import read_cell
from tieout.data.printed.signs.mixed import MIXED
from tieout.data.readers.html.report import read_html
from tieout.data.readers.html.seen.selector import read_selectors
from tieout.data.readers.html.seen.sheet import is_of_screen, read_declarations
from tieout.data.readers.text.plain import read_markdown
from tieout.kg.proof import lost_numbers, page_text, plain_text


def inline(style: str) -> str:
    return f'<p>Sales of 4<span style="{style}">999</span>32 million.</p>'


def block(style: str, around: str = "") -> str:
    return f'<div style="{around}"><p>Sales of 432 million.</p><div style="{style}">Sales were 999.</div></div>'


def sheet(rules: str, of: str = 'class="x"') -> str:
    return f"<style>{rules}</style><p>Sales of 432 million.</p><p {of}>Sales were 999.</p>"


HIDDEN = {
    "display none": inline("display:none"),
    "no height below a scroll bar": block("height:0;overflow:auto"),
    "last of its type": sheet("p:last-of-type{display:none}", ""),
    "struck out": inline("text-decoration: line-through"),
    "struck out by its element": "<p>Sales of <del>999</del><ins>432</ins> million.</p>",
    "visibility hidden": inline("visibility:hidden"),
    "visibility collapsed": inline("visibility:collapse"),
    "size zero": inline("font-size:0"),
    "size of one pixel": inline("font-size:1px"),
    "size zero in the short form": inline("font:0/0 serif"),
    "size that comes to nothing": '<p>432 <span style="font-size:.1em"><b style="font-size:50%">999</b></span></p>',
    "opacity": inline("opacity:0"),
    "opacity of all around": block("opacity:.2", "opacity:.3"),
    "filter": inline("filter: opacity(0%)"),
    "blurred": inline("filter:blur(12px)"),
    "white on white": inline("color:#fff"),
    "nearly white": inline("color: rgb(250, 250, 252)"),
    "white by name": inline("color: White"),
    "white by hue": inline("color:hsl(0, 0%, 100%)"),
    "white by a font": '<p>432 <font color="#FFFFFF">999</font></p>',
    "dark on dark": block("color:#111", "background:#000;color:#fff"),
    "the colour of its cell": (
        '<table><tr><td>432</td><td bgcolor="#336699"><i style="color:#369">999</i></td></tr></table>'
    ),
    "transparent": inline("color:transparent"),
    "no alpha": inline("color:rgba(0,0,0,0)"),
    "four digits of colour": inline("color:#0000"),
    "fill colour": inline("-webkit-text-fill-color:transparent"),
    "off to the left": inline("position:absolute;left:-9999px"),
    "off to the top": inline("position:absolute;top:-9999px"),
    "off to the right": inline("position:fixed;left:500vw"),
    "pushed to the left": block("margin-left:-9999px"),
    "indented away": block("text-indent:-9999px"),
    "indented out of its box": block("text-indent:100%;white-space:nowrap;overflow:hidden"),
    "moved": inline("display:inline-block;transform:translateX(-9999px)"),
    "moved on its own": inline("display:inline-block;translate:-9999px 0"),
    "shrunk": inline("display:inline-block;transform:scale(0)"),
    "turned away": inline("display:inline-block;transform:rotateY(90deg)"),
    "clipped": inline("position:absolute;clip:rect(0,0,0,0)"),
    "clipped by a path": inline("clip-path:inset(50%)"),
    "clipped by a circle": inline("clip-path:circle(0)"),
    "no height": block("height:0;overflow:hidden"),
    "no width": block("width:0;overflow:hidden;white-space:nowrap"),
    "no height at most": block("max-height:0;overflow:hidden"),
    "one pixel for readers of the screen": inline("position:absolute;width:1px;height:1px;overflow:hidden"),
    "behind its ground": block("position:relative;z-index:-1", "background:#fff"),
    "covered": (
        '<p>432</p><div style="position:relative"><span>999</span>'
        '<div style="position:absolute;inset:0;background:#fff"></div></div>'
    ),
    "covered by a box of its size": (
        '<p>432</p><div style="position:relative"><p>999</p>'
        '<div style="position:absolute;top:0;left:0;width:100%;height:100%;background-color:white">432</div></div>'
    ),
    "covered by one that is placed on it": (
        '<p>432</p><div style="position:relative"><div style="position:absolute;left:10px;top:10px">999</div>'
        '<div style="position:absolute;left:0;top:0;width:200px;height:40px;background:white">432</div></div>'
    ),
    "masked": inline("-webkit-text-security:disc"),
    "content not shown": block("content-visibility:hidden"),
    "attribute": "<p>432 <span hidden>999</span></p>",
    "a class": sheet(".x{display:none}"),
    "an id": sheet("#x{visibility:hidden}", 'id="x"'),
    "a name": sheet("section p{display:none}").replace("<p class", "<section><p class"),
    "an attribute's value": sheet("p[data-x^='9']{opacity:0}", 'data-x="99"'),
    "a place among others": sheet("p:nth-of-type(9),p:nth-child(3){font-size:0}"),
    "what is behind another": sheet("p + p{color:#ffffff}", ""),
    "all but": sheet("p:not(.seen){display:none}", "").replace("<p>Sales of", '<p class="seen">Sales of'),
    "a rule for the screen": sheet("@media screen{.x{display:none}}"),
    "a rule for all but print": sheet("@media not print{.x{display:none}}"),
    "a rule for wide screens": sheet("@media (min-width: 600px){.x{display:none}}"),
    "a rule that is supported": sheet("@supports (display:grid){.x{display:none}}"),
    "a rule in another": sheet("div{.x{display:none}}").replace("<p class", "<div><p class"),
    "a variable": sheet(":root{--c:#fff}.x{color:var(--c)}"),
    "an important rule": sheet(".x{display:none !important}", 'class="x" style="display:block"'),
    "a sheet in a link": (
        '<link rel="stylesheet" href="data:text/css,.x%7Bdisplay:none%7D"><p>432</p><p class="x">999</p>'
    ),
    "white of a sheet on white of a sheet": sheet("body{background:#fff}.x{color:#fff}"),
    "a folded column": (
        '<table><colgroup><col><col style="visibility:collapse"></colgroup>'
        "<tr><td>sales</td><td>999</td><td>432</td></tr><tr><td>costs</td><td>999</td><td>1</td></tr></table>"
    ),
    "a folded row": (
        '<table><tr><td>a</td><td>432</td></tr><tr style="visibility:collapse"><td>b</td><td>999</td></tr></table>'
    ),
    "closed details": "<p>432</p><details><summary>More</summary>999</details>",
    "a closed dialog": "<p>432</p><dialog>999</dialog>",
    "a popover": "<p>432</p><div popover>999</div>",
    "what old browsers show": (
        "<p>432<ruby>a<rp>999</rp><rt>b</rt></ruby><noscript>999</noscript><meter>999</meter></p>"
    ),
    "a comment": "<p>432<!-- 999 --><![CDATA[ 999 ]]></p>",
}
SEEN = {
    "white on a dark cell": '<table><tr bgcolor="#036"><td><font color="white">999</font></td><td>1</td></tr></table>',
    "white over a picture": block("color:#fff", "background:url(dark.png)"),
    "white with a shadow": inline("color:#fff;text-shadow:0 0 3px #000"),
    "small print": inline("font-size:6pt"),
    "a size inside nothing": '<p style="font-size:0">a<span style="font-size:12px">999</span></p>',
    "visible inside hidden": '<p style="visibility:hidden">a<span style="visibility:visible">999</span></p>',
    "a rule for print": sheet("@media print{.x{display:none}}"),
    "a sheet for print": sheet(".x{display:none}").replace("<style>", '<style media="print">'),
    "a rule for narrow screens": sheet("@media (max-width: 600px){.x{display:none}}"),
    "a rule for a state": sheet(".x:hover{display:none}"),
    "a rule for others": sheet(".y{display:none}"),
    "a rule that is taken back": sheet(".x{display:none} p.x{display:block}"),
    "a rule its own style goes before": sheet(".x{display:none}", 'class="x" style="display:block"'),
    "a flat box that lets all out": block("height:0"),
    "no width of a word in a line": inline("width:0;overflow:hidden"),
    "for eyes alone": '<p aria-hidden="true">999</p>',
    "open details": "<details open><summary>More</summary>999</details>",
    "the summary of closed ones": "<details><summary>999</summary>more</details>",
    "a page far down": block("position:absolute;left:40px;top:60000px"),
    "beside a box": (
        '<div style="position:absolute;left:300px;top:10px">999</div>'
        '<div style="position:absolute;left:0;top:0;width:200px;height:40px;background:white">432</div>'
    ),
    "over a ground that fills all": (
        '<div style="position:relative"><div style="position:absolute;inset:0;background:#eee"></div>'
        '<p style="position:relative">999</p></div>'
    ),
    "centred by moving": inline("position:absolute;left:50%;transform:translate(-50%,-50%)"),
}


def texts(document: Document) -> list[str]:
    return [*document.paragraphs, *(cell for table in document.tables for row in table.rows for cell in row)]


def read(body: str) -> Document:
    return read_html(f"<html><body>{body}</body></html>".encode(), "page")


def test_there_are_more_ways_to_hide_than_thirty_five():
    assert len(HIDDEN) >= 35


@pytest.mark.parametrize("way", HIDDEN)
def test_what_is_hidden_is_not_read(way):
    found = texts(read(HIDDEN[way]))
    assert not any("99" in text for text in found), found
    assert any("432" in text for text in found), found


@pytest.mark.parametrize("way", SEEN)
def test_what_is_seen_is_read(way):
    assert any("999" in text for text in texts(read(SEEN[way])))


@pytest.mark.parametrize("way", HIDDEN)
def test_what_is_hidden_is_told_and_nothing_else_is_missing(way):
    page = f"<html><body>{HIDDEN[way].replace('4<span', '4 <span').replace('</span>32', '</span> 32')}</body></html>"
    document = read_html(page.encode(), "page")
    assert lost_numbers(page_text(page.encode()), document) == []


def test_a_column_of_white_figures_answers_nothing(tmp_path):
    rows = "".join(
        f"<tr><td>{name}</td><td>{seen}</td><td class='old'>{seen + 500}</td></tr>"
        for name, seen in (("Net sales", 432), ("Costs", 87))
    )
    head = "<tr><td>in millions of dollars</td><td>2024</td><td class='old'>2023</td></tr>"
    page = f"<style>td.old{{color:#ffffff}}</style><p>Orris Corp</p><table>{head}{rows}</table>"
    (tmp_path / "report.htm").write_text(page, encoding="utf-8")
    with tieout.open(tmp_path / "report.htm", store=tmp_path / "store") as talk:
        answer = talk.ask("what were net sales in 2023?")
        assert answer.value is None or answer.value == 432
        assert "932" not in answer.tree()


DOUBTFUL = {
    "an override in the text": "<p>Net sales were $\u202e234\u202c million in 2024.</p>",
    "an override by an element": '<p>Net sales were $<bdo dir="rtl">234</bdo> million in 2024.</p>',
    "an override by style": (
        '<p>Net sales were $<span style="unicode-bidi:bidi-override;direction:rtl">234</span> million in 2024.</p>'
    ),
    "an override by a class": (
        "<style>.r{unicode-bidi:bidi-override;direction:rtl}</style>"
        '<p>Net sales were $<span class="r">234</span> million in 2024.</p>'
    ),
    "turned upside down": (
        '<p>Net sales were $<b style="display:inline-block;transform:rotate(180deg)">966</b> million in 2024.</p>'
    ),
    "mirrored": (
        '<p>Net sales were $<b style="display:inline-block;transform:scaleX(-1)">234</b> million in 2024.</p>'
    ),
    "letters on each other": '<p>Net sales were $<b style="letter-spacing:-1em">234</b> million in 2024.</p>',
    "a letter for a digit": "<p>Net sales were $4O2 million in 2024.</p>",
    "a letter of another script": "<p>Net sales were $4О2 million in 2024.</p>",
}
DOUBTFUL |= {
    f"{way}, in a cell": "<table><tr><td>in millions</td><td>2024</td></tr>"
    f"<tr><td>Net sales</td><td>{figure}</td></tr><tr><td>Costs</td><td>$ 11</td></tr></table>"
    for way, figure in {
        "an override": "$ \u202e234\u202c",
        "an element": '$ <bdo dir="rtl">234</bdo>',
        "O for 0": "$ 4O2",
        "l for 1": "4l2",
        "I in front": "I,234",
        "O at the end": "$ 40O",
        "S for 5": "1,2S4",
    }.items()
}


@pytest.mark.parametrize("way", DOUBTFUL)
def test_print_that_is_not_what_it_seems_is_flagged_in_the_answer(way, tmp_path):
    path = tmp_path / "report.htm"
    path.write_text(f"<p>Orris Corp</p>{DOUBTFUL[way]}", encoding="utf-8")
    with tieout.open(path, store=tmp_path / "store") as talk:
        answer = talk.ask("what were net sales in 2024?")
    assert answer.value is None or "doubtful print" in [flag.rule for flag in answer.flags], answer.tree()


@pytest.mark.parametrize("cell", ["3Q23", "5B", "$5m", "1H24", "2x", "12 l", "$432 million", "5s", "7.5%", "1e5"])
def test_letters_that_belong_to_a_number_are_no_doubt(cell):
    assert not any(each.doubt == MIXED for each in read_cell(cell))


def test_comments_and_hidden_elements_of_markdown_are_no_figures():
    text = "# Orris\n\nSales of 432 million.<!-- 999 -->\n\n<!--\n| 999 | 1 |\n-->\n<p hidden>999</p>\n"
    text += "| a | 2024 |\n|---|---|\n"
    text += "| Sales | 432 <span style='display:none'>999</span> |\n| Costs | <b style='color:red'>87</b> |\n"
    document = read_markdown(text.encode(), "notes")
    assert not any("999" in each for each in texts(document)) and document.unseen
    assert document.tables[0].rows[1] == ("Sales", "432")
    assert lost_numbers(plain_text(text.encode()), document) == []


def test_signs_that_a_style_sheet_prints_are_read():
    rules = '.loss::before{content:"("} .loss::after{content:")"} td.m:before{content:"\\2212"}'
    rows = '<tr><td>Loss</td><td class="loss">432</td></tr><tr><td>Change</td><td class="m">17</td></tr>'
    (table,) = read(f"<style>{rules}</style><table>{rows}</table>").tables
    assert [row[1] for row in table.rows] == ["(432)", "−17"]


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        ("screen", True),
        ("all", True),
        ("print", False),
        ("not print", True),
        ("not screen", False),
        ("only screen and (min-width: 40em)", True),
        ("screen and (max-width: 40em)", False),
        ("print, screen", True),
        ("(prefers-color-scheme: dark)", False),
        ("speech", False),
    ],
)
def test_a_person_sits_at_a_wide_screen(media, expected):
    assert is_of_screen(media) is expected


@given(st.text(alphabet="ab.#[]=~^$*:()'\" >+,{};!@\\/-n123", max_size=80))
def test_no_style_sheet_stops_the_reading(text):
    read_selectors(text)
    list(read_declarations(text))
    document = read(f"<style>{text}</style><p style='{text.replace(chr(39), '')}'>Sales</p><p>432</p>")
    assert isinstance(document, Document)
