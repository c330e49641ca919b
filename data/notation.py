"""How a document prints its numbers, while it is read, with a decimal comma or a point; and in what language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from tieout.data.document import Document
from tieout.data.printed.languages.language import ENGLISH, language_of, reading_in
from tieout.data.printed.notation import decimal_comma, is_decimal_comma


@contextmanager
def notation_of(document: Document) -> Iterator[str]:
    """What is read inside has its numbers and words as the document prints them; the language it is in. A page with
    codes is English."""
    rows = (row for table in document.tables for row in table.rows)
    is_comma = not document.coded and is_decimal_comma(rows, document.paragraphs)
    language = language_of_document(document)
    with decimal_comma(is_comma), reading_in(language):
        yield language


def language_of_document(document: Document) -> str:
    """The language of a report, as ISO 639-1 has it, by its own words: of its text, and of its tables where it has
    little."""
    if document.coded:
        return ENGLISH
    rows = (cell for table in document.tables for row in table.rows for cell in row[:1])
    return language_of(chain(document.paragraphs, rows))
