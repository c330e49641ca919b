"""Notes on unit and scale: every way reports print them, one meaning each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.printed.note import Note, introduced_note, read_note

M, T = 10**6, 10**3
NOTES = {
    "(in millions, except per share data)": Note(None, M, M),
    "(Millions, except per common share data)": Note(None, M, M),
    "( in thousands , except share and per share data )": Note(None, T, 1),
    "(Amounts in thousands, expect per share data)": Note(None, T, T),
    "(in millions, except number of shares, which are reflected in thousands, and per-share amounts)": Note(None, M, T),
    "(in millions, except per share amounts, shares in thousands)": Note(None, M, T),
    "(Per-share amounts in dollars)": Note("$", None, None),
    "(Earnings, shares in millions, per-share amounts in dollars)": Note("$", None, M),
    "(net income in millions and shares in thousands)": Note(None, M, T),
    "Millions, Except Share and Per Share Amounts as of December 31,": Note(None, M, 1),
    "shares in thousands": Note(None, None, T),
    "(vehicles in thousands)": Note(None, None, T),
    "$m": Note("$", M),
    "$MM": Note("$", M),
    "$ in 000s": Note("$", T),
    "($000's omitted)": Note("$", T),
    "£ million": Note("GBP", M),
    "£’000": Note("GBP", T),
    "€ m": Note("EUR", M),
    "€bn": Note("EUR", 10**9),
    "in T€": Note("EUR", T),
    "Angaben in Tsd. €": Note("EUR", T),
    "EUR Tsd.": Note("EUR", T),
    "M€": Note("EUR", M),
    "Mrd. €": Note("EUR", 10**9),
    "(in € millions)": Note("EUR", M),
    "20ac million": Note("EUR", M),
    "USD million": Note("USD", M),
    "RMB'000": Note("CNY", T),
    "HK$ million": Note("HKD", M),
    "US$’000": Note("USD", T),
    "(A$ in thousands)": Note("AUD", T),
    "(in millions of Canadian dollars)": Note("CAD", M),
    "(¥ in billions)": Note("JPY", 10**9),
    "(Rs. in crore)": Note("INR", 10**7),
    "(millions of dollars)": Note("$", M),
    "(Dollars in thousands, except per share amounts)": Note("$", T),
    "In EUR thousands": Note("EUR", T),
    "All amounts in thousands of U.S. dollars, except share and per share data": Note("USD", T, 1),
    "(Expressed in U.S. dollars, except for per share amount)": Note("USD", 1),
    "(Dollars and Shares in Millions Except Per Share Amounts) (Note 1)": Note("$", M, M),
    "$ and shares in millions, except per share amounts": Note("$", M, M),
    "(Shares and dollars in millions)": Note("$", M, M),
    "(Thousands of dollars and shares, except per share)": Note("$", T, T),
    "(Dollar amounts, except per share amounts, in millions)": Note("$", M),
    "Unless otherwise indicated, dollar amounts are in millions": Note("$", M),
    "C$": Note("CAD"),
    "( 000 )": Note(None, T, T),
    "(in\u00a0millions)": Note(None, M, M),
    "$1.4 billion": Note(),
    "payments of more than $ 5 million": Note(),
    "multi-billion dollars": Note(),
    "one million": Note(),
    "(m)": Note(),
    "63,000": Note(),
    "401 ( k )": Note(),
    "revenue": Note(),
    "": Note(),
}


@pytest.mark.parametrize("text", NOTES, ids=lambda text: text or "nothing")
def test_a_note_says_unit_scale_and_the_scale_of_counts(text: str) -> None:
    assert read_note(text) == NOTES[text]
    assert read_note(text.upper()) == NOTES[text]


CURRENCIES = {
    "$": "$",
    "US$": "USD",
    "C$": "CAD",
    "A$": "AUD",
    "£": "GBP",
    "€": "EUR",
    "¥": "JPY",
    "RMB": "CNY",
    "CHF": "CHF",
    "EUR": "EUR",
}
WORDS = {"thousand": T, "million": M, "billion": 10**9, "trillion": 10**12}
SHORT = {"m": M, "mm": M, "mn": M, "bn": 10**9, "k": T, "'000": T, "’000": T}
EXCEPTIONS = {"": True, ", except per share data": True, ", except share data": False, " except shares": False}


@given(
    st.sampled_from(sorted(CURRENCIES)),
    st.sampled_from(sorted(WORDS)),
    st.sampled_from(["{c} {s}", "{c} in {s}s", "in {c} {s}s", "{s}s of {c}", "in {s}s of {c}", "amounts in {c} {s}s"]),
    st.booleans(),
    st.sampled_from(sorted(EXCEPTIONS)),
)
def test_a_note_made_of_parts_is_read_into_its_parts(
    currency: str, word: str, form: str, in_brackets: bool, exception: str
) -> None:
    text = form.format(c=currency, s=word) + exception
    note = read_note(f"({text})" if in_brackets else text)
    assert (note.unit, note.scale) == (CURRENCIES[currency], WORDS[word])
    assert note.counts == (None if EXCEPTIONS[exception] else 1)


@given(st.sampled_from(sorted(CURRENCIES)), st.sampled_from(sorted(SHORT)), st.sampled_from(["", " ", "\u00a0"]))
def test_a_short_scale_is_one_behind_a_currency_alone(currency: str, short: str, gap: str) -> None:
    assert read_note(f"({currency}{gap}{short})") == Note(CURRENCIES[currency], SHORT[short])
    assert read_note(short.strip("'’")) in (Note(), Note(None, T, T))


@given(st.sampled_from(sorted(WORDS)), st.sampled_from(sorted(EXCEPTIONS)))
def test_a_note_on_everything_holds_for_counts_unless_it_leaves_them_out(word: str, exception: str) -> None:
    scale = WORDS[word]
    assert read_note(f"(In {word}s{exception})") == Note(None, scale, scale if EXCEPTIONS[exception] else 1)


@given(st.integers(1, 10**6), st.sampled_from(sorted(WORDS)), st.sampled_from(["", "$ ", "about ", "over £"]))
def test_an_amount_is_no_note(number: int, word: str, before: str) -> None:
    assert not read_note(f"{before}{number:,} {word}")


@given(st.text(max_size=300))
def test_every_text_is_read(text: str) -> None:
    note = read_note(text)
    assert note.scale is None or note.scale >= 1
    assert introduced_note(text)[0].scale in {None, 1, *(10**power for power in range(2, 13))}


def test_the_note_nearest_to_the_table_is_that_of_a_sentence() -> None:
    note, printed = introduced_note("Sales (in billions) were flat. The table shows costs (dollars in thousands):")
    assert (note, printed) == (Note("$", T), "dollars in thousands")
    assert introduced_note("Expressed in US $000's except per share amounts")[0] == Note("USD", T)
    assert introduced_note("We paid $ 5 million (2008: $ 4 million) for it.") == (Note(), "")
