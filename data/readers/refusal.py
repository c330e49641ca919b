"""What is said of a file that cannot be read."""

from __future__ import annotations

READS = "tieout reads HTML, inline XBRL, PDF, XLSX, XLS, ODS, CSV, TSV, Markdown, text and JSON (pages, XBRL)"


class UnreadableError(ValueError):
    """A file cannot be read as a report. The message says what it is and the way out, without the name of the file."""
