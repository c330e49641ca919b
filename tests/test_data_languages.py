"""Notes of other languages on what figures are in."""

from __future__ import annotations

import pytest

from tieout.data.document import Table
from tieout.data.printed.note import Note, read_note
from tieout.data.tables.table import read_table

NOTES = {
    "（単位：百万円）": Note("JPY", 10**6, None),
    "单位：千元": Note("CNY", 10**3, None),
    "人民幣百萬元": Note("CNY", 10**6, None),
    "港币千元": Note("HKD", 10**3, None),
    "(単位：千株)": Note(None, None, 10**3),
    "(단위: 백만원)": Note("KRW", 10**6, None),
    "Belopp i mkr": Note(None, 10**6, None),
    "t.kr.": Note(None, 10**3, None),
    "in miljoenen euro": Note("EUR", 10**6, None),
    "in Mio. €": Note("EUR", 10**6, None),
}


@pytest.fixture(autouse=True)
def as_published():
    yield


@pytest.mark.parametrize("text", NOTES)
def test_a_note_in_another_language_says_unit_and_scale(text):
    assert read_note(text) == NOTES[text]


@pytest.mark.parametrize("text", ["5千円", "三千万", "the kroner fell", "千葉", "Net sales"])
def test_what_is_no_note_says_nothing(text):
    said = read_note(text)
    assert (said.scale, said.counts) == (None, None)


def test_a_table_in_millions_of_yen_is_one():
    rows = (("（単位：百万円）", "2024", "2023"), ("売上高", "4,321", "4,000"), ("営業利益", "△432", "400"))
    layout = read_table(Table(rows=rows, after=0))
    cell = next(cell for cell in layout.cells if cell.text == "△432")
    meaning = layout.meaning(cell, cell.amounts[0])
    assert (str(cell.amounts[0].value), meaning.unit, meaning.scale) == ("-432", "JPY", 10**6)
