"""A minus is never lost: every dash and bracket that print uses for it, in cells and in prose, up to the answer."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.printed.amount import Amount, is_dash, read_amounts, read_cell
from tieout.data.readers.html.report import read_html

HYPHENS = "-\u2010\u2011\ufe63\uff0d"
MINUSES = "\u2212\u207b\u2796"
EN_DASHES = "\u2013\u2012"
EM_DASHES = "\u2014\u2015"
# Where the dash stands; a currency is in front of it, behind it or nowhere.
IN_FRONT = ("{}432", "{} 432", "{}$432", "{}$ 432", "{} $432", "{} $ 432", "${}432", "$ {}432", "$ {} 432", "{}(432)")
BEHIND = ("432{}", "$432{}", "$ 432{}")
BREAKS = (*BEHIND, "432%{}", "{} 432", "{} $432", "{} $ 432", "{}\u00a0432")  # of an em dash in a sentence
OTHERS = (
    "(432)",
    "( 432 )",
    "$(432)",
    "($432)",
    "（432）",
    "$（432）",
    "（＄432）",
    "△432",
    "\u25b5432",
    "<432>",
    "-(432)",
    "△ 432",
    "neg. 432",
    "Neg $432",
    "432 (-)",
    "(−) $432",
    "432 (negative)",
)
CELLS = [form.format(dash) for dash in HYPHENS + MINUSES + EN_DASHES for form in (*IN_FRONT, *BEHIND)]
CELLS += [form.format(dash) for dash in EM_DASHES for form in ("{}432", "{}$432", "${}432", "$ {}432")] + list(OTHERS)
TWENTY = [
    *("-432", "-$432", "$-432", "$ -432", "- 432", "−432", "−$432", "− 432", "–432", "–$432", "–$ 432", "$ –432"),
    *("—432", "‒432", "‑432", "432-", "432–", "（432）", "(432)", "△432", "－432", "<432>"),
]


@pytest.fixture(autouse=True)
def as_published():
    yield


def values(amounts: tuple[Amount, ...]) -> list[str]:
    return [str(each.value) for each in amounts]


@pytest.mark.parametrize("text", CELLS)
def test_a_minus_in_a_cell_is_read(text):
    assert values(read_cell(text)) == ["-432"]


@pytest.mark.parametrize("dash", HYPHENS + MINUSES + EN_DASHES)
@pytest.mark.parametrize("form", IN_FRONT)
def test_a_minus_in_prose_is_read(dash, form):
    told = form.format(dash)
    assert values(read_amounts(f"The result was {told} million in the year.")) == ["-432"]
    assert values(read_amounts(f"Other income ({told}) and more.")) == ["-432"]


@given(
    dash=st.sampled_from(HYPHENS + MINUSES + EN_DASHES + EM_DASHES),
    form=st.sampled_from(
        (*IN_FRONT, *BEHIND, "{}\u00a0432", "432 {}", "432%{}", "{}432%", "{}US$432", "{}EUR 432", "€ {}432")
    ),
    number=st.decimals(min_value=Decimal("100.5"), max_value=10**9, places=1, allow_nan=False),
    around=st.sampled_from(
        (None, "It came to {} in the year.", "Operating income {} against more before", "a loss of {}")
    ),
)
def test_no_minus_is_lost_in_silence(dash, form, number, around):
    """An amount beside a dash is negative, or it is told that it may be."""
    text = form.replace("432", f"{number:,}").format(dash)
    found = read_cell(text) if around is None else read_amounts(around.format(text))
    is_break = around is not None and (form == "432 {}" or (dash in EM_DASHES and form in BREAKS))
    assert len(found) == 1
    assert found[0].value.copy_abs() == number
    assert found[0].value < 0 or found[0].doubt or is_break


DOUBTFUL = {
    "— 432": "432",
    "$ — 432": "432",
    "432 -": "-432",
    "432—": "-432",
    "$ 432 CR": "-432",
    "432 Cr.": "432",
    "▲432": "-432",
    "(432": "-432",
    "$(432": "-432",
    "$ (1,432": "-1432",
    "1,432)": "-1432",
}


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_cell_that_can_be_read_both_ways_is_doubtful(text):
    (found,) = read_cell(text)
    assert (str(found.value), bool(found.doubt)) == (DOUBTFUL[text], True)


@pytest.mark.parametrize(
    "text",
    [
        "Operating income - 432 million",
        "net sales – $432 million",
        "exceptions - $3.2 billion",
        "sales –432",
        "costs —432 of",
    ],
)
def test_a_dash_between_words_may_be_a_minus_and_is_told(text):
    assert [bool(each.doubt) for each in read_amounts(f"In all {text} were booked.")] == [True]


@pytest.mark.parametrize("dash", HYPHENS + MINUSES + EN_DASHES + EM_DASHES)
def test_a_number_without_a_zero_in_front_of_its_point_keeps_minus_and_point(dash):
    assert (
        values(read_cell(f"{dash}.05")) == values(read_cell(f"{dash}€.05")) == values(read_cell("$(.05)")) == ["-0.05"]
    )


NO_MINUS = {
    "- 432 stores were opened": ["432"],
    "– 432 stores were opened": ["432"],
    "a range of 3–5": ["3", "5"],
    "sales of $ 5 – 10 million": ["5", "10"],
    "between 10-20%": ["10", "20"],
    "in 2023-24": ["2023", "2024"],
    "in 2019–2023": ["2019", "2023"],
    "COVID-19 and COVID\u201119": ["19", "19"],
    "form 10-K": ["10"],
    "call 800-555-0199": ["800", "555", "0199"],
    "plus +/-5%": ["5"],
    "word—432 words": ["432"],
    "word–432 words": ["432"],
    "notes 5 – 12": ["5", "12"],
    "two- and 30- and 60-day terms": ["2", "30", "60"],
    "Rs. 45 cr": ["45"],
    "₹ 12 CR": ["12"],
    "10 minus 5": ["10", "5"],
}


@pytest.mark.parametrize("text", NO_MINUS)
def test_a_dash_that_is_no_minus_is_none(text):
    found = list(read_amounts(text))
    assert [str(each.value) for each in found] == [str(Decimal(each)) for each in NO_MINUS[text]]
    assert not any(each.doubt for each in found)


@pytest.mark.parametrize("text", ["—", "–", "‒", "−", "--", "$ —", "$–", "—%", "－"])
def test_a_dash_alone_is_no_amount(text):
    assert is_dash(text) and read_cell(text) == ()


def test_rupees_in_crores_stay_crores_and_dollars_never_are():
    (rupees,), (dollars,) = read_cell("₹ 432 CR"), read_cell("$ 432 CR")
    assert (rupees.scale, rupees.doubt) == (10**7, "")
    assert (dollars.scale, str(dollars.value), bool(dollars.doubt)) == (1, "-432", True)


def page(cells: list[str]) -> bytes:
    rows = "".join(
        f"<tr><td>Income of unit {letters(number)}</td><td>{cell.replace('<', '&lt;')}</td><td>{number + 11}</td></tr>"
        for number, cell in enumerate(cells)
    )
    head = "<tr><td>(in millions)</td><td>2024</td><td>2023</td></tr>"
    return f"<html><body><h1>Orris Corp</h1><table>{head}{rows}</table></body></html>".encode()


def letters(number: int) -> str:
    return f"{chr(65 + number // 5)}{'aeiou'[number % 5]}rn"


def test_the_columns_of_a_page_are_those_of_its_numbers_whatever_their_minus():
    (table,) = read_html(page(TWENTY), "page").tables
    assert [len(row) for row in table.rows] == [3] * (len(TWENTY) + 1)
    assert [row[1] for row in table.rows[1:]] == TWENTY


def test_the_answer_shows_the_sign_of_each_of_twenty_ways(tmp_path):
    path = tmp_path / "report.htm"
    path.write_bytes(page(TWENTY))
    talk = tieout.open(path, store=tmp_path / "store")
    for number, printed in enumerate(TWENTY):
        answer = talk.ask(f"what was income of unit {letters(number)} in 2024?")
        assert (answer.value, printed in answer.tree()) == (Decimal(-432), True), printed
        assert answer.text.startswith("-"), printed


def test_the_answer_from_prose_shows_the_sign_and_a_doubt_is_flagged(tmp_path):
    path = tmp_path / "report.htm"
    sure, unsure = "Operating income was –$ 432 million in 2024.", "Other expense of the parks – 87 million in 2024."
    path.write_text(f"<p>Orris Corp</p><p>{sure}</p><p>{unsure}</p>", encoding="utf-8")
    talk = tieout.open(path, store=tmp_path / "store")
    first, second = (
        talk.ask("what was operating income in 2024?"),
        talk.ask("what was other expense of the parks in 2024?"),
    )
    assert (first.value, first.text[0]) == (Decimal(-432), "-")
    assert "doubtful print" in [flag.rule for flag in second.flags]


def grid(*rows: str) -> bytes:
    """A page with a table; the cells of each row are parted by bars."""
    cells = ("".join(f"<td>{cell.strip()}</td>" for cell in row.split("|")) for row in rows)
    return f"<html><body><p>x</p><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table></body></html>".encode()


@pytest.mark.parametrize("dash", "-\u2212\u2013\uff0d")
@pytest.mark.parametrize("sign", ["", "$|", "€|"])
def test_a_minus_in_a_cell_of_its_own_belongs_to_the_number_beside_it(dash, sign):
    head = "||2024||2023" if not sign else "|||2024|||2023"
    page = grid(
        head, f"Sales||{sign}900||{sign}800", f"Costs|{dash}|{sign}432||{sign}400", f"Other||{sign}5|{dash}|{sign}6"
    )
    table = read_html(page, "page").tables[0]
    assert [values(read_cell(cell))[:1] for row in table.rows[1:] for cell in row[1:]] == [
        *(["900"], ["800"], ["-432"], ["400"], ["5"], ["-6"])
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ("|2024|2023", "Sales|900|800", "Costs|-|432", "Other|5|-"),  # columns with titles and numbers of their own
        ("|A|B", "Sales|–|900", "Costs|–|432", "Other|–|6"),  # nothing in all of a column
        ("|2024|2023", "Sales||900", "Costs|–|432", "Other||6"),  # nothing in a column with a title
        ("||2024", "Sales||900", "Costs|—|432", "Other||6"),  # no minus is printed as wide
    ],
)
def test_a_dash_in_a_column_of_its_own_that_stands_for_no_value_stays_one(rows):
    table = read_html(grid(*rows), "page").tables[0]
    assert all(value >= 0 for row in table.rows for cell in row[1:] for value in map(float, values(read_cell(cell))))
