"""Document + TBox -> graph: instances, facts and where each was printed, as N-Quads of one named graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from tieout.data.currency import dollar_of, stated_currency
from tieout.data.document import Document, Remark, Tag
from tieout.data.notation import notation_of
from tieout.data.printed.languages.language import ENGLISH
from tieout.data.printed.periods.fiscal import resolve
from tieout.data.printed.periods.period import LONGEST_LABEL, Period, PeriodKind
from tieout.data.printed.sign import measured
from tieout.data.printed.unit import NOT_MEASURES, SOME_DOLLAR, Unit, dollars_of, is_scaled
from tieout.data.tables.table import Meaning, Orientation
from tieout.kg.drafts.basis import counts_below, prose_scales
from tieout.kg.drafts.draft import UNDATED, Draft, TableDraft, of_period, stated, sureness
from tieout.kg.drafts.fiscal_years import ReportCalendar
from tieout.kg.drafts.footnotes import footnotes
from tieout.kg.drafts.introduction import introductions
from tieout.kg.drafts.outline import Outline
from tieout.kg.drafts.parts.mark import mark_parts
from tieout.kg.drafts.row_label import When
from tieout.kg.drafts.sentences.phrase import EMPTY
from tieout.kg.drafts.sentences.telling import Telling, meaning_in_sentence
from tieout.kg.drafts.sentences.text import Mention, Sentence, read_sentences
from tieout.kg.drafts.stated import stated_draft, statement_text
from tieout.kg.drafts.tables import draft_tables
from tieout.kg.drafts.tagged import Settled, pair, settle
from tieout.kg.fact import Cell, FactKind, PrintedTables, Reading
from tieout.kg.names import XSD, decimal_text, text_literal, typed_literal
from tieout.kg.recognised import is_recognised, with_doubts_told
from tieout.kg.store.graph import Graph
from tieout.kg.store.written import Place, Written, facts_written
from tieout.kg.terms import LABEL, MOST_EVIDENCE, NO_CLASS, RDF_TYPE, K, Known, Terms, integer
from tieout.ontology.model import Match, MatchedBy, Measure, Ontology
from tieout.ontology.vocabulary import KG, PREFIXES, PROV, document_graph

DERIVED_FROM = f"<{PROV.wasDerivedFrom}>"
CLASSES = {
    FactKind.TABLE: f"<{K}TableFact>",
    FactKind.TEXT: f"<{K}TextFact>",
    FactKind.STATED: f"<{K}StatedFact>",
}
STATEMENT = "FinancialStatement"  # the class above the five statements
LOST = "\ufffd".encode()  # in place of what no encoding can carry
LONGEST_NAME = 6  # words of a phrase that is looked up among the properties: those of longer ones never are
MOST_BEFORE = 10_000  # characters in front of the tables among which what they are about is looked for


def build(document: Document, ontology: Ontology) -> Graph:
    """The graph of a document: every amount printed in it, in tables and sentences, as a fact.

    Deterministic: the same document and TBox give the same triples.
    """
    graph = _Builder(document, ontology).build()
    if is_recognised(document) and (doubted := with_doubts_told(document, graph.facts())) is not document:
        return _Builder(doubted, ontology).build()
    return graph


class _Builder(Terms):
    """Writes one document."""

    def __init__(self, document: Document, ontology: Ontology) -> None:
        super().__init__(document_graph(document.id), ontology)
        self.document = document
        self.properties: dict[tuple[str, str | None, str, str], Known] = {}
        self.measures: list[Measure | None] = []
        self.resolved: dict[tuple[str, str, date | None], Period] = {}
        # The tables of a report are of many classes, that of a page is what the page is about.
        self.is_report = any(table.after is not None for table in document.tables) or not document.tables
        self.currency = stated_currency(document)
        self.outline = Outline(document)
        self.statements = {item.name: item for item in ontology.classes if item.parent == STATEMENT}
        self.furniture = frozenset(document.furniture)
        self.written: list[Written] = []
        self.printed: PrintedTables = {}
        self.tags: dict[int, list[Tag]] = {}
        for each in document.tags:
            self.tags.setdefault(each.paragraph, []).append(each.tag)
        self.remarks: dict[int, list[Remark]] = {}
        for said in document.remarks:
            self.remarks.setdefault(said.paragraph, []).append(said.remark)

    def build(self) -> Graph:
        dollar = dollar_of(self.document, self.currency)
        with dollars_of(dollar), notation_of(self.document) as self.language:
            self._all()
        quads = self.lines.getvalue()
        self.lines.close()
        is_lost = LOST in quads
        written = None if is_lost else partial(facts_written, self.written)
        printed = None if written is None else self.printed
        return Graph(self.document.id, b"", "".join(self.terms).encode(), written, printed, quads=quads)

    def _all(self) -> None:
        said = list(introductions(self.document))
        self.calendar = ReportCalendar(self.document, said)
        tables = list(draft_tables(self.document, said, self.calendar, self.currency))
        if self.is_report:
            mark_parts(self.document, tables)
        self._document(tables)
        self._sections()
        for table in tables:
            self._table(table)
        self.entity = NO_CLASS if self.is_report else self.entity
        self.telling = Telling(self.document, self.calendar)
        self.scales = prose_scales(self.document, [each.money for each in tables]) if self.is_report else []
        self.counts = counts_below(self.document, [each.layout.whole for each in tables])
        for sentence in read_sentences(self.document.paragraphs, self.document.coded):
            self._sentence(sentence)
        for number, tag in enumerate(self.document.unprinted, start=1):
            self._stated(number, tag)

    def _document(self, tables: list[TableDraft]) -> None:
        before = " ".join(self.document.paragraphs[max(0, self.document.before - 3) : self.document.before])
        before = before[-MOST_BEFORE:]
        entity = None
        if not self.is_report:
            labels = [label for table in tables for label in table.labels]
            entity = next(iter(self.ontology.match_class(labels, before)), None)
        self.classes = [self._class_of(table) for table in tables] if self.is_report else [entity] * len(tables)
        self.measures = [
            self.ontology.match_measure(table.lines, table.introduction if self.is_report else before, found)
            for table, found in zip(tables, self.classes, strict=True)
        ]
        node = f"<{self.graph}>"
        self.write(f"{node} {RDF_TYPE} <{KG.Document}>{self.tail}")
        self.write(f"{node} <{PREFIXES['dcterms']}identifier> {text_literal(self.document.id)}{self.tail}")
        for term, said in (("company", self.document.company), ("form", self.document.form)):
            if said:
                self.say(node, term, text_literal(said))
        if self.currency:
            self.say(node, "currency", text_literal(self.currency))
        if self.language != ENGLISH:
            self.write(f"{node} <{PREFIXES['dcterms']}language> {text_literal(self.language)}{self.tail}")
        if self.document.ended:
            self.say(node, "ended", typed_literal(self.document.ended.isoformat(), "date"))
        self._class(node, entity)

    def _class_of(self, table: TableDraft) -> Match | None:
        """The class of one table of a report: that of the statement it is, else by its labels and the words in front of
        it."""
        known = self.statements.get(table.statement) if table.statement else None
        if known is not None:
            return Match(known.name, known.label, MatchedBy.EXACT, 100.0, ("lines of the statement",))
        return next(iter(self.ontology.match_class(table.labels, table.introduction)), None)

    def _class(self, node: str, entity: Match | None) -> None:
        """The class of what is described from here on, stated of a document or a table."""
        self.entity = entity.name if entity else NO_CLASS
        if entity:
            self.say(node, "matchedBy", text_literal(str(entity.by)))
            for evidence in entity.evidence[:MOST_EVIDENCE]:
                self.say(node, "evidence", text_literal(evidence))
        self.say(node, "entityType", f"<{K}{self.entity}>")

    def _sections(self) -> None:
        for index, (section, path) in enumerate(zip(self.outline.sections, self.outline.paths, strict=True)):
            node = self.term(f"h{index}")
            self.write(
                f"{node} {RDF_TYPE} <{KG.Section}>{self.tail}{node} {LABEL} {text_literal(section.title)}{self.tail}"
            )
            self.say(node, "path", text_literal(path))
            self.say(node, "level", integer(section.level))
            self.say(node, "paragraph", integer(section.paragraph))
            parent = self.outline.parents[index]
            if parent is not None:
                self.say(node, "within", self.term(f"h{parent}"))
            if section.concept:
                self.say(node, "concept", text_literal(section.concept))

    def _table(self, table: TableDraft) -> None:
        node, number = self.term(f"t{table.number}"), integer(table.number)
        self.write(f"{node} {RDF_TYPE} <{KG.Table}>{self.tail}")
        self.say(node, "table", number)
        self.say(node, "orientation", text_literal(table.layout.orientation.value))
        if table.layout.corner:
            self.say(node, "corner", text_literal(table.layout.corner))
        if table.caption:
            self.say(node, "caption", text_literal(table.caption))
        printed = self.document.tables[table.number - 1]
        if printed.section is not None:
            self.say(node, "within", self.term(f"h{printed.section}"))
        if printed.place:
            self.say(node, "place", text_literal(printed.place))
        if self.is_report:
            self._class(node, self.classes[table.number - 1])
        measure = self.measures[table.number - 1]
        heading = "" if printed.section is None else self.outline.paths[printed.section]
        across = table.layout.orientation is Orientation.INSTANCES_ACROSS
        cells: list[Cell] = []
        for cell in table.cells:
            if not cell.text:
                continue
            cells.append(Cell(cell.row, cell.column, cell.text, cell.row_label, cell.column_label))
            node = self.term(cell.name)
            start = f"{self.tail}{node} <{K}"
            text = (
                f"{node} {RDF_TYPE} <{K}Cell>{start}table> {number}{start}row> {integer(cell.row)}"
                f"{start}column> {integer(cell.column)}{start}text> {text_literal(cell.text)}"
            )
            if cell.row_label:
                text += f"{start}rowLabel> {text_literal(cell.row_label)}"
            if cell.column_label:
                text += f"{start}columnLabel> {text_literal(cell.column_label)}"
            if cell.section:
                text += f"{start}section> {text_literal(cell.section)}"
            at = printed.places[cell.row][cell.column] if printed.places else ""
            if printed.places:
                text += f"{start}place> {text_literal(at)}"
            self.write(text + self.tail)
            if not cell.facts:
                continue
            place = Place(
                kind=FactKind.TABLE,
                table=table.number,
                row=cell.row,
                column=cell.column,
                context=cell.text,
                caption=table.caption,
                heading=heading,
                place=at or printed.place,
                section=cell.section,
                header=cell.column_label if across else cell.row_label,
            )
            for fact in cell.facts:
                self._fact(fact, place, measure)
        self.printed[table.number] = (table.layout.corner or "", tuple(sorted(cells)))
        self._footnotes(table)

    def _footnotes(self, table: TableDraft) -> None:
        """The notes below a table on the marks in it."""
        marks = (mark for cell in table.cells for fact in cell.facts for mark in fact.marks)
        for note in footnotes(self.document, self.document.tables[table.number - 1].after, marks):
            node = self.term(f"t{table.number}-note{note.paragraph}")
            self.write(f"{node} {RDF_TYPE} <{KG.Footnote}>{self.tail}")
            self.say(node, "mark", text_literal(note.mark))
            self.say(node, "text", text_literal(note.text))
            self.say(node, "paragraph", integer(note.paragraph))
            self.say(self.term(f"t{table.number}"), "footnote", node)

    def _sentence(self, sentence: Sentence) -> None:
        """A sentence, where it stands, and the amounts that it tells."""
        name = f"s{sentence.index}"
        node = self.term(name)
        start = f"{self.tail}{node} <{K}"
        paragraph = self.document.paragraphs[sentence.paragraph]
        text = (
            f"{node} {RDF_TYPE} <{K}Sentence>{start}sentence> {integer(sentence.index)}"
            f"{start}paragraph> {integer(sentence.paragraph)}{start}text> {text_literal(sentence.text)}"
        )
        is_part = sentence.end - sentence.start < len(paragraph)
        if is_part:
            text += f"{start}spanStart> {integer(sentence.start)}"
        section = self.outline.of_paragraph(sentence.paragraph)
        if section is not None:
            text += f"{start}within> {self.term(f'h{section}')}"
        at = self.document.places[sentence.paragraph] if self.document.places else ""
        if at:
            text += f"{start}place> {text_literal(at)}"
        self.write(text + self.tail)
        place = Place(
            kind=FactKind.TEXT,
            paragraph=sentence.paragraph,
            sentence=sentence.index,
            context=sentence.text,
            context_start=sentence.start if is_part else 0,
            heading="" if section is None else self.outline.paths[section],
            place=at,
        )
        self._amounts(name, sentence, place)

    def _amounts(self, name: str, sentence: Sentence, place: Place) -> None:
        """The amounts that a sentence tells. name: that of the sentence."""
        paragraph = self.document.paragraphs[sentence.paragraph]
        tags = [tag for tag in self.tags.get(sentence.paragraph, ()) if _starts_in(tag, sentence)]
        mentions: Sequence[Mention] = sentence.mentions
        if tags or sentence.paragraph in self.furniture:
            mentions = self._settled(sentence, tags)
        known = [
            (mention, settle(mention.amount, self._meaning(sentence, mention), when, mention.tag))
            for mention, when in zip(mentions, self._when(sentence, mentions), strict=True)
        ]
        known += [
            (each, settled._replace(period=when)) for each, settled in known for when in self._also(each, settled)
        ]
        numbers = _numbers([settled.meaning.unit for _, settled in known])
        for number, (mention, settled) in zip(numbers, known, strict=True):
            amount = mention.amount
            doubts, recognised = sureness(
                amount, settled.meaning.unit, self.remarks.get(sentence.paragraph, ()), settled.doubt
            )
            draft = Draft(
                f"{name}a{number}",
                name,
                amount,
                paragraph[amount.start : amount.end],
                settled.meaning,
                settled.period,
                settled.period_from,
                of_period(settled.period.key) if settled.period else UNDATED,
                (mention.phrase.text or sentence.text[:120])[:LONGEST_LABEL] + self._due(sentence, mention),
                mention.phrase.subject[:LONGEST_LABEL],
                tag=mention.tag,
                reading=settled.reading,
                doubts=doubts,
                recognised=recognised,
            )
            self._fact(draft, place)

    def _due(self, sentence: Sentence, mention: Mention) -> str:
        """How the label of an amount ends that a report lists by the years in which it falls due, as that of a row of a
        table which is headed by the year: `, 2026`; "" for any other."""
        head = self.telling.head(sentence, mention.amount, mention.period) if self.is_report else ""
        return f", {head}" if head else ""

    def _meaning(self, sentence: Sentence, mention: Mention) -> Meaning:
        if not self.is_report:
            return stated(mention.amount, "sentence")
        basis = self.scales[sentence.paragraph]
        counts = self.counts.get(sentence.paragraph, 1)
        return meaning_in_sentence(mention.amount, mention.phrase.text, sentence, basis, counts)

    def _when(self, sentence: Sentence, mentions: Sequence[Mention]) -> list[When]:
        """The periods of the amounts of a sentence, and where they are stated."""
        if not self.is_report:
            return [(each.period, each.period_from) for each in mentions]
        said = [
            (self.calendar.dated(each.period), each.period_from or "") if each.period else None for each in mentions
        ]
        told = self.telling.when(sentence, said)
        return [
            (None, None) if found is None or (mention.is_earlier and not mention.period) else found
            for mention, found in zip(mentions, told, strict=True)
        ]

    def _also(self, mention: Mention, settled: Settled) -> Iterator[Period]:
        """The other times that a sentence of a report says an amount of, which is from the first of them."""
        own = settled.period
        if self.is_report and own and mention.period and own == self.calendar.dated(mention.period):
            yield from map(self.calendar.dated, mention.also)

    def _settled(self, sentence: Sentence, tags: list[Tag]) -> list[Mention]:
        """The mentions of a sentence with their tags; in the furniture of a page a number measures nothing."""
        paragraph = self.document.paragraphs[sentence.paragraph]
        known = {mention.amount: mention for mention in sentence.mentions}
        found: list[Mention] = []
        for amount, tag in pair([mention.amount for mention in sentence.mentions], tags, paragraph):
            mention = known.get(amount)
            if mention is None:
                before = found[-1].phrase if found else EMPTY
                mention = Mention(amount, before, None, None)
            if tag is None and sentence.paragraph in self.furniture and amount.unit not in NOT_MEASURES:
                amount = replace(amount, unit=Unit.REFERENCE)
            found.append(Mention(amount, mention.phrase, mention.period, mention.period_from, tag))
        return found

    def _stated(self, number: int, tag: Tag) -> None:
        """What the file states without a page: a fact, derived from the statement itself."""
        draft = stated_draft(number, tag)
        if draft is None:
            return
        node = self.term(draft.place)
        self.write(f"{node} {RDF_TYPE} <{KG.Statement}>{self.tail}")
        said = statement_text(tag)
        self.say(node, "text", text_literal(said))
        if tag.filing:
            self.say(node, "place", text_literal(tag.filing))
        self._fact(draft, Place(kind=FactKind.STATED, context=said, place=tag.filing))

    def _fact(self, draft: Draft, place: Place, measure: Measure | None = None) -> None:
        meaning, amount, kind = draft.meaning, draft.amount, place["kind"]
        value = f'"{decimal_text(amount.value)}"^^<{XSD}decimal>'
        node = self.term(draft.name)
        start = f"{self.tail}{node} <{K}"
        text = (
            f"{node} {DERIVED_FROM} {self.term(draft.place)}{start}value> {value}{start}raw> {text_literal(draft.raw)}"
            f"{start}spanStart> {integer(amount.start)}"
        )
        if amount.unit in NOT_MEASURES and draft.tag is None:
            unit = self.unit(str(amount.unit))
            self.write(f"{text}{self.tail}{node} {RDF_TYPE} <{K}Numeral>{start}unit> {unit}{self.tail}")
            self.written.append(Written(draft, place))
            return
        known = self._line(draft, measure) if kind is FactKind.TABLE else self._phrase(draft)
        instance = self.instance(draft.instance)
        text += (
            f"{self.tail}{node} {RDF_TYPE} {CLASSES[kind]}{start}instance> {instance}{start}property> {known.term}"
            f"{self.tail}{instance} {known.term} {value}{start}scale> {integer(meaning.scale)}{start}measures> "
            f"{text_literal(draft.label)}{start}{start.join(known.extra)}"
        )
        if meaning.unit:
            text += f"{start}unit> {self.unit(meaning.unit)}{start}unitFrom> {text_literal(meaning.unit_from or '')}"
        if meaning.scale_from:
            text += f"{start}scaleFrom> {text_literal(meaning.scale_from)}"
        elif kind is FactKind.TABLE and is_scaled(meaning.unit):
            text += f'{start}unknown> "scale"'
        if not meaning.unit and draft.tag is None:
            text += f'{start}unknown> "unit"'
        elif meaning.unit and meaning.unit.startswith(SOME_DOLLAR):
            text += f'{start}unknown> "currency"'
        if kind is FactKind.TABLE and draft.tag is None and (both := measured(amount.value, draft.label)):
            other = typed_literal(decimal_text(both[0]), "decimal")
            text += f"{start}measuresValue> {other}{start}measuresBy> {text_literal(both[1])}"
        period = None
        if draft.period:
            term, period = self.period(self._dated(draft.period))
            text += f"{start}period> {term}{start}periodFrom> {text_literal(draft.period_from or '')}"
        for part in draft.parts:
            text += f"{start}part> {text_literal(part)}"
        for mark in dict.fromkeys(draft.marks):
            text += f"{start}mark> {text_literal(mark)}"
        for doubt in draft.doubts:
            text += f"{start}doubt> {text_literal(doubt)}"
        if draft.recognised is not None:
            text += f"{start}recognised> {typed_literal(decimal_text(draft.recognised), 'decimal')}"
        if draft.tag:
            text += "".join(f"{start}{term}> {said}" for term, said in self._tagged(draft.tag, draft.reading))
        self.write(text + self.tail)
        self.written.append(Written(draft, place, known, instance, self.entity, period))

    def _dated(self, printed: Period) -> Period:
        """A period with the days that the report's own calendar gives it. Those of a whole report have them already,
        but a fiscal year that a tag alone tells has not the name that the report gives it."""
        is_year = printed.kind is PeriodKind.FISCAL_YEAR and printed.end is not None and self.calendar.is_named
        if self.is_report and not is_year:
            return printed
        label = (printed.key, printed.label, printed.end)
        if label not in self.resolved:
            if printed.kind is not PeriodKind.DATE:
                self.resolved[label] = resolve(printed, self.calendar.fiscal)
            elif str(printed.year) in printed.label:
                self.resolved[label] = self.calendar.dated(printed)
            else:  # `balance at January 1` over columns by year: it is asked for by those
                self.resolved[label] = self.calendar.named(printed)
        return self.resolved[label]

    def _tagged(self, tag: Tag, reading: Reading | None) -> Iterator[tuple[str, str]]:
        """What to state of a fact with a tag."""
        yield "concept", text_literal(tag.concept)
        if tag.value is not None:
            yield "exact", typed_literal(decimal_text(tag.value), "decimal")
        if tag.decimals is not None:
            yield "decimals", integer(tag.decimals)
        for dimension in tag.dimensions:
            yield "dimension", self.dimension(dimension)
        if reading:
            yield "readScale", integer(reading.scale)
            if reading.unit:
                yield "readUnit", text_literal(str(reading.unit))
            if reading.period:
                yield "readPeriod", text_literal(reading.period)

    def _line(self, draft: Draft, measure: Measure | None) -> Known:
        """The property of a table's line: of the TBox, a special case of one, or one of the document's own."""
        unit = draft.meaning.unit
        key = (draft.core, unit, draft.header, draft.section)
        if key not in self.properties:
            matches = self.ontology.match_line(
                draft.core, unit, header=draft.header, section=draft.section, measure=measure
            )
            self.properties[key] = self.chosen(draft.core, matches)
        return self.properties[key]

    def _phrase(self, draft: Draft) -> Known:
        """The property that a phrase of a sentence names.

        A long one says more than any property does, and is not looked up.
        """
        key = (draft.core, draft.meaning.unit, "", "")
        if key not in self.properties:
            is_name = draft.core.count(" ") < LONGEST_NAME
            matches = self.ontology.match_property(draft.core, draft.meaning.unit) if is_name else ()
            self.properties[key] = self.chosen(draft.core, matches)
        return self.properties[key]


def _numbers(units: Sequence[str | None]) -> list[int]:
    """The numbers of the amounts of a sentence: first those that measure something, then years, days and references, so
    that who counts what a reader sees as amounts comes to the same."""
    order = sorted(range(len(units)), key=lambda place: units[place] in NOT_MEASURES)
    found = {place: number for number, place in enumerate(order, start=1)}
    return [found[place] for place in range(len(units))]


def _starts_in(tag: Tag, sentence: Sentence) -> bool:
    return tag.printed is not None and sentence.start <= tag.printed[0] < sentence.end
