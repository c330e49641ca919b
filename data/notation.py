"""How a document prints its numbers, while it is read: with a decimal comma or a point."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tieout.data.document import Document
from tieout.data.printed.notation import decimal_comma, is_decimal_comma


def notation_of(document: Document) -> AbstractContextManager[None]:
    """What is read inside has its numbers as the document prints them. A page with codes is English."""
    rows = (row for table in document.tables for row in table.rows)
    return decimal_comma(not document.coded and is_decimal_comma(rows, document.paragraphs))
