"""A question as read: what is asked, of what, of when, and how the answer is wanted. Nothing is looked up for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, items_of
from tieout.ontology.asked.sort import TOLD, sort_asked, sort_of_figures
from tieout.ontology.asked.when import When
from tieout.ontology.metrics.formula import Apply, Formula

Kind = Literal["number", "boolean", "count", "period", "name", "names", "list", "words"]
Calculation = Literal["value", "change", "growth", "yearly growth", "multiple", "share", "average", "sum"]
ENDS = frozenset(("highest", "lowest"))  # cues of what asks for the one of several that is most, or least
_OF_MOVES = frozenset(("change", "rate of change", "growth", "percent", "more", "fewer", "in unit"))
Form = Literal["figure", "yes or no", "list", "year", "measure", "why"]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison. stems: of its words, () where there is none; years: that it names."""

    text: str = ""
    stems: tuple[str, ...] = ()
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    text: as it was asked. lower: the part of it that asks, in lower case with single spaces. words: of it, in order.
    stems: of its words but those of grammar; core: of them those that may name a measure, an entity or a table;
        topic: those that say of what thing an amount is asked, manner: those that say which amount of it.
    pairs: of stems that follow each other.
    cues: names of what its words are signs of, as in the file of its language; doing: of those beside what it names.
    kinds: of answer, the likeliest first. form: of the answer, where a statement is asked. tree: what is calculated of
        what it names, in one period; calculation: what is made of that over time. less: it asks for a fall, or the
        lowest. compares: it asks which of several.
    named: the line items and metrics that it names, in order. open: the words that nothing else accounts for, in the
        singular: they have to stand around the figures of an answer. search: the words to look for.
    left, right: the sides of a comparison; apart: two things that may be compared, where no word connects them.
    part, whole: of a share, as questions of their own. parts: of a list. several: the questions that are asked in one.
    halves: the texts of two, one asked behind the other: it may ask more of the same, `by how much?`, or for words.
    when: the time it names; before: the years for which the question before asked for the same.
    bound: of a filter. numbers: with their spans; literals: the same, each once; counts: also those in words.
    scales: that the answer is wanted in. sort: of amount that is asked for, as weights know it: `rate`, `price`,
        `duration`, `shares`, `count` or `plain`. rate: the word by which it asks for one, `margin`, "" for none.
    is_part: it is for a part of what is calculated, of whatever sort. defines: it says itself what its term means.
    pointing: which of the sides has a word for something said before: `left`, `right`, `both` or `neither`; "" where
        there are no sides. called: the operations whose results it points at by a name: `that difference`.
    read_as: its misspelt words, each with the one that it was read as.
    told: what it asks for that reports tell in words, `auditor`, as the file of its language calls it; "" for none.
    """

    text: str
    lower: str
    words: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    manner: tuple[str, ...] = ()
    pairs: frozenset[tuple[str, str]] = frozenset()
    digits: frozenset[str] = frozenset()
    cues: frozenset[str] = frozenset()
    doing: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ("number", "words")
    form: Form = "figure"
    calculation: Calculation = "value"
    tree: Formula | None = None
    less: bool = False
    compares: bool = False
    named: tuple[Named, ...] = ()
    open: frozenset[str] = frozenset()
    search: tuple[str, ...] = ()
    left: Side = field(default_factory=Side)
    right: Side = field(default_factory=Side)
    apart: tuple[Side, Side] = (Side(), Side())
    part: Question | None = None
    whole: Question | None = None
    several: tuple[Single, ...] = ()
    halves: tuple[str, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    when: When = field(default_factory=When)
    before: tuple[int, ...] = ()
    bound: Bound | None = None
    numbers: tuple[tuple[Decimal, int, int], ...] = ()
    literals: tuple[Decimal, ...] = ()
    counts: frozenset[Decimal] = frozenset()
    scales: tuple[int, ...] = ()
    sort: str = "plain"
    rate: str = ""
    is_part: bool = False
    defines: bool = False
    pointing: str = ""
    called: frozenset[str] = frozenset()
    read_as: tuple[tuple[str, str], ...] = ()
    told: str = ""

    @property
    def years(self) -> tuple[int, ...]:
        """The years that it names, in its order."""
        return self.when.years

    @property
    def span(self) -> tuple[date, date] | None:
        """The first and the last day of the part of a year that it names."""
        return self.when.span

    @property
    def counted(self) -> int:
        """How many it says that it is asked of: `the average of the three`; 0 for none."""
        return next((int(each) for each in sorted(self.counts) if 1 < each < 10), 0)

    @property
    def part_of_year(self) -> bool:
        """Whether it asks for a quarter or another part of a year."""
        return "part of year" in self.cues

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The stems of the two sides that a word connects, else of what may be compared."""
        if self.left.stems and self.right.stems:
            return self.left.stems, self.right.stems
        return self.apart[0].stems, self.apart[1].stems

    @property
    def joins(self) -> tuple[str, Formula | None]:
        """Its words before what it names, and that: `divided by` of `divided by EBITDA?`, or a number."""
        if self.named:
            return self.lower[: self.named[0].start], self.tree
        value, start, _ = self.numbers[0] if len(self.numbers) == 1 else (None, 0, 0)
        return self.lower[:start], value

    @property
    def asks_change(self) -> bool:
        """Whether it asks by how much something changed."""
        return bool(self.cues & {"change", "rate of change"})

    @property
    def asks_for(self) -> str:
        """The sort of answer that it asks for, as `ontology/asked/sort.py` has them; "" for any, and for several."""
        sort = sort_asked(self.lower, self.cues, self.named, self.calculation)
        is_other = self.kinds[0] in ("boolean", "name", "names", "list") or self.form not in ("figure", "list")
        if is_other or self.several:
            return ""
        if sort in TOLD:
            is_measured = bool(self.named) and self.kinds[0] != "words" and sort != "rating"
            return "" if is_measured or self.calculation != "value" else sort
        if self.kinds[0] == "period":
            return ""
        return "percent" if self.asks_share and "by number" not in self.cues else sort

    @property
    def is_told(self) -> bool:
        """Whether a day, a rating or a name answers it, and no measure."""
        return self.asks_for in TOLD

    @property
    def asks_count(self) -> bool:
        """Whether it asks how many there are, which no amount of money answers."""
        return self.asks_for in ("count", "shares")

    @property
    def asks_of_figures(self) -> str:
        """The sort of the figures that are looked up for it, "" where what is made of others may answer."""
        if self.is_part or self.whole is not None or isinstance(self.tree, Apply):
            return ""
        return sort_of_figures(self.lower, self.calculation, self.asks_for)

    @property
    def asks_share(self) -> bool:
        """Whether it asks for what part of another amount one is, which no amount of money answers."""
        return self.whole is not None or "share wanted" in self.cues | self.doing

    @property
    def on_base(self) -> bool:
        """Whether it asks how something moved since the one year that it names: `up against 2022`."""
        is_moved = self.calculation in ("change", "growth", "multiple")
        return is_moved and len(self.years) == 1 and "base year" in self.cues

    @property
    def is_held_against(self) -> bool:
        """Whether it holds something against itself at another time, and does not say by what it wants to know how it
        moved: `sales versus a year ago`."""
        is_bare = self.calculation in ("change", "growth") and self.cues.isdisjoint(_OF_MOVES)
        return is_bare and language().forms["held against"].search(self.text.lower()) is not None

    @property
    def moved(self) -> str:
        """`rose` or `fell` where it asks by how much something did; "" where it does not."""
        forms = language().forms
        if (found := forms["how much it moved"].search(self.lower)) is not None:
            return "rose" if found["rose"] is not None else "fell"
        if (found := forms["how much more than"].search(self.lower)) is not None:
            is_in_order = found["last"] is None or found["last"] >= found["first"]
            return "rose" if (found["rose"] is not None) == is_in_order else "fell"
        return ""

    @property
    def items(self) -> tuple[str, ...]:
        """The line items that are needed: those named, and those that a named metric is made of."""
        return tuple(dict.fromkeys(item for each in self._measures() for item in items_of(each)))

    def _measures(self) -> Iterator[Named]:
        yield from self.named
        for each in self.several:
            yield from each.asked.named
        if self.whole is not None:
            yield from self.whole.named

    def says(self, head: str) -> bool:
        """Whether it has what a figure stands under, as it is printed."""
        return len(head) > 3 and head.lower() in self.lower

    def writes_as_name(self, word: str) -> bool:
        """Whether a word, in lower case, is written as a name is: with a capital, not at the head of the question."""
        return any(form in self.text[1:] for form in (word.capitalize(), word.upper()))


@dataclass(frozen=True, slots=True)
class Single:
    """One of several questions that are asked in one. said: what it asks for, "" where that is told by its figure;
    after: the one that says what it leaves out. plain: without what the one before it is of, which it may be of too."""

    said: str
    asked: Question
    after: Question | None = None
    plain: Question | None = None
