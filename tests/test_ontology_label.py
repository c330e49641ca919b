"""Labels made comparable, and when two of them name one line item."""

from __future__ import annotations

import doctest
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.readers.read import read_conversations
from tieout.ontology.labels import concept, label
from tieout.ontology.labels import lexicon as lexicons
from tieout.ontology.labels.concept import concepts, key, same, strong, words
from tieout.ontology.labels.label import normalise, readable
from tieout.ontology.labels.lexicon import apart, lexicon, singular
from tieout.ontology.labels.mistyped import mistyped
from tieout.ontology.labels.shortened import defined_as, may_have, written_out
from tieout.ontology.metrics import slips

PAIRS = [
    line.split("\t")
    for line in (Path(__file__).parent / "label_pairs.tsv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("module", [label, concept, lexicons], ids=lambda m: m.__name__)
def test_the_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("balance at december 31 2016", "balance"),
        ("balance at january 1", "balance at beginning of year"),
        ("stockholders 2019 equity [2]", "stockholders equity"),
        ("research & development", "research and development"),
        ("Revenue (EUR thousands)", "revenue"),
        ("Revenue ( £m )", "revenue"),
        ("401 ( k ) plan (CHF bn)", "401k plan"),
        ("loans 2013 reported", "loans reported"),
        ("( gain ) loss on sale", "gain on sale"),
        ("other operating income expense net", "other operating income net"),  # as it is typed
        ("profit losses of prior years", "profit of prior years"),
        ("net cash provided by ( used in ) operating activities", "net cash provided by operating activities"),
        ("expected life ( in years )", "expected life"),
        ("total ( in millions of u.s . dollars )", "total"),
        ("s&p 500 index", "s&p 500 index"),
        ("total level 3 assets1", "total level 3 assets"),
        ("401 ( k ) plan", "401k plan"),
        ("weighted averageuseful life", "weighted average useful life"),
        ("6.25% ( 6.25 % ) senior notes due 2017", "senior notes"),
        ("purchase obligations ( bc )", "purchase obligations"),
        ("% of total revenue", "percent of total revenue"),
        ("december 312016", ""),
        ("$ in millions", ""),
    ],
)
def test_what_names_nothing_is_taken_out_of_a_label(printed, expected):
    assert readable(printed) == expected


@given(st.text(max_size=60))
def test_any_text_becomes_words_and_doing_it_twice_changes_nothing(text):
    once = readable(text)
    assert set(once) <= set(string.ascii_lowercase + string.digits + " &")
    assert once == once.strip()
    assert key(once) == key(readable(once))


@given(st.text(alphabet=string.ascii_letters + " ,.()&-%$0123456789", max_size=60))
def test_case_and_spaces_do_not_matter(text):
    assert normalise(text) == normalise(f"  {text.upper()}  ")


@given(st.integers(1990, 2030), st.sampled_from(["net sales", "operating leases", "goodwill"]))
def test_no_year_and_no_amount_stays_in_a_label(year, label):
    for printed in (
        f"{label} {year}",
        f"{year} {label}",
        f"{label} , december 31 {year} ( {year % 10} )",
        f"{label} $ {year}.5",
    ):
        assert readable(printed) == label


@given(st.sampled_from(sorted(lexicon().vocabulary)))
def test_a_singular_stays_and_a_known_word_is_not_taken_apart(word):
    assert singular(word) == word or word.endswith("s")
    assert apart(word) == word


@pytest.mark.parametrize(
    "word",
    ["another", "forward", "income", "office", "information", "however", "insurance", "outstanding", "thereafter"],
)
def test_words_that_hold_other_words_are_not_taken_apart(word):
    assert apart(word) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("net revenues", "total net sales"),
        ("SG&A", "selling, general and administrative expenses"),
        ("net earnings per share - diluted", "diluted EPS"),
        ("cost of goods sold", "cost of sales"),
        ("additions to property, plant and equipment", "capital expenditures"),
        ("shareholders' equity", "total stockholders equity"),
        ("non-current liabilities", "noncurrent liabilities"),
    ],
)
def test_synonyms_and_abbreviations_name_one_line_item(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("net income", "net interest income"),
        ("gross profit", "gross margin percentage"),
        ("basic", "diluted"),
        ("accounts receivable", "accounts payable"),
        ("deferred tax assets", "deferred tax liabilities"),
        ("net charge-offs", "net charge-offs to average loans"),
        ("revenue", "deferred revenue"),
        ("property and equipment, gross", "property and equipment, net"),
        ("", ""),
    ],
)
def test_look_alikes_are_kept_apart(one, other):
    assert not same(one, other)


def test_the_hand_labelled_pairs_are_decided_right():
    wrong = [(verdict, one, other) for verdict, one, other in PAIRS if same(one, other) != (verdict == "same")]
    merged = [pair for pair in wrong if pair[0] == "different"]
    hard = sum(verdict == "different" for verdict, _, _ in PAIRS)
    assert len(PAIRS) >= 200
    assert hard * 2 >= len(PAIRS)
    assert len(wrong) <= 0.10 * len(PAIRS), wrong
    assert len(merged) <= 0.03 * len(PAIRS), merged


def test_the_hand_labelled_pairs_are_labels_of_the_training_files(shared):
    printed = set()
    for name in ("train_100.json", "test_inputs.json"):
        for conversation in read_conversations(shared / name):
            for table in conversation.document.tables:
                printed |= {cell for row in table.rows for cell in (row[0], *table.rows[0])}
    assert {label for _, *pair in PAIRS for label in pair} <= printed


def test_no_two_line_items_of_the_core_are_the_same_but_for_those_that_are_meant():
    assert len(concepts()) > 400
    assert all(name and strong(key(concept.label)) == name for name, concept in concepts().items())


def test_the_rules_of_the_lexicon_leave_their_own_result_alone():
    for rule in lexicon().rules:
        assert strong(tuple(sorted(set(words(rule.to).split())))) == strong(tuple(sorted(set(rule.to.split())))), (
            rule.to
        )


def test_a_rule_is_never_passed_over_where_it_applies(sample):
    labels = {
        cell
        for each in read_conversations(sample / "train.json")
        for table in each.document.tables
        for row in table.rows
        for cell in row
    }
    assert len(labels) > 200
    for text in sorted(map(normalise, labels)):
        there = set(text.split())
        for rule in lexicon().rules:
            assert not rule.pattern.search(text) or rule.anchors is None or not rule.anchors.isdisjoint(there)


@pytest.mark.parametrize(
    ("typed", "read"),
    [("goodwil", "goodwill"), ("fullfilment", "fulfillment"), ("gros", "gross"), ("margn", "margin"), ("gloss", None)],
)
def test_a_letter_that_is_doubled_or_not_is_a_slip_in_words_of_any_length(typed, read):
    assert mistyped(typed, ["goodwill", "fulfillment", "gross", "group", "margin", "coat"]) == read


@pytest.mark.parametrize(
    ("letters", "text", "meant"),
    [
        ("DPAI", "• Dams, Pipes and AI (DPAI) and services", "Dams, Pipes and AI"),
        ("RWM", "Retail & Wholesale Milling (“RWM”) grew.", "Retail & Wholesale Milling"),
        ("USMS", "It has U.S. Mill Services (USMS).", "U.S. Mill Services"),
        ("RWM", "The rate was lower (RWM).", None),
    ],
)
def test_letters_stand_for_what_a_report_says_before_them(letters, text, meant):
    assert defined_as(letters, [text]) == meant


@pytest.mark.parametrize(
    ("letters", "meant"),
    [("DPAI", "dams pipes and ai"), ("RMG", "retail milling"), ("RMX", None), ("DPA", None)],
)
def test_letters_stand_for_a_label_whose_words_begin_so(letters, meant):
    assert written_out(letters, {"revenue"}, ["Dams Pipes and AI", "Retail Milling", "Total Retail Milling"]) == meant


def test_a_word_is_part_of_the_name_of_the_company_before_it_is_anything_else():
    assert slips.of_name("alde", ["Alder Mills, Inc."]) == "alder"
    assert slips.of_name("alders", ["Alder Mills, Inc."]) is None
    said = slips.Printed(lambda: (), lambda _: False, defined={"RM": "Retail Milling"}.get)
    assert slips.of_letters("rm", ["retail", "milling"], said) == "Retail Milling"
    assert slips.of_letters("rm", ["retail"], said) is None


@given(
    st.from_regex("[a-z]{1,9}", fullmatch=True), st.from_regex("[a-z]{1,9}", fullmatch=True), st.sampled_from(["", "s"])
)
def test_two_words_written_as_one_are_found_in_every_label_that_has_them(one, other, ending) -> None:
    assert may_have(f"{one}{other}{ending}", f"Total {one.title()} {other}")


def test_a_long_word_is_not_looked_for_in_labels_without_half_of_it() -> None:
    assert not may_have("undistributed", "Unearned distribution fees")
    assert written_out("datacenters", {"revenue"}, ["Unit revenue", "Data center revenue"]) == "data center"
