"""Open reports as a conversation uses them: an outline once, a view for each question, every figure by its name.

What a question needs is found and shown from the index, what is calculated with is asked of the graphs by SPARQL, where
there are not too many; nothing ever reads all facts of a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Literal
from weakref import proxy

from tieout.agent.protocol.message import Amount, Card, Said
from tieout.agent.protocol.tool import ToolError
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.view.about import rank_about, to_be_said
from tieout.agent.view.card import CLOSE, OPEN
from tieout.agent.view.notation import Notation, ReadTables
from tieout.agent.view.passage import amount_told
from tieout.agent.view.ranking import (
    SURE,
    RankedTable,
    Ranking,
    in_turn,
    needed_lines,
    rank,
    stated_lines,
    statements_first,
)
from tieout.agent.view.sought import subjects_of
from tieout.agent.view.told import said_by, told_by
from tieout.data.printed.harmless import harmless
from tieout.kg.fact import Fact, FactKind
from tieout.kg.index.aliases import aliases, company_words
from tieout.kg.index.observed import by_item
from tieout.kg.index.passage import NO_PAGE
from tieout.kg.index.places import Place, is_numbered, is_under, read_place, until_next
from tieout.kg.index.printed import printed_of
from tieout.kg.index.sentences import in_context
from tieout.kg.index.statement import main_tables
from tieout.kg.index.words import Index, SentenceHit
from tieout.kg.reports.opened import OpenReport, renamed
from tieout.kg.reports.outline import outline, outline_of_sections, short_outline
from tieout.kg.store.graph import Graph
from tieout.kg.store.pick import BY_NAME, facts_named
from tieout.kg.store.quoted import cell_is_dash
from tieout.ontology.metrics.slips import Printed

if TYPE_CHECKING:
    from tieout.agent.view.across import Across

BUDGET, BUDGET_OF_MODEL = 6000, 3100  # tokens of a view; of one that a language model reads and pays for
CHARACTERS_PER_TOKEN = 4  # of tables and prose in English; a rule of thumb, on the safe side for figures
SHORT = 4500  # tokens of a view below which the statements come first, and of other tables the rows that matter
FOR_SENTENCES = 0.2  # share of the budget that sentences may have
FOR_WORDS = 0.8  # the same of a short report; half of it where words are asked for rather than a figure
FEW_FIGURES = 300  # of a report that may be short enough to be shown whole
LEAST_SENTENCES = 300  # characters for which it is worth to look for further sentences
LAST = 10**9  # a number behind that of any sentence
MOST_WITH_TABLES = 8  # reports of which whole tables are shown and graphs asked; of more the lines that are needed
MOST_OF_SECTION = 500  # sentences behind a heading with a number that are looked at for the next such one
AROUND_SENTENCE = 3  # sentences shown before and behind one that is opened
MOST_FOUND = 24  # sentences that a search shows
MOST_LOOKED_AT = 12  # lines whose tables are read for a look-up by name
_POSSESSIVE = re.compile(r"['’]s?$")
FACT = re.compile(r"(?:(?P<alias>[a-z0-9]+):)?(?P<name>(?:t\d+r\d+c\d+|s\d+a\d+|x\d+)[a-z]*)")

_read_of: Callable[..., ReadTables] = lru_cache(maxsize=8)(lambda *_: {})  # by any conversation about the same reports
_unheaded = lru_cache(maxsize=8)(lambda facts: tuple([fact.changed(heading="") for fact in facts]))  # as they are


class SeenFacts(Mapping[str, Fact]):
    """The figures of open reports by name: one that is asked for is fetched; those that are listed were shown."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports
        self._seen: dict[str, Fact] = {}

    def __getitem__(self, name: str) -> Fact:
        found = self._seen.get(name) or self._reports.fetch(name)
        if found is None:
            raise KeyError(name)
        return self._seen.setdefault(name, found)

    def named(self, names: Sequence[str]) -> list[Fact]:
        """The figures of these names, each report asked once. Raises KeyError where there is one of none of them."""
        fetched = self._reports.fetch_named([name for name in names if name not in self._seen])
        return [self._seen.setdefault(name, fetched[name]) if name in fetched else self[name] for name in names]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._seen or self._reports.fetch(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)

    def values(self) -> ValuesView[Fact]:
        """Those that were shown."""
        return self._seen.values()

    def see(self, facts: Sequence[Fact]) -> None:
        """Takes in what was shown."""
        for fact in facts:
            self._seen.setdefault(fact.name, fact)


class Reports:
    """The reports of one conversation."""

    def __init__(
        self,
        graphs: Sequence[Graph],
        index: Index,
        budget: int = BUDGET,
        tables: ReadTables | None = None,
        called: str = "",
        names: Sequence[str] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        """graphs: of the reports, which index holds too. budget: of a view, in tokens.

        tables: those that other conversations about the same reports have read, and shall share. called: the name of
        the conversation, else the ids of its reports. names: the alias of each report, where a conversation has given
        them already. notes: what is to be told of them, whatever is asked.
        """
        entries = {entry.id: entry for entry in index.reports()}
        chosen = [entries[graph.document_id] for graph in graphs]
        self.open = {
            alias: OpenReport(alias, graph, entry, index)
            for alias, graph, entry in zip(names or aliases(chosen), graphs, chosen, strict=True)
        }
        self._called = called
        self._by_id = {report.entry.id: report for report in self.open.values()}
        self._index, self._room, self._is_short = index, budget * CHARACTERS_PER_TOKEN, budget < SHORT
        read = _read_of(index.kept_as([each.id for each in chosen]), *self.open) if tables is None else tables
        self._shown = Notation(self._by_id, index, self._room, is_short=self._is_short, tables=read)
        self._lines: dict[str, dict[tuple[int, int], list[Fact]]] = {}
        self._firsts: dict[str, Card | None] = {}
        self._known: dict[str, dict[str, dict[str, float]]] = {}
        self.facts = SeenFacts(proxy(self))  # which does not keep what is closed
        self.queries: list[str] = []
        self.notes = notes

    @cached_property
    def across(self) -> Across:
        """The companies of the reports."""
        from tieout.agent.view.across import Across

        return Across(self._index, {report.entry.id: alias for alias, report in self.open.items()})

    @property
    def document_id(self) -> str:
        """What the conversation is about: the ids of its reports, unless it has another name."""
        return self._called or " + ".join(report.entry.id for report in self.open.values())

    @cached_property
    def _companies(self) -> frozenset[str]:
        """The names of the companies of the reports, as they are shown."""
        return frozenset(harmless(report.entry.company or report.entry.id) for report in self.open.values())

    def prints(self, words: str) -> bool:
        """Whether one of the reports is of a company of this name, or prints these words, letter by letter."""
        if words in self._companies:
            return True
        if any(NO_PAGE in report.tables and words in report.tables[NO_PAGE].periods for report in self.open.values()):
            return True
        return any(self._index.prints(report.entry.id, words) for report in self.open.values())

    @cached_property
    def printed_labels(self) -> frozenset[str]:
        """The labels and titles of the reports, and the names of their companies; these alone where there are many."""
        few = list(self.open.values()) if len(self.open) <= MOST_WITH_TABLES else []
        titles = (table.title for each in few for table in each.tables.values())
        return frozenset(self._words_of_names("")).union(titles, *(self._index.labels(each.entry.id) for each in few))

    @property
    def company(self) -> frozenset[str]:
        """The name of the company of the reports, where they are of one."""
        return self._companies if len(self._companies) == 1 else frozenset()

    def has(self, word: str) -> bool:
        """Whether a word stands in a line or a sentence of one of the reports, or in the name of its company."""
        ids = [report.entry.id for report in self.open.values()]
        found = self._index.find_lines((word,), ids, 1) or self._index.find_sentences((word,), ids, 1)
        return bool(found) or word.lower() in self._words_of_names(word)

    @cached_property
    def printed(self) -> Printed:
        """What the reports print, by which slips of a question are put right; what their sentences do of a few."""
        ids = [report.entry.id for report in self.open.values()] if len(self.open) <= MOST_WITH_TABLES else []
        me = proxy(self)
        return printed_of(self._index, ids, lambda: me.printed_labels, lambda word: me.has(word), self.company)

    def is_dash(self, name: str) -> bool:
        """Whether the cell of this name is printed as a dash."""
        alias, _, local = name.rpartition(":")
        report = self.open.get(alias)
        return report is not None and cell_is_dash(report.graph, local)

    def sentence(self, name: str) -> str | None:
        """What the sentence of this name says, `aapl25:s340`; None where there is none."""
        alias, _, local = name.rpartition(":")
        report = self.open.get(alias)
        if report is None or not re.fullmatch(r"s\d{1,9}", local):
            return None
        found = self._index.sentences(report.entry.id, int(local[1:]), int(local[1:]))
        return " ".join(found[0].text.split()) if found else None

    def sentence_with(self, words: str) -> str | None:
        """The name of the first sentence that has these words, letter by letter but for spaces."""
        for report in self.open.values():
            for number, _ in self._index.sentences_with(report.entry.id, words):
                return report.name(f"s{number}")
        return None

    def card(self) -> Card:
        """What is shown of the reports throughout the conversation: the outline, and no figure."""
        entries = {alias: report.entry for alias, report in self.open.items()}
        if len(entries) > MOST_WITH_TABLES:
            text = short_outline(entries, self._index.table_counts(), partial(self._index.statements, SURE))
        else:
            tables = {alias: tuple(report.tables.values()) for alias, report in self.open.items()}
            text = (outline_of_sections if self._is_short else outline)(entries, tables)
        companies = self.across.outline() if len(entries) > 1 else ()
        shown = "\n".join((OPEN, *companies, text, CLOSE))
        ticker = self.across.library.companies[0].ticker if len(entries) == 1 else ""
        return Card(document_id=self.document_id, facts=(), text=shown, ticker=ticker)

    def view(self, question: Question, used: Sequence[str] = ()) -> Card:
        """What is shown for a question: the tables and sentences most worth reading, within the budget.

        used: names of figures that earlier turns rest on.
        """
        reports = self._about(question)
        stated = self._stated(question)
        if len(reports) > MOST_WITH_TABLES:
            if stated is not None:
                return stated.model_copy(update={"text": "\n".join((OPEN, stated.text, CLOSE))})
            lines = needed_lines(self._index, question, [report.entry.id for report in reports])
            return self._rows(question.years, reports, lines)
        if all(NO_PAGE in report.tables for report in reports):
            before = [self.facts[name] for name in used if name in self.facts]
            told = {each.entry.id: stated_lines(self._index, question, each.entry.id, before) for each in reports}
            return self._rows(question.years if len(question.years) == 1 else (), reports, told)
        facts: list[Fact] = []
        said: list[Fact] = []
        ranking = self._rank(question, reports, used)
        quoted = self._quoted(question, reports)
        as_printed = "\n".join(f"({name}, as printed: {harmless('; '.join(each))})" for name, each in quoted.items())
        first = [self._called_otherwise(question.text), "" if stated is None else stated.text, as_printed]
        whole = self._room - len(OPEN) - len(CLOSE) - sum(map(len, first)) - 5  # with the ends of lines
        hits, share = self._sentences(question, reports, ranking)
        is_roomy = share == FOR_WORDS or (share > FOR_SENTENCES and not self._is_short)
        sentences = self._shown.sentences(hits if is_roomy else hits[:MOST_FOUND], int(whole * share), said)
        room = whole - len(sentences)
        if len(reports) == 1:
            is_figure = question.named or question.kinds[0] == "number"
            tables = self._shown.chosen(ranking.tables if is_figure else statements_first(ranking.tables), room, facts)
        else:
            tables = self._of_each(question, reports, used, room, facts)
        if self._is_short and len(tables) + len(sentences) < whole - LEAST_SENTENCES:
            said.clear()
            sentences = self._shown.sentences(hits, whole - len(tables), said)
        facts = [*(() if stated is None else stated.facts), *said, *facts]
        facts += self._known_as(question, reports, facts)
        self.facts.see(facts)
        text = "\n".join(part for part in (OPEN, *first, tables, sentences, CLOSE) if part)
        statements = self._statements(reports[0]) if len(reports) == 1 else None
        return Card(
            document_id=self.document_id,
            facts=tuple({fact.name: fact for fact in facts}.values()),
            text=text,
            first=statements,
            concepts=self._concepts(reports[0]) if len(reports) == 1 else {},
            told=quoted,
            said=partial(self._said, question, reports),
            amount=partial(self._amount, question, reports),
        )

    def _said(self, question: Question, reports: Sequence[OpenReport]) -> Said | None:
        """The sentence that has most of the words of a question."""
        words = self._words_of_names(question.text)
        found = [
            said._replace(figures=tuple(map(each.name, said.figures)))
            for each in reports
            if (said := said_by(self._index, question, each.entry.id, words)) is not None
        ]
        return max(found, key=lambda said: said.share, default=None)

    def _amount(self, question: Question, reports: Sequence[OpenReport], part: Question) -> Amount | None:
        """The figure that the sentences of the only report tell of a question, or of a part of it."""
        if len(reports) > 1:
            return None
        words = self._words_of_names(question.text)
        told = amount_told(self._index, part, question, reports[0].entry.id, words)
        return None if told is None else told._replace(fact=next(iter(renamed(reports[0], [told.fact]))))

    def _quoted(self, question: Question, reports: Sequence[OpenReport]) -> dict[str, tuple[str, ...]]:
        """What the reports of one company print of what is asked for in words, by the first that tells it."""
        ids = {report.entry.id for report in reports}
        if sum(any(each.report in ids for each in one.filings) for one in self.across.library.companies) > 1:
            return {}
        asked = [each for each in (question, *(single.asked for single in question.several)) if each.told]
        found = ((each.told, [told_by(self._index, each, report.entry.id) for report in reports]) for each in asked)
        return {name: next(filter(None, told)) for name, told in found if any(told)}

    def _statements(self, report: OpenReport) -> Card | None:
        """The three statements of a report as on a page of them, without the headings of the report, which say nothing
        of a line. Read once; None where one of them is missing."""
        if report.entry.id not in self._firsts:
            tables = main_tables(report.tables.values())
            facts = _unheaded(tuple([fact for at in tables for fact in self._shown.read(report, at)[0]]))
            made = Card(document_id=self.document_id, facts=facts, text="", concepts=self._concepts(report))
            self._firsts[report.entry.id] = made if tables else None
        return self._firsts[report.entry.id]

    def _concepts(self, report: OpenReport) -> dict[str, dict[str, float]]:
        """The standard concepts of a report, as `Card` has them, read once."""
        if report.entry.id not in self._known:
            stated = (named.observed for _, named in self._index.observed(reports=[report.entry.id]))
            self._known[report.entry.id] = by_item(stated, report.name)
        return self._known[report.entry.id]

    def _known_as(self, question: Question, reports: Sequence[OpenReport], shown: Sequence[Fact]) -> list[Fact]:
        """The figures of the only report that are what a question names, under any words, where they are not shown."""
        if len(reports) > 1:
            return []
        known = self._concepts(reports[0])
        named = dict.fromkeys(name for item in question.items for name in known.get(item, ()))
        names = {fact.name for fact in shown} if named else ()
        return self.facts.named([name for name in named if name not in names])

    def _about(self, question: Question) -> list[OpenReport]:
        """The reports that a question is about: of several, those of its companies and of its time."""
        if len(self.open) == 1:
            return list(self.open.values())
        by_alias = [self.open[word] for word in dict.fromkeys(_words(question.text)) if word in self.open]
        if by_alias and not self.across.library.named(question.text):
            return by_alias
        return [self._by_id[each] for each in self.across.reports_for(question)]

    def _stated(self, question: Question) -> Card | None:
        """What the filings of several reports state of the measures that a question names; None where there is none."""
        if len(self.open) == 1 or not question.items:
            return None
        room = self._room
        shown: list[str] = []
        facts: list[Fact] = []
        for line in self.across.shown_lines(question):
            room -= len(line.text) + 1
            if room < 0:
                break
            shown.append(line.text)
            facts += self.facts.named(line.facts)
        return Card(document_id=self.document_id, facts=tuple(facts), text="\n".join(shown)) if shown else None

    def _sentences(
        self, question: Question, reports: Sequence[OpenReport], ranking: Ranking
    ) -> tuple[Sequence[SentenceHit], float]:
        """The sentences that may be shown, the best first, and their share of the room; all of a short report."""
        if len(reports) == 1 and reports[0].entry.facts < FEW_FIGURES:
            said = self._index.sentences(reports[0].entry.id, 0, LAST)
            if sum(len(each.text) for each in said) < self._room * FOR_WORDS:
                return said, FOR_WORDS
        is_figure = question.kinds[0] == "number" and question.named and "why" not in question.cues
        hits, names = ranking.sentences, self._words_of_names(question.text)
        if not is_figure or subjects_of(question, names):
            hits = to_be_said(self._index, question, [report.entry.id for report in reports], names, hits)
        most = MOST_FOUND if is_figure and not self._is_short else None
        return tuple(islice(in_context(self._index, hits), most)), FOR_SENTENCES if is_figure else FOR_WORDS / 2

    def _rows(
        self, named: Sequence[int], reports: Sequence[OpenReport], lines: Mapping[str, Sequence[tuple[int, int]]]
    ) -> Card:
        """The view of many reports, or of files without a page: of each the lines that are needed alone, by the ids of
        reports, in the years that are."""
        years = {year for each in named for year in (each, each - 1)}
        facts: list[Fact] = []
        shown: list[str] = []
        statements: dict[str, tuple[str, float]] = {}
        room = self._room
        for report in reports:
            wanted = lines.get(report.entry.id, ())
            inside = [fact for fact in self._of_lines(report, wanted) if not years or _year(fact) in years]
            facts += inside
            for table in {table for table, _ in wanted}:
                entry = self._index.table(report.entry.id, table)
                statements[report.name(f"t{table}")] = entry.statement, entry.certainty
            told = [_in_one_line(fact) for fact in inside]
            if sum(map(len, told)) + len(told) <= room:
                shown += told
                room -= sum(map(len, told)) + len(told)
        self.facts.see(facts)
        text = "\n".join((OPEN, *shown, CLOSE))
        return Card(document_id=self.document_id, facts=tuple(facts), text=text, statements=statements)

    def _of_lines(self, report: OpenReport, lines: Sequence[tuple[int, int]]) -> list[Fact]:
        """The figures of some lines, as (table, row), read once a conversation."""
        known = self._lines.setdefault(report.entry.id, {})
        for table, row in lines:
            if (table, row) not in known:
                inside = self._index.figures(report.entry.id, table, (row,))
                known[table, row] = renamed(
                    report, [fact for fact in inside if fact.column or fact.kind is FactKind.STATED]
                )
        return [fact for line in dict.fromkeys(lines) for fact in known[line]]

    def search(
        self,
        words: Sequence[str],
        report: str | None = None,
        section: str | None = None,
        period: str | None = None,
        only: Literal["tables", "sentences"] | None = None,
    ) -> Card:
        """What has these words, in the notation of a view; only: of one kind. Raises ToolError where nothing has."""
        within = [self._report(report)] if report else list(self.open.values())
        plain = tuple(dict.fromkeys(part for word in words for part in word.lower().split()))
        wanted = replace(read_question(" ".join((*words, period or ""))), search=plain)  # all of them: they were chosen
        ids = [each.entry.id for each in within]
        ranking = rank(self._index, wanted, ids)
        said = to_be_said(self._index, wanted, ids, (), ranking.sentences)
        tables = [each for each in ranking.tables if _is_under(section, each.entry.title, each.entry.heading)]
        hits = tuple(in_context(self._index, (hit for hit in said if _is_under(section, hit.heading))))
        facts: list[Fact] = []
        room = self._room // (6 if only is None else 3)
        told = "" if only == "tables" else self._shown.sentences(hits[:MOST_FOUND], room, facts)
        shown = "" if only == "sentences" else self._shown.chosen(tables, self._room // 3, facts, rows_only=True)
        if not shown and not told:
            raise ToolError(
                f"{'nothing' if only is None else f'none of the {only}'} has any of {', '.join(words)}",
                suggestion="other words, or fewer conditions",
            )
        self.facts.see(facts)
        text = "\n".join(part for part in (shown, told) if part)
        return Card(document_id=self.document_id, facts=tuple(facts), text=text)

    def opened(self, name: str) -> Card:
        """A table (`t12`) whole, several (`t12-t15`), a sentence (`s340`) with those around it, several (`s340-s360`),
        or a section by its heading (`Note 16`), as far as there is room. Raises ToolError for what there is none of."""
        place = read_place(name)
        report = self.open.get(place.alias)
        if report is None:
            raise ToolError(f"there is no report {place.alias!r}", available=sorted(self.open))
        facts: list[Fact] = []
        hits, tables = self._at(place, report)
        told = self._shown.sentences(hits, self._room // (2 if tables else 1), facts)
        shown = self._shown.chosen(tables, self._room - len(told), facts) if len(tables) > 1 else ""
        if len(tables) == 1:
            shown = self._shown.table(tables[0], self._room, facts)
        if not shown and not told:
            raise ToolError(
                f"there is no {name!r} in {report.entry.id!r}",
                suggestion="a table t12, tables t12-t15, a sentence s340, sentences s340-s350, or words of a heading",
            )
        left = [report.name(f"t{each.entry.number}") for each in tables]
        left = [name for name in left if not re.search(rf"^{re.escape(name)}\b", shown, re.MULTILINE)]
        left += [report.name(f"s{hit.number}") for hit in hits if f"{report.name(f's{hit.number}')}:" not in told]
        more = f"(no room for {left[0]} to {left[-1]}: open them by name)" if left else ""
        self.facts.see(facts)
        text = "\n".join(part for part in (told, shown, more) if part)
        return Card(document_id=self.document_id, facts=tuple(facts), text=text)

    def _at(self, place: Place, report: OpenReport) -> tuple[Sequence[SentenceHit], list[RankedTable]]:
        """The sentences and tables of a place."""
        identifier = report.entry.id
        if place.kind == "s":
            around = AROUND_SENTENCE if place.first == place.last else 0
            return self._index.sentences(identifier, place.first - around, place.last + around), []
        if place.kind == "t":
            inside = [each for each in report.tables.values() if place.first <= each.number <= place.last]
            return (), [RankedTable(identifier, each) for each in inside]
        under = [each for each in report.tables.values() if is_under(place.section, each.heading, each.title)]
        hits = self._index.sentences_under(identifier, place.section)
        said = [hit for hit in hits if is_under(place.section, hit.heading)]
        if said and is_numbered(place.section):
            behind = self._index.sentences(identifier, said[0].number, said[0].number + MOST_OF_SECTION)
            by_number = {hit.number: hit for hit in (*said, *until_next(place.section, behind))}
            said = [by_number[number] for number in sorted(by_number)]
        return said, [RankedTable(identifier, each) for each in under]

    def fetch(self, name: str) -> Fact | None:
        """The figure of this name, read from the index, and what stands in no table or sentence from its graph; None
        where there is none."""
        match = FACT.fullmatch(name)
        report = self.open.get(match["alias"] or "") if match else None
        if match is None or report is None:
            return None
        placed = self._index.figure(report.entry.id, match["name"])
        found = (placed,) if placed is not None else facts_named(report.graph, (match["name"],))
        return renamed(report, found)[0] if found else None

    def fetch_named(self, names: Iterable[str]) -> dict[str, Fact]:
        """The figures of these names that stand in tables or sentences, read from the index."""
        wanted: dict[str, list[str]] = {}
        for match in filter(None, map(FACT.fullmatch, names)):
            wanted.setdefault(match["alias"] or "", []).append(match["name"])
        found: list[Fact] = []
        for alias, local in wanted.items():
            if (report := self.open.get(alias)) is not None:
                placed = self._index.figures_named(report.entry.id, local)
                found += renamed(report, tuple(placed.values()))
        return {fact.name: fact for fact in found}

    def value(self, fact: Fact) -> Decimal:
        """The value of a figure, asked of its graph by a query that the log will show; of many reports it is that of
        the index, which is held against a checksum, and no query was made that could be shown.

        Raises ToolError where the graph has it no more, or otherwise than the index: one of them was left half written.
        """
        report = self.of(fact.name)
        if len(self.open) > MOST_WITH_TABLES:
            return fact.value
        iri = f"{report.graph.iri}#{fact.name.rpartition(':')[2]}"
        query = BY_NAME.format(fact=f"<{iri}>")
        self.queries.append(query)
        values = [Decimal(str(row["value"])) for row in report.graph.select_of(iri, query)]
        if values != [fact.value]:
            raise ToolError(
                f"{fact.name} is another figure in the graph of {report.entry.id!r} than in its index",
                suggestion="`tieout index` reads the report anew",
            )
        return values[0]

    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Further labels of properties: those of a report are in its index."""
        return {}

    def read_by(self, query: str) -> None:
        """Notes a query whose rows are at hand already."""
        self.queries.append(query.strip())

    def about(self, words: str, within: Collection[str] = ()) -> None:
        """Reads the figures of lines that words may name, to choose from. within: aliases of reports, none for all."""
        inside = [each.entry.id for alias, each in self.open.items() if not within or alias in within]
        hits = self._index.find_lines(read_question(words).search or words.split(), inside)
        for number, identifier in dict.fromkeys((hit.table, hit.report) for hit in hits[:MOST_LOOKED_AT]):
            self.facts.see(self._shown.read(self._by_id[identifier], number)[0])

    def of(self, name: str) -> OpenReport:
        """The report that a figure is in. Raises KeyError for a name of none."""
        alias, colon, _ = name.rpartition(":")
        return self.open[alias if colon else ""]

    def take_queries(self) -> tuple[str, ...]:
        """The queries made since this was last asked."""
        taken, self.queries[:] = tuple(self.queries), []
        return taken

    def _report(self, name: str) -> OpenReport:
        if name in self.open:
            return self.open[name]
        if name in self._by_id:
            return self._by_id[name]
        raise ToolError(f"there is no report {name!r}", available=sorted(self.open))

    def _called_otherwise(self, question: str) -> str:
        """What companies are whose names a question says otherwise than their reports: `(Google is Alphabet Inc.:
        alphabet24)`; "" for none."""
        told: dict[str, None] = {}
        printed = {word for each in self.open.values() for word in company_words(each.entry.company or each.entry.id)}
        for company, (_, start, end) in self.across.library.companies_in(question):
            said, own = _POSSESSIVE.sub("", question[start:end]), {each.report for each in company.filings}
            meant = [alias for alias, report in self.open.items() if report.entry.id in own]
            if meant and printed.isdisjoint(_words(said)):
                aliases = ", ".join(filter(None, meant))
                told[f"({harmless(said)} is {harmless(company.name)}{f': {aliases}' if aliases else ''})"] = None
        return "\n".join(told)

    def _words_of_names(self, question: str) -> set[str]:
        """The words by which the companies of the reports are called, in their reports and in a question."""
        words = {word for each in self.open.values() for word in company_words(each.entry.company or each.entry.id)}
        words |= {each.ticker.lower() for each in self.across.library.companies}
        mentions = (question[start:end] for _, (_, start, end) in self.across.library.companies_in(question))
        return words.union(*map(_words, mentions))

    def _rank(self, question: Question, reports: Sequence[OpenReport], used: Sequence[str]) -> Ranking:
        before = {
            (self.of(fact.name).entry.id, fact.table)
            for fact in (self.facts[name] for name in used if name in self.facts)
            if fact.table is not None
        }
        tables = {report.entry.id: report.tables for report in reports}
        apart = [single.asked for single in question.several] or [*map(read_question, question.halves)]
        names = self._words_of_names(question.text)
        return in_turn([rank_about(self._index, each, tables, names, before) for each in (question, *apart)])

    def _of_each(
        self, question: Question, reports: Sequence[OpenReport], used: Sequence[str], room: int, facts: list[Fact]
    ) -> str:
        """The tables of several reports: each has its share of the room, and none is crowded out by the others."""
        parts: list[str] = []
        for at, report in enumerate(reports):
            share = room // (len(reports) - at)
            if shown := self._shown.chosen(self._rank(question, [report], used).tables, share, facts):
                parts.append(shown)
                room -= len(shown) + 1
        return "\n".join(parts)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _is_under(section: str | None, *texts: str) -> bool:
    return section is None or any(section.lower() in text.lower() for text in texts)


def _year(fact: Fact) -> int | None:
    period = fact.period
    return None if period is None else period.year or (period.end.year if period.end else None)


def _in_one_line(fact: Fact) -> str:
    when = f" ({fact.period.label})" if fact.period is not None else ""
    unit = f" {fact.unit}" if fact.unit is not None else ""
    scale = f" x{fact.scale:,}" if fact.scale != 1 else ""
    return f"{fact.name} {harmless(fact.label)[:80]}{when}: {harmless(fact.raw)}{unit}{scale}"
