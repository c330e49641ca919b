"""What is said of all of a table: by its corner, its title, the words in front of it, the report, the nearest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tieout.data.printed.amount import Amount, Unit
from tieout.data.printed.label import PER_SHARE, read_label, read_notes
from tieout.data.printed.measure import find_measure, is_money
from tieout.data.printed.note import NO_NOTE, Note, introduced_note, read_note, title_note
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import is_currency
from tieout.data.tables.table_layout import Whole

_DILUTIVE = later(r"\banti-?dilutive\b|\bpotentially dilutive\b", re.IGNORECASE)
_TABLE_OF_SHARES = later(
    r"\b(?:treasury|authorized|issued|outstanding) (?:[a-z]+ ){0,2}shares\b|\b(?:common|treasury) stock activity\b"
    r"|\bshares (?:issued|outstanding|authorized)\b|\bnumber of shares\b",
    re.IGNORECASE,
)
_OF_ALL = later(r"\((?:in )?(?:percent(?:age)?s?\b|%|number of shares\b)", re.IGNORECASE)  # `(Percent of sales)`
_COUNTS_SHARES = later(r"\bshares\b", re.IGNORECASE)
_THOUSAND = 1_000
_LONG, _TOO_LONG = 10**5, 10**8  # amounts of a table without a scale; one for which no scale of others can hold


def marked_money(cells: Iterable[Sequence[Amount]]) -> set[str]:
    """The currencies that amounts are marked with."""
    return {each.unit for cell in cells for each in cell if each.unit is not None and is_currency(each.unit)}


@dataclass
class Around:
    """What stands around the figures of one table. over: the note above all of its columns. labels: of its rows. body:
    its cells below the header. money: the currencies that its amounts are marked with. basis: what the document says of
    all its tables. currency: that its statements are marked with, None for none."""

    corner: str
    title: str
    introduction: str
    over: str
    labels: Sequence[str]
    body: Sequence[Sequence[Amount]]
    money: set[str]
    basis: Note
    currency: str | None

    @cached_property
    def whole(self) -> Whole:
        """Unit and scales of the table, each from the nearest place that says it."""
        unit, note = read_notes(self.corner.lower()) if self.corner else (None, NO_NOTE)
        is_named = bool(read_label(self.corner).name) and not _OF_ALL.match(self.corner)
        if unit and (unit.endswith(PER_SHARE) or (not is_currency(unit) and is_named)):
            unit = None
        if unit is Unit.SHARES and note.counts and self.money:
            unit = None  # `(shares in thousands; values in millions)` says how shares are scaled, where there are any
        whole = self._measured() or Whole(unit, "corner" if unit else None)
        introduced, _ = introduced_note(self.introduction)
        over = replace(read_note(self.over), unit=None)
        for said, place in (
            (over, "column header"),
            (note, "corner"),
            (title_note(self.title), "title"),
            (introduced, "sentence"),
        ):
            whole = whole.filled(said, place)
        if whole.unit is None and not self.money and (place_of_shares := self._of_shares(whole)):
            whole = replace(whole, unit=Unit.SHARES, unit_from=place_of_shares)
        whole = whole if self._is_in_full() else self._with_basis(whole)
        is_open = whole.unit is None and not self.money and bool(whole.scale or self._are_thousands())
        if is_open and self.currency and self._names_money():
            return replace(whole, unit=self.currency, unit_from="document")
        return whole

    def _of_shares(self, whole: Whole) -> str | None:
        """Where it is said that a table is of shares: `Shares of Common Stock`, `(millions of shares)` without a scale
        of anything else, `changes in our treasury shares`; what dilutes earnings are shares too."""
        texts = {"corner": self.corner, "title": self.title, "column header": self.over}
        if whole.scale is None and _COUNTS_SHARES.search(texts.get(whole.counts_from or "", "")):
            return whole.counts_from
        if read_label(self.title).unit is Unit.SHARES:
            return "title"
        near = self.introduction.rpartition(" . ")[2]
        return "sentence" if _DILUTIVE.search(self.introduction) or _TABLE_OF_SHARES.search(near) else None

    def _with_basis(self, whole: Whole) -> Whole:
        """The same with what the document says of all its tables, where the table does not say it. Where some amounts
        are marked as money, the others may be anything."""
        basis = replace(self.basis, unit=None) if self.money else self.basis
        return whole.filled(replace(basis, counts=None) if whole.scale else basis, "document")

    def _names_money(self) -> bool:
        """Whether many rows have the name of something that is an amount of money; a year alone names nothing."""
        named = [text for text in self.labels if any(map(str.isalpha, text))]
        return 3 * sum(map(is_money, named)) >= len(named) > 0

    def _are_thousands(self) -> bool:
        """Whether most amounts have a unit of nothing and more than three digits, as money in full has."""
        plain = [each.value for cell in self.body for each in cell if each.unit is None]
        return 2 * sum(abs(value) >= _THOUSAND for value in plain) > len(plain)

    def _is_in_full(self) -> bool:
        """Whether amounts have so many digits that no scale of other tables can hold for them; a row of shares may have
        more than the money beside it."""
        units: set[str | None] = {*self.money} or {None}
        sizes = [abs(each.value) for cell in self.body for each in cell if each.unit in units]
        return max(sizes, default=0) >= _TOO_LONG and 2 * sum(size >= _LONG for size in sizes) > len(sizes)

    def _measured(self) -> Whole | None:
        """The unit of a thing that the corner, the title or the heading right above says of all of a table that has no
        amounts marked as money: `Generation by province (GWh)`."""
        if self.money:
            return None
        lines = [line.strip(" .:") for line in self.introduction.lower().split(" . ")]
        for said, place in ((self.corner.lower(), "corner"), (self.title.lower(), "title"), (lines[-1], "sentence")):
            if (measure := find_measure(said)) and not read_note(said).unit:
                return Whole(measure.unit, place, counts=measure.scale, counts_from=place)
        return None
