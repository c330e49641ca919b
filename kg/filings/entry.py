"""A document and its facts -> the entry that is kept of it as a filing: what it is, and its standard concepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tieout.data.document import Document
from tieout.kg.fact import Fact
from tieout.kg.filings.concepts import observe
from tieout.kg.filings.filing import read_filing
from tieout.kg.filings.fiscal import NEAR
from tieout.kg.filings.observed import SAID
from tieout.kg.filings.primary import PrintedTable
from tieout.kg.filings.rows import FilingEntry, Named

ANNUAL = ("10-K", "20-F", "40-F", "Annual")  # forms of reports of a year
AROUND = 46  # days between the end of a year and that of the calendar year of its number


def read_entry(document: Document, facts: Sequence[Fact], tables: Sequence[PrintedTable]) -> FilingEntry:
    """The filing that a document is, with its standard concepts in the periods that its company has a name for."""
    filing = read_filing(document, facts)
    years = filing.years
    named = []
    for each in observe(facts, tables, filing.company, is_annual=filing.form.startswith(ANNUAL)):
        if filing.ended and (each.end - filing.ended).days > NEAR:
            continue  # no report states what has not been: the column was read for another
        if each.found == SAID and filing.ended and abs((each.end - filing.ended).days) <= AROUND:
            each = replace(each, end=filing.ended)  # `at the end of fiscal 2023`
        when = years.of_span(each.start, each.end) if each.start else years.of_instant(each.end)
        if when is None and each.start is None and each.end == filing.ended and filing.fiscal_year:
            when = filing.fiscal_year, filing.fiscal_period  # quarters of twelve weeks end within months
        if when is not None:
            named.append(Named(each, *when))
    return FilingEntry(filing, tuple(named))
