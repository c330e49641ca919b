"""Reports into the tables of an index, and out of them again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tieout.kg.filings import rows
from tieout.kg.index.blocks import LINES_OF, SENTENCES_OF, line_blocks, read_lines, sentence_blocks
from tieout.kg.index.database import read_with
from tieout.kg.index.figures import cells_blob
from tieout.kg.index.passage import Contents, LineEntry, SentenceEntry

TABLES = ("lines", "sentences", "tables", "figures", "printed")  # with rows of reports, by their keys
WORDS = ("line_words", "sentence_words")
MOST_APART = 0.5  # pages of words beside the largest segment, as a share of that, above which all are made one
DIGESTED = (
    "SELECT id, company, form, ended, facts, mark, source, bundle, bundle_digest, first_line, last_line, "
    "first_sentence, last_sentence, outline FROM reports WHERE key = ?",
    *(f"SELECT * FROM {table} WHERE report = ? ORDER BY number" for table in ("tables", "printed")),
    "SELECT * FROM figures WHERE report = ? ORDER BY kind, number",
    *(f"SELECT * FROM {table} WHERE report = ? ORDER BY key" for table in ("lines", "sentences")),
    *(f"SELECT * FROM {table} WHERE report = ? ORDER BY rowid" for table in rows.TABLES),
)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a report is from. mark: what it is known by; source: its file, with the size in bytes and the time of
    change in nanoseconds that it had when it was read; bundle: the key of its bundle, with a hash of that."""

    mark: str = ""
    source: str = ""
    size: int = 0
    modified: int = 0
    bundle: str = ""
    bundle_digest: str = ""


def keep(db: sqlite3.Connection, contents: Contents, origin: Origin) -> None:
    """Puts a report in, in place of what was there under its id."""
    report = contents.report
    remove(db, report.id)
    db.execute("DELETE FROM unread WHERE source = ?", (origin.source,))
    ended = report.ended.isoformat() if report.ended else None
    key = db.execute(
        "INSERT INTO reports (id, company, form, ended, facts, mark, source, size, modified, bundle, bundle_digest, "
        "outline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(report.id, report.company, report.form, ended, report.facts),
            *(origin.mark, origin.source, origin.size, origin.modified, origin.bundle, origin.bundle_digest),
            contents.outline,
        ),
    ).lastrowid
    assert key is not None
    _keep_tables(db, key, contents)
    rows.keep(db, key, contents.filing)
    lines = _keep_lines(db, key, contents.lines)
    sentences = _keep_sentences(db, key, contents.sentences)
    db.execute(
        "UPDATE reports SET first_line = ?, last_line = ?, first_sentence = ?, last_sentence = ? WHERE key = ?",
        (lines.start, lines.stop - 1, sentences.start, sentences.stop - 1, key),
    )
    db.execute("UPDATE reports SET digest = ? WHERE key = ?", (digest(db, key), key))


def merge_words(db: sqlite3.Connection) -> None:
    """Makes the segments in which FTS5 writes words one, where those beside the largest have grown to half of it.

    A word is looked up in each of them, and in what was taken out of them since; in a single one it is found in a tenth
    of the time.
    """
    for words in WORDS:
        rows = db.execute(f"SELECT count(*) FROM {words}_idx GROUP BY segid").fetchall()
        pages = [count for (count,) in rows]
        if sum(pages) > (1 + MOST_APART) * max(pages, default=0):
            db.execute(f"INSERT INTO {words} ({words}) VALUES ('optimize')")


def digest(db: sqlite3.Connection, key: int) -> str:
    """A hash of all that is kept of a report, but for the words, which are made of it."""
    made = hashlib.sha256()
    for statement in DIGESTED:
        for row in db.execute(statement, (key,)):
            made.update(repr(row).encode(errors="surrogatepass"))
    return made.hexdigest()


def remove(db: sqlite3.Connection, report: str) -> None:
    """Takes a report out, if it is there."""
    db.execute("DELETE FROM pages WHERE id = ?", (report,))
    found = db.execute("SELECT key FROM reports WHERE id = ?", (report,)).fetchone()
    if found is None:
        return
    _forget_words(db, *found)
    rows.remove(db, *found)
    for table in TABLES:
        db.execute(f"DELETE FROM {table} WHERE report = ?", found)
    db.execute("DELETE FROM reports WHERE key = ?", found)


def _forget_words(db: sqlite3.Connection, key: int) -> None:
    """Takes the words of a report out: what they were is said again, as FTS5 keeps no copy of them."""
    numbers = db.execute("SELECT DISTINCT number FROM lines WHERE report = ?", (key,)).fetchall()
    for (number,) in numbers:
        (block,) = db.execute(
            "SELECT texts FROM figures WHERE report = ? AND kind = ? AND number = ?", (key, LINES_OF, number)
        ).fetchone() or (b"",)
        lines = db.execute("SELECT key, label FROM lines WHERE report = ? AND number = ? ORDER BY key", (key, number))
        told = zip(lines.fetchall(), read_with(read_lines, block), strict=True)
        db.executemany(
            "INSERT INTO line_words (line_words, rowid, label, words) VALUES ('delete', ?, ?, ?)",
            ((line, label, words) for (line, label), (words, _) in told),
        )
    db.execute(
        "INSERT INTO sentence_words (sentence_words, rowid, text, heading) "
        "SELECT 'delete', key, text, heading FROM sentences WHERE report = ?",
        (key,),
    )


def _keep_tables(db: sqlite3.Connection, key: int, contents: Contents) -> None:
    db.executemany(
        "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *(key, each.number, each.title, each.heading, each.place, each.statement, each.certainty),
                *("\n".join(each.periods), each.figures),
            )
            for each in contents.tables
        ),
    )
    db.executemany(
        "INSERT INTO printed VALUES (?, ?, ?, ?)",
        ((key, number, corner, cells_blob(cells)) for number, (corner, cells) in contents.printed.items()),
    )


def _keep_lines(db: sqlite3.Connection, report: int, lines: Sequence[LineEntry]) -> range:
    """Keeps the lines of a report, and returns their keys, which follow each other."""
    keys = _keys(db, "lines", len(lines))
    db.executemany(
        "INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?)",
        ((key, report, each.table, each.row, each.label, each.item) for key, each in zip(keys, lines, strict=True)),
    )
    db.executemany(
        "INSERT INTO line_words (rowid, label, words) VALUES (?, ?, ?)",
        ((key, each.label, each.words) for key, each in zip(keys, lines, strict=True)),
    )
    _keep_blocks(db, report, LINES_OF, line_blocks(lines))
    return keys


def _keep_sentences(db: sqlite3.Connection, report: int, sentences: Sequence[SentenceEntry]) -> range:
    keys = _keys(db, "sentences", len(sentences))
    db.executemany(
        "INSERT INTO sentences VALUES (?, ?, ?, ?, ?, ?)",
        (
            (key, report, each.number, each.heading, each.text, each.figures)
            for key, each in zip(keys, sentences, strict=True)
        ),
    )
    db.executemany(
        "INSERT INTO sentence_words (rowid, text, heading) VALUES (?, ?, ?)",
        ((key, each.text, each.heading) for key, each in zip(keys, sentences, strict=True)),
    )
    _keep_blocks(db, report, SENTENCES_OF, sentence_blocks(sentences))
    return keys


def _keep_blocks(db: sqlite3.Connection, report: int, kind: str, blocks: Iterable[tuple[int, bytes]]) -> None:
    db.executemany(
        "INSERT INTO figures VALUES (?, ?, ?, ?)", ((report, kind, number, block) for number, block in blocks)
    )


def _keys(db: sqlite3.Connection, table: str, count: int) -> range:
    (last,) = db.execute(f"SELECT max(key) FROM {table}").fetchone()
    return range((last or 0) + 1, (last or 0) + 1 + count)
