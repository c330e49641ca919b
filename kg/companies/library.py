"""Companies, and what their filings state, over all reports that are kept: for commands, questions and Python.

Nothing is read but the rows that a call needs; what was kept meanwhile is seen by the next `open_library`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

from tieout.data.printed.pattern import later
from tieout.kg.companies.reasons import reasons_in
from tieout.kg.fact import Fact
from tieout.kg.filings.company import UNKNOWN, Company, companies_of
from tieout.kg.filings.naming import Directory, Mention
from tieout.kg.filings.observation import Key, Observation, observations_of
from tieout.kg.index.passage import TableEntry
from tieout.kg.index.words import Index
from tieout.kg.store.kept import stale_notes
from tieout.kg.store.store import check_folder, index_path

MOST_NAMED = 5
LEAST_JOINED = 6  # letters of a name of a file that may stand for several words
_WORD = later(r"[a-z0-9]+")
DOUBLED = 1.4  # times: from 1.5 on a quotient is rounded to two
MOST_LISTED = 5_000  # reports that a query names; of more all are read


class LibraryError(LookupError):
    """A company, a measure or a period that is not there; the message says what is."""


class Library:
    """What is kept, by company. index: of the store; it is not closed. reports: the ids of those that count, None for
    all."""

    def __init__(self, index: Index, reports: Collection[str] | None = None) -> None:
        self._index, self._reports = index, reports
        # By company and line item: the fiscal years that were read, None for all, and what is stated.
        self._known: dict[tuple[str, str], tuple[frozenset[int] | None, Mapping[Key, Observation]]] = {}
        self._doubled: dict[tuple[str, tuple[str, ...]], tuple[Observation, ...]] = {}
        self._reasons: dict[str, tuple[tuple[str, int], ...]] = {}

    @cached_property
    def companies(self) -> tuple[Company, ...]:
        """All companies of which filings are kept, by name."""
        filings = self._index.filings()
        return companies_of(each for each in filings if self._reports is None or each.report in self._reports)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What whoever reads has to know: that files are others by now than those that were read."""
        return stale_notes(self._index)

    @cached_property
    def _directory(self) -> Directory:
        return Directory(
            {company.key: company.names for company in self.companies},
            {company.key: company.ticker for company in self.companies if company.ticker},
        )

    @cached_property
    def _by_key(self) -> Mapping[str, Company]:
        return {company.key: company for company in self.companies}

    def company(self, name: str) -> Company:
        """The company that is called so: by any of its names, its ticker, CIK or LEI, or part of a name that no other
        has. Raises LibraryError where there is none, or several."""
        wanted = name.strip()
        keys = {key for key in (wanted, f"CIK {wanted.lstrip('0')}", f"LEI {wanted}") if key in self._by_key}
        keys = keys or self._directory.named(wanted)
        if len(keys) == 1:
            return self._by_key[next(iter(keys))]
        if keys:
            listed = ", ".join(repr(self._by_key[key].name) for key in sorted(keys)[:MOST_NAMED])
            raise LibraryError(f"{name!r} may be any of {listed}: give more of the name, or the ticker")
        from tieout.kg.store.store import nearest

        known = [called for company in self.companies for called in (*company.names, company.ticker) if called]
        raise LibraryError(f"no company {name!r} is kept; {nearest(name, known)}")

    def companies_in(self, text: str) -> tuple[tuple[Company, Mention], ...]:
        """The companies that a question names, with the spans of their names, from left to right."""
        return tuple((self._by_key[each.key], each) for each in self._directory.mentions(text))

    def named(self, text: str) -> tuple[Company, ...]:
        """The companies that a text names, each once; those whose reports do not say their names, by the first word of
        the name of the file."""
        found = {company.key: company for company, _ in self.companies_in(text)}
        said = _WORD.findall(text.lower())
        for name, company in self._by_file:
            if name in said or (len(name) >= LEAST_JOINED and name in "".join(said)):
                found[company.key] = company
        return tuple(found.values())

    @cached_property
    def _by_file(self) -> tuple[tuple[str, Company], ...]:
        unnamed = (each for each in self.companies if each.key.startswith(UNKNOWN))
        words = ((_WORD.match(each.filings[0].report.lower()), each) for each in unnamed)
        return tuple((found[0], each) for found, each in words if found)

    def company_of(self, report: str) -> Company | None:
        """The company of a report by its id; None where the report does not say whose it is."""
        return next((each for each in self.companies if any(one.report == report for one in each.filings)), None)

    def need(
        self,
        items: Iterable[str],
        companies: Sequence[Company] | None = None,
        years: Collection[int] | None = None,
    ) -> None:
        """Reads what filings state of line items in one go, of all companies or of some. years: the fiscal years that
        are needed, None for all; what is asked beyond them later is read then, of all years."""
        names = tuple(items)
        asked = self.companies if companies is None else companies
        chosen = [each for each in asked if not all(self._has(each, name, years) for name in names)]
        missing = [name for name in names if any(not self._has(each, name, years) for each in chosen)]
        if not missing:
            return
        wanted = None if years is None else frozenset(years)
        for pair in ((each.key, name) for each in chosen for name in missing):
            if pair in self._known and wanted is not None:
                read, _ = self._known[pair]
                wanted = None if read is None else wanted | read
        reports = [filing.report for each in chosen for filing in each.filings]
        rows = list(self._index.observed(missing, reports if len(reports) <= MOST_LISTED else None, wanted))
        by_report: dict[str, list[int]] = {}
        for number, (report, _) in enumerate(rows):
            by_report.setdefault(report, []).append(number)
        for company in chosen:
            own = [rows[number] for filing in company.filings for number in by_report.get(filing.report, ())]
            by_item: dict[str, dict[Key, Observation]] = {name: {} for name in missing}
            for key, each in observations_of(company, own).items():
                by_item[key[0]][key] = each
            for name, found in by_item.items():
                self._known[company.key, name] = wanted, found

    def need_doubled(self, items: tuple[str, ...], companies: Sequence[Company] | None = None) -> None:
        """Reads what `doubled` is to tell, of all companies or of some, in one go."""
        every = self.companies if companies is None else companies
        asked = {each.key: each for each in every if (each.key, items) not in self._doubled}
        by_report = {filing.report: key for key, company in asked.items() for filing in company.filings}
        stated: dict[tuple[str, str, int, str], list[tuple[float, int]]] = {}
        for row, report, item, year, period, amount in self._index.amounts(
            items, list(by_report) if len(by_report) <= MOST_LISTED else None
        ):
            if report in by_report:
                stated.setdefault((by_report[report], item, year, period), []).append((amount, row))
        rows: dict[str, list[int]] = {key: [] for key in asked}
        for (key, *_), found in stated.items():
            if max(found)[0] > DOUBLED * min(found)[0]:
                rows[key] += [row for _, row in found]
        read = self._index.observed_in([row for some in rows.values() for row in some])
        for key, some in rows.items():
            told = observations_of(asked[key], [read[row] for row in some])
            self._doubled[key, items] = tuple(told.values())

    def doubled(self, company: Company, items: tuple[str, ...]) -> tuple[Observation, ...]:
        """What filings of a company state of line items in periods for which two of them state amounts of which one is
        `DOUBLED` times the other: all that a split of shares may account for."""
        if (company.key, items) not in self._doubled:
            self.need_doubled(items, [company])
        return self._doubled[company.key, items]

    def _has(self, company: Company, item: str, years: Collection[int] | None) -> bool:
        """Whether what filings of a company state of a line item is read, of these fiscal years at least."""
        if (company.key, item) not in self._known:
            return False
        read, _ = self._known[company.key, item]
        return read is None or (years is not None and read.issuperset(years))

    def _read(self, company: Company, item: str, years: Collection[int] | None) -> Mapping[Key, Observation]:
        """What filings of a company state of a line item, of these fiscal years at least."""
        if not self._has(company, item, years):
            self.need([item], [company], years)
        return self._known[company.key, item][1]

    def observations(
        self, company: Company, item: str, years: Collection[int] | None = None
    ) -> tuple[Observation, ...]:
        """What filings of a company state of a line item, by its name in `ontology/metrics`, in all periods or in those
        of some fiscal years, the earliest first."""
        known = self._read(company, item, years)
        found = (each for each in known.values() if years is None or each.fiscal_year in years)
        return tuple(sorted(found, key=lambda each: (each.end, each.start or each.end)))

    def tables(self, report: str) -> tuple[TableEntry, ...]:
        """The tables of a report, with which statement each is."""
        return self._index.tables(report)

    def figures(self, report: str, table: int) -> tuple[Fact, ...]:
        """The figures of a table of a report, in the order of print."""
        return self._index.figures(report, table)

    def reasons(self, report: str) -> tuple[tuple[str, int], ...]:
        """Why a report states earlier periods otherwise, as it says, each with the number of the sentence."""
        if report not in self._reasons:
            self._reasons[report] = tuple(reasons_in(lambda words: self._index.sentences_with(report, *words)))
        return self._reasons[report]

    def observation(self, company: Company, item: str, year: int, period: str = "FY") -> Observation | None:
        """What filings state of a line item in one period, None where none does."""
        return self._read(company, item, (year,)).get((item, year, period))


@contextmanager
def open_library(store: Path) -> Iterator[Library]:
    """The library of a store. Raises StoreError where there is none, WordIndexError."""
    check_folder(store, must_exist=True)
    with closing(Index(index_path(store))) as index:
        index.stay()
        yield Library(index)
