"""The values of a TBox: its classes, its properties, and a match of one of them with something printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class OntologyError(ValueError):
    """A file is no TBox of ours, or cannot be read. The message is one line that names it."""


class MatchedBy(StrEnum):
    EXACT = "exact"  # the normalised label is the property's label
    ALTERNATIVE = "alternative"  # it is one of its alternative labels
    FUZZY = "fuzzy"  # it is near enough to one of them
    NARROWER = "narrower"  # it names a special case of the property: the document gets a sub-property of it
    MINTED = "minted"  # nothing fits: the document gets a property of its own


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """A kind of entity. name: CamelCase local name. support: training documents that have it.

    alternatives: the words by which texts speak of it. parent: local name, None for the root. close_match: an IRI.
    """

    name: str
    label: str
    alternatives: tuple[str, ...] = ()
    parent: str | None = None
    close_match: str | None = None
    support: int = 0


@dataclass(frozen=True, slots=True)
class Property:
    """A line item. name: camelCase local name. domains: class names. units: as in
    `tieout.data.printed.unit`, those seen in training.

    alternatives: the other labels that training documents print for it. close_match: an IRI. support: how many of them
    print it. facets: qualities it is printed with, regions or ranks, that make no other line item of it.
    """

    name: str
    label: str
    alternatives: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    close_match: str | None = None
    support: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate for a label. score: 0 to 100. evidence: what speaks for it, where it is not the label alone."""

    name: str
    label: str
    by: MatchedBy
    score: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What all lines of a table measure. of_parts: lines that have words of line items in them are parts of it too."""

    match: Match
    of_parts: bool
