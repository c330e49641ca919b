"""The statements of one report as data frames: `report.statements.income`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tieout.data.document import Document
from tieout.kg.companies.library import Library
from tieout.kg.companies.output.frame import wide_frame
from tieout.kg.companies.statement import own_statement
from tieout.kg.fact import Fact, PrintedTables
from tieout.kg.filings.company import Company
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index

if TYPE_CHECKING:
    import pandas

EVERY = ("FY", "Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M")


class Statements:
    """The statements of a report: a row for each line, a column for each period. Each raises LibraryError where the
    report has none."""

    def __init__(self, document: Document, facts: Sequence[Fact], printed: PrintedTables) -> None:
        self._contents = read_contents(document, facts, printed)

    @cached_property
    def _library(self) -> Library:
        index = Index()
        index.keep(self._contents)
        return Library(index)

    def _statement(self, kind: str) -> pandas.DataFrame:
        filing = self._contents.filing.filing
        company = Company(filing.report, (filing.company or filing.report,), filing.ticker, (filing,))
        return wide_frame(own_statement(self._library, company, kind, None, EVERY))

    @property
    def income(self) -> pandas.DataFrame:
        """The income statement."""
        return self._statement("income")

    @property
    def balance(self) -> pandas.DataFrame:
        """The balance sheet."""
        return self._statement("balance")

    @property
    def cash_flow(self) -> pandas.DataFrame:
        """The statement of cash flows."""
        return self._statement("cash-flow")

    @property
    def equity(self) -> pandas.DataFrame:
        """The statement of changes in equity."""
        return self._statement("equity")

    @property
    def comprehensive(self) -> pandas.DataFrame:
        """The statement of comprehensive income."""
        return self._statement("comprehensive")
