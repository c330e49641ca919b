"""The terms of one graph and the lines that introduce them: instances, properties, periods, units, dimensions.

Lines are built as text, which is several times faster than term objects.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

from tieout.data.printed.periods.period import Period
from tieout.kg.drafts.draft import PERIOD
from tieout.kg.names import XSD, Names, camel, slug, text_literal, typed_literal
from tieout.ontology.model import Match, MatchedBy, Ontology
from tieout.ontology.vocabulary import KG, PREFIXES, unit_iri

K = PREFIXES["kg"]
RDF_TYPE = f"<{PREFIXES['rdf']}type>"
LABEL = f"<{PREFIXES['rdfs']}label>"
ALTERNATIVE = f"<{PREFIXES['skos']}altLabel>"
PROPERTY = f"<{PREFIXES['owl']}DatatypeProperty>"
MOST_EVIDENCE = 3
NO_CLASS = KG.LineItem.removeprefix(K)


@dataclass(frozen=True, slots=True)
class Known:
    """A property as this document uses it. term: as N-Triples has it; extra: what else to state of every fact that has
    it, each as the end of an IRI of `kg:` and a value.

    matched_by, score: how its label was found, and how well it fits, as in `tieout.kg.fact`.
    """

    term: str
    extra: tuple[str, ...]
    matched_by: str = str(MatchedBy.MINTED)
    score: float = 0.0


class Terms:
    """What a graph names, each stated once. graph: its IRI. entity: the class of what is described now.

    lines: of the document's graph; terms: what the TBox says of the properties that are used.
    """

    def __init__(self, graph: str, ontology: Ontology) -> None:
        self.graph, self.ontology = graph, ontology
        self.tail = f" <{graph}> .\n"  # of every line
        self.lines = io.BytesIO()  # a list of as many lines would take half as much again
        self.terms: list[str] = []
        self.entity = NO_CLASS
        self.names = Names()
        self._instances: dict[tuple[str, str, str], str] = {}
        self._own: dict[str, str] = {}
        self._periods: dict[tuple[object, ...], tuple[str, Period]] = {}
        self._units: dict[str, str] = {}
        self._dimensions: dict[tuple[str, str], str] = {}

    def term(self, name: str) -> str:
        return f"<{self.graph}#{name}>"

    def write(self, lines: str) -> None:
        self.lines.write(lines.encode())

    def say(self, subject: str, term: str, value: str) -> None:
        self.write(f"{subject} <{K}{term}> {value}{self.tail}")

    def dimension(self, dimension: tuple[str, str]) -> str:
        term = self._dimensions.get(dimension)
        if term is None:
            name = self.names.name(f"dimension-{slug(dimension[1])}", f"dimension {dimension}")
            term = self._dimensions[dimension] = self.term(name)
            self.write(f"{term} {RDF_TYPE} <{KG.Dimension}>{self.tail}")
            self.say(term, "axis", text_literal(dimension[0]))
            self.say(term, "member", text_literal(dimension[1]))
        return term

    def chosen(self, label: str, matches: tuple[Match, ...]) -> Known:
        if not matches:
            return Known(self.minted(label, None), (f"matchedBy> {text_literal(str(MatchedBy.MINTED))}",))
        best = matches[0]
        term = f"<{K}{best.name}>"
        self.terms.append(_terms(self.ontology)[best.name])
        extra = [f"matchedBy> {text_literal(str(best.by))}", f'matchScore> "{best.score:g}"^^<{XSD}decimal>']
        extra += [f"evidence> {text_literal(evidence)}" for evidence in best.evidence[:MOST_EVIDENCE]]
        extra += [f"candidate> <{K}{match.name}>" for match in matches[1:] if match.score == best.score]
        own = self.minted(label, term) if best.by is MatchedBy.NARROWER else term
        return Known(own, tuple(extra), str(best.by), float(f"{best.score:g}"))

    def minted(self, label: str, broader: str | None) -> str:
        """A property of the document's own. broader: the one of the TBox of which it is a special case."""
        plain = f"{' '.join(label.lower().split())} {broader or ''}"
        term = self._own.get(plain)
        if term is None:
            term = self._own[plain] = self.term(self.names.name(camel(label), f"property {plain}"))
            self.write(f"{term} {RDF_TYPE} {PROPERTY}{self.tail}")
            self.write(f"{term} {LABEL} {text_literal(label)}{self.tail}")
            if broader:
                self.write(f"{term} <{PREFIXES['rdfs']}subPropertyOf> {broader}{self.tail}")
        return term

    def instance(self, instance: tuple[str, str]) -> str:
        told = (self.entity, *instance)
        if told not in self._instances:
            key, name = instance
            part = slug(name) if key.startswith(PERIOD) else camel(name, upper=True)
            term = self.term(self.names.name(f"{self.entity}_{part}", f"instance {key}"))
            self._instances[told] = term
            self.write(f"{term} {RDF_TYPE} <{K}{self.entity}>{self.tail}")
            self.write(f"{term} {LABEL} {text_literal(name)}{self.tail}")
        return self._instances[told]

    def period(self, period: Period) -> tuple[str, Period]:
        """The term of a period with its days, and the period as the term says it: called as it was first."""
        # Of two periods with one key, days tell a fiscal quarter from another one.
        same = (period.key, period.kind, period.year, period.start, period.end)
        found = self._periods.get(same)
        if found is None:
            term = self.term(
                self.names.name(f"period-{slug(period.key)}", f"period {period.key} {period.start} {period.end}")
            )
            found = self._periods[same] = term, period
            self.write(f"{term} {RDF_TYPE} <{KG.Period}>{self.tail}")
            self.write(f"{term} {LABEL} {text_literal(period.label)}{self.tail}")
            self.say(term, "periodKey", text_literal(period.key))
            self.say(term, "periodKind", text_literal(period.kind.value))
            if period.year is not None:
                self.say(term, "year", integer(period.year))
            for name, on in (("start", period.start), ("end", period.end)):
                if on:
                    self.say(term, name, typed_literal(on.isoformat(), "date"))
        return found

    def unit(self, unit: str) -> str:
        term = self._units.get(unit)
        if term is None:
            term = self._units[unit] = f"<{unit_iri(str(unit))}>"
            self.write(f"{term} {RDF_TYPE} <{KG.Unit}>{self.tail}")
            self.write(f"{term} {LABEL} {text_literal(str(unit))}{self.tail}")
        return term


@lru_cache(maxsize=4)
def _terms(ontology: Ontology) -> dict[str, str]:
    """What the TBox says of the names of each property, as N-Triples."""
    found = {}
    for item in ontology.properties:
        term = f"<{K}{item.name}>"
        names = [(RDF_TYPE, PROPERTY), (LABEL, text_literal(item.label))]
        names += [(ALTERNATIVE, text_literal(other)) for other in item.alternatives]
        found[item.name] = "".join(f"{term} {path} {name} .\n" for path, name in names)
    return found


def integer(value: int) -> str:
    return f'"{value}"^^<{XSD}integer>'
