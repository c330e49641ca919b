"""A fact on its way into the graph, and the tables of a document as facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.data.document import Remark, Tag
from tieout.data.printed.amount import Amount
from tieout.data.printed.periods.period import Period
from tieout.data.printed.signs.minus import EITHER
from tieout.data.printed.unit import NOT_MEASURES, THINGS, Unit, is_currency, is_scaled
from tieout.data.tables.table import Layout, Meaning, Orientation
from tieout.kg.fact import Reading

NEVER_NEGATIVE = NOT_MEASURES | THINGS | {Unit.SHARES, Unit.COUNT, Unit.YEARS, Unit.MONTHS, Unit.DAYS}
ALPHABET = "bcdefghijklmnopqrstuvwxyz"
PERIOD = "period "
UNDATED = (f"{PERIOD}undated", "undated")  # the instance of text facts with no stated period


@dataclass(slots=True)
class Draft:
    """One fact before it has names in the graph. place: local name of its cell or sentence; the other fields are as
    in `tieout.kg.fact`.

    instance: what tells its instance from others of the same class, and how to call it. core: the label to match
        with the ontology.
    """

    name: str
    place: str
    amount: Amount
    raw: str
    meaning: Meaning
    period: Period | None
    period_from: str | None
    instance: tuple[str, str]
    label: str
    core: str
    header: str = ""
    section: str = ""
    tag: Tag | None = None
    reading: Reading | None = None
    parts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    recognised: Decimal | None = None


@dataclass(slots=True)
class CellDraft:
    """One printed cell with its facts."""

    name: str
    row: int
    column: int
    text: str
    row_label: str
    column_label: str
    section: str
    facts: list[Draft]


@dataclass(slots=True)
class TableDraft:
    """One table, counted from 1. caption: what it is about. introduction: the words in front of it. statement: the
    class of the statement that it is, None where it is none or of a page."""

    number: int
    layout: Layout
    caption: str
    cells: list[CellDraft]
    introduction: str = ""
    statement: str | None = None

    @property
    def money(self) -> tuple[int, Decimal] | None:
        """The scale that all its money is on, and the largest amount of it as printed; None where there is none or
        several are."""
        facts = [fact for cell in self.cells for fact in cell.facts if is_currency(fact.meaning.unit)]
        scales = {fact.meaning.scale for fact in facts if fact.meaning.scale_from}
        return (scales.pop(), max(abs(fact.amount.value) for fact in facts)) if len(scales) == 1 else None

    @property
    def labels(self) -> list[str]:
        """The labels of its rows and columns."""
        return [line.label for line in (*self.layout.rows, *self.layout.columns) if line.label]

    @property
    def lines(self) -> list[str]:
        """The labels of its properties: those of the rows, or of the columns where properties run across."""
        across = self.layout.orientation is Orientation.INSTANCES_ACROSS
        return [line.label for line in (self.layout.rows if across else self.layout.columns) if line.label]


def of_period(key: str, section: str = "", count: int = 1) -> tuple[str, str]:
    """The instance of a period, shared by tables and text. count: for the lines of one table that repeat the period."""
    return f"{PERIOD}{key}|{section}|{count}", key


def stated(amount: Amount, place: str) -> Meaning:
    """The meaning of an amount that itself says what it is, as those in labels do. place: what it is printed in."""
    said = amount.scale != 1 or (place == "cell" and is_scaled(amount.unit))
    return Meaning(amount.unit, place if amount.unit else None, amount.scale, place if said else None)


def sureness(
    amount: Amount, unit: str | None, remarks: Sequence[Remark], of_tag: str = ""
) -> tuple[tuple[str, ...], Decimal | None]:
    """What is doubtful about an amount, and how sure its recognition is, None where it is no picture. remarks: those
    on the cell or paragraph that it is printed in. of_tag: why its tag is doubtful. unit: as told in the end; what is
    never negative has no minus in front: `authorized – 2,400`, of shares."""
    if not (remarks or amount.doubt or of_tag):
        return (), None
    here = [each for each in remarks if each.start < amount.end and amount.start < each.end]
    sure = [each.recognised for each in here if each.recognised is not None]
    own = "" if amount.doubt == EITHER and unit in NEVER_NEGATIVE and amount.value > 0 else amount.doubt
    doubts = (own, *(each.doubt for each in here), of_tag)
    return tuple(dict.fromkeys(doubt for doubt in doubts if doubt)), min(sure, default=None)


def nth(name: str, index: int) -> str:
    """The name of the amount `index` of one place: `t1r2c3`, `t1r2c3b`, ... `t1r2c3z`, `t1r2c3bb`."""
    tail = ""
    while index:
        index, letter = divmod(index - 1, len(ALPHABET))
        tail = ALPHABET[letter] + tail
    return name + tail
