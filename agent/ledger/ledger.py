"""Working memory, audit trail and provenance in one: named, typed, immutable entries; an answer is an entry."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from tieout.agent.protocol.tool import ToolError
from tieout.data.arithmetic.units import Measure, shifted
from tieout.data.frozen import Frozen
from tieout.data.printed.amount import Unit


class FromFact(Frozen):
    """The value is printed in the document. fact: its name in the document's graph."""

    kind: Literal["fact"] = "fact"
    fact: str
    raw: str
    label: str
    place: str  # in words: `table 1, row "exercise price", column "2007"`, `sentence 14`


class FromQuestion(Frozen):
    """The value is written in the question. start, end: its span there."""

    kind: Literal["question"] = "question"
    turn: int
    raw: str
    start: int
    end: int


class FromConstant(Frozen):
    """A known constant: 100 of an index that starts at 100, 12 months, 1000 to convert. meaning: which."""

    kind: Literal["constant"] = "constant"
    meaning: str


class FromPrior(Frozen):
    """The answer of an earlier turn. entry: its own entry there; given: it came from outside (gold history);
    calculated: it was, so that it is shown rounded here too."""

    kind: Literal["prior"] = "prior"
    turn: int
    entry: str | None
    given: bool = False
    calculated: bool = False


class FromOperation(Frozen):
    """The value was calculated. operands: names of entries, in order."""

    kind: Literal["operation"] = "operation"
    operation: str
    operands: tuple[str, ...]


class FromFrame(Frozen):
    """The value is a cell of a frame, or what a script made of frames.

    frame: its name. column, row: of the cell, rows from 0; None for a script's own value. code: the script; line: of
    it, from 1, where the value is made. queries: the SELECTs behind, in order; tables: of data files that these read.
    rows_hash: SHA-256 of the rows it rests on. binary: it was calculated in binary floats, not in decimals. recipe:
    the heading of the recipe that made it.
    """

    kind: Literal["frame"] = "frame"
    frame: str
    column: str | None = None
    row: int | None = None
    code: str | None = None
    line: int | None = None
    queries: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    rows_hash: str
    binary: bool = False
    recipe: str | None = None

    @property
    def code_line(self) -> str:
        """The line of the script, as written; "" where there is none."""
        lines = (self.code or "").splitlines()
        return lines[self.line - 1].strip() if self.line is not None and 0 < self.line <= len(lines) else ""


class Words(Frozen):
    """A value that is no number: a date (ISO 8601), a text, or a list or table of cells, written out."""

    form: Literal["date", "text", "list", "table"]
    text: str

    def __str__(self) -> str:
        return self.text


class Ungrounded(Frozen):
    """A number that was typed and that nothing accounts for."""

    kind: Literal["ungrounded"] = "ungrounded"


Source = Annotated[
    FromFact | FromQuestion | FromConstant | FromPrior | FromOperation | FromFrame | Ungrounded,
    Field(discriminator="kind"),
]


class Entry(Frozen):
    """One named value. value: Decimal as printed or calculated at full precision, a truth, or words.

    scale_known: False where the report does not say at which scale the figure is printed; 1 is then reckoned with.
    """

    name: str
    value: Decimal | bool | Words  # the first that a text may be: "1" in a log is no truth
    unit: str | None = None
    scale: int = 1
    scale_known: bool = True
    period: str | None = None
    about: str = ""  # what it measures, in words
    source: Source

    @property
    def measure(self) -> Measure:
        """What the value is of: its unit and scale."""
        return Measure(self.unit, self.scale)

    def as_number(self) -> Decimal | bool | None:
        """The value as answers are compared: percentages as decimals (0.27), all else as it stands; None for words."""
        if isinstance(self.value, Words):
            return None
        if isinstance(self.value, Decimal) and self.unit == Unit.PERCENT:
            return shifted(self.value, -2)
        return self.value


CONSTANTS_ALONE = "the answer is made of constants alone: it rests on no figure, no question and no earlier answer"


class Step(NamedTuple):
    """An entry and the turn (from 0) in whose ledger it is."""

    turn: int
    entry: Entry


class Ledger:
    """The entries of one turn, and through earlier answers the way into theirs. Entries are added, never changed."""

    def __init__(self, earlier: Sequence["Ledger"] = ()) -> None:
        self.earlier = tuple(earlier)
        self._entries: dict[str, Entry] = {}

    @property
    def turn(self) -> int:
        """The number of the turn, from 0."""
        return len(self.earlier)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def add(self, entry: Entry) -> Entry:
        """Adds an entry; the very same one may come again. Raises ToolError when its name stands for something else."""
        known = self._entries.setdefault(entry.name, entry)
        if known != entry:
            raise ToolError(f"the name {entry.name!r} is taken: entries never change, choose another name")
        return entry

    def put(self, entry: Entry) -> Entry:
        """Adds an entry whose name nobody chose: under another one where its own stands for something else."""
        taken = entry.name in self and self[entry.name] != entry
        return self.add(entry.model_copy(update={"name": self.free_name(entry.name)}) if taken else entry)

    def free_name(self, stem: str) -> str:
        """The first of stem_1, stem_2, ... that is not taken."""
        number = 1
        while f"{stem}_{number}" in self._entries:
            number += 1
        return f"{stem}_{number}"

    def ungrounded(self) -> tuple[Entry, ...]:
        """The numbers that nothing accounts for, in the order in which they came."""
        return tuple(entry for entry in self if isinstance(entry.source, Ungrounded))

    def operands(self, step: Step) -> tuple[Step, ...]:
        """What a step was made from: its operands, or the answer of an earlier turn that it repeats."""
        source = step.entry.source
        if isinstance(source, FromOperation):
            ledger = self._of(step.turn)
            return tuple(Step(step.turn, ledger[name]) for name in source.operands)
        if isinstance(source, FromPrior) and source.entry is not None:
            return (Step(source.turn, self._of(source.turn)[source.entry]),)
        return ()

    def made_from(self, step: Step) -> tuple[Step, ...]:
        """As operands, conversions looked through: a percentage reads as printed, and an amount says its scale."""
        return tuple(self._unconverted(each) for each in self.operands(step))

    def _unconverted(self, step: Step) -> Step:
        while isinstance(source := step.entry.source, FromOperation) and is_conversion(source.operation):
            step = self.operands(step)[0]
        return step

    def follows(self, step: Step) -> bool:
        """Whether it is of a period that none of its operands is of: one that is not printed."""
        if step.entry.period is None or not isinstance(step.entry.source, FromOperation):
            return False
        return all(operand.entry.period != step.entry.period for operand in self.operands(step))

    def periods_under(self, step: Step) -> Iterator[str]:
        """The periods of the nearest entries below a step that are of one, in order."""
        for operand in self.operands(step):
            if operand.entry.period is None:
                yield from self.periods_under(operand)
            else:
                yield operand.entry.period

    def way_to(self, *names: str) -> tuple[Step, ...]:
        """The trees under entries, unfolded: each step once, operands before what is made from them, the entry last."""
        done: dict[tuple[int, str], Step] = {}
        waiting = [(Step(self.turn, self._entries[name]), False) for name in reversed(names)]
        while waiting:
            step, ready = waiting.pop()
            key = (step.turn, step.entry.name)
            if key in done:
                continue
            if ready:
                done[key] = step
                continue
            waiting.append((step, True))
            waiting.extend((operand, False) for operand in reversed(self.operands(step)))
        return tuple(done.values())

    def facts_under(self, *names: str) -> tuple[str, ...]:
        """Names of the facts that entries rest on, in the order of the operands, each once."""
        sources = (step.entry.source for step in self.way_to(*names))
        return tuple(dict.fromkeys(source.fact for source in sources if isinstance(source, FromFact)))

    def _of(self, turn: int) -> "Ledger":
        return self if turn == self.turn else self.earlier[turn]


def is_conversion(operation: str) -> bool:
    """Whether an operation only writes an amount otherwise: as a decimal, or at another scale."""
    return operation == "as_decimal" or (operation.startswith("in_") and operation != "in_percent")


def is_calculated(entry: Entry) -> bool:
    """Whether a value was made by a calculation, here or in an earlier turn."""
    source = entry.source
    return isinstance(source, FromOperation | FromFrame) or (isinstance(source, FromPrior) and source.calculated)


def rests_on_something(ledger: Ledger, name: str) -> bool:
    """Whether an entry rests on a fact, a question or an earlier answer, or on a number that is told to be ungrounded;
    False for one that was made of constants alone."""
    return any(not isinstance(entry.source, FromConstant | FromOperation) for _, entry in ledger.way_to(name))
