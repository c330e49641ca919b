"""The tables of the index beside a store."""

from __future__ import annotations

from tieout.kg.filings import rows

VERSION = 41  # of what the tables below hold: an index of another version is made again
SCHEMA = (
    """
CREATE TABLE reports (key INTEGER PRIMARY KEY, id TEXT UNIQUE, company TEXT, form TEXT, ended TEXT, facts INTEGER,
                      mark TEXT, source TEXT, size INTEGER, modified INTEGER, bundle TEXT, bundle_digest TEXT,
                      digest TEXT, first_line INTEGER, last_line INTEGER, first_sentence INTEGER,
                      last_sentence INTEGER, outline TEXT);
CREATE TABLE pages (id TEXT PRIMARY KEY, source TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unread (source TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX reports_by_mark ON reports (mark);
CREATE TABLE tables (report INTEGER, number INTEGER, title TEXT, heading TEXT, place TEXT, statement TEXT,
                     certainty REAL, periods TEXT, figures INTEGER, PRIMARY KEY (report, number)) WITHOUT ROWID;
CREATE TABLE lines (key INTEGER PRIMARY KEY, report INTEGER, number INTEGER, line INTEGER, label TEXT, item TEXT);
CREATE INDEX lines_by_item ON lines (item, report) WHERE item <> '';
CREATE INDEX lines_by_report ON lines (report, number);
CREATE TABLE sentences (key INTEGER PRIMARY KEY, report INTEGER, number INTEGER, heading TEXT, text TEXT,
                        figures INTEGER);
CREATE TABLE figures (report INTEGER, kind TEXT, number INTEGER, texts BLOB, PRIMARY KEY (report, kind, number));
CREATE TABLE printed (report INTEGER, number INTEGER, corner TEXT, cells BLOB, PRIMARY KEY (report, number));
CREATE INDEX sentences_by_report ON sentences (report, number);
CREATE VIRTUAL TABLE line_words USING fts5 (label, words, content="", tokenize="porter unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE sentence_words USING fts5 (text, heading, content="sentences", content_rowid="key",
                      tokenize="porter unicode61 remove_diacritics 2");
"""
    + rows.SCHEMA
)
# What is made again for another version: not `unread`, the files that such an index was of.
KEPT = (
    *("reports", "pages", "tables", "lines", "sentences", "figures", "printed", "line_words", "sentence_words"),
    *rows.TABLES,
)
