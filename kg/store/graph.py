"""The graph of one document in memory: asked by SPARQL, its facts read back as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

import pyoxigraph as ox

from tieout.data.document import brief, counted
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.data.tables.orientation import Orientation
from tieout.kg.fact import NUMERAL, Fact, FactKind, PrintedTables, Reading, place_of, unit_named
from tieout.kg.names import camel
from tieout.kg.store.facts import Row, Value, fact_rows, parse_nodes, printed_tables, read_term
from tieout.kg.store.guard import QueryError, check_query, readable
from tieout.ontology.model import MatchedBy
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, PREFIXES, document_graph

FACTS = """
SELECT ?fact ?value ?scale ?raw ?label ?instance ?type ?property ?matchedBy ?matchScore ?start ?end
       ?unit ?unitFrom ?scaleFrom ?period ?periodKey ?periodKind ?periodLabel ?year ?periodStart ?periodEnd ?periodFrom
       ?text ?textStart ?table ?row ?column ?rowLabel ?columnLabel ?section ?orientation ?caption ?paragraph ?sentence
       ?path ?found ?concept ?exact ?readUnit ?readScale ?readPeriod ?recognised
WHERE {
  ?fact kg:value ?value ; kg:raw ?raw ; kg:spanStart ?start ; prov:wasDerivedFrom ?place .
  BIND(?start + STRLEN(?raw) AS ?end)
  ?place kg:text ?text .
  OPTIONAL { ?fact kg:unit/rdfs:label ?unit }
  OPTIONAL {
    ?fact kg:scale ?scale ; kg:measures ?label ; kg:instance ?instance ; kg:property ?property ; kg:matchedBy
    ?matchedBy .
    ?instance a ?type .
    OPTIONAL { ?fact kg:unitFrom ?unitFrom }
    OPTIONAL { ?fact kg:matchScore ?matchScore }
    OPTIONAL { ?fact kg:scaleFrom ?scaleFrom }
    OPTIONAL { ?fact kg:recognised ?recognised }
    OPTIONAL {
      ?fact kg:concept ?concept .
      OPTIONAL { ?fact kg:exact ?exact }
      OPTIONAL { ?fact kg:readScale ?readScale }
      OPTIONAL { ?fact kg:readUnit ?readUnit }
      OPTIONAL { ?fact kg:readPeriod ?readPeriod }
    }
    OPTIONAL {
      ?fact kg:period ?period ; kg:periodFrom ?periodFrom .
      ?period kg:periodKey ?periodKey ; kg:periodKind ?periodKind ; rdfs:label ?periodLabel .
      OPTIONAL { ?period kg:year ?year }
      OPTIONAL { ?period kg:start ?periodStart }
      OPTIONAL { ?period kg:end ?periodEnd }
    }
  }
  OPTIONAL {
    ?place kg:sentence ?sentence ; kg:paragraph ?paragraph .
    OPTIONAL { ?place kg:spanStart ?textStart }
    OPTIONAL { ?place kg:within/kg:path ?path }
    OPTIONAL { ?place kg:place ?found }
  }
  OPTIONAL {
    ?place kg:row ?row ; kg:column ?column ; kg:table ?table .
    ?printed a kg:Table ; kg:table ?table ; kg:orientation ?orientation .
    OPTIONAL { ?printed kg:caption ?caption }
    OPTIONAL { ?printed kg:within/kg:path ?path }
    OPTIONAL { ?place kg:place ?found }
    OPTIONAL { ?printed kg:place ?found }
    OPTIONAL { ?place kg:rowLabel ?rowLabel }
    OPTIONAL { ?place kg:columnLabel ?columnLabel }
    OPTIONAL { ?place kg:section ?section }
  }
  OPTIONAL { ?place a kg:Statement ; kg:place ?found }
}
"""
_FIGURE = later(r".*#(?P<kind>[ts])(?P<number>\d{1,9})(?:r\d+c|a)\d+[a-z]*")
LINE_END = b" .\n"  # of every triple, and nowhere else


class Graph:
    """A document's named graph and the terms of the TBox that it uses, in a store in memory.

    triples: the document's graph as N-Triples, or quads, the same as N-Quads, as a store takes it: either is made from
        the other. terms: what the TBox says of the properties it uses, as N-Triples.
    facts: makes the facts of a graph that was just written, and printed has its tables; else both are read from the
        triples.
    """

    def __init__(
        self,
        document_id: str,
        triples: bytes = b"",
        terms: bytes = b"",
        facts: Callable[[], tuple[Fact, ...]] | None = None,
        printed: PrintedTables | None = None,
        *,
        quads: bytes | None = None,
    ) -> None:
        self.document_id = document_id
        self.terms = terms
        self.__dict__.update({"triples": triples} if quads is None else {"quads": quads})
        self._make_facts, self._printed = facts, printed

    def __repr__(self) -> str:
        return f"Graph({brief(self.document_id)}, {counted(self.quads.count(LINE_END), 'triple')})"

    @cached_property
    def iri(self) -> str:
        """Of the document's graph: of thousands that are kept, few are asked."""
        return document_graph(self.document_id)

    @cached_property
    def _graphs(self) -> list[Any]:
        return [ox.NamedNode(self.iri), ox.NamedNode(ONTOLOGY_GRAPH)]

    @cached_property
    def store(self) -> ox.Store:
        """Both graphs in a store of their own, filled when first asked: a graph that is only kept on disk needs
        none."""
        store = ox.Store()
        # Every IRI was minted by us and is checked by the shapes, so that there is no need to validate them each time.
        store.load(self.quads, ox.RdfFormat.N_QUADS, lenient=True)
        store.load(self.terms, ox.RdfFormat.N_TRIPLES, to_graph=self._graphs[1], lenient=True)
        return store

    @cached_property
    def triples(self) -> bytes:
        """The document's graph as N-Triples."""
        return self.quads.replace(f" <{self.iri}> .\n".encode(), LINE_END)

    @cached_property
    def quads(self) -> bytes:
        """The document's graph as N-Quads."""
        return self.triples.replace(LINE_END, f" <{self.iri}> .\n".encode())

    def select(self, query: str, **substitutions: Value) -> list[dict[str, Value]]:
        """The solutions of a fixed SELECT query over this document and the TBox terms it uses, one dict per row.

        substitutions: values for variables of the query; a text that begins with `urn:` or `http` stands for that
            IRI. IRIs come back as
        text, literals as text, int, Decimal or bool. For queries of our own: one from outside belongs into a
        `tieout.kg.store.query.QueryWorker`. Raises QueryError for what is no SELECT query.
        """
        given: dict[ox.Variable, Any] = {ox.Variable(name): _term(value) for name, value in substitutions.items()}
        try:
            found: Any = self.store.query(
                query, prefixes=PREFIXES, default_graph=self._graphs, named_graphs=self._graphs, substitutions=given
            )
        except SyntaxError as error:
            check_query(query)  # which says it more plainly of what is no query at all
            raise QueryError(readable(str(error), query)) from None
        if not isinstance(found, ox.QuerySolutions):
            raise QueryError(f"{brief(query)} is no SELECT query")
        names = [variable.value for variable in found.variables]
        return [{name: read_term(term) for name, term in zip(names, solution, strict=True)} for solution in found]

    def select_of(self, iri: str, query: str) -> list[dict[str, Value]]:
        """As select, for a query about nothing but this one subject: where no store is filled, none is for it.

        One that stands elsewhere, on a server's shelf or at an endpoint, has no triples here, and is asked there."""
        if "store" in self.__dict__ or not self.quads:
            return self.select(query)
        said = list(self._said_of(iri, *self._around(iri))) or list(self._said_of(iri, 0, len(self.quads)))
        return Graph(self.document_id, quads=b"".join(said)).select(query)

    def _said_of(self, iri: str, first: int, last: int) -> Iterator[bytes]:
        """The lines of a subject, from a place to another one."""
        subject = f"<{iri}> ".encode()
        at = self.quads.find(subject, first, last)
        while at >= 0:
            end = self.quads.index(LINE_END, at) + len(LINE_END)
            if self.quads[max(at - 1, 0) : at] in (b"", b"\n"):  # it is not what another line ends with
                yield self.quads[at:end]
            at = self.quads.find(subject, end, last)

    def _around(self, iri: str) -> tuple[int, int]:
        """Where the lines of a figure are, in a graph as it was written: behind those of its table or sentence, and
        before those of the next one."""
        match = None if "triples" in self.__dict__ else _FIGURE.fullmatch(iri)
        if match is None:
            return 0, 0
        return self._begin(match["kind"], int(match["number"])), self._begin(match["kind"], int(match["number"]) + 1)

    def _begin(self, kind: str, number: int) -> int:
        """Where the first line of a table or sentence is, or of the next one behind it; else the end. All of them stand
        in order, tables before sentences, so that few lines of many thousands are looked at."""
        line, wanted = re.compile(f"\n<{re.escape(self.iri)}#([ts])(\\d+)".encode()), (kind == "s", number)
        first, last, found = 0, len(self.quads), len(self.quads)
        while last - first > 1:
            middle = (first + last) // 2
            there = line.search(self.quads, middle, found)
            if there is not None and (there[1] == b"s", int(there[2])) < wanted:
                first = there.start()
            else:
                last, found = middle, found if there is None else there.start()
        return found

    def describe(self, iri: str) -> Iterator[tuple[str, Value]]:
        """What the graph says of one of its subjects: predicate and value. Many times quicker than a query for it."""
        for quad in self.store.quads_for_pattern(ox.NamedNode(iri), None, None, self._graphs[0]):
            yield quad.predicate.value, read_term(quad.object)

    def describe_all(self, iris: Iterable[str]) -> Iterator[tuple[str, str, Value]]:
        """As describe, of several subjects: subject, predicate and value."""
        for iri in iris:
            for says, value in self.describe(iri):
                yield iri, says, value

    def facts(self) -> tuple[Fact, ...]:
        """Every fact, tables first, in the order in which they are printed; what the query FACTS selects."""
        return self._facts

    def contents(self) -> tuple[tuple[Fact, ...], PrintedTables]:
        """Every fact, and of every table what its corner and its cells say: both in one pass, for an index."""
        if self._printed is not None:
            return self.facts(), self._printed
        nodes = parse_nodes(self.triples)
        facts = self.__dict__.setdefault("_facts", read_facts(fact_rows(nodes)))
        return facts, printed_tables(nodes)

    @cached_property
    def _facts(self) -> tuple[Fact, ...]:
        make, self._make_facts = self._make_facts, None  # with all that it was written from
        return make() if make else read_facts(fact_rows(parse_nodes(self.triples)))

    def nquads(self) -> bytes:
        """The document's graph as sorted N-Quads: equal graphs give equal bytes."""
        return b"".join(sorted(set(self.quads.splitlines(keepends=True))))

    def serialize(self, form: ox.RdfFormat) -> str:
        """The document's graph in another syntax, sorted, with the usual prefixes and `doc` for its own names."""
        triples = sorted(
            (quad.triple for quad in self.store.quads_for_pattern(None, None, None, self._graphs[0])), key=str
        )
        text = ox.serialize(triples, format=form, prefixes=PREFIXES | {"doc": f"{self.iri}#"})
        return (text or b"").decode()

    def turtle(self) -> str:
        """The document's graph as Turtle."""
        return self.serialize(ox.RdfFormat.TURTLE)


def read_facts(rows: Iterable[Row]) -> tuple[Fact, ...]:
    """Rows of `tieout.kg.store.facts` as facts: tables first, in the order in which they are printed."""
    return tuple(sorted(map(_fact, rows), key=place_of))


def _term(value: Value) -> ox.NamedNode | ox.Literal:
    if isinstance(value, str) and value.startswith(("urn:", "http")):
        return ox.NamedNode(value)
    if isinstance(value, Decimal):
        return ox.Literal(str(value), datatype=ox.NamedNode(PREFIXES["xsd"] + "decimal"))
    return ox.Literal(value if isinstance(value, str | bool | int) else str(value))


def _local(iri: str) -> str:
    return iri.rpartition("#")[2]


def _fact(row: Row) -> Fact:
    in_table = row["table"] is not None
    in_text = row["sentence"] is not None
    across = row["orientation"] == Orientation.INSTANCES_ACROSS.value
    unit = None if row["unit"] is None else unit_named(row["unit"])
    measured = row["instance"] is not None
    label = row["label"] if measured else str(unit)
    header = (row["columnLabel"] if across else row["rowLabel"]) if in_table else ""
    return Fact(
        name=_local(row["fact"]),
        kind=FactKind.TABLE if in_table else FactKind.TEXT if in_text else FactKind.STATED,
        value=row["value"],
        raw=row["raw"],
        unit=unit,
        unit_from=row["unitFrom"],
        scale=row["scale"] or 1,
        scale_from=row["scaleFrom"],
        period=_period(row),
        period_from=row["periodFrom"],
        instance=_local(row["instance"]) if measured else NUMERAL,
        entity_type=_local(row["type"]) if measured else NUMERAL,
        property=_local(row["property"]) if measured else camel(label),
        label=label,
        header=header if header and header != label else "",
        section=row["section"] or "",
        matched_by=row["matchedBy"] or MatchedBy.MINTED.value,
        match_score=float(row["matchScore"] or 0),
        table=row["table"],
        row=row["row"],
        column=row["column"],
        paragraph=row["paragraph"],
        sentence=row["sentence"],
        start=row["start"],
        end=row["end"],
        context=row["text"],
        context_start=row["textStart"] or 0,
        caption=row["caption"] or "",
        heading=row["path"] or "",
        place=row["found"] or "",
        concept=row["concept"] or "",
        dimensions=row["dimensions"],
        parts=row["parts"],
        marks=row["marks"],
        doubts=row["doubts"],
        recognised=row["recognised"],
        exact=row["exact"],
        reading=_reading(row),
    )


def _reading(row: Row) -> Reading | None:
    if row["readScale"] is None:
        return None
    return Reading(unit=row["readUnit"], scale=row["readScale"], period=row["readPeriod"])


def _period(row: Row) -> Period | None:
    if row["period"] is None:
        return None
    first, last = (date.fromisoformat(row[name]) if row[name] else None for name in ("periodStart", "periodEnd"))
    return Period(row["periodKey"], PeriodKind(row["periodKind"]), row["periodLabel"], row["year"], first, last)
