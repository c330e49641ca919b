"""One company, one concept, one period, from all filings that state it: the newest counts, the others stand beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tieout.kg.filings.company import Company
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.observed import Observed
from tieout.kg.filings.rows import Named
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.qualifier import qualifiers_of

SURE = 0.6  # of a fact, that it is the concept: below that, a difference says nothing
Key = tuple[str, int, str]  # line item, fiscal year, fiscal period


@dataclass(frozen=True, slots=True)
class Source:
    """What one filing states."""

    filing: Filing
    observed: Observed


@dataclass(frozen=True, slots=True)
class Observation:
    """company: its key. sources: what filings state, the newest first; the first one counts."""

    company: str
    item: str
    fiscal_year: int
    fiscal_period: str
    sources: tuple[Source, ...]

    @property
    def stated(self) -> Observed:
        """What the newest filing states."""
        return self.sources[0].observed

    @property
    def filing(self) -> Filing:
        """The newest filing that states it."""
        return self.sources[0].filing

    @property
    def start(self) -> date | None:
        """First day, None for a balance."""
        return self.stated.start

    @property
    def end(self) -> date:
        """Last day."""
        return self.stated.end

    @property
    def restated(self) -> tuple[Source, ...]:
        """The older filings that state another amount for the same concept, by more than rounding."""
        return tuple(each for each in self.sources[1:] if revises(self.stated, each.observed))


def revises(new: Observed, old: Observed) -> bool:
    """Whether one statement differs from an older one by more than both are rounded.

    Two tags that are not the same are not compared: what a company calls revenue in one year need not be what it calls
    revenue from contracts in the next. Nor are two lines without tags that are qualified in other ways: interest
    expense, and interest expense net of interest income. If one of two lines has a tag and the other none, they are
    compared where their labels are equal. The sign of a line without a tag is told from its words, and makes no
    difference.
    """
    if min(new.probability, old.probability) < SURE or new.unit != old.unit:
        return False
    is_tagged = bool(new.concept and old.concept)
    if is_tagged and new.concept != old.concept:
        return False
    if new.item and not is_tagged and _qualified(new) != _qualified(old):
        return False
    if bool(new.concept) != bool(old.concept) and _named(new) != _named(old):
        return False  # one is accounts payable, the other accounts payable and accrued expenses
    rounded = (_last_place(new) + _last_place(old)) / 2
    if not is_tagged and abs(new.amount + old.amount) <= rounded:
        return False
    return abs(new.amount - old.amount) > rounded


def _named(stated: Observed) -> str:
    return normalise(stated.label).removeprefix("total ")


def _qualified(stated: Observed) -> frozenset[str]:
    """How a line is qualified, beyond what its line item says anyway: a total is one with or without the word."""
    return qualifiers_of(stated.label) - {"total", *line_items()[stated.item].qualifiers}


def split_between(new: Observed, old: Observed) -> int | None:
    """The ratio of a split of shares, if it explains why two statements of shares, or of an amount per share, differ: 4
    for four shares in place of one, -4 for one in place of four. None if it does not."""
    if new.unit == "shares":
        more, less = new, old
    elif new.unit.endswith("/share"):
        more, less = old, new
    else:
        return None
    for one, other, sign in ((more, less, 1), (less, more, -1)):
        times = round(one.amount / other.amount) if other.amount else 0
        if times >= 2 and abs(one.amount - times * other.amount) <= (_last_place(one) + times * _last_place(other)) / 2:
            return sign * times
    return None


def _last_place(stated: Observed) -> Decimal:
    """What one more in the last printed digit is worth, in full units."""
    exponent = stated.value.as_tuple().exponent
    assert isinstance(exponent, int)
    printed = Decimal(1).scaleb(exponent)
    if not stated.value or not stated.amount:
        return printed * stated.scale
    ratio = abs(stated.amount / stated.value)
    return printed * ratio


def observations_of(company: Company, stated: Iterable[tuple[str, Named]]) -> Mapping[Key, Observation]:
    """The observations of a company. stated: by the ids of reports, of any companies."""
    filings = {filing.report: (place, filing) for place, filing in enumerate(company.filings)}
    found: dict[Key, list[tuple[int, Source]]] = {}
    for report, named in stated:
        if report in filings:
            place, filing = filings[report]
            key = named.observed.item, named.fiscal_year, named.fiscal_period
            found.setdefault(key, []).append((place, Source(filing, named.observed)))
    return {
        key: Observation(company.key, *key, _one_each(sorted(each, key=lambda pair: pair[0])))
        for key, each in found.items()
    }


def _one_each(sources: Sequence[tuple[int, Source]]) -> tuple[Source, ...]:
    """Of each filing the surest: a year of 52 weeks may have two days that are called its last."""
    best: dict[int, Source] = {}
    for place, source in sources:
        if place not in best or source.observed.probability > best[place].observed.probability:
            best[place] = source
    return tuple(best.values())
