"""XBRL as JSON: SEC's companyfacts and companyconcept, and xBRL-JSON reports."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from tests.conftest import SHARED
from tieout.data.document import Tag
from tieout.data.readers.read import find_conversation
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.xbrl.facts import is_facts, read_facts
from tieout.data.readers.xbrl.values import period, unit_name

FACT = {
    "start": "2024-01-01",
    "end": "2024-12-31",
    "val": 5000000,
    "accn": "0000000001-25-000001",
    "fy": 2024,
    "fp": "FY",
    "form": "10-K",
    "filed": "2025-02-01",
}
REVENUES = {"label": "Revenues", "description": "...", "units": {"USD": [FACT], "USD/shares": [FACT | {"val": 1.25}]}}
TAG = Tag(
    concept="us-gaap:Revenues",
    value=Decimal(5000000),
    unit="USD",
    start=date(2024, 1, 1),
    end=date(2024, 12, 31),
    label="Revenues",
    filing="0000000001-25-000001",
    form="10-K",
    fiscal="FY2024",
)


def read(values):
    return read_facts(json.dumps(values).encode(), "x")


def test_companyfacts_are_stated_without_a_page_by_filing_and_concept():
    document = read({"cik": 1, "entityName": "A Corp", "facts": {"us-gaap": {"Revenues": REVENUES}}})
    assert document.company == "A Corp"
    assert document.unprinted == (TAG, TAG.model_copy(update={"value": Decimal("1.25"), "unit": "USD/share"}))


def test_companyconcept_is_read_as_one_concept_of_companyfacts():
    values = {"cik": 1, "taxonomy": "us-gaap", "tag": "Revenues", "entityName": "A Corp", **REVENUES}
    assert read(values).unprinted[0] == TAG


def test_a_report_as_xbrl_json_keeps_dimensions_and_its_texts():
    dimensions = {"entity": "cik:1", "period": "2024-01-01T00:00:00/2025-01-01T00:00:00"}
    facts = {
        "f1": {
            "value": "-5",
            "decimals": -6,
            "dimensions": dimensions
            | {"concept": "us-gaap:Revenues", "unit": "iso4217:USD", "srt:ProductAxis": "a:CarsMember"},
        },
        "f2": {"value": None, "dimensions": dimensions | {"concept": "us-gaap:Debt", "unit": "iso4217:USD"}},
        "f3": {"value": "10-K", "dimensions": dimensions | {"concept": "dei:DocumentType"}},
        "f4": {"value": "<p>We owe <b>7</b>.</p>", "dimensions": dimensions | {"concept": "us-gaap:DebtTextBlock"}},
    }
    document = read({"documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json"}, "facts": facts})
    first, nothing = document.unprinted
    assert (first.value, first.unit, first.decimals) == (Decimal(-5), "USD", -6)
    assert (first.start, first.end) == (date(2024, 1, 1), date(2024, 12, 31))
    assert first.dimensions == (("srt:ProductAxis", "a:CarsMember"),)
    assert nothing.value is None
    assert document.form == "10-K"
    assert document.paragraphs == ("dei:DocumentType: 10-K", "us-gaap:DebtTextBlock: We owe 7 .")
    assert document.places == ("fact f3", "fact f4")


def test_units_and_periods_of_xbrl_json():
    assert [unit_name(text) for text in ("iso4217:USD", "xbrli:shares", "xbrli:pure", None)] == [
        "USD",
        "shares",
        None,
        None,
    ]
    assert unit_name("iso4217:USD/xbrli:shares") == "USD/share"
    assert period("2025-01-01T00:00:00") == (None, date(2024, 12, 31))
    assert period("2024-12-31") == (None, date(2024, 12, 31))
    assert period("forever") == (None, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"facts": {}}', "not one with a value"),
        ('{"cik": 1}', "neither pages of a report"),
        ('{"facts": {"a": ', "not valid JSON in line 1"),
        ('{"facts": ' + "[" * 100_000, "nested too deeply"),
        ('{"documentInfo": {}, "facts": {}}', "without a fact"),
    ],
)
def test_other_json_is_refused_in_one_line(text, said):
    with pytest.raises(UnreadableError, match=said) as error:
        read_facts(text.encode(), "x")
    assert "\n" not in str(error.value)


def test_a_key_that_stands_twice_is_not_read_and_is_named():
    text = json.dumps(
        {
            "cik": 1,
            "entityName": "X",
            "facts": {
                "us-gaap": {
                    "Revenues": {"units": {"USD": [{"end": "2023-12-31", "val": 5, "accn": "a", "form": "10-K"}]}},
                    "Assets": {"units": {"USD": [{"end": "2023-12-31", "val": 7, "accn": "a", "form": "10-K"}]}},
                }
            },
        }
    )
    assert read_facts(text.encode(), "x").unread == ()
    found = read_facts(text.replace('"val": 5', '"val": 5, "val": 6').encode(), "x")
    assert found.unread == (
        "of 'val' there are two in one object, and neither is read: which one holds cannot be told",
    )
    assert [each.value for each in found.unprinted] == [Decimal(7)]


def test_pages_are_not_taken_for_facts():
    assert not is_facts('[{"cik": 1}]')
    assert not is_facts('{"dev": [{"id": "a", "pre_text": ["the \\"cik\\": 5"]')
    assert is_facts('{"cik":"1","entityName"')


def test_real_companyfacts_are_read_whole():
    path = SHARED.parent / "reports" / "xbrl-json" / "companyfacts_LPA.json"
    if not path.is_file():
        pytest.skip("REAL DATA NOT FOUND: ../shared/data/reports/xbrl-json is missing, so this test did not run")
    stated = json.loads(path.read_bytes())
    count = sum(
        len(facts)
        for concepts in stated["facts"].values()
        for concept in concepts.values()
        for facts in concept["units"].values()
    )
    document = find_conversation([path], "companyfacts_LPA").document
    assert len(document.unprinted) == count
    assert document.company == stated["entityName"]
