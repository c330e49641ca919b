"""Amounts: every way reports print them, read back; nothing printed is lost, nothing hostile raises or hangs."""

from __future__ import annotations

import json
import re
import time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.document import Table
from tieout.data.printed.amount import Amount, Unit, is_dash, read_amounts, read_cell
from tieout.data.tables.table import read_table

Printed = tuple[str, str | None, int]


def said(amounts: tuple[Amount, ...]) -> list[Printed]:
    return [(str(each.value), each.unit, each.scale) for each in amounts]


def printed(text: str, amounts: tuple[Amount, ...]) -> list[str]:
    return [text[each.start : each.end] for each in amounts]


CELLS: list[tuple[str, list[tuple[str, str | None]]]] = [
    ("1150786", [("1150786", None)]),
    ("$ 60.94", [("60.94", "$")]),
    ("-26 ( 26 )", [("-26", None)]),
    ("$ -50 ( 50 )", [("-50", "$")]),
    ("27% ( 27 % )", [("27", Unit.PERCENT)]),
    ("-4.9% ( 4.9 % )", [("-4.9", Unit.PERCENT)]),
    ("( 36 ) % (  % )", [("-36", Unit.PERCENT)]),
    ("8 % (  % )", [("8", Unit.PERCENT)]),
    ("( 23.1 )", [("-23.1", None)]),
    ("( 14 )", [("-14", None)]),
    ("( $ 3 )", [("-3", "$")]),
    ("-$ 50", [("-50", "$")]),
    ("$ ( 1.81 )", [("-1.81", "$")]),
    ("( 2.0 ) pt", [("-2.0", Unit.PERCENTAGE_POINTS)]),
    (".27", [("0.27", None)]),
    ("$ .95", [("0.95", "$")]),
    (".22% ( .22 % )", [("0.22", Unit.PERCENT)]),
    ("1,150,786", [("1150786", None)]),
    ("1269242 ( c )", [("1269242", None)]),
    ("30000 ( 1 )", [("30000", None)]),
    ("17900 ( rental ) 4800 ( services )", [("17900", None), ("4800", None)]),
    ("3-20", [("3", None), ("20", None)]),
    ("1.0 - 2.5", [("1.0", None), ("2.5", None)]),
    ("0 to 100 ( 43/35 )", [("0", None), ("100", None), ("43", None), ("35", None)]),
    ("$ 81.99 2013 $ 85.05", [("81.99", "$"), ("85.05", "$")]),
    ("0.26% ( 0.26 % ) 2013 0.36% ( 0.36 % )", [("0.26", Unit.PERCENT), ("0.36", Unit.PERCENT)]),
    ("29.6% ( 29.6 % ) 201477.8% ( 201477.8 % )", [("29.6", Unit.PERCENT), ("77.8", Unit.PERCENT)]),
    ("a340/$ 62", [("40", "GBP"), ("62", "$")]),
    ("chf275 ( approximately $ 311 )", [("275", "CHF"), ("311", "$")]),
    ("€ 5.5", [("5.5", "EUR")]),
    ("nm10.0% ( nm10.0 % )", [("10.0", Unit.PERCENT)]),
    ("100%nm", [("100", Unit.PERCENT)]),
    ("7.5 years", [("7.5", Unit.YEARS)]),
    ("6 months", [("6", Unit.MONTHS)]),
    ("january 2003", [("2003", Unit.CALENDAR_YEAR)]),
    ("2012", [("2012", None)]),
]


@pytest.mark.parametrize(("text", "expected"), CELLS, ids=[text for text, _ in CELLS])
def test_a_cell_reads_as_a_person_reads_it(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert [(str(each.value), each.unit) for each in read_cell(text, coded=True)] == expected


def test_several_amounts_of_a_cell_keep_their_restatements_apart() -> None:
    text = "28% ( 28 % ) to 84% ( 84 % ) ( 61%/60% ( 61%/60 % ) )"
    assert printed(text, read_cell(text, coded=True)) == ["28% ( 28 % )", "84% ( 84 % )", "61%", "60% ( 61%/60 % )"]
    text = "$ ( 2.38 ) to $ 3.34 ( $ ( 0.22 ) /$ ( 0.12 ) )"
    assert [str(each.value) for each in read_cell(text, coded=True)] == ["-2.38", "3.34", "-0.22", "-0.12"]


@pytest.mark.parametrize("text", ["", "-", "—", "2014", "2013", "$ 2014", "$ -", "n/a", "owned", "nm"])
def test_a_dash_and_a_word_have_no_amount(text: str) -> None:
    assert read_cell(text, coded=True) == ()


def test_a_dash_with_a_currency_mark_is_a_dash_and_a_number_is_none() -> None:
    assert (
        is_dash("$ 2014", coded=True)
        and is_dash("—")
        and not is_dash("2014")
        and not is_dash("2012", coded=True)
        and not is_dash("0")
    )


TEXTS: list[tuple[str, list[Printed]]] = [
    ("sales of $ 2.2 billion", [("2.2", "$", 10**9)]),
    ("sales of 2.2 billion dollars", [("2.2", "$", 10**9)]),
    ("an 805 million canadian dollar facility", [("805", "CAD", 10**6)]),
    ("issued 20ac1.0 billion of notes", [("1.0", "EUR", 10**9)]),
    ("an a38 million guarantee", [("8", "GBP", 10**6)]),
    ("a dividend of a3 12.40 per share", [("12.40", "GBP/share", 1)]),
    ("baa3 12 months ago", [("12", Unit.MONTHS, 1)]),
    ("$ 205 mil- lion was paid", [("205", "$", 10**6)]),
    ("$ 5 a0million was paid", [("5", "$", 10**6)]),
    ("rose 14.5 per cent", [("14.5", Unit.PERCENT, 1)]),
    ("rose 15 percent and 3 percentage points", [("15", Unit.PERCENT, 1), ("3", Unit.PERCENTAGE_POINTS, 1)]),
    ("7 1/4 % notes", [("7.25", Unit.PERCENT, 1)]),
    ("fell 110 basis points", [("110", Unit.BASIS_POINTS, 1)]),
    ("repurchased 3.2 million of its common shares", [("3.2", Unit.SHARES, 10**6)]),
    ("a price of $ 35.00 per share", [("35.00", "$/share", 1)]),
    (
        "were $ 5.27 , $ 4.77 and $ 5.35 per option",
        [("5.27", "$/share", 1), ("4.77", "$/share", 1), ("5.35", "$/share", 1)],
    ),
    ("over 5 to 10 years", [("5", Unit.YEARS, 1), ("10", Unit.YEARS, 1)]),
    ("a 364-day facility", [("364", Unit.DAYS, 1)]),
    ("between $ 5 and $ 10 million", [("5", "$", 10**6), ("10", "$", 10**6)]),
    ("a ratio of 3.5 to 1.0", [("3.5", Unit.RATIO, 1), ("1.0", Unit.RATIO, 1)]),
    ("two million shares", [("2", Unit.SHARES, 10**6)]),
    ("twenty-five employees", [("25", "employees", 1)]),
    ("one hundred percent", [("100", Unit.PERCENT, 1)]),
    ("within five ( 5 ) years", [("5", Unit.YEARS, 1)]),
    ("one-third and 14.5 per cent of sales", [(str(Decimal(1) / 3), Unit.RATIO, 1), ("14.5", Unit.PERCENT, 1)]),
    ("one-half to two years", [("0.5", Unit.YEARS, 1), ("2", Unit.YEARS, 1)]),
    ("over three to seven years", [("3", Unit.YEARS, 1), ("7", Unit.YEARS, 1)]),
    ("at 5-10 per- cent annually", [("5", Unit.PERCENT, 1), ("10", Unit.PERCENT, 1)]),
    ("up 0.8 share points", [("0.8", None, 1)]),
    ("sold 48.8 million orris shares", [("48.8", Unit.SHARES, 10**6)]),
    ("one of our six segments", [("6", Unit.COUNT, 1)]),
    ("december 31 , 2007", [("31", Unit.DATE_PART, 1), ("2007", Unit.CALENDAR_YEAR, 1)]),
    ("dec . 312013", [("31", Unit.DATE_PART, 1), ("2013", Unit.CALENDAR_YEAR, 1)]),
    ("on 12/31/07", [("12", Unit.DATE_PART, 1), ("31", Unit.DATE_PART, 1), ("2007", Unit.CALENDAR_YEAR, 1)]),
    ("in 2012 2013 2016", [("2012", Unit.CALENDAR_YEAR, 1), ("2016", Unit.CALENDAR_YEAR, 1)]),
    ("fy12 and fy '13", [("2012", Unit.CALENDAR_YEAR, 1), ("2013", Unit.CALENDAR_YEAR, 1)]),
    ("fy 12% growth", [("12", Unit.PERCENT, 1)]),
    ("fiscal 2021 -22", [("2021", Unit.CALENDAR_YEAR, 1), ("2022", Unit.CALENDAR_YEAR, 1)]),
    ("see notes 5 and 6", [("5", Unit.REFERENCE, 1), ("6", Unit.REFERENCE, 1)]),
    ("on pages 40 201342", [("40", Unit.REFERENCE, 1), ("42", Unit.REFERENCE, 1)]),
    ("see note 201410 201cleases", [("10", Unit.REFERENCE, 1)]),
    ("item 7 , page 3 , level 2", [("7", Unit.REFERENCE, 1), ("3", Unit.REFERENCE, 1), ("2", Unit.REFERENCE, 1)]),
    ("the s&p 500 index", [("500", Unit.REFERENCE, 1)]),
    ("form 10-k and f-35", [("10", Unit.REFERENCE, 1), ("35", Unit.REFERENCE, 1)]),
    ("( 2 ) includes $ ( 7 ) million", [("2", Unit.REFERENCE, 1), ("-7", "$", 10**6)]),
    ("lower volume ( $ 66 million ) .", [("66", "$", 10**6)]),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=[text for text, _ in TEXTS])
def test_a_sentence_reads_as_a_person_reads_it(text: str, expected: list[Printed]) -> None:
    assert said(read_amounts(text, coded=True)) == expected


def test_a_third_has_as_many_digits_as_a_calculation() -> None:
    assert [each.value for each in read_amounts("one-third of them", coded=True)] == [Decimal(1) / Decimal(3)]


def test_a_respectively_list_keeps_each_amount_with_its_own_scale() -> None:
    text = "$ 127.1 million , $ 160 million and $ 143 million for 2008 , 2009 and 2010 , respectively"
    money = [each for each in read_amounts(text, coded=True) if each.unit == "$"]
    assert [(str(each.value), each.scale) for each in money] == [("127.1", 10**6), ("160", 10**6), ("143", 10**6)]


@pytest.mark.parametrize(
    ("text", "is_year"),
    [
        ("in 2014 and 2013", True),
        ("compared with 2014 , sales rose", True),
        ("2014 net revenue", True),
        ("our 2014 annual report", True),
        ("december 31 , 2014", True),
        ("notes to financial statements 2014 ( continued )", False),
        ("fuel prices 2014 crude oil", False),
        ("total 10.2 2014 3.1", False),
        ("note 7 2014 leases", False),
        ("years beyond 2007 2014$ 79 million", False),
    ],
)
def test_2014_is_a_year_where_it_reads_as_one_and_else_a_dash(text: str, is_year: bool) -> None:
    assert (Decimal(2014) in [each.value for each in read_amounts(text, coded=True)]) is is_year


@pytest.mark.parametrize("text", ["the company 2019s shares", "201cfin 48 201d", "stockholders 2019 equity", "cet1"])
def test_the_code_of_a_character_and_the_digit_of_a_word_are_no_amounts(text: str) -> None:
    assert [each for each in read_amounts(text, coded=True) if each.unit is not Unit.REFERENCE] == []


def test_a_footnote_mark_behind_a_label_is_no_amount() -> None:
    assert read_amounts("long-term debt ( 1 )", coded=True) == ()
    assert said(read_amounts("senior notes due 2021 5.000% ( 5.000 % ) ( 1 )"))[1] == (
        "5.000",
        Unit.PERCENT,
        1,
    )


# What exceeds 40 digits or a power of 30 stays text.
HOSTILE: dict[str, list[str]] = {
    "1e400": [],
    "1e-400": [],
    "1e5": ["1E+5"],
    "NaN": [],
    "Infinity": [],
    "--5": ["5"],
    "1,2,3": ["1", "2", "3"],
    "9" * 60: [],
    "9" * 40: ["9" * 40],
    "1\x002": ["1", "2"],
    "\u202e12": ["12"],
    "": [],
    "( ( (": [],
    "٣٤": [],
    "½": [],
}


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:12]) for text in HOSTILE])
def test_hostile_numbers_are_read_or_left_as_text(text: str) -> None:
    assert [str(each.value) for each in read_amounts(text, coded=True)] == HOSTILE[text]
    assert [str(each.value.copy_abs()) for each in read_cell(text, coded=True)] == HOSTILE[text]


WORDS = [
    *(
        "2014",
        "2013",
        "(",
        ")",
        "$",
        "-",
        "--",
        "%",
        "% (",
        "1",
        "20",
        "2007",
        "december",
        "31",
        ",",
        ".",
        "/",
        "million",
    ),
    *(
        "shares",
        "a0",
        "a3",
        "20ac",
        "201c",
        "2019s",
        "one",
        "third",
        "twenty",
        "per",
        "to",
        "and",
        "of",
        "1e400",
        "1,234",
    ),
    *(
        "quarter",
        "fy",
        "first",
        "ended",
        "three months",
        "year",
        "v",
        "12/31/07",
        "99/99/99",
        "000",
        "[1]",
        "thereafter",
    ),
    *("u.s .", "dollars", "e+", "\u202e", "İ", "ß", "\x00"),
]
scraps = st.lists(st.sampled_from(WORDS), max_size=14).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)


@given(st.one_of(st.text(max_size=60), scraps))
def test_any_text_gives_spans_in_order_that_hold_what_they_say(text: str) -> None:
    for amounts in (read_amounts(text, coded=True), read_cell(text, coded=True)):
        assert all(0 <= each.start < each.end <= len(text) for each in amounts)
        assert all(first.end <= second.start for first, second in pairwise(amounts))
        for each in amounts:
            form = text[each.start : each.end]
            assert form == form.strip() and each.value.is_finite() and each.scale in (1, 10**3, 10**6, 10**9, 10**12)


numbers = st.decimals(min_value=0, max_value=10**9, places=2).map(lambda value: value.quantize(Decimal("0.01")))
styles = st.sampled_from(
    [
        ("{n}", 1, None),
        ("$ {n}", 1, "$"),
        ("-{n} ( {n} )", -1, None),
        ("$ -{n} ( {n} )", -1, "$"),
        ("( {n} )", -1, None),
        ("$ ( {n} )", -1, "$"),
        ("{n}% ( {n} % )", 1, Unit.PERCENT),
        ("-{n}% ( {n} % )", -1, Unit.PERCENT),
        ("( {n} ) % (  % )", -1, Unit.PERCENT),
        ("{n:,}", 1, None),
        ("${n:,}", 1, "$"),
        ("(${n:,})", -1, "$"),
        ("€{n}", 1, "EUR"),
        ("us$ {n}", 1, "USD"),
        ("chf {n}", 1, "CHF"),
    ]
)


@given(numbers, styles)
def test_a_number_printed_in_any_style_reads_back(number: Decimal, style: tuple[str, int, str | None]) -> None:
    form, sign, unit = style
    text = form.format(n=number)
    (amount,) = read_cell(text)
    assert amount.value == number * sign and amount.unit == unit
    assert text[amount.start : amount.end] == text


@given(
    numbers, st.sampled_from(["thousand", "million", "billion", "trillion"]), st.sampled_from(["$ {}", "{}", "€ {}"])
)
def test_a_scale_word_belongs_to_the_amount_and_its_span(number: Decimal, word: str, form: str) -> None:
    text = f"it was {form.format(number)} {word} in all"
    (amount,) = read_amounts(text)
    assert amount.value == number and text[amount.start : amount.end] == f"{form.format(number)} {word}"
    assert amount.scale == {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}[word]


@pytest.mark.parametrize(
    "unit", ["1", " ", "( ", "$ 5 million , ", "5% ( 5 % ) ", "one-", "1.", "5 to ", "2014 ", "a0", "20"]
)
def test_twice_the_text_takes_about_twice_the_time(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        start = time.process_time()
        read_amounts(text, coded=True)
        return time.process_time() - start

    # A quadratic reader takes 16 times as long, each time; what the machine does beside it does not come thrice.
    assert any(seconds(40_000) < 10 * seconds(10_000) + 0.05 for _ in range(3))


def operands(program: str) -> list[Decimal]:
    """The numbers written in a gold program; constants and results of steps are none. `25%` is 25."""
    found = re.findall(r"(?<![\w#.])-?[\d.]+(?=%?[,)\s]|%?$)", program)
    return [Decimal(each) for each in found if re.search(r"\d", each)]


@pytest.mark.parametrize("name", ["train_100.json", "dev_open.json"])
def test_every_operand_of_the_gold_programs_is_read_from_its_report(shared: Path, name: str) -> None:
    missing = []
    count = 0
    for record in json.loads((shared / name).read_text()):
        layout = read_table(Table(rows=tuple(map(tuple, record["table"]))))
        amounts = [amount for cell in (*layout.cells, *layout.labels) for amount in cell.amounts]
        for sentence in record["pre_text"] + record["post_text"]:
            amounts += read_amounts(sentence, coded=True)
        values = {amount.value.copy_abs() for amount in amounts}
        for program in record["annotation"]["turn_program"]:
            for operand in operands(program):
                count += 1
                if operand.copy_abs() not in values:
                    missing.append((record["id"], operand))
    assert count > 500
    assert missing == []


@pytest.mark.parametrize("name", ["train_100.json", "dev_open.json", "test_inputs.json"])
def test_every_number_in_the_real_tables_belongs_to_an_amount(shared: Path, name: str) -> None:
    """But for dashes, footnote marks, digits of words, and scale notes."""
    lost = set()
    for record in json.loads((shared / name).read_text()):
        layout = read_table(Table(rows=tuple(map(tuple, record["table"]))))
        for cell in (*layout.cells, *layout.labels):
            for match in re.finditer(r"(?<![a-z\d])\d[\d.]*\d|(?<![a-z\d])\d", cell.text):
                spans = [range(each.start, each.end) for each in cell.amounts]
                free = [at for at in range(*match.span()) if not any(at in span for span in spans)]
                left = "".join(cell.text[at] for at in free)
                mark = re.match(r"\( \d{1,2} \)|[($] 000", cell.text[max(0, match.start() - 2) :])
                if (
                    left not in ("", "2013", "2014", "2018", "2019", "201")
                    and not mark
                    and not is_dash(cell.text, coded=True)
                ):
                    lost.add(cell.text)
    assert lost == set()


@pytest.mark.parametrize(
    ("text", "value", "unit", "scale"),
    [
        ("a fine of $5m was paid", "5", "$", 10**6),
        ("costs of $27k", "27", "$", 10**3),
        ("£ 2.5mn of debt", "2.5", "GBP", 10**6),
        ("net of taxes of ($92) million", "-92", "$", 10**6),
        ("other items of $(1.7 million)", "-1.7", "$", 10**6),
        ("it bought $5m2 of land", "5", "$", 1),
    ],
)
def test_a_short_scale_belongs_to_money_alone(text, value, unit, scale):
    amount = read_amounts(text)[0]
    assert (str(amount.value), amount.unit, amount.scale) == (value, unit, scale)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("twenty million", [("20", 10**6)]),
        ("one hundred", [("100", 1)]),
        ("two years", [("2", 1)]),
        ("level one", []),
        ("two year notes", []),
        ("日本12", [("12", 1)]),
        ("ок5", [("5", 1)]),
    ],
)
def test_a_cell_of_words_alone_or_beside_another_script_holds_a_number(text, found):
    assert [(str(each.value), each.scale) for each in read_cell(text)] == found
