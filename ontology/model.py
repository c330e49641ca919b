"""What other folders use of this one: the TBox, its values, and the TBox that is used where none is named."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import Match, MatchedBy, Measure, OntologyClass, OntologyError, Property

__all__ = [
    "Match",
    "MatchedBy",
    "Measure",
    "Ontology",
    "OntologyClass",
    "OntologyError",
    "Property",
    "default_ontology",
]

DEFAULT = Path("ontology.ttl")
SAMPLE = Path(__file__).parent.parent / "data" / "sample" / "train.json"


def default_ontology(path: str | Path | None) -> tuple[Ontology, str]:
    """The TBox to use, and in words which one it is.

    It is that of path, else of `ontology.ttl` in the working folder, else one derived from the sample reports that ship
    with tieout. Raises OntologyError as `Ontology.load` does.
    """
    if path is not None:
        return Ontology.load(path), str(path)
    if DEFAULT.exists():
        return Ontology.load(DEFAULT), f"{DEFAULT} of this folder"
    return _of_sample(), f"derived from the sample reports, as there is no {DEFAULT} here"


@cache
def _of_sample() -> Ontology:
    """Derived once a process, from files that ship with tieout and do not change, and when it is first needed: it takes
    most of a second, and reports that are kept are asked without it."""
    return Ontology.later(_derived, hashlib.sha256(SAMPLE.read_bytes()).hexdigest())


@cache
def _derived() -> tuple[tuple[OntologyClass, ...], tuple[Property, ...]]:
    """The terms of the sample reports, read once a process."""
    from tieout.data.readers.read import read_conversations
    from tieout.ontology.build import build

    made = build(conversation.document for conversation in read_conversations(SAMPLE))
    return made.classes, made.properties
