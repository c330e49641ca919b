"""Companies: filings of one registrant are together, by its identifier, else by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import quote

from tieout.kg.filings.filing import Filing
from tieout.kg.filings.naming import short

UNKNOWN = "unnamed, of"  # in the name of a company that its report does not say
NEXT_YEAR = timedelta(days=400)  # within which a company tells of a year behind the one of its newest filing
COMPANY = "urn:tieout:company:"


@dataclass(frozen=True, slots=True)
class Company:
    """A company. key: `CIK 320193`, `LEI ...`, else its short name. names: all, that of the newest filing first.
    filings: the newest first."""

    key: str
    names: tuple[str, ...]
    ticker: str
    filings: tuple[Filing, ...]

    @property
    def name(self) -> str:
        """As its newest filing has it; its key where no filing says it."""
        return self.names[0] if self.names else self.key

    @property
    def iri(self) -> str:
        """`urn:tieout:company:` and its CIK, LEI or name."""
        return COMPANY + quote(self.key.removeprefix("CIK ").removeprefix("LEI ").replace(" ", "-"), safe="-")


def newest_first(filings: Iterable[Filing]) -> tuple[Filing, ...]:
    """Of one day, an amendment before what it amends, and a report of a year before what tells of it in short."""

    def order(filing: Filing) -> tuple[date, bool, bool, str]:
        is_periodic = filing.form.upper().startswith(("10-", "20-F", "40-F"))
        return filing.ended or date.min, is_periodic, filing.is_amendment, filing.report

    return tuple(sorted(filings, key=order, reverse=True))


def companies_of(filings: Iterable[Filing]) -> tuple[Company, ...]:
    """The companies of some filings, by name. What names nobody is of a company of its own, and so is a forecast."""
    groups: dict[str, list[Filing]] = {}
    names: dict[str, str] = {}  # short names to the key of their company
    for filing in sorted(filings, key=lambda each: (not each.identifier, each.report)):
        name = short(filing.company) or f"{UNKNOWN} {filing.report}"
        key = filing.identifier or names.get(name, name)
        names.setdefault(name, key)
        groups.setdefault(key, []).append(filing)
    for key, group in [*groups.items()]:
        for each in _forecasts(group):
            groups[key].remove(each)
            groups[f"{UNKNOWN} {each.report}"] = [replace(each, company="", names=())]
    made = (_company(key, newest_first(each)) for key, each in groups.items())
    return tuple(sorted(made, key=lambda company: (company.name.lower(), company.key)))


def _forecasts(filings: Sequence[Filing]) -> list[Filing]:
    """What is no filing of a company, though it has its name: of no form, and of years behind the one that follows the
    newest filing with one, as somebody's model of what will be."""
    newest = max((each.ended for each in filings if each.form and each.ended), default=None)
    if newest is None:
        return []
    return [each for each in filings if not each.form and each.ended and each.ended - newest > NEXT_YEAR]


def _company(key: str, filings: Sequence[Filing]) -> Company:
    named = [filing.company for filing in filings if filing.company]
    other = [name for filing in filings for name in filing.names]
    seen: Mapping[str, str] = {name.lower(): name for name in reversed([*named, *other])}
    names = tuple(dict.fromkeys(seen[name.lower()] for name in (*named, *other)))
    ticker = next((filing.ticker for filing in filings if filing.ticker), "")
    return Company(key, names, ticker, tuple(filings))
