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
# Made by `tieout ontology build data/sample/train.json -o ontology/sample.ttl`, which takes most of a second.
SAMPLE = Path(__file__).parent / "sample.ttl"


def default_ontology(path: str | Path | None) -> tuple[Ontology, str]:
    """The TBox to use, and in words which one it is.

    It is that of path, else of `ontology.ttl` in the working folder, else the one that was derived from the sample
    reports and ships with tieout. Raises OntologyError as `Ontology.load` does.
    """
    if path is not None:
        return Ontology.load(path), str(path)
    if DEFAULT.exists():
        return Ontology.load(DEFAULT), f"{DEFAULT} of this folder"
    return _of_sample(), f"derived from the sample reports, as there is no {DEFAULT} here"


@cache
def _of_sample() -> Ontology:
    """Read once a process, and when it is first needed: reports that are kept are asked without it."""
    return Ontology.later(lambda: Ontology.load(SAMPLE).terms, hashlib.sha256(SAMPLE.read_bytes()).hexdigest())
