"""The words of kept reports in a full-text index (SQLite's FTS5), beside their graphs: a question finds its lines here,
with the figures that are shown to whoever chooses among them.

Ranking is BM25 (Robertson and Zaragoza 2009) as FTS5 has it, a word in a label counting more than one around it.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tieout.kg.fact import Cell, Fact
from tieout.kg.filings import rows
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.rows import day
from tieout.kg.index import writing
from tieout.kg.index.blocks import LINES_OF, SENTENCES_OF, block_of, place_of, read_lines, read_said
from tieout.kg.index.database import WordIndexError, connect, damaged, read_with
from tieout.kg.index.figures import read_cells, read_figures
from tieout.kg.index.passage import Contents, ReportEntry, TableEntry
from tieout.kg.index.relevance import LINES, SENTENCES, Kind, Looked, best_rows, looked, plain_words
from tieout.kg.index.schema import KEPT, SCHEMA, VERSION
from tieout.kg.index.telling import Wanted, rarity, telling
from tieout.kg.index.writing import Origin

__all__ = ["Index", "LineHit", "Origin", "SentenceHit", "WordIndexError"]
TABLES = (
    "SELECT number, title, heading, place, statement, certainty, periods, tables.figures FROM tables "
    "JOIN reports ON reports.key = tables.report WHERE reports.id = ?"
)
OF_SENTENCES = "number, sentences.heading, sentences.text, sentences.figures"
NOWHERE = Origin()  # of a report that is from no file
FEW = 8  # reports that are looked through one by one


class LineHit(NamedTuple):
    """A line that was found. score: greater is better; of one query only."""

    report: str
    table: int
    row: int
    label: str
    item: str
    score: float


class SentenceHit(NamedTuple):
    """A sentence that was found."""

    report: str
    number: int
    heading: str
    text: str
    figures: int
    score: float


class Index:
    """The words of reports. path: its file, None for one in memory; one that may not be written is only read."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        try:
            self._db, self._may_write = connect(path)
            self._prepare()
        except OSError as error:
            if isinstance(error, WordIndexError):
                raise
            raise WordIndexError(f"the index at {str(path)!r} cannot be used: {error}") from error

    def stay(self) -> None:
        """Sees what is there now until it is closed, whoever writes meanwhile."""
        self._db.execute("BEGIN")
        self._db.execute("SELECT key FROM reports LIMIT 1").fetchone()

    def copy(self, path: Path) -> None:
        """Writes all that it holds into another file."""
        with closing(sqlite3.connect(path)) as other:
            self._db.backup(other)

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()

    def _prepare(self) -> None:
        if self._version() == VERSION:
            return
        if not self._may_write:
            raise WordIndexError(
                "the index is of another version of tieout and is read-only here: make it again elsewhere"
            )
        with self._writing():
            if self._version() == VERSION:
                return  # another process has made it meanwhile
            there = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            before = self._sources_of_before() if "reports" in there else []
            for name in sorted(there.intersection(KEPT)):
                self._db.execute(f"DROP TABLE {name}")
            for statement in SCHEMA.split(";\n"):
                self._db.execute(statement)
            self._db.executemany("INSERT OR IGNORE INTO unread VALUES (?)", before)
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _sources_of_before(self) -> list[tuple[str]]:
        """The files of an index of another version: none where it did not note them."""
        with suppress(WordIndexError):
            return list(self._db.execute("SELECT DISTINCT source FROM reports WHERE source <> '' ORDER BY source"))
        return []

    def _version(self) -> int:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        return int(version)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(WordIndexError):  # where the disk is full it is rolled back already
                self._db.execute("ROLLBACK")
            raise

    def keep(self, contents: Contents, origin: Origin = NOWHERE) -> None:
        """Puts a report in, in place of what was there under its id."""
        with self._writing():
            writing.keep(self._db, contents, origin)
        with self._writing():
            writing.merge_words(self._db)

    def remove(self, report: str) -> None:
        """Takes a report out, if it is there."""
        with self._writing():
            writing.remove(self._db, report)

    def check(self, reports: Collection[str] | None = None) -> None:
        """Raises WordIndexError where it does not hold what was written of these reports: SQLite itself does not look.

        Where these are all, or None is given, the whole file is looked at, too."""
        rows = self._db.execute("SELECT key, id, digest FROM reports").fetchall()
        chosen = [row for row in rows if reports is None or row[1] in reports]
        if len(chosen) == len(rows):
            (said,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                raise damaged(str(said))
        for key, report, digest in chosen:
            if writing.digest(self._db, key) != digest:
                raise damaged(f"what it holds of {report!r} is not what was written")

    def filings(self) -> tuple[Filing, ...]:
        """The reports that are kept as filings of companies, by id."""
        return read_with(tuple, rows.read_filings(self._db))

    def observed(
        self,
        items: Iterable[str] | None = None,
        reports: Sequence[str] | None = None,
        years: Iterable[int] | None = None,
    ) -> Iterator[tuple[str, rows.Named]]:
        """What filings state of line items, each with the id of its report. None: of all items, reports, fiscal
        years."""
        yield from read_with(list, rows.read_observed(self._db, items, reports, years))

    def amounts(
        self, items: Sequence[str], reports: Sequence[str] | None = None
    ) -> list[tuple[int, str, str, int, str, float]]:
        """As `read_amounts` has it."""
        return rows.read_amounts(self._db, items, reports)

    def observed_in(self, numbers: Sequence[int]) -> dict[int, tuple[str, rows.Named]]:
        """What filings state, by the numbers of its rows, each with the id of its report."""
        return read_with(partial(rows.read_rows, self._db), numbers)

    def reports(self) -> tuple[ReportEntry, ...]:
        """The reports that are kept, by id."""
        rows = self._db.execute("SELECT id, company, form, ended, facts FROM reports ORDER BY id").fetchall()
        return tuple(ReportEntry(id, company, form, day(ended), facts) for id, company, form, ended, facts in rows)

    def kept_as(self, reports: Collection[str]) -> str:
        """The same for the same reports alone, as long as the same is kept of each."""
        rows = self._db.execute("SELECT id, digest FROM reports ORDER BY id").fetchall()
        chosen = frozenset(reports)
        told = [row for row in rows if row[0] in chosen]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def known(self, mark: str) -> str | None:
        """The id of the report of this mark, None where it is not kept."""
        return next((str(id) for (id,) in self._db.execute("SELECT id FROM reports WHERE mark = ?", (mark,))), None)

    def outline(self, report: str) -> Any:  # noqa: ANN401 - JSON
        """The outline of a report, as `tieout.kg.index.outline.outline_json` gives it. Raises KeyError."""
        row = self._db.execute("SELECT outline FROM reports WHERE id = ?", (report,)).fetchone()
        if row is None:
            raise KeyError(report)
        return read_with(json.loads, row[0])

    def sources(self) -> dict[str, tuple[str, str]]:
        """Of every report that came from a file, by its id: the file, and what it is known by."""
        return {id: (source, mark) for id, (source, mark, _, _) in self.seen().items()}

    def unread(self) -> list[str]:
        """The files that were kept by another version, whose reports are not read again yet."""
        return [source for (source,) in self._db.execute("SELECT source FROM unread ORDER BY source")]

    def seen(self) -> dict[str, tuple[str, str, int, int]]:
        """The same, with the size of the file and when it was changed, as they were when it was read."""
        rows = self._db.execute(
            "SELECT id, source, mark, size, modified FROM reports WHERE source <> '' ORDER BY id"
        ).fetchall()
        return {id: (source, mark, size, modified) for id, source, mark, size, modified in rows}

    def bundle_of(self) -> dict[str, str]:
        """The key of the bundle of every report, by its id."""
        return dict(self._db.execute("SELECT id, bundle FROM reports").fetchall())

    def digests(self, reports: Collection[str] | None = None) -> dict[str, str]:
        """A hash of every bundle, by its key. reports: of those of these alone, where given."""
        rows = self._db.execute(
            "SELECT bundle, bundle_digest FROM reports WHERE bundle <> ''"
            f"{'' if reports is None else ' AND id IN (SELECT value FROM json_each(?))'}",
            () if reports is None else (json.dumps(list(reports)),),
        )
        return dict(rows.fetchall())

    def keep_pages(self, ids: Iterable[str], source: str) -> None:
        """Notes which file pages are from whose graphs are kept and whose words are not."""
        with self._writing():
            self._db.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?)", ((each, source) for each in ids))

    def taken(self) -> dict[str, str]:
        """The file of every report and page that is kept, by its id."""
        pages = dict(self._db.execute("SELECT id, source FROM pages"))
        return pages | {id: source for id, (source, _) in self.sources().items()}

    def tables(self, report: str) -> tuple[TableEntry, ...]:
        """The tables of a report in the order of print."""
        return tuple(map(_table, self._db.execute(f"{TABLES} ORDER BY number", (report,))))

    def table_counts(self) -> dict[str, int]:
        """Of every report with tables, by its id, how many it has."""
        counted = "SELECT report, count(*) AS many FROM tables GROUP BY report"
        return dict(self._db.execute(f"SELECT id, many FROM ({counted}) JOIN reports ON key = report").fetchall())

    def statements(self, least: float) -> dict[str, tuple[TableEntry, ...]]:
        """Of every report, by its id, the tables that are a statement, at least this sure: the surest of each kind, in
        the order of print. One query, however many reports there are."""
        found: dict[str, dict[str, TableEntry]] = {}
        rows = self._db.execute(
            "SELECT reports.id, number, title, heading, place, statement, certainty, periods, tables.figures "
            "FROM tables JOIN reports ON reports.key = tables.report WHERE statement <> '' AND certainty >= ? "
            "ORDER BY certainty DESC, number",
            (least,),
        )
        for report, *row in rows:
            entry = _table(tuple(row))
            found.setdefault(report, {}).setdefault(entry.statement, entry)
        return {report: tuple(sorted(best.values(), key=lambda each: each.number)) for report, best in found.items()}

    def table(self, report: str, number: int) -> TableEntry:
        """One table of a report. Raises KeyError where there is none of this number."""
        row = self._db.execute(f"{TABLES} AND number = ?", (report, number)).fetchone()
        if row is None:
            raise KeyError((report, number))
        return _table(row)

    def lines_of(self, item: str, reports: Sequence[str]) -> tuple[LineHit, ...]:
        """The lines that name a line item, in the order of print."""
        rows = self._db.execute(
            "SELECT reports.id, number, line, label, item FROM lines JOIN reports ON reports.key = lines.report "
            f"WHERE item = ? AND reports.id IN ({_marks(reports)}) ORDER BY reports.id, number, line",
            (item, *reports),
        )
        return tuple(LineHit(report, table, line, label, name, 0.0) for report, table, line, label, name in rows)

    def named_rows(self, report: str, table: int) -> tuple[int, ...]:
        """The rows of a table whose labels name a line item."""
        rows = self._db.execute(
            "SELECT DISTINCT line FROM lines JOIN reports ON reports.key = lines.report "
            "WHERE reports.id = ? AND number = ? AND item <> '' ORDER BY line",
            (report, table),
        )
        return tuple(row for (row,) in rows)

    def labels(self, report: str) -> frozenset[str]:
        """The labels of the lines of a report."""
        rows = self._db.execute(
            "SELECT DISTINCT label FROM lines JOIN reports ON reports.key = lines.report WHERE reports.id = ?",
            (report,),
        )
        return frozenset(str(label) for (label,) in rows)

    def find_lines(self, words: Sequence[str], reports: Sequence[str], limit: int = 50) -> tuple[LineHit, ...]:
        """The lines with any of these words, the best first."""
        found = self._find("number, line, lines.label, item", LINES, words, reports, limit)
        hits = sorted(map(LineHit._make, found), key=lambda hit: (-hit.score, hit.report, hit.table, hit.row))
        return tuple(hits[:limit])

    def find_sentences(self, words: Sequence[str], reports: Sequence[str], limit: int = 30) -> tuple[SentenceHit, ...]:
        """The sentences with any of these words, the best first."""
        found = self._find(OF_SENTENCES, SENTENCES, words, reports, limit)
        hits = sorted(map(SentenceHit._make, found), key=lambda hit: (-hit.score, hit.report, hit.number))
        return tuple(hits[:limit])

    def telling(
        self, words: Sequence[Wanted], years: Sequence[int], report: str, limit: int
    ) -> tuple[SentenceHit, ...]:
        """The sentences of a report that have most of these words, the best first; the score is the share of them that
        each has. years: that they shall be about, where they say any."""
        place = self._place(SENTENCES, report)
        if place is None or not words:
            return ()
        span, known = place

        def rows(keys: Sequence[int]) -> dict[int, tuple[Any, ...]]:
            return self._rows(OF_SENTENCES, SENTENCES, keys, known)

        def texts(keys: Sequence[int]) -> dict[int, str]:
            return {key: row[2] for key, row in rows(keys).items()}

        found = dict(telling(self._db, words, years, span, limit, known, texts))
        return tuple(SentenceHit._make((report, *row, found[key])) for key, row in rows([*found]).items())

    def rarity(self, words: Sequence[Wanted], report: str) -> list[float]:
        """How telling each of these words is in a report; 0 for one that none of its sentences has."""
        place = self._place(SENTENCES, report)
        return [0.0] * len(words) if place is None else rarity(self._db, words, *place)

    def _find(
        self, shown: str, kind: Kind, words: Sequence[str], reports: Sequence[str], limit: int
    ) -> Iterator[tuple[Any, ...]]:
        """The rows with any of these words: the id of the report, what is shown, the score. Of a few reports each is
        weighed for itself: what else is kept has no part in it. shown: the columns that are wanted."""
        plain = plain_words(words)
        rows = f"{kind.name}s"
        if len(reports) > FEW and plain:
            weights = ", ".join(str(counts) for _, counts in kind.columns)
            yield from self._db.execute(
                f"SELECT reports.id, {shown}, -bm25({kind.name}_words, {weights}) AS score FROM {kind.name}_words "
                f"JOIN {rows} ON {rows}.key = {kind.name}_words.rowid JOIN reports ON reports.key = {rows}.report "
                f"WHERE {kind.name}_words MATCH ? AND reports.id IN ({_marks(reports)}) "
                f"ORDER BY score DESC, {rows}.key LIMIT ?",
                (" OR ".join(f'"{word}"' for word in plain), *reports, limit),
            )
            return
        for report in reports if plain else ():
            if (place := self._place(kind, report)) is not None:
                best = dict(best_rows(self._db, kind, plain, place[0], limit, place[1]))
                told = self._rows(shown, kind, [*best], place[1])
                yield from ((report, *told[key], score) for key, score in best.items())

    def _place(self, kind: Kind, report: str) -> tuple[tuple[int, int], Looked] | None:
        """Between which keys the rows of a report are, and what was looked for in them; None where it is not kept."""
        ends = f"SELECT digest, first_{kind.name}, last_{kind.name} FROM reports WHERE id = ?"
        row = self._db.execute(ends, (report,)).fetchone()
        return None if row is None else (row[1:], looked(row[0], kind.name, *row[1:]))

    def _rows(self, shown: str, kind: Kind, keys: Sequence[int], known: Looked) -> dict[int, tuple[Any, ...]]:
        """What is shown of rows, by their keys."""
        if unknown := [key for key in keys if key not in known.rows]:
            named = f"SELECT key, {shown} FROM {kind.name}s WHERE key IN ({_marks(unknown)})"
            known.rows.update((key, tuple(told)) for key, *told in self._db.execute(named, unknown))
        return {key: known.rows[key] for key in keys}

    def figures(self, report: str, table: int, rows: Sequence[int] | None = None) -> tuple[Fact, ...]:
        """The figures of a table in the order of print. rows: of these lines alone, where given."""
        told = [facts for _, facts in read_with(read_lines, self._block(report, LINES_OF, table))]
        if rows is not None and told:
            lines = self._db.execute(
                "SELECT line FROM lines JOIN reports ON reports.key = lines.report WHERE reports.id = ? AND number = ? "
                "ORDER BY lines.key",
                (report, table),
            )
            told = [facts for (line,), facts in zip(lines, told, strict=True) if line in rows]
        facts = [fact for text in told for fact in read_with(read_figures, text)]
        return tuple(sorted(facts, key=lambda fact: (fact.row or 0, fact.column or 0, fact.start)))

    def figures_of_sentences(self, report: str, sentences: Sequence[int]) -> tuple[Fact, ...]:
        """The figures of these sentences, in the order of print."""
        wanted: dict[int, list[int]] = {}
        for number in sorted(set(sentences)):
            wanted.setdefault(block_of(number), []).append(number)
        found = []
        for block, numbers in wanted.items():
            said = read_with(read_said, self._block(report, SENTENCES_OF, block))
            found += [fact for number in numbers for fact in read_with(read_figures, said.get(number, ""))]
        return tuple(found)

    def figure(self, report: str, name: str) -> Fact | None:
        """The figure of this short name, `t5r2c1` of a table or `s12a1` of a sentence; None where there is none."""
        return self.figures_named(report, (name,)).get(name)

    def figures_named(self, report: str, names: Iterable[str]) -> dict[str, Fact]:
        """The figures of these short names, those that there are. A table is read once for all of them."""
        wanted: dict[tuple[str, int], list[str]] = {}
        for name in names:
            wanted.setdefault(place_of(name), []).append(name)
        found: dict[str, Fact] = {}
        for (kind, number), inside in wanted.items():
            block = self._block(report, kind, number if kind == LINES_OF else block_of(number))
            if kind == LINES_OF:
                texts = [facts for _, facts in read_with(read_lines, block)]
            else:
                texts = [read_with(read_said, block).get(number, "")]
            named = (text for text in texts if any(f'"{name}"' in text for name in inside))
            for fact in (fact for text in named for fact in read_with(read_figures, text)):
                if fact.name in inside:
                    found.setdefault(fact.name, fact)
        return found

    def _block(self, report: str, kind: str, number: int) -> bytes:
        """The figures of a table or of some sentences, as they were written; nothing where there are none."""
        query = "SELECT texts FROM figures JOIN reports ON reports.key = figures.report WHERE id = ? AND kind = ?"
        return next((each for (each,) in self._db.execute(f"{query} AND number = ?", (report, kind, number))), b"")

    def sentences_with(self, report: str, *phrases: str) -> Iterator[tuple[int, str]]:
        """The sentences that print one of these phrases, letter by letter but for spaces, by their numbers."""
        wanted = [" ".join(words.split()) for words in phrases]
        longest = [max(words.split(), key=len, default="") for words in wanted]
        rows = self._db.execute(
            "SELECT number, text FROM sentences JOIN reports ON reports.key = sentences.report "
            f"WHERE reports.id = ? AND ({' OR '.join(['instr(text, ?)'] * len(longest))}) ORDER BY number",
            (report, *longest),
        )
        return ((number, text) for number, text in rows if any(each in " ".join(text.split()) for each in wanted))

    def words_like(self, report: str, word: str) -> set[str]:
        """The words of the sentences of a report that begin with the same two letters as another, in lower case, of
        those that it has twice."""
        rows = self._db.execute(
            "SELECT text FROM sentences JOIN reports ON reports.key = sentences.report WHERE reports.id = ?", (report,)
        )
        text = "\n".join(["", *(text for (text,) in rows)]).lower()
        begun = re.compile(rf"{re.escape(word[:2].lower())}[a-z]*(?![\w'’-])")  # found sooner than behind a `\b`
        words = ((match[0], text[match.start() - 1]) for match in begun.finditer(text))
        found = Counter(each for each, before in words if not (before.isalnum() or before == "_"))
        return {each for each, count in found.items() if count > 1}

    def defining(self, report: str, letters: str) -> Iterator[str]:
        """The sentences of a report that may say what letters stand for: `Data Center and AI (DCAI)`."""
        ways = (f"({letters})", f"(“{letters}”)", f'("{letters}")')
        return (text for _, text in self.sentences_with(report, *ways))

    def lists_as(self, report: str, letters: str) -> bool:
        """Whether a report says that its company is listed under these letters: `ticker symbol is ABC`, `NYSE: ABC`."""
        ways = ("symbol is {}", "symbol “{}”", 'symbol "{}"', "symbol {}", "NYSE: {}", "NASDAQ: {}", "Nasdaq: {}")
        return any(self.sentences_with(report, *(way.format(letters) for way in ways)))

    def prints(self, report: str, words: str) -> bool:
        """Whether a sentence, a label or a cell of a report has these words, letter by letter but for spaces."""
        wanted = " ".join(words.split())
        if any(self.sentences_with(report, words)):
            return True
        return any(
            wanted in " ".join(text.split())
            for cells in self.printed_tables(report)
            for cell in cells
            for text in (cell.text, cell.row_label, cell.column_label)
        )

    def printed_tables(self, report: str) -> Iterator[tuple[Cell, ...]]:
        """The cells of each table of a report in reading order, of those without any figure too."""
        rows = self._db.execute(
            "SELECT cells FROM printed JOIN reports ON reports.key = printed.report WHERE reports.id = ? "
            "ORDER BY number",
            (report,),
        )
        return (read_with(read_cells, cells) for (cells,) in rows)

    def printed(self, report: str, table: int) -> tuple[str, tuple[Cell, ...]]:
        """What the corner of a table says, and its cells in reading order. Raises KeyError for a number of none."""
        row = self._db.execute(
            "SELECT corner, cells FROM printed JOIN reports ON reports.key = printed.report "
            "WHERE reports.id = ? AND number = ?",
            (report, table),
        ).fetchone()
        if row is None:
            raise KeyError((report, table))
        return row[0], read_with(read_cells, row[1])

    def sentences(self, report: str, first: int, last: int) -> tuple[SentenceHit, ...]:
        """The sentences from number first to number last, both included."""
        rows = self._db.execute(
            "SELECT reports.id, number, heading, text, figures, 0.0 FROM sentences "
            "JOIN reports ON reports.key = sentences.report WHERE reports.id = ? AND number BETWEEN ? AND ? "
            "ORDER BY number",
            (report, first, last),
        )
        return tuple(SentenceHit(*row) for row in rows)

    def sentences_under(self, report: str, heading: str) -> tuple[SentenceHit, ...]:
        """The sentences under headings that have these words, in the order in which they are printed."""
        rows = self._db.execute(
            "SELECT reports.id, number, heading, text, figures, 0.0 FROM sentences "
            "JOIN reports ON reports.key = sentences.report WHERE reports.id = ? AND instr(lower(heading), ?) "
            "ORDER BY number",
            (report, " ".join(heading.lower().split())),
        )
        return tuple(SentenceHit(*row) for row in rows)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _table(row: tuple[Any, ...]) -> TableEntry:
    number, title, heading, place, statement, certainty, periods, figures = row
    keys = tuple(periods.split("\n")) if periods else ()
    return TableEntry(number, title, heading, place, statement, certainty, keys, figures)
