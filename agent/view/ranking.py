"""Which tables and sentences of reports have what is asked for: by line item, by words, by period.

A table that is the statement of a line item which the question names comes first; then those whose lines share rare
words with the question. Nothing here is fitted to a report: the weights are round numbers, of which the order matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from tieout.agent.question.question import Question
from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.index.passage import TableEntry, item_of_concept
from tieout.kg.index.words import Index, LineHit, SentenceHit
from tieout.ontology.metrics.line_item import line_items

ITEM_IN_STATEMENT, ITEM_ELSEWHERE = 3.0, 0.8  # a line item in its own statement, and in another table
BEST_LINE, FURTHER_LINES = 2.0, 0.3  # the line that shares most with the question, and the mean of the next two
YEAR_THERE, YEAR_MISSING = 0.6, -0.8
STATEMENT, SURE = 0.5, 0.9  # the statements themselves, and the certainty from which a table is one
TITLE = 3.0  # all words of the question in the title or the heading of a table
READ_BEFORE = 0.5  # a table that an earlier turn of the conversation used
MOST_LINES, MOST_SENTENCES = 120, 60
_WORD = later(r"[a-z]{3,}")
LINES_EACH = 6  # lines with words of the question that are looked at for each of many reports
FIT_BEST = 2  # tables that come before the statements of a short view, and are shown at length
MOST_STATED = 8  # lines with words of the question, of a file without any page
MOST_LABELS = 3  # of a line item whose words are looked for beside those of the question
Tables = Mapping[str, Mapping[int, TableEntry]]  # of reports, by their numbers


@dataclass(slots=True)
class RankedTable:
    """A table with its score and the rows that made it."""

    report: str
    entry: TableEntry
    score: float = 0.0
    rows: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What is worth reading, the best first."""

    tables: tuple[RankedTable, ...]
    sentences: tuple[SentenceHit, ...]


def in_turn(rankings: Sequence[Ranking]) -> Ranking:
    """What is worth reading by several rankings, the best of each before the next of any."""
    tables = filter(None, chain.from_iterable(zip_longest(*(each.tables for each in rankings))))
    said = filter(None, chain.from_iterable(zip_longest(*(each.sentences for each in rankings))))
    of_tables: dict[tuple[str, int], RankedTable] = {}
    for table in tables:
        known = of_tables.setdefault((table.report, table.entry.number), table)
        known.rows |= table.rows
    return Ranking(tuple(of_tables.values()), tuple({(hit.report, hit.number): hit for hit in said}.values()))


def rank(index: Index, question: Question, reports: Sequence[str]) -> Ranking:
    """What has the words of a question in these reports, and nothing where no word leads: what a search shows."""
    entries = Entries(index)
    found: dict[tuple[str, int], RankedTable] = {}
    labels = [label for name in question.items for label in line_items()[name].labels[:MOST_LABELS]]
    hits = index.find_lines((*question.search, *labels), reports, MOST_LINES)
    add_items(index, question, reports, entries, found)
    add_lines(hits, entries, found)
    for table in found.values():
        table.score += of_years(table.entry, question.years) + TITLE * in_title(table.entry, question.search)
    tables = sorted(found.values(), key=lambda each: (-each.score, each.report, each.entry.number))
    return Ranking(tuple(tables), index.find_sentences((*question.search, *labels), reports, MOST_SENTENCES))


def in_title(entry: TableEntry, words: Sequence[str]) -> float:
    """The share of the words of a question that the title or the heading of a table has, whether one or several."""
    said = {word.removesuffix("s") for word in _WORD.findall(f"{entry.heading} {entry.title}".lower())}
    return sum(word.lower().removesuffix("s") in said for word in words) / len(words) if words else 0.0


def read_before(found: dict[tuple[str, int], RankedTable], entries: Entries, used: Collection[tuple[str, int]]) -> None:
    """Tables that earlier turns used, as (report, table)."""
    for report, number in used:
        table_of(found, report, entries.of(report, number)).score += READ_BEFORE


def statements_first(tables: Sequence[RankedTable]) -> list[RankedTable]:
    """The tables that fit best, then the surest statement of each kind of each report, then all others."""
    best: dict[tuple[str, str], RankedTable] = {}
    for table in tables:
        key = table.report, table.entry.statement
        if table.entry.certainty >= SURE and (key not in best or best[key].entry.certainty < table.entry.certainty):
            best[key] = table
    chosen = {id(table) for table in best.values()}
    return [*tables[:FIT_BEST], *sorted(tables[FIT_BEST:], key=lambda table: id(table) not in chosen)]


class Entries:
    """The entries of tables, each read once. known: those that were read before."""

    def __init__(self, index: Index, known: Tables | None = None) -> None:
        self._index = index
        self._read = {report: dict(tables) for report, tables in (known or {}).items()}

    def of(self, report: str, number: int) -> TableEntry:
        read = self._read.setdefault(report, {})
        if number not in read:
            read[number] = self._index.table(report, number)
        return read[number]


def table_of(found: dict[tuple[str, int], RankedTable], report: str, entry: TableEntry) -> RankedTable:
    return found.setdefault((report, entry.number), RankedTable(report, entry))


def add_statements(reports: Tables, found: dict[tuple[str, int], RankedTable]) -> None:
    """The surest statement of each kind: a line of it may be meant by words that it does not print."""
    for report, tables in reports.items():
        best: dict[str, TableEntry] = {}
        for entry in tables.values():
            if entry.certainty >= SURE and entry.certainty > getattr(best.get(entry.statement), "certainty", 0.0):
                best[entry.statement] = entry
        for entry in best.values():
            table_of(found, report, entry).score += STATEMENT


def add_items(
    index: Index,
    question: Question,
    reports: Sequence[str],
    entries: Entries,
    found: dict[tuple[str, int], RankedTable],
) -> None:
    for name in question.items:
        item = line_items()[name]
        best: dict[tuple[str, int], tuple[float, int]] = {}
        for hit in index.lines_of(name, reports):
            entry = entries.of(hit.report, hit.table)
            own = ITEM_IN_STATEMENT * entry.certainty if entry.statement == item.statement else ITEM_ELSEWHERE
            score = own - 0.05 * (item.rank(hit.label) or 0)
            best[hit.report, hit.table] = max(best.get((hit.report, hit.table), (0.0, 0)), (score, hit.row))
        for (report, number), (score, row) in best.items():
            table = table_of(found, report, entries.of(report, number))
            table.score += score
            table.rows.add(row)


def add_lines(hits: Sequence[LineHit], entries: Entries, found: dict[tuple[str, int], RankedTable]) -> None:
    if not hits:
        return
    top = max(hit.score for hit in hits)
    scores: dict[tuple[str, int], list[float]] = defaultdict(list)
    for hit in hits:
        share = hit.score / top if top > 0 else 0.0
        scores[hit.report, hit.table].append(share)
        if share > 0.5:
            table_of(found, hit.report, entries.of(hit.report, hit.table)).rows.add(hit.row)
    for (report, number), shares in scores.items():
        shares.sort(reverse=True)
        table = table_of(found, report, entries.of(report, number))
        table.score += BEST_LINE * shares[0] + FURTHER_LINES * sum(shares[1:3]) / 2


def needed_lines(index: Index, question: Question, reports: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Of each report the lines that a question needs, as (table, row): two of each line item, else of its words.

    One query for all reports: what it takes grows with the reports and not with their square.
    """
    entries = Entries(index)
    scored: dict[tuple[str, str], list[tuple[float, int, int]]] = defaultdict(list)
    for name in question.items:
        item = line_items()[name]
        for hit in index.lines_of(name, reports):
            entry = entries.of(hit.report, hit.table)
            own = ITEM_IN_STATEMENT * entry.certainty if entry.statement == item.statement else ITEM_ELSEWHERE
            score = own - 0.05 * (item.rank(hit.label) or 0) + of_years(entry, question.years)
            scored[hit.report, name].append((-score, hit.table, hit.row))
    if not question.items:
        for hit in index.find_lines(question.search, reports, LINES_EACH * len(reports)):
            scored[hit.report, ""].append((-hit.score, hit.table, hit.row))
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (report, _), lines in scored.items():
        found[report] += [(table, row) for _, table, row in sorted(lines)[:2]]
    return found


def stated_lines(index: Index, question: Question, report: str, used: Sequence[Fact]) -> list[tuple[int, int]]:
    """The lines that a question needs of a file without any page, as (table, row): those of each line item that is
    named, of what earlier turns used, and those that share most words with it."""
    named = dict.fromkeys((*question.items, *(item_of_concept(fact.concept, fact.label) for fact in used)))
    hits = [hit for name in named if name for hit in index.lines_of(name, [report])]
    words = (*question.search, *(word for fact in used for word in fact.label.split()))
    hits += index.find_lines(words, [report], MOST_STATED) if words else []
    return list(dict.fromkeys((hit.table, hit.row) for hit in hits))


def of_years(entry: TableEntry, years: Sequence[int]) -> float:
    """Whether the table has figures of the years that are named; nothing where it says no period at all."""
    if not years or not entry.periods:
        return 0.0
    printed = " ".join(entry.periods)
    return YEAR_THERE if any(str(year) in printed for year in years) else YEAR_MISSING
