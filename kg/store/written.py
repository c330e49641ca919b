"""The facts of a graph that has just been written, from what it was written from: nothing is read back.

They are equal to those that `tieout.kg.store.graph.read_facts` reads from the triples, at a tenth of the cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple, TypedDict

from tieout.data.printed.periods.period import Period
from tieout.kg.drafts.draft import Draft
from tieout.kg.fact import NUMERAL, Fact, FactKind, made_fact, place_of, unit_named
from tieout.kg.names import camel, decimal_text
from tieout.kg.store.facts import short_context
from tieout.kg.terms import Known
from tieout.ontology.model import MatchedBy


class Place(TypedDict, total=False):
    """What the facts of one cell, sentence or statement have in common, by the fields of a fact."""

    kind: FactKind
    table: int
    row: int
    column: int
    paragraph: int
    sentence: int
    context: str
    context_start: int
    caption: str
    heading: str
    place: str
    section: str
    header: str


class Written(NamedTuple):
    """One fact as it was written. known: its property, None where it measures nothing. instance: its term.

    entity: the class of the instance. period: as its term says it.
    """

    draft: Draft
    place: Place
    known: Known | None = None
    instance: str = ""
    entity: str = ""
    period: Period | None = None


def facts_written(written: Iterable[Written]) -> tuple[Fact, ...]:
    """Facts as they were written: tables first, in the order in which they are printed."""
    return tuple(sorted(map(_fact, written), key=place_of))


def _fact(written: Written) -> Fact:
    draft, place = written.draft, written.place
    amount, meaning, tag = draft.amount, draft.meaning, draft.tag
    context, first = place["context"], place.get("context_start", 0)
    if place["kind"] is FactKind.TABLE:
        context, first = short_context(context, amount.start, amount.end)
    same: dict[str, Any] = {
        **place,
        "context": context,
        "context_start": first,
        "name": draft.name,
        "value": Decimal(decimal_text(amount.value)),
        "raw": draft.raw,
        "start": amount.start,
        "end": amount.end,
    }
    known = written.known
    if known is None:
        label = str(amount.unit)
        measured = {
            "unit": unit_named(label),
            "instance": NUMERAL,
            "entity_type": NUMERAL,
            "property": camel(label),
            "label": label,
            "matched_by": str(MatchedBy.MINTED),
            "match_score": 0.0,
        }
        return made_fact(same | measured)
    header = place.get("header", "")
    same["header"] = header if header != draft.label else ""
    if draft.parts:
        same["parts"] = tuple(sorted(draft.parts))
    if draft.marks:
        same["marks"] = tuple(sorted(set(draft.marks)))
    if draft.doubts:
        same["doubts"] = tuple(sorted(draft.doubts))
    if draft.recognised is not None:
        same["recognised"] = Decimal(decimal_text(draft.recognised))
    if tag is not None:
        same["concept"] = tag.concept
        same["dimensions"] = tuple(sorted(tag.dimensions))
        same["exact"] = None if tag.value is None else Decimal(decimal_text(tag.value))
        same["reading"] = draft.reading
    measured = {
        "unit": unit_named(str(meaning.unit)) if meaning.unit else None,
        "unit_from": (meaning.unit_from or "") if meaning.unit else None,
        "scale": meaning.scale,
        "scale_from": meaning.scale_from or None,
        "period": written.period,
        "period_from": (draft.period_from or "") if written.period else None,
        "instance": _local(written.instance),
        "entity_type": written.entity,
        "property": _local(known.term),
        "label": draft.label,
        "matched_by": known.matched_by,
        "match_score": known.score,
    }
    return made_fact(same | measured)


def _local(term: str) -> str:
    return term.rpartition("#")[2][:-1]
