"""Terms: what words mean in a house, as a SKOS file in Turtle.

<urn:tieout:term:free-cash-flow> a skos:Concept ;
  skos:prefLabel "free cash flow" ; skos:altLabel "FCF" ; skos:definition "cash from operations less capex" .
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError, field_validator

from tieout.agent.memory.keep import KeepError, locked
from tieout.agent.tools.lookup import plain
from tieout.data.files import read_small, unreadable, write_whole
from tieout.data.frozen import Frozen

FILE = "terms.ttl"
HEAD = """@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix kg: <urn:tieout:kg#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
LONGEST = 2_000
MOST = 64 << 20  # bytes of a file of terms


class Term(Frozen):
    """A word of the house. others: what it is also called. calculation: how it is worked out, in words or a formula."""

    label: str
    others: tuple[str, ...] = ()
    meaning: str = ""
    source: str = ""
    calculation: str = ""

    @field_validator("label", "meaning", "source", "calculation")
    @classmethod
    def _one_line(cls, text: str) -> str:
        """White space made single. Raises ValueError for a text that is too long or no valid text."""
        if len(text) > LONGEST or any("\ud800" <= char <= "\udfff" for char in text):
            raise ValueError(f"longer than {LONGEST} characters, or no valid text")
        return " ".join(text.split())

    @property
    def labels(self) -> tuple[str, ...]:
        """All its names, the preferred one first."""
        return (self.label, *self.others)

    def in_words(self) -> str:
        """What is written into a question where the term stands."""
        parts = [self.meaning, f"calculated as {self.calculation}" if self.calculation else ""]
        return f"{self.label}: {'; '.join(part for part in parts if part) or 'a name of its own'}"


def make_term(
    label: str, others: Iterable[str] = (), meaning: str = "", source: str = "", calculation: str = ""
) -> Term:
    """A term of these texts. Raises KeepError where one of them is none, or too long."""
    try:
        return Term(label=label, others=tuple(others), meaning=meaning, source=source, calculation=calculation)
    except ValidationError as error:
        raise KeepError(f"{label[:60]!r}: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from error


def read_terms(folder: Path) -> tuple[Term, ...]:
    """The terms kept in folder, by label; none where there is no file. Raises KeepError."""
    path = folder / FILE
    return read_skos(path) if path.exists() else ()


def read_skos(path: Path) -> tuple[Term, ...]:
    """The concepts of any SKOS file in Turtle, by label. Raises KeepError where it is none."""
    from rdflib import Graph
    from rdflib.namespace import DCTERMS, RDF, SKOS
    from rdflib.term import URIRef

    graph = Graph()
    try:
        graph.parse(data=read_small(path, MOST), format="turtle")
    except OSError as error:
        raise KeepError(unreadable(path, error)) from error
    except Exception as error:
        raise KeepError(f"{str(path)!r} is no Turtle: {str(error).splitlines()[0][:200]}") from error
    calculation = URIRef("urn:tieout:kg#calculation")
    found = []
    for concept in graph.subjects(RDF.type, SKOS.Concept):
        preferred = sorted(str(label) for label in graph.objects(concept, SKOS.prefLabel))
        if not preferred:
            continue
        others = [*preferred[1:], *sorted(str(label) for label in graph.objects(concept, SKOS.altLabel))]
        texts = [
            next(iter(sorted(str(value) for value in graph.objects(concept, each))), "")
            for each in (SKOS.definition, DCTERMS.source, calculation)
        ]
        meaning, source, worked = texts
        found.append(make_term(preferred[0], others, meaning, source, worked))
    return tuple(sorted(found, key=lambda term: plain(term.label)))


def as_turtle(terms: Iterable[Term]) -> str:
    """Terms as Turtle, by label: the same terms give the same bytes."""
    blocks = [HEAD]
    for term in sorted(terms, key=lambda term: (plain(term.label), term.label)):
        lines = [f"<urn:tieout:term:{_slug(term.label)}> a skos:Concept ;", f"  skos:prefLabel {_text(term.label)}"]
        named = [("skos:altLabel", other) for other in sorted(set(term.others))]
        named += [("skos:definition", term.meaning), ("dcterms:source", term.source)]
        named += [("kg:calculation", term.calculation)]
        lines += [f"  {name} {_text(text)}" for name, text in named if text]
        blocks.append(" ;\n".join([lines[0].removesuffix(" ;"), *lines[1:]]) + " .\n")
    return "\n".join(blocks)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # escapes as Turtle does


def _slug(label: str) -> str:
    from urllib.parse import quote

    return quote(re.sub(r"\s+", "-", label.strip().lower()), safe="-")


def same(one: str, other: str) -> bool:
    """Whether two labels are one, however they are written."""
    return (plain(one) or one) == (plain(other) or other)


def find_term(terms: Iterable[Term], label: str) -> Term | None:
    """The term that has this label."""
    return next((term for term in terms if any(same(each, label) for each in term.labels)), None)


def save_term(folder: Path, term: Term, *, replace: bool = False) -> Term | None:
    """Keeps a term. Gives the term that has one of its labels already, and keeps nothing then, unless replace.

    Raises KeepError.
    """
    with locked(folder):
        terms = read_terms(folder)
        known = next((found for label in term.labels if (found := find_term(terms, label))), None)
        if known == term:
            return None
        if known is not None and not replace:
            return known
        _write(folder, [*(each for each in terms if each != known), term])
    return None


def remove_term(folder: Path, label: str) -> Term:
    """Takes a term out. Raises KeepError where there is none of that label."""
    with locked(folder):
        terms = read_terms(folder)
        known = find_term(terms, label)
        if known is None:
            raise KeepError(f"there is no term {label!r}; there are: {', '.join(t.label for t in terms) or 'none'}")
        _write(folder, [each for each in terms if each != known])
    return known


def _write(folder: Path, terms: Iterable[Term]) -> None:
    write_whole(folder / FILE, as_turtle(terms))
