"""What a file states without a page, as a fact: a hidden tag of Inline XBRL, a fact of XBRL JSON."""

from __future__ import annotations

from tieout.data.document import Tag
from tieout.data.printed.amount import Amount
from tieout.data.printed.pattern import later
from tieout.data.tables.table import Meaning
from tieout.kg.drafts.draft import UNDATED, Draft, of_period
from tieout.kg.drafts.tagged import TAG, settle
from tieout.kg.names import decimal_text

_HUMP = later(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def concept_label(concept: str) -> str:
    """A concept in words: `us-gaap:NetIncomeLoss` is `net income loss`."""
    return _HUMP.sub(" ", concept.rpartition(":")[2]).lower()


def statement_text(tag: Tag) -> str:
    """A tag in one line: concept, value, unit, days, dimensions."""
    days = f"{tag.start.isoformat()} to " if tag.start else ""
    parts = [tag.concept, "nil" if tag.value is None else decimal_text(tag.value), tag.unit or ""]
    parts += [f"{days}{tag.end.isoformat()}" if tag.end else ""]
    parts += [f"{axis}={member}" for axis, member in tag.dimensions]
    return " ".join(part for part in parts if part)


def stated_draft(number: int, tag: Tag) -> Draft | None:
    """The fact of a tag, `x1` for the first; None where the tag says that there is no value."""
    if tag.value is None:
        return None
    printed = decimal_text(tag.value)
    start = len(tag.concept) + 1
    amount = Amount(tag.value, start, start + len(printed))
    settled = settle(amount, Meaning(None, None, 1, None), (None, None), tag)
    label = tag.label or concept_label(tag.concept)
    instance = of_period(settled.period.key) if settled.period else UNDATED
    return Draft(
        f"x{number}",
        f"statement-x{number}",
        amount,
        printed,
        settled.meaning,
        settled.period,
        TAG if settled.period else None,
        instance,
        label,
        label,
        tag=tag,
    )
