"""Companies over all their filings from Python: what `tieout.library` gives, as data frames whose numbers plot."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.kg.companies import library as kept
from tieout.kg.companies.compare import QUARTERS, compare, screen
from tieout.kg.companies.evaluate import LTM
from tieout.kg.companies.output.frame import long_frame, wide_frame
from tieout.kg.companies.statement import own_statement, periods_of, standard_statement
from tieout.kg.filings.company import Company as Registrant

if TYPE_CHECKING:
    import pandas

Years = int | Iterable[int] | None


class Company:
    """One company: its statements over years as data frames, a row for each line and a column for each period."""

    def __init__(self, library: kept.Library, registrant: Registrant) -> None:
        self._library, self._registrant = library, registrant

    def __repr__(self) -> str:
        return f"Company({self.name!r}, {len(self.filings)} filings)"

    @property
    def name(self) -> str:
        """As its newest filing has it."""
        return self._registrant.name

    @property
    def names(self) -> tuple[str, ...]:
        """All its names that are known."""
        return self._registrant.names

    @property
    def filings(self) -> tuple[str, ...]:
        """The ids of its reports, the newest first."""
        return tuple(each.report for each in self._registrant.filings)

    def income(self, years: Years = None, *, quarters: bool = False, standard: bool = False) -> pandas.DataFrame:
        """The income statement. standard: in standard concepts, not in the company's own lines. Raises LibraryError."""
        return self._statement("income", years, quarters, standard)

    def balance(self, years: Years = None, *, quarters: bool = False, standard: bool = False) -> pandas.DataFrame:
        """The balance sheet, as `income`."""
        return self._statement("balance", years, quarters, standard)

    def cash_flow(self, years: Years = None, *, quarters: bool = False, standard: bool = False) -> pandas.DataFrame:
        """The statement of cash flows, as `income`."""
        return self._statement("cash-flow", years, quarters, standard)

    def equity(self, years: Years = None, *, quarters: bool = False, standard: bool = False) -> pandas.DataFrame:
        """The statement of changes in equity, as `income`."""
        return self._statement("equity", years, quarters, standard)

    def comprehensive(self, years: Years = None, *, quarters: bool = False, standard: bool = False) -> pandas.DataFrame:
        """The statement of comprehensive income, as `income`."""
        return self._statement("comprehensive", years, quarters, standard)

    def _statement(self, kind: str, years: Years, quarters: bool, standard: bool) -> pandas.DataFrame:
        make = standard_statement if standard else own_statement
        periods = periods_of(kind, quarters, standard)
        return wide_frame(make(self._library, self._registrant, kind, _years(years), periods))


class Library:
    """The companies of a store. Closed by `close()` or at the end of a `with`."""

    def __init__(self, store: Path) -> None:
        self._resources = ExitStack()
        self._library = self._resources.enter_context(kept.open_library(store))
        for note in self._library.notes:
            warnings.warn(note, stacklevel=3)

    def __repr__(self) -> str:
        count = len(self._library.companies)
        return f"Library({count} {'company' if count == 1 else 'companies'})"

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the index."""
        self._resources.close()

    @property
    def companies(self) -> pandas.DataFrame:
        """A row for each filing that is kept: company, ticker, form, fiscal year and period, last day."""
        import pandas

        rows: list[dict[str, Any]] = [
            {
                "company": company.name,
                "ticker": company.ticker or None,
                "identifier": company.key,
                "report": filing.report,
                "form": filing.form,
                "fiscal_year": filing.fiscal_year,
                "fiscal_period": filing.fiscal_period,
                "ended": pandas.Timestamp(filing.ended) if filing.ended else pandas.NaT,
            }
            for company in self._library.companies
            for filing in company.filings
        ]
        return pandas.DataFrame(rows)

    def company(self, name: str) -> Company:
        """A company by any of its names, its ticker or identifier. Raises LibraryError."""
        return Company(self._library, self._library.company(name))

    def compare(
        self,
        measures: str | Sequence[str],
        companies: Sequence[str] | None = None,
        years: Years = None,
        *,
        quarters: bool = False,
        ltm: bool = False,
    ) -> pandas.DataFrame:
        """Measures by company and period: a row for each value. Raises LibraryError, MeasureError."""
        asked = [measures] if isinstance(measures, str) else list(measures)
        periods = QUARTERS if quarters else (LTM,) if ltm else ("FY",)
        return long_frame(compare(self._library, asked, self._chosen(companies), _years(years), periods))

    def screen(self, conditions: str, companies: Sequence[str] | None = None, years: Years = None) -> pandas.DataFrame:
        """The companies that fulfil conditions as `gross margin > 40% and revenue growth > 10%`, with the figures.

        Raises LibraryError, MeasureError.
        """
        return long_frame(screen(self._library, conditions, self._chosen(companies), _years(years)))

    def _chosen(self, names: Sequence[str] | None) -> list[Registrant] | None:
        return None if names is None else [self._library.company(name) for name in names]


def _years(years: Years) -> list[int] | None:
    return None if years is None else [years] if isinstance(years, int) else list(years)
