"""An xBRL-JSON report (OIM, xBRL-JSON 1.0) into a document: numeric facts as tags, the others as paragraphs.

{"documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json"}, "facts": {"f1": {"value": "5", "decimals": -6,
    "dimensions": {"concept": "us-gaap:Assets", "entity": "cik:1", "period": "2025-01-01T00:00:00",
                   "unit": "iso4217:USD"}}}}
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from tieout.data.document import Document, Tag
from tieout.data.printed.pattern import later
from tieout.data.readers.records import MAX_DIGITS, MAX_EXPONENT
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.xbrl.values import day, period, unit_name

_CORE = frozenset(("concept", "entity", "period", "unit", "language", "noteId"))
_MARKUP = later(r"<[a-zA-Z/!][^>]*>")
_NUMBER = later(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")


def read_oim(values: Mapping[str, Any], identifier: str) -> Document:
    """The document of an xBRL-JSON report. Raises UnreadableError for one without facts."""
    facts = values.get("facts")
    if not isinstance(facts, dict):
        raise UnreadableError("an xBRL-JSON report without `facts`")
    tags: list[Tag] = []
    paragraphs: list[str] = []
    places: list[str] = []
    about: dict[str, str] = {}
    cover: set[str] = set()
    for name, fact in facts.items():
        dimensions = fact.get("dimensions") if isinstance(fact, dict) else None
        if not isinstance(dimensions, dict) or not isinstance(dimensions.get("concept"), str):
            continue
        tag = _tag(fact, dimensions)
        if tag is not None:
            tags.append(tag)
            continue
        concept = dimensions["concept"]
        text = _plain(fact.get("value"))
        name_said = concept.rpartition(":")[2]
        about.setdefault(name_said, text)
        if concept.startswith("dei:"):
            cover.add(name_said)
        if text:
            paragraphs.append(f"{concept}: {text}")
            places.append(f"fact {name}")
    if not tags and not paragraphs:
        raise UnreadableError("an xBRL-JSON report without a fact that has a concept")
    return Document(
        id=identifier,
        coded=False,
        paragraphs=tuple(paragraphs),
        before=len(paragraphs),
        tables=(),
        places=tuple(places),
        unprinted=tuple(tags),
        company=about.get("EntityRegistrantName", ""),
        form=about.get("DocumentType", ""),
        ended=day(about.get("DocumentPeriodEndDate")),
        about=tuple(sorted((name, about[name]) for name in cover if about[name])),
    )


def _tag(fact: Mapping[str, Any], dimensions: Mapping[str, Any]) -> Tag | None:
    """A numeric fact: one with a unit or decimals; None for any other."""
    value, decimals = fact.get("value"), fact.get("decimals")
    if dimensions.get("unit") is None and decimals is None:
        return None
    number = _decimal(value)
    if number is None and value is not None:
        return None
    start, end = period(str(dimensions.get("period", "")))
    unit = dimensions.get("unit")
    return Tag(
        concept=dimensions["concept"],
        value=number,
        unit=unit_name(unit) if isinstance(unit, str) else None,
        start=start,
        end=end,
        decimals=int(decimals) if isinstance(decimals, Decimal) else None,
        dimensions=tuple(
            sorted(
                (axis, str(member)) for axis, member in dimensions.items() if axis not in _CORE and member is not None
            )
        ),
    )


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, Decimal):
        return value
    if not isinstance(value, str) or len(value) > 2 * MAX_DIGITS or not _NUMBER.fullmatch(value.strip()):
        return None
    try:
        number = Decimal(value.strip())
    except InvalidOperation:
        return None
    return number if not number or abs(number.adjusted()) <= MAX_EXPONENT else None


def _plain(value: object) -> str:
    """A text without the markup of text blocks."""
    if not isinstance(value, str):
        return ""
    return " ".join(_MARKUP.sub(" ", value).split())
