"""When figures of a report's sentences are from, where the sentence itself does not say."""

from __future__ import annotations

from datetime import date

import pytest
from kg_documents import TBOX

from tieout.data.document import Document, Section, Table
from tieout.kg.build import build

ENDED = date(2025, 12, 31)


def facts_of(*paragraphs, sections=()):
    report = Document(
        id="report",
        paragraphs=paragraphs,
        before=0,
        tables=(Table(rows=(("", "2025", "2024"), ("Revenue", "5", "4")), after=0),),
        sections=tuple(Section(title="Note", level=2, paragraph=each) for each in sections),
        coded=False,
        ended=ENDED,
    )
    return {fact.raw: fact for fact in build(report, TBOX).facts() if fact.sentence is not None}


@pytest.mark.parametrize(
    ("paragraphs", "raw", "end", "where"),
    [
        (("The company has losses of $528 million carried forward.",), "$528 million", ENDED, "document"),
        (
            ("In 2024, results were reduced by the following items:", "•a charge of $760 million for a trademark."),
            "$760 million",
            date(2024, 12, 31),
            "paragraph before",
        ),
        (
            ("We acquired Orris on May 26, 2024.", "The total consideration was $460 million in cash."),
            "$460 million",
            date(2024, 5, 26),
            "paragraph before",
        ),
        (("We expect to pay $123 million in the first quarter of 2026.",), "$123 million", ENDED, "document"),
        (("In January 2026, we sold a plant for $9 million.",), "$9 million", date(2026, 1, 31), "sentence"),
        (
            ("In August 2024, we entered into the 2023 Sales Agreement for up to $750 million.",),
            "$750 million",
            date(2024, 8, 31),
            "sentence",
        ),
        (
            ("From the acquisition through June 30, 2024, its revenue was $4.2 million.",),
            "$4.2 million",
            date(2024, 6, 30),
            "sentence",
        ),
        (
            ("It was $7 million in the three months ended June 30, 2024 and $9 million in the six months then.",),
            "$7 million",
            date(2024, 6, 30),
            "sentence",
        ),
    ],
)
def test_a_figure_of_a_sentence_is_dated_by_tense_list_or_paragraph(paragraphs, raw, end, where):
    fact = facts_of(*paragraphs)[raw]
    assert fact.period is not None and (fact.period.end, fact.period_from) == (end, where)


def test_what_went_before_another_heading_dates_nothing():
    paragraphs = ("We acquired Orris on May 26, 2024.", "Note 5", "The total consideration was $460 million in cash.")
    assert facts_of(*paragraphs, sections=(1,))["$460 million"].period is None


def test_an_amount_in_months_does_not_hide_the_period_behind_it():
    text = (
        "It was $8 million in the three months ended June 30, 2025, $16 million in the six months ended June 30, 2025"
    )
    found = facts_of(text)
    assert [found[raw].period.start for raw in ("$8 million", "$16 million")] == [date(2025, 4, 1), date(2025, 1, 1)]


@pytest.mark.parametrize(
    ("text", "raw", "unit"),
    [
        ("The number of shares outstanding was 4,301,000,395.", "4,301,000,395", "shares"),
        ("Dividends declared per share were $0.36 in 2025.", "$0.36", "$/share"),
        ("Dividends declared were $36 in 2025.", "$36", "$"),
    ],
)
def test_what_a_figure_of_a_sentence_is_of_is_told_by_what_it_measures(text, raw, unit):
    assert facts_of(text)[raw].unit == unit
