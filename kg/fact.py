"""One printed amount with its meaning and its place: built here, stored in the graph, read back by the agent."""

import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from tieout.data.frozen import Frozen
from tieout.data.printed.periods.period import Period
from tieout.data.printed.sign import measured
from tieout.data.printed.unit import Unit, is_scaled

NUMERAL = "Numeral"  # the class, and so the instance, of what measures nothing
_UNITS = {str(unit): unit for unit in Unit}


class FactKind(StrEnum):
    TABLE = "table"
    TEXT = "text"
    STATED = "stated"  # by the file itself, without a page: a hidden tag, XBRL JSON


class Reading(Frozen):
    """What print alone says of an amount, where the tag on it says something else. period: its key."""

    unit: str | None = None
    scale: int = 1
    period: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Fact:
    """One amount printed in a document. No model of pydantic: to read a field of those takes ten times as long.

    name: short, unique in its document and stable: `t1r2c3` (table 1, row 2, column 3, rows and columns counted as
        printed from 0, with the header row as row 0), `t1r2c3b` for the second amount of a cell, `s14a2` (sentence 14,
        its second amount, years, days and references counted behind the others). It is the local name of its IRI.
    value: signed, as printed; never scaled. unit: see `tieout.data.printed.amount`, None where none is stated.
    scale: a power of ten.
    unit_from, scale_from: `cell`, `row label`, `column header`, `column` (the mark at its head), `corner`, `title`,
        `sentence`, `document`; None where not stated. A scale of 1 that is not stated is what is reckoned with: see
        `scale_known`.
    period: None where none is stated or implied. period_from: `column header`, `row label`, `section`,
        `next balance`, `rows around`, `corner`, `introduction`, `sentence`, `sentence before`, `paragraph before`,
        `document` (the report's own day: what it says in the present tense, and what lies ahead of it).
    instance, entity_type, property: local names (`StockOption_2007`, `StockOption`, `exercisePrice`).
    label: what is measured: the printed row label (or column header, where the table runs down), or the phrase of the
        sentence.
    header: the other axis as printed (`2007`, `payments due by period total`), "" for text. section: sub-heading.
    raw: the printed text, character for character; start, end: its span in the cell, label or paragraph.
    table, row, column: of the cell (or header) it stands in, table counted from 1; None for text.
    paragraph, sentence: index in `Document.paragraphs`, and of the sentence in the whole document; None for tables.
    context: the whole text of the cell or sentence, or, of a cell of more than 1,000 characters, the part around the
        amount. context_start: where it begins in the cell, label or paragraph.
    caption: the sentence that introduces the table, "" for text.
    heading: where in the report it stands (`Item 8 > Note 5 Debt`). place: as in `tieout.data.document.Table`.
    concept, dimensions, exact: what the tag on the amount says, "", () and None where it has none: the concept, the
        axes with their members, and the value signed and in full units (None too where the tag says nil). reading:
        what print says, where that is something else than the tag, which decides.
    parts: of the company, that print says it is about, in printed words, sorted (`Greater China`); () for all of it, or
        where nothing says so.
    marks: the footnote marks at it, at its row or at its column, sorted (`(1)`, `[a]`).
    doubts: why a person may read something else there, in words, sorted. recognised: where it is read off a picture,
        how sure the recognition is, from 0 to 1; None for print that is text.
    """

    name: str
    kind: FactKind
    value: Decimal
    raw: str
    unit: Unit | str | None = None
    unit_from: str | None = None
    scale: int = 1
    scale_from: str | None = None
    period: Period | None = None
    period_from: str | None = None
    instance: str
    entity_type: str
    property: str
    label: str
    header: str = ""
    section: str = ""
    matched_by: str
    match_score: float
    table: int | None = None
    row: int | None = None
    column: int | None = None
    paragraph: int | None = None
    sentence: int | None = None
    start: int
    end: int
    context: str
    context_start: int = 0
    caption: str = ""
    heading: str = ""
    place: str = ""
    concept: str = ""
    dimensions: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    recognised: Decimal | None = None
    exact: Decimal | None = None
    reading: Reading | None = None

    def __hash__(self) -> int:
        """By what tells facts apart: to hash all of it is most of what sets of facts cost."""
        return hash((self.name, self.raw, self.label, self.header))

    def __eq__(self, other: object) -> bool:
        """By all fields: what is prepared of facts is found by them."""
        return isinstance(other, Fact) and self.__dict__ == other.__dict__

    @builtins.property
    def unit_known(self) -> bool:
        """Whether anything printed says what the amount is of."""
        return self.unit is not None

    @builtins.property
    def scale_known(self) -> bool:
        """Whether the scale is printed, or none can be meant: of a percentage, a price, an amount in a sentence.

        An amount of money or a count in a table over which nothing says `in millions` or `in dollars` may be in full or
        in thousands: nobody can tell from the page.
        """
        return self.scale_from is not None or self.kind is not FactKind.TABLE or not is_scaled(self.unit)

    @builtins.property
    def measured(self) -> Decimal | None:
        """What the row measures where its own words turn the printed sign: 1,234 of `net loss (1,234)`; else None."""
        both = measured(self.value, self.label) if self.kind is FactKind.TABLE and not self.concept else None
        return both[0] if both else None

    def changed(self, **told: object) -> "Fact":
        """The same but for these fields, which are known to be right."""
        return made_fact({**self.__dict__, **told}, is_whole=True)

    def around(self) -> tuple[str, str]:
        """What stands in front of the amount and behind it in its cell or sentence."""
        return self.context[: self.start - self.context_start], self.context[self.end - self.context_start :]


_DEFAULTS: dict[str, Any] = {each.name: None if each.default is MISSING else each.default for each in fields(Fact)}


def whole(told: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a fact with those that are left out, as they are then."""
    return {**_DEFAULTS, **told}


def made_fact(told: dict[str, Any], *, is_whole: bool = False) -> Fact:
    """A fact of fields that are known to be right and of their types: quickly, as a view has hundreds and a report
    thousands. is_whole: whether none is left out."""
    fact = Fact.__new__(Fact)
    object.__setattr__(fact, "__dict__", told if is_whole else whole(told))
    return fact


def unit_named(name: str) -> Unit | str:
    """The unit of a name, as `tieout.data.printed.unit` has it."""
    return _UNITS.get(name, name)


def place_of(fact: Fact) -> tuple[int, int, int, int, int]:
    """Sorts facts: tables first, then text, then what is only stated, each in the order in which it is printed."""
    if fact.kind is FactKind.STATED:
        return (2, int(fact.name[1:]), 0, 0, 0)
    if fact.kind is FactKind.TEXT:
        return (1, fact.sentence or 0, 0, 0, fact.start)
    return (0, fact.table or 0, fact.row or 0, fact.column or 0, fact.start)


class Cell(NamedTuple):
    """A printed cell of a table. row_label, column_label: what it stands under, "" where that is nothing."""

    row: int
    column: int
    text: str
    row_label: str
    column_label: str

    @property
    def is_label(self) -> bool:
        """Whether it is a row label or a header, not a value."""
        return self.column == 0 or self.text == self.row_label


PrintedTables = dict[int, tuple[str, tuple[Cell, ...]]]  # by number: what the corner says, the cells in reading order


def measures(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts that measure something, without printed years, parts of dates and numbers that name things."""
    return (fact for fact in facts if fact.entity_type != NUMERAL)


def class_of(facts: Iterable[Fact]) -> str:
    """The class of what the facts of a table are about; "" where they measure nothing."""
    return next((fact.entity_type for fact in measures(facts)), "")
