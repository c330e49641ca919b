"""What SEC's API states of a company: companyfacts (all concepts) and companyconcept (one), gathered from its filings.

{"cik": 1, "entityName": "A", "facts": {"us-gaap": {"Assets": {"label": "Assets", "units": {"USD": [
    {"end": "2024-12-31", "val": 5, "accn": "0000000001-25-000001", "fy": 2024, "fp": "FY", "form": "10-K"}]}}}}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from tieout.data.document import Document, Tag
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.xbrl.values import day, unit_name


def read_company(values: Mapping[str, Any], identifier: str) -> Document:
    """The document of companyfacts: every fact once a filing, in the order of the file. Raises UnreadableError."""
    found = [
        tag
        for taxonomy, concepts in values["facts"].items()
        if isinstance(concepts, dict)
        for name, concept in concepts.items()
        if isinstance(concept, dict)
        for tag in _tags(f"{taxonomy}:{name}", concept)
    ]
    return _document(values, found, identifier)


def read_concept(values: Mapping[str, Any], identifier: str) -> Document:
    """The document of companyconcept. Raises UnreadableError."""
    return _document(values, list(_tags(f"{values.get('taxonomy')}:{values['tag']}", values)), identifier)


def _document(values: Mapping[str, Any], tags: list[Tag], identifier: str) -> Document:
    if not tags:
        raise UnreadableError("XBRL facts of a company, but not one with a value and a period")
    company = values.get("entityName")
    return Document(
        id=identifier,
        coded=False,
        paragraphs=(),
        before=0,
        tables=(),
        unprinted=tuple(tags),
        company=company if isinstance(company, str) else "",
        about=(("EntityCentralIndexKey", str(values.get("cik", ""))),),
    )


def _tags(name: str, concept: Mapping[str, Any]) -> Iterator[Tag]:
    units = concept.get("units")
    label = concept.get("label")
    for unit, facts in units.items() if isinstance(units, dict) else ():
        for fact in facts if isinstance(facts, list) else ():
            value = fact.get("val") if isinstance(fact, dict) else None
            if not isinstance(value, Decimal) or day(fact.get("end")) is None:
                continue
            year, part = fact.get("fy"), fact.get("fp")
            yield Tag(
                concept=name,
                value=value,
                unit=unit_name(unit),
                start=day(fact.get("start")),
                end=day(fact.get("end")),
                label=label if isinstance(label, str) else "",
                filing=_text(fact.get("accn")),
                form=_text(fact.get("form")),
                fiscal=_fiscal(part, year),
            )


def _fiscal(part: object, year: object) -> str:
    if not isinstance(part, str) or not isinstance(year, Decimal):
        return ""
    return f"FY{year}" if part == "FY" else f"{part} {year}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
