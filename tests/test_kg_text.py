"""Sentences: each amount with its own period and with what it measures."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kg_documents import document, graph_of, sentence_facts

from tieout.data.printed.amount import read_amounts
from tieout.kg.drafts.sentences.phrase import Namer, blank
from tieout.kg.drafts.sentences.text import read_sentences


def dated(sentence):
    return [(str(fact.value), fact.period.key if fact.period else None) for fact in sentence_facts(sentence)]


def named(sentence):
    return [(str(fact.value), fact.label) for fact in sentence_facts(sentence)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "aircraft rent was $ 127.1 million , $ 160 million and $ 143 million for 2008 , 2009 and 2010 , "
            "respectively .",
            [("127.1", "2008"), ("160", "2009"), ("143", "2010")],
        ),
        (
            "At 30 June 2019, the carrying amount is $25,153,000 (2018: $33,978,000).",
            [("25153000", "2019-06-30"), ("33978000", "2018")],
        ),
        (
            "in 2007 and 2006 , cash received was $ 27 million and $ 50 million .",
            [("27", "2007"), ("50", "2006")],
        ),
        (
            "income was $ 5 million in 2007 and $ 6 million in 2006 .",
            [("5", "2007"), ("6", "2006")],
        ),
        (
            "income for 2001 was $ 230 million compared to $ 213 million for 2000 .",
            [("230", "2001"), ("213", "2000")],
        ),
        (
            "earnings increased $ 28.9 million from $ 225.2 million in 2000 to $ 254.1 million in 2001 .",
            [("28.9", "2001"), ("225.2", "2000"), ("254.1", "2001")],
        ),
        (
            "in 2007 , we repaid $ 5 million of notes that had been issued in march 1999 .",
            [("5", "2007")],
        ),
        (
            "a gain of $ 0.8 million for 2016 , and a loss of $ 0.4 million and $ 0.5 million for 2015 and 2014 "
            ", respectively .",
            [("0.8", "2016"), ("0.4", "2015"), ("0.5", "2014")],
        ),
        (
            "interest as of december 31 , 2008 and 2007 was $ 33.5 and $ 33.6 , of which $ 0.7 and $ 9.2 is in "
            "the 2008 and 2007 "
            "statement , respectively .",
            [("33.5", "2008-12-31"), ("33.6", "2007-12-31"), ("0.7", "2008"), ("9.2", "2007")],
        ),
        (
            "the issuances totaled 113 shares , 130 shares and 141 shares in 2017 , 2016 and 2015 .",
            [("113", "2017"), ("130", "2016"), ("141", "2015")],
        ),
        ("we paid $ 5 million of our senior notes due 2021 .", [("5", None)]),
        ("assets declined 36% ( 36 % ) .", [("36", None)]),
    ],
)
def test_amounts_are_paired_with_their_periods(sentence, expected):
    assert dated(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The amount was $ 97 million at both May 31, 2023 and 2022.", ["2023-05-31", "2022-05-31"]),
        ("Rent was $ 2.0 billion for both 2024 and 2023 and $ 1.9 billion for 2022.", ["2024", "2023"]),
        ("As of May 31, 2023 and May 31, 2022, we had reserves of $ 15 million.", ["2023-05-31", "2022-05-31"]),
        (
            "Sales to agencies were 8% of the total for the years ended May 31, 2023, 2022 and 2021.",
            ["FY2023", "FY2022", "FY2021"],
        ),
        ("Sales were $ 15 million in 2023, compared to 2022.", ["2023"]),
        ("Costs were $ 15 million and taxes $ 3 million in 2023 and 2022, respectively.", ["2023"]),
        ("We paid a total of $ 15 million between 2022 and 2023.", ["2022"]),
    ],
)
def test_an_amount_that_is_said_of_several_times_is_of_each(sentence, expected):
    mention = next(each for each in next(read_sentences([sentence])).mentions if each.period)
    assert [period.key for period in (mention.period, *mention.also)] == expected


@pytest.mark.parametrize("nothing", ["nil, nil and $ 5 million", "zero , zero , and $ 5 million"])
def test_nothing_has_its_place_in_a_list(nothing):
    assert dated(f"costs were {nothing} in 2024 , 2023 and 2022 , respectively .") == [("5", "2022")]


def test_a_list_takes_the_periods_of_the_sentence_before_where_it_has_none():
    text = (
        "expense was $ 80 million , $ 83 million and $ 111 million in 2007 , 2006 and 2005 .",
        "the tax benefits were $ 29 million , $ 31 million and $ 39 million .",
    )
    facts = {fact.name: fact for fact in graph_of(document(text=text)).facts()}
    assert [(facts[f"s2a{n}"].period.key, facts[f"s2a{n}"].period_from) for n in (1, 2, 3)] == [
        ("2007", "sentence before"),
        ("2006", "sentence before"),
        ("2005", "sentence before"),
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "total stock-based compensation expense was $ 80 million in 2007 .",
            ["total stock-based compensation expense"],
        ),
        ("approximately 13% ( 13 % ) of our employees build capital assets .", ["employees build capital assets"]),
        ("interest and fees were $ 5 million and $ 3 million , respectively .", ["interest", "fees"]),
        (
            "the change resulted in a reduction of $ 3 million in treasury stock , $ 2 million in common stock , and "
            "$ 1 million in paid-in capital .",
            [
                "change resulted in a reduction … in treasury stock",
                "change resulted in a reduction … in common stock",
                "change resulted in a reduction … in paid-in capital",
            ],
        ),
        (
            "the hedges resulted in a gain of $ 0.8 million , and a loss of $ 0.4 million .",
            ["hedges resulted in a gain", "hedges resulted … loss"],
        ),
        (
            "as of december 31 , 2017 , we had 427 outstanding shares of common stock .",
            ["outstanding shares of common stock"],
        ),
        ("net sales , net of returns , were $ 5 million .", ["net sales , net of returns"]),
        ("property taxes property taxes were $ 9 million .", ["property taxes"]),
        ("dividends 2013 the board approved a dividend of $ 0.345 per share .", ["board approved a dividend"]),
    ],
)
def test_amounts_say_what_they_measure(sentence, expected):
    assert [label for _, label in named(sentence)] == expected


@pytest.mark.parametrize(
    ("sentence", "value", "unit", "scale"),
    [
        ("we own one-third of the venture .", None, "ratio", 1),
        ("sales were $ 2.2 billion .", "2.2", "$", 10**9),
        ("the rate was 14.5 per cent .", "14.5", "percent", 1),
        ("the dividend was $ 0.35 per share .", "0.35", "$/share", 1),
        ("two million shares were issued .", "2", "shares", 10**6),
    ],
)
def test_units_and_scales_are_read_from_the_sentence(sentence, value, unit, scale):
    (fact,) = sentence_facts(sentence)
    assert value is None or fact.value == Decimal(value)
    assert (fact.unit, fact.scale) == (unit, scale)
    assert fact.unit_from == "sentence"


def test_a_range_is_two_facts_of_one_measure_and_period():
    first, second = sentence_facts("in 2007 , we expect capital spending of $ 5 million to $ 10 million .")
    assert (first.label, first.period) == (second.label, second.period)
    assert (first.value, second.value) == (5, 10)


def test_paragraphs_are_taken_apart_into_sentences_but_not_at_abbreviations():
    paragraph = "sales of acme inc . with its reg . office in rome rose to $ 5 . costs at dec . 31 were $ 3 ."
    sentences = list(read_sentences((paragraph,)))
    assert [paragraph[each.start : each.end] for each in sentences] == [each.text for each in sentences]
    assert [each.text for each in sentences] == [
        "sales of acme inc . with its reg . office in rome rose to $ 5 . ",
        "costs at dec . 31 were $ 3 .",
    ]


WORDS = (
    "revenue was were of in and or , . ( ) $ 5 % 27% million 2007 2008 december 31 respectively "
    "the we to from 3-20 2014 | …"
)


@given(st.lists(st.lists(st.sampled_from(WORDS.split(" ")), max_size=25).map(" ".join), max_size=4))
def test_sentences_lose_no_character_and_no_amount(paragraphs):
    sentences = list(read_sentences(paragraphs))
    for number, paragraph in enumerate(paragraphs):
        mine = [each for each in sentences if each.paragraph == number]
        assert "".join(each.text for each in mine) == paragraph
        assert [mention.amount for each in mine for mention in each.mentions] == list(read_amounts(paragraph))
    assert [each.index for each in sentences] == list(range(len(sentences)))


@given(st.text(alphabet="abc ,;$5%().|…", max_size=60), st.data())
def test_naming_never_raises_and_takes_its_words_from_the_sentence(sentence, data):
    start = data.draw(st.integers(0, len(sentence)))
    end = data.draw(st.integers(start, len(sentence)))
    blanked = blank(sentence, [(start, start)])
    assert len(blanked) == len(sentence)
    phrase = Namer(blanked).name(start, end, len(sentence))
    assert all(word in sentence for word in phrase.text.replace("…", " ").split())


@pytest.mark.parametrize(
    "sentence",
    [" . a" * 20_000 + "$ 5", "( " * 20_000 + "$ 5", " " * 50_000 + "$ 5", "1," * 10_000, " 2013 a" * 5_000 + " $ 5"],
    ids=["points", "parentheses", "blanks", "commas", "codes"],
)
def test_a_strange_sentence_takes_no_more_than_its_length_asks_for(sentence):
    start = time.process_time()
    list(read_sentences((sentence,)))
    assert time.process_time() - start < 10
