"""Document + TBox -> graph: instances, facts and where each was printed, as N-Triples of one named graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tieout.data.document import Document
from tieout.data.printed.period import LONGEST_LABEL, Period
from tieout.kg.drafts.draft import PERIOD, UNDATED, Draft, TableDraft, draft_tables, of_period, stated
from tieout.kg.drafts.text import NOT_MEASURES, Sentence, read_sentences
from tieout.kg.names import XSD, Names, camel, decimal_text, slug, text_literal
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Match, MatchedBy, Measure, Ontology
from tieout.ontology.vocabulary import KG, PREFIXES, PROV, document_graph, unit_iri

K = PREFIXES["kg"]
RDF_TYPE = f"<{PREFIXES['rdf']}type>"
LABEL = f"<{PREFIXES['rdfs']}label>"
ALTERNATIVE = f"<{PREFIXES['skos']}altLabel>"
DERIVED_FROM = f"<{PROV.wasDerivedFrom}>"
PROPERTY = f"<{PREFIXES['owl']}DatatypeProperty>"
TAIL = " .\n"
TABLE, TEXT = "TableFact", "TextFact"
LONGEST_NAME = 6  # words of a phrase that is looked up among the properties: those of longer ones never are
MOST_EVIDENCE = 3
MOST_BEFORE = 10_000  # characters in front of the tables among which what they are about is looked for
NO_CLASS = KG.LineItem.removeprefix(K)


def build(document: Document, ontology: Ontology) -> Graph:
    """The graph of a document: every amount printed in it, in tables and sentences, as a fact.

    Deterministic: the same document and TBox give the same triples.
    """
    return _Builder(document, ontology).build()


@dataclass(frozen=True, slots=True)
class _Property:
    """A property as this document uses it. term: N-Triples; extra: what else to state of every fact that has it."""

    term: str
    extra: tuple[tuple[str, str], ...]


class _Builder:
    """Writes one document. Lines are built as text, which is several times faster than term objects."""

    def __init__(self, document: Document, ontology: Ontology) -> None:
        self.document, self.ontology = document, ontology
        self.graph = str(document_graph(document.id))
        self.lines: list[str] = []
        self.terms: list[str] = []
        self.properties: dict[tuple[str, str | None, str, str], _Property] = {}
        self.measures: list[Measure | None] = []
        self.instances: dict[tuple[str, str], str] = {}
        self.minted: dict[str, str] = {}
        self.periods: dict[str, str] = {}
        self.units: dict[str, str] = {}
        self.names = Names()
        self.entity = NO_CLASS

    def build(self) -> Graph:
        tables = list(draft_tables(self.document))
        sentences = list(read_sentences(self.document.paragraphs))
        self._document(tables)
        for table in tables:
            self._table(table)
        for sentence in sentences:
            self._sentence(sentence)
        return Graph(self.document.id, "".join(self.lines).encode(), "".join(self.terms).encode())

    def _term(self, name: str) -> str:
        return f"<{self.graph}#{name}>"

    def _say(self, subject: str, term: str, value: str) -> None:
        self.lines.append(f"{subject} <{K}{term}> {value}{TAIL}")

    def _document(self, tables: list[TableDraft]) -> None:
        labels = [line.label for table in tables for line in (*table.layout.rows, *table.layout.columns) if line.label]
        before = " ".join(self.document.paragraphs[max(0, self.document.before - 3) : self.document.before])[
            -MOST_BEFORE:
        ]
        entity = next(iter(self.ontology.match_class(labels, before)), None)
        self.measures = [self.ontology.match_measure(table.lines, before, entity) for table in tables]
        node = f"<{self.graph}>"
        self.lines.append(f"{node} {RDF_TYPE} <{KG.Document}>{TAIL}")
        self.lines.append(f"{node} <{PREFIXES['dcterms']}identifier> {text_literal(self.document.id)}{TAIL}")
        if entity:
            self.entity = entity.name
            self._say(node, "matchedBy", text_literal(str(entity.by)))
            for evidence in entity.evidence[:MOST_EVIDENCE]:
                self._say(node, "evidence", text_literal(evidence))
        self._say(node, "entityType", f"<{K}{self.entity}>")

    def _table(self, table: TableDraft) -> None:
        node, number = self._term(f"t{table.number}"), _integer(table.number)
        self.lines.append(f"{node} {RDF_TYPE} <{KG.Table}>{TAIL}")
        self._say(node, "table", number)
        self._say(node, "orientation", text_literal(table.layout.orientation.value))
        if table.layout.corner:
            self._say(node, "corner", text_literal(table.layout.corner))
        if table.caption:
            self._say(node, "caption", text_literal(table.caption))
        measure = self.measures[table.number - 1]
        for cell in table.cells:
            if not cell.text:
                continue
            node = self._term(cell.name)
            start = f"{TAIL}{node} <{K}"
            text = (
                f"{node} {RDF_TYPE} <{K}Cell>{start}table> {number}{start}row> {_integer(cell.row)}"
                f"{start}column> {_integer(cell.column)}{start}text> {text_literal(cell.text)}"
            )
            if cell.row_label:
                text += f"{start}rowLabel> {text_literal(cell.row_label)}"
            if cell.column_label:
                text += f"{start}columnLabel> {text_literal(cell.column_label)}"
            if cell.section:
                text += f"{start}section> {text_literal(cell.section)}"
            self.lines.append(text + TAIL)
            for fact in cell.facts:
                self._fact(fact, TABLE, measure)

    def _sentence(self, sentence: Sentence) -> None:
        name = f"s{sentence.index}"
        node = self._term(name)
        start = f"{TAIL}{node} <{K}"
        paragraph = self.document.paragraphs[sentence.paragraph]
        text = (
            f"{node} {RDF_TYPE} <{K}Sentence>{start}sentence> {_integer(sentence.index)}"
            f"{start}paragraph> {_integer(sentence.paragraph)}{start}text> {text_literal(sentence.text)}"
        )
        if sentence.end - sentence.start < len(paragraph):
            text += f"{start}spanStart> {_integer(sentence.start)}{start}spanEnd> {_integer(sentence.end)}"
        self.lines.append(text + TAIL)
        for number, mention in enumerate(sentence.mentions, start=1):
            amount, period = mention.amount, mention.period
            draft = Draft(
                f"{name}a{number}",
                name,
                amount,
                paragraph[amount.start : amount.end],
                stated(amount, "sentence"),
                period,
                mention.period_from,
                of_period(period.key) if period else UNDATED,
                mention.phrase.text[:LONGEST_LABEL] or sentence.text[:120],
                mention.phrase.subject[:LONGEST_LABEL],
            )
            self._fact(draft, TEXT)

    def _fact(self, draft: Draft, kind: str, measure: Measure | None = None) -> None:
        meaning, amount = draft.meaning, draft.amount
        value = f'"{decimal_text(amount.value)}"^^<{XSD}decimal>'
        node = self._term(draft.name)
        start = f"{TAIL}{node} <{K}"
        text = (
            f"{node} {DERIVED_FROM} {self._term(draft.place)}{start}value> {value}{start}raw> {text_literal(draft.raw)}"
            f"{start}spanStart> {_integer(amount.start)}{start}spanEnd> {_integer(amount.end)}"
        )
        if amount.unit in NOT_MEASURES:
            unit = self._unit(str(amount.unit))
            self.lines.append(f"{text}{TAIL}{node} {RDF_TYPE} <{K}Numeral>{start}unit> {unit}{TAIL}")
            return
        known = self._phrase(draft) if kind == TEXT else self._line(draft, measure)
        instance = self._instance(draft.instance)
        text += (
            f"{TAIL}{node} {RDF_TYPE} <{K}{kind}>{start}instance> {instance}{start}property> {known.term}{TAIL}"
            f"{instance} {known.term} {value}{start}scale> {_integer(meaning.scale)}{start}measures> "
            f"{text_literal(draft.label)}{''.join(f'{start}{term}> {said}' for term, said in known.extra)}"
        )
        if meaning.unit:
            text += f"{start}unit> {self._unit(meaning.unit)}{start}unitFrom> {text_literal(meaning.unit_from or '')}"
        if meaning.scale_from:
            text += f"{start}scaleFrom> {text_literal(meaning.scale_from)}"
        if draft.period:
            text += (
                f"{start}period> {self._period(draft.period)}{start}periodFrom> {text_literal(draft.period_from or '')}"
            )
        self.lines.append(text + TAIL)

    def _line(self, draft: Draft, measure: Measure | None) -> _Property:
        """The property of a table's line: of the TBox, a special case of one, or one of the document's own."""
        unit = draft.meaning.unit
        key = (draft.core, unit, draft.header, draft.section)
        if key not in self.properties:
            matches = self.ontology.match_line(
                draft.core, unit, header=draft.header, section=draft.section, measure=measure
            )
            self.properties[key] = self._chosen(draft.core, matches)
        return self.properties[key]

    def _phrase(self, draft: Draft) -> _Property:
        """The property that a phrase of a sentence names.

        A long one says more than any property does, and is not looked up.
        """
        key = (draft.core, draft.meaning.unit, "", "")
        if key not in self.properties:
            is_name = draft.core.count(" ") < LONGEST_NAME
            matches = self.ontology.match_property(draft.core, draft.meaning.unit) if is_name else ()
            self.properties[key] = self._chosen(draft.core, matches)
        return self.properties[key]

    def _chosen(self, label: str, matches: tuple[Match, ...]) -> _Property:
        if not matches:
            return _Property(self._minted(label, None), (("matchedBy", text_literal(str(MatchedBy.MINTED))),))
        best = matches[0]
        term = f"<{K}{best.name}>"
        self.terms.append(_terms(self.ontology)[best.name])
        extra = [("matchedBy", text_literal(str(best.by))), ("matchScore", f'"{best.score:g}"^^<{XSD}decimal>')]
        extra += [("evidence", text_literal(evidence)) for evidence in best.evidence[:MOST_EVIDENCE]]
        extra += [("candidate", f"<{K}{match.name}>") for match in matches[1:] if match.score == best.score]
        return _Property(self._minted(label, term) if best.by is MatchedBy.NARROWER else term, tuple(extra))

    def _minted(self, label: str, broader: str | None) -> str:
        """A property of the document's own. broader: the one of the TBox of which it is a special case."""
        plain = f"{' '.join(label.lower().split())} {broader or ''}"
        term = self.minted.get(plain)
        if term is None:
            term = self.minted[plain] = self._term(self.names.name(camel(label), f"property {plain}"))
            self.lines.append(f"{term} {RDF_TYPE} {PROPERTY}{TAIL}")
            self.lines.append(f"{term} {LABEL} {text_literal(label)}{TAIL}")
            if broader:
                self.lines.append(f"{term} <{PREFIXES['rdfs']}subPropertyOf> {broader}{TAIL}")
        return term

    def _instance(self, instance: tuple[str, str]) -> str:
        if instance not in self.instances:
            key, name = instance
            part = slug(name) if key.startswith(PERIOD) else camel(name, upper=True)
            term = self._term(self.names.name(f"{self.entity}_{part}", f"instance {key}"))
            self.instances[instance] = term
            self.lines.append(f"{term} {RDF_TYPE} <{K}{self.entity}>{TAIL}")
            self.lines.append(f"{term} {LABEL} {text_literal(name)}{TAIL}")
        return self.instances[instance]

    def _period(self, period: Period) -> str:
        term = self.periods.get(period.key)
        if term is None:
            term = self.periods[period.key] = self._term(
                self.names.name(f"period-{slug(period.key)}", f"period {period.key}")
            )
            self.lines.append(f"{term} {RDF_TYPE} <{KG.Period}>{TAIL}")
            self.lines.append(f"{term} {LABEL} {text_literal(period.label)}{TAIL}")
            self._say(term, "periodKey", text_literal(period.key))
            self._say(term, "periodKind", text_literal(period.kind.value))
            if period.year is not None:
                self._say(term, "year", _integer(period.year))
            if period.start and period.end:
                self._say(term, "start", f'"{period.start.isoformat()}"^^<{XSD}date>')
                self._say(term, "end", f'"{period.end.isoformat()}"^^<{XSD}date>')
        return term

    def _unit(self, unit: str) -> str:
        term = self.units.get(unit)
        if term is None:
            term = self.units[unit] = f"<{unit_iri(str(unit))}>"
            self.lines.append(f"{term} {RDF_TYPE} <{KG.Unit}>{TAIL}")
            self.lines.append(f"{term} {LABEL} {text_literal(str(unit))}{TAIL}")
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


def _integer(value: int) -> str:
    return f'"{value}"^^<{XSD}integer>'
