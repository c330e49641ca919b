"""What a value in a call means: an entry, a fact, an earlier answer, or a literal that has to be accounted for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Protocol

from tieout.agent.ledger.display import display
from tieout.agent.ledger.ledger import (
    Entry,
    FromConstant,
    FromFact,
    FromPrior,
    FromQuestion,
    Ledger,
    Source,
    Ungrounded,
    Words,
    is_calculated,
)
from tieout.agent.protocol.tool import ToolError
from tieout.agent.view.reports import Reports
from tieout.data.arithmetic.units import CONTEXT, shifted
from tieout.data.printed.amount import Amount, Unit, read_amounts
from tieout.data.printed.unit import DOLLARS, SOME_DOLLAR
from tieout.kg.fact import Fact
from tieout.kg.figure import measured_by, printed_at
from tieout.kg.store.reading import Reader
from tieout.ontology.asked.language import language
from tieout.ontology.model import MatchedBy

LITERAL = re.compile(
    r"(?P<sign>-?)\$?\s*(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*(?P<percent>%?)", re.ASCII
)
CONSTANT = re.compile(r"const_(?P<minus>m?)(?P<digits>[0-9]+)")
CELL = re.compile(r"(?:[a-z0-9]+:)?t\d+r\d+c\d+")
PRIOR = re.compile(r"prev_([1-9][0-9]{0,3})")
MOST_DIGITS = 40

# Those of FinQA's language (Chen et al. 2021, const_1 to const_1000000000 and const_m1), and those of the calendar.
CONSTANTS: Mapping[Decimal, str] = {
    **{Decimal(number): f"{number}, a number of items or periods" for number in range(2, 11)},
    Decimal(-1): "minus one, to turn the sign",
    Decimal(0): "nothing",
    Decimal(1): "one, the whole",
    Decimal(12): "months of a year",
    Decimal(52): "weeks of a year",
    Decimal(100): "one hundred, the base of an index or of percent",
    Decimal(360): "days of a banking year",
    Decimal(365): "days of a year",
    Decimal(1000): "one thousand, to convert",
    Decimal(10**4): "ten thousand, to convert",
    Decimal(10**5): "one hundred thousand, to convert",
    Decimal(10**6): "one million, to convert",
    Decimal(10**7): "ten million, to convert",
    Decimal(10**9): "one billion, to convert",
}
DAYS_OF_A_YEAR = frozenset({Decimal(360), Decimal(365)})


@dataclass(frozen=True, slots=True)
class Prior:
    """The answer of an earlier turn as it may be used. entry: its own one there, None where it is from outside."""

    turn: int
    value: Decimal | bool | Words | None
    entry: Entry | None = None
    given: bool = False


class Frames(Protocol):
    """Named frames of data beside the reports, as values refer to them."""

    def cell(self, text: str) -> Entry | None:
        """The entry of `frame.column[row]`, or of a frame; None for a text that is no such thing. Raises ToolError."""


class Values:
    """Turns the words of a call into entries of the ledger.

    facts: those of the document by name. questions: of the conversation so far, the last being the one asked;
    meant: that in full, where it leaves something out.
    priors: the answers before it, first to last. strict: refuse a number that nothing accounts for instead of recording
    it. reader: reads figures from the graph, its queries kept; None where the facts at hand are enough. frames: of data
    beside the reports, None where there is none.
    """

    def __init__(
        self,
        ledger: Ledger,
        facts: Mapping[str, Fact],
        questions: Sequence[str],
        priors: Sequence[Prior] = (),
        *,
        strict: bool = False,
        reader: Reader | Reports | None = None,
        frames: Frames | None = None,
        meant: str = "",
    ) -> None:
        self.ledger = ledger
        self.facts = facts
        self.questions = tuple(questions)
        self.meant = meant or self.questions[-1]
        self.priors = tuple(priors)
        self.strict = strict
        self.reader = reader
        self.frames = frames
        self.matched: dict[str, MatchedBy] = {}  # how the figures looked up by a name were found, by entry
        self.notes: dict[str, list[str]] = {}  # what is to be told of values over several filings, by entry
        self.fiscal_years: set[str] = set()  # that values over several filings are of, as their companies count them

    def entry(self, text: str) -> Entry:
        """The entry that text means, added to the ledger where it is new. Raises ToolError where it means nothing."""
        text = text.strip()
        if text in self.ledger:
            return self.ledger[text]
        if match := PRIOR.fullmatch(text):
            return self.prior(int(match[1]))
        if text in self.facts:
            return self.fact(self.facts[text])
        if CELL.fullmatch(text) and (nothing := self._nothing(text)) is not None:
            return self.ledger.put(nothing)
        if self.frames is not None and (cell := self.frames.cell(text)) is not None:
            return self.ledger.put(cell)
        if CONSTANT.fullmatch(text) or LITERAL.fullmatch(text):
            return self.literal(text)
        raise ToolError(
            f"{text!r} is no entry, no fact and no number",
            entries=[entry.name for entry in self.ledger],
            suggestion="use the name of an earlier result or of a fact (t1r2c3, s4a1), prev_1, or a number",
        )

    def fact(self, fact: Fact, name: str | None = None) -> Entry:
        """The entry of a fact, under its own name unless another is given."""
        value = fact.value if self.reader is None else self.reader.value(fact)
        return self.ledger.add(
            Entry(
                name=self.free(name) or fact.name,
                value=value,
                unit=None if fact.unit is None else str(fact.unit),
                scale=fact.scale,
                scale_known=fact.scale_known,
                period=fact.period.key if fact.period else None,
                about=measured_by(fact),
                source=FromFact(fact=fact.name, raw=fact.raw, label=fact.label, place=printed_at(fact)),
            )
        )

    def _nothing(self, name: str) -> Entry | None:
        """The entry of a cell in which a dash stands for no amount: zero, in the unit of its row; None for others."""
        if self.reader is None or not self.reader.is_dash(name):
            return None
        row = name.rpartition("c")[0]
        beside = next((fact for each, fact in self.facts.items() if each.rpartition("c")[0] == row), None)
        return Entry(
            name=name,
            value=Decimal(0),
            unit=None if beside is None or beside.unit is None else str(beside.unit),
            scale=1 if beside is None else beside.scale,
            scale_known=beside is None or beside.scale_known,
            source=FromConstant(meaning=f"nothing: a dash is printed at {name}"),
        )

    def prior(self, back: int) -> Entry:
        """The answer `back` turns ago. Raises ToolError where there is none."""
        if back > len(self.priors):
            raise ToolError(f"there is no prev_{back}: this is turn {len(self.priors) + 1}")
        prior = self.priors[-back]
        if prior.value is None:
            raise ToolError(f"prev_{back} has no answer: that turn ended without one")
        own = prior.entry
        made = own is not None and is_calculated(own)
        source = FromPrior(turn=prior.turn, entry=own.name if own else None, given=prior.given, calculated=made)
        if own is None:
            return self.ledger.add(Entry(name=f"prev_{back}", value=prior.value, source=source))
        return self.ledger.add(own.model_copy(update={"name": f"prev_{back}", "source": source}))

    def literal(self, text: str) -> Entry:
        """The entry of a typed number: of a question, a constant, a figure looked up before, or else ungrounded."""
        value, percent = _read(text)
        stem = re.sub(r"\W", "_", text.removeprefix("const_").strip("%$ -")).strip("_")
        stem = f"{'minus_' if value < 0 else ''}{stem}{'_percent' if percent else ''}"
        asked = None if text.startswith("const_") else self._asked(value, percent)
        if asked is not None:
            source, amount = asked
            unit = Unit.PERCENT if percent else self._unit(amount.unit) if amount.value == value else None
            scale = amount.scale if amount.value == value else 1
            return self.ledger.put(Entry(name=f"asked_{stem}", value=value, unit=unit, scale=scale, source=source))
        if not percent and value in CONSTANTS:
            source = FromConstant(meaning=CONSTANTS[value])
            unit = Unit.DAYS if value in DAYS_OF_A_YEAR else Unit.RATIO
            return self.ledger.put(Entry(name=f"const_{stem}", value=value, unit=unit, source=source))
        known = [entry for entry in self.ledger if not isinstance(entry.value, bool) and entry.value == value]
        if len({(entry.unit, entry.scale) for entry in known}) == 1 and percent == (known[0].unit == Unit.PERCENT):
            return known[0]
        if self.strict:
            raise ToolError(
                f"{text!r} is in no question and no known constant, so nothing accounts for it",
                suggestion="look the figure up and use its name",
            )
        unit = Unit.PERCENT if percent else None
        return self.ledger.put(Entry(name=f"typed_{stem}", value=value, unit=unit, source=Ungrounded()))

    def _unit(self, asked: str | None) -> str | None:
        """The unit of an amount in a question, whose bare `$` is the dollars that the reports are in."""
        if asked is None or not asked.startswith(SOME_DOLLAR):
            return asked
        by_report: dict[str, Counter[str]] = {}
        for fact in self.facts.values():
            money = str(fact.unit).partition("/")[0]
            if money == SOME_DOLLAR or money in DOLLARS:
                by_report.setdefault(fact.name.rpartition(":")[0], Counter())[money] += 1
        meant = {counts.most_common(1)[0][0] for counts in by_report.values()}
        return asked.replace(SOME_DOLLAR, meant.pop()) if len(meant) == 1 else asked

    def prints(self, words: str) -> bool:
        """Whether the report prints these words, letter by letter but for spaces."""
        return self.reader is None or self.reader.prints(words)

    def asks_of(self, name: str) -> bool:
        """Whether a question of the conversation says a name itself; what has digits is none."""
        said = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
        return not re.search(r"\d", name) and any(map(said.search, (*self.questions, self.meant)))

    def sentence(self, name: str) -> str | None:
        """What a sentence says, by its name; None where there is none of this name."""
        return None if self.reader is None else self.reader.sentence(name)

    def sentence_with(self, words: str) -> str | None:
        """The name of the first sentence that has these words, letter by letter; None where none has."""
        return None if self.reader is None else self.reader.sentence_with(words)

    def called(self, digits: str) -> list[str]:
        """The names of the results and figures whose value reads as these digits, whatever their scale and sign."""
        value = Decimal(digits)
        made = [entry.name for entry in self.ledger if isinstance(entry.value, Decimal) and rounds_to(entry, value)]
        printed = [fact.name for fact in self.facts.values() if fact.value.copy_abs() == value]
        return list(dict.fromkeys((*made, *printed)))

    def is_of_period(self, digits: str) -> bool:
        """Whether digits are those of a period of the report's figures: its year, or a day of it."""
        return digits in self.fiscal_years or any(
            digits in re.findall(r"\d+", f"{fact.period.key} {fact.period.label}")
            for fact in self.facts.values()
            if fact.period is not None
        )

    def is_asked(self, digits: str) -> bool:
        """Whether a question of the conversation states this number."""
        return any(digits in re.findall(r"\d+(?:\.\d+)?", each.replace(",", "")) for each in self.questions)

    def unaccounted(self, text: str) -> tuple[str, ...]:
        """The figures in a text, as typed there, that no fact, period, question, earlier answer or result accounts for.

        Counts from 0 to 10 need no account: `which of the 2 years?`
        """
        amounts = _amounts(text)
        if not amounts:
            return ()
        priors = (prior.value for prior in self.priors)
        known = {value for value in (*priors, *(entry.value for entry in self.ledger)) if value is not None}
        known |= {Decimal(number) for number in range(11)}
        for fact in self.facts.values():
            known |= {fact.value, CONTEXT.multiply(fact.value, Decimal(fact.scale))}
        for said in {*self.questions, *(fact.period.key for fact in self.facts.values() if fact.period)}:
            known |= {amount.value for amount in _amounts(said)}
        return tuple(
            text[amount.start : amount.end].strip()
            for amount in sorted(amounts, key=lambda amount: amount.start)
            if amount.value.copy_abs() not in known
            and amount.value not in known
            and CONTEXT.multiply(amount.value, Decimal(amount.scale)) not in known
            and shifted(amount.value, -2) not in known
            and amount.value.copy_negate() not in known
        )

    def free(self, name: str | None) -> str | None:
        """The name, if a result may have it. Raises ToolError for one of a fact, an earlier answer or a constant."""
        if name is not None and (name in self.facts or PRIOR.fullmatch(name) or CONSTANT.fullmatch(name)):
            raise ToolError(f"the name {name!r} means something else already, choose another one")
        return name

    def _asked(self, value: Decimal, percent: bool) -> tuple[Source, Amount] | None:
        for turn in range(len(self.questions) - 1, -1, -1):
            question = self.questions[turn]
            for amount in _amounts(question):
                raw = question[amount.start : amount.end]
                if _means(amount, value, percent):
                    return FromQuestion(turn=turn, raw=raw, start=amount.start, end=amount.end), amount
        return None


def rounds_to(entry: Entry, value: Decimal) -> bool:
    """Whether the number that an entry shows is this one, without its sign, scale and unit."""
    return f"{value:,f}" in re.findall(r"\d[\d,]*(?:\.\d+)?", display(entry))


@lru_cache(maxsize=4096)
def _amounts(question: str) -> tuple[Amount, ...]:
    """The amounts in a question, or in the name of a period, which come again with every question."""
    found = list(read_amounts(question))
    spans = [(amount.start, amount.end) for amount in found]
    for match in re.finditer(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", question):  # years and ordinals, which are no amounts
        if not any(start < match.end() and match.start() < end for start, end in spans):
            digits = match[0].replace(",", "")
            if len(digits) <= MOST_DIGITS:
                found.append(Amount(Decimal(digits), match.start(), match.start() + len(match[0])))
    return (*found, *_multiples(question))


def _multiples(question: str) -> Iterator[Amount]:
    """What is said in words of how many times as much something is: `twice` is 200%, and growth by 100%."""
    known = language().multiples
    for match in re.finditer(rf"\b({'|'.join(map(re.escape, known))})[ds]?\b", question.lower()):
        times = Decimal(str(known[match[1]]))
        for percent in (times, abs(times - 100)):
            yield Amount(percent, match.start(), match.end(), Unit.PERCENT)


def _means(amount: Amount, value: Decimal, percent: bool) -> bool:
    if amount.unit == Unit.PERCENT:
        return value == (amount.value if percent else shifted(amount.value, -2))
    return not percent and value in (amount.value, CONTEXT.multiply(amount.value, Decimal(amount.scale)))


def _read(text: str) -> tuple[Decimal, bool]:
    if sum(map(str.isdigit, text)) > MOST_DIGITS:
        raise ToolError(f"a number of more than {MOST_DIGITS} digits: {text[:MOST_DIGITS]!r}...")
    if match := CONSTANT.fullmatch(text):
        return Decimal(f"{'-' if match['minus'] else ''}{match['digits']}"), False
    match = LITERAL.fullmatch(text)
    if match is None:
        raise ToolError(f"{text!r} is no number")
    return Decimal(match["sign"] + match["digits"].replace(",", "")), bool(match["percent"])
