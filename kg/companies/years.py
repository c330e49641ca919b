"""Fiscal years as people ask for them, and the values of companies that are of those."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tieout.data.printed.pattern import later
from tieout.kg.companies.compare import Line

LATEST = "latest"
FEW = 8  # companies of which each is taken in a year of its own where they have none in common
_YEARS = later(r"(?P<first>\d{4})(?:\s*(?P<to>[-–]|to)\s*(?P<last>\d{4}|\d{2})?)?$")
_LAST = later(r"last (?P<count>\d{1,2})(?: years?)?$", re.IGNORECASE)


class YearError(ValueError):
    """A text that names no fiscal years."""


@dataclass(frozen=True, slots=True)
class Years:
    """Fiscal years that are asked for. named: by number; since: the first of those to the newest; last: how many of the
    newest. All empty: the newest one, of several companies that which most of them have."""

    named: frozenset[int] = frozenset()
    since: int | None = None
    last: int = 0

    def __str__(self) -> str:
        if self.since is not None:
            return f"{self.since}-"
        return f"last {self.last}" if self.last else ", ".join(map(str, sorted(self.named))) or LATEST


def read_years(text: str) -> Years:
    """`2023`, `2021-2023`, `2021, 2023`, `2021-` for all since, `last 5`, `latest`. Raises YearError."""
    said = text.strip().lower()
    if said in ("", LATEST):
        return Years()
    if found := _LAST.match(said):
        return Years(last=int(found["count"]))
    named: set[int] = set()
    for part in re.split(r"\s*[,;]\s*", said.replace("fy", "").replace("fiscal", "")):
        found = _YEARS.match(part.strip())
        if found is None:
            raise YearError(f"{text!r} names no fiscal years: write 2023, 2021-2023, 2021- or last 5")
        if found["to"] and not found["last"]:
            return Years(since=int(found["first"]))
        last = found["last"] or found["first"]
        named |= set(range(int(found["first"]), int(f"{found['first'][:2]}{last[-2:]}") + 1))
    return Years(frozenset(named))


def of_years(lines: Sequence[Line], years: Years, *, is_one: bool) -> Iterator[Line]:
    """The lines of fiscal years that are asked for. is_one: they are of one company."""
    if years.named:
        yield from lines
    elif years.since is not None:
        yield from (line for line in lines if line.fiscal_year >= (years.since or 0))
    elif years.last:
        yield from _newest(lines, years.last)
    elif is_one:
        yield from _newest(lines, 1)
    else:
        counts = Counter(year for _, year in {(line.company.key, line.fiscal_year) for line in lines})
        usual = max(counts, key=lambda year: (counts[year], year), default=None)
        companies = {line.company.key for line in lines}
        if len(companies) <= FEW and companies != {line.company.key for line in lines if line.fiscal_year == usual}:
            yield from _newest(lines, 1)  # each with its own year, where some have none in common
        else:
            yield from (line for line in lines if line.fiscal_year == usual)


def _newest(lines: Sequence[Line], count: int) -> Iterator[Line]:
    years: dict[str, set[int]] = {}
    for line in lines:
        years.setdefault(line.company.key, set()).add(line.fiscal_year)
    kept = {company: sorted(each)[-count:] for company, each in years.items()}
    yield from (line for line in lines if line.fiscal_year in kept[line.company.key])
